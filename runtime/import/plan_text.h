/* plan_text.h - writes plan source line by line and remembers where each line came from.
 *
 * Records nest: plan_text_open() begins a block, plan_text_close() ends it; the block's range
 * maps to the object it stands for and every line inside to its own value.
 */
#ifndef PLAN_IMPORT_PLAN_TEXT_H
#define PLAN_IMPORT_PLAN_TEXT_H

#include "compiler/base/num.h"
#include "runtime/import/simumax/simumax.h"

enum { PLAN_TEXT_DEPTH = 8 };

struct plan_text {
	struct arena *arena;
	struct import_text *text;
	uint32_t depth;
	uint32_t open[PLAN_TEXT_DEPTH]; /* origins of the open blocks */
};

/* A line of its own, indented; `from` is the value it states. */
void plan_text_line(struct plan_text *w, struct span from, const char *fmt, ...) PLAN_PRINTF(3, 4);

/* "HEADER {" and what follows belongs to `from` until the matching close. */
void plan_text_open(struct plan_text *w, struct span from, const char *fmt, ...) PLAN_PRINTF(3, 4);
void plan_text_close(struct plan_text *w, const char *tail); /* "}" or "]" */

/* The same, and nothing of the block stays when nothing was written into it. */
void plan_text_close_full(struct plan_text *w, const char *tail);

void plan_text_blank(struct plan_text *w);

/* A number as the language reads it back exactly: "0.7876672065615554", "25 / 3". */
const char *plan_text_number(struct plan_text *w, struct num n);

/* An int the way the library writes it: "18_432", "4096". */
const char *plan_text_int(struct plan_text *w, int64_t n);

/* The number of a quantity times its unit: "25 GiB/s", "25 GiB/s / 3". */
const char *plan_text_quantity(struct plan_text *w, struct num n, const char *unit);

/* A name as the language takes it: bare when it is an identifier, in backticks otherwise. */
const char *plan_text_name(struct plan_text *w, struct str name);

/* A comment of one line; what is no printable text of ours in `fmt`'s strings becomes a blank. */
void plan_text_comment(struct plan_text *w, const char *fmt, ...) PLAN_PRINTF(2, 3);

/* A comment that lists words, over as many lines as they need: "# Title a, b, c". No word: nothing. */
struct plan_words {
	struct plan_text *w;
	const char *title;
	struct out line;
	uint32_t count;
};

void plan_words_init(struct plan_words *l, struct plan_text *w, const char *title);
void plan_words_add(struct plan_words *l, struct str word);
void plan_words_end(struct plan_words *l);

#endif
