/* quantity.c - shows quantities in the unit a person would pick.
 *
 * Capacities in binary units, rates and work in decimal ones, times by size. Everything is computed
 * with exact numbers, so a display never depends on how the platform prints doubles.
 */
#include "runtime/value/quantity_int.h"

static const struct display_unit bytes_units[] = {
	{ "B", 1, 1 },
	{ "KiB", 1024, 1 },
	{ "MiB", 1048576, 1 },
	{ "GiB", 1073741824, 1 },
	{ "TiB", 1099511627776, 1 },
	{ "PiB", 1125899906842624, 1 },
};

static const struct display_unit byte_rate_units[] = {
	{ "B/s", 1, 1 },           { "kB/s", 1000, 1 },          { "MB/s", 1000000, 1 },
	{ "GB/s", 1000000000, 1 }, { "TB/s", 1000000000000, 1 }, { "PB/s", 1000000000000000, 1 },
};

static const struct display_unit work_units[] = {
	{ "FLOP", 1, 1 },
	{ "MFLOP", 1000000, 1 },
	{ "GFLOP", 1000000000, 1 },
	{ "TFLOP", 1000000000000, 1 },
	{ "PFLOP", 1000000000000000, 1 },
	{ "EFLOP", 1000000000000000000, 1 },
};

static const struct display_unit work_rate_units[] = {
	{ "FLOPS", 1, 1 },
	{ "MFLOPS", 1000000, 1 },
	{ "GFLOPS", 1000000000, 1 },
	{ "TFLOPS", 1000000000000, 1 },
	{ "PFLOPS", 1000000000000000, 1 },
	{ "EFLOPS", 1000000000000000000, 1 },
};

static const struct display_unit time_units[] = {
	{ "ns", 1, 1000000000 }, { "us", 1, 1000000 }, { "ms", 1, 1000 }, { "s", 1, 1 },
	{ "min", 60, 1 },        { "h", 3600, 1 },     { "d", 86400, 1 },
};

static const struct display_unit money_units[] = { { "USD", 1, 1 } };
static const struct display_unit price_units[] = { { "USD/h", 1, 3600 } };
static const struct display_unit energy_units[] = { { "J", 1, 1 }, { "kWh", 3600000, 1 } };
static const struct display_unit power_units[] = {
	{ "W", 1, 1 },
	{ "kW", 1000, 1 },
	{ "MW", 1000000, 1 },
};

static const struct display_unit frequency_units[] = { { "/s", 1, 1 } };

/* Exponents of a dimension: byte, second, FLOP, dollar, joule. */
static const struct display_scale scales[] = {
	{ { 1, 0, 0, 0, 0 }, bytes_units, PLAN_COUNT(bytes_units), 0, true },
	{ { 1, -1, 0, 0, 0 }, byte_rate_units, PLAN_COUNT(byte_rate_units), 0, false },
	{ { 0, 0, 1, 0, 0 }, work_units, PLAN_COUNT(work_units), 0, false },
	{ { 0, -1, 1, 0, 0 }, work_rate_units, PLAN_COUNT(work_rate_units), 0, false },
	{ { 0, 1, 0, 0, 0 }, time_units, PLAN_COUNT(time_units), 3, false },
	{ { 0, 0, 0, 1, 0 }, money_units, PLAN_COUNT(money_units), 0, false },
	{ { 0, -1, 0, 1, 0 }, price_units, PLAN_COUNT(price_units), 0, false },
	{ { 0, 0, 0, 0, 1 }, energy_units, PLAN_COUNT(energy_units), 0, false },
	{ { 0, -1, 0, 0, 1 }, power_units, PLAN_COUNT(power_units), 0, false },
	{ { 0, -1, 0, 0, 0 }, frequency_units, PLAN_COUNT(frequency_units), 0, false },
};

const struct display_scale *display_scale_find(struct dimension d)
{
	for (size_t i = 0; i < PLAN_COUNT(scales); i++) {
		if (dim_equal(scales[i].dim, d))
			return &scales[i];
	}
	return NULL;
}

/* x * num / den; beyond the digits a number may have it stays as it is, which no display reaches. */
struct num num_times(struct arena *a, struct num x, int64_t num, int64_t den)
{
	struct num product;
	if (num_mul(a, x, num_ratio(a, num, den), &product) != NUM_OK)
		return x;
	return product;
}

static struct num power_of_ten(struct arena *a, int exponent)
{
	struct num p = num_int(1);
	if (num_pow(a, num_int(10), exponent, &p) != NUM_OK)
		return num_int(1);
	return p;
}

bool num_has_decimals(struct arena *a, struct num x, int decimals)
{
	struct num scaled;
	if (num_mul(a, x, power_of_ten(a, decimals), &scaled) != NUM_OK)
		return false;
	return num_is_int(scaled);
}

static struct num magnitude(struct arena *a, struct num x)
{
	return num_sign(x) < 0 ? num_neg(a, x) : x;
}

/* Decimal exponent of the first digit of x > 0: 0 for 1 to 9.99, -1 for 0.1. */
static int first_digit(struct arena *a, struct num x)
{
	int e = 0;
	while (e < NUM_DIGITS_MAX && num_compare(x, power_of_ten(a, e + 1)) >= 0)
		e++;
	while (e > -NUM_DIGITS_MAX && num_compare(x, power_of_ten(a, e)) < 0)
		e--;
	return e;
}

