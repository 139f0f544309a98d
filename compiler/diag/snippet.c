/* snippet.c - the source lines that a diagnostic is about, with what is wrong underlined and other
 * places labelled.
 *
 *	 12|   let t = bytes / rate + overhead
 *	   |           ------------ ^ ________ bytes
 *	   |           time
 */
#include "compiler/diag/render_int.h"

enum { LINES_WHOLE_MAX = 3 };

/* One stretch of one line. A span over several lines has several. */
struct piece {
	uint32_t line;
	uint32_t lo, hi;
	char stroke;                 /* '^' for the primary span, '-' and '_' for labels */
	struct str text;
};

struct pieces {
	VEC(struct piece) items;
};

static void add_line_piece(const struct pen *pen, struct pieces *all, const struct source *f,
			   struct span at, uint32_t line, struct piece piece)
{
	struct str text = source_line(f, line);
	uint32_t lo = f->lines.at[line - 1], hi = lo + text.n;

	piece.line = line;
	piece.lo = lo;
	piece.hi = hi;
	if (at.lo >= lo)
		piece.lo = at.lo;
	else
		while (piece.lo < hi && (f->text.p[piece.lo] == ' ' || f->text.p[piece.lo] == '\t'))
			piece.lo++;
	if (at.hi < hi)
		piece.hi = at.hi;
	if (piece.hi < piece.lo)
		piece.hi = piece.lo;
	*VEC_ADD(pen->arena, &all->items) = piece;
}

/* Long spans show only their first and last line. */
static void add_span(const struct pen *pen, struct pieces *all, struct span at, char stroke,
		     struct str text)
{
	const struct source *f = source_get(pen->sources, at.file);
	uint32_t last = at.hi > at.lo ? at.hi - 1 : at.hi;
	uint32_t from = source_position(f, at.lo).line, to = source_position(f, last).line;
	struct piece piece = { .stroke = stroke };

	for (uint32_t line = from; line <= to; line++) {
		if (to - from >= LINES_WHOLE_MAX && line != from && line != to)
			continue;
		piece.text = line == to ? text : (struct str){ "", 0 };
		add_line_piece(pen, all, f, at, line, piece);
	}
}

static int compare_pieces(const void *pa, const void *pb)
{
	const struct piece *a = pa, *b = pb;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->lo != b->lo)
		return a->lo < b->lo ? -1 : 1;
	return (a->hi > b->hi) - (a->hi < b->hi);
}

static enum ink ink_of(const struct diag *d, char stroke)
{
	if (stroke != '^')
		return INK_LABEL;
	return d->severity == DIAG_ERROR ? INK_ERROR : INK_WARNING;
}

static uint32_t columns_to(const struct shown *s, const struct piece *p)
{
	uint32_t lo = shown_column(s, p->lo), hi = shown_column(s, p->hi);

	return hi > lo ? hi : lo + 1;
}

/* The row of strokes. The primary span is drawn last, over the labels. Its width. */
static uint32_t stroke_row(const struct pen *pen, const struct diag *d, const struct shown *s,
			   const struct piece *p, uint32_t n)
{
	uint32_t width = 0;
	char *row, before = ' ';

	for (uint32_t i = 0; i < n; i++)
		width = columns_to(s, &p[i]) > width ? columns_to(s, &p[i]) : width;
	row = ARENA_ARRAY(pen->arena, char, width + 1);
	memset(row, ' ', width);
	for (int primary = 0; primary < 2; primary++)
		for (uint32_t i = 0; i < n; i++)
			if ((p[i].stroke == '^') == (primary == 1))
				for (uint32_t c = shown_column(s, p[i].lo); c < columns_to(s, &p[i]); c++)
					row[c] = p[i].stroke;
	pen_gutter(pen, 0);
	for (uint32_t c = 0; c < width; c++) {
		if (row[c] != before)
			pen_ink(pen, row[c] == ' ' ? INK_PLAIN : ink_of(d, row[c]));
		out_char(pen->o, row[c]);
		before = row[c];
	}
	pen_ink(pen, INK_PLAIN);
	return width;
}

