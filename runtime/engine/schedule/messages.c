/*
 * messages.c - ranks that work as soon as what they need has come.
 *
 * A forward needs the result of the virtual stage before it, a backward that of the one behind it;
 * a message is there when its sender is done, plus the transfer. Receiving costs nothing; sending
 * costs the sender the transfer, unless transfers overlap with its work.
 */

#include "runtime/engine/schedule/tape.h"

struct rank_state {
	double now, began; /* began: when its first forward did */
	int64_t at;        /* next pass of its program */
};

enum { FORWARD, BACKWARD, DIRECTIONS };

struct replay {
	const struct schedule *s;
	struct rank_state *rank;
	struct program *program;
	double *sent[DIRECTIONS];  /* when the result of a node for a micro-batch is with its neighbour */
	int64_t *done[DIRECTIONS]; /* micro-batches a node has sent */
	struct tape *tape;             /* takes down what runs; NULL: nobody wants to know */
	uint32_t *taken[DIRECTIONS];   /* parallel to `sent`: the pass on the tape, from 1 */
};

static bool is_last(const struct pipeline *in, int64_t node, int direction)
{
	return pipeline_stage(in, node) == (direction == FORWARD ? pipeline_chain(in) - 1 : 0);
}

/* When what a pass needs arrived; false while it has not been sent. */
static bool arrival(const struct replay *w, int64_t node, const struct pass *pass, double *at)
{
	const int direction = pass->run == RUN_FORWARD ? FORWARD : BACKWARD;
	const int64_t from = direction == FORWARD ? node - 1 : node + 1;

	*at = 0;
	if (pass->run == RUN_WEIGHT || is_last(w->s->in, node, 1 - direction))
		return true;
	if (pass->sample >= w->done[direction][from])
		return false;
	*at = w->sent[direction][from * w->s->micro_batches + pass->sample];
	return true;
}

static double duration(const struct pipeline *in, int64_t node, const struct pass *pass)
{
	const int64_t stage = pipeline_stage(in, node);

	switch ((enum run)pass->run) {
	case RUN_FORWARD:
		return in->forward[stage];
	case RUN_BACKWARD:
		break;
	case RUN_INPUT:
		return in->backward[stage] - in->weight[stage];
	case RUN_WEIGHT:
		return in->weight[stage];
	}
	return in->backward[stage];
}

/* In the order of enum run. */
static const enum pass_kind kinds[] = { PASS_FORWARD, PASS_BACKWARD, PASS_INPUT, PASS_WEIGHT };

static void write_log(const struct replay *w, int64_t node, const struct pass *pass, double start,
		      double end, double there)
{
	const bool forward = pass->run == RUN_FORWARD;

	schedule_log(w->s, kinds[pass->run], node, pass->sample, start, end);
	if (pass->run != RUN_WEIGHT && !is_last(w->s->in, node, forward ? FORWARD : BACKWARD))
		schedule_log(w->s, forward ? PASS_SEND_FORWARD : PASS_SEND_BACKWARD, node,
			     pass->sample, end, there);
}

/* Sends on what a pass made by `end`; returns the seconds it is on the way. */
static double send(struct replay *w, int64_t node, const struct pass *pass, double start, double end)
{
	const struct pipeline *in = w->s->in;
	const int direction = pass->run == RUN_FORWARD ? FORWARD : BACKWARD;
	const int64_t stage = pipeline_stage(in, node);
	double way = 0;

	if (pass->run == RUN_WEIGHT) {
		if (in->log)
			write_log(w, node, pass, start, end, end);
		return 0;
	}
	if (!is_last(in, node, direction))
		way = in->transfer[direction == FORWARD ? stage : stage - 1];
	w->sent[direction][node * w->s->micro_batches + pass->sample] = end + way;
	w->done[direction][node]++;
	if (in->log)
		write_log(w, node, pass, start, end, end + way);
	return way;
}

