#ifndef PLAN_ENGINE_MEMO_H
#define PLAN_ENGINE_MEMO_H

/*
 * What evaluations have in common: priced layers, the stages made of them, replays of schedules. Private to
 * the engine.
 *
 * Layers are priced for a view of the job in which everything that they must not depend on has one fixed
 * value: so they cannot, and jobs of one view have the same layers.
 */

#include "runtime/engine/cost.h"

/* A stage that has been evaluated; `kind` numbers those of one set of layers. */
struct known_stage {
	struct known_stage *next;
	struct engine_layout_stage in;
	struct stage_layers layers;
	struct engine_stage stage;
	struct walk walk;
	uint32_t kind;
};

/* A rank that has been evaluated: its chunks, and whether two directions share it. */
struct known_rank {
	struct known_rank *next;
	const uint32_t *kinds; /* of its chunks */
	int64_t chunks;
	double share;
	struct rank_sum sum;
};

/* A schedule over stages of one set of layers. */
struct replayed {
	struct replayed *next;
	uint64_t hash;
	void *key;
	size_t size;
	bool told; /* the answer is there */
	double seconds;
	struct alive *alive; /* of every rank */
};

struct priced {
	struct priced *next;
	uint64_t hash;
	struct engine_input view;        /* what its layers are priced for */
	bool has[GRAPH_PART_COUNT];
	struct arena *arena;
	struct cost cost;
	struct recompute_flags flags;
	struct engine_efficiency efficiency;
	struct known_stage *stages;
	uint32_t kinds;
	struct known_rank *ranks;
	struct replayed *replays;
};

/*
 * engine.c: operators, flags and sums of the kinds of layers there are, for cost.in; scratch is cost.arena,
 * what stays goes to `kept`. False after an error.
 */
bool engine_price_layers(struct priced *priced, const bool has[GRAPH_PART_COUNT], struct arena *kept);

/* layers_place(), remembered: sets cost.stage and has[]. */
void memo_place(struct engine_memo *memo, struct cost *cost, bool has[GRAPH_PART_COUNT]);

/* The layers of a job; NULL when they cannot be priced, and nothing was said. */
struct priced *memo_priced(struct engine_memo *memo, const struct engine_input *input,
			   const bool has[GRAPH_PART_COUNT], struct arena *scratch);

/* The replay of the job that priced->cost stands for; NULL when nothing is remembered at all. */
struct replayed *memo_replayed(struct priced *priced, const double *transfer);

#endif
