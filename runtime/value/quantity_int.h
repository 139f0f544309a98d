/* quantity_int.h - display units, shared by the files of this folder that print numbers. */
#ifndef PLAN_VALUE_QUANTITY_INT_H
#define PLAN_VALUE_QUANTITY_INT_H

#include "runtime/value/value.h"

struct display_unit {
	const char *name; /* as the language reads it: "GiB", "TFLOPS" */
	int64_t num, den; /* base units in one */
};

struct display_scale {
	struct dimension dim;
	const struct display_unit *at;
	uint32_t n;
	uint32_t base; /* index of the unit that a plain zero is shown in */
	bool fixed;    /* one decimal in place of four significant digits */
};

/* How quantities of a dimension are shown; NULL for those that have no units of their own. */
const struct display_scale *display_scale_find(struct dimension d);

/* x in one of the scale's units, "75.9 GiB"; exact says whether x is more than a measured value. */
void display_number(struct out *o, const struct display_scale *s, struct num x, bool exact);

/* Rounded to so many significant digits, no zeros behind the last one that says something. Digits
 * before the point are never dropped. */
void print_significant(struct out *o, struct num x, int digits);

/* x fits behind the point in so many digits. */
bool num_has_decimals(struct arena *a, struct num x, int decimals);

struct num num_times(struct arena *a, struct num x, int64_t num, int64_t den);

/* Writes "B*FLOP/s": the base unit of any dimension; nothing for dimension one. */
void print_base_unit(struct out *o, struct dimension d);

#endif
