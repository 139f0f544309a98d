/* layout_call.c - the constructors of pipeline layouts: even(), balanced(), ends(), counts(), stages(). */
#include "compiler/check/check_int.h"

static struct ast_argument argument_at(const struct ast *x, uint32_t i)
{
	struct ast *a = x->call.arguments.at[i];

	return a->kind == AST_ARGUMENT ? a->argument : (struct ast_argument){ .value = a };
}

static ir_id make(struct check *c, struct ast *x, enum builtin b, const ir_id *nodes,
		  const struct sym *names, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_poison(ir_type(c->p, nodes[i])))
			return ir_add_poison(c->p, x->span);
	return ir_add(c->p, IR_BUILTIN, c->t.layout, x->span, (uint32_t)b,
		      ir_add_list(c->p, nodes, names, n), n);
}

/* even(embedding = 1, loss = 1), ends(first = 4, last = 3): whole numbers by name. */
static ir_id by_name(struct check *c, const struct env *e, struct ast *x, enum builtin b,
		     const char *first, const char *second)
{
	ir_id nodes[2];
	struct sym names[2];
	uint32_t n = x->call.arguments.n;

	for (uint32_t i = 0; i < n; i++) {
		struct ast_argument a = argument_at(x, i);
		struct str name = sym_str(c->names, a.name.sym);
		struct goal goal = { .what = str_is(name, first) ? first : second,
				     .declared = SPAN_NONE,
				     .code = E1104 };

		if (!str_is(name, first) && !str_is(name, second)) {
			diag_report(c->sink, E1104, a.name.sym.id ? a.name.span : a.value->span,
				    "`%s` takes `%s = ...` and `%s = ...`", builtin_name(b), first, second);
			return ir_add_poison(c->p, x->span);
		}
		if (i == 1 && sym_equal(a.name.sym, names[0])) {
			diag_report(c->sink, E1104, a.name.span, "`%s` is given twice", name.p);
			return ir_add_poison(c->p, x->span);
		}
		nodes[i] = lower(c, e, a.value, c->t.integer, &goal);
		names[i] = a.name.sym;
	}
	return make(c, x, b, nodes, names, n);
}

ir_id lower_layout(struct check *c, const struct env *e, struct ast *x, enum builtin b)
{
	struct goal goal = { .what = b == BUILTIN_COUNTS ? "the argument of `counts`"
							 : "the argument of `stages`",
			     .declared = SPAN_NONE,
			     .code = E1104 };
	const struct type *type = b == BUILTIN_COUNTS ? type_list(c->p->types, c->t.integer) : c->t.string;
	ir_id node;

	if (b == BUILTIN_EVEN || b == BUILTIN_BALANCED)
		return by_name(c, e, x, b, "embedding", "loss");
	if (b == BUILTIN_ENDS)
		return by_name(c, e, x, b, "first", "last");
	node = lower(c, e, argument_at(x, 0).value, type, &goal);
	return make(c, x, b, &node, NULL, 1);
}
