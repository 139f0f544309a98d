/* schedule.c - the order of forwards and backwards, rank by rank. */

#include "runtime/engine/stage/schedule.h"

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

void schedule_make(struct schedule *s, const struct pipeline *in, int64_t micro_batches,
		   struct arena *arena)
{
	int64_t *warm = ARENA_ARRAY(arena, int64_t, in->ranks);

	*s = (struct schedule){ .in = in,
				.micro_batches = micro_batches,
				.pieces = micro_batches * in->chunks,
				.piece = order_pieces(in, micro_batches, arena),
				.warm = warm };
	for (int64_t r = 0; r < in->ranks; r++) {
		int64_t behind = in->ranks - 1 - r;

		if (in->chunks > 1)
			behind = 2 * behind + (in->chunks - 1) * in->group;
		warm[r] = min64(behind, s->pieces);
	}
	s->mark_stride = 2 * (s->pieces - warm[in->ranks - 1]);
	s->mark = ARENA_ARRAY(arena, double, in->ranks * s->mark_stride);
}

static void log_add(struct engine_schedule_log *log, const struct engine_pass *pass)
{
	invariant(log->count < log->capacity, "a schedule has more passes than were counted");
	log->at[log->count++] = *pass;
}

void schedule_log(const struct schedule *s, enum pass_kind kind, int64_t stage, int64_t sample,
		  double start, double end)
{
	const int64_t ranks = s->in->ranks;
	const int64_t step = kind == PASS_SEND_FORWARD ? 1 : kind == PASS_SEND_BACKWARD ? ranks - 1 : 0;
	struct engine_pass pass = { .kind = kind,
				    .rank = (int32_t)(stage % ranks),
				    .chunk = (int32_t)(stage / ranks),
				    .peer = (int32_t)((stage + step) % ranks),
				    .micro_batch = (int32_t)sample,
				    .start = start,
				    .end = end };

	if (s->in->log)
		log_add(s->in->log, &pass);
}

int64_t schedule_lag(const struct pipeline *in)
{
	return in->chunks > 1 ? 1 : 0;
}

int64_t schedule_period(const struct pipeline *in)
{
	return in->chunks > 1 ? in->group * in->chunks : 1;
}

int64_t schedule_window(const struct pipeline *in)
{
	return in->chunks > 1 && in->group > in->ranks ? in->group - in->ranks + 3 : 3;
}

int64_t schedule_enough(const struct pipeline *in, int64_t periods)
{
	int64_t step = in->chunks > 1 ? in->group : 1;
	int64_t warm =
		in->chunks > 1 ? 2 * (in->ranks - 1) + (in->chunks - 1) * in->group : in->ranks - 1;
	int64_t pieces = warm + in->ranks * schedule_lag(in) + schedule_window(in) + 3 +
			 periods * schedule_period(in);
	int64_t turn = step * in->chunks;

	return (pieces + turn - 1) / turn * step + in->micro_batches % step;
}
