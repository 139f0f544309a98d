/* str.c - views of text. */
#include "compiler/base/str.h"

struct str str_of(const char *z)
{
	size_t n = strlen(z);

	invariant(n < UINT32_MAX, "a text has less than 4 GiB");
	return (struct str){ z, (uint32_t)n };
}

struct str str_copy(struct arena *a, struct str s)
{
	return (struct str){ arena_copy(a, s.p, s.n), s.n };
}

bool str_equal(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool str_is(struct str a, const char *z)
{
	return str_equal(a, str_of(z));
}

bool str_starts(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return n <= s.n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}

bool str_ends(struct str s, const char *suffix)
{
	size_t n = strlen(suffix);

	return n <= s.n && (n == 0 || memcmp(s.p + (s.n - n), suffix, n) == 0);
}

/* A prefix sorts before the longer text. */
int str_compare(struct str a, struct str b)
{
	uint32_t n = a.n < b.n ? a.n : b.n;
	int order = n ? memcmp(a.p, b.p, n) : 0;

	if (order != 0)
		return order < 0 ? -1 : 1;
	return (a.n > b.n) - (a.n < b.n);
}

/* Bounds beyond the end mean the end, so that callers may pass UINT32_MAX. */
struct str str_slice(struct str s, uint32_t lo, uint32_t hi)
{
	if (hi > s.n)
		hi = s.n;
	if (lo >= hi)
		return (struct str){ "", 0 };
	return (struct str){ s.p + lo, hi - lo };
}
