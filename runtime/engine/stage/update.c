/*
 * update.c - what a stage does between its last backward and the next step: reduce, update, gather.
 */

#include "runtime/engine/cost.h"

/* Bytes sent over the data-parallel group in buckets. */
struct buckets {
	double bytes;  /* all of them */
	double bucket; /* bytes of one */
	enum collective collective;
};

static double bucket_elements(const struct cost *cost, int64_t ranks)
{
	const struct profile *p = cost->profile;
	double least = p->bucket_elements, grown = p->bucket_per_rank * (double)ranks;

	if (cost->in->parallel.bucket > 0)
		return (double)cost->in->parallel.bucket;
	return least > grown ? least : grown;
}

/* Full buckets, and the rest: as another full one, or as what it is. */
static double bucket_time(const struct cost *cost, const struct buckets *b)
{
	if (b->bytes <= 0)
		return 0;

	double full = (double)(int64_t)((b->bytes - 1) / b->bucket);
	double one = network_time(cost, GROUP_DP, b->collective, b->bucket, true);
	double rest = b->bytes - full * b->bucket;

	if (cost->profile->whole_buckets)
		return (full + 1) * one;
	return full * one + network_time(cost, GROUP_DP, b->collective, rest, true);
}

static double min(double a, double b)
{
	return a < b ? a : b;
}

/* Gradients on the wire in the narrower of the two formats they have. */
static int64_t wire_element(const struct cost *cost)
{
	int64_t reduce = dtype_bits(cost->in->optimizer.reduce) / 8;

	return reduce < cost->gradient_element ? reduce : cost->gradient_element;
}

static double sharding(const struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;

	return (double)(p->shard > 0 ? p->shard : p->dp * p->cp);
}

struct traffic_plan {
	struct buckets reduce, gather;
	double reduce_times, gather_times; /* per step */
};

static struct traffic_plan plan_traffic(const struct cost *cost, const struct engine_stage *stage)
{
	const struct engine_parallel *p = &cost->in->parallel;
	const struct profile *profile = cost->profile;
	double elements = bucket_elements(cost, cost->group[GROUP_DP].size);
	double wire = (double)wire_element(cost), e = (double)cost->element;
	double sent = (double)stage->parameters;
	struct traffic_plan t = { .reduce_times = 1, .gather_times = 1 };

	if (profile->shard_on_wire && p->zero >= ZERO_GRADIENTS)
		sent /= sharding(cost);
	t.reduce.bytes = sent * wire;
	t.reduce.bucket =
		elements * (profile->bucket_element > 0 ? (double)profile->bucket_element : wire);
	t.reduce.collective =
		p->zero == ZERO_OFF ? COLLECTIVE_ALL_REDUCE : COLLECTIVE_REDUCE_SCATTER;
	t.gather.bytes = p->zero == ZERO_OFF ? 0 : sent * e;
	t.gather.bucket = profile->gradient_bucket_gather ? t.reduce.bucket : elements * e;
	t.gather.collective = COLLECTIVE_ALL_GATHER;
	if (profile->zero3_traffic && p->zero >= ZERO_GRADIENTS)
		t.reduce_times = (double)cost->in->batch.micro_batches;
	/* Sharded weights are gathered for every forward and again for every backward. */
	if (profile->zero3_traffic && p->zero >= ZERO_PARAMETERS)
		t.gather_times = 2 * (double)cost->in->batch.micro_batches;
	return t;
}

/*
 * A reduction hides under the backward it belongs to, except its last bucket, whose gradients come
 * last; a gather hides under the forward that needs it. Hidden seconds slow compute down a little.
 */
static double exposed(const struct cost *cost, double busy, double cover, double last)
{
	double hidden = min(cost->profile->hide * min(busy, cover), busy - min(last, busy));

	return busy - hidden + cost->profile->hide_penalty * hidden;
}

