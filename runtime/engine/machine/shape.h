#ifndef PLAN_MACHINE_SHAPE_H
#define PLAN_MACHINE_SHAPE_H

/* Look-up of measured shapes; private to the engine. */

#include "runtime/engine/engine.h"

/* The measured efficiency of exactly this shape, or a negative number. */
double shape_find(const struct hardware *hardware, const struct engine_shape *shape);

/*
 * An estimate from the nearest measured shapes of the same kernel and layout, weighted by inverse
 * distance of log-sizes; negative when the table has none close enough to mean anything.
 */
double shape_interpolate(const struct hardware *hardware, const struct engine_shape *shape);

bool shape_equal(const struct engine_shape *a, const struct engine_shape *b);

#endif
