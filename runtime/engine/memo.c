/* memo.c - finds flows and layers that were priced before. */

#include "runtime/engine/memo.h"
#include "runtime/engine/schedule/tape.h"

/* Bytes that are remembered before everything is forgotten; a sweep comes back to what it asked last. */
enum { MEMO_BYTES = 48 * 1024 * 1024, FLOWS = 4096, LAYERS = 4096, PLACES = 256 };

/* A profile and a machine, as they were. */
struct world {
	struct world *next;
	struct profile profile;
	struct hardware hardware;
};

/* Where the layers of a model stand in a layout. */
struct placed {
	struct placed *next;
	uint64_t hash;
	struct engine_model model;
	bool dense_first_stage; /* of the profile */
	int64_t count;
	struct engine_layout_stage *in;
	struct stage_layers *stage;
	bool has[GRAPH_PART_COUNT];
};

struct engine_memo {
	struct arena *arena;
	struct world *worlds;
	struct tapes tapes;
	const struct flow *last;
	struct flow *flow[FLOWS];
	struct priced *priced[LAYERS];
	struct placed *place[PLACES];
};

struct engine_memo *engine_memo_make(struct arena *arena, struct arena *kept)
{
	struct engine_memo *memo = ARENA_NEW(arena, struct engine_memo);

	memo->arena = kept;
	memo->tapes.arena = kept;
	return memo;
}

static void forget(struct engine_memo *memo)
{
	struct arena *kept = memo->arena;

	arena_release(kept);
	*memo = (struct engine_memo){ .arena = kept, .tapes = { .arena = kept } };
}

