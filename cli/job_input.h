/* job_input.h - what a command about a job reads: a plan, or the three files of SimuMax. */
#ifndef PLAN_CLI_JOB_INPUT_H
#define PLAN_CLI_JOB_INPUT_H

#include "cli/session.h"

/* Compiles the first operand, or what --simumax names, and asks whether --profile names a preset. `path` becomes
 * the file to name in messages. Anything but EXIT_FINE after a message. */
int job_input_compile(struct session *s, const struct options *o, const char **path);

#endif
