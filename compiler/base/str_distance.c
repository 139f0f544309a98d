/* str_distance.c - how far apart two spellings are, for "did you mean". */
#include "compiler/base/str.h"

/* Longer names than this are never suggested for one another, unless nearly all of them agrees. */
enum { DISTANCE_LENGTH_MAX = 128 };

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Optimal string alignment by rows: insert, delete, replace, swap of neighbours cost 1 each. */
static int aligned_distance(struct str a, struct str b, int limit)
{
	int rows[3][DISTANCE_LENGTH_MAX + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];

	for (uint32_t j = 0; j <= b.n; j++)
		last[j] = before[j] = (int)j;
	for (uint32_t i = 1; i <= a.n; i++) {
		int best = row[0] = (int)i;
		int *oldest = before;

		for (uint32_t j = 1; j <= b.n; j++) {
			bool same = a.p[i - 1] == b.p[j - 1];

			row[j] = least(last[j - 1] + !same, least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
			best = least(best, row[j]);
		}
		/* a swap may still reach back over one row, hence the extra 1 */
		if (best > limit + 1)
			return limit + 1;
		before = last;
		last = row;
		row = oldest;
	}
	return least(last[b.n], limit + 1);
}

int str_distance(struct str a, struct str b, int limit)
{
	while (a.n && b.n && a.p[0] == b.p[0]) {
		a = str_slice(a, 1, a.n);
		b = str_slice(b, 1, b.n);
	}
	while (a.n && b.n && a.p[a.n - 1] == b.p[b.n - 1]) {
		a.n--;
		b.n--;
	}
	if (a.n > DISTANCE_LENGTH_MAX || b.n > DISTANCE_LENGTH_MAX)
		return limit + 1;
	return aligned_distance(a, b, limit);
}
