/* operators.c - walks the typed graph and prices each operator: kernels by its kind, weights, storage. */

#include "runtime/engine/operators/pricing.h"

void price_phase(const struct pricing *p, enum phase phase, enum kernel kernel,
		 const struct engine_shape *shape)
{
	p->to->compute[phase] = kernel_time(p->cost, kernel, p->to->flops[phase],
					    (double)p->to->moved[phase], shape);
}

void price_traffic(const struct pricing *p, enum kernel kernel)
{
	for (int phase = 0; phase < PHASE_COUNT; phase++)
		price_phase(p, (enum phase)phase, kernel, NULL);
}

/* Routed tokens as the experts have them, every rank of an expert all of its tokens. */
static bool is_gathered(const struct tensor_type *type)
{
	const struct placement *etp = &type->on[AXIS_ETP];

	return type->dims > 0 && type->dim[0].name == DIM_TOKENS &&
	       !(etp->kind == PLACE_SPLIT && etp->dim == DIM_TOKENS);
}

int64_t local_elements(const struct pricing *p, const struct tensor_type *type)
{
	const struct cost *cost = p->cost;
	int64_t elements = tensor_local_elements(&cost->graph->mesh, type);
	int64_t delivered = cost->routed_sent * cost->in->parallel.etp;

	if (cost->routed_held == delivered || !is_gathered(type))
		return elements;
	return elements / delivered * cost->routed_held;
}

int64_t routing_choices(const struct cost *cost)
{
	const struct operator* op = & cost->graph->op[cost->graph->first[GRAPH_EMBEDDING]];
	const struct tensor_type *stream = &op->out[0];
	int64_t elements = tensor_local_elements(&cost->graph->mesh, stream);

	return elements / cost->in->model.hidden * cost->in->model.moe.experts;
}

/* Bytes of one input as a checkpoint stores it. */
static int64_t stored_bytes(const struct pricing *p, const struct tensor_type *type)
{
	const struct cost *cost = p->cost;
	const bool choices = type->dims == 3 && type->dim[2].name == DIM_EXPERTS;
	const bool weights = type->dims == 1; /* routing weights under way */
	int64_t stored = cost->profile->stored_element;

	if (weights && cost->profile->all_probabilities)
		return routing_choices(cost) * type->bits / 8;
	if (stored == 0 || choices || type->bits != 8 * cost->element)
		return local_elements(p, type) * type->bits / 8;
	return local_elements(p, type) * stored;
}

/* Inputs that wait on the host cost a checkpoint nothing. */
static bool is_input_away(const struct pricing *p)
{
	const struct engine_input *in = p->cost->in;

	return in->parallel.offload_expert_input && p->op->site == SITE_EXPERT_FC1 &&
	       (p->to->offloaded > 0 ||
		(p->op->kind == OPERATOR_CAST && !in->precision.keep_grouped_input));
}

/* The stored inputs that stand for the operator when it starts a segment. */
static void price_checkpoint(const struct pricing *p)
{
	const bool grouped =
		p->op->kind == OPERATOR_GROUPED_COLUMN || p->op->kind == OPERATOR_GROUPED_ROW;

	for (int i = 0; i < p->op->inputs; i++)
		p->to->input += stored_bytes(p, &p->op->in[i]);
	if (is_input_away(p))
		p->to->input = 0;
	/* One after the other: the first of the linears starts the segment, the others follow. */
	if (grouped && !p->cost->in->kernels.grouped && p->to->input > 0) {
		int64_t experts = local_size(p, &p->op->weight, DIM_EXPERTS);

		p->to->input /= experts;
		p->to->input_rest = p->to->keep - p->to->keep / experts;
	}
}

/* One bias per output that this GPU has; for a row linear that is all of them. */
static int64_t bias_elements(const struct pricing *p)
{
	const struct operator* op = p->op;

	if (op->kind == OPERATOR_ROW)
		return tensor_size(&op->weight, DIM_HIDDEN);
	if (op->kind == OPERATOR_COLUMN)
		return p->to->dummy[0];
	return local_size(p, &op->weight, DIM_EXPERTS) * p->to->dummy[0];
}

