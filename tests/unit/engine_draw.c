/* engine_draw.c - see engine_draw.h. */
#include "tests/unit/engine_draw.h"

#include <inttypes.h>
#include <stdlib.h>

int64_t draw_pick(struct run *r, int64_t from, int64_t to)
{
	return dice_pick(&r->dice, from, to);
}

bool draw_coin(struct run *r)
{
	return dice_coin(&r->dice);
}

void draw_require(const struct run *r, bool holds, const char *law)
{
	if (holds)
		return;
	printf("seed %" PRIu64 ", round %d: %s\n", r->dice.seed, r->round, law);
	exit(1);
}

void draw_machine(struct run *r)
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
	int64_t d = draw_pick(r, 1, of);

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
				       .dp = draw_pick(r, 1, 8),
				       .schedule = SCHEDULE_ONE_F_ONE_B,
				       .zero = (enum zero_level)draw_pick(r, 0, 3),
				       .dispatch_probs = draw_coin(r),
				       .sent_once = draw_coin(r),
				       .stages = r->stages };
	p->world = p->tp * p->cp * p->pp * p->dp;
	p->sequence_parallel = p->tp > 1 && draw_coin(r);
	p->cp_comm = (enum cp_comm)draw_pick(r, CP_P2P, CP_ALL_GATHER);
	p->cp_inner = divisor(r, p->cp);
	p->edp = p->world / p->pp;
	/* Blocking transfers of two ranks cannot interleave. */
	if (p->pp > 2 && draw_coin(r)) {
		p->vpp = draw_pick(r, 2, 4);
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
	p->offload_expert_input = draw_coin(r);
	*m = (struct engine_moe){ .experts = p->ep * draw_pick(r, 2, 8),
				  .top_k = draw_pick(r, 1, 8),
				  .ffn = p->etp * draw_pick(r, 1, 512),
				  .shared_ffn = draw_coin(r) ? 0 : p->tp * draw_pick(r, 1, 512),
				  .first_dense = draw_pick(r, 0, 2),
				  .every = draw_pick(r, 1, 2),
				  .capacity = (double)draw_pick(r, 1, 3) / 2,
				  .imbalance = draw_coin(r) ? 1 : 1.25,
				  .pad = draw_coin(r) };
}

static void draw_attention(struct run *r, const struct engine_parallel *p,
			   struct engine_attention *a)
{
	*a = (struct engine_attention){ .kv_heads = p->tp * p->cp * draw_pick(r, 1, 2),
					.head = 64,
					.v_head = 64,
					.causal = draw_coin(r),
					.qk_norm = draw_coin(r) };
	a->heads = a->kv_heads * draw_pick(r, 1, 4);
	a->gate = draw_coin(r);
	a->window = draw_coin(r) ? 0 : draw_pick(r, 1, 5000);
	if (!draw_coin(r))
		return;
	a->kind = ATTENTION_MLA;
	a->gate = false;
	a->kv_heads = a->heads;
	a->q_lora = draw_coin(r) ? 0 : 64 * draw_pick(r, 1, 24);
	a->kv_lora = 64 * draw_pick(r, 1, 8);
	a->qk_nope = 64;
	a->qk_rope = 32;
}

static void draw_model(struct run *r, struct engine_parallel *p, struct engine_model *m)
{
	*m = (struct engine_model){ .layers = p->stage_count * draw_pick(r, 1, 3),
				    .hidden = 128 * draw_pick(r, 1, 64),
				    .ffn = 64 * draw_pick(r, 1, 256),
				    .vocab = draw_pick(r, 100, 200000),
				    .vocab_multiple = 128,
				    .pad_vocab = true,
				    .tied = draw_coin(r),
				    .parallel_block = draw_coin(r) };
	draw_attention(r, p, &m->attention);
	if (draw_coin(r)) {
		m->local = m->attention;
		m->local.window = draw_pick(r, 1, 4096);
		m->full_every = draw_pick(r, 1, 4);
	}
	if (draw_coin(r))
		draw_experts(r, p, &m->moe);
	m->activation = (enum activation)draw_pick(r, 0, 4);
	m->mtp_depth = draw_coin(r) ? 0 : draw_pick(r, 1, 3);
	m->mtp_shared = draw_coin(r);
	m->norm = draw_coin(r) ? NORM_RMS : NORM_LAYER;
	m->dropout = draw_coin(r) ? 0 : 0.1;
	m->norm_place = (enum norm_place)draw_pick(r, 0, 2);
	m->positions = draw_coin(r) ? 0 : draw_pick(r, 1, 9000);
}

