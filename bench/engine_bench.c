/* engine_bench.c - microseconds per evaluation of the cost engine, from structs, without caches. */

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "runtime/engine/engine.h"

enum { RUNS = 2000, WARM = 100 };

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

static struct engine_input job(int64_t hidden, int64_t ffn, int64_t heads, int64_t layers,
			       int64_t tp, int64_t pp, int64_t micro_batches)
{
	struct engine_input in = {
		.model = { .layers = layers,
			   .hidden = hidden,
			   .ffn = ffn,
			   .vocab = 128256,
			   .vocab_multiple = 128,
			   .pad_vocab = true,
			   .attention = { .heads = heads,
					  .kv_heads = 8,
					  .head = 128,
					  .v_head = 128,
					  .causal = true } },
		.parallel = { .world = tp * pp * 4,
			      .tp = tp,
			      .cp = 1,
			      .pp = pp,
			      .vpp = 1,
			      .ep = 1,
			      .etp = 1,
			      .dp = 4,
			      .edp = tp * 4,
			      .sequence_parallel = tp > 1,
			      .schedule = SCHEDULE_ONE_F_ONE_B,
			      .zero = ZERO_OPTIMIZER },
		.batch = { .sequence = 4096, .micro = 1, .micro_batches = micro_batches },
		.precision = { DTYPE_BF16, DTYPE_BF16, DTYPE_BF16 },
		.optimizer = { .clip = true },
		.recompute = { .enabled = true },
		.kernels = { .fused_norm = true,
			     .fused_activation = true,
			     .fused_accumulation = true,
			     .in_place_weight = true },
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
	printf("%-34s min %7.2f us  median %7.2f us  (%d runs, step %.4f s)\n", name, us[0],
	       us[RUNS / 2], RUNS, result.step.time);
}

static void lay_out(struct engine_input *in, struct engine_layout_stage *stages)
{
	int64_t pp = in->parallel.pp;

	for (int64_t i = 0; i < pp; i++)
		stages[i] = (struct engine_layout_stage){ in->model.layers / pp, 0, i == 0,
							  i == pp - 1 };
	in->parallel.stages = stages;
	in->parallel.stage_count = pp;
}

int main(void)
{
	static const char *const names[] = { "standard", "simumax" };
	static const enum profile_preset presets[] = { PROFILE_STANDARD, PROFILE_SIMUMAX };
	struct engine_layout_stage stages[16];
	struct arena arena;
	char name[64];

	arena_init(&arena, NULL);

	struct hardware hardware = machine(&arena);

	for (int i = 0; i < 2; i++) {
		struct profile profile;
		struct engine_input small = job(4096, 14336, 32, 32, 1, 1, 8);
		struct engine_input large = job(8192, 28672, 64, 80, 8, 4, 32);

		profile_init(&profile, presets[i]);
		small.hardware = large.hardware = &hardware;
		small.profile = large.profile = &profile;
		lay_out(&small, stages);
		snprintf(name, sizeof(name), "%s llama3-8b pp1", names[i]);
		measure(name, &small, &arena);
		lay_out(&large, stages);
		snprintf(name, sizeof(name), "%s llama3-70b tp8 pp4 mb32", names[i]);
		measure(name, &large, &arena);
		large.recompute = (struct engine_recompute){ .granularity = RECOMPUTE_FULL,
							     .method = RECOMPUTE_UNIFORM,
							     .layers = 1,
							     .enabled = true };
		snprintf(name, sizeof(name), "%s 70b tp8 pp4 mb32 full", names[i]);
		measure(name, &large, &arena);
	}
	arena_release(&arena);
	return 0;
}
