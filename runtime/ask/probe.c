/* probe.c - see probe.h. */
#include "runtime/ask/probe.h"

/* ---- what a change reaches -------------------------------------------------------------------- */

static bool is_among(const bool *of_sweeps, const struct ir_assert *a)
{
	return (a->cond != IR_NO_NODE && of_sweeps[a->cond]) || (a->when != IR_NO_NODE && of_sweeps[a->when]);
}

/* Expressions whose value is chosen by a sweep that itself depends on the change: to ask for them would be
 * to run the sweep for every value that is tried. */
static bool *chosen_anew(const struct probe_plan *plan, struct arena *a)
{
	const struct ir_program *p = plan->ev->program;
	bool *chosen = ARENA_ARRAY(a, bool, p->nodes.n + 1);

	for (uint32_t i = 0; i < p->globals.n; i++) {
		const struct ir_global *g = &p->globals.at[i];
		struct ir_dependents after;

		if (g->value == IR_NO_NODE || p->nodes.at[g->value].op != IR_SELECT ||
		    !plan->may.sweeps[p->nodes.at[g->value].a] || i == plan->global)
			continue;
		after = ir_dependents_of(p, i, a);
		for (uint32_t k = 0; k < p->nodes.n; k++)
			chosen[k] = chosen[k] || after.nodes[k];
	}
	for (uint32_t k = 0; k < p->nodes.n; k++)
		if (p->nodes.at[k].op == IR_SELECT && plan->may.sweeps[p->nodes.at[k].a])
			chosen[k] = true;
	return chosen;
}

static void take_asserts(struct probe_plan *plan)
{
	const struct ir_program *p = plan->ev->program;
	struct arena *a = plan->ev->lasting;
	const bool *chosen = chosen_anew(plan, a);

	plan->asserts = ARENA_ARRAY(a, struct ir_assert, p->asserts.n + 1);
	for (uint32_t i = 0; i < p->asserts.n; i++)
		if (ir_assert_depends(&plan->may, &p->asserts.at[i]) &&
		    !is_among(chosen, &p->asserts.at[i]))
			plan->asserts[plan->assert_count++] = p->asserts.at[i];
}

static void take_globals(struct probe_plan *plan)
{
	const struct ir_program *p = plan->ev->program;
	struct arena *a = plan->ev->lasting;

	plan->globals = ARENA_ARRAY(a, uint32_t, p->globals.n + 1);
	for (uint32_t i = 0; i < p->globals.n; i++) {
		const struct ir_global *g = &p->globals.at[i];

		if (!plan->may.globals[i] || g->kind != GLOBAL_INSTANCE)
			continue;
		if (i == plan->global || i == plan->subject || ir_dependents_of(p, i, a).globals[plan->subject])
			plan->globals[plan->global_count++] = i;
	}
}

void probe_plan_init(struct probe_plan *plan, struct eval *ev, uint32_t global, uint32_t subject)
{
	*plan = (struct probe_plan){ .ev = ev, .global = global, .subject = subject };
	plan->may = ir_dependents_of(ev->program, global, ev->lasting);
	plan->users = ARENA_ARRAY(ev->lasting, bool, ev->program->globals.n + 1);
	for (uint32_t i = 0; i < ev->program->globals.n; i++)
		plan->users[i] = plan->may.globals[i] || !ev->program->globals.at[i].library;
	take_globals(plan);
	take_asserts(plan);
}

/* ---- one change ------------------------------------------------------------------------------- */

/* A sweep that the change does not reach has run, or runs, in the evaluator of the plan. */
static struct value select_outside(struct eval *ev, uint32_t sweep, enum selection which, int64_t count,
				   struct span at, void *context)
{
	const struct probe_plan *plan = context;

	if (ev->without_model || plan->may.sweeps[sweep] || !plan->ev->select)
		return value_poison();
	return plan->ev->select(plan->ev, sweep, which, count, at, plan->ev->select_context);
}

struct probe *probe_make(const struct probe_plan *plan)
{
	struct probe *p = ARENA_NEW(plan->ev->lasting, struct probe);

	p->plan = plan;
	arena_init_under(&p->arena, plan->ev->lasting);
	return p;
}

void probe_begin(struct probe *p, bool model)
{
	const struct probe_plan *plan = p->plan;
	const struct eval *like = plan->ev;
	uint32_t n = like->program->globals.n;

	diag_sink_init(&p->sink, &p->arena, like->program->sources);
	p->ev = *like;
	p->ev.arena = p->ev.lasting = &p->arena;
	p->ev.sink = &p->sink;
	p->ev.select = select_outside;
	p->ev.select_context = (void *)(uintptr_t)plan;
	p->ev.without_model = !model;
	p->ev.active = NULL;
	p->ev.depth = 0;
	p->ev.steps = 0;
	p->ev.exhausted = false;
	p->ev.globals = ARENA_ARRAY(&p->arena, struct value, n + 1);
	p->ev.global_states = ARENA_ARRAY(&p->arena, unsigned char, n + 1);
	p->ev.outer = plan->ev;
	p->ev.own = model ? plan->may.globals : plan->users;
}

void probe_end(struct probe *p)
{
	arena_release(&p->arena);
}

struct value probe_changed(struct probe *p, const struct record_step *steps, uint32_t n, struct value now)
{
	struct value v = eval_global(p->plan->ev, p->plan->global);
	struct record *r;

	if (n == 0)
		return now;
	r = v.kind == VALUE_RECORD ? record_with(&p->ev, v.record, steps, n, now) : NULL;
	return r ? (struct value){ .kind = VALUE_RECORD, .record = r } : value_poison();
}

void probe_put(struct probe *p, struct value v)
{
	p->ev.globals[p->plan->global] = v;
	p->ev.global_states[p->plan->global] = SLOT_DONE;
}

struct record *probe_subject(struct probe *p)
{
	struct value v = eval_global(&p->ev, p->plan->subject);

	return v.kind == VALUE_RECORD ? v.record : NULL;
}

bool probe_can_run(struct probe *p)
{
	const struct ir_program *program = p->ev.program;
	uint32_t job = ir_find_schema(program, "job");
	struct record *r = probe_subject(p);
	bool fine;

	if (!r || job == IR_NONE || !ir_schema_extends(program, r->schema, job))
		return r != NULL;
	/* What is remembered of the job lives as long as its record, which may be that of the plan itself. */
	p->ev.arena = r->home;
	fine = job_evaluate(&p->ev, r, program->globals.at[p->plan->subject].span) != NULL;
	p->ev.arena = &p->arena;
	return fine;
}

bool probe_is_legal(struct probe *p)
{
	const struct probe_plan *plan = p->plan;
	const struct ir_global *g = &p->ev.program->globals.at[plan->subject];
	struct record *r = probe_subject(p);

	if (!r || !scope_check(&p->ev, plan->globals, plan->global_count, plan->asserts, plan->assert_count))
		return false;
	/* The best of a sweep is a record, but no instance that was checked as one of the globals. */
	if (g->kind != GLOBAL_INSTANCE && !record_check(&p->ev, r, g->span, sym_str(p->ev.program->names, g->name)))
		return false;
	return (p->ev.without_model || probe_can_run(p)) && p->sink.errors == 0;
}
