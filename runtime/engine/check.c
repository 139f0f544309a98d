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

static bool check_sizes(struct cost *cost, const struct named_size *sizes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (sizes[i].size <= 0)
			return cost_fail(cost, ENGINE_SIZE, sizes[i].what, sizes[i].size);
	return true;
}

static bool check_not_negative(struct cost *cost, const struct named_size *sizes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (sizes[i].size < 0)
			return cost_fail(cost, ENGINE_SIZE, sizes[i].what, sizes[i].size);
	return true;
}

static bool check_positive(struct cost *cost)
{
	const struct engine_input *in = cost->in;
	const struct engine_parallel *p = &in->parallel;
	const struct named_size sizes[] = {
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

	return check_sizes(cost, sizes, PLAN_COUNT(sizes));
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
	const bool split = cost_order(cost) != ORDER_ALTERNATE;
	const struct feature features[] = {
		{ m->attention.kind == ATTENTION_LINEAR,
		  "linear attention (attention.kind = linear)" },
		{ m->attention.kind == ATTENTION_MAMBA,
		  "state-space layers (attention.kind = mamba)" },
		{ (m->attention.gate && m->attention.kind == ATTENTION_MLA) ||
			  (m->local.gate && m->local.kind == ATTENTION_MLA),
		  "an output gate of latent attention (attention.gate)" },
		{ m->mixed, "layers of different kinds (model.pattern)" },
		{ m->full_every > 1 && m->local.kind != m->attention.kind,
		  "local layers with another kind of attention (model.local.kind)" },
		{ m->moe.experts <= 1 && (p->ep > 1 || p->etp > 1),
		  "expert parallelism without experts (strategy.ep, strategy.etp)" },
		{ p->schedule == SCHEDULE_GPIPE || p->schedule == SCHEDULE_ZBV ||
			  p->schedule == SCHEDULE_DUALPIPE_V || p->schedule == SCHEDULE_LOOP_BFS,
		  "a schedule other than one_f_one_b, interleaved, zb1p, zb2p and dualpipe" },
		{ split && in->profile->sync_pipeline,
		  "schedule zb1p, zb2p or dualpipe with transfers that block both sides "
		  "(profile.sync_pipeline)" },
		{ split && p->vpp > 1,
		  "schedule zb1p, zb2p or dualpipe with virtual stages (strategy.vpp)" },
		{ in->precision.linear != in->precision.compute &&
			  dtype_bits(in->precision.linear) != 8,
		  "matrix products in this format (precision.linear)" },
		{ in->precision.weights != in->precision.compute &&
			  in->precision.weights != in->precision.linear,
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

/* Elements per token of the widest activations of one layer. */
static double layer_width(const struct engine_model *m)
{
	const struct engine_attention *a = &m->attention, *l = &m->local;
	double head = (double)a->head + (double)a->v_head + (double)a->qk_nope + (double)a->qk_rope;
	double near = (double)l->head + (double)l->v_head;
	double heads = ((double)a->heads + (double)a->kv_heads) * head +
		       ((double)l->heads + (double)l->kv_heads) * near;
	double ranks = (double)a->q_lora + (double)a->kv_lora + (double)a->qk_rope;
	double width = larger(larger((double)m->hidden, 2 * (double)m->ffn), heads + ranks);

	return larger(width, 2 * (double)m->moe.shared_ffn);
}

/* The same of the copies of a token at their experts. */
static double routed_width(const struct engine_model *m)
{
	const struct engine_moe *e = &m->moe;
	double factor = larger(1, e->capacity) * larger(1, e->imbalance);

	if (e->experts <= 1)
		return 0;
	return ((double)e->top_k * factor + 1) * ((double)m->hidden + 2 * (double)e->ffn) +
	       (double)e->experts;
}

/*
 * Upper bounds, in binary64, of everything later counted in int64_t. They may be loose by some
 * powers of two: no real job comes near 2^61 bytes on one GPU or in one model.
 */
static bool check_overflow(struct cost *cost)
{
	const struct engine_input *in = cost->in;
	const struct engine_model *m = &in->model;
	const struct engine_parallel *p = &in->parallel;
	const double limit = (double)(INT64_C(1) << 61);
	double vocab = (double)m->vocab + (double)m->vocab_multiple * (double)p->tp;
	double width = layer_width(m) + routed_width(m) * (double)p->etp;
	double tokens = (double)in->batch.micro * (double)in->batch.sequence;
	double layer = (double)m->hidden * 4 * width +
		       (double)m->moe.experts * (double)m->hidden * 3 * (double)m->moe.ffn;
	double layers = (double)m->layers + (double)m->mtp_depth;

	for (int64_t i = 0; i < p->stage_count; i++)
		layers = larger(layers, (double)p->stages[i].layers + (double)p->stages[i].mtp);
	if (!counts_fit(m) || vocab * (double)m->hidden * 128 + layers * layer * 64 > limit)
		return cost_fail(cost, ENGINE_OVERFLOW, "parameters", 0);
	/* Padding gives every expert at least one token of every GPU. */
	tokens += (double)m->moe.experts;
	if (tokens * (vocab + width) * 512 > limit ||
	    tokens * width * layers * (double)p->pp * 512 > limit)
		return cost_fail(cost, ENGINE_OVERFLOW, "activations", 0);
	if (tokens * (double)in->batch.sequence * (double)m->attention.heads * 64 > limit)
		return cost_fail(cost, ENGINE_OVERFLOW, "attention scores", 0);
	if (tokens * (double)in->batch.micro_batches * (double)p->dp > limit ||
	    tokens * width * (double)p->world > limit)
		return cost_fail(cost, ENGINE_OVERFLOW, "tokens of a step", 0);
	/* Replay and walk take memory for every step and layer: these bound it to some 300 MB. */
	if (p->pp > 1 && (double)p->stage_count * (double)in->batch.micro_batches > 4e6)
		return cost_fail(cost, ENGINE_OVERFLOW, "steps of the pipeline", 0);
	if ((double)p->vpp_group * (double)p->vpp > 4e6)
		return cost_fail(cost, ENGINE_OVERFLOW, "strategy.vpp_group", 0);
	if (layers > 1e5 || layers * (double)p->stage_count > 1e7)
		return cost_fail(cost, ENGINE_OVERFLOW, "layers", 0);
	return true;
}

static bool check_mesh(struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	double dense = (double)p->tp * (double)p->cp * (double)p->dp * (double)p->pp;
	double expert = (double)p->etp * (double)p->ep * (double)p->edp * (double)p->pp;

	if (cost->in->model.moe.experts > 1 && expert != (double)p->world)
		return cost_fail(cost, ENGINE_SIZE,
				 "etp * ep * edp * pp, which must be the GPUs used", p->world);
	if (dense != (double)p->world)
		return cost_fail(cost, ENGINE_SIZE,
				 "tp * cp * dp * pp, which must be the GPUs used", p->world);
	if (p->cp_comm == CP_A2A_P2P && (p->cp_inner < 1 || p->cp % p->cp_inner != 0))
		return cost_fail(cost, ENGINE_SIZE, "strategy.cp_inner", p->cp_inner);
	if (p->stages == NULL || (double)p->stage_count != (double)p->pp * (double)p->vpp)
		return cost_fail(cost, ENGINE_LAYOUT, "a layout with another number of stages",
				 p->stage_count);
	return true;
}

bool check_spread(struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t ranks = p->dp * p->cp, shard = p->shard != 0 ? p->shard : ranks;

	if (shard < 0 || ranks % shard != 0 ||
	    (cost->in->model.moe.experts > 1 && p->edp % (ranks / shard) != 0))
		return cost_fail(cost, ENGINE_SIZE, "strategy.shard_group", p->shard);
	if (p->gather < 0 || (p->gather > 0 && shard % p->gather != 0))
		return cost_fail(cost, ENGINE_SIZE, "strategy.gather_group", p->gather);
	return true;
}

/* What two directions ask of the pipeline and of the number of micro-batches. */
static bool check_schedule(struct cost *cost)
{
	const int64_t pp = cost->in->parallel.pp, m = cost->in->batch.micro_batches;

	if (cost_order(cost) != ORDER_DUALPIPE)
		return true;
	if (pp % 2 != 0)
		return cost_fail(cost, ENGINE_SCHEDULE,
				 "dualpipe pairs the ranks from both ends, so pp must be even", m);
	if (m % 2 != 0 || m / 2 < pp)
		return cost_fail(cost, ENGINE_SCHEDULE,
				 "dualpipe takes them in from both ends, an even number from 2 * pp on",
				 m);
	return true;
}

static bool check_layout(struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t embeddings = 0, losses = 0, further = 0;

	for (int64_t i = 0; i < p->stage_count; i++) {
		const struct engine_layout_stage *s = &p->stages[i];

		if (s->layers < 0 || s->mtp < 0 ||
		    (s->layers == 0 && s->mtp == 0 && !s->embedding && !s->loss))
			return cost_fail(cost, ENGINE_LAYOUT, "a stage without layers", i);
		if (s->recompute < 0)
			return cost_fail(cost, ENGINE_LAYOUT,
					 "a negative number of recomputed layers", i);
		embeddings += s->embedding;
		losses += s->loss;
		if (s->mtp > 0 && s->mtp != cost->in->model.mtp_depth)
			return cost_fail(cost, ENGINE_LAYOUT,
					 "layers for further tokens on more than one stage", i);
		further += s->mtp;
	}
	if (further != cost->in->model.mtp_depth)
		return cost_fail(cost, ENGINE_LAYOUT, "another number of layers for further tokens",
				 further);
	if (embeddings != 1 || losses != 1)
		return cost_fail(cost, ENGINE_LAYOUT, "a layout without one embedding and one loss",
				 0);
	return true;
}

/* Sizes of an attention; those of a latent one count only when it is latent. */
static bool check_attention(struct cost *cost, const struct engine_attention *a)
{
	const bool latent = a->kind == ATTENTION_MLA;
	const struct named_size sizes[] = {
		{ "model.attention.heads", a->heads },
		{ "model.attention.kv_heads", latent ? 1 : a->kv_heads },
		{ "model.attention.head", latent ? 1 : a->head },
		{ "model.attention.v_head", a->v_head },
		{ "model.attention.kv_lora", latent ? a->kv_lora : 1 },
		{ "model.attention.qk_nope", latent ? a->qk_nope : 1 },
		{ "model.attention.qk_rope", latent ? a->qk_rope : 1 },
	};

	const struct named_size others[] = {
		{ "model.attention.q_lora", a->q_lora },
		{ "model.attention.kv_heads", a->kv_heads },
		{ "model.attention.head", a->head },
		{ "model.attention.kv_lora", a->kv_lora },
		{ "model.attention.qk_nope", a->qk_nope },
		{ "model.attention.qk_rope", a->qk_rope },
	};

	return check_not_negative(cost, others, PLAN_COUNT(others)) &&
	       check_sizes(cost, sizes, PLAN_COUNT(sizes));
}

/* Sizes of experts count only when there are any. */
static bool check_model_sizes(struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	const bool experts = m->moe.experts > 1;
	const bool all_experts = experts && m->moe.first_dense <= 0 && m->moe.every <= 1;
	const struct named_size sizes[] = {
		{ "model.layers", m->layers },
		{ "model.hidden", m->hidden },
		{ "model.ffn", all_experts ? 1 : m->ffn },
		{ "model.vocab", m->vocab },
		{ "model.vocab_multiple", m->pad_vocab ? m->vocab_multiple : 1 },
		{ "model.moe.ffn", experts ? m->moe.ffn : 1 },
		{ "model.moe.top_k", experts ? m->moe.top_k : 1 },
	};
	const struct named_size others[] = {
		{ "model.ffn", m->ffn },
		{ "model.moe.ffn", m->moe.ffn },
		{ "model.moe.experts", m->moe.experts },
		{ "model.moe.first_dense", m->moe.first_dense },
		{ "model.moe.shared_ffn", m->moe.shared_ffn },
		{ "model.mtp.depth", m->mtp_depth },
		{ "model.positions", m->positions },
	};

	if (!check_not_negative(cost, others, PLAN_COUNT(others)))
		return false;
	if (experts && m->moe.pad && !(m->moe.capacity > 0))
		return cost_fail(cost, ENGINE_SIZE, "model.moe.capacity", 0);
	if (!check_sizes(cost, sizes, PLAN_COUNT(sizes)) || !check_attention(cost, &m->attention))
		return false;
	return m->full_every <= 1 || check_attention(cost, &m->local);
}

bool check_model(struct cost *cost)
{
	const struct engine_model *m = &cost->in->model;
	const struct feature features[] = {
		{ m->attention.kind == ATTENTION_LINEAR,
		  "linear attention (attention.kind = linear)" },
		{ m->attention.kind == ATTENTION_MAMBA,
		  "state-space layers (attention.kind = mamba)" },
		{ m->mixed, "layers of different kinds (model.pattern)" },
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
	return check_supported(cost) && check_model_sizes(cost) && check_positive(cost) &&
	       check_mesh(cost) && check_spread(cost) && check_overflow(cost) &&
	       check_layout(cost) && check_schedule(cost);
}
