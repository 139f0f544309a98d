/* memory.c - how many micro-batches are alive on each rank, and what that makes of its memory. */

#include <math.h>

#include "runtime/engine/schedule/schedule.h"

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

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
	int64_t live, count;
	struct alive top;
};

static void reach(struct tally *t, const struct walk *walk, int64_t more)
{
	if (t->live + more <= t->top.bytes)
		return;
	t->top.bytes = t->live + more;
	t->top.logits = min64(walk->logits, t->top.bytes);
}

static void run_forward(struct tally *t, const struct walk *walk)
{
	reach(t, walk, walk->forward);
	t->live += walk->cache;
	t->top.micro_batches = max64(t->top.micro_batches, ++t->count);
}

/* Behind it `waits` bytes stay for the gradients of weights. */
static void run_backward(struct tally *t, const struct walk *walk, int64_t waits)
{
	reach(t, walk, walk->backward_peak - walk->cache);
	t->live += waits - walk->cache;
	reach(t, walk, 0);
	t->count--;
}

static void run_pass(struct tally *t, const struct walk *walk, enum run run)
{
	switch (run) {
	case RUN_FORWARD:
		run_forward(t, walk);
		break;
	case RUN_BACKWARD:
		run_backward(t, walk, 0);
		break;
	case RUN_INPUT:
		run_backward(t, walk, walk->deferred);
		break;
	case RUN_WEIGHT:
		t->live -= walk->deferred;
		break;
	}
}

/*
 * Passes of a program behind which nothing gets higher: where forwards and backwards alternate for longer than a
 * period, what is alive then repeats, and falls when only backwards are left. A last group that is smaller than
 * the others may not.
 */
static int64_t passes_that_rise(const struct schedule *s, int64_t r, int64_t all)
{
	const int64_t enough = s->warm[r] + 2 * (schedule_period(s->in) + 1);

	if (s->in->order != ORDER_ALTERNATE || s->micro_batches % schedule_turn(s->in) != 0)
		return all;
	return min64(all, enough);
}

/*
 * Follows a rank's program. One period of the alternating phase is like all of them, so few
 * micro-batches stand for many.
 */
static struct alive follow(const struct schedule *s, const struct known_stage *const *stage, int64_t r,
			   struct arena *arena)
{
	struct arena_mark mark = arena_mark(arena);
	struct program program = { ARENA_ARRAY(arena, struct pass, 3 * s->pieces), 0 };
	struct tally t = { .live = 0 };

	schedule_program(s, r, &program);
	program.count = passes_that_rise(s, r, program.count);
	for (int64_t i = 0; i < program.count; i++) {
		const struct pass *pass = &program.at[i];
		int64_t node = pipeline_node(s->in, r, pass->chunk);

		run_pass(&t, &stage[pipeline_stage(s->in, node)]->walk, (enum run)pass->run);
	}
	arena_reset(arena, mark);
	return t.top;
}

static struct schedule rank_programs(const struct cost *cost, struct pipeline *pipeline)
{
	const struct engine_parallel *p = &cost->in->parallel;
	struct schedule s;

	*pipeline = (struct pipeline){ .order = cost_order(cost),
				       .ranks = p->pp,
				       .chunks = rank_stages(cost),
				       .micro_batches = cost->in->batch.micro_batches,
				       .group = p->vpp_group > 0 ? p->vpp_group : p->pp };
	schedule_make(&s, pipeline, min64(pipeline->micro_batches, schedule_enough(pipeline, 1)),
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
	/* Live micro-batches are those of all chunks together. */
	for (int64_t i = 0; i < rank_stages(cost); i++)
		memory->host += result->stages[rank_stage(cost, memory->worst_stage, i)].offloaded;
	memory->host = memory->host * worst->in_flight / rank_stages(cost);
	memory->fits = memory->reserved <= cost->hardware->memory;
}

void alive_evaluate(const struct cost *cost, const struct known_stage *const *stage, struct alive *alive)
{
	struct arena_mark mark = arena_mark(cost->arena);
	const bool alone = cost->in->parallel.vpp == 1 && cost_order(cost) == ORDER_ALTERNATE;
	struct pipeline pipeline;
	struct schedule s;

	if (!alone)
		s = rank_programs(cost, &pipeline);
	for (int64_t r = 0; r < cost->in->parallel.pp; r++)
		alive[r] = alone ? one_chunk(cost, &stage[r]->walk, r) : follow(&s, stage, r, cost->arena);
	arena_reset(cost->arena, mark);
}

void memory_evaluate(const struct cost *cost, const struct alive *alive,
		     struct engine_result *result)
{
	struct engine_memory *memory = &result->memory;

	for (int64_t r = 0; r < cost->in->parallel.pp; r++) {
		struct engine_stage *stage = &result->stages[r];

		stage->in_flight = alive[r].micro_batches;
		stage->logits = alive[r].logits;
		stage->peak = stage->weights + stage->gradients + stage->optimizer +
			      stage->other_static + alive[r].bytes;
		stage->reserved = reserved_bytes(cost, stage, alive[r].bytes);
		if (stage->reserved > memory->reserved) {
			memory->reserved = stage->reserved;
			memory->worst_stage = r;
		}
	}
	worst_rank(cost, result);
}
