/* layout.h - making pipeline layouts and the letter texts they are written in.
 *
 * The text grammar is shared by stages("Et*3|(tt|)*29mL") and blocks("(S f)*3 A f", ...): single
 * letters, groups in parentheses that do not nest, `x*n` repeats a letter or a group, blanks and
 * commas are free. Layouts also know `|`, the end of a stage.
 *
 *	struct letters_fault fault;
 *	const struct layout *l = layout_parse(arena, text, &fault);
 *	if (!l) report(fault.what, fault.offset);
 */
#ifndef PLAN_VALUE_LAYOUT_H
#define PLAN_VALUE_LAYOUT_H

#include "runtime/value/value.h"

/* Letters a text may expand to, and stages a layout may have. */
enum { LETTERS_MAX = 1000000 };

struct letters_fault {
	uint32_t offset, length; /* bytes of the text that are wrong */
	const char *what;        /* "groups do not nest" */
};

struct letter {
	char c;
	uint32_t offset; /* where it was written */
};

struct letters {
	struct letter *at;
	uint32_t n;
};

/* Writes a text out: repeats and groups expanded, blanks and commas gone. Any ASCII letter is taken,
 * `|` only when bars is true. false fills the fault. */
bool letters_expand(struct arena *a, struct str text, bool bars, struct letters *result,
		    struct letters_fault *fault);

/* Layers spread evenly (as they are, or as even as whole layers allow); embedding and loss weigh that
 * many layers. */
const struct layout *layout_make_even(struct arena *a, enum layout_kind kind, int64_t embedding,
				      int64_t loss);

/* Layers of the first and the last rank, the rest even; NULL leaves one out. */
const struct layout *layout_make_ends(struct arena *a, const int64_t *first, const int64_t *last);

/* Layers of each rank or virtual stage; n > 0, no entry negative. The numbers are not copied. */
const struct layout *layout_make_counts(struct arena *a, const int64_t *counts, uint32_t n);

/* A layout written out; NULL after filling the fault. */
const struct layout *layout_parse(struct arena *a, struct str text, struct letters_fault *fault);

/* The same distribution, however it was written: counts([2, 2]) is stages("Ett|ttL"). */
bool layout_equal(const struct layout *a, const struct layout *b);

/* `.kind`, `.stages` ...; VALUE_NONE where only the job can know. A list lies in the arena. */
struct value layout_get_member(struct arena *a, const struct layout *l, enum layout_member member);

/* "balanced(embedding = 1)", "counts([2, 2])": source that reads back to the same layout. */
void layout_print_source(struct out *o, const struct layout *l);

#endif
