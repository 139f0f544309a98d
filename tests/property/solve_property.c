/*
 * Random inverse questions about a small record, answered by `planc solve` and by going through all values.
 * What the record says is integer arithmetic, so the second implementation evaluates no plan.
 *
 * Always: the answer keeps everything, and so does no legal value between it and the next one, which does not.
 * Where the condition changes once along the legal values, or the values are few, the answer is the least
 * (greatest) of all. What is called not monotone is not.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/check/compile.h"
#include "runtime/ask/solve/solve.h"
#include "runtime/search/search.h"

enum { ROUNDS = 250, VALUES = 4096, FEW = 16 };

enum asked { AT_LEAST, AT_MOST, OUTSIDE, REMAINDER, WINDOW, NOTHING, ASKED_COUNT };
enum range { AROUND, FROM_TO, IN_STEPS, LISTED, RANGE_COUNT };

/* y = factor * x + offset; x has to leave `rest` when divided by `every`, be at most `cap`, and not `unlucky`. */
struct question {
	int64_t now, factor, offset, every, rest, cap, unlucky;
	enum asked asked;
	int64_t a, b;                /* of the condition */
	enum range range;
	int64_t low, high, step;
	int64_t value[VALUES];       /* all that may be tried, ascending */
	int n;
	bool maximise;
};

struct run {
	uint64_t seed, state;
	int round;
	struct question q;
	int exact, never, jagged;    /* how often each was asked */
};

struct plan {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct eval ev;
	const struct ir_program *program;
};

static int64_t pick(struct run *r, int64_t from, int64_t to)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return from + (int64_t)(r->state * UINT64_C(2685821657736338717) % (uint64_t)(to - from + 1));
}

static void fail(const struct run *r, const char *law)
{
	printf("solve_property: seed %" PRIu64 ", round %d: %s\n", r->seed, r->round, law);
	exit(1);
}

/* ---- the second implementation ---------------------------------------------------------------- */

static int64_t remainder_of(int64_t x, int64_t by)
{
	return (x % by + by) % by;
}

static bool is_legal(const struct question *q, int64_t x)
{
	return remainder_of(x, q->every) == q->rest && x <= q->cap && x != q->unlucky;
}

static bool is_met(const struct question *q, int64_t x)
{
	int64_t y = q->factor * x + q->offset;

	switch (q->asked) {
	case AT_LEAST: return y >= q->a;
	case AT_MOST: return y <= q->a;
	case OUTSIDE: return y < q->a || y > q->b;
	case REMAINDER: return remainder_of(y, q->a) == q->b;
	case WINDOW: return y >= q->a && y <= q->b;
	case NOTHING:
	case ASKED_COUNT: break;
	}
	return true;
}

/* The legal values in the order of the search: those that are expected to be met stand last. */
static int legal_values(const struct question *q, int64_t *at)
{
	int n = 0;

	for (int i = 0; i < q->n; i++) {
		int64_t x = q->value[q->maximise ? q->n - 1 - i : i];

		if (is_legal(q, x))
			at[n++] = x;
	}
	return n;
}

static bool changes_once(const struct question *q, const int64_t *at, int n)
{
	for (int i = 1; i < n; i++)
		if (is_met(q, at[i - 1]) && !is_met(q, at[i]))
			return false;
	return true;
}

/* ---- drawing ----------------------------------------------------------------------------------- */

static void draw_rules(struct run *r, struct question *q)
{
	q->every = pick(r, 0, 2) == 0 ? pick(r, 2, 7) : 1;
	q->rest = pick(r, 0, q->every - 1);
	do {
		q->now = pick(r, 1, 60);
	} while (remainder_of(q->now, q->every) != q->rest);
	q->cap = pick(r, 0, 2) == 0 ? q->now + pick(r, 0, 300) : 1000000;
	do {
		q->unlucky = pick(r, 1, 80);
	} while (q->unlucky == q->now);
	do {
		q->factor = pick(r, -5, 5);
	} while (q->factor == 0);
	q->offset = pick(r, -50, 50);
}

/* Bounds near what y is somewhere in the middle, at times beyond all of them. */
static void draw_condition(struct run *r, struct question *q)
{
	int64_t at = q->value[pick(r, 0, q->n - 1)], y = q->factor * at + q->offset;

	q->asked = (enum asked)pick(r, 0, ASKED_COUNT - 1);
	q->a = y + pick(r, -3, 3) + (pick(r, 0, 5) == 0 ? pick(r, -30000, 30000) : 0);
	q->b = q->a + pick(r, 0, 40);
	if (q->asked == REMAINDER) {
		q->a = pick(r, 2, 9);
		q->b = pick(r, 0, q->a - 1);
	}
}

