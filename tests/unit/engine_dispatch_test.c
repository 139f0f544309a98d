/*
 * engine_dispatch_test.c - ways of sending tokens to their experts: a copy for every expert, or one
 * for every unit of the network; formats on the way; and where pipeline ranks lie.
 */
#include <math.h>

#include "tests/unit/unit.h"

#include "tests/unit/engine_fixture.h"

/* Seconds that one more sample adds to the traffic of an operator: latency is not in them. */
static double added(struct fixture *f, const char *name, enum phase phase)
{
	double seconds[2];

	for (int i = 0; i < 2; i++) {
		f->in.batch.micro = 1 + i;
		ck_assert_int_eq(fixture_run(f), ENGINE_OK);
		seconds[i] = fixture_get_operator(f, name)->network[phase][TRAFFIC_EXPERT];
	}
	return seconds[1] - seconds[0];
}

/* DeepSeek-V2, 160 experts and 6 of them a token, over 16 GPUs of two nodes. */
static void init(struct fixture *f)
{
	fixture_init(f, FIXTURE_B200, FIXTURE_DEEPSEEK_V2, 4, 16, 1, 1);
	fixture_experts(f, 16, 1);
	profile_init(&f->profile, PROFILE_STANDARD);
	f->in.parallel.dispatch_probs = false;
}

/* Of two nodes with 80 experts each, one has none of six with a probability of C(80,6) / C(160,6). */
START_TEST(tokens_cross_once)
{
	struct fixture f;
	double every, once, missed = 1;

	for (int i = 0; i < 6; i++)
		missed *= (80.0 - i) / (160.0 - i);
	init(&f);
	every = added(&f, "dispatch", PHASE_FORWARD);
	f.in.parallel.sent_once = true;
	once = added(&f, "dispatch", PHASE_FORWARD);
	ck_assert_double_eq_tol(once / every, 2 * (1 - missed) / 6, 1e-9);
	ck_assert_double_eq_tol(added(&f, "combine", PHASE_FORWARD), once, 1e-12);
	/* Routing to one group of experts visits one node. */
	f.in.model.moe.groups = 2;
	f.in.model.moe.group_top_k = 1;
	ck_assert_double_eq_tol(added(&f, "dispatch", PHASE_FORWARD) / every, 1.0 / 6, 1e-9);
	fixture_release(&f);
}
END_TEST

/* Two experts of eight on four ranks of one node: both on one rank with a probability of 1/7. */
START_TEST(copies_for_one_rank_are_one)
{
	struct fixture f;
	double every;

	fixture_init(&f, FIXTURE_B200, FIXTURE_MIXTRAL_8X7B, 4, 8, 1, 1);
	fixture_experts(&f, 4, 1);
	profile_init(&f.profile, PROFILE_STANDARD);
	every = added(&f, "dispatch", PHASE_FORWARD);
	f.in.parallel.sent_once = true;
	ck_assert_double_eq_tol(added(&f, "dispatch", PHASE_FORWARD) / every, (2 - 1.0 / 7) / 2,
				1e-9);
	fixture_release(&f);
}
END_TEST

/* Eight bits on the way out; the way back and the gradients keep sixteen. */
START_TEST(tokens_travel_narrow)
{
	struct fixture f;
	double out, back, gradient;

	init(&f);
	out = added(&f, "dispatch", PHASE_FORWARD);
	back = added(&f, "combine", PHASE_FORWARD);
	gradient = added(&f, "dispatch", PHASE_INPUT_GRADIENT);
	f.in.precision.dispatch = DTYPE_FP8;
	ck_assert_double_eq_tol(added(&f, "dispatch", PHASE_FORWARD), out / 2, 1e-12);
	ck_assert_double_eq_tol(added(&f, "combine", PHASE_FORWARD), back, 1e-15);
	ck_assert_double_eq_tol(added(&f, "dispatch", PHASE_INPUT_GRADIENT), gradient, 1e-15);
	fixture_release(&f);
}
END_TEST

/* Inside, stages lie in one node and replicas reach over both; outside, the other way round. */
START_TEST(order_decides_who_is_near)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, 16, 1, 2);
	profile_init(&f.profile, PROFILE_STANDARD);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.level[GROUP_PP], 1);
	ck_assert_int_eq(f.result.level[GROUP_DP], 0);
	f.in.parallel.pp_inside = true;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.level[GROUP_PP], 0);
	ck_assert_int_eq(f.result.level[GROUP_DP], 1);
	fixture_release(&f);
}
END_TEST

/* A mask of a byte an element for each of two sums a layer, and nothing under SimuMax's profile. */
START_TEST(dropout_keeps_masks)
{
	struct fixture f;
	int64_t without;

	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, 8, 1, 1);
	profile_init(&f.profile, PROFILE_STANDARD);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	without = f.result.stages[0].activations;
	f.in.model.dropout = 0.1;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].activations - without, INT64_C(32) * 2 * 4096 * 4096);
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("engine_dispatch", tokens_cross_once, copies_for_one_rank_are_one, tokens_travel_narrow,
	  order_decides_who_is_near, dropout_keeps_masks)
