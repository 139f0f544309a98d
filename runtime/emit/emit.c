/* emit.c - runs the emits of a program, one after the other. */
#include "runtime/emit/emit.h"

#include "runtime/emit/emit_int.h"
#include "runtime/search/search.h"

/* A candidate of a sweep is named by its number and its axes. */
static struct str name_of_record(const struct emission *e, const struct record *r)
{
	struct str origin = search_origin(e->ev, r);

	if (origin.n > 0)
		return origin;
	if (r->global == IR_NONE)
		return STR("job");
	return sym_str(e->program->names, e->program->globals.at[r->global].name);
}

/* The value that is emitted. A declared one was checked with the plan, a written-out one is new. */
static bool evaluate_job(struct emission *e, struct value *job)
{
	struct scope nowhere = { 0 };

	if (e->emit->sweep != IR_NONE) {
		*job = value_none();
		e->job_name = sym_str(e->program->names,
				      e->program->sweeps.at[e->emit->sweep].name);
		return true;
	}
	*job = eval_node(e->ev, e->emit->from, nowhere);
	if (job->kind == VALUE_POISON)
		return false;
	if (job->kind != VALUE_RECORD) {
		diag_report(e->sink, E2506, e->emit->span, "target `%.*s` emits a record",
			    (int)e->target_name.n, e->target_name.p);
		return false;
	}
	e->job_name = name_of_record(e, job->record);
	return job->record->global != IR_NONE ||
	       record_check(e->ev, job->record, e->emit->span, e->job_name);
}

static bool evaluate_path(struct emission *e)
{
	struct scope nowhere = { 0 };
	struct value to = eval_node(e->ev, e->emit->to, nowhere);

	if (to.kind == VALUE_STRING)
		e->to = to.text;
	return to.kind == VALUE_STRING;
}

/* A field of the target that the emission sets, where the schema has it. */
static void set_field(struct emission *e, struct str name, struct value v)
{
	uint32_t slot = ir_find_field(e->program, e->emit->schema, name);

	if (slot != IR_NONE)
		record_set(e->target, slot, v);
}

/* The target's record: the options of the plan over the schema's defaults, and the job. */
static bool make_target(struct emission *e, struct value job)
{

	e->target = e->emit->layer == IR_NONE ? record_make(e->ev, e->emit->schema)
					      : record_extend(e->ev, NULL, e->emit->layer, NULL);
	if (!e->target)
		return false;
	if (job.kind == VALUE_RECORD)
		set_field(e, STR("job"), job);
	set_field(e, STR("written"), value_bool(!e->in->asked));
	return true;
}

static bool make_files(struct emission *e, struct value job, struct artefact_files *files)
{
	if (e->kind == ARTEFACT_REPORT)
		return emit_report(e, job, files);
	return emit_collect_parts(e) && extra_fits(e) && emit_files(e, files);
}

static struct emission begin(const struct emit_input *in, const struct ir_emit *emit)
{
	struct emission e = { .in = in,
			      .emit = emit,
			      .arena = in->ev->arena,
			      .ev = in->ev,
			      .sink = in->ev->sink,
			      .program = in->ev->program,
			      .place = emit->span };

	e.target_name = sym_str(e.program->names, emit->target);
	return e;
}

/* What is wrong with the names in `extra` is said beside the rules that are broken. */
static bool check_options(struct emission *e)
{
	bool fine = options_check_extra(e);

	return emit_check_rules(e) && fine;
}

static bool check_rules(struct emission *e, struct value job, uint32_t *held)
{
	if (!make_target(e, job) || !emit_collect(e) || !check_options(e))
		return false;
	if (e->extra.n > 0 && !(emit_collect_parts(e) && extra_fits(e)))
		return false;
	*held += emit_rules_held(e);
	return true;
}

