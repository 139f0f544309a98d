/* list.c - what stands in ( ) and [ ]. A list that does not fit has one element a line and a
 * comma behind each; words and numbers fill lines, and so do the arguments of a call when one
 * line of their own is enough. The break behind the opening bracket is what the author decides
 * by: with it a list stays broken as it was, without it it is joined if it fits. */
#include "compiler/syntax/fmt/fmt_int.h"

static const struct ast_list *items_of(const struct ast *owner)
{
	switch ((int)owner->kind) {
	case AST_CALL: return &owner->call.arguments;
	case AST_TUPLE: return &owner->tuple.items;
	case AST_FN: return &owner->fn.params;
	default: return &owner->list_of.items;
	}
}

static const struct ast *value_of(const struct ast *item)
{
	return item->kind == AST_ARGUMENT ? item->argument.value : item;
}

static void comma(struct printer *p)
{
	fmt_text(p, ",");
	fmt_space(p);
}

static void flat_list(struct printer *p, const struct ast *owner)
{
	const struct ast_list *items = items_of(owner);

	fmt_take(p);
	if (items->n > 0)
		fmt_broken(p, 0);
	for (uint32_t i = 0; i < items->n && !p->failed; i++) {
		if (i > 0)
			comma(p);
		fmt_expr(p, items->at[i], 0, 0);
	}
	fmt_take(p);
}

/* ---- the last element broken in place: `f(a, [` ... `])` ------------------------------------- */

static void flat_head(struct printer *p, const struct ast *owner)
{
	const struct ast_list *items = items_of(owner);

	fmt_take(p);
	fmt_broken(p, 0);
	for (uint32_t i = 0; i + 1 < items->n && !p->failed; i++) {
		fmt_expr(p, items->at[i], 0, 0);
		comma(p);
	}
}

static bool may_hug(const struct ast *owner, const struct ast_list *items)
{
	enum ast_kind kind = value_of(items->at[items->n - 1])->kind;
	bool brackets = kind == AST_LIST_OF || kind == AST_COMPREHENSION || kind == AST_RECORD ||
			kind == AST_WITH;

	if (items->n == 1)
		return brackets || kind == AST_CALL;
	return brackets && owner->kind == AST_CALL;
}

static bool hug(struct printer *p, const struct ast *owner, uint32_t tail)
{
	const struct ast_list *items = items_of(owner);
	struct printer before = *p;

	if (!may_hug(owner, items) || !fmt_flat(p, flat_head, owner, 1))
		return false;
	if (fmt_has_comments(p, p->next)) {
		fmt_restore(p, &before);
		return false;
	}
	fmt_expr(p, items->at[items->n - 1], p->line_indent + FMT_INDENT, tail + 1);
	fmt_take(p);
	return true;
}

/* ---- broken ---------------------------------------------------------------------------------- */

static bool is_word(const struct ast *item)
{
	switch ((int)item->kind) {
	case AST_NAME:
	case AST_NUMBER:
	case AST_QUANTITY:
	case AST_STRING:
	case AST_TRUE:
	case AST_NONE:
		return true;
	case AST_MEMBER: return is_word(item->member.of);
	case AST_UNARY: return is_word(item->unary.operand);
	case AST_ARGUMENT: return item->argument.name.sym.id == 0 && is_word(item->argument.value);
	default: return false;
	}
}

/* The first token of an item; a list made by `for` begins one before its node does. */
static uint32_t first_token(struct printer *p, const struct ast *item)
{
	uint32_t at = fmt_token_at(p, item->span.lo);

	return item->kind == AST_COMPREHENSION && at > 0 ? at - 1 : at;
}

static void flat_item(struct printer *p, const struct ast *item)
{
	fmt_space(p);
	fmt_expr(p, item, 0, 0);
	fmt_text(p, ",");
}

/* Which elements share a line. */
enum shape {
	SHAPE_ROWS,                  /* none: one a line */
	SHAPE_FILLED,                /* as many as fit */
	SHAPE_KEPT                   /* those that did before, as far as they fit */
};

static void flat_line(struct printer *p, const struct ast *owner)
{
	const struct ast_list *items = items_of(owner);

	for (uint32_t i = 0; i < items->n; i++)
		flat_item(p, items->at[i]);
}

/* Arguments that fit on one line of their own stay together. */
static bool fit_one_line(struct printer *p, const struct ast *owner, uint32_t indent)
{
	struct printer before = *p;
	bool fits;

	p->column = indent;
	p->space = false;
	fits = fmt_flat(p, flat_line, owner, 0);
	fmt_restore(p, &before);
	return fits;
}

