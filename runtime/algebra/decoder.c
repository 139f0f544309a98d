/* decoder.c - a decoder described as operators; no collective is written here. */

#include "runtime/algebra/operator.h"

/* Batch over dp, sequence over cp: how tokens enter the model. */
static struct tensor_type token_type(const struct decoder *m)
{
	struct tensor_dim dims[2] = { { DIM_BATCH, m->batch }, { DIM_SEQUENCE, m->sequence } };
	struct tensor_type type = tensor_make(32, 2, dims);

	tensor_split(&type, AXIS_DP, DIM_BATCH);
	tensor_split(&type, AXIS_CP, DIM_SEQUENCE);
	tensor_split(&type, AXIS_RING, DIM_SEQUENCE);
	return type;
}

/* Activations between blocks: tokens of hidden width, scattered over tp by sequence parallelism. */
static struct tensor_type stream_type(const struct decoder *m)
{
	struct tensor_type type = token_type(m);

	type.bits = m->bits;
	type.dim[type.dims++] = (struct tensor_dim){ DIM_HIDDEN, m->hidden };
	if (m->sequence_parallel)
		tensor_split(&type, AXIS_TP, DIM_SEQUENCE);
	return type;
}

static enum saved_side column_saves(const struct decoder *m)
{
	return m->save_gathered ? SAVED_AFTER : SAVED_BEFORE;
}

/* A column linear to one tensor of heads. */
static int heads_column(struct builder *b, const struct decoder *m, enum operator_site site, int x,
			struct tensor_dim heads, int64_t head)
{
	struct column rule = { .site = site,
			       .outputs = 1,
			       .dims = { 2 },
			       .dim = { { heads, { DIM_HEAD, head } } },
			       .bias = m->bias_qkv,
			       .saves = column_saves(m),
			       .weight_bits = m->weight_bits };
	int out = 0;

	builder_column(b, &rule, x, &out);
	return out;
}

/* Queries, keys and values; returns the gate of the result, which comes with the queries, or -1. */
static int grouped_heads(struct builder *b, const struct decoder *m,
			 const struct decoder_attention *a, int x, int t[3])
{
	const int64_t query = a->gate ? a->head + a->v_head : a->head;
	int part[2] = { 0, -1 };
	struct column qkv = {
		.site = SITE_QKV,
		.outputs = 3,
		.dims = { 2, 2, 2 },
		.dim = { { { DIM_HEADS, a->heads }, { DIM_HEAD, query } },
			 { { DIM_KV_HEADS, a->kv_heads }, { DIM_HEAD, a->head } },
			 { { DIM_KV_HEADS, a->kv_heads }, { DIM_HEAD, a->v_head } } },
		.bias = m->bias_qkv,
		.saves = column_saves(m),
		.weight_bits = m->weight_bits,
	};

	builder_column(b, &qkv, x, t);
	if (a->gate) {
		builder_split(b, SITE_GATE_SPLIT, t[0], a->head, DIM_HEAD, part);
		t[0] = part[0];
	}
	if (a->qk_norm) {
		t[0] = builder_norm(b, SITE_Q_NORM, t[0], m->norm_vectors, m->bits);
		t[1] = builder_norm(b, SITE_K_NORM, t[1], m->norm_vectors, m->bits);
	}
	builder_rope(b, &t[0], &t[1]);
	return part[1];
}

/*
 * Latent attention: queries directly or through a low rank, keys and values through a common one.
 * The part of a key that carries the position is one for all heads.
 */
static void latent_heads(struct builder *b, const struct decoder *m,
			 const struct decoder_attention *a, int x, int t[3])
{
	const struct tensor_dim heads = { DIM_HEADS, a->heads };
	const struct tensor_dim keys = { DIM_KV_HEADS, a->heads };
	int q = x, kv[2] = { 0 }, key[2] = { 0 };

	if (a->q_rank > 0) {
		q = builder_replicated(b, SITE_Q_DOWN, x,
				       (struct tensor_dim){ DIM_RANK, a->q_rank }, m->weight_bits);
		q = builder_norm(b, SITE_Q_LATENT_NORM, q, m->norm_vectors, m->bits);
	}
	q = heads_column(b, m, SITE_Q_UP, q, heads, a->nope + a->rope);

	int latent = builder_replicated(b, SITE_KV_DOWN, x,
					(struct tensor_dim){ DIM_RANK, a->kv_rank + a->rope },
					m->weight_bits);

	builder_split(b, SITE_KV_SPLIT, latent, a->kv_rank, DIM_HEAD, kv);
	kv[0] = builder_norm(b, SITE_KV_LATENT_NORM, kv[0], m->norm_vectors, m->bits);
	kv[0] = heads_column(b, m, SITE_KV_UP, kv[0], keys, a->nope + a->v_head);
	builder_split(b, SITE_HEAD_SPLIT, kv[0], a->nope, DIM_HEAD, key);
	kv[1] = builder_latent_rope(b, &q, kv[1], a->heads);
	t[0] = q;
	t[1] = builder_concat(b, SITE_KEY_CONCAT, key[0], kv[1]);
	t[2] = key[1];
	builder_pack(b, t);
}

