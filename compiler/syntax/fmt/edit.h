/* edit.h - changes one value in the text of a plan and leaves the rest of it as it is. */
#ifndef PLAN_FMT_EDIT_H
#define PLAN_FMT_EDIT_H

#include "compiler/diag/diag.h"
#include "compiler/syntax/ast.h"

struct edit_input {
	struct arena *arena;
	const struct interner *names;
	struct diag_sink *sink;
	struct str text;             /* of the plan, which parsed */
	const struct ast *tree;
	const struct ast *path; /* AST_NAME, or AST_MEMBERs down to one: `base.recompute.layers` */
	struct str value;            /* an expression on one line, without a comment */
};

/* The text with the value at the path. The path begins with the name of a declared record, of a
 * `param` or of a `let`; otherwise it is a path in the only job of the plan. A field that the
 * braces of the record do not set is added to them, a record that is a reference there is
 * amended by `with`. False after reporting, with spans in the path, that there is nothing to
 * set. */
bool edit_set(const struct edit_input *in, struct str *result);

#endif
