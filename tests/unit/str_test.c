/* str_test.c - views, names, spelling distance, UTF-8, paths. */
#include "tests/unit/unit.h"

#include "compiler/base/out.h"
#include "compiler/base/path.h"
#include "compiler/base/utf8.h"

#define ck_assert_str(s, z) ck_assert_msg(str_is((s), (z)), "%.*s", (int)(s).n, (s).p)

START_TEST(views_compare_and_slice)
{
	struct str s = STR("pipeline");

	ck_assert(str_equal(s, str_of("pipeline")) && !str_equal(s, STR("pipelines")));
	ck_assert(str_starts(s, "pipe") && !str_starts(s, "pipelines") && str_starts(s, ""));
	ck_assert(str_ends(s, "line") && !str_ends(s, "pipe"));
	ck_assert_int_eq(str_compare(STR("a"), STR("ab")), -1);
	ck_assert_int_eq(str_compare(STR("b"), STR("ab")), 1);
	ck_assert_int_eq(str_compare(STR(""), STR("")), 0);
	ck_assert_int_eq(str_compare(STR("\xc3\xa9"), STR("z")), 1);
	ck_assert_str(str_slice(s, 4, 8), "line");
	ck_assert_str(str_slice(s, 4, UINT32_MAX), "line");
	ck_assert_str(str_slice(s, 9, 4), "");
}
END_TEST

START_TEST(names_are_interned_once)
{
	struct arena a;
	struct interner *in;
	struct sym first, again;
	char text[16];

	arena_init(&a, NULL);
	in = interner_make(&a);
	ck_assert_uint_eq(sym_of_z(in, "").id, 0);
	ck_assert_uint_eq(sym_find(in, STR("tp")).id, 0);
	first = sym_of_z(in, "tp");
	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof text, "name%d", i);
		ck_assert_uint_eq(sym_of_z(in, text).id, (uint32_t)i + 2);
	}
	again = sym_of(in, str_slice(STR("tp_size"), 0, 2));
	ck_assert(sym_equal(first, again));
	ck_assert_uint_eq(sym_find(in, STR("name4999")).id, 5001);
	ck_assert_str_eq(sym_str(in, sym_find(in, STR("name77"))).p, "name77");
	ck_assert_str(sym_str(in, (struct sym){ 0 }), "");
	arena_release(&a);
}
END_TEST

static int distance(const char *a, const char *b, int limit)
{
	int there = str_distance(str_of(a), str_of(b), limit);

	ck_assert_int_eq(there, str_distance(str_of(b), str_of(a), limit));
	return there;
}

START_TEST(spelling_distance)
{
	char wide[400];

	ck_assert_int_eq(distance("layers", "layers", 2), 0);
	ck_assert_int_eq(distance("layers", "layer", 2), 1);
	ck_assert_int_eq(distance("lyaers", "layers", 2), 1);
	ck_assert_int_eq(distance("sequence", "seqeunec", 2), 2);
	ck_assert_int_eq(distance("kitten", "sitting", 5), 3);
	ck_assert_int_eq(distance("abc", "xyz", 2), 3);
	ck_assert_int_eq(distance("", "ab", 5), 2);
	ck_assert_int_eq(distance("short", "a much longer name", 2), 3);
	memset(wide, 'x', sizeof wide - 1);
	wide[sizeof wide - 1] = '\0';
	ck_assert_int_eq(distance(wide, wide + 1, 2), 1);
	ck_assert_int_eq(distance(wide, "y", 2), 3);
}
END_TEST

START_TEST(utf8_is_checked_strictly)
{
	static const struct { const char *text; uint32_t bad; } cases[] = {
		{ "plain", 5 }, { "\xc3\xa9t\xc3\xa9", 5 }, { "\xe6\xa8\xa1\xf0\x9f\x9a\x80", 7 },
		{ "ab\xff", 2 }, { "\xc0\x80", 0 }, { "\xe0\x80\x80", 0 }, { "x\xed\xa0\x80", 1 },
		{ "\xf4\x90\x80\x80", 0 }, { "\xf5\x80\x80\x80", 0 }, { "a\xe6\xa8", 1 },
		{ "\x80", 0 }, { "\xf4\x8f\xbf\xbf", 4 },
	};

	for (size_t i = 0; i < PLAN_COUNT(cases); i++)
		ck_assert_uint_eq(utf8_check(str_of(cases[i].text)), cases[i].bad);
}
END_TEST

START_TEST(utf8_round_trip)
{
	uint32_t wrong = 0;

	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		char p[UTF8_BYTES_MAX];
		uint32_t n, back;

		if (!utf8_is_code(code))
			continue;
		n = utf8_encode(code, p);
		wrong += utf8_decode((struct str){ p, n }, &back) != n || back != code;
		wrong += n > 1 && utf8_decode((struct str){ p, n - 1 }, &back) != 0;
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(text_has_a_width)
{
	ck_assert_uint_eq(text_width(STR("abc")), 3);
	ck_assert_uint_eq(text_width(STR("\xe6\xa8\xa1\xe5\x9e\x8b")), 4);       /* two ideographs */
	ck_assert_uint_eq(text_width(STR("e\xcc\x81")), 1);                     /* combining acute */
	ck_assert_uint_eq(text_width(STR("\xf0\x9f\x9a\x80")), 2);               /* a rocket */
	ck_assert_uint_eq(text_width(STR("\xc3\xa9\xe2\x94\x82")), 2);           /* e acute, box line */
	ck_assert_uint_eq(text_width(STR("a\xff" "b")), 3);
	ck_assert_uint_eq(text_width(STR("\xe3\x80\x80\xef\xbc\xa1")), 4);       /* fullwidth forms */
	ck_assert_uint_eq(text_width(STR("\xe2\x80\x8b")), 0);                  /* zero width space */
}
END_TEST

START_TEST(paths)
{
	static const struct { const char *path, *normal; bool leaves; } cases[] = {
		{ "a/./b", "a/b", false }, { "a//b/", "a/b", false }, { "a/b/../c", "a/c", false },
		{ "a/..", ".", false }, { "", ".", false }, { "./", ".", false },
		{ "../a", "../a", true }, { "a/../../b", "../b", true }, { "../../x", "../../x", true },
		{ "/a/../../b", "/b", true }, { "/", "/", true }, { "/..", "/", true },
		{ "a/../b/../../c", "../c", true }, { "..a/b", "..a/b", false },
		{ "a/b/../..", ".", false }, { "/a/b/..", "/a", true },
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		struct str path = str_of(cases[i].path);

		ck_assert_str(path_normalise(&a, path), cases[i].normal);
		ck_assert(path_leaves_root(path) == cases[i].leaves);
	}
	ck_assert_str(path_folder(STR("a/b/c")), "a/b");
	ck_assert_str(path_folder(STR("c")), ".");
	ck_assert_str(path_folder(STR("/c")), "/");
	ck_assert_str(path_name(STR("a/b/c")), "c");
	ck_assert_str(path_join(&a, STR("a"), STR("b/c")), "a/b/c");
	ck_assert_str(path_join(&a, STR("a/"), STR("b")), "a/b");
	ck_assert_str(path_join(&a, STR("."), STR("b")), "b");
	ck_assert_str(path_join(&a, STR("a"), STR("/b")), "/b");
	arena_release(&a);
}
END_TEST

UNIT_MAIN("str", views_compare_and_slice, names_are_interned_once, spelling_distance,
	  utf8_is_checked_strictly, utf8_round_trip, text_has_a_width, paths)
