/* schedule.c - the order of forwards and backwards, rank by rank. */

#include "runtime/engine/schedule/schedule.h"

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static struct piece *order_pieces(const struct pipeline *in, int64_t micro_batches,
				  struct arena *arena)
{
	struct piece *pieces = ARENA_ARRAY(arena, struct piece, micro_batches * in->chunks);
	struct piece *at = pieces;

	for (int64_t from = 0; from < micro_batches; from += in->group) {
		int64_t turn = min64(in->group, micro_batches - from);

		for (int64_t chunk = 0; chunk < in->chunks; chunk++)
			for (int64_t i = 0; i < turn; i++)
				*at++ = (struct piece){ (int32_t)chunk, (int32_t)(from + i),
							(int32_t)turn };
	}
	return pieces;
}

/* Forwards that rank r runs ahead. */
static int64_t ahead(const struct pipeline *in, int64_t r)
{
	int64_t behind = in->ranks - 1 - r;

	if (in->order == ORDER_ZB2P)
		return 2 * behind;
	return in->chunks > 1 ? 2 * behind + (in->chunks - 1) * in->group : behind;
}

int64_t schedule_steps(const struct schedule *s, int64_t r)
{
	const int64_t ranks = s->in->ranks, half = min64(r, ranks - 1 - r);

	if (s->in->order == ORDER_DUALPIPE)
		return s->micro_batches / 2 - ranks + half + 1;
	return s->pieces - s->warm[r];
}

void schedule_make(struct schedule *s, const struct pipeline *in, int64_t micro_batches,
		   struct arena *arena)
{
	int64_t *warm = ARENA_ARRAY(arena, int64_t, in->ranks);
	int64_t steps = 0;

	*s = (struct schedule){ .in = in, .micro_batches = micro_batches, .warm = warm };
	s->pieces = in->order == ORDER_DUALPIPE ? micro_batches : micro_batches * in->chunks;
	if (in->order == ORDER_ALTERNATE)
		s->piece = order_pieces(in, micro_batches, arena);
	for (int64_t r = 0; r < in->ranks; r++) {
		warm[r] = min64(ahead(in, r), s->pieces);
		steps = schedule_steps(s, r) > steps ? schedule_steps(s, r) : steps;
	}
	s->mark_stride = 2 * steps;
	s->mark = ARENA_ARRAY(arena, double, in->ranks * s->mark_stride);
}

static void log_add(struct engine_schedule_log *log, const struct engine_pass *pass)
{
	invariant(log->count < log->capacity, "a schedule has more passes than were counted");
	log->at[log->count++] = *pass;
}

void schedule_log(const struct schedule *s, enum pass_kind kind, int64_t node, int64_t sample,
		  double start, double end)
{
	const struct pipeline *in = s->in;
	const bool other = in->order == ORDER_DUALPIPE && node >= in->ranks;
	const int64_t step = kind == PASS_SEND_FORWARD ? 1 : kind == PASS_SEND_BACKWARD ? -1 : 0;
	struct engine_pass pass = { .kind = kind,
				    .rank = (int32_t)pipeline_rank(in, node),
				    .chunk = (int32_t)(node / in->ranks),
				    .peer = (int32_t)pipeline_rank(in, node + step),
				    .micro_batch = (int32_t)(other ? in->micro_batches / 2 + sample
								  : sample),
				    .start = start,
				    .end = end };

	if (s->in->log)
		log_add(s->in->log, &pass);
}

int64_t schedule_lag(const struct pipeline *in)
{
	return in->order == ORDER_ALTERNATE && in->chunks > 1 ? 1 : 0;
}

int64_t schedule_turn(const struct pipeline *in)
{
	if (in->order == ORDER_DUALPIPE)
		return 2;
	return in->chunks > 1 ? in->group : 1;
}

int64_t schedule_period(const struct pipeline *in)
{
	return in->order == ORDER_ALTERNATE && in->chunks > 1 ? in->group * in->chunks : 1;
}

int64_t schedule_window(const struct pipeline *in)
{
	if (in->order == ORDER_ZB2P)
		return 5;
	return in->chunks > 1 && in->group > in->ranks ? in->group - in->ranks + 3 : 3;
}

int64_t schedule_regular(const struct pipeline *in)
{
	switch (in->order) {
	case ORDER_ALTERNATE:
		break;
	case ORDER_ZB1P:
		return in->ranks - 1;
	case ORDER_ZB2P:
		return 2 * (in->ranks - 1);
	case ORDER_DUALPIPE:
		return 1;
	}
	return 0;
}

int64_t schedule_enough(const struct pipeline *in, int64_t periods)
{
	int64_t turn = schedule_turn(in);
	int64_t steps = schedule_regular(in) + in->ranks * schedule_lag(in) + schedule_window(in) +
			3 + periods * schedule_period(in);
	int64_t turns; /* that many steps on the rank that has fewest of them */

	if (in->order == ORDER_DUALPIPE) {
		turns = steps + in->ranks - 1;
	} else {
		int64_t pieces = steps + ahead(in, 0);
		int64_t each = turn * in->chunks;

		turns = (pieces + each - 1) / each;
	}
	return turns * turn + in->micro_batches % turn;
}
