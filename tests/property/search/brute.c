/* brute.c - a second implementation of a sweep, which knows nothing of levels or layers: it lists all candidates,
 * computes their fields in plain C, tests every condition for each and ranks by the definition. */
#include "tests/property/search/brute.h"

#include <string.h>

static void add_candidate(struct brute *b, const int64_t *x, bool d_is_set)
{
	struct candidate *c = &b->all[b->total++];

	memcpy(c->x, x, sizeof c->x);
	if (!d_is_set)
		c->x[FIELD_D] = c->x[FIELD_A] + 1;
	c->broken = 0;
	for (int i = 0; i < RULES; i++)
		if (!linear_holds(&b->space->rule[i], c->x))
			c->broken |= 1u << i;
}

static void list_candidates(struct brute *b, int axis, int64_t *x, bool d_is_set)
{
	const struct space *s = b->space;
	int64_t seen[FIELDS];

	if (axis == s->axes) {
		add_candidate(b, x, d_is_set);
		return;
	}
	memcpy(seen, x, sizeof seen);
	if (!d_is_set)
		seen[FIELD_D] = seen[FIELD_A] + 1;
	if (s->when[axis] >= 0 && seen[s->field[s->when[axis]]] <= s->above[axis]) {
		list_candidates(b, axis + 1, x, d_is_set);
		return;
	}
	for (int i = 0; i < s->count[axis]; i++) {
		int64_t before = x[s->field[axis]];

		x[s->field[axis]] = s->value[axis][i];
		list_candidates(b, axis + 1, x, d_is_set || s->field[axis] == FIELD_D);
		x[s->field[axis]] = before;
	}
}

/* 1 when a is better in the goal, -1 when worse. */
static int compare_goal(const struct space *s, int goal, const struct candidate *a,
			const struct candidate *b)
{
	int64_t x = linear_sum(&s->goal[goal], a->x), y = linear_sum(&s->goal[goal], b->x);

	return x == y ? 0 : (x > y) == s->goal[goal].at_least ? 1 : -1;
}

bool brute_beats(const struct space *s, const struct candidate *x, const struct candidate *y)
{
	bool better = false;

	for (int g = 0; g < GOALS; g++) {
		if (compare_goal(s, g, x, y) < 0)
			return false;
		better = better || compare_goal(s, g, x, y) > 0;
	}
	return better;
}

/* Of those within the slack of the best in the first goal the best in the second, then
 * the best in the first, then the first one. */
int brute_best(const struct brute *b, const bool *taken)
{
	const struct space *s = b->space;
	int best = -1;

	for (int i = 0; i < b->total; i++)
		if (b->all[i].broken == 0 && !taken[i] &&
		    (best < 0 || compare_goal(s, 0, &b->all[i], &b->all[best]) > 0))
			best = i;
	if (best < 0)
		return best;
	int64_t top = linear_sum(&s->goal[0], b->all[best].x);
	int found = -1;

	for (int i = 0; i < b->total; i++) {
		int64_t x = linear_sum(&s->goal[0], b->all[i].x);
		int c;

		if (b->all[i].broken != 0 || taken[i] || (x > top ? x - top : top - x) > s->slack)
			continue;
		c = found < 0 ? 1 : compare_goal(s, 1, &b->all[i], &b->all[found]);
		if (c > 0 || (c == 0 && compare_goal(s, 0, &b->all[i], &b->all[found]) > 0))
			found = i;
	}
	return found;
}

bool brute_all_break(const struct brute *b, unsigned rules)
{
	for (int k = 0; k < b->total; k++)
		if ((b->all[k].broken & rules) == 0)
			return false;
	return true;
}

void brute_list(struct brute *b, const struct space *s)
{
	int64_t x[FIELDS];

	memcpy(x, s->base, sizeof x);
	b->space = s;
	b->total = 0;
	list_candidates(b, 0, x, false);
}
