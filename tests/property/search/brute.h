/* brute.h - what a sweep finds, by going through everything. */
#ifndef PLAN_SEARCH_BRUTE_H
#define PLAN_SEARCH_BRUTE_H

#include "tests/property/search/space.h"

enum { CANDIDATES = 4096 };

struct candidate {
	int64_t x[FIELDS];
	unsigned broken;             /* bit k: rule k */
};

/* All candidates of a space, in the order of their numbers, which begin with 1. */
struct brute {
	const struct space *space;
	struct candidate all[CANDIDATES];
	int total;
};

void brute_list(struct brute *b, const struct space *s);

/* Better in a goal and worse in none. */
bool brute_beats(const struct space *s, const struct candidate *x, const struct candidate *y);

/* The index of the best of those that keep all rules and are not taken; -1 when there is none. */
int brute_best(const struct brute *b, const bool *taken);

/* Whether every candidate breaks one of these rules (bit k: rule k). */
bool brute_all_break(const struct brute *b, unsigned rules);

#endif
