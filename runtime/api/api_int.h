/* api_int.h - what a context of libplan holds. Private to runtime/api, and to the tests that make its
 * memory fail.
 *
 * Every public function that allocates sets the escape first:
 *
 *	if (setjmp(c->escape) != 0)
 *		return context_out_of_memory(c);
 *
 * From there on running out of memory comes back to that line. Such a function changes none of its
 * variables between the two, or the jump could bring back an old value.
 */
#ifndef PLAN_API_API_INT_H
#define PLAN_API_API_INT_H

#include "include/plan.h"
#include "runtime/api/shared/compilation.h"

/* A job of the plan, taken under the profile of the context. */
struct api_job {
	uint32_t global;
	const char *name;
	bool evaluated;
	const struct job *job;       /* NULL: it could not be evaluated */
};

struct plan_context {
	jmp_buf escape;
	struct arena kept;           /* the context itself and its settings */
	struct arena work;           /* one compilation and what was read from it */
	const char *message;

	/* settings */
	struct str library_folder, profile;
	VEC(struct parameter) parameters;
	uint32_t file_max, artefact_max, depth_max;
	uint64_t steps_max, candidates_max;

	/* the compilation; all in work */
	struct interner *names;
	struct sources sources;
	struct diag_sink sink;
	struct compile_input input;
	struct ir_program *program;  /* NULL: nothing to evaluate */
	struct eval ev;
	struct api_job *jobs;
	uint32_t job_count;
	const uint32_t *sweeps;      /* indices into program->sweeps */
	uint32_t sweep_count;
	const char **titles;         /* of the tests */
	bool checked[PLAN_CHECK_ALL + 1], sound[PLAN_CHECK_ALL + 1];
};

/* plan_new, with the n-th allocation failing; 0 = none. */
struct plan_context *context_new(int64_t fail_after);

/* Drops the former compilation and makes everything ready for the next one. */
void context_begin(struct plan_context *c);

/* Drops a compilation that ran out of memory: its evaluation stopped anywhere. */
enum plan_status context_out_of_memory(struct plan_context *c);

/* Sets the message and returns the status. The text is copied into work; context_say takes a text
 * that lives longer than the context. */
enum plan_status context_fail(struct plan_context *c, enum plan_status status, const char *fmt, ...)
	PLAN_PRINTF(3, 4);
enum plan_status context_say(struct plan_context *c, enum plan_status status, const char *message);

/* PLAN_MISUSE with a message unless a program is there. */
enum plan_status context_needs_program(struct plan_context *c);

/* PLAN_ERRORS with the message of the first error as message. */
enum plan_status context_errors(struct plan_context *c);

/* "; did you mean `x`?" in work, or "". */
const char *context_meant(struct plan_context *c, struct str wrong, const char *const *names,
			  uint32_t count);

/* The status for what stands in the sink of a compilation that failed. */
enum plan_status context_failure(struct plan_context *c);

/* A text given by the caller, copied; false after a message when it is too large. */
bool context_take_text(struct plan_context *c, const char *path, const char *text, size_t size,
		       struct str *copy);

/* Lists the tests of the program. */
void tests_list(struct plan_context *c);

/* Lists the sweeps of the root file. */
void sweeps_list(struct plan_context *c);

/* What plan_check does behind its escape. */
enum plan_status context_check(struct plan_context *c, enum plan_check what);

/* What a caller gets to see of a value of the program. */
void value_describe(struct plan_context *c, const struct ir_program *p, struct value value, const struct type *t,
		    struct plan_value *v);

/* Sets the limits of the context for an evaluator. */
void context_limit(const struct plan_context *c, struct eval *ev);

/* The sweep of a name, or the only one for NULL; an index into program->sweeps. */
enum plan_status sweeps_find(struct plan_context *c, const char *name, uint32_t *sweep);

/* The job of a name, or the only one for NULL. Anything but PLAN_OK comes with a message. */
enum plan_status jobs_find(struct plan_context *c, const char *name, struct api_job **job);

/* Evaluates it once. PLAN_ERRORS when it cannot be. */
enum plan_status jobs_evaluate(struct plan_context *c, struct api_job *job);

#endif
