/* diff.c - planc diff: what two plans say differently. */
#include "cli/command.h"

#include "runtime/ask/diff/diff.h"

static int compile_both(struct session *s, struct session *other, const struct options *o)
{
	if (!session_compile(s, o, o->operands.at[0]))
		return session_failure(s);
	if (!session_compile(other, o, o->operands.at[1]))
		return session_failure(other);
	return EXIT_FINE;
}

int command_diff(struct session *s, const struct options *o)
{
	const char *format = option_value(o, OPTION_FORMAT, "text");
	bool json = strcmp(format, "json") == 0;
	struct session *other;
	uint32_t lines;
	int code;

	if (!json && strcmp(format, "text") != 0)
		return usage_error(s, "`--format %s`: it is text or json", format);
	if (!session_style(s, o, false))
		return EXIT_USAGE;
	other = session_child(s);
	code = compile_both(s, other, o);
	if (code == EXIT_FINE) {
		lines = (json ? diff_json : diff_print)(&s->ev, &other->ev, &s->out);
		code = lines > 0 ? EXIT_DIFFERENT : EXIT_FINE;
	}
	session_join(s, other);
	return code;
}
