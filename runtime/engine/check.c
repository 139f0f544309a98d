/* check.c - is the input something the engine can count and knows how to model? */

#include "runtime/engine/cost.h"

bool cost_fail(struct cost *cost, enum engine_status status, const char *what, int64_t size)
{
	if (!cost->failed) {
		cost->error->status = status;
		cost->error->what = what;
		cost->error->size = size;
	}
	cost->failed = true;
	return false;
}

struct named_size {
	const char *what;
	int64_t size;
};

static bool check_positive(struct cost *cost)
{
	const struct engine_input *in = cost->in;
	const struct engine_model *m = &in->model;
	const struct engine_parallel *p = &in->parallel;
	const struct named_size sizes[] = {
		{ "model.layers", m->layers },
		{ "model.hidden", m->hidden },
		{ "model.ffn", m->ffn },
		{ "model.vocab", m->vocab },
		{ "model.vocab_multiple", m->pad_vocab ? m->vocab_multiple : 1 },
		{ "model.attention.heads", m->attention.heads },
		{ "model.attention.kv_heads", m->attention.kv_heads },
		{ "model.attention.head", m->attention.head },
		{ "model.attention.v_head", m->attention.v_head },
		{ "batch.sequence", in->batch.sequence },
		{ "batch.micro", in->batch.micro },
		{ "batch.micro_batches", in->batch.micro_batches },
		{ "gpus", p->world },
		{ "strategy.tp", p->tp },
		{ "strategy.cp", p->cp },
		{ "strategy.pp", p->pp },
		{ "strategy.vpp", p->vpp },
		{ "strategy.ep", p->ep },
		{ "strategy.etp", p->etp },
		{ "dp", p->dp },
		{ "edp", p->edp },
		{ "cluster.gpus_per_node", cost->hardware->gpus_per_node },
	};

	for (size_t i = 0; i < PLAN_COUNT(sizes); i++)
		if (sizes[i].size <= 0)
			return cost_fail(cost, ENGINE_SIZE, sizes[i].what, sizes[i].size);
	return true;
}

struct feature {
	bool used;
	const char *what;
};

