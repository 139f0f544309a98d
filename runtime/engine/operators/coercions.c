/* coercions.c - seconds of the collectives that types ask for, and the bytes that a profile says they send. */

#include "runtime/engine/operators/pricing.h"

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static enum collective collective_of(enum coercion_kind kind)
{
	switch (kind) {
	case COERCE_ALL_GATHER:
		return COLLECTIVE_ALL_GATHER;
	case COERCE_ALL_REDUCE:
		return COLLECTIVE_ALL_REDUCE;
	case COERCE_REDUCE_SCATTER:
		return COLLECTIVE_REDUCE_SCATTER;
	case COERCE_ALL_TO_ALL:
		return COLLECTIVE_ALL_TO_ALL;
	case COERCE_SLICE:
		break;
	}
	return COLLECTIVE_COUNT;
}

static int group_of(enum axis axis)
{
	static const int groups[AXIS_COUNT] = {
		GROUP_TP,  GROUP_CP_INNER, GROUP_CP_OUTER, GROUP_DP,
		GROUP_ETP, GROUP_EP,       GROUP_EDP,      GROUP_PP,
	};

	return (int)groups[axis];
}

static enum traffic traffic_of(enum axis axis)
{
	if (axis == AXIS_CP || axis == AXIS_RING)
		return TRAFFIC_CONTEXT;
	return axis == AXIS_EP || axis == AXIS_ETP ? TRAFFIC_EXPERT : TRAFFIC_TENSOR;
}

/* SimuMax (O19) slices the embedding first and then sums the slices. */
static void slice_embedding(const struct pricing *p, enum collective *collective, double *payload)
{
	if (!p->cost->profile->embedding_sliced || !p->cost->in->parallel.sequence_parallel)
		return;
	*payload /= (double)p->cost->in->parallel.tp;
	if (*collective == COLLECTIVE_REDUCE_SCATTER)
		*collective = COLLECTIVE_ALL_REDUCE;
}

/*
 * Copies of a token that differ by where they go. Experts are chosen evenly, so a unit with a share of
 * them is missed by all top_k choices with the probability of drawing them from the others; limited
 * routing visits no more units than groups (node-limited routing: DeepSeek-V3, arXiv:2412.19437).
 */
static double units_reached(const struct engine_moe *m, double units)
{
	double experts = (double)m->experts, missed = 1, reached;

	for (int64_t i = 0; i < m->top_k; i++)
		missed *= larger(0, 1 - experts / units / (experts - (double)i));
	reached = units * (1 - missed);
	return m->groups > 1 && (double)m->group_top_k < reached ? (double)m->group_top_k : reached;
}

/*
 * Share of the routed bytes that a dispatcher sends over the slowest link of its group: all of them,
 * or each token once to every unit below that link; forward in a format of its own.
 */
static double dispatched_share(const struct pricing *p, const struct coercion *c)
{
	const struct cost *cost = p->cost;
	const struct engine_moe *m = &cost->in->model.moe;
	const struct group *g = &cost->group[GROUP_EP];
	double share = 1, units = (double)g->size;

	if (p->op->kind == OPERATOR_DISPATCH && c->phase == PHASE_FORWARD &&
	    cost->in->precision.dispatch != cost->in->precision.compute)
		share = (double)dtype_bits(cost->in->precision.dispatch) / 8 / (double)cost->element;
	if (!cost->in->parallel.sent_once || c->axis != AXIS_EP)
		return share;
	if (g->level > 0) {
		double inside = (double)(cost->hardware->levels[g->level - 1].size / g->stride);

		units = inside > 1 ? units / inside : units;
	}
	return share * smaller(1, units_reached(m, larger(units, 1)) / (double)m->top_k);
}

/* Bytes a coercion sends under the profile; the types say what it has to. */
static double payload_of(const struct pricing *p, const struct coercion *c,
			 enum collective *collective)
{
	const struct cost *cost = p->cost;
	const struct operator* op = p->op;
	double payload = (double)c->payload;
	bool operand = c->kind == COERCE_ALL_GATHER && c->phase != PHASE_INPUT_GRADIENT;

	if (op->kind == OPERATOR_EMBEDDING)
		slice_embedding(p, collective, &payload);
	if (op->kind == OPERATOR_ATTENTION && c->port > 0 && cost->profile->keys_not_repeated)
		payload /= (double)op->repeats;
	if ((op->kind == OPERATOR_DISPATCH || op->kind == OPERATOR_COMBINE) && c->port == 0)
		payload *= dispatched_share(p, c);
	if (op->kind == OPERATOR_COMBINE && cost->profile->combine_unreduced)
		payload = payload / (double)cost->routed_sent * (double)cost->routed_held;
	if (op->kind == OPERATOR_DISPATCH && c->port == 1 && cost->profile->all_probabilities)
		payload = c->axis == AXIS_EP ? (double)(routing_choices(cost) * cost->element) : 0;
	if (operand && op->in[0].bits < 8 * cost->element && cost->profile->wide_gather)
		payload *= 8 * (double)cost->element / (double)op->in[0].bits;
	return payload;
}

/* Keys and values that go around in a ring, each step under the attention of the one before. */
static bool goes_around(const struct cost *cost, enum axis axis)
{
	const enum cp_comm way = cost->in->parallel.cp_comm;

	return axis == AXIS_RING || (axis == AXIS_CP && way == CP_P2P);
}

void price_coercions(const struct pricing *p)
{
	for (int i = 0; i < p->op->coercions; i++) {
		const struct coercion *c = &p->op->coercion[i];
		enum collective collective = collective_of(c->kind);

		if (collective == COLLECTIVE_COUNT)
			continue;

		double payload = payload_of(p, c, &collective);
		double time = network_time(p->cost, group_of(c->axis), collective, payload, false);

		p->to->network[c->phase][traffic_of(c->axis)] += time;
		if (goes_around(p->cost, c->axis))
			p->to->ring[c->phase] += time;
	}
}
