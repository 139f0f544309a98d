/* binary.c - which operator it is; lists that are joined, conditions, `??`. */
#include "compiler/check/operator/operator_int.h"

enum ir_op operation_of(enum ast_op op)
{
	static const enum ir_op table[] = {
		[OP_IMPLIES] = IR_IMPLIES, [OP_OR] = IR_OR,   [OP_AND] = IR_AND,
		[OP_NOT] = IR_NOT,         [OP_EQ] = IR_EQ,   [OP_NE] = IR_NE,
		[OP_LT] = IR_LT,           [OP_GT] = IR_GT,   [OP_LE] = IR_LE,
		[OP_GE] = IR_GE,           [OP_IN] = IR_IN,   [OP_COALESCE] = IR_COALESCE,
		[OP_ADD] = IR_ADD,         [OP_SUB] = IR_SUB, [OP_MUL] = IR_MUL,
		[OP_DIV] = IR_DIV,         [OP_INT_DIV] = IR_INT_DIV, [OP_MOD] = IR_MOD,
		[OP_NEG] = IR_NEG,         [OP_POW] = IR_POW,
	};

	return table[op];
}

/* The operands of `+`, `-` and so on. Lists are joined with `+`; their elements may need the type wanted. */
static ir_id lower_sum(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	const struct type *wanted = hint && strip_option(hint)->kind == TYPE_LIST ? strip_option(hint) : NULL;
	ir_id l = infer(c, e, x->binary.left, wanted), r;
	const struct type *a = ir_type(c->p, l), *both;

	r = infer(c, e, x->binary.right, a->kind == TYPE_LIST ? a : NULL);
	if (x->binary.op != OP_ADD || a->kind != TYPE_LIST || ir_type(c->p, r)->kind != TYPE_LIST)
		return lower_arithmetic(c, x, x->binary.op, l, r);
	both = type_join(c, a, ir_type(c->p, r));
	if (both)
		return ir_add(c->p, IR_ADD, both, x->span, l, r, 0);
	diag_report(c->sink, E1101, c->p->nodes.at[r].span, "the left of `+` is %s, but this is %s",
		    type_phrase(c, a), type_phrase(c, ir_type(c->p, r)));
	return ir_add_poison(c->p, x->span);
}

static ir_id lower_logic(struct check *c, const struct env *e, struct ast *x)
{
	enum ast_op op = x->binary.op;
	struct env right = *e;
	struct out o;
	const char *what;
	ir_id l, r;

	out_init(&o, c->arena);
	out_printf(&o, "either side of `%s`", ast_op_text(op));
	what = str_copy(c->arena, out_view(&o)).p;
	l = lower_condition(c, e, x->binary.left, what);
	right.facts = facts_of(c, e, x->binary.left, op != OP_OR, e->facts);
	if (is_poison(ir_type(c->p, l)))
		return ir_add_poison(c->p, x->span);
	r = lower_condition(c, &right, x->binary.right, what);
	if (is_poison(ir_type(c->p, r)))
		return ir_add_poison(c->p, x->span);
	return ir_add(c->p, operation_of(op), c->t.boolean, x->span, l, r, 0);
}

static ir_id lower_coalesce(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	ir_id l = infer(c, e, x->binary.left, hint), r;
	const struct type *a = strip_option(ir_type(c->p, l)), *type;

	r = infer(c, e, x->binary.right, hint && a->kind == TYPE_NONE ? hint : a);
	if (is_poison(a) || is_poison(ir_type(c->p, r)))
		return ir_add_poison(c->p, x->span);
	type = a->kind == TYPE_NONE ? ir_type(c->p, r) : type_join(c, a, ir_type(c->p, r));
	if (type)
		return ir_add(c->p, IR_COALESCE, type, x->span, l, r, 0);
	diag_report(c->sink, E1101, c->p->nodes.at[r].span,
		    "the left of `??` is %s, but this is %s", type_phrase(c, a),
		    type_phrase(c, ir_type(c->p, r)));
	return ir_add_poison(c->p, x->span);
}

ir_id lower_binary(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	switch (x->binary.op) {
	case OP_AND:
	case OP_OR:
	case OP_IMPLIES:
		return lower_logic(c, e, x);
	case OP_EQ:
	case OP_NE:
	case OP_LT:
	case OP_GT:
	case OP_LE:
	case OP_GE:
		return lower_comparison(c, e, x);
	case OP_IN:
		return lower_in(c, e, x);
	case OP_COALESCE:
		return lower_coalesce(c, e, x, hint);
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_DIV:
	case OP_INT_DIV:
	case OP_MOD:
	case OP_POW:
		if (report_cut_unit(c, e, x))
			return ir_add_poison(c->p, x->span);
		return lower_sum(c, e, x, hint);
	case OP_NOT:
	case OP_NEG:
		break;
	}
	return ir_add_poison(c->p, x->span);
}
