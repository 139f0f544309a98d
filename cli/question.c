/* question.c - compiles an expression of the command line together with a plan. */
#include "cli/question.h"

#include "cli/command.h"

int question_compile(struct session *s, const struct options *o, const char *path, const char *text)
{
	s->question = str_of(text);
	if (!session_compile(s, o, path))
		return session_failure(s);
	invariant(s->program->question != IR_NO_NODE, "a sound plan lost the question about it");
	return EXIT_FINE;
}
