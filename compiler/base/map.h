/* map.h - a hash map from uint64 keys to uint32 values that iterates in insertion order.
 *
 * Keys are symbol ids, pointers turned to integers, or hashes the caller makes. Lives in an arena.
 */
#ifndef PLAN_BASE_MAP_H
#define PLAN_BASE_MAP_H

#include "compiler/base/arena.h"

struct map_entry {
	uint64_t key;
	uint32_t value;
};

struct map {
	struct arena *arena;
	struct map_entry *entries;   /* in insertion order */
	uint32_t n, cap;
	uint32_t *slots;             /* index + 1 into entries, 0 = free */
	uint32_t slot_count;         /* power of two */
};

#define MAP_NONE UINT32_MAX

void map_init(struct map *m, struct arena *a);
void map_set(struct map *m, uint64_t key, uint32_t value);     /* adds or replaces */
uint32_t map_find(const struct map *m, uint64_t key);          /* MAP_NONE when absent */
uint64_t hash_bytes(const void *p, size_t n);

#endif
