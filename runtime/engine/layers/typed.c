/* typed.c - a job's model and sizes as the typed graph of its layers, and what follows from them at once. */

#include "runtime/engine/cost.h"

static bool bias_at(const struct engine_model *m, enum bias_site site)
{
	return (m->bias & (unsigned)site) != 0;
}

/* The vocabulary rounded up so that every tensor-parallel rank holds a multiple of the unit. */
int64_t cost_padded_vocab(const struct engine_input *in)
{
	int64_t unit = in->model.vocab_multiple * in->parallel.tp;

	if (!in->model.pad_vocab)
		return in->model.vocab;
	return (in->model.vocab + unit - 1) / unit * unit;
}

static struct decoder_attention attention_of(const struct engine_attention *a)
{
	return (struct decoder_attention){ .latent = a->kind == ATTENTION_MLA,
					   .qk_norm = a->qk_norm,
					   .gate = a->gate,
					   .heads = a->heads,
					   .kv_heads = a->kv_heads,
					   .head = a->head,
					   .v_head = a->v_head,
					   .q_rank = a->q_lora,
					   .kv_rank = a->kv_lora,
					   .nope = a->qk_nope,
					   .rope = a->qk_rope };
}

static struct decoder_mixture mixture_of(const struct cost *cost)
{
	const struct engine_moe *m = &cost->in->model.moe;

	return (struct decoder_mixture){ .experts = m->experts,
					 .ffn = m->ffn,
					 .shared_ffn = m->shared_ffn,
					 .sent = cost->routed_sent,
					 .shared_gate = m->shared_gate,
					 .gate_bits = 32,
					 .probabilities = cost->in->parallel.dispatch_probs };
}

static enum context_form context_of(const struct engine_parallel *p)
{
	switch (p->cp_comm) {
	case CP_A2A:
		return CONTEXT_EXCHANGE_HEADS;
	case CP_A2A_P2P:
		return CONTEXT_TWO_LEVELS;
	case CP_P2P:
	case CP_ALL_GATHER:
		break;
	}
	return CONTEXT_GATHER_KEYS;
}

static struct decoder decoder_of(const struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	const struct engine_parallel *p = &cost->in->parallel;
	const bool fused = cost->in->kernels.cross_entropy != CE_UNFUSED;
	struct decoder d = {
		.batch = cost->in->batch.micro * p->dp,
		.sequence = cost->in->batch.sequence,
		.hidden = m->hidden,
		.ffn = m->ffn,
		.vocab = cost->vocab,
		.attention = { attention_of(&m->attention), attention_of(&m->local) },
		.mixture = mixture_of(cost),
		.gated = m->activation == ACT_SWIGLU || m->activation == ACT_GEGLU,
		.sequence_parallel = p->sequence_parallel,
		.context = context_of(p),
		.recall_output = (p->cp_comm == CP_A2A && !cost_keeps_own_output(cost)) ||
				 p->cp_comm == CP_A2A_P2P,
		.parallel_block = m->parallel_block,
		.norm_before = m->norm_place != NORM_POST,
		.norm_behind = m->norm_place != NORM_PRE,
		.bias_qkv = bias_at(m, BIAS_QKV),
		.bias_attention = bias_at(m, BIAS_ATTENTION),
		.bias_mlp = bias_at(m, BIAS_MLP),
		.bias_head = bias_at(m, BIAS_HEAD),
		.norm_vectors = m->norm == NORM_LAYER ? 2 : 1,
		.bits = dtype_bits(cost->in->precision.compute),
		.linear_bits = dtype_bits(cost->in->precision.linear),
		.weight_bits = dtype_bits(cost->in->precision.weights),
	};

	/*
	 * Maximum, target logit, sum of exponentials; the fused kernel sends the last two together.
	 */
	d.loss_statistics[0] = 1;
	d.loss_statistics[1] = fused ? 2 : 1;
	d.loss_statistics[2] = fused ? 0 : 1;
	return d;
}

static struct mesh mesh_of(const struct engine_parallel *p)
{
	return (struct mesh){ .size = { [AXIS_TP] = p->tp,
					[AXIS_CP] = cost_cp_inner(p),
					[AXIS_RING] = p->cp / cost_cp_inner(p),
					[AXIS_DP] = p->dp,
					[AXIS_ETP] = p->etp,
					[AXIS_EP] = p->ep,
					[AXIS_EDP] = p->edp,
					[AXIS_PP] = p->pp } };
}

/* Formats, widths and token counts every later step takes for granted. */
bool typed_derive(struct cost *cost)
{
	const struct engine_input *in = cost->in;

	cost->element = dtype_bits(in->precision.compute) / 8;
	cost->weight_element = dtype_bits(in->precision.weights) / 8;
	cost->gradient_element = dtype_bits(in->optimizer.gradient) / 8;
	cost->narrow = dtype_bits(in->precision.linear) < dtype_bits(in->precision.compute);
	cost->vocab = cost_padded_vocab(in);
	if (in->model.moe.experts <= 1)
		return true;
	layers_route(cost);
	if (cost->routed_sent <= 0)
		return cost_fail(cost, ENGINE_SIZE, "the number of tokens at the experts",
				 cost->routed_sent);
	return true;
}

bool typed_graph(struct cost *cost, const bool has[GRAPH_PART_COUNT])
{
	struct mesh mesh = mesh_of(&cost->in->parallel);
	struct decoder decoder = decoder_of(cost);

	memcpy(decoder.has, has, sizeof decoder.has);
	cost->graph = graph_make(&decoder, cost->arena);
	if (!graph_decoder(&mesh, &decoder, cost->graph, &cost->error->split))
		return cost_fail(cost, ENGINE_SPLIT, NULL, 0);
	cost->boundary = tensor_local_bytes(
		&mesh, &cost->graph->op[cost->graph->first[GRAPH_EMBEDDING]].out[0]);
	return true;
}
