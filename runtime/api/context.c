/* context.c - contexts: their memory, their settings, what they say when something fails. */
#include "runtime/api/api_int.h"

#include <stdarg.h>

const char *plan_version(void)
{
	return PLAN_VERSION;
}

const char *plan_status_text(enum plan_status status)
{
	switch (status) {
	case PLAN_OK: return "fine";
	case PLAN_ERRORS: return "the plan has errors";
	case PLAN_DIFFERENT: return "files are not what they should be";
	case PLAN_NOTHING_LEFT: return "nothing is left";
	case PLAN_NOT_FOUND: return "there is nothing of that name";
	case PLAN_NO_FILE: return "a file cannot be read";
	case PLAN_NO_MEMORY: return "out of memory";
	case PLAN_MISUSE: return "the call is wrong";
	}
	return "unknown status";
}

/* The context lives in the first of its own arenas. */
struct plan_context *context_new(int64_t fail_after)
{
	struct plan_context *c;
	struct arena first;
	jmp_buf escape;

	arena_init(&first, &escape);
	first.fail_after = fail_after;
	if (setjmp(escape) != 0)
		return NULL;
	c = ARENA_NEW(&first, struct plan_context);
	c->kept = first;
	c->kept.escape = &c->escape;
	c->kept.fail_after = 0;
	arena_init(&c->work, &c->escape);
	c->message = "";
	return c;
}

struct plan_context *plan_new(void)
{
	return context_new(0);
}

void plan_free(struct plan_context *c)
{
	struct arena kept;

	if (!c)
		return;
	arena_release(&c->work);
	kept = c->kept;
	arena_release(&kept);
}

const char *plan_message(const struct plan_context *c)
{
	return c ? c->message : "";
}

/* ---- failures -------------------------------------------------------------------------------- */

enum plan_status context_say(struct plan_context *c, enum plan_status status, const char *message)
{
	c->message = message;
	return status;
}

enum plan_status context_fail(struct plan_context *c, enum plan_status status, const char *fmt, ...)
{
	va_list args;
	va_list again;
	char *text;
	int n;

	va_start(args, fmt);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	text = arena_alloc(&c->work, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	return context_say(c, status, text);
}

static void forget_compilation(struct plan_context *c)
{
	arena_release(&c->work);
	c->program = NULL;
	c->names = NULL;
	c->jobs = NULL;
	c->job_count = 0;
	c->sweeps = NULL;
	c->sweep_count = 0;
	c->titles = NULL;
	memset(&c->sources, 0, sizeof c->sources);
	memset(&c->sink, 0, sizeof c->sink);
	memset(&c->input, 0, sizeof c->input);
	memset(&c->ev, 0, sizeof c->ev);
	memset(c->checked, 0, sizeof c->checked);
}

enum plan_status context_out_of_memory(struct plan_context *c)
{
	forget_compilation(c);
	return context_say(c, PLAN_NO_MEMORY, plan_status_text(PLAN_NO_MEMORY));
}

enum plan_status context_needs_program(struct plan_context *c)
{
	if (!c)
		return PLAN_MISUSE;
	c->message = "";
	if (c->program)
		return PLAN_OK;
	return context_say(c, PLAN_MISUSE, "no plan is compiled");
}

enum plan_status context_errors(struct plan_context *c)
{
	for (uint32_t i = 0; i < c->sink.diags.n; i++)
		if (c->sink.diags.at[i]->severity == DIAG_ERROR)
			return context_fail(c, PLAN_ERRORS, "%s: %.*s",
					    diag_info(c->sink.diags.at[i]->code)->name,
					    (int)c->sink.diags.at[i]->message.n,
					    c->sink.diags.at[i]->message.p);
	return context_say(c, PLAN_ERRORS, plan_status_text(PLAN_ERRORS));
}

const char *context_meant(struct plan_context *c, struct str wrong, const char *const *names,
			  uint32_t count)
{
	struct suggestions near;
	struct out o;

	suggestions_init(&near, &c->work, wrong);
	for (uint32_t i = 0; i < count; i++)
		suggestions_add(&near, str_of(names[i]), false);
	if (near.names.n == 0)
		return "";
	out_init(&o, &c->work);
	out_printf(&o, "; did you mean `%.*s`?", (int)near.names.at[0].n, near.names.at[0].p);
	return str_copy(&c->work, out_view(&o)).p;
}

/* ---- settings -------------------------------------------------------------------------------- */

/* A setting that runs out of memory is not made; the compilation is none of its business. */
static enum plan_status setting_out_of_memory(struct plan_context *c)
{
	return context_say(c, PLAN_NO_MEMORY, plan_status_text(PLAN_NO_MEMORY));
}

static enum plan_status set_text(struct plan_context *c, struct str *setting, const char *text)
{
	if (!c)
		return PLAN_MISUSE;
	c->message = "";
	if (setjmp(c->escape) != 0)
		return setting_out_of_memory(c);
	*setting = text && *text ? str_copy(&c->kept, str_of(text)) : STR("");
	return PLAN_OK;
}

enum plan_status plan_set_library(struct plan_context *c, const char *folder)
{
	return set_text(c, c ? &c->library_folder : NULL, folder);
}

enum plan_status plan_set_profile(struct plan_context *c, const char *profile)
{
	return set_text(c, c ? &c->profile : NULL, profile);
}

static uint32_t parameter_index(const struct plan_context *c, struct str name)
{
	uint32_t i = 0;

	while (i < c->parameters.n && !str_equal(c->parameters.at[i].name, name))
		i++;
	return i;
}

enum plan_status plan_set_parameter(struct plan_context *c, const char *name, const char *value)
{
	struct parameter given;
	uint32_t i;

