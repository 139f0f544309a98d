/* targets.c - the targets of the standard library. */
#include "runtime/api/shared/targets.h"

#include "runtime/api/api_int.h"

/* A compilation beside that of the context, in memory that is given back. */
struct aside {
	struct arena *arena;
	struct sources sources;
	struct diag_sink sink;
	struct compile_input in;
	struct eval ev;
};

static bool compile_target(const struct plan_context *c, struct aside *a, struct str name)
{
	sources_init(&a->sources, a->arena);
	diag_sink_init(&a->sink, a->arena, &a->sources);
	a->in = (struct compile_input){
		.arena = a->arena,
		.names = interner_make(a->arena),
		.sources = &a->sources,
		.sink = &a->sink,
		.path = STR("targets"),
		.text = targets_text(a->arena, name),
		.library_folder = str_copy(a->arena, c->library_folder),
	};
	return compilation_make(&a->in, &a->ev) != NULL;
}

/* What is wrong is wrong with the library. */
static enum plan_status report_library(struct plan_context *c, const struct aside *a)
{
	enum plan_status status = compilation_lacks_file(&a->sink) ? PLAN_NO_FILE : PLAN_ERRORS;
	struct str message = a->sink.diags.n > 0 ? a->sink.diags.at[0]->message : STR("");

	return context_fail(c, status, "%.*s", (int)message.n, message.p);
}

static void add_target(struct plan_context *c, struct aside *a, struct str name, struct plan_target *list, size_t *count)
{
	struct target_entry t;

	if (!target_describe(&a->ev, name, &t))
		return;
	list[(*count)++] = (struct plan_target){
		.name = name.p,
		.versions = str_copy(&c->work, t.versions).p,
		.title = str_copy(&c->work, t.title).p,
		.rules = t.rules,
		.flags = t.flags,
	};
}

static enum plan_status list_targets(struct plan_context *c, const struct plan_target **list, size_t *count)
{
	struct str *names = ARENA_ARRAY(&c->work, struct str, TARGETS_MAX);
	uint32_t n = targets_names(&c->work, names, TARGETS_MAX);
	struct plan_target *all = ARENA_ARRAY(&c->work, struct plan_target, n + 1);
	struct aside *a = ARENA_NEW(&c->work, struct aside);
	enum plan_status status = PLAN_OK;

	a->arena = ARENA_NEW(&c->work, struct arena);
	arena_init_under(a->arena, &c->work);
	for (uint32_t i = 0; i < n && status == PLAN_OK; i++) {
		if (compile_target(c, a, names[i]))
			add_target(c, a, names[i], all, count);
		else
			status = report_library(c, a);
		arena_reset(a->arena, (struct arena_mark){ 0 });
	}
	arena_release(a->arena);
	*list = status == PLAN_OK ? all : NULL;
	*count = status == PLAN_OK ? *count : 0;
	return status;
}

enum plan_status plan_targets(struct plan_context *c, const struct plan_target **list, size_t *count)
{
	if (!c)
		return PLAN_MISUSE;
	c->message = "";
	if (!list || !count)
		return context_say(c, PLAN_MISUSE, "a list has an address to go to, and a count");
	*list = NULL;
	*count = 0;
	if (setjmp(c->escape) != 0) {
		*count = 0;
		return context_out_of_memory(c);
	}
	return list_targets(c, list, count);
}
