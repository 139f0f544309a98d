/* pointwise.c - bytes and memory of the operators without products. */

#include "runtime/engine/operators/pricing.h"

/*
 * Table look-up. Reading the whole table and rewriting a whole fp32 gradient is SimuMax's picture;
 * really only the rows of this micro-batch move.
 */
static void price_embedding(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	int64_t tokens = local_tokens(p, &p->op->in[0]);
	int64_t weight = local_elements(p, &p->op->weight);
	int64_t rows = local_elements(p, &p->op->given[0]) * cost->element;
	int64_t table = weight * cost->element;

	if (cost->profile->embedding_whole_table) {
		p->to->moved[PHASE_FORWARD] = 4 * tokens + table + rows;
		p->to->moved[PHASE_WEIGHT_GRADIENT] = 8 * weight;
	} else {
		p->to->moved[PHASE_FORWARD] = 4 * tokens + 2 * rows;
		p->to->moved[PHASE_WEIGHT_GRADIENT] =
			rows + 2 * rows / cost->element * cost->gradient_element;
	}
	p->to->forward_extra = 4 * tokens + rows + (cost->in->kernels.in_place_weight ? 0 : table);
	p->to->backward_extra = table;
	price_traffic(p, KERNEL_DEFAULT);
}

/* Norm over the innermost dimension; one statistic per row is kept by the fused kernel. */
static void price_norm(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct tensor_type *x = &p->op->in[0];
	int64_t elements = local_elements(p, x);
	int64_t rows = elements / x->dim[x->dims - 1].size;
	int64_t in = elements * cost->element;
	int64_t weight = local_elements(p, &p->op->weight) * cost->element;
	int64_t stat = rows * (cost->profile->narrow_statistics ? cost->element : 4);
	int64_t wide = 4 * elements, wide_stat = 4 * rows; /* fp32 copies of the unfused path */

	if (cost->in->kernels.fused_norm) {
		p->to->moved[PHASE_FORWARD] = 2 * in + weight;
		p->to->moved[PHASE_INPUT_GRADIENT] = 2 * in + weight + stat;
		p->to->moved[PHASE_WEIGHT_GRADIENT] = in + 2 * weight;
		p->to->keep = in;
		p->to->forward_extra = 2 * in;
		p->to->backward_extra = 2 * in + stat;
	} else {
		p->to->moved[PHASE_FORWARD] = 3 * in + 6 * wide + 4 * stat + weight;
		p->to->moved[PHASE_INPUT_GRADIENT] = 3 * in + 13 * wide + 5 * stat + weight;
		p->to->moved[PHASE_WEIGHT_GRADIENT] = 2 * in + weight;
		p->to->keep = 2 * wide + 2 * wide_stat + in;
		p->to->forward_extra = 3 * wide + 2 * wide_stat;
		p->to->backward_extra = 3 * wide + 2 * wide_stat;
	}
	price_traffic(p, KERNEL_DEFAULT);
}

/* Numbers that weigh the results of experts, and bytes of each: those that travel, or all. */
static int64_t weighting(const struct pricing *p, int64_t *bytes)
{
	const struct operator* op = p->op;
	const int64_t gated = p->cost->in->model.activation <= ACT_GEGLU ? 2 : 1;

	*bytes = 0;
	if (op->inputs == gated)
		return 0;
	if (p->cost->profile->all_probabilities) {
		*bytes = p->cost->element;
		return routing_choices(p->cost);
	}
	*bytes = op->in[op->inputs - 1].bits / 8;
	return local_elements(p, &op->in[op->inputs - 1]);
}

/* Gated activations halve their input, plain ones keep its size. */
static void price_activation(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const bool gated = cost->in->model.activation <= ACT_GEGLU;
	const bool fused = cost->in->kernels.fused_activation;
	int64_t out = local_elements(p, &p->op->out[0]) * cost->element;
	int64_t in = gated ? 2 * out : out;
	int64_t width, weights = weighting(p, &width);

	if (gated) {
		p->to->keep = fused ? 2 * out : 3 * out;
		p->to->moved[PHASE_FORWARD] = fused ? in + out : 5 * out;
		p->to->moved[PHASE_INPUT_GRADIENT] = fused ? in + out : 8 * out;
	} else {
		p->to->keep = cost->profile->gelu_cache * in;
		p->to->moved[PHASE_FORWARD] = 2 * in;
		p->to->moved[PHASE_INPUT_GRADIENT] = 2 * in;
	}
	/* The gradient that comes in has to be read, and one for every input be written. */
	if (!cost->profile->activation_backward_short && (fused || !gated))
		p->to->moved[PHASE_INPUT_GRADIENT] = 2 * in + out;
	p->to->moved[PHASE_FORWARD] += weights * width;
	p->to->moved[PHASE_INPUT_GRADIENT] += weights * width;
	if (!cost->profile->all_probabilities)
		p->to->keep += weights * width;
	p->to->forward_extra = in + out + 8 * weights;
	p->to->backward_extra = in + out + 8 * weights;
	price_traffic(p, KERNEL_DEFAULT);
}

