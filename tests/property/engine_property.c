/*
 * engine_property.c - laws of the algebra and of the engine on random jobs.
 *
 * Local sizes times cuts give global sizes; a gradient, coerced, has its tensor's type; FLOPs over
 * all ranks are the layer's FLOPs however it is folded; the derived collectives are those of the
 * table of tensor-parallel traffic everybody knows; parts add up; and no input, however absurd, is
 * undefined. The seed is printed; give it as the first argument to repeat a run, the rounds as the
 * second.
 */
#include <inttypes.h>
#include <math.h>

#include "runtime/engine/engine.h"

enum { ROUNDS = 3000 };

struct run {
	uint64_t seed, state;
	int round;
	struct arena arena;
	struct hardware hardware;
	struct profile profile;
	struct engine_layout_stage stages[64];
	int64_t evaluated;
};

static uint64_t draw(struct run *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * UINT64_C(2685821657736338717);
}

static int64_t pick(struct run *r, int64_t from, int64_t to)
{
	return from + (int64_t)(draw(r) % (uint64_t)(to - from + 1));
}

static int64_t power(struct run *r, int most)
{
	return INT64_C(1) << pick(r, 0, most);
}

static bool coin(struct run *r)
{
	return draw(r) % 2 == 0;
}

static void require(const struct run *r, bool holds, const char *law)
{
	if (holds)
		return;
	printf("engine_property: seed %" PRIu64 ", round %d: %s\n", r->seed, r->round, law);
	exit(1);
}

static struct mesh draw_mesh(struct run *r)
{
	struct mesh mesh;

	for (int a = 0; a < AXIS_COUNT; a++)
		mesh.size[a] = 1;
	mesh.size[AXIS_TP] = power(r, 3);
	mesh.size[AXIS_CP] = power(r, 2);
	mesh.size[AXIS_DP] = pick(r, 1, 6);
	return mesh;
}

static struct decoder draw_decoder(struct run *r, const struct mesh *mesh)
{
	int64_t unit = mesh->size[AXIS_TP] * mesh->size[AXIS_CP];
	struct decoder d = {
		.batch = mesh->size[AXIS_DP] * pick(r, 1, 4),
		.sequence = unit * pick(r, 1, 64),
		.hidden = 64 * pick(r, 1, 32),
		.ffn = unit * pick(r, 1, 64),
		.vocab = unit * pick(r, 1, 500),
		.kv_heads = unit * pick(r, 1, 2),
		.head = 8 * pick(r, 1, 16),
		.gated = coin(r),
		.sequence_parallel = coin(r),
		.context = coin(r) ? CONTEXT_EXCHANGE_HEADS : CONTEXT_GATHER_KEYS,
		.recall_output = coin(r),
		.qk_norm = coin(r),
		.parallel_block = coin(r),
		.norm_vectors = pick(r, 1, 2),
		.bits = coin(r) ? 16 : 32,
		.loss_statistics = { 1, 2, 0 },
	};

	d.heads = d.kv_heads * pick(r, 1, 4);
	d.v_head = coin(r) ? d.head : 2 * d.head;
	d.weight_bits = d.bits;
	return d;
}

static void check_type(const struct run *r, const struct mesh *mesh, const struct tensor_type *type)
{
	for (int i = 0; i < type->dims; i++) {
		int64_t local = tensor_local(mesh, type, type->dim[i].name);
		int64_t cuts = tensor_cuts(mesh, type, type->dim[i].name);

		require(r, local * cuts == type->dim[i].size,
			"local size times cuts is the global size");
	}
}

/* Applies the coercions of one phase to a type; they must lead to `to`. */
static void check_coercions(const struct run *r, const struct mesh *mesh,
			    const struct tensor_type *from, const struct tensor_type *to)
{
	struct coercion list[AXIS_COUNT];
	struct tensor_type at = *from;
	int n = coerce_types(mesh, from, to, PHASE_FORWARD, list, AXIS_COUNT);

	for (int i = 0; i < n; i++) {
		enum axis a = list[i].axis;
		bool partial = at.on[a].kind == PLACE_PARTIAL, split = at.on[a].kind == PLACE_SPLIT;
		bool ends_split = to->on[a].kind == PLACE_SPLIT;

		switch (list[i].kind) {
		case COERCE_ALL_GATHER:
			require(r, split && !ends_split, "all-gather ends a split");
			break;
		case COERCE_ALL_REDUCE:
			require(r, partial && !ends_split, "all-reduce ends a partial sum");
			break;
		case COERCE_REDUCE_SCATTER:
			require(r, partial && ends_split, "reduce-scatter splits a partial sum");
			break;
		case COERCE_ALL_TO_ALL:
			require(r, split && ends_split, "all-to-all moves a split");
			break;
		case COERCE_SLICE:
			require(r, !partial && !split && ends_split, "a slice starts replicated");
			break;
		}
		at.on[a] = to->on[a];
	}
	for (int a = 0; a < AXIS_COUNT; a++)
		require(r, mesh->size[a] == 1 || placement_equal(at.on[a], to->on[a]),
			"coercions lead to the type asked for");
}

