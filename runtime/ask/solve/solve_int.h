/* solve_int.h - the values that `planc solve` may try, and what is known of them. */
#ifndef PLAN_SOLVE_SOLVE_INT_H
#define PLAN_SOLVE_SOLVE_INT_H

#include "runtime/ask/solve/solve.h"

enum {
	SOLVE_VALUES_MAX = 1000000,      /* in a range */
	SOLVE_DEFAULT_VALUES = 4096,     /* of a range that nobody gave */
	SOLVE_ALL_TRIED = 16,            /* so many values are all tried */
	SOLVE_LEGALITIES_MAX = 100000    /* values whose rules are tested */
};

enum ladder_kind { LADDER_LIST, LADDER_STEPS, LADDER_POWERS };

/* The values in ascending order, numbered from 0. */
struct ladder {
	enum ladder_kind kind;
	uint32_t n;
	const struct value *list;    /* LADDER_LIST */
	struct num low, step;        /* LADDER_STEPS */
	double first, last, ratio;   /* LADDER_POWERS: first * ratio^k, the last one `last` */
};

/* text.c: with a digit more than people need, so that neighbours differ. */
void solve_print_value(struct out *o, const struct ir_program *p, struct value v, const struct type *t);

/* Makes the ladder of a question. `now`: the present value. false after E2703. */
bool ladder_make(struct ladder *l, struct eval *ev, const struct ir_inverse *q, struct value now,
		 double precision);
struct value ladder_value(const struct ladder *l, struct arena *a, uint32_t k);

#endif
