/* engine.c - the order of one evaluation: check, type, price, let micro-batches flow, sum up. */

#include "runtime/engine/memo.h"

void cost_begin(struct cost *cost, const struct engine_input *in, struct arena *arena,
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

bool engine_charge(struct charged *charged, const bool has[GRAPH_PART_COUNT], struct arena *kept)
{
	struct cost *cost = &charged->cost;

	cost->shape = ARENA_ARRAY(cost->arena, struct engine_shape, COST_SHAPES_MAX);
	cost->shape_efficiency = ARENA_ARRAY(cost->arena, double, COST_SHAPES_MAX);
	cost->shape_hit = ARENA_ARRAY(cost->arena, bool, COST_SHAPES_MAX);
	if (!typed_derive(cost) || !typed_graph(cost, has) || !network_place(cost) ||
	    !cost_operators(cost, kept))
		return false;
	counts_products(cost);
	report_shapes(cost, kept, &charged->efficiency);
	return true;
}

void engine_add_up(struct priced *priced, const struct charged *charged)
{
	priced->cost = charged->cost;
	priced->charged = charged;
	priced->cost.in = &priced->kept.view.in;
	recompute_flags(&priced->cost, &priced->flags);
	sums_evaluate(&priced->cost, &priced->flags);
}

/* The job by itself: nothing is remembered, everything lies in its arena. */
static struct charged *charge_once(struct cost *job)
{
	struct charged *charged = ARENA_NEW(job->arena, struct charged);
	bool has[GRAPH_PART_COUNT] = { false };

	layers_place(job, has);
	cost_begin(&charged->cost, job->in, job->arena, job->error);
	return engine_charge(charged, has, job->arena) ? charged : NULL;
}

static struct flow *flow_once(struct cost *job)
{
	struct flow *flow = ARENA_NEW(job->arena, struct flow);
	struct priced *priced = ARENA_NEW(job->arena, struct priced);
	struct charged *charged = charge_once(job);

	if (!charged)
		return NULL;
	priced->arena = job->arena;
	priced->kept.view.in = *job->in;
	engine_add_up(priced, charged);
	priced->cost.stage = job->stage;
	priced->cost.log = job->log;
	return flow_evaluate(priced, flow, job->arena) ? flow : NULL;
}

static void place_stages(const struct cost *cost, const struct flow *flow, struct engine_result *result)
{
	const struct engine_parallel *p = &cost->in->parallel;

	result->stage_count = p->stage_count;
	result->stages = ARENA_ARRAY(cost->arena, struct engine_stage, p->stage_count);
	for (int64_t i = 0; i < p->stage_count; i++) {
		struct engine_stage *stage = &result->stages[i];

		*stage = flow->stage[i]->stage;
		stage->stage = i;
		stage->rank = i % p->pp;
		stage->chunk = i / p->pp;
		stage->mirror = cost_order(cost) == ORDER_DUALPIPE ? p->pp - 1 - i : -1;
	}
}

/* What the job makes of its flow. */
static void sum_up(const struct cost *job, const struct flow *flow, struct engine_result *result)
{
	struct cost *cost = &flow->priced->cost;

	cost_begin(cost, job->in, job->arena, job->error);
	cost->stage = flow->layers;
	cost->rank = flow->rank;
	(void)network_place(cost); /* the flow has been there */
	if (cost->log)
		timeline_layers(cost);
	place_stages(cost, flow, result);
	states_evaluate(cost, result);
	update_evaluate(cost, result);
	result->counts = flow->counts;
	result->step.pipeline = flow->seconds;
	step_evaluate(cost, flow->transfer, result);
	memory_evaluate(cost, flow->alive, result);
	result->efficiency = flow->priced->charged->efficiency;
	result->operators = cost->op;
	result->again = flow->priced->flags.again;
	result->operator_count = cost->first[GRAPH_PART_COUNT];
	for (int g = 0; g < GROUP_COUNT; g++)
		result->level[g] = cost->group[g].level;
}

enum engine_status engine_run(const struct engine_input *input, struct engine_memo *memo, struct arena *arena,
			      struct engine_result *result, struct engine_schedule_log *log,
			      struct engine_error *error)
{
	struct cost job = { .log = log };
	const struct flow *flow = NULL;

	*result = (struct engine_result){ 0 };
	cost_begin(&job, input, arena, error);
	if (memo)
		flow = memo_flow(memo, &job);
	else if (!check_input(&job))
		return error->status;
	if (!flow && error->status == ENGINE_OK)
		flow = flow_once(&job);
	if (!flow)
		return error->status;
	if (flow->refused)
		*error = *flow->refused;
	else
		sum_up(&job, flow, result);
	return error->status;
}

enum engine_status engine_evaluate(const struct engine_input *input, struct arena *arena,
				   struct engine_result *result, struct engine_error *error)
{
	return engine_run(input, NULL, arena, result, NULL, error);
}

enum engine_status engine_evaluate_like(const struct engine_input *input, struct engine_memo *memo,
					struct arena *arena, struct engine_result *result,
					struct engine_error *error)
{
	return engine_run(input, memo, arena, result, NULL, error);
}

enum engine_status engine_print_graph(const struct engine_input *input, struct arena *arena,
				      struct out *out, struct engine_error *error)
{
	struct cost job = { .failed = false };
	struct charged *charged;

	cost_begin(&job, input, arena, error);
	if (!check_input(&job))
		return error->status;
	charged = charge_once(&job);
	if (!charged)
		return error->status;
	graph_print(charged->cost.graph, out);
	return ENGINE_OK;
}
