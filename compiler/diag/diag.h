/* diag.h - everything the user is told goes through here: code, message, span, labels, values,
 * notes, help, fixes.
 *
 *	struct diag *d = diag_new(sink, E2004, expr->span);
 *	diag_message(d, "%s is %s, but `%s` is an int", lhs, value, field);
 *	diag_help(d, "list the stages by hand with `layout = stages(...)`");
 *	diag_submit(d);
 *
 * A sink collects the messages of one compilation or command; it sorts, drops repeated primary
 * spans and limits them when they are rendered. Nothing here prints.
 */
#ifndef PLAN_DIAG_DIAG_H
#define PLAN_DIAG_DIAG_H

#include "compiler/base/out.h"
#include "compiler/source/source.h"

enum diag_code {
	DIAG_NONE,
#define DIAG(code, severity, slug, title) code,
#include "compiler/diag/diag.def"
#undef DIAG
	DIAG_CODE_COUNT
};

enum diag_severity { DIAG_ERROR, DIAG_WARNING };

struct diag_info {
	const char *name;            /* "E2004" */
	const char *slug;            /* "not_an_integer"; for rules of the library the assert's name */
	const char *title;
	enum diag_severity severity;
};

const struct diag_info *diag_info(enum diag_code code);
enum diag_code diag_code_of_name(struct str name);     /* "E2004"; DIAG_NONE when unknown */
enum diag_code diag_code_of_slug(struct str slug);     /* "heads_divide" */

struct diag_label {
	struct span span;
	struct str text;
};

/* A value found while a condition was evaluated, drawn under its source text. */
struct diag_value {
	struct span span;
	struct str text;             /* as displayed: "75.9 GiB" */
	struct str unit;             /* base unit of `number`, empty if none */
	bool has_number;
	double number;               /* for the JSON form */
};

struct diag_edit {
	struct span span;
	struct str text;             /* replaces the span */
};

struct diag_fix {
	struct str title;
	VEC(struct diag_edit) edits;
};

struct diag {
	struct diag_sink *sink;
	enum diag_code code;
	enum diag_severity severity;
	struct span span;
	struct span drawn;           /* the condition that `values` are drawn under; SPAN_NONE if none */
	struct str message;
	VEC(struct diag_label) labels;
	VEC(struct diag_value) values;
	VEC(struct str) notes;
	VEC(struct str) helps;
	VEC(struct diag_fix) fixes;
	uint32_t order;              /* of submission, the last tie-break */
};

struct diag_sink {
	struct arena *arena;
	const struct sources *sources;
	VEC(struct diag *) diags;    /* submitted ones */
	uint32_t errors, warnings;
	bool muted;                  /* submissions are dropped (speculative evaluation) */
	bool brief;                  /* nobody looks at more than codes and messages: the rest is left out */
};

void diag_sink_init(struct diag_sink *sink, struct arena *arena, const struct sources *sources);

struct diag *diag_new(struct diag_sink *sink, enum diag_code code, struct span at);
void diag_message(struct diag *d, const char *fmt, ...) PLAN_PRINTF(2, 3);
void diag_label(struct diag *d, struct span at, const char *fmt, ...) PLAN_PRINTF(3, 4);
void diag_note(struct diag *d, const char *fmt, ...) PLAN_PRINTF(2, 3);
void diag_help(struct diag *d, const char *fmt, ...) PLAN_PRINTF(2, 3);
void diag_draw(struct diag *d, struct span condition);
void diag_value(struct diag *d, struct diag_value value);
void diag_fix(struct diag *d, struct span at, struct str replacement, const char *title);
void diag_submit(struct diag *d);

/* The usual case in one call: code, place, message. */
void diag_report(struct diag_sink *sink, enum diag_code code, struct span at, const char *fmt, ...)
	PLAN_PRINTF(4, 5);

/* E0207 for a file that the sources of the sink did not take: its limit, and how to raise it. */
void diag_too_large(struct diag_sink *sink, struct span at, struct str path);

/* "did you mean" for a misspelt name. Candidates are ranked by Damerau-Levenshtein distance (at most
 * 1 for 3 and 4 letters, 2 for longer, never for shorter), preferred ones first, then alphabetically.
 * Adds a help line naming up to three, and a fix when there is exactly one. */
struct suggestions {
	struct arena *arena;
	struct str wrong;
	VEC(struct str) names;       /* best first */
	VEC(int) ranks;
};

void suggestions_init(struct suggestions *s, struct arena *a, struct str wrong);
void suggestions_add(struct suggestions *s, struct str candidate, bool preferred);
bool diag_suggest(struct diag *d, struct suggestions *s);   /* true when something was suggested */

/* A word of another language (foreign.def) where this one has something else: adds help, and a fix of
 * the word at `at` when another one takes its place. False when the word is not known there. */
enum foreign_place {
	FOREIGN_VALUE, FOREIGN_FUNCTION, FOREIGN_OPERATOR, FOREIGN_STATEMENT, FOREIGN_FIELD
};

bool diag_foreign(struct diag *d, enum foreign_place place, struct str word, struct span at);
struct str diag_foreign_instead(enum foreign_place place, struct str word);   /* or empty */

/* ---- rendering: pure functions of the sink --------------------------------------------------- */

enum diag_format { DIAG_HUMAN, DIAG_JSON, DIAG_GITHUB, DIAG_SARIF };

struct diag_style {
	enum diag_format format;
	bool colour;
	uint32_t errors_max;         /* per file; 0 means 20 */
};

/* Sorted by file, position and code; one per primary span; then "and N more". */
void diag_render(const struct diag_sink *sink, struct diag_style style, struct out *o);

/* Only the condition of a message with its values under it, as the human form draws it; nothing when the
 * message has none. */
void diag_render_drawing(const struct diag_sink *sink, const struct diag *d, struct out *o);

/* What diag_render prints as JSON, as a list in the sink's arena: sorted, repetitions left out, none
 * missing. The number of them. */
uint32_t diag_list(const struct diag_sink *sink, const struct diag *const **list);

/* The explanation of a code (`planc explain E2004`), empty when the code has no page. */
struct str diag_page(enum diag_code code);

#endif
