/* rows.h - a feasible candidate in JSON, alone and among others. */
#ifndef PLAN_SWEEP_ROWS_H
#define PLAN_SWEEP_ROWS_H

#include "runtime/io/json_write.h"
#include "runtime/report/sweep.h"

/* {"number": 1, "axes": {...}, "goals": [...]} */
void row_json(struct search *s, struct json_writer *w, const struct search_candidate *c);

#endif
