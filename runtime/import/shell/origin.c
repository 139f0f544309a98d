/* origin.c - where a text of a script comes from: what is unknown in it, as the script spells it; its span. */
#include "runtime/import/shell/shell_int.h"

struct str shell_unknown(const struct sources *s, const struct shell_script *script,
			 const struct shell_text *text)
{
	const char *p = memchr(text->p, SHELL_UNKNOWN, text->n);
	struct str all = source_get(s, script->file)->text;
	uint32_t lo, hi, open = 0;

	if (!p)
		return (struct str){ "", 0 };
	lo = hi = text->at[p - text->p];
	if (all.p[hi] == '$')
		hi++;
	for (; hi < all.n && hi - lo < 60; hi++) {
		char c = all.p[hi];

		if (c == '{' || c == '(')
			open++;
		else if ((c == '}' || c == ')') && open > 0 && --open == 0)
			return str_slice(all, lo, hi + 1);
		else if (open == 0 && !shell_name_char(c, false) && hi > lo)
			break;
	}
	return str_slice(all, lo, hi);
}

bool shell_is_word(const struct shell_text *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (!shell_name_char(t->p[i], false))
			return false;
	return t->n > 0;
}

struct str shell_outside(const struct sources *s, const struct shell_script *script, uint32_t at)
{
	struct str all = source_get(s, script->file)->text, nothing = { "", 0 };
	uint32_t lo = at + 1, hi;
	bool braces;

	if (at + 1 >= all.n || all.p[at] != '$')
		return nothing;
	braces = all.p[lo] == '{';
	lo += braces;
	for (hi = lo; hi < all.n && shell_name_char(all.p[hi], hi == lo); hi++)
		;
	if (braces && (hi + 1 >= all.n || (all.p[hi] != '}' && all.p[hi] != '?' &&
					   (all.p[hi] != ':' || all.p[hi + 1] != '?'))))
		return nothing;
	return str_slice(all, lo, hi);
}

struct span shell_span(const struct shell_script *script, const struct shell_text *t)
{
	uint32_t lo = t->n > 0 ? t->at[0] : 0, hi = lo + 1;

	for (uint32_t i = 1; i < t->n && t->at[i] == t->at[i - 1] + 1; i++)
		hi = t->at[i] + 1;
	return (struct span){ script->file, lo, hi };
}
