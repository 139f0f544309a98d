#ifndef PLAN_ENGINE_MEMO_H
#define PLAN_ENGINE_MEMO_H

/*
 * What evaluations have in common: charged operators, the kinds of layers that they add up to, and how
 * micro-batches flow through stages made of these. Private to the engine.
 *
 * All are made for a view of the job in which everything that they must not depend on has one fixed
 * value: so they cannot, and jobs of one view have the same.
 */

#include "runtime/engine/cost.h"

/* A job as what is remembered depends on it, and which parts of the graph its layers are. */
struct view {
	struct engine_input in;
	bool has[GRAPH_PART_COUNT];
};

/* What all that is remembered of a view begins with. */
struct kept {
	struct kept *next;
	uint64_t hash;
	struct view view;
};

/* Operators, whichever of them run again and whatever they hide under. */
struct charged {
	struct kept kept;
	struct cost cost;
	struct engine_efficiency efficiency;
};

/* A rank that has been evaluated: its chunks, and whether two directions share it. */
struct known_rank {
	struct known_rank *next;
	const struct known_stage **chunk;
	int64_t chunks;
	double share;
	struct rank_sum sum;
};

/* The kinds of layers of a job, and what has been made of them. */
struct priced {
	struct kept kept;
	struct arena *arena;
	const struct charged *charged;
	struct cost cost;
	struct recompute_flags flags;
	struct known_stage *stages;
	struct known_rank *ranks;
};

/* All of a step but how states are spread over ranks, and what travels between the last backward and the next step. */
struct flow {
	struct kept kept;
	struct priced *priced;
	struct stage_layers *layers;      /* of each virtual stage */
	const struct known_stage **stage; /* the same */
	const struct rank_sum **rank;     /* of each rank */
	double *transfer;                 /* s from each virtual stage to the next */
	double seconds;                   /* of all micro-batches */
	struct alive *alive;              /* of each rank */
	struct engine_counts counts;
	const struct engine_error *refused; /* NULL: it is not */
};

/*
 * engine.c: the operators of the kinds of layers there are, for cost.in; scratch is cost.arena, what stays
 * goes to `kept`. False after an error. Then the flags and sums of kept.view, into an empty one.
 */
bool engine_charge(struct charged *charged, const bool has[GRAPH_PART_COUNT], struct arena *kept);
void engine_add_up(struct priced *priced, const struct charged *charged);

/*
 * engine.c: engine_evaluate(), with a memo or NULL, and a log of what runs when or NULL; a log wants every
 * micro-batch replayed, so it goes without a memo.
 */
enum engine_status engine_run(const struct engine_input *input, struct engine_memo *memo, struct arena *arena,
			      struct engine_result *result, struct engine_schedule_log *log,
			      struct engine_error *error);

/* flow.c: the flow through the stages of priced->cost, likewise. */
bool flow_evaluate(struct priced *priced, struct flow *flow, struct arena *kept);

/* The flow of a job, which is checked; NULL after an error, or when its layers cannot be priced and nothing was said. */
const struct flow *memo_flow(struct engine_memo *memo, struct cost *job);

#endif
