/* linefilter.h - between scanner and parser: decides where statements end, notices brackets that
 * were never closed, and skips what is left of a statement after a mistake. Private to grammar/.
 *
 * A line break ends a statement when the token before it may end one and the token after it may
 * begin one. The parser sees the token TERM there and knows nothing of lines.
 */
#ifndef PLAN_GRAMMAR_LINEFILTER_H
#define PLAN_GRAMMAR_LINEFILTER_H

#include "grammar/parser.h"

/* The parser's token function (bison fixes its name and its arguments). */
int plan_yylex(union token_value *value, struct span *at, struct parser *ps);

/* After a syntax error at the current token: what is left of its statement will be skipped. */
void linefilter_skip_statement(struct parser *ps);

/* After a syntax error that an unclosed bracket caused: the statement ends here, the brackets down
 * to nest depth `depth` count as closed, and the `again` last tokens (0 to 2) are read once more. */
void linefilter_close_brackets(struct parser *ps, uint32_t depth, int again);

/* After a syntax error behind the `}` of a block that was complete: the parser goes back into the
 * block, so it is given another `}`; then comes what was found, if it can begin a statement. */
void linefilter_end_block(struct parser *ps);

#endif
