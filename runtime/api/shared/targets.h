/* targets.h - the targets of the standard library: which there are, and what one of them holds.
 *
 *	n = targets_names(arena, names, TARGETS_MAX);
 *	for each name:
 *		compile targets_text(arena, name) into a program of its own
 *		if (target_describe(&ev, name, &entry)) ...
 */
#ifndef PLAN_SHARED_TARGETS_H
#define PLAN_SHARED_TARGETS_H

#include "runtime/eval/eval.h"

enum { TARGETS_MAX = 100 };

struct target_entry {
	const struct ir_schema *schema;
	struct str versions;         /* "0.12 to 0.20", "0.14"; empty for a target that has none */
	struct str title;            /* the first line of its comment */
	uint32_t first_rule;         /* of the schema's asserts; those before it are the library's own */
	uint32_t rules, flags;
};

/* Names of the files under targets/, in the order of the alphabet; some are parts of others. */
uint32_t targets_names(struct arena *a, struct str *names, uint32_t most);

/* A plan that imports nothing else. */
struct str targets_text(struct arena *a, struct str name);

/* false for a file without a schema of its name that extends `target`. Texts live as long as the evaluator. */
bool target_describe(struct eval *ev, struct str name, struct target_entry *t);

#endif