static void draw_formats(struct run *r, struct engine_precision *p)
{
	p->compute = draw_coin(r) ? DTYPE_BF16 : DTYPE_FP32;
	p->linear = p->weights = p->compute;
	p->dispatch = draw_coin(r) ? DTYPE_FP8 : p->compute;
	if (draw_coin(r))
		return;
	p->linear = DTYPE_FP8;
	p->weights = draw_coin(r) ? DTYPE_FP8 : p->compute;
	p->keep_grouped_input = draw_coin(r);
}

/* Some jobs cut their backwards in two, or run in two directions. */
static void draw_schedule(struct run *r, struct engine_input *in)
{
	struct engine_parallel *p = &in->parallel;
	int64_t kind = draw_pick(r, 0, 7);

	if (p->vpp > 1 || r->profile.sync_pipeline || kind > 2)
		return;
	if (kind < 2) {
		p->schedule = kind == 0 ? SCHEDULE_ZB1P : SCHEDULE_ZB2P;
	} else if (p->pp % 2 == 0) {
		p->schedule = SCHEDULE_DUALPIPE;
		in->batch.micro_batches = 2 * (p->pp + draw_pick(r, 0, 20));
	}
}

struct engine_input draw_job(struct run *r)
{
	struct engine_input in = { .hardware = &r->hardware, .profile = &r->profile };
	struct engine_parallel *p = &in.parallel;
	struct engine_model *m = &in.model;

	profile_init(&r->profile, (enum profile_preset)draw_pick(r, 0, 2));
	draw_parallel(r, p);
	draw_model(r, p, m);
	draw_formats(r, &in.precision);
	in.batch = (struct engine_batch){ p->tp * p->cp * draw_pick(r, 1, 1024), draw_pick(r, 1, 4),
					  draw_pick(r, 1, 40) };
	if (p->vpp > 1)
		in.batch.micro_batches = p->pp * draw_pick(r, 1, 12);
	draw_schedule(r, &in);
	in.optimizer.clip = draw_coin(r);
	in.recompute = (struct engine_recompute){
		.granularity = (enum recompute_granularity)draw_pick(r, 0, 2),
		.method = (enum recompute_method)draw_pick(r, 0, 2),
		.layers = draw_pick(r, 1, 3),
		.modules = (uint32_t)(dice_draw(&r->dice) % (UINT32_C(1) << MODULE_OTHER)),
		.early_stop = draw_coin(r),
		.enabled = draw_pick(r, 0, 3) != 0,
	};
	in.kernels = (struct engine_kernels){
		.attention = (enum attention_kernel)draw_pick(r, 0, 3),
		.cross_entropy = draw_coin(r) ? CE_UNFUSED : CE_TE,
		.fused_norm = draw_coin(r),
		.fused_activation = draw_coin(r),
		.fused_rope = draw_coin(r),
		.fused_softmax = draw_coin(r),
		.fused_permute = draw_coin(r),
		.graphs = draw_coin(r),
		.fused_accumulation = draw_coin(r),
		.in_place_weight = draw_coin(r),
		.grouped = draw_coin(r),
	};
	in.overlap = (struct engine_overlap){ .gradient_reduce = draw_coin(r),
					      .parameter_gather = draw_coin(r),
					      .tensor = draw_coin(r),
					      .context = draw_coin(r),
					      .pipeline = draw_coin(r),
					      .dispatch = draw_coin(r),
					      .dispatch_wgrad = draw_coin(r),
					      .delay_wgrad = draw_coin(r),
					      .optimizer_gather = draw_coin(r),
					      .shared_expert = draw_coin(r) };
	in.te = (struct version){ { 2, draw_pick(r, 0, 11), 0 } };
	for (int64_t i = 0; i < p->stage_count; i++)
		r->stages[i] =
			(struct engine_layout_stage){ m->layers / p->stage_count, draw_pick(r, 0, 4),
						      i == 0, i == p->stage_count - 1, 0 };
	r->stages[draw_pick(r, p->stage_count - p->pp, p->stage_count - 1)].mtp = m->mtp_depth;
	return in;
}

struct engine_result draw_evaluate(struct run *r, const struct engine_input *in)
{
	struct engine_result result;
	struct engine_error error;
	char text[ENGINE_TEXT_MAX];

	if (engine_evaluate(in, &r->arena, &result, &error) != ENGINE_OK) {
		engine_error_text(&error, text, sizeof(text));
		draw_require(r, false, text);
	}
	r->evaluated++;
	return result;
}

