/* shown.c - source lines as a terminal shows them, and texts placed under columns. */
#include "compiler/base/utf8.h"
#include "compiler/diag/render_int.h"

enum { WINDOW_MAX = 120, WINDOW_BEFORE = 50, TAB = 4 };

/* Characters that would move the cursor or hide themselves are shown as this one. */
static const char REPLACEMENT[] = "\xEF\xBF\xBD";

static bool in_character(const struct source *f, uint32_t at)
{
	return at < f->text.n && ((unsigned char)f->text.p[at] & 0xC0) == 0x80;
}

static void cut_window(const struct source *f, uint32_t *lo, uint32_t *hi, uint32_t focus)
{
	uint32_t from = *lo, to = *hi;

	if (to - from <= WINDOW_MAX)
		return;
	if (focus > from + WINDOW_BEFORE)
		from = focus - WINDOW_BEFORE;
	if (from > to - WINDOW_MAX)
		from = to - WINDOW_MAX;
	to = from + WINDOW_MAX;
	while (from > *lo && in_character(f, from))
		from--;
	while (to < *hi && in_character(f, to))
		to++;
	*lo = from;
	*hi = to;
}

/* Writes the character at `at`; its length in bytes. */
static uint32_t show_character(struct out *o, struct str rest, uint32_t *column)
{
	uint32_t code = 0, n = utf8_decode(rest, &code);

	if (n > 0 && code == '\t') {
		uint32_t width = TAB - *column % TAB;
		out_repeat(o, ' ', width);
		*column += width;
		return 1;
	}
	if (n == 0 || code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E ||
	    code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
	    (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF) {
		out_text(o, REPLACEMENT);
		*column += 1;
		return n == 0 ? 1 : n;
	}
	out_bytes(o, rest.p, n);
	*column += utf8_width(code);
	return n;
}

/* lo and hi lie in one line; focus is the byte that must be visible. */
struct shown shown_make(struct arena *a, const struct source *f, uint32_t lo, uint32_t hi,
			uint32_t focus)
{
	struct shown s = { 0 };
	struct out o;
	uint32_t line_lo = lo, line_hi = hi, column = 0, at;

	cut_window(f, &lo, &hi, focus);
	s.lo = lo;
	s.hi = hi;
	s.columns = ARENA_ARRAY(a, uint32_t, hi - lo + 1);
	out_init(&o, a);
	if (lo > line_lo) {
		out_text(&o, "...");
		column = 3;
	}
	for (at = lo; at < hi; ) {
		uint32_t before = column;
		uint32_t n = show_character(&o, str_slice(f->text, at, hi), &column);
		for (uint32_t i = 0; i < n && at + i < hi; i++)
			s.columns[at + i - lo] = before;
		at += n;
	}
	s.columns[hi - lo] = column;
	if (hi < line_hi)
		out_text(&o, "...");
	s.text = out_view(&o);
	return s;
}

uint32_t shown_column(const struct shown *s, uint32_t offset)
{
	if (offset < s->lo)
		return 0;
	return s->columns[(offset > s->hi ? s->hi : offset) - s->lo];
}

void marks_sort(struct mark *marks, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct mark m = marks[i];
		uint32_t at = i;
		for (; at > 0 && marks[at - 1].column > m.column; at--)
			marks[at] = marks[at - 1];
		marks[at] = m;
	}
}

/* From the right, each text is placed when it ends before the next thing in the row. */
bool marks_row(struct mark *marks, uint32_t n, struct out *o)
{
	uint32_t limit = UINT32_MAX, column = 0;
	bool any = false;
	bool *now = ARENA_ARRAY(o->arena, bool, n);   /* which texts fit into this row */

	for (uint32_t i = n; i > 0; i--)
		any = any || !marks[i - 1].placed;
	if (!any)
		return false;
	for (uint32_t i = n; i > 0; i--) {
		struct mark *m = &marks[i - 1];
		if (m->placed)
			continue;
		now[i - 1] = limit == UINT32_MAX || m->column + text_width(m->text) < limit;
		limit = m->column;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct mark *m = &marks[i];
		if (m->placed || (!now[i] && m->column < column))
			continue;
		if (!now[i] && i + 1 < n && now[i + 1] && marks[i + 1].column == m->column)
			continue;
		if (column < m->column)
			out_repeat(o, ' ', m->column - column);
		column = m->column;
		if (now[i])
			out_str(o, m->text);
		else
			out_char(o, '|');
		column += now[i] ? text_width(m->text) : 1;
		m->placed = now[i];
	}
	return true;
}
