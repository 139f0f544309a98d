/* dense.c - FLOPs, bytes and memory of the operators around attention. */

#include "runtime/engine/operators/pricing.h"

static void time_memory_phases(const struct pricing *p, enum kernel kernel)
{
	for (int phase = 0; phase < PHASE_COUNT; phase++)
		price_phase(p, (enum phase)phase, kernel, NULL);
}

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
	time_memory_phases(p, KERNEL_DEFAULT);
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
	time_memory_phases(p, KERNEL_DEFAULT);
}

/* The three products of a linear layer as cost tables name them. */
static void time_linear(const struct pricing *p, int64_t batch, int64_t m, int64_t k, int64_t n)
{
	bool narrow = p->cost->in->optimizer.reduce == DTYPE_BF16;
	struct engine_shape shape = {
		.table = TABLE_MATMUL,
		.matmul = { .kernel = KERNEL_MATMUL,
			    .batch = batch,
			    .m = m,
			    .k = k,
			    .n = n,
			    .layout = LAYOUT_TN,
			    .out = DTYPE_BF16 },
	};

	price_phase(p, PHASE_FORWARD, KERNEL_MATMUL, &shape);
	shape.matmul.k = n;
	shape.matmul.n = k;
	shape.matmul.layout = LAYOUT_NN;
	price_phase(p, PHASE_INPUT_GRADIENT, KERNEL_MATMUL, &shape);
	shape.matmul = (struct matmul_point){ .kernel = KERNEL_MATMUL,
					      .batch = 1,
					      .m = n,
					      .k = batch * m,
					      .n = k,
					      .layout = LAYOUT_NT,
					      .accumulate = true,
					      .out = narrow ? DTYPE_BF16 : DTYPE_FP32 };
	price_phase(p, PHASE_WEIGHT_GRADIENT, KERNEL_MATMUL, &shape);
}

/*
 * Bytes the weight gradient moves besides its operands: with fused accumulation the running sum,
 * else (corrected only) a gradient written out and added by a second kernel.
 */
static int64_t accumulation_bytes(const struct cost *cost, int64_t weight)
{
	bool fused = cost->in->kernels.fused_accumulation;

	if (cost->profile->wgrad_element > 0)
		return fused ? cost->profile->wgrad_element * weight : 0;
	if (fused)
		return 2 * cost->gradient_element * weight;
	return (2 * cost->element + 2 * cost->gradient_element) * weight;
}

/* Column and row linears: x [tokens, K] times W [K, N] on this GPU. */
static void price_linear(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct operator* op = p->op;
	const bool column = op->kind == OPERATOR_COLUMN;
	int64_t weight = local_elements(p, &op->weight);
	int64_t in = local_elements(p, &op->asked[0]) * cost->element;
	int64_t tokens = local_tokens(p, &op->asked[0]);
	int64_t k = in / cost->element / tokens, n = weight / k;
	int64_t out = tokens * n * cost->element;
	int64_t w = weight * op->weight.bits / 8;
	int64_t copy = cost->in->kernels.in_place_weight ? 0 : w;
	const struct tensor_type *saved = op->saves == SAVED_BEFORE ? &op->in[0] : &op->asked[0];

	for (int phase = 0; phase < PHASE_COUNT; phase++)
		p->to->flops[phase] = op->flops[phase];
	p->to->moved[PHASE_FORWARD] = w + in + out;
	p->to->moved[PHASE_INPUT_GRADIENT] = w + in + out;
	p->to->moved[PHASE_WEIGHT_GRADIENT] = in + out + accumulation_bytes(cost, weight);
	if (column && cost->profile->column_wgrad_weight)
		p->to->moved[PHASE_WEIGHT_GRADIENT] += w;
	p->to->keep = local_elements(p, saved) * cost->element;
	p->to->forward_extra = in + out + copy;
	p->to->backward_extra = in + out + copy;
	p->to->dummy[0] = n;
	p->to->dummy[1] = k;
	time_linear(p, local_size(p, &op->asked[0], DIM_BATCH),
		    local_size(p, &op->asked[0], DIM_SEQUENCE), k, n);
}

/* Gated activations halve their input, plain ones keep its size. */
static void price_activation(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	int64_t out = local_elements(p, &p->op->out[0]) * cost->element;
	int64_t in = out * p->op->inputs;
	bool fused = cost->in->kernels.fused_activation;
	bool gated = p->op->inputs == 2;

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
	p->to->forward_extra = in + out;
	p->to->backward_extra = in + out;
	time_memory_phases(p, KERNEL_DEFAULT);
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
	time_memory_phases(p, fused ? KERNEL_CE_FUSION : KERNEL_CE);
}

/* Residual sums and rotary positions: pointwise passes over their inputs and outputs. */
static void price_glue(const struct pricing *p)
{
	int64_t bytes = 0;

	for (int i = 0; i < p->op->inputs; i++)
		bytes += local_elements(p, &p->op->in[i]) * p->cost->element;
	for (int i = 0; i < p->op->outputs; i++)
		bytes += local_elements(p, &p->op->out[i]) * p->cost->element;
	p->to->moved[PHASE_FORWARD] = bytes;
	p->to->moved[PHASE_INPUT_GRADIENT] = bytes;
	time_memory_phases(p, KERNEL_DEFAULT);
}

void price_dense(const struct pricing *p)
{
	switch (p->op->kind) {
	case OPERATOR_EMBEDDING:
		price_embedding(p);
		break;
	case OPERATOR_NORM:
		price_norm(p);
		break;
	case OPERATOR_COLUMN:
	case OPERATOR_ROW:
		price_linear(p);
		break;
	case OPERATOR_ACTIVATION:
		price_activation(p);
		break;
	case OPERATOR_LOSS:
		price_loss(p);
		break;
	case OPERATOR_ROPE:
	case OPERATOR_ADD:
		price_glue(p);
		break;
	case OPERATOR_ATTENTION:
		break;
	}
}
