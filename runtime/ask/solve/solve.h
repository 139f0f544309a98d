/* solve.h - the least or greatest value of a field with which a record still meets what it has to.
 *
 * The values that may be tried are numbered: the elements of a list, the steps of a range, or for a
 * quantity the powers of (1 + precision). A value is *legal* when the rules of the library and the asserts of
 * the plan hold, as far as they need no cost model; legal values that also keep the rest and the condition
 * are *met*. What is not legal is stepped over: between the values that are, bisection looks for the place
 * where `met` changes, and a spread of others is tried to see whether it changes only once.
 */
#ifndef PLAN_SOLVE_SOLVE_H
#define PLAN_SOLVE_SOLVE_H

#include "runtime/ask/probe.h"

struct solve_options {
	bool maximise;               /* the greatest value; else the least */
	double precision;            /* of quantities, relative: 0.001 */
};

/* The precision that is usual, and whether one can be had: from 0.01% to 50%. */
#define SOLVE_PRECISION 0.001

static inline bool solve_takes(double precision)
{
	return precision >= 0.0001 && precision <= 0.5;
}

/* Why a value is not met. */
struct solve_reason {
	struct value value;
	bool legal;
	struct diag *shown;          /* code, message, and the condition with its values */
};

struct solve_result {
	const struct ir_inverse *question;
	struct solve_options options;
	struct value now;            /* what the plan says; NONE when it says nothing */
	struct value low, high, step;    /* what was searched, step NONE for lists and quantities */
	uint64_t values;             /* in that range */
	struct value answer;
	bool border;                 /* the next legal value is not met; else the search ended here */
	struct solve_reason beyond;  /* one step beyond the answer, if it is a border */
	bool skipped;                /* values between the answer and the border are not legal */
	struct solve_reason hole;    /* the first of them */
	bool monotone;               /* as far as was seen */
	struct value exception;      /* a value on the wrong side, where it is not */
	uint32_t evaluations;        /* times the cost model was asked */
	uint32_t legalities;         /* values whose rules were tested */
};

enum solve_answer {
	SOLVE_FOUND,
	SOLVE_NEVER,                 /* no value is met, or legal: E2704 was reported */
	SOLVE_REFUSED                /* after another report: a range that cannot be searched (E2703), ... */
};

enum solve_answer solve_run(struct eval *ev, const struct ir_inverse *q, struct solve_options options,
			    struct solve_result *result);

void solve_print_text(const struct ir_program *p, const struct solve_result *r, struct out *o);
void solve_print_json(const struct ir_program *p, const struct solve_result *r, struct arena *a, struct out *o);

#endif
