/* engine_bench.c - microseconds per evaluation of the cost engine, from structs, without caches. */

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "runtime/engine/engine.h"

enum { RUNS = 2000, WARM = 100, FIRST_BLOCK = 128 * 1024 };

/* A round machine with a table that has the shape of no product: every look-up is a real miss. */
static struct hardware machine(struct arena *arena)
{
	struct matmul_point *points = ARENA_ARRAY(arena, struct matmul_point, 512);
	struct level *levels = ARENA_ARRAY(arena, struct level, 2);
	struct hardware h = { .memory = INT64_C(80) << 30,
			      .peak = 1e15,
			      .gpus_per_node = 8,
			      .roofline = true,
			      .contiguous = true };
	int n = 0;

	for (int64_t m = 1; m <= 8; m++)
		for (int64_t k = 1; k <= 8; k++)
			for (int64_t i = 1; i <= 8; i++)
				points[n++] =
					(struct matmul_point){ KERNEL_MATMUL, 1,          m * 1000,
							       k * 1000,      i * 1000,   LAYOUT_TN,
							       false,         DTYPE_BF16, 0.7 };
	h.compute[KERNEL_DEFAULT] = (struct compute_row){ true, 1e15, 0.6 };
	h.traffic[KERNEL_DEFAULT] = (struct traffic_row){ true, 3e12, 0.85, 3e-6 };
	for (int l = 0; l < 2; l++) {
		struct link *link = &levels[l].link;

		levels[l].size = l == 0 ? 8 : 4096;
		levels[l].oversubscription = 1;
		*link = (struct link){ .kind = l == 0 ? LINK_NVLINK : LINK_INFINIBAND,
				       .bandwidth = l == 0 ? 450e9 : 50e9,
				       .efficiency = 0.8,
				       .latency = 5e-6 };
		for (int c = 0; c < COLLECTIVE_COUNT; c++)
			link->collectives[c] = (struct collective_row){
				.scale = c == COLLECTIVE_ALL_REDUCE ? 2 : 1,
				.offset = c == COLLECTIVE_P2P ? 0 : -1,
			};
	}
	h.matmul = points;
	h.matmul_count = (size_t)n;
	h.levels = levels;
	h.level_count = 2;
	hardware_index(&h, arena);
	return h;
}

enum { STAGES_MAX = 128 };

static struct engine_model dense(int64_t hidden, int64_t ffn, int64_t heads, int64_t layers)
{
	return (struct engine_model){ .layers = layers,
				      .hidden = hidden,
				      .ffn = ffn,
				      .vocab = 128256,
				      .vocab_multiple = 128,
				      .pad_vocab = true,
				      .attention = { .heads = heads,
						     .kv_heads = 8,
						     .head = 128,
						     .v_head = 128,
						     .causal = true } };
}

static struct engine_model deepseek_v3(void)
{
	struct engine_model m = dense(7168, 18432, 128, 61);

	m.vocab = 129280;
	m.attention = (struct engine_attention){ .kind = ATTENTION_MLA,
						 .heads = 128,
						 .kv_heads = 128,
						 .head = 192,
						 .v_head = 128,
						 .q_lora = 1536,
						 .kv_lora = 512,
						 .qk_nope = 128,
						 .qk_rope = 64,
						 .causal = true };
	m.moe = (struct engine_moe){
		.experts = 256, .top_k = 8, .ffn = 2048, .shared_ffn = 2048, .first_dense = 3
	};
	return m;
}

