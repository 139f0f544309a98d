/*
 * handshakes.c - one forward and one backward in turn, with transfers that hold both neighbours.
 *
 * Every rank runs a fixed program. The replay follows the programs and lets ranks wait for one
 * another; its result depends on the programs alone, not on the order in which ranks are advanced.
 */

#include "runtime/engine/schedule/schedule.h"

enum action {
	ACT_END,
	ACT_FORWARD,
	ACT_BACKWARD,
	ACT_MARK_F,
	ACT_MARK_B,
	ACT_SEND_F,
	ACT_RECV_F,
	ACT_SEND_B,
	ACT_RECV_B
};

enum { ACTIONS_PER_PIECE = 8 };

struct replay {
	const struct schedule *s;
	uint8_t *program; /* ranks programs, `stride` actions apart */
	int64_t stride;
	int64_t *at; /* next action of each rank */
	int64_t *done[2]; /* forwards and backwards of each rank, for the log */
	int64_t *sent[2];
	int64_t *step;
	double *now;
	bool *waiting;  /* blocked at a transfer */
	int64_t *ready; /* stack of ranks that can go on */
	int64_t ready_count;
};

/* One step of the alternating phase. Neighbours exchange in opposite order. */
static uint8_t *write_step(const struct pipeline *in, int64_t r, bool ends, uint8_t *p)
{
	const bool send_first = r % 2 == 1;

	*p++ = ACT_FORWARD;
	*p++ = ACT_MARK_F;
	if (r < in->ranks - 1) {
		*p++ = send_first ? ACT_SEND_F : ACT_RECV_B;
		*p++ = send_first ? ACT_RECV_B : ACT_SEND_F;
	}
	*p++ = ACT_BACKWARD;
	if (r > 0 && ends) {
		*p++ = ACT_SEND_B;
	} else if (r > 0) {
		*p++ = send_first ? ACT_SEND_B : ACT_RECV_F;
		*p++ = send_first ? ACT_RECV_F : ACT_SEND_B;
	}
	*p++ = ACT_MARK_B;
	return p;
}

static void write_program(const struct schedule *s, int64_t r, uint8_t *p)
{
	const struct pipeline *in = s->in;
	const bool first = r == 0, last = r == in->ranks - 1;
	const int64_t warm = s->warm[r], rest = s->pieces - warm;

	for (int64_t i = 0; i < warm; i++) {
		if (!first)
			*p++ = ACT_RECV_F;
		*p++ = ACT_FORWARD;
		if (!last)
			*p++ = ACT_SEND_F;
	}
	if (!first && rest > 0)
		*p++ = ACT_RECV_F;
	for (int64_t i = 0; i < rest; i++)
		p = write_step(in, r, i == rest - 1, p);
	for (int64_t i = 0; i < warm; i++) {
		if (!last)
			*p++ = ACT_RECV_B;
		*p++ = ACT_BACKWARD;
		if (!first)
			*p++ = ACT_SEND_B;
	}
	*p = ACT_END;
}

static void wake(struct replay *w, int64_t rank)
{
	w->ready[w->ready_count++] = rank;
}

/* One chunk: piece k is micro-batch k, and transfers between two ranks keep their order. */
static void log_transfer(const struct replay *w, int64_t rank, int64_t peer, enum action action,
			 double start, double end)
{
	const bool backward = action == ACT_SEND_B || action == ACT_RECV_B;
	const int64_t sender = action == ACT_SEND_F || action == ACT_SEND_B ? rank : peer;

	schedule_log(w->s, backward ? PASS_SEND_BACKWARD : PASS_SEND_FORWARD, sender,
		     w->sent[backward][sender]++, start, end);
}

static void run(const struct replay *w, int64_t rank, bool backward)
{
	const double *seconds = backward ? w->s->in->backward : w->s->in->forward;
	const double start = w->now[rank];

	w->now[rank] += seconds[rank];
	schedule_log(w->s, backward ? PASS_BACKWARD : PASS_FORWARD, rank, w->done[backward][rank]++,
		     start, w->now[rank]);
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

	double both = w->now[rank] > w->now[peer] ? w->now[rank] : w->now[peer];
	double later = both + w->s->in->transfer[up ? rank : peer];

	log_transfer(w, rank, peer, action, both, later);
	w->now[rank] = later;
	w->now[peer] = later;
	w->waiting[peer] = false;
	w->at[peer]++;
	wake(w, peer);
	return true;
}

/* Runs a rank until it ends or waits. */
static void advance(struct replay *w, int64_t rank)
{
	const uint8_t *program = w->program + rank * w->stride;

	for (;; w->at[rank]++) {
		enum action action = (enum action)program[w->at[rank]];

		switch (action) {
		case ACT_END:
			return;
		case ACT_FORWARD:
			run(w, rank, false);
			break;
		case ACT_BACKWARD:
			run(w, rank, true);
			break;
		case ACT_MARK_F:
			schedule_mark(w->s, rank, w->step[rank], 0, w->now[rank]);
			break;
		case ACT_MARK_B:
			schedule_mark(w->s, rank, w->step[rank]++, 1, w->now[rank]);
			break;
		case ACT_SEND_F:
		case ACT_RECV_F:
		case ACT_SEND_B:
		case ACT_RECV_B:
			if (!meet(w, rank, action))
				return;
			break;
		}
	}
}

bool replay_handshakes(const struct schedule *s, struct arena *arena, double *seconds)
{
	const int64_t ranks = s->in->ranks;
	struct replay w = { .s = s, .stride = ACTIONS_PER_PIECE * s->pieces + 2 };
	bool finished = true;

	w.program = ARENA_ARRAY(arena, uint8_t, ranks * w.stride);
	w.at = ARENA_ARRAY(arena, int64_t, ranks);
	w.step = ARENA_ARRAY(arena, int64_t, ranks);
	for (int d = 0; d < 2; d++) {
		w.done[d] = ARENA_ARRAY(arena, int64_t, ranks);
		w.sent[d] = ARENA_ARRAY(arena, int64_t, ranks);
	}
	w.now = ARENA_ARRAY(arena, double, ranks);
	w.waiting = ARENA_ARRAY(arena, bool, ranks);
	w.ready = ARENA_ARRAY(arena, int64_t, ranks + 1);
	for (int64_t r = ranks - 1; r >= 0; r--) {
		write_program(s, r, w.program + r * w.stride);
		wake(&w, r);
	}
	while (w.ready_count > 0)
		advance(&w, w.ready[--w.ready_count]);
	*seconds = 0;
	for (int64_t r = 0; r < ranks; r++) {
		*seconds = w.now[r] > *seconds ? w.now[r] : *seconds;
		finished &= w.program[r * w.stride + w.at[r]] == ACT_END;
	}
	return finished;
}
