/* field_names.c - what was probably meant by a field that a schema does not have. */
#include "compiler/check/check_int.h"

/* What kind of value an expression plainly is, to prefer fields that could take it. */
static bool could_be(const struct type *t, const struct ast *value)
{
	t = without_none(t);
	if (!value)
		return true;
	if (value->kind == AST_NUMBER || value->kind == AST_QUANTITY)
		return t->kind == TYPE_NUMBER;
	if (value->kind == AST_STRING || value->kind == AST_TEMPLATE)
		return t->kind == TYPE_STRING;
	if (value->kind == AST_TRUE)
		return t->kind == TYPE_BOOL;
	if (value->kind == AST_LIST_OF)
		return t->kind == TYPE_LIST || t->kind == TYPE_TABLE || t->kind == TYPE_MAP;
	if (value->kind == AST_RECORD || value->kind == AST_WITH)
		return t->kind == TYPE_RECORD;
	return true;
}

/* When no name is near: fields that begin with what was written, else all of a small schema. */
static void help_fields(struct check *c, struct diag *d, const struct ir_schema *s, struct str wrong)
{
	enum { FEW = 8 };
	struct out begin, all;
	uint32_t beginning = 0, settable = 0;

	out_init(&begin, c->arena);
	out_init(&all, c->arena);
	for (uint32_t i = 0; i < s->field_count; i++) {
		struct str name = sym_str(c->names, s->fields[i].name);

		if (s->fields[i].final || s->fields[i].native)
			continue;
		out_printf(&all, "%s`%s`", settable++ > 0 ? ", " : "", name.p);
		if (wrong.n >= 2 && name.n > wrong.n && memcmp(name.p, wrong.p, wrong.n) == 0)
			out_printf(&begin, "%s`%s`", beginning++ > 0 ? ", " : "", name.p);
	}
	if (beginning > 0 && beginning <= FEW)
		diag_help(d, "did you mean %.*s?", (int)begin.n, begin.p);
	else if (settable > 0 && settable <= FEW)
		diag_note(d, "its fields are %.*s", (int)all.n, all.p);
}

/* Fields of this name in the records that are fields here: `attention.heads` for `heads` of a model.
 * Those that can be set, or results of the cost model. */
static uint32_t find_nested(struct check *c, uint32_t schema, struct str name, const struct ast *value,
			    bool results, struct out *paths)
{
	enum { SHOWN_MAX = 3 };
	const struct ir_schema *s = &c->p->schemas.at[schema];
	struct sym wanted = sym_find(c->names, name);
	uint32_t n = 0;

	for (uint32_t i = 0; wanted.id != 0 && i < s->field_count; i++) {
		const struct type *t = without_none(s->fields[i].type);
		uint32_t slot = t->kind == TYPE_RECORD ? field_find(c, t->index, wanted) : IR_NONE;

		if (slot == IR_NONE || c->p->schemas.at[t->index].fields[slot].native != results ||
		    !could_be(c->p->schemas.at[t->index].fields[slot].type, value))
			continue;
		if (n++ < SHOWN_MAX)
			out_printf(paths, "%s`%s.%.*s`", n > 1 ? ", " : "", spell(c, s->fields[i].name),
				   (int)name.n, name.p);
	}
	return n <= SHOWN_MAX ? n : 0;
}

bool suggest_nested(struct check *c, struct diag *d, uint32_t schema, struct str name,
		    const struct ast *value)
{
	struct out paths;
	uint32_t n;

	out_init(&paths, c->arena);
	n = find_nested(c, schema, name, value, false, &paths);
	if (n == 0)
		n = find_nested(c, schema, name, value, true, &paths);
	if (n == 0)
		return false;
	diag_help(d, "did you mean %s%.*s?", n > 1 ? "one of " : "", (int)paths.n, paths.p);
	if (n == 1)
		diag_fix(d, d->span, str_copy(c->arena, str_slice(out_view(&paths), 1, (uint32_t)paths.n - 1)),
			 "correct the name");
	return true;
}

/* The name that frameworks have for it. */
static bool suggest_foreign(struct check *c, struct diag *d, uint32_t schema, struct str wrong,
			    const struct ast *value)
{
	struct str instead = diag_foreign_instead(FOREIGN_FIELD, wrong);
	struct sym name = sym_find(c->names, instead);

	if (instead.n == 0)
		return c->p->schemas.at[schema].library && diag_foreign(d, FOREIGN_FIELD, wrong, d->span);
	if (name.id == 0 || field_find(c, schema, name) == IR_NONE)
		return suggest_nested(c, d, schema, instead, value);
	diag_help(d, "it is called `%.*s` here", (int)instead.n, instead.p);
	if (str_equal(source_slice(c->p->sources, d->span), wrong))
		diag_fix(d, d->span, instead, "correct the name");
	return true;
}

void suggest_fields(struct check *c, struct diag *d, uint32_t schema, struct str wrong,
		    const struct ast *value)
{
	const struct ir_schema *s = &c->p->schemas.at[schema];
	struct suggestions list;

	if (c->sink->errors > SUGGESTING_ERRORS_MAX)
		return;
	if (suggest_foreign(c, d, schema, wrong, value) || suggest_nested(c, d, schema, wrong, value))
		return;
	suggestions_init(&list, c->arena, wrong);
	for (uint32_t i = 0; i < s->field_count; i++)
		suggestions_add(&list, sym_str(c->names, s->fields[i].name),
				could_be(s->fields[i].type, value));
	if (!diag_suggest(d, &list))
		help_fields(c, d, s, wrong);
}
