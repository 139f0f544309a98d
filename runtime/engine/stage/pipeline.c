/*
 * pipeline.c - seconds of all micro-batches, without a walk over all of them.
 *
 * Between filling and draining a pipeline repeats itself: each rank's alternating phase is the same
 * program over and over, so once the times of one period are those of the period before plus the
 * same shift on every rank, every further period adds that shift. A replay of few micro-batches
 * finds the shift; what is left out is added. Durations are first rounded to a grid on which sums
 * are exact, so the answer is that of the whole walk to the last bit.
 */

#include <math.h>

#include "runtime/engine/stage/schedule.h"

/* The longest the whole step can take: everything one after the other. */
static double longest(const struct pipeline *in)
{
	double sum = 0;

	for (int64_t i = 0; i < pipeline_chain(in); i++)
		sum += in->forward[i] + in->backward[i] + 2 * in->transfer[i];
	return sum * (double)in->micro_batches;
}

/* Rounds to multiples of 2^exponent. */
static double *round_all(const double *seconds, int64_t n, int exponent, struct arena *arena)
{
	double *rounded = ARENA_ARRAY(arena, double, n);

	for (int64_t i = 0; i < n; i++)
		rounded[i] = ldexp(nearbyint(ldexp(seconds[i], -exponent)), exponent);
	return rounded;
}

static struct pipeline on_grid(const struct pipeline *in, struct arena *arena)
{
	struct pipeline p = *in;
	int exponent;

	/* Sums stay below 2^51 units of the grid, with room for the largest intermediate ones. */
	(void)frexp(longest(in), &exponent);
	exponent -= 51;
	p.forward = round_all(in->forward, pipeline_chain(in), exponent, arena);
	p.backward = round_all(in->backward, pipeline_chain(in), exponent, arena);
	p.transfer = round_all(in->transfer, pipeline_chain(in), exponent, arena);
	if (in->order != ORDER_ALTERNATE)
		p.weight = round_all(in->weight, pipeline_chain(in), exponent, arena);
	return p;
}

static bool replay(const struct schedule *s, struct arena *arena, double *seconds)
{
	if (!s->in->blocking)
		return replay_messages(s, arena, seconds);
	return s->in->chunks == 1 ? replay_handshakes(s, arena, seconds)
				  : replay_bundles(s, arena, seconds);
}

/*
 * The last step that can be compared on rank 0: the very last step of a rank is not like others,
 * nor are those of a last group that is smaller than the others.
 */
static int64_t last_cut(const struct schedule *s)
{
	const struct pipeline *in = s->in;
	int64_t rest = in->order == ORDER_ALTERNATE && in->chunks > 1 ? s->micro_batches % in->group
								       : 0;
	int64_t cut = INT64_MAX;

	for (int64_t r = 0; r < in->ranks; r++) {
		int64_t of_rank = schedule_steps(s, r) - rest * in->chunks - 2 - r * schedule_lag(in);

		cut = of_rank < cut ? of_rank : cut;
	}
	return cut;
}

/* True when the steps up to the cut repeat those `steps` earlier, all later by the same shift. */
static bool repeats(const struct schedule *s, int64_t cut, int64_t steps, double *shift)
{
	const struct pipeline *in = s->in;

	*shift = schedule_marked(s, 0, cut, 1) - schedule_marked(s, 0, cut - steps, 1);
	for (int64_t r = 0; r < in->ranks; r++) {
		int64_t end = cut + r * schedule_lag(in);

		for (int64_t k = end; k > end - schedule_window(in); k--)
			for (int phase = 0; phase < 2; phase++)
				if (schedule_marked(s, r, k, phase) -
					    schedule_marked(s, r, k - steps, phase) !=
				    *shift)
					return false;
	}
	return true;
}

/*
 * Tries to tell the time of all micro-batches from that of `few`. The shift may take several
 * periods to come back (ranks can take turns in being late). 1: told; 0: did not repeat yet; -1:
 * the schedule gets stuck.
 */
static int extrapolate(const struct pipeline *in, int64_t few, struct arena *arena, double *seconds)
{
	enum { MOST_PERIODS = 4 };

	const int64_t missing = (in->micro_batches - few) / schedule_turn(in);
	const int64_t regular = schedule_regular(in) + schedule_window(in);
	struct schedule s;
	int64_t cut;
	double shift;

	schedule_make(&s, in, few, arena);
	if (!replay(&s, arena, seconds))
		return -1;
	cut = last_cut(&s);
	for (int64_t q = 1; q <= MOST_PERIODS; q++) {
		if (missing % q != 0 || cut - q * schedule_period(in) - regular < 0)
			continue;
		if (!repeats(&s, cut, q * schedule_period(in), &shift))
			continue;
		*seconds += shift * (double)(missing / q);
		return 1;
	}
	return 0;
}

static bool walk_all(const struct pipeline *in, struct arena *arena, double *seconds)
{
	struct schedule s;

	schedule_make(&s, in, in->micro_batches, arena);
	return replay(&s, arena, seconds);
}

/* Replays more and more micro-batches until they repeat or none are left out. */
static bool pipelined(const struct pipeline *in, struct arena *arena, double *seconds)
{
	/* Blocking groups that are larger than the pipeline is long hardly ever finish. */
	const bool regular = in->chunks == 1 || !in->blocking || in->group == in->ranks;

	for (int64_t periods = in->chunks > 1 ? 1 : 2; regular && !in->whole; periods *= 3) {
		struct arena_mark mark = arena_mark(arena);
		int64_t few = schedule_enough(in, periods);
		int told;

		if (few >= in->micro_batches)
			break;
		told = extrapolate(in, few, arena, seconds);
		arena_reset(arena, mark);
		if (told != 0)
			return told > 0;
	}
	return walk_all(in, arena, seconds);
}

/* All chunks of a single rank, one micro-batch after the other. */
static double one_rank(const struct pipeline *in)
{
	const struct schedule s = { .in = in };
	double once = 0;

	for (int64_t i = 0; i < in->chunks; i++)
		once += in->forward[i] + in->backward[i];
	for (int64_t m = 0; in->log && m < in->micro_batches; m++) {
		double now = (double)m * once;

		for (int64_t i = 0; i < in->chunks; now += in->forward[i++])
			schedule_log(&s, PASS_FORWARD, i, m, now, now + in->forward[i]);
		for (int64_t i = in->chunks; i-- > 0; now += in->backward[i])
			schedule_log(&s, PASS_BACKWARD, i, m, now, now + in->backward[i]);
	}
	return (double)in->micro_batches * once;
}

bool pipeline_time(const struct pipeline *in, struct arena *arena, double *seconds)
{
	struct arena_mark mark = arena_mark(arena);
	bool finished;

	if (in->ranks == 1) {
		*seconds = one_rank(in);
		return true;
	}

	struct pipeline grid = on_grid(in, arena);

	finished = pipelined(&grid, arena, seconds);
	arena_reset(arena, mark);
	return finished;
}
