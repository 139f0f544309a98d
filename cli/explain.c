/* explain.c - planc explain CODE: the page of a diagnostic, by code or by the name of a rule. */
#include "cli/command.h"

#include <ctype.h>

/* "e2004" is as good as "E2004". */
static struct str upper(struct session *s, const char *word)
{
	char *copy = arena_copy(&s->arena, word, strlen(word));

	for (char *p = copy; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return str_of(copy);
}

int command_explain(struct session *s, const struct options *o)
{
	const char *word = o->operands.at[0];
	enum diag_code code = diag_code_of_name(upper(s, word));

	if (code == DIAG_NONE)
		code = diag_code_of_slug(str_of(word));
	if (code == DIAG_NONE) {
		const char *names[2 * DIAG_CODE_COUNT];
		size_t n = 0;

		for (int i = DIAG_NONE + 1; i < DIAG_CODE_COUNT; i++) {
			names[n++] = diag_info((enum diag_code)i)->name;
			names[n++] = diag_info((enum diag_code)i)->slug;
		}
		return usage_error(s, "no message has the code or name `%s`%s", word,
				   did_you_mean(s, word, names, n));
	}
	const struct diag_info *info = diag_info(code);
	struct str page = diag_page(code);

	if (page.n > 0) {
		out_str(&s->out, page);
		if (!str_ends(page, "\n"))
			out_char(&s->out, '\n');
	} else {
		out_printf(&s->out, "%s (%s): %s\n", info->name, info->slug, info->title);
	}
	return EXIT_FINE;
}
