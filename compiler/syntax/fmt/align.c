/* align.c - columns: neighbouring lines whose stops have equal keys get blanks put in, so that
 * what follows begins in one column. A line that would become too wide stays as it is and ends
 * the run. */
#include "compiler/syntax/fmt/fmt_int.h"

struct line {
	uint32_t lo, hi;             /* without the line break */
	uint32_t first, n;           /* its stops, comments not among them */
	uint32_t comment;            /* 1 + its stop before a comment, or 0 */
	uint32_t width;              /* with the blanks put in so far */
	uint32_t indent;
};

struct aligner {
	struct arena *arena;
	struct str text;
	VEC(struct fmt_stop) stops; /* active ones: first the columns of a line, then its comment */
	VEC(uint32_t) pads;          /* of each stop */
	VEC(struct line) lines;
};

/* ---- lines and their stops ------------------------------------------------------------------- */

/* A stop with nothing behind it on its line is none. */
static void add_stop(struct aligner *al, struct line *line, struct fmt_stop stop)
{
	if (stop.key == FMT_KEY_NONE || stop.at == line->hi)
		return;
	*VEC_ADD(al->arena, &al->stops) = stop;
	*VEC_ADD(al->arena, &al->pads) = 0;
	if (stop.key == FMT_KEY_COMMENT)
		line->comment = al->stops.n;
	else
		line->n++;
}

static void find_lines(struct aligner *al, const struct fmt_stop *stops, uint32_t n)
{
	uint32_t at = 0, stop = 0;

	while (at < al->text.n) {
		struct line line = { .lo = at, .first = al->stops.n };
		const char *end = memchr(al->text.p + at, '\n', al->text.n - at);

		line.hi = end ? (uint32_t)(end - al->text.p) : al->text.n;
		while (line.lo + line.indent < line.hi && al->text.p[line.lo + line.indent] == ' ')
			line.indent++;
		line.width = text_width(str_slice(al->text, line.lo, line.hi));
		for (; stop < n && stops[stop].at <= line.hi; stop++)
			add_stop(al, &line, stops[stop]);
		*VEC_ADD(al->arena, &al->lines) = line;
		at = line.hi + 1;
	}
}

/* Column of a stop of a line, with the blanks before it. */
static uint32_t column_of(const struct aligner *al, const struct line *line, uint32_t stop)
{
	uint32_t column = text_width(str_slice(al->text, line->lo, al->stops.at[stop].at));

	for (uint32_t i = line->first; i < stop; i++)
		column += al->pads.at[i];
	return column;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* The stop of a line that is being aligned: its k-th column, or its comment. */
enum { COMMENTS = INT32_MAX };

static uint32_t stop_of(const struct line *line, uint32_t k)
{
	return k == COMMENTS ? line->comment - 1 : line->first + k;
}

static bool has_stop(const struct line *line, uint32_t k)
{
	return k == COMMENTS ? line->comment != 0 : k < line->n;
}

static bool belong_together(const struct aligner *al, uint32_t i, uint32_t j, uint32_t k)
{
	const struct line *a = &al->lines.at[i], *b = &al->lines.at[j];

	return has_stop(a, k) && has_stop(b, k) && a->indent == b->indent &&
	       al->stops.at[stop_of(a, k)].key == al->stops.at[stop_of(b, k)].key;
}

static void align_lines(struct aligner *al, uint32_t lo, uint32_t hi, uint32_t k);

static uint32_t widest(const struct aligner *al, uint32_t lo, uint32_t hi, uint32_t k)
{
	uint32_t most = 0;

	for (uint32_t i = lo; i < hi; i++) {
		uint32_t column = column_of(al, &al->lines.at[i], stop_of(&al->lines.at[i], k));
		if (column > most)
			most = column;
	}
	return most;
}

static uint32_t pad_to(const struct aligner *al, uint32_t line, uint32_t k, uint32_t target)
{
	return target - column_of(al, &al->lines.at[line], stop_of(&al->lines.at[line], k));
}

static void align_run(struct aligner *al, uint32_t lo, uint32_t hi, uint32_t k);

/* Lines that the column would make too wide are left out, and what lies between them is aligned by
 * itself, to columns that are further left. False when there are none. */
static bool split_run(struct aligner *al, uint32_t lo, uint32_t hi, uint32_t k, uint32_t target)
{
	uint32_t from = lo;
	bool split = false;

	for (uint32_t i = lo; i < hi; i++) {
		uint32_t pad = pad_to(al, i, k, target);

		if (pad == 0 || al->lines.at[i].width + pad <= FMT_WIDTH)
			continue;
		if (i > from)
			align_run(al, from, i, k);
		from = i + 1;
		split = true;
	}
	if (split && from < hi)
		align_run(al, from, hi, k);
	return split;
}

/* Brings the k-th stops of a run to one column, then the next ones. */
static void align_run(struct aligner *al, uint32_t lo, uint32_t hi, uint32_t k)
{
	uint32_t target = widest(al, lo, hi, k);

	if (split_run(al, lo, hi, k, target))
		return;
	for (uint32_t i = lo; i < hi; i++) {
		uint32_t pad = pad_to(al, i, k, target);

		al->pads.at[stop_of(&al->lines.at[i], k)] = pad;
		al->lines.at[i].width += pad;
	}
	if (k != COMMENTS)
		align_lines(al, lo, hi, k + 1);
}

static void align_lines(struct aligner *al, uint32_t lo, uint32_t hi, uint32_t k)
{
	for (uint32_t i = lo, end; i < hi; i = end) {
		end = i + 1;
		while (end < hi && belong_together(al, end - 1, end, k))
			end++;
		if (end - i > 1)
			align_run(al, i, end, k);
	}
}

/* ---- the result ------------------------------------------------------------------------------ */

void fmt_align(struct arena *a, struct str text, const struct fmt_stop *stops, uint32_t n,
	       struct out *o)
{
	struct aligner al = { .arena = a, .text = text };
	uint32_t at = 0;

	find_lines(&al, stops, n);
	align_lines(&al, 0, al.lines.n, 0);
	align_lines(&al, 0, al.lines.n, COMMENTS);
	for (uint32_t i = 0; i < al.stops.n; i++) {
		uint32_t stop = al.stops.at[i].at;

		out_str(o, str_slice(text, at, stop));
		out_repeat(o, ' ', al.pads.at[i]);
		at = stop;
	}
	out_str(o, str_slice(text, at, text.n));
}
