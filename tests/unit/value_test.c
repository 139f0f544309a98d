/* value_test.c - how values compare and print. */
#include "tests/unit/eval_fixture.h"
#include "tests/unit/unit.h"

static struct num ratio(struct fixture *f, int64_t n, int64_t d)
{
	return num_ratio(&f->arena, n, d);
}

#define SHOWS(f, n, d, type, text) \
	ck_assert_str_eq(fixture_print(&(f), value_number(ratio(&(f), (n), (d))), (type)), (text))

START_TEST(capacities_print_in_binary_units)
{
	struct fixture f;
	fixture_init(&f, "");
	SHOWS(f, 512, 1, f.bytes, "512 B");
	SHOWS(f, 0, 1, f.bytes, "0 B");
	SHOWS(f, 1024, 1, f.bytes, "1 KiB");
	SHOWS(f, 80LL << 30, 1, f.bytes, "80 GiB");
	SHOWS(f, 3LL << 29, 1, f.bytes, "1.5 GiB");
	SHOWS(f, -(2LL << 20), 1, f.bytes, "-2 MiB");
	SHOWS(f, 81497158452, 1, f.bytes, "75.9 GiB");
	SHOWS(f, 1, 2, f.bytes, "0.5 B");
	SHOWS(f, 1, 3, f.bytes, "0.3333 B");
	/* One byte less than a GiB rounds up to the next unit instead of "1024.0 MiB". */
	SHOWS(f, (1LL << 30) - 1, 1, f.bytes, "1 GiB");
	SHOWS(f, INT64_MAX, 1, f.bytes, "8,192.0 PiB");
	fixture_release(&f);
}
END_TEST

START_TEST(rates_print_in_decimal_units)
{
	struct fixture f;
	fixture_init(&f, "");
	const struct type *flops =
		type_number(f.p->types, (struct dimension){ 0, -1, 1, 0, 0 }, EXACT_RATIONAL);
	SHOWS(f, 450000000000, 1, f.rate, "450 GB/s");
	SHOWS(f, 1600LL << 30, 1, f.rate, "1.718 TB/s");
	SHOWS(f, 25000000000, 1, f.rate, "25 GB/s");
	SHOWS(f, 312000000000000, 1, flops, "312 TFLOPS");
	SHOWS(f, 1979000000000000, 1, flops, "1.979 PFLOPS");
	SHOWS(f, 999960000000, 1, f.rate, "999.96 GB/s");
	SHOWS(f, 999999900001, 1, f.rate, "1 TB/s");
	SHOWS(f, 6, 1, f.work, "6 FLOP");
	SHOWS(f, 6000000, 1, f.work, "6 MFLOP");
	SHOWS(f, 700, 1, f.power, "700 W");
	SHOWS(f, 10200, 1, f.power, "10.2 kW");
	fixture_release(&f);
}
END_TEST

START_TEST(times_print_by_size)
{
	struct fixture f;
	fixture_init(&f, "");
	SHOWS(f, 1, 625000, f.time, "1.6 us");
	SHOWS(f, 128, 100000, f.time, "1.28 ms");
	SHOWS(f, 12, 1, f.time, "12 s");
	SHOWS(f, 90, 1, f.time, "1.5 min");
	SHOWS(f, 5400, 1, f.time, "1.5 h");
	SHOWS(f, 86400 * 60, 1, f.time, "60 d");
	SHOWS(f, 1, 3, f.time, "333.3 ms");
	SHOWS(f, 0, 1, f.time, "0 s");
	SHOWS(f, 1, 10000000000, f.time, "0.1 ns");
	ck_assert_str_eq(fixture_print(&f, value_real(0.1), f.time), "100 ms");
	ck_assert_str_eq(fixture_print(&f, value_real(12.3456789), f.time), "12.35 s");
	fixture_release(&f);
}
END_TEST

START_TEST(money_energy_and_frequencies)
{
	struct fixture f;
	fixture_init(&f, "");
	SHOWS(f, 5, 2, f.money, "2.5 USD");
	SHOWS(f, 1234567, 1, f.money, "1,234,567 USD");
	SHOWS(f, 1, 1440, f.price, "2.5 USD/h");
	SHOWS(f, 36000000, 1, f.energy, "10 kWh");
	SHOWS(f, 412000, 1, f.per_second, "412,000/s");
	SHOWS(f, 1, 4,
	      type_number(f.p->types, (struct dimension){ 1, 0, -1, 0, 0 }, EXACT_RATIONAL),
	      "0.25 B/FLOP");
	fixture_release(&f);
}
END_TEST

