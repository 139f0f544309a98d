/* session.h - what one run of a command works with: memory, texts, messages, the compiled plan.
 *
 *	if (session_compile(s, o, path))
 *		... s->program, s->ev ...
 */
#ifndef PLAN_CLI_SESSION_H
#define PLAN_CLI_SESSION_H

#include "cli/options.h"
#include "compiler/check/compile.h"
#include "runtime/eval/eval.h"
#include "runtime/import/simumax/simumax.h"
#include "runtime/io/file_write.h"

struct session {
	struct arena arena;
	struct interner *names;
	struct sources sources;
	struct diag_sink sink;
	struct diag_style style;
	struct file_target *unfinished;      /* a file that is being written; NULL */
	struct session *children, *next;     /* those at work; the next one of the same parent */
	struct out messages;         /* already rendered, for files that had sessions of their own */
	struct str question;         /* an expression to compile with the plan; p NULL when there is none */
	const struct compile_inverse *inverse;   /* for session_compile, of `planc solve`; else NULL */
	struct str target;           /* for session_compile, of `planc check --target`; else empty */
	struct str target_version;   /* behind its `@`; empty without */
	bool test_failures;          /* compile what tests expect to fail, too */
	bool messages_to_stdout;     /* a machine format of messages is the output asked for */
	bool without_emits;          /* the command does not look at emits: set before compiling */
	struct out out;              /* becomes stdout */
	const char *command;         /* name for usage messages, NULL before it is known */
	struct str point, point_sweep;   /* for session_compile, of `planc why-not`; else empty */
	struct ir_program *program;  /* after session_compile */
	struct eval ev;
	struct post *post;           /* to other processes that search with us; NULL when there are none */
};

/* Whether we search for another process, which says what there is to say. */
bool session_serves(const struct session *s);

void session_init(struct session *s, jmp_buf *escape);
/* What was begun to be written and is not finished is removed. */
void session_release(struct session *s);

/* A session of its own for one of several files: nothing of one file is seen by another. What is not left
 * before is released with the parent. */
struct session *session_child(struct session *parent);

/* Renders the child's messages for the parent and leaves it. What the child left in `out` is lost. */
void session_join(struct session *parent, struct session *child);
void session_leave(struct session *parent, struct session *child);

/* Applies --format and --colour to the messages; `formats` lists the words --format takes, NULL when
 * the format is none of messages. false after a usage message. */
bool session_style(struct session *s, const struct options *o, bool message_formats);

/* Text to a program, and an evaluator for it with the cost model installed. false when there are
 * errors; session_failure says which exit code they stand for. */
bool session_compile(struct session *s, const struct options *o, const char *path);

/* The same for a text that stands for a file. */
bool session_compile_text(struct session *s, const struct options *o, struct str path, struct str text);

/* The same for the plan that the SimuMax reader wrote. */
bool session_compile_import(struct session *s, const struct options *o, struct import_text *text);

/* EXIT_USAGE when a file named on the command line could not be read, else EXIT_PLAN. */
int session_failure(const struct session *s);

/* Writes messages and output. The exit code: `code`, or EXIT_USAGE when stdout does not take it. A session that
 * serves writes nothing: the other process hears what kept it from serving. */
int session_finish(struct session *s, int code);

#endif