static void reduce_and_gather(const struct cost *cost, struct engine_stage *stage)
{
	const struct engine_overlap *o = &cost->in->overlap;
	struct traffic_plan t = plan_traffic(cost, stage);
	double reduce = bucket_time(cost, &t.reduce) * t.reduce_times;
	double gather = bucket_time(cost, &t.gather) * t.gather_times;

	stage->gradient_reduce_busy = reduce;
	stage->parameter_gather_busy = gather;
	if (o->gradient_reduce) {
		double last = network_time(cost, GROUP_DP, t.reduce.collective,
					   min(t.reduce.bucket, t.reduce.bytes), true);

		reduce = exposed(cost, reduce, stage->backward_compute * t.reduce_times, last);
	}
	if (o->parameter_gather) {
		double cover = stage->forward_compute;

		if (t.gather_times > 1)
			cover = (cover + stage->backward_compute) * t.gather_times / 2;
		gather = exposed(cost, gather, cover, 0);
	}
	stage->gradient_reduce = reduce;
	stage->parameter_gather = gather;
}

/* Gradients of replicated weights behind split tokens, and of a table that lives on two stages. */
static void reduce_replicated(const struct cost *cost, struct engine_stage *stage)
{
	const struct engine_input *in = cost->in;
	double seconds = 0;

	if (cost->profile->norm_gradient_reduce && stage->tensor_reduced > 0)
		seconds += network_time(cost, GROUP_TP, COLLECTIVE_ALL_REDUCE,
					(double)(stage->tensor_reduced * cost->gradient_element),
					false);
	if (cost->profile->tied_reduce && in->model.tied && stage->embedding != stage->loss) {
		double table =
			(double)cost->vocab * (double)in->model.hidden / (double)in->parallel.tp;

		seconds += network_p2p(cost, cost->group[GROUP_PP].level,
				       table * (double)cost->gradient_element);
	}
	stage->gradient_reduce += seconds;
	stage->gradient_reduce_busy += seconds;
}

/* Memory passes of the update: clear, norm, scale, norm and clip of the shard, Adam, copy back. */
static double optimizer_time(const struct cost *cost, const struct engine_stage *stage)
{
	const struct engine_parallel *p = &cost->in->parallel;
	const struct engine_optimizer *o = &cost->in->optimizer;
	const struct hardware *hw = cost->hardware;
	double held = (double)stage->parameters, shard = held;
	double gradients = held * (double)cost->gradient_element;

	if (p->zero >= ZERO_GRADIENTS)
		gradients /= sharding(cost);
	if (p->zero >= ZERO_OPTIMIZER)
		shard /= sharding(cost);

	double states = (double)(dtype_bits(o->master) / 8);

	if (o->kind != OPTIMIZER_SGD)
		states += (double)(dtype_bits(o->moments) / 8);
	if (o->kind == OPTIMIZER_ADAMW || o->kind == OPTIMIZER_SOAP)
		states += (double)(dtype_bits(o->variance) / 8);
	states *= shard;

	double reduced = shard * (o->reduce == DTYPE_BF16 ? 2 : 4);
	double copied =
		cost->profile->copy_half_state
			? states / 2
			: shard * (double)(dtype_bits(o->master) / 8 + cost->weight_element);
	double seconds = traffic_time(hw, KERNEL_DEFAULT, gradients);

	if (o->clip)
		seconds += traffic_time(hw, KERNEL_DEFAULT, gradients);
	if (cost->group[GROUP_DP].size > 1)
		seconds += traffic_time(hw, KERNEL_DEFAULT, 2 * gradients);
	if (o->clip) {
		seconds += traffic_time(hw, KERNEL_DEFAULT, reduced);
		seconds += traffic_time(hw, KERNEL_DEFAULT, 2 * reduced);
	}
	seconds += traffic_time(hw, KERNEL_DEFAULT,
				reduced + (double)cost->profile->adam_state_passes * states);
	return seconds + traffic_time(hw, KERNEL_DEFAULT, copied);
}

void update_evaluate(const struct cost *cost, struct engine_stage *stage)
{
	reduce_and_gather(cost, stage);
	reduce_replicated(cost, stage);
	stage->data_parallel = stage->gradient_reduce + stage->parameter_gather;
	stage->optimizer_step = optimizer_time(cost, stage);
}
