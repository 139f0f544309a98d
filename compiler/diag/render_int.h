/* render_int.h - what the renderers of compiler/diag share. Private to the folder. */
#ifndef PLAN_DIAG_RENDER_INT_H
#define PLAN_DIAG_RENDER_INT_H

#include "compiler/diag/diag.h"

/* What is printed, in order: a diagnostic, or how many more a file has. */
struct picked {
	const struct diag *diag;     /* NULL: only the count */
	uint32_t more;
	struct span span;            /* of the diagnostic, in the text the user wrote */
};

struct picks {
	VEC(struct picked) items;
};

void render_json(const struct diag_sink *sink, const struct picks *picks, struct out *o);
void render_github(const struct diag_sink *sink, const struct picks *picks, struct out *o);
void render_sarif(const struct diag_sink *sink, const struct picks *picks, struct out *o);
void render_human(const struct diag_sink *sink, const struct picks *picks, bool colour,
		  struct out *o);

/* A JSON string. A path may hold bytes that are not UTF-8; JSON may not. */
void json_put_string(struct out *o, struct str s);

/* ---- a line of source as it is shown --------------------------------------------------------- */

/* A stretch of one line with tabs expanded and control characters made visible. A line that is too
 * long is cut to a window around the place of interest. */
struct shown {
	struct str text;
	uint32_t lo, hi;             /* bytes of the file that it shows */
	uint32_t *columns;           /* display column of each of those bytes, and of the end */
};

struct shown shown_make(struct arena *a, const struct source *f, uint32_t lo, uint32_t hi,
			uint32_t focus);
uint32_t shown_column(const struct shown *s, uint32_t offset);

/* ---- texts under columns --------------------------------------------------------------------- */

struct mark {
	uint32_t column;
	struct str text;
	bool placed;
};

/* Sorts by column; marks of one column keep their order. */
void marks_sort(struct mark *marks, uint32_t n);

/* One row of texts under their columns, with `|` for those that must wait for the next row; false
 * when nothing was left to place. */
bool marks_row(struct mark *marks, uint32_t n, struct out *o);

/* ---- parts of the human form ----------------------------------------------------------------- */

enum ink { INK_PLAIN, INK_ERROR, INK_WARNING, INK_LABEL, INK_GUTTER, INK_HELP, INK_STRONG };

struct pen {
	struct out *o;
	struct arena *arena;
	const struct sources *sources;
	bool colour;
	uint32_t gutter;             /* columns of the line numbers */
};

void pen_ink(const struct pen *pen, enum ink ink);
void pen_gutter(const struct pen *pen, uint32_t line);    /* "  7| ", or "   | " for line 0 */

void pen_end_line(const struct pen *pen);                 /* no blanks at the end of a line */

/* The source lines of a diagnostic with underlines and labels. */
void snippet_render(const struct pen *pen, const struct diag *d, struct span primary);

/* The condition of a diagnostic with its values under it. */
void drawing_render(const struct pen *pen, const struct diag *d);

#endif
