/* source.h - texts and positions.
 *
 * Every position in the program is a struct span: a file number and a half-open byte range. Lines
 * and columns are computed only when a message is printed. A source may be generated (an importer
 * writes a plan out of somebody's JSON); then an origin table maps ranges of the generated text to
 * ranges of the file the user wrote, and messages point there.
 */
#ifndef PLAN_SOURCE_SOURCE_H
#define PLAN_SOURCE_SOURCE_H

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

struct span {
	uint32_t file;               /* index into struct sources */
	uint32_t lo, hi;             /* bytes, half-open */
};

struct origin {
	uint32_t lo, hi;             /* range of the generated text */
	struct span from;            /* where it came from */
};

struct source {
	struct str path;             /* as the user named it: never absolute unless he did */
	struct str text;             /* NUL-terminated behind the end */
	bool library;                /* part of the standard library */
	VEC(uint32_t) lines;         /* byte offset where each line begins */
	VEC(struct origin) origins;  /* empty unless generated; ordered by lo */
};

/* What is usual, and how far nesting can be raised: passes over what was read recurse. */
enum { SOURCE_SIZE = 16 << 20, SOURCE_DEPTH = 200, SOURCE_DEPTH_MAX = 400 };

/* All texts of one compilation. File 0 is a valid entry; spans without a place use SPAN_NONE. */
struct sources {
	struct arena *arena;
	VEC(struct source *) files;
	uint32_t size_max;           /* bytes a single file may have */
	uint32_t depth_max;          /* brackets that may be open at one place; the library is exempt */
};

#define SPAN_NONE ((struct span){ UINT32_MAX, 0, 0 })

enum source_status { SOURCE_OK, SOURCE_MISSING, SOURCE_NOT_FILE, SOURCE_UNREADABLE, SOURCE_TOO_LARGE };

void sources_init(struct sources *s, struct arena *a);

/* Adds a text; the index of the file. The text is not copied and must outlive the sources. */
uint32_t sources_add(struct sources *s, struct str path, struct str text, bool library);

/* Reads a file whole. Anything but SOURCE_OK adds nothing. */
enum source_status sources_load(struct sources *s, struct str path, uint32_t *file);

struct source *source_get(const struct sources *s, uint32_t file);
struct str source_slice(const struct sources *s, struct span at);

/* One-based line, one-based column in bytes, of a byte offset. */
struct position {
	uint32_t line, column;
};

struct position source_position(const struct source *f, uint32_t offset);
struct str source_line(const struct source *f, uint32_t line);   /* without its line break */

/* Follows the origin table of a generated source; other spans come back unchanged. */
struct span source_origin(const struct sources *s, struct span at);

static inline struct span span_join(struct span a, struct span b)
{
	return (struct span){ a.file, a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi };
}

#endif
