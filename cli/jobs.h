/* jobs.h - finds the jobs that a command works on, and evaluates one. */
#ifndef PLAN_CLI_JOBS_H
#define PLAN_CLI_JOBS_H

#include "cli/session.h"
#include "runtime/bind/job.h"

struct job_list {
	uint32_t *at;                /* globals, in source order */
	uint32_t n;
};

/* The job called `name`, or every job when it is NULL. Anything but EXIT_FINE after a message: no such
 * job, or no job at all. */
int jobs_select(struct session *s, const char *path, const char *name, struct job_list *result);

/* Evaluates the job of a global, its rules included. With a profile (the name of a preset) the job is
 * taken with that profile instead of its own. NULL after a message. */
const struct job *job_of_global(struct session *s, uint32_t global, const char *profile);

/* The global of a preset of the library's schema `profile`; IR_NONE after a usage message. */
uint32_t profile_find(struct session *s, const char *name);

#endif
