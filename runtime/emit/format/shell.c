/* shell.c - a launch script, or the bare arguments of one.
 *
 * Script: header, exports, one bash array per group, the command. The words of the command come
 * from the target's field `command`: "@name" stands for the group of that field, "@" for all
 * groups that no word names, anything else for itself. A group that consists of keys is a list
 * of exports, or, where a word names it, of key=value overrides. The group `directives` is comments
 * for a scheduler, the lines of `prologue` stand in front of the command as they are. Bare
 * arguments: the groups of "@" alone, one argument a line.
 */
#include "runtime/emit/emit_int.h"

/* Field name as array name: model_flags becomes MODEL_FLAGS. */
static void out_upper(struct out *o, struct str name)
{
	for (uint32_t i = 0; i < name.n; i++)
		out_char(o, name.p[i] >= 'a' && name.p[i] <= 'z' ? (char)(name.p[i] - 'a' + 'A')
								 : name.p[i]);
}

static void out_doc(struct out *o, struct str doc)
{
	uint32_t at = 0;

	while (at < doc.n) {
		uint32_t end = at;

		while (end < doc.n && doc.p[end] != '\n')
			end++;
		out_printf(o, "# %.*s\n", (int)(end - at), doc.p + at);
		at = end + 1;
	}
}

static const struct arg *arg_at(const struct part *part, uint32_t i)
{
	return part->args->at[i].kind == VALUE_ARG ? part->args->at[i].arg : NULL;
}

/* Whether anything of a group is switched on. */
static bool part_is_empty(const struct part *part)
{
	for (uint32_t i = 0; i < part->args->n; i++)
		if (arg_at(part, i) && arg_at(part, i)->on)
			return false;
	return true;
}

/* Whether a word of the command names this group, so that it is not one of the rest. */
static bool is_named(const struct emission *e, struct str name)
{
	for (uint32_t i = 0; i < e->command.n; i++) {
		struct str word = e->command.at[i];

		if (str_starts(word, "@") && str_equal(str_slice(word, 1, word.n), name))
			return true;
	}
	return false;
}

static bool part_is_directives(const struct emission *e, const struct part *part)
{
	return e->directive.n > 0 && str_is(part->name, "directives");
}

static bool part_is_exports(const struct emission *e, const struct part *part)
{
	if (is_named(e, part->name))
		return false;
	for (uint32_t i = 0; i < part->args->n; i++)
		if (arg_at(part, i) && arg_at(part, i)->on && !shell_is_name(arg_at(part, i)->name))
			return false;
	return part->args->n > 0;
}

/* Whether a group is words of the command line. */
static bool part_is_words(const struct emission *e, const struct part *part)
{
	return !part_is_empty(part) && !part_is_exports(e, part) && !part_is_directives(e, part);
}

static bool write_export(struct emission *e, struct out *o, const struct arg *arg)
{
	struct words words;

	if (!emit_words(e, arg, &words))
		return false;
	if (words.at.n != 1) {
		emit_refuse_arg(e, arg, "is a variable and needs exactly one value");
		return false;
	}
	out_printf(o, "export %.*s=", (int)arg->name.n, arg->name.p);
	shell_quote(o, words.at.at[0]);
	out_char(o, '\n');
	return true;
}

static bool write_override(struct emission *e, struct out *o, const struct arg *arg,
			   const char *indent)
{
	struct out word;

	out_init(&word, e->arena);
	if (!override_write(e, arg, &word))
		return false;
	out_text(o, indent);
	shell_quote(o, out_view(&word));
	out_char(o, '\n');
	return true;
}

/* An argument of the program that is started, in the words that its version knows. What stands behind a name
 * of the command is somebody else's flag, or an override. */
static bool check_argument(struct emission *e, const struct arg *arg, bool named)
{
	if (named && shell_is_flag(arg->name))
		return true;
	return options_check_arg(e, arg);
}