static int attention_block(struct builder *b, const struct decoder *m,
			   const struct decoder_attention *a, int x)
{
	int t[3] = { 0 }, gate = -1;

	if (a->latent)
		latent_heads(b, m, a, x, t);
	else
		gate = grouped_heads(b, m, a, x, t);

	int core = builder_attention(b, t, m->context, m->recall_output);

	if (gate >= 0)
		core = builder_gate(b, SITE_GATE, core, gate);

	return builder_row(b, SITE_OUT, core, m->hidden, m->bias_attention, m->weight_bits);
}

/* Sites of a feed-forward of the given width. */
struct ffn_sites {
	enum operator_site fc1, act, fc2;
};

static int ffn_block(struct builder *b, const struct decoder *m, struct ffn_sites sites,
		     int64_t width, int x)
{
	struct column fc1 = {
		.site = sites.fc1,
		.outputs = m->gated ? 2 : 1,
		.dims = { 1, 1 },
		.dim = { { { DIM_FFN, width } }, { { DIM_FFN, width } } },
		.bias = m->bias_mlp,
		.saves = column_saves(m),
		.weight_bits = m->weight_bits,
	};
	int t[2] = { 0, -1 };

	builder_column(b, &fc1, x, t);

	int a = builder_activation(b, sites.act, t[0], m->gated ? t[1] : -1, -1);

	return builder_row(b, sites.fc2, a, m->hidden, m->bias_mlp, m->weight_bits);
}

/* Router, routed experts and, first, the shared ones. */
static int mixture_block(struct builder *b, const struct decoder *m, int x)
{
	static const struct ffn_sites shared_sites = { SITE_SHARED_FC1, SITE_SHARED_ACT,
						       SITE_SHARED_FC2 };
	const struct decoder_mixture *e = &m->mixture;
	const struct grouped grouped = { e->experts, m->bias_mlp, m->weight_bits };
	const struct tensor_dim width = { DIM_FFN, e->ffn }, hidden = { DIM_HIDDEN, m->hidden };
	int shared = -1, routed[2] = { 0, -1 }, t[2] = { 0, -1 };

	if (e->shared_ffn > 0)
		shared = ffn_block(b, m, shared_sites, e->shared_ffn, x);

	int gates = builder_router(b, x, e, m->bits);

	builder_dispatch(b, x, gates, e, routed);
	builder_grouped_column(b, &grouped, routed[0], m->gated ? 2 : 1, width, t);

	int a = builder_activation(b, SITE_EXPERT_ACT, t[0], m->gated ? t[1] : -1, routed[1]);
	int y = builder_grouped_row(b, &grouped, a, hidden);

	y = builder_combine(b, y, e->probabilities ? -1 : gates, x);
	return shared < 0 ? y : builder_add(b, SITE_ADD_SHARED, y, shared);
}

static int layer(struct builder *b, const struct decoder *m, enum graph_part part, int x)
{
	static const struct ffn_sites dense_sites = { SITE_FC1, SITE_ACT, SITE_FC2 };
	const bool local = part == GRAPH_LOCAL_DENSE || part == GRAPH_LOCAL_MIXTURE;
	const bool mixture = part == GRAPH_MIXTURE || part == GRAPH_LOCAL_MIXTURE;
	int n = m->norm_before ? builder_norm(b, SITE_NORM_IN, x, m->norm_vectors, m->bits) : x;
	int y = attention_block(b, m, &m->attention[local], n);

	if (m->norm_behind)
		y = builder_norm(b, SITE_NORM_BEHIND_ATTENTION, y, m->norm_vectors, m->bits);
	y = builder_add(b, SITE_ADD_ATTENTION, x, y);
	if (!m->parallel_block)
		n = m->norm_before ? builder_norm(b, SITE_NORM_MLP, y, m->norm_vectors, m->bits)
				   : y;

	int z = mixture ? mixture_block(b, m, n) : ffn_block(b, m, dense_sites, m->ffn, n);

	if (m->norm_behind)
		z = builder_norm(b, SITE_NORM_BEHIND_MLP, z, m->norm_vectors, m->bits);
	return builder_add(b, SITE_ADD_MLP, y, z);
}

