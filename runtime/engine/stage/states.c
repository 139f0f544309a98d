/*
 * states.c - what a rank holds all the time: weights, gradients, optimizer states and buffers of
 * all its chunks. States of experts are shared by the ranks that hold the same experts, those of
 * everything else by all data-parallel ranks.
 */

#include "runtime/engine/cost.h"

/* Bytes of one kind of states, of dense parameters and of experts. */
struct family {
	int64_t dense, expert;
};

static struct family weights_of(const struct cost *cost, const struct stage_layers *s)
{
	struct family f = { 0, 0 };

	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		const struct held *held = &cost->held[part];

		f.expert += s->count.holds[part] * held->expert_weights;
		f.dense += s->count.holds[part] * (held->weights - held->expert_weights);
	}
	return f;
}

static bool rank_has_part(const struct cost *cost, int64_t rank, int part)
{
	const int64_t stages = rank_stages(cost);

	for (int64_t i = 0; i < stages; i++) {
		const struct census *count = &cost->stage[rank_stage(cost, rank, i)].count;

		if (count->runs[part] > 0 || count->holds[part] > 0)
			return true;
	}
	return false;
}

/* Weights whose gradient Transformer Engine keeps an unused copy of. */
static bool keeps_dummy(const struct cost *cost, const struct engine_operator *op)
{
	const bool grouped = op->expert && cost->in->kernels.grouped;

	if (op->dummy[0] == 0)
		return false;
	return version_at_least(&cost->in->te, grouped ? &cost->profile->dummy_grouped
						       : &cost->profile->dummy_wgrad);
}

/* One per distinct weight shape of the rank. */
static int64_t dummy_gradients(const struct cost *cost, int64_t rank)
{
	int64_t seen[COST_OPERATORS_MAX][2];
	int64_t bytes = 0;
	int n = 0;

	if (!cost->in->kernels.fused_accumulation)
		return 0;
	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		if (cost->first[part] == cost->first[part + 1] || !rank_has_part(cost, rank, part))
			continue;
		for (int i = cost->first[part]; i < cost->first[part + 1]; i++) {
			const int64_t *shape = cost->op[i].dummy;
			bool known = !keeps_dummy(cost, &cost->op[i]);

			for (int k = 0; k < n && !known; k++)
				known = seen[k][0] == shape[0] && seen[k][1] == shape[1];
			if (known)
				continue;
			seen[n][0] = shape[0];
			seen[n++][1] = shape[1];
			bytes += shape[0] * shape[1] * cost->element;
		}
	}
	return bytes;
}

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

static int64_t shard(const struct cost *cost, struct family f, enum zero_level from)
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

/* Weights of the largest part of a rank: what is gathered and freed as one. */
static struct family largest_part(const struct cost *cost, int64_t rank)
{
	struct family f = { 0, 0 };

	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		const struct held *held = &cost->held[part];

		if (held->weights > f.dense + f.expert && rank_has_part(cost, rank, part))
			f = (struct family){ held->weights - held->expert_weights,
					     held->expert_weights };
	}
	return f;
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
static int64_t gathered_weights(const struct cost *cost, int64_t rank, struct family all,
				int64_t held)
{
	const struct engine_parallel *p = &cost->in->parallel;
	struct family two = largest_part(cost, rank);
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

void states_evaluate(const struct cost *cost, struct engine_result *result)
{
	const int64_t pp = cost->in->parallel.pp, stages = rank_stages(cost);
	const int64_t states = state_bytes(cost);

	for (int64_t rank = 0; rank < pp; rank++) {
		struct engine_stage *s = &result->stages[rank];
		struct family weights = { 0, 0 }, held = { 0, 0 };

		for (int64_t i = 0; i < stages; i++) {
			const int64_t at = rank_stage(cost, rank, i);
			const struct engine_stage *chunk = &result->stages[at];
			struct family w = weights_of(cost, &cost->stage[at]);

			weights.dense += w.dense;
			weights.expert += w.expert;
			held.expert += chunk->expert_parameters;
			held.dense += chunk->parameters - chunk->expert_parameters;
		}
		s->weights = shard(cost, weights, ZERO_PARAMETERS);
		s->gradients = shard(cost,
				     (struct family){ held.dense * cost->gradient_element,
						      held.expert * cost->gradient_element },
				     ZERO_GRADIENTS);
		s->optimizer =
			shard(cost, (struct family){ held.dense * states, held.expert * states },
			      ZERO_OPTIMIZER);
		s->other_static = dummy_gradients(cost, rank) +
				  gathered_weights(cost, rank, weights, s->weights);
	}
}
