/* goals.c - candidates compared goal by goal, and when one of them cannot be picked while another is there.
 *
 * A pick takes the goals in turn. What is left of the candidates is cut down to those within the slack of the best
 * in the first goal, these to those within the slack of their best in the second, and so on; without slack only the
 * best stay. Of what passes all goals the first in the plain order is picked.
 *
 * Let a be at least as good as b in each goal with slack, until a goal without slack comes up in which a is
 * better; or, where that does not happen, come before b in the plain order with no goal without slack in which it
 * is worse. Then b is not picked while a is there. For whatever bound b passes, a passes too; so in front of each
 * goal a is left if b is. In a goal without slack in which a is better b is cut away; without such a goal both pass
 * or b does not, and a comes first. This is `placed_beats`. It is a strict order: what beats a beats b.
 */
#include "runtime/search/rank/rank.h"

/* ---- values ------------------------------------------------------------------------------------------ */

struct value goal_key(struct arena *scratch, struct value v)
{
	struct out o;
	struct num n;

	if (v.kind != VALUE_REAL || v.real == 0)
		return v;
	out_init(&o, scratch);
	out_printf(&o, "%.11e", v.real < 0 ? -v.real : v.real);
	if (!num_parse(scratch, out_view(&o), &n))
		return v;
	return value_real(v.real < 0 ? -num_to_double(n) : num_to_double(n));
}

int goal_compare(const struct ir_goal *g, struct value a, struct value b)
{
	int c = value_compare_numbers(a, b);

	return g->maximise ? c : -c;
}

static bool read_slack(struct goals *goals, const struct search *s, uint32_t goal)
{
	struct eval *ev = s->ev;
	const struct ir_goal *g = &goals->at[goal];
	struct value v;

	goals->slack[goal] = value_none();
	if (g->slack == IR_NO_NODE)
		return true;
	v = eval_node(ev, g->slack, (struct scope){ .self = s->base });
	if (v.kind != VALUE_NUMBER && v.kind != VALUE_REAL)
		return false;
	if (value_compare_numbers(v, value_int(0)) > 0)
		goals->slack[goal] = v;
	if (value_compare_numbers(v, value_int(0)) >= 0)
		return true;
	diag_report(ev->sink, E2407, ev->program->nodes.at[g->slack].span, "a slack is not negative");
	return false;
}

bool goals_make(struct goals *g, const struct search *s)
{
	*g = (struct goals){ .at = s->sweep->goals, .n = s->sweep->goal_count };
	g->slack = ARENA_ARRAY(s->ev->lasting, struct value, g->n + 1);
	g->plain = true;
	for (uint32_t i = 0; i < g->n; i++) {
		if (!read_slack(g, s, i))
			return false;
		g->plain = g->plain && (g->n == 1 || g->slack[i].kind == VALUE_NONE);
	}
	while (g->coordinates < g->n && g->slack[g->coordinates].kind != VALUE_NONE)
		g->coordinates++;
	if (g->coordinates < g->n)
		g->coordinates++;
	return true;
}

struct value goal_bound(const struct goals *g, struct arena *a, uint32_t goal, struct value best)
{
	struct value slack = g->slack[goal];
	bool up = g->at[goal].maximise;
	double x = value_to_double(best), s;
	struct num n;

	if (slack.kind == VALUE_NONE)
		return best;
	if (best.kind == VALUE_NUMBER && slack.kind == VALUE_NUMBER) {
		n = slack.number;
		if (g->at[goal].relative &&
		    num_mul(a, n, num_sign(best.number) < 0 ? num_neg(a, best.number) : best.number, &n) != NUM_OK)
			return best;
		if ((up ? num_sub(a, best.number, n, &n) : num_add(a, best.number, n, &n)) == NUM_OK)
			return value_number(n);
		return best;
	}
	s = value_to_double(slack);
	if (g->at[goal].relative)
		s *= x < 0 ? -x : x;
	return value_real(up ? x - s : x + s);
}

/* ---- places ------------------------------------------------------------------------------------------ */

double *goals_room(const struct goals *g, struct arena *a)
{
	return ARENA_ARRAY(a, double, g->n + 1);
}

