/* tally.c - sets of rows, and how many candidates break exactly each of them. */
#include "runtime/search/search_int.h"

bool set_is_empty(const uint64_t *set, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if (set[i] != 0)
			return false;
	return true;
}

bool set_contains(const uint64_t *set, const uint64_t *part, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if ((part[i] & ~set[i]) != 0)
			return false;
	return true;
}

uint32_t set_size(const uint64_t *set, uint32_t words)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < words; i++)
		for (uint64_t w = set[i]; w != 0; w &= w - 1)
			n++;
	return n;
}

void tally_init(struct tally *t, struct arena *a, uint32_t words)
{
	*t = (struct tally){ .arena = a, .words = words };
	map_init(&t->by_hash, a);
}

void tally_add(struct tally *t, const uint64_t *set, uint64_t count, uint64_t first_number)
{
	uint64_t hash = hash_bytes(set, t->words * sizeof *set);
	uint32_t first = map_find(&t->by_hash, hash);
	struct tally_entry entry = { .count = count, .first = first_number };

	for (uint32_t i = first; i != MAP_NONE; i = t->next.at[i]) {
		if (memcmp(t->entries.at[i].set, set, t->words * sizeof *set) != 0)
			continue;
		t->entries.at[i].count += count;
		if (first_number < t->entries.at[i].first)
			t->entries.at[i].first = first_number;
		return;
	}
	entry.set = ARENA_ARRAY(t->arena, uint64_t, t->words);
	memcpy(entry.set, set, t->words * sizeof *set);
	map_set(&t->by_hash, hash, t->entries.n);
	*VEC_ADD(t->arena, &t->entries) = entry;
	*VEC_ADD(t->arena, &t->next) = first;
}
