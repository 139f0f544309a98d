/* csv.c - comma-separated tables as RFC 4180 describes them, read strictly. */
#include "compiler/source/csv.h"

#include "compiler/base/map.h"
#include "compiler/base/out.h"
#include "compiler/base/utf8.h"

struct csv_reader {
	struct arena *arena;
	struct str text;
	uint32_t file;
	uint32_t at;                 /* next byte */
	struct csv_error *error;
	VEC(struct csv_cell) cells;  /* of the header and all rows */
};

static bool fail(struct csv_reader *r, uint32_t lo, uint32_t hi, const char *message)
{
	*r->error = (struct csv_error){ { r->file, lo, hi }, message };
	return false;
}

static char peek(const struct csv_reader *r)
{
	return r->at < r->text.n ? r->text.p[r->at] : '\0';
}

/* At the end of the text or of a line, which is "\n" or "\r\n". */
static bool at_line_end(const struct csv_reader *r)
{
	return r->at == r->text.n || peek(r) == '\n' ||
	       (peek(r) == '\r' && r->at + 1 < r->text.n && r->text.p[r->at + 1] == '\n');
}

static void pass_line_end(struct csv_reader *r)
{
	if (peek(r) == '\r')
		r->at++;
	if (r->at < r->text.n)
		r->at++;
}

static void skip_comments(struct csv_reader *r)
{
	while (peek(r) == '#') {
		while (!at_line_end(r))
			r->at++;
		pass_line_end(r);
	}
}

/* A cell in quotes: "" stands for one quote, commas and line breaks stand for themselves. */
static bool read_quoted(struct csv_reader *r, struct str *text)
{
	uint32_t open = r->at++, run = r->at;
	struct out o;

	out_init(&o, r->arena);
	for (;;) {
		const char *quote = memchr(r->text.p + r->at, '"', r->text.n - r->at);

		if (!quote)
			return fail(r, open, open + 1, "this quote is never closed");
		r->at = (uint32_t)(quote - r->text.p) + 1;
		if (peek(r) != '"')
			break;
		out_bytes(&o, r->text.p + run, r->at - run);
		run = ++r->at;
	}
	*text = str_slice(r->text, run, r->at - 1);
	if (o.n > 0) {
		out_str(&o, *text);
		*text = out_view(&o);
	}
	if (peek(r) != ',' && !at_line_end(r))
		return fail(r, r->at, r->at + 1, "`,` or a new line is expected behind the quote");
	return true;
}

static bool read_plain(struct csv_reader *r, struct str *text)
{
	uint32_t lo = r->at;

	while (!at_line_end(r) && peek(r) != ',') {
		if (peek(r) == '"')
			return fail(r, r->at, r->at + 1,
				    "a quote inside a cell: put the whole cell in quotes");
		if ((unsigned char)peek(r) < 0x20 && peek(r) != '\t')
			return fail(r, r->at, r->at + 1, "a control character in a cell");
		r->at++;
	}
	*text = str_slice(r->text, lo, r->at);
	return true;
}

/* One line (more when quoted cells hold line breaks) into r->cells. */
static bool read_row(struct csv_reader *r, uint32_t *width)
{
	*width = 0;
	for (;;) {
		struct csv_cell cell = { .span = { r->file, r->at, r->at } };
		bool good = peek(r) == '"' ? read_quoted(r, &cell.text) : read_plain(r, &cell.text);

		if (!good)
			return false;
		cell.span.hi = r->at;
		*VEC_ADD(r->arena, &r->cells) = cell;
		++*width;
		if (peek(r) != ',')
			break;
		r->at++;
	}
	pass_line_end(r);
	return true;
}

/* Every column has a name of its own. */
static bool check_header(struct csv_reader *r, uint32_t columns)
{
	struct map names;
	const struct csv_cell *header = r->cells.at;

	map_init(&names, r->arena);
	for (uint32_t i = 0; i < columns; i++) {
		uint64_t hash = hash_bytes(header[i].text.p, header[i].text.n);
		uint32_t found;

		if (header[i].text.n == 0)
			return fail(r, header[i].span.lo, header[i].span.hi,
				    "this column has no name");
		for (; (found = map_find(&names, hash)) != MAP_NONE; hash++)
			if (str_equal(header[found].text, header[i].text))
				return fail(r, header[i].span.lo, header[i].span.hi,
					    "another column has this name");
		map_set(&names, hash, i);
	}
	return true;
}

/* The rows behind the header; points at the first surplus cell, or at a row that is too short. */
static bool read_rows(struct csv_reader *r, uint32_t columns, uint32_t *rows)
{
	for (*rows = 0; r->at < r->text.n; ++*rows) {
		uint32_t start = r->at, first = r->cells.n, width;

		if (!read_row(r, &width))
			return false;
		if (width > columns) {
			struct span surplus = r->cells.at[first + columns].span;

			return fail(r, surplus.lo, surplus.hi,
				    "this row has more cells than the header");
		}
		if (width < columns) {
			uint32_t end = r->cells.at[r->cells.n - 1].span.hi;

			return fail(r, start, end, end == start
				    ? "an empty line inside the table"
				    : "this row has fewer cells than the header");
		}
	}
	return true;
}

/* NULL after filling *error. A final line break is optional; an empty line counts as a row with one
 * empty cell. */
struct csv *csv_parse(struct arena *a, const struct sources *s, uint32_t file,
		      struct csv_error *error)
{
	struct str text = source_get(s, file)->text;
	struct csv_reader r = { .arena = a, .text = text, .file = file, .error = error };
	struct csv *table = ARENA_NEW(a, struct csv);
	uint32_t bad = utf8_check(text);

	if (bad < text.n) {
		fail(&r, bad, bad + 1, "this byte is not valid UTF-8");
		return NULL;
	}
	if (str_starts(text, "\xef\xbb\xbf")) {
		fail(&r, 0, 3, "the file begins with a byte order mark: save it as UTF-8 without one");
		return NULL;
	}
	skip_comments(&r);
	if (r.at == text.n) {
		fail(&r, r.at, r.at, "the table has no header line");
		return NULL;
	}
	if (!read_row(&r, &table->columns) || !check_header(&r, table->columns) ||
	    !read_rows(&r, table->columns, &table->rows))
		return NULL;
	table->header = r.cells.at;
	table->cells = r.cells.at + table->columns;
	return table;
}
