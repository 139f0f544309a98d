/* plan.h - libplan: plans for training large language models, compiled and evaluated from a C program.
 *
 *	struct plan_context *c = plan_new();
 *	struct plan_value time;
 *
 *	if (c && plan_compile_file(c, "examples/llama3_8b_a100.plan") == PLAN_OK &&
 *	    plan_read(c, "pretrain.step.time", &time) == PLAN_OK)
 *		printf("%s, that is %.6f %s\n", time.text, time.number, time.unit);
 *	else if (c)
 *		puts(plan_message(c));
 *	plan_free(c);
 *
 * Contexts. Everything hangs off a context; the library has no other state. A context compiles one
 * plan at a time: a new compilation takes the place of the former one, while the settings stay.
 *
 * Memory. Every text and every list that the library gives out belongs to the context. Texts end in a
 * NUL. They stay until the next compilation in that context or until plan_free, whichever comes
 * first. Texts handed to the library are copied.
 *
 * Errors. A function that can fail returns a status. plan_message says in one sentence what the
 * matter was; what is wrong with a plan is in its diagnostics. A null pointer where none is
 * allowed, or a call that needs a compiled plan when there is none, is PLAN_MISUSE. The library never
 * prints and never exits, with one exception: when it finds a mistake in itself it writes a line to
 * stderr and exits with status 70.
 *
 * Threads. A context is for one thread at a time. Contexts know nothing of each other, so every thread
 * may work with one of its own.
 */
#ifndef PLAN_INCLUDE_PLAN_H
#define PLAN_INCLUDE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLAN_VERSION "0.1.0"
#define PLAN_EDITION 1               /* of the language */

#if defined(__GNUC__)
#define PLAN_API __attribute__((visibility("default")))
#else
#define PLAN_API
#endif

enum plan_status {
	PLAN_OK,
	PLAN_ERRORS,                 /* the plan has errors: see its diagnostics */
	PLAN_DIFFERENT,              /* comparing: a file would be written anew */
	PLAN_NOTHING_LEFT,           /* no candidate of a sweep keeps all conditions, no value is enough */
	PLAN_NOT_FOUND,              /* no job, sweep, name, field or target is called so */
	PLAN_NO_FILE,                /* a file the caller named cannot be read */
	PLAN_NO_MEMORY,              /* the system gives no more, or the limit is reached */
	PLAN_MISUSE                  /* a null pointer, a call at the wrong time, a number out of range */
};

struct plan_context;

/* ---- a context and its settings -------------------------------------------------------------- */

/* The version of the library that is running, "0.1.0". */
PLAN_API const char *plan_version(void);

/* What a status means, in a few words. Never null. */
PLAN_API const char *plan_status_text(enum plan_status status);

/* A new context, which the caller gives back by plan_free; null when there is no memory. */
PLAN_API struct plan_context *plan_new(void);

/* Gives a context back with everything that was read from it. A null pointer is fine. */
PLAN_API void plan_free(struct plan_context *c);

/* One sentence about the last call on this context that did not return PLAN_OK; "" when there was
 * none. Stays until the next call on the context. */
PLAN_API const char *plan_message(const struct plan_context *c);

/* Reads the standard library from a folder instead of the one inside of libplan; null or "" goes back
 * to that one. For later compilations. */
PLAN_API enum plan_status plan_set_library(struct plan_context *c, const char *folder);

/* Gives a `param` of the plan a value, an expression of the language such as "16" or "80 GiB". A value
 * of null takes the setting back. For later compilations; a name that the plan does not declare is
 * reported there. */
PLAN_API enum plan_status plan_set_parameter(struct plan_context *c, const char *name,
					     const char *value);

/* Takes every job with another profile of the cost model ("standard", "simumax", "ideal") than the plan
 * says; null or "" goes back to what the plan says. For later compilations. */
PLAN_API enum plan_status plan_set_profile(struct plan_context *c, const char *profile);

