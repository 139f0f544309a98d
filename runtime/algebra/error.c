/* error.c - why a split fails, in words and with the degrees that would work. */

#include <inttypes.h>

#include "runtime/algebra/algebra.h"

/* Trial division stops here: a larger size lists only the divisors found so far. */
enum { TRIAL_LIMIT = 1 << 16 };

int algebra_divisors(int64_t size, int64_t divisors[DIVISORS_MAX])
{
	int64_t large[DIVISORS_MAX];
	int low = 0, high = 0;

	for (int64_t d = 1; d <= TRIAL_LIMIT && d <= size / d; d++) {
		if (size % d != 0)
			continue;
		if (low < DIVISORS_MAX)
			divisors[low++] = d;
		if (d != size / d && high < DIVISORS_MAX)
			large[high++] = size / d;
	}
	while (high > 0 && low < DIVISORS_MAX)
		divisors[low++] = large[--high];
	return low;
}

/* Appends to a bounded text; `at` never passes cap. */
static size_t append(char *text, size_t cap, size_t at, int written)
{
	(void)text;
	if (written < 0)
		return at;
	return at + (size_t)written < cap ? at + (size_t)written : cap - 1;
}

/* "tp", or "cp·tp" when several axes cut the dimension. */
static size_t append_axes(const struct algebra_error *error, char *text, size_t cap, size_t at)
{
	for (int i = 0; i < error->axes; i++)
		at = append(text, cap, at,
			    snprintf(text + at, cap - at, "%s%s", i > 0 ? "·" : "",
				     axis_name(error->axis[i])));
	return at;
}

void algebra_error_text(const struct algebra_error *error, char *text, size_t cap)
{
	int64_t divisors[DIVISORS_MAX];
	int n = algebra_divisors(error->size, divisors);
	size_t at = 0;

	if (cap == 0)
		return;
	text[0] = '\0';
	at = append(text, cap, at,
		    snprintf(text, cap, "%" PRIi64 " %s cannot be split over ", error->size,
			     dim_name(error->dim)));
	at = append_axes(error, text, cap, at);
	at = append(text, cap, at,
		    snprintf(text + at, cap - at,
			     " = %" PRIi64 " (%" PRIi64 " mod %" PRIi64 " = %" PRIi64 ")",
			     error->degree, error->size, error->degree,
			     error->size % error->degree));
	if (error->operator_name != NULL)
		at = append(text, cap, at,
			    snprintf(text + at, cap - at, " in %s", error->operator_name));
	for (int i = 0; i < n; i++)
		at = append(text, cap, at,
			    snprintf(text + at, cap - at, "%s%" PRIi64, i == 0 ? "; " : ", ",
				     divisors[i]));
	if (n > 0)
		append(text, cap, at, snprintf(text + at, cap - at, " divide"));
}
