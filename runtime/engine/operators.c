/* operators.c - FLOPs, bytes, times and memory of each operator of the typed graph. */

#include "runtime/engine/cost.h"

/* One operator being priced. */
struct pricing {
	struct cost *cost;
	const struct operator *op;
	struct engine_operator *to;
};

static int64_t local_elements(const struct pricing *p, const struct tensor_type *type)
{
	return tensor_local_elements(&p->cost->graph->mesh, type);
}

static int64_t local_size(const struct pricing *p, const struct tensor_type *type, enum dim dim)
{
	return tensor_local(&p->cost->graph->mesh, type, dim);
}

/* Batch times sequence on one GPU. */
static int64_t local_tokens(const struct pricing *p, const struct tensor_type *type)
{
	return local_size(p, type, DIM_BATCH) * local_size(p, type, DIM_SEQUENCE);
}

static int64_t bytes_of(int64_t elements, int64_t bits)
{
	return elements * bits / 8;
}

static void time_phase(const struct pricing *p, enum phase phase, enum kernel kernel,
		       const struct engine_shape *shape)
{
	p->to->compute[phase] = kernel_time(p->cost, kernel, p->to->flops[phase],
					    (double)p->to->moved[phase], shape);
}

static void time_memory_phases(const struct pricing *p, enum kernel kernel)
{
	for (int phase = 0; phase < PHASE_COUNT; phase++)
		time_phase(p, (enum phase)phase, kernel, NULL);
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

	time_phase(p, PHASE_FORWARD, KERNEL_MATMUL, &shape);
	shape.matmul.k = n;
	shape.matmul.n = k;
	shape.matmul.layout = LAYOUT_NN;
	time_phase(p, PHASE_INPUT_GRADIENT, KERNEL_MATMUL, &shape);
	shape.matmul = (struct matmul_point){ .kernel = KERNEL_MATMUL,
					      .batch = 1,
					      .m = n,
					      .k = batch * m,
					      .n = k,
					      .layout = LAYOUT_NT,
					      .accumulate = true,
					      .out = narrow ? DTYPE_BF16 : DTYPE_FP32 };
	time_phase(p, PHASE_WEIGHT_GRADIENT, KERNEL_MATMUL, &shape);
}

/*
 * Bytes the weight gradient moves besides its operands: with fused accumulation the running sum, else
 * (corrected only) a gradient written out and added by a second kernel.
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
	const struct operator *op = p->op;
	const bool column = op->kind == OPERATOR_COLUMN;
	int64_t weight = local_elements(p, &op->weight);
	int64_t in = local_elements(p, &op->asked[0]) * cost->element;
	int64_t tokens = local_tokens(p, &op->asked[0]);
	int64_t k = in / cost->element / tokens, n = weight / k;
	int64_t out = tokens * n * cost->element;
	int64_t w = bytes_of(weight, op->weight.bits);
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

/* Share of the full score matrix that a masked or windowed attention needs. */
static double mask_share(const struct engine_attention *a, double keys)
{
	double full = keys * keys;
	double pairs = full;

	if (a->causal)
		pairs = full / 2;
	if (a->window > 0 && (double)a->window < keys) {
		double w = (double)a->window;

		pairs = a->causal ? keys * w - w * w / 2 : 2 * keys * w - w * w;
	}
	return pairs / full;
}

/*
 * FLOPs the attention kernel is timed with. Efficiencies measured against the unmasked count already
 * contain the gain of a causal mask (they may exceed 1), so only what a window saves beyond the mask
 * is taken off; efficiencies measured against the causal count get the causal count.
 */
static double attention_work(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct engine_attention *a = &cost->in->model.attention;
	struct engine_attention unwindowed = *a;
	double keys = (double)tensor_size(&p->op->asked[1], DIM_SEQUENCE);
	double share = 1;

	unwindowed.window = 0;
	if (!cost->profile->attention_full_work)
		share = cost->hardware->attention_causal
				? mask_share(a, keys)
				: mask_share(a, keys) / mask_share(&unwindowed, keys);
	return share * (1 - a->sparsity);
}

/* Local bytes of what attention reads and writes. */
struct attention_bytes {
	int64_t qkv;   /* as stored */
	int64_t read;  /* as moved: SimuMax gives keys and values all query heads */
	int64_t out;
	int64_t lse;   /* log-sum-exp, one per query and head */
	int64_t scores; /* one score matrix */
};

static struct attention_bytes attention_bytes(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct tensor_type *q = &p->op->in[0], *k = &p->op->in[1], *v = &p->op->in[2];
	int64_t e = cost->element;
	int64_t nq = local_elements(p, q), nk = local_elements(p, k), nv = local_elements(p, v);
	int64_t rows = local_tokens(p, q) * local_size(p, q, DIM_HEADS);
	int64_t v_head = tensor_size(v, DIM_HEAD);
	struct attention_bytes b = { 0 };

	b.qkv = (nq + nk + nv) * e;
	b.read = cost->profile->attention_query_bytes ? (2 * nq + rows * v_head) * e : b.qkv;
	b.out = rows * v_head * e;
	b.lse = rows * (cost->profile->narrow_statistics ? e : 4);
	b.scores = rows * local_size(p, q, DIM_SEQUENCE) * e;
	return b;
}

