/* map_test.c - the hash map against an obvious model. */
#include "tests/unit/unit.h"

#include "compiler/base/map.h"

START_TEST(an_empty_map_finds_nothing)
{
	struct arena a;
	struct map m;

	arena_init(&a, NULL);
	map_init(&m, &a);
	ck_assert_uint_eq(map_find(&m, 0), MAP_NONE);
	ck_assert_uint_eq(a.total, 0);
	arena_release(&a);
}
END_TEST

START_TEST(entries_are_found_and_keep_their_order)
{
	struct arena a;
	struct map m;

	arena_init(&a, NULL);
	map_init(&m, &a);
	for (uint32_t i = 0; i < 50000; i++)
		map_set(&m, (uint64_t)i << 20, i);
	for (uint32_t i = 0; i < 50000; i += 3)
		map_set(&m, (uint64_t)i << 20, i + 1);
	ck_assert_uint_eq(m.n, 50000);
	for (uint32_t i = 0; i < 50000; i++) {
		ck_assert(m.entries[i].key == (uint64_t)i << 20);
		ck_assert_uint_eq(map_find(&m, (uint64_t)i << 20), i + (i % 3 == 0));
		ck_assert_uint_eq(map_find(&m, ((uint64_t)i << 20) + 1), MAP_NONE);
	}
	arena_release(&a);
}
END_TEST

START_TEST(hashes_are_the_published_ones)
{
	/* FNV-1a, 64 bits, from the test vectors of its authors */
	ck_assert(hash_bytes("", 0) == UINT64_C(0xcbf29ce484222325));
	ck_assert(hash_bytes("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	ck_assert(hash_bytes("foobar", 6) == UINT64_C(0x85944171f73967e8));
}
END_TEST

UNIT_MAIN("map", an_empty_map_finds_nothing, entries_are_found_and_keep_their_order,
	  hashes_are_the_published_ones)
