/* expert.c - FLOPs, bytes and memory of routed experts and of the way there and back. */

#include "runtime/engine/operators/pricing.h"

static int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Two passes over memory as kernels of their own. */
static void price_passes(const struct pricing *p, int64_t first, int64_t second)
{
	static const enum kernel kernels[2] = { KERNEL_PERMUTE_FWD, KERNEL_PERMUTE_BWD };

	for (int phase = PHASE_FORWARD; phase <= PHASE_INPUT_GRADIENT; phase++) {
		p->to->moved[phase] = first + second;
		p->to->compute[phase] =
			kernel_time(p->cost, kernels[phase], 0, (double)first, NULL) +
			kernel_time(p->cost, kernels[phase], 0, (double)second, NULL);
	}
}

/* Copies of the tokens in the order of their destination; once there, in the order of experts. */
void price_dispatch(const struct pricing *p)
{
	int64_t e = p->cost->element;
	int64_t tokens = local_elements(p, &p->op->in[0]) * e;
	int64_t copies = local_elements(p, &p->op->given[0]) * e;

	price_passes(p, tokens + copies, 2 * copies);
	p->to->keep = p->cost->profile->routing_element * routing_choices(p->cost);
}

/* Back into the order of their origin, then summed per token. */
void price_combine(const struct pricing *p)
{
	const struct profile *profile = p->cost->profile;
	const struct tensor_type *at =
		profile->combine_unreduced ? &p->op->in[0] : &p->op->asked[0];
	int64_t e = p->cost->element;
	int64_t copies = local_elements(p, at) * e;
	int64_t tokens = local_elements(p, &p->op->out[0]) * e;

	/* Weighing the copies is a pass of its own unless it is fused or they were weighed before. */
	if (p->cost->in->kernels.fused_permute || p->op->saves == SAVED_NOTHING ||
	    profile->combine_unreduced)
		price_passes(p, 2 * copies, copies + tokens);
	else
		price_passes(p, 4 * copies, copies + tokens);
	if (p->op->saves == SAVED_NOTHING) {
		p->to->forward_extra = max64(copies, tokens);
		return;
	}
	p->to->keep = copies;
	p->to->forward_extra = copies + tokens;
	p->to->backward_extra = copies + tokens;
}

/* A group of products, one per expert of this GPU. */
struct grouped {
	int64_t experts;         /* on this GPU */
	int64_t tokens, k, n;    /* tokens of all of them; weight of one: [k, n] */
	int64_t weight, in, out; /* bytes */
	bool narrow;
};

static struct grouped grouped_of(const struct pricing *p)
{
	const struct operator* op = p->op;
	struct grouped g = { .experts = local_size(p, &op->weight, DIM_EXPERTS) };
	int64_t elements = local_elements(p, &op->asked[0]);
	int64_t weight = local_elements(p, &op->weight);

	g.k = tensor_local(&p->cost->graph->mesh, &op->weight, op->weight.dim[1].name);
	g.n = weight / g.experts / g.k;
	g.tokens = elements / g.k;
	g.weight = weight * op->weight.bits / 8;
	g.in = elements * op->asked[0].bits / 8;
	g.out = g.tokens * g.n * p->cost->element;
	g.narrow = op->asked[0].bits < 8 * p->cost->element;
	return g;
}

static void time_grouped(const struct pricing *p, const struct grouped *g)
{
	static const enum grouped_stage stages[PHASE_COUNT] = { GROUPED_FWD, GROUPED_DX,
								GROUPED_DW };
	bool reduced = p->cost->in->optimizer.reduce == DTYPE_BF16;
	enum kernel kernel = g->narrow ? KERNEL_FP8_GROUP_MATMUL : KERNEL_GROUP_MATMUL;

	for (int phase = 0; phase < PHASE_COUNT; phase++) {
		struct engine_shape shape = {
			.table = TABLE_GROUPED,
			.grouped = { .kernel = kernel,
				     .groups = g->experts,
				     .m = g->tokens / g->experts,
				     .n = g->n,
				     .k = g->k,
				     .dtype = g->narrow ? DTYPE_FP8 : DTYPE_BF16,
				     .out = DTYPE_BF16,
				     .gradient = reduced ? DTYPE_BF16 : DTYPE_FP32,
				     .stage = stages[phase] },
		};

		price_phase(p, (enum phase)phase, kernel, &shape);
	}
}

