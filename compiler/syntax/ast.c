/* ast.c - makes syntax nodes, and the names of kinds and operators. */
#include "compiler/syntax/build.h"

static const char *const KIND_NAMES[] = {
#define AST(KIND, name, fields) #name,
#include "compiler/syntax/ast.def"
#undef AST
};

const char *ast_kind_name(enum ast_kind kind)
{
	invariant((size_t)kind < PLAN_COUNT(KIND_NAMES), "kind of syntax node out of range");
	return KIND_NAMES[kind];
}

const char *ast_op_text(enum ast_op op)
{
	switch (op) {
	case OP_IMPLIES:  return "=>";
	case OP_OR:       return "or";
	case OP_AND:      return "and";
	case OP_NOT:      return "not";
	case OP_EQ:       return "==";
	case OP_NE:       return "!=";
	case OP_LT:       return "<";
	case OP_GT:       return ">";
	case OP_LE:       return "<=";
	case OP_GE:       return ">=";
	case OP_IN:       return "in";
	case OP_COALESCE: return "??";
	case OP_ADD:      return "+";
	case OP_SUB:      return "-";
	case OP_MUL:      return "*";
	case OP_DIV:      return "/";
	case OP_INT_DIV:  return "div";
	case OP_MOD:      return "mod";
	case OP_NEG:      return "-";
	case OP_POW:      return "^";
	}
	invariant(false, "operator out of range");
	return "";
}

static struct ast *node_make(struct ast_builder *b, enum ast_kind kind, struct span at)
{
	struct ast *node = ARENA_NEW(b->arena, struct ast);

	node->kind = kind;
	node->span = at;
	node->depth = 1;
	return node;
}

static void raise_depth(struct ast *child, void *context)
{
	uint32_t *depth = context;

	if (child->depth >= *depth)
		*depth = child->depth + 1;
}

/* Knows the depth now that the children are in place; too deep becomes poison. */
static struct ast *node_finish(struct ast_builder *b, struct ast *node)
{
	ast_each_child(node, raise_depth, &node->depth);
	if (node->depth <= AST_DEPTH_MAX)
		return node;
	if (!b->too_deep) {
		b->too_deep = true;
		struct diag *d = diag_new(b->sink, E0103, node->span);
		diag_message(d, "this is nested more than %d levels deep", AST_DEPTH_MAX);
		diag_help(d, "give parts of it names of their own with `let`");
		diag_submit(d);
	}
	return node_make(b, AST_BAD, node->span);
}

#define AST(KIND, name, fields) \
	struct ast *ast_make_##name(struct ast_builder *b, struct span at, struct ast_##name parts) \
	{ \
		struct ast *node = node_make(b, AST_##KIND, at); \
		node->name = parts; \
		return node_finish(b, node); \
	}
#include "compiler/syntax/ast.def"
#undef AST

struct ast_seq *ast_seq_make(struct ast_builder *b)
{
	return ARENA_NEW(b->arena, struct ast_seq);
}

struct ast_seq *ast_seq_add(struct ast_builder *b, struct ast_seq *list, struct ast *node)
{
	*VEC_ADD(b->arena, list) = node;
	return list;
}

struct ast_seq *ast_seq_add_text(struct ast_builder *b, struct ast_seq *list, struct span at,
				 struct str text)
{
	if (text.n == 0)
		return list;
	return ast_seq_add(b, list, ast_make_string(b, at, (struct ast_string){ .text = text }));
}

struct ast_list ast_list_of(const struct ast_seq *list)
{
	return (struct ast_list){ list->at, list->n };
}
