/* build.h - constructors of syntax nodes, for the actions of the grammar and for tools that make
 * trees. A constructor takes the fields of its kind as a struct:
 *
 *	node = ast_make_let(b, span, (struct ast_let){ .name = name, .value = value });
 *
 * A tree deeper than AST_DEPTH_MAX is refused with E0103 and replaced by a BAD node, so later
 * passes may recurse without a limit of their own.
 */
#ifndef PLAN_SYNTAX_BUILD_H
#define PLAN_SYNTAX_BUILD_H

#include "compiler/diag/diag.h"
#include "compiler/syntax/ast.h"

struct ast_builder {
	struct arena *arena;
	struct diag_sink *sink;
	bool too_deep;               /* E0103 has been reported; said once for a text */
};

#define AST(KIND, name, fields) \
	struct ast *ast_make_##name(struct ast_builder *b, struct span at, struct ast_##name parts);
#include "compiler/syntax/ast.def"
#undef AST

/* A list under construction. */
struct ast_seq {
	struct ast **at;
	uint32_t n, cap;
};

struct ast_seq *ast_seq_make(struct ast_builder *b);

/* Adds a node; returns the list for chaining. */
struct ast_seq *ast_seq_add(struct ast_builder *b, struct ast_seq *list, struct ast *node);

/* Adds the fixed text between two holes of a template, unless it is empty. */
struct ast_seq *ast_seq_add_text(struct ast_builder *b, struct ast_seq *list, struct span at,
				 struct str text);

struct ast_list ast_list_of(const struct ast_seq *list);

#endif
