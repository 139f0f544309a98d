/* diag.c - builds diagnostics and collects them in a sink. */
#include "compiler/diag/diag.h"

#include <stdarg.h>

static const struct diag_info INFOS[] = {
	{ "", "", "", DIAG_ERROR },
#define DIAG(code, severity, slug, title) { #code, slug, title, DIAG_##severity },
#include "compiler/diag/diag.def"
#undef DIAG
};

const struct diag_info *diag_info(enum diag_code code)
{
	invariant((size_t)code < PLAN_COUNT(INFOS), "diagnostic code out of range");
	return &INFOS[code];
}

enum diag_code diag_code_of_name(struct str name)
{
	for (int code = DIAG_NONE + 1; code < DIAG_CODE_COUNT; code++)
		if (str_is(name, INFOS[code].name))
			return (enum diag_code)code;
	return DIAG_NONE;
}

enum diag_code diag_code_of_slug(struct str slug)
{
	for (int code = DIAG_NONE + 1; code < DIAG_CODE_COUNT; code++)
		if (str_is(slug, INFOS[code].slug))
			return (enum diag_code)code;
	return DIAG_NONE;
}

void diag_sink_init(struct diag_sink *sink, struct arena *arena, const struct sources *sources)
{
	*sink = (struct diag_sink){ .arena = arena, .sources = sources };
}

/* printf into the arena of the sink. */
PLAN_PRINTF(2, 0)
static struct str format(struct arena *a, const char *fmt, va_list args)
{
	va_list again;
	char *p;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	invariant(n >= 0, "format of a diagnostic");
	p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, args);
	return (struct str){ p, (uint32_t)n };
}

struct diag *diag_new(struct diag_sink *sink, enum diag_code code, struct span at)
{
	struct diag *d = ARENA_NEW(sink->arena, struct diag);

	d->sink = sink;
	d->code = code;
	d->severity = diag_info(code)->severity;
	d->span = at;
	d->drawn = SPAN_NONE;
	return d;
}

void diag_message(struct diag *d, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	d->message = format(d->sink->arena, fmt, args);
	va_end(args);
}

void diag_label(struct diag *d, struct span at, const char *fmt, ...)
{
	struct diag_label *label;
	va_list args;

	if (d->sink->brief)
		return;
	label = VEC_ADD(d->sink->arena, &d->labels);
	label->span = at;
	va_start(args, fmt);
	label->text = format(d->sink->arena, fmt, args);
	va_end(args);
}

void diag_note(struct diag *d, const char *fmt, ...)
{
	va_list args;

	if (d->sink->brief)
		return;
	va_start(args, fmt);
	*VEC_ADD(d->sink->arena, &d->notes) = format(d->sink->arena, fmt, args);
	va_end(args);
}

void diag_help(struct diag *d, const char *fmt, ...)
{
	va_list args;

	if (d->sink->brief)
		return;
	va_start(args, fmt);
	*VEC_ADD(d->sink->arena, &d->helps) = format(d->sink->arena, fmt, args);
	va_end(args);
}

void diag_draw(struct diag *d, struct span condition)
{
	d->drawn = condition;
}

void diag_value(struct diag *d, struct diag_value value)
{
	*VEC_ADD(d->sink->arena, &d->values) = value;
}

void diag_fix(struct diag *d, struct span at, struct str replacement, const char *title)
{
	struct arena *a = d->sink->arena;
	struct diag_fix *fix = VEC_ADD(a, &d->fixes);

	fix->title = str_copy(a, str_of(title));
	*VEC_ADD(a, &fix->edits) = (struct diag_edit){ at, str_copy(a, replacement) };
}

void diag_submit(struct diag *d)
{
	struct diag_sink *sink = d->sink;

	if (sink->muted)
		return;
	d->order = sink->diags.n;
	*VEC_ADD(sink->arena, &sink->diags) = d;
	if (d->severity == DIAG_ERROR)
		sink->errors++;
	else
		sink->warnings++;
}

void diag_report(struct diag_sink *sink, enum diag_code code, struct span at, const char *fmt, ...)
{
	struct diag *d = diag_new(sink, code, at);
	va_list args;

	va_start(args, fmt);
	d->message = format(sink->arena, fmt, args);
	va_end(args);
	diag_submit(d);
}

/* A limit is written in the largest unit that says it exactly. */
void diag_too_large(struct diag_sink *sink, struct span at, struct str path)
{
	struct diag *d = diag_new(sink, E0207, at);
	uint32_t most = sink->sources->size_max;
	bool mebi = most % (1u << 20) == 0;

	diag_message(d, "`%.*s` is larger than the limit of %u %s", (int)path.n, path.p,
		     mebi ? most >> 20 : most, mebi ? "MiB" : "bytes");
	diag_help(d, "`--limit file=BYTES` raises it");
	diag_submit(d);
}
