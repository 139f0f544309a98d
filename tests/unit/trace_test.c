/*
 * trace_test.c - the trace of a step: it is JSON, its events tile every stage and add up to the parts of the
 * report, passes come in Megatron's order, memory reaches the predicted peak.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "compiler/base/out.h"
#include "compiler/source/json.h"
#include "runtime/report/trace.h"
#include "tests/unit/engine_fixture.h"

enum { DEPTH_MAX = 8, MANY = 1000000 };

/* A trace, read back. */
struct reading {
	struct sources sources;
	struct job job;
	struct out text;
	const struct json *root, *events;
};

static void print_trace(struct fixture *f, struct job *job, enum trace_detail detail, struct out *o)
{
	int64_t events;
	const struct trace *t;

	*job = (struct job){ .name = STR("a \"job\""), .profile_name = STR("simumax") };
	job->profile = f->profile;
	job->input = f->in;
	job->input.profile = &job->profile;
	t = trace_make(job, detail, MANY, &f->arena, &events);
	ck_assert_ptr_nonnull(t);
	out_init(o, &f->arena);
	trace_print(t, o);
}

static void read_trace(struct fixture *f, enum trace_detail detail, struct reading *r)
{
	struct json_error error;
	uint32_t file;

	ck_assert_int_eq(fixture_run(f), ENGINE_OK);
	print_trace(f, &r->job, detail, &r->text);
	sources_init(&r->sources, &f->arena);
	file = sources_add(&r->sources, STR("trace.json"), out_view(&r->text), false);
	r->root = json_parse(&f->arena, &r->sources, file, &error);
	ck_assert_ptr_nonnull(r->root);
	r->events = json_member(r->root, "traceEvents");
	ck_assert_ptr_nonnull(r->events);
	ck_assert(trace_is_ours(out_view(&r->text)));
}

static double number(const struct json *object, const char *key)
{
	const struct json *j = json_member(object, key);

	ck_assert_ptr_nonnull(j);
	return num_to_double(j->number);
}

static int64_t nanoseconds(const struct json *event, const char *key)
{
	return llround(number(event, key) * 1e3);
}

static bool is(const struct json *event, const char *key, const char *value)
{
	const struct json *j = json_member(event, key);

	return j && str_is(j->text, value);
}

/* Slices of a stage lie in one another or behind one another, and leave no hole from first to last. */
static void check_tiling(const struct fixture *f, const struct reading *r, int64_t rank)
{
	int64_t end[DEPTH_MAX], covered = 0, began = 0;
	int depth = 0;

	for (uint32_t i = 0; i < r->events->count; i++) {
		const struct json *e = &r->events->items[i];

		if (!is(e, "ph", "X") || (int64_t)number(e, "pid") != rank)
			continue;

		int64_t from = nanoseconds(e, "ts"), to = from + nanoseconds(e, "dur");

		while (depth > 0 && end[depth - 1] <= from)
			depth--;
		if (depth > 0)
			ck_assert_int_le(to, end[depth - 1]);
		/* Under ZB-H2 the step of each rank begins with its first forward. */
		if (covered == 0 && f->in.parallel.schedule == SCHEDULE_ZB2P)
			covered = began = from;
		if (depth == 0) {
			ck_assert_int_eq(from, covered);
			covered = to;
		}
		ck_assert_int_lt(depth, DEPTH_MAX);
		end[depth++] = to;
	}
	/* One rounding for each part at most. */
	ck_assert_int_le(llabs(covered - began - llround(f->result.step.time * 1e9)), STEP_PART_COUNT);
}

static void check_parts(const struct fixture *f, const struct reading *r)
{
	int64_t sum[STEP_PART_COUNT] = { 0 };

	for (uint32_t i = 0; i < r->events->count; i++) {
		const struct json *e = &r->events->items[i];

		if (!is(e, "ph", "X") || (int64_t)number(e, "pid") != f->result.step.critical_stage)
			continue;
		for (int p = 0; p < STEP_PART_COUNT; p++)
			if (is(e, "cat", step_part_name((enum step_part)p)))
				sum[p] += nanoseconds(e, "dur");
	}
	for (int p = 0; p < STEP_PART_COUNT; p++)
		ck_assert_int_le(llabs(sum[p] - llround(f->result.step.part[p] * 1e9)), 1);
}

static void check_memory(const struct fixture *f, const struct reading *r, int64_t rank)
{
	int64_t peak = 0;

	for (uint32_t i = 0; i < r->events->count; i++) {
		const struct json *e = &r->events->items[i], *args = json_member(e, "args");

		if (!is(e, "ph", "C") || (int64_t)number(e, "pid") != rank)
			continue;

		int64_t bytes = (int64_t)(number(args, "states") + number(args, "activations"));

		peak = bytes > peak ? bytes : peak;
	}
	ck_assert_int_eq(peak, f->result.stages[rank].peak);
}

