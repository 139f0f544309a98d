/* source.c - the texts of a compilation, and where in them an offset is. */
#include "compiler/source/source.h"

void sources_init(struct sources *s, struct arena *a)
{
	*s = (struct sources){ .arena = a, .size_max = SOURCE_SIZE, .depth_max = SOURCE_DEPTH };
}

uint32_t sources_add(struct sources *s, struct str path, struct str text, bool library)
{
	struct source *f = ARENA_NEW(s->arena, struct source);
	const char *at = text.p, *end = text.p + text.n;

	f->path = str_copy(s->arena, path);
	f->text = text;
	f->library = library;
	*VEC_ADD(s->arena, &f->lines) = 0;
	while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		at++;
		*VEC_ADD(s->arena, &f->lines) = (uint32_t)(at - text.p);
	}
	*VEC_ADD(s->arena, &s->files) = f;
	return s->files.n - 1;
}

/* The file must exist: SPAN_NONE has none. */
struct source *source_get(const struct sources *s, uint32_t file)
{
	invariant(file < s->files.n, "a span names a known file");
	return s->files.at[file];
}

/* The bytes of a span; empty for SPAN_NONE and for a range beyond the end. */
struct str source_slice(const struct sources *s, struct span at)
{
	if (at.file >= s->files.n)
		return STR("");
	return str_slice(s->files.at[at.file]->text, at.lo, at.hi);
}

/* Index of the last line that begins at or before the offset. */
static uint32_t line_index(const struct source *f, uint32_t offset)
{
	uint32_t lo = 0, hi = f->lines.n;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (f->lines.at[mid] <= offset)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* An offset beyond the end counts as the end. */
struct position source_position(const struct source *f, uint32_t offset)
{
	uint32_t line;

	if (offset > f->text.n)
		offset = f->text.n;
	line = line_index(f, offset);
	return (struct position){ line + 1, offset - f->lines.at[line] + 1 };
}

/* A line that does not exist is empty. "\r\n" counts as one line break. */
struct str source_line(const struct source *f, uint32_t line)
{
	uint32_t lo, hi;

	if (line == 0 || line > f->lines.n)
		return STR("");
	lo = f->lines.at[line - 1];
	hi = line < f->lines.n ? f->lines.at[line] - 1 : f->text.n;
	if (line < f->lines.n && hi > lo && f->text.p[hi - 1] == '\r')
		hi--;
	return str_slice(f->text, lo, hi);
}

/* The innermost origin whose range holds the offset. Ranges may nest, not overlap. */
static const struct origin *origin_at(const struct source *f, uint32_t offset)
{
	uint32_t lo = 0, hi = f->origins.n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (f->origins.at[mid].lo <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo > 0) {
		const struct origin *found = &f->origins.at[--lo];

		if (offset < found->hi)
			return found;
	}
	return NULL;
}

struct span source_origin(const struct sources *s, struct span at)
{
	/* a generated text may itself come from one; the count ends a circle */
	for (uint32_t step = 0; step <= s->files.n && at.file < s->files.n; step++) {
		const struct origin *found = origin_at(s->files.at[at.file], at.lo);

		if (!found)
			break;
		at = found->from;
	}
	return at;
}
