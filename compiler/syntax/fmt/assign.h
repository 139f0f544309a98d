/* assign.h - a plan's text with another value at a path: what `planc set` does for each of its words. */
#ifndef PLAN_FMT_ASSIGN_H
#define PLAN_FMT_ASSIGN_H

#include "compiler/syntax/parse.h"

struct assign_input {
	struct arena *arena;
	struct interner *names;
	struct sources *sources;
	struct diag_sink *sink;
	uint32_t file;               /* the text */
	struct str path, value;      /* "strategy.tp", "2 * 4" */
};

/* Adds the new text to the sources and gives its number. A text that was laid out stays so. False after
 * reporting: the text, the path or the value is wrong, or there is nothing to set. */
bool assign_value(const struct assign_input *in, uint32_t *result);

#endif