static void check_operator(const struct run *r, const struct mesh *mesh, const struct operator* op)
{
	for (int i = 0; i < op->inputs; i++) {
		struct tensor_type gradient = tensor_gradient(&op->in[i]);

		check_type(r, mesh, &op->in[i]);
		check_type(r, mesh, &op->asked[i]);
		check_coercions(r, mesh, &op->in[i], &op->asked[i]);
		check_coercions(r, mesh, &op->in_gradient[i], &gradient);
		for (int a = 0; a < AXIS_COUNT; a++)
			require(r, gradient.on[a].kind != PLACE_PARTIAL,
				"no gradient stays partial");
	}
	for (int i = 0; i < op->outputs; i++) {
		check_type(r, mesh, &op->given[i]);
		check_type(r, mesh, &op->out[i]);
		check_coercions(r, mesh, &op->given[i], &op->out[i]);
	}
	if (op->has_weight)
		check_type(r, mesh, &op->weight);
}

/* Ranks that hold different work: every one of the dense mesh. */
static double ranks(const struct mesh *mesh)
{
	return (double)mesh->size[AXIS_TP] * (double)mesh->size[AXIS_CP] *
	       (double)mesh->size[AXIS_DP];
}

static void check_flops(const struct run *r, const struct graph *folded, const struct graph *whole)
{
	for (int i = 0; i < folded->count; i++)
		for (int p = 0; p < PHASE_COUNT; p++)
			require(r,
				folded->op[i].flops[p] * ranks(&folded->mesh) ==
					whole->op[i].flops[p],
				"FLOPs over all ranks are the operator's FLOPs");
}

struct expected {
	int count;
	struct coercion list[OPERATOR_COERCIONS_MAX];
};

static void expect(struct expected *e, enum phase phase, enum axis axis, enum coercion_kind kind,
		   int64_t payload)
{
	e->list[e->count++] = (struct coercion){ phase, axis, kind, payload };
}