static void draw_values(struct run *r, struct question *q)
{
	q->range = (enum range)pick(r, 0, RANGE_COUNT - 1);
	q->low = q->range == AROUND ? 1 : pick(r, -40, 40);
	q->high = q->range == AROUND ? VALUES : q->low + pick(r, 0, pick(r, 0, 1) == 0 ? 20 : 700);
	q->step = q->range == IN_STEPS ? pick(r, 1, 9) : 1;
	q->n = 0;
	for (int64_t x = q->low; x <= q->high; x += q->range == LISTED ? pick(r, 1, 30) : q->step)
		q->value[q->n++] = x;
}

/* ---- the question as a plan ---------------------------------------------------------------------- */

static void write_plan(struct out *o, const struct question *q)
{
	out_printf(o, "edition 1\nschema box {\n  x: int\n  final y: int = %lld * x + %lld\n", (long long)q->factor,
		   (long long)q->offset);
	out_printf(o, "  assert every: x mod %lld == %lld\n  assert cap: x <= %lld\n}\n", (long long)q->every,
		   (long long)q->rest, (long long)q->cap);
	out_printf(o, "box b { x = %lld }\nlet twice = 2 * b.y\nassert unlucky: b.x != %lld\n", (long long)q->now,
		   (long long)q->unlucky);
}

static struct str condition_text(const struct question *q, struct arena *a)
{
	struct out o;

	out_init(&o, a);
	switch (q->asked) {
	case AT_LEAST: out_printf(&o, "y >= %lld", (long long)q->a); break;
	case AT_MOST: out_printf(&o, "twice <= 2 * (%lld)", (long long)q->a); break;
	case OUTSIDE: out_printf(&o, "y < %lld or y > %lld", (long long)q->a, (long long)q->b); break;
	case REMAINDER: out_printf(&o, "y mod %lld == %lld", (long long)q->a, (long long)q->b); break;
	case WINDOW: out_printf(&o, "y >= %lld and twice <= 2 * (%lld)", (long long)q->a, (long long)q->b); break;
	case NOTHING:
	case ASKED_COUNT: return (struct str){ NULL, 0 };
	}
	return out_view(&o);
}

/* A list is not in order, and has some values twice. */
static struct str range_text(struct run *r, const struct question *q, struct arena *a)
{
	struct out o;

	out_init(&o, a);
	if (q->range == AROUND)
		return (struct str){ NULL, 0 };
	if (q->range != LISTED) {
		out_printf(&o, "%lld..%lld", (long long)q->low, (long long)q->high);
		if (q->range == IN_STEPS)
			out_printf(&o, " by %lld", (long long)q->step);
		return out_view(&o);
	}
	out_char(&o, '[');
	for (int i = q->n; i-- > 0;) {
		out_printf(&o, "%lld, ", (long long)q->value[i]);
		if (pick(r, 0, 3) == 0)
			out_printf(&o, "%lld, ", (long long)q->value[pick(r, i, q->n - 1)]);
	}
	out_char(&o, ']');
	return out_view(&o);
}