static bool write_argument(struct emission *e, struct out *o, const struct arg *arg,
			   const char *indent, bool named)
{
	struct words words;

	if (!check_argument(e, arg, named))
		return false;
	if (named && override_is_name(arg->name))
		return write_override(e, o, arg, indent);
	if (!shell_is_flag(arg->name)) {
		emit_refuse_arg(e, arg, "is not the name of a flag");
		return false;
	}
	if (!emit_words(e, arg, &words))
		return false;
	out_printf(o, "%s%.*s", indent, (int)arg->name.n, arg->name.p);
	for (uint32_t i = 0; i < words.at.n; i++) {
		out_char(o, ' ');
		shell_quote(o, words.at.at[i]);
	}
	out_char(o, '\n');
	return true;
}

/* `environment`: lines NAME=value of the user. */
static bool write_environment(struct emission *e, struct out *o)
{
	bool fine = true;

	for (uint32_t i = 0; i < e->environment.n; i++) {
		struct str line = e->environment.at[i], name;
		const char *sign = memchr(line.p, '=', line.n);

		name = sign ? str_slice(line, 0, (uint32_t)(sign - line.p)) : line;
		if (!sign || !shell_is_name(name)) {
			diag_report(e->sink, E2005, e->emit->span,
				    "`%.*s` in `environment` is not NAME=value", (int)line.n,
				    line.p);
			fine = false;
			continue;
		}
		out_printf(o, "export %.*s=", (int)name.n, name.p);
		shell_quote(o, str_slice(line, name.n + 1, line.n));
		out_char(o, '\n');
	}
	return fine;
}

/* `extra`: words of the user, cut at blanks; behind `first` on each line. */
static void write_extra(struct emission *e, struct out *o, const char *indent, struct str first)
{
	for (uint32_t i = 0; i < e->extra.n; i++) {
		struct str line = e->extra.at[i];
		bool begun = false;

		for (uint32_t at = 0; at < line.n;) {
			uint32_t end = at;

			while (end < line.n && line.p[end] != ' ')
				end++;
			if (end > at) {
				out_text(o, begun ? " " : indent);
				if (!begun && first.n > 0)
					out_printf(o, "%.*s ", (int)first.n, first.p);
				shell_quote(o, str_slice(line, at, end));
				begun = true;
			}
			at = end + 1;
		}
		if (begun)
			out_char(o, '\n');
	}
}

static bool write_group(struct emission *e, struct out *o, const struct part *part)
{
	bool exports = part_is_exports(e, part), named = is_named(e, part->name), fine = true;

	out_char(o, '\n');
	out_doc(o, part->doc);
	if (!exports) {
		out_upper(o, part->name);
		out_text(o, "=(\n");
	}
	for (uint32_t i = 0; i < part->args->n; i++) {
		const struct arg *arg = arg_at(part, i);

		if (!arg)
			fine = false;
		else if (arg->on)
			fine = (exports ? write_export(e, o, arg)
					: write_argument(e, o, arg, "  ", named)) &&
			       fine;
	}
	if (!exports)
		out_text(o, ")\n");
	return fine;
}

static void write_array_use(struct out *o, struct str name)
{
	out_text(o, " \\\n  \"${");
	out_upper(o, name);
	out_text(o, "[@]}\"");
}

/* The command line; `@` also brings EXTRA. */
static void write_command(struct emission *e, struct out *o)
{
	out_char(o, '\n');
	for (uint32_t w = 0; w < e->command.n; w++) {
		struct str word = e->command.at[w];

		if (!str_starts(word, "@")) {
			if (w > 0)
				out_text(o, " ");
			shell_quote(o, word);
			continue;
		}
		for (uint32_t i = 0; i < e->parts.n; i++) {
			const struct part *part = &e->parts.at[i];
			bool wanted = word.n > 1 ? str_equal(str_slice(word, 1, word.n), part->name)
						 : !is_named(e, part->name);

			if (wanted && part_is_words(e, part))
				write_array_use(o, part->name);
		}
		if (word.n == 1 && e->takes_extra && e->extra.n > 0)
			write_array_use(o, STR("EXTRA"));
	}
	out_char(o, '\n');
}

