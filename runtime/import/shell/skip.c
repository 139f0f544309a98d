/* skip.c - where quotes, expansions and brackets of a script end. */
#include "runtime/import/shell/shell_int.h"

static char at(const struct shell *sh, uint32_t i)
{
	return i < sh->text.n ? sh->text.p[i] : '\0';
}

void shell_break(struct shell *sh, uint32_t where, const char *what)
{
	if (!sh->broken)
		foreign_refuse(sh->f, (struct span){ sh->script->file, where, where + 1 }, "%s", what);
	sh->broken = true;
	sh->i = sh->text.n;
}

static bool deeper(struct shell *sh, uint32_t where)
{
	if (sh->depth++ < SHELL_DEPTH_MAX)
		return true;
	sh->depth--;
	shell_break(sh, where, "brackets and quotes nest deeper than 64 here");
	return false;
}

uint32_t shell_skip_quoted(struct shell *sh, uint32_t i)
{
	char quote = sh->text.p[i];
	uint32_t from = i++;

	if (!deeper(sh, from))
		return sh->text.n;
	while (!sh->broken && i < sh->text.n && sh->text.p[i] != quote) {
		if (quote != '\'' && sh->text.p[i] == '\\' && i + 1 < sh->text.n)
			i += 2;
		else if (quote == '"' && sh->text.p[i] == '$' && at(sh, i + 1) != '\'')
			i = shell_skip_dollar(sh, i);
		else
			i++;
	}
	sh->depth--;
	if (!sh->broken && i >= sh->text.n)
		shell_break(sh, from, "this quote is not closed");
	return sh->broken ? sh->text.n : i + 1;
}

uint32_t shell_skip_bracket(struct shell *sh, uint32_t i, char open, char close)
{
	uint32_t from = i++, count = 1;

	if (!deeper(sh, from))
		return sh->text.n;
	while (!sh->broken && i < sh->text.n && count > 0) {
		char c = sh->text.p[i];

		if (c == '\\' && i + 1 < sh->text.n) {
			i += 2;
		} else if (c == '\'' || c == '"' || c == '`') {
			i = shell_skip_quoted(sh, i);
		} else if (c == '$' && (at(sh, i + 1) == '{' || at(sh, i + 1) == '(')) {
			i = shell_skip_dollar(sh, i);
		} else if (c == '#' && open == '(' && i > 0 && strchr(" \t\n", sh->text.p[i - 1])) {
			while (i < sh->text.n && sh->text.p[i] != '\n')
				i++;
		} else {
			count += c == open;
			count -= c == close;
			i++;
		}
	}
	sh->depth--;
	if (!sh->broken && count > 0)
		shell_break(sh, from, "this bracket is not closed");
	return sh->broken ? sh->text.n : i;
}

uint32_t shell_name_length(const struct shell *sh, uint32_t i)
{
	uint32_t n = 0;

	while (i + n < sh->text.n && shell_name_char(sh->text.p[i + n], n == 0))
		n++;
	return n;
}

/* The quotes of $'...', in which a backslash escapes; in double quotes they are two characters like others. */
static uint32_t skip_ansi(struct shell *sh, uint32_t i)
{
	uint32_t from = i++;

	while (i < sh->text.n && sh->text.p[i] != '\'')
		i += sh->text.p[i] == '\\' ? 2 : 1;
	if (i < sh->text.n)
		return i + 1;
	shell_break(sh, from, "this quote is not closed");
	return sh->text.n;
}

uint32_t shell_skip_dollar(struct shell *sh, uint32_t i)
{
	char c = at(sh, i + 1);
	uint32_t n;

	if (c == '{')
		return shell_skip_bracket(sh, i + 1, '{', '}');
	if (c == '(')
		return shell_skip_bracket(sh, i + 1, '(', ')');
	if (c == '\'')
		return skip_ansi(sh, i + 1);
	n = shell_name_length(sh, i + 1);
	if (n > 0)
		return i + 1 + n;
	return c != '\0' && strchr("0123456789@*#?$!-", c) ? i + 2 : i + 1;
}
