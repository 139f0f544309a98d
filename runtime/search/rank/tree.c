/* tree.c - a k-d tree that counts how many candidates beat another one.
 *
 * Each node has a box around the places of its candidates, in the coordinates that say alone whether one can beat
 * another. A node is passed over where its best corner is worse than the candidate in some coordinate, and counted
 * as a whole where its worst corner is better in all of them; only between these the candidates of a leaf are
 * compared one by one, all digits and all goals. So the count does not depend on the shape of the tree.
 * (J. L. Bentley, "Multidimensional binary search trees used for associative searching", CACM 18(9), 1975.)
 */
#include "runtime/search/rank/rank.h"

enum { LEAF = 16 };

/* Where a node lies: its number (children of k: 2k + 1 and 2k + 2), its candidates, and how deep. */
struct node {
	size_t k;
	uint32_t lo, hi, depth;
};

static bool is_leaf(struct node n)
{
	return n.hi - n.lo <= LEAF;
}

static struct node child(struct node n, bool second)
{
	uint32_t middle = n.lo + (n.hi - n.lo) / 2;

	return (struct node){ 2 * n.k + 1 + second, second ? middle : n.lo, second ? n.hi : middle, n.depth + 1 };
}

static double *box_of(const struct rank_tree *t, struct node n)
{
	return &t->boxes[n.k * 2 * t->coordinates];
}

/* ---- making --------------------------------------------------------------------------------------- */

static double middle_of(double a, double b, double c)
{
	if (a > b)
		return b > c ? b : a > c ? c : a;
	return a > c ? a : b > c ? c : b;
}

static void swap(const struct placed **at, uint32_t i, uint32_t k)
{
	const struct placed *one = at[i];

	at[i] = at[k];
	at[k] = one;
}

/* Hoare's selection: in front of `middle` nothing is higher in the coordinate, behind it nothing lower. */
static void split(const struct placed **at, uint32_t lo, uint32_t hi, uint32_t middle, uint32_t coordinate)
{
	while (hi - lo > 1) {
		double pivot = middle_of(at[lo]->near[coordinate], at[lo + (hi - lo) / 2]->near[coordinate],
					 at[hi - 1]->near[coordinate]);
		uint32_t low = lo, high = hi, i = lo;

		while (i < high) {
			double x = at[i]->near[coordinate];

			if (x < pivot)
				swap(at, i++, low++);
			else if (x > pivot)
				swap(at, i, --high);
			else
				i++;
		}
		if (middle < low)
			hi = low;
		else if (middle >= high)
			lo = high;
		else
			return;
	}
}

static void make_box(const struct rank_tree *t, struct node n)
{
	double *low = box_of(t, n), *high = low + t->coordinates;

	for (uint32_t i = n.lo; i < n.hi; i++)
		for (uint32_t c = 0; c < t->coordinates; c++) {
			double x = t->at[i]->near[c];

			low[c] = i == n.lo || x < low[c] ? x : low[c];
			high[c] = i == n.lo || x > high[c] ? x : high[c];
		}
}

static void make(struct rank_tree *t, struct node n)
{
	make_box(t, n);
	if (is_leaf(n))
		return;
	if (t->coordinates > 0)
		split(t->at, n.lo, n.hi, child(n, true).lo, n.depth % t->coordinates);
	make(t, child(n, false));
	make(t, child(n, true));
}

static bool are_equal(const struct goals *g, const struct placed *a, const struct placed *b)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (placed_compare(g, a, b, i) != 0)
			return false;
	return true;
}

void rank_tree_init(struct rank_tree *t, const struct goals *g, enum contest contest, const struct placed *at,
		    uint32_t n, struct arena *a)
{
	size_t nodes = 1;

	*t = (struct rank_tree){ .goals = g, .contest = contest,
				 .coordinates = contest == CONTEST_FRONT ? g->n : g->coordinates };
	t->at = ARENA_ARRAY(a, const struct placed *, n + 1);
	/* Equals beat the same; of many, all would have to be looked at. */
	for (uint32_t i = 0; i < n; i++)
		if (i == 0 || contest == CONTEST_PICK || !are_equal(g, &at[i - 1], &at[i]))
			t->at[t->n++] = &at[i];
	if (t->n == 0)
		return;
	for (uint32_t size = t->n; size > LEAF; size -= size / 2)
		nodes = 2 * nodes + 1;
	t->boxes = ARENA_ARRAY(a, double, nodes * 2 * t->coordinates + 1);
	make(t, (struct node){ 0, 0, t->n, 0 });
}

/* ---- asking --------------------------------------------------------------------------------------- */

enum side { NONE_BEATS, SOME_MAY, ALL_BEAT };

static enum side side_of(const struct rank_tree *t, struct node n, const double *near)
{
	const double *low = box_of(t, n), *high = low + t->coordinates;
	enum side side = t->coordinates > 0 ? ALL_BEAT : SOME_MAY;

	for (uint32_t c = 0; c < t->coordinates; c++) {
		if (high[c] < near[c])
			return NONE_BEATS;
		if (!(low[c] > near[c]))
			side = SOME_MAY;
	}
	return side;
}

static uint32_t count_leaf(const struct rank_tree *t, struct node n, const struct placed *c, uint32_t most)
{
	uint32_t found = 0;

	for (uint32_t i = n.lo; i < n.hi && found < most; i++)
		found += t->contest == CONTEST_FRONT ? placed_dominates(t->goals, t->at[i], c)
						     : placed_beats(t->goals, t->at[i], c);
	return found;
}

static uint32_t count(const struct rank_tree *t, struct node n, const struct placed *c, uint32_t most)
{
	enum side side = side_of(t, n, c->near);
	uint32_t found;

	if (side == NONE_BEATS)
		return 0;
	if (side == ALL_BEAT)
		return n.hi - n.lo < most ? n.hi - n.lo : most;
	if (is_leaf(n))
		return count_leaf(t, n, c, most);
	/* Better ones lie in the second half. */
	found = count(t, child(n, true), c, most);
	return found < most ? found + count(t, child(n, false), c, most - found) : found;
}

uint32_t rank_tree_beaten(const struct rank_tree *t, const struct placed *c, uint32_t most)
{
	return t->boxes && most > 0 ? count(t, (struct node){ 0, 0, t->n, 0 }, c, most) : 0;
}
