/* reads.h - what a definition reads, and what the source says at a place: shared by the answers that go back to
 * the text of the plan. */
#ifndef PLAN_ASK_READS_H
#define PLAN_ASK_READS_H

#include "runtime/bind/job.h"

enum read_kind {
	READ_SLOT,                   /* a field of a record */
	READ_GLOBAL,                 /* a name of a file */
	READ_NODE                    /* an expression: a `let`, a call */
};

/* A value that a definition reads. */
struct read {
	enum read_kind kind;
	struct str label;            /* as the definition writes it */
	struct record *record;       /* READ_SLOT */
	uint32_t slot;
	uint32_t global;             /* READ_GLOBAL */
	ir_id node;                  /* READ_NODE, and the expression that reads otherwise */
	struct scope scope;          /* of the node */
	const struct job *job;       /* whose result it is; NULL for anything else */
};

struct reads {
	VEC(struct read) all;
};

/* What the evaluation of a node in a scope reads, each once, in source order. Branches that are not taken do
 * not count. */
void reads_of(struct eval *ev, ir_id node, struct scope scope, struct reads *reads);

/* The one thing an expression names: a path gives its field, a name its global, anything else itself. */
struct read read_of(struct eval *ev, ir_id node, struct scope scope, struct str label);

/* The value of a read, silently. */
struct value read_value_of(struct eval *ev, const struct read *r);
const struct type *read_type(const struct eval *ev, const struct read *r);

/* The text of a node on one line, cut when it is long; "llama.plan:12". */
struct str ask_text(struct eval *ev, struct span at);
struct str ask_place(struct eval *ev, struct span at);

#endif
