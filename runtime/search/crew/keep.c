/* keep.c - which feasible candidates are kept.
 *
 * All of them, or as many as it takes to say which are the best `most`: memory then does not grow with the
 * sweep. Without slack the goals and the number order all candidates, and the first `most` are enough. With
 * slack a candidate can be among the first `most` only if fewer than `most` others beat it: what beats it
 * passes every bound that it passes, and comes before it where nothing else decides; so one that is picked
 * has none left that beats it. The front is what nobody beats. Whatever beats a candidate that was dropped
 * beats those that this one beats, too; so nothing is lost with it. Keeping more than it takes does no harm:
 * where many are beaten by few, each is compared with only so many.
 */
#include "runtime/search/crew/ledger.h"

/* Candidates that may come in before those that are kept are looked through; that a new one is compared with at
 * once, and then. */
enum { ROOM = 512, COMPARED = 32, COMPARED_LATER = 64 };

static enum keep_rule rule_of(const struct search *s)
{
	if (s->options.keep == 0)
		return KEEP_ALL;
	if (s->sweep->pareto)
		return KEEP_UNBEATEN;
	for (uint32_t g = 0; g < s->sweep->goal_count; g++)
		if (s->sweep->goals[g].slack != IR_NO_NODE)
			return KEEP_UNBEATEN;
	return KEEP_FIRST;
}

void keep_init(struct keep *k, const struct search *s, struct arena *above)
{
	*k = (struct keep){ .search = s, .rule = rule_of(s),
			    .most = s->sweep->pareto ? 1 : s->options.keep };
	k->room = ROOM;
	for (int i = 0; i < 2; i++)
		arena_init_under(&k->arenas[i], above);
}

void keep_clear(struct keep *k)
{
	k->count = k->settled = 0;
	k->room = ROOM;
	memset(&k->at, 0, sizeof k->at);
	for (int i = 0; i < 2; i++)
		arena_reset(&k->arenas[i], (struct arena_mark){ 0 });
}

/* ---- comparing --------------------------------------------------------------------------------------- */

static int compare(const struct keep *k, const struct kept *a, const struct kept *b, uint32_t g)
{
	if (a->near[g] != b->near[g])
		return a->near[g] > b->near[g] ? 1 : -1;
	return rank_compare_goal(&k->search->sweep->goals[g], a->keys[g], b->keys[g]);
}

/* True: better in the first goal that differs, or in none and of the lower number. */
static bool comes_before(const struct keep *k, const struct kept *a, const struct kept *b)
{
	const struct ir_sweep *sweep = k->search->sweep;

	for (uint32_t g = 0; g < sweep->goal_count; g++) {
		int c = compare(k, a, b, g);

		if (c != 0)
			return c > 0;
	}
	return a->candidate.number < b->candidate.number;
}

static bool beats(const struct keep *k, const struct kept *a, const struct kept *b)
{
	const struct ir_sweep *sweep = k->search->sweep;
	bool better = false;

	if (k->rule == KEEP_FIRST)
		return comes_before(k, a, b);
	for (uint32_t g = 0; g < sweep->goal_count; g++) {
		int c = compare(k, a, b, g);

		if (c < 0)
			return false;
		better = better || c > 0;
	}
	/* Of a front equals are all part; where one is picked, the first of them is. */
	return better || (!sweep->pareto && a->candidate.number < b->candidate.number);
}

/* Beaten by as many as it takes. Those in front of it, in their order, are all that can beat it. */
static bool is_beaten(const struct keep *k, const struct kept *c, uint32_t among)
{
	uint32_t left = k->most;

	for (uint32_t i = 0; i < among && left > 0; i++)
		left -= beats(k, &k->at.at[i], c);
	return left == 0;
}

/* Clearly worse in the first goal than the last one that is kept, without keys. */
static bool is_clearly_worse(const struct keep *k, const struct value *goals)
{
	static const double margin = 1e-9;
	const struct ir_sweep *sweep = k->search->sweep;
	double last, x;

	if (k->rule != KEEP_FIRST || k->settled < k->most || sweep->goal_count == 0)
		return false;
	last = value_to_double(k->at.at[k->most - 1].keys[0]);
	x = value_to_double(goals[0]);
	if (sweep->goals[0].maximise)
		return x < last - margin * (last < 0 ? -last : last);
	return x > last + margin * (last < 0 ? -last : last);
}

