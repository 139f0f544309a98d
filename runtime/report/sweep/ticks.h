/* ticks.h - where an axis of a picture is marked: at round numbers of a unit that is fit for it. */
#ifndef PLAN_SWEEP_TICKS_H
#define PLAN_SWEEP_TICKS_H

#include "runtime/value/value.h"

/* Marks stand at `first` steps, `first + 1`, ..., `last`; a step is digit * 10^power units. */
struct ticks {
	struct shown_unit unit;
	int digit, power;    /* digit: 1, 2 or 5 */
	int64_t first, last;
};

/* Two to six marks or so between low and high, in base units of the type; NULL: plain whole numbers. low < high. */
struct ticks ticks_make(struct arena *a, const struct type *t, double low, double high);

/* Where mark k stands, in base units. */
double ticks_at(const struct ticks *t, int64_t k);

/* "12,500/s", "25.5 GiB": as many decimals as a step has. */
void ticks_label(const struct ticks *t, int64_t k, struct out *o);

#endif
