/*
 * engine_property.c - laws of the engine on random jobs: dense and with experts, grouped and latent
 * attention, narrow and wide formats, one and many chunks.
 *
 * Parts add up, more work takes no less, and no input, however absurd, is undefined. The seed is
 * printed; give it as the first argument to repeat a run, the rounds as the second.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "runtime/engine/engine.h"
#include "tests/unit/dice.h"
#include "tests/unit/engine_recount.h"

enum { ROUNDS = 3000, STAGES_MAX = 64 };

struct run {
	struct dice dice;
	int round;
	struct arena arena;
	struct hardware hardware;
	struct profile profile;
	struct engine_layout_stage stages[STAGES_MAX];
	int64_t evaluated;
};

static int64_t pick(struct run *r, int64_t from, int64_t to)
{
	return dice_pick(&r->dice, from, to);
}

static bool coin(struct run *r)
{
	return dice_coin(&r->dice);
}

static void require(const struct run *r, bool holds, const char *law)
{
	if (holds)
		return;
	printf("engine_property: seed %" PRIu64 ", round %d: %s\n", r->dice.seed, r->round, law);
	exit(1);
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

static int64_t divisor(struct run *r, int64_t of)
{
	int64_t d = pick(r, 1, of);

	while (of % d != 0)
		d--;
	return d;
}

static void draw_parallel(struct run *r, struct engine_parallel *p)
{
	*p = (struct engine_parallel){ .tp = dice_power(&r->dice, 3),
				       .cp = dice_power(&r->dice, 2),
				       .pp = dice_power(&r->dice, 3),
				       .vpp = 1,
				       .ep = 1,
				       .etp = 1,
				       .dp = pick(r, 1, 8),
				       .schedule = SCHEDULE_ONE_F_ONE_B,
				       .zero = (enum zero_level)pick(r, 0, 3),
				       .dispatch_probs = coin(r),
				       .sent_once = coin(r),
				       .stages = r->stages };
	p->world = p->tp * p->cp * p->pp * p->dp;
	p->sequence_parallel = p->tp > 1 && coin(r);
	p->cp_comm = (enum cp_comm)pick(r, CP_P2P, CP_ALL_GATHER);
	p->cp_inner = divisor(r, p->cp);
	p->edp = p->world / p->pp;
	/* Blocking transfers of two ranks cannot interleave. */
	if (p->pp > 2 && coin(r)) {
		p->vpp = pick(r, 2, 4);
		p->schedule = SCHEDULE_INTERLEAVED;
	}
	p->stage_count = p->pp * p->vpp;
}

static void draw_experts(struct run *r, struct engine_parallel *p, struct engine_moe *m)
{
	int64_t ranks = p->world / p->pp;

	p->etp = dice_power(&r->dice, 2);
	while (ranks % p->etp != 0)
		p->etp /= 2;
	p->ep = divisor(r, ranks / p->etp);
	p->edp = ranks / p->etp / p->ep;
	p->offload_expert_input = coin(r);
	*m = (struct engine_moe){ .experts = p->ep * pick(r, 2, 8),
				  .top_k = pick(r, 1, 8),
				  .ffn = p->etp * pick(r, 1, 512),
				  .shared_ffn = coin(r) ? 0 : p->tp * pick(r, 1, 512),
				  .first_dense = pick(r, 0, 2),
				  .every = pick(r, 1, 2),
				  .capacity = (double)pick(r, 1, 3) / 2,
				  .imbalance = coin(r) ? 1 : 1.25,
				  .pad = coin(r) };
}

static void draw_attention(struct run *r, const struct engine_parallel *p,
			   struct engine_attention *a)
{
	*a = (struct engine_attention){ .kv_heads = p->tp * p->cp * pick(r, 1, 2),
					.head = 64,
					.v_head = 64,
					.causal = coin(r),
					.qk_norm = coin(r) };
	a->heads = a->kv_heads * pick(r, 1, 4);
	a->gate = coin(r);
	a->window = coin(r) ? 0 : pick(r, 1, 5000);
	if (!coin(r))
		return;
	a->kind = ATTENTION_MLA;
	a->gate = false;
	a->kv_heads = a->heads;
	a->q_lora = coin(r) ? 0 : 64 * pick(r, 1, 24);
	a->kv_lora = 64 * pick(r, 1, 8);
	a->qk_nope = 64;
	a->qk_rope = 32;
}

