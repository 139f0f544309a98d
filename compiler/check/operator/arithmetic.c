/* arithmetic.c - sums, products, quotients, powers: dimensions, exactness, constants folded. */
#include "compiler/check/operator/operator_int.h"

static ir_id make(struct check *c, enum ast_op op, const struct type *type, struct span span, ir_id l,
		  ir_id r)
{
	ir_id folded = ir_fold(c->p, operation_of(op), type, span, l, r);

	return folded != IR_NO_NODE ? folded : ir_add(c->p, operation_of(op), type, span, l, r, 0);
}

enum exactness wider_exactness(const struct type *a, const struct type *b)
{
	return a->exactness > b->exactness ? a->exactness : b->exactness;
}

static const struct type *product_type(struct check *c, const struct type *a, const struct type *b)
{
	struct dimension d = dim_multiply(a->dim, b->dim);
	enum exactness e = wider_exactness(a, b);

	/* bytes * 1/bytes may hold a measured value and need not be whole. */
	if (dim_is_one(d) && !dim_is_one(a->dim) && e == EXACT_INT)
		e = EXACT_RATIONAL;
	return type_number(c->p->types, d, e);
}

static const struct type *quotient_type(struct check *c, const struct type *a, const struct type *b)
{
	enum exactness e = wider_exactness(a, b);

	return type_number(c->p->types, dim_divide(a->dim, b->dim), e == EXACT_REAL ? e : EXACT_RATIONAL);
}

static ir_id lower_power(struct check *c, struct ast *x, ir_id l, ir_id r)
{
	const struct type *base = ir_type(c->p, l), *exponent = ir_type(c->p, r);
	const struct ir_constant *k = ir_constant_of(c->p, r);
	struct dimension d = { 0, 0, 0, 0, 0 };
	int64_t n;

	if (!is_plain(exponent))
		return report_operand(c, x, OP_POW, r);
	if (k && num_fits_int64(k->number, &n) && n >= -20 && n <= 20) {
		for (int64_t i = 0; i < (n < 0 ? -n : n); i++)
			d = n < 0 ? dim_divide(d, base->dim) : dim_multiply(d, base->dim);
		if (base->exactness == EXACT_INT && is_plain(base) && n >= 0)
			return make(c, OP_POW, c->t.integer, x->span, l, r);
		return make(c, OP_POW,
			    type_number(c->p->types, d, base->exactness == EXACT_REAL ? EXACT_REAL : EXACT_RATIONAL),
			    x->span, l, r);
	}
	if (!is_plain(base)) {
		diag_report(c->sink, E1102, x->span,
			    "a quantity takes a small whole number as its exponent, written out");
		return ir_add_poison(c->p, x->span);
	}
	if (exponent->exactness == EXACT_INT && k && num_sign(k->number) >= 0)
		return make(c, OP_POW, base->percent ? c->t.rational : base, x->span, l, r);
	return make(c, OP_POW,
		    exponent->exactness == EXACT_INT && base->exactness != EXACT_REAL ? c->t.rational : c->t.real,
		    x->span, l, r);
}

static ir_id lower_whole(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct type *a = ir_type(c->p, l), *b = ir_type(c->p, r);

	if (!dim_equal(a->dim, b->dim))
		return report_dimensions(c, x, op, l, r);
	if (op == OP_INT_DIV)
		return make(c, op, c->t.integer, x->span, l, r);
	return make(c, op, type_join(c, a, b), x->span, l, r);
}

ir_id lower_arithmetic(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct type *a = ir_type(c->p, l), *b = ir_type(c->p, r);

	if (is_poison(a) || is_poison(b))
		return ir_add_poison(c->p, x->span);
	if (a->kind != TYPE_NUMBER)
		return report_operand(c, x, op, l);
	if (b->kind != TYPE_NUMBER)
		return report_operand(c, x, op, r);
	if (op == OP_MUL)
		return make(c, op, product_type(c, a, b), x->span, l, r);
	if (op == OP_DIV)
		return make(c, op, quotient_type(c, a, b), x->span, l, r);
	if (op == OP_POW)
		return lower_power(c, x, l, r);
	if (op == OP_INT_DIV || op == OP_MOD)
		return lower_whole(c, x, op, l, r);
	if (!dim_equal(a->dim, b->dim))
		return report_dimensions(c, x, op, l, r);
	return make(c, op, type_join(c, a, b), x->span, l, r);
}

ir_id lower_unary(struct check *c, const struct env *e, struct ast *x)
{
	ir_id operand;
	const struct type *t;

	if (x->unary.op == OP_NOT) {
		operand = lower_condition(c, e, x->unary.operand, "the operand of `not`");
		return ir_add(c->p, IR_NOT, c->t.boolean, x->span, operand, 0, 0);
	}
	operand = infer(c, e, x->unary.operand, NULL);
	t = ir_type(c->p, operand);
	if (is_poison(t))
		return ir_add_poison(c->p, x->span);
	if (t->kind != TYPE_NUMBER)
		return report_operand(c, x, OP_NEG, operand);
	return make(c, OP_NEG, t, x->span, operand, operand);
}