enum plan_limit {
	PLAN_LIMIT_MEMORY,           /* bytes a context may hold; none */
	PLAN_LIMIT_FILE,             /* bytes of a file that is read; 16 MiB */
	PLAN_LIMIT_STEPS,            /* expressions that one evaluation computes; 20 million */
	PLAN_LIMIT_ARTEFACT,         /* bytes of a file that is emitted; 64 MiB */
	PLAN_LIMIT_DEPTH,            /* brackets open at one place of a text; 200, and 400 at most */
	PLAN_LIMIT_CANDIDATES        /* of a sweep, whatever the plan allows; what the plan allows */
};

/* Sets a limit, 0 for the one that is usual (in the comments above). PLAN_LIMIT_MEMORY is kept from now
 * on, the others in later compilations. Beyond PLAN_LIMIT_MEMORY calls return PLAN_NO_MEMORY; beyond
 * another limit the plan has an error that names it. PLAN_MISUSE for a limit above 2^31 - 1 where
 * it counts bytes of a file, and for a depth above 400. */
PLAN_API enum plan_status plan_set_limit(struct plan_context *c, enum plan_limit limit, uint64_t most);

/* ---- compiling ------------------------------------------------------------------------------- */

/* Compiles a file and what it imports. PLAN_NO_FILE when it cannot be read; PLAN_ERRORS when it, or
 * something it imports, has errors, and then there is nothing to evaluate. What the former compilation
 * of this context gave out is gone in any case. */
PLAN_API enum plan_status plan_compile_file(struct plan_context *c, const char *path);

/* The same for a text of `size` bytes. `path` is the name it has in messages and the place that its
 * imports are relative to; the file need not exist. */
PLAN_API enum plan_status plan_compile_text(struct plan_context *c, const char *path, const char *text,
					    size_t size);

/* Reads the three JSON files of SimuMax as a plan with one job, `imported`. */
PLAN_API enum plan_status plan_compile_simumax(struct plan_context *c, const char *model,
					       const char *strategy, const char *system);

enum plan_check {
	PLAN_CHECK_RULES,            /* what can be tested without the cost model */
	PLAN_CHECK_ALL               /* everything, every job of the plan evaluated for it */
};

/* Tests the rules of the library and the asserts of the plan. PLAN_ERRORS when one is broken. */
PLAN_API enum plan_status plan_check(struct plan_context *c, enum plan_check what);

/* Lays a text out as `planc fmt` does. Counts as a compilation: it takes the place of the former one,
 * and leaves nothing to evaluate. PLAN_ERRORS when the text cannot be parsed. */
PLAN_API enum plan_status plan_format(struct plan_context *c, const char *path, const char *text,
				      size_t size, const char **formatted);

/* ---- diagnostics ----------------------------------------------------------------------------- */

/* A place in a text; lines and columns begin at 1, columns count bytes. */
struct plan_place {
	const char *file;            /* null: no place, and the rest is 0 */
	uint32_t line, column;
	uint32_t end_line, end_column;   /* behind its last byte */
};

/* A value that a broken condition was drawn with. */
struct plan_shown {
	const char *expression;      /* "pretrain.memory.peak" */
	const char *text;            /* "91.2 GiB" */
};

struct plan_diagnostic {
	const char *code;            /* "E2004": stable, never used for something else */
	const char *name;            /* "not_an_integer"; for a rule of the library the rule's name */
	bool error;                  /* false: a warning */
	const char *message;
	struct plan_place place;
	const char *const *notes;
	size_t note_count;
	const char *const *helps;
	size_t help_count;
	const struct plan_shown *values;
	size_t value_count;
};

/* All diagnostics since the text was compiled, in the order of the places; repetitions of a place are
 * left out. An empty list before anything was compiled. */
PLAN_API enum plan_status plan_diagnostics(struct plan_context *c, const struct plan_diagnostic **list,
					   size_t *count);

enum plan_format {
	PLAN_FORMAT_TEXT,            /* for people, with the lines of the plan */
	PLAN_FORMAT_COLOUR,          /* the same with colours for a terminal */
	PLAN_FORMAT_JSON,            /* an object a line, with everything there is */
	PLAN_FORMAT_GITHUB,          /* annotations of a workflow */
	PLAN_FORMAT_SARIF            /* a log of SARIF 2.1.0 */
};

