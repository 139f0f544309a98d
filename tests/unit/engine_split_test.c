/*
 * engine_split_test.c - schedules that cut backwards in two: what of a backward can wait, what waits
 * in memory, how many micro-batches are alive, and what two directions cost.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "tests/unit/engine_fixture.h"

enum { RANKS = 8 };

/* llama3-8b without tensor parallelism in eight stages of four layers. */
static void init_split(struct fixture *f, enum engine_schedule schedule)
{
	fixture_init(f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, RANKS);
	profile_init(&f->profile, PROFILE_STANDARD);
	f->profile.launch = 0;
	f->in.parallel.schedule = schedule;
	f->in.batch.micro_batches = 32;
}

/* Peak of a rank without what it holds all the time. */
static int64_t activations(const struct fixture *f, int64_t r)
{
	const struct engine_stage *s = &f->result.stages[r];

	return s->peak - s->weights - s->gradients - s->optimizer - s->other_static;
}

static double wait(const struct fixture *f)
{
	const struct engine_stage *s = &f->result.stages[3];
	double m = (double)f->in.batch.micro_batches;

	return f->result.step.pipeline - m * (s->forward + s->backward);
}

/* Weight gradients of linears, with their traffic, as the graph prices them; nothing of norms. */
START_TEST(what_can_wait_comes_from_the_graph)
{
	struct fixture f;
	double want = 0;
	int64_t bytes = 0;

	init_split(&f, SCHEDULE_ZB1P);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	for (int i = 0; i < f.result.operator_count; i++) {
		const struct engine_operator *op = &f.result.operators[i];

		if (op->part != GRAPH_DENSE)
			continue;
		ck_assert((op->deferred > 0) ==
			  (op->kind == OPERATOR_COLUMN || op->kind == OPERATOR_ROW));
		want += op->deferred > 0 ? 4 * op->compute[PHASE_WEIGHT_GRADIENT] : 0;
		bytes += 4 * op->deferred;
	}
	ck_assert_double_eq_tol(f.result.stages[3].weight_gradient, want, 1e-12);
	ck_assert_int_eq(f.result.stages[3].deferred, bytes);
	/* Inputs of four linears, gradients of their outputs; two bytes an element, 4096 tokens. */
	ck_assert_int_eq(bytes, 4 * 2 * 4096LL *
					((4096 + 6144) + 2 * 4096 + (4096 + 2 * 14336) +
					 (14336 + 4096)));
	fixture_release(&f);
}
END_TEST

START_TEST(less_waiting)
{
	static const enum engine_schedule schedules[] = { SCHEDULE_ONE_F_ONE_B, SCHEDULE_ZB1P,
							  SCHEDULE_ZB2P };
	struct fixture f;
	double waits[3];

	for (int i = 0; i < 3; i++) {
		init_split(&f, schedules[i]);
		/* Without a heavy head all stages are about alike. */
		f.in.model.vocab = 1024;
		f.in.overlap.pipeline = true;
		ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
		waits[i] = wait(&f);
		fixture_release(&f);
	}
	ck_assert_double_lt(waits[1], 0.6 * waits[0]);
	ck_assert_double_lt(waits[2], waits[1]);
}
END_TEST

/*
 * ZB-H1 has as many whole micro-batches alive as one-forward-one-backward, and on rank r the weight
 * gradients of r more: about what rank 0 has. ZB-H2 twice as much.
 */
START_TEST(memory_that_waits)
{
	struct fixture plain, one, two;

	init_split(&plain, SCHEDULE_ONE_F_ONE_B);
	init_split(&one, SCHEDULE_ZB1P);
	init_split(&two, SCHEDULE_ZB2P);
	ck_assert_int_eq(fixture_run(&plain), ENGINE_OK);
	ck_assert_int_eq(fixture_run(&one), ENGINE_OK);
	ck_assert_int_eq(fixture_run(&two), ENGINE_OK);
	for (int64_t r = 0; r < RANKS; r++) {
		int64_t waits = one.result.stages[r].deferred;

		ck_assert_int_eq(plain.result.stages[r].in_flight, RANKS - r);
		ck_assert_int_eq(one.result.stages[r].in_flight, RANKS - r);
		ck_assert_int_eq(two.result.stages[r].in_flight, 2 * (RANKS - r) - 1);
		ck_assert_int_ge(activations(&one, r), activations(&plain, r) + r * waits);
		ck_assert_int_le(activations(&one, r), activations(&plain, r) + (r + 1) * waits);
		ck_assert_int_ge(activations(&two, r), activations(&one, r));
	}
	ck_assert_int_le(activations(&one, 3), activations(&plain, 0) * 11 / 10);
	fixture_release(&plain);
	fixture_release(&one);
	fixture_release(&two);
}
END_TEST

