/* engine.c - the order of one evaluation: check, type, price, lay out, replay, sum up. */

#include "runtime/engine/memo.h"

static void begin(struct cost *cost, const struct engine_input *in, struct arena *arena,
		  struct engine_error *error)
{
	*error = (struct engine_error){ .status = ENGINE_OK };
	cost->in = in;
	cost->profile = in->profile;
	cost->hardware = in->hardware;
	cost->arena = arena;
	cost->error = error;
	cost->failed = false;
}

static void report_shapes(const struct cost *cost, struct arena *arena,
			  struct engine_efficiency *efficiency)
{
	struct engine_shape *missed = ARENA_ARRAY(arena, struct engine_shape, cost->shapes);

	for (int i = 0; i < cost->shapes; i++) {
		if (cost->shape_hit[i])
			efficiency->hit++;
		else
			missed[efficiency->missed_count++] = cost->shape[i];
	}
	efficiency->missed = missed;
}

bool engine_price_layers(struct priced *priced, const bool has[GRAPH_PART_COUNT], struct arena *kept)
{
	struct cost *cost = &priced->cost;

	cost->shape = ARENA_ARRAY(cost->arena, struct engine_shape, COST_SHAPES_MAX);
	cost->shape_efficiency = ARENA_ARRAY(cost->arena, double, COST_SHAPES_MAX);
	cost->shape_hit = ARENA_ARRAY(cost->arena, bool, COST_SHAPES_MAX);
	if (!typed_derive(cost) || !typed_graph(cost, has) || !network_place(cost) ||
	    !cost_operators(cost, kept))
		return false;
	counts_products(cost);
	recompute_flags(cost, &priced->flags);
	sums_evaluate(cost, &priced->flags);
	report_shapes(cost, kept, &priced->efficiency);
	return true;
}

/* The stage and the walk of stages that are like this one; evaluated when there are none yet. */
static uint32_t stage_like(struct priced *priced, const struct stage_layers *layers)
{
	struct cost *cost = &priced->cost;
	const struct engine_input *in = cost->in;
	struct known_stage *known;

	for (known = priced->stages; known; known = known->next)
		if (layers_equal(&known->layers, layers))
			return known->kind;
	known = ARENA_NEW(priced->arena, struct known_stage);
	known->in = *layers->in;
	known->layers = *layers;
	known->layers.in = &known->in;
	known->layers.part = (const uint8_t *)arena_copy(priced->arena, (const char *)layers->part,
							 (size_t)(layers->in->layers + layers->in->mtp));
	cost->in = &priced->view;
	stage_evaluate(cost, &priced->flags, layers, &known->stage, &known->walk);
	cost->in = in;
	known->kind = priced->kinds++;
	known->next = priced->stages;
	priced->stages = known;
	return known->kind;
}

static const struct known_stage *stage_of(const struct priced *priced, uint32_t kind)
{
	const struct known_stage *known = priced->stages;

	while (known->kind != kind)
		known = known->next;
	return known;
}

/* What the chunks of a rank add up to; `kind` are those of the chunks. */
static const struct rank_sum *rank_like(struct priced *priced, const struct engine_result *result,
					int64_t rank, const uint32_t *kind)
{
	const struct cost *cost = &priced->cost;
	const int64_t chunks = rank_stages(cost);
	const size_t size = (size_t)chunks * sizeof *kind;
	struct known_rank *known;

	for (known = priced->ranks; known; known = known->next)
		if (known->chunks == chunks && known->share == rank_share(cost) &&
		    memcmp(known->kinds, kind, size) == 0)
			return &known->sum;
	known = ARENA_NEW(priced->arena, struct known_rank);
	known->kinds = (const uint32_t *)arena_copy(priced->arena, (const char *)kind, size);
	known->chunks = chunks;
	known->share = rank_share(cost);
	rank_evaluate(cost, result->stages, rank, &known->sum);
	known->next = priced->ranks;
	priced->ranks = known;
	return &known->sum;
}

/* Evaluates every distinct rank once. */
static void evaluate_ranks(struct priced *priced, struct engine_result *result)
{
	struct cost *cost = &priced->cost;
	const int64_t pp = cost->in->parallel.pp, chunks = rank_stages(cost);
	const struct rank_sum **rank = ARENA_ARRAY(cost->arena, const struct rank_sum *, pp);
	uint32_t *kind = ARENA_ARRAY(cost->arena, uint32_t, chunks);

	for (int64_t r = 0; r < pp; r++) {
		for (int64_t i = 0; i < chunks; i++)
			kind[i] = cost->kind[rank_stage(cost, r, i)];
		rank[r] = rank_like(priced, result, r, kind);
	}
	cost->rank = rank;
	states_evaluate(cost, result);
	update_evaluate(cost, result);
}

/* Evaluates every distinct stage once. Returns the walk of each. */
static struct walk *evaluate_stages(struct priced *priced, struct engine_result *result)
{
	struct cost *cost = &priced->cost;
	const struct engine_parallel *p = &cost->in->parallel;
	struct walk *walks = ARENA_ARRAY(cost->arena, struct walk, p->stage_count);
	uint32_t *kind = ARENA_ARRAY(cost->arena, uint32_t, p->stage_count);
	const struct known_stage *known = NULL;

