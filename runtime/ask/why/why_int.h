/* why_int.h - shared by the files that make the tree of `why`. */
#ifndef PLAN_WHY_WHY_INT_H
#define PLAN_WHY_WHY_INT_H

#include "runtime/ask/reads.h"
#include "runtime/ask/why/why.h"
#include "runtime/bind/job.h"
#include "runtime/io/json_write.h"

/* Parts stand under what they are parts of. */
enum { INDENT = 2 };

/* Where the parts of a result go: indented lines, or members of an open array. */
struct parts {
	struct out *o;               /* its arena takes what is made on the way, for JSON too */
	struct json_writer *json;    /* NULL: lines of text */
	uint32_t indent;
};

/* The parts of a result of the cost model; nothing for a result that has none. */
void parts_print(struct eval *ev, const struct read *r, struct parts *parts);

#endif
