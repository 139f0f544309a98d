/* units_test.c - exact factors of units, and what is said about near misses. */
#include "compiler/base/num.h"
#include "compiler/types/type.h"
#include "tests/unit/unit.h"

static const char *shown(struct arena *a, const char *unit)
{
	struct dimension d;
	struct num factor;
	struct out o;
	bool percent;

	if (!unit_find(a, str_of(unit), &d, &factor, &percent))
		return "unknown";
	out_init(&o, a);
	num_print(&o, factor);
	out_char(&o, ' ');
	dim_print(&o, d);
	if (percent)
		out_text(&o, " percent");
	return str_copy(a, out_view(&o)).p;
}

START_TEST(factors_are_exact)
{
	static const struct {
		const char *unit, *value;
	} cases[] = {
		{ "B", "1 bytes" },
		{ "kB", "1000 bytes" },
		{ "KiB", "1024 bytes" },
		{ "GiB", "1073741824 bytes" },
		{ "PiB", "1125899906842624 bytes" },
		{ "bit", "1/8 bytes" },
		{ "Gbit", "125000000 bytes" },
		{ "GB/s", "1000000000 bytes/s" },
		{ "GiB/s", "1073741824 bytes/s" },
		{ "Gbps", "125000000 bytes/s" },
		{ "MB/ms", "1000000000 bytes/s" },
		{ "TFLOPS", "1000000000000 flop/s" },
		{ "EFLOP", "1000000000000000000 flop" },
		{ "PFLOP/s", "1000000000000000 flop/s" },
		{ "us", "1/1000000 time" },
		{ "min", "60 time" },
		{ "d", "86400 time" },
		{ "USD/h", "1/3600 usd/h" },
		{ "kW", "1000 power" },
		{ "kWh", "3600000 energy" },
		{ "J/s", "1 power" },
		{ "%", "1/100 1 percent" },
		{ "tokens", "1 1" },
		{ "tokens/s", "1 1/s" },
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++)
		ck_assert_str_eq(shown(&a, cases[i].unit), cases[i].value);
	arena_release(&a);
}
END_TEST

START_TEST(nothing_is_guessed)
{
	static const char *const wrong[] = { "KB", "gb", "Gb", "Gflops", "TFLOPs", "secs", "", "/", "/s",
					     "GB/", "GB/t", "%/s", "s/%", "GB/s/s", "b", "m", "H" };
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(wrong); i++)
		ck_assert_str_eq(shown(&a, wrong[i]), "unknown");
	arena_release(&a);
}
END_TEST

START_TEST(near_misses_have_a_hint)
{
	static const struct {
		const char *unit, *hint, *repair;
	} cases[] = {
		{ "KB", "write kB (1000 B) or KiB (1024 B)", "" },
		{ "Gb", "write Gbit for bits, GB or GiB for bytes", "" },
		{ "Gb/s", "write Gbit/s or Gbps for bits, GB/s or GiB/s for bytes", "" },
		{ "gib", "write GiB", "GiB" },
		{ "Gflops", "write GFLOPS", "GFLOPS" },
		{ "TFLOPs", "write TFLOPS", "TFLOPS" },
		{ "secs", "write s", "s" },
		{ "GBps", "write GB/s for bytes, Gbps for bits", "" },
		{ "gib/sec", "write GiB/s", "GiB/s" },
		{ "GB/sec", "write GB/s", "GB/s" },
		{ "usd/h", "write USD/h", "USD/h" },
		{ "KB/s", "write kB (1000 B) or KiB (1024 B)", "" },
		{ "KB/t", "write kB (1000 B) or KiB (1024 B)", "" },
		{ "usd/t", "write USD", "" },
		{ "gibibytes", "write GiB", "GiB" },
		{ "furlongs", NULL, "" },
		{ "GB/t", NULL, "" },
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		struct str repair;
		const char *hint = unit_hint(&a, str_of(cases[i].unit), &repair);

		ck_assert_str_eq(str_copy(&a, repair).p, cases[i].repair);
		if (cases[i].hint) {
			ck_assert_ptr_nonnull(hint);
			ck_assert_str_eq(hint, cases[i].hint);
		} else {
			ck_assert_ptr_null(hint);
		}
	}
	arena_release(&a);
}
END_TEST

UNIT_MAIN("units", factors_are_exact, nothing_is_guessed, near_misses_have_a_hint)
