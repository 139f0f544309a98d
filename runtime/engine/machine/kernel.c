/* kernel.c - seconds of one kernel: arithmetic, memory traffic, and the larger of the two. */

#include "runtime/engine/cost.h"
#include "runtime/engine/machine/shape.h"

static const struct compute_row *compute_row(const struct hardware *hardware, enum kernel kernel)
{
	const struct compute_row *row = &hardware->compute[kernel];

	return row->present ? row : &hardware->compute[KERNEL_DEFAULT];
}

double traffic_time(const struct hardware *hardware, enum kernel kernel, double bytes)
{
	const struct traffic_row *row = &hardware->traffic[kernel];

	if (bytes == 0)
		return 0;
	if (!row->present)
		row = &hardware->traffic[KERNEL_DEFAULT];
	return bytes / (row->bandwidth * row->efficiency) + row->latency;
}

/* What a table says about a shape, and what stands in when it says nothing. */
static double look_up(struct cost *cost, const struct engine_shape *shape, double fallback,
		      bool *hit)
{
	double efficiency = shape_find(cost->hardware, shape);

	*hit = efficiency >= 0;
	if (*hit)
		return efficiency;
	switch (cost->profile->table_miss) {
	case MISS_DEFAULT:
		break;
	case MISS_INTERPOLATE:
		efficiency = shape_interpolate(cost->hardware, shape);
		break;
	case MISS_REFUSE:
		cost->error->miss = *shape;
		cost_fail(cost, ENGINE_MISSING, "efficiency", 0);
		break;
	}
	return efficiency >= 0 ? efficiency : fallback;
}

/* The efficiency of a shape; every distinct shape is looked up once per evaluation. */
static double shape_efficiency(struct cost *cost, const struct engine_shape *shape, double fallback)
{
	bool hit;

	for (int i = 0; i < cost->shapes; i++)
		if (shape_equal(&cost->shape[i], shape))
			return cost->shape_efficiency[i];

	double efficiency = look_up(cost, shape, fallback, &hit);

	if (cost->shapes < COST_SHAPES_MAX) {
		cost->shape[cost->shapes] = *shape;
		cost->shape_hit[cost->shapes] = hit;
		cost->shape_efficiency[cost->shapes++] = efficiency;
	}
	return efficiency;
}

double kernel_time(struct cost *cost, enum kernel kernel, double flops, double bytes,
		   const struct engine_shape *shape)
{
	double memory = traffic_time(cost->hardware, kernel, bytes);
	double compute = 0;

	if (flops > 0) {
		const struct compute_row *row = compute_row(cost->hardware, kernel);
		double efficiency = row->efficiency;

		if (shape != NULL)
			efficiency = shape_efficiency(cost, shape, efficiency);
		if (efficiency <= 0) {
			cost_fail(cost, ENGINE_SIZE, kernel_name(kernel), 0);
			return 0;
		}
		compute = flops / (row->rate * efficiency);
	}
	if (!cost->hardware->roofline)
		return compute > 0 ? compute : memory;
	return compute > memory ? compute : memory;
}
