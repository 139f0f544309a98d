/* timeline.c - a step as it runs: every pass of every rank in order, and which layers a stage has. */

#include "runtime/engine/memo.h"

void timeline_layers(const struct cost *cost)
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
	status = engine_run(input, NULL, arena, result, log, error);
	if (status != ENGINE_OK)
		return status;
	log->time = result->step.pipeline;
	qsort(log->at, (size_t)log->count, sizeof *log->at, compare_passes);
	return ENGINE_OK;
}
