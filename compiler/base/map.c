/* map.c - open addressing over an array of entries that keeps the order of insertion. */
#include "compiler/base/map.h"

enum { MAP_CAP_MIN = 8 };

/* Keys are often small or aligned numbers; this spreads them (the finalizer of splitmix64). */
static uint64_t spread(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* An empty map; memory is taken with the first entry. */
void map_init(struct map *m, struct arena *a)
{
	*m = (struct map){ .arena = a };
}

/* The slot of the key, or the free one where it belongs. Needs slot_count > n. */
static uint32_t slot_of(const struct map *m, uint64_t key)
{
	uint32_t mask = m->slot_count - 1;
	uint32_t i = (uint32_t)spread(key) & mask;

	while (m->slots[i] && m->entries[m->slots[i] - 1].key != key)
		i = (i + 1) & mask;
	return i;
}

/* Doubles entries and slots; slots stay at most half full. */
static void grow(struct map *m)
{
	uint32_t cap = m->cap ? m->cap * 2 : MAP_CAP_MIN;
	struct map_entry *entries;
	uint32_t *slots;

	invariant(cap > m->cap && cap <= UINT32_MAX / 4, "a map has less than 2^30 entries");
	entries = ARENA_ARRAY(m->arena, struct map_entry, cap);
	slots = ARENA_ARRAY(m->arena, uint32_t, (size_t)cap * 2);
	if (m->n)
		memcpy(entries, m->entries, m->n * sizeof *entries);
	m->entries = entries;
	m->slots = slots;
	m->cap = cap;
	m->slot_count = cap * 2;
	for (uint32_t i = 0; i < m->n; i++)
		slots[slot_of(m, entries[i].key)] = i + 1;
}

void map_set(struct map *m, uint64_t key, uint32_t value)
{
	uint32_t slot;

	if (m->n == m->cap)
		grow(m);
	slot = slot_of(m, key);
	if (m->slots[slot]) {
		m->entries[m->slots[slot] - 1].value = value;
		return;
	}
	m->entries[m->n] = (struct map_entry){ key, value };
	m->slots[slot] = ++m->n;
}

uint32_t map_find(const struct map *m, uint64_t key)
{
	uint32_t slot;

	if (m->n == 0)
		return MAP_NONE;
	slot = m->slots[slot_of(m, key)];
	return slot ? m->entries[slot - 1].value : MAP_NONE;
}

/* FNV-1a over 64 bits: the same on every machine, so it may decide nothing but speed. */
uint64_t hash_bytes(const void *p, size_t n)
{
	const unsigned char *bytes = p;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}
