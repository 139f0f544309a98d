/* command.h - the table of commands and what one of them looks like.
 *
 * A command reads its options, works on a session and returns one of the exit codes below. Its text
 * goes to session.out, its messages to session.sink; main.c writes both when it is done.
 */
#ifndef PLAN_CLI_COMMAND_H
#define PLAN_CLI_COMMAND_H

#include "cli/options.h"
#include "cli/session.h"
#include "runtime/report/sweep.h"

enum exit_code {
	EXIT_FINE = 0,
	EXIT_PLAN = 1,               /* errors in the plan */
	EXIT_DIFFERENT = 2,          /* emit --check, fmt --check: a file would be written anew */
	EXIT_NOTHING = 3,            /* a sweep without a feasible candidate, no value is enough */
	EXIT_USAGE = 4,              /* wrong command line, or files that cannot be read or written */
	EXIT_PARTIAL = 5,            /* a sweep was stopped; what is printed is about a part of it */
	EXIT_INTERNAL = 70           /* a fault of ours, or no memory left */
};

typedef int command_run(struct session *s, const struct options *o);

struct command {
	const char *name;
	const char *operands;        /* as usage shows them: "FILE [JOB]" */
	const char *summary;         /* one line for the list of commands */
	const char *details;         /* paragraphs for its own help */
	uint64_t options;            /* OPTION_BIT of each, without --help */
	int least, most;             /* number of operands */
	command_run *run;
};

command_run command_check, command_report, command_emit, command_debug, command_explain,
	command_targets, command_fmt, command_set, command_test,
	command_eval, command_why, command_sweep, command_why_not, command_doc, command_diff,
	command_ci, command_fix, command_repl, command_trace, command_solve, command_sensitivity,
	command_import, command_merge, command_suggest;

/* All commands, in the order help lists them; ends with a NULL name. */
extern const struct command commands[];

const struct command *command_find(const char *name);   /* NULL when there is none */

/* All of planc: the exit code of a command line. `post` goes to the other processes that search with this one, all with
 * the same command line (planc-mpi); NULL: there are none. */
int planc_main(int argc, char **argv, struct post *post);

/* Says on stderr what is wrong with the command line; the exit code for it. */
int usage_error(const struct session *s, const char *fmt, ...) PLAN_PRINTF(2, 3);

/* " (did you mean `x`?)" in the session's arena when a candidate is close to wrong, else "". */
const char *did_you_mean(struct session *s, const char *wrong, const char *const *candidates,
			 size_t count);

/* sweep.c, for commands that report one. A form of the report by its name; false after a message. */
bool form_read(struct session *s, const struct options *o, enum sweep_form *form);

/* Names, types and rules of the whole plan; false after messages. */
bool plan_is_sound(struct session *s);

/* The sweep of the root file of that name (NULL: all of them); the count, 0 after a message. */
enum { SWEEPS_MAX = 1000 };
uint32_t sweeps_select(struct session *s, const char *path, const char *name, uint32_t *at);

/* Its report, with warnings; the exit code (`file`: the checkpoint, or NULL). And what stands in session.out to the file of `-o`. */
int sweep_report(struct session *s, struct search *search, enum sweep_form form, const char *file);
int sweep_write(struct session *s, const struct options *o, enum sweep_form form, int code);

/* Texts of --help; for all of planc when command is NULL. */
void help_print(struct out *o, const struct command *command);

#endif
