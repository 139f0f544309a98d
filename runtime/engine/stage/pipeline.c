/*
 * pipeline.c - when the last rank of a one-forward-one-backward pipeline is done.
 *
 * Every rank runs a fixed program: warm-up forwards, then alternating forward and backward, then
 * the remaining backwards. The replay follows the programs and lets ranks wait for one another; its
 * result depends on the programs alone, not on the order in which ranks are advanced.
 */

#include "runtime/engine/cost.h"

enum action { ACT_END, ACT_FORWARD, ACT_BACKWARD, ACT_SEND_F, ACT_RECV_F, ACT_SEND_B, ACT_RECV_B };

struct replay {
	const struct pipeline *in;
	uint8_t *program; /* ranks programs, `stride` actions apart */
	int64_t stride;
	int64_t *at; /* next action of each rank */
	double *now;
	bool *waiting;  /* blocked at a transfer */
	int64_t *ready; /* stack of ranks that can go on */
	int64_t ready_count;
	/* not blocking: arrival times of messages, by rank and micro-batch, and how many came */
	double *arrived[2];
	int64_t *messages[2];
	int64_t *done[2]; /* forwards and backwards computed */
};

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * Writes rank r's program; transfers only when they block. Neighbours exchange in opposite order.
 */
static void write_program(const struct pipeline *in, int64_t r, uint8_t *p)
{
	const bool first = r == 0, last = r == in->ranks - 1, transfers = in->blocking;
	const int64_t m = in->micro_batches, warm = min64(in->ranks - 1 - r, m), rest = m - warm;
	const bool send_first = r % 2 == 1;

	for (int64_t i = 0; i < warm; i++) {
		if (!first && transfers)
			*p++ = ACT_RECV_F;
		*p++ = ACT_FORWARD;
		if (!last && transfers)
			*p++ = ACT_SEND_F;
	}
	if (!first && transfers && rest > 0)
		*p++ = ACT_RECV_F;
	for (int64_t i = 0; i < rest; i++) {
		*p++ = ACT_FORWARD;
		if (!last && transfers) {
			*p++ = send_first ? ACT_SEND_F : ACT_RECV_B;
			*p++ = send_first ? ACT_RECV_B : ACT_SEND_F;
		}
		*p++ = ACT_BACKWARD;
		if (first || !transfers)
			continue;
		if (i == rest - 1) {
			*p++ = ACT_SEND_B;
		} else {
			*p++ = send_first ? ACT_SEND_B : ACT_RECV_F;
			*p++ = send_first ? ACT_RECV_F : ACT_SEND_B;
		}
	}
	for (int64_t i = 0; i < warm; i++) {
		if (!last && transfers)
			*p++ = ACT_RECV_B;
		*p++ = ACT_BACKWARD;
		if (!first && transfers)
			*p++ = ACT_SEND_B;
	}
	*p = ACT_END;
}

static void wake(struct replay *w, int64_t rank)
{
	w->ready[w->ready_count++] = rank;
}

/* Both sides of a transfer leave when the later one came, plus the transfer. False: must wait. */
static bool meet(struct replay *w, int64_t rank, enum action action)
{
	static const uint8_t counterpart[] = {
		[ACT_SEND_F] = ACT_RECV_F,
		[ACT_RECV_F] = ACT_SEND_F,
		[ACT_SEND_B] = ACT_RECV_B,
		[ACT_RECV_B] = ACT_SEND_B,
	};
	const bool up = action == ACT_SEND_F || action == ACT_RECV_B;
	const int64_t peer = up ? rank + 1 : rank - 1;

	if (!w->waiting[peer] ||
	    w->program[peer * w->stride + w->at[peer]] != counterpart[action]) {
		w->waiting[rank] = true;
		return false;
	}

	double later = w->now[rank] > w->now[peer] ? w->now[rank] : w->now[peer];

	later += w->in->transfer[up ? rank : peer];
	w->now[rank] = later;
	w->now[peer] = later;
	w->waiting[peer] = false;
	w->at[peer]++;
	wake(w, peer);
	return true;
}

