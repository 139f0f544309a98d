/* engine_recount.c - see engine_recount.h. */
#include "tests/unit/engine_recount.h"

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

/* Layers with experts: each `every`-th behind the leading dense ones. */
static int64_t moe_layers(const struct engine_model *m)
{
	int64_t later = m->layers - m->moe.first_dense;

	if (m->moe.experts <= 1 || later <= 0)
		return 0;
	return later / (m->moe.every > 0 ? m->moe.every : 1);
}

/* Layers whose attention is not the full one. */
static int64_t local_layers(const struct engine_model *m)
{
	return m->full_every > 1 ? m->layers - m->layers / m->full_every : 0;
}

/* Feed-forward of a layer with experts, router and shared ones included. */
static int64_t moe_parameters(const struct engine_model *m)
{
	int64_t scores = m->moe.experts + m->moe.shared_gate;
	int64_t n = m->hidden * scores + m->moe.experts * ffn_parameters(m, m->moe.ffn);

	return m->moe.shared_ffn > 0 ? n + ffn_parameters(m, m->moe.shared_ffn) : n;
}

static int64_t attention_parameters(const struct engine_model *m, const struct engine_attention *a)
{
	return a->kind == ATTENTION_MLA ? latent_attention(m, a) : grouped_attention(m, a);
}

static int64_t all_attention(const struct engine_model *m)
{
	int64_t local = local_layers(m);
	int64_t n = (m->layers - local) * attention_parameters(m, &m->attention);

	return local > 0 ? n + local * attention_parameters(m, &m->local) : n;
}

/* Whether the last layer has experts. */
static bool last_is_moe(const struct engine_model *m)
{
	int64_t later = m->layers - m->moe.first_dense;

	return m->moe.experts > 1 && later > 0 &&
	       later % (m->moe.every > 0 ? m->moe.every : 1) == 0;
}

static const struct engine_attention *last_attention(const struct engine_model *m)
{
	return m->full_every > 1 && m->layers % m->full_every != 0 ? &m->local : &m->attention;
}

/*
 * Layers with their norms. A predicted further token is one
 * more layer, like the last one, with a projection of two inputs and three norms.
 */
static int64_t layer_parameters(const struct engine_model *m)
{
	int64_t before = m->norm_place == NORM_POST ? 0 : m->parallel_block ? 1 : 2;
	int64_t behind = m->norm_place == NORM_PRE ? 0 : 2;
	int64_t norms = (before + behind) * m->hidden * norm_vectors(m);
	int64_t moe = moe_layers(m);
	int64_t further = m->mtp_shared && m->mtp_depth > 1 ? 1 : m->mtp_depth;
	int64_t last = attention_parameters(m, last_attention(m)) + norms +
		       (last_is_moe(m) ? moe_parameters(m) : ffn_parameters(m, m->ffn));
	int64_t n = all_attention(m) + m->layers * norms +
		    (m->layers - moe) * ffn_parameters(m, m->ffn);

	if (moe > 0)
		n += moe * moe_parameters(m);
	return n + further * (last + 2 * m->hidden * m->hidden + 3 * m->hidden * norm_vectors(m));
}

static int64_t table_parameters(const struct engine_model *m, int64_t vocab)
{
	int64_t n = (m->tied ? 1 : 2) * vocab * m->hidden;

	n += m->positions * m->hidden;
	return has_bias(m, BIAS_HEAD) ? n + vocab : n;
}

int64_t recount_parameters(const struct engine_model *m, int64_t vocab)
{
	return layer_parameters(m) + m->hidden * norm_vectors(m) + table_parameters(m, vocab);
}
