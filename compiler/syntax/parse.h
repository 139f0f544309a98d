/* parse.h - text to tree. Syntax errors go to the sink; the tree is always usable: what was wrong is
 * an AST_BAD node and never causes a second message. */
#ifndef PLAN_SYNTAX_PARSE_H
#define PLAN_SYNTAX_PARSE_H

#include "compiler/diag/diag.h"
#include "compiler/syntax/ast.h"

struct parse_input {
	struct arena *arena;
	struct interner *names;
	const struct sources *sources;
	struct diag_sink *sink;
	uint32_t file;
};

struct parse_result {
	struct ast *tree;            /* AST_FILE, or an expression or path list */
	struct trivia_list trivia;
	bool ok;                     /* nothing was reported */
	bool intact;                 /* no statement was lost or guessed at: what was reported is in
				      * BAD nodes, and the rest can be checked without echoes */
};

struct parse_result parse_file(const struct parse_input *in);

/* A single expression (`planc eval`, `-p name=VALUE`). */
struct parse_result parse_expression(const struct parse_input *in);

#endif
