/* rank.c - which feasible candidate is better: goals in order with slack, or the front that nothing beats.
 * The last word has the number of the candidate, so the order depends on nothing else. */
#include "runtime/search/search_int.h"

/* ---- goals ----------------------------------------------------------------------------------- */

struct value rank_key(struct arena *a, struct value v)
{
	struct out o;
	struct num n;

	if (v.kind != VALUE_REAL || v.real == 0)
		return v;
	out_init(&o, a);
	out_printf(&o, "%.11e", v.real < 0 ? -v.real : v.real);
	if (!num_parse(a, out_view(&o), &n))
		return v;
	return value_real(v.real < 0 ? -num_to_double(n) : num_to_double(n));
}

int rank_compare_goal(const struct ir_goal *g, struct value a, struct value b)
{
	int c = value_compare_numbers(a, b);

	return g->maximise ? c : -c;
}

static struct value key_of(const struct rank *r, uint32_t i, uint32_t goal)
{
	return r->keys[(size_t)i * r->goals + goal];
}

static const struct ir_goal *goal_of(const struct rank *r, uint32_t goal)
{
	return &r->search->sweep->goals[goal];
}

static bool read_slack(struct rank *r, uint32_t goal)
{
	struct eval *ev = r->search->ev;
	const struct ir_goal *g = goal_of(r, goal);
	struct value v;

	r->slack[goal] = value_none();
	if (g->slack == IR_NO_NODE)
		return true;
	v = eval_node(ev, g->slack, (struct scope){ .self = r->search->base });
	if (v.kind != VALUE_NUMBER && v.kind != VALUE_REAL)
		return false;
	r->slack[goal] = v;
	if (value_compare_numbers(v, value_int(0)) >= 0)
		return true;
	diag_report(ev->sink, E2407, ev->program->nodes.at[g->slack].span, "a slack is not negative");
	return false;
}

