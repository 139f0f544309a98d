/*
 * update.c - what a rank does between its last backward and the next step: reduce, update, gather.
 */

#include "runtime/engine/cost.h"

/* Bytes sent over a data-parallel group in buckets. */
struct buckets {
	int group;
	enum collective collective;
	double bytes;  /* all of them */
	double bucket; /* bytes of one */
};

static double bucket_elements(const struct cost *cost, int64_t ranks)
{
	const struct profile *p = cost->profile;
	double least = p->bucket_elements, grown = p->bucket_per_rank * (double)ranks;

	if (cost->in->parallel.bucket > 0)
		return (double)cost->in->parallel.bucket;
	return least > grown ? least : grown;
}

static double min(double a, double b)
{
	return a < b ? a : b;
}

static double one_bucket(const struct cost *cost, const struct buckets *b, double bytes)
{
	return network_time(cost, b->group, b->collective, bytes, true);
}

/* Full buckets, and the rest: as another full one, or as what it is. */
static double bucket_time(const struct cost *cost, const struct buckets *b)
{
	if (b->bytes <= 0)
		return 0;

	double full = (double)(int64_t)((b->bytes - 1) / b->bucket);

	if (cost->profile->whole_buckets)
		return (full + 1) * one_bucket(cost, b, b->bucket);
	return full * one_bucket(cost, b, b->bucket) +
	       one_bucket(cost, b, b->bytes - full * b->bucket);
}

/* Seconds of the bucket nothing can hide: its gradients come last. */
static double last_bucket(const struct cost *cost, const struct buckets *b)
{
	return b->bytes > 0 ? one_bucket(cost, b, min(b->bucket, b->bytes)) : 0;
}

/* Gradients on the wire in the narrower of the two formats they have. */
static int64_t wire_element(const struct cost *cost)
{
	int64_t reduce = dtype_bits(cost->in->optimizer.reduce) / 8;

	return reduce < cost->gradient_element ? reduce : cost->gradient_element;
}

/* Parameters of a rank that travel over one group, and how many ranks share their states. */
struct family {
	int all;                    /* every rank that has them */
	int shard, replica, gather; /* the groups inside it */
	double parameters, cut;
};

enum { FAMILIES = 2 };

/* Dense parameters over dp and cp, experts over edp. */
static void split_families(const struct cost *cost, const struct rank_sum *rank,
			   struct family family[FAMILIES])
{
	double experts = (double)rank->expert_parameters;

	family[0] = (struct family){ GROUP_DP,
				     GROUP_SHARD,
				     GROUP_REPLICA,
				     GROUP_GATHER,
				     (double)rank->parameters - experts,
				     (double)cost_dense_shard(cost) };
	family[1] = (struct family){ GROUP_EDP,
				     GROUP_EXPERT_SHARD,
				     GROUP_EXPERT_REPLICA,
				     GROUP_EXPERT_GATHER,
				     experts,
				     (double)cost_expert_shard(cost) };
}

/*
 * What a family sends in a step. Gradients are reduced over the ranks that share one copy of what is
 * cut, then, each its own part, over the copies; weights are gathered within a copy.
 */
struct traffic_plan {
	struct buckets reduce, between; /* between copies, once a step */
	struct buckets gather, again;   /* before forward, and before backward */
	double reduce_times, gather_times, again_times;
};

/* How often weights are gathered in a step. */
static void plan_gathers(const struct cost *cost, struct traffic_plan *t)
{
	const struct engine_parallel *p = &cost->in->parallel;
	const double m = (double)cost->in->batch.micro_batches;

	t->gather_times = 1;
	/* Megatron's optimizers of dense and of expert weights each gather all weights of the model. */
	if (cost->in->model.moe.experts > 1 && !cost->in->overlap.parameter_gather)
		t->gather_times = (double)cost->profile->moe_gather_factor;
	if (!cost->profile->zero3_traffic || p->zero < ZERO_PARAMETERS)
		return;
	/* Kept after forward, they stay for the micro-batches of a pipeline, else for one. */
	t->gather_times = p->reshard || p->pp == 1 ? m : 1;
	t->again_times = p->reshard ? m : 0;
}

