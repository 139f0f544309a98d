/* same.c - whether two texts say the same: the last look at a result before it replaces a file. */
#include "compiler/syntax/fmt/fmt_int.h"

static bool same_node(const struct ast *a, const struct ast *b);

static bool same_name(struct ast_name a, struct ast_name b)
{
	return sym_equal(a.sym, b.sym);
}

static bool same_optional(const struct ast *a, const struct ast *b)
{
	return (a == NULL) == (b == NULL) && (a == NULL || same_node(a, b));
}

static bool same_list(const struct ast_list *a, const struct ast_list *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!same_node(a->at[i], b->at[i]))
			return false;
	return true;
}

#define NAME(f) && same_name(x->f, y->f)
#define TEXT(f) && str_equal(x->f, y->f)
#define TOKEN(f) && x->f == y->f
#define FLAG(f) && x->f == y->f
#define CHILD(f) && same_node(x->f, y->f)
#define OPT(f) && same_optional(x->f, y->f)
#define LIST(f) && same_list(&x->f, &y->f)

static bool same_parts(const struct ast *a, const struct ast *b)
{
	switch (a->kind) {
#define AST(KIND, name, fields) \
	case AST_##KIND: { \
		const struct ast_##name *x = &a->name, *y = &b->name; \
		return x != NULL && y != NULL fields; \
	}
#include "compiler/syntax/ast.def"
#undef AST
	case AST_KIND_COUNT:
		break;
	}
	return false;
}

static bool same_node(const struct ast *a, const struct ast *b)
{
	return a->kind == b->kind && str_equal(a->doc, b->doc) && same_parts(a, b);
}

bool fmt_same(struct arena *a, struct str old_text, const struct ast *old_tree, struct str new_text,
	      const struct ast *new_tree)
{
	struct fmt_tokens before, after;

	if (!same_node(old_tree, new_tree) || !fmt_lex(a, old_text, old_tree, &before) ||
	    !fmt_lex(a, new_text, new_tree, &after) || before.comments.n != after.comments.n)
		return false;
	for (uint32_t i = 0; i < before.comments.n; i++) {
		struct fmt_comment x = before.comments.at[i], y = after.comments.at[i];

		if (!str_equal(str_slice(old_text, x.lo, x.hi), str_slice(new_text, y.lo, y.hi)))
			return false;
	}
	return true;
}