/*
 * Computes one micro-batch of direction 0 (forward) or 1 (backward) when its message is there, and
 * posts the result to the next rank. False: the message is missing.
 */
static bool compute_message(struct replay *w, int64_t rank, int direction)
{
	const struct pipeline *in = w->in;
	const int64_t from = direction == 0 ? 0 : in->ranks - 1; /* needs no message */
	const int64_t to = direction == 0 ? in->ranks - 1 : 0;   /* sends none */
	const int64_t i = w->done[direction][rank];
	const int64_t next = direction == 0 ? rank + 1 : rank - 1;

	if (rank != from) {
		if (i >= w->messages[direction][rank]) {
			w->waiting[rank] = true;
			return false;
		}

		double arrival = w->arrived[direction][rank * in->micro_batches + i];

		if (w->now[rank] < arrival)
			w->now[rank] = arrival;
	}
	w->now[rank] += direction == 0 ? in->forward[rank] : in->backward[rank];
	w->done[direction][rank]++;
	if (rank == to)
		return true;

	double transfer = in->transfer[direction == 0 ? rank : next];

	w->arrived[direction][next * in->micro_batches + i] = w->now[rank] + transfer;
	w->messages[direction][next]++;
	if (!in->overlapped)
		w->now[rank] += transfer;
	if (w->waiting[next]) {
		w->waiting[next] = false;
		wake(w, next);
	}
	return true;
}

/* Runs a rank until it ends or waits. */
static void advance(struct replay *w, int64_t rank)
{
	const struct pipeline *in = w->in;
	const uint8_t *program = w->program + rank * w->stride;

	for (;;) {
		enum action action = (enum action)program[w->at[rank]];

		switch (action) {
		case ACT_END:
			return;
		case ACT_FORWARD:
			if (in->blocking)
				w->now[rank] += in->forward[rank];
			else if (!compute_message(w, rank, 0))
				return;
			break;
		case ACT_BACKWARD:
			if (in->blocking)
				w->now[rank] += in->backward[rank];
			else if (!compute_message(w, rank, 1))
				return;
			break;
		case ACT_SEND_F:
		case ACT_RECV_F:
		case ACT_SEND_B:
		case ACT_RECV_B:
			if (!meet(w, rank, action))
				return;
			break;
		}
		w->at[rank]++;
	}
}

static void replay_init(struct replay *w, const struct pipeline *in, struct arena *arena)
{
	*w = (struct replay){ .in = in, .stride = 6 * in->micro_batches + 2 };
	w->program = ARENA_ARRAY(arena, uint8_t, in->ranks * w->stride);
	w->at = ARENA_ARRAY(arena, int64_t, in->ranks);
	w->now = ARENA_ARRAY(arena, double, in->ranks);
	w->waiting = ARENA_ARRAY(arena, bool, in->ranks);
	w->ready = ARENA_ARRAY(arena, int64_t, in->ranks + 1);
	for (int d = 0; !in->blocking && d < 2; d++) {
		w->arrived[d] = ARENA_ARRAY(arena, double, in->ranks * in->micro_batches);
		w->messages[d] = ARENA_ARRAY(arena, int64_t, in->ranks);
		w->done[d] = ARENA_ARRAY(arena, int64_t, in->ranks);
	}
	for (int64_t r = in->ranks - 1; r >= 0; r--) {
		write_program(in, r, w->program + r * w->stride);
		wake(w, r);
	}
}

bool pipeline_time(const struct pipeline *in, struct arena *arena, double *seconds)
{
	struct arena_mark mark = arena_mark(arena);
	struct replay w;
	bool finished = true;

	if (in->ranks == 1) {
		*seconds = (double)in->micro_batches * (in->forward[0] + in->backward[0]);
		return true;
	}
	replay_init(&w, in, arena);
	while (w.ready_count > 0)
		advance(&w, w.ready[--w.ready_count]);
	*seconds = 0;
	for (int64_t r = 0; r < in->ranks; r++) {
		*seconds = w.now[r] > *seconds ? w.now[r] : *seconds;
		finished &= w.program[r * w.stride + w.at[r]] == ACT_END;
	}
	arena_reset(arena, mark);
	return finished;
}
