/*
 * states.c - what a rank holds all the time: weights, gradients, optimizer states and buffers of
 * all its chunks. States of experts are shared by the ranks that hold the same experts, those of
 * everything else by all data-parallel ranks.
 */

#include "runtime/engine/cost.h"

static int64_t divide_up(int64_t size, int64_t parts)
{
	return size / parts + (size % parts != 0);
}

/* Bytes of optimizer state per parameter of weights `element` bytes wide. */
static int64_t state_bytes(const struct cost *cost)
{
	const struct engine_optimizer *o = &cost->in->optimizer;
	int64_t bytes = dtype_bits(o->master) / 8;

	if (o->single_copy)
		bytes -= cost->weight_element < bytes ? cost->weight_element : bytes;
	if (o->kind != OPTIMIZER_SGD)
		bytes += dtype_bits(o->moments) / 8;
	if (o->kind == OPTIMIZER_ADAMW || o->kind == OPTIMIZER_SOAP)
		bytes += dtype_bits(o->variance) / 8;
	return bytes;
}

static int64_t shard(const struct cost *cost, struct family_bytes f, enum zero_level from)
{
	if (cost->in->parallel.zero < from)
		return f.dense + f.expert;
	return divide_up(f.dense, cost_dense_shard(cost)) +
	       divide_up(f.expert, cost_expert_shard(cost));
}

int64_t cost_dense_shard(const struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;

	return p->shard > 0 ? p->shard : p->dp * p->cp;
}

int64_t cost_expert_shard(const struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t replicas = p->dp * p->cp / cost_dense_shard(cost);
	int64_t ranks = replicas > 0 ? p->edp / replicas : p->edp;

	return ranks > 0 ? ranks : 1;
}

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * Weights that are cut have to be whole while they are used: all of them where they stay after
 * forward, else those of the running layer and of the one that is fetched meanwhile. A gather group
 * keeps them once more among its ranks [ZeRO++'s secondary partition].
 */
static int64_t gathered_weights(const struct cost *cost, const struct rank_sum *rank, int64_t held)
{
	const struct engine_parallel *p = &cost->in->parallel;
	const struct family_bytes all = rank->weights, two = rank->largest;
	int64_t rest = all.dense + all.expert - held, again = 0;

	if (p->zero < ZERO_PARAMETERS || !cost->profile->zero3_traffic)
		return 0;
	if (!p->reshard)
		return rest;
	if (p->gather > 0)
		again = divide_up(all.dense, cost->group[GROUP_GATHER].size) +
			divide_up(all.expert, cost->group[GROUP_EXPERT_GATHER].size);
	return min64(rest, 2 * (two.dense + two.expert) + again);
}

struct states {
	int64_t weights, gradients, optimizer, other;
};

static struct states states_of(const struct cost *cost, const struct rank_sum *rank)
{
	const int64_t each = state_bytes(cost), gradient = cost->gradient_element;
	const struct family_bytes held = { rank->parameters - rank->expert_parameters,
				     rank->expert_parameters };
	const struct family_bytes gradients = { held.dense * gradient, held.expert * gradient };
	const struct family_bytes optimizer = { held.dense * each, held.expert * each };
	struct states s = { .weights = shard(cost, rank->weights, ZERO_PARAMETERS),
			    .gradients = shard(cost, gradients, ZERO_GRADIENTS),
			    .optimizer = shard(cost, optimizer, ZERO_OPTIMIZER) };

	s.other = rank->dummies + gathered_weights(cost, rank, s.weights);
	return s;
}

void states_evaluate(const struct cost *cost, struct engine_result *result)
{
	struct states states = { 0 };

	for (int64_t r = 0; r < cost->in->parallel.pp; r++) {
		struct engine_stage *s = &result->stages[r];

		if (r == 0 || cost->rank[r] != cost->rank[r - 1])
			states = states_of(cost, cost->rank[r]);
		s->weights = states.weights;
		s->gradients = states.gradients;
		s->optimizer = states.optimizer;
		s->other_static = states.other;
	}
}
