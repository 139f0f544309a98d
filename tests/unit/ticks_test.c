/* ticks_test.c - marks of an axis stand at round numbers. */
#include "tests/unit/unit.h"

#include "compiler/types/type.h"
#include "runtime/report/sweep/ticks.h"

/* All labels between low and high, one behind the other. */
static const char *labels(struct arena *a, const struct type *t, double low, double high)
{
	struct ticks ticks = ticks_make(a, t, low, high);
	const double rounding = (high - low) * 1e-9;
	struct out o;

	out_init(&o, a);
	for (int64_t k = ticks.first; k <= ticks.last; k++) {
		ck_assert_double_ge(ticks_at(&ticks, k), low - rounding);
		ck_assert_double_le(ticks_at(&ticks, k), high + rounding);
		out_text(&o, k > ticks.first ? " | " : "");
		ticks_label(&ticks, k, &o);
	}
	out_char(&o, '\0');
	return o.p;
}

#define SHOWS(t, low, high, text) ck_assert_str_eq(labels(&a, t, low, high), text)

static const double gib = 1073741824;

START_TEST(steps_are_round)
{
	struct arena a;
	const struct type real = { .kind = TYPE_NUMBER, .exactness = EXACT_REAL };

	arena_init(&a, NULL);
	SHOWS(&real, 0.05, 0.95, "0.2 | 0.4 | 0.6 | 0.8");
	SHOWS(&real, 0.1, 0.3, "0.10 | 0.15 | 0.20 | 0.25 | 0.30");
	SHOWS(&real, -250, 250, "-200 | -100 | 0 | 100 | 200");
	SHOWS(&real, 0.5, 12000, "2,000 | 4,000 | 6,000 | 8,000 | 10,000 | 12,000");
	SHOWS(&real, 1e20, 3e20, "1e+20 | 1.5e+20 | 2e+20 | 2.5e+20 | 3e+20");
	SHOWS(&real, 1e-12, 3e-12, "1e-12 | 1.5e-12 | 2e-12 | 2.5e-12 | 3e-12");
	arena_release(&a);
}
END_TEST

START_TEST(whole_numbers_stay_whole)
{
	struct arena a;
	const struct type whole = { .kind = TYPE_NUMBER, .exactness = EXACT_INT };

	arena_init(&a, NULL);
	SHOWS(&whole, 0.9, 3.1, "1 | 2 | 3");
	SHOWS(NULL, 7.7, 8.3, "8");
	SHOWS(NULL, 1, 72692, "20,000 | 40,000 | 60,000");
	arena_release(&a);
}
END_TEST

START_TEST(quantities_have_a_unit)
{
	struct arena a;
	const struct type bytes = { .kind = TYPE_NUMBER, .dim = { .info = 1 }, .exactness = EXACT_REAL },
			  rate = { .kind = TYPE_NUMBER, .dim = { .time = -1 }, .exactness = EXACT_REAL },
			  time = { .kind = TYPE_NUMBER, .dim = { .time = 1 }, .exactness = EXACT_REAL },
			  share = { .kind = TYPE_NUMBER, .percent = true, .exactness = EXACT_REAL },
			  strange = { .kind = TYPE_NUMBER, .dim = { .info = 2 }, .exactness = EXACT_REAL };

	arena_init(&a, NULL);
	SHOWS(&bytes, 18.1 * gib, 70.4 * gib, "20 GiB | 30 GiB | 40 GiB | 50 GiB | 60 GiB | 70 GiB");
	SHOWS(&bytes, 0.5 * gib, 0.9 * gib, "600 MiB | 700 MiB | 800 MiB | 900 MiB");
	SHOWS(&bytes, 70 * gib, 70.25 * gib, "70.00 GiB | 70.05 GiB | 70.10 GiB | 70.15 GiB | 70.20 GiB | 70.25 GiB");
	SHOWS(&rate, 43000, 73000, "45,000/s | 50,000/s | 55,000/s | 60,000/s | 65,000/s | 70,000/s");
	SHOWS(&time, 0.9, 2.6, "1.0 s | 1.5 s | 2.0 s | 2.5 s");
	SHOWS(&time, 3600, 86000, "5 h | 10 h | 15 h | 20 h");
	SHOWS(&share, 0.405, 0.561, "45% | 50% | 55%");
	SHOWS(&strange, 0, 5, "0 B*B | 1 B*B | 2 B*B | 3 B*B | 4 B*B | 5 B*B");
	arena_release(&a);
}
END_TEST

/* Whatever the range: a few marks, and none outside it. */
START_TEST(any_range_has_marks)
{
	struct arena a;
	const struct type real = { .kind = TYPE_NUMBER, .exactness = EXACT_REAL };
	const double ends[] = { -1e300, -3e17, -1, -1e-300, 0, 5e-301, 7, 1.0 + 4.5e-16, 9e15, 1e300 };

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(ends); i++)
		for (size_t k = i + 1; k < PLAN_COUNT(ends); k++) {
			double low = ends[i] < ends[k] ? ends[i] : ends[k], high = ends[i] < ends[k] ? ends[k] : ends[i];
			struct ticks t = ticks_make(&a, &real, low, high);

			ck_assert_int_ge(t.last, t.first);
			ck_assert_int_le(t.last - t.first, 7);
			labels(&a, &real, low, high);
		}
	arena_release(&a);
}
END_TEST

UNIT_MAIN("ticks", steps_are_round, whole_numbers_stay_whole, quantities_have_a_unit, any_range_has_marks)
