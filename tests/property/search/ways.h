/* ways.h - a drawn sweep, compiled and searched in one of several ways. */
#ifndef PLAN_SEARCH_WAYS_H
#define PLAN_SEARCH_WAYS_H

#include "runtime/search/search.h"
#include "tests/property/search/space.h"

struct plan {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct eval ev;
	struct search *search;
};

/* How a sweep is searched, beside its options. */
enum way { ALONE, IN_SHARDS, BY_TEAM, BY_TEAM_WITH_LOSS };

/* The round says how many ranks a team has, and when one is lost. false when the plan does not run, after printing it and
 * what is said about it. */
bool plan_open(struct plan *p, const struct space *space, int round, struct search_options options, enum way way);
void plan_close(struct plan *p);

#endif