static enum shape shape_of(struct printer *p, const struct ast *owner, uint32_t indent)
{
	const struct ast_list *items = items_of(owner);
	bool words = true, rows = true, lines = false;

	for (uint32_t i = 0; i < items->n; i++) {
		bool newline = p->tokens.all.at[first_token(p, items->at[i])].newline;

		words = words && is_word(items->at[i]);
		rows = rows && newline;
		lines = lines || newline;
	}
	if (p->tokens.all.at[p->next].newline)
		return rows ? SHAPE_ROWS : SHAPE_KEPT;
	if (words || (owner->kind == AST_CALL && fit_one_line(p, owner, indent)))
		return SHAPE_FILLED;
	return lines ? SHAPE_KEPT : SHAPE_ROWS;
}

static bool joins(struct printer *p, enum shape shape, const struct ast *item)
{
	const struct fmt_token *t = &p->tokens.all.at[p->next];

	if (t->blank || fmt_has_comments(p, p->next) || shape == SHAPE_ROWS)
		return false;
	return (shape == SHAPE_FILLED || !t->newline) && fmt_flat(p, flat_item, item, 0);
}

static void broken_list(struct printer *p, const struct ast *owner)
{
	const struct ast_list *items = items_of(owner);
	uint32_t outer = p->line_indent, inner = outer + FMT_INDENT, home = p->home;
	uint32_t block = p->block, opener = p->next;
	uint32_t lines = 0;
	enum shape shape;

	fmt_take(p);
	shape = shape_of(p, owner, inner);
	p->home = inner;
	for (uint32_t i = 0; i < items->n; i++) {
		if (i > 0 && p->lines == lines && joins(p, shape, items->at[i]))
			continue;
		fmt_lead(p, inner, i == 0);
		lines = p->lines;
		p->block = opener + 1;
		p->table = items->at[i]->kind == AST_RECORD;
		fmt_expr(p, items->at[i], inner + FMT_INDENT, 1);
		p->table = false;
		fmt_text(p, ",");
	}
	p->block = block;
	p->home = home;
	fmt_lead_closer(p, inner, outer);
	fmt_take(p);
}

void fmt_list(struct printer *p, const struct ast *owner, uint32_t tail)
{
	const struct ast_list *items = items_of(owner);

	if (p->flat)
		flat_list(p, owner);
	else if (!fmt_flat(p, flat_list, owner, tail) && (items->n == 0 || !hug(p, owner, tail)))
		broken_list(p, owner);
}

/* ---- lists made by `for` --------------------------------------------------------------------- */

static void words_and_value(struct printer *p, uint32_t words, const struct ast *value,
			    uint32_t next)
{
	for (uint32_t i = 0; i < words; i++) {
		fmt_take(p);
		fmt_space(p);
	}
	fmt_expr(p, value, next, 0);
}

static void flat_content(struct printer *p, const struct ast *e)
{
	fmt_expr(p, e->comprehension.value, 0, 0);
	fmt_broken(p, 0);
	fmt_space(p);
	words_and_value(p, 3, e->comprehension.in, 0);
	if (e->comprehension.filter) {
		fmt_broken(p, 0);
		fmt_space(p);
		words_and_value(p, 1, e->comprehension.filter, 0);
	}
}

static void flat_comprehension(struct printer *p, const struct ast *e)
{
	fmt_take(p);
	fmt_broken(p, 0);
	flat_content(p, e);
	fmt_take(p);
}

static void broken_comprehension(struct printer *p, const struct ast *e)
{
	uint32_t outer = p->line_indent, inner = outer + FMT_INDENT, home = p->home;

	fmt_take(p);
	p->home = inner;
	fmt_lead(p, inner, true);
	if (!fmt_flat(p, flat_content, e, 0)) {
		fmt_expr(p, e->comprehension.value, inner + FMT_INDENT, 0);
		fmt_break(p, inner, 1);
		words_and_value(p, 3, e->comprehension.in, inner + FMT_INDENT);
		if (e->comprehension.filter) {
			fmt_break(p, inner, 1);
			words_and_value(p, 1, e->comprehension.filter, inner + FMT_INDENT);
		}
	}
	p->home = home;
	fmt_lead_closer(p, inner, outer);
	fmt_take(p);
}

void fmt_comprehension(struct printer *p, const struct ast *e, uint32_t tail)
{
	if (p->flat)
		flat_comprehension(p, e);
	else if (!fmt_flat(p, flat_comprehension, e, tail))
		broken_comprehension(p, e);
}