/* The traffic of tensor and context parallelism as written down by hand, operator by operator. */
static void expect_traffic(struct expected *e, const struct mesh *mesh, const struct decoder *d,
			   const struct operator* op)
{
	const int64_t t = mesh->size[AXIS_TP], c = mesh->size[AXIS_CP];
	const int64_t b = d->batch / mesh->size[AXIS_DP], x = d->sequence / c, e2 = d->bits / 8;
	const int64_t stream = b * x * d->hidden * e2;
	const bool sp = d->sequence_parallel;
	const int64_t q = b * x * (d->heads / t) * e2, kv = b * x * (d->kv_heads / t) * e2;

	e->count = 0;
	if (op->kind == OPERATOR_EMBEDDING && t > 1) {
		expect(e, PHASE_FORWARD, AXIS_TP, sp ? COERCE_REDUCE_SCATTER : COERCE_ALL_REDUCE,
		       stream);
		if (sp)
			expect(e, PHASE_WEIGHT_GRADIENT, AXIS_TP, COERCE_ALL_GATHER, stream);
	} else if (op->kind == OPERATOR_COLUMN && t > 1) {
		if (sp)
			expect(e, PHASE_FORWARD, AXIS_TP, COERCE_ALL_GATHER, stream);
		expect(e, PHASE_INPUT_GRADIENT, AXIS_TP,
		       sp ? COERCE_REDUCE_SCATTER : COERCE_ALL_REDUCE, stream);
		if (sp)
			expect(e, PHASE_WEIGHT_GRADIENT, AXIS_TP, COERCE_ALL_GATHER, stream);
	} else if (op->kind == OPERATOR_ROW && t > 1) {
		expect(e, PHASE_FORWARD, AXIS_TP, sp ? COERCE_REDUCE_SCATTER : COERCE_ALL_REDUCE,
		       stream);
		if (sp)
			expect(e, PHASE_INPUT_GRADIENT, AXIS_TP, COERCE_ALL_GATHER, stream);
	} else if (op->kind == OPERATOR_LOSS && t > 1) {
		expect(e, PHASE_FORWARD, AXIS_TP, COERCE_ALL_REDUCE, 4 * b * x);
		expect(e, PHASE_FORWARD, AXIS_TP, COERCE_ALL_REDUCE, 8 * b * x);
	} else if (op->kind == OPERATOR_ATTENTION && c > 1 &&
		   d->context == CONTEXT_EXCHANGE_HEADS) {
		expect(e, PHASE_FORWARD, AXIS_CP, COERCE_ALL_TO_ALL, q * d->head);
		expect(e, PHASE_FORWARD, AXIS_CP, COERCE_ALL_TO_ALL, kv * d->head);
		expect(e, PHASE_FORWARD, AXIS_CP, COERCE_ALL_TO_ALL, kv * d->v_head);
		expect(e, PHASE_FORWARD, AXIS_CP, COERCE_ALL_TO_ALL, q * d->v_head);
		expect(e, PHASE_INPUT_GRADIENT, AXIS_CP, COERCE_ALL_TO_ALL, q * d->v_head);
		if (d->recall_output)
			expect(e, PHASE_INPUT_GRADIENT, AXIS_CP, COERCE_ALL_TO_ALL, q * d->v_head);
		expect(e, PHASE_INPUT_GRADIENT, AXIS_CP, COERCE_ALL_TO_ALL, q * d->head);
		expect(e, PHASE_INPUT_GRADIENT, AXIS_CP, COERCE_ALL_TO_ALL, kv * d->head);
		expect(e, PHASE_INPUT_GRADIENT, AXIS_CP, COERCE_ALL_TO_ALL, kv * d->v_head);
	} else if (op->kind == OPERATOR_ATTENTION && c > 1) {
		const int64_t width[2] = { d->head, d->v_head };

		for (int i = 0; i < 2; i++)
			expect(e, PHASE_FORWARD, AXIS_CP, COERCE_ALL_GATHER, kv * c * width[i]);
		for (int i = 0; i < 2; i++) {
			expect(e, PHASE_INPUT_GRADIENT, AXIS_CP, COERCE_REDUCE_SCATTER,
			       kv * c * width[i]);
			expect(e, PHASE_INPUT_GRADIENT, AXIS_CP, COERCE_ALL_GATHER,
			       kv * c * width[i]);
		}
	}
}

static void check_traffic(const struct run *r, const struct graph *g, const struct decoder *d)
{
	for (int i = 0; i < g->count; i++) {
		const struct operator* op = & g->op[i];
		struct expected e;

		expect_traffic(&e, &g->mesh, d, op);
		require(r, e.count == op->coercions, "as many collectives as the table has");
		for (int k = 0; k < e.count; k++) {
			const struct coercion *a = &e.list[k], *b = &op->coercion[k];

			require(r,
				a->phase == b->phase && a->axis == b->axis && a->kind == b->kind &&
					a->payload == b->payload,
				"the collectives of the table");
		}
	}
}

static void check_algebra(struct run *r)
{
	struct mesh mesh = draw_mesh(r);
	struct decoder d = draw_decoder(r, &mesh);
	struct mesh alone = mesh;
	struct graph *folded = ARENA_NEW(&r->arena, struct graph);
	struct graph *whole = ARENA_NEW(&r->arena, struct graph);
	struct algebra_error error;

	alone.size[AXIS_TP] = alone.size[AXIS_CP] = alone.size[AXIS_DP] = 1;
	require(r, graph_decoder(&mesh, &d, folded, &error), "a divisible decoder has types");
	require(r, graph_decoder(&alone, &d, whole, &error), "a decoder on one GPU has types");
	for (int i = 0; i < folded->count; i++)
		check_operator(r, &mesh, &folded->op[i]);
	check_flops(r, folded, whole);
	check_traffic(r, folded, &d);
	/* One head too few for the fold is always an error that names the heads. */
	if (mesh.size[AXIS_TP] > 1) {
		d.heads = d.heads - 1;
		require(r, !graph_decoder(&mesh, &d, folded, &error),
			"heads that do not divide are refused");
		require(r, error.dim == DIM_HEADS && error.size == d.heads, "and named");
	}
}

