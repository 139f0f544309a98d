/*
 * counts.c - parameters of a model and FLOPs per token, in closed form from its shape: whatever the
 * engine can or cannot spread over GPUs yet, its size is known.
 */

#include <math.h>

#include "runtime/engine/cost.h"

static bool has_bias(const struct engine_model *m, enum bias_site site)
{
	return (m->bias & (unsigned)site) != 0;
}

static bool is_gated(const struct engine_model *m)
{
	return m->activation == ACT_SWIGLU || m->activation == ACT_GEGLU;
}

/* Parameters of one norm per element of its width. */
static int64_t norm_vectors(const struct engine_model *m)
{
	return m->norm == NORM_LAYER ? 2 : 1;
}

static int64_t grouped_attention(const struct engine_model *m, const struct engine_attention *a)
{
	int64_t queries = a->heads * a->head, values = a->heads * a->v_head;
	int64_t keys = a->kv_heads * (a->head + a->v_head);
	int64_t n = m->hidden * (queries + keys + values);

	if (a->gate)
		n += m->hidden * values;
	if (a->qk_norm)
		n += 2 * a->head * norm_vectors(m);
	if (has_bias(m, BIAS_QKV))
		n += queries + keys;
	return has_bias(m, BIAS_ATTENTION) ? n + m->hidden : n;
}

/* Low-rank projections with a norm on each latent vector; the rotary key is shared by all heads. */
static int64_t latent_attention(const struct engine_model *m, const struct engine_attention *a)
{
	int64_t queries = a->heads * (a->qk_nope + a->qk_rope);
	int64_t n = m->hidden * (a->kv_lora + a->qk_rope) + a->kv_lora * norm_vectors(m) +
		    a->kv_lora * a->heads * (a->qk_nope + a->v_head) +
		    a->heads * a->v_head * m->hidden;

	if (a->q_lora > 0)
		return n + a->q_lora * (m->hidden + queries + norm_vectors(m));
	return n + m->hidden * queries;
}

/* A feed-forward of the given width. */
static int64_t ffn_parameters(const struct engine_model *m, int64_t width)
{
	int64_t inputs = is_gated(m) ? 2 : 1;
	int64_t n = (inputs + 1) * m->hidden * width;

	return has_bias(m, BIAS_MLP) ? n + inputs * width + m->hidden : n;
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

/* Feed-forward of a layer with `experts` of its experts, router and shared experts included. */
static int64_t moe_parameters(const struct engine_model *m, int64_t experts)
{
	int64_t scores = m->moe.experts + m->moe.shared_gate;
	int64_t n = m->hidden * scores + experts * ffn_parameters(m, m->moe.ffn);

	return m->moe.shared_ffn > 0 ? n + ffn_parameters(m, m->moe.shared_ffn) : n;
}

static int64_t attention_parameters(const struct engine_model *m, const struct engine_attention *a)
{
	return a->kind == ATTENTION_MLA ? latent_attention(m, a) : grouped_attention(m, a);
}

/* Layers whose attention is not the full one. */
static int64_t local_layers(const struct engine_model *m)
{
	return m->full_every > 1 ? m->layers - m->layers / m->full_every : 0;
}

static int64_t all_attention(const struct engine_model *m)
{
	int64_t local = local_layers(m);
	int64_t n = (m->layers - local) * attention_parameters(m, &m->attention);

	return local > 0 ? n + local * attention_parameters(m, &m->local) : n;
}

/*
 * Layers with their norms, `experts` experts in each that has any. A predicted further token is one
 * more layer, like the last one, with a projection of two inputs and three norms.
 */
static int64_t layer_parameters(const struct engine_model *m, int64_t experts)
{
	int64_t norms = (m->parallel_block ? 1 : 2) * m->hidden * norm_vectors(m);
	int64_t moe = moe_layers(m);
	int64_t last = attention_parameters(m, &m->attention) + norms +
		       (moe > 0 ? moe_parameters(m, experts) : ffn_parameters(m, m->ffn));
	int64_t n = all_attention(m) + m->layers * norms +
		    (m->layers - moe) * ffn_parameters(m, m->ffn);

	if (moe > 0)
		n += moe * moe_parameters(m, experts);
	return n +
	       m->mtp_depth * (last + 2 * m->hidden * m->hidden + 3 * m->hidden * norm_vectors(m));
}

static int64_t table_parameters(const struct engine_model *m, int64_t vocab)
{
	int64_t n = (m->tied ? 1 : 2) * vocab * m->hidden;

	return has_bias(m, BIAS_HEAD) ? n + vocab : n;
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
	return h * (heads * head + kv * (head + v_head)) + heads * v_head * h +
	       attended(cost, a) * heads * (head + v_head);
}

/*
 * Multiply-adds of all feed-forwards and routers per token; SimuMax takes every layer for a MoE
 * layer.
 */
static double ffn_products(const struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	const struct engine_moe *moe = &m->moe;
	double h = (double)m->hidden, matrices = is_gated(m) ? 3 : 2;
	double layers = (double)m->layers;
	double with = cost->profile->flops_from_hidden ? layers : (double)moe_layers(m);

	if (!is_moe(m))
		return layers * matrices * h * (double)m->ffn;

	double routed =
		moe->top_k > 1 || !cost->profile->flops_from_hidden ? h * (double)moe->experts : 0;
	double active = (double)(moe->top_k > 1 ? moe->top_k : 1) * (double)moe->ffn +
			(double)moe->shared_ffn;

	return with * (matrices * h * active + routed) +
	       (layers - with) * matrices * h * (double)m->ffn;
}

/* Matrix products only: forward once, backward twice, two FLOP a multiply-add. */
static double flops_per_token(const struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	double local = (double)local_layers(m);
	double attention = ((double)m->layers - local) * attention_products(cost, &m->attention);

	if (local > 0)
		attention += local * attention_products(cost, &m->local);
	return 6 * (attention + ffn_products(cost) + (double)m->hidden * (double)cost->vocab);
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

	return layers * (4 * attention + ffn + 8 * h * (h + 1)) + 4 * (h + 1) * (double)m->vocab;
}

bool counts_fit(const struct engine_model *m)
{
	return bound(m) < (double)(INT64_C(1) << 61);
}

void counts_evaluate(const struct cost *cost, struct engine_counts *counts)
{
	const struct engine_input *in = cost->in;
	const struct engine_model *m = &in->model;
	int64_t norm = m->hidden * norm_vectors(m);
	int64_t all = layer_parameters(m, m->moe.experts) + norm;

	counts->padded_vocab = cost->vocab;
	counts->embedding_parameters = m->vocab * m->hidden;
	counts->head_parameters = table_parameters(m, m->vocab) - counts->embedding_parameters;
	counts->parameters = all + table_parameters(m, m->vocab);
	counts->active_parameters =
		layer_parameters(m, m->moe.top_k) + norm + table_parameters(m, m->vocab);
	counts->trained_parameters = all + table_parameters(m, cost->vocab);
	counts->tokens_per_step =
		in->batch.sequence * in->batch.micro * in->batch.micro_batches * in->parallel.dp;
	counts->flops_per_token = flops_per_token(cost);
	counts->model_flops = floor(counts->flops_per_token * (double)counts->tokens_per_step /
				    (double)in->parallel.world);
}
