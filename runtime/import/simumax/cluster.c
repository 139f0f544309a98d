/* cluster.c - SimuMax's `networks` as a record of schema `cluster`.
 *
 * gbps counts 2^30 bytes per second. The figure of `inter_node` belongs to a whole node; here
 * every GPU has its own share of it. With `intra_with_pcie` the network inside a node depends on
 * the size of the group: levels of 2, 4 and 8 GPUs.
 */
#include "runtime/import/simumax/simumax_int.h"

#include <inttypes.h>

static const struct {
	const char *key, *field;
} collectives[] = {
	{ "all_reduce", "all_reduce" },
	{ "all_gather", "all_gather" },
	{ "reduce_scatter", "reduce_scatter" },
	{ "all2all", "all_to_all" },
	{ "p2p", "p2p" },
};

static const struct {
	const char *key;
	int64_t size;
} pcie[] = {
	{ "intra_node_pcie_2x", 2 },
	{ "intra_node_pcie_4x", 4 },
	{ "intra_node_pcie_8x", 8 },
};

/* `field = N us` for a key that is there. */
static void write_time(struct simumax *s, const struct json *object, const char *field,
		       const char *key)
{
	const struct json *v = foreign_get(object, key);

	if (v)
		plan_text_line(&s->w, v->span, "%s = %s", field,
			       plan_text_quantity(&s->w, v->number, "us"));
}

/* `field = [{ size = 4, time = 19.2 us }]` from a map by group size. */
static void write_by_size(struct simumax *s, const struct json *object, const char *key,
			  const char *field, const char *column, const char *unit)
{
	const struct json *map = foreign_get(object, key);

	if (!map || map->count == 0)
		return;
	plan_text_open(&s->w, map->span, "%s = [", field);
	for (uint32_t i = 0; i < map->count; i++)
		plan_text_line(&s->w, map->items[i].span, "{ size = %.*s, %s = %s },",
			       (int)map->keys[i].n, map->keys[i].p, column,
			       plan_text_quantity(&s->w, map->items[i].number, unit));
	plan_text_close(&s->w, "]");
}

static void write_collective(struct simumax *s, const struct json *row, const char *field)
{
	const struct json *share = foreign_get(row, "efficient_factor");

	plan_text_open(&s->w, row->span, "%s {", field);
	plan_text_line(&s->w, foreign_span(row, "scale"), "scale = %s",
		       plan_text_number(&s->w, foreign_number(row, "scale", 1)));
	plan_text_line(&s->w, foreign_span(row, "offset"), "offset = %" PRIi64,
		       foreign_int(row, "offset", 0));
	if (share)
		plan_text_line(&s->w, share->span, "efficiency = %s",
			       plan_text_number(&s->w, share->number));
	write_time(s, row, "latency", "latency_us");
	write_time(s, row, "fixed", "fixed_latency_us");
	write_by_size(s, row, "fixed_latency_us_by_comm_num", "fixed_at", "time", "us");
	write_by_size(s, row, "dp_fixed_bw", "rate_at", "rate", "GiB/s");
	plan_text_close(&s->w, "}");
}

/* The fields of a link; `ranks` GPUs share what the file states. */
static void write_link(struct simumax *s, const struct json *net, const char *kind, int64_t ranks)
{
	const struct json *b = foreign_get(net, "bandwidth"), *op = foreign_get(net, "op");
	struct num rate;

	(void)num_div(s->in->arena, foreign_number(b, "gbps", 1), num_int(ranks), &rate);
	plan_text_line(&s->w, net->span, "kind = %s", kind);
	plan_text_line(&s->w, foreign_span(b, "gbps"), "bandwidth = %s",
		       plan_text_quantity(&s->w, rate, "GiB/s"));
	write_time(s, b, "latency", "latency_us");
	plan_text_line(&s->w, foreign_span(b, "efficient_factor"), "efficiency = %s",
		       plan_text_number(&s->w, foreign_number(b, "efficient_factor", 1)));
	write_time(s, b, "fixed", "fixed_latency");
	write_by_size(s, b, "fixed_latency_us_by_comm_num", "fixed_at", "time", "us");
	for (size_t i = 0; i < PLAN_COUNT(collectives); i++)
		write_collective(s, foreign_get(op, collectives[i].key), collectives[i].field);
}