/* Backwards are B whole, I and W in two. */
static char letter_of(const struct json *pass)
{
	if (is(pass, "name", "forward"))
		return 'F';
	if (is(pass, "name", "input gradients"))
		return 'I';
	return is(pass, "name", "weight gradients") ? 'W' : 'B';
}

/* "F0a F1a B0a": passes of a stage, with the letter of their chunk. */
static const char *order_of(struct fixture *f, const struct reading *r, int64_t rank)
{
	struct out o;

	out_init(&o, &f->arena);
	for (uint32_t i = 0; i < r->events->count; i++) {
		const struct json *e = &r->events->items[i], *args = json_member(e, "args");

		if (!is(e, "cat", "pass") || (int64_t)number(e, "pid") != rank)
			continue;
		out_printf(&o, "%s%c%d%c", o.n > 0 ? " " : "", letter_of(e),
			   (int)number(args, "micro_batch"), 'a' + (int)number(args, "chunk"));
	}
	return arena_copy(&f->arena, o.p, o.n);
}

static void check_everything(struct fixture *f)
{
	for (int detail = TRACE_PASSES; detail <= TRACE_OPERATORS; detail++) {
		struct reading r;

		read_trace(f, (enum trace_detail)detail, &r);
		for (int64_t rank = 0; rank < f->in.parallel.pp; rank++) {
			check_tiling(f, &r, rank);
			check_memory(f, &r, rank);
		}
		if (detail != TRACE_PASSES)
			check_parts(f, &r);
	}
}

START_TEST(events_add_up)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 8, 8, 2, 2);
	check_everything(&f);
	fixture_recompute(&f, 2, 0);
	check_everything(&f);
	fixture_recompute(&f, 4, 1u << MODULE_MLP | 1u << MODULE_CORE_ATTN);
	check_everything(&f);
	fixture_release(&f);
	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 4, 8, 1, 1);
	check_everything(&f);
	fixture_release(&f);
	fixture_init(&f, FIXTURE_A100, FIXTURE_DEEPSEEK_V2, 4, 8, 1, 2);
	fixture_experts(&f, 4, 1);
	fixture_recompute(&f, 2, 0);
	check_everything(&f);
	fixture_release(&f);
}
END_TEST

START_TEST(interleaved_events_add_up)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 8, 8, 1, 4);
	fixture_interleave(&f, 2);
	check_everything(&f);
	fixture_recompute(&f, 1, 0);
	check_everything(&f);
	f.in.batch.micro_batches = 12;
	profile_init(&f.profile, PROFILE_STANDARD);
	check_everything(&f);
	f.in.overlap.pipeline = true;
	check_everything(&f);
	fixture_release(&f);
	/* Several periods: the engine looks at one of them, the trace at all. */
	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 16, 4, 1, 2);
	fixture_interleave(&f, 4);
	f.in.batch.micro_batches = 24;
	check_everything(&f);
	f.in.parallel.vpp_group = 4;
	profile_init(&f.profile, PROFILE_STANDARD);
	check_everything(&f);
	fixture_release(&f);
}
END_TEST

/* What hides, slows down and waits is in the trace as well. */
START_TEST(overlapped_events_add_up)
{
	struct fixture f;
	struct reading r;
	int64_t hidden = 0;

	fixture_init(&f, FIXTURE_A100, FIXTURE_MIXTRAL_8X7B, 8, 8, 1, 2);
	fixture_experts(&f, 4, 1);
	profile_init(&f.profile, PROFILE_STANDARD);
	f.in.overlap = (struct engine_overlap){ .gradient_reduce = true,
						.parameter_gather = true,
						.tensor = true,
						.dispatch = true,
						.pipeline = true };
	check_everything(&f);
	read_trace(&f, TRACE_PARTS, &r);
	for (uint32_t i = 0; i < r.events->count; i++) {
		const struct json *e = &r.events->items[i];

		if (is(e, "name", "hidden expert traffic") &&
		    (int64_t)number(e, "pid") == f.result.step.critical_stage)
			hidden += (is(e, "ph", "e") ? 1 : -1) * nanoseconds(e, "ts");
	}
	ck_assert_int_gt(hidden, 0);
	ck_assert_int_le(llabs(hidden - llround((f.result.step.busy[STEP_EXPERT_COMM] -
						 f.result.step.part[STEP_EXPERT_COMM]) *
						1e9)),
			 1);
	fixture_release(&f);
}
END_TEST

