/* question.h - an expression that the command line asks about a plan. */
#ifndef PLAN_CLI_QUESTION_H
#define PLAN_CLI_QUESTION_H

#include "cli/session.h"

/* Compiles the plan with the expression; session.program->question is its node. Anything but EXIT_FINE
 * after a message. */
int question_compile(struct session *s, const struct options *o, const char *path, const char *text);

#endif
