/* target_choice.h - `--target NAME[@VERSION]`: a plan looked at as if its jobs ran on a framework. */
#ifndef PLAN_CLI_TARGET_CHOICE_H
#define PLAN_CLI_TARGET_CHOICE_H

#include "cli/session.h"

/* Takes the option apart and has the session load the target: before compiling. false after a usage message. */
bool target_choose(struct session *s, const struct options *o);

/* After compiling, before anything is evaluated: with a version given, every job runs on that version of the
 * framework of the target's name, where the library knows one. */
void target_force(struct session *s);

/* Whether all jobs name the framework that was asked for; needed where no version was given. false after a
 * usage message. */
bool target_matches(struct session *s, const uint32_t *jobs, uint32_t n);

#endif