static void init_split(struct fixture *f, enum engine_schedule schedule)
{
	fixture_init(f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 8, 8, 2, 4);
	profile_init(&f->profile, PROFILE_STANDARD);
	f->in.parallel.schedule = schedule;
}

/* Gradients of weights are passes of their own; with two directions both stages of a rank are there. */
START_TEST(split_events_add_up)
{
	static const enum engine_schedule schedules[] = { SCHEDULE_ZB1P, SCHEDULE_ZB2P, SCHEDULE_DUALPIPE };

	for (size_t i = 0; i < PLAN_COUNT(schedules); i++) {
		struct fixture f;

		init_split(&f, schedules[i]);
		check_everything(&f);
		fixture_recompute(&f, 1, 0);
		f.in.overlap.tensor = true;
		check_everything(&f);
		f.in.overlap.pipeline = true;
		check_everything(&f);
		fixture_release(&f);
		fixture_init(&f, FIXTURE_A100, FIXTURE_MIXTRAL_8X7B, 8, 8, 1, 2);
		fixture_experts(&f, 4, 1);
		profile_init(&f.profile, PROFILE_STANDARD);
		f.in.parallel.schedule = schedules[i];
		f.in.overlap.dispatch = true;
		check_everything(&f);
		fixture_release(&f);
	}
}
END_TEST

/* ZB-H1 and ZB-H2 (arXiv:2401.10241, figures 2 and 3): rank r lets W wait for r and 2 r backwards. */
START_TEST(weight_gradients_wait)
{
	struct fixture f;
	struct reading r;

	init_split(&f, SCHEDULE_ZB1P);
	f.in.batch.micro_batches = 5;
	read_trace(&f, TRACE_PASSES, &r);
	ck_assert_str_eq(order_of(&f, &r, 0), "F0a F1a F2a F3a I0a W0a F4a I1a W1a I2a W2a I3a W3a I4a W4a");
	ck_assert_str_eq(order_of(&f, &r, 3), "F0a I0a F1a I1a F2a I2a F3a I3a W0a F4a I4a W1a W2a W3a W4a");
	f.in.parallel.schedule = SCHEDULE_ZB2P;
	read_trace(&f, TRACE_PASSES, &r);
	ck_assert_str_eq(order_of(&f, &r, 0), "F0a F1a F2a F3a F4a I0a W0a I1a W1a I2a W2a I3a W3a I4a W4a");
	fixture_release(&f);
	/* DualPipe numbers the micro-batches of the other end on. */
	init_split(&f, SCHEDULE_DUALPIPE);
	read_trace(&f, TRACE_PASSES, &r);
	ck_assert_str_eq(order_of(&f, &r, 0), "F0a F1a F2a F4b I4b W4b F5b F3a B5b F6b B0a B6b F7b B1a B7b I2a W2a "
					      "I3a W3a");
	fixture_release(&f);
}
END_TEST

/*
 * Overlapped, a rank waits for the way of the first activation to it, and of the last gradient from it: one
 * transfer for every link in front of it, in its first gap and behind its last backward.
 */
START_TEST(waiting_for_messages_stands_where_it_is)
{
	struct fixture f;
	struct reading r;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 8, 8, 1, 4);
	profile_init(&f.profile, PROFILE_STANDARD);
	f.in.overlap.pipeline = true;
	read_trace(&f, TRACE_PASSES, &r);
	for (int64_t rank = 0; rank < 4; rank++) {
		const double link = f.result.stages[rank].p2p_exposed / 6;
		int64_t before = 0, behind = 0;
		bool passed = false;

		for (uint32_t i = 0; i < r.events->count; i++) {
			const struct json *e = &r.events->items[i];

			if (!is(e, "ph", "X") || (int64_t)number(e, "pid") != rank)
				continue;
			passed |= is(e, "cat", "pass");
			if (is(e, "cat", "pass"))
				behind = 0;
			else if (is(e, "cat", "pipeline_comm"))
				*(passed ? &behind : &before) += nanoseconds(e, "dur");
		}
		ck_assert_int_le(llabs(before - llround((double)rank * link * 1e9)), 2);
		ck_assert_int_le(llabs(behind - llround((double)rank * link * 1e9)), 2);
	}
	fixture_release(&f);
}
END_TEST

