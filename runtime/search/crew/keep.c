/* keep.c - which feasible candidates are kept.
 *
 * All of them, or only those that the first `most` places of the answer can go to, whatever else is still found; so
 * memory does not grow with the sweep, but with what nothing decides between.
 *
 * A candidate is dropped when
 *
 * - `most` others beat it. While one of them is left it is not picked (rank/goals.c), and they take as many places.
 *   Of a front it is no part when one dominates it. To know this, those that are kept are enough: what beats a
 *   candidate that was dropped beats, with it, whatever that one beats; so of those that beat c the ones that fewer
 *   than `most` others beat are there, and they are `most` if it is that many.
 * - it lies below the slack of the `most`-th best in the first goal. In front of each of the first `most` picks
 *   fewer than `most` are gone, so the best of what is left is no worse than that one; and what is found later makes
 *   it better. Here the bound must not fall when the best rises, x - slack |x|: so a relative slack above 1, with
 *   which it does, has no such floor. A floor holds for all that is found later, also in parcels that begin anew: what
 *   it stands on has gone to the ledger.
 *
 * With two goals nothing else can be dropped for the first place: if nothing beats c, and it lies above the floor,
 * then a candidate may still turn up whose slack just reaches to c, and of those within it c is the best in the second
 * goal.
 */
#include "runtime/search/crew/ledger.h"

#include <math.h>

/* Candidates that may come in before those that are kept are looked through: as many again, and some. */
enum { ROOM = 512 };

static bool is_total(const struct keep *k)
{
	return k->contest == CONTEST_PICK && k->goals->plain;
}

static void begin(struct keep *k)
{
	k->count = k->settled = 0;
	k->room = ROOM;
	k->tree = (struct rank_tree){ 0 };
	memset(&k->at, 0, sizeof k->at);
}

static void init(struct keep *k, const struct search *s, struct arena *above)
{
	k->search = s;
	k->floor = -HUGE_VAL;
	k->near = goals_room(k->goals, above);
	for (int i = 0; i < 2; i++)
		arena_init_under(&k->arenas[i], above);
	arena_init_under(&k->scratch, above);
	begin(k);
}

/* The front, and a sample of everything. */
static struct keep *keep_for_picture(const struct search *s, struct arena *above)
{
	struct keep *front = ARENA_NEW(above, struct keep), *sample = ARENA_NEW(above, struct keep);

	*front = (struct keep){ .most = 1, .contest = CONTEST_FRONT, .goals = s->goals, .beside = sample };
	init(front, s, above);
	*sample = (struct keep){ .most = SEARCH_SAMPLE, .scattered = true, .goals = goals_of_sample(s, above) };
	init(sample, s, above);
	return front;
}

void keep_init(struct keep *k, const struct search *s, struct arena *above)
{
	*k = (struct keep){ .all = s->options.keep == 0, .most = s->options.keep, .goals = s->goals };
	if (s->sweep->pareto) {
		k->contest = CONTEST_FRONT;
		k->most = 1;
	}
	init(k, s, above);
	if (s->options.picture && !k->all && s->goals->n > 0)
		k->beside = keep_for_picture(s, above);
}

void keep_clear(struct keep *k)
{
	for (; k; k = k->beside) {
		begin(k);
		for (int i = 0; i < 2; i++)
			arena_reset(&k->arenas[i], (struct arena_mark){ 0 });
	}
}

/* ---- what can be dropped ------------------------------------------------------------------------------ */

/* Where candidates are in a row, what comes behind the first ones; else what is beaten by as many. */
static bool is_beaten(const struct keep *k, const struct placed *c)
{
	if (is_total(k))
		return k->settled == k->most && placed_before(k->goals, &k->at.at[k->most - 1], c);
	return rank_tree_beaten(&k->tree, c, k->most) == k->most;
}

static bool is_dropped(const struct keep *k, const struct placed *c)
{
	return (k->goals->n > 0 && c->near[0] < k->floor) || is_beaten(k, c);
}

/* Of candidates in the plain order. A little lower, for what a computer rounds. */
static double floor_of(struct keep *k)
{
	static const double margin = 1e-9;
	const struct goals *g = k->goals;
	double last, bound;

	if (k->contest == CONTEST_FRONT || g->n == 0 || k->at.n < k->most ||
	    (g->slack[0].kind != VALUE_NONE && g->at[0].relative && value_to_double(g->slack[0]) > 1))
		return -HUGE_VAL;
	last = k->at.at[k->most - 1].near[0];
	bound = value_to_double(goal_bound(g, &k->scratch, 0, value_real(g->at[0].maximise ? last : -last)));
	return (g->at[0].maximise ? bound : -bound) - margin * (fabs(bound) + fabs(last));
}

/* ---- keeping ------------------------------------------------------------------------------------------- */

static struct arena *arena_of(struct keep *k)
{
	return &k->arenas[k->present];
}

static struct placed copy(struct arena *a, const struct keep *k, const struct placed *c)
{
	uint32_t goals = k->search->sweep->goal_count;
	struct value *values = ARENA_ARRAY(a, struct value, goals);
	double *near = c->near ? ARENA_ARRAY(a, double, k->goals->n) : NULL;

