/* linear.c - FLOPs, bytes and memory of linears on the dense mesh. */

#include "runtime/engine/operators/pricing.h"

int64_t accumulation_bytes(const struct cost *cost, int64_t weight)
{
	bool fused = cost->in->kernels.fused_accumulation;

	if (cost->profile->wgrad_element > 0)
		return fused ? cost->profile->wgrad_element * weight : 0;
	if (fused)
		return 2 * cost->gradient_element * weight;
	return (2 * cost->element + 2 * cost->gradient_element) * weight;
}

/* The sizes of a linear on this GPU: [batch, m, k] times [k, n]. */
struct product {
	enum kernel kernel;
	int64_t batch, m, k, n;
};

/* The three products of a linear layer as cost tables name them. */
static void time_linear(const struct pricing *p, const struct product *x)
{
	bool narrow = p->cost->in->optimizer.reduce == DTYPE_BF16;
	struct engine_shape shape = {
		.table = TABLE_MATMUL,
		.matmul = { .kernel = x->kernel,
			    .batch = x->batch,
			    .m = x->m,
			    .k = x->k,
			    .n = x->n,
			    .layout = LAYOUT_TN,
			    .out = DTYPE_BF16 },
	};

	price_phase(p, PHASE_FORWARD, x->kernel, &shape);
	shape.matmul.k = x->n;
	shape.matmul.n = x->k;
	shape.matmul.layout = LAYOUT_NN;
	price_phase(p, PHASE_INPUT_GRADIENT, x->kernel, &shape);
	shape.matmul = (struct matmul_point){ .kernel = x->kernel,
					      .batch = 1,
					      .m = x->n,
					      .k = x->batch * x->m,
					      .n = x->k,
					      .layout = LAYOUT_NT,
					      .accumulate = true,
					      .out = narrow ? DTYPE_BF16 : DTYPE_FP32 };
	price_phase(p, PHASE_WEIGHT_GRADIENT, x->kernel, &shape);
}

static bool is_quantised(const struct pricing *p)
{
	return p->cost->narrow && p->op->kind != OPERATOR_ROUTER && p->op->site != SITE_HEAD;
}

/* SimuMax takes every linear of latent attention for a column linear, the last one too (O16). */
static bool moves_weight(const struct pricing *p)
{
	bool column = p->op->kind == OPERATOR_COLUMN || p->op->kind == OPERATOR_REPLICATED ||
		      (p->op->site == SITE_OUT && p->attention->kind == ATTENTION_MLA);

	return column && p->cost->profile->column_wgrad_weight;
}

/* Bytes of the input kept for backward; nothing when an earlier operator keeps them already. */
static int64_t kept_input(const struct pricing *p)
{
	const struct operator* op = p->op;
	const struct profile *profile = p->cost->profile;
	bool mixture = op->site == SITE_ROUTER || op->site == SITE_SHARED_FC1;
	bool gathered =
		op->saves != SAVED_BEFORE ||
		(p->cost->narrow && op->kind == OPERATOR_COLUMN && profile->narrow_cache_gathered);
	const struct tensor_type *saved = gathered ? &op->asked[0] : &op->in[0];

	if (op->kept_before && !(mixture && profile->mixture_inputs_kept))
		return 0;
	return local_elements(p, saved) * saved->bits / 8;
}

static void router_traffic(const struct pricing *p, int64_t bytes, int64_t out, int64_t weight)
{
	const struct engine_parallel *parallel = &p->cost->in->parallel;
	bool whole = p->cost->profile->router_full_tokens;
	int64_t scores = out * (whole && parallel->sequence_parallel ? parallel->tp : 1);

	/* Scores become weights and choices: a softmax and its backward. */
	p->to->moved[PHASE_FORWARD] = bytes + 2 * scores;
	p->to->moved[PHASE_INPUT_GRADIENT] = bytes + 3 * scores;
	p->to->moved[PHASE_WEIGHT_GRADIENT] =
		whole ? bytes : bytes - weight + accumulation_bytes(p->cost, weight / 2);
}

/* What casting the gradient that comes in costs a quantised linear. */
static void cast_gradient(const struct pricing *p, int64_t out)
{
	double bytes = (double)(out + out / p->cost->element);

	if (is_quantised(p) && !p->cost->profile->gradient_cast_free)
		p->to->compute[PHASE_INPUT_GRADIENT] +=
			traffic_time(p->cost->hardware, KERNEL_DEFAULT, bytes);
}

void price_linear(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const struct operator* op = p->op;
	const bool router = op->kind == OPERATOR_ROUTER;
	int64_t weight = local_elements(p, &op->weight);
	int64_t elements = local_elements(p, &op->asked[0]);
	int64_t in = elements * op->asked[0].bits / 8;
	int64_t tokens = local_tokens(p, &op->asked[0]);
	int64_t k = elements / tokens, n = weight / k;
	int64_t out = tokens * n * cost->element;
	int64_t w = weight * op->weight.bits / 8;
	int64_t copy = cost->in->kernels.in_place_weight && !router ? 0 : w;
	bool head = op->site == SITE_HEAD && cost->narrow && cost->profile->narrow_head;
	struct product product = { .kernel = is_quantised(p) || head ? KERNEL_FP8_MATMUL
								     : KERNEL_MATMUL,
				   .batch = local_size(p, &op->asked[0], DIM_BATCH),
				   .m = local_size(p, &op->asked[0], DIM_SEQUENCE),
				   .k = k,
				   .n = n };

	for (int phase = 0; phase < PHASE_COUNT; phase++)
		p->to->flops[phase] = op->flops[phase];
	p->to->moved[PHASE_FORWARD] = w + in + out;
	p->to->moved[PHASE_INPUT_GRADIENT] = w + in + out;
	p->to->moved[PHASE_WEIGHT_GRADIENT] = in + out + accumulation_bytes(cost, weight);
	if (moves_weight(p))
		p->to->moved[PHASE_WEIGHT_GRADIENT] += w;
	p->to->keep = kept_input(p);
	p->to->forward_extra = in + out + copy;
	p->to->backward_extra = in + out + copy;
	if (router) {
		router_traffic(p, w + in + out, out, w);
		if (cost->profile->router_full_tokens && cost->in->parallel.sequence_parallel)
			product.m *= cost->in->parallel.tp;
	} else {
		p->to->dummy[0] = n;
		p->to->dummy[1] = k;
	}
	time_linear(p, &product);
	cast_gradient(p, out);
}

void price_cast(const struct pricing *p)
{
	int64_t elements = local_elements(p, &p->op->in[0]);
	int64_t bytes = elements * (p->op->in[0].bits + p->op->out[0].bits) / 8;

	p->to->moved[PHASE_FORWARD] = bytes;
	p->to->forward_extra = bytes;
	price_phase(p, PHASE_FORWARD, KERNEL_DEFAULT, NULL);
}
