/* diff.h - what two plans say differently: values of records, results of jobs, winners of sweeps. */
#ifndef PLAN_DIFF_DIFF_H
#define PLAN_DIFF_DIFF_H

#include "runtime/eval/eval.h"

/* Compares what the root files of two programs declare: a line for each value that changed, for each name
 * that only one of them has, for each winner of a sweep that both have. Layout, comments, order and ways of saying the same do not count. The number of
 * lines. */
uint32_t diff_print(struct eval *before, struct eval *after, struct out *o);

/* The same as `{"changes": [...]}`: objects with `what` (changed, gone, added) and `path`, then `before` and `after`
 * with `before_text`, `after_text` and `unit`, or `kind`. */
uint32_t diff_json(struct eval *before, struct eval *after, struct out *o);

#endif
