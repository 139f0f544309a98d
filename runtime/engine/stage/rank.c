/* rank.c - the virtual stages of a pipeline rank taken together. */

#include "runtime/engine/cost.h"

enum pipeline_order cost_order(const struct cost *cost)
{
	switch (cost->in->parallel.schedule) {
	case SCHEDULE_ZB1P:
		return ORDER_ZB1P;
	case SCHEDULE_ZB2P:
		return ORDER_ZB2P;
	case SCHEDULE_DUALPIPE:
		return ORDER_DUALPIPE;
	case SCHEDULE_GPIPE:
	case SCHEDULE_ONE_F_ONE_B:
	case SCHEDULE_INTERLEAVED:
	case SCHEDULE_ZBV:
	case SCHEDULE_DUALPIPE_V:
	case SCHEDULE_LOOP_BFS:
		break;
	}
	return ORDER_ALTERNATE;
}

int64_t rank_stages(const struct cost *cost)
{
	return cost_order(cost) == ORDER_DUALPIPE ? 2 : cost->in->parallel.vpp;
}

int64_t rank_stage(const struct cost *cost, int64_t rank, int64_t i)
{
	const int64_t pp = cost->in->parallel.pp;

	if (cost_order(cost) == ORDER_DUALPIPE)
		return i == 0 ? rank : pp - 1 - rank;
	return rank + i * pp;
}

double rank_share(const struct cost *cost)
{
	return cost_order(cost) == ORDER_DUALPIPE ? 0.5 : 1;
}

static void add_counts(const struct cost *cost, const struct engine_stage *s, struct rank_sum *sum)
{
	sum->parameters += s->parameters;
	sum->expert_parameters += s->expert_parameters;
	sum->tensor_reduced += s->tensor_reduced;
	sum->table |= s->embedding || s->mtp > 0 || (cost->in->model.tied && s->loss);
}

static void add_times(const struct engine_stage *s, double share, struct rank_sum *sum)
{
	sum->forward += share * s->forward;
	sum->backward += share * s->backward;
	sum->forward_compute += share * s->forward_compute;
	sum->backward_compute += share * s->backward_compute;
	sum->recompute_compute += share * s->recompute_compute;
	sum->tensor_network += share * s->tensor_network;
	sum->context_network += share * s->context_network;
	sum->expert_network += share * s->expert_network;
	sum->hidden_tensor += share * s->hidden_tensor;
	sum->hidden_context += share * s->hidden_context;
	sum->hidden_expert += share * s->hidden_expert;
	sum->penalty += share * s->penalty;
	sum->offload += share * s->offload;
	sum->expert_compute += share * s->expert_compute;
}

void rank_evaluate(const struct cost *cost, const struct known_stage *const *chunk, struct rank_sum *sum)
{
	const int64_t stages = rank_stages(cost);
	const double share = rank_share(cost);

	for (int64_t i = 0; i < stages; i++) {
		add_counts(cost, &chunk[i]->stage, sum);
		add_times(&chunk[i]->stage, share, sum);
	}
	rank_holds(cost, chunk, sum);
}
