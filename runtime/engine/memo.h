#ifndef PLAN_ENGINE_MEMO_H
#define PLAN_ENGINE_MEMO_H

/*
 * What evaluations have in common: priced layers, and how micro-batches flow through stages made of them.
 * Private to the engine.
 *
 * Both are made for a view of the job in which everything that they must not depend on has one fixed
 * value: so they cannot, and jobs of one view have the same.
 */

#include "runtime/engine/cost.h"

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
	struct priced *next;
	uint64_t hash;
	struct engine_input view; /* what its layers are priced for */
	bool has[GRAPH_PART_COUNT];
	struct arena *arena;
	struct cost cost;
	struct recompute_flags flags;
	struct engine_efficiency efficiency;
	struct known_stage *stages;
	struct known_rank *ranks;
};

/* All of a step but how states are spread over ranks, and what travels between the last backward and the next step. */
struct flow {
	struct flow *next;
	uint64_t hash;
	struct engine_input view;
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
 * engine.c: operators, flags and sums of the kinds of layers there are, for cost.in; scratch is cost.arena,
 * what stays goes to `kept`. False after an error.
 */
bool engine_price_layers(struct priced *priced, const bool has[GRAPH_PART_COUNT], struct arena *kept);

/* flow.c: the flow through the stages of priced->cost, likewise. */
bool flow_evaluate(struct priced *priced, struct flow *flow, struct arena *kept);

/* The flow of a job; NULL when its layers cannot be priced, and nothing was said. */
const struct flow *memo_flow(struct engine_memo *memo, const struct cost *job);

#endif
