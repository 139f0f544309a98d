/* interner.c - every distinct name once, numbered in order of appearance. */
#include "compiler/base/map.h"
#include "compiler/base/str.h"
#include "compiler/base/vec.h"

struct interned {
	struct str text;
	uint64_t hash;
};

struct interner {
	struct arena *arena;
	VEC(struct interned) names;  /* names.at[0] stands for "no name" */
	uint32_t *slots;             /* ids; 0 = free */
	uint32_t slot_count;         /* power of two */
};

enum { INTERNER_SLOTS_MIN = 256 };

struct interner *interner_make(struct arena *a)
{
	struct interner *in = ARENA_NEW(a, struct interner);

	in->arena = a;
	in->slot_count = INTERNER_SLOTS_MIN;
	in->slots = ARENA_ARRAY(a, uint32_t, in->slot_count);
	VEC_ADD(a, &in->names)->text = STR("");
	return in;
}

/* The slot that holds s, or the free one where it belongs. */
static uint32_t slot_of(const struct interner *in, struct str s, uint64_t hash)
{
	uint32_t mask = in->slot_count - 1;
	uint32_t i = (uint32_t)hash & mask;

	while (in->slots[i]) {
		const struct interned *name = &in->names.at[in->slots[i]];

		if (name->hash == hash && str_equal(name->text, s))
			break;
		i = (i + 1) & mask;
	}
	return i;
}

static void grow_slots(struct interner *in)
{
	uint32_t count = in->slot_count * 2;
	uint32_t *slots = ARENA_ARRAY(in->arena, uint32_t, count);

	in->slots = slots;
	in->slot_count = count;
	for (uint32_t id = 1; id < in->names.n; id++) {
		uint32_t i = (uint32_t)in->names.at[id].hash & (count - 1);

		while (slots[i])
			i = (i + 1) & (count - 1);
		slots[i] = id;
	}
}

/* The name of s; its bytes are copied when it is new. The empty text is "no name". */
struct sym sym_of(struct interner *in, struct str s)
{
	uint64_t hash = hash_bytes(s.p, s.n);
	uint32_t slot = slot_of(in, s, hash);
	struct str text;

	if (s.n == 0)
		return (struct sym){ 0 };
	if (in->slots[slot])
		return (struct sym){ in->slots[slot] };
	text = str_copy(in->arena, s);
	if (in->names.n >= in->slot_count / 2) {
		grow_slots(in);
		slot = slot_of(in, s, hash);
	}
	*VEC_ADD(in->arena, &in->names) = (struct interned){ text, hash };
	in->slots[slot] = in->names.n - 1;
	return (struct sym){ in->names.n - 1 };
}

struct sym sym_of_z(struct interner *in, const char *z)
{
	return sym_of(in, str_of(z));
}

struct sym sym_find(const struct interner *in, struct str s)
{
	if (s.n == 0)
		return (struct sym){ 0 };
	return (struct sym){ in->slots[slot_of(in, s, hash_bytes(s.p, s.n))] };
}

struct str sym_str(const struct interner *in, struct sym name)
{
	invariant(name.id < in->names.n, "a name belongs to its interner");
	return in->names.at[name.id].text;
}
