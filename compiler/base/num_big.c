/* num_big.c - the only door to GMP: arithmetic of any size, normal form, limbs in the arena.
 *
 * An operation first takes room for the largest possible result from the arena, then computes with
 * GMP variables, copies the result, clears the variables and gives the unused room back. That order
 * matters: once a GMP variable exists nothing may take the arena's escape, or it would leak.
 */
#include "compiler/base/num_int.h"

#include <gmp.h>
#include <math.h>

#include "compiler/base/arena_int.h"
#include "compiler/base/map.h"

_Static_assert(GMP_NUMB_BITS == 64 && sizeof(long) == 8, "limbs and longs hold an int64");

/* Bits that NUM_DIGITS_MAX decimal digits take: log2(10) = 3.3219... */
enum { NUM_BITS_MAX = NUM_DIGITS_MAX * 33219L / 10000 };

struct num_big {
	bool negative;
	uint32_t n_limbs, d_limbs;
	mp_limb_t limbs[];           /* numerator, then denominator, least significant first */
};

/* A number as GMP sees it, without a copy. Lives on the stack and must not move. */
struct view {
	mpq_t q;
	mp_limb_t n, d;              /* limbs of an inline number */
};

static void view_init(struct view *v, const struct num *x)
{
	if (x->big) {
		const struct num_big *big = x->big;
		mp_size_t n = (mp_size_t)big->n_limbs;

		mpz_roinit_n(mpq_numref(v->q), big->limbs, big->negative ? -n : n);
		mpz_roinit_n(mpq_denref(v->q), big->limbs + n, (mp_size_t)big->d_limbs);
		return;
	}
	v->n = x->n < 0 ? 0 - (mp_limb_t)x->n : (mp_limb_t)x->n;
	v->d = (mp_limb_t)x->d;
	mpz_roinit_n(mpq_numref(v->q), &v->n, x->n < 0 ? -1 : 1);
	mpz_roinit_n(mpq_denref(v->q), &v->d, 1);
}

static size_t limbs_of(const struct view *v)
{
	return mpz_size(mpq_numref(v->q)) + mpz_size(mpq_denref(v->q));
}

/* Room for a result, taken before any GMP variable exists. */
struct room {
	struct arena *arena;
	struct num_big *big;
	size_t size;
};

static size_t big_size(size_t limbs)
{
	return sizeof(struct num_big) + limbs * sizeof(mp_limb_t);
}

static struct room room_take(struct arena *a, size_t limbs)
{
	size_t size = big_size(limbs);

	return (struct room){ a, arena_alloc(a, size), size };
}

/* Turns a canonical q into a num and settles the room. */
static enum num_status room_keep(struct room room, mpq_srcptr q, struct num *result)
{
	mpz_srcptr n = mpq_numref(q), d = mpq_denref(q);
	size_t n_limbs = mpz_size(n), d_limbs = mpz_size(d);
	bool small = mpz_fits_slong_p(n) && mpz_fits_slong_p(d);

	if (small || mpz_sizeinbase(n, 2) + mpz_sizeinbase(d, 2) > NUM_BITS_MAX) {
		arena_shrink(room.arena, room.big, room.size, 0);
		if (!small)
			return NUM_TOO_LARGE;
		*result = (struct num){ mpz_get_si(n), mpz_get_si(d), NULL };
		return NUM_OK;
	}
	invariant(big_size(n_limbs + d_limbs) <= room.size, "a result fits into its room");
	room.big->negative = mpz_sgn(n) < 0;
	room.big->n_limbs = (uint32_t)n_limbs;
	room.big->d_limbs = (uint32_t)d_limbs;
	memcpy(room.big->limbs, mpz_limbs_read(n), n_limbs * sizeof(mp_limb_t));
	memcpy(room.big->limbs + n_limbs, mpz_limbs_read(d), d_limbs * sizeof(mp_limb_t));
	arena_shrink(room.arena, room.big, room.size, big_size(n_limbs + d_limbs));
	*result = (struct num){ 0, 0, room.big };
	return NUM_OK;
}

/* With u = xn * yd and v = yn * xd: floor(x / y) = floor(u / v) and
 * x mod y = (u mod v) / (xd * yd). */
static void floor_divide(mpq_t q, mpq_srcptr x, mpq_srcptr y, bool want_rest)
{
	mpz_t u, v;

	mpz_init(u);
	mpz_init(v);
	mpz_mul(u, mpq_numref(x), mpq_denref(y));
	mpz_mul(v, mpq_numref(y), mpq_denref(x));
	if (want_rest) {
		mpz_fdiv_r(mpq_numref(q), u, v);
		mpz_mul(mpq_denref(q), mpq_denref(x), mpq_denref(y));
		mpq_canonicalize(q);
	} else {
		mpz_fdiv_q(mpq_numref(q), u, v);
	}
	mpz_clear(u);
	mpz_clear(v);
}

