#ifndef PLAN_SCHEDULE_SCHEDULE_H
#define PLAN_SCHEDULE_SCHEDULE_H

/*
 * In which order the ranks of a pipeline run their forwards and backwards. Private to the engine.
 *
 * Every rank runs warm[r] forwards, then a forward and a backward in turn, then the backwards that
 * are left. Piece k is the k-th forward and the k-th backward of every rank: with several chunks,
 * `group` micro-batches go through the first chunk, then through the second, and so on; backwards
 * take the chunks the other way round.
 */

#include "runtime/engine/cost.h"

struct piece {
	int32_t chunk;  /* of the forward; the backward's is chunks - 1 - chunk */
	int32_t sample; /* micro-batch */
	int32_t turn; /* micro-batches of its group: pieces between two chunks of one micro-batch */
};

/* What a rank does next. A backward is whole, or in two: gradients of inputs, later of weights. */
enum run { RUN_FORWARD, RUN_BACKWARD, RUN_INPUT, RUN_WEIGHT };

struct pass {
	int32_t sample, chunk;
	int32_t mark; /* entry of the rank's marks that its end goes to; -1: none */
	uint8_t run;  /* enum run */
	bool joined;  /* a forward beside the backward that comes next: both end together */
};

/* What a rank does in a step, from first to last. */
struct program {
	struct pass *at;
	int64_t count;
};

struct schedule {
	const struct pipeline *in;
	int64_t micro_batches; /* replayed, may be fewer than in->micro_batches */
	int64_t pieces; /* forwards of a rank: micro_batches * chunks, in two directions micro_batches */
	const struct piece *piece;
	const int64_t *warm; /* per rank */
	/* times after the forward and at the end of step k of a rank's alternating phase */
	double *mark;
	int64_t mark_stride; /* per rank */
};

/* Tables in the arena. */
void schedule_make(struct schedule *s, const struct pipeline *in, int64_t micro_batches,
		   struct arena *arena);

/*
 * Virtual stages in the order of what flows through them: those of both directions one behind the
 * other. pipeline_rank() is where it runs, pipeline_stage() which stage of the model it is, pipeline_chain() how many follow each
 * other before the flow ends.
 */
static inline int64_t pipeline_node(const struct pipeline *in, int64_t rank, int64_t chunk)
{
	if (in->order == ORDER_DUALPIPE && chunk == 1)
		return 2 * in->ranks - 1 - rank;
	return chunk * in->ranks + rank;
}

static inline int64_t pipeline_rank(const struct pipeline *in, int64_t node)
{
	if (in->order == ORDER_DUALPIPE && node >= in->ranks)
		return 2 * in->ranks - 1 - node;
	return node % in->ranks;
}

static inline int64_t pipeline_stage(const struct pipeline *in, int64_t node)
{
	return in->order == ORDER_DUALPIPE ? node % in->ranks : node;
}

static inline int64_t pipeline_chain(const struct pipeline *in)
{
	return in->order == ORDER_DUALPIPE ? in->ranks : in->ranks * in->chunks;
}

/* Writes what rank r does; room for three passes a piece. programs.c */
void schedule_program(const struct schedule *s, int64_t rank, struct program *program);

/* Forwards and backwards in turn of rank r: the steps of its alternating phase. */
int64_t schedule_steps(const struct schedule *s, int64_t rank);

/* Micro-batches by which a schedule may be longer and still be the same at both ends. */
int64_t schedule_turn(const struct pipeline *in);

/* The first step that is like all later ones on every rank. */
int64_t schedule_regular(const struct pipeline *in);

/*
 * Steps of the alternating phase that belong together lie `lag` apart on neighbouring ranks: with
 * one chunk a backward goes up in the step it came down in, with several it takes one more. A
 * period is the steps after which a rank does the same again; `window` is how many steps a message
 * can be under way, and one more.
 */
int64_t schedule_lag(const struct pipeline *in);
int64_t schedule_period(const struct pipeline *in);
int64_t schedule_window(const struct pipeline *in);

/*
 * Micro-batches in which every rank alternates for `periods` periods and the first and last of them
 * can be compared; they leave the same remainder in groups as all micro-batches do.
 */
int64_t schedule_enough(const struct pipeline *in, int64_t periods);

static inline void schedule_mark(const struct schedule *s, int64_t rank, int64_t step, int phase,
				 double now)
{
	s->mark[rank * s->mark_stride + 2 * step + phase] = now;
}

static inline double schedule_marked(const struct schedule *s, int64_t rank, int64_t step,
				     int phase)
{
	return s->mark[rank * s->mark_stride + 2 * step + phase];
}

/* Writes a pass or transfer into the log, when there is one. `node` is the one it leaves. */
void schedule_log(const struct schedule *s, enum pass_kind kind, int64_t node, int64_t sample,
		  double start, double end);

/*
 * When the last rank is done. replay_handshakes: one chunk, each transfer holds both neighbours;
 * replay_bundles: chunks, transfers issued together end together; replay_messages: transfers do not
 * hold the receiver. False when the ranks wait for each other in a circle.
 */
bool replay_handshakes(const struct schedule *s, struct arena *arena, double *seconds);
bool replay_bundles(const struct schedule *s, struct arena *arena, double *seconds);
bool replay_messages(const struct schedule *s, struct arena *arena, double *seconds);

#endif
