/* drawing.c - a condition that failed, with the values it had under it.
 *
 *	memory.peak <= cluster.gpu.memory - headroom
 *	|           |  |                  | |
 *	75.9 GiB    |  80 GiB             | 6 GiB
 *	            false                 74 GiB
 */
#include "compiler/base/utf8.h"
#include "compiler/diag/render_int.h"

enum { VALUE_WIDTH_MAX = 40, INDENT = 4 };

/* At most VALUE_WIDTH_MAX characters, one line. */
static struct str shortened(struct arena *a, struct str text)
{
	struct out o;
	uint32_t at = 0, count = 0, cut = 0, code, n;

	out_init(&o, a);
	while (at < text.n && count <= VALUE_WIDTH_MAX) {
		if (count == VALUE_WIDTH_MAX - 3)
			cut = (uint32_t)o.n;
		n = utf8_decode(str_slice(text, at, text.n), &code);
		if (n == 0 || code < 0x20)
			out_char(&o, ' ');
		else
			out_bytes(&o, text.p + at, n);
		at += n == 0 ? 1 : n;
		count++;
	}
	if (count <= VALUE_WIDTH_MAX)
		return out_view(&o);
	o.n = cut;
	out_text(&o, "...");
	return out_view(&o);
}

static void rows_begin(const struct pen *pen)
{
	out_repeat(pen->o, ' ', pen->gutter + INDENT);
}

/* A row of bars under the columns that have a value. */
static void bars(const struct pen *pen, const struct mark *marks, uint32_t n)
{
	uint32_t column = 0;

	rows_begin(pen);
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0 && marks[i].column == marks[i - 1].column)
			continue;
		out_repeat(pen->o, ' ', marks[i].column - column);
		out_char(pen->o, '|');
		column = marks[i].column + 1;
	}
	out_char(pen->o, '\n');
}

static void values_of_line(const struct pen *pen, const struct diag *d, const struct shown *s,
			   uint32_t file)
{
	struct mark *marks = ARENA_ARRAY(pen->arena, struct mark, d->values.n);
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->values.n; i++) {
		struct span at = source_origin(pen->sources, d->values.at[i].span);
		if (at.file != file || at.lo < s->lo || at.lo >= s->hi)
			continue;
		marks[n++] = (struct mark){ shown_column(s, at.lo),
					    shortened(pen->arena, d->values.at[i].text), false };
	}
	if (n == 0)
		return;
	marks_sort(marks, n);
	pen_ink(pen, INK_LABEL);
	bars(pen, marks, n);
	for (;;) {
		struct out row;
		out_init(&row, pen->arena);
		if (!marks_row(marks, n, &row))
			break;
		rows_begin(pen);
		out_str(pen->o, out_view(&row));
		out_char(pen->o, '\n');
	}
	pen_ink(pen, INK_PLAIN);
}

static uint32_t blanks_at(const struct source *f, uint32_t lo, uint32_t hi)
{
	uint32_t n = 0;

	while (lo + n < hi && (f->text.p[lo + n] == ' ' || f->text.p[lo + n] == '\t'))
		n++;
	return n;
}

void diag_render_drawing(const struct diag_sink *sink, const struct diag *d, struct out *o)
{
	struct pen pen = { .o = o, .arena = sink->arena, .sources = sink->sources, .gutter = 1 };

	drawing_render(&pen, d);
}

void drawing_render(const struct pen *pen, const struct diag *d)
{
	struct span at = source_origin(pen->sources, d->drawn);
	const struct source *f;
	uint32_t from, to;

	if (at.file == UINT32_MAX || d->values.n == 0)
		return;
	f = source_get(pen->sources, at.file);
	from = source_position(f, at.lo).line;
	to = source_position(f, at.hi > at.lo ? at.hi - 1 : at.hi).line;
	out_char(pen->o, '\n');
	for (uint32_t line = from; line <= to; line++) {
		uint32_t lo = f->lines.at[line - 1], hi = lo + source_line(f, line).n;
		uint32_t skip = line == from ? at.lo - lo : blanks_at(f, lo, hi);
		struct shown s;

		if (at.hi < hi)
			hi = at.hi;
		if (skip > hi - lo)
			skip = hi - lo;
		s = shown_make(pen->arena, f, lo + skip, hi, lo + skip);
		rows_begin(pen);
		out_str(pen->o, s.text);
		pen_end_line(pen);
		values_of_line(pen, d, &s, at.file);
	}
	out_char(pen->o, '\n');
}
