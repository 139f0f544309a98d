/* num_int.h - what the files of num share: the slow but general operations of num_big.c.
 *
 * They take inline numbers as well as big ones and give back numbers in the same normal form. Only
 * num_big.c knows GMP and the layout of a struct num_big.
 */
#ifndef PLAN_BASE_NUM_INT_H
#define PLAN_BASE_NUM_INT_H

#include "compiler/base/num.h"

enum num_op {
	NUM_OP_ADD, NUM_OP_SUB, NUM_OP_MUL, NUM_OP_DIV, NUM_OP_FLOOR_DIV, NUM_OP_MOD,
	NUM_OP_NEG, NUM_OP_FLOOR, NUM_OP_CEIL    /* of x; y is not looked at */
};

/* The divisor must not be zero. NUM_OK or NUM_TOO_LARGE. */
enum num_status num_big_op(struct arena *a, enum num_op op, struct num x, struct num y,
			   struct num *result);

/* x to the power of a natural number; x is not 0, 1 or -1. */
enum num_status num_big_pow(struct arena *a, struct num x, uint64_t exponent, struct num *result);

int num_big_compare(struct num x, struct num y);
int num_big_sign(struct num x);
bool num_big_is_int(struct num x);
double num_big_to_double(struct num x);
uint64_t num_big_hash(struct num x);

/* mantissa * 2 ^ exponent; exponent between -1100 and 1100. */
struct num num_big_scaled(struct arena *a, int64_t mantissa, int exponent);

/* The natural number that the n decimal digits spell, times 10 ^ exponent. False: too large. */
bool num_big_read(struct arena *a, const char *digits, size_t n, int exponent,
		  struct num *result);

/* Bytes that suffice for the digits of numerator or denominator, a sign and a NUL. */
size_t num_big_digits_bound(struct num x);

/* Decimal digits of the numerator (with a minus sign) or the denominator into buffer, which has
 * num_big_digits_bound bytes; NUL-terminated. */
void num_big_digits(struct num x, bool denominator, char *buffer);

/* Digits of |x| * 10 ^ decimals, rounded half to even, into buffer, which has decimals more than
 * num_big_digits_bound bytes. No leading zeros; "0" for zero. */
void num_big_rounded(struct num x, int decimals, char *buffer);

/* Digits behind the point when x is written out as a decimal; -1 when they never end. */
int num_big_decimals(struct num x);

#endif