bool emit_check_targets(struct eval *ev, uint32_t *held)
{
	const struct ir_program *p = ev->program;
	struct emit_input in = { .ev = ev, .memory = true };
	uint32_t errors = ev->sink->errors;

	for (uint32_t i = 0; i < p->emits.n; i++) {
		struct emission e = begin(&in, &p->emits.at[i]);
		struct value job;

		if (evaluate_job(&e, &job))
			check_rules(&e, job, held);
	}
	return ev->sink->errors == errors;
}

static bool check_job(const struct emit_input *in, const struct ir_emit *emit, uint32_t job, uint32_t *held)
{
	struct emission e = begin(in, emit);
	struct value value = eval_global(in->ev, job);

	return value.kind == VALUE_RECORD && check_rules(&e, value, held);
}

/* Whether this is an emit of the plan that sends the job to the target that is asked about. */
static bool sends_job(const struct ir_program *p, const struct ir_emit *emit, uint32_t job)
{
	return emit->schema == p->target && emit->sweep == IR_NONE && p->nodes.at[emit->from].op == IR_GLOBAL &&
	       p->nodes.at[emit->from].a == job;
}

/* As if the plan sent the job to the target with no option set and for no file. */
static bool check_alone(struct eval *ev, struct sym target, uint32_t job, uint32_t *held)
{
	struct emit_input in = { .ev = ev, .memory = true, .asked = true };
	struct ir_emit *emit = ARENA_NEW(ev->arena, struct ir_emit);
	bool fine, allowed = ev->allow_missing;

	*emit = (struct ir_emit){ .schema = ev->program->target,
				  .target = target,
				  .sweep = IR_NONE,
				  .layer = IR_NONE,
				  .span = ev->program->globals.at[job].span };
	ev->allow_missing = true;
	fine = check_job(&in, emit, job, held);
	ev->allow_missing = allowed;
	return fine;
}

/* A job with the options of its emits, or alone where the plan does not send it to the target. */
static bool check_sent(struct eval *ev, struct sym target, uint32_t job, uint32_t *held)
{
	struct emit_input in = { .ev = ev, .memory = true };
	const struct ir_program *p = ev->program;
	bool fine = true, sent = false;

	for (uint32_t i = 0; i < p->emits.n; i++)
		if (sends_job(p, &p->emits.at[i], job)) {
			fine = check_job(&in, &p->emits.at[i], job, held) && fine;
			sent = true;
		}
	return sent ? fine : check_alone(ev, target, job, held);
}

bool emit_check_jobs(struct eval *ev, struct sym target, const uint32_t *jobs, uint32_t n, uint32_t *held)
{
	bool fine = true;

	for (uint32_t i = 0; i < n; i++)
		fine = check_sent(ev, target, jobs[i], held) && fine;
	return fine;
}

static bool run_emit(const struct emit_input *in, const struct ir_emit *emit,
		     struct emit_result *result)
{
	struct emission e = begin(in, emit);
	struct artefact_files files = { 0 };
	uint32_t errors = e.sink->errors;
	struct value job;

	if (!evaluate_job(&e, &job) || !evaluate_path(&e) || !make_target(&e, job))
		return false;
	if (!emit_collect(&e) || !check_options(&e) || !make_files(&e, job, &files))
		return false;
	return e.sink->errors == errors && emit_store(&e, &files, result);
}

bool emit_run(const struct emit_input *in, struct emit_result *result)
{
	const struct ir_program *p = in->ev->program;
	bool fine = true;

	*result = (struct emit_result){ 0 };
	for (uint32_t i = 0; i < p->emits.n; i++) {
		const struct ir_emit *emit = &p->emits.at[i];

		if (in->only.n > 0 && !str_equal(sym_str(p->names, emit->target), in->only))
			continue;
		fine = run_emit(in, emit, result) && fine;
	}
	return fine;
}

static void try_emit(struct eval *ev, const struct ir_emit *emit)
{
	struct emit_input in = { .ev = ev, .memory = true };
	struct emit_result result = { 0 };

	run_emit(&in, emit, &result);
}

void emit_install(struct eval *ev)
{
	ev->try_emit = try_emit;
}
