/* brackets.h - raw tokens with their nesting. Private to grammar/; see brackets.c. */
#ifndef PLAN_GRAMMAR_BRACKETS_H
#define PLAN_GRAMMAR_BRACKETS_H

#include "grammar/parser.h"

/* The next token of the scanner. Closers for brackets that it proves forgotten are put into
 * ps->queue, and come before it. */
struct token brackets_scan(struct parser *ps);

/* A token that is not in the text: a closer, or a line break. */
struct token brackets_closer(struct parser *ps, int kind, uint32_t at, uint32_t level);
void brackets_queue(struct parser *ps, struct token t);

/* Nest depth of the innermost brace: everything above it is ( and [. */
uint32_t brackets_brace_depth(const struct parser *ps);

/* The bracket to blame when all down to nest depth `depth` are left open, and the message. */
uint32_t brackets_culprit(const struct parser *ps, uint32_t depth);
void brackets_report_open(struct parser *ps, uint32_t at);

#endif
