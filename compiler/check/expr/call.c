/* call.c - calls of the plan's own functions: which argument goes to which parameter. */
#include "compiler/check/check_int.h"

static const char *quoted(struct check *c, const char *format_name)
{
	struct out o;

	out_init(&o, c->arena);
	out_printf(&o, "`%s`", format_name);
	return str_copy(c->arena, out_view(&o)).p;
}

static ir_id poison_call(struct check *c, const struct ast *x)
{
	return ir_add_poison(c->p, x->span);
}

/* The parameter an argument is for; IR_NONE after reporting. */
static uint32_t parameter_of(struct check *c, struct ast *x, const struct ir_function *f,
			     const struct ast_argument *a, uint32_t position)
{
	struct suggestions s;
	struct diag *d;

	if (a->name.sym.id == 0 && position < f->param_count)
		return position;
	if (a->name.sym.id == 0) {
		d = diag_new(c->sink, E1104, a->value->span);
		diag_message(d, "`%s` takes %u argument%s", spell(c, f->name), f->param_count,
			     f->param_count == 1 ? "" : "s");
		diag_submit(d);
		return IR_NONE;
	}
	for (uint32_t i = 0; i < f->param_count; i++)
		if (sym_equal(f->param_names[i], a->name.sym))
			return i;
	d = diag_new(c->sink, E1104, a->name.span);
	diag_message(d, "`%s` has no parameter `%s`", spell(c, f->name), spell(c, a->name.sym));
	suggestions_init(&s, c->arena, sym_str(c->names, a->name.sym));
	for (uint32_t i = 0; i < f->param_count; i++)
		suggestions_add(&s, sym_str(c->names, f->param_names[i]), true);
	diag_suggest(d, &s);
	diag_submit(d);
	(void)x;
	return IR_NONE;
}

/* Lowers the arguments into `given`, one per parameter. False after reporting. */
static bool place_arguments(struct check *c, const struct env *e, struct ast *x, uint32_t function,
			    ir_id *given)
{
	struct ast_list arguments = x->call.arguments;
	bool fine = true;

	for (uint32_t i = 0; i < arguments.n; i++) {
		/* Copied, because lowering may move the tables. */
		struct ir_function f = c->p->functions.at[function];
		struct ast_argument a = { .value = arguments.at[i] };
		struct goal goal = { .declared = SPAN_NONE };
		uint32_t to;

		if (arguments.at[i]->kind == AST_ARGUMENT)
			a = arguments.at[i]->argument;
		to = parameter_of(c, x, &f, &a, i);
		if (to == IR_NONE) {
			fine = false;
			continue;
		}
		if (given[to] != IR_NO_NODE) {
			diag_report(c->sink, E1104, a.value->span, "`%s` is given twice",
				    spell(c, f.param_names[to]));
			fine = false;
			continue;
		}
		goal.what = quoted(c, spell(c, f.param_names[to]));
		given[to] = lower(c, e, a.value, f.params[to], &goal);
	}
	return fine;
}

/* Defaults of parameters see the file of the function, not its other parameters. */
static bool fill_defaults(struct check *c, struct ast *x, uint32_t function, ir_id *given)
{
	const struct decl *d = c->functions.at[function];
	struct ast_list params = d->node->fn.params;
	struct env home = file_env(d->home);

	for (uint32_t i = 0; i < c->p->functions.at[function].param_count; i++) {
		const struct ast_fn_param *param = &params.at[i]->fn_param;
		struct goal goal = { .declared = SPAN_NONE };

		if (given[i] != IR_NO_NODE)
			continue;
		if (!param->fallback) {
			struct diag *problem = diag_new(c->sink, E1104, x->span);

			diag_message(problem, "`%s` needs `%s`", spell(c, d->name),
				     spell(c, param->name.sym));
			diag_submit(problem);
			return false;
		}
		goal.what = quoted(c, spell(c, param->name.sym));
		given[i] = lower(c, &home, param->fallback, c->p->functions.at[function].params[i], &goal);
	}
	return true;
}

static ir_id lower_user_call(struct check *c, const struct env *e, struct ast *x, struct decl *d)
{
	uint32_t function = d->index;
	uint32_t n = c->p->functions.at[function].param_count;
	ir_id *given = ARENA_ARRAY(c->arena, ir_id, n + 1);

	for (uint32_t i = 0; i < n; i++)
		given[i] = IR_NO_NODE;
	if (!place_arguments(c, e, x, function, given) || !ensure(c, d, x->call.callee->span) ||
	    !fill_defaults(c, x, function, given))
		return poison_call(c, x);
	if (is_poison(c->p->functions.at[function].result))
		return poison_call(c, x);
	return ir_add(c->p, IR_CALL, c->p->functions.at[function].result, x->span, function,
		      ir_add_list(c->p, given, NULL, n), n);
}

