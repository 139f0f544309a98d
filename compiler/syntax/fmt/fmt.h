/* fmt.h - the layout of plans: a text and its tree in, the same plan as everybody writes it out.
 *
 *	struct parse_result r = parse_file(&in);
 *	if (r.ok && fmt_plan(arena, text, r.tree, &out)) ...
 *
 * The formatter decides about indentation, spaces, separators and the columns of `=`, and breaks
 * what is wider than FMT_WIDTH. It never joins lines that the author kept apart at a place where
 * lines may be broken, and never touches a comment, a string or a number. Formatting a formatted
 * text gives that text.
 */
#ifndef PLAN_FMT_FMT_H
#define PLAN_FMT_FMT_H

#include "compiler/syntax/parse.h"

enum { FMT_WIDTH = 100, FMT_INDENT = 2 };

/* Appends the layout of a text that parsed without an error. False, with nothing to be used in
 * o, when the tree does not belong to the text. Memory for the way there comes from `a`. */
bool fmt_plan(struct arena *a, struct str text, const struct ast *tree, struct out *o);

/* Whether two texts say the same: equal trees, positions aside, and the same comments in the same
 * order, blanks at their ends aside. Names of both trees must come from one interner. */
bool fmt_same(struct arena *a, struct str old_text, const struct ast *old_tree, struct str new_text,
	      const struct ast *new_tree);

enum fmt_outcome {
	FMT_SAME,                    /* the text is laid out already */
	FMT_CHANGED,
	FMT_REFUSED,                 /* it has syntax errors, which are in the sink */
	FMT_FAULT                    /* the layout would say something else: a mistake of ours */
};

/* Parses a text and lays it out into o (initialised here); the layout is parsed again and compared
 * before anybody relies on it. What stands in o is of use for FMT_SAME and FMT_CHANGED only.
 * `sources` are those of the input; the layout is added to them. */
enum fmt_outcome fmt_checked(const struct parse_input *in, struct sources *sources, struct out *o);

#endif
