/*
 * attention.c - FLOPs, bytes and memory of the attention kernel, on one GPU or over context ranks.
 */

#include "runtime/engine/operators/pricing.h"

double cost_mask_share(const struct engine_attention *a, double keys)
{
	double full = keys * keys;
	double pairs = full;

	if (a->causal)
		pairs = full / 2;
	if (a->window > 0 && (double)a->window < keys) {
		double w = (double)a->window;

		if (a->chunked)
			return (a->causal ? w / 2 : w) / keys;
		pairs = a->causal ? keys * w - w * w / 2 : 2 * keys * w - w * w;
	}
	return pairs / full;
}

/*
 * FLOPs the attention kernel is timed with. Efficiencies measured against the unmasked count
 * already contain the gain of a causal mask (they may exceed 1), so only what a window saves beyond
 * the mask is taken off; efficiencies measured against the causal count get the causal count.
 */
static double attention_work(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct engine_attention *a = p->attention;
	struct engine_attention unwindowed = *a;
	double keys = (double)tensor_size(&p->op->asked[1], DIM_SEQUENCE);
	double share = 1;

	unwindowed.window = 0;
	if (!cost->profile->attention_full_work)
		share = cost->hardware->attention_causal
				? cost_mask_share(a, keys)
				: cost_mask_share(a, keys) / cost_mask_share(&unwindowed, keys);
	return share * (1 - a->sparsity);
}

/* Local bytes of what attention reads and writes, before any exchange. */
struct attention_bytes {
	int64_t q, k, v; /* as stored */
	int64_t qkv;     /* their sum */
	int64_t read;    /* as moved: SimuMax gives keys and values all query heads */
	int64_t out;
	int64_t lse;    /* log-sum-exp, one per query and head */
	int64_t scores; /* one score matrix */
};

static struct attention_bytes attention_bytes(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct tensor_type *q = &p->op->in[0], *v = &p->op->in[2];
	int64_t e = cost->element;
	int64_t rows = local_tokens(p, q) * local_size(p, q, DIM_HEADS);
	int64_t v_head = tensor_size(v, DIM_HEAD);
	int64_t keys = local_size(p, &p->op->asked[1], DIM_SEQUENCE);
	int64_t gathered = keys / local_size(p, &p->op->asked[0], DIM_SEQUENCE);
	int64_t repeats = cost->profile->keys_not_repeated ? p->op->repeats : 1;
	struct attention_bytes b = { 0 };

	b.q = local_elements(p, q) * e;
	b.k = local_elements(p, &p->op->in[1]) * e / repeats;
	b.v = local_elements(p, v) * e / repeats;
	b.qkv = b.q + b.k + b.v;
	b.read = b.q + gathered * (b.k + b.v);
	if (cost->profile->attention_query_bytes)
		b.read = b.q + gathered * (b.q + rows * v_head * e);
	b.out = rows * v_head * e;
	b.lse = rows * (cost->profile->narrow_statistics ? e : 4);
	/* SimuMax forgets that an exchange of heads makes the sequence whole. */
	b.scores = rows * e *
		   (cost->profile->scores_before_exchange ? local_size(p, q, DIM_SEQUENCE) : keys);
	return b;
}

bool cost_keeps_own_output(const struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;

	return p->cp > 1 && p->cp_comm == CP_A2A &&
	       version_at_least(&cost->in->te, &cost->profile->saved_cp);
}

static int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/*
 * Temporaries while heads are exchanged: sent and received copies of queries, keys and values (all
 * at once when asynchronous, else one tensor after the other), then of the output. After SimuMax's
 * account of Transformer Engine's buffers.
 */
static void exchange_memory(const struct pricing *p, const struct attention_bytes *b, int64_t saved)
{
	const bool together = p->cost->in->overlap.context, own = cost_keeps_own_output(p->cost);
	int64_t three = together ? 4 * b->qkv : 2 * b->qkv + (b->k + b->v) + (b->q + b->k);
	int64_t before = own ? saved + 4 * b->out : (together ? 8 : 7) * b->out;
	int64_t base = own ? saved + 2 * b->out : 4 * b->out;

	p->to->forward_extra = max64(max64(three, 3 * b->qkv + b->out),
				     max64(2 * b->qkv + 4 * b->out, b->qkv + p->to->keep));
	p->to->backward_extra =
		max64(before, max64(2 * b->qkv + base + b->q + b->k, base + three)) - saved;
}

