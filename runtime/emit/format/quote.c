/* quote.c - words for a POSIX shell. */
#include "runtime/emit/emit_int.h"

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("_-./:=@%+", c) != NULL);
}

static bool is_name_char(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!first && c >= '0' && c <= '9');
}

bool shell_is_name(struct str s)
{
	for (uint32_t i = 0; i < s.n; i++)
		if (!is_name_char(s.p[i], i == 0))
			return false;
	return s.n > 0;
}

bool shell_is_flag(struct str s)
{
	uint32_t dashes = str_starts(s, "--") ? 2 : 1;

	if (s.n <= dashes || s.p[0] != '-')
		return false;
	for (uint32_t i = dashes; i < s.n; i++)
		if (!is_name_char(s.p[i], false) &&
		    (i == dashes || (s.p[i] != '-' && s.p[i] != '.')))
			return false;
	return true;
}

/* Length of ${NAME} or ${NAME:-plain} at the start of s; 0 when there is none. The word behind
 * :- may not hold anything that the shell would look at again. */
static uint32_t variable_length(struct str s)
{
	uint32_t i = 2;

	if (!str_starts(s, "${"))
		return 0;
	while (i < s.n && is_name_char(s.p[i], i == 2))
		i++;
	if (i == 2)
		return 0;
	if (i + 1 < s.n && s.p[i] == ':' && s.p[i + 1] == '-')
		for (i += 2; i < s.n && is_plain(s.p[i]);)
			i++;
	return i < s.n && s.p[i] == '}' ? i + 1 : 0;
}

bool shell_has_variable(struct str word)
{
	for (uint32_t i = 0; i < word.n; i++)
		if (variable_length(str_slice(word, i, word.n)) > 0)
			return true;
	return false;
}

static void quote_double(struct out *o, struct str word)
{
	out_char(o, '"');
	for (uint32_t i = 0; i < word.n;) {
		uint32_t n = variable_length(str_slice(word, i, word.n));

		if (n > 0) {
			out_bytes(o, word.p + i, n);
			i += n;
			continue;
		}
		if (word.p[i] == '"' || word.p[i] == '\\' || word.p[i] == '$' || word.p[i] == '`')
			out_char(o, '\\');
		out_char(o, word.p[i++]);
	}
	out_char(o, '"');
}

void shell_quote(struct out *o, struct str word)
{
	bool plain = word.n > 0;

	for (uint32_t i = 0; i < word.n; i++)
		plain = plain && is_plain(word.p[i]);
	if (plain) {
		out_str(o, word);
		return;
	}
	if (shell_has_variable(word)) {
		quote_double(o, word);
		return;
	}
	out_char(o, '\'');
	for (uint32_t i = 0; i < word.n; i++)
		if (word.p[i] == '\'')
			out_text(o, "'\\''");
		else
			out_char(o, word.p[i]);
	out_char(o, '\'');
}
