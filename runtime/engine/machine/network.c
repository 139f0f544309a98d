/* network.c - where groups of GPUs sit in the machine, and what a collective costs there. */

#include <math.h>

#include "runtime/engine/cost.h"

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Innermost level that holds `span` GPUs; the outermost one when none does. */
static int level_of_span(const struct hardware *hardware, int64_t span)
{
	for (size_t i = 0; i + 1 < hardware->level_count; i++)
		if (hardware->levels[i].size >= span)
			return (int)i;
	return (int)hardware->level_count - 1;
}

/* The same for aligned blocks of `span` ranks, none of which may straddle two units. */
static int level_of_block(const struct hardware *hardware, int64_t span)
{
	for (size_t i = 0; i + 1 < hardware->level_count; i++)
		if (hardware->levels[i].size >= span && hardware->levels[i].size % span == 0)
			return (int)i;
	return (int)hardware->level_count - 1;
}

/*
 * SimuMax's rule for pipeline neighbours (its oddities O2, O3): with PCIe classes the span is the
 * whole world, else a stage must be smaller than the level, however its neighbours are placed.
 */
static int level_of_stage_span(const struct hardware *hardware, const struct engine_parallel *p)
{
	if (hardware->levels[0].link.kind == LINK_PCIE)
		return level_of_span(hardware, p->world);
	return level_of_span(hardware, p->world / p->pp + 1);
}

/* Ranks of one stage that lie next to each other: all of them, or those of one replica. */
static int64_t stage_block(const struct engine_parallel *p)
{
	return p->pp_inside ? p->tp * p->cp : p->world / p->pp;
}

int network_boundary_level(const struct cost *cost, int64_t from, int64_t to)
{
	const struct hardware *hardware = cost->hardware;
	int64_t block = stage_block(&cost->in->parallel);
	int64_t first = (from < to ? from : to) * block;
	int64_t last = (from < to ? to + 1 : from + 1) * block - 1;

	if (cost->profile->network == NETWORK_SPAN)
		return cost->group[GROUP_PP].level;
	for (size_t i = 0; i + 1 < hardware->level_count; i++)
		if (first / hardware->levels[i].size == last / hardware->levels[i].size)
			return (int)i;
	return (int)hardware->level_count - 1;
}

static int worst_boundary(const struct cost *cost)
{
	int worst = 0;

	for (int64_t r = 0; r + 1 < cost->in->parallel.pp; r++) {
		int level = network_boundary_level(cost, r, r + 1);

		worst = level > worst ? level : worst;
	}
	return worst;
}

/* Ranks that share one copy of what is cut lie next to each other, copies behind one another. */
static void place_shards(struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	const int64_t dense = cost_dense_shard(cost), expert = cost_expert_shard(cost);
	const int64_t inner = p->gather > 0 ? p->gather : dense;
	const int64_t between = p->pp_inside ? p->pp : 1; /* ranks of a pipeline lie between */
	const int64_t near = expert / (dense / inner), stride = p->etp * p->ep * between;
	const int64_t step = p->tp * between;
	struct group *g = cost->group;

	g[GROUP_SHARD] = (struct group){ dense, step, 0 };
	g[GROUP_REPLICA] = (struct group){ p->dp * p->cp / dense, step * dense, 0 };
	g[GROUP_GATHER] = (struct group){ inner, step, 0 };
	g[GROUP_DP] = (struct group){ p->dp * p->cp, step, 0 };
	g[GROUP_EDP] = (struct group){ p->edp, stride, 0 };
	g[GROUP_EXPERT_SHARD] = (struct group){ expert, stride, 0 };
	g[GROUP_EXPERT_REPLICA] = (struct group){ p->edp / expert, stride * expert, 0 };
	g[GROUP_EXPERT_GATHER] = (struct group){ near > 0 ? near : 1, stride, 0 };
}

