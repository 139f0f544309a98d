/* select.c - best(s), top(s, n), pareto(s), all(s): candidates of a sweep as values. */
#include "compiler/check/check_int.h"

static bool selection_find(struct str name, enum selection *which)
{
	for (uint32_t i = 0; i < SELECT_COUNT; i++)
		if (str_is(name, selection_names[i])) {
			*which = (enum selection)i;
			return true;
		}
	return false;
}

struct decl *sweep_named(struct check *c, const struct env *e, const struct ast *x)
{
	struct decl *d;

	if (x->kind == AST_GROUP)
		return sweep_named(c, e, x->group.inner);
	if (x->kind == AST_NAME) {
		d = find_decl(c, e->module, x->ident.name.sym);
		return d && (d->kind == DECL_SWEEP || d->kind == DECL_BROKEN) ? d : NULL;
	}
	if (x->kind != AST_MEMBER || x->member.of->kind != AST_NAME)
		return NULL;
	if (sym_equal(x->member.of->ident.name.sym, c->sym_file))
		return find_decl(c, e->module, x->member.name.sym);
	d = module_find(e->module, x->member.of->ident.name.sym);
	d = d && d->kind == DECL_MODULE ? module_find_own(d->module, x->member.name.sym) : NULL;
	return d && d->kind == DECL_SWEEP ? d : NULL;
}

static struct ast *argument(struct ast *x, uint32_t i)
{
	struct ast *a = i < x->call.arguments.n ? x->call.arguments.at[i] : NULL;

	return a && a->kind == AST_ARGUMENT ? a->argument.value : NULL;
}

static void report_count(struct check *c, struct ast *x, enum selection which)
{
	struct diag *d = diag_new(c->sink, E1104, x->span);

	diag_message(d, "`%s` takes a sweep%s", selection_names[which],
		     which == SELECT_TOP ? " and a number" : " and nothing else");
	diag_help(d, which == SELECT_TOP ? "write `top(sweep, 10)`" : "write `%s(sweep)`",
		  selection_names[which]);
	diag_submit(d);
}

static bool has_objective(const struct decl *d)
{
	for (uint32_t i = 0; i < d->node->sweep.clauses.n; i++)
		if (d->node->sweep.clauses.at[i]->kind == AST_OBJECTIVE)
			return true;
	return false;
}

static ir_id lower_selected(struct check *c, const struct env *e, struct ast *x, enum selection which,
			    struct decl *sweep)
{
	struct goal goal = { .what = "the number of candidates", .declared = SPAN_NONE };
	ir_id count = IR_NO_NODE;
	const struct type *t;
	struct diag *d;

	if (sweep->kind == DECL_BROKEN || !sweep_header(c, sweep, x->span))
		return ir_add_poison(c->p, x->span);
	t = c->p->sweeps.at[sweep->index].type;
	if (x->call.arguments.n != (which == SELECT_TOP ? 2u : 1u)) {
		report_count(c, x, which);
		return ir_add_poison(c->p, x->span);
	}
	if (which == SELECT_TOP && argument(x, 1))
		count = lower(c, e, argument(x, 1), c->t.integer, &goal);
	if (which != SELECT_ALL && !has_objective(sweep)) {
		d = diag_new(c->sink, E2411, x->span);
		diag_message(d, "sweep `%s` does not say what is better", spell(c, sweep->name));
		diag_help(d, "give it an `objective { ... }`, or take `all(%s)`", spell(c, sweep->name));
		diag_submit(d);
		return ir_add_poison(c->p, x->span);
	}
	if (is_poison(t))
		return ir_add_poison(c->p, x->span);
	return ir_add(c->p, IR_SELECT, which == SELECT_BEST ? t : type_list(c->p->types, t), x->span,
		      sweep->index, which, count);
}

/* `best(layuots)`: the word is none of the language's functions, so a sweep was meant. */
void report_no_sweep(struct check *c, const struct env *e, const struct ast *named)
{
	struct diag *d = diag_new(c->sink, E1202, named->span);
	struct suggestions s;
	struct str text = source_slice(c->p->sources, named->span);

	diag_message(d, "there is no sweep `%.*s`", (int)text.n, text.p);
	suggestions_init(&s, c->arena, text);
	for (uint32_t i = 0; i < e->module->names.n; i++)
		if (e->module->names.at[i]->kind == DECL_SWEEP)
			suggestions_add(&s, sym_str(c->names, e->module->names.at[i]->name), true);
	diag_suggest(d, &s);
	diag_submit(d);
}

bool lower_selection(struct check *c, const struct env *e, struct ast *x, ir_id *node)
{
	enum selection which;
	struct ast *first = argument(x, 0);
	struct decl *sweep = first ? sweep_named(c, e, first) : NULL;

	if (!selection_find(sym_str(c->names, x->call.callee->ident.name.sym), &which))
		return false;
	if (!sweep && which == SELECT_ALL)
		return false;           /* the built-in function of that name */
	if (sweep) {
		*node = lower_selected(c, e, x, which, sweep);
	} else if (first && (first->kind == AST_NAME || first->kind == AST_MEMBER)) {
		report_no_sweep(c, e, first);
		*node = ir_add_poison(c->p, x->span);
	} else {
		report_count(c, x, which);
		*node = ir_add_poison(c->p, x->span);
	}
	return true;
}
