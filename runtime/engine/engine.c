/* engine.c - the order of one evaluation: check, type, price, lay out, replay, sum up. */

#include "runtime/engine/cost.h"

static bool bias_at(const struct engine_model *m, enum bias_site site)
{
	return (m->bias & (unsigned)site) != 0;
}

/* The vocabulary rounded up so that every tensor-parallel rank holds a multiple of the unit. */
static int64_t padded_vocab(const struct engine_input *in)
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
static bool derive(struct cost *cost)
{
	const struct engine_input *in = cost->in;

	cost->element = dtype_bits(in->precision.compute) / 8;
	cost->weight_element = dtype_bits(in->precision.weights) / 8;
	cost->gradient_element = dtype_bits(in->optimizer.gradient) / 8;
	cost->narrow = dtype_bits(in->precision.linear) < dtype_bits(in->precision.compute);
	cost->vocab = padded_vocab(in);
	if (in->model.moe.experts <= 1)
		return true;
	layers_route(cost);
	if (cost->routed_sent <= 0)
		return cost_fail(cost, ENGINE_SIZE, "the number of tokens at the experts",
				 cost->routed_sent);
	return true;
}

static bool build_graph(struct cost *cost)
{
	struct mesh mesh = mesh_of(&cost->in->parallel);
	struct decoder decoder = decoder_of(cost);

	layers_place(cost, decoder.has);
	cost->graph = graph_make(&decoder, cost->arena);
	if (!graph_decoder(&mesh, &decoder, cost->graph, &cost->error->split))
		return cost_fail(cost, ENGINE_SPLIT, NULL, 0);
	return true;
}

/* Everything up to priced operators. */
static bool prepare(struct cost *cost, const struct engine_input *in, struct arena *arena,
		    struct engine_error *error)
{
	*error = (struct engine_error){ .status = ENGINE_OK };
	cost->in = in;
	cost->profile = in->profile;
	cost->hardware = in->hardware;
	cost->arena = arena;
	cost->error = error;
	if (!check_input(cost))
		return false;
	return derive(cost) && build_graph(cost) && network_place(cost) && cost_operators(cost);
}

/* Evaluates every distinct stage once. Returns the walk of each. */
static struct walk *evaluate_stages(struct cost *cost, struct engine_result *result)
{
	const struct engine_parallel *p = &cost->in->parallel;
	struct walk *walks = ARENA_ARRAY(cost->arena, struct walk, p->stage_count);
	struct recompute_flags flags;

	recompute_flags(cost, &flags);
	sums_evaluate(cost, &flags);
	result->stage_count = p->stage_count;
	result->stages = ARENA_ARRAY(cost->arena, struct engine_stage, p->stage_count);
	for (int64_t i = 0; i < p->stage_count; i++) {
		struct engine_stage *stage = &result->stages[i];
		int64_t like = 0;

		while (like < i && !layers_equal(&cost->stage[like], &cost->stage[i]))
			like++;
		if (like < i) {
			*stage = result->stages[like];
			walks[i] = walks[like];
		} else {
			stage_evaluate(cost, &flags, &cost->stage[i], stage, &walks[i]);
		}
		stage->stage = i;
		stage->rank = i % p->pp;
		stage->chunk = i / p->pp;
		stage->mirror = cost_order(cost) == ORDER_DUALPIPE ? p->pp - 1 - i : -1;
	}
	states_evaluate(cost, result);
	update_evaluate(cost, result);
	return walks;
}

/* Names the layers of every stage in the log, and those of them that recompute. */
static void log_layers(const struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	const struct engine_recompute *r = &cost->in->recompute;
	const bool any = r->granularity != RECOMPUTE_OFF &&
			 (r->enabled || cost->profile->charge_disabled_recompute);
	const uint8_t **parts = ARENA_ARRAY(cost->arena, const uint8_t *, p->stage_count);
	const bool **again = ARENA_ARRAY(cost->arena, const bool *, p->stage_count);

	for (int64_t i = 0; i < p->stage_count; i++) {
		const int64_t layers = p->stages[i].layers + p->stages[i].mtp;
		bool *of_stage = ARENA_ARRAY(cost->arena, bool, layers);

		for (int64_t l = 0; l < layers; l++)
			of_stage[l] = any && recompute_layer(cost, &p->stages[i], l);
		parts[i] = cost->stage[i].part;
		again[i] = of_stage;
	}
	cost->log->layer_part = parts;
	cost->log->layer_again = again;
}

/*
 * Seconds from every virtual stage to the next. One activation travels; behind layers for further
 * tokens that are not where the loss is, one more for each of those tokens.
 */
static double *price_transfers(const struct cost *cost)
{
	const struct engine_parallel *p = &cost->in->parallel;
	const struct operator* first = & cost->graph->op[cost->graph->first[GRAPH_EMBEDDING]];
	double *transfer = ARENA_ARRAY(cost->arena, double, p->stage_count);
	double payload = (double)tensor_local_bytes(&cost->graph->mesh, &first->out[0]);
	double activations = 1;

	for (int64_t i = 0; p->pp > 1 && i + 1 < p->stage_count; i++) {
		int level = network_boundary_level(cost, i % p->pp, (i + 1) % p->pp);

		activations += (double)p->stages[i].mtp;
		transfer[i] = network_p2p(cost, level, activations * payload);
	}
	return transfer;
}

/* Interleaved ranks that wait for each other in a circle, and what breaks it. */
static bool refuse_schedule(struct cost *cost, const struct pipeline *p)
{
	return cost_fail(cost, ENGINE_SCHEDULE,
			 p->blocking
				 ? "blocking transfers between interleaved stages end up in a "
				   "circle; with vpp_group = pp and a multiple of pp they do not"
				 : "the last group of vpp_group is shorter than pp, so that its "
				   "ranks wait for each other in a circle; take whole groups",
			 p->micro_batches);
}

