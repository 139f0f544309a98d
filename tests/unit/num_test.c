/* num_test.c - exact numbers: reading, printing, borders, limits. Arithmetic on random operands is
 * in tests/property/num_property.c. */
#include "tests/unit/unit.h"

#include <float.h>
#include <math.h>

#include "compiler/base/num.h"

static struct num of(struct arena *a, const char *z)
{
	struct num x = num_int(-1);
	bool negative = z[0] == '-';

	ck_assert_msg(num_parse(a, str_of(z + negative), &x), "%s", z);
	return negative ? num_neg(a, x) : x;
}

static const char *shown(struct arena *a, struct num x)
{
	struct out o;

	out_init(&o, a);
	num_print(&o, x);
	return out_view(&o).p;
}

START_TEST(numbers_are_read_exactly)
{
	static const struct { const char *text, *value; } cases[] = {
		{ "0", "0" }, { "1_000", "1000" }, { "0.5", "1/2" }, { "2e12", "2000000000000" },
		{ "1.5e-3", "3/2000" }, { "0.10", "1/10" }, { "1_0.2_5", "41/4" }, { "0e999999999", "0" },
		{ "9223372036854775807", "9223372036854775807" },
		{ "9223372036854775808", "9223372036854775808" }, { "1E+2", "100" },
		{ "123456789012345678901234567890.5", "246913578024691357802469135781/2" },
		{ "0.000000000000000000000000000001", "1/1000000000000000000000000000000" },
		{ "0.00", "0" }, { "007", "7" }, { "1e19", "10000000000000000000" },
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++)
		ck_assert_str_eq(shown(&a, of(&a, cases[i].text)), cases[i].value);
	arena_release(&a);
}
END_TEST

START_TEST(everything_else_is_not_a_number)
{
	static const char *const cases[] = {
		"", "-1", "+1", ".5", "1.", "1_", "_1", "1__0", "1e", "1e+", "e5", "1.5.2", "0x10",
		"1 ", " 1", "1._5", "1_.5", "1e5_", "inf", "nan", "1e20001", "1e-20001", "1e99999999999999",
	};
	struct arena a;
	struct num x;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++)
		ck_assert_msg(!num_parse(&a, str_of(cases[i]), &x), "%s", cases[i]);
	arena_release(&a);
}
END_TEST

START_TEST(borders_of_the_inline_form)
{
	struct arena a;
	struct num x, y;

	arena_init(&a, NULL);
	ck_assert(num_add(&a, num_int(INT64_MAX), num_int(1), &x) == NUM_OK && x.big);
	ck_assert_str_eq(shown(&a, x), "9223372036854775808");
	ck_assert(num_sub(&a, x, num_int(1), &y) == NUM_OK && !y.big && y.n == INT64_MAX);
	y = num_neg(&a, x);
	ck_assert(!y.big && y.n == INT64_MIN && num_neg(&a, y).big);
	ck_assert(num_floor_div(&a, num_int(INT64_MIN), num_int(-1), &y) == NUM_OK);
	ck_assert_int_eq(num_compare(x, y), 0);
	ck_assert(num_mod(&a, num_int(INT64_MIN), num_int(-1), &y) == NUM_OK && y.n == 0);
	ck_assert_str_eq(shown(&a, num_ratio(&a, 1, INT64_MIN)), "-1/9223372036854775808");
	ck_assert_str_eq(shown(&a, num_ratio(&a, INT64_MIN, INT64_MIN)), "1");
	ck_assert_str_eq(shown(&a, num_ratio(&a, 0, -5)), "0");
	ck_assert_str_eq(shown(&a, num_ratio(&a, 6, -4)), "-3/2");
	arena_release(&a);
}
END_TEST

START_TEST(floors_and_remainders_follow_the_divisor)
{
	static const struct { int x, y, quotient, rest; } cases[] = {
		{ 7, 2, 3, 1 }, { -7, 2, -4, 1 }, { 7, -2, -4, -1 }, { -7, -2, 3, -1 }, { 6, 3, 2, 0 },
		{ -6, 3, -2, 0 }, { 0, 5, 0, 0 },
	};
	struct arena a;
	struct num x;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		num_floor_div(&a, num_int(cases[i].x), num_int(cases[i].y), &x);
		ck_assert_int_eq(x.n, cases[i].quotient);
		num_mod(&a, num_int(cases[i].x), num_int(cases[i].y), &x);
		ck_assert_int_eq(x.n, cases[i].rest);
	}
	num_mod(&a, of(&a, "-7.5"), num_int(2), &x);
	ck_assert_str_eq(shown(&a, x), "1/2");
	ck_assert_int_eq(num_floor(&a, of(&a, "-0.5")).n, -1);
	ck_assert_int_eq(num_ceil(&a, of(&a, "-0.5")).n, 0);
	ck_assert_int_eq(num_ceil(&a, of(&a, "2.5")).n, 3);
	ck_assert_int_eq(num_ceil(&a, num_int(2)).n, 2);
	ck_assert(num_div(&a, num_int(1), num_int(0), &x) == NUM_DIVIDE_BY_ZERO);
	ck_assert(num_mod(&a, num_int(1), num_int(0), &x) == NUM_DIVIDE_BY_ZERO);
	arena_release(&a);
}
END_TEST