void goals_place(const struct goals *g, struct arena *scratch, const struct value *values, double *near)
{
	for (uint32_t i = 0; i < g->n; i++) {
		struct arena_mark mark = arena_mark(scratch);
		double x = value_to_double(goal_key(scratch, values[i]));

		near[i] = g->at[i].maximise ? x : -x;
		arena_reset(scratch, mark);
	}
}

void goals_place_above(const struct goals *g, const struct value *values, double *near)
{
	/* Of a real: more than half a unit of the 12th digit. */
	static const double digits = 1e-11;

	for (uint32_t i = 0; i < g->n; i++) {
		double x = value_to_double(values[i]), size = x < 0 ? -x : x;

		near[i] = (g->at[i].maximise ? x : -x) + (values[i].kind == VALUE_REAL ? size * digits : 0);
	}
}

/* Where doubles do not tell them apart; most are whole numbers. */
static int compare_digits(const struct ir_goal *g, const struct value *x, const struct value *y)
{
	if (x->kind != VALUE_NUMBER || y->kind != VALUE_NUMBER)
		return 0;
	if (x->number.n == y->number.n && x->number.d == y->number.d && !x->number.big && !y->number.big)
		return 0;
	return goal_compare(g, *x, *y);
}

int placed_compare(const struct goals *g, const struct placed *a, const struct placed *b, uint32_t goal)
{
	if (a->near[goal] != b->near[goal])
		return a->near[goal] > b->near[goal] ? 1 : -1;
	return compare_digits(&g->at[goal], &a->candidate.goals[goal], &b->candidate.goals[goal]);
}

bool placed_before(const struct goals *g, const struct placed *a, const struct placed *b)
{
	for (uint32_t i = 0; i < g->n; i++) {
		int c = placed_compare(g, a, b, i);

		if (c != 0)
			return c > 0;
	}
	return a->candidate.number < b->candidate.number;
}

bool placed_dominates(const struct goals *g, const struct placed *a, const struct placed *b)
{
	bool better = false;

	for (uint32_t i = 0; i < g->n; i++) {
		int c = placed_compare(g, a, b, i);

		if (c < 0)
			return false;
		better = better || c > 0;
	}
	return better;
}

bool placed_beats(const struct goals *g, const struct placed *a, const struct placed *b)
{
	bool better = false;

	for (uint32_t i = 0; i < g->n; i++) {
		int c = placed_compare(g, a, b, i);

		if (c < 0)
			return false;
		better = better || c > 0;
		if (c > 0 && g->slack[i].kind == VALUE_NONE)
			return true;
	}
	return better || a->candidate.number < b->candidate.number;
}

/* ---- a sample ----------------------------------------------------------------------------------------- */

/* The finaliser of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). */
double sample_place(uint64_t number)
{
	uint64_t x = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);

	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((x ^ x >> 31) >> 11);
}

const struct goals *goals_of_sample(const struct search *s, struct arena *a)
{
	struct goals *g = ARENA_NEW(a, struct goals);

	*g = (struct goals){ .at = s->sweep->goals, .n = 1, .plain = true, .slack = ARENA_NEW(a, struct value) };
	*g->slack = value_none();
	return g;
}

/* ---- sorting ------------------------------------------------------------------------------------------ */

static void merge(const struct goals *g, const struct placed *from, struct placed *to, size_t lo, size_t middle, size_t hi)
{
	size_t a = lo, b = middle;

	for (size_t i = lo; i < hi; i++) {
		if (b == hi || (a < middle && placed_before(g, &from[a], &from[b])))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

void placed_sort(const struct goals *g, struct placed *at, size_t n, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct placed *from = at, *to = ARENA_ARRAY(scratch, struct placed, n + 1);

	for (size_t width = 1; width < n; width *= 2) {
		struct placed *swap = from;

		for (size_t lo = 0; lo < n; lo += 2 * width)
			merge(g, from, to, lo, least(lo + width, n), least(lo + 2 * width, n));
		from = to;
		to = swap;
	}
	if (from != at)
		memcpy(at, from, n * sizeof *at);
	arena_reset(scratch, mark);
}
