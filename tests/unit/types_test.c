/* types_test.c - interning of types and the arithmetic of dimensions. */
#include "compiler/types/type.h"
#include "tests/unit/unit.h"

static const char *shown(struct arena *a, struct dimension d)
{
	struct out o;

	out_init(&o, a);
	dim_print(&o, d);
	return str_copy(a, out_view(&o)).p;
}

START_TEST(equal_types_are_one)
{
	struct arena a;
	struct dimension one = { 0, 0, 0, 0, 0 }, bytes = { 1, 0, 0, 0, 0 };
	struct type_table *t;
	const struct type *n, *list, *pair[2], *tuple;

	arena_init(&a, NULL);
	t = type_table_make(&a);
	n = type_number(t, one, EXACT_INT);
	list = type_list(t, n);
	ck_assert(n == type_number(t, one, EXACT_INT));
	ck_assert(n != type_number(t, one, EXACT_RATIONAL));
	ck_assert(n != type_number(t, bytes, EXACT_INT));
	ck_assert(list == type_list(t, n));
	ck_assert(type_ratio(t) != type_number(t, one, EXACT_RATIONAL));
	pair[0] = n;
	pair[1] = list;
	tuple = type_of(t, (struct type){ .kind = TYPE_TUPLE, .items = pair, .count = 2 });
	ck_assert(tuple == type_of(t, (struct type){ .kind = TYPE_TUPLE, .items = pair, .count = 2 }));
	pair[1] = n;
	ck_assert(tuple->items[1] == list);
	ck_assert(tuple != type_of(t, (struct type){ .kind = TYPE_TUPLE, .items = pair, .count = 2 }));
	arena_release(&a);
}
END_TEST

START_TEST(what_does_not_matter_is_forgotten)
{
	struct arena a;
	struct dimension bytes = { 1, 0, 0, 0, 0 };
	struct type_table *t;
	const struct type *n, *maybe;

	arena_init(&a, NULL);
	t = type_table_make(&a);
	/* Quantities have no exactness of their own, and no percent sign. */
	n = type_number(t, bytes, EXACT_INT);
	ck_assert(n == type_number(t, bytes, EXACT_REAL));
	ck_assert(n == type_of(t, (struct type){ .kind = TYPE_NUMBER, .dim = bytes, .percent = true }));
	ck_assert(type_simple(t, TYPE_BOOL) ==
		  type_of(t, (struct type){ .kind = TYPE_BOOL, .index = 7, .dim = bytes }));
	/* T?? is T?, and an option of nothing known is that. */
	maybe = type_option(t, n);
	ck_assert(type_option(t, maybe) == maybe);
	ck_assert(type_option(t, type_simple(t, TYPE_NONE)) == type_simple(t, TYPE_NONE));
	ck_assert(type_option(t, type_simple(t, TYPE_POISON)) == type_simple(t, TYPE_POISON));
	arena_release(&a);
}
END_TEST

START_TEST(many_types_stay_apart)
{
	struct arena a;
	struct type_table *t;
	const struct type *made[2000];

	arena_init(&a, NULL);
	t = type_table_make(&a);
	for (uint32_t i = 0; i < 2000; i++)
		made[i] = type_of(t, (struct type){ .kind = i % 2 ? TYPE_ENUM : TYPE_RECORD, .index = i / 2 });
	for (uint32_t i = 0; i < 2000; i++) {
		ck_assert_uint_eq(made[i]->index, i / 2);
		ck_assert(made[i] == type_of(t, (struct type){ .kind = i % 2 ? TYPE_ENUM : TYPE_RECORD,
							       .index = i / 2 }));
	}
	arena_release(&a);
}
END_TEST

START_TEST(dimensions_multiply_and_divide)
{
	struct arena a;
	struct dimension bytes = { 1, 0, 0, 0, 0 }, time = { 0, 1, 0, 0, 0 }, one = { 0, 0, 0, 0, 0 };
	struct dimension energy = { 0, 0, 0, 0, 1 }, usd = { 0, 0, 0, 1, 0 }, big = { 90, 0, 0, 0, 0 };

	arena_init(&a, NULL);
	ck_assert(dim_equal(dim_multiply(dim_divide(bytes, time), time), bytes));
	ck_assert(dim_is_one(dim_divide(bytes, bytes)));
	ck_assert_str_eq(shown(&a, one), "1");
	ck_assert_str_eq(shown(&a, bytes), "bytes");
	ck_assert_str_eq(shown(&a, dim_divide(bytes, time)), "bytes/s");
	ck_assert_str_eq(shown(&a, dim_divide(one, time)), "1/s");
	ck_assert_str_eq(shown(&a, dim_divide(energy, time)), "power");
	ck_assert_str_eq(shown(&a, dim_divide(usd, time)), "usd/h");
	ck_assert_str_eq(shown(&a, dim_multiply(bytes, bytes)), "bytes^2");
	ck_assert_str_eq(shown(&a, dim_multiply(bytes, time)), "bytes*time");
	ck_assert_str_eq(shown(&a, dim_divide(bytes, dim_multiply(usd, time))), "bytes/usd*s");
	/* Exponents stick at the end of their range in place of wrapping around. */
	ck_assert_int_eq(dim_multiply(big, big).info, 100);
	arena_release(&a);
}
END_TEST

UNIT_MAIN("types", equal_types_are_one, what_does_not_matter_is_forgotten, many_types_stay_apart,
	  dimensions_multiply_and_divide)
