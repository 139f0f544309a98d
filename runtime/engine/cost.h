#ifndef PLAN_ENGINE_COST_H
#define PLAN_ENGINE_COST_H

/* What the engine's files share while one job is evaluated. Private to the engine. */

#include "runtime/engine/engine.h"

/* A group of GPUs that communicate, and where. */
struct group {
	int64_t size;
	int64_t stride; /* distance of neighbours in rank order */
	int level;
};

enum { COST_SHAPES_MAX = 64 };

struct cost {
	const struct engine_input *in;
	const struct profile *profile;
	const struct hardware *hardware;
	struct arena *arena;
	struct engine_error *error;
	bool failed;
	int64_t element; /* bytes of the compute dtype */
	int64_t weight_element, gradient_element;
	int64_t vocab; /* padded */
	struct group group[GROUP_COUNT];
	struct graph *graph;
	struct engine_operator op[GRAPH_OPERATORS_MAX]; /* charged operators, parts in order */
	int first[GRAPH_PART_COUNT + 1];
	/* shapes looked up so far */
	struct engine_shape shape[COST_SHAPES_MAX];
	double shape_efficiency[COST_SHAPES_MAX]; /* of an earlier answer */
	bool shape_hit[COST_SHAPES_MAX];
	int shapes;
};

/* Remembers the first failure; returns false so that callers can return it. */
bool cost_fail(struct cost *cost, enum engine_status status, const char *what, int64_t size);

/*
 * True when attention keeps its output as computed, before the exchange of context parallelism, so
 * that backward need not exchange it again (Transformer Engine's behaviour since a version of the
 * profile).
 */
bool cost_keeps_own_output(const struct cost *cost);

/* check.c: positive sizes, supported features, sizes that cannot overflow. */
bool check_input(struct cost *cost);

/* The same for a model by itself: is it one whose parameters can be counted? */
bool check_model(struct cost *cost);

/* machine/network.c: sizes, strides and levels of all groups. */
bool network_place(struct cost *cost);

/* Level of the link between rank stages r and r + 1. */
int network_boundary_level(const struct cost *cost, int64_t rank);

/*
 * Seconds of one collective of `payload` bytes over a group. `gradient` marks data-parallel
 * traffic, which may have measured rates of its own.
 */
double network_time(const struct cost *cost, enum engine_group group, enum collective collective,
		    double payload, bool gradient);

/* Seconds of one transfer between two neighbours over the link of `level`. */
double network_p2p(const struct cost *cost, int level, double payload);

/* machine/kernel.c: seconds of one kernel; shape NULL when the kernel has no table. */
double kernel_time(struct cost *cost, enum kernel kernel, double flops, double bytes,
		   const struct engine_shape *shape);

/* Seconds of a pass over `bytes` of memory. */
double traffic_time(const struct hardware *hardware, enum kernel kernel, double bytes);

/* operators/operators.c: prices the graph's operators into cost->op. */
bool cost_operators(struct cost *cost);

/* How one stage recomputes. Arrays run over the operators of a layer. */
struct recompute_flags {
	bool run[GRAPH_OPERATORS_MAX];    /* executed again in backward */
	bool shared[GRAPH_OPERATORS_MAX]; /* its input is cached by a neighbour */
	bool tail[GRAPH_OPERATORS_MAX];   /* belongs to a segment but is not executed again */
	bool ends[GRAPH_OPERATORS_MAX];   /* a segment ends behind it */
	bool any;
};

/* stage/recompute.c: flags of a layer that recomputes. */
void recompute_flags(const struct cost *cost, struct recompute_flags *flags);

/* True when layer i of a stage recomputes. */
bool recompute_layer(const struct cost *cost, const struct engine_layout_stage *stage, int64_t i);

/* stage/walk.c: cache and peak of one stage's forward and backward. */
struct walk {
	int64_t cache; /* kept per micro-batch */
	int64_t peak;
	int64_t forward, backward, replay_forward, replay_backward; /* peaks by kind */
	int64_t logits; /* bytes of logits and loss alive at the peak */
};

void walk_stage(const struct cost *cost, const struct engine_layout_stage *stage,
		const struct recompute_flags *flags, struct walk *walk);

/* stage/stage.c: times, static memory and activations of one stage. */
void stage_evaluate(struct cost *cost, const struct recompute_flags *flags,
		    const struct engine_layout_stage *layout, struct engine_stage *stage);

/* stage/pipeline.c: seconds until the last rank is done with all micro-batches. */
struct pipeline {
	int64_t ranks, micro_batches;
	const double *forward, *backward; /* s per rank */
	const double *transfer;           /* s between rank r and r + 1, ranks - 1 entries */
	bool blocking;                    /* a transfer holds both sides until it is through */
	bool overlapped;                  /* not blocking: sending costs the sender nothing */
};

/* False when the schedule cannot finish. */
bool pipeline_time(const struct pipeline *pipeline, struct arena *arena, double *seconds);

/* stage/update.c: gradient traffic, parameter traffic and optimizer step of a stage. */
void update_evaluate(const struct cost *cost, struct engine_stage *stage);

/* counts.c: parameters and FLOPs of the model; counts_fit() tells whether they fit 61 bits. */
bool counts_fit(const struct engine_model *model);
void counts_evaluate(const struct cost *cost, struct engine_counts *counts);

/* step.c: from stages and pipeline to the step, its parts, memory and throughput. */
void step_evaluate(const struct cost *cost, const double *transfer, struct engine_result *result);

#endif
