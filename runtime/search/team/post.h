/* post.h - letters between the processes ("ranks") that search one sweep together.
 *
 * Who carries them is no business of a search: MPI does for planc-mpi, queues in memory do in the tests. Letters from
 * one rank to another arrive in the order in which they were sent, or not at all.
 */
#ifndef PLAN_TEAM_POST_H
#define PLAN_TEAM_POST_H

#include "compiler/base/str.h"

/* Rank 0 leads: it has the ledger and gives out units. A run that has only one rank has no post. */
struct post {
	uint32_t rank, ranks;
	uint32_t processors;             /* that this rank may keep busy */
	const char *const *places;       /* of each rank, for messages: "node7" */
	double patience;                 /* seconds: a rank that is silent for longer is lost */
	/* Both from one thread only. The text may be reused when `send` returns; `receive` does not wait: false, when
	 * no letter has come. What came lies in memory of `a`, with a NUL behind it. */
	void (*send)(struct post *p, uint32_t to, struct str text);
	bool (*receive)(struct post *p, struct arena *a, uint32_t *from, struct str *text);
	void *context;
	/* What rank 0 was last heard to say; kept by the search. */
	uint32_t begun;                  /* the sweep that it is at, from 1; 0: none, or we are at it, too */
	bool over;                       /* there will be no other one */
	bool lost;                       /* rank 0: one of the others will not answer any more */
};

/* For a program around the search. The last letter of rank 0: the others need not wait for another sweep. */
void post_finish(struct post *p, struct arena *a);

/* The last letter of another one, with what it has to say for itself, which may be nothing; then it waits for the
 * last one of rank 0. */
void post_leave(struct post *p, struct arena *a, struct str why);

#endif
