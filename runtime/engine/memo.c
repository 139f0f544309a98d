/* memo.c - finds flows, layers and operators that were priced before. */

#include "runtime/engine/memo.h"
#include "runtime/engine/schedule/tape.h"

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

/* What is kept, by views. */
struct table {
	struct kept *bucket[BUCKETS];
};

struct engine_memo {
	struct arena *arena;
	struct world *worlds;
	struct tapes tapes;
	const struct flow *last;
	struct table flows, priced, charged;
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

static struct kept *table_find(const struct table *t, const struct view *view)
{
	const uint64_t hash = hash_words(view, sizeof *view, 0);
	struct kept *k = t->bucket[hash % BUCKETS];

	while (k && (k->hash != hash || memcmp(&k->view, view, sizeof *view) != 0))
		k = k->next;
	return k;
}

static void table_add(struct table *t, struct kept *k)
{
	k->hash = hash_words(&k->view, sizeof k->view, 0);
	k->next = t->bucket[k->hash % BUCKETS];
	t->bucket[k->hash % BUCKETS] = k;
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

static uint64_t hash_layout(const struct engine_parallel *p)
{
	return hash_words(p->stages, (size_t)p->stage_count * sizeof *p->stages, 0);
}

/* layers_place(), remembered; NULL: nobody asked for it yet. */
static const struct placed *find_placed(const struct engine_memo *memo, const struct cost *job)
{
	const struct placed *p;
	uint64_t hash;

	if (job->in->parallel.stages == NULL)
		return NULL;
	hash = hash_layout(&job->in->parallel);
	p = memo->place[hash % PLACES];
	while (p && (p->hash != hash || !is_placed(p, job)))
		p = p->next;
	return p;
}

static const struct placed *placed_of(struct engine_memo *memo, const struct cost *job)
{
	const struct placed *known = find_placed(memo, job);
	struct placed *p;

	if (known)
		return known;
	p = place(memo, job);
	p->hash = hash_layout(&job->in->parallel);
	p->next = memo->place[p->hash % PLACES];
	memo->place[p->hash % PLACES] = p;
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
		      struct view *view)
{
	struct engine_parallel *p = &view->in.parallel;

	memset(view, 0, sizeof *view);
	memcpy(&view->in, in, sizeof *in);
	memcpy(view->has, placed->has, sizeof view->has);
	view->in.profile = &world->profile;
	view->in.hardware = &world->hardware;
	view->in.overlap.gradient_reduce = view->in.overlap.parameter_gather = false;
	view->in.overlap.optimizer_gather = false;
	p->stages = placed->in;
	p->bucket = p->shard = p->gather = 0;
	p->zero = ZERO_OFF;
	p->reshard = false;
}

/*
 * A flow with one fixed value for all that layers do not depend on: how many ranks and micro-batches there are
 * besides. Ranks of experts lie across those of data parallelism, so with experts the degrees stay.
 */
static void view_layers(const struct view *flow, struct view *view)
{
	struct engine_parallel *p = &view->in.parallel;

	memcpy(view, flow, sizeof *view);
	view->in.batch.micro_batches = 1;
	view->in.overlap.pipeline = view->in.overlap.pipeline_ends = false;
	p->world = p->world / p->pp;
	p->pp = p->vpp = 1;
	p->schedule = SCHEDULE_ONE_F_ONE_B;
	p->vpp_group = 0;
	p->stages = NULL;
	p->stage_count = 0;
	if (view->in.model.moe.experts > 1)
		return;
	p->world = p->world / p->dp;
	p->dp = p->edp = 1;
}

/* Layers whatever runs again and hides; a ring of keys and values has another kernel where it does. */
static void view_operators(const struct view *layers, struct view *view)
{
	const bool context = layers->in.overlap.context;

	memcpy(view, layers, sizeof *view);
	memset(&view->in.recompute, 0, sizeof view->in.recompute);
	memset(&view->in.overlap, 0, sizeof view->in.overlap);
	view->in.overlap.context = context;
}

static struct charged *charge(struct engine_memo *memo, const struct view *view, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct charged *c = ARENA_NEW(memo->arena, struct charged);
	struct engine_error error;
	bool fine;

	memcpy(&c->kept.view, view, sizeof *view);
	c->cost.tapes = &memo->tapes;
	cost_begin(&c->cost, &c->kept.view.in, scratch, &error);
	fine = engine_charge(c, view->has, memo->arena);
	c->cost.graph = NULL;
	arena_reset(scratch, mark);
	if (!fine)
		return NULL;
	table_add(&memo->charged, &c->kept);
	return c;
}

static struct charged *charged_of(struct engine_memo *memo, const struct view *layers, struct arena *scratch)
{
	struct view view;
	struct kept *known;

	view_operators(layers, &view);
	known = table_find(&memo->charged, &view);
	return known ? (struct charged *)known : charge(memo, &view, scratch);
}

static struct priced *price(struct engine_memo *memo, const struct view *view, struct arena *scratch)
{
	struct charged *charged = charged_of(memo, view, scratch);
	struct priced *p;

	if (!charged)
		return NULL;
	p = ARENA_NEW(memo->arena, struct priced);
	memcpy(&p->kept.view, view, sizeof *view);
	p->arena = memo->arena;
	engine_add_up(p, charged);
	table_add(&memo->priced, &p->kept);
	return p;
}

static struct priced *priced_of(struct engine_memo *memo, const struct view *flow, struct arena *scratch)
{
	struct view view;
	struct kept *known;

	view_layers(flow, &view);
	known = table_find(&memo->priced, &view);
	return known ? (struct priced *)known : price(memo, &view, scratch);
}

static struct flow *let_flow(struct engine_memo *memo, const struct view *view, struct stage_layers *layers,
			     struct arena *scratch)
{
	struct priced *priced = priced_of(memo, view, scratch);
	struct engine_error error;
	struct flow *flow;

	if (!priced)
		return NULL;
	flow = ARENA_NEW(memo->arena, struct flow);
	memcpy(&flow->kept.view, view, sizeof *view);
	cost_begin(&priced->cost, &flow->kept.view.in, scratch, &error);
	priced->cost.stage = layers;
	if (!flow_evaluate(priced, flow, memo->arena)) {
		struct engine_error *refused = ARENA_NEW(memo->arena, struct engine_error);

		*refused = error;
		flow->refused = refused;
	}
	table_add(&memo->flows, &flow->kept);
	return flow;
}

static const struct flow *find_flow(struct engine_memo *memo, const struct cost *job)
{
	const struct placed *placed = find_placed(memo, job);
	struct view view;

	if (!placed)
		return NULL;
	view_flow(job->in, world_of(memo, job->in), placed, &view);
	if (memo->last && memcmp(&memo->last->kept.view, &view, sizeof view) == 0)
		return memo->last;
	return (const struct flow *)table_find(&memo->flows, &view);
}

static const struct flow *make_flow(struct engine_memo *memo, const struct cost *job)
{
	const struct placed *placed = placed_of(memo, job);
	struct view view;

	view_flow(job->in, world_of(memo, job->in), placed, &view);
	return let_flow(memo, &view, placed->stage, job->arena);
}

const struct flow *memo_flow(struct engine_memo *memo, struct cost *job)
{
	const struct flow *flow;

	if (memo->arena->total > MEMO_BYTES)
		forget(memo);
	flow = find_flow(memo, job);
	/* What a flow depends on was checked when it was made. */
	if (flow ? !check_spread(job) : !check_input(job))
		return NULL;
	if (!flow)
		flow = make_flow(memo, job);
	if (flow)
		memo->last = flow;
	return flow;
}
