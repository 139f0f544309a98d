/*
 * step.c - from stages to the step: critical rank, exposed parts, rates.
 */

#include <math.h>

#include "runtime/engine/cost.h"

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * Slowest of many: the more independent groups wait for one another, the longer the slowest takes.
 * Growth in the logarithm of the number of groups is SimuMax's formula; its factor is the
 * profile's.
 */
static double straggler_ratio(const struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t node = cost->hardware->gpus_per_node;
	int64_t nodes = node > 0 ? (p->world + node - 1) / node : 1;
	int64_t groups = min64(nodes, min64(p->dp, p->edp));

	if (groups <= 1 || cost->profile->straggler == 0)
		return 1;

	double lambda = log2((double)groups);

	return 1 + lambda / (lambda + 1) * cost->profile->straggler * sqrt(lambda);
}

/*
 * Transfers of a virtual stage for one micro-batch: two with each neighbour, each as long as the
 * link takes.
 */
static double transfers(const struct cost *cost, const double *transfer, int64_t stage)
{
	double seconds = stage > 0 ? 2 * transfer[stage - 1] : 0;

	if (stage + 1 < cost->in->parallel.stage_count)
		seconds += 2 * transfer[stage];
	return seconds;
}

/* Those of all chunks of a rank. */
static double rank_transfers(const struct cost *cost, const struct engine_result *result, int64_t rank)
{
	const int64_t stages = rank_stages(cost);
	const double share = rank_share(cost);
	double seconds = 0;

	for (int64_t i = 0; i < stages; i++)
		seconds += share * result->stages[rank_stage(cost, rank, i)].p2p;
	return seconds;
}

/* A difference that only rounding can have made negative. */
static double positive(double seconds)
{
	return seconds > 0 ? seconds : 0;
}

/*
 * Seconds of a step in which a rank does nothing but transfer. Blocking: all of its transfers.
 * Otherwise it only sends, which is half of them, and waits for messages in its bubble; overlapped,
 * it waits for the way of the first activation through the pipeline and of the last gradient back.
 */
static double exposed_transfers(const struct cost *cost, const struct engine_result *result,
				const double *transfer, int64_t rank)
{
	const double m = (double)cost->in->batch.micro_batches;
	double way = 0;

	if (cost->profile->sync_pipeline)
		return m * rank_transfers(cost, result, rank);
	if (!cost->in->overlap.pipeline)
		return m * rank_transfers(cost, result, rank) / 2;
	for (int64_t r = 0; r + 1 < cost->in->parallel.pp; r++)
		way += 2 * transfer[r];
	return way;
}

static void rank_times(const struct cost *cost, const double *transfer,
		       struct engine_result *result)
{
	const double m = (double)cost->in->batch.micro_batches;
	const int64_t pp = cost->in->parallel.pp;
	struct engine_step *step = &result->step;
	double longest = -1;

	for (int64_t i = 0; i < result->stage_count; i++)
		result->stages[i].p2p = transfers(cost, transfer, i);
	for (int64_t r = 0; r < pp; r++) {
		struct engine_stage *s = &result->stages[r];

		if (pp > 1) {
			const struct rank_sum *rank = cost->rank[r];
			double idle = positive(step->pipeline - m * (rank->forward + rank->backward));
			double waits = exposed_transfers(cost, result, transfer, r);

			s->p2p_exposed = waits < idle ? waits : idle;
			s->bubble = idle - s->p2p_exposed;
		}
		s->total = step->straggler_ratio * step->pipeline + s->data_parallel +
			   s->optimizer_step;
		if (s->total > longest) {
			longest = s->total;
			step->critical_stage = r;
		}
	}
}

/*
 * Parts of the critical rank. The time is the sum of the parts in order, so they add up to the last
 * bit.
 */
static void split_step(const struct cost *cost, struct engine_result *result)
{
	const double m = (double)cost->in->batch.micro_batches;
	struct engine_step *step = &result->step;
	const struct engine_stage *s = &result->stages[step->critical_stage];
	const struct rank_sum *rank = cost->rank[step->critical_stage];
	double *part = step->part, *busy = step->busy;

	part[STEP_COMPUTE] = m * (rank->forward_compute + rank->backward_compute);
	part[STEP_RECOMPUTE] = m * rank->recompute_compute;
	part[STEP_BUBBLE] = s->bubble;
	part[STEP_STRAGGLER] = (step->straggler_ratio - 1) * step->pipeline;
	part[STEP_TENSOR_COMM] = positive(m * (rank->tensor_network - rank->hidden_tensor));
	part[STEP_CONTEXT_COMM] = positive(m * (rank->context_network - rank->hidden_context));
	part[STEP_EXPERT_COMM] = positive(m * (rank->expert_network - rank->hidden_expert));
	part[STEP_PIPELINE_COMM] = s->p2p_exposed;
	part[STEP_GRADIENT_REDUCE] = s->gradient_reduce;
	part[STEP_PARAMETER_GATHER] = s->parameter_gather;
	part[STEP_OPTIMIZER] = s->optimizer_step;
	part[STEP_OFFLOAD] = m * rank->offload;
	part[STEP_OTHER] = m * rank->penalty;
	busy[STEP_TENSOR_COMM] = m * rank->tensor_network;
	busy[STEP_CONTEXT_COMM] = m * rank->context_network;
	busy[STEP_EXPERT_COMM] = m * rank->expert_network;
	busy[STEP_PIPELINE_COMM] = m * rank_transfers(cost, result, step->critical_stage);
	busy[STEP_GRADIENT_REDUCE] = s->gradient_reduce_busy;
	busy[STEP_PARAMETER_GATHER] = s->parameter_gather_busy;
	step->expert_compute = m * rank->expert_compute;
	step->time = 0;
	for (int i = 0; i < STEP_PART_COUNT; i++)
		step->time += part[i];
}

static void throughput(const struct cost *cost, struct engine_result *result)
{
	const double seconds = result->step.time, world = (double)cost->in->parallel.world;
	const double m = (double)cost->in->batch.micro_batches;
	struct engine_throughput *t = &result->throughput;
	double repeated = 0;

	t->tokens_per_s = (double)result->counts.tokens_per_step / seconds;
	t->tokens_per_s_per_gpu = t->tokens_per_s / world;
	t->model_flops_per_gpu = result->counts.model_flops / seconds;
	t->mfu = t->model_flops_per_gpu / cost->hardware->peak;
	/* Recomputed FLOPs of an average rank count as useful in hfu. */
	for (int64_t r = 0; r < result->stage_count; r++)
		repeated += result->stages[r].recompute_flops;
	repeated *= m / (double)cost->in->parallel.pp;
	t->hfu = (t->model_flops_per_gpu + repeated / seconds) / cost->hardware->peak;
}

void step_evaluate(const struct cost *cost, const double *transfer, struct engine_result *result)
{
	result->step.straggler_ratio = straggler_ratio(cost);
	rank_times(cost, transfer, result);
	split_step(cost, result);
	throughput(cost, result);
}
