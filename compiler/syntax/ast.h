/* ast.h - the syntax tree: immutable after parsing, in the arena of the compilation.
 *
 * Every node has a kind, a span and, by kind, one member of the union (see ast.def). Later facts
 * (types, resolutions) never go into the tree. Comments and blank lines are kept beside it, in
 * struct trivia, ordered by position; doc comments (`##`) are attached to the declaration or field
 * that follows.
 */
#ifndef PLAN_SYNTAX_AST_H
#define PLAN_SYNTAX_AST_H

#include "compiler/base/out.h"
#include "compiler/base/vec.h"
#include "compiler/source/source.h"

enum ast_kind {
#define AST(KIND, name, fields) AST_##KIND,
#include "compiler/syntax/ast.def"
#undef AST
	AST_KIND_COUNT
};

enum ast_op {
	OP_IMPLIES, OP_OR, OP_AND, OP_NOT,
	OP_EQ, OP_NE, OP_LT, OP_GT, OP_LE, OP_GE, OP_IN,
	OP_COALESCE, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_INT_DIV, OP_MOD, OP_NEG, OP_POW
};

/* Levels that a tree may have: what is deeper is E0103, so passes over the tree recurse without limits
 * of their own. */
enum { AST_DEPTH_MAX = 1000 };

const char *ast_op_text(enum ast_op op);   /* "=>", "or", "mod", ... */

struct ast;

struct ast_list {
	struct ast **at;
	uint32_t n;
};

struct ast_name {
	struct sym sym;              /* id 0: absent */
	struct span span;
};

#define NAME(f) struct ast_name f;
#define TEXT(f) struct str f;
#define TOKEN(f) enum ast_op f;
#define FLAG(f) bool f;
#define CHILD(f) struct ast *f;
#define OPT(f) struct ast *f;
#define LIST(f) struct ast_list f;
#define AST(KIND, name, fields) struct ast_##name { fields };
#include "compiler/syntax/ast.def"
#undef AST
#undef NAME
#undef TEXT
#undef TOKEN
#undef FLAG
#undef CHILD
#undef OPT
#undef LIST

struct ast {
	enum ast_kind kind;
	struct span span;
	uint32_t depth;              /* levels of the tree from here down, itself included */
	struct str doc;              /* text of the `##` lines above, joined by newlines; often empty */
	union {
#define AST(KIND, name, fields) struct ast_##name name;
#include "compiler/syntax/ast.def"
#undef AST
	};
};

struct trivia {
	struct span span;
	enum { TRIVIA_COMMENT, TRIVIA_DOC, TRIVIA_BLANK } kind;
};

struct trivia_list {
	VEC(struct trivia) items;
};

/* Calls f for every child in source order. */
typedef void ast_visit(struct ast *child, void *context);
void ast_each_child(const struct ast *node, ast_visit *f, void *context);

const char *ast_kind_name(enum ast_kind kind);

/* The tree, one node a line, indented (`planc debug ast`); spans as line:column. */
void ast_print(struct out *o, const struct sources *sources, const struct interner *names,
	       const struct ast *node);

#endif