bool rank_make(struct rank *r, const struct search *s)
{
	struct arena *a = s->ev->lasting, *scratch = ARENA_NEW(a, struct arena);

	arena_init_under(scratch, a);
	*r = (struct rank){ .search = s, .goals = s->sweep->goal_count };
	r->keys = ARENA_ARRAY(a, struct value, (size_t)s->kept * r->goals + 1);
	r->slack = ARENA_ARRAY(a, struct value, r->goals + 1);
	for (size_t i = 0; i < s->kept; i++) {
		for (uint32_t g = 0; g < r->goals; g++)
			r->keys[i * r->goals + g] = rank_key(scratch, s->feasible[i].goals[g]);
		arena_reset(scratch, (struct arena_mark){ 0 });
	}
	arena_release(scratch);
	for (uint32_t g = 0; g < r->goals; g++)
		if (!read_slack(r, g))
			return false;
	return true;
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* All goals, the first first; then the number: feasible candidates are stored by it. */
static bool comes_before(const struct rank *r, uint32_t a, uint32_t b, uint32_t goals)
{
	for (uint32_t g = 0; g < goals; g++) {
		int c = rank_compare_goal(goal_of(r, g), key_of(r, a, g), key_of(r, b, g));

		if (c != 0)
			return c > 0;
	}
	return a < b;
}

static void merge(const struct rank *r, const uint32_t *from, uint32_t *to, size_t lo, size_t middle,
		  size_t hi, uint32_t goals)
{
	size_t a = lo, b = middle;

	for (size_t i = lo; i < hi; i++) {
		if (b == hi || (a < middle && comes_before(r, from[a], from[b], goals)))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static uint32_t *sorted(const struct rank *r, uint32_t goals)
{
	size_t n = r->search->kept;
	uint32_t *at = ARENA_ARRAY(r->search->ev->lasting, uint32_t, n + 1);
	uint32_t *other = ARENA_ARRAY(r->search->ev->lasting, uint32_t, n + 1);

	for (size_t i = 0; i < n; i++)
		at[i] = (uint32_t)i;
	for (size_t width = 1; width < n; width *= 2) {
		uint32_t *swap = at;

		for (size_t lo = 0; lo < n; lo += 2 * width)
			merge(r, at, other, lo, least(lo + width, n), least(lo + 2 * width, n), goals);
		at = other;
		other = swap;
	}
	return at;
}

/* ---- lexicographic with slack ----------------------------------------------------------------- */

/* Candidates that are picked one by one; picking all of very many would take long, and where one stands in
 * that order far down tells nothing. */
enum { PICKS_MAX = 1000 };

static bool has_slack(const struct rank *r)
{
	for (uint32_t g = 0; g < r->goals; g++)
		if (r->slack[g].kind != VALUE_NONE)
			return true;
	return false;
}

/* The worst value that still counts as good as the best. */
static struct value bound_of(const struct rank *r, uint32_t goal, struct value best)
{
	struct arena *a = r->search->ev->lasting;
	struct value slack = r->slack[goal];
	bool up = goal_of(r, goal)->maximise;
	double x = value_to_double(best), s = value_to_double(slack);
	struct num n;

	if (slack.kind == VALUE_NONE)
		return best;
	if (best.kind == VALUE_NUMBER && slack.kind == VALUE_NUMBER) {
		n = slack.number;
		if (goal_of(r, goal)->relative &&
		    num_mul(a, n, num_sign(best.number) < 0 ? num_neg(a, best.number) : best.number, &n) != NUM_OK)
			return best;
		if ((up ? num_sub(a, best.number, n, &n) : num_add(a, best.number, n, &n)) == NUM_OK)
			return value_number(n);
		return best;
	}
	if (goal_of(r, goal)->relative)
		s *= x < 0 ? -x : x;
	return value_real(up ? x - s : x + s);
}

/* Of these, the ones that are within the slack of the best in one goal. The count. */
static uint32_t filter(const struct rank *r, uint32_t goal, uint32_t *at, uint32_t n)
{
	struct value best = key_of(r, at[0], goal), bound;
	uint32_t kept = 0;

	for (uint32_t i = 1; i < n; i++)
		if (rank_compare_goal(goal_of(r, goal), key_of(r, at[i], goal), best) > 0)
			best = key_of(r, at[i], goal);
	bound = bound_of(r, goal, best);
	for (uint32_t i = 0; i < n; i++)
		if (rank_compare_goal(goal_of(r, goal), key_of(r, at[i], goal), bound) >= 0)
			at[kept++] = at[i];
	return kept;
}

/* Candidates in the order of the first goal, without those that were taken. */
struct left {
	const uint32_t *at;
	uint32_t *next;              /* of each place: the next one that is left */
	uint32_t first, n;           /* n: of all places, the end */
};

/* The best of what is left, and the place in front of it (n: none). */
static uint32_t pick(const struct rank *r, const struct left *l, uint32_t *scratch, uint32_t *before)
{
	struct value bound = bound_of(r, 0, key_of(r, l->at[l->first], 0));
	uint32_t kept = 0, best, place = l->first;

	for (uint32_t i = l->first; i < l->n; i = l->next[i]) {
		if (rank_compare_goal(goal_of(r, 0), key_of(r, l->at[i], 0), bound) < 0)
			break;
		scratch[kept++] = l->at[i];
	}
	for (uint32_t g = 1; g < r->goals; g++)
		kept = filter(r, g, scratch, kept);
	best = scratch[0];
	/* What no goal could tell apart within its slack: now every digit counts, so that nothing beats the
	 * winner in all goals. */
	for (uint32_t i = 1; i < kept; i++)
		best = comes_before(r, scratch[i], best, r->goals) ? scratch[i] : best;
	*before = l->n;
	while (l->at[place] != best) {
		*before = place;
		place = l->next[place];
	}
	return place;
}

/* What is not among the first `found` yet, in the plain order of the goals. */
static uint32_t add_others(const struct rank *r, uint32_t *result, uint32_t found, uint32_t most)
{
	uint32_t n = r->search->kept;
	bool *taken = ARENA_ARRAY(r->search->ev->lasting, bool, n + 1);
	const uint32_t *all = found < most ? sorted(r, r->goals) : NULL;

	for (uint32_t i = 0; i < found; i++)
		taken[result[i]] = true;
	for (uint32_t i = 0; i < n && found < most; i++)
		if (!taken[all[i]])
			result[found++] = all[i];
	return found;
}

static uint32_t top_with_slack(const struct rank *r, uint32_t most, uint32_t *result)
{
	struct arena *a = r->search->ev->lasting;
	struct left l = { .at = sorted(r, 1), .n = r->search->kept };
	uint32_t *scratch = ARENA_ARRAY(a, uint32_t, l.n + 1), found = 0;

	l.next = ARENA_ARRAY(a, uint32_t, l.n + 1);
	for (uint32_t i = 0; i < l.n; i++)
		l.next[i] = i + 1;
	while (found < most && found < PICKS_MAX && l.first < l.n) {
		uint32_t before, place = pick(r, &l, scratch, &before);

		result[found++] = l.at[place];
		if (before == l.n)
			l.first = l.next[place];
		else
			l.next[before] = l.next[place];
	}
	return l.first < l.n ? add_others(r, result, found, most) : found;
}

/* ---- the front ------------------------------------------------------------------------------- */

/* a is nowhere worse, and somewhere better. */
static bool beats(const struct rank *r, uint32_t a, uint32_t b)
{
	bool better = false;

	for (uint32_t g = 0; g < r->goals; g++) {
		int c = rank_compare_goal(goal_of(r, g), key_of(r, a, g), key_of(r, b, g));

		if (c < 0)
			return false;
		better = better || c > 0;
	}
	return better;
}

/* In the order of all goals a candidate can only be beaten by one before it, and by one of the front. */
static uint32_t front(const struct rank *r, uint32_t *result)
{
	const uint32_t *at = sorted(r, r->goals);
	uint32_t n = 0;

	for (uint64_t i = 0; i < r->search->kept; i++) {
		uint32_t k = 0;

		while (k < n && !beats(r, result[k], at[i]))
			k++;
		if (k == n)
			result[n++] = at[i];
	}
	return n;
}

uint32_t search_front(const struct search *s, uint32_t *result)
{
	struct rank r;

	return rank_make(&r, s) ? front(&r, result) : 0;
}

static uint32_t first_of(const uint32_t *at, uint32_t n, uint32_t most, uint32_t *result)
{
	uint32_t found = n < most ? n : most;

	for (uint32_t i = 0; i < found; i++)
		result[i] = at[i];
	return found;
}

uint32_t search_top(const struct search *s, uint32_t most, uint32_t *result)
{
	uint32_t n = s->kept, *all;
	struct rank r;

	if (!rank_make(&r, s))
		return 0;
	if (s->sweep->pareto) {
		all = ARENA_ARRAY(s->ev->lasting, uint32_t, n + 1);
		return first_of(all, front(&r, all), most, result);
	}
	if (has_slack(&r))
		return top_with_slack(&r, most, result);
	return first_of(sorted(&r, r.goals), n, most, result);
}
