/*
 * engine_shard_test.c - states cut inside groups smaller than all data-parallel ranks: what travels
 * inside a group and between them, what is gathered, and what lies in memory for it.
 */
#include "tests/unit/unit.h"

#include "tests/unit/engine_fixture.h"
#include "tests/unit/engine_recount.h"

static void run(struct fixture *f)
{
	ck_assert_int_eq(fixture_run(f), ENGINE_OK);
}

/* Llama-3-8B on pure data parallelism, gradients in one bucket. */
static void init(struct fixture *f, int64_t world, enum zero_level zero)
{
	fixture_init(f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, world, 1, 1);
	profile_init(&f->profile, PROFILE_STANDARD);
	f->in.parallel.zero = zero;
	f->in.parallel.reshard = true;
	f->in.parallel.bucket = INT64_C(1) << 40;
}

static double seconds_of(const struct link *link, enum collective collective, double bytes,
			 double steps)
{
	const struct collective_row *row = &link->collectives[collective];
	double efficiency = row->has_efficiency ? row->efficiency : link->efficiency;
	double latency = row->has_latency ? row->latency : link->latency;

	return bytes / (link->bandwidth * efficiency) + latency * steps;
}

/* Two nodes with a copy each: reduced in the node, then each eighth between the two. */
START_TEST(copies_are_summed)
{
	struct fixture one, two;

	init(&one, 8, ZERO_OPTIMIZER);
	run(&one);
	init(&two, 16, ZERO_OPTIMIZER);
	two.in.parallel.shard = 8;
	run(&two);

	const struct engine_stage *s = &two.result.stages[0];
	double eighth = (double)s->parameters * 4 / 8;
	double between = seconds_of(&two.hardware.levels[1].link, COLLECTIVE_ALL_REDUCE,
				    2 * eighth / 2, 2);

	ck_assert_double_eq_tol(s->gradient_reduce_busy,
				one.result.stages[0].gradient_reduce_busy + between, 1e-12);
	ck_assert_double_eq(s->parameter_gather_busy, one.result.stages[0].parameter_gather_busy);
	ck_assert_int_eq(s->optimizer, one.result.stages[0].optimizer);
	/* Nothing is cut: there are no copies, and all ranks sum. */
	two.in.parallel.zero = ZERO_OFF;
	run(&two);
	double whole = two.result.stages[0].gradient_reduce_busy;
	two.in.parallel.shard = 0;
	run(&two);
	ck_assert_double_eq(two.result.stages[0].gradient_reduce_busy, whole);
	fixture_release(&one);
	fixture_release(&two);
}
END_TEST

START_TEST(experts_have_copies_too)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_B200, FIXTURE_MIXTRAL_8X7B, 4, 32, 1, 1);
	fixture_experts(&f, 4, 1);
	profile_init(&f.profile, PROFILE_STANDARD);
	run(&f);
	double all = f.result.stages[0].gradient_reduce_busy;
	int64_t optimizer = f.result.stages[0].optimizer;
	f.in.parallel.shard = 8;
	run(&f);
	/* dense 1/8 in place of 1/32, experts 1/2 in place of 1/8 */
	ck_assert_int_ge(f.result.stages[0].optimizer, 4 * optimizer - 8);
	ck_assert_int_le(f.result.stages[0].optimizer, 4 * optimizer);
	ck_assert_double_ne(f.result.stages[0].gradient_reduce_busy, all);
	f.in.parallel.shard = 5;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SIZE);
	ck_assert_str_eq(f.error.what, "strategy.shard_group");
	fixture_release(&f);
}
END_TEST

/* Weights kept after forward are gathered half as often, and lie in memory whole. */
START_TEST(kept_weights_are_gathered_once)
{
	struct fixture f;

	init(&f, 16, ZERO_PARAMETERS);
	run(&f);
	double twice = f.result.stages[0].parameter_gather_busy;
	int64_t buffers = f.result.stages[0].other_static, cut = f.result.stages[0].weights;
	int64_t largest = f.result.counts.padded_vocab * 4096 * 2;

	/* The output projection is the largest part. */
	ck_assert_int_eq(buffers, 2 * largest);
	f.in.parallel.reshard = false;
	run(&f);
	ck_assert_double_eq_tol(f.result.stages[0].parameter_gather_busy, twice / 2, 1e-12);
	ck_assert_int_eq(f.result.stages[0].other_static + cut,
			 recount_parameters(&f.in.model, f.result.counts.padded_vocab) * 2);
	fixture_release(&f);
}
END_TEST

/* A second copy inside the node: backward need not leave it. */
START_TEST(gather_groups_stay_near)
{
	struct fixture f;

	init(&f, 16, ZERO_PARAMETERS);
	run(&f);
	double far = f.result.stages[0].parameter_gather_busy;
	int64_t buffers = f.result.stages[0].other_static;
	f.in.parallel.gather = 8;
	run(&f);
	ck_assert_double_lt(f.result.stages[0].parameter_gather_busy, far);
	ck_assert_double_gt(f.result.stages[0].parameter_gather_busy, far / 2);
	ck_assert_int_eq(f.result.stages[0].other_static - buffers,
			 recount_parameters(&f.in.model, f.result.counts.padded_vocab) * 2 / 8);
	f.in.parallel.gather = 3;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SIZE);
	ck_assert_str_eq(f.error.what, "strategy.gather_group");
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("engine_shard", copies_are_summed, experts_have_copies_too,
	  kept_weights_are_gathered_once, gather_groups_stay_near)
