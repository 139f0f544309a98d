/*
 * bundles.c - interleaved stages with blocking transfers.
 *
 * After each forward or backward (or each pair of them) a rank issues its transfers as one bundle
 * and waits until all of them are through: a transfer ends when both sides have issued it, plus the
 * time on the wire, a bundle with its last transfer. Which transfers belong to a bundle is Megatron's
 * order as SimuMax has it. Nothing in it guarantees that the ranks do not wait in a circle.
 */

#include "runtime/engine/schedule/schedule.h"

enum { FORWARD, BACKWARD, DIRECTIONS };

/* A transfer as its first side issued it. */
struct slot {
	double issued;
	int32_t rank; /* who did, plus one; 0: nobody yet */
};

struct rank_state {
	double now, ends; /* ends: latest end of the bundle under way */
	int64_t at;       /* next entry of the rank's program */
	int pending;      /* transfers of the bundle whose other side is missing */
	bool waiting;
};

struct replay {
	const struct schedule *s;
	struct rank_state *rank;
	struct slot *slot[DIRECTIONS]; /* by receiving virtual stage and micro-batch */
	int64_t *ready;                /* stack of ranks whose bundle is through */
	int64_t ready_count;
};

/* Virtual stage of piece k on a rank. */
static int64_t stage_of(const struct replay *w, int64_t rank, int direction, int64_t k)
{
	const struct pipeline *in = w->s->in;
	int64_t chunk = w->s->piece[k].chunk;

	return (direction == FORWARD ? chunk : in->chunks - 1 - chunk) * in->ranks + rank;
}

/* One side issues the transfer into virtual stage `to`; `link` is the stage before the wire. */
static void issue(struct replay *w, int64_t rank, int direction, int64_t to, int64_t k,
		  int64_t link)
{
	const struct schedule *s = w->s;
	struct rank_state *self = &w->rank[rank];
	struct slot *slot = &w->slot[direction][to * s->micro_batches + s->piece[k].sample];

	if (slot->rank == 0) {
		*slot = (struct slot){ self->now, (int32_t)rank + 1 };
		self->pending++;
		return;
	}

	struct rank_state *peer = &w->rank[slot->rank - 1];
	double start = slot->issued > self->now ? slot->issued : self->now;
	double end = start + s->in->transfer[link];

	schedule_log(s, direction == FORWARD ? PASS_SEND_FORWARD : PASS_SEND_BACKWARD,
		     direction == FORWARD ? to - 1 : to + 1, s->piece[k].sample, start, end);

	self->ends = end > self->ends ? end : self->ends;
	peer->ends = end > peer->ends ? end : peer->ends;
	/* The other side may be this rank itself, in the bundle it is still putting together. */
	if (--peer->pending == 0 && peer->waiting) {
		peer->waiting = false;
		peer->now = peer->ends > peer->now ? peer->ends : peer->now;
		w->ready[w->ready_count++] = slot->rank - 1;
	}
}

static void receive(struct replay *w, int64_t rank, int direction, int64_t k)
{
	const struct pipeline *in = w->s->in;
	int64_t to = stage_of(w, rank, direction, k), stages = in->ranks * in->chunks;

	if (direction == FORWARD && to > 0)
		issue(w, rank, direction, to, k, to - 1);
	if (direction == BACKWARD && to < stages - 1)
		issue(w, rank, direction, to, k, to);
}

static void send(struct replay *w, int64_t rank, int direction, int64_t k)
{
	const struct pipeline *in = w->s->in;
	int64_t from = stage_of(w, rank, direction, k), stages = in->ranks * in->chunks;

	if (direction == FORWARD && from < stages - 1)
		issue(w, rank, direction, from + 1, k, from);
	if (direction == BACKWARD && from > 0)
		issue(w, rank, direction, from - 1, k, from - 1);
}

/*
 * Whether a bundle behind piece k asks for the next one: the end ranks have no neighbour to ask,
 * only the chunk before at the other end, which is ranks - 1 pieces behind.
 */
static bool asks(const struct replay *w, int64_t rank, int direction, int64_t k)
{
	const struct pipeline *in = w->s->in;
	const int64_t end = direction == FORWARD ? 0 : in->ranks - 1, behind = k - (in->ranks - 1);

	if (rank != end)
		return true;
	return behind >= 0 && w->s->piece[behind].chunk != in->chunks - 1;
}

static void compute(struct replay *w, int64_t rank, int direction, int64_t k)
{
	const struct pipeline *in = w->s->in;
	const double *seconds = direction == FORWARD ? in->forward : in->backward;
	const int64_t stage = stage_of(w, rank, direction, k);
	const double start = w->rank[rank].now;

	w->rank[rank].now += seconds[stage];
	schedule_log(w->s, direction == FORWARD ? PASS_FORWARD : PASS_BACKWARD, stage,
		     w->s->piece[k].sample, start, w->rank[rank].now);
}

