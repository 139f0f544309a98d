/* rank.h - which feasible candidate is better.
 *
 * Goals are compared as numbers with 12 digits, so that platforms agree; the last word has the number of the
 * candidate. So the order depends on nothing else: not on threads, shards, or who was found first.
 */
#ifndef PLAN_RANK_RANK_H
#define PLAN_RANK_RANK_H

#include "runtime/search/search.h"

/* ---- goals.c: what candidates are compared by ------------------------------------------------------- */

struct goals {
	const struct ir_goal *at;
	uint32_t n;
	struct value *slack;         /* of each goal; VALUE_NONE for none */
	bool plain;                  /* none has slack, or there is but one: the plain order decides */
	uint32_t coordinates;        /* the goals with slack that come first, and the next one */
};

/* A feasible candidate where it stands. */
struct placed {
	struct search_candidate candidate;
	const double *near;          /* its goals to 12 digits, more is better: where they differ, so do the goals */
};

/* Reads the slacks of a sweep whose base record is known; false after reporting. */
bool goals_make(struct goals *g, const struct search *s);

/* A real to 12 significant digits; any other number as it is. */
struct value goal_key(struct arena *scratch, struct value v);

/* Whether one value of a goal is better than another: -1 worse, 0 equal, 1 better. */
int goal_compare(const struct ir_goal *g, struct value a, struct value b);

/* Room for `near` of one candidate, to be filled. */
double *goals_room(const struct goals *g, struct arena *a);
void goals_place(const struct goals *g, struct arena *scratch, const struct value *values, double *near);

/* The same without looking at digits: a little better than it is, never worse. */
void goals_place_above(const struct goals *g, const struct value *values, double *near);

/* -1, 0, 1 in one goal. */
int placed_compare(const struct goals *g, const struct placed *a, const struct placed *b, uint32_t goal);

/* In the plain order: better in the first goal that differs, or in none and of the lower number. */
bool placed_before(const struct goals *g, const struct placed *a, const struct placed *b);

/* Goals in their order: whether b cannot be picked while a is there (goals.c). */
bool placed_beats(const struct goals *g, const struct placed *a, const struct placed *b);

/* All goals alike: whether a is nowhere worse and somewhere better, so that b is no part of the front. */
bool placed_dominates(const struct goals *g, const struct placed *a, const struct placed *b);

/* The worst value of a goal that still counts as good as the best. */
struct value goal_bound(const struct goals *g, struct arena *a, uint32_t goal, struct value best);

/* A sample of everything: the candidates whose numbers scatter highest, so that it is the same whoever finds them, and
 * that of all parts together is the sample of the whole. Where a number scatters to, and goals to sort places by. */
double sample_place(uint64_t number);
const struct goals *goals_of_sample(const struct search *s, struct arena *a);

/* The plain order, in place. */
void placed_sort(const struct goals *g, struct placed *at, size_t n, struct arena *scratch);

/* ---- tree.c: how many candidates beat another one -------------------------------------------------------- */

enum contest { CONTEST_PICK, CONTEST_FRONT };   /* placed_beats, placed_dominates */

/* A k-d tree over candidates. */
struct rank_tree {
	const struct goals *goals;
	enum contest contest;
	uint32_t coordinates;        /* of a box: goals that say alone whether one can beat another */
	const struct placed **at;    /* the candidates of a leaf side by side */
	uint32_t n;
	double *boxes;               /* of each node, the root first: the lowest and the highest of each coordinate */
};

/* The candidates come in the plain order, and have to stay where they are. */
void rank_tree_init(struct rank_tree *t, const struct goals *g, enum contest contest, const struct placed *at,
		    uint32_t n, struct arena *a);

/* How many of them beat c, at most `most`; in a contest for the front, whether any does. */
uint32_t rank_tree_beaten(const struct rank_tree *t, const struct placed *c, uint32_t most);

#endif