static void draw_model(struct run *r, struct engine_parallel *p, struct engine_model *m)
{
	*m = (struct engine_model){ .layers = p->stage_count * pick(r, 1, 3),
				    .hidden = 128 * pick(r, 1, 64),
				    .ffn = 64 * pick(r, 1, 256),
				    .vocab = pick(r, 100, 200000),
				    .vocab_multiple = 128,
				    .pad_vocab = true,
				    .tied = coin(r),
				    .parallel_block = coin(r) };
	draw_attention(r, p, &m->attention);
	if (coin(r)) {
		m->local = m->attention;
		m->local.window = pick(r, 1, 4096);
		m->full_every = pick(r, 1, 4);
	}
	if (coin(r))
		draw_experts(r, p, &m->moe);
	m->activation = (enum activation)pick(r, 0, 4);
	m->mtp_depth = coin(r) ? 0 : pick(r, 1, 3);
	m->mtp_shared = coin(r);
	m->norm = coin(r) ? NORM_RMS : NORM_LAYER;
	m->dropout = coin(r) ? 0 : 0.1;
	m->norm_place = (enum norm_place)pick(r, 0, 2);
	m->positions = coin(r) ? 0 : pick(r, 1, 9000);
}

static void draw_formats(struct run *r, struct engine_precision *p)
{
	p->compute = coin(r) ? DTYPE_BF16 : DTYPE_FP32;
	p->linear = p->weights = p->compute;
	p->dispatch = coin(r) ? DTYPE_FP8 : p->compute;
	if (coin(r))
		return;
	p->linear = DTYPE_FP8;
	p->weights = coin(r) ? DTYPE_FP8 : p->compute;
	p->keep_grouped_input = coin(r);
}

/* Some jobs cut their backwards in two, or run in two directions. */
static void draw_schedule(struct run *r, struct engine_input *in)
{
	struct engine_parallel *p = &in->parallel;
	int64_t kind = pick(r, 0, 7);

	if (p->vpp > 1 || r->profile.sync_pipeline || kind > 2)
		return;
	if (kind < 2) {
		p->schedule = kind == 0 ? SCHEDULE_ZB1P : SCHEDULE_ZB2P;
	} else if (p->pp % 2 == 0) {
		p->schedule = SCHEDULE_DUALPIPE;
		in->batch.micro_batches = 2 * (p->pp + pick(r, 0, 20));
	}
}

static struct engine_input draw_job(struct run *r)
{
	struct engine_input in = { .hardware = &r->hardware, .profile = &r->profile };
	struct engine_parallel *p = &in.parallel;
	struct engine_model *m = &in.model;

	profile_init(&r->profile, (enum profile_preset)pick(r, 0, 2));
	draw_parallel(r, p);
	draw_model(r, p, m);
	draw_formats(r, &in.precision);
	in.batch = (struct engine_batch){ p->tp * p->cp * pick(r, 1, 1024), pick(r, 1, 4),
					  pick(r, 1, 40) };
	if (p->vpp > 1)
		in.batch.micro_batches = p->pp * pick(r, 1, 12);
	draw_schedule(r, &in);
	in.optimizer.clip = coin(r);
	in.recompute = (struct engine_recompute){
		.granularity = (enum recompute_granularity)pick(r, 0, 2),
		.method = (enum recompute_method)pick(r, 0, 2),
		.layers = pick(r, 1, 3),
		.modules = (uint32_t)(dice_draw(&r->dice) % (UINT32_C(1) << MODULE_OTHER)),
		.early_stop = coin(r),
		.enabled = pick(r, 0, 3) != 0,
	};
	in.kernels = (struct engine_kernels){
		.attention = (enum attention_kernel)pick(r, 0, 3),
		.cross_entropy = coin(r) ? CE_UNFUSED : CE_TE,
		.fused_norm = coin(r),
		.fused_activation = coin(r),
		.fused_rope = coin(r),
		.fused_softmax = coin(r),
		.fused_permute = coin(r),
		.graphs = coin(r),
		.fused_accumulation = coin(r),
		.in_place_weight = coin(r),
		.grouped = coin(r),
	};
	in.overlap = (struct engine_overlap){ .gradient_reduce = coin(r),
					      .parameter_gather = coin(r),
					      .tensor = coin(r),
					      .context = coin(r),
					      .pipeline = coin(r),
					      .dispatch = coin(r),
					      .dispatch_wgrad = coin(r),
					      .delay_wgrad = coin(r),
					      .optimizer_gather = coin(r),
					      .shared_expert = coin(r) };
	in.te = (struct version){ { 2, pick(r, 0, 11), 0 } };
	for (int64_t i = 0; i < p->stage_count; i++)
		r->stages[i] =
			(struct engine_layout_stage){ m->layers / p->stage_count, pick(r, 0, 4),
						      i == 0, i == p->stage_count - 1, 0 };
	r->stages[pick(r, p->stage_count - p->pp, p->stage_count - 1)].mtp = m->mtp_depth;
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