static struct traffic_plan plan_traffic(const struct cost *cost, const struct family *family)
{
	const struct engine_parallel *p = &cost->in->parallel;
	const struct profile *profile = cost->profile;
	const bool copies = p->zero >= ZERO_OPTIMIZER && cost->group[family->replica].size > 1;
	double elements = bucket_elements(cost, cost->group[family->all].size);
	double wire = (double)wire_element(cost), e = (double)cost->element;
	double sized = profile->bucket_element > 0 ? (double)profile->bucket_element : wire;
	double sent = family->parameters;
	struct traffic_plan t = { .reduce_times = 1 };

	if (profile->shard_on_wire && p->zero >= ZERO_GRADIENTS)
		sent /= family->cut;
	t.reduce = (struct buckets){ copies ? family->shard : family->all,
				     p->zero == ZERO_OFF ? COLLECTIVE_ALL_REDUCE
							 : COLLECTIVE_REDUCE_SCATTER,
				     sent * wire, elements * sized };
	if (copies)
		t.between = (struct buckets){ family->replica, COLLECTIVE_ALL_REDUCE,
					      t.reduce.bytes / family->cut,
					      t.reduce.bucket / family->cut };
	t.gather = (struct buckets){ t.reduce.group, COLLECTIVE_ALL_GATHER,
				     p->zero == ZERO_OFF ? 0 : sent * e,
				     profile->gradient_bucket_gather ? t.reduce.bucket
								     : elements * e };
	t.again = t.gather;
	if (p->gather > 0)
		t.again.group = family->gather;
	if (profile->zero3_traffic && p->zero >= ZERO_GRADIENTS)
		t.reduce_times = (double)cost->in->batch.micro_batches;
	plan_gathers(cost, &t);
	return t;
}

/*
 * A reduction hides under the backward it belongs to, except its last bucket, whose gradients come
 * last; a gather hides under the forward that needs it. Hidden seconds slow compute down a little.
 */
static double exposed(const struct cost *cost, double busy, double cover, double last, double *hidden)
{
	double under = min(cost->profile->hide * min(busy, cover), busy - min(last, busy));

	*hidden += under;
	return busy - under + cost->profile->hide_penalty * under;
}

/* Seconds of a step, `busy` and `hidden` of traffic before hiding and under compute. */
struct update {
	double optimizer;
	double reduce, reduce_busy, reduce_hidden;
	double gather, gather_busy, gather_hidden;
};

/* Adds the traffic of one family; `rank` sums the times of the rank's chunks. */
static void reduce_and_gather(const struct cost *cost, const struct family *family,
			      const struct rank_sum *rank, struct update *u)
{
	const struct engine_overlap *o = &cost->in->overlap;
	struct traffic_plan t = plan_traffic(cost, family);
	double reduce = bucket_time(cost, &t.reduce) * t.reduce_times + bucket_time(cost, &t.between);
	double forward = bucket_time(cost, &t.gather) * t.gather_times;
	double again = t.again_times > 0 ? bucket_time(cost, &t.again) * t.again_times : 0;
	double gather = forward + again;

	u->reduce_busy += reduce;
	u->gather_busy += gather;
	if (o->gradient_reduce)
		reduce = exposed(cost, reduce, rank->backward_compute * t.reduce_times,
				 last_bucket(cost, &t.reduce) + last_bucket(cost, &t.between),
				 &u->reduce_hidden);
	if (o->parameter_gather) {
		double cover = rank->forward_compute * (t.again_times > 0 ? t.again_times : 1);

		if (o->optimizer_gather)
			cover += u->optimizer;
		gather = exposed(cost, gather, cover + rank->backward_compute * t.again_times, 0,
				 &u->gather_hidden);
	}
	u->reduce += reduce;
	u->gather += gather;
}

/* Ranks of the pipeline that hold rows of the embedding. */
static int64_t count_tables(const struct cost *cost)
{
	int64_t tables = 0;

	for (int64_t r = 0; r < cost->in->parallel.pp; r++)
		tables += cost->rank[r]->table;
	return tables;
}

