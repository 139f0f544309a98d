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

/* A layer for a further token is like the last one of the model. */
static enum graph_part further_part(const struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t last = p->stage_count - 1;

	return part_of(cost, last, p->stages[last].layers - 1, cost->in->model.layers - 1);
}

static struct census count_layers(const struct cost *cost, const struct stage_layers *stage)
{
	const struct engine_layout_stage *s = stage->in;
	const struct engine_model *m = &cost->in->model;
	struct census c = { { 0 }, { 0 } };
	/* One layer used over and over is held once. */
	int64_t held = m->mtp_shared && s->mtp > 1 ? s->layers + 1 : s->layers + s->mtp;

	for (int64_t i = 0; i < s->layers + s->mtp; i++) {
		c.runs[stage->part[i]]++;
		c.holds[stage->part[i]] += i < held;
	}
	c.runs[GRAPH_EMBEDDING] = s->embedding;
	c.runs[GRAPH_MTP] = s->mtp;
	c.runs[GRAPH_NORM] = s->loss + s->mtp;
	c.runs[GRAPH_HEAD] = s->loss ? 1 + m->mtp_depth : 0;
	c.holds[GRAPH_EMBEDDING] = s->embedding || s->mtp > 0;
	c.holds[GRAPH_MTP] = held - s->layers;
	c.holds[GRAPH_NORM] = s->loss + held - s->layers;
	c.holds[GRAPH_HEAD] = s->loss && !(m->tied && c.holds[GRAPH_EMBEDDING] > 0);
	return c;
}

bool layers_place(struct cost *cost, bool has[GRAPH_PART_COUNT])
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t total = 0, global = 0;
	uint8_t *part;

	for (int64_t i = 0; i < p->stage_count; i++)
		total += p->stages[i].layers + p->stages[i].mtp;
	part = ARENA_ARRAY(cost->arena, uint8_t, total);
	cost->stage = ARENA_ARRAY(cost->arena, struct stage_layers, p->stage_count);
	for (int64_t i = 0; i < p->stage_count; i++) {
		cost->stage[i] = (struct stage_layers){ .in = &p->stages[i], .part = part };
		for (int64_t l = 0; l < p->stages[i].layers; l++, global++) {
			enum graph_part kind = part_of(cost, i, l, global);

			*part++ = (uint8_t)kind;
			has[kind] = true;
		}
		for (int64_t l = 0; l < p->stages[i].mtp; l++) {
			enum graph_part kind = further_part(cost);

			*part++ = (uint8_t)kind;
			has[kind] = has[GRAPH_MTP] = true;
		}
		cost->stage[i].count = count_layers(cost, &cost->stage[i]);
	}
	return true;
}

bool layers_equal(const struct stage_layers *a, const struct stage_layers *b)
{
	return a->in->layers == b->in->layers && a->in->recompute == b->in->recompute &&
	       a->in->embedding == b->in->embedding && a->in->loss == b->in->loss &&
	       a->in->mtp == b->in->mtp &&
	       memcmp(a->part, b->part, (size_t)(a->in->layers + a->in->mtp)) == 0;
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