static void init_machine(struct run *r)
{
	struct level *levels = ARENA_ARRAY(&r->arena, struct level, 2);
	struct hardware *h = &r->hardware;

	*h = (struct hardware){ .memory = INT64_C(80) << 30,
				.peak = 1e15,
				.gpus_per_node = 8,
				.roofline = true,
				.contiguous = true,
				.levels = levels,
				.level_count = 2 };
	h->compute[KERNEL_DEFAULT] = (struct compute_row){ true, 1e15, 0.6 };
	h->traffic[KERNEL_DEFAULT] = (struct traffic_row){ true, 3e12, 0.85, 3e-6 };
	for (int l = 0; l < 2; l++) {
		levels[l].size = l == 0 ? 8 : 1 << 20;
		levels[l].oversubscription = 1;
		levels[l].link = (struct link){ .kind = l == 0 ? LINK_NVLINK : LINK_INFINIBAND,
						.bandwidth = l == 0 ? 450e9 : 50e9,
						.efficiency = 0.8,
						.latency = 5e-6 };
		for (int c = 0; c < COLLECTIVE_COUNT; c++)
			levels[l].link.collectives[c] = (struct collective_row){
				.scale = c == COLLECTIVE_ALL_REDUCE ? 2 : 1,
				.offset = c == COLLECTIVE_P2P ? 0 : -1,
			};
	}
	hardware_index(h, &r->arena);
}

static struct engine_input draw_job(struct run *r)
{
	struct engine_input in = { .hardware = &r->hardware, .profile = &r->profile };
	struct engine_model *m = &in.model;
	struct engine_parallel *p = &in.parallel;

	profile_init(&r->profile, (enum profile_preset)pick(r, 0, 2));
	*p = (struct engine_parallel){ .tp = power(r, 3),
				       .cp = power(r, 2),
				       .pp = power(r, 3),
				       .vpp = 1,
				       .ep = 1,
				       .etp = 1,
				       .dp = pick(r, 1, 8),
				       .schedule = SCHEDULE_ONE_F_ONE_B,
				       .zero = (enum zero_level)pick(r, 0, 3),
				       .stages = r->stages };
	p->sequence_parallel = p->tp > 1 && coin(r);
	p->world = p->tp * p->cp * p->pp * p->dp;
	p->cp_comm = coin(r) ? CP_A2A : coin(r) ? CP_P2P : CP_ALL_GATHER;
	p->edp = p->world / p->pp;
	p->stage_count = p->pp;
	*m = (struct engine_model){ .layers = p->pp * pick(r, 1, 6),
				    .hidden = 128 * pick(r, 1, 64),
				    .ffn = 64 * pick(r, 1, 256),
				    .vocab = pick(r, 100, 200000),
				    .vocab_multiple = 128,
				    .pad_vocab = true,
				    .tied = coin(r),
				    .parallel_block = coin(r) };
	m->attention = (struct engine_attention){ .kv_heads = p->tp * p->cp * pick(r, 1, 2),
						  .head = 64,
						  .v_head = 64,
						  .causal = coin(r),
						  .qk_norm = coin(r) };
	m->attention.heads = m->attention.kv_heads * pick(r, 1, 4);
	m->attention.window = coin(r) ? 0 : pick(r, 1, 5000);
	m->activation = (enum activation)pick(r, 0, 4);
	in.batch = (struct engine_batch){ p->tp * p->cp * pick(r, 1, 1024), pick(r, 1, 4),
					  pick(r, 1, 40) };
	in.precision.compute = coin(r) ? DTYPE_BF16 : DTYPE_FP32;
	in.precision.linear = in.precision.weights = in.precision.compute;
	in.optimizer.clip = coin(r);
	in.recompute = (struct engine_recompute){
		.granularity = (enum recompute_granularity)pick(r, 0, 2),
		.method = (enum recompute_method)pick(r, 0, 2),
		.layers = pick(r, 1, 3),
		.modules = (uint32_t)(draw(r) % (UINT32_C(1) << MODULE_OTHER)),
		.early_stop = coin(r),
		.enabled = draw(r) % 4 != 0,
	};
	in.kernels = (struct engine_kernels){
		.attention = (enum attention_kernel)pick(r, 0, 3),
		.cross_entropy = coin(r) ? CE_UNFUSED : CE_TE,
		.fused_norm = coin(r),
		.fused_activation = coin(r),
		.fused_accumulation = coin(r),
		.in_place_weight = coin(r),
	};
	in.overlap =
		(struct engine_overlap){ coin(r), coin(r), coin(r), coin(r), coin(r), coin(r) };
	in.te = (struct version){ { 2, pick(r, 0, 11), 0 } };
	for (int64_t i = 0; i < p->pp; i++)
		r->stages[i] = (struct engine_layout_stage){ m->layers / p->pp, pick(r, 0, 4),
							     i == 0, i == p->pp - 1 };
	return in;
}

