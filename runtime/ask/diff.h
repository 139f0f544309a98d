/* diff.h - what two plans say differently: values of records, and results of jobs. */
#ifndef PLAN_ASK_DIFF_H
#define PLAN_ASK_DIFF_H

#include "runtime/eval/eval.h"

/* Compares what the root files of two programs declare: a line for each value that changed, for each name
 * that only one of them has. Layout, comments, order and ways of saying the same do not count. The number of
 * lines. */
uint32_t diff_print(struct eval *before, struct eval *after, struct out *o);

#endif