START_TEST(powers_are_limited_before_they_are_computed)
{
	struct arena a;
	struct num x;

	arena_init(&a, NULL);
	ck_assert(num_pow(&a, num_int(2), 62, &x) == NUM_OK && x.n == INT64_C(1) << 62);
	ck_assert(num_pow(&a, num_int(2), INT64_C(1000000000000000000), &x) == NUM_TOO_LARGE);
	ck_assert(num_pow(&a, num_int(2), 66000, &x) == NUM_OK && x.big);
	ck_assert(num_mul(&a, x, x, &x) == NUM_TOO_LARGE);
	ck_assert(num_pow(&a, num_ratio(&a, 2, 3), -3, &x) == NUM_OK);
	ck_assert_str_eq(shown(&a, x), "27/8");
	ck_assert(num_pow(&a, num_int(-1), INT64_MAX, &x) == NUM_OK && x.n == -1);
	ck_assert(num_pow(&a, num_int(-1), INT64_MIN, &x) == NUM_OK && x.n == 1);
	ck_assert(num_pow(&a, num_int(0), 0, &x) == NUM_OK && x.n == 1);
	ck_assert(num_pow(&a, num_int(0), -1, &x) == NUM_DIVIDE_BY_ZERO);
	ck_assert(num_pow(&a, num_int(-2), 63, &x) == NUM_OK && x.n == INT64_MIN);
	arena_release(&a);
}
END_TEST

START_TEST(doubles_are_the_nearest)
{
	struct arena a;
	struct num tiny, x;

	arena_init(&a, NULL);
	ck_assert(num_to_double(of(&a, "0.1")) == 0.1);
	ck_assert(num_to_double(num_ratio(&a, INT64_MAX, 3)) == 3074457345618258602.0);
	ck_assert(num_to_double(of(&a, "9007199254740993")) == 9007199254740992.0);
	ck_assert(num_to_double(of(&a, "9007199254740993.0000000000000000001")) == 9007199254740994.0);
	ck_assert(num_to_double(of(&a, "1e308")) == 1e308);
	ck_assert(num_to_double(of(&a, "1.7976931348623157e308")) == DBL_MAX);
	ck_assert(num_to_double(of(&a, "1.7976931348623159e308")) == HUGE_VAL);
	ck_assert(num_to_double(of(&a, "-1e5000")) == -HUGE_VAL);
	ck_assert(num_to_double(of(&a, "1e-5000")) == 0);
	ck_assert(num_to_double(of(&a, "2.2250738585072014e-308")) == DBL_MIN);
	ck_assert(num_to_double(of(&a, "2.2250738585072011e-308")) == 2.2250738585072011e-308);
	ck_assert(num_to_double(of(&a, "4.9e-324")) == 4.9e-324);
	tiny = num_from_double(&a, 4.9e-324);
	ck_assert(num_to_double(tiny) == 4.9e-324);
	num_div(&a, tiny, num_int(2), &x);
	ck_assert(num_to_double(x) == 0);
	num_add(&a, x, num_ratio(&a, 0, 1), &x);
	num_mul(&a, x, of(&a, "1.0000001"), &x);
	ck_assert(num_to_double(x) == 4.9e-324);
	num_mul(&a, tiny, of(&a, "2.5"), &x);
	ck_assert(num_to_double(x) == 2 * 4.9e-324);
	ck_assert(num_to_double(num_from_double(&a, DBL_MAX)) == DBL_MAX);
	ck_assert_str_eq(shown(&a, num_from_double(&a, -0.375)), "-3/8");
	ck_assert_str_eq(shown(&a, num_from_double(&a, 1e18)), "1000000000000000000");
	ck_assert_str_eq(shown(&a, num_from_double(&a, -0.0)), "0");
	arena_release(&a);
}
END_TEST

typedef void (*printer)(struct out *o, struct num x);

static const char *with(struct arena *a, printer print, const char *number, const char *divisor)
{
	struct out o;
	struct num x;

	out_init(&o, a);
	num_div(a, of(a, number), of(a, divisor), &x);
	print(&o, x);
	return out_view(&o).p;
}

static const char *fixed(struct arena *a, const char *number, const char *divisor, int decimals)
{
	struct out o;
	struct num x;

	out_init(&o, a);
	num_div(a, of(a, number), of(a, divisor), &x);
	num_print_fixed(&o, x, decimals);
	return out_view(&o).p;
}

