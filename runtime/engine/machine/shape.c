/* shape.c - exact look-up of measured kernel efficiencies. */

#include <math.h>

#include "runtime/engine/machine/shape.h"

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

static uint64_t hash_grouped(const struct grouped_point *p)
{
	uint64_t h = mix((uint64_t)p->kernel, p->groups);

	h = mix(mix(mix(h, p->m), p->n), p->k);
	return mix(h, (((int64_t)p->dtype * 16 + (int64_t)p->out) * 16 + (int64_t)p->gradient) * 4 +
			      (int64_t)p->stage);
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

static bool equal_grouped(const struct grouped_point *a, const struct grouped_point *b)
{
	return a->kernel == b->kernel && a->groups == b->groups && a->m == b->m && a->n == b->n &&
	       a->k == b->k && a->dtype == b->dtype && a->out == b->out &&
	       a->gradient == b->gradient && a->stage == b->stage;
}

static uint64_t hash_point(enum engine_table table, const void *point)
{
	switch (table) {
	case TABLE_MATMUL:
		return hash_matmul(point);
	case TABLE_ATTENTION:
		return hash_attention(point);
	case TABLE_GROUPED:
		break;
	}
	return hash_grouped(point);
}

static bool equal_points(enum engine_table table, const void *a, const void *b)
{
	switch (table) {
	case TABLE_MATMUL:
		return equal_matmul(a, b);
	case TABLE_ATTENTION:
		return equal_attention(a, b);
	case TABLE_GROUPED:
		break;
	}
	return equal_grouped(a, b);
}

const void *shape_point(const struct engine_shape *shape)
{
	switch (shape->table) {
	case TABLE_MATMUL:
		return &shape->matmul;
	case TABLE_ATTENTION:
		return &shape->attention;
	case TABLE_GROUPED:
		break;
	}
	return &shape->grouped;
}

bool shape_equal(const struct engine_shape *a, const struct engine_shape *b)
{
	return a->table == b->table && equal_points(a->table, shape_point(a), shape_point(b));
}

static float log_size(int64_t size)
{
	return (float)log2((double)(size > 0 ? size : 1));
}

void shape_logs(enum engine_table table, const void *point, float logs[SHAPE_LOGS])
{
	const struct matmul_point *m = point;
	const struct attention_point *a = point;
	const struct grouped_point *g = point;

	switch (table) {
	case TABLE_MATMUL:
		logs[0] = log_size(m->m);
		logs[1] = log_size(m->k);
		logs[2] = log_size(m->n);
		logs[3] = log_size(m->batch);
		break;
	case TABLE_ATTENTION:
		logs[0] = log_size(a->sequence);
		logs[1] = log_size(a->batch * a->heads);
		logs[2] = log_size(a->qk_head + a->v_head);
		logs[3] = log_size(a->heads / (a->kv_heads > 0 ? a->kv_heads : 1));
		break;
	case TABLE_GROUPED:
		logs[0] = log_size(g->m);
		logs[1] = log_size(g->k);
		logs[2] = log_size(g->n);
		logs[3] = log_size(g->groups);
		break;
	}
}

static const void *point_at(const struct hardware *hardware, enum engine_table table, size_t i)
{
	switch (table) {
	case TABLE_MATMUL:
		return &hardware->matmul[i];
	case TABLE_ATTENTION:
		return &hardware->attention[i];
	case TABLE_GROUPED:
		break;
	}
	return &hardware->grouped[i];
}

static double efficiency_at(const struct hardware *hardware, enum engine_table table, size_t i)
{
	switch (table) {
	case TABLE_MATMUL:
		return hardware->matmul[i].efficiency;
	case TABLE_ATTENTION:
		return hardware->attention[i].efficiency;
	case TABLE_GROUPED:
		break;
	}
	return hardware->grouped[i].efficiency;
}

/* The slot of the point equal to `key`, or the free slot where it would go. */
static uint32_t *find_slot(const struct hardware *hardware, const struct table_index *index,
			   enum engine_table table, const void *key)
{
	uint32_t i = (uint32_t)hash_point(table, key) & index->mask;

	while (index->slot[i] != 0 &&
	       !equal_points(table, point_at(hardware, table, index->slot[i] - 1), key))
		i = (i + 1) & index->mask;
	return &index->slot[i];
}

static void index_table(const struct hardware *hardware, struct table_index *index,
			enum engine_table table, size_t count, struct arena *arena)
{
	float(*logs)[SHAPE_LOGS] = arena_alloc_array(arena, count, sizeof(*logs));
	uint32_t slots = 16;

	while (slots < 2 * count)
		slots *= 2;
	index->slot = ARENA_ARRAY(arena, uint32_t, slots);
	index->mask = slots - 1;
	for (size_t i = 0; i < count; i++) {
		const void *point = point_at(hardware, table, i);

		*find_slot(hardware, index, table, point) = (uint32_t)i + 1;
		shape_logs(table, point, logs[i]);
	}
	index->logs = (const float(*)[SHAPE_LOGS])logs;
}

void hardware_index(struct hardware *hardware, struct arena *arena)
{
	struct shape_index *index = ARENA_NEW(arena, struct shape_index);

	index_table(hardware, &index->table[TABLE_MATMUL], TABLE_MATMUL, hardware->matmul_count,
		    arena);
	index_table(hardware, &index->table[TABLE_ATTENTION], TABLE_ATTENTION,
		    hardware->attention_count, arena);
	index_table(hardware, &index->table[TABLE_GROUPED], TABLE_GROUPED, hardware->grouped_count,
		    arena);
	hardware->index = index;
}

double shape_find(const struct hardware *hardware, const struct engine_shape *shape)
{
	const struct shape_index *index = hardware->index;

	if (index == NULL)
		return -1;

	uint32_t at =
		*find_slot(hardware, &index->table[shape->table], shape->table, shape_point(shape));

	return at == 0 ? -1 : efficiency_at(hardware, shape->table, at - 1);
}
