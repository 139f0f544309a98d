/* why.h - where a value comes from: its definition, who set it and where, and what it was computed from. */
#ifndef PLAN_WHY_WHY_H
#define PLAN_WHY_WHY_H

#include "runtime/eval/eval.h"

/* Prints the tree of the expression `question`, whose text is `label`. Every value is explained once; where it
 * is met again, it stands without its parts. False when it has no value, after a message. */
bool why_print(struct eval *ev, ir_id question, struct str label, struct out *o);

/* The same as nested objects: `name`, `value` (base units; not of records), `unit`, `text`, `how` it got the value
 * (set, changed, default, derived, computed by planc, param, let, ...), `by` which record, `at` which place,
 * `definition`, and `parts` with what it read; results of the cost model have groups `{about, parts}`. */
bool why_json(struct eval *ev, ir_id question, struct str label, struct out *o);

#endif
