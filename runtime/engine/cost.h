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

enum { COST_SHAPES_MAX = 128, COST_OPERATORS_MAX = 192 };

/*
 * Groups inside those of the result, which only the engine looks at. With strategy.shard_group the
 * data-parallel ranks fall into groups that share one copy of what is cut, and into groups of one
 * rank of every copy; strategy.gather_group cuts the former once more.
 */
enum {
	GROUP_SHARD = GROUP_COUNT, /* ranks that share one copy of dense states */
	GROUP_REPLICA,             /* the same rank of every copy */
	GROUP_GATHER,              /* ranks that share a gathered copy of dense weights */
	GROUP_EXPERT_SHARD,
	GROUP_EXPERT_REPLICA,
	GROUP_EXPERT_GATHER,
	GROUP_CP_INNER, /* of two levels of context parallelism: ranks that exchange heads, */
	GROUP_CP_OUTER, /* and the ring of such groups */
	COST_GROUPS
};

/* What passes over one part of the graph add up to (embedding, a layer, head). */
struct sums {
	double forward, backward, replay; /* compute, s */
	double forward_network[TRAFFIC_COUNT], backward_network[TRAFFIC_COUNT];
	double replay_network[TRAFFIC_COUNT];
	double forward_flops, backward_flops, replay_flops;
	double attention[2];      /* compute of attention, forward and backward */
	double ring[2], ring_replay; /* keys and values that go around, forward, backward, again */
	double shared;            /* forward compute of shared experts */
	double expert_wgrad;      /* weight gradients of experts */
	double expert_compute[2]; /* grouped linears once, and again in backward */
	double dispatch_forward, dispatch_backward; /* traffic of the dispatch alone */
	double deferred, deferred_network[TRAFFIC_COUNT]; /* of backward: what can wait */
	double offloaded;                           /* bytes to the host */
	int64_t kernels[2];
};

/* What one part of the graph holds. */
struct held {
	int64_t parameters, weights;               /* all */
	int64_t expert_parameters, expert_weights; /* of routed experts */
	int64_t tensor_reduced;
	int64_t deferred; /* bytes of activations that weight gradients wait with */
};

/*
 * How often a stage runs each part of the graph, and how often it holds its weights. The head runs
 * once for each predicted token and is held once, and not at all where it is tied to a table the
 * stage has anyway; layers for further tokens share one table of embeddings with each other.
 */
struct census {
	int64_t runs[GRAPH_PART_COUNT], holds[GRAPH_PART_COUNT];
};

/* One stage's layers, those for further tokens behind the others: for each the part it is. */
struct stage_layers {
	const struct engine_layout_stage *in;
	const uint8_t *part;
	struct census count;
};

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
	struct group group[COST_GROUPS];
	struct graph *graph; /* while layers are priced */
	int64_t routed_sent, routed_held; /* routed tokens a GPU sends, and computes */
	bool narrow;                      /* linears have quantised operands */
	int64_t boundary;                 /* bytes of an activation between stages, on one GPU */
	struct stage_layers *stage;       /* stage_count */
	const struct rank_sum *const *rank; /* of each rank; one for all whose chunks do the same */
	struct engine_operator *op;       /* charged operators, parts in order */
	int first[GRAPH_PART_COUNT + 1];
	struct sums sums[GRAPH_PART_COUNT];
	struct held held[GRAPH_PART_COUNT];
	double products[GRAPH_PART_COUNT]; /* multiply-adds a token, as model FLOPs count them */
	/* shapes looked up so far */
	struct engine_shape *shape;
	double *shape_efficiency; /* of an earlier answer */
	bool *shape_hit;
	int shapes;
	struct engine_schedule_log *log; /* NULL: nobody asked for it */
	struct tapes *tapes;             /* NULL: nothing is remembered */
};

/* Turns to a job; what was derived from one like it stays. */
void cost_begin(struct cost *cost, const struct engine_input *in, struct arena *arena,
		struct engine_error *error);

/* Remembers the first failure; returns false so that callers can return it. */
bool cost_fail(struct cost *cost, enum engine_status status, const char *what, int64_t size);

/*
 * True when attention keeps its output as computed, before the exchange of context parallelism, so
 * that backward need not exchange it again (Transformer Engine's behaviour since a version of the
 * profile).
 */
bool cost_keeps_own_output(const struct cost *cost);

/* Share of the full score matrix of `keys` queries and keys that a masked or windowed attention needs. */
double cost_mask_share(const struct engine_attention *attention, double keys);

/* The attention of the layers of a part; of the other parts, the full one. */
const struct engine_attention *cost_attention(const struct cost *cost, enum graph_part part);

