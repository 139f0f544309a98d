/* memory.c - how many micro-batches are alive on each rank, and what that makes of its memory. */

#include <math.h>

#include "runtime/engine/stage/schedule.h"

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* What a rank's activations come to at their highest. */
struct alive {
	int64_t bytes, logits, micro_batches;
};

/* Micro-batches whose activations rank r holds at once under one-forward-one-backward. */
static int64_t in_flight(const struct cost *cost, int64_t r)
{
	const int64_t pp = cost->in->parallel.pp;
	int64_t live = pp - r;

	/* SimuMax looks at the second rank for all middle stages (O39). */
	if (cost->profile->stages == STAGES_REPRESENTATIVE && r > 0 && r < pp - 1)
		live = pp - 1;
	if (cost->profile->in_flight_by_batch)
		live = min64(live, cost->in->batch.micro_batches);
	return live;
}

static struct alive one_chunk(const struct cost *cost, const struct walk *walk, int64_t r)
{
	int64_t live = in_flight(cost, r);

	return (struct alive){ (live - 1) * walk->cache + walk->peak, walk->logits, live };
}

/* Activations of a rank as its program takes and gives them back. */
struct tally {
	const struct walk
		*walks; /* of the rank's first chunk; the others ranks entries further on */
	int64_t ranks, live, count;
	struct alive top;
};

static void reach(struct tally *t, const struct walk *walk, int64_t more)
{
	if (t->live + more <= t->top.bytes)
		return;
	t->top.bytes = t->live + more;
	t->top.logits = min64(walk->logits, t->top.bytes);
}

static void run_forward(struct tally *t, int64_t chunk)
{
	const struct walk *walk = &t->walks[chunk * t->ranks];

	reach(t, walk, walk->forward);
	t->live += walk->cache;
	t->top.micro_batches = max64(t->top.micro_batches, ++t->count);
}

static void run_backward(struct tally *t, int64_t chunk)
{
	const struct walk *walk = &t->walks[chunk * t->ranks];

	reach(t, walk, walk_backward_peak(walk) - walk->cache);
	t->live -= walk->cache;
	t->count--;
}

/*
 * Follows a rank's program through its chunks. Two periods of the alternating phase are like all of
 * them, so few micro-batches stand for many.
 */
static struct alive many_chunks(const struct schedule *s, const struct walk *walks, int64_t r)
{
	const int64_t chunks = s->in->chunks, warm = s->warm[r];
	struct tally t = { .walks = walks + r, .ranks = s->in->ranks };

	for (int64_t k = 0; k < warm; k++)
		run_forward(&t, s->piece[k].chunk);
	for (int64_t k = 0; k < s->pieces; k++) {
		if (k + warm < s->pieces)
			run_forward(&t, s->piece[k + warm].chunk);
		run_backward(&t, chunks - 1 - s->piece[k].chunk);
	}
	return t.top;
}

static struct schedule rank_programs(const struct cost *cost, struct pipeline *pipeline)
{
	const struct engine_parallel *p = &cost->in->parallel;
	struct schedule s;

	*pipeline = (struct pipeline){ .ranks = p->pp,
				       .chunks = p->vpp,
				       .micro_batches = cost->in->batch.micro_batches,
				       .group = p->vpp_group > 0 ? p->vpp_group : p->pp };
	schedule_make(&s, pipeline, min64(pipeline->micro_batches, schedule_enough(pipeline, 2)),
		      cost->arena);
	return s;
}

static int64_t reserved_bytes(const struct cost *cost, const struct engine_stage *s,
			      int64_t activations)
{
	const struct profile *p = cost->profile;
	double allocated = (double)s->peak + p->fragmentation * (double)activations;

	return (int64_t)ceil(allocated / p->reserved) + p->base_memory;
}

static void worst_rank(const struct cost *cost, struct engine_result *result)
{
	struct engine_memory *memory = &result->memory;
	const struct engine_stage *worst = &result->stages[memory->worst_stage];

	memory->peak = worst->peak;
	memory->weights = worst->weights;
	memory->gradients = worst->gradients;
	memory->optimizer = worst->optimizer;
	memory->buffers = worst->other_static;
	memory->logits = worst->logits;
	memory->activations = worst->peak - worst->weights - worst->gradients - worst->optimizer -
			      worst->other_static - worst->logits;
	for (int64_t i = memory->worst_stage; i < result->stage_count; i += cost->in->parallel.pp)
		memory->host += worst->in_flight * result->stages[i].offloaded;
	memory->fits = memory->reserved <= cost->hardware->memory;
}

void memory_evaluate(const struct cost *cost, const struct walk *walks,
		     struct engine_result *result)
{
	struct arena_mark mark = arena_mark(cost->arena);
	const int64_t pp = cost->in->parallel.pp, chunks = cost->in->parallel.vpp;
	struct engine_memory *memory = &result->memory;
	struct pipeline pipeline;
	struct schedule s;

	if (chunks > 1)
		s = rank_programs(cost, &pipeline);
	for (int64_t r = 0; r < pp; r++) {
		struct engine_stage *stage = &result->stages[r];
		struct alive alive =
			chunks > 1 ? many_chunks(&s, walks, r) : one_chunk(cost, &walks[r], r);

		stage->in_flight = alive.micro_batches;
		stage->logits = alive.logits;
		stage->peak = stage->weights + stage->gradients + stage->optimizer +
			      stage->other_static + alive.bytes;
		stage->reserved = reserved_bytes(cost, stage, alive.bytes);
		if (stage->reserved > memory->reserved) {
			memory->reserved = stage->reserved;
			memory->worst_stage = r;
		}
	}
	worst_rank(cost, result);
	arena_reset(cost->arena, mark);
}