/* Eight bytes at a time: keys are long, and looked up for every candidate of a sweep. */
static uint64_t hash_words(const void *p, size_t n, uint64_t hash)
{
	const unsigned char *at = p;
	uint64_t word;

	for (; n >= sizeof word; at += sizeof word, n -= sizeof word) {
		memcpy(&word, at, sizeof word);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	for (; n > 0; n--)
		hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
	return hash;
}

static bool is_placed(const struct placed *p, const struct cost *cost)
{
	const struct engine_input *in = cost->in;

	return p->count == in->parallel.stage_count &&
	       p->dense_first_stage == cost->profile->dense_first_stage &&
	       memcmp(p->in, in->parallel.stages, (size_t)p->count * sizeof *p->in) == 0 &&
	       memcmp(&p->model, &in->model, sizeof p->model) == 0;
}

static struct placed *place(struct engine_memo *memo, const struct cost *job)
{
	const struct engine_parallel *layout = &job->in->parallel;
	struct placed *p = ARENA_NEW(memo->arena, struct placed);
	struct engine_input in = *job->in;
	struct cost cost = { .in = &in, .profile = job->profile, .arena = memo->arena };

	memcpy(&p->model, &job->in->model, sizeof p->model);
	p->dense_first_stage = job->profile->dense_first_stage;
	p->count = layout->stage_count;
	p->in = ARENA_ARRAY(memo->arena, struct engine_layout_stage, p->count);
	memcpy(p->in, layout->stages, (size_t)p->count * sizeof *p->in);
	in.parallel.stages = p->in;
	layers_place(&cost, p->has);
	p->stage = cost.stage;
	return p;
}

/* layers_place(), remembered. */
static const struct placed *placed_of(struct engine_memo *memo, const struct cost *job)
{
	const struct engine_parallel *layout = &job->in->parallel;
	const uint64_t hash =
		hash_words(layout->stages, (size_t)layout->stage_count * sizeof *layout->stages, 0);
	struct placed *p = memo->place[hash % PLACES];

	while (p && (p->hash != hash || !is_placed(p, job)))
		p = p->next;
	if (p)
		return p;
	p = place(memo, job);
	p->hash = hash;
	p->next = memo->place[hash % PLACES];
	memo->place[hash % PLACES] = p;
	return p;
}

static const struct world *world_of(struct engine_memo *memo, const struct engine_input *in)
{
	struct world *w = memo->worlds;

	while (w && (memcmp(&w->profile, in->profile, sizeof w->profile) != 0 ||
		     memcmp(&w->hardware, in->hardware, sizeof w->hardware) != 0))
		w = w->next;
	if (w)
		return w;
	w = ARENA_NEW(memo->arena, struct world);
	memcpy(&w->profile, in->profile, sizeof w->profile);
	memcpy(&w->hardware, in->hardware, sizeof w->hardware);
	w->next = memo->worlds;
	memo->worlds = w;
	return w;
}

/*
 * The job with one fixed value for all that the flow of its micro-batches does not depend on: how states are
 * spread, and what follows the last backward.
 */
static void view_flow(const struct engine_input *in, const struct world *world, const struct placed *placed,
		      struct engine_input *view)
{
	struct engine_parallel *p = &view->parallel;

	memcpy(view, in, sizeof *view);
	view->profile = &world->profile;
	view->hardware = &world->hardware;
	view->overlap.gradient_reduce = view->overlap.parameter_gather = false;
	view->overlap.optimizer_gather = false;
	p->stages = placed->in;
	p->bucket = p->shard = p->gather = 0;
	p->zero = ZERO_OFF;
	p->reshard = false;
}

/*
 * A flow with one fixed value for all that layers do not depend on: how many ranks and micro-batches there are
 * besides. Ranks of experts lie across those of data parallelism, so with experts the degrees stay.
 */
static void view_layers(const struct engine_input *flow, struct engine_input *view)
{
	struct engine_parallel *p = &view->parallel;

	memcpy(view, flow, sizeof *view);
	view->batch.micro_batches = 1;
	view->overlap.pipeline = view->overlap.pipeline_ends = false;
	p->world = p->world / p->pp;
	p->pp = p->vpp = 1;
	p->schedule = SCHEDULE_ONE_F_ONE_B;
	p->vpp_group = 0;
	p->stages = NULL;
	p->stage_count = 0;
	if (view->model.moe.experts > 1)
		return;
	p->world = p->world / p->dp;
	p->dp = p->edp = 1;
}

static struct priced *price(struct engine_memo *memo, const struct engine_input *view, const bool *has,
			    struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct priced *p = ARENA_NEW(memo->arena, struct priced);
	struct engine_error error;
	bool fine;

	memcpy(&p->view, view, sizeof *view);
	memcpy(p->has, has, sizeof p->has);
	p->arena = memo->arena;
	p->cost.tapes = &memo->tapes;
	cost_begin(&p->cost, &p->view, scratch, &error);
	fine = engine_price_layers(p, has, memo->arena);
	p->cost.graph = NULL;
	arena_reset(scratch, mark);
	return fine ? p : NULL;
}

static struct priced *priced_of(struct engine_memo *memo, const struct engine_input *flow, const bool *has,
				struct arena *scratch)
{
	struct engine_input view;
	struct priced *p;
	uint64_t hash;

	view_layers(flow, &view);
	hash = hash_words(&view, sizeof view, 0);
	p = memo->priced[hash % LAYERS];
	while (p && (p->hash != hash || memcmp(&p->view, &view, sizeof view) != 0 ||
		     memcmp(p->has, has, sizeof p->has) != 0))
		p = p->next;
	if (p)
		return p;
	p = price(memo, &view, has, scratch);
	if (!p)
		return NULL;
	p->hash = hash;
	p->next = memo->priced[hash % LAYERS];
	memo->priced[hash % LAYERS] = p;
	return p;
}

static struct flow *let_flow(struct engine_memo *memo, const struct engine_input *view,
			     const struct placed *placed, struct arena *scratch)
{
	struct priced *priced = priced_of(memo, view, placed->has, scratch);
	struct engine_error error;
	struct flow *flow;

	if (!priced)
		return NULL;
	flow = ARENA_NEW(memo->arena, struct flow);
	memcpy(&flow->view, view, sizeof *view);
	cost_begin(&priced->cost, &flow->view, scratch, &error);
	priced->cost.stage = placed->stage;
	if (!flow_evaluate(priced, flow, memo->arena)) {
		struct engine_error *refused = ARENA_NEW(memo->arena, struct engine_error);

		*refused = error;
		flow->refused = refused;
	}
	return flow;
}

const struct flow *memo_flow(struct engine_memo *memo, const struct cost *job)
{
	const struct placed *placed;
	struct engine_input view;
	struct flow *flow;
	uint64_t hash;

	if (memo->arena->total > MEMO_BYTES)
		forget(memo);
	placed = placed_of(memo, job);
	view_flow(job->in, world_of(memo, job->in), placed, &view);
	if (memo->last && memcmp(&memo->last->view, &view, sizeof view) == 0)
		return memo->last;
	hash = hash_words(&view, sizeof view, 0);
	flow = memo->flow[hash % FLOWS];
	while (flow && (flow->hash != hash || memcmp(&flow->view, &view, sizeof view) != 0))
		flow = flow->next;
	if (!flow) {
		flow = let_flow(memo, &view, placed, job->arena);
		if (!flow)
			return NULL;
		flow->hash = hash;
		flow->next = memo->flow[hash % FLOWS];
		memo->flow[hash % FLOWS] = flow;
	}
	memo->last = flow;
	return flow;
}