/* A learned table of positions lies whole beside the rows of the vocabulary. */
static void price_positions(const struct pricing *p)
{
	const struct engine_input *in = p->cost->in;
	int64_t table = in->model.positions * in->model.hidden;

	p->to->parameters += table;
	p->to->weight_bytes += table * p->op->weight.bits / 8;
	if (in->parallel.sequence_parallel)
		p->to->tensor_reduced += table;
}

/* Parameters of the operator on this GPU. */
static void price_weights(const struct pricing *p)
{
	const struct cost *cost = p->cost;

	/* The table of further tokens is the embedding's own. */
	if (!p->op->has_weight || p->op->site == SITE_MTP_EMBEDDING)
		return;
	p->to->parameters = local_elements(p, &p->op->weight);
	p->to->weight_bytes = p->to->parameters * p->op->weight.bits / 8;
	if (parameter_coercions(&cost->graph->mesh, p->op, SHARD_NOTHING).tensor_reduce)
		p->to->tensor_reduced = p->to->parameters;
	if (p->op->site == SITE_EMBEDDING)
		price_positions(p);
	if (p->op->has_bias) {
		int64_t bias = bias_elements(p);

		p->to->parameters += bias;
		p->to->weight_bytes += bias * p->op->weight.bits / 8;
	}
}

/* The busiest rank has more than its share of routed tokens. */
static void price_imbalance(const struct pricing *p)
{
	const double factor = p->cost->in->model.moe.imbalance;
	struct engine_operator *to = p->to;

	if (p->op->site < SITE_DISPATCH || p->op->site > SITE_COMBINE || factor <= 1)
		return;
	for (int phase = 0; phase < PHASE_COUNT; phase++) {
		to->compute[phase] *= factor;
		to->flops[phase] *= factor;
		to->moved[phase] = (int64_t)((double)to->moved[phase] * factor);
		to->network[phase][TRAFFIC_EXPERT] *= factor;
	}
	to->keep = (int64_t)((double)to->keep * factor);
	to->input = (int64_t)((double)to->input * factor);
	to->input_rest = (int64_t)((double)to->input_rest * factor);
	to->offloaded = (int64_t)((double)to->offloaded * factor);
	to->forward_extra = (int64_t)((double)to->forward_extra * factor);
	to->backward_extra = (int64_t)((double)to->backward_extra * factor);
	to->deferred = (int64_t)((double)to->deferred * factor);
}

bool operator_defers(const struct engine_operator *op)
{
	switch (op->kind) {
	case OPERATOR_COLUMN:
	case OPERATOR_ROW:
	case OPERATOR_REPLICATED:
	case OPERATOR_ROUTER:
	case OPERATOR_GROUPED_COLUMN:
	case OPERATOR_GROUPED_ROW:
		return true;
	case OPERATOR_EMBEDDING:
	case OPERATOR_NORM:
	case OPERATOR_ROPE:
	case OPERATOR_SPLIT:
	case OPERATOR_CONCAT:
	case OPERATOR_CAST:
	case OPERATOR_ATTENTION:
	case OPERATOR_ACTIVATION:
	case OPERATOR_DISPATCH:
	case OPERATOR_COMBINE:
	case OPERATOR_GATE:
	case OPERATOR_ADD:
	case OPERATOR_LOSS:
	case OPERATOR_KIND_COUNT:
		break;
	}
	return false;
}

/*
 * A linear's weight gradient is a product of its input and the gradient of its output, and needs
 * nothing else: it can wait with both.
 */
static void price_deferred(const struct pricing *p)
{
	struct engine_operator *to = p->to;

	if (!operator_defers(to))
		return;
	to->deferred = to->keep + to->offloaded;
	for (int i = 0; i < p->op->outputs; i++)
		to->deferred += local_elements(p, &p->op->given[i]) * p->cost->element;
}

