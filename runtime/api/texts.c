/* texts.c - texts of plans without a program: their layout, another value in one; pages of messages. */
#include "compiler/syntax/fmt/fmt.h"

#include "compiler/syntax/fmt/assign.h"
#include "runtime/api/api_int.h"
#include "runtime/api/shared/corrections.h"

enum plan_status plan_format(struct plan_context *c, const char *path, const char *text, size_t size,
			     const char **formatted)
{
	struct parse_input in;
	struct str copy;
	struct out o;

	if (!c)
		return PLAN_MISUSE;
	if (!path || !formatted || (!text && size > 0))
		return context_say(c, PLAN_MISUSE, "a text has a name and an address");
	*formatted = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	context_begin(c);
	if (!context_take_text(c, path, text, size, &copy))
		return context_failure(c);
	in = (struct parse_input){ &c->work, c->names, &c->sources, &c->sink, 0 };
	in.file = sources_add(&c->sources, str_copy(&c->work, str_of(path)), copy, false);
	switch (fmt_checked(&in, &c->sources, &o)) {
	case FMT_SAME:
	case FMT_CHANGED:
		*formatted = arena_copy(&c->work, o.p, o.n);
		return PLAN_OK;
	case FMT_REFUSED:
		return context_errors(c);
	case FMT_FAULT:
		break;
	}
	invariant_failed(__FILE__, __LINE__, "a layout says the same as its text");
}

static enum plan_status assign(struct plan_context *c, struct str text, const char *path, const char *where,
			       const char *value, const char **result)
{
	struct assign_input in = { &c->work, c->names, &c->sources, &c->sink, 0,
				   str_copy(&c->work, str_of(where)), str_copy(&c->work, str_of(value)) };
	uint32_t file;

	in.file = sources_add(&c->sources, str_copy(&c->work, str_of(path)), text, false);
	if (!assign_value(&in, &file))
		return context_errors(c);
	*result = str_copy(&c->work, source_get(&c->sources, file)->text).p;
	return PLAN_OK;
}

enum plan_status plan_set(struct plan_context *c, const char *path, const char *text, size_t size,
			  const char *where, const char *value, const char **result)
{
	struct str copy;

	if (!c)
		return PLAN_MISUSE;
	if (!path || !where || !value || !result || (!text && size > 0))
		return context_say(c, PLAN_MISUSE, "a text has a name and an address, a value a path");
	*result = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	context_begin(c);
	if (!context_take_text(c, path, text, size, &copy))
		return context_failure(c);
	return assign(c, copy, path, where, value, result);
}

/* One round over a text: compiled and checked in memory that is given back. false when nothing was corrected. */
static bool correct(struct plan_context *c, struct arena *aside, struct str *text, size_t *count)
{
	struct compile_input in = c->input;
	struct sources sources;
	struct diag_sink sink;
	struct ir_program *p;
	struct eval ev;
	uint32_t made;

	sources_init(&sources, aside);
	sources.size_max = c->sources.size_max;
	sources.depth_max = c->sources.depth_max;
	diag_sink_init(&sink, aside, &sources);
	in.arena = aside;
	in.names = interner_make(aside);
	in.sources = &sources;
	in.sink = &sink;
	in.text = *text;
	p = compilation_make(&in, &ev);
	if (p) {
		context_limit(c, &ev);
		ev.without_model = true;
		program_check(&ev);
	}
	made = corrections_make(&sink, in.path, &c->work, text, NULL, NULL);
	*count += made;
	return made > 0;
}

/* What is left is said about the text as it is now. */
static enum plan_status fix(struct plan_context *c, struct str text, const char **result, size_t *count)
{
	struct arena *aside = ARENA_NEW(&c->work, struct arena);
	bool more = true;

	arena_init_under(aside, &c->work);
	for (uint32_t round = 0; round < CORRECTION_ROUNDS_MAX && more; round++) {
		more = correct(c, aside, &text, count);
		arena_reset(aside, (struct arena_mark){ 0 });
	}
	arena_release(aside);
	*result = arena_copy(&c->work, text.p, text.n);
	c->input.text = text;
	if (compilation_make(&c->input, &c->ev)) {
		context_limit(c, &c->ev);
		c->ev.without_model = true;
		program_check(&c->ev);
	}
	return c->sink.errors > 0 ? context_errors(c) : PLAN_OK;
}

enum plan_status plan_fix(struct plan_context *c, const char *path, const char *text, size_t size, const char **result,
			  size_t *count)
{
	struct str copy;

	if (!c)
		return PLAN_MISUSE;
	if (!path || !*path || !result || !count || (!text && size > 0))
		return context_say(c, PLAN_MISUSE, "a text has a name and an address, what becomes of it too");
	*result = NULL;
	*count = 0;
	if (setjmp(c->escape) != 0) {
		*result = NULL;
		*count = 0;
		return context_out_of_memory(c);
	}
	context_begin(c);
	c->input.path = str_copy(&c->work, str_of(path));
	if (!context_take_text(c, path, text, size, &copy))
		return context_failure(c);
	return fix(c, copy, result, count);
}

/* Pages are embedded with a NUL behind them. */
const char *plan_explain(const char *code)
{
	enum diag_code known = code ? diag_code_of_name(str_of(code)) : DIAG_NONE;
	struct str page;

	if (code && known == DIAG_NONE)
		known = diag_code_of_slug(str_of(code));
	if (known == DIAG_NONE)
		return NULL;
	page = diag_page(known);
	return page.n > 0 ? page.p : diag_info(known)->title;
}
