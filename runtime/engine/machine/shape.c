/* shape.c - exact and interpolated look-up of measured kernel efficiencies. */

#include <math.h>

#include "runtime/engine/machine/shape.h"

/*
 * Open addressing over all points of a table: slot holds point number + 1, 0 is free. The logs of a
 * point's sizes are kept for interpolation, which is about ratios of sizes.
 */
struct table_index {
	uint32_t *slot;
	uint32_t mask;
	const float (*logs)[4];
};

struct shape_index {
	struct table_index matmul, attention;
};

static uint64_t mix(uint64_t h, int64_t value)
{
	h = (h ^ (uint64_t)value) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ (h >> 29);
}

static uint64_t hash_matmul(const struct matmul_point *p)
{
	uint64_t h = mix((uint64_t)p->kernel, p->m);

	h = mix(mix(h, p->k), p->n);
	return mix(mix(h, p->batch), (int64_t)p->layout * 64 + (int64_t)p->out * 2 + p->accumulate);
}

static uint64_t hash_attention(const struct attention_point *p)
{
	uint64_t h = mix((uint64_t)p->kernel, p->batch);

	h = mix(mix(h, p->sequence), p->heads * 2 + p->contiguous);
	return mix(mix(mix(h, p->kv_heads), p->qk_head), p->v_head);
}

static bool equal_matmul(const struct matmul_point *a, const struct matmul_point *b)
{
	return a->kernel == b->kernel && a->batch == b->batch && a->m == b->m && a->k == b->k &&
	       a->n == b->n && a->layout == b->layout && a->accumulate == b->accumulate &&
	       a->out == b->out;
}

static bool equal_attention(const struct attention_point *a, const struct attention_point *b)
{
	return a->kernel == b->kernel && a->batch == b->batch && a->sequence == b->sequence &&
	       a->heads == b->heads && a->kv_heads == b->kv_heads && a->qk_head == b->qk_head &&
	       a->v_head == b->v_head && a->contiguous == b->contiguous;
}

bool shape_equal(const struct engine_shape *a, const struct engine_shape *b)
{
	if (a->table != b->table)
		return false;
	return a->table == TABLE_MATMUL ? equal_matmul(&a->matmul, &b->matmul)
					: equal_attention(&a->attention, &b->attention);
}

static float log_size(int64_t size)
{
	return (float)log2((double)(size > 0 ? size : 1));
}

static void logs_matmul(const struct matmul_point *p, float logs[4])
{
	logs[0] = log_size(p->m);
	logs[1] = log_size(p->k);
	logs[2] = log_size(p->n);
	logs[3] = log_size(p->batch);
}

static void logs_attention(const struct attention_point *p, float logs[4])
{
	logs[0] = log_size(p->sequence);
	logs[1] = log_size(p->batch * p->heads);
	logs[2] = log_size(p->qk_head + p->v_head);
	logs[3] = log_size(p->heads / (p->kv_heads > 0 ? p->kv_heads : 1));
}

static void index_init(struct table_index *index, struct arena *arena, size_t count)
{
	uint32_t slots = 16;

	while (slots < 2 * count)
		slots *= 2;
	index->slot = ARENA_ARRAY(arena, uint32_t, slots);
	index->mask = slots - 1;
}

/* The slot of the point equal to `key`, or the free slot where it would go. */
static uint32_t *matmul_slot(const struct table_index *index, const struct matmul_point *points,
			     const struct matmul_point *key)
{
	uint32_t i = (uint32_t)hash_matmul(key) & index->mask;

	while (index->slot[i] != 0 && !equal_matmul(&points[index->slot[i] - 1], key))
		i = (i + 1) & index->mask;
	return &index->slot[i];
}

static uint32_t *attention_slot(const struct table_index *index,
				const struct attention_point *points,
				const struct attention_point *key)
{
	uint32_t i = (uint32_t)hash_attention(key) & index->mask;

	while (index->slot[i] != 0 && !equal_attention(&points[index->slot[i] - 1], key))
		i = (i + 1) & index->mask;
	return &index->slot[i];
}

void hardware_index(struct hardware *hardware, struct arena *arena)
{
	struct shape_index *index = ARENA_NEW(arena, struct shape_index);
	float(*logs)[4] = arena_alloc_array(arena, hardware->matmul_count, sizeof(*logs));

	index_init(&index->matmul, arena, hardware->matmul_count);
	for (size_t i = 0; i < hardware->matmul_count; i++) {
		*matmul_slot(&index->matmul, hardware->matmul, &hardware->matmul[i]) =
			(uint32_t)i + 1;
		logs_matmul(&hardware->matmul[i], logs[i]);
	}
	index->matmul.logs = (const float(*)[4])logs;
	logs = arena_alloc_array(arena, hardware->attention_count, sizeof(*logs));
	index_init(&index->attention, arena, hardware->attention_count);
	for (size_t i = 0; i < hardware->attention_count; i++) {
		*attention_slot(&index->attention, hardware->attention, &hardware->attention[i]) =
			(uint32_t)i + 1;
		logs_attention(&hardware->attention[i], logs[i]);
	}
	index->attention.logs = (const float(*)[4])logs;
	hardware->index = index;
}

double shape_find(const struct hardware *hardware, const struct engine_shape *shape)
{
	const struct shape_index *index = hardware->index;
	uint32_t at;

	if (index == NULL)
		return -1;
	if (shape->table == TABLE_MATMUL) {
		at = *matmul_slot(&index->matmul, hardware->matmul, &shape->matmul);
		return at == 0 ? -1 : hardware->matmul[at - 1].efficiency;
	}
	at = *attention_slot(&index->attention, hardware->attention, &shape->attention);
	return at == 0 ? -1 : hardware->attention[at - 1].efficiency;
}

/* A sum of efficiencies weighted by how near their shapes are. */
struct blend {
	double weight, sum;
};

/* Shapes further than this from the one wanted (in doublings, Euclidean) say nothing about it. */
static const double REACH = 3;

static void blend_point(struct blend *blend, const float at[4], const float wanted[4],
			double efficiency)
{
	double square = 0;

	for (int i = 0; i < 4; i++) {
		double d = (double)at[i] - (double)wanted[i];

		square += d * d;
	}
	if (square > REACH * REACH)
		return;

	/* The fourth power keeps far points from washing out a near one. */
	double weight = 1 / ((square + 1e-6) * (square + 1e-6));

	blend->weight += weight;
	blend->sum += weight * efficiency;
}

double shape_interpolate(const struct hardware *hardware, const struct engine_shape *shape)
{
	const struct shape_index *index = hardware->index;
	struct blend blend = { 0, 0 };
	float wanted[4];

	if (index == NULL)
		return -1;
	if (shape->table == TABLE_MATMUL) {
		logs_matmul(&shape->matmul, wanted);
		for (size_t i = 0; i < hardware->matmul_count; i++) {
			const struct matmul_point *p = &hardware->matmul[i];

			if (p->kernel == shape->matmul.kernel && p->layout == shape->matmul.layout)
				blend_point(&blend, index->matmul.logs[i], wanted, p->efficiency);
		}
	} else {
		logs_attention(&shape->attention, wanted);
		for (size_t i = 0; i < hardware->attention_count; i++) {
			const struct attention_point *p = &hardware->attention[i];

			if (p->kernel == shape->attention.kernel)
				blend_point(&blend, index->attention.logs[i], wanted,
					    p->efficiency);
		}
	}
	return blend.weight > 0 ? blend.sum / blend.weight : -1;
}