enum num_status num_big_op(struct arena *a, enum num_op op, struct num x, struct num y,
			   struct num *result)
{
	struct view vx, vy;
	struct room room;
	enum num_status status;
	mpq_t q;

	view_init(&vx, &x);
	view_init(&vy, &y);
	/* no operation gives more limbs in numerator or denominator than all operands together,
	 * plus one for a carry */
	room = room_take(a, 2 * (limbs_of(&vx) + limbs_of(&vy) + 1));
	mpq_init(q);
	switch (op) {
	case NUM_OP_ADD: mpq_add(q, vx.q, vy.q); break;
	case NUM_OP_SUB: mpq_sub(q, vx.q, vy.q); break;
	case NUM_OP_MUL: mpq_mul(q, vx.q, vy.q); break;
	case NUM_OP_DIV: mpq_div(q, vx.q, vy.q); break;
	case NUM_OP_FLOOR_DIV: floor_divide(q, vx.q, vy.q, false); break;
	case NUM_OP_MOD: floor_divide(q, vx.q, vy.q, true); break;
	case NUM_OP_NEG: mpq_neg(q, vx.q); break;
	case NUM_OP_FLOOR: mpz_fdiv_q(mpq_numref(q), mpq_numref(vx.q), mpq_denref(vx.q)); break;
	case NUM_OP_CEIL: mpz_cdiv_q(mpq_numref(q), mpq_numref(vx.q), mpq_denref(vx.q)); break;
	}
	status = room_keep(room, q, result);
	mpq_clear(q);
	return status;
}

/* A b-bit number to the power e has at least (b - 1) e + 1 bits: enough to refuse before work. */
enum num_status num_big_pow(struct arena *a, struct num x, uint64_t exponent, struct num *result)
{
	struct view v;
	struct room room;
	enum num_status status;
	uint64_t bits;
	mpq_t q;

	view_init(&v, &x);
	bits = mpz_sizeinbase(mpq_numref(v.q), 2) + mpz_sizeinbase(mpq_denref(v.q), 2) - 2;
	invariant(bits > 0, "powers of one are taken inline");
	if (exponent > NUM_BITS_MAX || bits * exponent > NUM_BITS_MAX)
		return NUM_TOO_LARGE;
	room = room_take(a, (size_t)((bits + 2) * exponent / GMP_NUMB_BITS) + 4);
	mpq_init(q);
	mpz_pow_ui(mpq_numref(q), mpq_numref(v.q), exponent);
	mpz_pow_ui(mpq_denref(q), mpq_denref(v.q), exponent);
	status = room_keep(room, q, result);
	mpq_clear(q);
	return status;
}

int num_big_compare(struct num x, struct num y)
{
	struct view vx, vy;
	int order;

	view_init(&vx, &x);
	view_init(&vy, &y);
	order = mpq_cmp(vx.q, vy.q);
	return (order > 0) - (order < 0);
}

int num_big_sign(struct num x)
{
	struct view v;

	view_init(&v, &x);
	return mpq_sgn(v.q);
}

bool num_big_is_int(struct num x)
{
	struct view v;

	view_init(&v, &x);
	return mpz_cmp_ui(mpq_denref(v.q), 1) == 0;
}

/* |n/d| as floor(n * 2^shift / d), which has 62 or 63 bits, plus whether anything was cut off. */
static uint64_t scaled_quotient(mpq_srcptr q, long *shift, bool *inexact)
{
	mpz_srcptr n = mpq_numref(q), d = mpq_denref(q);
	uint64_t quotient;
	mpz_t left, right;

	*shift = 62 - ((long)mpz_sizeinbase(n, 2) - (long)mpz_sizeinbase(d, 2));
	mpz_init_set(left, n);
	mpz_init_set(right, d);
	mpz_abs(left, left);
	if (*shift >= 0)
		mpz_mul_2exp(left, left, (mp_bitcnt_t)*shift);
	else
		mpz_mul_2exp(right, right, (mp_bitcnt_t)-*shift);
	mpz_tdiv_qr(left, right, left, right);
	quotient = mpz_get_ui(left);
	*inexact = mpz_sgn(right) != 0;
	mpz_clear(left);
	mpz_clear(right);
	return quotient;
}

/* Rounds half to even by hand, at the precision that the result has: 53 bits, fewer when it is
 * subnormal. GMP's own mpq_get_d cuts off instead. */
