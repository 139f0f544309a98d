/* search.c - a sweep from start to finish: measure, test every candidate, count. */
#include "runtime/search/team/letter.h"

/* A thread has to compute everything anew before it is of use: candidates that make up for that. */
enum { CANDIDATES_PER_THREAD = 5000 };

/* Threads that are worth their while. */
static uint32_t crew_size(const struct search *s)
{
	uint32_t worth = s->options.per_thread > 0 ? s->options.per_thread : CANDIDATES_PER_THREAD;
	uint64_t threads = s->total / worth;

	if (s->options.post)
		threads /= s->options.post->ranks;
	return threads < s->options.threads ? (uint32_t)threads : s->options.threads;
}

static bool report_damage(struct search *s)
{
	diag_report(s->ev->sink, E2415, s->sweep->span, "what was found before does not fit this sweep");
	return false;
}

static struct ledger *open_ledger(struct search *s)
{
	struct ledger *l = ARENA_NEW(s->ev->lasting, struct ledger);

	s->verdicts = verdicts_make(s);
	ledger_init(l, s);
	s->ledger = l;
	return l;
}

static bool run(struct search *s, struct ledger *l)
{
	return s->options.post ? lead_run(l, crew_size(s)) : crew_run(l, crew_size(s));
}

static bool test_all(struct search *s)
{
	struct ledger *l = open_ledger(s);

	for (uint32_t i = 0; i < s->options.part_count; i++)
		if (!search_part_add(l, &s->options.parts[i]))
			return report_damage(s);
	l->complete = s->options.merge;
	if (!s->options.merge && !run(s, l))
		return false;
	ledger_watch(l, true);
	ledger_finish(l);
	return true;
}

static bool make_goals(struct search *s)
{
	struct goals *g = ARENA_NEW(s->ev->lasting, struct goals);

	s->goals = g;
	return goals_make(g, s);
}

/* The evaluator may be in the middle of an expression that asks for the sweep. */
struct pause {
	struct arena *arena;
	uint32_t depth;
	uint64_t steps;
	bool exhausted;
};

static struct pause pause_begin(struct eval *ev)
{
	struct pause p = { ev->arena, ev->depth, ev->steps, ev->exhausted };

	ev->arena = ev->lasting;
	ev->depth = 0;
	return p;
}

static void pause_end(struct eval *ev, struct pause p)
{
	ev->arena = p.arena;
	ev->depth = p.depth;
	ev->steps = p.steps;
	ev->exhausted = p.exhausted;
}

static struct search *search_make(struct eval *ev, uint32_t sweep, const struct search_options *options)
{
	struct search *s = ARENA_NEW(ev->lasting, struct search);

	*s = (struct search){ .sweep = &ev->program->sweeps.at[sweep], .index = sweep, .ev = ev };
	if (options)
		s->options = *options;
	return s;
}

static bool prepare(struct search *s)
{
	return s->sweep->type->kind != TYPE_POISON && hunt_prepare(s) && space_within_limit(s->space) && make_goals(s);
}

struct search *search_run(struct eval *ev, uint32_t sweep, const struct search_options *options)
{
	struct search *s = search_make(ev, sweep, options);
	struct pause pause = pause_begin(ev);
	bool fine = prepare(s) && test_all(s);

	if (fine)
		rows_count(s);
	if (s->bench && s->space)
		search_rest(s);
	pause_end(ev, pause);
	return fine ? s : NULL;
}

bool search_serve(struct eval *ev, uint32_t sweep, const struct search_options *options)
{
	struct search *s = search_make(ev, sweep, options);
	struct pause pause = pause_begin(ev);
	bool fine = prepare(s);

	if (fine)
		follow_run(open_ledger(s), crew_size(s));
	if (s->bench && s->space)
		search_rest(s);
	pause_end(ev, pause);
	return fine;
}

/* Values of an axis that are compared with each other. */
enum { COMPARED_MAX = 1000 };

static bool stands_before(struct eval *ev, const struct loop *a, uint32_t at)
{
	bool same = false;

	for (uint32_t before = 0; before < at && !same; before++) {
		same = true;
		for (uint32_t k = 0; k < a->ir->path_count && same; k++)
			same = eval_equal(ev, space_value(a, a->values, before, k), space_value(a, a->values, at, k),
					  a->ir->paths[k].type);
	}
	return same;
}

/* Of axes that depend on no other one. */
static void lint_repeated(struct search *s)
{
	for (uint32_t k = 0; k < s->space->n; k++) {
		const struct loop *a = &s->space->axes[k];
		uint32_t n = a->values && a->ir->values_read.axes == 0 ? a->values->n : 0, i = 1;

		while (i < n && n <= COMPARED_MAX && !stands_before(s->ev, a, i))
			i++;
		if (i < n && n <= COMPARED_MAX)
			diag_report(s->ev->sink, W2405, a->ir->span,
				    "value %u of this axis stands before: its candidates are counted twice", i + 1);
	}
}

static void tell_size(const struct search *s, enum clash_answer clash, struct out *o)
{
	struct str name = sym_str(s->ev->program->names, s->sweep->name);

	out_printf(o, "  %.*s: ", (int)name.n, name.p);
	out_grouped(o, (int64_t)s->total);
	out_printf(o, " candidate%s", s->total == 1 ? "" : "s");
	if (s->product.n > 0)
		out_printf(o, " = %.*s", (int)s->product.n, s->product.p);
	if (clash == CLASH_OPEN)
		out_text(o, "; too many combinations to say whether one keeps all that needs no cost model");
	out_char(o, '\n');
}

/* Without the base's own rules, which `planc check` tests anyway. */
static bool check_one(struct eval *ev, uint32_t sweep, struct out *o)
{
	struct search *s = search_make(ev, sweep, NULL);
	struct pause pause = pause_begin(ev);
	uint32_t errors = ev->sink->errors;
	struct value v;
	bool fine = true;

	v = eval_node(ev, s->sweep->of, (struct scope){ 0 });
	if (v.kind == VALUE_RECORD) {
		s->base = v.record;
		s->bench = bench_make(s);
		fine = space_measure(s);
		if (fine) {
			space_describe(s);
			fine = space_within_limit(s->space);
		}
		if (fine) {
			enum clash_answer clash = clash_check(s);

			fine = clash != CLASH_FOUND;
			lint_repeated(s);
			tell_size(s, clash, o);
		}
		bench_release(s->bench);
	}
	pause_end(ev, pause);
	/* What needs the cost model has no value here, and no message. */
	return fine || ev->sink->errors == errors;
}

bool search_check(struct eval *ev, struct out *o)
{
	bool fine = true;

	for (uint32_t i = 0; i < ev->program->sweeps.n; i++)
		if (ev->program->sweeps.at[i].file == ev->program->root_file &&
		    ev->program->sweeps.at[i].type->kind != TYPE_POISON)
			fine = check_one(ev, i, o) && fine;
	return fine;
}