/* Takes down a pass that has run: where it stands on the tape, and what it waited for. */
static void take_down(const struct replay *w, int64_t rank, int64_t node, const struct pass *pass)
{
	const struct pipeline *in = w->s->in;
	const int direction = pass->run == RUN_FORWARD ? FORWARD : BACKWARD;
	const int64_t from = direction == FORWARD ? node - 1 : node + 1;
	const bool waits = pass->run != RUN_WEIGHT && !is_last(in, node, 1 - direction);
	struct tape_pass *p = &w->tape->at[w->tape->count++];

	*p = (struct tape_pass){
		.source = waits ? w->taken[direction][from * w->s->micro_batches + pass->sample] : 0,
		.work = (uint32_t)(pass->run * pipeline_chain(in) + pipeline_stage(in, node)),
		.mark = pass->mark < 0 ? -1 : (int32_t)(rank * w->s->mark_stride) + pass->mark,
		.rank = (uint32_t)rank
	};
	if (pass->run != RUN_WEIGHT)
		w->taken[direction][node * w->s->micro_batches + pass->sample] =
			(uint32_t)w->tape->count;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Runs the next pass of a rank, or the two that go together; false when what it needs is missing. */
static bool run_next(struct replay *w, int64_t rank)
{
	const struct pipeline *in = w->s->in;
	struct rank_state *state = &w->rank[rank];
	const struct pass *pass = &w->program[rank].at[state->at];
	const int passes = pass->joined ? 2 : 1;
	double start = state->now, took = 0, way = 0, came;
	int64_t node[2];

	for (int i = 0; i < passes; i++) {
		node[i] = pipeline_node(in, rank, pass[i].chunk);
		if (!arrival(w, node[i], &pass[i], &came))
			return false;
		start = larger(start, came);
		took += duration(in, node[i], &pass[i]);
	}
	if (state->at == 0)
		state->began = start;
	state->now = start + took;
	for (int i = 0; i < passes; i++)
		way = larger(way, send(w, node[i], &pass[i], start, start + took));
	for (int i = 0; w->tape && i < passes; i++)
		take_down(w, rank, node[i], &pass[i]);
	if (!in->overlapped)
		state->now += way;
	for (int i = 0; i < passes; i++)
		if (pass[i].mark >= 0)
			w->s->mark[rank * w->s->mark_stride + pass[i].mark] = state->now;
	state->at += passes;
	return true;
}

/* Runs a rank until it ends or waits. Returns whether it did anything. */
static bool advance(struct replay *w, int64_t rank)
{
	bool moved = false;

	while (w->rank[rank].at < w->program[rank].count) {
		if (!run_next(w, rank))
			break;
		moved = true;
	}
	return moved;
}

/* A tape for this replay, where there is a place for it and an order that it can tell. */
static void load_tape(struct replay *w, struct arena *arena)
{
	const struct pipeline *in = w->s->in;
	int64_t passes = 0;

	if (!in->tapes || (in->order != ORDER_ALTERNATE && in->order != ORDER_ZB1P))
		return;
	for (int64_t r = 0; r < in->ranks; r++)
		passes += w->program[r].count;
	w->tape = tape_make(in->tapes, in, w->s->micro_batches, passes);
	for (int d = 0; d < DIRECTIONS; d++)
		w->taken[d] = ARENA_ARRAY(arena, uint32_t,
					  in->ranks * in->chunks * w->s->micro_batches);
}

static struct replay prepare(const struct schedule *s, struct arena *arena)
{
	const struct pipeline *in = s->in;
	const int64_t nodes = in->ranks * in->chunks, passes = in->order == ORDER_ALTERNATE ? 2 : 3;
	struct replay w = { .s = s,
			    .rank = ARENA_ARRAY(arena, struct rank_state, in->ranks),
			    .program = ARENA_ARRAY(arena, struct program, in->ranks) };

	for (int64_t r = 0; r < in->ranks; r++) {
		w.program[r].at = ARENA_ARRAY(arena, struct pass, passes * s->pieces);
		schedule_program(s, r, &w.program[r]);
	}
	for (int d = 0; d < DIRECTIONS; d++) {
		w.sent[d] = ARENA_ARRAY(arena, double, nodes * s->micro_batches);
		w.done[d] = ARENA_ARRAY(arena, int64_t, nodes);
	}
	load_tape(&w, arena);
	return w;
}

bool replay_messages(const struct schedule *s, struct arena *arena, double *seconds)
{
	const int64_t ranks = s->in->ranks;
	/* Where ranks need not wait for each other at the end of a step, the longest of them counts. */
	const bool shifted = s->in->order == ORDER_ZB2P;
	const struct tape *known = s->in->tapes ? tape_find(s->in->tapes, s->in, s->micro_batches) : NULL;
	struct replay w;
	bool moved = true, finished = true;

	if (known) {
		*seconds = tape_play(known, s, arena);
		return true;
	}
	w = prepare(s, arena);

	while (moved) {
		moved = false;
		for (int64_t r = 0; r < ranks; r++)
			moved |= advance(&w, r);
		for (int64_t r = ranks - 1; r >= 0; r--)
			moved |= advance(&w, r);
	}
	*seconds = 0;
	for (int64_t r = 0; r < ranks; r++) {
		*seconds = larger(*seconds, w.rank[r].now - (shifted ? w.rank[r].began : 0));
		finished &= w.rank[r].at == w.program[r].count;
	}
	if (finished && w.tape)
		tape_keep(s->in->tapes, w.tape);
	return finished;
}
