/* exports.c - which variables the commands of a script find in their environment: `export`, `declare -x`,
 * `NAME=word command`, `unset`. */
#include "runtime/import/shell/shell_int.h"

/* Held from the next command on; `hi` is the command that no longer has it. */
static void note(struct shell *sh, struct str name, struct shell_text value, bool set, uint32_t hi)
{
	*VEC_ADD(sh->f->arena, &sh->script->exports) = (struct shell_export){
		.name = name, .value = value, .set = set, .lo = sh->script->commands.n, .hi = hi,
	};
}

static struct shell_text unknown_text(struct shell *sh, uint32_t at)
{
	struct piece p = { 0 };

	piece_add(sh, &p, SHELL_UNKNOWN, at);
	return piece_text(sh, &p);
}

void shell_export(struct shell *sh, struct variable *v, uint32_t hi)
{
	struct shell_text nothing = { 0 };

	if (hi == SHELL_ALWAYS)
		v->exported = true;
	/* bash exports no arrays. */
	if (!v->array && v->items.list.n <= 1)
		note(sh, v->name, v->items.list.n ? v->items.list.at[0] : nothing, true, hi);
}

/* The names of a declaration: those with a value have been assigned, the others stand as words. */
static void export_names(struct shell *sh, const struct shell_words *w, const struct shell_names *assigned)
{
	for (uint32_t i = 0; i < assigned->list.n; i++) {
		struct variable *v = shell_variable(sh, assigned->list.at[i]);

		if (v)
			shell_export(sh, v, SHELL_ALWAYS);
	}
	for (uint32_t i = 1; i < w->list.n; i++) {
		const struct shell_text *t = &w->list.at[i];
		struct variable *v = shell_variable(sh, shell_view(t));

		if (v)
			shell_export(sh, v, SHELL_ALWAYS);
		else if (shell_is_word(t))
			note(sh, shell_view(t), unknown_text(sh, t->at[0]), true, SHELL_ALWAYS);
		else if (!shell_known(t))
			sh->script->open = true;
	}
}

static bool has_option(const struct shell_words *w, const char *option)
{
	for (uint32_t i = 1; i < w->list.n; i++)
		if (str_is(shell_view(&w->list.at[i]), option))
			return true;
	return false;
}

static void unset(struct shell *sh, const struct shell_words *w)
{
	for (uint32_t i = 1; i < w->list.n; i++) {
		const struct shell_text *t = &w->list.at[i];

		if (shell_is_word(t))
			note(sh, shell_view(t), unknown_text(sh, t->at[0]), sh->mode != RUNS, SHELL_ALWAYS);
	}
}

void shell_note_exports(struct shell *sh, const struct shell_words *w, const struct shell_names *assigned)
{
	struct str name = w->list.n > 0 ? shell_view(&w->list.at[0]) : (struct str){ "", 0 };

	if (sh->mode == RUNS_NOT || w->list.n == 0)
		return;
	if (str_is(name, "source") || str_is(name, ".") || str_is(name, "eval"))
		sh->script->open = true;
	else if (str_is(name, "set") && (has_option(w, "-a") || has_option(w, "allexport")))
		sh->script->open = true;
	else if (str_is(name, "unset"))
		unset(sh, w);
	else if (str_is(name, "export") && !has_option(w, "-n"))
		export_names(sh, w, assigned);
	else if ((str_is(name, "declare") || str_is(name, "typeset")) && has_option(w, "-x"))
		export_names(sh, w, assigned);
	else if (!shell_is_declaration(w) && sh->mode == RUNS)
		for (uint32_t i = 0; i < assigned->list.n; i++) {
			struct variable *v = shell_variable(sh, assigned->list.at[i]);

			if (v && !v->exported)
				shell_export(sh, v, sh->script->commands.n + 1);
		}
}