		require(r, s->activation_peak >= s->activations, "the peak holds the cache");
		if (s->chunk > 0)
			continue;
		require(r, s->reserved <= m->reserved, "the worst stage is the worst");
		require(r, s->in_flight >= 1, "one micro-batch is alive");
		require(r, s->weight_gradient >= 0 && s->weight_gradient <= s->backward,
			"what can wait is a part of backward");
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

/*
 * Without tensor parallelism every parameter lies on one stage, those of experts on one of ep ranks
 * of it: together they are the model.
 */
static void check_counts(const struct run *r, const struct engine_input *in,
			 const struct engine_result *result)
{
	const struct engine_parallel *p = &in->parallel;
	int64_t held = 0;

	if (p->tp > 1 || p->etp > 1 || r->profile.dense_first_stage ||
	    (in->model.tied && p->stage_count > 1))
		return;
	/* A second table of embeddings where further tokens are predicted. */
	for (int64_t i = 1; i < p->stage_count; i++)
		if (p->stages[i].mtp > 0)
			held -= (result->counts.padded_vocab + in->model.positions) *
				in->model.hidden;
	for (int64_t i = 0; i < result->stage_count; i++) {
		const struct engine_stage *s = &result->stages[i];

		held += s->parameters + (p->ep - 1) * s->expert_parameters;
	}
	require(r, held == recount_parameters(&in->model, result->counts.padded_vocab),
		"stages hold the model together");
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
	/* Interleaved stages take whole groups, two directions one micro-batch each. */
	const int64_t more = in.parallel.schedule == SCHEDULE_DUALPIPE ? 2
			     : in.parallel.vpp > 1                     ? in.parallel.pp
								       : 1;

	check_memory(r, &first);
	check_counts(r, &in, &first);
	check_step(r, &first);
	other = evaluate(r, &in);
	require(r, first.step.time == other.step.time && first.memory.peak == other.memory.peak,
		"the same job costs the same");
	in.batch.micro_batches += more;
	other = evaluate(r, &in);
	require(r, other.step.time >= first.step.time, "one micro-batch more takes no less");
	/* The stage that needs most may be another then, with more in reserve above a lower peak. */
	require(r, other.memory.reserved >= first.memory.reserved, "and no less memory");
	in.batch.micro_batches -= more;
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
		&in.model.attention.q_lora,
		&in.model.attention.kv_lora,
		&in.model.moe.experts,
		&in.model.moe.top_k,
		&in.model.moe.ffn,
		&in.model.moe.shared_ffn,
		&in.model.moe.first_dense,
		&in.model.full_every,
		&in.parallel.ep,
		&in.parallel.etp,
		&in.parallel.edp,
		&in.parallel.vpp_group,
		&in.parallel.tp,
		&in.parallel.pp,
		&in.parallel.dp,
		&in.parallel.world,
		&in.parallel.shard,
		&in.parallel.gather,
		&in.parallel.cp_inner,
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
		int64_t *size = sizes[dice_draw(&r->dice) % PLAN_COUNT(sizes)];

		*size = (int64_t)(dice_draw(&r->dice) >> pick(r, 0, 63));
		if (coin(r))
			*size = -*size;
	}
	if (in.parallel.stage_count > STAGES_MAX || in.batch.micro_batches > 100000)
		return; /* the replay of a million micro-batches is defined, and long */
	if (engine_evaluate(&in, &r->arena, &result, &error) != ENGINE_OK)
		engine_error_text(&error, text, sizeof(text));
}

int main(int argc, char **argv)
{
	struct run r = { .dice = dice_make(argc > 1 ? strtoull(argv[1], NULL, 10) : 20240607) };
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS;

	arena_init(&r.arena, NULL);
	init_machine(&r);
	for (r.round = 0; r.round < rounds; r.round++) {
		struct arena_mark mark = arena_mark(&r.arena);

		check_job(&r);
		check_absurd(&r);
		arena_reset(&r.arena, mark);
	}
	printf("engine_property: seed %" PRIu64 ", %d rounds, %" PRIi64 " evaluations\n",
	       r.dice.seed, rounds, r.evaluated);
	arena_release(&r.arena);
	return 0;
}
