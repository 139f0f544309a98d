/* letter.h - what ranks that search one sweep write to each other.
 *
 *	rank 0:  begin SWEEP           a sweep begins, by its index
 *	         units LO HI           more to go through
 *	         alive                 nothing new
 *	         end                   of this sweep, also in the middle of a unit
 *	         over                  of all sweeps
 *	others:  part THREADS\n...     what was found since the last letter (part.c), perhaps nothing yet
 *	         bye THREADS\n...      the same for the last time in this sweep
 *	         failed THREADS\n...   the same, and some units that were given are not done
 *	         gone\n...             takes no part in what comes; messages, or nothing
 */
#ifndef PLAN_TEAM_LETTER_H
#define PLAN_TEAM_LETTER_H

#include "runtime/search/crew/ledger.h"
#include "runtime/search/team/post.h"

enum letter_kind {
	LETTER_BEGIN,
	LETTER_UNITS,
	LETTER_ALIVE,
	LETTER_END,
	LETTER_OVER,
	LETTER_PART,
	LETTER_BYE,
	LETTER_FAILED,
	LETTER_GONE
};

struct letter {
	enum letter_kind kind;
	uint32_t from;
	uint64_t numbers[2];         /* SWEEP; LO HI; THREADS */
	struct str text;             /* behind the first line */
};

/* The next one that has come, in memory of `a`; false: none. One that nobody can read is LETTER_GONE. */
bool letter_receive(struct post *p, struct arena *a, struct letter *l);

/* `text` may be empty. */
void letter_send(struct post *p, struct arena *scratch, uint32_t to, const struct letter *l);

/* Rank 0 writes to all others. */
void letter_send_all(struct post *p, struct arena *scratch, const struct letter *l);

/* Seconds that pass while this process waits: those in which it is asleep itself do not count. */
struct waited {
	double last;
};

double waited_since(struct waited *w);

/* Gives the processor away for a moment. */
void letter_pause(void);

/* ---- lead.c, follow.c --------------------------------------------------------------------------------------- */

/* All units that are not done, with the other ranks; false when an axis fails. */
bool lead_run(struct ledger *l, uint32_t threads);

/* Units that rank 0 gives out, until it ends the sweep. */
void follow_run(struct ledger *l, uint32_t threads);

#endif
