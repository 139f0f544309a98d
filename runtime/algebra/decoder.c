/* decoder.c - a dense decoder described as operators; no collective is written here. */

#include "runtime/algebra/operator.h"

/* Batch over dp, sequence over cp: how tokens enter the model. */
static struct tensor_type token_type(const struct decoder *m)
{
	struct tensor_dim dims[2] = { { DIM_BATCH, m->batch }, { DIM_SEQUENCE, m->sequence } };
	struct tensor_type type = tensor_make(32, 2, dims);

	tensor_split(&type, AXIS_DP, DIM_BATCH);
	tensor_split(&type, AXIS_CP, DIM_SEQUENCE);
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

static int attention_block(struct builder *b, const struct decoder *m, int x)
{
	struct column qkv = {
		.name = "qkv",
		.outputs = 3,
		.dims = { 2, 2, 2 },
		.dim = { { { DIM_HEADS, m->heads }, { DIM_HEAD, m->head } },
			 { { DIM_KV_HEADS, m->kv_heads }, { DIM_HEAD, m->head } },
			 { { DIM_KV_HEADS, m->kv_heads }, { DIM_HEAD, m->v_head } } },
		.bias = m->bias_qkv,
		.saves = m->save_gathered ? SAVED_AFTER : SAVED_BEFORE,
		.weight_bits = m->weight_bits,
	};
	int t[3] = { 0 };

	builder_column(b, &qkv, x, t);
	if (m->qk_norm) {
		t[0] = builder_norm(b, "q_norm", t[0], m->norm_vectors, m->weight_bits);
		t[1] = builder_norm(b, "k_norm", t[1], m->norm_vectors, m->weight_bits);
	}
	builder_rope(b, &t[0], &t[1]);

	int core = builder_attention(b, "core", t, m->context, m->recall_output);

	return builder_row(b, "out", core, m->hidden, m->bias_attention, m->weight_bits);
}

static int ffn_block(struct builder *b, const struct decoder *m, int x)
{
	struct column fc1 = {
		.name = "fc1",
		.outputs = m->gated ? 2 : 1,
		.dims = { 1, 1 },
		.dim = { { { DIM_FFN, m->ffn } }, { { DIM_FFN, m->ffn } } },
		.bias = m->bias_mlp,
		.saves = m->save_gathered ? SAVED_AFTER : SAVED_BEFORE,
		.weight_bits = m->weight_bits,
	};
	int t[2] = { 0 };

	builder_column(b, &fc1, x, t);

	int a = builder_activation(b, "act", m->gated ? t[1] : -1, t[0]);

	return builder_row(b, "fc2", a, m->hidden, m->bias_mlp, m->weight_bits);
}

static int layer(struct builder *b, const struct decoder *m, int x)
{
	int n = builder_norm(b, "ln_in", x, m->norm_vectors, m->weight_bits);
	int y = builder_add(b, "add_attention", x, attention_block(b, m, n));

	if (!m->parallel_block)
		n = builder_norm(b, "ln_mlp", y, m->norm_vectors, m->weight_bits);
	return builder_add(b, "add_mlp", y, ffn_block(b, m, n));
}

static void head(struct builder *b, const struct decoder *m, int x)
{
	struct column output = {
		.name = "lm_head",
		.outputs = 1,
		.dims = { 1 },
		.dim = { { { DIM_VOCAB, m->vocab } } },
		.bias = m->bias_head,
		.saves = m->save_gathered ? SAVED_AFTER : SAVED_BEFORE,
		.weight_bits = m->bits,
	};
	int logits = 0;

	x = builder_norm(b, "ln_f", x, m->norm_vectors, m->weight_bits);
	builder_column(b, &output, x, &logits);
	builder_loss(b, "ce", logits, m->loss_statistics);
}

bool graph_decoder(const struct mesh *mesh, const struct decoder *model, struct graph *graph,
		   struct algebra_error *error)
{
	struct builder b = { .graph = graph, .error = error, .stream = stream_type(model) };

	graph->mesh = *mesh;
	graph->count = 0;
	graph->tensors = 0;

	int x = builder_embedding(&b, "embed", builder_input(&b, token_type(model)), model->vocab,
				  model->hidden, model->bits, model->bits);

	graph->first[GRAPH_EMBEDDING] = 0;
	graph->first[GRAPH_LAYER] = graph->count;
	x = layer(&b, model, x);
	graph->first[GRAPH_HEAD] = graph->count;
	head(&b, model, x);
	graph->first[GRAPH_PART_COUNT] = graph->count;
	return !b.failed;
}
