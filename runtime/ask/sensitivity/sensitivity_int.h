/* sensitivity_int.h - the parts of a sensitivity: outcomes of changed jobs, axes, figures. */
#ifndef PLAN_SENSITIVITY_SENSITIVITY_INT_H
#define PLAN_SENSITIVITY_SENSITIVITY_INT_H

#include "runtime/ask/sensitivity/sensitivity.h"

/* An evaluator for one change after the other; what it computes is gone with the next one. */
struct bench_eval {
	struct sensitivity *s;
	struct arena arena;
	struct diag_sink sink;
	struct eval ev;
};

void change_begin(struct bench_eval *b);

/* Evaluates a changed job, tests what it has to keep. The outcome lasts. */
struct outcome outcome_of(struct bench_eval *b, struct record *job);

/* axes.c, figures.c: fill the lists. */
void changes_of_axes(struct bench_eval *b);
void changes_of_figures(struct bench_eval *b);

struct str shown_value(const struct sensitivity *s, struct value v, const struct type *t);

#endif
