/* why.c - planc why: where a value comes from. */
#include "cli/command.h"

#include "cli/question.h"
#include "runtime/ask/why.h"

int command_why(struct session *s, const struct options *o)
{
	const char *text = o->operands.at[1];
	int code;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	code = question_compile(s, o, o->operands.at[0], text);
	if (code != EXIT_FINE)
		return code;
	if (!why_print(&s->ev, s->program->question, str_of(text), &s->out) || s->sink.errors > 0)
		return EXIT_PLAN;
	return EXIT_FINE;
}
