/* num_print.c - exact numbers as text: fractions, mixed numbers, decimals. */
#include "compiler/base/num_int.h"

#include <inttypes.h>

enum { SMALL_TEXT = 128 };

/* A buffer of n bytes: the caller's when it suffices. */
static char *buffer_of(struct out *o, char small[SMALL_TEXT], size_t n)
{
	return n <= SMALL_TEXT ? small : arena_alloc(o->arena, n);
}

void num_print(struct out *o, struct num x)
{
	char small[SMALL_TEXT], *text;

	if (!x.big) {
		out_printf(o, x.d == 1 ? "%" PRId64 : "%" PRId64 "/%" PRId64, x.n, x.d);
		return;
	}
	text = buffer_of(o, small, num_big_digits_bound(x));
	num_big_digits(x, false, text);
	out_text(o, text);
	if (num_is_int(x))
		return;
	num_big_digits(x, true, text);
	out_char(o, '/');
	out_text(o, text);
}

void num_print_mixed(struct out *o, struct num x)
{
	struct num size = x, whole, rest;

	if (num_is_int(x)) {
		num_print(o, x);
		return;
	}
	if (num_sign(x) < 0) {
		out_char(o, '-');
		size = num_neg(o->arena, x);
	}
	whole = num_floor(o->arena, size);
	if (num_sign(whole) == 0) {
		num_print(o, size);
		return;
	}
	num_print(o, whole);
	out_char(o, ' ');
	/* the fraction of a number is never larger than the number */
	num_sub(o->arena, size, whole, &rest);
	num_print(o, rest);
}

void num_print_fixed(struct out *o, struct num x, int decimals)
{
	char small[SMALL_TEXT], *digits;
	size_t point = decimals > 0 ? (size_t)decimals : 0;
	size_t n;

	digits = buffer_of(o, small, num_big_digits_bound(x) + point);
	num_big_rounded(x, (int)point, digits);
	n = strlen(digits);
	if (num_sign(x) < 0 && strcmp(digits, "0") != 0)
		out_char(o, '-');
	if (n > point)
		out_bytes(o, digits, n - point);
	else
		out_char(o, '0');
	if (point == 0)
		return;
	out_char(o, '.');
	if (n < point)
		out_repeat(o, '0', (uint32_t)(point - n));
	out_bytes(o, n > point ? digits + (n - point) : digits, n > point ? point : n);
}

void num_print_decimal(struct out *o, struct num x)
{
	int decimals = num_is_int(x) ? 0 : num_big_decimals(x);

	if (decimals < 0)
		num_print(o, x);
	else
		num_print_fixed(o, x, decimals);
}