/* The same as one text, "" when there are none. */
PLAN_API enum plan_status plan_diagnostics_text(struct plan_context *c, enum plan_format format,
						const char **text);

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Number of jobs that the plan declares, in the order of its text; 0 when nothing is compiled. */
PLAN_API size_t plan_job_count(const struct plan_context *c);

/* Name of a job; null when there are not that many. */
PLAN_API const char *plan_job_name(const struct plan_context *c, size_t index);

/* Evaluates a job: its rules, its step time, its memory. Not needed before the functions below, which
 * evaluate what they need; it only says in advance whether it can be done. `job` may be null for
 * the only job of a plan. */
PLAN_API enum plan_status plan_evaluate(struct plan_context *c, const char *job);

enum plan_report {
	PLAN_REPORT_TEXT,            /* for people */
	PLAN_REPORT_JSON             /* one object, described by report.schema.json */
};

/* The report of a job, as `planc report` writes it. `job` may be null for the only job of a plan. */
PLAN_API enum plan_status plan_report(struct plan_context *c, const char *job, enum plan_report form,
				      const char **text);

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* Number of sweeps that the plan declares, in the order of its text; 0 when nothing is compiled. */
PLAN_API size_t plan_sweep_count(const struct plan_context *c);

/* Name of a sweep; null when there are not that many. */
PLAN_API const char *plan_sweep_name(const struct plan_context *c, size_t index);

enum plan_sweep_report {
	PLAN_SWEEP_TEXT,             /* for people: the best candidates, what removed the others */
	PLAN_SWEEP_JSON,             /* one object with the same */
	PLAN_SWEEP_CSV,              /* all feasible candidates, a row each */
	PLAN_SWEEP_JSONL,            /* the same, an object a line */
	PLAN_SWEEP_HTML              /* a page with a picture; it needs no network */
};

/* Runs a sweep and reports it, as `planc sweep` does. `sweep` may be null for the only one of a plan.
 * PLAN_NOTHING_LEFT when no candidate is feasible; the text is there all the same, and a
 * diagnostic says what could be given up. A winner that the plan names by a `let` can be read like any
 * other value, without calling this. */
PLAN_API enum plan_status plan_sweep(struct plan_context *c, const char *sweep,
				     enum plan_sweep_report form, const char **text);

/* ---- values ---------------------------------------------------------------------------------- */

enum plan_kind {
	PLAN_KIND_NONE,              /* `none`: an optional field that nobody set */
	PLAN_KIND_BOOL,
	PLAN_KIND_NUMBER,
	PLAN_KIND_TEXT,
	PLAN_KIND_NAME,              /* a value of an enum */
	PLAN_KIND_RECORD,
	PLAN_KIND_LIST,              /* lists and tuples */
	PLAN_KIND_OTHER              /* tables, layouts, arguments: they have a text only */
};

struct plan_value {
	enum plan_kind kind;
	bool truth;                  /* of a BOOL */
	bool exact;                  /* of a NUMBER: `fraction` is its value to the last digit */
	bool fits;                   /* of a NUMBER: it is an integer and `integer` holds it */
	int64_t integer;
	double number;               /* of a NUMBER, in `unit`; the nearest double */
	const char *unit;            /* "s", "B", "FLOP/s", "USD", "J", "" */
	const char *fraction;        /* of an exact NUMBER, in `unit`: "6442450944", "-61/16"; else "" */
	const char *text;            /* as people read it: "6 GiB", "5.55 s", "12.5%" */
	const char *source;          /* as the language writes it, the same value again; "" for records
				      * and for what is not exact */
	const char *type;            /* "time", "bytes", "int", "strategy", "list[int]" */
	size_t count;                /* fields of a RECORD, elements of a LIST */
};

/* Reads a value. A path begins with a name of the plan (a job, an instance, a `let`, a `param`, an
 * imported name) and goes on with fields and with elements of lists, counted from 0:
 * "pretrain.step.time", "pretrain.memory.stages[0].peak". PLAN_NOT_FOUND when there is no such
 * name or field, PLAN_ERRORS when computing the value runs into an error. */
PLAN_API enum plan_status plan_read(struct plan_context *c, const char *path, struct plan_value *value);

