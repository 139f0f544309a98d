/*
 * engine_memory_test.c - once warm, an evaluation asks the system for nothing: all it needs comes from blocks that
 * its arena has, by itself as well as with what evaluations of a sweep remember.
 */
#include "tests/unit/unit.h"

#include "tests/unit/engine_fixture.h"

enum { JOBS = 5, WARM = 3, RUNS = 100 };

/* From a few kilobytes of scratch to some megabytes. */
static void init_jobs(struct fixture f[JOBS])
{
	fixture_init(&f[0], FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, 1);
	fixture_init(&f[1], FIXTURE_A100, FIXTURE_LLAMA3_70B, 16, 64, 2, 4);
	fixture_init(&f[2], FIXTURE_B200, FIXTURE_DEEPSEEK_V2, 8, 16, 1, 2);
	fixture_experts(&f[2], 4, 1);
	fixture_init(&f[3], FIXTURE_A100, FIXTURE_LLAMA3_8B, 16, 16, 1, 4);
	fixture_interleave(&f[3], 4);
	f[3].in.batch.micro_batches = 4000;
	fixture_init(&f[4], FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, 8);
	profile_init(&f[4].profile, PROFILE_STANDARD);
	f[4].in.parallel.schedule = SCHEDULE_DUALPIPE;
	f[4].in.batch.micro_batches = 1000;
	for (int i = 0; i < 4; i += 3)
		profile_init(&f[i].profile, PROFILE_STANDARD);
}

static void evaluate_all(struct fixture f[JOBS], struct engine_memo *memo, struct arena *arena)
{
	for (int i = 0; i < JOBS; i++) {
		const struct arena_mark mark = arena_mark(arena);
		struct engine_result result;
		struct engine_error error;

		ck_assert_int_eq(memo ? engine_evaluate_like(&f[i].in, memo, arena, &result, &error)
				      : engine_evaluate(&f[i].in, arena, &result, &error),
				 ENGINE_OK);
		arena_reset(arena, mark);
	}
}

/* `held`: bytes that lie in the arena all the time. */
static void check_steady(bool remembers, size_t held)
{
	struct fixture f[JOBS];
	struct arena arena, own, kept;
	struct engine_memo *memo = NULL;
	int64_t taken = 0;

	init_jobs(f);
	arena_init(&arena, NULL);
	arena_init(&own, NULL);
	arena_init(&kept, NULL);
	if (remembers)
		memo = engine_memo_make(&own, &kept);
	if (held > 0)
		(void)arena_alloc(&arena, held);
	for (int i = 0; i < WARM + RUNS; i++) {
		if (i == WARM)
			taken = arena.taken + kept.taken;
		evaluate_all(f, memo, &arena);
	}
	ck_assert_int_gt(taken, 0);
	ck_assert_int_eq(arena.taken + kept.taken, taken);
	arena_release(&kept);
	arena_release(&own);
	arena_release(&arena);
	for (int i = 0; i < JOBS; i++)
		fixture_release(&f[i]);
}

START_TEST(alone)
{
	check_steady(false, 0);
	check_steady(false, 1000);
	check_steady(false, 60000);
}
END_TEST

START_TEST(in_a_sweep)
{
	check_steady(true, 0);
	check_steady(true, 1000);
	check_steady(true, 60000);
}
END_TEST

UNIT_MAIN("engine_memory", alone, in_a_sweep)
