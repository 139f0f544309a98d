/* rank.c - what was kept, the best first: goals in order with slack, or the front that nothing beats. */
#include "runtime/search/rank/rank.h"

/* ---- places ----------------------------------------------------------------------------------- */

static struct arena *arena_beside(const struct search *s)
{
	struct arena *a = ARENA_NEW(s->ev->lasting, struct arena);

	arena_init_under(a, s->ev->lasting);
	return a;
}

/* All that was kept, in the plain order. They lie in `a`. */
static struct placed *place_all(const struct search *s, struct arena *a)
{
	struct placed *at = ARENA_ARRAY(a, struct placed, s->kept + 1);
	struct arena *scratch = arena_beside(s);

	for (uint32_t i = 0; i < s->kept; i++) {
		double *near = goals_room(s->goals, a);

		goals_place(s->goals, scratch, s->feasible[i].goals, near);
		at[i] = (struct placed){ s->feasible[i], near };
	}
	placed_sort(s->goals, at, s->kept, scratch);
	arena_release(scratch);
	return at;
}

/* Feasible candidates are stored by their numbers. */
static uint32_t index_of(const struct search *s, const struct placed *c)
{
	uint32_t lo = 0, hi = s->kept;

	while (hi - lo > 1) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (s->feasible[middle].number <= c->candidate.number)
			lo = middle;
		else
			hi = middle;
	}
	return lo;
}

static uint32_t first_of(const struct search *s, const struct placed *at, uint32_t n, uint32_t *result)
{
	for (uint32_t i = 0; i < n; i++)
		result[i] = index_of(s, &at[i]);
	return n;
}

/* ---- lexicographic with slack ----------------------------------------------------------------- */

/* Candidates that are picked one by one; picking all of very many would take long, and where one stands in
 * that order far down tells nothing. */
enum { PICKS_MAX = 1000 };

/* Candidates in the plain order, without those that were taken. */
struct left {
	const struct goals *goals;
	const struct placed *at;
	uint32_t *next;              /* of each place: the next one that is left */
	uint32_t first, n;           /* n: of all places, the end */
	uint32_t *chosen;            /* scratch: places */
	struct arena *scratch;
};

static struct value key_of(const struct left *l, uint32_t place, uint32_t goal)
{
	const struct placed *c = &l->at[place];
	double x = c->near[goal];

	if (c->candidate.goals[goal].kind == VALUE_NUMBER)
		return c->candidate.goals[goal];
	return value_real(l->goals->at[goal].maximise ? x : -x);
}

static bool is_within(const struct left *l, uint32_t place, uint32_t goal, struct value bound)
{
	return goal_compare(&l->goals->at[goal], key_of(l, place, goal), bound) >= 0;
}

/* Of these, the ones that are within the slack of the best in one goal. The count. */
static uint32_t filter(struct left *l, uint32_t goal, uint32_t *at, uint32_t n)
{
	uint32_t best = at[0], kept = 0;
	struct value bound;

	for (uint32_t i = 1; i < n; i++)
		if (placed_compare(l->goals, &l->at[at[i]], &l->at[best], goal) > 0)
			best = at[i];
	bound = goal_bound(l->goals, l->scratch, goal, key_of(l, best, goal));
	for (uint32_t i = 0; i < n; i++)
		if (is_within(l, at[i], goal, bound))
			at[kept++] = at[i];
	return kept;
}

/* The place of the best of what is left, and the one in front of it (n: none). */
static uint32_t pick(struct left *l, uint32_t *before)
{
	struct value bound = goal_bound(l->goals, l->scratch, 0, key_of(l, l->first, 0));
	uint32_t kept = 0, place = l->first;

	for (uint32_t i = l->first; i < l->n && is_within(l, i, 0, bound); i = l->next[i])
		l->chosen[kept++] = i;
	for (uint32_t g = 1; g < l->goals->n; g++)
		kept = filter(l, g, l->chosen, kept);
	arena_reset(l->scratch, (struct arena_mark){ 0 });
	/* What no goal could tell apart within its slack: now every digit counts, so that nothing beats the
	 * winner in all goals. It comes first in the plain order, and so it does here. */
	*before = l->n;
	while (place != l->chosen[0]) {
		*before = place;
		place = l->next[place];
	}
	return place;
}

/* What has not been picked, in the plain order. */
static uint32_t add_others(const struct search *s, const struct left *l, uint32_t *result, uint32_t found, uint32_t most)
{
	for (uint32_t i = l->first; i < l->n && found < most; i = l->next[i])
		result[found++] = index_of(s, &l->at[i]);
	return found;
}

static uint32_t top_with_slack(const struct search *s, const struct placed *at, struct arena *a, uint32_t most,
			       uint32_t *result)
{
	struct left l = { .goals = s->goals, .at = at, .n = s->kept };
	uint32_t found = 0;

	l.scratch = arena_beside(s);
	l.chosen = ARENA_ARRAY(a, uint32_t, l.n + 1);
	l.next = ARENA_ARRAY(a, uint32_t, l.n + 1);
	for (uint32_t i = 0; i < l.n; i++)
		l.next[i] = i + 1;
	while (found < most && found < PICKS_MAX && l.first < l.n) {
		uint32_t before, place = pick(&l, &before);

		result[found++] = index_of(s, &at[place]);
		if (before == l.n)
			l.first = l.next[place];
		else
			l.next[before] = l.next[place];
	}
	arena_release(l.scratch);
	return add_others(s, &l, result, found, most);
}

/* ---- the front ------------------------------------------------------------------------------- */

static uint32_t front(const struct search *s, const struct placed *at, struct arena *a, uint32_t most, uint32_t *result)
{
	struct rank_tree t;
	uint32_t n = 0;

	rank_tree_init(&t, s->goals, CONTEST_FRONT, at, s->kept, a);
	for (uint32_t i = 0; i < s->kept && n < most; i++)
		if (rank_tree_beaten(&t, &at[i], 1) == 0)
			result[n++] = index_of(s, &at[i]);
	return n;
}

uint32_t search_front(const struct search *s, uint32_t *result)
{
	struct arena *a = arena_beside(s);
	uint32_t n = front(s, place_all(s, a), a, s->kept, result);

	arena_release(a);
	return n;
}

uint32_t search_top(const struct search *s, uint32_t most, uint32_t *result)
{
	struct arena *a = arena_beside(s);
	const struct placed *at = place_all(s, a);
	uint32_t n;

	if (s->sweep->pareto)
		n = front(s, at, a, most, result);
	else if (s->goals->plain)
		n = first_of(s, at, s->kept < most ? s->kept : most, result);
	else
		n = top_with_slack(s, at, a, most, result);
	arena_release(a);
	return n;
}

uint32_t search_sample(const struct search *s, uint32_t *result)
{
	struct arena *a = arena_beside(s);
	const struct goals *g = goals_of_sample(s, a);
	struct placed *at = ARENA_ARRAY(a, struct placed, s->kept + 1);
	double *near = ARENA_ARRAY(a, double, s->kept + 1);
	uint32_t n = s->sweep->goal_count == 0 ? 0 : s->kept < SEARCH_SAMPLE ? s->kept : SEARCH_SAMPLE;

	for (uint32_t i = 0; i < s->kept && n > 0; i++) {
		near[i] = sample_place(s->feasible[i].number);
		at[i] = (struct placed){ s->feasible[i], &near[i] };
	}
	if (n > 0)
		placed_sort(g, at, s->kept, a);
	n = first_of(s, at, n, result);
	arena_release(a);
	return n;
}
