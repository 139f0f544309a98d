/* why_int.h - shared by the files that make the tree of `why`. */
#ifndef PLAN_ASK_WHY_INT_H
#define PLAN_ASK_WHY_INT_H

#include "runtime/ask/why.h"
#include "runtime/bind/job.h"
#include "runtime/io/json_write.h"

/* Parts stand under what they are parts of. */
enum { INDENT = 2 };

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

/* Where the parts of a result go: indented lines, or members of an open array. */
struct parts {
	struct out *o;               /* its arena takes what is made on the way, for JSON too */
	struct json_writer *json;    /* NULL: lines of text */
	uint32_t indent;
};

/* The parts of a result of the cost model; nothing for a result that has none. */
void parts_print(struct eval *ev, const struct read *r, struct parts *parts);

/* The text of a node on one line, cut when it is long; "llama.plan:12". */
struct str ask_text(struct eval *ev, struct span at);
struct str ask_place(struct eval *ev, struct span at);

#endif
