/* compare.c - comparisons, `in` and `within`: one side may say what the other means. */
#include "compiler/check/operator/operator_int.h"

/* A name that means nothing by itself; the type of the other side may say what it is. */
static bool needs_other_side(struct check *c, const struct env *e, const struct ast *x)
{
	struct meaning m;

	if (x->kind == AST_GROUP)
		return needs_other_side(c, e, x->group.inner);
	if (x->kind == AST_RECORD)
		return true;
	if (x->kind != AST_NAME)
		return false;
	m = name_meaning(c, e, x->ident.name.sym, NULL);
	return m.kind == MEANS_NOTHING ||
	       (m.kind == MEANS_DECL && (m.decl->kind == DECL_SCHEMA || m.decl->kind == DECL_ENUM ||
					 m.decl->kind == DECL_FN || m.decl->kind == DECL_MODULE));
}

static void lower_pair(struct check *c, const struct env *e, struct ast *x, ir_id *l, ir_id *r)
{
	struct ast *left = x->binary.left, *right = x->binary.right;

	if (needs_other_side(c, e, left) && !needs_other_side(c, e, right)) {
		*r = infer(c, e, right, NULL);
		*l = infer(c, e, left, ir_type(c->p, *r));
	} else {
		*l = infer(c, e, left, NULL);
		*r = infer(c, e, right, ir_type(c->p, *l));
	}
}

/* An ordinal next to its enum becomes a value of it. */
static void meet_ordinals(struct check *c, ir_id *l, ir_id *r)
{
	const struct type *a = strip_option(ir_type(c->p, *l)), *b = strip_option(ir_type(c->p, *r));
	struct goal goal = { .what = "the other side", .declared = SPAN_NONE };

	if (a->kind == TYPE_ENUM && is_plain(b) && c->p->enums.at[a->index].ordinals)
		*r = coerce(c, *r, a, &goal);
	else if (b->kind == TYPE_ENUM && is_plain(a) && c->p->enums.at[b->index].ordinals)
		*l = coerce(c, *l, b, &goal);
}

static bool comparable(const struct type *t)
{
	return t->kind != TYPE_TABLE && t->kind != TYPE_MAP && t->kind != TYPE_ARG && t->kind != TYPE_ANY;
}

static ir_id compare_equal(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct type *a = strip_option(ir_type(c->p, l)), *b = strip_option(ir_type(c->p, r));
	struct diag *d;

	if (a->kind == TYPE_NUMBER && b->kind == TYPE_NUMBER) {
		if (!dim_equal(a->dim, b->dim))
			return report_dimensions(c, x, op, l, r);
		if (is_plain(a) && wider_exactness(a, b) == EXACT_REAL) {
			d = diag_new(c->sink, E1109, x->span);
			diag_message(d, "`%s` on a real number depends on its last digit",
				     ast_op_text(op));
			diag_help(d, "write `a within 0.1%% of b`");
			diag_submit(d);
			return ir_add_poison(c->p, x->span);
		}
	} else if (a->kind != TYPE_NONE && b->kind != TYPE_NONE &&
		   (!type_join(c, a, b) || !comparable(a))) {
		return report_comparison(c, x, op, l, r);
	}
	return ir_add(c->p, operation_of(op), c->t.boolean, x->span, l, r, 0);
}

static ir_id compare_order(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct type *a = ir_type(c->p, l), *b = ir_type(c->p, r);

	if (a->kind != TYPE_NUMBER && a->kind != TYPE_ENUM)
		return report_operand(c, x, op, l);
	if (b->kind != TYPE_NUMBER && b->kind != TYPE_ENUM)
		return report_operand(c, x, op, r);
	if (a->kind == TYPE_NUMBER && b->kind == TYPE_NUMBER && !dim_equal(a->dim, b->dim))
		return report_dimensions(c, x, op, l, r);
	if (a->kind != b->kind || (a->kind == TYPE_ENUM && a != b))
		return report_comparison(c, x, op, l, r);
	return ir_add(c->p, operation_of(op), c->t.boolean, x->span, l, r, 0);
}