START_TEST(plain_numbers)
{
	struct fixture f;
	fixture_init(&f, "");
	SHOWS(f, 131072, 1, f.integer, "131072");
	SHOWS(f, 61, 16, f.rational, "3 13/16");
	SHOWS(f, -61, 16, f.rational, "-3 13/16");
	SHOWS(f, 1, 20, f.rational, "0.05");
	SHOWS(f, 1, 2000, f.rational, "0.0005");
	SHOWS(f, 1, 3, f.rational, "1/3");
	SHOWS(f, 1, 8, f.ratio, "12.5%");
	SHOWS(f, 1, 3, f.ratio, "33.3%");
	SHOWS(f, 1, 7000, f.ratio, "0.0143%");
	SHOWS(f, 123456789, 123456788, f.rational, "~1");
	ck_assert_str_eq(fixture_print(&f, value_real(3.14159265), f.real), "~3.14159");
	ck_assert_str_eq(fixture_print(&f, value_real(4.0), f.real), "~4");
	ck_assert_str_eq(fixture_print(&f, value_real(-1e-9), f.real), "~-0.000000001");
	fixture_release(&f);
}
END_TEST

static const char *formatted(struct fixture *f, struct value v, const struct type *t,
			     const char *format)
{
	struct out o;
	out_init(&o, &f->arena);
	if (!value_print_format(&o, f->p, v, t, str_of(format)))
		return "no";
	return str_copy(&f->arena, out_view(&o)).p;
}

START_TEST(formats)
{
	struct fixture f;
	fixture_init(&f, "");
	struct value capacity = value_int(81497158452);
	ck_assert_str_eq(formatted(&f, capacity, f.bytes, "GiB.1"), "75.9 GiB");
	ck_assert_str_eq(formatted(&f, capacity, f.bytes, "GB.0"), "81 GB");
	ck_assert_str_eq(formatted(&f, capacity, f.bytes, "GiB"), "75.9 GiB");
	ck_assert_str_eq(formatted(&f, capacity, f.bytes, ".2"), "75.90 GiB");
	ck_assert_str_eq(formatted(&f, capacity, f.bytes, ""), "75.9 GiB");
	ck_assert_str_eq(formatted(&f, capacity, f.bytes, "ms.1"), "no");
	ck_assert_str_eq(formatted(&f, capacity, f.bytes, "GiB.x"), "no");
	ck_assert_str_eq(formatted(&f, capacity, f.bytes, "GiB."), "no");
	ck_assert_str_eq(formatted(&f, capacity, f.bytes, "%.0"), "no");
	ck_assert_str_eq(formatted(&f, value_number(ratio(&f, 1, 8)), f.ratio, "%.0"), "12%");
	ck_assert_str_eq(formatted(&f, value_number(ratio(&f, 1, 8)), f.ratio, ".3"), "0.125");
	ck_assert_str_eq(formatted(&f, value_number(ratio(&f, 1, 3)), f.rational, ".3"), "0.333");
	ck_assert_str_eq(formatted(&f, value_real(0.00128), f.time, "ms.2"), "1.28 ms");
	ck_assert_str_eq(formatted(&f, value_number(ratio(&f, 5, 2)), f.money, "USD.0"), "2 USD");
	ck_assert_str_eq(formatted(&f, value_string(STR("x")), f.string, ".1"), "no");
	ck_assert_str_eq(formatted(&f, value_none(), type_option(f.p->types, f.bytes), "GiB.1"),
			 "none");
	fixture_release(&f);
}
END_TEST

static const char *source_of(struct fixture *f, struct value v, const struct type *t)
{
	struct out o;
	out_init(&o, &f->arena);
	value_print_source(&o, f->p, v, t);
	return str_copy(&f->arena, out_view(&o)).p;
}

