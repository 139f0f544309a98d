/* dims.c - arithmetic and spelling of physical dimensions. */
#include "compiler/types/type.h"

/* Exponents stay in -100..100, far beyond anything that has a meaning; sums that leave the range stick
 * at its end. */
static int8_t clamp(int x)
{
	return (int8_t)(x < -100 ? -100 : x > 100 ? 100 : x);
}

struct dimension dim_multiply(struct dimension a, struct dimension b)
{
	return (struct dimension){ clamp(a.info + b.info), clamp(a.time + b.time),
				   clamp(a.work + b.work), clamp(a.money + b.money),
				   clamp(a.energy + b.energy) };
}

struct dimension dim_divide(struct dimension a, struct dimension b)
{
	return (struct dimension){ clamp(a.info - b.info), clamp(a.time - b.time),
				   clamp(a.work - b.work), clamp(a.money - b.money),
				   clamp(a.energy - b.energy) };
}

/* The dimensions that have a word of their own, or are written with another unit of time. */
static const struct {
	struct dimension dim;
	const char *text;
} dim_words[] = {
	{ { 0, 0, 0, 0, 0 }, "1" },
	{ { 0, -1, 0, 0, 1 }, "power" },
	{ { 0, -1, 0, 1, 0 }, "usd/h" },
};

struct dim_factor {
	const char *name;
	int exponent;
};

static void print_factors(struct out *o, const struct dim_factor *f, uint32_t n, int sign)
{
	const char *between = "";

	for (uint32_t i = 0; i < n; i++) {
		if (f[i].exponent * sign <= 0)
			continue;
		out_text(o, between);
		out_text(o, sign < 0 && strcmp(f[i].name, "time") == 0 ? "s" : f[i].name);
		if (f[i].exponent * sign > 1)
			out_printf(o, "^%d", f[i].exponent * sign);
		between = "*";
	}
}

void dim_print(struct out *o, struct dimension d)
{
	struct dim_factor f[] = { { "bytes", d.info },
				  { "flop", d.work },
				  { "usd", d.money },
				  { "energy", d.energy },
				  { "time", d.time } };
	bool over = false, under = false;

	for (size_t i = 0; i < PLAN_COUNT(dim_words); i++) {
		if (dim_equal(d, dim_words[i].dim)) {
			out_text(o, dim_words[i].text);
			return;
		}
	}
	for (size_t i = 0; i < PLAN_COUNT(f); i++) {
		over = over || f[i].exponent > 0;
		under = under || f[i].exponent < 0;
	}
	if (over)
		print_factors(o, f, PLAN_COUNT(f), 1);
	else
		out_char(o, '1');
	if (under) {
		out_char(o, '/');
		print_factors(o, f, PLAN_COUNT(f), -1);
	}
}