/* Ranks of the inner level of context parallelism: those of all of it where there is one level. */
static inline int64_t cost_cp_inner(const struct engine_parallel *p)
{
	return p->cp_comm == CP_A2A_P2P ? p->cp_inner : p->cp;
}

/* layers/layers.c: which part of the graph every layer of every stage is; has[part]: any layer is it. */
bool layers_place(struct cost *cost, bool has[GRAPH_PART_COUNT]);

/* True when both stages do the same. */
bool layers_equal(const struct stage_layers *a, const struct stage_layers *b);

/* layers/layers.c: routed tokens a GPU sends to experts, and how many it computes. */
void layers_route(struct cost *cost);

/* check.c: positive sizes, supported features, sizes that cannot overflow. */
bool check_input(struct cost *cost);

/*
 * Of that, all that looks at how states are spread: groups that share a copy divide the ranks that could, gather
 * groups divide those.
 */
bool check_spread(struct cost *cost);

/* The same for a model by itself: is it one whose parameters can be counted? */
bool check_model(struct cost *cost);

/* machine/network.c: sizes, strides and levels of all groups. */
bool network_place(struct cost *cost);

/* Level of the link between the rank stages `from` and `to`. */
int network_boundary_level(const struct cost *cost, int64_t from, int64_t to);

/*
 * Seconds of one collective of `payload` bytes over a group, one of enum engine_group or of those above. `gradient` marks data-parallel
 * traffic, which may have measured rates of its own.
 */
double network_time(const struct cost *cost, int group, enum collective collective, double payload,
		    bool gradient);

/* Seconds of one transfer between two neighbours over the link of `level`. */
double network_p2p(const struct cost *cost, int level, double payload);

/* machine/kernel.c: seconds of one kernel; shape NULL when the kernel has no table. */
double kernel_time(struct cost *cost, enum kernel kernel, double flops, double bytes,
		   const struct engine_shape *shape);

/* Seconds of a pass over `bytes` of memory. */
double traffic_time(const struct hardware *hardware, enum kernel kernel, double bytes);

/* operators/operators.c: prices the graph's operators into cost->op, which goes to `kept`. */
bool cost_operators(struct cost *cost, struct arena *kept);

/* layers/typed.c: formats, widths and token counts that every later step takes for granted; the graph of the
 * kinds of layers there are. */
bool typed_derive(struct cost *cost);
bool typed_graph(struct cost *cost, const bool has[GRAPH_PART_COUNT]);

/* The vocabulary rounded up so that every tensor-parallel rank holds a multiple of the unit. */
int64_t cost_padded_vocab(const struct engine_input *in);

/* True of linears, whose weight gradients can be made later than those of their inputs. */
bool operator_defers(const struct engine_operator *op);

/* How layers recompute. Arrays run over the charged operators. */
struct recompute_flags {
	bool run[COST_OPERATORS_MAX];    /* belongs to a segment that backward makes again */
	bool again[COST_OPERATORS_MAX];  /* and is executed for it */
	bool shared[COST_OPERATORS_MAX]; /* its input is cached by a neighbour */
	bool ends[COST_OPERATORS_MAX];   /* a segment ends behind it */
	bool any;
};

/* stage/recompute.c: flags of a layer that recomputes. */
void recompute_flags(const struct cost *cost, struct recompute_flags *flags);

/* True when layer i of a stage recomputes. */
bool recompute_layer(const struct cost *cost, const struct engine_layout_stage *stage, int64_t i);

/* stage/sums.c: sums and holdings of every part, into cost->sums and cost->held. */
void sums_evaluate(struct cost *cost, const struct recompute_flags *flags);

/* stage/walk.c: cache and peak of one stage's forward and backward. */
struct walk {
	int64_t cache; /* kept per micro-batch */
	int64_t peak;
	int64_t forward, backward, replay_forward, replay_backward; /* peaks by kind */
	int64_t logits; /* bytes of logits and loss alive at the peak */
	int64_t deferred; /* kept while weight gradients wait */
	int64_t backward_peak; /* highest point of a backward, what its forward kept included; never below that */
};

void walk_stage(const struct cost *cost, const struct stage_layers *stage,
		const struct recompute_flags *flags, struct walk *walk);

/* stage/stage.c: times, weights and activations of one stage. */
void stage_evaluate(struct cost *cost, const struct recompute_flags *flags,
		    const struct stage_layers *layers, struct engine_stage *stage,
		    struct walk *walk);

/*
 * stage/states.c: what a rank holds for all its chunks: weights, gradients, optimizer, buffers;
 * written into its first chunk, zero into the others.
 */
void states_evaluate(const struct cost *cost, struct engine_result *result);

/*
 * schedule/pipeline.c: seconds until the last rank is done with all micro-batches. Virtual stage i
 * sits on rank i mod ranks, chunk i div ranks.
 */
