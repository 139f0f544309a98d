#ifndef PLAN_SCHEDULE_TAPE_H
#define PLAN_SCHEDULE_TAPE_H

/*
 * Replays in an order that was found before. Private to the engine.
 *
 * In which order passes can run follows from the programs of the ranks, not from how long anything takes.
 * So the first replay of a shape - ranks, chunks, groups, micro-batches - writes down its passes, and
 * every later one goes along them without asking who waits for whom.
 */

#include "runtime/engine/schedule/schedule.h"

/* One pass: what it waits for is the result of an earlier one, counted from 1; 0 is there from the start. */
struct tape_pass {
	uint32_t source;
	uint32_t work; /* run * stages + stage: its seconds, and those of what it sends */
	int32_t mark;  /* entry of all marks; -1: none */
	uint32_t rank;
};

struct tape {
	struct tape *next;
	enum pipeline_order order;
	int64_t ranks, chunks, group, micro_batches;
	struct tape_pass *at;
	int64_t count, capacity;
};

struct tapes {
	struct arena *arena;
	struct tape *first;
};

/* NULL: nobody has been along this way yet. */
struct tape *tape_find(const struct tapes *tapes, const struct pipeline *in, int64_t micro_batches);

/* A blank one for so many passes, to be filled by a replay that ends, then kept. */
struct tape *tape_make(const struct tapes *tapes, const struct pipeline *in, int64_t micro_batches,
		       int64_t passes);
void tape_keep(struct tapes *tapes, struct tape *tape);

/* Seconds until the last rank is done; fills the marks of the schedule. */
double tape_play(const struct tape *tape, const struct schedule *s, struct arena *arena);

#endif
