/* report_test.c - the reports of a job made by hand: figures and shares, grouping of stages, verdicts. */
#include "runtime/report/report.h"

#include "tests/unit/unit.h"

#define GIB INT64_C(1073741824)

static struct arena arena;
static struct job job;
static const struct str levels[] = { STR_INIT("node"), STR_INIT("outside") };
static const struct level level_rows[2] = { { .size = 8 }, { .size = 16 } };

static void add_stage(struct engine_stage *s, int64_t rank, int64_t layers, int64_t in_flight)
{
	*s = (struct engine_stage){
		.stage = rank,
		.rank = rank,
		.layers = layers,
		.weights = 4 * GIB,
		.gradients = 8 * GIB,
		.optimizer = 6 * GIB,
		.activations = 2 * GIB,
		.in_flight = in_flight,
		.activation_peak = 3 * GIB,
		.forward_compute = 0.01,
	};
	s->peak = 18 * GIB + (in_flight - 1) * 2 * GIB + 3 * GIB;
	s->reserved = s->peak + GIB;
}

/* Four stages; the two in the middle are equal. */
static void make_job(void)
{
	struct engine_stage *s;

	arena_init(&arena, NULL);
	memset(&job, 0, sizeof job);
	s = ARENA_ARRAY(&arena, struct engine_stage, 4);
	job.name = STR("pretrain");
	job.model_name = STR("llama");
	job.gpu_name = STR("a100");
	job.cluster_name = STR("dgx");
	job.profile_name = STR("simumax");
	job.input.parallel = (struct engine_parallel){ .world = 16, .tp = 2, .cp = 1, .pp = 4, .vpp = 1,
						       .ep = 1, .etp = 1, .dp = 2, .edp = 2,
						       .zero = ZERO_OPTIMIZER };
	job.input.batch = (struct engine_batch){ 4096, 1, 16 };
	job.hardware.memory = 80 * GIB;
	job.hardware.peak = 312e12;
	job.hardware.levels = level_rows;
	job.hardware.level_count = 2;
	job.level_names = levels;
	job.input.hardware = &job.hardware;
	job.input.profile = &job.profile;
	job.profile.reserved = 0.94;
	job.result.stages = s;
	job.result.stage_count = 4;
	add_stage(&s[0], 0, 8, 4);
	add_stage(&s[1], 1, 8, 3);
	add_stage(&s[2], 2, 8, 3);
	add_stage(&s[3], 3, 8, 1);
	job.result.step.time = 2;
	job.result.step.part[STEP_COMPUTE] = 1.5;
	job.result.step.part[STEP_BUBBLE] = 0.5;
	job.result.memory.peak = s[0].peak;
	job.result.memory.reserved = s[0].reserved;
	job.parameters = 8030261248;
	job.active_parameters = 8030261248;
	job.result.counts.flops_per_token = 5e10;
	job.result.throughput.tokens_per_s = 65536;
	job.result.throughput.tokens_per_s_per_gpu = 4096;
	job.result.throughput.mfu = 0.5;
	job.fits = true;
}

static bool text_has(const struct out *o, const char *wanted)
{
	const char *text = arena_copy(&arena, o->p, o->n);

	if (strstr(text, wanted))
		return true;
	fprintf(stderr, "missing \"%s\" in:\n%s\n", wanted, text);
	return false;
}

START_TEST(text_names_the_verdict_and_the_parts)
{
	struct out o;

	make_job();
	out_init(&o, &arena);
	report_text(&job, &o);
	ck_assert(text_has(&o, "pretrain: llama on 16 x a100, tp 2, pp 4, dp 2"));
	ck_assert(text_has(&o, "8,030,261,248 parameters"));
	ck_assert(text_has(&o, "fits: stage 0 needs most, 28.00 GiB reserved (peak 27.00 GiB) of"));
	ck_assert(text_has(&o, "(65.0 %) free"));
	ck_assert(text_has(&o, "pipeline bubble"));
	ck_assert(text_has(&o, "25.0 %"));
	ck_assert(text_has(&o, "65,536 (4,096 a GPU)"));
	arena_release(&arena);
}
END_TEST

START_TEST(equal_stages_share_a_line)
{
	struct out o;

	make_job();
	out_init(&o, &arena);
	report_text(&job, &o);
	ck_assert(text_has(&o, "\n  1-2 "));
	ck_assert(text_has(&o, "\n  0 "));
	ck_assert(text_has(&o, "\n  3 "));
	arena_release(&arena);
}
END_TEST

START_TEST(a_miss_says_by_how_much)
{
	struct out o;

	make_job();
	job.hardware.memory = 20 * GIB;
	job.fits = false;
	out_init(&o, &arena);
	report_text(&job, &o);
	ck_assert(text_has(&o, "does not fit: stage 0 needs most"));
	ck_assert(text_has(&o, "misses by"));
	ck_assert(text_has(&o, "8.00 GiB too much"));
	arena_release(&arena);
}
END_TEST

START_TEST(json_holds_base_units)
{
	struct diag_sink sink;
	struct sources sources;
	struct out o;

	make_job();
	sources_init(&sources, &arena);
	diag_sink_init(&sink, &arena, &sources);
	out_init(&o, &arena);
	report_json(&job, &sink, &o);
	ck_assert(text_has(&o, "\"schema\": \"planc.report/1\""));
	ck_assert(text_has(&o, "\"parameters\": 8030261248"));
	ck_assert(text_has(&o, "\"time_s\": 2"));
	ck_assert(text_has(&o, "\"peak_bytes\": 28991029248"));
	ck_assert(text_has(&o, "\"global_batch\": 32"));
	ck_assert(text_has(&o, "\"warnings\": []"));
	arena_release(&arena);
}
END_TEST

UNIT_MAIN("report", text_names_the_verdict_and_the_parts, equal_stages_share_a_line,
	  a_miss_says_by_how_much, json_holds_base_units)