/* Two stages on every rank, one micro-batch more alive than there are ranks, states twice. */
START_TEST(two_directions)
{
	struct fixture plain, both;

	init_split(&plain, SCHEDULE_ONE_F_ONE_B);
	init_split(&both, SCHEDULE_DUALPIPE);
	ck_assert_int_eq(fixture_run(&plain), ENGINE_OK);
	ck_assert_int_eq(fixture_run(&both), ENGINE_OK);
	for (int64_t r = 0; r < RANKS; r++) {
		const struct engine_stage *a = &plain.result.stages[r];
		const struct engine_stage *b = &plain.result.stages[RANKS - 1 - r];
		const struct engine_stage *s = &both.result.stages[r];

		ck_assert_int_eq(s->in_flight, RANKS + 1);
		ck_assert_int_eq(s->mirror, RANKS - 1 - r);
		ck_assert_int_eq(s->weights, a->weights + b->weights);
		ck_assert_int_eq(s->gradients, a->gradients + b->gradients);
		ck_assert_int_eq(s->optimizer, a->optimizer + b->optimizer);
	}
	/* Either copy's gradients are summed with the other's. */
	ck_assert_double_gt(both.result.stages[3].gradient_reduce_busy,
			    plain.result.stages[3].gradient_reduce_busy);
	ck_assert_double_lt(both.result.step.pipeline, plain.result.step.pipeline);
	fixture_release(&plain);
	fixture_release(&both);
}
END_TEST

START_TEST(refusals)
{
	struct fixture f;
	char text[ENGINE_TEXT_MAX];

	init_split(&f, SCHEDULE_DUALPIPE);
	f.in.batch.micro_batches = 14;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SCHEDULE);
	engine_error_text(&f.error, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "14 micro-batches: dualpipe takes them in from both ends"));
	f.in.batch.micro_batches = 17;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SCHEDULE);
	f.in.batch.micro_batches = 16;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	f.profile.sync_pipeline = true;
	ck_assert_int_eq(fixture_run(&f), ENGINE_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(f.error.what, "profile.sync_pipeline"));
	f.profile.sync_pipeline = false;
	f.in.parallel.schedule = SCHEDULE_ZBV;
	ck_assert_int_eq(fixture_run(&f), ENGINE_UNSUPPORTED);
	fixture_release(&f);
	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 33, 3, 1, 3);
	profile_init(&f.profile, PROFILE_STANDARD);
	f.in.parallel.schedule = SCHEDULE_DUALPIPE;
	f.in.batch.micro_batches = 8;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SCHEDULE);
	ck_assert_ptr_nonnull(strstr(f.error.what, "pp must be even"));
	/* Fewer micro-batches than ranks leave zb1p more to wait for, and finish. */
	f.in.parallel.schedule = SCHEDULE_ZB1P;
	f.in.batch.micro_batches = 2;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].in_flight, 2);
	fixture_release(&f);
}
END_TEST

/* Once they are full, all of them take the same for every further micro-batch. */
START_TEST(many_micro_batches)
{
	static const enum engine_schedule schedules[] = { SCHEDULE_ZB1P, SCHEDULE_ZB2P,
							  SCHEDULE_DUALPIPE };
	struct fixture f;
	double at[3];

	for (int i = 0; i < 3; i++) {
		init_split(&f, schedules[i]);
		for (int k = 0; k < 3; k++) {
			f.in.batch.micro_batches = 10000 * (k + 1);
			ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
			at[k] = f.result.step.pipeline;
		}
		ck_assert_double_eq_tol(at[2] - at[1], at[1] - at[0], 1e-9 * at[0]);
		fixture_release(&f);
	}
}
END_TEST

UNIT_MAIN("engine_split", what_can_wait_comes_from_the_graph, less_waiting, memory_that_waits,
	  two_directions, refusals, many_micro_batches)
