/* narrow.c - where a condition rules `none` out: `when x != none`, right of `x != none and`, in a branch
 * of `if x == none`. */
#include "compiler/check/check_int.h"

static bool path_root(struct check *c, const struct env *e, struct sym name, struct path *path)
{
	struct meaning m = name_meaning(c, e, name, NULL);

	switch (m.kind) {
	case MEANS_LOCAL:
		path->root = m.local;
		return true;
	case MEANS_LET:
	case MEANS_OUTER_LET:
		path->root = m.let;
		return true;
	case MEANS_SLOT:
		path->record = e->record;
		path->slot = m.index;
		return true;
	case MEANS_CANDIDATE:
		path->record = e->record;
		path->slot = e->candidate;
		path->parts[path->n++] = name;
		return true;
	case MEANS_DECL:
		path->root = m.decl;
		return true;
	case MEANS_NOTHING:
	case MEANS_ENUM_VALUE:
	case MEANS_PRESET:
		break;
	}
	return false;
}

bool path_of(struct check *c, const struct env *e, const struct ast *x, struct path *path)
{
	if (x->kind == AST_GROUP)
		return path_of(c, e, x->group.inner, path);
	if (x->kind == AST_NAME) {
		memset(path, 0, sizeof *path);
		return path_root(c, e, x->ident.name.sym, path);
	}
	if (x->kind != AST_MEMBER || !path_of(c, e, x->member.of, path) || path->n == PATH_PARTS_MAX)
		return false;
	path->parts[path->n++] = x->member.name.sym;
	return true;
}

static bool path_equal(const struct path *a, const struct path *b)
{
	if (a->root != b->root || a->n != b->n)
		return false;
	if (!a->root && (a->record != b->record || a->slot != b->slot))
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!sym_equal(a->parts[i], b->parts[i]))
			return false;
	return true;
}

static const struct fact *add_fact(struct check *c, const struct env *e, const struct ast *x,
				   const struct fact *older)
{
	struct fact *f = ARENA_NEW(c->arena, struct fact);

	f->older = older;
	return path_of(c, e, x, &f->path) ? f : older;
}

static const struct fact *facts_of_binary(struct check *c, const struct env *e,
					  const struct ast_binary *b, bool truth,
					  const struct fact *older)
{
	bool both = (b->op == OP_AND && truth) || (b->op == OP_OR && !truth);

	if (both)
		return facts_of(c, e, b->right, truth, facts_of(c, e, b->left, truth, older));
	if (b->op == OP_IMPLIES && !truth)
		return facts_of(c, e, b->right, false, facts_of(c, e, b->left, true, older));
	if (b->op != (truth ? OP_NE : OP_EQ))
		return older;
	if (b->right->kind == AST_NONE)
		return add_fact(c, e, b->left, older);
	if (b->left->kind == AST_NONE)
		return add_fact(c, e, b->right, older);
	return older;
}

const struct fact *facts_of(struct check *c, const struct env *e, const struct ast *cond, bool truth,
			    const struct fact *older)
{
	if (cond->kind == AST_GROUP)
		return facts_of(c, e, cond->group.inner, truth, older);
	if (cond->kind == AST_UNARY && cond->unary.op == OP_NOT)
		return facts_of(c, e, cond->unary.operand, !truth, older);
	if (cond->kind == AST_BINARY)
		return facts_of_binary(c, e, &cond->binary, truth, older);
	return older;
}

/* A node is shared between its uses, so the narrowed one is a copy with another type. */
ir_id narrow(struct check *c, const struct env *e, const struct ast *x, ir_id node)
{
	struct ir_node n = c->p->nodes.at[node];
	struct path path;

	if (n.type->kind != TYPE_OPTION || !e->facts || !path_of(c, e, x, &path))
		return node;
	for (const struct fact *f = e->facts; f; f = f->older)
		if (path_equal(&f->path, &path))
			return ir_add(c->p, n.op, n.type->of, n.span, n.a, n.b, n.c);
	return node;
}
