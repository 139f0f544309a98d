/* arith.c - arithmetic on two numbers: exact as long as both are, binary64 otherwise. */
#include <math.h>

#include "runtime/value/value.h"

static enum arith_status finish_real(double x, struct value *result)
{
	*result = value_real(x);
	if (isfinite(x))
		return ARITH_OK;
	return isnan(x) ? ARITH_NOT_REAL : ARITH_TOO_LARGE;
}

static enum arith_status finish_exact(enum num_status status, struct num n, struct value *result)
{
	*result = value_number(n);
	if (status == NUM_OK)
		return ARITH_OK;
	return status == NUM_DIVIDE_BY_ZERO ? ARITH_DIVIDE_BY_ZERO : ARITH_TOO_LARGE;
}

/* x ^ y with a whole y stays exact; any other exponent gives a real. */
static enum arith_status exact_power(struct arena *a, struct num x, struct num y, struct value *result)
{
	struct num n = num_int(0);
	int64_t exponent;

	if (num_fits_int64(y, &exponent))
		return finish_exact(num_pow(a, x, exponent, &n), n, result);
	if (num_is_int(y))
		return ARITH_TOO_LARGE;
	return finish_real(pow(num_to_double(x), num_to_double(y)), result);
}

static enum arith_status apply_exact(struct arena *a, enum ir_op op, struct num x, struct num y,
				     struct value *result)
{
	struct num n = num_int(0);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
	switch (op) {
	case IR_ADD:
		return finish_exact(num_add(a, x, y, &n), n, result);
	case IR_SUB:
		return finish_exact(num_sub(a, x, y, &n), n, result);
	case IR_MUL:
		return finish_exact(num_mul(a, x, y, &n), n, result);
	case IR_DIV:
		return finish_exact(num_div(a, x, y, &n), n, result);
	case IR_INT_DIV:
		return finish_exact(num_floor_div(a, x, y, &n), n, result);
	case IR_MOD:
		return finish_exact(num_mod(a, x, y, &n), n, result);
	case IR_POW:
		return exact_power(a, x, y, result);
	default:
		break;
	}
#pragma GCC diagnostic pop
	invariant(false, "not an operation on numbers");
	return ARITH_TOO_LARGE;
}

/* Floored like the exact ones. A quotient `div` of measured values is a whole number, so it is exact. */
static enum arith_status real_floor_div(struct arena *a, double x, double y, struct value *result)
{
	double q = floor(x / y);

	if (!isfinite(q))
		return finish_real(q, result);
	*result = value_number(num_from_double(a, q));
	return ARITH_OK;
}

static double real_mod(double x, double y)
{
	double r = fmod(x, y);

	return r != 0.0 && (r < 0.0) != (y < 0.0) ? r + y : r;
}

static enum arith_status apply_real(struct arena *a, enum ir_op op, double x, double y,
				    struct value *result)
{
	if (y == 0.0 && (op == IR_DIV || op == IR_INT_DIV || op == IR_MOD))
		return ARITH_DIVIDE_BY_ZERO;
	if (x == 0.0 && y < 0.0 && op == IR_POW)
		return ARITH_DIVIDE_BY_ZERO;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
	switch (op) {
	case IR_ADD:
		return finish_real(x + y, result);
	case IR_SUB:
		return finish_real(x - y, result);
	case IR_MUL:
		return finish_real(x * y, result);
	case IR_DIV:
		return finish_real(x / y, result);
	case IR_INT_DIV:
		return real_floor_div(a, x, y, result);
	case IR_MOD:
		return finish_real(real_mod(x, y), result);
	case IR_POW:
		return finish_real(pow(x, y), result);
	default:
		break;
	}
#pragma GCC diagnostic pop
	invariant(false, "not an operation on numbers");
	return ARITH_TOO_LARGE;
}

enum arith_status value_arith(struct arena *a, enum ir_op op, struct value x, struct value y,
			      struct value *result)
{
	double p, q;

	if (x.kind == VALUE_NUMBER && y.kind == VALUE_NUMBER)
		return apply_exact(a, op, x.number, y.number, result);
	p = value_to_double(x);
	q = value_to_double(y);
	if (!isfinite(p) || !isfinite(q))
		return ARITH_TOO_LARGE;
	return apply_real(a, op, p, q, result);
}
