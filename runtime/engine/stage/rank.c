/* rank.c - the virtual stages of a pipeline rank taken together. */

#include "runtime/engine/cost.h"

struct rank_sum rank_sum(const struct cost *cost, const struct engine_result *result, int64_t rank)
{
	const int64_t ranks = cost->in->parallel.pp;
	struct rank_sum sum = { 0 };

	for (int64_t i = rank; i < result->stage_count; i += ranks) {
		const struct engine_stage *s = &result->stages[i];

		sum.parameters += s->parameters;
		sum.expert_parameters += s->expert_parameters;
		sum.tensor_reduced += s->tensor_reduced;
		sum.forward += s->forward;
		sum.backward += s->backward;
		sum.forward_compute += s->forward_compute;
		sum.backward_compute += s->backward_compute;
		sum.recompute_compute += s->recompute_compute;
		sum.tensor_network += s->tensor_network;
		sum.context_network += s->context_network;
		sum.expert_network += s->expert_network;
		sum.hidden_tensor += s->hidden_tensor;
		sum.hidden_context += s->hidden_context;
		sum.hidden_expert += s->hidden_expert;
		sum.penalty += s->penalty;
		sum.offload += s->offload;
		sum.p2p += s->p2p;
		sum.recompute_flops += s->recompute_flops;
		sum.expert_compute += s->expert_compute;
		sum.table |= s->embedding || s->mtp > 0 || (cost->in->model.tied && s->loss);
	}
	return sum;
}
