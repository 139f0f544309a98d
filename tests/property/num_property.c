/* num_property.c - struct num against GMP's mpq_t on random operands.
 *
 * Operands are drawn around the borders where the inline form ends. The seed is printed; give it as
 * the first argument to repeat a run, the number of rounds as the second.
 */
#include <gmp.h>
#include <inttypes.h>
#include <math.h>

#include "compiler/base/num.h"

enum { ROUNDS = 20000 };

struct run {
	uint64_t seed, state;
	struct arena arena;
	mpq_t x, y, expected, found;
};

/* xorshift64*: short, and the same everywhere. */
static uint64_t draw(struct run *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * UINT64_C(2685821657736338717);
}

static int64_t draw_int(struct run *r)
{
	switch (draw(r) % 5) {
	case 0: return (int64_t)(draw(r) % 20) - 10;
	case 1: return (int64_t)(draw(r) % 4) + INT64_MAX - 3;
	case 2: return (int64_t)(draw(r) % 4) + INT64_MIN;
	case 3: return (int64_t)(draw(r) >> (draw(r) % 64));
	default: return (int64_t)draw(r);
	}
}

static const char *text_of(struct run *r, struct num x)
{
	struct out o;

	out_init(&o, &r->arena);
	num_print(&o, x);
	return out_view(&o).p;
}

static void fail(struct run *r, const char *what, struct num x, struct num y)
{
	printf("num_property: seed %" PRIu64 ": %s fails for %s and %s\n", r->seed, what,
	       text_of(r, x), text_of(r, y));
	exit(1);
}

/* A number and the same number in GMP: a product of up to four random fractions. */
static struct num draw_num(struct run *r, mpq_t q)
{
	struct num x = num_int(1);
	int factors = 1 + (int)(draw(r) % 16 == 0 ? draw(r) % 4 : 0);

	mpq_set_ui(q, 1, 1);
	for (int i = 0; i < factors; i++) {
		int64_t n = draw_int(r), d = draw(r) % 2 ? 1 : draw_int(r);
		mpq_t part, below;

		d = d ? d : 1;
		mpq_init(part);
		mpq_init(below);
		mpq_set_si(part, n, 1);
		mpq_set_si(below, d, 1);
		mpq_div(part, part, below);
		mpq_mul(q, q, part);
		mpq_clear(part);
		mpq_clear(below);
		if (num_mul(&r->arena, x, num_ratio(&r->arena, n, d), &x) != NUM_OK)
			fail(r, "building", x, x);
	}
	return x;
}

/* result must print as r->expected does, and be inline exactly when it fits. */
static void check(struct run *r, const char *what, struct num x, struct num y,
		  enum num_status status, struct num result)
{
	bool fits = mpz_fits_slong_p(mpq_numref(r->expected)) &&
		    mpz_fits_slong_p(mpq_denref(r->expected));

	if (status != NUM_OK || fits != !result.big)
		fail(r, what, x, y);
	mpq_set_str(r->found, text_of(r, result), 10);
	if (!mpq_equal(r->found, r->expected))
		fail(r, what, x, y);
}

static void check_arithmetic(struct run *r, struct num x, struct num y)
{
	struct num sum, other;
	enum num_status status;

	status = num_add(&r->arena, x, y, &sum);
	mpq_add(r->expected, r->x, r->y);
	check(r, "addition", x, y, status, sum);
	status = num_sub(&r->arena, x, y, &other);
	mpq_sub(r->expected, r->x, r->y);
	check(r, "subtraction", x, y, status, other);
	status = num_mul(&r->arena, x, y, &other);
	mpq_mul(r->expected, r->x, r->y);
	check(r, "multiplication", x, y, status, other);
	if (num_sub(&r->arena, sum, y, &other) != NUM_OK || num_compare(other, x) != 0 ||
	    num_hash(other) != num_hash(x))
		fail(r, "adding and subtracting", x, y);
	if (num_compare(x, y) != (mpq_cmp(r->x, r->y) > 0) - (mpq_cmp(r->x, r->y) < 0))
		fail(r, "comparison", x, y);
	other = num_neg(&r->arena, x);
	mpq_neg(r->expected, r->x);
	check(r, "negation", x, y, NUM_OK, other);
}

