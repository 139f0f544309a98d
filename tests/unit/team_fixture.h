/* team_fixture.h - a sweep searched by several ranks that are threads of this process, their letters in memory.
 *
 *	s = team_search(&ev, 0, options, (struct team){ .ranks = 3 });
 */
#ifndef PLAN_UNIT_TEAM_FIXTURE_H
#define PLAN_UNIT_TEAM_FIXTURE_H

#include "runtime/bind/job.h"
#include "runtime/search/search.h"

struct team {
	uint32_t ranks;
	uint32_t silent;             /* a rank whose letters are lost; 0: none */
	uint32_t after;              /* so many have arrived */
	const char *garbage;         /* what arrives instead; NULL: nothing does */
	uint32_t memory;             /* bytes that the ranks behind the first may take; 0: any number */
	uint32_t stranger;           /* a rank that is asked something else; 0: none */
	uint32_t *arrived;           /* NULL, or letters that rank 0 was sent */
};

/* What search_run returns in rank 0, which is the calling thread with its evaluator. The others have finished. */
struct search *team_search(struct eval *ev, uint32_t sweep, struct search_options options, struct team team);

#endif
