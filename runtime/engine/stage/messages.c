/*
 * messages.c - ranks that work as soon as what they need has come.
 *
 * A forward needs the result of the virtual stage before it, a backward that of the one behind it;
 * a message is there when its sender is done, plus the transfer. Receiving costs nothing; sending
 * costs the sender the transfer, unless transfers overlap with its work.
 */

#include "runtime/engine/stage/schedule.h"

struct rank_state {
	double now;
	int64_t done[2]; /* forwards and backwards */
};

struct replay {
	const struct schedule *s;
	struct rank_state *rank;
	double *sent[2]; /* when the k-th forward or backward of a rank was sent on */
};

/* When what piece k needs arrived at `rank`; false while it has not been sent. */
static bool arrival(const struct replay *w, int64_t rank, int direction, int64_t k, double *at)
{
	const struct pipeline *in = w->s->in;
	const struct piece *piece = &w->s->piece[k];
	const int64_t last = in->ranks - 1;
	int64_t chunk = piece->chunk, from = direction == 0 ? rank - 1 : rank + 1;

	*at = 0;
	/* Backwards count the chunks from the other end, so the first piece needs nothing either. */
	if (rank == (direction == 0 ? 0 : last)) {
		if (chunk == 0)
			return true;
		from = direction == 0 ? last : 0;
		k -= piece->turn;
	}
	if (k >= w->rank[from].done[direction])
		return false;
	*at = w->sent[direction][from * w->s->pieces + k];
	return true;
}

static bool has_next(const struct replay *w, int64_t rank, int direction, const struct piece *piece)
{
	const struct pipeline *in = w->s->in;

	return rank != (direction == 0 ? in->ranks - 1 : 0) || piece->chunk != in->chunks - 1;
}

/* Runs one forward (0) or backward (1) of a rank; false when what it needs is missing. */
static bool run_piece(struct replay *w, int64_t rank, int direction)
{
	const struct pipeline *in = w->s->in;
	struct rank_state *state = &w->rank[rank];
	const int64_t k = state->done[direction];
	const struct piece *piece = &w->s->piece[k];
	const int64_t chunk = direction == 0 ? piece->chunk : in->chunks - 1 - piece->chunk;
	double came;

	if (!arrival(w, rank, direction, k, &came))
		return false;
	if (state->now < came)
		state->now = came;

	const int64_t stage = chunk * in->ranks + rank;
	const bool sends = has_next(w, rank, direction, piece);
	double way = !sends ? 0 : in->transfer[direction == 0 ? stage : stage - 1];

	const double start = state->now;

	state->now += (direction == 0 ? in->forward : in->backward)[stage];
	schedule_log(w->s, direction == 0 ? PASS_FORWARD : PASS_BACKWARD, stage, piece->sample, start,
		     state->now);
	w->sent[direction][rank * w->s->pieces + k] = state->now + way;
	if (sends)
		schedule_log(w->s, direction == 0 ? PASS_SEND_FORWARD : PASS_SEND_BACKWARD, stage,
			     piece->sample, state->now, state->now + way);
	if (!in->overlapped)
		state->now += way;
	state->done[direction]++;
	return true;
}

/* Runs a rank until it ends or waits. Returns whether it did anything. */
static bool advance(struct replay *w, int64_t rank)
{
	const struct schedule *s = w->s;
	struct rank_state *state = &w->rank[rank];
	bool moved = false;

	for (;;) {
		int64_t f = state->done[0], b = state->done[1], warm = s->warm[rank];
		int direction = f < s->pieces && f - warm <= b ? 0 : 1;

		if (b == s->pieces || !run_piece(w, rank, direction))
			return moved;
		moved = true;
		if (direction == 0 && f >= warm)
			schedule_mark(s, rank, f - warm, 0, state->now);
		else if (direction == 1 && b < s->pieces - warm)
			schedule_mark(s, rank, b, 1, state->now);
	}
}

bool replay_messages(const struct schedule *s, struct arena *arena, double *seconds)
{
	const int64_t ranks = s->in->ranks;
	struct replay w = { .s = s, .rank = ARENA_ARRAY(arena, struct rank_state, ranks) };
	bool moved = true, finished = true;

	for (int d = 0; d < 2; d++)
		w.sent[d] = ARENA_ARRAY(arena, double, ranks * s->pieces);
	while (moved) {
		moved = false;
		for (int64_t r = 0; r < ranks; r++)
			moved |= advance(&w, r);
		for (int64_t r = ranks - 1; r >= 0; r--)
			moved |= advance(&w, r);
	}
	*seconds = 0;
	for (int64_t r = 0; r < ranks; r++) {
		*seconds = w.rank[r].now > *seconds ? w.rank[r].now : *seconds;
		finished &= w.rank[r].done[1] == s->pieces;
	}
	return finished;
}