/* Name of a field of the record at `path`, counted from 0 to its `count`; with the path "" the names
 * that the plan itself declares. PLAN_NOT_FOUND behind the last one, and for what is no record. */
PLAN_API enum plan_status plan_field_name(struct plan_context *c, const char *path, size_t index,
					  const char **name);

/* ---- questions ------------------------------------------------------------------------------- */

/* The value of an expression of the language over the plan, as `planc eval` has it: "pretrain.step.time / 2".
 * The plan is compiled once more for each question, with what is wrong with the question among its
 * diagnostics: PLAN_ERRORS. Jobs are taken under the profile that the plan says. */
PLAN_API enum plan_status plan_eval(struct plan_context *c, const char *expression,
				    struct plan_value *value);

/* Where the value of an expression comes from, as `planc why` shows it. */
PLAN_API enum plan_status plan_why(struct plan_context *c, const char *expression, const char **text);

/* Why a candidate did not win a sweep, as `planc why-not` says it. A point is "tp = 2, pp = 4": axes with their
 * values; the sweep may be null for the only one of a plan. */
PLAN_API enum plan_status plan_why_not(struct plan_context *c, const char *sweep, const char *point,
				       const char **text);

enum plan_wanted { PLAN_LEAST, PLAN_GREATEST };

/* Which value of a field is just enough. A null text is left out. */
struct plan_inverse {
	const char *path;            /* "cluster.nodes": a param, a field of a record, a path in the only job */
	enum plan_wanted wanted;
	const char *job;             /* the record that has to keep what follows; null: the one the path begins with, or
				      * the only job */
	const char *such_that;       /* "days <= 30 d", besides the rules and the memory; null: nothing */
	const char *in;              /* "1..64", "1 GB..9 GB by 1 GB", "[8, 16]"; null: around what the plan says */
	double precision;            /* of quantities, a share from 0.0001 to 0.5; 0: 0.001 */
};

/* The least or greatest value of a field with which everything that has to hold holds, as `planc solve` finds it,
 * which the language's manual, section 20, describes: by bisection among the legal values. `value` gets the
 * answer and `text` what planc prints of it, the reasons why the next values are not enough among it; either may be null.
 * The plan is compiled once more for each question, like for plan_eval. PLAN_NOTHING_LEFT when no value is enough,
 * with a diagnostic that says why; PLAN_ERRORS for a question that cannot be asked. */
PLAN_API enum plan_status plan_solve(struct plan_context *c, const struct plan_inverse *question,
				     struct plan_value *value, enum plan_report form, const char **text);

/* What a small change does to a job's step time and memory, as `planc sensitivity` tells it: one step along each axis
 * of a sweep from its best candidate, and a tenth less and more of every figure of the hardware. `name` is that of a
 * sweep or of a job; null for the only sweep, or without sweeps the only job. PLAN_NOTHING_LEFT when the
 * sweep has no feasible candidate. */
PLAN_API enum plan_status plan_sensitivity(struct plan_context *c, const char *name, enum plan_report form,
					   const char **text);

/* What the plan of `other` says differently, a line each, as `planc diff` prints it. The text belongs to `c`;
 * other is left as it is but for values that it had not computed yet. Both may lie in one thread only.
 * PLAN_DIFFERENT when there is a line. */
PLAN_API enum plan_status plan_diff(struct plan_context *c, struct plan_context *other,
				    const char **text);

/* The documentation of the plan as a page of Markdown, as `planc doc` makes it. */
PLAN_API enum plan_status plan_doc(struct plan_context *c, const char **text);

/* ---- tests ----------------------------------------------------------------------------------- */

/* Number of tests that the plan declares, in the order of its text; 0 when nothing is compiled. */
PLAN_API size_t plan_test_count(const struct plan_context *c);

/* Title of a test; null when there are not that many. */
PLAN_API const char *plan_test_title(const struct plan_context *c, size_t index);

/* Runs a test. PLAN_ERRORS when it fails; why is among the diagnostics. */
PLAN_API enum plan_status plan_test(struct plan_context *c, size_t index);

/* ---- texts ----------------------------------------------------------------------------------- */