START_TEST(mixed_numbers_and_decimals)
{
	struct arena a;

	arena_init(&a, NULL);
	ck_assert_str_eq(with(&a, num_print_mixed, "61", "16"), "3 13/16");
	ck_assert_str_eq(with(&a, num_print_mixed, "-61", "16"), "-3 13/16");
	ck_assert_str_eq(with(&a, num_print_mixed, "13", "16"), "13/16");
	ck_assert_str_eq(with(&a, num_print_mixed, "-13", "16"), "-13/16");
	ck_assert_str_eq(with(&a, num_print_mixed, "-32", "16"), "-2");
	ck_assert_str_eq(with(&a, num_print_mixed, "1e30", "3"),
			 "333333333333333333333333333333 1/3");
	ck_assert_str_eq(with(&a, num_print_decimal, "1", "20"), "0.05");
	ck_assert_str_eq(with(&a, num_print_decimal, "32", "25"), "1.28");
	ck_assert_str_eq(with(&a, num_print_decimal, "-1", "8"), "-0.125");
	ck_assert_str_eq(with(&a, num_print_decimal, "1", "3"), "1/3");
	ck_assert_str_eq(with(&a, num_print_decimal, "7", "1"), "7");
	ck_assert_str_eq(with(&a, num_print_decimal, "1", "1e25"), "0.0000000000000000000000001");
	arena_release(&a);
}
END_TEST

START_TEST(fixed_decimals_round_half_to_even)
{
	struct arena a;

	arena_init(&a, NULL);
	ck_assert_str_eq(fixed(&a, "1", "8", 2), "0.12");
	ck_assert_str_eq(fixed(&a, "3", "8", 2), "0.38");
	ck_assert_str_eq(fixed(&a, "-1", "8", 2), "-0.12");
	ck_assert_str_eq(fixed(&a, "5", "2", 0), "2");
	ck_assert_str_eq(fixed(&a, "7", "2", 0), "4");
	ck_assert_str_eq(fixed(&a, "1", "2", 0), "0");
	ck_assert_str_eq(fixed(&a, "-1", "1000", 2), "0.00");
	ck_assert_str_eq(fixed(&a, "1", "3", 5), "0.33333");
	ck_assert_str_eq(fixed(&a, "999999", "1000", 2), "1000.00");
	ck_assert_str_eq(fixed(&a, "1005", "1000", 2), "1.00");
	ck_assert_str_eq(fixed(&a, "1e40", "7", 3), "1428571428571428571428571428571428571428.571");
	ck_assert_str_eq(fixed(&a, "0", "1", 3), "0.000");
	arena_release(&a);
}
END_TEST

START_TEST(equal_numbers_have_equal_hashes)
{
	struct arena a;
	struct num x, y;
	int64_t n;

	arena_init(&a, NULL);
	x = of(&a, "1e40");
	num_pow(&a, num_int(10), 40, &y);
	ck_assert(num_compare(x, y) == 0 && num_hash(x) == num_hash(y));
	ck_assert(num_hash(x) != num_hash(num_neg(&a, x)));
	ck_assert(num_is_int(x) && !num_fits_int64(x, &n));
	ck_assert(num_fits_int64(num_ratio(&a, 10, 5), &n) && n == 2);
	ck_assert(!num_fits_int64(num_ratio(&a, 1, 2), &n));
	ck_assert_int_eq(num_compare(num_neg(&a, x), num_int(INT64_MIN)), -1);
	arena_release(&a);
}
END_TEST

static void big_work(struct arena *a, void *context)
{
	struct num x = num_int(3), y = num_int(7);
	struct out o;

	(void)context;
	num_pow(a, x, 300, &x);
	num_pow(a, y, -200, &y);
	num_add(a, x, y, &x);
	num_mod(a, x, y, &x);
	num_parse(a, STR("123456789.123456789123456789123456789e-5"), &y);
	num_mul(a, x, y, &x);
	out_init(&o, a);
	num_print_mixed(&o, x);
	num_print_fixed(&o, x, 100);
	num_from_double(a, 1e300);
}

START_TEST(no_memory_is_lost_when_the_arena_gives_up)
{
	ck_assert_int_gt(unit_each_failure(big_work, NULL), 8);
}
END_TEST

UNIT_MAIN("num", numbers_are_read_exactly, everything_else_is_not_a_number,
	  borders_of_the_inline_form, floors_and_remainders_follow_the_divisor,
	  powers_are_limited_before_they_are_computed, doubles_are_the_nearest,
	  mixed_numbers_and_decimals, fixed_decimals_round_half_to_even,
	  equal_numbers_have_equal_hashes, no_memory_is_lost_when_the_arena_gives_up)
