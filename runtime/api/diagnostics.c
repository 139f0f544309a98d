/* diagnostics.c - what was said about a plan, as structs and as text. */
#include "runtime/api/api_int.h"

static const char *text_of(struct plan_context *c, struct str s)
{
	return arena_copy(&c->work, s.p ? s.p : "", s.n);
}

static const char *const *texts_of(struct plan_context *c, const struct str *at, uint32_t n)
{
	const char **texts = ARENA_ARRAY(&c->work, const char *, n);

	for (uint32_t i = 0; i < n; i++)
		texts[i] = text_of(c, at[i]);
	return texts;
}

static struct plan_place place_of(struct plan_context *c, struct span span)
{
	struct span at = source_origin(&c->sources, span);
	const struct source *file;
	struct position from, to;

	if (at.file == SPAN_NONE.file)
		return (struct plan_place){ 0 };
	file = source_get(&c->sources, at.file);
	from = source_position(file, at.lo);
	to = source_position(file, at.hi);
	return (struct plan_place){ text_of(c, file->path), from.line, from.column, to.line, to.column };
}

static const struct plan_shown *values_of(struct plan_context *c, const struct diag *d)
{
	struct plan_shown *values = ARENA_ARRAY(&c->work, struct plan_shown, d->values.n);

	for (uint32_t i = 0; i < d->values.n; i++)
		values[i] = (struct plan_shown){
			text_of(c, source_slice(&c->sources, d->values.at[i].span)),
			text_of(c, d->values.at[i].text),
		};
	return values;
}

static struct plan_diagnostic diagnostic_of(struct plan_context *c, const struct diag *d)
{
	const struct diag_info *info = diag_info(d->code);

	return (struct plan_diagnostic){
		.code = info->name,
		.name = info->slug,
		.error = d->severity == DIAG_ERROR,
		.message = text_of(c, d->message),
		.place = place_of(c, d->span),
		.notes = texts_of(c, d->notes.at, d->notes.n),
		.note_count = d->notes.n,
		.helps = texts_of(c, d->helps.at, d->helps.n),
		.help_count = d->helps.n,
		.values = values_of(c, d),
		.value_count = d->values.n,
	};
}

/* Nothing was compiled, or there was no memory for it: there is nothing to list. */
static bool has_sink(const struct plan_context *c)
{
	return c->sink.arena != NULL;
}

enum plan_status plan_diagnostics(struct plan_context *c, const struct plan_diagnostic **list,
				  size_t *count)
{
	const struct diag *const *diags;
	struct plan_diagnostic *all;
	uint32_t n;

	if (!c)
		return PLAN_MISUSE;
	if (!list || !count)
		return context_say(c, PLAN_MISUSE, "a list has an address to go to");
	c->message = "";
	*list = NULL;
	*count = 0;
	if (!has_sink(c))
		return PLAN_OK;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	n = diag_list(&c->sink, &diags);
	all = ARENA_ARRAY(&c->work, struct plan_diagnostic, n);
	for (uint32_t i = 0; i < n; i++)
		all[i] = diagnostic_of(c, diags[i]);
	*list = all;
	*count = n;
	return PLAN_OK;
}

enum plan_status plan_diagnostics_text(struct plan_context *c, enum plan_format format, const char **text)
{
	static const struct diag_style styles[] = {
		[PLAN_FORMAT_TEXT] = { .format = DIAG_HUMAN },
		[PLAN_FORMAT_COLOUR] = { .format = DIAG_HUMAN, .colour = true },
		[PLAN_FORMAT_JSON] = { .format = DIAG_JSON },
		[PLAN_FORMAT_GITHUB] = { .format = DIAG_GITHUB },
		[PLAN_FORMAT_SARIF] = { .format = DIAG_SARIF },
	};
	struct out o;

	if (!c)
		return PLAN_MISUSE;
	if (!text || format > PLAN_FORMAT_SARIF)
		return context_say(c, PLAN_MISUSE, "there is no such format");
	c->message = "";
	*text = "";
	if (!has_sink(c))
		return PLAN_OK;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	out_init(&o, &c->work);
	diag_render(&c->sink, styles[format], &o);
	*text = text_of(c, out_view(&o));
	return PLAN_OK;
}
