/* fold.c - exact arithmetic on constants while the program is built. */
#include "compiler/ir/build.h"

/* What fails (a zero divisor, a number beyond the limit) is left for the evaluator, which can show the
 * values in its message. */
static bool fold_numbers(struct arena *a, enum ir_op op, struct num x, struct num y, struct num *r)
{
	int64_t exponent;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
	switch (op) {
	case IR_ADD:
		return num_add(a, x, y, r) == NUM_OK;
	case IR_SUB:
		return num_sub(a, x, y, r) == NUM_OK;
	case IR_MUL:
		return num_mul(a, x, y, r) == NUM_OK;
	case IR_DIV:
		return num_div(a, x, y, r) == NUM_OK;
	case IR_INT_DIV:
		return num_floor_div(a, x, y, r) == NUM_OK;
	case IR_MOD:
		return num_mod(a, x, y, r) == NUM_OK;
	case IR_POW:
		return num_fits_int64(y, &exponent) && num_pow(a, x, exponent, r) == NUM_OK;
	case IR_NEG:
		*r = num_neg(a, x);
		return true;
	case IR_TO_INT:
		*r = x;
		return num_is_int(x);
	default:
		return false;
	}
#pragma GCC diagnostic pop
}

static const struct ir_constant *number_of(const struct ir_program *p, ir_id node)
{
	const struct ir_constant *c = ir_constant_of(p, node);

	return c && c->kind == CONSTANT_NUMBER ? c : NULL;
}

/* y is x itself for operations of one operand. */
ir_id ir_fold(struct ir_program *p, enum ir_op op, const struct type *type, struct span span,
	      ir_id x, ir_id y)
{
	const struct ir_constant *a = number_of(p, x);
	const struct ir_constant *b = number_of(p, y);
	struct num result;

	if (!a || !b || type->kind != TYPE_NUMBER ||
	    (dim_is_one(type->dim) && type->exactness == EXACT_REAL))
		return IR_NO_NODE;
	if (!fold_numbers(p->arena, op, a->number, b->number, &result))
		return IR_NO_NODE;
	return ir_add_number(p, type, span, result);
}