/* One-forward-one-backward: as many forwards first as there are stages behind. */
START_TEST(one_forward_one_backward)
{
	struct fixture f;
	struct reading r;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, 4);
	f.in.batch.micro_batches = 5;
	for (int blocking = 0; blocking < 2; blocking++) {
		f.profile.sync_pipeline = blocking;
		read_trace(&f, TRACE_PASSES, &r);
		ck_assert_str_eq(order_of(&f, &r, 0), "F0a F1a F2a F3a B0a F4a B1a B2a B3a B4a");
		ck_assert_str_eq(order_of(&f, &r, 1), "F0a F1a F2a B0a F3a B1a F4a B2a B3a B4a");
		ck_assert_str_eq(order_of(&f, &r, 3), "F0a B0a F1a B1a F2a B2a F3a B3a F4a B4a");
	}
	fixture_release(&f);
}
END_TEST

/* Two chunks: Megatron's order, rank 0 with 2 (p - 1) + p forwards before it alternates. */
START_TEST(chunks_take_turns)
{
	struct fixture f;
	struct reading r;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, 2);
	fixture_interleave(&f, 2);
	f.in.batch.micro_batches = 4;
	for (int blocking = 0; blocking < 2; blocking++) {
		f.profile.sync_pipeline = blocking;
		read_trace(&f, TRACE_PASSES, &r);
		ck_assert_str_eq(order_of(&f, &r, 0), "F0a F1a F0b F1b F2a B0b F3a B1b F2b B0a F3b "
						      "B1a B2b B3b B2a B3a");
		ck_assert_str_eq(order_of(&f, &r, 1), "F0a F1a F0b B0b F1b B1b F2a B0a F3a B1a F2b "
						      "B2b F3b B3b B2a B3a");
	}
	fixture_release(&f);
}
END_TEST

/* Nothing starts before what it needs is there. */
START_TEST(causes_come_first)
{
	struct fixture f;
	struct engine_schedule_log log;

	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, 8, 1, 4);
	fixture_interleave(&f, 2);
	for (int blocking = 0; blocking < 2; blocking++) {
		double done[2][8][8] = { { { 0 } } }, begun[2][8][8] = { { { 0 } } };

		f.profile.sync_pipeline = blocking;
		ck_assert_int_eq(engine_schedule(&f.in, &f.arena, &f.result, &log, &f.error), ENGINE_OK);
		ck_assert_int_eq(log.count, 2 * 8 * 8 + 2 * 8 * 7);
		for (int64_t i = 0; i < log.count; i++) {
			const struct engine_pass *p = &log.at[i];

			if (p->kind > PASS_BACKWARD)
				continue;
			begun[p->kind][p->chunk * 4 + p->rank][p->micro_batch] = p->start;
			done[p->kind][p->chunk * 4 + p->rank][p->micro_batch] = p->end;
		}
		for (int s = 0; s < 8; s++)
			for (int m = 0; m < 8; m++) {
				if (s > 0)
					ck_assert_double_lt(done[0][s - 1][m], begun[0][s][m]);
				if (s < 7)
					ck_assert_double_lt(done[1][s + 1][m], begun[1][s][m]);
				else
					ck_assert_double_le(done[0][s][m], begun[1][s][m]);
			}
	}
	fixture_release(&f);
}
END_TEST

START_TEST(same_bytes)
{
	struct fixture f, g;
	struct job job, other;
	struct out one, two;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 2);
	fixture_init(&g, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 2);
	print_trace(&f, &job, TRACE_OPERATORS, &one);
	print_trace(&g, &other, TRACE_OPERATORS, &two);
	ck_assert(str_equal(out_view(&one), out_view(&two)));
	fixture_release(&f);
	fixture_release(&g);
}
END_TEST

/* The number of events is told before they are made, and is no less than there are. */
START_TEST(too_many_events)
{
	struct fixture f;
	struct reading r;
	struct job job;
	int64_t events = 0, more = 0;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 2);
	read_trace(&f, TRACE_OPERATORS, &r);
	job = r.job;
	ck_assert_ptr_nonnull(trace_make(&job, TRACE_OPERATORS, MANY, &f.arena, &events));
	ck_assert_int_le(r.events->count, events);
	ck_assert_ptr_null(trace_make(&job, TRACE_OPERATORS, events - 1, &f.arena, &more));
	ck_assert_int_eq(more, events);
	job.input.batch.micro_batches = INT64_C(1) << 40;
	ck_assert_ptr_null(trace_make(&job, TRACE_PASSES, MANY, &f.arena, &events));
	ck_assert_int_gt(events, MANY);
	ck_assert(!trace_is_ours(STR("{\"traceEvents\":[]}")));
	ck_assert(!trace_is_ours(STR("{")));
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("trace", events_add_up, interleaved_events_add_up, overlapped_events_add_up,
	  split_events_add_up, weight_gradients_wait, waiting_for_messages_stands_where_it_is,
	  one_forward_one_backward, chunks_take_turns, causes_come_first, same_bytes, too_many_events)