/* The replay of the schedule. */
static bool run_pipeline(struct cost *cost, struct engine_result *result, const double *transfer)
{
	const struct engine_parallel *p = &cost->in->parallel;
	double *forward = ARENA_ARRAY(cost->arena, double, p->stage_count);
	double *backward = ARENA_ARRAY(cost->arena, double, p->stage_count);
	double *weight = ARENA_ARRAY(cost->arena, double, p->stage_count);
	struct pipeline pipeline = {
		.order = cost_order(cost),
		.ranks = p->pp,
		.chunks = rank_stages(cost),
		.micro_batches = cost->in->batch.micro_batches,
		.group = p->vpp_group > 0 ? p->vpp_group : p->pp,
		.forward = forward,
		.backward = backward,
		.weight = weight,
		.transfer = transfer,
		.blocking = cost->profile->sync_pipeline,
		.overlapped = cost->in->overlap.pipeline,
		.whole = cost->log != NULL,
		.log = cost->log,
	};

	for (int64_t i = 0; i < p->stage_count; i++) {
		forward[i] = result->stages[i].forward;
		backward[i] = result->stages[i].backward;
		weight[i] = result->stages[i].weight_gradient;
	}
	if (!pipeline_time(&pipeline, cost->arena, &result->step.pipeline))
		return refuse_schedule(cost, &pipeline);
	return true;
}

static void report_shapes(const struct cost *cost, struct engine_efficiency *efficiency)
{
	struct engine_shape *missed = ARENA_ARRAY(cost->arena, struct engine_shape, cost->shapes);

	for (int i = 0; i < cost->shapes; i++) {
		if (cost->shape_hit[i])
			efficiency->hit++;
		else
			missed[efficiency->missed_count++] = cost->shape[i];
	}
	efficiency->missed = missed;
}

static enum engine_status evaluate(const struct engine_input *input, struct arena *arena,
				   struct engine_result *result, struct engine_schedule_log *log,
				   struct engine_error *error)
{
	struct cost *cost = ARENA_NEW(arena, struct cost);

	*result = (struct engine_result){ 0 };
	cost->log = log;
	if (!prepare(cost, input, arena, error))
		return error->status;

	struct walk *walks = evaluate_stages(cost, result);

	if (log)
		log_layers(cost);

	counts_evaluate(cost, &result->counts);

	const double *transfer = price_transfers(cost);

	if (!run_pipeline(cost, result, transfer))
		return error->status;
	step_evaluate(cost, transfer, result);
	memory_evaluate(cost, walks, result);
	report_shapes(cost, &result->efficiency);
	result->operators = cost->op;
	result->operator_count = cost->first[GRAPH_PART_COUNT];
	for (int g = 0; g < GROUP_COUNT; g++)
		result->level[g] = cost->group[g].level;
	return ENGINE_OK;
}

enum engine_status engine_evaluate(const struct engine_input *input, struct arena *arena,
				   struct engine_result *result, struct engine_error *error)
{
	return evaluate(input, arena, result, NULL, error);
}

int64_t engine_schedule_size(const struct engine_input *input)
{
	const struct engine_parallel *p = &input->parallel;
	const int64_t m = input->batch.micro_batches;

	if (m <= 0 || p->stage_count <= 0 || m > INT64_MAX / 4 / p->stage_count)
		return 0;
	return 4 * m * p->stage_count;
}

/* By rank, start, kind, micro-batch: the same whatever the order of the replay. */
static int compare_passes(const void *a, const void *b)
{
	const struct engine_pass *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->chunk != y->chunk)
		return x->chunk < y->chunk ? -1 : 1;
	return (x->micro_batch > y->micro_batch) - (x->micro_batch < y->micro_batch);
}

enum engine_status engine_schedule(const struct engine_input *input, struct arena *arena,
				   struct engine_result *result, struct engine_schedule_log *log,
				   struct engine_error *error)
{
	enum engine_status status;

	*log = (struct engine_schedule_log){ .capacity = engine_schedule_size(input) };
	log->at = ARENA_ARRAY(arena, struct engine_pass, log->capacity);
	log->hold = input->profile->sync_pipeline ? HOLDS_BOTH
		    : input->overlap.pipeline     ? HOLDS_NOBODY
						  : HOLDS_SENDER;
	status = evaluate(input, arena, result, log, error);
	if (status != ENGINE_OK)
		return status;
	log->time = result->step.pipeline;
	qsort(log->at, (size_t)log->count, sizeof *log->at, compare_passes);
	return ENGINE_OK;
}

enum engine_status engine_print_graph(const struct engine_input *input, struct arena *arena,
				      struct out *out, struct engine_error *error)
{
	struct cost *cost = ARENA_NEW(arena, struct cost);

	if (!prepare(cost, input, arena, error))
		return error->status;
	graph_print(cost->graph, out);
	return ENGINE_OK;
}

enum engine_status engine_flops_per_token(const struct engine_model *model, int64_t sequence,
					  const struct profile *profile, double *flops,
					  struct engine_error *error)
{
	struct engine_input one = {
		.model = *model,
		.parallel = { .world = 1, .dp = 1, .tp = 1 },
		.batch = { .sequence = sequence, .micro = 1, .micro_batches = 1 },
	};
	struct cost cost = { .in = &one, .profile = profile, .error = error };

	*error = (struct engine_error){ .status = ENGINE_OK };
	if (!check_model(&cost))
		return error->status;
	cost.vocab = padded_vocab(&one);
	*flops = counts_flops_per_token(&cost);
	return ENGINE_OK;
}