static void write_level(struct simumax *s, const struct json *net, const char *name, const char *size,
			const char *kind, int64_t ranks)
{
	plan_text_open(&s->w, net->span, "{");
	plan_text_line(&s->w, net->span, "name = \"%s\"", name);
	plan_text_line(&s->w, net->span, "size = %s", size);
	plan_text_open(&s->w, net->span, "link = {");
	write_link(s, net, kind, ranks);
	plan_text_close(&s->w, "}");
	plan_text_close(&s->w, "},");
}

/* Levels by group size, whatever the size of a node: that is how SimuMax selects. A cluster by itself has as
 * many GPUs as a plan gives it nodes. */
static void write_pcie(struct simumax *s, const struct json *networks, int64_t node, int64_t gpus)
{
	const struct json *inter = foreign_get(networks, "inter_node");
	const char *all = s->alone ? "max(16, ceil(whole / 8) * 8)"
				   : plan_text_number(&s->w, num_int((gpus + 7) / 8 * 8));

	if (s->alone)
		plan_text_line(&s->w, networks->span, "let whole = gpus");
	plan_text_open(&s->w, networks->span, "levels = [");
	for (size_t i = 0; i < PLAN_COUNT(pcie); i++)
		write_level(s, foreign_get(networks, pcie[i].key), pcie[i].key,
			    plan_text_number(&s->w, num_int(pcie[i].size)),
			    "pcie", 1);
	if (inter && (s->alone || gpus > 8))
		write_level(s, inter, "inter_node", all, "infiniband", node);
	plan_text_close(&s->w, "]");
}

static void write_intra_inter(struct simumax *s, const struct json *networks, int64_t node)
{
	const struct json *intra = foreign_get(networks, "high_intra_node");
	const struct json *inter = foreign_get(networks, "inter_node");
	bool musa = foreign_text_is(foreign_get(s->system, "accelerator"), "backend", "musa");

	plan_text_open(&s->w, intra->span, "intra {");
	write_link(s, intra, musa ? "mtlink" : "nvlink", 1);
	if (foreign_bool(s->system, "FC8", false))
		plan_text_line(&s->w, foreign_span(s->system, "FC8"), "topology = mesh");
	plan_text_close(&s->w, "}");
	if (!inter)
		return;
	plan_text_open(&s->w, inter->span, "inter {");
	write_link(s, inter, "infiniband", node);
	plan_text_close(&s->w, "}");
}

void simumax_write_cluster(struct simumax *s)
{
	const struct json *networks = foreign_get(s->system, "networks");
	int64_t node = foreign_int(s->system, "num_per_node", 8);
	int64_t world = foreign_int(s->strategy, "world_size", 8);
	int64_t nodes = (world + node - 1) / node;

	plan_text_open(&s->w, foreign_span(s->system, "sys_name"), "cluster %s {", s->cluster_name);
	plan_text_line(&s->w, foreign_span(s->system, ""), "gpu = %s", s->gpu_name);
	plan_text_line(&s->w, foreign_span(s->system, "num_per_node"), "gpus_per_node = %" PRIi64,
		       node);
	if (!s->alone)
		plan_text_line(&s->w, foreign_span(s->strategy, "world_size"), "nodes = %" PRIi64, nodes);
	if (foreign_bool(networks, "intra_with_pcie", false))
		write_pcie(s, networks, node, nodes * node);
	else
		write_intra_inter(s, networks, node);
	plan_text_close(&s->w, "}");
}