/* One product after the other, each as long as a linear of its size. */
static void time_serial(const struct pricing *p, const struct grouped *g)
{
	bool reduced = p->cost->in->optimizer.reduce == DTYPE_BF16;
	enum kernel kernel = g->narrow ? KERNEL_FP8_MATMUL : KERNEL_MATMUL;
	int64_t m = g->tokens / g->experts;
	const struct matmul_point points[PHASE_COUNT] = {
		{ kernel, 1, m, g->k, g->n, LAYOUT_TN, false, DTYPE_BF16, 0 },
		{ kernel, 1, m, g->n, g->k, LAYOUT_NN, false, DTYPE_BF16, 0 },
		{ kernel, 1, g->n, m, g->k, LAYOUT_NT, true, reduced ? DTYPE_BF16 : DTYPE_FP32, 0 },
	};
	double experts = (double)g->experts;

	for (int phase = 0; phase < PHASE_COUNT; phase++) {
		struct engine_shape shape = { .table = TABLE_MATMUL, .matmul = points[phase] };

		p->to->compute[phase] =
			experts * kernel_time(p->cost, kernel, p->to->flops[phase] / experts,
					      (double)p->to->moved[phase] / experts, &shape);
	}
	p->to->kernels[0] = (int)g->experts;
	p->to->kernels[1] = 2 * (int)g->experts;
}

static void grouped_memory(const struct pricing *p, const struct grouped *g)
{
	const struct profile *profile = p->cost->profile;
	const bool in_place = p->cost->in->kernels.in_place_weight;
	int64_t copy = in_place ? 0 : g->weight;

	p->to->keep = g->in;
	p->to->forward_extra = g->in + g->out + copy;
	p->to->backward_extra = g->in + g->out + (profile->grouped_copy_forward ? 0 : copy);
	if (g->narrow && profile->grouped_wgrad_copy)
		p->to->backward_extra += 4 * g->experts * g->k * g->n;
}

/* The largest temporaries are those of the last expert, while the others' inputs are kept. */
static void serial_memory(const struct pricing *p, const struct grouped *g)
{
	int64_t copy = p->cost->in->kernels.in_place_weight ? 0 : g->weight / g->experts;
	int64_t one = (g->in + g->out) / g->experts + copy;

	p->to->keep = g->in;
	p->to->forward_extra = g->in - g->in / g->experts + one;
	p->to->backward_extra = one;
}

/* Inputs that wait on the host come back before backward needs them. */
static void offload_input(const struct pricing *p, const struct grouped *g)
{
	const struct engine_input *in = p->cost->in;

	if (!in->parallel.offload_expert_input || p->op->site != SITE_EXPERT_FC1 ||
	    (p->cost->profile->offload_kept_only && g->narrow && !in->precision.keep_grouped_input))
		return;
	p->to->offloaded = p->to->keep;
	p->to->keep = 0;
	p->to->backward_extra += g->in;
}

void price_grouped(const struct pricing *p)
{
	const struct cost *cost = p->cost;
	const bool serial = !cost->in->kernels.grouped, quirk = cost->profile->grouped_wgrad_one;
	struct grouped g = grouped_of(p);
	int64_t sums =
		accumulation_bytes(cost, quirk && !serial ? g.k * g.n : g.experts * g.k * g.n);

	for (int phase = 0; phase < PHASE_COUNT; phase++)
		p->to->flops[phase] = 2 * (double)g.tokens * (double)g.k * (double)g.n;
	p->to->moved[PHASE_FORWARD] = g.weight + g.in + g.out;
	p->to->moved[PHASE_INPUT_GRADIENT] = g.weight + g.in + g.out;
	p->to->moved[PHASE_WEIGHT_GRADIENT] = g.in + g.out + sums + (quirk ? g.weight : 0);
	p->to->dummy[0] = g.n;
	p->to->dummy[1] = g.k;
	p->to->expert = !(serial && cost->profile->serial_as_dense);
	if (serial)
		serial_memory(p, &g);
	else
		grouped_memory(p, &g);
	offload_input(p, &g);
	if (serial && !cost->profile->serial_as_grouped)
		time_serial(p, &g);
	else
		time_grouped(p, &g);
	if (g.narrow && !cost->profile->gradient_cast_free)
		p->to->compute[PHASE_INPUT_GRADIENT] += traffic_time(
			cost->hardware, KERNEL_DEFAULT, (double)(g.out + g.out / cost->element));
}
