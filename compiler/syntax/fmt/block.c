/* block.c - what stands in braces, and the statements of a file. A block on one line stays there
 * while it fits; otherwise its statements keep the lines they were on, and a line that is too
 * long is cut into one statement a line. */
#include "compiler/syntax/fmt/fmt_int.h"

static const struct ast_list *list_of(const struct ast *owner)
{
	switch ((int)owner->kind) {
	case AST_IMPORT_NAMES: return &owner->import_names.names;
	case AST_ENUM: return &owner->enumeration.names;
	case AST_SCHEMA: return &owner->schema.fields;
	case AST_INSTANCE: return &owner->instance.fields;
	case AST_SWEEP: return &owner->sweep.clauses;
	case AST_EMIT: return &owner->emit.options;
	case AST_TEST: return &owner->test.steps;
	case AST_AMEND: return &owner->amend.fields;
	case AST_OBJECTIVE: return &owner->objective.goals;
	case AST_EXPECT_FAILURE: return &owner->expect_failure.items;
	case AST_MATCH: return &owner->match.arms;
	case AST_WITH: return &owner->with.fields;
	default: return &owner->record.fields;
	}
}

static bool starts_line(struct printer *p, const struct ast *statement)
{
	return p->tokens.all.at[fmt_token_at(p, statement->span.lo)].newline;
}

/* ---- one line -------------------------------------------------------------------------------- */

/* Fields of rows with the same names are brought to the same columns. */
static void cell(struct printer *p, uint32_t i, const struct ast *field)
{
	if (field->kind == AST_SET && field->set.path->path.parts.n == 1)
		fmt_cell(p, i, field->set.path->path.parts.at[0]->name_ref.name.sym);
}

static void flat_block(struct printer *p, const struct ast *owner)
{
	const struct ast_list *list = list_of(owner);
	bool table = p->table;

	p->table = false;
	fmt_take(p);
	for (uint32_t i = 0; i < list->n && !p->failed; i++) {
		if (i > 0)
			fmt_text(p, ",");
		if (i > 0 && table)
			cell(p, i, list->at[i]);
		fmt_space(p);
		fmt_broken(p, 0);
		fmt_statement(p, list->at[i], 0);
	}
	if (list->n > 0) {
		fmt_broken(p, 0);
		fmt_space(p);
	}
	fmt_take(p);
}

/* ---- names of an enum or import -------------------------------------------------------------- */

static void flat_name(struct printer *p, const struct ast *name)
{
	(void)name;
	fmt_text(p, ",");
	fmt_space(p);
	fmt_take(p);
}

/* Names keep their lines too; what is too long for one goes on in the next. */
static void names(struct printer *p, const struct ast_list *list, uint32_t indent, bool keep)
{
	for (uint32_t i = 0; i < list->n; i++) {
		if (i > 0 && !(keep && starts_line(p, list->at[i])) &&
		    fmt_flat(p, flat_name, list->at[i], 0))
			continue;
		fmt_lead(p, indent, i == 0);
		fmt_take(p);
	}
}

/* ---- several lines --------------------------------------------------------------------------- */

/* Statements that shared a line. */
struct row {
	const struct ast_list *list;
	uint32_t first, end;
};

static bool flat_row(struct printer *p, const struct row *r)
{
	struct printer before = *p;

	for (uint32_t i = r->first; i < r->end; i++) {
		p->flat = true;
		p->limit = FMT_WIDTH;
		if (i > r->first) {
			fmt_text(p, ",");
			fmt_space(p);
		}
		fmt_statement(p, r->list->at[i], 0);
		p->flat = false;
		if (p->failed) {
			fmt_restore(p, &before);
			return false;
		}
	}
	return true;
}

/* Where the next line could be read as going on with the statement before, a comma keeps them
 * apart: the pattern of an arm may begin with `-` or `{`. */
static void separate(struct printer *p)
{
	char c = p->text.p[p->tokens.all.at[p->next].lo];

	if (c == '-' || c == '{')
		fmt_text(p, ",");
}

static void rows(struct printer *p, const struct ast_list *list, uint32_t indent, bool keep)
{
	struct row r = { .list = list };

	for (uint32_t i = 0; i < list->n; i = r.end) {
		r.first = i;
		r.end = i + 1;
		while (keep && r.end < list->n && !starts_line(p, list->at[r.end]))
			r.end++;
		if (i > 0)
			separate(p);
		fmt_lead(p, indent, i == 0);
		if (r.end - i > 1 && flat_row(p, &r))
			continue;
		for (uint32_t k = i; k < r.end; k++) {
			if (k > i) {
				separate(p);
				fmt_lead(p, indent, false);
			}
			fmt_statement(p, list->at[k], indent);
		}
	}
}

static void broken_block(struct printer *p, const struct ast *owner)
{
	const struct ast_list *list = list_of(owner);
	uint32_t outer = p->line_indent, inner = outer + FMT_INDENT;
	uint32_t block = p->block, home = p->home;
	bool keep = false;

	p->table = false;
	p->block = p->next + 1;
	fmt_take(p);
	for (uint32_t i = 0; i < list->n; i++)
		keep = keep || starts_line(p, list->at[i]);
	if (owner->kind == AST_ENUM || owner->kind == AST_IMPORT_NAMES)
		names(p, list, inner, keep);
	else
		rows(p, list, inner, keep);
	p->block = block;
	p->home = home;
	fmt_lead_closer(p, inner, outer);
	fmt_take(p);
}

void fmt_block(struct printer *p, const struct ast *owner, uint32_t tail)
{
	if (p->flat)
		flat_block(p, owner);
	else if (!fmt_flat(p, flat_block, owner, tail))
		broken_block(p, owner);
}

void fmt_items(struct printer *p, const struct ast_list *items)
{
	rows(p, items, 0, false);
}
