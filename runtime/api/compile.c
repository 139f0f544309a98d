/* compile.c - text to a program in the context, and the check of its rules. */
#include "runtime/api/api_int.h"

#include "runtime/import/simumax/simumax.h"

static void list_jobs(struct plan_context *c)
{
	uint32_t n = jobs_declared(c->program, NULL, 0);
	uint32_t *globals = ARENA_ARRAY(&c->work, uint32_t, n);

	jobs_declared(c->program, globals, n);
	c->jobs = ARENA_ARRAY(&c->work, struct api_job, n);
	for (uint32_t i = 0; i < n; i++) {
		struct sym name = c->program->globals.at[globals[i]].name;

		c->jobs[i] = (struct api_job){ .global = globals[i],
					       .name = sym_str(c->names, name).p };
	}
	c->job_count = n;
}

static bool profile_is_there(struct plan_context *c)
{
	uint32_t schema = ir_find_schema(c->program, "profile");
	const struct ir_schema *profile = schema == IR_NONE ? NULL : &c->program->schemas.at[schema];
	uint32_t n = profile ? profile->preset_count : 0;
	const char **names = ARENA_ARRAY(&c->work, const char *, n);

	if (c->profile.n == 0)
		return true;
	for (uint32_t i = 0; i < n; i++) {
		names[i] = sym_str(c->names, c->program->globals.at[profile->presets[i]].name).p;
		if (str_is(c->profile, names[i]))
			return true;
	}
	context_fail(c, PLAN_NOT_FOUND, "there is no profile `%.*s`%s", (int)c->profile.n, c->profile.p,
		     context_meant(c, c->profile, names, n));
	return false;
}

void context_limit(const struct plan_context *c, struct eval *ev)
{
	if (c->steps_max > 0)
		ev->steps_max = c->steps_max;
	ev->candidates_max = c->candidates_max;
}

enum plan_status context_failure(struct plan_context *c)
{
	enum plan_status status = context_errors(c);

	return compilation_lacks_file(&c->sink) ? PLAN_NO_FILE : status;
}

static enum plan_status compile(struct plan_context *c)
{
	struct ir_program *p = compilation_make(&c->input, &c->ev);

	if (!p)
		return context_failure(c);
	context_limit(c, &c->ev);
	c->program = p;
	if (!profile_is_there(c)) {
		c->program = NULL;
		return PLAN_NOT_FOUND;
	}
	list_jobs(c);
	sweeps_list(c);
	tests_list(c);
	return PLAN_OK;
}

bool context_take_text(struct plan_context *c, const char *path, const char *text, size_t size,
		       struct str *copy)
{
	if (size > c->sources.size_max) {
		diag_too_large(&c->sink, SPAN_NONE, str_of(path));
		return false;
	}
	copy->p = arena_copy(&c->work, text ? text : "", size);
	copy->n = (uint32_t)size;
	return true;
}

enum plan_status plan_compile_file(struct plan_context *c, const char *path)
{
	if (!c)
		return PLAN_MISUSE;
	if (!path || !*path)
		return context_say(c, PLAN_MISUSE, "a file has a path");
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	context_begin(c);
	c->input.path = str_copy(&c->work, str_of(path));
	return compile(c);
}

enum plan_status plan_compile_text(struct plan_context *c, const char *path, const char *text, size_t size)
{
	if (!c)
		return PLAN_MISUSE;
	if (!path || !*path || (!text && size > 0))
		return context_say(c, PLAN_MISUSE, "a text has a name and an address");
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	context_begin(c);
	c->input.path = str_copy(&c->work, str_of(path));
	if (!context_take_text(c, path, text, size, &c->input.text))
		return context_failure(c);
	return compile(c);
}

enum plan_status plan_compile_simumax(struct plan_context *c, const char *model, const char *strategy,
				      const char *system)
{
	struct simumax_input in;
	struct import_text text;

	if (!c)
		return PLAN_MISUSE;
	if (!model || !strategy || !system)
		return context_say(c, PLAN_MISUSE, "SimuMax has three files");
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	context_begin(c);
	memset(&text, 0, sizeof text);
	in = (struct simumax_input){
		.arena = &c->work,
		.sources = &c->sources,
		.sink = &c->sink,
		.model = str_copy(&c->work, str_of(model)),
		.strategy = str_copy(&c->work, str_of(strategy)),
		.system = str_copy(&c->work, str_of(system)),
		.profile = c->profile,
	};
	if (!import_simumax(&in, &text))
		return context_failure(c);
	c->input.path = STR("simumax.plan");
	c->input.text = out_view(&text.text);
	c->input.origins = text.origins.at;
	c->input.origin_count = text.origins.n;
	return compile(c);
}

/* The check without the model has an evaluator of its own: what it leaves open would be poison for later
 * readers. What the other one computes is what later readers want. */
static bool check_everything(struct plan_context *c, enum plan_check what)
{
	uint32_t errors = c->sink.errors;
	struct eval without;

	if (what == PLAN_CHECK_ALL)
		return program_check(&c->ev) && c->sink.errors == errors;
	compilation_evaluator(&c->input, c->program, &without);
	context_limit(c, &without);
	without.without_model = true;
	return program_check(&without) && c->sink.errors == errors;
}

enum plan_status context_check(struct plan_context *c, enum plan_check what)
{
	if (!c->checked[what])
		c->sound[what] = check_everything(c, what);
	c->checked[what] = true;
	return c->sound[what] ? PLAN_OK : context_errors(c);
}

enum plan_status plan_check(struct plan_context *c, enum plan_check what)
{
	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (what > PLAN_CHECK_ALL)
		return context_say(c, PLAN_MISUSE, "there is no such check");
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	return context_check(c, what);
}
