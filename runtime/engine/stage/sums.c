/* sums.c - what one pass over each part of the graph takes, and what each part holds. */

#include "runtime/engine/cost.h"

static void add_network(double *to, const double *from)
{
	for (int t = 0; t < TRAFFIC_COUNT; t++)
		to[t] += from[t];
}

/* A forward that runs again sends again; SimuMax forgets the exchanges of attention (O23). */
static bool repeats_network(const struct cost *cost, const struct engine_operator *op)
{
	return op->kind != OPERATOR_ATTENTION || !cost->profile->cp_not_repeated;
}

static double at_least(double seconds, double floor)
{
	return seconds > floor ? seconds : floor;
}

static void add_experts(struct sums *sums, const struct engine_operator *op, bool again)
{
	const double *t = op->compute;
	bool grouped = op->kind == OPERATOR_GROUPED_COLUMN || op->kind == OPERATOR_GROUPED_ROW;

	if (op->site >= SITE_SHARED_FC1 && op->site <= SITE_SHARED_FC2)
		sums->shared += t[PHASE_FORWARD];
	if (op->kind == OPERATOR_DISPATCH)
		sums->dispatch_backward += op->network[PHASE_INPUT_GRADIENT][TRAFFIC_EXPERT];
	sums->offloaded += (double)op->offloaded;
	if (!grouped)
		return;
	sums->expert_wgrad += t[PHASE_WEIGHT_GRADIENT];
	sums->expert_compute[0] +=
		t[PHASE_FORWARD] + t[PHASE_INPUT_GRADIENT] + t[PHASE_WEIGHT_GRADIENT];
	if (again)
		sums->expert_compute[1] += t[PHASE_FORWARD];
}

static void add_operator(const struct cost *cost, const struct engine_operator *op, bool again,
			 struct sums *sums)
{
	sums->forward += op->compute[PHASE_FORWARD];
	sums->backward += op->compute[PHASE_INPUT_GRADIENT] + op->compute[PHASE_WEIGHT_GRADIENT];
	add_network(sums->forward_network, op->network[PHASE_FORWARD]);
	add_network(sums->backward_network, op->network[PHASE_INPUT_GRADIENT]);
	add_network(sums->backward_network, op->network[PHASE_WEIGHT_GRADIENT]);
	sums->forward_flops += op->flops[PHASE_FORWARD];
	sums->backward_flops += op->flops[PHASE_INPUT_GRADIENT] + op->flops[PHASE_WEIGHT_GRADIENT];
	if (op->kind == OPERATOR_ATTENTION) {
		sums->attention[0] += op->compute[PHASE_FORWARD];
		sums->attention[1] += op->compute[PHASE_INPUT_GRADIENT];
		sums->ring[0] += op->ring[PHASE_FORWARD];
		sums->ring[1] += op->ring[PHASE_INPUT_GRADIENT];
	}
	if (operator_defers(op)) {
		sums->deferred += op->compute[PHASE_WEIGHT_GRADIENT];
		add_network(sums->deferred_network, op->network[PHASE_WEIGHT_GRADIENT]);
	}
	sums->kernels[0] += op->kernels[0];
	sums->kernels[1] += op->kernels[1];
	add_experts(sums, op, again);
	if (!again)
		return;
	sums->replay += op->compute[PHASE_FORWARD];
	sums->replay_flops += op->flops[PHASE_FORWARD];
	if (!repeats_network(cost, op))
		return;
	add_network(sums->replay_network, op->network[PHASE_FORWARD]);
	sums->ring_replay += op->ring[PHASE_FORWARD];
}

static void add_held(struct held *held, const struct engine_operator *op)
{
	held->deferred += op->deferred;
	held->parameters += op->parameters;
	held->weights += op->weight_bytes;
	held->tensor_reduced += op->tensor_reduced;
	if (!op->expert)
		return;
	held->expert_parameters += op->parameters;
	held->expert_weights += op->weight_bytes;
}

void sums_evaluate(struct cost *cost, const struct recompute_flags *flags)
{
	/* Kernels of a device graph need no host. */
	const double launch = cost->in->kernels.graphs ? 0 : cost->profile->launch;

	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		struct sums *sums = &cost->sums[part];

		for (int i = cost->first[part]; i < cost->first[part + 1]; i++) {
			add_operator(cost, &cost->op[i], flags->again[i], sums);
			add_held(&cost->held[part], &cost->op[i]);
		}
		/* The host cannot launch faster than this, however small the kernels are. */
		sums->forward = at_least(sums->forward, (double)sums->kernels[0] * launch);
		sums->backward = at_least(sums->backward, (double)sums->kernels[1] * launch);
	}
}
