/* units.c - sets of units as ranges. */
#include "runtime/search/crew/ledger.h"

/* The first range that does not end in front of a unit. */
static uint32_t place_of(const struct units *u, uint64_t unit)
{
	uint32_t lo = 0, hi = u->at.n;

	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (u->at.at[middle].hi < unit)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

void units_add(struct units *u, struct arena *a, struct unit_range r)
{
	uint32_t at = place_of(u, r.lo), end = at;

	for (; end < u->at.n && u->at.at[end].lo <= r.hi; end++) {
		r.lo = u->at.at[end].lo < r.lo ? u->at.at[end].lo : r.lo;
		r.hi = u->at.at[end].hi > r.hi ? u->at.at[end].hi : r.hi;
	}
	if (end == at)
		VEC_ADD(a, &u->at);
	/* One range takes the place of those it touches. */
	if (end == at)
		memmove(&u->at.at[at + 1], &u->at.at[at], (u->at.n - 1 - at) * sizeof r);
	else
		memmove(&u->at.at[at + 1], &u->at.at[end], (u->at.n - end) * sizeof r);
	u->at.n -= end > at ? end - at - 1 : 0;
	u->at.at[at] = r;
}

bool units_has(const struct units *u, uint64_t unit)
{
	uint32_t at = place_of(u, unit + 1);

	return at < u->at.n && u->at.at[at].lo <= unit;
}

uint64_t units_common(const struct units *a, const struct units *b)
{
	uint32_t i = 0, k = 0;

	while (i < a->at.n && k < b->at.n) {
		const struct unit_range *x = &a->at.at[i], *y = &b->at.at[k];

		if (x->hi <= y->lo)
			i++;
		else if (y->hi <= x->lo)
			k++;
		else
			return x->lo > y->lo ? x->lo : y->lo;
	}
	return UINT64_MAX;
}
