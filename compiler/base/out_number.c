/* out_number.c - doubles and large counts as text, the same on every machine. */
#define PLAN_BASE_STRTOD
#include "compiler/base/out.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* Infinities and NaN have no JSON form and mean that a caller divided by zero: shown as null. */
static bool print_not_finite(struct out *o, double x)
{
	if (isfinite(x))
		return false;
	out_text(o, "null");
	return true;
}

/* A decimal of up to 15 digits survives the way through a normal double, so when 15 digits suffice
 * %g, which drops trailing zeros, already prints the shortest one. Subnormals hold fewer digits and
 * start at one. */
void out_real(struct out *o, double x)
{
	char text[32];
	int digits = fabs(x) < DBL_MIN ? 1 : DBL_DIG;

	if (print_not_finite(o, x))
		return;
	if (x == 0) {
		out_char(o, '0');
		return;
	}
	do
		snprintf(text, sizeof text, "%.*g", digits, x);
	while (strtod(text, NULL) != x && ++digits <= DBL_DECIMAL_DIG);
	out_text(o, text);
}

/* printf rounds the exact binary value, ties to even. A result of zeros loses its minus sign. */
void out_fixed(struct out *o, double x, int decimals)
{
	size_t start = o->n;

	if (print_not_finite(o, x))
		return;
	out_printf(o, "%.*f", decimals, x);
	if (o->p[start] == '-' && strspn(o->p + start + 1, "0.") == o->n - start - 1) {
		memmove(o->p + start, o->p + start + 1, o->n - start);
		o->n--;
	}
}

void out_grouped_digits(struct out *o, struct str number)
{
	const char *point = number.n > 0 ? memchr(number.p, '.', number.n) : NULL;
	uint32_t sign = number.n > 0 && number.p[0] == '-', whole = point ? (uint32_t)(point - number.p) : number.n;

	for (uint32_t i = 0; i < number.n; i++) {
		if (i > sign && i < whole && (whole - i) % 3 == 0)
			out_char(o, ',');
		out_char(o, number.p[i]);
	}
}

void out_grouped(struct out *o, int64_t x)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%" PRIi64, x);

	out_grouped_digits(o, (struct str){ digits, (uint32_t)n });
}