ir_id lower_comparison(struct check *c, const struct env *e, struct ast *x)
{
	enum ast_op op = x->binary.op;
	ir_id l, r;

	lower_pair(c, e, x, &l, &r);
	if (is_poison(ir_type(c->p, l)) || is_poison(ir_type(c->p, r)))
		return ir_add_poison(c->p, x->span);
	meet_ordinals(c, &l, &r);
	if (is_poison(ir_type(c->p, l)) || is_poison(ir_type(c->p, r)))
		return ir_add_poison(c->p, x->span);
	return op == OP_EQ || op == OP_NE ? compare_equal(c, x, op, l, r) : compare_order(c, x, op, l, r);
}

static bool is_list_form(const struct ast *x)
{
	return x->kind == AST_GROUP ? is_list_form(x->group.inner) : x->kind == AST_LIST_OF;
}

ir_id lower_in(struct check *c, const struct env *e, struct ast *x)
{
	struct ast *left = x->binary.left, *right = x->binary.right;
	struct goal goal = { .what = "an element of the list", .declared = SPAN_NONE };
	ir_id l = IR_NO_NODE, r;
	const struct type *list, *of;

	if (is_list_form(right) && !needs_other_side(c, e, left)) {
		const struct type *t;

		l = infer(c, e, left, NULL);
		t = strip_option(ir_type(c->p, l));
		r = infer(c, e, right, type_list(c->p->types, t));
	} else {
		r = infer(c, e, right, NULL);
	}
	list = ir_type(c->p, r);
	if (is_poison(list))
		return ir_add_poison(c->p, x->span);
	if (list->kind != TYPE_LIST && list->kind != TYPE_MAP)
		return report_operand(c, x, OP_IN, r);
	of = list->kind == TYPE_MAP ? list->of->items[0] : list->of;
	if (l == IR_NO_NODE)
		l = infer(c, e, left, of);
	if (is_poison(ir_type(c->p, l)))
		return ir_add_poison(c->p, x->span);
	if (of->kind == TYPE_ENUM && ir_type(c->p, l)->kind == TYPE_NUMBER)
		l = coerce(c, l, of, &goal);
	if (is_poison(ir_type(c->p, l)))
		return ir_add_poison(c->p, x->span);
	if (!type_join(c, strip_option(ir_type(c->p, l)), strip_option(of)))
		return report_comparison(c, x, OP_IN, l, r);
	return ir_add(c->p, IR_IN, c->t.boolean, x->span, l, r, 0);
}

ir_id lower_within(struct check *c, const struct env *e, struct ast *x)
{
	ir_id value = infer(c, e, x->within.value, NULL);
	ir_id tolerance = infer(c, e, x->within.tolerance, NULL);
	ir_id of = infer(c, e, x->within.of, ir_type(c->p, value));
	ir_id all[] = { value, tolerance, of };
	const struct type *t = ir_type(c->p, tolerance);

	for (size_t i = 0; i < PLAN_COUNT(all); i++) {
		if (is_poison(ir_type(c->p, all[i])))
			return ir_add_poison(c->p, x->span);
		if (ir_type(c->p, all[i])->kind != TYPE_NUMBER) {
			diag_report(c->sink, E1102, c->p->nodes.at[all[i]].span,
				    "`within` compares numbers, but this is %s",
				    type_phrase(c, ir_type(c->p, all[i])));
			return ir_add_poison(c->p, x->span);
		}
	}
	if (!dim_equal(ir_type(c->p, value)->dim, ir_type(c->p, of)->dim))
		return report_dimensions(c, x, OP_EQ, value, of);
	if (!is_plain(t) && !dim_equal(t->dim, ir_type(c->p, of)->dim))
		return report_dimensions(c, x, OP_EQ, tolerance, of);
	return ir_add(c->p, IR_WITHIN, c->t.boolean, x->span, value, tolerance, of);
}
