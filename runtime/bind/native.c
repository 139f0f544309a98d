/* native.c - the engine's results as the native fields of the prelude.
 *
 * One table per result schema: field, kind of value, where it stands in the engine's struct. A field the
 * engine does not know yet (host memory, energy) is `none` or absent from the tables. */
#include <stddef.h>

#include "runtime/bind/bind_int.h"

enum native_kind { AS_SECONDS = JOB_REAL, AS_COUNT = JOB_COUNT, AS_TRUTH = JOB_TRUTH };

struct native_row {
	const char *name;
	enum native_kind kind;
	size_t offset;
};

#define IN_JOB(name, kind, member) { name, kind, offsetof(struct job, member) }
#define MEMORY(field, kind) IN_JOB(#field, kind, result.memory.field)
#define STAGE(name, kind, field) { name, kind, offsetof(struct engine_stage, field) }

static const struct native_row memory_rows[] = {
	MEMORY(peak, AS_COUNT),        MEMORY(reserved, AS_COUNT),    MEMORY(weights, AS_COUNT),
	MEMORY(gradients, AS_COUNT),   MEMORY(optimizer, AS_COUNT),   MEMORY(activations, AS_COUNT),
	MEMORY(buffers, AS_COUNT),     MEMORY(logits, AS_COUNT),      MEMORY(host, AS_COUNT),
	MEMORY(worst_stage, AS_COUNT), IN_JOB("fits", AS_TRUTH, fits),
};

static const struct native_row step_rows[] = {
	IN_JOB("time", AS_SECONDS, result.step.time),
	IN_JOB("expert_compute", AS_SECONDS, result.step.expert_compute),
	IN_JOB("exposed_comm", AS_SECONDS, exposed_comm),
};

static const struct native_row pipeline_rows[] = { IN_JOB("bubble", AS_SECONDS, bubble) };

static const struct native_row job_rows[] = {
	IN_JOB("parameters", AS_COUNT, padded_parameters),
	IN_JOB("trainable_parameters", AS_COUNT, padded_parameters),
	IN_JOB("flops_per_token", AS_SECONDS, result.counts.flops_per_token),
	IN_JOB("tokens_per_second", AS_SECONDS, result.throughput.tokens_per_s),
	IN_JOB("tokens_per_second_per_gpu", AS_SECONDS, result.throughput.tokens_per_s_per_gpu),
	IN_JOB("model_flops_per_gpu", AS_SECONDS, result.throughput.model_flops_per_gpu),
	IN_JOB("mfu", AS_SECONDS, result.throughput.mfu),
	IN_JOB("hfu", AS_SECONDS, result.throughput.hfu),
};

static const struct native_row stage_rows[] = {
	STAGE("layers", AS_COUNT, layers),
	STAGE("mtp", AS_COUNT, mtp),
	STAGE("embedding", AS_TRUTH, embedding),
	STAGE("loss", AS_TRUTH, loss),
	STAGE("memory", AS_COUNT, peak),
	STAGE("weights", AS_COUNT, weights),
	STAGE("gradients", AS_COUNT, gradients),
	STAGE("optimizer", AS_COUNT, optimizer),
	STAGE("activation", AS_COUNT, activations),
	STAGE("activation_peak", AS_COUNT, activation_peak),
	STAGE("in_flight", AS_COUNT, in_flight),
	STAGE("recompute", AS_SECONDS, recompute),
	STAGE("p2p", AS_SECONDS, p2p),
};

/* ---- numbers by their paths -------------------------------------------------------------------- */

static const struct {
	const char *record;
	const struct native_row *rows;
	size_t n;
} numbers[] = {
	{ "", job_rows, PLAN_COUNT(job_rows) },
	{ "memory", memory_rows, PLAN_COUNT(memory_rows) },
	{ "step", step_rows, PLAN_COUNT(step_rows) },
	{ "pipeline", pipeline_rows, PLAN_COUNT(pipeline_rows) },
};

static bool find_part(const char *field, struct job_number *n)
{
	for (int i = 0; i < STEP_PART_COUNT; i++) {
		if (strcmp(field, step_part_name((enum step_part)i)) != 0)
			continue;
		*n = (struct job_number){ JOB_REAL, offsetof(struct job, result.step.part) +
							    (size_t)i * sizeof(double) };
		return true;
	}
	return false;
}

bool job_number_find(const char *record, const char *field, struct job_number *n)
{
	for (size_t i = 0; i < PLAN_COUNT(numbers); i++) {
		for (size_t k = 0; strcmp(numbers[i].record, record) == 0 && k < numbers[i].n; k++) {
			const struct native_row *row = &numbers[i].rows[k];

			if (strcmp(row->name, field) != 0)
				continue;
			*n = (struct job_number){ (enum job_number_kind)row->kind, row->offset };
			return true;
		}
	}
	return strcmp(record, "step") == 0 && find_part(field, n);
}

