/* line_edit.c - reads lines, with a library for editing where there is one and somebody types. */
#include "cli/line_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The interface is the same; GNU splits it over two headers. */
#ifdef PLAN_LIBEDIT
#include <editline/readline.h>
#define PLAN_LINE_EDITING
#endif
#ifdef PLAN_READLINE
#include <readline/readline.h>
#include <readline/history.h>
#define PLAN_LINE_EDITING
#endif

enum { LINE_MAX_BYTES = 1 << 20 };

static bool read_plainly(struct arena *a, struct str *line)
{
	struct out o;
	int c = getc(stdin);

	if (c == EOF)
		return false;
	out_init(&o, a);
	for (; c != EOF && c != '\n'; c = getc(stdin))
		if (o.n < LINE_MAX_BYTES)
			out_char(&o, (char)c);
	*line = str_copy(a, out_view(&o));
	return true;
}

#ifdef PLAN_LINE_EDITING
static bool read_edited(struct arena *a, const char *prompt, struct str *line)
{
	char *typed = readline(prompt);

	if (!typed)
		return false;
	*line = str_copy(a, str_of(typed));
	if (line->n > 0)
		add_history(typed);
	free(typed);
	return true;
}
#endif

bool line_read(struct arena *a, const char *prompt, struct str *line)
{
	if (!isatty(STDIN_FILENO))
		return read_plainly(a, line);
#ifdef PLAN_LINE_EDITING
	return read_edited(a, prompt, line);
#else
	fputs(prompt, stdout);
	fflush(stdout);
	return read_plainly(a, line);
#endif
}