START_TEST(source_text_reads_back)
{
	struct fixture f;
	fixture_init(&f, "");
	ck_assert_str_eq(source_of(&f, value_int(80LL << 30), f.bytes), "80 GiB");
	ck_assert_str_eq(source_of(&f, value_int((80LL << 30) + 1), f.bytes), "85899345921 B");
	ck_assert_str_eq(source_of(&f, value_number(ratio(&f, 61, 16)), f.rational), "3.8125");
	ck_assert_str_eq(source_of(&f, value_number(ratio(&f, 1, 3)), f.rational), "1/3");
	ck_assert_str_eq(source_of(&f, value_number(ratio(&f, 1, 3)), f.time), "(1/3) * 1 s");
	ck_assert_str_eq(source_of(&f, value_number(ratio(&f, 1, 1440)), f.price), "2.5 USD/h");
	ck_assert_str_eq(source_of(&f, value_number(ratio(&f, 1, 8)), f.ratio), "12.5%");
	ck_assert_str_eq(source_of(&f, value_int(10), f.per_second), "10 / 1 s");
	ck_assert_str_eq(source_of(&f, value_real(0.1), f.time), "100 ms");
	ck_assert_str_eq(source_of(&f, value_real(1e30), f.real),
			 "1000000000000000000000000000000");
	ck_assert_str_eq(source_of(&f, value_string(STR("a\"{b}\n\\")), f.string),
			 "\"a\\\"\\{b\\}\\n\\\\\"");
	ck_assert_str_eq(source_of(&f, value_bool(true), f.boolean), "true");
	fixture_release(&f);
}
END_TEST

START_TEST(base_units)
{
	struct fixture f;
	fixture_init(&f, "");
	ck_assert(str_is(type_base_unit(&f.arena, f.bytes), "B"));
	ck_assert(str_is(type_base_unit(&f.arena, f.time), "s"));
	ck_assert(str_is(type_base_unit(&f.arena, f.rate), "B/s"));
	ck_assert(str_is(type_base_unit(&f.arena, f.price), "USD/s"));
	ck_assert(str_is(type_base_unit(&f.arena, f.per_second), "1/s"));
	ck_assert(str_is(type_base_unit(&f.arena, f.integer), ""));
	ck_assert(str_is(type_base_unit(&f.arena, type_option(f.p->types, f.energy)), "J"));
	fixture_release(&f);
}
END_TEST

/* The number of a display, whose digits stand in threes. */
static bool parse_grouped(struct fixture *f, struct str text, struct num *number)
{
	struct out digits;
	out_init(&digits, &f->arena);
	for (uint32_t i = 0; i < text.n; i++)
		if (text.p[i] != ',')
			out_char(&digits, text.p[i]);
	return num_parse(&f->arena, out_view(&digits), number);
}

/* Every unit a display may use is one that the language reads, with the same meaning. */
START_TEST(displays_read_back)
{
	struct fixture f;
	fixture_init(&f, "");
	const struct type *types[] = {
		f.bytes, f.time, f.work, f.rate, f.money, f.energy, f.power
	};
	for (size_t i = 0; i < PLAN_COUNT(types); i++) {
		struct num x = ratio(&f, 1, 1000000000);
		for (int k = 0; k < 40; k++) {
			struct str text = str_of(fixture_print(&f, value_number(x), types[i]));
			uint32_t blank = 0;
			while (text.p[blank] != ' ')
				blank++;
			struct dimension dim;
			struct num factor;
			struct num number;
			struct num back;
			struct num off;
			bool percent;
			ck_assert_msg(unit_find(&f.arena, str_slice(text, blank + 1, text.n), &dim,
						&factor, &percent),
				      "%s", text.p);
			ck_assert(dim_equal(dim, types[i]->dim));
			ck_assert(parse_grouped(&f, str_slice(text, 0, blank), &number));
			ck_assert(num_mul(&f.arena, number, factor, &back) == NUM_OK);
			ck_assert(num_sub(&f.arena, back, x, &off) == NUM_OK);
			double error = num_to_double(off) / num_to_double(x);
			ck_assert_msg(error < 0.05 && error > -0.05, "%s", text.p);
			ck_assert(num_mul(&f.arena, x, num_int(7), &x) == NUM_OK);
		}
	}
	fixture_release(&f);
}
END_TEST

START_TEST(numbers_compare)
{
	struct fixture f;
	fixture_init(&f, "");
	struct value third = value_number(ratio(&f, 1, 3));
	ck_assert_int_eq(value_compare_numbers(third, value_number(ratio(&f, 2, 6))), 0);
	ck_assert_int_eq(value_compare_numbers(third, value_real(0.34)), -1);
	ck_assert_int_eq(value_compare_numbers(value_real(2.0), value_int(1)), 1);
	ck_assert(value_equal(value_real(2.0), value_int(2)));
	ck_assert(!value_equal(value_none(), value_int(2)));
	ck_assert(value_equal(value_none(), value_none()));
	ck_assert(value_equal(value_string(STR("a")), value_string(STR("a"))));
	ck_assert(!value_equal(value_bool(true), value_bool(false)));
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("value", capacities_print_in_binary_units, rates_print_in_decimal_units,
	  times_print_by_size, money_energy_and_frequencies, plain_numbers, formats,
	  source_text_reads_back, base_units, displays_read_back, numbers_compare)
