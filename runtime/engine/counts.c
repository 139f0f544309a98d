/* counts.c - parameters of the model and FLOPs per token, independent of how it is spread. */

#include <math.h>

#include "runtime/engine/cost.h"

/* Global parameters of a part of the graph, biases included. */
static int64_t part_parameters(const struct cost *cost, enum graph_part part)
{
	int64_t total = 0;

	for (int i = cost->graph->first[part]; i < cost->graph->first[part + 1]; i++) {
		const struct operator *op = &cost->graph->op[i];
		int64_t n = 1;

		if (!op->has_weight)
			continue;
		for (int d = 0; d < op->weight.dims; d++)
			n *= op->weight.dim[d].size;
		/* A bias is as long as the weight's last, the output, dimension. */
		if (op->has_bias)
			n += op->weight.dim[op->weight.dims - 1].size;
		total += n;
	}
	return total;
}

/* Keys an average token attends to, under the profile's convention. */
static double attended(const struct cost *cost)
{
	const struct engine_attention *a = &cost->in->model.attention;
	double sequence = (double)cost->in->batch.sequence;
	double window = (double)a->window;

	if (cost->profile->attention_flops == ATTENTION_FULL)
		return sequence;
	if (window > 0 && window < sequence)
		return a->causal ? window - window * window / (2 * sequence) : 2 * window;
	return a->causal ? sequence / 2 : sequence;
}

/*
 * Matrix products only: forward once, backward twice. SimuMax (O24) writes hidden where heads * head
 * is meant in the output projection and the scores.
 */
static double flops_per_token(const struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	const struct engine_attention *a = &m->attention;
	const bool gated = m->activation == ACT_SWIGLU || m->activation == ACT_GEGLU;
	double h = (double)m->hidden, layers = (double)m->layers;
	double heads = (double)a->heads, kv = (double)a->kv_heads;
	double head = (double)a->head, v_head = (double)a->v_head;
	double projections, scores;

	if (cost->profile->flops_from_hidden) {
		projections = h * head * (heads + 2 * kv) + h * h;
		scores = 2 * attended(cost) * h;
	} else {
		projections = h * (heads * head + kv * (head + v_head)) + heads * v_head * h;
		scores = attended(cost) * heads * (head + v_head);
	}

	double ffn = (gated ? 3 : 2) * h * (double)m->ffn;

	return 6 * layers * projections + 6 * layers * ffn + 6 * layers * scores +
	       6 * h * (double)cost->vocab;
}

void counts_evaluate(const struct cost *cost, struct engine_counts *counts)
{
	const struct engine_input *in = cost->in;
	const struct engine_model *m = &in->model;
	int64_t norm = part_parameters(cost, GRAPH_HEAD) - cost->vocab * m->hidden;
	int64_t layers = m->layers * part_parameters(cost, GRAPH_LAYER);
	int64_t tables = m->tied ? 1 : 2;

	if (m->bias & BIAS_HEAD)
		norm -= cost->vocab;
	counts->padded_vocab = cost->vocab;
	counts->embedding_parameters = m->vocab * m->hidden;
	counts->head_parameters = m->tied ? 0 : m->vocab * m->hidden;
	if (m->bias & BIAS_HEAD)
		counts->head_parameters += m->vocab;
	counts->parameters =
		layers + norm + counts->embedding_parameters + counts->head_parameters;
	counts->active_parameters = counts->parameters;
	counts->trained_parameters = layers + norm + tables * cost->vocab * m->hidden;
	if (m->bias & BIAS_HEAD)
		counts->trained_parameters += cost->vocab;
	counts->tokens_per_step = in->batch.sequence * in->batch.micro * in->batch.micro_batches *
				  in->parallel.dp;
	counts->flops_per_token = flops_per_token(cost);
	counts->model_flops = floor(counts->flops_per_token * (double)counts->tokens_per_step /
				    (double)in->parallel.world);
}