	memcpy(values, c->candidate.goals, goals * sizeof *values);
	if (near)
		memcpy(near, c->near, k->goals->n * sizeof *near);
	return (struct placed){ { c->candidate.number, values }, near };
}

static void put(struct keep *k, const struct placed *c)
{
	struct placed *place = VEC_ADD(arena_of(k), &k->at);

	*place = copy(arena_of(k), k, c);
}

static void settle(struct keep *k);

static void add(struct keep *k, uint64_t number, const struct value *goals)
{
	struct placed c = { { number, goals }, k->all ? NULL : k->near };

	k->count++;
	if (k->all) {
		put(k, &c);
		return;
	}
	if (k->scattered)
		k->near[0] = sample_place(number);
	else
		goals_place_above(k->goals, goals, k->near);
	if (is_dropped(k, &c))
		return;
	if (k->at.n >= k->room)
		settle(k);
	if (!k->scattered)
		goals_place(k->goals, &k->scratch, goals, k->near);
	put(k, &c);
}

void keep_add(struct keep *k, uint64_t number, const struct value *goals)
{
	for (; k; k = k->beside)
		add(k, number, goals);
}

void keep_join(struct keep *k, struct keep *other)
{
	for (; k; k = k->beside, other = other->beside) {
		for (uint32_t i = 0; i < other->at.n; i++)
			add(k, other->at.at[i].candidate.number, other->at.at[i].candidate.goals);
		other->floor = fmax(k->floor, other->floor);
	}
}

/* ---- settling ------------------------------------------------------------------------------------------ */

/* Of those in the plain order. The count. */
static uint32_t mark_needed(struct keep *k, bool *needed)
{
	bool total = is_total(k);
	struct rank_tree tree;
	uint32_t n = 0;

	if (!total)
		rank_tree_init(&tree, k->goals, k->contest, k->at.at, k->at.n, &k->scratch);
	for (uint32_t i = 0; i < k->at.n; i++) {
		if (total)
			needed[i] = i < k->most;
		else
			needed[i] = k->at.at[i].near[0] >= k->floor &&
				    rank_tree_beaten(&tree, &k->at.at[i], k->most) < k->most;
		n += needed[i];
	}
	return n;
}

/* To the other arena, so that what was dropped is given back. */
static void move(struct keep *k, const bool *needed, uint32_t n)
{
	struct arena *to = &k->arenas[1 - k->present];
	struct placed *at;
	uint32_t moved = 0;

	k->room = 2 * n + ROOM;
	at = ARENA_ARRAY(to, struct placed, k->room);
	for (uint32_t i = 0; i < k->at.n; i++)
		if (needed[i])
			at[moved++] = copy(to, k, &k->at.at[i]);
	k->at.at = at;
	k->at.cap = k->room;
	k->at.n = k->settled = n;
	arena_reset(arena_of(k), (struct arena_mark){ 0 });
	k->present = 1 - k->present;
}

static void settle(struct keep *k)
{
	bool *needed;

	if (k->all || k->at.n == k->settled)
		return;
	placed_sort(k->goals, k->at.at, k->at.n, &k->scratch);
	k->floor = fmax(k->floor, floor_of(k));
	needed = ARENA_ARRAY(&k->scratch, bool, k->at.n);
	move(k, needed, mark_needed(k, needed));
	arena_release(&k->scratch);
	if (!is_total(k))
		rank_tree_init(&k->tree, k->goals, k->contest, k->at.at, k->at.n, arena_of(k));
}

void keep_settle(struct keep *k)
{
	for (; k; k = k->beside)
		settle(k);
}

/* ---- all of them -------------------------------------------------------------------------------------- */

static void merge(const struct search_candidate *from, struct search_candidate *to, size_t lo, size_t middle, size_t hi)
{
	size_t a = lo, b = middle;

	for (size_t i = lo; i < hi; i++) {
		if (b == hi || (a < middle && from[a].number < from[b].number))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static struct search_candidate *sort_by_number(struct search_candidate *at, struct search_candidate *other, size_t n)
{
	for (size_t width = 1; width < n; width *= 2) {
		struct search_candidate *swap = at;

		for (size_t lo = 0; lo < n; lo += 2 * width)
			merge(at, other, lo, least(lo + width, n), least(lo + 2 * width, n));
		at = other;
		other = swap;
	}
	return at;
}

uint32_t keep_list(struct keep *k, struct arena *a, struct search_candidate **list)
{
	size_t n = 0, held = 0;
	struct search_candidate *at;
	uint32_t kept = 0;

	keep_settle(k);
	for (const struct keep *one = k; one; one = one->beside)
		held += one->at.n;
	at = ARENA_ARRAY(a, struct search_candidate, held + 1);
	for (const struct keep *one = k; one; one = one->beside)
		for (uint32_t i = 0; i < one->at.n; i++)
			at[n++] = one->at.at[i].candidate;
	at = sort_by_number(at, ARENA_ARRAY(a, struct search_candidate, held + 1), n);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || at[kept - 1].number != at[i].number)
			at[kept++] = at[i];
	*list = at;
	return kept;
}
