/*
 * counts.c - FLOPs per token, from the operators of the typed graph, and bounds of a model's size. Its
 * parameters are counted by the library (stdlib/prelude.plan), exactly and whatever their number.
 */

#include <math.h>

#include "runtime/engine/cost.h"

/* Keys an average query attends to, under the profile's convention. */
static double attended(const struct cost *cost, const struct engine_attention *a)
{
	const double keys = (double)cost->in->batch.sequence;

	if (cost->profile->attention_flops == ATTENTION_FULL)
		return keys;
	return keys * cost_mask_share(a, keys) * (1 - a->sparsity);
}

/* The vocabulary as the model has it: padded, but not for tensor parallelism. */
static double own_vocab(const struct cost *cost)
{
	struct engine_input one = { .model = cost->in->model, .parallel = { .tp = 1 } };

	return (double)cost_padded_vocab(&one);
}

/* SimuMax (O24) writes hidden where heads * head is meant, and forgets the router of one choice. */
static double from_hidden(const struct cost *cost, const struct operator* op,
			  const struct engine_attention *a, double products)
{
	const double h = (double)cost->in->model.hidden;

	if (op->site == SITE_ROUTER && cost->in->model.moe.top_k <= 1)
		return 0;
	if (a->kind == ATTENTION_MLA)
		return products;
	if (op->site == SITE_CORE)
		return 2 * h * attended(cost, a);
	return op->site == SITE_OUT ? h * h : products;
}

/* Multiply-adds of an operator's forward for one token, on however many GPUs. */
static double token_products(const struct cost *cost, const struct operator* op,
			     const struct engine_attention *a)
{
	static const struct mesh whole = { .size = { 1, 1, 1, 1, 1, 1, 1, 1 } };
	double products = operator_products(&whole, op);

	if (!(products > 0))
		return 0;
	if (op->kind == OPERATOR_GROUPED_COLUMN || op->kind == OPERATOR_GROUPED_ROW)
		products *= (double)cost->in->model.moe.top_k;
	if (op->kind == OPERATOR_ATTENTION)
		products *= attended(cost, a);
	if (cost->profile->flops_from_hidden)
		return from_hidden(cost, op, a, products);
	if (op->site == SITE_HEAD)
		return products / (double)cost->vocab * own_vocab(cost);
	return products;
}

void counts_products(struct cost *cost)
{
	const struct graph *graph = cost->graph;

	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		const struct engine_attention *a = cost_attention(cost, (enum graph_part)part);

		cost->products[part] = 0;
		for (int i = graph->first[part]; i < graph->first[part + 1]; i++)
			cost->products[part] += token_products(cost, &graph->op[i], a);
	}
}

/* SimuMax takes every layer for one of experts, where the model has any. */
static enum graph_part counted_as(const struct cost *cost, enum graph_part part)
{
	enum graph_part mixture = part == GRAPH_DENSE	       ? GRAPH_MIXTURE
				  : part == GRAPH_LOCAL_DENSE ? GRAPH_LOCAL_MIXTURE
							      : part;

	return cost->profile->flops_from_hidden && cost->products[mixture] > 0 ? mixture : part;
}

/*
 * Matrix products only: forward once, backward once for either operand, two FLOP a multiply-add. Layers are
 * counted before anything is added up, so that it does not matter how they are spread over stages.
 */
double counts_flops_per_token(const struct cost *cost)
{
	int64_t runs[GRAPH_PART_COUNT] = { 0 };
	double products = 0;

	for (int64_t i = 0; i < cost->in->parallel.stage_count; i++)
		for (int part = 0; part < GRAPH_PART_COUNT; part++)
			runs[counted_as(cost, (enum graph_part)part)] += cost->stage[i].count.runs[part];
	for (int part = 0; part < GRAPH_PART_COUNT; part++)
		products += (double)runs[part] * cost->products[part];
	return 6 * products;
}

static double attention_bound(const struct engine_model *m, const struct engine_attention *a)
{
	return ((double)m->hidden + (double)a->q_lora + (double)a->kv_lora) *
	       ((double)a->heads + (double)a->kv_heads) *
	       ((double)a->head + (double)a->v_head + (double)a->qk_nope + (double)a->qk_rope + 1);
}

static double bound(const struct engine_model *m)
{
	double h = (double)m->hidden;
	double attention = attention_bound(m, &m->attention) + attention_bound(m, &m->local);
	double ffn = 4 * h *
		     ((double)m->ffn + (double)m->moe.shared_ffn +
		      (double)m->moe.experts * ((double)m->moe.ffn + 1));
	double layers = (double)m->layers + (double)m->mtp_depth;

	return layers * (4 * attention + ffn + 8 * h * (h + 1)) + 4 * (h + 1) * ((double)m->vocab + (double)m->positions);
}

bool counts_fit(const struct engine_model *m)
{
	return bound(m) < (double)(INT64_C(1) << 61);
}

void counts_evaluate(const struct cost *cost, struct engine_counts *counts)
{
	const struct engine_input *in = cost->in;

	counts->padded_vocab = cost->vocab;
	counts->tokens_per_step =
		in->batch.sequence * in->batch.micro * in->batch.micro_batches * in->parallel.dp;
	counts->flops_per_token = counts_flops_per_token(cost);
	counts->model_flops = floor(counts->flops_per_token * (double)counts->tokens_per_step /
				    (double)in->parallel.world);
}

/* Layers that a model may have when FLOPs are asked of it alone: as many as a job's stages. */
enum { MODEL_LAYERS_MAX = 100000 };

enum engine_status engine_flops_per_token(const struct engine_model *model, int64_t sequence,
					  const struct profile *profile, struct arena *arena,
					  double *flops, struct engine_error *error)
{
	const struct engine_layout_stage whole = {
		.layers = model->layers, .embedding = true, .loss = true, .mtp = model->mtp_depth
	};
	const struct engine_input one = {
		.model = *model,
		.parallel = { .world = 1, .tp = 1, .cp = 1, .pp = 1, .vpp = 1, .dp = 1, .ep = 1,
			      .etp = 1, .edp = 1, .stages = &whole, .stage_count = 1 },
		.batch = { .sequence = sequence, .micro = 1, .micro_batches = 1 },
		.precision = { .compute = DTYPE_BF16, .linear = DTYPE_BF16, .weights = DTYPE_BF16 },
		.profile = profile,
	};
	struct cost cost = { .in = &one, .profile = profile, .arena = arena, .error = error };
	bool has[GRAPH_PART_COUNT] = { false };

	*error = (struct engine_error){ .status = ENGINE_OK };
	if (!check_model(&cost))
		return error->status;
	if (model->layers > MODEL_LAYERS_MAX || model->mtp_depth > MODEL_LAYERS_MAX) {
		(void)cost_fail(&cost, ENGINE_OVERFLOW, "layers", 0);
		return error->status;
	}
	cost.vocab = cost_padded_vocab(&one);
	cost.routed_sent = 1; /* products are counted per copy of a token */
	layers_place(&cost, has);
	if (!typed_graph(&cost, has))
		return error->status;
	counts_products(&cost);
	*flops = counts_flops_per_token(&cost);
	return ENGINE_OK;
}
