/* sweep.c - sweeps: axes become layers over the record, constraints and goals expressions in it.
 *
 * Names inside a sweep mean fields of the candidate, so the text is lowered like that of a record. What
 * an axis sets is checked as a field is; its layer is the one that `with { path = value }` would make,
 * with the value as a local.
 */
#include "compiler/check/sweep/sweep_int.h"

#include "compiler/ir/reads/reads.h"

/* ---- header: of which record ------------------------------------------------------------------ */

static void type_header(struct check *c, struct decl *d)
{
	struct env e = file_env(d->home);
	struct ast *path = expression_of_path(c, d->node->sweep.of);
	struct ir_sweep *s;
	ir_id of;
	const struct type *t;

	if (!path)
		return;
	of = infer(c, &e, path, NULL);
	t = ir_type(c->p, of);
	s = &c->p->sweeps.at[d->index];
	s->of = of;
	if (t->kind == TYPE_RECORD)
		s->type = t;
	else if (!is_poison(t))
		diag_report(c->sink, E1101, path->span, "a sweep goes out from a record, but this is %s",
			    type_phrase(c, t));
}

bool sweep_header(struct check *c, struct decl *d, struct span span)
{
	if (d->header == DECL_DONE)
		return true;
	if (d->header == DECL_BUSY) {
		report_cycle(c, d, d->name, span);
		return false;
	}
	d->header = DECL_BUSY;
	*VEC_ADD(c->arena, &c->busy) = (struct busy){ d, d->name };
	type_header(c, d);
	c->busy.n--;
	d->header = DECL_DONE;
	return true;
}

/* ---- goals ----------------------------------------------------------------------------------- */

static void lower_slack(struct sweeping *w, struct ast *x, const struct type *goal, struct ir_goal *g)
{
	struct check *c = w->c;
	const struct type *t;
	struct diag *d;

	g->slack = infer(c, w->env, x, goal);
	t = ir_type(c->p, g->slack);
	if (is_poison(t) || is_poison(goal))
		return;
	g->relative = t->kind == TYPE_NUMBER && t->percent;
	if (g->relative || (t->kind == TYPE_NUMBER && dim_equal(t->dim, goal->dim)))
		return;
	d = diag_new(c->sink, E2407, x->span);
	diag_message(d, "a slack is a percentage or %s as the goal is, this is %s", type_phrase(c, goal),
		     type_phrase(c, t));
	diag_submit(d);
	g->slack = IR_NO_NODE;
}

static void lower_goal(struct sweeping *w, struct ast *x)
{
	struct check *c = w->c;
	struct ir_goal g = { .maximise = x->goal.maximise, .slack = IR_NO_NODE, .span = x->span };
	const struct type *t;

	g.value = infer(c, w->env, x->goal.value, NULL);
	t = without_none(ir_type(c->p, g.value));
	if (!is_poison(t) && t->kind != TYPE_NUMBER)
		diag_report(c->sink, E2412, x->goal.value->span,
			    "a goal is a number or a quantity, but this is %s", type_phrase(c, t));
	else if (x->goal.slack && w->pareto)
		diag_report(c->sink, E2407, x->goal.slack->span,
			    "`slack` has no meaning in a pareto objective: no goal comes before another");
	else if (x->goal.slack)
		lower_slack(w, x->goal.slack, t, &g);
	*VEC_ADD(c->arena, &w->goals) = g;
}

static void read_mode(struct sweeping *w, struct ast_name mode)
{
	struct diag *d;
	struct suggestions s;

	w->pareto = mode.sym.id != 0 && str_is(sym_str(w->c->names, mode.sym), "pareto");
	if (mode.sym.id == 0 || w->pareto)
		return;
	d = diag_new(w->c->sink, E2404, mode.span);
	diag_message(d, "there is no objective `%s`", spell(w->c, mode.sym));
	suggestions_init(&s, w->c->arena, sym_str(w->c->names, mode.sym));
	suggestions_add(&s, STR("pareto"), true);
	if (!diag_suggest(d, &s))
		diag_help(d, "write `objective pareto { ... }`, or nothing for goals in their order");
	diag_submit(d);
}

static void lower_objective(struct sweeping *w, struct ast *x)
{
	struct diag *d;

	if (w->objective) {
		d = diag_new(w->c->sink, E2409, x->span);
		diag_message(d, "a sweep has one objective");
		diag_label(d, w->objective->span, "first here");
		diag_help(d, "put all goals between the same braces, the weightiest first");
		diag_submit(d);
		return;
	}
	w->objective = x;
	read_mode(w, x->objective.mode);
	for (uint32_t i = 0; i < x->objective.goals.n; i++)
		if (x->objective.goals.at[i]->kind == AST_GOAL)
			lower_goal(w, x->objective.goals.at[i]);
	if (x->objective.goals.n > 0)
		return;
	d = diag_new(w->c->sink, E2402, x->span);
	diag_message(d, "this objective has no goal");
	diag_help(d, "say what makes a candidate better: `maximise EXPR` or `minimise EXPR`");
	diag_submit(d);
}

