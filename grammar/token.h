/* token.h - what travels from the scanner through the line filter to the parser. Private to
 * grammar/; kept apart from parser.h because the generated header needs it. */
#ifndef PLAN_GRAMMAR_TOKEN_H
#define PLAN_GRAMMAR_TOKEN_H

#include "compiler/syntax/build.h"

/* The value of a token or of a symbol of the grammar; 16 bytes, so that the fixed parser stack stays
 * small. Everything it points to is in the arena of the tree. */
union token_value {
	struct ast *node;
	struct ast_name name;
	struct str text;
	struct ast_seq *list;
};

/* Kinds that only the scanner and the line filter know, beyond those of plan.y. */
enum {
	RAW_NEWLINE = 2000,          /* a line break outside ( ) and [ ] */
	RAW_SEPARATOR,               /* `,` or `;` where it ends a statement */
	RAW_SKIP                     /* queued: the rest of the line is not to be read */
};

struct token {
	int kind;
	struct span at;
	union token_value value;
	struct str doc;              /* of the `##` lines directly above, if any */
	uint32_t level;              /* open braces around the statement it belongs to, as nest depth */
	uint32_t column;             /* bytes from the start of its line */
	bool first;                  /* first of its line */
	bool stray;                  /* a closing bracket that closes nothing */
};

#endif