/* Puts another value into the text of a plan and leaves the rest of it alone, as `planc set` does:
 * "strategy.tp" and "2 * 4". Counts as a compilation, like plan_format, and does not look whether the
 * new plan is sound. PLAN_ERRORS when the text cannot be parsed, or there is nothing to set. */
PLAN_API enum plan_status plan_set(struct plan_context *c, const char *path, const char *text, size_t size,
				   const char *where, const char *value, const char **result);

/* What a plan is wanted for; null and 0 leave a choice to the rules of thumb of the library (std:suggest). */
struct plan_start {
	const char *model, *cluster;         /* "llama3_70b" of the library, "ours/base.plan:ours" of a file */
	uint64_t gpus, sequence, global_batch;
	const char *target;                  /* whose rules hold as well: "megatron@0.14", "megatron" */
	const char *path;                    /* where the plan will lie, for its imports; null: in the current folder */
};

/* A plan to start from, as `planc suggest` writes it, under the profile of the context. Counts as a compilation, like
 * plan_format. PLAN_NOTHING_LEFT when the model does not fit or a rule leaves nothing: the diagnostic says on how many
 * GPUs it would, or which rule; PLAN_NOT_FOUND for a model or cluster that its file does not declare; PLAN_ERRORS when
 * that file, the profile or the target has errors. */
PLAN_API enum plan_status plan_suggest(struct plan_context *c, const struct plan_start *wanted, const char **plan);

/* Makes the corrections that diagnostics of the text carry and that are sure, as `planc fix` does, until there are no
 * more. `result` is the whole text, `count` how many were made (0: it is as it was); imports are read relative to `path`.
 * Counts as a compilation, like plan_format. PLAN_ERRORS when errors are left, which are among the
 * diagnostics; the text is there all the same. */
PLAN_API enum plan_status plan_fix(struct plan_context *c, const char *path, const char *text, size_t size,
				   const char **result, size_t *count);

/* The page of a message, by its code ("E2004") or its name ("not_an_integer"), which stays for ever; null
 * when there is none. */
PLAN_API const char *plan_explain(const char *code);

/* ---- artefacts ------------------------------------------------------------------------------- */

/* A framework that the standard library can write for and whose rules it knows. */
struct plan_target {
	const char *name;            /* "megatron", as `emit` and plan_emit take it */
	const char *versions;        /* "0.12 to 0.20", "0.14"; "" when it has none */
	const char *title;           /* one line */
	size_t rules;                /* of its own, tested before anything is emitted */
	size_t flags;                /* flags and keys it can write */
};

/* All of them in the order of the alphabet. Needs no plan. PLAN_NO_FILE when there is no library where
 * plan_set_library says. */
PLAN_API enum plan_status plan_targets(struct plan_context *c, const struct plan_target **list, size_t *count);

enum plan_emit {
	PLAN_EMIT_MEMORY,            /* touch no file */
	PLAN_EMIT_COMPARE,           /* say which files are not what they should be */
	PLAN_EMIT_WRITE
};

enum plan_artefact_state {
	PLAN_ARTEFACT_NEW,           /* written; or in memory */
	PLAN_ARTEFACT_CURRENT,       /* the file has this content already */
	PLAN_ARTEFACT_MISSING,       /* comparing: there is no such file */
	PLAN_ARTEFACT_DIFFERENT      /* comparing: its content is another one */
};

struct plan_artefact {
	const char *path;            /* below the folder */
	const char *content;
	size_t size;                 /* of the content */
	const char *target;          /* "megatron" */
	enum plan_artefact_state state;
};

/* Runs the `emit` declarations of the plan, or only those of one target. Files are written below
 * `folder` ("" and null: the current one), whole or not at all, and never over a file that planc did
 * not write; all files of one `emit` or none. PLAN_NOT_FOUND when the plan emits nothing, PLAN_ERRORS
 * when it has errors or a file cannot be written, PLAN_DIFFERENT when comparing found a
 * difference. The list holds the files of those emits that succeeded; it may be null. */
PLAN_API enum plan_status plan_emit(struct plan_context *c, enum plan_emit mode, const char *target,
				    const char *folder, const struct plan_artefact **list,
				    size_t *count);

#ifdef __cplusplus
}
#endif

#endif