	cost->kind = kind;
	result->stage_count = p->stage_count;
	result->stages = ARENA_ARRAY(cost->arena, struct engine_stage, p->stage_count);
	for (int64_t i = 0; i < p->stage_count; i++) {
		struct engine_stage *stage = &result->stages[i];

		if (i == 0 || !layers_equal(&cost->stage[i - 1], &cost->stage[i]))
			known = stage_of(priced, stage_like(priced, &cost->stage[i]));
		kind[i] = known->kind;
		*stage = known->stage;
		walks[i] = known->walk;
		stage->stage = i;
		stage->rank = i % p->pp;
		stage->chunk = i / p->pp;
		stage->mirror = cost_order(cost) == ORDER_DUALPIPE ? p->pp - 1 - i : -1;
	}
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
	double *transfer = ARENA_ARRAY(cost->arena, double, p->stage_count);
	double payload = (double)cost->boundary;
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
		.tapes = cost->log ? NULL : cost->tapes,
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

/* Time and live activations of a schedule: those that are remembered, or a replay. */
static bool replay(struct priced *priced, struct engine_result *result, const struct walk *walks,
		   const double *transfer, struct alive *alive)
{
	struct cost *cost = &priced->cost;
	struct replayed *known = cost->log ? NULL : memo_replayed(priced, transfer);

	if (known && known->told) {
		result->step.pipeline = known->seconds;
		memcpy(alive, known->alive, (size_t)cost->in->parallel.pp * sizeof *alive);
		return true;
	}
	if (!run_pipeline(cost, result, transfer))
		return false;
	alive_evaluate(cost, walks, alive);
	if (!known)
		return true;
	known->seconds = result->step.pipeline;
	memcpy(known->alive, alive, (size_t)cost->in->parallel.pp * sizeof *alive);
	known->told = true;
	return true;
}

/* The job's own layers: nothing is remembered, everything lies in the caller's arena. */
static struct priced *price_once(const struct engine_input *input, const bool has[GRAPH_PART_COUNT],
				 struct arena *arena, struct engine_error *error)
{
	struct priced *priced = ARENA_NEW(arena, struct priced);

	priced->arena = arena;
	priced->view = *input;
	begin(&priced->cost, input, arena, error);
	return engine_price_layers(priced, has, arena) ? priced : NULL;
}

static enum engine_status evaluate(const struct engine_input *input, struct engine_memo *memo,
				   struct arena *arena, struct engine_result *result,
				   struct engine_schedule_log *log, struct engine_error *error)
{
	struct cost job = { .failed = false };
	bool has[GRAPH_PART_COUNT] = { false };
	struct priced *priced = NULL;
	struct cost *cost;

	*result = (struct engine_result){ 0 };
	begin(&job, input, arena, error);
	if (!check_input(&job))
		return error->status;
	if (memo) {
		memo_place(memo, &job, has);
		priced = memo_priced(memo, input, has, arena);
	} else {
		layers_place(&job, has);
	}
	if (!priced)
		priced = price_once(input, has, arena, error);
	if (!priced)
		return error->status;

	cost = &priced->cost;
	begin(cost, input, arena, error);
	cost->log = log;
	cost->stage = job.stage;
	if (!network_place(cost))
		return error->status;

	struct walk *walks = evaluate_stages(priced, result);

	evaluate_ranks(priced, result);
	if (log)
		log_layers(cost);

	counts_evaluate(cost, &result->counts);

	const double *transfer = price_transfers(cost);
	struct alive *alive = ARENA_ARRAY(arena, struct alive, input->parallel.pp);

	if (!replay(priced, result, walks, transfer, alive))
		return error->status;
	step_evaluate(cost, transfer, result);
	memory_evaluate(cost, alive, result);
	result->efficiency = priced->efficiency;
	result->operators = cost->op;
	result->operator_count = cost->first[GRAPH_PART_COUNT];
	for (int g = 0; g < GROUP_COUNT; g++)
		result->level[g] = cost->group[g].level;
	return ENGINE_OK;
}

enum engine_status engine_evaluate(const struct engine_input *input, struct arena *arena,
				   struct engine_result *result, struct engine_error *error)
{
	return evaluate(input, NULL, arena, result, NULL, error);
}

enum engine_status engine_evaluate_like(const struct engine_input *input, struct engine_memo *memo,
					struct arena *arena, struct engine_result *result,
					struct engine_error *error)
{
	return evaluate(input, memo, arena, result, NULL, error);
}

int64_t engine_schedule_size(const struct engine_input *input)
{
	const struct engine_parallel *p = &input->parallel;
	const struct cost cost = { .in = input };
	const int64_t m = input->batch.micro_batches;
	const int64_t each = cost_order(&cost) == ORDER_ALTERNATE ? 4 : 5;

	if (m <= 0 || p->stage_count <= 0 || m > INT64_MAX / each / p->stage_count)
		return 0;
	return each * m * p->stage_count;
}

/* By rank, start, end, kind, micro-batch: the same whatever the order of the replay. */
static int compare_passes(const void *a, const void *b)
{
	const struct engine_pass *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
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
	log->apart = input->parallel.schedule == SCHEDULE_ZB2P && input->parallel.pp > 1;
	status = evaluate(input, NULL, arena, result, log, error);
	if (status != ENGINE_OK)
		return status;
	log->time = result->step.pipeline;
	qsort(log->at, (size_t)log->count, sizeof *log->at, compare_passes);
	return ENGINE_OK;
}

enum engine_status engine_print_graph(const struct engine_input *input, struct arena *arena,
				      struct out *out, struct engine_error *error)
{
	struct cost job = { .failed = false };
	bool has[GRAPH_PART_COUNT] = { false };
	struct priced *priced;

	begin(&job, input, arena, error);
	if (!check_input(&job))
		return error->status;
	layers_place(&job, has);
	priced = price_once(input, has, arena, error);
	if (!priced)
		return error->status;
	graph_print(priced->cost.graph, out);
	return ENGINE_OK;
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