/* The texts of labels: the last one behind its strokes, the others on rows below. */
static void label_rows(const struct pen *pen, const struct shown *s, const struct piece *p, uint32_t n,
		       uint32_t width)
{
	struct mark *marks = ARENA_ARRAY(pen->arena, struct mark, n);
	uint32_t count = 0;
	bool behind = false;

	for (uint32_t i = n; i > 0; i--) {
		const struct piece *piece = &p[i - 1];
		if (piece->text.n == 0)
			continue;
		if (!behind && columns_to(s, piece) == width) {
			pen_ink(pen, INK_LABEL);
			out_char(pen->o, ' ');
			out_str(pen->o, piece->text);
			pen_ink(pen, INK_PLAIN);
			behind = true;
			continue;
		}
		marks[count++] = (struct mark){ shown_column(s, piece->lo), piece->text, false };
	}
	pen_end_line(pen);
	marks_sort(marks, count);
	for (;;) {
		struct out row;
		out_init(&row, pen->arena);
		if (!marks_row(marks, count, &row))
			return;
		pen_gutter(pen, 0);
		pen_ink(pen, INK_LABEL);
		out_str(pen->o, out_view(&row));
		pen_ink(pen, INK_PLAIN);
		out_char(pen->o, '\n');
	}
}

static void source_row(const struct pen *pen, const struct source *f, uint32_t line,
		       const struct diag *d, const struct piece *p, uint32_t n)
{
	uint32_t lo = f->lines.at[line - 1], hi = lo + source_line(f, line).n, focus = lo;
	struct shown s;

	for (uint32_t i = 0; i < n; i++)
		if (i == 0 || p[i].stroke == '^')
			focus = p[i].lo;
	s = shown_make(pen->arena, f, lo, hi, focus);
	pen_gutter(pen, line);
	out_str(pen->o, s.text);
	pen_end_line(pen);
	if (n > 0)
		label_rows(pen, &s, p, n, stroke_row(pen, d, &s, p, n));
}

static void skipped_lines(const struct pen *pen, const struct source *f, uint32_t from, uint32_t to,
			  const struct diag *d)
{
	if (to == from + 2) {
		source_row(pen, f, from + 1, d, NULL, 0);
	} else if (to > from + 2) {
		pen_ink(pen, INK_GUTTER);
		out_text(pen->o, "...\n");
		pen_ink(pen, INK_PLAIN);
	}
}

static void file_lines(const struct pen *pen, const struct diag *d, uint32_t file, struct pieces *all)
{
	const struct source *f = source_get(pen->sources, file);
	uint32_t before = 0;

	qsort(all->items.at, all->items.n, sizeof *all->items.at, compare_pieces);
	pen_gutter(pen, 0);
	pen_end_line(pen);
	for (uint32_t i = 0, n; i < all->items.n; i += n) {
		const struct piece *p = &all->items.at[i];
		for (n = 1; i + n < all->items.n && p[n].line == p->line; )
			n++;
		if (before != 0)
			skipped_lines(pen, f, before, p->line, d);
		source_row(pen, f, p->line, d, p, n);
		before = p->line;
	}
}

static void place_line(const struct pen *pen, const char *arrow, struct span at)
{
	const struct source *f = source_get(pen->sources, at.file);
	struct position pos = source_position(f, at.lo);

	out_repeat(pen->o, ' ', pen->gutter - 1);
	pen_ink(pen, INK_GUTTER);
	out_text(pen->o, arrow);
	pen_ink(pen, INK_PLAIN);
	out_printf(pen->o, " %.*s:%u:%u\n", (int)f->path.n, f->path.p, pos.line, pos.column);
}

/* Labels in other files come after, file by file, in the order of the labels. */
static void other_files(const struct pen *pen, const struct diag *d, uint32_t primary)
{
	for (uint32_t i = 0; i < d->labels.n; i++) {
		struct span at = source_origin(pen->sources, d->labels.at[i].span);
		struct pieces all = { 0 };
		bool done = at.file == UINT32_MAX || at.file == primary;

		for (uint32_t j = 0; j < i && !done; j++)
			done = source_origin(pen->sources, d->labels.at[j].span).file == at.file;
		if (done)
			continue;
		for (uint32_t j = i; j < d->labels.n; j++) {
			struct span there = source_origin(pen->sources, d->labels.at[j].span);
			if (there.file == at.file)
				add_span(pen, &all, there, '-', d->labels.at[j].text);
		}
		place_line(pen, ":::", at);
		file_lines(pen, d, at.file, &all);
	}
}

void snippet_render(const struct pen *pen, const struct diag *d, struct span primary)
{
	struct pieces all = { 0 };
	uint32_t labels = 0;

	if (primary.file != UINT32_MAX) {
		place_line(pen, "-->", primary);
		add_span(pen, &all, primary, '^', (struct str){ "", 0 });
		for (uint32_t i = 0; i < d->labels.n; i++) {
			struct span at = source_origin(pen->sources, d->labels.at[i].span);
			if (at.file == primary.file)
				add_span(pen, &all, at, labels++ % 2 == 0 ? '-' : '_',
					 d->labels.at[i].text);
		}
		file_lines(pen, d, primary.file, &all);
	}
	other_files(pen, d, primary.file);
}
