/*
 * step.c - from stages to the step: critical rank, exposed parts, memory of the worst stage, rates.
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
 * Transfers of a rank for one micro-batch: two with each neighbour, each as long as the link takes.
 */
static double transfers(const struct cost *cost, const double *transfer, int64_t rank)
{
	double seconds = 0;

	if (rank > 0)
		seconds += 2 * transfer[rank - 1];
	if (rank + 1 < cost->in->parallel.pp)
		seconds += 2 * transfer[rank];
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
static double exposed_transfers(const struct cost *cost, const double *transfer,
				const struct engine_stage *s)
{
	const double m = (double)cost->in->batch.micro_batches;
	double way = 0;

	if (cost->profile->sync_pipeline)
		return m * s->p2p;
	if (!cost->in->overlap.pipeline)
		return m * s->p2p / 2;
	for (int64_t r = 0; r + 1 < cost->in->parallel.pp; r++)
		way += 2 * transfer[r];
	return way;
}

static void rank_times(const struct cost *cost, const double *transfer,
		       struct engine_result *result)
{
	const double m = (double)cost->in->batch.micro_batches;
	struct engine_step *step = &result->step;
	double longest = -1;

	for (int64_t r = 0; r < result->stage_count; r++) {
		struct engine_stage *s = &result->stages[r];

		s->p2p = transfers(cost, transfer, r);
		if (cost->in->parallel.pp > 1) {
			double idle = positive(step->pipeline - m * (s->forward + s->backward));
			double waits = exposed_transfers(cost, transfer, s);

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
	double *part = step->part, *busy = step->busy;

	part[STEP_COMPUTE] = m * (s->forward_compute + s->backward_compute);
	part[STEP_RECOMPUTE] = m * s->recompute_compute;
	part[STEP_BUBBLE] = s->bubble;
	part[STEP_STRAGGLER] = (step->straggler_ratio - 1) * step->pipeline;
	part[STEP_TENSOR_COMM] = positive(m * (s->tensor_network - s->hidden_tensor));
	part[STEP_CONTEXT_COMM] = positive(m * (s->context_network - s->hidden_context));
	part[STEP_EXPERT_COMM] = m * s->expert_network;
	part[STEP_PIPELINE_COMM] = s->p2p_exposed;
	part[STEP_GRADIENT_REDUCE] = s->gradient_reduce;
	part[STEP_PARAMETER_GATHER] = s->parameter_gather;
	part[STEP_OPTIMIZER] = s->optimizer_step;
	part[STEP_OFFLOAD] = 0;
	part[STEP_OTHER] = m * s->penalty;
	busy[STEP_TENSOR_COMM] = m * s->tensor_network;
	busy[STEP_CONTEXT_COMM] = m * s->context_network;
	busy[STEP_EXPERT_COMM] = m * s->expert_network;
	busy[STEP_PIPELINE_COMM] = m * s->p2p;
	busy[STEP_GRADIENT_REDUCE] = s->gradient_reduce_busy;
	busy[STEP_PARAMETER_GATHER] = s->parameter_gather_busy;
	step->time = 0;
	for (int i = 0; i < STEP_PART_COUNT; i++)
		step->time += part[i];
}

/* Micro-batches whose activations rank r holds at once under one-forward-one-backward. */
static int64_t in_flight(const struct cost *cost, int64_t r)
{
	const int64_t pp = cost->in->parallel.pp;
	int64_t live = pp - r;

	/* SimuMax looks at the second rank for all middle stages (O39). */
	if (cost->profile->stages == STAGES_REPRESENTATIVE && r > 0 && r < pp - 1)
		live = pp - 1;
	if (cost->profile->in_flight_by_batch)
		live = min64(live, cost->in->batch.micro_batches);
	return live;
}

static int64_t reserved_bytes(const struct cost *cost, const struct engine_stage *s,
			      int64_t activations)
{
	const struct profile *p = cost->profile;
	double allocated = (double)s->peak + p->fragmentation * (double)activations;

	return (int64_t)ceil(allocated / p->reserved) + p->base_memory;
}

static void stage_memory(const struct cost *cost, struct engine_result *result)
{
	struct engine_memory *memory = &result->memory;

	for (int64_t r = 0; r < result->stage_count; r++) {
		struct engine_stage *s = &result->stages[r];
		int64_t fixed = s->weights + s->gradients + s->optimizer + s->other_static;

		s->in_flight = in_flight(cost, r);
		s->peak = fixed + (s->in_flight - 1) * s->activations + s->activation_peak;
		s->reserved = reserved_bytes(cost, s, s->peak - fixed);
		if (s->reserved > memory->reserved) {
			memory->reserved = s->reserved;
			memory->worst_stage = r;
		}
	}

	const struct engine_stage *worst = &result->stages[memory->worst_stage];

	memory->peak = worst->peak;
	memory->weights = worst->weights;
	memory->gradients = worst->gradients;
	memory->optimizer = worst->optimizer;
	memory->buffers = worst->other_static;
	memory->logits = worst->logits;
	memory->activations = worst->peak - worst->weights - worst->gradients - worst->optimizer -
			      worst->other_static - worst->logits;
	memory->fits = memory->reserved <= cost->hardware->memory;
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
	repeated *= m / (double)result->stage_count;
	t->hfu = (t->model_flops_per_gpu + repeated / seconds) / cost->hardware->peak;
}

void step_evaluate(const struct cost *cost, const double *transfer, struct engine_result *result)
{
	result->step.straggler_ratio = straggler_ratio(cost);
	rank_times(cost, transfer, result);
	split_step(cost, result);
	stage_memory(cost, result);
	throughput(cost, result);
}