/* ---- constraints and options ------------------------------------------------------------------ */

static void lower_constraint(struct sweeping *w, struct ast *x)
{
	struct check *c = w->c;
	struct ast_constraint *k = &x->constraint;
	struct env cond = *w->env, because = *w->env;
	struct ir_condition r = { .own = true, .layer = IR_NONE };

	for (uint32_t i = 0; i < w->constraints.n; i++) {
		struct diag *d;

		if (!sym_equal(w->constraints.at[i].rule.name, k->name.sym))
			continue;
		d = diag_new(c->sink, E1203, k->name.span);
		diag_message(d, "constraint `%s` is declared twice", spell(c, k->name.sym));
		diag_label(d, w->constraints.at[i].rule.span, "first here");
		diag_submit(d);
	}
	r.rule = (struct ir_assert){ .name = k->name.sym, .when = IR_NO_NODE, .because = IR_NO_NODE,
				     .span = x->span, .cond_span = k->cond->span };
	if (k->when) {
		r.rule.when = lower_condition(c, w->env, k->when, "the condition of `when`");
		cond.facts = facts_of(c, w->env, k->when, true, w->env->facts);
	}
	r.rule.cond = lower_condition(c, &cond, k->cond, "a constraint");
	if (k->because) {
		because.facts = facts_of(c, &cond, k->cond, false, cond.facts);
		r.rule.because = infer(c, &because, k->because, c->t.string);
	}
	*VEC_ADD(c->arena, &w->constraints) = r;
}