enum pipeline_order {
	ORDER_ALTERNATE, /* a forward and a backward in turn, through one chunk or several */
	ORDER_ZB1P,      /* weight gradients wait, as many activations as ORDER_ALTERNATE */
	ORDER_ZB2P,      /* they wait longer, and more forwards run ahead */
	ORDER_DUALPIPE   /* two directions: rank r has stage r and stage ranks - 1 - r, one chunk each */
};

struct pipeline {
	enum pipeline_order order;
	int64_t ranks, chunks, micro_batches;
	int64_t group; /* micro-batches a chunk runs before the next has its turn */
	const double *forward, *backward; /* s per virtual stage; in two directions, per stage */
	const double *weight; /* s of `backward` that can wait; not of ORDER_ALTERNATE */
	const double *transfer;           /* s from virtual stage i to i + 1, 0 behind the last */
	bool blocking;                    /* a transfer holds both sides until it is through */
	bool overlapped;                  /* not blocking: sending costs the sender nothing */
	bool whole;                       /* walk over every micro-batch, however they repeat */
	struct tapes *tapes;              /* where orders that were found are kept; or NULL */
	struct engine_schedule_log *log;  /* with `whole`: what happens when; else NULL */
};

/* False when the schedule cannot finish. */
bool pipeline_time(const struct pipeline *pipeline, struct arena *arena, double *seconds);

/* stage/states.c: ranks that share one sharded copy of dense states, and of experts' states. */
int64_t cost_dense_shard(const struct cost *cost);
int64_t cost_expert_shard(const struct cost *cost);

/*
 * stage/rank.c: the virtual stages of a rank, i from 0. Under dualpipe the second is the one from
 * the other end of the pipeline.
 */
int64_t rank_stages(const struct cost *cost);
int64_t rank_stage(const struct cost *cost, int64_t rank, int64_t i);

/* Share of the micro-batches that go through each of them. */
double rank_share(const struct cost *cost);

/* The order of a job's pipeline. */
enum pipeline_order cost_order(const struct cost *cost);

/* Bytes of dense parameters, and of those of experts, which other ranks share. */
struct family_bytes {
	int64_t dense, expert;
};

/*
 * What the chunks of one rank add up to, whatever the other ranks do and however states are spread; times
 * per micro-batch.
 */
struct rank_sum {
	int64_t parameters, expert_parameters, tensor_reduced;
	struct family_bytes weights; /* whole */
	struct family_bytes largest; /* weights of its largest part: what is gathered and freed as one */
	int64_t dummies;       /* bytes of unused gradients that Transformer Engine keeps */
	double forward, backward; /* as the pipeline sees them */
	double forward_compute, backward_compute, recompute_compute;
	double tensor_network, context_network, expert_network;
	double hidden_tensor, hidden_context, hidden_expert, penalty, offload;
	double expert_compute;
	bool table; /* holds rows of the embedding, be it as a tied output matrix */
};

/* A virtual stage that has been evaluated. */
struct known_stage {
	struct known_stage *next;
	struct engine_layout_stage in;
	struct stage_layers layers;
	struct engine_stage stage;
	struct walk walk;
};

/* stage/rank.c: its chunks, into an empty sum; stage/held.c: their weights. */
void rank_evaluate(const struct cost *cost, const struct known_stage *const *chunk, struct rank_sum *sum);
void rank_holds(const struct cost *cost, const struct known_stage *const *chunk, struct rank_sum *sum);

/* stage/update.c: gradient traffic, parameter traffic and optimizer step of every rank. */
void update_evaluate(const struct cost *cost, struct engine_result *result);

/* stage/memory.c: what the activations of a rank come to at their highest. */
struct alive {
	int64_t bytes, logits, micro_batches;
};

/* Of every rank. `stage` has one entry per virtual stage. */
void alive_evaluate(const struct cost *cost, const struct known_stage *const *stage, struct alive *alive);

/* Peaks of all ranks, and the worst one. */
void memory_evaluate(const struct cost *cost, const struct alive *alive,
		     struct engine_result *result);

/*
 * layers/counts.c: FLOPs of the model. counts_products() reads the graph, while it is there; the others need the
 * stages' layers. counts_fit() tells whether its parameters fit 61 bits.
 */
bool counts_fit(const struct engine_model *model);
void counts_products(struct cost *cost);
double counts_flops_per_token(const struct cost *cost);
void counts_evaluate(const struct cost *cost, struct engine_counts *counts);

/* schedule/timeline.c: names the layers of every stage in the log, and those of them that recompute. */
void timeline_layers(const struct cost *cost);

/* stage/step.c: from stages and pipeline to the step, its parts, memory and throughput. */
void step_evaluate(const struct cost *cost, const double *transfer, struct engine_result *result);

#endif
