/* num.h - exact rational numbers: int64 over int64 inline, GMP beyond.
 *
 * A struct num is a plain value. Big ones point to limbs in the arena that the operation was given,
 * so a num lives as long as that arena; nothing is ever cleared. Always in lowest terms, the
 * denominator is positive, zero is 0/1; a value that fits is always inline, so equality of fields
 * of two inline nums is equality of values.
 */
#ifndef PLAN_BASE_NUM_H
#define PLAN_BASE_NUM_H

#include "compiler/base/out.h"

struct num_big;

struct num {
	int64_t n, d;                /* numerator, denominator > 0; unused when big */
	const struct num_big *big;   /* NULL for inline */
};

/* Digits (numerator and denominator together, decimal) a result may reach before an operation
 * answers NUM_TOO_LARGE instead: keeps 2 ^ 10 ^ 18 from eating the machine. */
enum { NUM_DIGITS_MAX = 20000 };

enum num_status { NUM_OK, NUM_DIVIDE_BY_ZERO, NUM_TOO_LARGE, NUM_NOT_INTEGER };

static inline struct num num_int(int64_t n) { return (struct num){ n, 1, NULL }; }
struct num num_ratio(struct arena *a, int64_t n, int64_t d);     /* d != 0 */

enum num_status num_add(struct arena *a, struct num x, struct num y, struct num *result);
enum num_status num_sub(struct arena *a, struct num x, struct num y, struct num *result);
enum num_status num_mul(struct arena *a, struct num x, struct num y, struct num *result);
enum num_status num_div(struct arena *a, struct num x, struct num y, struct num *result);

/* Floored quotient and the remainder with the divisor's sign; any rationals. */
enum num_status num_floor_div(struct arena *a, struct num x, struct num y, struct num *result);
enum num_status num_mod(struct arena *a, struct num x, struct num y, struct num *result);
enum num_status num_pow(struct arena *a, struct num x, int64_t exponent, struct num *result);
struct num num_neg(struct arena *a, struct num x);
struct num num_floor(struct arena *a, struct num x);
struct num num_ceil(struct arena *a, struct num x);

int num_compare(struct num x, struct num y);       /* -1, 0, 1 */
int num_sign(struct num x);
bool num_is_int(struct num x);
bool num_fits_int64(struct num x, int64_t *result); /* false: not an integer, or too large */
double num_to_double(struct num x);                 /* correctly rounded; infinity beyond range */

/* Reads "1_000", "0.5", "2e12", "1.5e-3" exactly. false: not a number, or past NUM_DIGITS_MAX. */
bool num_parse(struct arena *a, struct str text, struct num *result);

/* The exact binary value of a finite double. */
struct num num_from_double(struct arena *a, double x);

/* "42", "-61/16"; exact. */
void num_print(struct out *o, struct num x);

/* "3 13/16" for 61/16; a plain integer otherwise. */
void num_print_mixed(struct out *o, struct num x);

/* With `decimals` digits behind the point, rounded half to even, computed exactly. */
void num_print_fixed(struct out *o, struct num x, int decimals);

/* A terminating decimal prints in full ("0.05", "1.28"), others as a fraction. */
void num_print_decimal(struct out *o, struct num x);

uint64_t num_hash(struct num x);

#endif