static void compile(struct run *r, struct plan *p, struct str text, struct compile_inverse *in)
{
	struct compile_input input = { .path = STR("t.plan"), .library = stdlib_files, .inverse = in, .text = text };
	struct out o;

	diag_sink_init(&p->sink, &p->arena, &p->sources);
	input.arena = &p->arena;
	input.names = interner_make(&p->arena);
	input.sources = &p->sources;
	input.sink = &p->sink;
	p->program = plan_compile(&input);
	if (p->program && p->sink.errors == 0) {
		eval_init(&p->ev, &p->arena, p->program, &p->sink);
		return;
	}
	out_init(&o, &p->arena);
	diag_render(&p->sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
	printf("%.*s\n%.*s", (int)text.n, text.p, (int)o.n, o.p);
	fail(r, "the plan does not compile");
}

/* ---- laws ---------------------------------------------------------------------------------------- */

static int64_t number(const struct run *r, struct value v)
{
	int64_t n = 0;

	if (v.kind != VALUE_NUMBER || !num_fits_int64(v.number, &n))
		fail(r, "an answer that is no integer");
	return n;
}

static int place(const struct run *r, const int64_t *at, int n, struct value v)
{
	int64_t x = number(r, v);

	for (int i = 0; i < n; i++)
		if (at[i] == x)
			return i;
	fail(r, "an answer that breaks a rule");
	return 0;
}

static void check_answer(struct run *r, const int64_t *at, int n, const struct solve_result *s)
{
	const struct question *q = &r->q;
	int k = place(r, at, n, s->answer);

	if (!is_met(q, at[k]))
		fail(r, "the answer does not keep the condition");
	if (s->border != (k > 0))
		fail(r, "a border where the values end, or none where they do not");
	if (k > 0 && (place(r, at, n, s->beyond.value) != k - 1 || is_met(q, at[k - 1])))
		fail(r, "the next legal value is another one, or is met");
	if (!s->monotone) {
		int wrong = place(r, at, n, s->exception);

		if (changes_once(q, at, n))
			fail(r, "monotone, but not so called");
		if (wrong > k && is_met(q, at[wrong]))
			fail(r, "the exception is none");
	}
}

static void check_integers(struct run *r)
{
	static int64_t at[VALUES];
	struct question *q = &r->q;
	struct plan p = { 0 };
	struct solve_result s;
	struct compile_inverse in = { .path = STR("b.x") };
	struct out text;
	int n, first = 0;
	bool found, certain;

	arena_init(&p.arena, NULL);
	sources_init(&p.sources, &p.arena);
	out_init(&text, &p.arena);
	draw_rules(r, q);
	draw_values(r, q);
	draw_condition(r, q);
	q->maximise = pick(r, 0, 1) == 1;
	write_plan(&text, q);
	in.such_that = condition_text(q, &p.arena);
	in.values = range_text(r, q, &p.arena);
	compile(r, &p, out_view(&text), &in);
	found = solve_run(&p.ev, p.program->inverse, (struct solve_options){ q->maximise, SOLVE_PRECISION }, &s) == SOLVE_FOUND;

	n = legal_values(q, at);
	while (first < n && !is_met(q, at[first]))
		first++;
	certain = changes_once(q, at, n) || q->n <= FEW;
	if (!found && (p.sink.diags.n != 1 || p.sink.diags.at[0]->code != E2704))
		fail(r, "no answer, for another reason");
	if (found && first == n)
		fail(r, "an answer where there is none");
	if (!found && first < n && certain)
		fail(r, "no answer where there is one");
	if (found) {
		check_answer(r, at, n, &s);
		if (certain && number(r, s.answer) != at[first])
			fail(r, "not the least, or the greatest");
	}
	r->exact += found && certain;
	r->never += !found;
	r->jagged += found && !certain;
	arena_release(&p.arena);
}

/* Quantities lie a constant factor apart: the answer is within it of the bound, on the side that is met. */
static void check_quantities(struct run *r)
{
	struct plan p = { 0 };
	struct solve_result s;
	struct compile_inverse in = { .path = STR("b.w") };
	struct out text, condition;
	int64_t count = pick(r, 1, 99), now = pick(r, 1, 900), bound = pick(r, 1, 64 * 900 * count);
	bool maximise = pick(r, 0, 1) == 1;
	double precision = (double)pick(r, 1, 200) / 1000, low = (double)now / 64, high = (double)now * 64, exact, w;
	bool found;

	arena_init(&p.arena, NULL);
	sources_init(&p.sources, &p.arena);
	out_init(&text, &p.arena);
	out_init(&condition, &p.arena);
	out_printf(&text, "edition 1\nschema box { w: bytes, n: int = %lld, final all: bytes = w * n }\n", (long long)count);
	out_printf(&text, "box b { w = %lld GB }\n", (long long)now);
	out_printf(&condition, "all %s %lld GB", maximise ? "<=" : ">=", (long long)bound);
	in.such_that = out_view(&condition);
	compile(r, &p, out_view(&text), &in);
	found = solve_run(&p.ev, p.program->inverse, (struct solve_options){ maximise, precision }, &s) == SOLVE_FOUND;
	exact = (double)bound / (double)count;
	if (found != (maximise ? exact >= low : exact <= high))
		fail(r, "a quantity is found where there is none, or not where there is one");
	if (found) {
		w = value_to_double(s.answer) / 1e9;
		exact = fmin(fmax(exact, low), high);
		if ((maximise ? w > exact : w < exact) || fabs(w / exact - 1) > precision * 1.01)
			fail(r, "a quantity is further off than its precision");
	}
	arena_release(&p.arena);
}

int main(int argc, char **argv)
{
	static struct run r;

	r.seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261130;
	r.state = r.seed ? r.seed : 1;
	for (r.round = 0; r.round < ROUNDS; r.round++) {
		check_integers(&r);
		if (r.round % 6 == 0)
			check_quantities(&r);
	}
	if (r.exact == 0 || r.never == 0 || r.jagged == 0)
		fail(&r, "a kind of question was never asked");
	printf("solve_property: seed %" PRIu64 ", %d questions: %d exact, %d without an answer, %d not monotone\n", r.seed,
	       r.round, r.exact, r.never, r.jagged);
	return 0;
}