static bool check_supported(struct cost *cost)
{
	const struct engine_input *in = cost->in;
	const struct engine_model *m = &in->model;
	const struct engine_parallel *p = &in->parallel;
	const enum cross_entropy_kernel ce = in->kernels.cross_entropy;
	const struct feature features[] = {
		{ m->moe.experts > 1, "experts (model.moe)" },
		{ m->attention.kind == ATTENTION_MLA, "latent attention (attention.kind = mla)" },
		{ m->attention.kind == ATTENTION_LINEAR,
		  "linear attention (attention.kind = linear)" },
		{ m->attention.kind == ATTENTION_MAMBA,
		  "state-space layers (attention.kind = mamba)" },
		{ m->attention.gate, "gated attention (attention.gate)" },
		{ m->mixed, "layers of different kinds (model.pattern, model.local)" },
		{ m->mtp_depth > 0, "multi-token prediction (model.mtp)" },
		{ p->cp > 1 && p->cp_comm == CP_A2A_P2P,
		  "two-level context parallelism (strategy.cp_comm = a2a_p2p)" },
		{ p->ep > 1 || p->etp > 1, "expert parallelism (strategy.ep, strategy.etp)" },
		{ p->vpp > 1, "interleaved stages (strategy.vpp)" },
		{ p->schedule != SCHEDULE_ONE_F_ONE_B, "a schedule other than one_f_one_b" },
		{ in->precision.linear != in->precision.compute,
		  "quantised matrix products (precision.linear)" },
		{ in->precision.weights != in->precision.compute,
		  "weights stored in another format (precision.weights)" },
		{ dtype_bits(in->precision.compute) < 16, "a compute format below 16 bits" },
		{ ce == CE_LINEAR || ce == CE_CHUNKED,
		  "a loss fused with the output projection (kernels.cross_entropy)" },
		{ in->recompute.distribute,
		  "distributed saved activations (recompute.distribute)" },
		{ (in->recompute.modules >> MODULE_OTHER) != 0 &&
			  in->recompute.granularity == RECOMPUTE_SELECTIVE,
		  "this module of recompute.modules" },
	};

	for (size_t i = 0; i < PLAN_COUNT(features); i++)
		if (features[i].used)
			return cost_fail(cost, ENGINE_UNSUPPORTED, features[i].what, 0);
	return true;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/*
 * Upper bounds, in binary64, of everything later counted in int64_t. They may be loose by some
 * powers of two: no real job comes near 2^61 bytes on one GPU or in one model.
 */
static bool check_overflow(struct cost *cost)
{
	const struct engine_input *in = cost->in;
	const struct engine_model *m = &in->model;
	const struct engine_attention *a = &m->attention;
	const double limit = (double)(INT64_C(1) << 61);
	double heads = (double)a->heads * ((double)a->head + (double)a->v_head) +
		       (double)a->kv_heads * ((double)a->head + (double)a->v_head);
	double vocab = (double)m->vocab + (double)m->vocab_multiple * (double)in->parallel.tp;
	double width = larger(larger((double)m->hidden, 2 * (double)m->ffn), heads);
	double tokens = (double)in->batch.micro * (double)in->batch.sequence;
	double layer = (double)m->hidden * (3 * (double)m->ffn + 2 * heads);
	double layers = (double)m->layers;

	for (int64_t i = 0; i < in->parallel.stage_count; i++)
		layers = larger(layers, (double)in->parallel.stages[i].layers);
	if (!counts_fit(m) || vocab * (double)m->hidden * 128 + layers * layer * 64 > limit)
		return cost_fail(cost, ENGINE_OVERFLOW, "parameters", 0);
	if (tokens * (vocab + width) * 512 > limit ||
	    tokens * width * layers * (double)in->parallel.pp * 1024 > limit)
		return cost_fail(cost, ENGINE_OVERFLOW, "activations", 0);
	if (tokens * (double)in->batch.sequence * (double)a->heads * 64 > limit)
		return cost_fail(cost, ENGINE_OVERFLOW, "attention scores", 0);
	if (tokens * (double)in->batch.micro_batches * (double)in->parallel.dp > limit)
		return cost_fail(cost, ENGINE_OVERFLOW, "tokens of a step", 0);
	/* Replay and walk take memory for every step and layer: these bound it to some 100 MB. */
	if (in->parallel.pp > 1 && (double)in->parallel.pp * (double)in->batch.micro_batches > 4e6)
		return cost_fail(cost, ENGINE_OVERFLOW, "steps of the pipeline", 0);
	if (layers > 1e5)
		return cost_fail(cost, ENGINE_OVERFLOW, "layers", 0);
	return true;
}

static bool check_mesh(struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	double dense = (double)p->tp * (double)p->cp * (double)p->dp * (double)p->pp;

	if (dense != (double)p->world)
		return cost_fail(cost, ENGINE_SIZE,
				 "tp * cp * dp * pp, which must be the GPUs used", p->world);
	if (p->stages == NULL || (double)p->stage_count != (double)p->pp * (double)p->vpp)
		return cost_fail(cost, ENGINE_LAYOUT, "a layout with another number of stages",
				 p->stage_count);
	return true;
}

static bool check_layout(struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t embeddings = 0, losses = 0;

	for (int64_t i = 0; i < p->stage_count; i++) {
		const struct engine_layout_stage *s = &p->stages[i];

		if (s->layers < 0 || (s->layers == 0 && !s->embedding && !s->loss))
			return cost_fail(cost, ENGINE_LAYOUT, "a stage without layers", i);
		if (s->recompute < 0)
			return cost_fail(cost, ENGINE_LAYOUT,
					 "a negative number of recomputed layers", i);
		embeddings += s->embedding;
		losses += s->loss;
	}
	if (embeddings != 1 || losses != 1)
		return cost_fail(cost, ENGINE_LAYOUT, "a layout without one embedding and one loss",
				 0);
	return true;
}

/* Sizes of a latent attention or of experts count only when they are used. */
static bool check_model_sizes(struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	const bool latent = m->attention.kind == ATTENTION_MLA, experts = m->moe.experts > 1;
	const bool all_experts = experts && m->moe.first_dense <= 0 && m->moe.every <= 1;
	const struct named_size sizes[] = {
		{ "model.layers", m->layers },
		{ "model.hidden", m->hidden },
		{ "model.ffn", all_experts ? 1 : m->ffn },
		{ "model.vocab", m->vocab },
		{ "model.vocab_multiple", m->pad_vocab ? m->vocab_multiple : 1 },
		{ "model.attention.heads", m->attention.heads },
		{ "model.attention.kv_heads", latent ? 1 : m->attention.kv_heads },
		{ "model.attention.head", latent ? 1 : m->attention.head },
		{ "model.attention.v_head", m->attention.v_head },
		{ "model.attention.kv_lora", latent ? m->attention.kv_lora : 1 },
		{ "model.attention.qk_nope", latent ? m->attention.qk_nope : 1 },
		{ "model.attention.qk_rope", latent ? m->attention.qk_rope : 1 },
		{ "model.moe.ffn", experts ? m->moe.ffn : 1 },
		{ "model.moe.top_k", experts ? m->moe.top_k : 1 },
	};

	const struct named_size others[] = {
		{ "model.attention.q_lora", m->attention.q_lora },
		{ "model.moe.first_dense", m->moe.first_dense },
		{ "model.moe.shared_ffn", m->moe.shared_ffn },
		{ "model.mtp.depth", m->mtp_depth },
	};

	for (size_t i = 0; i < PLAN_COUNT(sizes); i++)
		if (sizes[i].size <= 0)
			return cost_fail(cost, ENGINE_SIZE, sizes[i].what, sizes[i].size);
	for (size_t i = 0; i < PLAN_COUNT(others); i++)
		if (others[i].size < 0)
			return cost_fail(cost, ENGINE_SIZE, others[i].what, others[i].size);
	return true;
}

bool check_model(struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	const struct feature features[] = {
		{ m->attention.kind == ATTENTION_LINEAR,
		  "linear attention (attention.kind = linear)" },
		{ m->attention.kind == ATTENTION_MAMBA,
		  "state-space layers (attention.kind = mamba)" },
		{ m->mixed, "layers of different kinds (model.pattern, model.local)" },
	};

	for (size_t i = 0; i < PLAN_COUNT(features); i++)
		if (features[i].used)
			return cost_fail(cost, ENGINE_UNSUPPORTED, features[i].what, 0);
	if (!check_model_sizes(cost))
		return false;
	if (!counts_fit(m))
		return cost_fail(cost, ENGINE_OVERFLOW, "parameters", 0);
	return true;
}

bool check_input(struct cost *cost)
{
	return check_supported(cost) && check_positive(cost) && check_mesh(cost) &&
	       check_overflow(cost) && check_layout(cost);
}
