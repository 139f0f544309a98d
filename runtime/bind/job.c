/* job.c - binds and evaluates a job once; turns the engine's refusals into messages. */
#include "runtime/bind/bind_int.h"

uint32_t jobs_declared(const struct ir_program *p, uint32_t *globals, uint32_t max)
{
	uint32_t schema = ir_find_schema(p, "job"), n = 0;

	for (uint32_t i = 0; i < p->globals.n; i++) {
		const struct ir_global *g = &p->globals.at[i];

		if (g->kind != GLOBAL_INSTANCE || g->file != p->root_file ||
		    g->type->kind != TYPE_RECORD || !ir_schema_extends(p, g->type->index, schema))
			continue;
		if (n < max)
			globals[n] = i;
		n++;
	}
	return n;
}

struct str job_level_name(const struct job *j, enum engine_group group)
{
	int level = j->result.level[group];

	if (level < 0 || (size_t)level >= j->hardware.level_count)
		return STR("");
	return j->level_names[level];
}

/* The field of the strategy that set the axis of a failed split; else the job. */
static struct span axis_span(struct reader *b, struct record *job, const struct algebra_error *e)
{
	struct record *s = read_record(b, job, "strategy");

	for (int i = 0; s != NULL && i < e->axes; i++) {
		uint32_t slot = ir_find_field(b->ev->program, s->schema, str_of(axis_name(e->axis[i])));

		if (slot != IR_NONE)
			return reader_span(b, s, slot);
	}
	return b->at;
}

enum diag_code job_error_code(const struct engine_error *error)
{
	switch (error->status) {
	case ENGINE_SPLIT:
		return E2009;
	case ENGINE_OVERFLOW:
		return E2003;
	case ENGINE_LAYOUT:
		return E2007;
	case ENGINE_SIZE:
	case ENGINE_NETWORK:
		return E2005;
	case ENGINE_OK:
	case ENGINE_UNSUPPORTED:
	case ENGINE_MISSING:
	case ENGINE_SCHEDULE:
		break;
	}
	return E2008;
}

void report_engine_error(struct reader *b, struct record *job, const struct engine_error *e)
{
	char text[ENGINE_TEXT_MAX];
	struct span at = e->status == ENGINE_SPLIT ? axis_span(b, job, &e->split) : b->at;
	struct diag *d = diag_new(b->ev->sink, job_error_code(e), at);

	engine_error_text(e, text, sizeof(text));
	diag_message(d, "%s", text);
	if (e->status == ENGINE_UNSUPPORTED)
		diag_help(d, "the cost engine refuses what it does not model rather than leave it out");
	diag_submit(d);
	b->ok = false;
}

uint32_t job_part_count(void)
{
	return bind_part_count;
}

struct job_part job_part(uint32_t part)
{
	const struct bind_part *p = &bind_parts[part];

	return (struct job_part){ p->reads, p->offset, p->size };
}

void job_begin(struct job *j, struct record *record)
{
	*j = (struct job){ .record = record };
	j->input.hardware = &j->hardware;
	j->input.profile = &j->profile;
}

bool job_bind_part(struct eval *ev, struct record *record, uint32_t part, struct job *j)
{
	struct reader b = { .ev = ev, .at = SPAN_NONE, .ok = true };

	return bind_part(&b, record, &bind_parts[part], j);
}

/* Names are for people: no part of the job, so that a sweep makes no records to name them. */
static void bind_names(struct reader *b, struct record *job, struct job *j)
{
	const struct ir_program *p = b->ev->program;
	struct record *model = read_record(b, job, "model"), *cluster = read_record(b, job, "cluster");
	struct record *strategy = read_record(b, job, "strategy");
	struct record *profile = read_record(b, job, "profile");

	if (!b->ok)
		return;
	j->name = record_known_as(p, job);
	j->model_name = record_known_as(p, model);
	j->cluster_name = record_known_as(p, cluster);
	j->strategy_name = record_known_as(p, strategy);
	j->profile_name = record_known_as(p, profile);
}

static bool bind_job(struct reader *b, struct record *record, struct job *j)
{
	job_begin(j, record);
	for (uint32_t i = 0; i < bind_part_count; i++)
		if (!bind_part(b, record, &bind_parts[i], j))
			return false;
	bind_names(b, record, j);
	return b->ok;
}

/* Padding lengthens both ends of the model. */
static int64_t padded_parameters(const struct job *j)
{
	const struct engine_model *m = &j->input.model;
	int64_t row = (m->tied ? 1 : 2) * m->hidden + ((m->bias & BIAS_HEAD) != 0);

	return j->parameters + (j->result.counts.padded_vocab - m->vocab) * row;
}

bool job_part_communicates(enum step_part part)
{
	return part == STEP_TENSOR_COMM || part == STEP_CONTEXT_COMM || part == STEP_EXPERT_COMM ||
	       part == STEP_PIPELINE_COMM || part == STEP_GRADIENT_REDUCE ||
	       part == STEP_PARAMETER_GATHER;
}

/* What follows from the engine's result. */
static void conclude(struct job *j)
{
	const struct engine_step *step = &j->result.step;

	j->padded_parameters = padded_parameters(j);
	j->exposed_comm = 0;
	for (int i = 0; i < STEP_PART_COUNT; i++)
		if (job_part_communicates((enum step_part)i))
			j->exposed_comm += step->part[i];
	j->bubble = step->time > 0 ? step->part[STEP_BUBBLE] / step->time : 0;
	j->fits = j->result.memory.reserved <= j->hardware.memory - j->headroom;
}

bool job_price(struct job *j, struct engine_memo *memo, struct arena *arena, struct engine_error *error)
{
	enum engine_status status = memo ? engine_evaluate_like(&j->input, memo, arena, &j->result, error)
					 : engine_evaluate(&j->input, arena, &j->result, error);

	if (status != ENGINE_OK)
		return false;
	conclude(j);
	return true;
}

const struct job *job_evaluate(struct eval *ev, struct record *record, struct span at)
{
	if (record->native != NULL) {
		const struct job *known = record->native;

		return known->record == NULL ? NULL : known;
	}
	struct reader b = { .ev = ev, .at = at, .ok = true };
	struct job *j = ARENA_NEW(ev->arena, struct job);
	struct engine_error error = { 0 };

	record->native = ARENA_NEW(ev->arena, struct job);  /* without a record: failed, reported once */
	if (!bind_job(&b, record, j))
		return NULL;
	if (!job_price(j, NULL, ev->arena, &error)) {
		report_engine_error(&b, record, &error);
		return NULL;
	}
	record->native = j;
	return j;
}