/* ---- keeping ------------------------------------------------------------------------------------------- */

static struct value *copy_values(struct arena *a, const struct value *from, uint32_t n)
{
	struct value *to = ARENA_ARRAY(a, struct value, n + 1);

	memcpy(to, from, n * sizeof *to);
	return to;
}

static struct arena *arena_of(struct keep *k)
{
	return &k->arenas[k->present];
}

static void put(struct keep *k, const struct kept *new)
{
	struct arena *a = arena_of(k);
	struct kept *c = VEC_ADD(a, &k->at);

	*c = *new;
	c->candidate.goals = copy_values(a, new->candidate.goals, k->search->sweep->goal_count);
}

static void make_keys(struct keep *k, struct kept *new)
{
	const struct ir_sweep *sweep = k->search->sweep;
	struct arena *a = arena_of(k);

	new->keys = ARENA_ARRAY(a, struct value, sweep->goal_count + 1);
	new->near = ARENA_ARRAY(a, double, sweep->goal_count + 1);
	for (uint32_t g = 0; g < sweep->goal_count; g++) {
		double x;

		new->keys[g] = rank_key(a, new->candidate.goals[g]);
		x = value_to_double(new->keys[g]);
		new->near[g] = sweep->goals[g].maximise ? x : -x;
	}
}

void keep_add(struct keep *k, uint64_t number, const struct value *goals)
{
	struct kept new = { .candidate = { number, goals } };
	struct arena_mark mark;

	k->count++;
	if (k->rule == KEEP_ALL) {
		put(k, &new);
		return;
	}
	if (is_clearly_worse(k, goals))
		return;
	if (k->at.n >= k->room)
		keep_settle(k);
	mark = arena_mark(arena_of(k));
	make_keys(k, &new);
	if (is_beaten(k, &new, k->settled < COMPARED ? k->settled : COMPARED))
		arena_reset(arena_of(k), mark);
	else
		put(k, &new);
}

/* ---- settling ------------------------------------------------------------------------------------------ */

static void merge(const struct keep *k, struct kept *from, struct kept *to, size_t lo, size_t middle, size_t hi)
{
	size_t a = lo, b = middle;

	for (size_t i = lo; i < hi; i++) {
		if (b == hi || (a < middle && comes_before(k, &from[a], &from[b])))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void sort(struct keep *k)
{
	size_t n = k->at.n;
	struct kept *from = k->at.at, *to = ARENA_ARRAY(arena_of(k), struct kept, n + 1);

	for (size_t width = 1; width < n; width *= 2) {
		struct kept *swap = from;

		for (size_t lo = 0; lo < n; lo += 2 * width)
			merge(k, from, to, lo, least(lo + width, n), least(lo + 2 * width, n));
		from = to;
		to = swap;
	}
	k->at.at = from;
	k->at.cap = k->at.n;
}

/* To the other arena, so that what was dropped is given back. */
static void move(struct keep *k)
{
	uint32_t goals = k->search->sweep->goal_count, n = k->at.n;
	struct arena *to = &k->arenas[1 - k->present];
	struct kept *from = k->at.at, *at = ARENA_ARRAY(to, struct kept, n + 1);

	for (uint32_t i = 0; i < n; i++) {
		at[i] = from[i];
		at[i].candidate.goals = copy_values(to, from[i].candidate.goals, goals);
		at[i].keys = copy_values(to, from[i].keys, goals);
		at[i].near = ARENA_ARRAY(to, double, goals + 1);
		memcpy(at[i].near, from[i].near, goals * sizeof *from[i].near);
	}
	k->at.at = at;
	k->at.cap = n + 1;
	arena_reset(arena_of(k), (struct arena_mark){ 0 });
	k->present = 1 - k->present;
}

void keep_settle(struct keep *k)
{
	uint32_t n = 0;

	if (k->rule == KEEP_ALL || k->at.n == k->settled)
		return;
	sort(k);
	for (uint32_t i = 0; i < k->at.n; i++)
		if (!is_beaten(k, &k->at.at[i], n < COMPARED_LATER ? n : COMPARED_LATER))
			k->at.at[n++] = k->at.at[i];
	/* Where nothing much is beaten, looking often is in vain. */
	k->room = (n > k->at.n / 2 ? 4 : 2) * n + ROOM;
	k->at.n = k->settled = n;
	move(k);
}