/* Experts that do not keep their quantised input keep the wide one in front of the cast. */
static void offload_wide_input(const struct pricing *p)
{
	const struct engine_input *in = p->cost->in;
	struct engine_operator *to = p->to;

	if (!in->parallel.offload_expert_input || in->precision.keep_grouped_input ||
	    p->cost->profile->offload_kept_only || p->op->kind != OPERATOR_CAST ||
	    p->op->site != SITE_EXPERT_FC1)
		return;
	to->offloaded = to->keep;
	to->backward_extra += to->keep;
	to->keep = 0;
}

static void price_by_kind(const struct pricing *p)
{
	switch (p->op->kind) {
	case OPERATOR_ATTENTION:
		price_attention(p);
		break;
	case OPERATOR_COLUMN:
	case OPERATOR_ROW:
	case OPERATOR_REPLICATED:
	case OPERATOR_ROUTER:
		price_linear(p);
		break;
	case OPERATOR_CAST:
		price_cast(p);
		break;
	case OPERATOR_DISPATCH:
		price_dispatch(p);
		break;
	case OPERATOR_GROUPED_COLUMN:
	case OPERATOR_GROUPED_ROW:
		price_grouped(p);
		break;
	case OPERATOR_COMBINE:
		price_combine(p);
		break;
	case OPERATOR_EMBEDDING:
	case OPERATOR_NORM:
	case OPERATOR_ROPE:
	case OPERATOR_SPLIT:
	case OPERATOR_CONCAT:
	case OPERATOR_ACTIVATION:
	case OPERATOR_GATE:
	case OPERATOR_ADD:
	case OPERATOR_LOSS:
	case OPERATOR_KIND_COUNT:
		price_pointwise(p);
		break;
	}
}

static void price_operator(const struct pricing *p)
{
	int launches = p->op->has_weight && p->op->kind != OPERATOR_EMBEDDING ? 2 : 1;

	p->to->kernels[0] = 1;
	p->to->kernels[1] = launches;
	price_by_kind(p);
	offload_wide_input(p);
	price_coercions(p);
	price_checkpoint(p);
	price_weights(p);
	price_deferred(p);
	price_imbalance(p);
}

/*
 * Rotation and sums cost nothing unless the profile charges them, and are then not even listed;
 * inside latent attention and behind shared experts SimuMax lists them.
 */
static bool is_charged(const struct cost *cost, const struct operator* op)
{
	const bool latent = cost->in->model.attention.kind == ATTENTION_MLA;

	if (op->kind == OPERATOR_ROPE && cost->in->model.positions_free)
		return false;
	if (op->kind == OPERATOR_ROPE)
		return latent || cost->profile->glue_traffic;
	if (op->kind == OPERATOR_ADD)
		return op->site == SITE_ADD_SHARED || cost->profile->glue_traffic;
	return true;
}

const struct engine_attention *cost_attention(const struct cost *cost, enum graph_part part)
{
	const struct engine_model *m = &cost->in->model;

	return part == GRAPH_LOCAL_DENSE || part == GRAPH_LOCAL_MIXTURE ? &m->local : &m->attention;
}

bool cost_operators(struct cost *cost, struct arena *kept)
{
	int n = 0;

	cost->op = ARENA_ARRAY(kept, struct engine_operator, cost->graph->count);
	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		cost->first[part] = n;
		for (int i = cost->graph->first[part]; i < cost->graph->first[part + 1]; i++) {
			struct operator* op = & cost->graph->op[i];
			struct pricing p = { cost, op, &cost->op[n],
					     cost_attention(cost, (enum graph_part)part) };

			if (!is_charged(cost, op))
				continue;
			cost->op[n].name = op->name;
			cost->op[n].kind = op->kind;
			cost->op[n].site = op->site;
			cost->op[n].part = (enum graph_part)part;
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