/* Temporaries while keys and values come from other ranks: all of them, or two blocks in a ring. */
static void gather_memory(const struct pricing *p, const struct attention_bytes *b)
{
	const struct engine_parallel *parallel = &p->cost->in->parallel;
	int64_t blocks = parallel->cp_comm == CP_ALL_GATHER ? parallel->cp : 2;

	p->to->forward_extra += blocks * (b->k + b->v);
	p->to->backward_extra += 2 * blocks * (b->k + b->v);
}

static void flash_memory(const struct pricing *p, const struct attention_bytes *b)
{
	/* The output linear keeps the output, unless in another format or place. */
	bool apart = p->cost->narrow || cost_keeps_own_output(p->cost);
	int64_t saved = apart ? b->out : 0;

	p->to->moved[PHASE_FORWARD] = b->read + b->out + b->lse;
	p->to->moved[PHASE_INPUT_GRADIENT] = 2 * b->read + b->out + b->lse;
	p->to->keep = b->qkv + b->lse + saved;
	p->to->forward_extra = b->qkv + b->lse + b->out;
	p->to->backward_extra = 2 * b->qkv + b->lse + b->out - saved;
	if (p->cost->in->parallel.cp == 1)
		return;
	if (p->cost->in->parallel.cp_comm == CP_A2A || p->cost->in->parallel.cp_comm == CP_A2A_P2P)
		exchange_memory(p, b, saved);
	if (p->cost->in->parallel.cp_comm != CP_A2A)
		gather_memory(p, b);
}

static void unfused_memory(const struct pricing *p, const struct attention_bytes *b)
{
	const struct profile *profile = p->cost->profile;
	enum engine_backend backend = p->cost->hardware->backend;
	int64_t copies = profile->scores_copies;

	if (backend == BACKEND_CUDA)
		copies = profile->scores_copies_cuda;
	else if (p->cost->in->kernels.attention == SDP_MATH && backend == BACKEND_MUSA)
		copies = profile->scores_copies_math;
	p->to->moved[PHASE_FORWARD] = b->read + 4 * b->scores + b->out;
	p->to->moved[PHASE_INPUT_GRADIENT] = 2 * (b->read + 3 * b->scores + b->out);
	/* Scale and mask as kernels of their own read and write the scores once more each. */
	if (!p->cost->in->kernels.fused_softmax && !profile->attention_query_bytes) {
		p->to->moved[PHASE_FORWARD] += 4 * b->scores;
		p->to->moved[PHASE_INPUT_GRADIENT] += 4 * b->scores;
	}
	p->to->keep = b->qkv + b->scores;
	p->to->forward_extra = 2 * b->scores;
	p->to->backward_extra = copies * b->scores;
}

void price_attention(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct operator* op = p->op;
	const struct tensor_type *q = &op->asked[0];
	struct attention_bytes bytes = attention_bytes(p);
	enum attention_kernel kernel = cost->in->kernels.attention;
	bool flash = kernel == SDP_FLASH || kernel == SDP_FUSED;
	double work = op->flops[PHASE_FORWARD] * attention_work(p);
	int64_t repeats = cost->profile->keys_not_repeated ? op->repeats : 1;
	struct engine_shape shape = {
		.table = TABLE_ATTENTION,
		.attention = { .kernel = KERNEL_SDP_FWD,
			       .batch = local_size(p, q, DIM_BATCH),
			       .sequence = local_size(p, q, DIM_SEQUENCE),
			       .heads = local_size(p, q, DIM_HEADS),
			       .kv_heads = local_size(p, &op->asked[1], DIM_KV_HEADS) / repeats,
			       .qk_head = tensor_size(q, DIM_HEAD),
			       .v_head = tensor_size(&op->asked[2], DIM_HEAD),
			       .contiguous = cost->hardware->contiguous },
	};

	if (flash)
		flash_memory(p, &bytes);
	else
		unfused_memory(p, &bytes);
	p->to->keep_shared = p->to->keep - bytes.qkv;
	p->to->flops[PHASE_FORWARD] = work;
	/* Backward has four products; flash attention computes the scores a second time. */
	p->to->flops[PHASE_INPUT_GRADIENT] = 2 * work;
	if (flash) {
		double width = (double)(shape.attention.qk_head + shape.attention.v_head);
		double scores = cost->profile->flash_backward_half
					? 0.5
					: (double)shape.attention.qk_head / width;

		p->to->flops[PHASE_INPUT_GRADIENT] += work * scores;
	}
	price_phase(p, PHASE_FORWARD, KERNEL_SDP_FWD, &shape);
	shape.attention.kernel = KERNEL_SDP_BWD;
	price_phase(p, PHASE_INPUT_GRADIENT, KERNEL_SDP_BWD, &shape);
}
