/* tape.c - replays along an order that is known; see tape.h. */

#include "runtime/engine/schedule/tape.h"

struct tape *tape_find(const struct tapes *tapes, const struct pipeline *in, int64_t micro_batches)
{
	struct tape *t = tapes->first;

	while (t && (t->order != in->order || t->ranks != in->ranks || t->chunks != in->chunks ||
		     t->group != in->group || t->micro_batches != micro_batches))
		t = t->next;
	return t;
}

struct tape *tape_make(const struct tapes *tapes, const struct pipeline *in, int64_t micro_batches,
		       int64_t passes)
{
	struct tape *t = ARENA_NEW(tapes->arena, struct tape);

	*t = (struct tape){ .order = in->order,
			    .ranks = in->ranks,
			    .chunks = in->chunks,
			    .group = in->group,
			    .micro_batches = micro_batches,
			    .capacity = passes };
	t->at = ARENA_ARRAY(tapes->arena, struct tape_pass, passes);
	return t;
}

void tape_keep(struct tapes *tapes, struct tape *tape)
{
	tape->next = tapes->first;
	tapes->first = tape;
}

/* What every pass takes, and how long what it made is on the way. */
struct seconds {
	double took, way;
};

static struct seconds *list_work(const struct pipeline *in, struct arena *arena)
{
	const int64_t n = pipeline_chain(in);
	struct seconds *work = ARENA_ARRAY(arena, struct seconds, 4 * n);

	for (int64_t i = 0; i < n; i++) {
		double wait = in->order == ORDER_ALTERNATE ? 0 : in->weight[i];
		double up = i + 1 < n ? in->transfer[i] : 0, down = i > 0 ? in->transfer[i - 1] : 0;

		work[RUN_FORWARD * n + i] = (struct seconds){ in->forward[i], up };
		work[RUN_BACKWARD * n + i] = (struct seconds){ in->backward[i], down };
		work[RUN_INPUT * n + i] = (struct seconds){ in->backward[i] - wait, down };
		work[RUN_WEIGHT * n + i] = (struct seconds){ wait, 0 };
	}
	return work;
}

double tape_play(const struct tape *tape, const struct schedule *s, struct arena *arena)
{
	const struct pipeline *in = s->in;
	const struct seconds *work = list_work(in, arena);
	double *now = ARENA_ARRAY(arena, double, in->ranks);
	double *there = ARENA_ARRAY(arena, double, tape->count + 1);
	const bool holds = !in->overlapped;
	double last = 0;

	for (int64_t i = 0; i < tape->count; i++) {
		const struct tape_pass *p = &tape->at[i];
		const struct seconds *w = &work[p->work];
		double start = now[p->rank], came = there[p->source], end;

		end = (start < came ? came : start) + w->took;
		there[i + 1] = end + w->way;
		now[p->rank] = holds ? end + w->way : end;
		if (p->mark >= 0)
			s->mark[p->mark] = now[p->rank];
	}
	for (int64_t r = 0; r < in->ranks; r++)
		last = last < now[r] ? now[r] : last;
	return last;
}
