/* table.c - interning of types: one object per type of a compilation. */
#include "compiler/types/type.h"

#include "compiler/base/map.h"

struct type_table {
	struct arena *arena;
	struct map by_hash;          /* hash, stepped on a collision -> index into all */
	VEC(const struct type *) all;
};

struct type_table *type_table_make(struct arena *a)
{
	struct type_table *t = ARENA_NEW(a, struct type_table);

	t->arena = a;
	map_init(&t->by_hash, a);
	return t;
}

/* Brings what a kind does not use to zero, so that equal types are equal field by field. */
static struct type type_normal(struct type_table *t, struct type w)
{
	struct type n = { .kind = w.kind };

	switch (w.kind) {
	case TYPE_NUMBER:
		n.dim = w.dim;
		n.exactness = EXACT_RATIONAL;
		if (dim_is_one(w.dim)) {
			n.exactness = w.exactness;
			n.percent = w.percent;
		}
		break;
	case TYPE_ENUM:
	case TYPE_RECORD:
		n.index = w.index;
		break;
	case TYPE_LIST:
	case TYPE_TABLE:
	case TYPE_OPTION:
	case TYPE_MAP:
		n.of = w.of;
		break;
	case TYPE_TUPLE:
		n.items = w.items;
		n.count = w.count;
		break;
	case TYPE_POISON:
	case TYPE_ANY:
	case TYPE_NONE:
	case TYPE_BOOL:
	case TYPE_STRING:
	case TYPE_LAYOUT:
	case TYPE_ARG:
		break;
	}
	if (n.kind != TYPE_OPTION)
		return n;
	/* An option of something that may be none already, or of nothing known, is that itself. */
	if (n.of->kind == TYPE_OPTION || n.of->kind == TYPE_NONE || n.of->kind == TYPE_POISON ||
	    n.of->kind == TYPE_ANY)
		return type_normal(t, *n.of);
	return n;
}

static bool type_same(const struct type *a, const struct type *b)
{
	if (a->kind != b->kind || !dim_equal(a->dim, b->dim) || a->exactness != b->exactness ||
	    a->percent != b->percent || a->index != b->index || a->of != b->of ||
	    a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (a->items[i] != b->items[i])
			return false;
	return true;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
	return (h ^ x) * UINT64_C(0x100000001b3);
}

static uint64_t type_hash(const struct type *t)
{
	uint64_t h = mix(UINT64_C(0xcbf29ce484222325), (uint64_t)t->kind);

	h = mix(h, (uint64_t)(uint8_t)t->dim.info | (uint64_t)(uint8_t)t->dim.time << 8 |
			   (uint64_t)(uint8_t)t->dim.work << 16 |
			   (uint64_t)(uint8_t)t->dim.money << 24 |
			   (uint64_t)(uint8_t)t->dim.energy << 32);
	h = mix(h, (uint64_t)t->exactness << 1 | (uint64_t)t->percent);
	h = mix(h, t->index);
	h = mix(h, (uint64_t)(uintptr_t)t->of);
	for (uint32_t i = 0; i < t->count; i++)
		h = mix(h, (uint64_t)(uintptr_t)t->items[i]);
	return h;
}

const struct type *type_of(struct type_table *t, struct type wanted)
{
	struct type n = type_normal(t, wanted);
	uint64_t hash = type_hash(&n);
	struct type *made;
	uint32_t at;

	while ((at = map_find(&t->by_hash, hash)) != MAP_NONE) {
		if (type_same(t->all.at[at], &n))
			return t->all.at[at];
		hash++;
	}
	made = ARENA_NEW(t->arena, struct type);
	*made = n;
	if (n.count > 0) {
		const struct type **items = ARENA_ARRAY(t->arena, const struct type *, n.count);

		memcpy(items, n.items, n.count * sizeof *items);
		made->items = items;
	}
	map_set(&t->by_hash, hash, t->all.n);
	*VEC_ADD(t->arena, &t->all) = made;
	return made;
}

const struct type *type_simple(struct type_table *t, enum type_kind kind)
{
	return type_of(t, (struct type){ .kind = kind });
}

const struct type *type_number(struct type_table *t, struct dimension d, enum exactness e)
{
	return type_of(t, (struct type){ .kind = TYPE_NUMBER, .dim = d, .exactness = e });
}

const struct type *type_ratio(struct type_table *t)
{
	return type_of(t, (struct type){ .kind = TYPE_NUMBER,
					 .exactness = EXACT_RATIONAL,
					 .percent = true });
}

const struct type *type_list(struct type_table *t, const struct type *of)
{
	return type_of(t, (struct type){ .kind = TYPE_LIST, .of = of });
}

const struct type *type_option(struct type_table *t, const struct type *of)
{
	return type_of(t, (struct type){ .kind = TYPE_OPTION, .of = of });
}
