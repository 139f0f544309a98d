/* num_parse.c - numbers as they are written. */
#include "compiler/base/num_int.h"

/* Beyond this an exponent decides nothing but "too large". */
enum { EXPONENT_MAX = 10 * NUM_DIGITS_MAX };

struct reader {
	struct str text;
	uint32_t at;
	char *digits;                /* of the mantissa, without underscores and leading zeros */
	size_t n;
};

static bool is_digit(struct str s, uint32_t at)
{
	return at < s.n && s.p[at] >= '0' && s.p[at] <= '9';
}

/* A run of digits, underscores only between two of them: how many digits, 0 when there are none. */
static uint32_t read_digits(struct reader *r)
{
	uint32_t count = 0;

	while (is_digit(r->text, r->at)) {
		char digit = r->text.p[r->at++];

		count++;
		if (digit != '0' || r->n > 0)
			r->digits[r->n++] = digit;
		if (r->at < r->text.n && r->text.p[r->at] == '_' && is_digit(r->text, r->at + 1))
			r->at++;
	}
	return count;
}

/* "e", an optional sign, digits; the value stops growing at EXPONENT_MAX. */
static bool read_exponent(struct reader *r, int64_t *exponent)
{
	bool negative;
	struct str s = r->text;

	*exponent = 0;
	if (r->at == s.n || (s.p[r->at] != 'e' && s.p[r->at] != 'E'))
		return true;
	r->at++;
	negative = r->at < s.n && s.p[r->at] == '-';
	if (r->at < s.n && (s.p[r->at] == '-' || s.p[r->at] == '+'))
		r->at++;
	if (!is_digit(s, r->at))
		return false;
	while (is_digit(s, r->at)) {
		*exponent = *exponent * 10 + (s.p[r->at++] - '0');
		if (*exponent > EXPONENT_MAX)
			*exponent = EXPONENT_MAX;
	}
	if (negative)
		*exponent = -*exponent;
	return true;
}

/* digits * 10 ^ exponent while both fit an int64, that is up to 18 digits. */
static bool small_value(struct arena *a, const struct reader *r, int64_t exponent,
			struct num *result)
{
	int64_t n = 0, d = 1;

	if (r->n > 18 || exponent < -18 || (exponent > 0 && (int64_t)r->n + exponent > 18))
		return false;
	for (size_t i = 0; i < r->n; i++)
		n = n * 10 + (r->digits[i] - '0');
	for (; exponent > 0; exponent--)
		n *= 10;
	for (; exponent < 0; exponent++)
		d *= 10;
	*result = num_ratio(a, n, d);
	return true;
}

bool num_parse(struct arena *a, struct str text, struct num *result)
{
	char small[64];
	struct reader r = { .text = text, .digits = small };
	uint32_t decimals = 0;
	int64_t exponent;

	/* generous, because underscores and leading zeros do not count as digits */
	if (text.n > 4 * NUM_DIGITS_MAX)
		return false;
	if (text.n > sizeof small)
		r.digits = arena_alloc(a, text.n);
	if (read_digits(&r) == 0)
		return false;
	if (r.at < text.n && text.p[r.at] == '.') {
		r.at++;
		decimals = read_digits(&r);
		if (decimals == 0)
			return false;
	}
	if (!read_exponent(&r, &exponent) || r.at != text.n)
		return false;
	if (r.n == 0) {
		*result = num_int(0);
		return true;
	}
	exponent -= decimals;
	if (small_value(a, &r, exponent, result))
		return true;
	if ((int64_t)r.n + (exponent < 0 ? -exponent : exponent) > NUM_DIGITS_MAX)
		return false;
	return num_big_read(a, r.digits, r.n, (int)exponent, result);
}
