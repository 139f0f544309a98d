/* sensitivity.c - see sensitivity.h: outcomes, and the order of changes. */
#include "runtime/ask/sensitivity/sensitivity_int.h"

#include <math.h>

struct str shown_value(const struct sensitivity *s, struct value v, const struct type *t)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	value_print(&o, s->ev->program, v, t);
	return str_copy(s->ev->lasting, out_view(&o));
}

void change_begin(struct bench_eval *b)
{
	arena_release(&b->arena);
	diag_sink_init(&b->sink, &b->arena, b->s->ev->program->sources);
	b->ev = *b->s->ev;
	b->ev.arena = &b->arena;
	b->ev.sink = &b->sink;
	b->ev.depth = 0;
	b->ev.steps = 0;
}

/* ---- one outcome ------------------------------------------------------------------------------ */

static struct str reason_of_message(struct bench_eval *b)
{
	const struct diag *const *list;
	const struct diag_info *info;

	if (diag_list(&b->sink, &list) == 0)
		return STR("cannot be evaluated");
	info = diag_info(list[0]->code);
	if (strncmp(info->name, "E21", 3) == 0 || strncmp(info->name, "E22", 3) == 0)
		return str_of(info->slug);
	return str_copy(b->s->ev->lasting, list[0]->message);
}

/* The first constraint of the sweep that the job breaks. */
static bool constraints_hold(struct bench_eval *b, struct record *job, struct str *reason)
{
	const struct ir_sweep *w = b->s->search ? b->s->search->sweep : NULL;

	for (uint32_t i = 0; w && i < w->condition_count; i++) {
		const struct ir_condition *k = &w->conditions[i];

		if (!k->own || assert_test(&b->ev, &k->rule, (struct scope){ .self = job }) != VERDICT_BROKEN)
			continue;
		*reason = sym_str(b->ev.program->names, k->rule.name);
		return false;
	}
	return true;
}

static struct value goal_of(struct bench_eval *b, struct record *job)
{
	const struct ir_sweep *w = b->s->search ? b->s->search->sweep : NULL;
	struct value v;

	if (!w || w->goal_count == 0)
		return value_none();
	v = eval_node(&b->ev, w->goals[0].value, (struct scope){ .self = job });
	return v.kind == VALUE_NUMBER || v.kind == VALUE_REAL ? value_real(value_to_double(v)) : value_none();
}

struct outcome outcome_of(struct bench_eval *b, struct record *job)
{
	struct outcome r = { .reason = STR("") };
	bool fine = record_check(&b->ev, job, SPAN_NONE, STR("")) && b->sink.errors == 0;
	const struct job *j;

	if (!fine)
		r.reason = reason_of_message(b);
	b->ev.arena = job->home;
	j = job_evaluate(&b->ev, job, SPAN_NONE);
	b->ev.arena = &b->arena;
	if (!j) {
		r.reason = r.reason.n > 0 ? r.reason : reason_of_message(b);
		return r;
	}
	r.there = true;
	r.time = j->result.step.time;
	r.reserved = j->result.memory.reserved;
	r.goal = goal_of(b, job);
	r.feasible = fine && constraints_hold(b, job, &r.reason) && j->fits;
	if (fine && r.reason.n == 0 && !j->fits)
		r.reason = STR("does not fit");
	return r;
}

/* ---- order ------------------------------------------------------------------------------------ */

static double effect_of(const struct sensitivity *s, const struct change *c)
{
	double most = 0;

	for (int i = 0; i < 2; i++) {
		double x = c->after[i].there && s->now.time > 0 ? fabs(c->after[i].time / s->now.time - 1) : 0;

		most = x > most ? x : most;
	}
	return most;
}

/* Stable: equal effects stay in the order of the plan. */
static void sort_changes(const struct sensitivity *s, struct change *at, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct change c = at[i];
		uint32_t k = i;

		c.effect = effect_of(s, &c);
		for (; k > 0 && at[k - 1].effect < c.effect; k--)
			at[k] = at[k - 1];
		at[k] = c;
	}
}

static bool is_job(const struct eval *ev, const struct record *r)
{
	uint32_t job = ir_find_schema(ev->program, "job");

	return job != IR_NONE && ir_schema_extends(ev->program, r->schema, job);
}

bool sensitivity_run(struct sensitivity *s, struct eval *ev, struct search *search, struct record *job,
		     struct str name, struct span at)
{
	struct bench_eval *b = ARENA_NEW(ev->lasting, struct bench_eval);
	uint32_t best;

	*s = (struct sensitivity){ .ev = ev, .search = search, .job = job, .name = name };
	if (search) {
		search_top(search, 1, &best);
		s->number = search->feasible[best].number;
		s->job = search_record(search, s->number);
	}
	if (!is_job(ev, s->job)) {
		diag_report(ev->sink, E2702, at, "`%.*s` is about no job, so there is no step time to look at", (int)name.n,
			    name.p);
		return false;
	}
	if (!job_evaluate(ev, s->job, at))
		return false;
	b->s = s;
	arena_init_under(&b->arena, ev->lasting);
	change_begin(b);
	s->now = outcome_of(b, s->job);
	changes_of_axes(b);
	changes_of_figures(b);
	arena_release(&b->arena);
	sort_changes(s, s->axes.at, s->axes.n);
	sort_changes(s, s->figures.at, s->figures.n);
	return true;
}
