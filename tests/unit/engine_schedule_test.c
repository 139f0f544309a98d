/*
 * engine_schedule_test.c - interleaved stages, context exchange and narrow products against figures
 * SimuMax 1.2 prints for llama3-8b, and what schedules do under other assumptions.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "tests/unit/engine_fixture.h"

static void ck_near(double got, double want, double tolerance)
{
	ck_assert_double_le(fabs(got - want), tolerance);
}

/* Four ranks, two chunks of four layers on each, blocking transfers, eight micro-batches. */
static void init_interleaved(struct fixture *f, enum fixture_machine machine)
{
	fixture_init(f, machine, FIXTURE_LLAMA3_8B, 32, 8, 1, 4);
	fixture_interleave(f, 2);
}

START_TEST(chunks_take_their_turns)
{
	static const int64_t peaks[] = { 52594212864, 41718382592, 37152882688, 41885155328 };
	struct fixture f;

	init_interleaved(&f, FIXTURE_A100);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stage_count, 8);
	ck_near(f.result.stages[0].forward * 1e3, 36.789948, 5e-7);
	ck_near(f.result.stages[0].backward * 1e3, 77.608909, 5e-7);
	ck_near(f.result.stages[5].forward * 1e3, 36.055746, 5e-7);
	ck_near(f.result.stages[5].backward * 1e3, 74.877997, 5e-7);
	ck_near(f.result.stages[7].forward * 1e3, 69.086801, 5e-7);
	ck_near(f.result.stages[7].backward * 1e3, 118.176177, 5e-7);
	ck_near(f.result.step.pipeline * 1e3, 2788.033897, 1e-6);
	ck_near(f.result.step.time * 1e3, 3187.311358, 1e-6);
	ck_near(f.result.throughput.mfu, 0.42402841, 6e-9);
	for (int64_t r = 0; r < 4; r++) {
		ck_assert_int_eq(f.result.stages[r].peak, peaks[r]);
		ck_assert_int_eq(f.result.stages[r + 4].peak, 0);
		ck_assert_int_eq(f.result.stages[r + 4].chunk, 1);
	}
	/* Ten warm-up forwards and the first of the alternating phase. */
	ck_assert_int_eq(f.result.stages[0].in_flight, 11);
	ck_assert_int_eq(f.result.stages[3].in_flight, 5);
	fixture_release(&f);

	init_interleaved(&f, FIXTURE_B200);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.pipeline * 1e3, 588.6732, 6e-5);
	ck_near(f.result.step.time * 1e3, 620.1709, 6e-5);
	fixture_release(&f);
}
END_TEST

START_TEST(circles_are_refused)
{
	struct fixture f;
	char text[ENGINE_TEXT_MAX];

	init_interleaved(&f, FIXTURE_A100);
	f.in.batch.micro_batches = 6;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SCHEDULE);
	engine_error_text(&f.error, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "6 micro-batches"));
	ck_assert_ptr_nonnull(strstr(text, "multiple of pp"));
	f.in.batch.micro_batches = 16;
	f.in.parallel.vpp_group = 8;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SCHEDULE);
	/* Messages do not hold their receivers: any whole group will do. */
	profile_init(&f.profile, PROFILE_STANDARD);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	fixture_interleave(&f, 4);
	f.in.batch.micro_batches = 17;
	f.in.parallel.vpp_group = 4;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SCHEDULE);
	engine_error_text(&f.error, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "shorter than pp"));
	fixture_release(&f);
}
END_TEST

/* Overlapped transfers beat those that take their turn; chunks shorten the bubble. */
START_TEST(ways_of_sending)
{
	struct fixture f;
	double blocking, sending, overlapped;

	init_interleaved(&f, FIXTURE_A100);
	f.in.batch.micro_batches = 32;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	blocking = f.result.step.pipeline;
	f.profile.sync_pipeline = false;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	sending = f.result.step.pipeline;
	f.in.overlap.pipeline = true;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	overlapped = f.result.step.pipeline;
	ck_assert_double_lt(overlapped, blocking);
	ck_assert_double_lt(overlapped, sending);

	double bubble = f.result.step.part[STEP_BUBBLE];

	fixture_release(&f);
	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, 4);
	f.in.batch.micro_batches = 32;
	f.profile.sync_pipeline = false;
	f.in.overlap.pipeline = true;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_double_lt(bubble, f.result.step.part[STEP_BUBBLE]);
	fixture_release(&f);
}
END_TEST

