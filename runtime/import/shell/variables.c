/* variables.c - what a script assigned. */
#include "runtime/import/shell/shell_int.h"

enum { VARIABLES_MAX = 10000 };

struct variable *shell_variable(struct shell *sh, struct str name)
{
	for (uint32_t i = sh->variables.n; i-- > 0;)
		if (str_equal(sh->variables.at[i].name, name))
			return &sh->variables.at[i];
	return NULL;
}

struct variable *shell_variable_make(struct shell *sh, struct str name)
{
	struct variable *v = shell_variable(sh, name);

	if (v)
		return v;
	if (sh->variables.n >= VARIABLES_MAX) {
		shell_break(sh, sh->i < sh->text.n ? sh->i : 0, "more than 10,000 variables");
		return NULL;
	}
	v = VEC_ADD(sh->f->arena, &sh->variables);
	v->name = name;
	return v;
}

static struct shell_words unknown_at(struct shell *sh, uint32_t at)
{
	struct shell_words w = { 0 };
	struct piece p = { 0 };

	piece_add(sh, &p, SHELL_UNKNOWN, at);
	*VEC_ADD(sh->f->arena, &w.list) = piece_text(sh, &p);
	return w;
}

/* `a+=b` of plain variables: the texts behind each other. */
static void append_text(struct shell *sh, struct variable *v, const struct shell_words *items)
{
	struct piece p = { 0 };

	for (uint32_t k = 0; k < v->items.list.n && k < 1; k++)
		for (uint32_t i = 0; i < v->items.list.at[k].n; i++)
			piece_add(sh, &p, v->items.list.at[k].p[i], v->items.list.at[k].at[i]);
	for (uint32_t k = 0; k < items->list.n && k < 1; k++)
		for (uint32_t i = 0; i < items->list.at[k].n; i++)
			piece_add(sh, &p, items->list.at[k].p[i], items->list.at[k].at[i]);
	v->items = (struct shell_words){ 0 };
	*VEC_ADD(sh->f->arena, &v->items.list) = piece_text(sh, &p);
}

/* `ARGS="$ARGS --more"`. */
static bool continues(const struct variable *v, const struct shell_words *items)
{
	const struct shell_text *old = v->items.list.at, *new = items->list.at;

	return v->items.list.n == 1 && items->list.n == 1 && old->n > 0 && new->n >= old->n &&
	       memcmp(old->p, new->p, old->n) == 0;
}

/* The new value of a variable, as far as it is certain. */
static void store(struct shell *sh, struct variable *v, struct shell_words items, bool array, bool append, uint32_t at)
{
	if (sh->mode == MAY_RUN) {
		*VEC_ADD(sh->f->arena, &sh->script->unsure) =
			(struct span){ sh->script->file, at, at + v->name.n };
		/* What was there before stays certain where something is put behind it. */
		if (!append && !continues(v, &items))
			v->items = unknown_at(sh, at);
		return;
	}
	if (append && !array && !v->array) {
		append_text(sh, v, &items);
		return;
	}
	if (!append)
		v->items = (struct shell_words){ 0 };
	v->array = array || v->array;
	for (uint32_t i = 0; i < items.list.n; i++)
		*VEC_ADD(sh->f->arena, &v->items.list) = items.list.at[i];
}

void shell_assign(struct shell *sh, struct str name, struct shell_words items, bool array, bool append,
		  uint32_t at)
{
	struct variable *v;

	if (sh->broken || sh->mode == RUNS_NOT)
		return;
	v = shell_variable_make(sh, name);
	if (!v)
		return;
	store(sh, v, items, array, append, at);
	if (v->exported)
		shell_export(sh, v, SHELL_ALWAYS);
}
