/* output_file.h - the file that `-o` names: written whole, and only over what planc wrote. */
#ifndef PLAN_CLI_OUTPUT_FILE_H
#define PLAN_CLI_OUTPUT_FILE_H

#include "cli/session.h"

struct output_file {
	const char *path;
	uint32_t head;               /* bytes that tell whose file it is */
	const char *what;            /* "trace": for the message about somebody else's file */
	bool there;
};

/* The beginning of what is there. false after a message. */
bool output_file_examine(struct session *s, struct output_file *f, struct str *old);

/* Reports that the file is somebody else's (E2503). EXIT_USAGE. */
int output_file_refuse(struct session *s, const struct output_file *f);

/* false after a message. */
bool output_file_write(struct session *s, const struct output_file *f, const struct out *text);

/* A plan that planc wrote goes to a new file: plans are there to be changed, and one that says anything else stays as
 * it is (E2503). The exit code. */
int output_file_plan(struct session *s, const char *path, const struct out *plan);

#endif