/*
 * Entry of the layer that predicts a further token: the embedding of the next token and what the
 * layers made of this one, each normed, side by side and projected back to one width (Megatron-LM,
 * multi_token_prediction.py; the projection is a column linear whose output every rank gathers).
 */
static void further_entry(struct builder *b, const struct decoder *m, int ids, int x)
{
	struct column project = {
		.site = SITE_MTP_PROJECT,
		.outputs = 1,
		.dims = { 1 },
		.dim = { { { DIM_HIDDEN, m->hidden } } },
		.saves = column_saves(m),
		.weight_bits = m->weight_bits,
		.gathers = true,
	};
	int whole = 0;
	int token = builder_embedding(b, SITE_MTP_EMBEDDING, ids, m->vocab, m->hidden, m->bits);

	token = builder_norm(b, SITE_MTP_NORM_TOKEN, token, m->norm_vectors, m->bits);
	x = builder_norm(b, SITE_MTP_NORM_HIDDEN, x, m->norm_vectors, m->bits);
	x = builder_concat(b, SITE_MTP_CONCAT, token, x);
	builder_column(b, &project, x, &whole);
	builder_spread(b, SITE_MTP_SPREAD, whole);
}

static void head(struct builder *b, const struct decoder *m, int x)
{
	struct column output = {
		.site = SITE_HEAD,
		.outputs = 1,
		.dims = { 1 },
		.dim = { { { DIM_VOCAB, m->vocab } } },
		.bias = m->bias_head,
		.saves = column_saves(m),
		.weight_bits = m->bits,
	};
	int logits = 0;

	builder_column(b, &output, x, &logits);
	builder_loss(b, logits, m->loss_statistics);
}

/* Operators of one layer: at most as many as its description has lines. */
static int layer_operators(const struct decoder *m, enum graph_part part)
{
	const bool local = part == GRAPH_LOCAL_DENSE || part == GRAPH_LOCAL_MIXTURE;
	const bool mixture = part == GRAPH_MIXTURE || part == GRAPH_LOCAL_MIXTURE;
	const struct decoder_attention *a = &m->attention[local];
	const bool casts = m->linear_bits != m->bits;
	int n = m->norm_before && m->norm_behind ? 6 : 4; /* norms and sums */

	if (a->latent)
		n += casts ? 18 : 13;
	else
		n += (casts ? 6 : 4) + (a->qk_norm ? 2 : 0) + (a->gate ? 2 : 0);
	if (mixture)
		n += casts ? 14 : 10;
	else
		n += casts ? 5 : 3;
	return n;
}

struct graph *graph_make(const struct decoder *m, struct arena *arena)
{
	/* Embedding, norm, output projection and loss; entry of a further layer with its cast. */
	enum { ENDS = 4, ENTRY = 7 };
	struct graph *graph = ARENA_NEW(arena, struct graph);

	graph->capacity = ENDS + (m->has[GRAPH_MTP] ? ENTRY : 0);
	for (int part = GRAPH_DENSE; part <= GRAPH_LOCAL_MIXTURE; part++)
		if (m->has[part])
			graph->capacity += layer_operators(m, (enum graph_part)part);
	graph->op = ARENA_ARRAY(arena, struct operator, graph->capacity);
	return graph;
}

/* A part begins behind what there is of the graph. */
static void open_part(struct builder *b, enum graph_part part)
{
	b->graph->first[part] = b->part_first = b->graph->count;
}

bool graph_decoder(const struct mesh *mesh, const struct decoder *m, struct graph *graph,
		   struct algebra_error *error)
{
	struct builder b; /* its table of tensors is filled as they come */
	int ids, x;

	b.graph = graph;
	b.error = error;
	b.failed = false;
	b.bits = m->bits;
	b.linear_bits = m->linear_bits;
	b.stream = stream_type(m);
	graph->mesh = *mesh;
	graph->count = 0;
	graph->tensors = 0;
	open_part(&b, GRAPH_EMBEDDING);
	ids = builder_input(&b, token_type(m));
	x = builder_embedding(&b, SITE_EMBEDDING, ids, m->vocab, m->hidden, m->bits);
	for (int part = GRAPH_DENSE; part <= GRAPH_LOCAL_MIXTURE; part++) {
		open_part(&b, (enum graph_part)part);
		if (m->has[part])
			x = layer(&b, m, (enum graph_part)part, x);
	}
	open_part(&b, GRAPH_MTP);
	if (m->has[GRAPH_MTP])
		further_entry(&b, m, ids, x);
	open_part(&b, GRAPH_NORM);
	x = builder_norm(&b, SITE_NORM_FINAL, x, m->norm_vectors, m->bits);
	open_part(&b, GRAPH_HEAD);
	head(&b, m, x);
	open_part(&b, GRAPH_PART_COUNT);
	return !b.failed;
}
