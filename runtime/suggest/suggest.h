/* suggest.h - a plan to start from: a model, a cluster, and what rules of thumb and a search make of them.
 *
 *	struct suggest_question q = { .model = { STR("std:models"), STR("llama3_70b") }, ... };
 *	struct out plan;
 *	if (suggest_plan(&asker, &q, &plan) == SUGGEST_FOUND) ... the text of a plan ...
 *
 * The rules of thumb are the library's: the schema `suggestion` of std:suggest answers with the choices that
 * there are, what its tables say about each, and the values around that which are worth a try. Here those
 * values become a sweep, the sweep is run, and its best candidate is written as a plan, with the figures of the
 * others in its comments and the sweep behind it.
 */
#ifndef PLAN_SUGGEST_SUGGEST_H
#define PLAN_SUGGEST_SUGGEST_H

#include "compiler/check/compile.h"
#include "runtime/eval/eval.h"

/* A record by its name and the file that declares it, as an import names it: "std:models", "ours/base.plan". */
struct suggest_subject {
	struct str file, name;
};

struct suggest_question {
	struct suggest_subject model, cluster;
	int64_t gpus, sequence, global;      /* 0: as the rules of thumb have it */
	struct str target, version;          /* a framework whose rules have to hold; empty: none is named */
	struct str profile;                  /* assumptions of the cost model; empty: what a job has by itself */
	struct str path;                     /* where the plan will lie; imports are relative to its folder */
};

/* Text to program and evaluator, as compilation_make does it. */
typedef struct ir_program *suggest_compile(struct compile_input *in, struct eval *ev);

struct suggest_asker {
	const struct compile_input *like;    /* arena, names, sources, sink, library: of all that is compiled here */
	suggest_compile *compile;
	uint32_t threads;                    /* of the search */
};

/* "llama3_70b" is a record of `library`; "ours/base.plan:ours" one of a file, seen from the folder of `path`. false:
 * that file does not lie below it. */
bool suggest_subject_read(struct arena *a, struct str text, const char *library, struct str path,
			  struct suggest_subject *subject);

enum suggest_answer {
	SUGGEST_FOUND,
	SUGGEST_NOTHING,             /* the model does not fit (E2705), or something else is in the way (E2706) */
	SUGGEST_UNKNOWN,             /* a file declares no record of that name (E2707) */
	SUGGEST_ERRORS               /* in what the subjects, the profile or the target name */
};

/* The plan, laid out, in the arena of the asker. Anything but SUGGEST_FOUND after a report. */
enum suggest_answer suggest_plan(const struct suggest_asker *a, const struct suggest_question *q,
				 struct out *plan);

#endif