double num_big_to_double(struct num x)
{
	struct view v;
	long shift, size, top, kept;
	uint64_t quotient, mantissa, rest, half;
	bool inexact;
	double result;

	view_init(&v, &x);
	if (mpq_sgn(v.q) == 0)
		return 0;
	quotient = scaled_quotient(v.q, &shift, &inexact);
	size = 64 - __builtin_clzll(quotient);
	top = size - 1 - shift;      /* exponent of the leading bit */
	kept = top < -1022 ? 53 - (-1022 - top) : 53;
	if (kept < 0)
		return mpq_sgn(v.q) < 0 ? -0.0 : 0.0;
	half = UINT64_C(1) << (size - kept - 1);
	mantissa = kept ? quotient >> (size - kept) : 0;
	rest = quotient & (half * 2 - 1);
	if (rest > half || (rest == half && (inexact || mantissa & 1)))
		mantissa++;
	result = top > 1024 ? HUGE_VAL : ldexp((double)mantissa, (int)(size - kept - shift));
	return mpq_sgn(v.q) < 0 ? -result : result;
}

uint64_t num_big_hash(struct num x)
{
	const struct num_big *big = x.big;
	uint64_t hash = hash_bytes(big->limbs, ((size_t)big->n_limbs + big->d_limbs) * sizeof(mp_limb_t));

	return hash ^ big->negative ^ (uint64_t)big->d_limbs << 32;
}

struct num num_big_scaled(struct arena *a, int64_t mantissa, int exponent)
{
	/* 1100 bits are 18 limbs, and both sides hold the mantissa or 1 */
	struct room room = room_take(a, 24);
	struct num result;
	mpq_t q;

	mpq_init(q);
	mpq_set_si(q, mantissa, 1);
	if (exponent >= 0)
		mpq_mul_2exp(q, q, (mp_bitcnt_t)exponent);
	else
		mpq_div_2exp(q, q, (mp_bitcnt_t)-exponent);
	room_keep(room, q, &result);
	mpq_clear(q);
	return result;
}

bool num_big_read(struct arena *a, const char *digits, size_t n, int exponent,
		  struct num *result)
{
	size_t scale = exponent < 0 ? (size_t)-exponent : (size_t)exponent;
	char *text = arena_copy(a, digits, n);
	/* a limb holds 19 digits */
	struct room room = room_take(a, (n + scale) / 19 + scale / 19 + 4);
	enum num_status status;
	mpz_t power;
	mpq_t q;

	mpq_init(q);
	mpz_init(power);
	mpz_set_str(mpq_numref(q), text, 10);
	mpz_ui_pow_ui(power, 10, scale);
	if (exponent < 0)
		mpz_set(mpq_denref(q), power);
	else
		mpz_mul(mpq_numref(q), mpq_numref(q), power);
	mpq_canonicalize(q);
	status = room_keep(room, q, result);
	mpz_clear(power);
	mpq_clear(q);
	return status == NUM_OK;
}

size_t num_big_digits_bound(struct num x)
{
	struct view v;
	size_t n, d;

	view_init(&v, &x);
	n = mpz_sizeinbase(mpq_numref(v.q), 10);
	d = mpz_sizeinbase(mpq_denref(v.q), 10);
	return (n > d ? n : d) + 3;
}

void num_big_digits(struct num x, bool denominator, char *buffer)
{
	struct view v;

	view_init(&v, &x);
	mpz_get_str(buffer, 10, denominator ? mpq_denref(v.q) : mpq_numref(v.q));
}

/* floor((2 n 10^k + d) / 2 d) rounds half up; a tie, where the division is exact, that came out odd
 * goes down again. */
void num_big_rounded(struct num x, int decimals, char *buffer)
{
	struct view v;
	mpz_t n, d, rest;

	view_init(&v, &x);
	mpz_init(n);
	mpz_init(d);
	mpz_init(rest);
	mpz_ui_pow_ui(n, 10, (unsigned long)decimals);
	mpz_mul(n, n, mpq_numref(v.q));
	mpz_abs(n, n);
	mpz_mul_2exp(n, n, 1);
	mpz_add(n, n, mpq_denref(v.q));
	mpz_mul_2exp(d, mpq_denref(v.q), 1);
	mpz_fdiv_qr(n, rest, n, d);
	if (mpz_sgn(rest) == 0 && mpz_odd_p(n))
		mpz_sub_ui(n, n, 1);
	mpz_get_str(buffer, 10, n);
	mpz_clear(n);
	mpz_clear(d);
	mpz_clear(rest);
}

/* A fraction in lowest terms ends exactly when its denominator is 2^i 5^j, then after
 * max(i, j) digits. */
int num_big_decimals(struct num x)
{
	struct view v;
	mpz_t rest, five;
	mp_bitcnt_t twos, fives;
	bool ends;

	view_init(&v, &x);
	mpz_init(rest);
	mpz_init_set_ui(five, 5);
	twos = mpz_scan1(mpq_denref(v.q), 0);
	mpz_tdiv_q_2exp(rest, mpq_denref(v.q), twos);
	fives = mpz_remove(rest, rest, five);
	ends = mpz_cmp_ui(rest, 1) == 0;
	mpz_clear(rest);
	mpz_clear(five);
	return ends ? (int)(twos > fives ? twos : fives) : -1;
}
