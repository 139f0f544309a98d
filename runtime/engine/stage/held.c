/* held.c - the weights that the chunks of a pipeline rank hold, however they are spread. */

#include "runtime/engine/cost.h"

static void add_weights(const struct cost *cost, const struct census *count, struct family_bytes *weights)
{
	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		const struct held *held = &cost->held[part];

		weights->expert += count->holds[part] * held->expert_weights;
		weights->dense += count->holds[part] * (held->weights - held->expert_weights);
	}
}

static void add_parts(const struct census *count, bool has[GRAPH_PART_COUNT])
{
	for (int part = 0; part < GRAPH_PART_COUNT; part++)
		has[part] |= count->runs[part] > 0 || count->holds[part] > 0;
}

static struct family_bytes largest_part(const struct cost *cost, const bool has[GRAPH_PART_COUNT])
{
	struct family_bytes f = { 0, 0 };

	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		const struct held *held = &cost->held[part];

		if (has[part] && held->weights > f.dense + f.expert)
			f = (struct family_bytes){ held->weights - held->expert_weights,
					     held->expert_weights };
	}
	return f;
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

/* One per distinct weight shape. */
static int64_t dummy_gradients(const struct cost *cost, const bool has[GRAPH_PART_COUNT])
{
	int64_t seen[COST_OPERATORS_MAX][2];
	int64_t bytes = 0;
	int n = 0;

	if (!cost->in->kernels.fused_accumulation)
		return 0;
	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		for (int i = cost->first[part]; has[part] && i < cost->first[part + 1]; i++) {
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

void rank_holds(const struct cost *cost, const struct known_stage *const *chunk, struct rank_sum *sum)
{
	const int64_t stages = rank_stages(cost);
	bool has[GRAPH_PART_COUNT] = { false };

	for (int64_t i = 0; i < stages; i++) {
		const struct census *count = &chunk[i]->layers.count;

		add_weights(cost, count, &sum->weights);
		add_parts(count, has);
	}
	sum->largest = largest_part(cost, has);
	sum->dummies = dummy_gradients(cost, has);
}
