/*
 * engine_mtp_test.c - layers that predict further tokens: what they add to a stage, where their
 * table, norm and heads are held, and what travels behind them.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/engine_recount.h"

enum { HIDDEN = 4096, LAYER = 218112000 };

/* llama3-8b in four stages of eight layers with `depth` further tokens on the last one. */
static void init_further(struct fixture *f, int64_t depth, int64_t pp)
{
	fixture_init(f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, pp);
	f->in.model.mtp_depth = depth;
	f->stages[pp - 1].mtp = depth;
	profile_init(&f->profile, PROFILE_STANDARD);
}

static double sum_phase(const struct fixture *f, enum graph_part part, enum phase phase)
{
	double seconds = 0;

	for (int i = 0; i < f->result.operator_count; i++)
		if (f->result.operators[i].part == part)
			seconds += f->result.operators[i].compute[phase];
	return seconds;
}

/* One layer, a projection of two widths, three norms; embedding and output matrix are shared. */
START_TEST(parameters_are_counted_once)
{
	struct fixture f;
	const int64_t further = LAYER + 2 * (int64_t)HIDDEN * HIDDEN + 3 * HIDDEN;
	int64_t plain;

	init_further(&f, 0, 1);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	plain = f.result.stages[0].parameters;
	ck_assert_int_eq(plain, recount_parameters(&f.in.model, f.result.counts.padded_vocab));
	f.in.model.mtp_depth = f.stages[0].mtp = 2;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].parameters, plain + 2 * further);
	ck_assert_int_eq(f.result.stages[0].mtp, 2);
	ck_assert_int_eq(f.result.stages[0].layers, 32);
	f.in.model.mtp_shared = true;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].parameters, plain + further);
	fixture_release(&f);
}
END_TEST

/* Away from the first stage the table of embeddings is there a second time, unless it is tied. */
START_TEST(tables_of_a_stage)
{
	struct fixture f;
	int64_t held[2], reduce[2], table;

	init_further(&f, 1, 4);
	for (int tied = 0; tied < 2; tied++) {
		f.in.model.tied = tied;
		ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
		held[tied] = f.result.stages[3].parameters;
		reduce[tied] = f.result.stages[3].gradient_reduce > f.result.stages[2].gradient_reduce;
	}
	table = f.result.counts.padded_vocab * HIDDEN;
	ck_assert_int_eq(held[0], 9 * (int64_t)LAYER + 2 * (int64_t)HIDDEN * HIDDEN +
					  4 * HIDDEN + 2 * table);
	ck_assert_int_eq(held[1], held[0] - table);
	ck_assert(reduce[0] && reduce[1]);
	fixture_release(&f);
}
END_TEST

/* Forward of a stage is that of its parts: one more layer, norm, head and entry a token. */
START_TEST(heads_run_once_a_token)
{
	struct fixture f;
	double before, after;

	init_further(&f, 0, 4);
	f.profile.launch = 0;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	before = f.result.stages[3].forward_compute;
	f.in.model.mtp_depth = f.stages[3].mtp = 2;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	after = before;
	for (int part = GRAPH_DENSE; part < GRAPH_PART_COUNT; part++)
		after += 2 * sum_phase(&f, (enum graph_part)part, PHASE_FORWARD);
	ck_assert_double_le(fabs(f.result.stages[3].forward_compute - after), 1e-12);
	ck_assert_double_eq(fixture_get_operator(&f, "mtp_proj")->flops[PHASE_FORWARD],
			    2.0 * 4096 * 2 * HIDDEN * HIDDEN);
	ck_assert_int_eq(fixture_get_operator(&f, "mtp_embed")->parameters, 0);
	/* Every head keeps its logits until backward. */
	ck_assert_int_eq(f.result.stages[3].logits / fixture_get_operator(&f, "ce")->keep, 3);
	fixture_release(&f);
}
END_TEST

/* A stage of their own: the activations of all tokens travel on to the heads. */
START_TEST(activations_travel_together)
{
	struct fixture f;
	double plain;

	init_further(&f, 2, 4);
	f.stages[3] = (struct engine_layout_stage){ 0, 0, false, true, 0 };
	f.stages[2].layers += 8;
	f.stages[2].mtp = 2;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	plain = f.result.stages[0].p2p;
	ck_assert_int_eq(f.result.stages[2].mtp, 2);
	ck_assert_double_gt(f.result.stages[3].p2p, 2.9 * plain);
	ck_assert_double_lt(f.result.stages[3].p2p, 3 * plain);
	/* The heads have their output matrix, and no table beside it. */
	ck_assert_int_eq(f.result.stages[3].parameters,
			 (f.result.counts.padded_vocab + 1) * HIDDEN);
	ck_assert_double_gt(f.result.stages[3].forward_flops,
			    2.9 * fixture_get_operator(&f, "lm_head")->flops[PHASE_FORWARD]);
	fixture_release(&f);
}
END_TEST

START_TEST(recompute_takes_them_along)
{
	struct fixture f;
	double proj;

	init_further(&f, 1, 4);
	f.profile.launch = 0;
	f.in.recompute = (struct engine_recompute){ .granularity = RECOMPUTE_FULL,
						    .method = RECOMPUTE_UNIFORM,
						    .layers = 1,
						    .enabled = true };
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	proj = fixture_get_operator(&f, "mtp_proj")->compute[PHASE_FORWARD];
	ck_assert_int_eq(f.result.stages[3].recomputed_layers, 9);
	ck_assert_double_gt(f.result.stages[3].recompute_compute,
			    f.result.stages[2].recompute_compute * 9 / 8 + proj);
	/* The first layers of a stage do not reach them. */
	fixture_recompute(&f, 8, 0);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[3].recomputed_layers, 8);
	fixture_release(&f);
}
END_TEST

START_TEST(misplaced_layers_are_refused)
{
	struct fixture f;

	init_further(&f, 2, 4);
	f.stages[3].mtp = 1;
	ck_assert_int_eq(fixture_run(&f), ENGINE_LAYOUT);
	f.stages[2].mtp = 1;
	ck_assert_int_eq(fixture_run(&f), ENGINE_LAYOUT);
	ck_assert_ptr_nonnull(strstr(f.error.what, "more than one stage"));
	f.stages[3].mtp = f.stages[2].mtp = 0;
	ck_assert_int_eq(fixture_run(&f), ENGINE_LAYOUT);
	ck_assert_ptr_nonnull(strstr(f.error.what, "another number"));
	f.stages[3].mtp = -1;
	ck_assert_int_eq(fixture_run(&f), ENGINE_LAYOUT);
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("engine_mtp", parameters_are_counted_once, tables_of_a_stage, heads_run_once_a_token,
	  activations_travel_together, recompute_takes_them_along, misplaced_layers_are_refused)
