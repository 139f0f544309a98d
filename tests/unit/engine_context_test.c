/*
 * engine_context_test.c - ways of context parallelism: heads exchanged, keys and values in a ring or
 * gathered, and the two levels of both.
 */
#include "tests/unit/unit.h"

#include "tests/unit/engine_fixture.h"

/* Llama-3-8B, a sample on 16 GPUs of two nodes. */
static void init(struct fixture *f, enum cp_comm way, int64_t inner)
{
	fixture_init(f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, 16, 1, 1);
	profile_init(&f->profile, PROFILE_STANDARD);
	f->in.batch.sequence = 65536;
	f->in.model.attention.kv_heads = 16;
	f->in.parallel.cp = 16;
	f->in.parallel.dp = 1;
	f->in.parallel.cp_comm = way;
	f->in.parallel.cp_inner = inner;
}

static double core_network(struct fixture *f)
{
	const struct engine_operator *core;
	double seconds = 0;

	ck_assert_int_eq(fixture_run(f), ENGINE_OK);
	core = fixture_get_operator(f, "core");
	for (int phase = 0; phase < PHASE_COUNT; phase++)
		seconds += core->network[phase][TRAFFIC_CONTEXT];
	return seconds;
}

static double network_of(enum cp_comm way, int64_t inner)
{
	struct fixture f;
	double seconds;

	init(&f, way, inner);
	seconds = core_network(&f);
	fixture_release(&f);
	return seconds;
}

/* One level of a single rank is the other level alone. */
START_TEST(two_levels_contain_one)
{
	ck_assert_double_eq(network_of(CP_A2A_P2P, 1), network_of(CP_P2P, 0));
	ck_assert_double_eq(network_of(CP_A2A_P2P, 16), network_of(CP_A2A, 0));
	ck_assert_double_eq(network_of(CP_ALL_GATHER, 0), network_of(CP_P2P, 0));
}
END_TEST

/* The exchange stays in the node, and the ring between nodes carries what is left of the heads. */
START_TEST(two_levels_beat_a_ring_between_nodes)
{
	ck_assert_double_lt(network_of(CP_A2A_P2P, 8), network_of(CP_P2P, 0));
	ck_assert_double_lt(network_of(CP_A2A_P2P, 8), network_of(CP_A2A, 0));
}
END_TEST

/* Only what goes around hides under attention; an exchange waits, and so does a gather. */
START_TEST(rings_hide)
{
	static const struct {
		enum cp_comm way;
		bool hides;
	} ways[] = { { CP_P2P, true }, { CP_A2A, false }, { CP_ALL_GATHER, false }, { CP_A2A_P2P, true } };

	for (size_t i = 0; i < PLAN_COUNT(ways); i++) {
		struct fixture f;
		double all, core;

		init(&f, ways[i].way, 8);
		core = core_network(&f);
		all = f.result.step.part[STEP_CONTEXT_COMM];
		ck_assert_double_eq_tol(all, 8 * 32 * core, 1e-9);
		f.in.overlap.context = true;
		ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
		if (ways[i].hides)
			ck_assert_double_lt(f.result.step.part[STEP_CONTEXT_COMM], all);
		else
			ck_assert_double_eq(f.result.step.part[STEP_CONTEXT_COMM], all);
		/* Of two levels the exchange is left over. */
		if (ways[i].way == CP_A2A_P2P)
			ck_assert_double_gt(f.result.step.part[STEP_CONTEXT_COMM],
					    1.1 * (1 - f.profile.hide) * all);
		fixture_release(&f);
	}
}
END_TEST

/* All keys and values at a time cost more memory than two blocks of a ring. */
START_TEST(a_gather_holds_all_keys)
{
	struct fixture f;
	int64_t ring;

	init(&f, CP_P2P, 0);
	core_network(&f);
	ring = fixture_get_operator(&f, "core")->forward_extra;
	/* a block: 4096 tokens, 16 heads of 128, keys and values, two bytes */
	f.in.parallel.cp_comm = CP_ALL_GATHER;
	core_network(&f);
	ck_assert_int_eq(fixture_get_operator(&f, "core")->forward_extra - ring,
			 14 * INT64_C(4096) * 16 * 128 * 2 * 2);
	fixture_release(&f);
}
END_TEST

START_TEST(levels_have_to_divide)
{
	struct fixture f;

	init(&f, CP_A2A_P2P, 3);
	ck_assert_int_eq(fixture_run(&f), ENGINE_SIZE);
	ck_assert_str_eq(f.error.what, "strategy.cp_inner");
	f.in.parallel.cp_inner = 0;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SIZE);
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("engine_context", two_levels_contain_one, two_levels_beat_a_ring_between_nodes, rings_hide,
	  a_gather_holds_all_keys, levels_have_to_divide)