/* Result times the sigmoid of a gate: both are needed for the gradients of both. */
static void price_gate(const struct pricing *p)
{
	int64_t one = local_elements(p, &p->op->in[0]) * p->cost->element;

	p->to->moved[PHASE_FORWARD] = 3 * one;
	p->to->moved[PHASE_INPUT_GRADIENT] = 5 * one;
	p->to->keep = 2 * one;
	p->to->forward_extra = 3 * one;
	p->to->backward_extra = 3 * one;
	price_traffic(p, KERNEL_DEFAULT);
}

/* Cross entropy over logits split along the vocabulary, m logits for j tokens on this GPU. */
static void price_loss(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct tensor_type *x = &p->op->in[0];
	int64_t m = local_elements(p, x), j = local_tokens(p, x);
	int64_t batch = local_size(p, x, DIM_BATCH), e = cost->element;
	int64_t t = cost->in->parallel.tp;
	int64_t narrow = cost->profile->loss_element > 0 ? cost->profile->loss_element : e;
	bool fused = cost->in->kernels.cross_entropy != CE_UNFUSED;

	if (fused) {
		p->to->moved[PHASE_FORWARD] = 2 * m * e + 4 * j;
		p->to->moved[PHASE_INPUT_GRADIENT] = 2 * m * e + 4 * j;
		p->to->keep = m * e;
		p->to->forward_extra = m * e + 16 * j + (t > 1 ? 12 * j * t : 0);
	} else {
		/* Cast to fp32, then maximum, subtraction, exponential, gather and sum, in fp32. */
		p->to->moved[PHASE_FORWARD] =
			(4 + narrow) * m +
			4 * ((m + j) + (2 * m + j) + 2 * m + (m + batch) + (2 * m + batch));
		p->to->moved[PHASE_INPUT_GRADIENT] = 4 * (2 * m + batch) + (4 + narrow) * m;
		p->to->keep = 4 * m;
		p->to->forward_extra = 4 * m + m * e;
	}
	price_traffic(p, fused ? KERNEL_CE_FUSION : KERNEL_CE);
}

/* Bytes of all inputs and outputs of a pointwise pass. */
static int64_t port_bytes(const struct pricing *p)
{
	int64_t elements = 0;

	for (int i = 0; i < p->op->inputs; i++)
		elements += local_elements(p, &p->op->in[i]);
	for (int i = 0; i < p->op->outputs; i++)
		elements += local_elements(p, &p->op->out[i]);
	return elements * p->cost->element;
}

/* A mask of a byte an element: written and kept in forward, read in backward [SP]. */
static void price_dropout(const struct pricing *p, const struct tensor_type *hidden)
{
	int64_t mask = local_elements(p, hidden);

	if (p->cost->in->model.dropout <= 0)
		return;
	p->to->keep += mask;
	p->to->moved[PHASE_FORWARD] += mask;
	p->to->moved[PHASE_INPUT_GRADIENT] += mask;
}

/*
 * Residual sums, rotary positions and the keys of latent attention put together are pointwise
 * passes. Of latent queries only the positional part is rotated; other splits and joins are views.
 */
static void price_glue(const struct pricing *p)
{
	const struct operator* op = p->op;
	const bool view = op->kind == OPERATOR_SPLIT || op->site == SITE_PACK;
	int64_t bytes;

	p->to->kernels[0] = p->to->kernels[1] = view ? 0 : 1;
	if (view || !p->cost->profile->glue_traffic)
		return;
	bytes = port_bytes(p);
	if (op->kind == OPERATOR_ROPE && p->attention->kind == ATTENTION_MLA) {
		const struct tensor_type *q = &op->in[1];
		int64_t plain = tensor_size(q, DIM_HEAD) - p->attention->qk_rope;

		bytes -= 2 * local_elements(p, q) / tensor_size(q, DIM_HEAD) * plain *
			 p->cost->element;
	}
	/* Not in one kernel: products with cosine and sine, the swapped halves, their sum. */
	if (op->kind == OPERATOR_ROPE && !p->cost->in->kernels.fused_rope)
		bytes = bytes / 2 * 9;
	p->to->moved[PHASE_FORWARD] = bytes;
	p->to->moved[PHASE_INPUT_GRADIENT] = bytes;
	if (op->kind == OPERATOR_ADD && op->site != SITE_ADD_SHARED)
		price_dropout(p, &op->out[0]);
	price_traffic(p, KERNEL_DEFAULT);
}

void price_pointwise(const struct pricing *p)
{
	switch (p->op->kind) {
	case OPERATOR_EMBEDDING:
		price_embedding(p);
		break;
	case OPERATOR_NORM:
		price_norm(p);
		break;
	case OPERATOR_ACTIVATION:
		price_activation(p);
		break;
	case OPERATOR_GATE:
		price_gate(p);
		break;
	case OPERATOR_LOSS:
		price_loss(p);
		break;
	case OPERATOR_ROPE:
	case OPERATOR_SPLIT:
	case OPERATOR_CONCAT:
	case OPERATOR_ADD:
		price_glue(p);
		break;
	case OPERATOR_COLUMN:
	case OPERATOR_ROW:
	case OPERATOR_REPLICATED:
	case OPERATOR_ROUTER:
	case OPERATOR_CAST:
	case OPERATOR_ATTENTION:
	case OPERATOR_DISPATCH:
	case OPERATOR_GROUPED_COLUMN:
	case OPERATOR_GROUPED_ROW:
	case OPERATOR_COMBINE:
	case OPERATOR_KIND_COUNT:
		break;
	}
}
