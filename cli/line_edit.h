/* line_edit.h - lines from a person or from a pipe. With a library for line editing (LINE_EDITING in the
 * Makefile) a terminal has history and keys; without one, lines are read as they come. */
#ifndef PLAN_CLI_LINE_EDIT_H
#define PLAN_CLI_LINE_EDIT_H

#include "compiler/base/out.h"

/* The next line without its end, in the arena; false at the end of the input. The prompt is shown on a
 * terminal only. */
bool line_read(struct arena *a, const char *prompt, struct str *line);

#endif