bool network_place(struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	struct group *g = cost->group;
	const bool span_rule = cost->profile->network == NETWORK_SPAN;

	if (cost->hardware->level_count == 0)
		return cost_fail(cost, ENGINE_NETWORK, "cluster.levels", 0);
	/*
	 * Rank order: tp fastest, then cp, dp, pp; on the expert mesh etp, ep, edp, pp. With pp_inside
	 * pp comes before dp and edp, which are then alike.
	 */
	g[GROUP_TP] = (struct group){ p->tp, 1, 0 };
	g[GROUP_CP] = (struct group){ p->cp, p->tp, 0 };
	g[GROUP_PP] = (struct group){ p->pp, stage_block(p), 0 };
	g[GROUP_ETP] = (struct group){ p->etp, 1, 0 };
	g[GROUP_EP] = (struct group){ p->ep, p->etp, 0 };
	place_shards(cost);
	g[GROUP_CP_INNER] = (struct group){ cost_cp_inner(p), p->tp, 0 };
	g[GROUP_CP_OUTER] = (struct group){ p->cp / cost_cp_inner(p), p->tp * cost_cp_inner(p), 0 };
	for (int i = 0; i < COST_GROUPS; i++) {
		int64_t span = g[i].size * g[i].stride;

		if (i != GROUP_PP)
			g[i].level = span_rule ? level_of_span(cost->hardware, span)
					       : level_of_block(cost->hardware, span);
	}
	g[GROUP_PP].level =
		span_rule ? level_of_stage_span(cost->hardware, p) : worst_boundary(cost);
	return true;
}

static double fixed_time(const struct link *link, const struct collective_row *row, int64_t n)
{
	for (size_t i = 0; i < row->fixed_at_count; i++)
		if (row->fixed_at[i].size == n)
			return row->fixed_at[i].value;
	if (row->has_fixed)
		return row->fixed;
	for (size_t i = 0; i < link->fixed_at_count; i++)
		if (link->fixed_at[i].size == n)
			return link->fixed_at[i].value;
	return link->fixed;
}

/* Steps a collective takes one after the other, each paying the latency. */
static double latency_steps(const struct cost *cost, enum collective collective, int64_t n,
			    const struct collective_row *row)
{
	double ring = ((double)n + row->offset) * row->scale;

	if (collective == COLLECTIVE_P2P)
		return 1;
	switch (cost->profile->step_latency) {
	case LATENCY_EIGHT:
		return cost->hardware->gpus_per_node == 8 ? ring : 1;
	case LATENCY_TREE:
		/*
		 * NCCL: pairwise exchanges start together, reductions to all climb and descend a
		 * tree, while gathers and scatters of large messages go around the ring.
		 */
		if (collective == COLLECTIVE_ALL_TO_ALL)
			return 1;
		if (collective == COLLECTIVE_ALL_REDUCE)
			return row->scale * ceil(log2((double)n));
		break;
	case LATENCY_RING:
		break;
	}
	return ring;
}

/*
 * SimuMax: a node's capacity divided by the groups thought to share it. `link` rates are per GPU.
 */
static double shared_by_divisor(const struct cost *cost, int group,
				enum collective collective, bool gradient, double bandwidth)
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t node = cost->hardware->gpus_per_node;

	if (collective == COLLECTIVE_P2P || collective == COLLECTIVE_ALL_TO_ALL)
		return bandwidth;
	bandwidth *= (double)node;
	if (gradient && group == GROUP_DP)
		bandwidth /= (double)min64(node, p->tp);
	if (gradient && group == GROUP_EDP)
		bandwidth /= (double)min64(node, p->ep * p->etp);
	return bandwidth;
}

/*
 * A ring that enters every unit of the level below with k members can use k network cards there, up
 * to what the links inside the unit carry.
 */
static double shared_by_flows(const struct cost *cost, const struct group *g, double bandwidth)
{
	const struct level *level = &cost->hardware->levels[g->level];
	double rate = bandwidth;

	if (g->level > 0) {
		const struct level *inner = level - 1;
		int64_t members = min64(g->size, inner->size / g->stride);

		if (members > 1) {
			rate = bandwidth * (double)members;
			rate = rate < inner->link.bandwidth ? rate : inner->link.bandwidth;
		}
	}
	return level->oversubscription > 1 ? rate / level->oversubscription : rate;
}