static void lower_option(struct sweeping *w, struct ast *x)
{
	struct check *c = w->c;
	struct env file = file_env(w->env->module);
	struct goal goal = { .what = "`limit`", .declared = SPAN_NONE };
	struct ast_list parts = x->set.path->kind == AST_PATH ? x->set.path->path.parts
							       : (struct ast_list){ 0 };
	struct suggestions s;
	struct str name;
	struct diag *d;

	if (parts.n == 0 || parts.at[0]->kind != AST_NAME_REF)
		return;
	name = sym_str(c->names, parts.at[0]->name_ref.name.sym);
	if (parts.n == 1 && str_is(name, "limit") && w->limit_clause) {
		d = diag_new(c->sink, E1208, x->set.path->span);
		diag_message(d, "`limit` is set twice in this sweep");
		diag_label(d, w->limit_clause->span, "first here");
		diag_submit(d);
		return;
	}
	if (parts.n == 1 && str_is(name, "limit")) {
		w->limit_clause = x->set.path;
		w->limit = lower(c, &file, x->set.value, c->t.integer, &goal);
		return;
	}
	d = diag_new(c->sink, E2404, x->set.path->span);
	diag_message(d, "a sweep has no option `%s`", spell(c, parts.at[0]->name_ref.name.sym));
	suggestions_init(&s, c->arena, name);
	suggestions_add(&s, STR("limit"), true);
	if (str_is(name, "seed"))
		diag_note(d, "every candidate is looked at, so nothing depends on chance");
	else if (!diag_suggest(d, &s) && field_find(c, w->env->schema, parts.at[0]->name_ref.name.sym) != IR_NONE)
		diag_help(d, "write `vary %.*s in [...]`; one value in the list sets it for all candidates",
			  (int)source_slice(c->p->sources, x->set.path->span).n,
			  source_slice(c->p->sources, x->set.path->span).p);
	diag_submit(d);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void lower_clauses(struct sweeping *w, struct ast_list clauses)
{
	for (uint32_t i = 0; i < clauses.n; i++) {
		struct ast *x = clauses.at[i];

		if (x->kind == AST_VARY)
			lower_axis(w, x);
		else if (x->kind == AST_CONSTRAINT)
			lower_constraint(w, x);
		else if (x->kind == AST_OBJECTIVE)
			lower_objective(w, x);
		else if (x->kind == AST_SET)
			lower_option(w, x);
	}
}

static struct ast_list lets_of(struct check *c, struct ast_list clauses)
{
	struct ast_list lets = { ARENA_ARRAY(c->arena, struct ast *, clauses.n + 1), 0 };

	for (uint32_t i = 0; i < clauses.n; i++)
		if (clauses.at[i]->kind == AST_LET)
			lets.at[lets.n++] = clauses.at[i];
	return lets;
}

static bool is_broken(struct check *c, const struct sweeping *w)
{
	for (uint32_t i = 0; i < w->axes.n; i++)
		if (is_poison(ir_type(c->p, w->axes.at[i].values)))
			return true;
	return c->sink->errors != w->errors;
}

/* A sweep that something was reported about selects nothing. */
static void store(struct sweeping *w, uint32_t index)
{
	struct ir_sweep *s = &w->c->p->sweeps.at[index];

	if (is_broken(w->c, w)) {
		s->type = w->c->t.poison;
		return;
	}
	s->axes = w->axes.at;
	s->axis_count = w->axes.n;
	s->conditions = w->constraints.at;
	s->condition_count = w->constraints.n;
	s->has_objective = w->objective != NULL;
	s->pareto = w->pareto;
	s->goals = w->goals.at;
	s->goal_count = w->goals.n;
	s->limit = w->limit;
}

static void lower_sweep(struct check *c, struct decl *d)
{
	struct sweeping w = { .c = c, .limit = IR_NO_NODE, .errors = c->sink->errors };
	struct env file = file_env(d->home);
	struct lets *lets = ARENA_NEW(c->arena, struct lets);
	const struct type *t = c->p->sweeps.at[d->index].type;
	struct ast_list clauses = d->node->sweep.clauses;
	struct env *e;

	if (is_poison(t))
		return;
	e = record_env(c, &file, t->index);
	e->lets = lets;
	w.env = e;
	collect_lets(c, e, lets_of(c, clauses), lets);
	lower_clauses(&w, clauses);
	for (uint32_t i = 0; i < lets->n; i++)
		lower_let(c, e, lets->at[i], lets->at[i]->node->let.name.span);
	store(&w, d->index);
}

void sweep_body(struct check *c, struct decl *d)
{
	if (d->state != DECL_NEW || !sweep_header(c, d, d->span))
		return;
	d->state = DECL_BUSY;
	lower_sweep(c, d);
	d->state = DECL_DONE;
}

/* ---- when everything is lowered --------------------------------------------------------------- */

/* An axis sees those before it; a later one still has the value of the record there. */
static void report_late(struct check *c, const struct ir_sweep *s, uint32_t axis, uint64_t late)
{
	const struct ir_path *path = &s->axes[axis].paths[0], *other;
	uint32_t k = axis + 1;
	struct diag *d = diag_new(c->sink, E2414, s->axes[axis].span);

	while (!(late >> k & 1))
		k++;
	other = &s->axes[k].paths[0];
	diag_message(d, "the axis of `%.*s` depends on `%.*s`, which varies only after it",
		     (int)path->text.n, path->text.p, (int)other->text.n, other->text.p);
	diag_label(d, other->span, "varied here");
	diag_help(d, "move this axis below that of `%.*s`", (int)other->text.n, other->text.p);
	diag_submit(d);
}

/* What reads no axis rules out every candidate or none; most often the record was meant that varies. */
static void lint_constant(struct check *c, const struct ir_sweep *s)
{
	for (uint32_t i = 0; i < s->condition_count && s->file == c->modules->root->file; i++) {
		const struct ir_condition *k = &s->conditions[i];
		struct diag *d;

		if (!k->own || k->reads.axes != 0 || s->axis_count == 0)
			continue;
		d = diag_new(c->sink, W2402, k->rule.cond_span);
		diag_message(d, "constraint `%s` is the same for all candidates: it reads no axis",
			     spell(c, k->rule.name));
		diag_help(d, "a field of the candidate is named without a record before it; what holds for the plan as it "
			     "stands is an `assert`");
		diag_submit(d);
	}
}

static void lint_goals(struct check *c, const struct ir_sweep *s)
{
	for (uint32_t i = 0; i < s->goal_count && s->file == c->modules->root->file; i++) {
		const struct ir_goal *g = &s->goals[i];
		struct diag *d;

		if (g->reads.axes != 0 || s->axis_count == 0)
			continue;
		d = diag_new(c->sink, W2406, c->p->nodes.at[g->value].span);
		diag_message(d, "this goal is the same for all candidates: it reads no axis");
		diag_help(d, "a field of the candidate is named without a record before it");
		diag_submit(d);
	}
}

void settle_sweeps(struct check *c, uint32_t first)
{
	uint64_t late[IR_AXES_MAX];

	for (uint32_t i = first; i < c->p->sweeps.n; i++) {
		struct ir_sweep *s = &c->p->sweeps.at[i];

		if (is_poison(s->type) || s->settled)
			continue;
		s->settled = true;
		ir_sweep_settle(c->p, i, late);
		for (uint32_t k = 0; k < s->axis_count; k++)
			if (late[k] != 0)
				report_late(c, s, k, late[k]);
		lint_constant(c, s);
		lint_goals(c, s);
	}
}
