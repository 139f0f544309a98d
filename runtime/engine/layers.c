/* layers.c - which kind of layer stands where, and how many tokens reach its experts. */

#include <math.h>

#include "runtime/engine/cost.h"

/* Whether layer `global` of the model, layer `local` of stage `stage`, is a mixture of experts. */
static bool is_mixture(const struct cost *cost, int64_t stage, int64_t local, int64_t global)
{
	const struct engine_moe *m = &cost->in->model.moe;
	int64_t every = m->every > 1 ? m->every : 1;

	if (m->experts <= 1)
		return false;
	/* SimuMax puts all leading dense layers on the first stage and drops what is left (O28). */
	if (cost->profile->dense_first_stage && every == 1)
		return stage > 0 || local >= m->first_dense;
	return global >= m->first_dense && (global - m->first_dense + 1) % every == 0;
}

static enum graph_part part_of(const struct cost *cost, int64_t stage, int64_t local,
			       int64_t global)
{
	int64_t full = cost->in->model.full_every;
	bool near = full > 1 && (global + 1) % full != 0;

	if (is_mixture(cost, stage, local, global))
		return near ? GRAPH_LOCAL_MIXTURE : GRAPH_MIXTURE;
	return near ? GRAPH_LOCAL_DENSE : GRAPH_DENSE;
}

bool layers_place(struct cost *cost, bool has[GRAPH_PART_COUNT])
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t total = 0, global = 0;
	uint8_t *part;

	for (int64_t i = 0; i < p->stage_count; i++)
		total += p->stages[i].layers;
	part = ARENA_ARRAY(cost->arena, uint8_t, total);
	cost->stage = ARENA_ARRAY(cost->arena, struct stage_layers, p->stage_count);
	for (int64_t i = 0; i < p->stage_count; i++) {
		cost->stage[i] = (struct stage_layers){ &p->stages[i], part + global };
		for (int64_t l = 0; l < p->stages[i].layers; l++, global++) {
			enum graph_part kind = part_of(cost, i, l, global);

			part[global] = (uint8_t)kind;
			has[kind] = true;
		}
	}
	return true;
}

bool layers_equal(const struct stage_layers *a, const struct stage_layers *b)
{
	return a->in->layers == b->in->layers && a->in->recompute == b->in->recompute &&
	       a->in->embedding == b->in->embedding && a->in->loss == b->in->loss &&
	       memcmp(a->part, b->part, (size_t)a->in->layers) == 0;
}

/*
 * Copies of `tokens` tokens that experts take: top_k of each, with `pad` rounded up to the same
 * number for every expert, without it bounded by their capacity.
 */
static int64_t routed_tokens(const struct cost *cost, int64_t tokens)
{
	const struct engine_moe *m = &cost->in->model.moe;
	double copies = (double)tokens * (double)m->top_k;
	double share = copies / (double)m->experts;

	if (!m->pad)
		return (int64_t)(m->capacity > 0 && m->capacity < 1 ? copies * m->capacity
								    : copies);
	if (cost->profile->capacity_of_rounded)
		return (int64_t)(ceil(share) * (double)m->experts * m->capacity);
	return (int64_t)ceil(share * m->capacity) * m->experts;
}

void layers_route(struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	const struct engine_batch *b = &cost->in->batch;
	int64_t local = b->micro * (b->sequence / p->cp / (p->sequence_parallel ? p->tp : 1));

	cost->routed_sent = routed_tokens(cost, local);
	cost->routed_held = cost->routed_sent * p->etp;
	if (cost->profile->gathered_tokens_lost)
		cost->routed_held = cost->routed_sent;
	else if (cost->profile->pad_after_gather)
		cost->routed_held = routed_tokens(cost, local * p->etp);
}
