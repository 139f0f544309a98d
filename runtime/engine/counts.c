/*
 * counts.c - FLOPs per token and bounds of a model's size, in closed form from its shape. Its
 * parameters are counted by the library (stdlib/prelude.plan), exactly and whatever their number.
 */

#include <math.h>

#include "runtime/engine/cost.h"

static bool is_gated(const struct engine_model *m)
{
	return m->activation == ACT_SWIGLU || m->activation == ACT_GEGLU;
}

static bool is_moe(const struct engine_model *m)
{
	return m->moe.experts > 1;
}

/* Layers with experts: each `every`-th behind the leading dense ones. */
static int64_t moe_layers(const struct engine_model *m)
{
	int64_t later = m->layers - m->moe.first_dense;

	if (!is_moe(m) || later <= 0)
		return 0;
	return later / (m->moe.every > 0 ? m->moe.every : 1);
}

/* Whether the last layer, and so every one for a further token, has experts; is a local one. */
static bool last_is_moe(const struct engine_model *m)
{
	int64_t later = m->layers - m->moe.first_dense;

	return is_moe(m) && later > 0 && later % (m->moe.every > 0 ? m->moe.every : 1) == 0;
}

static const struct engine_attention *last_attention(const struct engine_model *m)
{
	return m->full_every > 1 && m->layers % m->full_every != 0 ? &m->local : &m->attention;
}

/* Layers whose attention is not the full one. */
static int64_t local_layers(const struct engine_model *m)
{
	return m->full_every > 1 ? m->layers - m->layers / m->full_every : 0;
}

/* Keys an average token attends to, under the profile's convention. */
static double attended(const struct cost *cost, const struct engine_attention *a)
{
	double sequence = (double)cost->in->batch.sequence;
	double window = (double)a->window;

	if (cost->profile->attention_flops == ATTENTION_FULL)
		return sequence;
	if (window > 0 && window < sequence && a->chunked)
		return a->causal ? window / 2 : window;
	if (window > 0 && window < sequence)
		return a->causal ? window - window * window / (2 * sequence) : 2 * window;
	return a->causal ? sequence / 2 : sequence;
}

/*
 * Multiply-adds of the projections and of the scores, per token and layer. SimuMax (O24) writes
 * hidden where heads * head is meant in the output projection and the scores of grouped attention.
 */
static double attention_products(const struct cost *cost, const struct engine_attention *a)
{
	const struct engine_model *m = &cost->in->model;
	double h = (double)m->hidden, heads = (double)a->heads, kv = (double)a->kv_heads;
	double head = (double)a->head, v_head = (double)a->v_head;

	if (a->kind == ATTENTION_MLA) {
		double query = (double)(a->qk_nope + a->qk_rope), rank = (double)a->q_lora;
		double queries = rank > 0 ? h * rank + rank * heads * query : h * heads * query;

		return queries + h * (double)(a->kv_lora + a->qk_rope) +
		       (double)a->kv_lora * heads * ((double)a->qk_nope + v_head) +
		       v_head * heads * h + attended(cost, a) * heads * (query + v_head);
	}
	if (cost->profile->flops_from_hidden)
		return h * head * (heads + 2 * kv) + h * h + 2 * attended(cost, a) * h;
	return h * (heads * head + kv * (head + v_head)) + heads * v_head * h * (a->gate ? 2 : 1) +
	       attended(cost, a) * heads * (head + v_head);
}

static double dense_products(const struct engine_model *m)
{
	return (is_gated(m) ? 3 : 2) * (double)m->hidden * (double)m->ffn;
}

/* Multiply-adds of the experts a token meets, of the shared ones and of the router. */
static double moe_products(const struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	const struct engine_moe *moe = &m->moe;
	double h = (double)m->hidden, matrices = is_gated(m) ? 3 : 2;
	double routed =
		moe->top_k > 1 || !cost->profile->flops_from_hidden ? h * (double)moe->experts : 0;
	double active = (double)(moe->top_k > 1 ? moe->top_k : 1) * (double)moe->ffn +
			(double)moe->shared_ffn;

	return matrices * h * active + routed;
}

/* All feed-forwards and routers per token; SimuMax takes every layer for a MoE layer. */
static double ffn_products(const struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	double layers = (double)m->layers;
	double with = cost->profile->flops_from_hidden ? layers : (double)moe_layers(m);

	if (!is_moe(m))
		return layers * dense_products(m);
	return with * moe_products(cost) + (layers - with) * dense_products(m);
}

/* A further token: the projection of two inputs, a layer like the last one, and the head. */
static double further_products(const struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	double h = (double)m->hidden;

	return 2 * h * h + attention_products(cost, last_attention(m)) +
	       (last_is_moe(m) ? moe_products(cost) : dense_products(m)) + h * (double)cost->vocab;
}

/* Matrix products only: forward once, backward twice, two FLOP a multiply-add. */
double counts_flops_per_token(const struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	double local = (double)local_layers(m);
	double attention = ((double)m->layers - local) * attention_products(cost, &m->attention);
	double products;

	if (local > 0)
		attention += local * attention_products(cost, &m->local);
	products = attention + ffn_products(cost) + (double)m->hidden * (double)cost->vocab;
	if (m->mtp_depth > 0)
		products += (double)m->mtp_depth * further_products(cost);
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