static void attention_memory(const struct pricing *p, const struct attention_bytes *b)
{
	const struct profile *profile = p->cost->profile;
	enum engine_backend backend = p->cost->hardware->backend;
	enum attention_kernel kernel = p->cost->in->kernels.attention;
	bool flash = kernel == SDP_FLASH || kernel == SDP_FUSED;

	p->to->keep_shared = b->qkv; /* turned into what remains, below */
	if (flash) {
		p->to->moved[PHASE_FORWARD] = b->read + b->out + b->lse;
		p->to->moved[PHASE_INPUT_GRADIENT] = 2 * b->read + b->out + b->lse;
		p->to->keep = b->qkv + b->lse;
		p->to->forward_extra = b->qkv + b->lse + b->out;
		p->to->backward_extra = 2 * b->qkv + b->lse + b->out;
	} else {
		int64_t copies = profile->scores_copies;

		if (backend == BACKEND_CUDA)
			copies = profile->scores_copies_cuda;
		else if (kernel == SDP_MATH && backend == BACKEND_MUSA)
			copies = profile->scores_copies_math;
		p->to->moved[PHASE_FORWARD] = b->read + 4 * b->scores + b->out;
		p->to->moved[PHASE_INPUT_GRADIENT] = 2 * (b->read + 3 * b->scores + b->out);
		p->to->keep = b->qkv + b->scores;
		p->to->forward_extra = 2 * b->scores;
		p->to->backward_extra = copies * b->scores;
	}
	p->to->keep_shared = p->to->keep - b->qkv;
}

static void price_attention(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct operator *op = p->op;
	const struct tensor_type *q = &op->asked[0];
	struct attention_bytes bytes = attention_bytes(p);
	enum attention_kernel kernel = cost->in->kernels.attention;
	double work = op->flops[PHASE_FORWARD] * attention_work(p);
	struct engine_shape shape = {
		.table = TABLE_ATTENTION,
		.attention = { .kernel = KERNEL_SDP_FWD,
			       .batch = local_size(p, q, DIM_BATCH),
			       .sequence = local_size(p, q, DIM_SEQUENCE),
			       .heads = local_size(p, q, DIM_HEADS),
			       .kv_heads = local_size(p, &op->asked[1], DIM_KV_HEADS),
			       .qk_head = tensor_size(q, DIM_HEAD),
			       .v_head = tensor_size(&op->asked[2], DIM_HEAD),
			       .contiguous = cost->hardware->contiguous },
	};

	attention_memory(p, &bytes);
	p->to->flops[PHASE_FORWARD] = work;
	/* Backward has four products; flash attention computes the scores a second time. */
	p->to->flops[PHASE_INPUT_GRADIENT] = 2 * work;
	if (kernel == SDP_FLASH || kernel == SDP_FUSED) {
		double width = (double)(shape.attention.qk_head + shape.attention.v_head);

		p->to->flops[PHASE_INPUT_GRADIENT] += work * (double)shape.attention.qk_head / width;
	}
	time_phase(p, PHASE_FORWARD, KERNEL_SDP_FWD, &shape);
	shape.attention.kernel = KERNEL_SDP_BWD;
	time_phase(p, PHASE_INPUT_GRADIENT, KERNEL_SDP_BWD, &shape);
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
	int64_t stored = cost->profile->stored_element > 0 ? cost->profile->stored_element
							   : cost->element;

	for (int i = 0; i < p->op->inputs; i++)
		p->to->input += local_elements(p, &p->op->in[i]) * stored;
	if (!p->op->has_weight)
		return;
	p->to->parameters = local_elements(p, &p->op->weight);
	p->to->weight_bytes = bytes_of(p->to->parameters, p->op->weight.bits);
	if (parameter_coercions(&cost->graph->mesh, p->op, SHARD_NOTHING).tensor_reduce)
		p->to->tensor_reduced = p->to->parameters;
	if (p->op->has_bias) {
		int64_t bias = p->op->kind == OPERATOR_COLUMN
				       ? p->to->dummy[0]
				       : tensor_size(&p->op->weight, DIM_HIDDEN);

		p->to->parameters += bias;
		p->to->weight_bytes += bytes_of(bias, p->op->weight.bits);
	}
}

static void price_operator(const struct pricing *p)
{
	int launches = p->op->has_weight && p->op->kind != OPERATOR_EMBEDDING ? 2 : 1;

	p->to->kernels[0] = 1;
	p->to->kernels[1] = launches;
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
	case OPERATOR_ATTENTION:
		price_attention(p);
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
	}
	price_coercions(p);
	price_storage(p);
}

/* Glue operators cost nothing unless the profile charges them; then they are not even listed. */
static bool is_charged(const struct cost *cost, const struct operator *op)
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
			struct operator *op = &cost->graph->op[i];
			struct pricing p = { cost, op, &cost->op[n] };

			if (!is_charged(cost, op))
				continue;
			cost->op[n] = (struct engine_operator){
				.name = op->name, .kind = op->kind, .part = (enum graph_part)part
			};
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
