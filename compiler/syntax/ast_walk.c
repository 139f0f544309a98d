/* ast_walk.c - visits the children of a node, expanded from the list of kinds. */
#include "compiler/syntax/ast.h"

static void visit_list(const struct ast_list *list, ast_visit *visit, void *context)
{
	for (uint32_t i = 0; i < list->n; i++)
		visit(list->at[i], context);
}

static void visit_optional(struct ast *child, ast_visit *visit, void *context)
{
	if (child != NULL)
		visit(child, context);
}

#define NAME(f)
#define TEXT(f)
#define TOKEN(f)
#define FLAG(f)
#define CHILD(f) visit(parts->f, context);
#define OPT(f) visit_optional(parts->f, visit, context);
#define LIST(f) visit_list(&parts->f, visit, context);

void ast_each_child(const struct ast *node, ast_visit *visit, void *context)
{
	switch (node->kind) {
#define AST(KIND, name, fields) \
	case AST_##KIND: { \
		const struct ast_##name *parts = &node->name; \
		(void)parts; \
		fields \
		break; \
	}
#include "compiler/syntax/ast.def"
#undef AST
	case AST_KIND_COUNT:
		invariant(false, "kind of syntax node out of range");
	}
}
