/* interpolate.c - an efficiency for a shape nobody measured, from the measured ones around it. */

#include "runtime/engine/machine/shape.h"

/* A sum of efficiencies weighted by how near their shapes are. */
struct blend {
	double weight, sum;
	float wanted[SHAPE_LOGS];
};

/* Shapes further than this from the one wanted (in doublings, Euclidean) say nothing about it. */
static const double REACH = 3;

static void blend_point(struct blend *blend, const float at[SHAPE_LOGS], double efficiency)
{
	double square = 0;

	for (int i = 0; i < SHAPE_LOGS; i++) {
		double d = (double)at[i] - (double)blend->wanted[i];

		square += d * d;
	}
	if (square > REACH * REACH)
		return;

	/* The fourth power keeps far points from washing out a near one. */
	double weight = 1 / ((square + 1e-6) * (square + 1e-6));

	blend->weight += weight;
	blend->sum += weight * efficiency;
}

static void blend_matmul(const struct hardware *hw, const struct matmul_point *wanted,
			 struct blend *blend)
{
	const float(*logs)[SHAPE_LOGS] = hw->index->table[TABLE_MATMUL].logs;

	for (size_t i = 0; i < hw->matmul_count; i++) {
		const struct matmul_point *p = &hw->matmul[i];

		if (p->kernel == wanted->kernel && p->layout == wanted->layout)
			blend_point(blend, logs[i], p->efficiency);
	}
}

static void blend_attention(const struct hardware *hw, const struct attention_point *wanted,
			    struct blend *blend)
{
	const float(*logs)[SHAPE_LOGS] = hw->index->table[TABLE_ATTENTION].logs;

	for (size_t i = 0; i < hw->attention_count; i++)
		if (hw->attention[i].kernel == wanted->kernel)
			blend_point(blend, logs[i], hw->attention[i].efficiency);
}

static void blend_grouped(const struct hardware *hw, const struct grouped_point *wanted,
			  struct blend *blend)
{
	const float(*logs)[SHAPE_LOGS] = hw->index->table[TABLE_GROUPED].logs;

	for (size_t i = 0; i < hw->grouped_count; i++) {
		const struct grouped_point *p = &hw->grouped[i];

		if (p->kernel == wanted->kernel && p->stage == wanted->stage)
			blend_point(blend, logs[i], p->efficiency);
	}
}

double shape_interpolate(const struct hardware *hardware, const struct engine_shape *shape)
{
	struct blend blend = { 0, 0, { 0 } };

	if (hardware->index == NULL)
		return -1;
	shape_logs(shape->table, shape_point(shape), blend.wanted);
	switch (shape->table) {
	case TABLE_MATMUL:
		blend_matmul(hardware, &shape->matmul, &blend);
		break;
	case TABLE_ATTENTION:
		blend_attention(hardware, &shape->attention, &blend);
		break;
	case TABLE_GROUPED:
		blend_grouped(hardware, &shape->grouped, &blend);
		break;
	}
	return blend.weight > 0 ? blend.sum / blend.weight : -1;
}