/* Once the pipeline is full every further micro-batch takes the same. */
START_TEST(many_micro_batches_grow_evenly)
{
	struct fixture f;
	double at[3];

	for (int chunks = 1; chunks <= 2; chunks++) {
		init_interleaved(&f, FIXTURE_A100);
		fixture_interleave(&f, chunks);
		if (chunks == 1)
			f.in.parallel.schedule = SCHEDULE_ONE_F_ONE_B;
		for (int i = 0; i < 3; i++) {
			f.in.batch.micro_batches = 4000 * (i + 1);
			ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
			at[i] = f.result.step.pipeline;
		}
		ck_near(at[2] - at[1], at[1] - at[0], 1e-9 * at[0]);
		fixture_release(&f);
	}
}
END_TEST

START_TEST(narrow_products)
{
	struct fixture f;
	const struct engine_operator *qkv, *core, *head;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 1);
	f.in.precision = (struct engine_precision){ .compute = DTYPE_BF16,
						     .linear = DTYPE_FP8,
						     .weights = DTYPE_FP8,
						     .dispatch = DTYPE_BF16 };
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.pipeline * 1e3, 4539.0066, 6e-5);
	ck_near(f.result.step.time * 1e3, 6975.2181, 6e-5);
	ck_assert_int_eq(f.result.memory.peak, 42746548224);
	qkv = fixture_get_operator(&f, "qkv");
	core = fixture_get_operator(&f, "core");
	head = fixture_get_operator(&f, "lm_head");
	ck_assert_int_eq(fixture_get_operator(&f, "qkv_cast")->moved[PHASE_FORWARD], 25165824);
	ck_assert_int_eq(qkv->keep, 16777216);
	ck_assert_int_eq(qkv->weight_bytes, 12582912);
	ck_assert_int_eq(core->keep, 42074112);
	ck_assert_int_eq(head->keep, 2 * 4096 * 4096);

	/* Corrected: the slice is kept, and gathered, one byte an element; the head stays wide. */
	double gather = qkv->network[PHASE_FORWARD][TRAFFIC_TENSOR];

	f.profile.narrow_cache_gathered = false;
	f.profile.wide_gather = false;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	qkv = fixture_get_operator(&f, "qkv");
	ck_assert_int_eq(qkv->keep, 8388608);
	ck_assert_double_lt(qkv->network[PHASE_FORWARD][TRAFFIC_TENSOR], gather);
	ck_assert_int_eq(fixture_get_operator(&f, "lm_head")->keep, 4096 * 4096);
	fixture_release(&f);
}
END_TEST

START_TEST(heads_change_places)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, 8, 2, 1);
	f.in.parallel.cp = 2;
	f.in.parallel.dp = 2;
	f.in.parallel.cp_comm = CP_A2A;
	f.in.overlap.context = true;
	f.in.te = (struct version){ { 2, 8, 0 } };
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.pipeline * 1e3, 743.9514, 6e-5);
	ck_near(f.result.step.time * 1e3, 801.2084, 6e-5);
	ck_assert_int_eq(f.result.memory.peak, 42531590144);
	f.in.overlap.context = false;
	f.in.te = (struct version){ { 0, 0, 0 } };
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.pipeline * 1e3, 760.7537, 6e-5);
	ck_near(f.result.step.time * 1e3, 818.0108, 6e-5);
	ck_assert_int_eq(f.result.memory.peak, 41518665728);
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("engine_schedule", chunks_take_their_turns, circles_are_refused, ways_of_sending,
	  many_micro_batches_grow_evenly, narrow_products, heads_change_places)
