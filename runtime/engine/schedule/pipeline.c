/*
 * pipeline.c - seconds of all micro-batches, without a walk over all of them.
 *
 * Between filling and draining a pipeline repeats itself: each rank's alternating phase is the same
 * program over and over, so once the times of some periods are those of as many periods before plus the
 * same shift on every rank, every further such number of periods adds that shift. A replay of few
 * micro-batches finds the shift; what is left out is added. Durations are first rounded to a grid on which sums
 * are exact, so the answer is that of the whole walk to the last bit.
 */

#include <math.h>

#include "runtime/engine/schedule/schedule.h"

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

/* After so many periods the pipeline does the same again, later by the shift; 0: not that anybody saw. */
struct repeat {
	int64_t periods;
	double shift;
};

/*
 * Ranks that are equally slow take turns in being late, so it may take as many periods as there are ranks
 * until all of them are in the same place again.
 */
static struct repeat find_repeat(const struct schedule *s)
{
	const struct pipeline *in = s->in;
	const int64_t regular = schedule_regular(in) + schedule_window(in);
	const int64_t cut = last_cut(s), period = schedule_period(in);
	struct repeat found = { 0, 0 };

	for (int64_t q = 1; cut - q * period >= regular; q++)
		if (repeats(s, cut, q * period, &found.shift)) {
			found.periods = q;
			break;
		}
	return found;
}

/* Replays `few` of the micro-batches; false when the schedule gets stuck. */
static bool replay_few(const struct pipeline *in, int64_t few, struct arena *arena, double *seconds,
		       struct repeat *found)
{
	struct arena_mark mark = arena_mark(arena);
	struct schedule s;
	bool finished;

	schedule_make(&s, in, few, arena);
	finished = replay(&s, arena, seconds);
	if (finished)
		*found = find_repeat(&s);
	arena_reset(arena, mark);
	return finished;
}

static bool walk_all(const struct pipeline *in, struct arena *arena, double *seconds)
{
	struct schedule s;

	schedule_make(&s, in, in->micro_batches, arena);
	return replay(&s, arena, seconds);
}

/*
 * Replays more and more micro-batches until they repeat or none are left out. Once they do, so many more that
 * whole repeats are left out.
 */
static bool pipelined(const struct pipeline *in, struct arena *arena, double *seconds)
{
	/* Blocking groups that are larger than the pipeline is long hardly ever finish. */
	const bool regular = in->chunks == 1 || !in->blocking || in->group == in->ranks;
	int64_t periods = in->chunks > 1 ? 1 : 2, rest = 0;

	while (regular && !in->whole) {
		const int64_t few = schedule_enough(in, periods) + rest * schedule_turn(in);
		const int64_t missing = (in->micro_batches - few) / schedule_turn(in);
		struct repeat found;

		if (few >= in->micro_batches)
			break;
		if (!replay_few(in, few, arena, seconds, &found))
			return false;
		if (found.periods == 0) {
			periods *= 4;
			continue;
		}
		if (missing % found.periods == 0) {
			*seconds += found.shift * (double)(missing / found.periods);
			return true;
		}
		rest += missing % found.periods;
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