static void check_memory(const struct run *r, const struct engine_result *result)
{
	const struct engine_memory *m = &result->memory;

	require(r,
		m->weights + m->gradients + m->optimizer + m->activations + m->logits +
				m->buffers ==
			m->peak,
		"parts of memory add up");
	require(r, m->activations >= 0 && m->logits >= 0 && m->buffers >= 0, "no part is negative");
	for (int64_t i = 0; i < result->stage_count; i++) {
		const struct engine_stage *s = &result->stages[i];

		require(r, s->reserved <= m->reserved, "the worst stage is the worst");
		require(r, s->activation_peak >= s->activations, "the peak holds the cache");
		require(r, s->in_flight >= 1, "one micro-batch is alive");
	}
}

static void check_step(const struct run *r, const struct engine_result *result)
{
	double sum = 0;

	for (int i = 0; i < STEP_PART_COUNT; i++) {
		require(r, isfinite(result->step.part[i]) && result->step.part[i] >= 0,
			"parts of a step are times");
		sum += result->step.part[i];
	}
	require(r, sum == result->step.time, "parts of a step add up");
	require(r, result->step.time > 0 && isfinite(result->step.time), "a step takes time");
	require(r, isfinite(result->throughput.mfu) && result->throughput.mfu > 0,
		"mfu is a share");
}

static struct engine_result evaluate(struct run *r, const struct engine_input *in)
{
	struct engine_result result;
	struct engine_error error;
	char text[ENGINE_TEXT_MAX];

	if (engine_evaluate(in, &r->arena, &result, &error) != ENGINE_OK) {
		engine_error_text(&error, text, sizeof(text));
		require(r, false, text);
	}
	r->evaluated++;
	return result;
}

static void check_job(struct run *r)
{
	struct engine_input in = draw_job(r);
	struct engine_result first = evaluate(r, &in), other;

	check_memory(r, &first);
	check_step(r, &first);
	other = evaluate(r, &in);
	require(r, first.step.time == other.step.time && first.memory.peak == other.memory.peak,
		"the same job costs the same");
	in.batch.micro_batches++;
	other = evaluate(r, &in);
	require(r, other.step.time >= first.step.time, "one micro-batch more takes no less");
	require(r, other.memory.peak >= first.memory.peak, "and no less memory");
	in.batch.micro_batches--;
	in.recompute.granularity = RECOMPUTE_OFF;
	other = evaluate(r, &in);
	require(r, other.step.time <= first.step.time * (1 + 1e-12), "recompute is not free");
}

/* Sizes from anywhere in 63 bits and below: any status will do, undefined behaviour will not. */
static void check_absurd(struct run *r)
{
	struct engine_input in = draw_job(r);
	struct engine_result result;
	struct engine_error error;
	char text[ENGINE_TEXT_MAX];
	int64_t *sizes[] = {
		&in.model.layers,
		&in.model.hidden,
		&in.model.ffn,
		&in.model.vocab,
		&in.model.vocab_multiple,
		&in.model.attention.heads,
		&in.model.attention.head,
		&in.model.attention.kv_heads,
		&in.model.attention.v_head,
		&in.model.attention.window,
		&in.parallel.tp,
		&in.parallel.pp,
		&in.parallel.dp,
		&in.parallel.world,
		&in.parallel.shard,
		&in.parallel.bucket,
		&in.batch.sequence,
		&in.batch.micro,
		&in.batch.micro_batches,
		&r->stages[0].layers,
		&r->stages[0].recompute,
		&in.recompute.layers,
		&in.parallel.stage_count,
	};

	for (int i = 0; i < 2; i++) {
		int64_t *size = sizes[draw(r) % PLAN_COUNT(sizes)];

		*size = (int64_t)(draw(r) >> pick(r, 0, 63));
		if (coin(r))
			*size = -*size;
	}
	if (in.parallel.stage_count > 64 || in.batch.micro_batches > 100000)
		return; /* the replay of a million micro-batches is defined, and long */
	if (engine_evaluate(&in, &r->arena, &result, &error) != ENGINE_OK)
		engine_error_text(&error, text, sizeof(text));
}

int main(int argc, char **argv)
{
	struct run r = { .seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20240607 };
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS;

	r.state = r.seed * 2 + 1;
	arena_init(&r.arena, NULL);
	init_machine(&r);
	for (r.round = 0; r.round < rounds; r.round++) {
		struct arena_mark mark = arena_mark(&r.arena);

		check_algebra(&r);
		check_job(&r);
		check_absurd(&r);
		arena_reset(&r.arena, mark);
	}
	printf("engine_property: seed %" PRIu64 ", %d rounds, %" PRIi64 " evaluations\n", r.seed,
	       rounds, r.evaluated);
	arena_release(&r.arena);
	return 0;
}
