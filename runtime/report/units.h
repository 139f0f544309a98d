/* units.h - numbers of the text report: fixed width where they stand in columns, always with a unit
 * that the reader knows without looking it up. Also for what quotes a report. */
#ifndef PLAN_REPORT_UNITS_H
#define PLAN_REPORT_UNITS_H

#include "compiler/base/out.h"

void put_time(struct out *o, double seconds);      /* "1.893 s", "12.40 ms", "3.1 us" */
void put_gib(struct out *o, int64_t bytes);        /* "61.32 GiB" */
void put_share(struct out *o, double share);       /* "4.5 %" */
void put_scaled(struct out *o, double x, const char *unit);   /* "48.2 GFLOP", decimal steps */
void put_rate(struct out *o, double x);            /* "8,655" or "0.52": whole numbers above 100 */

/* The text that `begin` was followed by, in at least `width` columns, to the left or to the right. */
void put_left(struct out *o, struct str text, uint32_t width);
void put_right(struct out *o, struct str text, uint32_t width);

/* Columns of blocks for the span from `from` to `to` of a bar that is `width` columns for 1.0. Rounds
 * both ends, so adjacent parts neither overlap nor leave a gap. */
uint32_t bar_columns(double from, double to, uint32_t width);

#endif