static void check_division(struct run *r, struct num x, struct num y)
{
	struct num quotient, floor, rest;
	enum num_status status = num_div(&r->arena, x, y, &quotient);

	if (num_sign(y) == 0) {
		if (status != NUM_DIVIDE_BY_ZERO ||
		    num_floor_div(&r->arena, x, y, &floor) != NUM_DIVIDE_BY_ZERO ||
		    num_mod(&r->arena, x, y, &rest) != NUM_DIVIDE_BY_ZERO)
			fail(r, "division by zero", x, y);
		return;
	}
	mpq_div(r->expected, r->x, r->y);
	check(r, "division", x, y, status, quotient);
	mpz_fdiv_q(mpq_numref(r->expected), mpq_numref(r->expected), mpq_denref(r->expected));
	mpz_set_ui(mpq_denref(r->expected), 1);
	check(r, "floor", x, y, NUM_OK, num_floor(&r->arena, quotient));
	status = num_floor_div(&r->arena, x, y, &floor);
	check(r, "floored division", x, y, status, floor);
	mpq_mul(r->expected, r->expected, r->y);
	mpq_sub(r->expected, r->x, r->expected);
	status = num_mod(&r->arena, x, y, &rest);
	check(r, "modulo", x, y, status, rest);
	mpz_cdiv_q(mpq_numref(r->expected), mpq_numref(r->x), mpq_denref(r->x));
	mpz_set_ui(mpq_denref(r->expected), 1);
	check(r, "ceiling", x, y, NUM_OK, num_ceil(&r->arena, x));
}

static void check_power(struct run *r, struct num x)
{
	int64_t exponent = (int64_t)(draw(r) % 25) - 12;
	unsigned long size = (unsigned long)(exponent < 0 ? -exponent : exponent);
	struct num result;
	enum num_status status = num_pow(&r->arena, x, exponent, &result);

	if (num_sign(x) == 0 && exponent < 0) {
		if (status != NUM_DIVIDE_BY_ZERO)
			fail(r, "power of zero", x, num_int(exponent));
		return;
	}
	mpz_pow_ui(mpq_numref(r->expected), mpq_numref(r->x), size);
	mpz_pow_ui(mpq_denref(r->expected), mpq_denref(r->x), size);
	if (exponent < 0)
		mpq_inv(r->expected, r->expected);
	check(r, "power", x, num_int(exponent), status, result);
}

/* The distance between r->x and a double into r->found. */
static void distance(struct run *r, double d)
{
	mpq_set_d(r->found, d);
	mpq_sub(r->found, r->found, r->x);
	mpq_abs(r->found, r->found);
}

/* No neighbour may be nearer than the double we got; one as near must have an odd last bit. */
static void check_double(struct run *r, struct num x)
{
	double d = num_to_double(x);
	double neighbours[2] = { nextafter(d, HUGE_VAL), nextafter(d, -HUGE_VAL) };

	if (!isfinite(d) || !isfinite(neighbours[0]) || !isfinite(neighbours[1]))
		return;
	distance(r, d);
	mpq_set(r->expected, r->found);
	for (int i = 0; i < 2; i++) {
		int exponent, order;
		int64_t mantissa = (int64_t)ldexp(frexp(d, &exponent), 53);

		distance(r, neighbours[i]);
		order = mpq_cmp(r->expected, r->found);
		if (order > 0 || (order == 0 && mantissa % 2 != 0 && fabs(d) > 1e-300))
			fail(r, "conversion to double", x, x);
	}
	mpq_set_d(r->expected, d);
	check(r, "conversion from double", x, x, NUM_OK, num_from_double(&r->arena, d));
}

/* What print_fixed wrote is at most half a last digit away, and a tie ends in an even digit. */
static void check_fixed(struct run *r, struct num x)
{
	int decimals = (int)(draw(r) % 6);
	struct out o;
	struct num read, off, half;
	struct str text;
	int order;

	out_init(&o, &r->arena);
	num_print_fixed(&o, x, decimals);
	text = out_view(&o);
	if (text.p[0] == '-')
		text = str_slice(text, 1, text.n);
	if (!num_parse(&r->arena, text, &read))
		fail(r, "reading a fixed number", x, num_int(decimals));
	if (num_sign(x) < 0)
		read = num_neg(&r->arena, read);
	num_sub(&r->arena, x, read, &off);
	if (num_sign(off) < 0)
		off = num_neg(&r->arena, off);
	num_pow(&r->arena, num_int(10), -decimals, &half);
	num_div(&r->arena, half, num_int(2), &half);
	order = num_compare(off, half);
	if (order > 0 || (order == 0 && (text.p[text.n - 1] - '0') % 2 != 0))
		fail(r, "printing with decimals", x, num_int(decimals));
}

int main(int argc, char **argv)
{
	struct run r = { .seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20240229 };
	uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;

	printf("num_property: seed %" PRIu64 "\n", r.seed);
	r.state = r.seed * 2 + 1;
	arena_init(&r.arena, NULL);
	mpq_inits(r.x, r.y, r.expected, r.found, NULL);
	for (uint64_t i = 0; i < rounds; i++) {
		struct arena_mark mark = arena_mark(&r.arena);
		struct num x = draw_num(&r, r.x), y = draw_num(&r, r.y);

		check_arithmetic(&r, x, y);
		check_division(&r, x, y);
		check_power(&r, x);
		check_double(&r, x);
		check_fixed(&r, x);
		arena_reset(&r.arena, mark);
	}
	mpq_clears(r.x, r.y, r.expected, r.found, NULL);
	arena_release(&r.arena);
	printf("num_property: %" PRIu64 " rounds\n", rounds);
	return 0;
}
