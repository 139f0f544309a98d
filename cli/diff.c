/* diff.c - planc diff: what two plans say differently. */
#include "cli/command.h"

#include "runtime/ask/diff.h"

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
	struct session *other;
	int code;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	other = session_child(s);
	code = compile_both(s, other, o);
	if (code == EXIT_FINE && diff_print(&s->ev, &other->ev, &s->out) > 0)
		code = EXIT_DIFFERENT;
	session_join(s, other);
	return code;
}