static void print_trimmed(struct out *o, struct num x, int decimals)
{
	struct out digits;
	out_init(&digits, o->arena);
	num_print_fixed(&digits, x, decimals);
	struct str s = out_view(&digits);
	if (memchr(s.p, '.', s.n)) {
		while (s.p[s.n - 1] == '0')
			s.n--;
		if (s.p[s.n - 1] == '.')
			s.n--;
	}
	out_str(o, s);
}

void print_significant(struct out *o, struct num x, int digits)
{
	if (num_sign(x) == 0) {
		out_char(o, '0');
		return;
	}
	int decimals = digits - 1 - first_digit(o->arena, magnitude(o->arena, x));
	print_trimmed(o, x, decimals > 0 ? decimals : 0);
}

/* The number alone. What is short and exact is shown as it is. */
static void print_scaled(struct out *o, const struct display_scale *s, struct num x, bool exact)
{
	bool whole_unit = num_compare(magnitude(o->arena, x), num_int(1)) >= 0;
	if (exact && num_has_decimals(o->arena, x, 3))
		num_print_decimal(o, x);
	else if (s->fixed && whole_unit)
		num_print_fixed(o, x, 1);
	else
		print_significant(o, x, 4);
}

/* The largest unit that leaves at least 1; the smallest one when none does. */
static uint32_t choose_unit(struct arena *a, const struct display_scale *s, struct num x)
{
	if (num_sign(x) == 0)
		return s->base;
	struct num size = magnitude(a, x);
	uint32_t u = s->n - 1;
	while (u > 0 && num_compare(size, num_ratio(a, s->at[u].num, s->at[u].den)) < 0)
		u--;
	return u;
}

/* The text of x in unit u; it may have been rounded up to one whole unit of the next size. */
static struct str text_in_unit(struct arena *a, const struct display_scale *s, uint32_t u,
			       struct num x, bool exact)
{
	struct out o;
	out_init(&o, a);
	print_scaled(&o, s, num_times(a, x, s->at[u].den, s->at[u].num), exact);
	return str_copy(a, out_view(&o));
}

static bool reaches_next(struct arena *a, const struct display_scale *s, uint32_t u,
			 struct str text)
{
	struct num shown;
	bool negative = text.n > 0 && text.p[0] == '-';
	if (!num_parse(a, str_slice(text, negative, text.n), &shown))
		return false;
	struct num in_base = num_times(a, shown, s->at[u].num, s->at[u].den);
	return num_compare(in_base, num_ratio(a, s->at[u + 1].num, s->at[u + 1].den)) >= 0;
}

void display_number(struct out *o, const struct display_scale *s, struct num x, bool exact)
{
	struct arena *a = o->arena;
	uint32_t u = choose_unit(a, s, x);
	struct str text = text_in_unit(a, s, u, x, exact);
	if (u + 1 < s->n && num_sign(x) != 0 && reaches_next(a, s, u, text)) {
		u++;
		text = text_in_unit(a, s, u, x, exact);
	}
	out_grouped_digits(o, text);
	if (s->at[u].name[0] != '/')
		out_char(o, ' ');
	out_text(o, s->at[u].name);
}

/* ---- base units ------------------------------------------------------------------------------ */

static void print_factor(struct out *o, const char *name, int power, bool *first)
{
	for (int i = 0; i < power; i++) {
		out_printf(o, "%s%s", *first ? "" : "*", name);
		*first = false;
	}
}

void print_base_unit(struct out *o, struct dimension d)
{
	static const char *const names[] = { "B", "FLOP", "USD", "J", "s" };
	const int powers[] = { d.info, d.work, d.money, d.energy, d.time };
	bool first = true;
	bool below = false;
	for (size_t i = 0; i < PLAN_COUNT(names); i++) {
		print_factor(o, names[i], powers[i], &first);
		below |= powers[i] < 0;
	}
	if (!below)
		return;
	if (first)
		out_char(o, '1');
	for (size_t i = 0; i < PLAN_COUNT(names); i++) {
		for (int k = powers[i]; k < 0; k++)
			out_printf(o, "/%s", names[i]);
	}
}

struct str type_base_unit(struct arena *a, const struct type *t)
{
	struct out o;
	out_init(&o, a);
	while (t && t->kind == TYPE_OPTION)
		t = t->of;
	if (t && t->kind == TYPE_NUMBER)
		print_base_unit(&o, t->dim);
	return str_copy(a, out_view(&o));
}

void quantity_print(struct out *o, double value, struct dimension d)
{
	const struct display_scale *s = display_scale_find(d);
	struct num x = num_from_double(o->arena, value);
	if (s) {
		display_number(o, s, x, true);
		return;
	}
	print_significant(o, x, 6);
	if (!dim_is_one(d)) {
		out_char(o, ' ');
		print_base_unit(o, d);
	}
}

struct shown_unit quantity_unit(struct arena *a, struct dimension d, double size)
{
	const struct display_scale *s = display_scale_find(d);
	struct out base;

	if (s) {
		const struct display_unit *u = &s->at[choose_unit(a, s, num_from_double(a, size))];

		return (struct shown_unit){ str_of(u->name), (double)u->num / (double)u->den };
	}
	out_init(&base, a);
	print_base_unit(&base, d);
	return (struct shown_unit){ str_copy(a, out_view(&base)), 1 };
}