static struct value number_at(enum native_kind kind, const void *at)
{
	switch (kind) {
	case AS_SECONDS:
		return value_real(*(const double *)at);
	case AS_COUNT:
		return value_int(*(const int64_t *)at);
	case AS_TRUTH:
		return value_bool(*(const bool *)at);
	}
	return value_none();
}

struct value job_number_read(const struct job *j, struct job_number n)
{
	return number_at((enum native_kind)n.kind, (const char *)j + n.offset);
}

/* ---- records of results ------------------------------------------------------------------------- */

static void set(struct eval *ev, struct record *r, const char *name, struct value v)
{
	uint32_t slot = ir_find_field(ev->program, r->schema, str_of(name));

	invariant(slot != IR_NONE, "the prelude lacks a native field that the engine fills");
	record_set(r, slot, v);
}

/* Rows of struct job, or of one of its stages. */
static void set_rows(struct eval *ev, struct record *r, const struct native_row *rows, size_t n,
		     const void *from)
{
	for (size_t i = 0; i < n; i++)
		set(ev, r, rows[i].name, number_at(rows[i].kind, (const char *)from + rows[i].offset));
}

static struct record *result_record(struct eval *ev, const char *schema)
{
	uint32_t s = ir_find_schema(ev->program, schema);

	invariant(s != IR_NONE, "the prelude lacks a schema of results");
	return record_make(ev, s);
}

static struct value of_record(struct record *r)
{
	return (struct value){ .kind = VALUE_RECORD, .record = r };
}

static struct value of_list(struct eval *ev, struct value *at, uint32_t n)
{
	struct list *l = ARENA_NEW(ev->arena, struct list);

	*l = (struct list){ at, n };
	return (struct value){ .kind = VALUE_LIST, .list = l };
}

static struct value memory_value(struct eval *ev, const struct job *j)
{
	struct record *r = result_record(ev, "memory_result");

	set_rows(ev, r, memory_rows, PLAN_COUNT(memory_rows), j);
	return of_record(r);
}

static struct value stage_value(struct eval *ev, const struct engine_stage *s)
{
	struct record *r = result_record(ev, "stage_result");

	set_rows(ev, r, stage_rows, PLAN_COUNT(stage_rows), s);
	set(ev, r, "forward", value_real(s->forward_compute + s->forward_network));
	set(ev, r, "backward", value_real(s->backward_compute + s->backward_network));
	set(ev, r, "network",
	    value_real(s->forward_network + s->backward_network + s->recompute_network));
	return of_record(r);
}

static struct value pipeline_value(struct eval *ev, const struct job *j)
{
	const struct engine_result *e = &j->result;
	struct record *r = result_record(ev, "pipeline_result");
	int64_t pp = j->input.parallel.pp;
	struct value *stages = ARENA_ARRAY(ev->arena, struct value, e->stage_count);
	struct value *ranks = ARENA_ARRAY(ev->arena, struct value, pp);

	for (int64_t i = 0; i < e->stage_count; i++)
		stages[i] = stage_value(ev, &e->stages[i]);
	for (int64_t rank = 0; rank < pp; rank++) {
		int64_t layers = 0;

		for (int64_t i = rank; i < e->stage_count; i += pp)
			layers += e->stages[i].layers;
		ranks[rank] = value_int(layers);
	}
	set(ev, r, "stages", of_list(ev, stages, (uint32_t)e->stage_count));
	set(ev, r, "ranks", of_list(ev, ranks, (uint32_t)pp));
	set_rows(ev, r, pipeline_rows, PLAN_COUNT(pipeline_rows), j);
	return of_record(r);
}

static struct value step_value(struct eval *ev, const struct job *j)
{
	const struct engine_step *e = &j->result.step;
	struct record *r = result_record(ev, "step_result"), *busy = result_record(ev, "busy_result");

	for (int i = 0; i < STEP_PART_COUNT; i++) {
		const char *name = step_part_name((enum step_part)i);

		set(ev, r, name, value_real(e->part[i]));
		if (job_part_communicates((enum step_part)i))
			set(ev, busy, name, value_real(e->busy[i]));
	}
	set(ev, busy, "dispatch", value_real(e->busy[STEP_EXPERT_COMM]));
	set_rows(ev, r, step_rows, PLAN_COUNT(step_rows), j);
	set(ev, r, "busy", of_record(busy));
	return of_record(r);
}

static struct value network_value(struct eval *ev, const struct job *j)
{
	static const char *const names[GROUP_COUNT] = { "tp", "cp", "pp", "dp", "ep", "etp", "edp" };
	struct record *r = result_record(ev, "network_result");

	for (int g = 0; g < GROUP_COUNT; g++)
		set(ev, r, names[g], value_string(job_level_name(j, (enum engine_group)g)));
	return of_record(r);
}

static struct value efficiency_value(struct eval *ev, const struct job *j)
{
	const struct engine_efficiency *e = &j->result.efficiency;
	struct record *r = result_record(ev, "efficiency_result");
	struct value *missed = ARENA_ARRAY(ev->arena, struct value, e->missed_count);

