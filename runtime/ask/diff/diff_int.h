/* diff_int.h - the steps of comparing two plans; private to this folder. */
#ifndef PLAN_DIFF_DIFF_INT_H
#define PLAN_DIFF_DIFF_INT_H

#include "runtime/ask/diff/diff.h"
#include "runtime/io/json_write.h"

/* A value of one plan. */
struct side {
	struct eval *ev;
	struct value value;
	const struct type *type;     /* NULL: not known */
};

struct diff {
	struct eval *a, *b;
	struct out *o;               /* the text; its arena takes what is made on the way */
	struct json_writer *json;    /* entries go here in place of lines of text; or NULL */
	uint32_t lines, depth;
};

/* ---- diff_line.c: one difference -------------------------------------------------------------- */

bool diff_is_number(struct value v);

/* "base.tp: 2 -> 4 (+100.0%)" */
void diff_changed(struct diff *d, struct str path, const struct side *a, const struct side *b);

/* The same of two texts. */
void diff_reworded(struct diff *d, struct str path, struct str before, struct str after);

/* "+ strategy more": a name that only one plan declares; `added`: the second one. */
void diff_only(struct diff *d, bool added, struct str kind, struct str name);

/* "let", "strategy". */
struct str diff_global_kind(struct diff *d, const struct ir_program *p, const struct ir_global *g);

/* ---- diff_sweep.c: winners --------------------------------------------------------------------- */

/* Runs the sweeps of the root files that both declare; compares how many candidates are left, which ones win
 * and their goals. */
void diff_sweeps(struct diff *d);

#endif