/* A line for the scheduler: PREFIX --name=value; it reads them up to the first command. */
static bool write_directive(struct emission *e, struct out *o, const struct arg *arg)
{
	struct words words;

	if (!shell_is_flag(arg->name)) {
		emit_refuse_arg(e, arg, "is not the name of a flag");
		return false;
	}
	if (!options_check_arg(e, arg) || !emit_words(e, arg, &words))
		return false;
	out_printf(o, "%.*s %.*s", (int)e->directive.n, e->directive.p, (int)arg->name.n,
		   arg->name.p);
	for (uint32_t i = 0; i < words.at.n; i++) {
		struct str word = words.at.at[i];

		if (word.n == 0 || memchr(word.p, '\n', word.n)) {
			emit_refuse_arg(e, arg, "is empty or has a line break");
			return false;
		}
		out_char(o, i > 0 ? ',' : str_starts(arg->name, "--") ? '=' : ' ');
		shell_quote(o, word);
	}
	out_char(o, '\n');
	return true;
}

/* Where the command has no place for it, `extra` is for the scheduler, a line each. */
static bool extra_is_directives(const struct emission *e)
{
	return e->directive.n > 0 && !emit_has_rest(e);
}

static bool write_directives(struct emission *e, struct out *o)
{
	bool fine = true;

	for (uint32_t p = 0; p < e->parts.n; p++) {
		const struct part *part = &e->parts.at[p];

		if (!part_is_directives(e, part) || part_is_empty(part))
			continue;
		for (uint32_t i = 0; i < part->args->n; i++)
			if (!arg_at(part, i))
				fine = false;
			else if (arg_at(part, i)->on)
				fine = write_directive(e, o, arg_at(part, i)) && fine;
	}
	if (extra_is_directives(e))
		write_extra(e, o, "", e->directive);
	return fine;
}

static bool write_script(struct emission *e, struct out *o)
{
	bool fine;

	out_text(o, "#!/usr/bin/env bash\n");
	header_write(e, o);
	fine = write_directives(e, o);
	out_text(o, "set -euo pipefail\n");
	if (e->environment.n > 0)
		out_text(o, "\n# Environment that the plan asks for.\n");
	fine = write_environment(e, o) && fine;
	for (uint32_t i = 0; i < e->parts.n; i++)
		if (!part_is_empty(&e->parts.at[i]) && !part_is_directives(e, &e->parts.at[i]))
			fine = write_group(e, o, &e->parts.at[i]) && fine;
	if (e->takes_extra && e->extra.n > 0 && !extra_is_directives(e)) {
		out_text(o, "\n# Arguments that the plan hands on as they are.\nEXTRA=(\n");
		write_extra(e, o, "  ", STR(""));
		out_text(o, ")\n");
	}
	if (e->prologue.n > 0)
		out_char(o, '\n');
	for (uint32_t i = 0; i < e->prologue.n; i++) {
		out_str(o, e->prologue.at[i]);
		out_char(o, '\n');
	}
	write_command(e, o);
	return fine;
}

static bool write_bare(struct emission *e, struct out *o)
{
	bool fine = true;

	header_write(e, o);
	for (uint32_t i = 0; i < e->parts.n; i++) {
		const struct part *part = &e->parts.at[i];

		if (!part_is_words(e, part) || is_named(e, part->name))
			continue;
		out_char(o, '\n');
		out_doc(o, part->doc);
		for (uint32_t a = 0; a < part->args->n; a++) {
			const struct arg *arg = arg_at(part, a);

			if (!arg)
				fine = false;
			else if (arg->on)
				fine = write_argument(e, o, arg, "", false) && fine;
		}
	}
	if (e->takes_extra && e->extra.n > 0) {
		out_char(o, '\n');
		write_extra(e, o, "", STR(""));
	}
	return fine;
}

bool emit_shell(struct emission *e, struct artefact_files *files)
{
	bool script = e->kind == ARTEFACT_SHELL, fine;
	struct out o;

	out_init(&o, e->arena);
	fine = script ? write_script(e, &o) : write_bare(e, &o);
	if (fine)
		*VEC_ADD(e->arena, &files->at) =
			(struct artefact_file){ e->to, out_view(&o), script, true };
	return fine;
}
