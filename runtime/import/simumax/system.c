/* system.c - what SimuMax's system file (its class SystemConfig) may hold. */
#include "runtime/import/simumax/simumax_int.h"

/* A share of a rated figure. Tables do go above 1 (work that is counted twice), a percentage
 * would be written above 10. */
enum { SHARE_MOST = 10, MICROSECONDS_MOST = 1000000000, RATE_MOST = 1000000000 };

static const char *const modes[] = { "roofline", "only_compute", NULL };
static const char *const backends[] = { "cuda", "musa", "rocm", "npu", "tpu", NULL };

static const struct foreign_field top[] = {
	{ "sys_name", FOREIGN_TEXT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "num_per_node", FOREIGN_INT, FOREIGN_REQUIRED, 1, 1000000, NULL },
	{ "accelerator", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "networks", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "FC8", FOREIGN_BOOL, 0, 0, 0, NULL },
};

static const struct foreign_field accelerator[] = {
	{ "backend", FOREIGN_TEXT, FOREIGN_REQUIRED, 0, 0, backends },
	{ "mem_gbs", FOREIGN_NUMBER, FOREIGN_REQUIRED | FOREIGN_ABOVE, 0, 1000000, NULL },
	{ "bandwidth", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "op", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "mode", FOREIGN_TEXT, FOREIGN_REQUIRED, 0, 0, modes },
};

/* An efficiency of 0 stands for "never measured": the engine refuses it where it is used. */
static const struct foreign_field kernel[] = {
	{ "tflops", FOREIGN_NUMBER, FOREIGN_REQUIRED | FOREIGN_ABOVE, 0, RATE_MOST, NULL },
	{ "efficient_factor", FOREIGN_NUMBER, FOREIGN_REQUIRED, 0, SHARE_MOST, NULL },
	{ "accurate_efficient_factor", FOREIGN_OBJECT, FOREIGN_NULLABLE, 0, 0, NULL },
};

static const struct foreign_field memory[] = {
	{ "gbps", FOREIGN_NUMBER, FOREIGN_REQUIRED | FOREIGN_ABOVE, 0, RATE_MOST, NULL },
	{ "efficient_factor", FOREIGN_NUMBER, FOREIGN_REQUIRED | FOREIGN_ABOVE, 0, SHARE_MOST,
	  NULL },
	{ "latency_us", FOREIGN_NUMBER, FOREIGN_REQUIRED, 0, MICROSECONDS_MOST, NULL },
	{ "fixed_latency", FOREIGN_NUMBER, FOREIGN_IGNORED, 0, 0, NULL },
	{ "fixed_latency_us_by_comm_num", FOREIGN_OBJECT, FOREIGN_IGNORED, 0, 0, NULL },
};