/* Bytes of an all-to-all that leave the node, as SimuMax and as counting destinations sees it. */
static double crossing_bytes(const struct cost *cost, const struct group *g, double ring,
			     double payload)
{
	int64_t node = cost->hardware->gpus_per_node;

	if (cost->profile->cross_node_volume) {
		int64_t nodes = (g->size + node - 1) / node;

		return ring * (double)(nodes - 1) / (double)nodes;
	}
	if (g->level == 0)
		return ring;

	int64_t near = cost->hardware->levels[g->level - 1].size / g->stride;

	near = near < 1 ? 1 : min64(near, g->size);
	return payload * (double)(g->size - near) / (double)g->size;
}

static double usable_bandwidth(const struct cost *cost, int group,
			       enum collective collective, bool gradient)
{
	const struct group *g = &cost->group[group];
	const struct level *level = &cost->hardware->levels[g->level];
	double bandwidth = level->link.bandwidth;

	if (level->link.mesh) {
		int64_t peers =
			cost->profile->mesh_peers > 0 ? cost->profile->mesh_peers : level->size - 1;

		bandwidth *= (double)(g->size - 1) / (double)peers;
	}
	switch (cost->profile->sharing) {
	case SHARING_DIVISORS:
		if (link_is_network(level->link.kind))
			return shared_by_divisor(cost, group, collective, gradient, bandwidth);
		break;
	case SHARING_FLOWS:
		if (collective != COLLECTIVE_P2P && collective != COLLECTIVE_ALL_TO_ALL)
			return shared_by_flows(cost, g, bandwidth);
		if (level->oversubscription > 1)
			bandwidth /= level->oversubscription;
		break;
	case SHARING_OFF:
		break;
	}
	return bandwidth;
}

double network_time(const struct cost *cost, int group, enum collective collective,
		    double payload, bool gradient)
{
	const struct group *g = &cost->group[group];
	const struct link *link = &cost->hardware->levels[g->level].link;
	const struct collective_row *row = &link->collectives[collective];

	if (g->size == 1 || payload == 0)
		return 0;

	double bytes = payload * row->scale * (1 + row->offset / (double)g->size);

	/* Switches that add up take the payload once and give the sum back at the same time. */
	if (link->sharp && collective == COLLECTIVE_ALL_REDUCE)
		bytes = payload;

	if (gradient && group == GROUP_DP &&
	    (link->kind == LINK_PCIE || !cost->profile->fixed_rates_pcie_only))
		for (size_t i = 0; i < row->rate_at_count; i++)
			if (row->rate_at[i].size == g->size)
				return bytes / row->rate_at[i].value;
	if (collective == COLLECTIVE_ALL_TO_ALL && link_is_network(link->kind) &&
	    cost->profile->sharing != SHARING_OFF)
		bytes = crossing_bytes(cost, g, bytes, payload);

	double latency = row->has_latency ? row->latency : link->latency;
	double efficiency = row->has_efficiency ? row->efficiency : link->efficiency;
	double bandwidth = usable_bandwidth(cost, group, collective, gradient);

	latency *= latency_steps(cost, collective, g->size, row);
	return bytes / (bandwidth * efficiency) + latency + fixed_time(link, row, g->size);
}

double network_p2p(const struct cost *cost, int level, double payload)
{
	const struct level *at = &cost->hardware->levels[level];
	const struct collective_row *row = &at->link.collectives[COLLECTIVE_P2P];
	double efficiency = row->has_efficiency ? row->efficiency : at->link.efficiency;
	double latency = row->has_latency ? row->latency : at->link.latency;
	double bytes = payload * row->scale * (1 + row->offset / 2);
	double bandwidth = at->link.bandwidth;

	/* Two of the peers of a mesh are one direct wire. */
	if (at->link.mesh)
		bandwidth /= (double)(cost->profile->mesh_peers > 0 ? cost->profile->mesh_peers
								    : at->size - 1);
	if (at->oversubscription > 1)
		bandwidth /= at->oversubscription;
	return bytes / (bandwidth * efficiency) + latency + fixed_time(&at->link, row, 2);
}
