/* arena_test.c - blocks, zeroing, marks, failure on demand, and the arrays built on top. */
#include "tests/unit/unit.h"

#include "compiler/base/arena_int.h"
#include "compiler/base/vec.h"

static bool all_zero(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

START_TEST(memory_is_aligned_zeroed_and_distinct)
{
	struct arena a;
	char *last = NULL;

	arena_init(&a, NULL);
	for (size_t size = 0; size < 3000; size += 7) {
		unsigned char *p = arena_alloc(&a, size);

		ck_assert((uintptr_t)p % 16 == 0);
		ck_assert(all_zero(p, size));
		ck_assert(p != (unsigned char *)last);
		memset(p, 0xff, size);
		last = (char *)p;
	}
	arena_release(&a);
	ck_assert_uint_eq(a.total, 0);
}
END_TEST

START_TEST(reset_gives_zeroed_memory_again)
{
	struct arena a;
	struct arena_mark mark;
	char *kept;

	arena_init(&a, NULL);
	kept = arena_copy(&a, "kept", 4);
	mark = arena_mark(&a);
	for (int round = 0; round < 3; round++) {
		for (size_t size = 1; size < 300000; size *= 3) {
			unsigned char *p = arena_alloc(&a, size);

			ck_assert(all_zero(p, size));
			memset(p, 0xaa, size);
		}
		arena_reset(&a, mark);
	}
	ck_assert_str_eq(kept, "kept");
	arena_release(&a);
}
END_TEST

START_TEST(an_emptied_arena_keeps_its_largest_block)
{
	struct arena a;
	struct arena_mark empty;
	size_t held;

	arena_init(&a, NULL);
	empty = arena_mark(&a);
	for (int i = 0; i < 50; i++)
		arena_alloc(&a, 10000);
	arena_reset(&a, empty);
	held = a.total;
	ck_assert(held > 0);
	arena_alloc(&a, 10000);
	ck_assert_uint_eq(a.total, held);
	arena_release(&a);
}
END_TEST

START_TEST(the_nth_allocation_fails)
{
	struct arena a;
	jmp_buf escape;
	volatile int done = 0;

	arena_init(&a, &escape);
	a.fail_after = 3;
	if (setjmp(escape) == 0)
		for (;;) {
			arena_alloc(&a, 8);
			done = done + 1;
		}
	ck_assert_int_eq(done, 2);
	arena_alloc(&a, 8);
	arena_release(&a);
}
END_TEST

START_TEST(sizes_that_overflow_take_the_escape)
{
	struct arena a;
	jmp_buf escape;
	volatile int escapes = 0;

	arena_init(&a, &escape);
	if (setjmp(escape) == 0)
		arena_alloc_array(&a, SIZE_MAX / 4, 8);
	else
		escapes = escapes + 1;
	if (setjmp(escape) == 0)
		arena_alloc(&a, SIZE_MAX);
	else
		escapes = escapes + 1;
	ck_assert_int_eq(escapes, 2);
	arena_release(&a);
}
END_TEST

START_TEST(the_latest_allocation_can_shrink)
{
	struct arena a;
	char *p, *q;

	arena_init(&a, NULL);
	arena_alloc(&a, 1);
	p = arena_alloc(&a, 1000);
	arena_shrink(&a, p, 1000, 10);
	memset(p, 1, 10);
	q = arena_alloc(&a, 10);
	ck_assert(q > p && q < p + 100);
	arena_shrink(&a, q, 10, 0);
	ck_assert(arena_alloc(&a, 500) == q);
	ck_assert(all_zero((unsigned char *)q, 500));
	arena_release(&a);
}
END_TEST

START_TEST(vec_grows_and_keeps_its_elements)
{
	struct arena a;
	VEC(uint64_t) v = { 0 };

	arena_init(&a, NULL);
	for (uint64_t i = 0; i < 100000; i++)
		*VEC_ADD(&a, &v) = i * i;
	ck_assert_uint_eq(v.n, 100000);
	for (uint64_t i = 0; i < 100000; i++)
		ck_assert(v.at[i] == i * i);
	arena_release(&a);
}
END_TEST

/* Scratch of several blocks comes from the system once; more than is kept goes back to it. */
START_TEST(scratch_of_many_blocks)
{
	enum { PIECE = 3 * 1024 * 1024 };
	struct arena a;
	int64_t taken = 0;

	arena_init(&a, NULL);
	for (int lap = 0; lap < 20; lap++) {
		struct arena_mark mark = arena_mark(&a);

		for (int i = 0; i < 4; i++)
			(void)arena_alloc(&a, PIECE);
		arena_reset(&a, mark);
		if (lap == 1)
			taken = a.taken;
	}
	ck_assert_int_eq(a.taken, taken);
	for (int i = 0; i < 20; i++)
		(void)arena_alloc(&a, PIECE);
	arena_reset(&a, (struct arena_mark){ NULL, 0 });
	ck_assert_int_lt((int64_t)a.total, 8 * (int64_t)PIECE);
	arena_release(&a);
	ck_assert_int_eq((int64_t)a.total, 0);
}
END_TEST

START_TEST(closing_takes_those_inside_along)
{
	struct arena top, *outer, *inner, *deep, *other;
	size_t held;

	arena_init(&top, NULL);
	outer = ARENA_NEW(&top, struct arena);
	other = ARENA_NEW(&top, struct arena);
	arena_init_under(outer, &top);
	arena_init_under(other, &top);
	memset(arena_alloc(other, 100), 7, 100);
	held = top.total;
	inner = ARENA_NEW(outer, struct arena);
	arena_init_under(inner, outer);
	deep = ARENA_NEW(inner, struct arena);
	arena_init_under(deep, inner);
	(void)arena_alloc(deep, 100000);
	ck_assert_uint_gt(top.total, held);
	arena_close(outer);
	ck_assert_ptr_eq(top.under, other);
	ck_assert_ptr_null(other->next);
	ck_assert_uint_eq(top.total, held);
	/* It may begin anew. */
	arena_init_under(outer, &top);
	(void)arena_alloc(outer, 10);
	arena_close(outer);
	arena_release(&top);
	ck_assert_int_eq((int64_t)top.total, 0);
}
END_TEST

UNIT_MAIN("arena", closing_takes_those_inside_along, scratch_of_many_blocks, memory_is_aligned_zeroed_and_distinct, reset_gives_zeroed_memory_again,
	  an_emptied_arena_keeps_its_largest_block, the_nth_allocation_fails,
	  sizes_that_overflow_take_the_escape, the_latest_allocation_can_shrink,
	  vec_grows_and_keeps_its_elements)