/* A forward of the warm-up. */
static void warm_up(struct replay *w, int64_t rank, int64_t k)
{
	const struct schedule *s = w->s;
	const int64_t n = s->pieces, warm = s->warm[rank], rest = n - warm;

	compute(w, rank, FORWARD, k);
	if (k + 1 < n && (asks(w, rank, FORWARD, k) || (rest == 0 && rank == 0)))
		receive(w, rank, FORWARD, k + 1);
	send(w, rank, FORWARD, k);
	if (k == warm - 1 && rest > 0 && rank != s->in->ranks - 1)
		receive(w, rank, BACKWARD, 0);
}

/* A forward and a backward. */
static void alternate(struct replay *w, int64_t rank, int64_t k)
{
	const struct schedule *s = w->s;
	const int64_t n = s->pieces, f = k + s->warm[rank];

	compute(w, rank, FORWARD, f);
	schedule_mark(s, rank, k, 0, w->rank[rank].now);
	compute(w, rank, BACKWARD, k);
	send(w, rank, BACKWARD, k);
	if (f + 1 < n && asks(w, rank, FORWARD, f))
		receive(w, rank, FORWARD, f + 1);
	send(w, rank, FORWARD, f);
	if (k + 1 < n && asks(w, rank, BACKWARD, k))
		receive(w, rank, BACKWARD, k + 1);
}

/* A backward of the flush. */
static void flush(struct replay *w, int64_t rank, int64_t k)
{
	const struct schedule *s = w->s;
	const int64_t n = s->pieces, rest = n - s->warm[rank];

	compute(w, rank, BACKWARD, k);
	send(w, rank, BACKWARD, k);
	if (k + 1 < n && (asks(w, rank, BACKWARD, k) || (rest == 0 && rank == s->in->ranks - 1)))
		receive(w, rank, BACKWARD, k + 1);
}

/*
 * Runs entry `at` of a rank's program: its first receive, the warm-up, a receive where no
 * alternating phase follows, the alternating phase, the flush. False behind the last.
 */
static bool run_entry(struct replay *w, int64_t rank, int64_t at)
{
	const struct schedule *s = w->s;
	const int64_t warm = s->warm[rank], rest = s->pieces - warm;
	const bool extra = rest == 0 && rank != s->in->ranks - 1;

	if (at == 0) {
		if (rank > 0)
			receive(w, rank, FORWARD, 0);
		return true;
	}
	at--;
	if (at < warm) {
		warm_up(w, rank, at);
		return true;
	}
	at -= warm;
	if (extra && at == 0) {
		receive(w, rank, BACKWARD, 0);
		return true;
	}
	at -= extra;
	if (at >= s->pieces)
		return false;
	if (at < rest)
		alternate(w, rank, at);
	else
		flush(w, rank, at);
	return true;
}

/* Step of the alternating phase that entry `at` is; negative when it is none. */
static int64_t step_of(const struct replay *w, int64_t rank, int64_t at)
{
	int64_t step = at - 1 - w->s->warm[rank];

	return step < w->s->pieces - w->s->warm[rank] ? step : -1;
}

/* Runs a rank until it ends or waits. */
static void advance(struct replay *w, int64_t rank)
{
	struct rank_state *state = &w->rank[rank];

	for (;;) {
		int64_t step = step_of(w, rank, state->at - 1);

		if (state->at > 0 && step >= 0)
			schedule_mark(w->s, rank, step, 1, state->now);
		state->ends = 0;
		if (!run_entry(w, rank, state->at))
			return;
		state->at++;
		if (state->pending > 0) {
			state->waiting = true;
			return;
		}
		state->now = state->ends > state->now ? state->ends : state->now;
	}
}

bool replay_bundles(const struct schedule *s, struct arena *arena, double *seconds)
{
	const int64_t ranks = s->in->ranks, stages = ranks * s->in->chunks;
	struct replay w = { .s = s,
			    .rank = ARENA_ARRAY(arena, struct rank_state, ranks),
			    .ready = ARENA_ARRAY(arena, int64_t, ranks + 1) };
	bool finished = true;

	for (int d = 0; d < DIRECTIONS; d++)
		w.slot[d] = ARENA_ARRAY(arena, struct slot, stages * s->micro_batches);
	for (int64_t r = ranks - 1; r >= 0; r--)
		w.ready[w.ready_count++] = r;
	while (w.ready_count > 0)
		advance(&w, w.ready[--w.ready_count]);
	*seconds = 0;
	for (int64_t r = 0; r < ranks; r++) {
		*seconds = w.rank[r].now > *seconds ? w.rank[r].now : *seconds;
		finished &= !w.rank[r].waiting;
	}
	return finished;
}
