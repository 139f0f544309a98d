/* csv_test.c - tables, quoting, and what the CSV reader refuses where. */
#include "tests/unit/unit.h"

#include "compiler/source/csv.h"

#define ck_assert_str(s, z) ck_assert_msg(str_is((s), (z)), "%.*s", (int)(s).n, (s).p)

static struct csv *parse(struct arena *a, struct str text, struct csv_error *error)
{
	struct sources s;

	sources_init(&s, a);
	return csv_parse(a, &s, sources_add(&s, STR("t.csv"), text, false), error);
}

START_TEST(a_table_is_read)
{
	struct arena a;
	struct csv_error e;
	const struct csv *t;

	arena_init(&a, NULL);
	t = parse(&a, STR("# from a paper\r\n#\nm,n,\"k, long\"\n1,,3\r\n"
			  "\"a \"\"b\"\"\n c\",x y ,\"\"\n"), &e);
	ck_assert_msg(t != NULL, "%s", e.message);
	ck_assert(t->columns == 3 && t->rows == 2);
	ck_assert_str(t->header[2].text, "k, long");
	ck_assert(t->header[0].span.lo == 18 && t->header[0].span.hi == 19);
	ck_assert_str(t->cells[0].text, "1");
	ck_assert_str(t->cells[1].text, "");
	ck_assert_str(t->cells[3].text, "a \"b\"\n c");
	ck_assert_str(t->cells[4].text, "x y ");
	ck_assert_str(t->cells[5].text, "");
	ck_assert(t->cells[5].span.hi == t->cells[5].span.lo + 2);
	t = parse(&a, STR("only"), &e);
	ck_assert(t && t->columns == 1 && t->rows == 0);
	t = parse(&a, STR("only\n\n#x\n\"\"\"\""), &e);
	ck_assert(t && t->rows == 3);
	ck_assert_str(t->cells[0].text, "");
	ck_assert_str(t->cells[1].text, "#x");
	ck_assert_str(t->cells[2].text, "\"");
	arena_release(&a);
}
END_TEST

START_TEST(errors_are_found_at_their_place)
{
	static const struct { struct str text; uint32_t lo, hi; const char *part; } cases[] = {
		{ STR_INIT(""), 0, 0, "no header" },
		{ STR_INIT("# only\n"), 7, 7, "no header" },
		{ STR_INIT("a,b\n1\n"), 4, 5, "fewer" },
		{ STR_INIT("a,b\n1,2,3\n"), 8, 9, "more" },
		{ STR_INIT("a,b\n\n1,2\n"), 4, 4, "empty line" },
		{ STR_INIT("a,a\n"), 2, 3, "another column" },
		{ STR_INIT("a,\n"), 2, 2, "no name" },
		{ STR_INIT("\n1\n"), 0, 0, "no name" },
		{ STR_INIT("a\n\"x"), 2, 3, "never closed" },
		{ STR_INIT("a\nx\"y\n"), 3, 4, "inside a cell" },
		{ STR_INIT("a\n\"x\"y\n"), 5, 6, "behind the quote" },
		{ STR_INIT("a\nx\ry\n"), 3, 4, "control" },
		{ STR_INIT("a\n\xc3\n"), 2, 3, "UTF-8" },
		{ STR_INIT("\xef\xbb\xbf" "a\n"), 0, 3, "byte order" },
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		struct csv_error e = { .message = "" };

		ck_assert_msg(!parse(&a, cases[i].text, &e), "%s", cases[i].text.p);
		ck_assert_msg(strstr(e.message, cases[i].part) != NULL, "%s: %s", cases[i].text.p,
			      e.message);
		ck_assert_msg(e.span.lo == cases[i].lo && e.span.hi == cases[i].hi, "%s: %u %u",
			      cases[i].text.p, e.span.lo, e.span.hi);
	}
	arena_release(&a);
}
END_TEST

UNIT_MAIN("csv", a_table_is_read, errors_are_found_at_their_place)
