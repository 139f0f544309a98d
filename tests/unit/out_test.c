/* out_test.c - growing text and the printing of numbers. */
#include "tests/unit/unit.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "compiler/base/out.h"

static const char *real(struct arena *a, double x)
{
	struct out o;

	out_init(&o, a);
	out_real(&o, x);
	return out_view(&o).p;
}

static const char *fixed(struct arena *a, double x, int decimals)
{
	struct out o;

	out_init(&o, a);
	out_fixed(&o, x, decimals);
	return out_view(&o).p;
}

static const char *grouped(struct arena *a, int64_t x)
{
	struct out o;

	out_init(&o, a);
	out_grouped(&o, x);
	return out_view(&o).p;
}

START_TEST(text_grows)
{
	struct arena a;
	struct out o;
	struct str s;

	arena_init(&a, NULL);
	out_init(&o, &a);
	ck_assert_uint_eq(out_view(&o).n, 0);
	for (int i = 0; i < 10000; i++)
		out_printf(&o, "%d,", i % 10);
	out_repeat(&o, '=', 500);
	out_repeat(&o, '=', 0);
	out_str(&o, STR("end"));
	s = out_view(&o);
	ck_assert_uint_eq(s.n, 20503);
	ck_assert(str_starts(s, "0,1,2,") && str_ends(s, "==end") && s.p[s.n] == '\0');
	arena_release(&a);
}
END_TEST

START_TEST(reals_are_short)
{
	struct arena a;

	arena_init(&a, NULL);
	ck_assert_str_eq(real(&a, 0.1), "0.1");
	ck_assert_str_eq(real(&a, 3), "3");
	ck_assert_str_eq(real(&a, -2.5), "-2.5");
	ck_assert_str_eq(real(&a, 1e30), "1e+30");
	ck_assert_str_eq(real(&a, 1.0 / 3), "0.3333333333333333");
	ck_assert_str_eq(real(&a, 0.1 + 0.2), "0.30000000000000004");
	ck_assert_str_eq(real(&a, -0.0), "0");
	ck_assert_str_eq(real(&a, 5e-324), "5e-324");
	ck_assert_str_eq(real(&a, DBL_MAX), "1.7976931348623157e+308");
	ck_assert_str_eq(real(&a, HUGE_VAL), "null");
	ck_assert_str_eq(real(&a, (double)NAN), "null");
	arena_release(&a);
}
END_TEST

START_TEST(reals_read_back)
{
	uint64_t state = 88172645463325252;
	struct arena a;

	arena_init(&a, NULL);
	for (int i = 0; i < 20000; i++) {
		struct arena_mark mark = arena_mark(&a);
		double x, back;

		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		memcpy(&x, &state, sizeof x);
		if (!isfinite(x))
			continue;
		ck_assert(sscanf(real(&a, x), "%lf", &back) == 1 && back == x);
		arena_reset(&a, mark);
	}
	arena_release(&a);
}
END_TEST

START_TEST(decimals_are_rounded_half_to_even)
{
	struct arena a;

	arena_init(&a, NULL);
	ck_assert_str_eq(fixed(&a, 0.125, 2), "0.12");
	ck_assert_str_eq(fixed(&a, 0.375, 2), "0.38");
	ck_assert_str_eq(fixed(&a, 2.5, 0), "2");
	ck_assert_str_eq(fixed(&a, -0.001, 2), "0.00");
	ck_assert_str_eq(fixed(&a, -0.0, 0), "0");
	ck_assert_str_eq(fixed(&a, -1.5, 1), "-1.5");
	ck_assert_str_eq(fixed(&a, 75.94999, 1), "75.9");
	ck_assert_str_eq(fixed(&a, 1e22, 1), "10000000000000000000000.0");
	arena_release(&a);
}
END_TEST

START_TEST(counts_are_grouped)
{
	struct arena a;
	struct out o;

	arena_init(&a, NULL);
	ck_assert_str_eq(grouped(&a, 0), "0");
	ck_assert_str_eq(grouped(&a, 999), "999");
	ck_assert_str_eq(grouped(&a, 18432), "18,432");
	ck_assert_str_eq(grouped(&a, -1234567), "-1,234,567");
	ck_assert_str_eq(grouped(&a, INT64_MIN), "-9,223,372,036,854,775,808");
	out_init(&o, &a);
	out_grouped_digits(&o, STR("-1234567.12345"));
	out_char(&o, ' ');
	out_grouped_digits(&o, STR("-123.5"));
	ck_assert(str_is(out_view(&o), "-1,234,567.12345 -123.5"));
	arena_release(&a);
}
END_TEST

UNIT_MAIN("out", text_grows, reals_are_short, reals_read_back, decimals_are_rounded_half_to_even,
	  counts_are_grouped)
