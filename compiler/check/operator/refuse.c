/* refuse.c - operands that an operator does not take, in words. */
#include "compiler/check/operator/operator_int.h"

static const char *verb_of(enum ast_op op)
{
	if (op == OP_ADD)
		return "added";
	if (op == OP_SUB)
		return "subtracted";
	if (op == OP_MUL)
		return "multiplied";
	if (op == OP_DIV || op == OP_INT_DIV || op == OP_MOD)
		return "divided";
	return "compared";
}

/* For a sum of a time and bytes: the rate that turns one into the other. */
static void help_rate(struct check *c, struct diag *d, struct dimension left, struct dimension right)
{
	static const struct dimension rates[] = {
		{ 1, -1, 0, 0, 0 }, { 0, -1, 1, 0, 0 }, { 0, -1, 0, 1, 0 }, { 0, -1, 0, 0, 1 },
	};
	struct dimension over = dim_divide(left, right), under = dim_divide(right, left);
	struct out o;

	out_init(&o, c->arena);
	for (size_t i = 0; i < PLAN_COUNT(rates); i++) {
		if (!dim_equal(rates[i], over) && !dim_equal(rates[i], under))
			continue;
		dim_print(&o, rates[i]);
		diag_help(d, "%s the right side by a `%.*s` rate",
			  dim_equal(rates[i], over) ? "multiply" : "divide", (int)o.n, o.p);
		return;
	}
}

ir_id report_dimensions(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct ir_node left = c->p->nodes.at[l], right = c->p->nodes.at[r];
	struct diag *d = diag_new(c->sink, E1103, x->span);

	diag_message(d, "these two cannot be %s", verb_of(op));
	diag_label(d, left.span, "%s", type_text(c, left.type));
	diag_label(d, right.span, "%s", type_text(c, right.type));
	diag_note(d, "left:  %s", type_text(c, left.type));
	diag_note(d, "right: %s", type_text(c, right.type));
	if (dim_is_one(left.type->dim) || dim_is_one(right.type->dim))
		diag_help(d, "write a unit at the plain number, or divide the other by one");
	else
		help_rate(c, d, left.type->dim, right.type->dim);
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

ir_id report_operand(struct check *c, struct ast *x, enum ast_op op, ir_id operand)
{
	struct ir_node n = c->p->nodes.at[operand];
	struct diag *d;

	if (n.type->kind == TYPE_OPTION || n.type->kind == TYPE_NONE) {
		d = diag_new(c->sink, E1107, n.span);
		diag_message(d, "this may be `none`, and `%s` needs a value", ast_op_text(op));
		diag_help(d, "say what holds then with `?? ...`, or ask `!= none` first");
	} else {
		d = diag_new(c->sink, E1102, n.span);
		diag_message(d, "`%s` does not take %s", ast_op_text(op), type_phrase(c, n.type));
		if (n.type->kind == TYPE_STRING && op == OP_ADD)
			diag_help(d, "texts are joined in a template: `\"{a}{b}\"`");
		else if (n.type->kind == TYPE_STRING && op >= OP_LT && op <= OP_GE)
			diag_help(d, "versions are compared with `at_least(version, text)`");
		else if (n.type->kind == TYPE_LIST && op == OP_ADD)
			diag_help(d, "lists are joined with lists; the sum of one is `sum(list)`");
	}
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

ir_id report_comparison(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct ir_node left = c->p->nodes.at[l], right = c->p->nodes.at[r];
	struct diag *d = diag_new(c->sink, E1102, x->span);

	diag_message(d, "`%s` cannot compare %s with %s", ast_op_text(op), type_phrase(c, left.type),
		     type_phrase(c, right.type));
	diag_label(d, left.span, "%s", type_text(c, left.type));
	diag_label(d, right.span, "%s", type_text(c, right.type));
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

bool report_cut_unit(struct check *c, const struct env *e, const struct ast *x)
{
	const struct ast *left = x->binary.left, *right = x->binary.right;
	struct str over, under, repair;
	struct span at = right->span;
	const char *hint;
	struct out unit;
	struct diag *d;

	if (x->binary.op != OP_DIV || left->kind != AST_QUANTITY || right->kind != AST_NAME ||
	    name_meaning(c, e, right->ident.name.sym, NULL).kind != MEANS_NOTHING)
		return false;
	over = left->quantity.unit;
	under = sym_str(c->names, right->ident.name.sym);
	out_init(&unit, c->arena);
	out_printf(&unit, "%.*s/%.*s", (int)over.n, over.p, (int)under.n, under.p);
	hint = unit_hint(c->arena, out_view(&unit), &repair);
	if (!hint && !is_unit(c, out_view(&unit)))
		return false;
	at.lo = left->span.hi - over.n;
	d = diag_new(c->sink, E0301, at);
	if (hint) {
		diag_message(d, "`%.*s` is not a unit", (int)unit.n, unit.p);
		diag_help(d, "%s", hint);
	} else {
		diag_message(d, "a unit has no spaces around its `/`");
		repair = out_view(&unit);
		diag_help(d, "write `%.*s`", (int)repair.n, repair.p);
	}
	if (repair.n > 0)
		diag_fix(d, at, repair, "correct the unit");
	diag_submit(d);
	return true;
}
