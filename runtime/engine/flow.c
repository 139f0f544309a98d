/* flow.c - how micro-batches go through the stages of a job, and what the ranks hold and do meanwhile. */

#include "runtime/engine/memo.h"

/* The stage with these layers; evaluated when nobody has asked for it yet. */
static const struct known_stage *stage_like(struct priced *priced, const struct stage_layers *layers)
{
	struct cost *cost = &priced->cost;
	const struct engine_input *in = cost->in;
	struct known_stage *known;

	for (known = priced->stages; known; known = known->next)
		if (layers_equal(&known->layers, layers))
			return known;
	known = ARENA_NEW(priced->arena, struct known_stage);
	known->in = *layers->in;
	known->layers = *layers;
	known->layers.in = &known->in;
	known->layers.part = (const uint8_t *)arena_copy(priced->arena, (const char *)layers->part,
							 (size_t)(layers->in->layers + layers->in->mtp));
	cost->in = &priced->kept.view.in;
	stage_evaluate(cost, &priced->flags, layers, &known->stage, &known->walk);
	cost->in = in;
	known->next = priced->stages;
	priced->stages = known;
	return known;
}

static void find_stages(struct priced *priced, struct flow *flow)
{
	const struct cost *cost = &priced->cost;

	for (int64_t i = 0; i < cost->in->parallel.stage_count; i++)
		flow->stage[i] = i > 0 && layers_equal(&cost->stage[i - 1], &cost->stage[i])
					 ? flow->stage[i - 1]
					 : stage_like(priced, &cost->stage[i]);
}

/* What these chunks of a rank add up to. */
static const struct rank_sum *rank_like(struct priced *priced, const struct known_stage *const *chunk)
{
	const struct cost *cost = &priced->cost;
	const int64_t chunks = rank_stages(cost);
	const size_t size = (size_t)chunks * sizeof *chunk;
	struct known_rank *known;

	for (known = priced->ranks; known; known = known->next)
		if (known->chunks == chunks && known->share == rank_share(cost) &&
		    memcmp(known->chunk, chunk, size) == 0)
			return &known->sum;
	known = ARENA_NEW(priced->arena, struct known_rank);
	known->chunk = ARENA_ARRAY(priced->arena, const struct known_stage *, chunks);
	memcpy(known->chunk, chunk, size);
	known->chunks = chunks;
	known->share = rank_share(cost);
	rank_evaluate(cost, chunk, &known->sum);
	known->next = priced->ranks;
	priced->ranks = known;
	return &known->sum;
}

static void find_ranks(struct priced *priced, struct flow *flow)
{
	const struct cost *cost = &priced->cost;
	const int64_t chunks = rank_stages(cost);
	const struct known_stage **chunk = ARENA_ARRAY(cost->arena, const struct known_stage *, chunks);

	for (int64_t r = 0; r < cost->in->parallel.pp; r++) {
		for (int64_t i = 0; i < chunks; i++)
			chunk[i] = flow->stage[rank_stage(cost, r, i)];
		flow->rank[r] = rank_like(priced, chunk);
	}
}

/*
 * Seconds from every virtual stage to the next. One activation travels; behind layers for further
 * tokens that are not where the loss is, one more for each of those tokens.
 */
static void price_transfers(const struct cost *cost, double *transfer)
{
	const struct engine_parallel *p = &cost->in->parallel;
	double payload = (double)cost->boundary;
	double activations = 1;

	for (int64_t i = 0; p->pp > 1 && i + 1 < p->stage_count; i++) {
		int level = network_boundary_level(cost, i % p->pp, (i + 1) % p->pp);

		activations += (double)p->stages[i].mtp;
		transfer[i] = network_p2p(cost, level, activations * payload);
	}
}

/* Interleaved ranks that wait for each other in a circle, and what breaks it. */
static bool refuse_schedule(struct cost *cost, const struct pipeline *p)
{
	return cost_fail(cost, ENGINE_SCHEDULE,
			 p->blocking
				 ? "blocking transfers between interleaved stages end up in a "
				   "circle; with vpp_group = pp and a multiple of pp they do not"
				 : "the last group of vpp_group is shorter than pp, so that its "
				   "ranks wait for each other in a circle; take whole groups",
			 p->micro_batches);
}

/* The replay of the schedule. */
static bool run_pipeline(struct cost *cost, struct flow *flow)
{
	const struct engine_parallel *p = &cost->in->parallel;
	double *forward = ARENA_ARRAY(cost->arena, double, p->stage_count);
	double *backward = ARENA_ARRAY(cost->arena, double, p->stage_count);
	double *weight = ARENA_ARRAY(cost->arena, double, p->stage_count);
	struct pipeline pipeline = {
		.order = cost_order(cost),
		.ranks = p->pp,
		.chunks = rank_stages(cost),
		.micro_batches = cost->in->batch.micro_batches,
		.group = p->vpp_group > 0 ? p->vpp_group : p->pp,
		.forward = forward,
		.backward = backward,
		.weight = weight,
		.transfer = flow->transfer,
		.blocking = cost->profile->sync_pipeline,
		.overlapped = cost->in->overlap.pipeline,
		.whole = cost->log != NULL,
		.tapes = cost->log ? NULL : cost->tapes,
		.log = cost->log,
	};

	for (int64_t i = 0; i < p->stage_count; i++) {
		forward[i] = flow->stage[i]->stage.forward;
		backward[i] = flow->stage[i]->stage.backward;
		weight[i] = flow->stage[i]->stage.weight_gradient;
	}
	if (!pipeline_time(&pipeline, cost->arena, &flow->seconds))
		return refuse_schedule(cost, &pipeline);
	return true;
}

bool flow_evaluate(struct priced *priced, struct flow *flow, struct arena *kept)
{
	struct cost *cost = &priced->cost;
	const struct engine_parallel *p = &cost->in->parallel;

	flow->priced = priced;
	flow->layers = cost->stage;
	flow->stage = ARENA_ARRAY(kept, const struct known_stage *, p->stage_count);
	flow->rank = ARENA_ARRAY(kept, const struct rank_sum *, p->pp);
	flow->transfer = ARENA_ARRAY(kept, double, p->stage_count);
	flow->alive = ARENA_ARRAY(kept, struct alive, p->pp);
	if (!network_place(cost))
		return false;
	find_stages(priced, flow);
	find_ranks(priced, flow);
	price_transfers(cost, flow->transfer);
	counts_evaluate(cost, &flow->counts);
	if (!run_pipeline(cost, flow))
		return false;
	alive_evaluate(cost, flow->stage, flow->alive);
	return true;
}