static const struct foreign_field network[] = {
	{ "processor_usage", FOREIGN_NUMBER, FOREIGN_IGNORED, 0, 0, NULL },
	{ "bandwidth", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "op", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
};

static const struct foreign_field wire[] = {
	{ "gbps", FOREIGN_NUMBER, FOREIGN_REQUIRED | FOREIGN_ABOVE, 0, RATE_MOST, NULL },
	{ "efficient_factor", FOREIGN_NUMBER, FOREIGN_REQUIRED | FOREIGN_ABOVE, 0, SHARE_MOST,
	  NULL },
	{ "latency_us", FOREIGN_NUMBER, FOREIGN_REQUIRED, 0, MICROSECONDS_MOST, NULL },
	{ "fixed_latency", FOREIGN_NUMBER, FOREIGN_NULLABLE, 0, MICROSECONDS_MOST, NULL },
	{ "fixed_latency_us_by_comm_num", FOREIGN_OBJECT, FOREIGN_NULLABLE, 0, 0, NULL },
};

static const struct foreign_field collective[] = {
	{ "scale", FOREIGN_NUMBER, FOREIGN_REQUIRED | FOREIGN_ABOVE, 0, 1000, NULL },
	{ "offset", FOREIGN_INT, FOREIGN_REQUIRED, -1, 1000, NULL },
	{ "efficient_factor", FOREIGN_NUMBER, FOREIGN_NULLABLE | FOREIGN_ABOVE, 0, SHARE_MOST,
	  NULL },
	{ "latency_us", FOREIGN_NUMBER, FOREIGN_NULLABLE, 0, MICROSECONDS_MOST, NULL },
	{ "fixed_latency_us", FOREIGN_NUMBER, FOREIGN_NULLABLE, 0, MICROSECONDS_MOST, NULL },
	{ "fixed_latency_us_by_comm_num", FOREIGN_OBJECT, FOREIGN_NULLABLE, 0, 0, NULL },
	{ "dp_fixed_bw", FOREIGN_OBJECT, FOREIGN_NULLABLE, 0, 0, NULL },
};

static const struct foreign_field collectives[] = {
	{ "all_reduce", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "all_gather", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "reduce_scatter", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "p2p", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
	{ "all2all", FOREIGN_OBJECT, FOREIGN_REQUIRED, 0, 0, NULL },
};

/* "the op `matmul`" */
static const char *called(struct foreign *f, const char *what, struct str name)
{
	struct out o;

	out_init(&o, f->arena);
	out_printf(&o, "%s `%.*s`", what, (int)(name.n > 60 ? 60 : name.n), name.p);
	out_char(&o, '\0');
	return o.p;
}

static bool need_default(struct foreign *f, const struct json *object, const char *what)
{
	if (json_member(object, "default"))
		return true;
	foreign_refuse(f, foreign_span(object, ""), "%s has no `default`", what);
	return false;
}

static bool check_rows(struct foreign *f, enum simumax_table table, const struct json *rows)
{
	bool fine = true;

	for (uint32_t i = 0; i < rows->count; i++) {
		const struct json *v = &rows->items[i];

		if (!simumax_row(f->arena, table, rows->keys[i])) {
			foreign_refuse(f, rows->key_spans[i],
				       "this is not a shape that SimuMax would look up");
			fine = false;
		} else if (v->kind != JSON_NUMBER || num_sign(v->number) <= 0 ||
			   num_compare(v->number, num_int(SHARE_MOST)) > 0) {
			foreign_refuse(f, v->span,
				       "an efficiency is a number above 0 and at most %d",
				       SHARE_MOST);
			fine = false;
		}
	}
	return fine;
}

static bool check_kernels(struct foreign *f, const struct json *ops)
{
	bool fine = need_default(f, ops, "`accelerator.op`");

	for (uint32_t i = 0; i < ops->count; i++) {
		const struct json *op = &ops->items[i], *rows;

		if (op->kind != JSON_OBJECT) {
			foreign_refuse(f, op->span, "%s must be an object",
				       called(f, "the op", ops->keys[i]));
			fine = false;
			continue;
		}
		if (!foreign_check(f, op, called(f, "the op", ops->keys[i]), kernel,
				   PLAN_COUNT(kernel), false)) {
			fine = false;
			continue;
		}
		rows = foreign_get(op, "accurate_efficient_factor");
		if (rows)
			fine = check_rows(f, simumax_table_of(ops->keys[i]), rows) && fine;
	}
	return fine;
}

static bool check_memory(struct foreign *f, const struct json *rows)
{
	bool fine = need_default(f, rows, "`accelerator.bandwidth`");

	for (uint32_t i = 0; i < rows->count; i++) {
		if (rows->items[i].kind != JSON_OBJECT) {
			foreign_refuse(f, rows->items[i].span, "%s must be an object",
				       called(f, "the bandwidth", rows->keys[i]));
			fine = false;
		} else {
			fine = foreign_check(f, &rows->items[i],
					     called(f, "the bandwidth", rows->keys[i]), memory,
					     PLAN_COUNT(memory), false) &&
			       fine;
		}
	}
	return fine;
}

/* { "4": 19.2 }: group size to a figure. */
static bool check_by_size(struct foreign *f, const struct json *object, const char *key, bool above)
{
	const struct json *map = foreign_get(object, key);
	bool fine = true;

	for (uint32_t i = 0; map && i < map->count; i++) {
		const struct json *v = &map->items[i];
		struct str size = map->keys[i];
		bool digits = size.n > 0 && size.n < 10 && size.p[0] != '0';

		for (uint32_t c = 0; c < size.n; c++)
			digits = digits && size.p[c] >= '0' && size.p[c] <= '9';
		if (!digits) {
			foreign_refuse(f, map->key_spans[i], "a key of `%s` is a group size", key);
			fine = false;
		} else if (v->kind != JSON_NUMBER || num_sign(v->number) < (above ? 1 : 0) ||
			   num_compare(v->number, num_int(RATE_MOST)) > 0) {
			foreign_refuse(f, v->span, "a value of `%s` is a number %s 0", key,
				       above ? "above" : "from");
			fine = false;
		}
	}
	return fine;
}

static bool check_network(struct foreign *f, const struct json *net, struct str name)
{
	const char *what = called(f, "the network", name);
	const struct json *bandwidth, *op;
	bool fine = foreign_check(f, net, what, network, PLAN_COUNT(network), true);

	if (!fine)
		return false;
	bandwidth = foreign_get(net, "bandwidth");
	op = foreign_get(net, "op");
	fine = foreign_check(f, bandwidth, called(f, "`bandwidth` of the network", name), wire,
			     PLAN_COUNT(wire), false) &&
	       check_by_size(f, bandwidth, "fixed_latency_us_by_comm_num", false);
	if (!foreign_check(f, op, called(f, "`op` of the network", name), collectives,
			   PLAN_COUNT(collectives), true))
		return false;
	for (size_t i = 0; i < PLAN_COUNT(collectives); i++) {
		const struct json *row = foreign_get(op, collectives[i].name);

		fine = foreign_check(f, row, called(f, "the op", str_of(collectives[i].name)),
				     collective, PLAN_COUNT(collective), false) &&
		       check_by_size(f, row, "fixed_latency_us_by_comm_num", false) &&
		       check_by_size(f, row, "dp_fixed_bw", true) && fine;
	}
	return fine;
}

/* Networks that SimuMax can select; any other is never read. */
static bool is_selectable(struct str name)
{
	return str_is(name, "high_intra_node") || str_is(name, "inter_node") ||
	       str_is(name, "intra_node_pcie_2x") || str_is(name, "intra_node_pcie_4x") ||
	       str_is(name, "intra_node_pcie_8x");
}

static bool check_networks(struct foreign *f, const struct json *networks)
{
	bool fine = true;

	for (uint32_t i = 0; i < networks->count; i++) {
		const struct json *v = &networks->items[i];
		struct str name = networks->keys[i];

		if (str_is(name, "intra_with_pcie")) {
			if (v->kind != JSON_BOOL) {
				foreign_refuse(f, v->span,
					       "`intra_with_pcie` is %s; it must be true or false",
					       json_kind_name(v->kind));
				fine = false;
			}
		} else if (!is_selectable(name)) {
			foreign_ignore(f, str_copy(f->arena, name).p, networks->key_spans[i]);
		} else if (v->kind != JSON_OBJECT) {
			foreign_refuse(f, v->span, "%s must be an object",
				       called(f, "the network", name));
			fine = false;
		} else {
			fine = check_network(f, v, name) && fine;
		}
	}
	return fine;
}

bool simumax_check_system(struct foreign *f, const struct json *system)
{
	const struct json *gpu;
	bool fine;

	if (!foreign_check(f, system, "the system", top, PLAN_COUNT(top), true))
		return false;
	gpu = foreign_get(system, "accelerator");
	fine = foreign_check(f, gpu, "the accelerator", accelerator, PLAN_COUNT(accelerator), true);
	if (fine) {
		fine = check_kernels(f, foreign_get(gpu, "op"));
		fine = check_memory(f, foreign_get(gpu, "bandwidth")) && fine;
	}
	return check_networks(f, foreign_get(system, "networks")) && fine;
}
