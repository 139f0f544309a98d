#ifndef PLAN_MACHINE_SHAPE_H
#define PLAN_MACHINE_SHAPE_H

/* Look-up of measured shapes; private to the engine. */

#include "runtime/engine/engine.h"

enum { TABLE_COUNT = TABLE_GROUPED + 1, SHAPE_LOGS = 4 };

/*
 * Open addressing over all points of a table: slot holds point number + 1, 0 is free. The logs of a
 * point's sizes are kept for interpolation, which is about ratios of sizes.
 */
struct table_index {
	uint32_t *slot;
	uint32_t mask;
	const float (*logs)[SHAPE_LOGS];
};

struct shape_index {
	struct table_index table[TABLE_COUNT];
};

/* The measured efficiency of exactly this shape, or a negative number. */
double shape_find(const struct hardware *hardware, const struct engine_shape *shape);

/*
 * An estimate from the nearest measured shapes of the same kernel and layout, weighted by inverse
 * distance of log-sizes; negative when the table has none close enough to mean anything.
 */
double shape_interpolate(const struct hardware *hardware, const struct engine_shape *shape);

bool shape_equal(const struct engine_shape *a, const struct engine_shape *b);

/* Base-two logarithms of the sizes of a point of a table. */
void shape_logs(enum engine_table table, const void *point, float logs[SHAPE_LOGS]);

/* Where the sizes of a shape lie: one of the points of struct engine_shape. */
const void *shape_point(const struct engine_shape *shape);

#endif
