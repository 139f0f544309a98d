/* render_human.c - diagnostics for people: message, place, source lines, drawing, notes, help. */
#include "compiler/diag/render_int.h"

enum { GUTTER_MIN = 3 };

void pen_ink(const struct pen *pen, enum ink ink)
{
	static const char *const CODES[] = {
		[INK_PLAIN] = "\033[0m", [INK_ERROR] = "\033[1;31m", [INK_WARNING] = "\033[1;33m",
		[INK_LABEL] = "\033[36m", [INK_GUTTER] = "\033[34m", [INK_HELP] = "\033[32m",
		[INK_STRONG] = "\033[1m",
	};

	if (pen->colour)
		out_text(pen->o, CODES[ink]);
}

void pen_gutter(const struct pen *pen, uint32_t line)
{
	pen_ink(pen, INK_GUTTER);
	if (line == 0)
		out_repeat(pen->o, ' ', pen->gutter);
	else
		out_printf(pen->o, "%*u", (int)pen->gutter, line);
	out_char(pen->o, '|');
	pen_ink(pen, INK_PLAIN);
	out_char(pen->o, ' ');
}

void pen_end_line(const struct pen *pen)
{
	struct out *o = pen->o;

	while (o->n > 0 && o->p[o->n - 1] == ' ')
		o->n--;
	out_char(o, '\n');
}

/* Wide enough for the largest line number that the diagnostic shows. */
static uint32_t gutter_width(const struct diag_sink *sink, const struct diag *d, struct span primary)
{
	uint32_t last = 0, width = 0;

	for (uint32_t i = 0; i <= d->labels.n; i++) {
		struct span at = i == 0 ? primary : source_origin(sink->sources,
								   d->labels.at[i - 1].span);
		if (at.file != UINT32_MAX) {
			uint32_t line = source_position(source_get(sink->sources, at.file),
							at.hi).line;
			last = line > last ? line : last;
		}
	}
	for (; last > 0; last /= 10)
		width++;
	return width > GUTTER_MIN ? width : GUTTER_MIN;
}

/* "   = help: text", later lines of the text under its first. */
static void remark(const struct pen *pen, const char *kind, struct str text)
{
	uint32_t indent = pen->gutter + (uint32_t)strlen("= ") + (uint32_t)strlen(kind);

	out_repeat(pen->o, ' ', pen->gutter);
	out_text(pen->o, "= ");
	pen_ink(pen, INK_HELP);
	out_text(pen->o, kind);
	pen_ink(pen, INK_PLAIN);
	for (uint32_t i = 0; i < text.n; i++) {
		out_char(pen->o, text.p[i]);
		if (text.p[i] == '\n')
			out_repeat(pen->o, ' ', indent);
	}
	out_char(pen->o, '\n');
}

static void one(const struct diag_sink *sink, const struct picked *p, bool colour, struct out *o)
{
	const struct diag *d = p->diag;
	struct pen pen = { o, sink->arena, sink->sources, colour, gutter_width(sink, d, p->span) };

	pen_ink(&pen, d->severity == DIAG_ERROR ? INK_ERROR : INK_WARNING);
	out_printf(o, "%s[%s]", d->severity == DIAG_ERROR ? "error" : "warning",
		   diag_info(d->code)->name);
	pen_ink(&pen, INK_STRONG);
	out_text(o, ": ");
	out_str(o, d->message);
	pen_ink(&pen, INK_PLAIN);
	out_char(o, '\n');
	snippet_render(&pen, d, p->span);
	for (uint32_t i = 0; i < d->notes.n; i++)
		remark(&pen, "note: ", d->notes.at[i]);
	drawing_render(&pen, d);
	for (uint32_t i = 0; i < d->helps.n; i++)
		remark(&pen, "help: ", d->helps.at[i]);
	out_char(o, '\n');
}

void render_human(const struct diag_sink *sink, const struct picks *picks, bool colour, struct out *o)
{
	for (uint32_t i = 0; i < picks->items.n; i++) {
		const struct picked *p = &picks->items.at[i];
		if (p->diag != NULL) {
			one(sink, p, colour, o);
			continue;
		}
		out_printf(o, "and %u more", p->more);
		if (p->span.file != UINT32_MAX) {
			struct str path = source_get(sink->sources, p->span.file)->path;
			out_printf(o, " in %.*s", (int)path.n, path.p);
		}
		out_text(o, "\n\n");
	}
}
