/* overrides.c - key=value words as Hydra's override grammar reads them.
 *
 * A value that is a text stands bare where the grammar takes it for one, in single quotes otherwise;
 * lists are [a,b], tables {a:b}, none is null.
 */
#include "runtime/emit/emit_int.h"

/* NAME(.NAME)* with +, ++ or ~ in front. */
bool override_is_name(struct str s)
{
	uint32_t from = str_starts(s, "++") ? 2 : str_starts(s, "+") || str_starts(s, "~") ? 1 : 0;
	uint32_t at = from;

	for (uint32_t i = from; i <= s.n; i++)
		if (i == s.n || s.p[i] == '.') {
			if (!shell_is_name(str_slice(s, at, i)))
				return false;
			at = i + 1;
		}
	return true;
}

static bool is_bare_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("_-./@%+", c) != NULL);
}

/* A bare word that the grammar reads as a text: no number, no true, no null. */
static bool is_bare(struct str s)
{
	static const char *const words[] = { "true", "false", "null", "nan", "inf" };
	bool letter = false;

	for (uint32_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!is_bare_char(c))
			return false;
		letter = letter || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	}
	for (size_t w = 0; w < PLAN_COUNT(words); w++) {
		uint32_t i = 0;

		while (i < s.n && words[w][i] && (s.p[i] | 0x20) == words[w][i])
			i++;
		if (i == s.n && !words[w][i])
			return false;
	}
	return letter && !(s.p[0] >= '0' && s.p[0] <= '9') && s.p[0] != '-' && s.p[0] != '+';
}

/* A text with ${NAME} in it is left to the shell, which puts the value there before Hydra reads. */
static void write_text(struct out *o, struct str s)
{
	if (is_bare(s) || shell_has_variable(s)) {
		out_str(o, s);
		return;
	}
	out_char(o, '\'');
	for (uint32_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\'')
			out_char(o, '\\');
		out_char(o, s.p[i]);
	}
	out_char(o, '\'');
}

static const struct doc_notation hydra = { "null", "true", "false", ",", ":", out_str, write_text };

bool override_write(struct emission *e, const struct arg *arg, struct out *word)
{
	struct doc d;

	if (!emit_arg_doc(e, arg, &d))
		return false;
	out_printf(word, "%.*s=", (int)arg->name.n, arg->name.p);
	doc_line(&d, &hydra, word);
	return true;
}