static struct engine_input job(struct engine_model model, int64_t tp, int64_t pp, int64_t dp,
			       int64_t micro_batches)
{
	struct engine_input in = {
		.model = model,
		.parallel = { .world = tp * pp * dp,
			      .tp = tp,
			      .cp = 1,
			      .pp = pp,
			      .vpp = 1,
			      .ep = 1,
			      .etp = 1,
			      .dp = dp,
			      .edp = tp * dp,
			      .sequence_parallel = tp > 1,
			      .schedule = SCHEDULE_ONE_F_ONE_B,
			      .zero = ZERO_OPTIMIZER },
		.batch = { .sequence = 4096, .micro = 1, .micro_batches = micro_batches },
		.precision = { .compute = DTYPE_BF16,
			       .linear = DTYPE_BF16,
			       .weights = DTYPE_BF16,
			       .dispatch = DTYPE_BF16 },
		.optimizer = { .clip = true },
		.recompute = { .enabled = true },
		.kernels = { .fused_norm = true,
			     .fused_activation = true,
			     .fused_accumulation = true,
			     .in_place_weight = true,
			     .grouped = true },
	};

	return in;
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(const char *name, struct engine_input *in, struct arena *arena)
{
	static double us[RUNS];
	struct arena_mark mark = arena_mark(arena);
	struct engine_result result;
	struct engine_error error;
	char text[ENGINE_TEXT_MAX];

	for (int i = -WARM; i < RUNS; i++) {
		double start = now_us();
		enum engine_status status = engine_evaluate(in, arena, &result, &error);
		double stop = now_us();

		if (status != ENGINE_OK) {
			engine_error_text(&error, text, sizeof(text));
			printf("%s: %s\n", name, text);
			return;
		}
		arena_reset(arena, mark);
		if (i >= 0)
			us[i] = stop - start;
	}
	qsort(us, RUNS, sizeof(us[0]), compare);
	printf("%-36s min %7.2f us  median %7.2f us  (%d runs, step %.4f s)\n", name, us[0],
	       us[RUNS / 2], RUNS, result.step.time);
}

/*
 * Layers as even as whole layers allow, the first stages one more; with chunks, embedding and loss
 * count as a layer each.
 */
static void lay_out(struct engine_input *in, struct engine_layout_stage *stages)
{
	int64_t count = in->parallel.pp * in->parallel.vpp, ends = in->parallel.vpp > 1;
	int64_t layers = in->model.layers + 2 * ends;

	for (int64_t i = 0; i < count; i++)
		stages[i] = (struct engine_layout_stage){ layers / count + (i < layers % count), 0,
							  i == 0, i == count - 1, 0 };
	stages[0].layers -= ends;
	stages[count - 1].layers -= ends;
	in->parallel.stages = stages;
	in->parallel.stage_count = count;
}

struct bench {
	struct arena arena;
	struct hardware hardware;
	struct profile profile;
	struct engine_layout_stage stages[STAGES_MAX];
	const char *preset;
};

static void run(struct bench *b, const char *what, struct engine_input in)
{
	char name[64];

	in.hardware = &b->hardware;
	in.profile = &b->profile;
	lay_out(&in, b->stages);
	snprintf(name, sizeof(name), "%s %s", b->preset, what);
	measure(name, &in, &b->arena);
}

static void run_dense(struct bench *b)
{
	struct engine_input large = job(dense(8192, 28672, 64, 80), 8, 4, 4, 32);

	run(b, "llama3-8b pp1", job(dense(4096, 14336, 32, 32), 1, 1, 4, 8));
	run(b, "llama3-70b tp8 pp4 mb32", large);
	large.recompute = (struct engine_recompute){ .granularity = RECOMPUTE_FULL,
						     .method = RECOMPUTE_UNIFORM,
						     .layers = 1,
						     .enabled = true };
	run(b, "70b tp8 pp4 mb32 full", large);
	large.batch.micro_batches = 100;
	run(b, "70b tp8 pp4 mb100 full", large);
	large.batch.micro_batches = 10000;
	run(b, "70b tp8 pp4 mb10000 full", large);
}

/* Sizes at which models are trained: many experts, many stages, many chunks. */
static void run_large(struct bench *b)
{
	struct engine_input experts = job(deepseek_v3(), 1, 16, 128, 64);
	struct engine_input chunks = job(dense(16384, 53248, 128, 126), 8, 16, 8, 256);

	experts.parallel.ep = 64;
	experts.parallel.edp = 2;
	run(b, "deepseek-v3 ep64 pp16 mb64", experts);
	experts.batch.micro_batches = 10000;
	run(b, "deepseek-v3 ep64 pp16 mb10000", experts);
	if (!b->profile.sync_pipeline) {
		experts.parallel.schedule = SCHEDULE_ZB1P;
		run(b, "deepseek-v3 pp16 mb10000 zb1p", experts);
		experts.parallel.schedule = SCHEDULE_DUALPIPE;
		run(b, "deepseek-v3 pp16 mb10000 dualpipe", experts);
	}
	chunks.parallel.schedule = SCHEDULE_INTERLEAVED;
	chunks.parallel.vpp = 2;
	run(b, "405b tp8 pp16 vpp2 mb256", chunks);
	chunks.parallel.vpp = 4;
	run(b, "405b tp8 pp16 vpp4 mb256", chunks);
	chunks.parallel.vpp = 8;
	run(b, "405b tp8 pp16 vpp8 mb256", chunks);
	chunks.batch.micro_batches = 10240;
	run(b, "405b tp8 pp16 vpp8 mb10240", chunks);
}

int main(void)
{
	static const char *const names[] = { "standard", "simumax" };
	static const enum profile_preset presets[] = { PROFILE_STANDARD, PROFILE_SIMUMAX };
	struct bench b;

	arena_init(&b.arena, NULL);
	/* Past the small first block, so that every run fits into the block that is there. */
	(void)arena_alloc(&b.arena, FIRST_BLOCK);
	b.hardware = machine(&b.arena);
	for (int i = 0; i < 2; i++) {
		b.preset = names[i];
		profile_init(&b.profile, presets[i]);
		run_dense(&b);
		run_large(&b);
	}
	arena_release(&b.arena);
	return 0;
}
