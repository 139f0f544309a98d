/* emit.h - runs the `emit` declarations of a program: job in, artefacts out.
 *
 * A target is a schema of the library (or of the plan) that extends `target`. Everything that is
 * particular to a framework is said there: its rules as asserts, its files as fields. This
 * folder knows kinds of artefact (a shell script, bare arguments, JSON), never a framework. How
 * a target names its files and groups is described in stdlib/targets/README.md.
 *
 * One `emit` is one unit: its rules are tested and its files built in memory first, then all of
 * them are written or none.
 */
#ifndef PLAN_EMIT_EMIT_H
#define PLAN_EMIT_EMIT_H

#include "compiler/base/vec.h"
#include "runtime/eval/eval.h"

enum { EMIT_ARTEFACT_MAX = 64 << 20 };

struct emit_input {
	struct eval *ev; /* with the native hook installed: targets read native fields */
	struct str plan; /* path of the plan as the user named it, for the header */
	struct str root; /* folder that paths are relative to and may not leave; "" = "." */
	struct str only; /* run only emits of this target; empty = all of the root file */
	bool check;      /* write nothing: compare with the files that are there */
	bool memory;     /* touch no file, not even to look whether it is there */
	bool asked;      /* the rules are all that is wanted: `written` of the target is false */
	uint32_t artefact_max; /* bytes a file may have; 0 = EMIT_ARTEFACT_MAX */
};

enum emit_state {
	EMIT_WRITTEN,   /* new, or its content changed */
	EMIT_UNCHANGED, /* the file already had this content; not touched */
	EMIT_MISSING,   /* check: there is no such file */
	EMIT_DIFFERENT  /* check: the file has another content */
};

struct emit_artefact {
	struct str path; /* below the root, as it was written */
	struct str content;
	struct str target; /* name of the target's schema */
	enum emit_state state;
};

struct emit_result {
	VEC(struct emit_artefact) artefacts; /* in source order; only of emits that succeeded */
	bool differs;                        /* check: at least one file is missing or different */
};

/* Runs every selected emit. Returns false when one failed (the others still ran); the sink then
 * holds why: E2301 and E2505 broken rules, E2502 to E2506 files, E2511 what the target cannot
 * express. A program without a matching emit is not an error: the result is empty. The artefacts
 * live in the evaluation's arena. */
bool emit_run(const struct emit_input *in, struct emit_result *result);

/* Lets the evaluator try the emits in blocks of tests that are expected to fail: as emit_run does, in memory. */
void emit_install(struct eval *ev);

/* Tests the rules of the targets that the plan's emits use, without the cost model and without building a
 * file: E2505, E2511. An emit whose job depends on a sweep is left out. `held` counts the rules kept. */
bool emit_check_targets(struct eval *ev, uint32_t *held);

/* The same for jobs (globals) and the program's `target`: each with the options of the plan's emits of it to that
 * target. Where there are none, nothing is to be written: a rule that holds `when written`, or that reads an
 * option without a default, is not tested. */
bool emit_check_jobs(struct eval *ev, struct sym target, const uint32_t *jobs, uint32_t n, uint32_t *held);

/* Reports every emit whose path cannot be written to whatever the folder holds (E2504): for checking a
 * plan without emitting it. A path that reads results of the cost model is left out. */
bool emit_check_paths(struct eval *ev);

#endif
