/* operators.c - walks the typed graph and prices each operator: kernel, collectives, storage. */

#include "runtime/engine/operators/pricing.h"

void price_phase(const struct pricing *p, enum phase phase, enum kernel kernel,
		 const struct engine_shape *shape)
{
	p->to->compute[phase] = kernel_time(p->cost, kernel, p->to->flops[phase],
					    (double)p->to->moved[phase], shape);
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

static enum engine_group group_of(enum axis axis)
{
	static const enum engine_group groups[AXIS_COUNT] = {
		GROUP_TP, GROUP_CP, GROUP_DP, GROUP_ETP, GROUP_EP, GROUP_EDP, GROUP_PP,
	};

	return groups[axis];
}

static enum traffic traffic_of(enum axis axis)
{
	if (axis == AXIS_CP)
		return TRAFFIC_CONTEXT;
	return axis == AXIS_EP || axis == AXIS_ETP ? TRAFFIC_EXPERT : TRAFFIC_TENSOR;
}

static void price_coercions(const struct pricing *p)
{
	bool sliced = p->op->kind == OPERATOR_EMBEDDING && p->cost->profile->embedding_sliced;

	for (int i = 0; i < p->op->coercions; i++) {
		const struct coercion *c = &p->op->coercion[i];
		enum collective collective = collective_of(c->kind);
		double payload = (double)c->payload;

		if (collective == COLLECTIVE_COUNT)
			continue;
		/* SimuMax (O19) slices the embedding first and then sums the slices. */
		if (sliced && p->cost->in->parallel.sequence_parallel) {
			payload /= (double)p->cost->in->parallel.tp;
			if (collective == COLLECTIVE_REDUCE_SCATTER)
				collective = COLLECTIVE_ALL_REDUCE;
		}
		p->to->network[c->phase][traffic_of(c->axis)] +=
			network_time(p->cost, group_of(c->axis), collective, payload, false);
	}
}

/* Parameters, and the stored inputs that stand for the operator when it starts a segment. */
static void price_storage(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	int64_t stored =
		cost->profile->stored_element > 0 ? cost->profile->stored_element : cost->element;

	for (int i = 0; i < p->op->inputs; i++)
		p->to->input += local_elements(p, &p->op->in[i]) * stored;
	if (!p->op->has_weight)
		return;
	p->to->parameters = local_elements(p, &p->op->weight);
	p->to->weight_bytes = p->to->parameters * p->op->weight.bits / 8;
	if (parameter_coercions(&cost->graph->mesh, p->op, SHARD_NOTHING).tensor_reduce)
		p->to->tensor_reduced = p->to->parameters;
	if (p->op->has_bias) {
		int64_t bias = p->op->kind == OPERATOR_COLUMN
				       ? p->to->dummy[0]
				       : tensor_size(&p->op->weight, DIM_HIDDEN);

		p->to->parameters += bias;
		p->to->weight_bytes += bias * p->op->weight.bits / 8;
	}
}

static void price_operator(const struct pricing *p)
{
	int launches = p->op->has_weight && p->op->kind != OPERATOR_EMBEDDING ? 2 : 1;

	p->to->kernels[0] = 1;
	p->to->kernels[1] = launches;
	if (p->op->kind == OPERATOR_ATTENTION)
		price_attention(p);
	else
		price_dense(p);
	price_coercions(p);
	price_storage(p);
}

/* Glue operators cost nothing unless the profile charges them; then they are not even listed. */
static bool is_charged(const struct cost *cost, const struct operator* op)
{
	bool glue = op->kind == OPERATOR_ROPE || op->kind == OPERATOR_ADD;

	if (op->kind == OPERATOR_ROPE && cost->in->model.positions_free)
		return false;
	return !glue || cost->profile->glue_traffic;
}

bool cost_operators(struct cost *cost)
{
	int n = 0;

	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		cost->first[part] = n;
		for (int i = cost->graph->first[part]; i < cost->graph->first[part + 1]; i++) {
			struct operator* op = & cost->graph->op[i];
			struct pricing p = { cost, op, &cost->op[n] };

			if (!is_charged(cost, op))
				continue;
			cost->op[n] = (struct engine_operator){ .name = op->name,
								.kind = op->kind,
								.part = (enum graph_part)part };
			price_operator(&p);
			for (int phase = 0; phase < PHASE_COUNT; phase++) {
				op->flops[phase] = cost->op[n].flops[phase];
				op->moved[phase] = cost->op[n].moved[phase];
			}
			op->saved = cost->op[n++].keep;
		}
	}
	cost->first[GRAPH_PART_COUNT] = n;
	return !cost->failed;
}