/* Gradients of replicated weights behind split tokens, and of a table that lives on two stages. */
static void reduce_replicated(const struct cost *cost, const struct rank_sum *rank, int64_t tables,
			      struct update *u)
{
	const struct engine_input *in = cost->in;
	double seconds = 0;

	if (cost->profile->norm_gradient_reduce && rank->tensor_reduced > 0)
		seconds += network_time(cost, GROUP_TP, COLLECTIVE_ALL_REDUCE,
					(double)(rank->tensor_reduced * cost->gradient_element),
					false);
	if (cost->profile->tied_reduce && rank->table && tables > 1) {
		double table =
			(double)cost->vocab * (double)in->model.hidden / (double)in->parallel.tp;

		seconds += network_p2p(cost, cost->group[GROUP_PP].level,
				       table * (double)cost->gradient_element);
	}
	u->reduce += seconds;
	u->reduce_busy += seconds;
}

/* Memory passes of the update: clear, norm, scale, norm and clip of the shard, Adam, copy back. */
static double optimizer_time(const struct cost *cost, const struct family family[FAMILIES])
{
	const struct engine_parallel *p = &cost->in->parallel;
	const struct engine_optimizer *o = &cost->in->optimizer;
	const struct hardware *hw = cost->hardware;
	double gradients = 0, shard = 0;

	for (int i = 0; i < FAMILIES; i++) {
		double held = family[i].parameters, cut = held / family[i].cut;

		gradients += p->zero >= ZERO_GRADIENTS ? cut : held;
		shard += p->zero >= ZERO_OPTIMIZER ? cut : held;
	}
	gradients *= (double)cost->gradient_element;

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

/*
 * Two directions: the stage from the other end is also where that end has its own, and both sum
 * their gradients, of a sharded state each rank its part.
 */
static void reduce_mirrored(const struct cost *cost, const struct family family[FAMILIES], int64_t r,
			    struct update *u)
{
	const struct engine_parallel *p = &cost->in->parallel;
	double elements = 0, seconds;

	if (cost_order(cost) != ORDER_DUALPIPE)
		return;
	for (int i = 0; i < FAMILIES; i++)
		elements += family[i].parameters / (p->zero == ZERO_OFF ? 1 : family[i].shard);
	seconds = network_p2p(cost, network_boundary_level(cost, r, p->pp - 1 - r),
			      elements * (double)wire_element(cost));
	u->reduce += seconds;
	u->reduce_busy += seconds;
}

static struct update update_of(const struct cost *cost, int64_t r, int64_t tables)
{
	const struct rank_sum *rank = cost->rank[r];
	struct family family[FAMILIES];
	struct update u = { 0 };

	split_families(cost, rank, family);
	u.optimizer = optimizer_time(cost, family);
	for (int i = 0; i < FAMILIES; i++)
		reduce_and_gather(cost, &family[i], rank, &u);
	reduce_replicated(cost, rank, tables, &u);
	reduce_mirrored(cost, family, r, &u);
	return u;
}

void update_evaluate(const struct cost *cost, struct engine_result *result)
{
	const int64_t tables = count_tables(cost);
	struct update u = { 0 };

	for (int64_t r = 0; r < cost->in->parallel.pp; r++) {
		struct engine_stage *stage = &result->stages[r];

		/* The ends of a mirrored pipeline lie further apart than its middle. */
		if (r == 0 || cost->rank[r] != cost->rank[r - 1] || cost_order(cost) == ORDER_DUALPIPE)
			u = update_of(cost, r, tables);
		stage->optimizer_step = u.optimizer;
		stage->gradient_reduce = u.reduce;
		stage->gradient_reduce_busy = u.reduce_busy;
		stage->gradient_reduce_hidden = u.reduce_hidden;
		stage->parameter_gather = u.gather;
		stage->parameter_gather_busy = u.gather_busy;
		stage->parameter_gather_hidden = u.gather_hidden;
		stage->data_parallel = u.reduce + u.gather;
	}
}
