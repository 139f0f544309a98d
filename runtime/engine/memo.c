/* memo.c - finds layers and schedules that were priced before. */

#include "runtime/engine/memo.h"
#include "runtime/engine/stage/tape.h"

/* Bytes that are remembered before everything is forgotten; a sweep comes back to what it asked last. */
enum { MEMO_BYTES = 48 * 1024 * 1024, BUCKETS = 4096, PLACES = 256 };

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
	struct priced *last;
	struct priced *bucket[BUCKETS];
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

void memo_place(struct engine_memo *memo, struct cost *cost, bool has[GRAPH_PART_COUNT])
{
	const struct engine_parallel *layout = &cost->in->parallel;
	uint64_t hash;
	struct placed *p;

	if (memo->arena->total > MEMO_BYTES)
		forget(memo);
	hash = hash_words(layout->stages, (size_t)layout->stage_count * sizeof *layout->stages, 0);
	p = memo->place[hash % PLACES];
	while (p && (p->hash != hash || !is_placed(p, cost)))
		p = p->next;
	if (!p) {
		p = place(memo, cost);
		p->hash = hash;
		p->next = memo->place[hash % PLACES];
		memo->place[hash % PLACES] = p;
	}
	cost->stage = p->stage;
	memcpy(has, p->has, sizeof p->has);
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
 * The job with one fixed value for all that layers do not depend on: how many ranks and micro-batches there
 * are besides, how states are spread, what follows the last backward. Ranks of experts lie across those of
 * data parallelism, so with experts the degrees stay.
 */
static void view_of(const struct engine_input *in, const struct world *world, struct engine_input *view)
{
	struct engine_parallel *p = &view->parallel;

	memcpy(view, in, sizeof *view);
	view->profile = &world->profile;
	view->hardware = &world->hardware;
	view->batch.micro_batches = 1;
	view->overlap.gradient_reduce = view->overlap.parameter_gather = false;
	view->overlap.pipeline = view->overlap.pipeline_ends = false;
	p->world = p->world / p->pp;
	p->pp = p->vpp = 1;
	p->schedule = SCHEDULE_ONE_F_ONE_B;
	p->vpp_group = p->bucket = p->shard = p->gather = 0;
	p->zero = ZERO_OFF;
	p->reshard = false;
	p->stages = NULL;
	p->stage_count = 0;
	if (view->model.moe.experts > 1)
		return;
	p->world = p->world / p->dp;
	p->dp = p->edp = 1;
}

static bool is_like(const struct priced *p, const struct engine_input *view, const bool *has)
{
	return memcmp(&p->view, view, sizeof *view) == 0 && memcmp(p->has, has, sizeof p->has) == 0;
}

static struct priced *price(struct engine_memo *memo, const struct engine_input *view, const bool *has,
			    struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct priced *p = ARENA_NEW(memo->arena, struct priced);
	struct engine_error error = { .status = ENGINE_OK };
	bool fine;

	memcpy(&p->view, view, sizeof *view);
	memcpy(p->has, has, sizeof p->has);
	p->arena = memo->arena;
	p->cost = (struct cost){ .in = &p->view,
				 .profile = view->profile,
				 .hardware = view->hardware,
				 .arena = scratch,
				 .error = &error,
				 .tapes = &memo->tapes };
	fine = engine_price_layers(p, has, memo->arena);
	p->cost.graph = NULL;
	arena_reset(scratch, mark);
	return fine ? p : NULL;
}

struct priced *memo_priced(struct engine_memo *memo, const struct engine_input *input,
			   const bool has[GRAPH_PART_COUNT], struct arena *scratch)
{
	struct engine_input view;
	struct priced *p = memo->last;
	uint64_t hash;

	view_of(input, world_of(memo, input), &view);
	if (p && is_like(p, &view, has))
		return p;
	hash = hash_words(&view, sizeof view, 0);
	p = memo->bucket[hash % BUCKETS];
	while (p && (p->hash != hash || !is_like(p, &view, has)))
		p = p->next;
	if (!p) {
		p = price(memo, &view, has, scratch);
		if (!p)
			return NULL;
		p->hash = hash;
		p->next = memo->bucket[hash % BUCKETS];
		memo->bucket[hash % BUCKETS] = p;
	}
	memo->last = p;
	return p;
}

/* ---- schedules ------------------------------------------------------------------------------------ */

struct replay_key {
	int64_t pp, vpp, group, micro_batches;
	int64_t schedule, overlapped;
};

struct replayed *memo_replayed(struct priced *priced, const double *transfer)
{
	const struct cost *cost = &priced->cost;
	const struct engine_parallel *p = &cost->in->parallel;
	const size_t stages = (size_t)p->stage_count;
	const size_t size = sizeof(struct replay_key) + stages * (sizeof *transfer + sizeof *cost->kind);
	struct replayed *r;
	char *key;
	uint64_t hash;

	if (priced->arena == cost->arena)
		return NULL;
	key = arena_alloc(cost->arena, size);
	memcpy(key, &(struct replay_key){ p->pp, p->vpp, p->vpp_group, cost->in->batch.micro_batches,
					  p->schedule, cost->in->overlap.pipeline },
	       sizeof(struct replay_key));
	memcpy(key + sizeof(struct replay_key), transfer, stages * sizeof *transfer);
	memcpy(key + sizeof(struct replay_key) + stages * sizeof *transfer, cost->kind,
	       stages * sizeof *cost->kind);
	hash = hash_words(key, size, 0);
	for (r = priced->replays; r; r = r->next)
		if (r->hash == hash && r->size == size && memcmp(r->key, key, size) == 0)
			return r;
	r = ARENA_NEW(priced->arena, struct replayed);
	*r = (struct replayed){ .next = priced->replays, .hash = hash, .size = size };
	r->key = arena_copy(priced->arena, key, size);
	r->alive = ARENA_ARRAY(priced->arena, struct alive, p->pp);
	priced->replays = r;
	return r;
}
