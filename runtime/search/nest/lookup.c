/* lookup.c - what follows from the positions of a few axes, computed once for each combination.
 *
 * Few combinations have an entry each. Of many, the last ones are kept: two that fall on the same entry
 * take turns, which costs time but never an answer. */
#include <assert.h>

#include "runtime/search/search_int.h"

/* Entries of a table for many combinations; bytes that one table with an entry for each may take. */
enum { RECENT = 1 << 12, DIRECT_BYTES = 8 * 1024 * 1024 };

static uint64_t closure(const struct space *sp, uint64_t axes)
{
	uint64_t all = 0;

	for (uint32_t k = 0; k < sp->n; k++)
		if (axes >> k & 1)
			all |= sp->axes[k].known_by;
	return all;
}

void lookup_init(struct lookup *l, const struct space *sp, struct ir_reads reads, uint32_t size,
		 struct arena *a)
{
	uint64_t span;

	*l = (struct lookup){ .axes = closure(sp, reads.axes), .size = (size + 15) / 16 * 16 };
	l->level = ir_level((struct ir_reads){ l->axes, false });
	span = space_span(sp, l->axes);
	l->direct = span != 0 && span <= DIRECT_BYTES / (l->size + 1);
	l->entries = l->direct ? (uint32_t)span : RECENT;
	for (uint32_t k = 0; k < sp->n; k++)
		if (l->axes >> k & 1)
			l->axis[l->axis_count++] = (uint8_t)k;
	l->remembers = span != 0;
	if (!l->remembers)
		l->entries = 1;
	l->known = ARENA_ARRAY(a, unsigned char, l->entries);
	l->keys = ARENA_ARRAY(a, uint64_t, l->direct ? 1 : l->entries);
	l->bytes = ARENA_ARRAY(a, unsigned char, (size_t)l->entries * l->size + 1);
}

/* space_key, over the few axes that there are. */
static uint64_t key_of(const struct lookup *l, const struct space *sp)
{
	uint64_t key = 0;

	for (uint32_t i = 0; i < l->axis_count; i++) {
		const struct loop *a = &sp->axes[l->axis[i]];

		key = key * a->radix + (a->off ? a->radix - 1 : a->position);
	}
	return key;
}

struct lookup_entry lookup_at(struct lookup *l, const struct space *sp)
{
	uint64_t key = l->remembers ? key_of(l, sp) : 0;
	uint64_t at = l->direct ? key : key * 0x9e3779b97f4a7c15u >> 52;
	bool other;

	static_assert(RECENT == 1 << (64 - 52), "the hash has as many bits as there are entries");
	if (!l->remembers)
		at = 0;
	other = !l->direct && (!l->remembers || l->keys[at] != key);
	if (other) {
		l->keys[at] = key;
		l->known[at] = 0;
	}
	return (struct lookup_entry){ &l->known[at], l->bytes + at * l->size };
}
