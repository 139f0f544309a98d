/* ticks.c - round numbers along an axis. */
#include "runtime/report/sweep/ticks.h"

#include <math.h>

enum {
	STEPS_MAX = 6,
	POWER_MAX = 300,             /* of ten, either way, that a double holds with room */
	DECIMALS_MAX = 9             /* of a label; finer steps are written with an exponent */
};

static const double long_label = 1e15;   /* units, from which a label has an exponent, too */

/* Below 1 the power above divides, which rounds once: 3 / 10 is 0.3, 3 * 0.1 is not. */
static double scaled(double x, int power)
{
	double ten = 1;

	for (int i = 0; i < abs(power); i++)
		ten *= 10;
	return power < 0 ? x / ten : x * ten;
}

/* The least step of 1, 2 or 5 times a power of ten that is at least so much. */
static void round_step(struct ticks *t, double least)
{
	static const int digits[] = { 1, 2, 5 };

	while (t->power < POWER_MAX && scaled(1, t->power + 1) <= least)
		t->power++;
	while (t->power > -POWER_MAX && scaled(1, t->power) > least)
		t->power--;
	for (size_t i = 0; i < PLAN_COUNT(digits); i++) {
		t->digit = digits[i];
		if (scaled(t->digit, t->power) >= least)
			return;
	}
	t->digit = 1;
	t->power++;
}

static bool is_whole(const struct type *t)
{
	return !t || (t->kind == TYPE_NUMBER && dim_is_one(t->dim) && !t->percent && t->exactness == EXACT_INT);
}

static struct shown_unit unit_of(struct arena *a, const struct type *t, double size)
{
	if (!t || t->kind != TYPE_NUMBER)
		return (struct shown_unit){ STR(""), 1 };
	return t->percent ? (struct shown_unit){ STR("%"), 0.01 } : quantity_unit(a, t->dim, size);
}

static double in_steps(const struct ticks *t, double x)
{
	return scaled(x / t->unit.size, -t->power) / t->digit;
}

struct ticks ticks_make(struct arena *a, const struct type *t, double low, double high)
{
	struct ticks r = { .unit = unit_of(a, t, fmax(fabs(low), fabs(high))) };

	round_step(&r, (high - low) / r.unit.size / STEPS_MAX);
	if (is_whole(t) && r.power < 0) {
		r.digit = 1;
		r.power = 0;
	}
	r.first = (int64_t)ceil(in_steps(&r, low));
	r.last = (int64_t)floor(in_steps(&r, high));
	return r;
}

/* What mark k says. */
static double in_units(const struct ticks *t, int64_t k)
{
	return scaled((double)(k * t->digit), t->power);
}

double ticks_at(const struct ticks *t, int64_t k)
{
	return in_units(t, k) * t->unit.size;
}

void ticks_label(const struct ticks *t, int64_t k, struct out *o)
{
	double x = in_units(t, k);
	struct out digits;

	if (fabs(x) >= long_label || t->power < -DECIMALS_MAX) {
		out_real(o, x);
	} else {
		out_init(&digits, o->arena);
		out_fixed(&digits, x, t->power < 0 ? -t->power : 0);
		out_grouped_digits(o, out_view(&digits));
	}
	if (t->unit.name.n > 0 && t->unit.name.p[0] != '/' && t->unit.name.p[0] != '%')
		out_char(o, ' ');
	out_str(o, t->unit.name);
}
