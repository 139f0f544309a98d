/* num.c - exact arithmetic on int64 fractions; anything that does not fit goes to num_big.c.
 *
 * The overflow checks rely on normal form: with common factors removed first, a product that
 * overflows has no smaller form. A sum may still cancel, which the general path finds out.
 */
#include "compiler/base/num_int.h"

#include <math.h>

#include "compiler/base/map.h"

static uint64_t magnitude(int64_t x)
{
	return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

/* Stein's binary algorithm; gcd(0, y) is y. */
static uint64_t gcd(uint64_t x, uint64_t y)
{
	int twos;

	if (x == 0 || y == 0)
		return x | y;
	twos = __builtin_ctzll(x | y);
	x >>= __builtin_ctzll(x);
	while (y != 0) {
		y >>= __builtin_ctzll(y);
		if (x > y) {
			uint64_t swap = x;

			x = y;
			y = swap;
		}
		y -= x;
	}
	return x << twos;
}

/* The fraction +-n/d when it is in lowest terms and fits inline. */
static bool inline_of(bool negative, uint64_t n, uint64_t d, struct num *result)
{
	if (d > INT64_MAX || n > (uint64_t)INT64_MAX + negative)
		return false;
	result->n = negative ? (int64_t)(0 - n) : (int64_t)n;
	result->d = (int64_t)d;
	result->big = NULL;
	return true;
}

static bool are_inline(struct num x, struct num y)
{
	return !x.big && !y.big;
}

struct num num_ratio(struct arena *a, int64_t n, int64_t d)
{
	uint64_t divisor = gcd(magnitude(n), magnitude(d));
	struct num result;

	invariant(d != 0, "a ratio has a denominator");
	if (!inline_of((n < 0) != (d < 0) && n != 0, magnitude(n) / divisor,
		       magnitude(d) / divisor, &result))
		num_big_op(a, NUM_OP_DIV, num_int(n), num_int(d), &result);
	return result;
}

/* x + y or x - y over the least common denominator; false on overflow. */
static bool inline_sum(struct num x, struct num y, bool minus, struct num *result)
{
	int64_t shared, left, right, n, d, factor;

	if (x.d == 1 && y.d == 1) {
		*result = num_int(0);
		return minus ? !__builtin_sub_overflow(x.n, y.n, &result->n)
			     : !__builtin_add_overflow(x.n, y.n, &result->n);
	}
	shared = (int64_t)gcd((uint64_t)x.d, (uint64_t)y.d);
	if (__builtin_mul_overflow(x.n, y.d / shared, &left) ||
	    __builtin_mul_overflow(y.n, x.d / shared, &right) ||
	    __builtin_mul_overflow(x.d, y.d / shared, &d))
		return false;
	if (minus ? __builtin_sub_overflow(left, right, &n)
		  : __builtin_add_overflow(left, right, &n))
		return false;
	/* only factors of `shared` can be left (Knuth, TAOCP 2, section 4.5.1) */
	factor = (int64_t)gcd(magnitude(n), (uint64_t)shared);
	*result = (struct num){ n / factor, d / factor, NULL };
	return true;
}

enum num_status num_add(struct arena *a, struct num x, struct num y, struct num *result)
{
	if (are_inline(x, y) && inline_sum(x, y, false, result))
		return NUM_OK;
	return num_big_op(a, NUM_OP_ADD, x, y, result);
}

enum num_status num_sub(struct arena *a, struct num x, struct num y, struct num *result)
{
	if (are_inline(x, y) && inline_sum(x, y, true, result))
		return NUM_OK;
	return num_big_op(a, NUM_OP_SUB, x, y, result);
}

/* +-(xn * yn) / (xd * yd); false when it does not fit. */
static bool inline_product(bool negative, uint64_t xn, uint64_t xd, uint64_t yn, uint64_t yd,
			   struct num *result)
{
	uint64_t across = gcd(xn, yd), back = gcd(yn, xd);
	uint64_t n, d;

	if (xn == 0 || yn == 0) {
		*result = num_int(0);
		return true;
	}
	if (__builtin_mul_overflow(xn / across, yn / back, &n) ||
	    __builtin_mul_overflow(xd / back, yd / across, &d))
		return false;
	return inline_of(negative, n, d, result);
}

enum num_status num_mul(struct arena *a, struct num x, struct num y, struct num *result)
{
	if (are_inline(x, y) &&
	    inline_product((x.n < 0) != (y.n < 0), magnitude(x.n), (uint64_t)x.d,
			   magnitude(y.n), (uint64_t)y.d, result))
		return NUM_OK;
	return num_big_op(a, NUM_OP_MUL, x, y, result);
}

enum num_status num_div(struct arena *a, struct num x, struct num y, struct num *result)
{
	if (num_sign(y) == 0)
		return NUM_DIVIDE_BY_ZERO;
	if (are_inline(x, y) &&
	    inline_product((x.n < 0) != (y.n < 0), magnitude(x.n), (uint64_t)x.d,
			   (uint64_t)y.d, magnitude(y.n), result))
		return NUM_OK;
	return num_big_op(a, NUM_OP_DIV, x, y, result);
}

/* Floor of n / d; not for INT64_MIN / -1. */
static int64_t floored(int64_t n, int64_t d)
{
	return n / d - (n % d != 0 && (n < 0) != (d < 0));
}

enum num_status num_floor_div(struct arena *a, struct num x, struct num y, struct num *result)
{
	int64_t n, d;

	if (num_sign(y) == 0)
		return NUM_DIVIDE_BY_ZERO;
	if (are_inline(x, y) && !__builtin_mul_overflow(x.n, y.d, &n) &&
	    !__builtin_mul_overflow(y.n, x.d, &d) && !(n == INT64_MIN && d == -1)) {
		*result = num_int(floored(n, d));
		return NUM_OK;
	}
	return num_big_op(a, NUM_OP_FLOOR_DIV, x, y, result);
}

enum num_status num_mod(struct arena *a, struct num x, struct num y, struct num *result)
{
	if (num_sign(y) == 0)
		return NUM_DIVIDE_BY_ZERO;
	if (are_inline(x, y) && x.d == 1 && y.d == 1) {
		/* INT64_MIN % -1 is undefined in C */
		int64_t rest = y.n == -1 ? 0 : x.n % y.n;

		if (rest != 0 && (rest < 0) != (y.n < 0))
			rest += y.n;
		*result = num_int(rest);
		return NUM_OK;
	}
	return num_big_op(a, NUM_OP_MOD, x, y, result);
}

/* base ^ exponent by squaring; false on overflow. */
static bool inline_pow(int64_t base, uint64_t exponent, int64_t *result)
{
	*result = 1;
	for (;;) {
		if ((exponent & 1) && __builtin_mul_overflow(*result, base, result))
			return false;
		exponent >>= 1;
		if (exponent == 0)
			return true;
		if (__builtin_mul_overflow(base, base, &base))
			return false;
	}
}

/* 0 ^ 0 is 1, as everywhere; 0 to a negative power divides by zero. */
enum num_status num_pow(struct arena *a, struct num x, int64_t exponent, struct num *result)
{
	int64_t n, d;

	if (exponent < 0) {
		enum num_status status = num_div(a, num_int(1), x, &x);

		if (status != NUM_OK)
			return status;
	}
	if (!x.big && x.d == 1 && x.n >= -1 && x.n <= 1) {
		*result = num_int(exponent == 0 ? 1 : x.n == -1 && exponent % 2 == 0 ? 1 : x.n);
		return NUM_OK;
	}
	if (!x.big && inline_pow(x.n, magnitude(exponent), &n) &&
	    inline_pow(x.d, magnitude(exponent), &d)) {
		*result = (struct num){ n, d, NULL };
		return NUM_OK;
	}
	return num_big_pow(a, x, magnitude(exponent), result);
}

struct num num_neg(struct arena *a, struct num x)
{
	struct num result;

	if (!x.big && x.n != INT64_MIN)
		return (struct num){ -x.n, x.d, NULL };
	num_big_op(a, NUM_OP_NEG, x, x, &result);
	return result;
}

struct num num_floor(struct arena *a, struct num x)
{
	struct num result;

	if (!x.big)
		return num_int(floored(x.n, x.d));
	num_big_op(a, NUM_OP_FLOOR, x, x, &result);
	return result;
}

struct num num_ceil(struct arena *a, struct num x)
{
	struct num result;

	if (!x.big)
		return num_int(floored(x.n, x.d) + (x.d != 1));
	num_big_op(a, NUM_OP_CEIL, x, x, &result);
	return result;
}

int num_compare(struct num x, struct num y)
{
	int64_t left, right;

	if (are_inline(x, y) && !__builtin_mul_overflow(x.n, y.d, &left) &&
	    !__builtin_mul_overflow(y.n, x.d, &right))
		return (left > right) - (left < right);
	return num_big_compare(x, y);
}

int num_sign(struct num x)
{
	return x.big ? num_big_sign(x) : (x.n > 0) - (x.n < 0);
}

bool num_is_int(struct num x)
{
	return x.big ? num_big_is_int(x) : x.d == 1;
}

bool num_fits_int64(struct num x, int64_t *result)
{
	if (x.big || x.d != 1)
		return false;
	*result = x.n;
	return true;
}

/* The machine rounds a conversion and a division correctly; two roundings in a row it does not, so
 * the quotient is taken only of integers that a double holds exactly. */
double num_to_double(struct num x)
{
	const int64_t exact = INT64_C(1) << 53;

	if (!x.big && x.d == 1)
		return (double)x.n;
	if (!x.big && x.n >= -exact && x.n <= exact && x.d <= exact)
		return (double)x.n / (double)x.d;
	return num_big_to_double(x);
}

struct num num_from_double(struct arena *a, double x)
{
	int exponent;
	int64_t mantissa;

	invariant(isfinite(x), "only finite doubles have an exact value");
	mantissa = (int64_t)ldexp(frexp(x, &exponent), 53);
	if (mantissa == 0)
		return num_int(0);
	exponent -= 53;
	while (exponent < 0 && mantissa % 2 == 0) {
		mantissa /= 2;
		exponent++;
	}
	if (exponent < 0 && exponent >= -62)
		return (struct num){ mantissa, INT64_C(1) << -exponent, NULL };
	return num_big_scaled(a, mantissa, exponent);
}

uint64_t num_hash(struct num x)
{
	int64_t both[2] = { x.n, x.d };

	return x.big ? num_big_hash(x) : hash_bytes(both, sizeof both);
}