/* ---- what is called -------------------------------------------------------------------------- */

static void suggest_functions(struct check *c, const struct env *e, struct diag *d, struct str name)
{
	const struct module *modules[] = { e->module, c->modules->prelude };
	struct suggestions s;

	suggestions_init(&s, c->arena, name);
	for (size_t k = 0; k < PLAN_COUNT(modules); k++)
		for (uint32_t i = 0; modules[k] && i < modules[k]->names.n; i++)
			if (modules[k]->names.at[i]->kind == DECL_FN)
				suggestions_add(&s, sym_str(c->names, modules[k]->names.at[i]->name), true);
	for (uint32_t i = 0; i < BUILTIN_COUNT; i++)
		suggestions_add(&s, str_of(builtin_name((enum builtin)i)), true);
	diag_suggest(d, &s);
}

static ir_id report_no_function(struct check *c, const struct env *e, struct ast *x)
{
	struct ast_name name = x->call.callee->ident.name;
	struct meaning m = name_meaning(c, e, name.sym, NULL);
	struct diag *d;

	if (m.kind == MEANS_DECL && m.decl->kind == DECL_BROKEN)
		return poison_call(c, x);
	if (m.kind != MEANS_NOTHING) {
		d = diag_new(c->sink, E1207, name.span);
		diag_message(d, "`%s` is %s, not a function", spell(c, name.sym),
			     m.kind == MEANS_DECL ? decl_kind_text(m.decl->kind)
			     : m.kind == MEANS_SLOT || m.kind == MEANS_CANDIDATE ? "a field" : "a value");
	} else {
		d = diag_new(c->sink, E1202, name.span);
		diag_message(d, "there is no function `%s`", spell(c, name.sym));
		if (!diag_foreign(d, FOREIGN_FUNCTION, sym_str(c->names, name.sym), name.span))
			suggest_functions(c, e, d, sym_str(c->names, name.sym));
	}
	diag_submit(d);
	return poison_call(c, x);
}

static ir_id lower_name_call(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	struct sym name = x->call.callee->ident.name.sym;
	struct decl *d = module_find(e->module, name);
	enum builtin b;
	ir_id node;

	/* Only functions count here: a field may be called `name`, a schema `round`. */
	if (!d || d->kind != DECL_FN)
		d = find_decl(c, c->modules->prelude ? c->modules->prelude : e->module, name);
	if (d && d->kind == DECL_FN)
		return lower_user_call(c, e, x, d);
	if (lower_selection(c, e, x, &node))
		return node;
	if (builtin_find(sym_str(c->names, name), &b))
		return lower_builtin(c, e, x, b, hint);
	return report_no_function(c, e, x);
}

/* `f(a = 1, 2)`: which parameter the 2 is for would depend on how one counts. */
static bool report_late_position(struct check *c, const struct ast *x)
{
	struct ast_list arguments = x->call.arguments;
	const struct ast *named = NULL;
	struct diag *d;

	for (uint32_t i = 0; i < arguments.n; i++) {
		const struct ast *a = arguments.at[i];

		if (a->kind == AST_ARGUMENT && a->argument.name.sym.id != 0) {
			named = a;
			continue;
		}
		if (!named)
			continue;
		d = diag_new(c->sink, E1104, a->span);
		diag_message(d, "an argument without a name stands behind one with a name");
		diag_label(d, named->argument.name.span, "named here");
		diag_help(d, "put it in front of the named ones, or name it");
		diag_submit(d);
		return true;
	}
	return false;
}

ir_id lower_call(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	struct ast *callee = x->call.callee;
	struct decl *d;

	if (report_late_position(c, x))
		return poison_call(c, x);
	if (callee->kind == AST_NAME)
		return lower_name_call(c, e, x, hint);
	if (callee->kind == AST_MEMBER && callee->member.of->kind == AST_NAME) {
		struct sym left = callee->member.of->ident.name.sym;

		d = module_find(e->module, left);
		if (d && d->kind == DECL_BROKEN)
			return poison_call(c, x);
		d = d && d->kind == DECL_MODULE ? module_find_own(d->module, callee->member.name.sym)
		    : sym_equal(left, c->sym_file) ? find_decl(c, e->module, callee->member.name.sym)
						   : NULL;
		if (d && d->kind == DECL_FN)
			return lower_user_call(c, e, x, d);
	}
	if (callee->kind != AST_BAD)
		diag_report(c->sink, E1207, callee->span, "only functions are called, by their name");
	return poison_call(c, x);
}