	if (!c)
		return PLAN_MISUSE;
	c->message = "";
	if (!name || !*name)
		return context_say(c, PLAN_MISUSE, "a parameter has a name");
	if (setjmp(c->escape) != 0)
		return setting_out_of_memory(c);
	i = parameter_index(c, str_of(name));
	if (!value) {
		if (i < c->parameters.n)
			c->parameters.at[i] = c->parameters.at[--c->parameters.n];
		return PLAN_OK;
	}
	given.value = str_copy(&c->kept, str_of(value));
	if (i < c->parameters.n) {
		c->parameters.at[i].value = given.value;
		return PLAN_OK;
	}
	given.name = str_copy(&c->kept, str_of(name));
	*VEC_ADD(&c->kept, &c->parameters) = given;
	return PLAN_OK;
}

enum plan_status plan_set_limit(struct plan_context *c, enum plan_limit limit, uint64_t most)
{
	bool file = limit == PLAN_LIMIT_FILE || limit == PLAN_LIMIT_ARTEFACT;

	if (!c)
		return PLAN_MISUSE;
	c->message = "";
	if (file && most > INT32_MAX)
		return context_say(c, PLAN_MISUSE, "a file has less than 2 GiB");
	if (limit == PLAN_LIMIT_DEPTH && most > SOURCE_DEPTH_MAX)
		return context_say(c, PLAN_MISUSE, "brackets are read 400 deep at most");
	switch (limit) {
	case PLAN_LIMIT_MEMORY:
		c->work.limit = most > SIZE_MAX ? SIZE_MAX : (size_t)most;
		return PLAN_OK;
	case PLAN_LIMIT_FILE:
		c->file_max = (uint32_t)most;
		return PLAN_OK;
	case PLAN_LIMIT_STEPS:
		c->steps_max = most;
		return PLAN_OK;
	case PLAN_LIMIT_ARTEFACT:
		c->artefact_max = (uint32_t)most;
		return PLAN_OK;
	case PLAN_LIMIT_DEPTH:
		c->depth_max = (uint32_t)most;
		return PLAN_OK;
	case PLAN_LIMIT_CANDIDATES:
		c->candidates_max = most;
		return PLAN_OK;
	}
	return context_say(c, PLAN_MISUSE, "there is no such limit");
}

/* ---- the beginning of a compilation ---------------------------------------------------------- */

void context_begin(struct plan_context *c)
{
	forget_compilation(c);
	c->message = "";
	c->names = interner_make(&c->work);
	sources_init(&c->sources, &c->work);
	if (c->file_max > 0)
		c->sources.size_max = c->file_max;
	if (c->depth_max > 0)
		c->sources.depth_max = c->depth_max;
	diag_sink_init(&c->sink, &c->work, &c->sources);
	c->input = (struct compile_input){
		.arena = &c->work,
		.names = c->names,
		.sources = &c->sources,
		.sink = &c->sink,
		.library_folder = str_copy(&c->work, c->library_folder),
		.parameters = c->parameters.at,
		.parameter_count = c->parameters.n,
		.failures = true,
	};
}