	for (int64_t i = 0; i < e->missed_count; i++) {
		char text[ENGINE_TEXT_MAX];

		engine_shape_text(&e->missed[i], text, sizeof(text));
		missed[i] = value_string(str_copy(ev->arena, str_of(text)));
	}
	set(ev, r, "hit", value_int(e->hit));
	set(ev, r, "missed", of_list(ev, missed, (uint32_t)e->missed_count));
	return of_record(r);
}

/* days, cost and energy of a whole run; `none` where the plan does not give what they need. */
static struct value run_value(struct eval *ev, const struct job *j, const char *name)
{
	struct reader b = { .ev = ev, .at = SPAN_NONE, .ok = true };
	struct value steps = read_value(&b, j->record, "steps");

	if (steps.kind != VALUE_NUMBER)
		return value_none();
	double seconds = value_to_double(steps) * j->result.step.time;

	if (strcmp(name, "days") == 0)
		return value_real(seconds);
	struct record *cluster = read_record(&b, j->record, "cluster");
	struct value rate = strcmp(name, "cost") == 0
				    ? read_value(&b, cluster, "price")
				    : read_value(&b, read_record(&b, cluster, "gpu"), "power");

	if (!b.ok || (rate.kind != VALUE_NUMBER && rate.kind != VALUE_REAL))
		return value_none();
	return value_real(seconds * value_to_double(rate) * (double)j->input.parallel.world);
}

static struct value job_value(struct eval *ev, const struct job *j, const char *name)
{
	static const struct {
		const char *name;
		struct value (*make)(struct eval *ev, const struct job *j);
	} parts[] = {
		{ "memory", memory_value },   { "pipeline", pipeline_value },
		{ "step", step_value },       { "network", network_value },
		{ "efficiency", efficiency_value },
	};

	for (size_t i = 0; i < PLAN_COUNT(parts); i++)
		if (strcmp(name, parts[i].name) == 0)
			return parts[i].make(ev, j);
	struct job_number n;

	return job_number_find("", name, &n) ? job_number_read(j, n) : run_value(ev, j, name);
}

static struct record *standard_profile(struct eval *ev)
{
	const struct ir_program *p = ev->program;
	uint32_t schema = ir_find_schema(p, "profile");

	for (uint32_t i = 0; i < p->schemas.at[schema].preset_count; i++) {
		uint32_t preset = p->schemas.at[schema].presets[i];

		if (!str_is(sym_str(p->names, p->globals.at[preset].name), "standard"))
			continue;
		struct value v = eval_global(ev, preset);

		return v.kind == VALUE_RECORD ? v.record : NULL;
	}
	invariant(false, "the prelude lacks the profile `standard`");
	return NULL;
}

/* FLOPs of a model need no cluster and no strategy, so they are known to `planc check` too. */
static struct value model_flops(struct eval *ev, const struct flops_question *q, void *context)
{
	struct reader b = { .ev = ev, .at = q->at, .ok = true };
	struct record *from = q->profile ? q->profile : standard_profile(ev);
	struct engine_model model = { 0 };
	struct profile profile = { 0 };
	struct engine_error error = { 0 };
	double flops;

	(void)context;
	if (!from)
		return value_poison();
	bind_model(&b, q->model, &model);
	bind_profile(&b, from, &profile);
	if (!b.ok)
		return value_poison();
	if (engine_flops_per_token(&model, q->sequence, &profile, ev->arena, &flops, &error) != ENGINE_OK) {
		report_engine_error(&b, NULL, &error);
		return value_poison();
	}
	return value_real(flops);
}

/* Where to blame what a job's evaluation finds: the instance it was declared as. */
static struct span record_span(const struct eval *ev, const struct record *r)
{
	const struct link_layer *l = r->layers;

	if (r->global != IR_NONE)
		return ev->program->globals.at[r->global].span;
	return l == NULL ? SPAN_NONE : ev->program->layers.at[l->layer].span;
}

/* The native hook of the evaluator (eval.h): every `native` slot of the prelude. */
static bool job_native(struct eval *ev, struct record *r, uint32_t slot, struct value *result,
		       void *context)
{
	const struct ir_program *p = ev->program;
	const char *name = sym_str(p->names, p->schemas.at[r->schema].fields[slot].name).p;

	(void)context;
	if (ev->without_model)
		return false;
	if (!ir_schema_extends(p, r->schema, ir_find_schema(p, "job"))) {
		diag_report(ev->sink, E2008, record_span(ev, r),
			    "`%s` of `%.*s` is not computed by this planc yet", name,
			    (int)record_known_as(p, r).n, record_known_as(p, r).p);
		return false;
	}
	const struct job *j = job_evaluate(ev, r, record_span(ev, r));

	if (j == NULL)
		return false;
	*result = job_value(ev, j, name);
	return true;
}

void job_install(struct eval *ev)
{
	ev->native = job_native;
	ev->native_context = NULL;
	ev->model_flops = model_flops;
	ev->model_flops_context = NULL;
}
