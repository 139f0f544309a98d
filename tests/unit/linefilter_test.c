/* linefilter_test.c - where statements end, and how reading goes on after a mistake. */
#include "tests/unit/parse_fixture.h"

struct lines_case {
	const char *text;
	uint32_t items;              /* of the file, poison included */
	const char *codes;
};

static void check_cases(const struct lines_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct parsed p;

		parsed_init(&p, cases[i].text, false);
		ck_assert_msg(p.result.tree->file.items.n == cases[i].items, "%s: %u items",
			      cases[i].text, p.result.tree->file.items.n);
		ck_assert_msg(strcmp(parsed_codes(&p), cases[i].codes) == 0, "%s: %s",
			      cases[i].text, parsed_codes(&p));
		parsed_release(&p);
	}
}

START_TEST(line_breaks_end_statements_that_can_end)
{
	static const struct lines_case cases[] = {
		{ "", 0, "" },
		{ "\n\n\n", 0, "" },
		{ "let a = 1", 1, "" },
		{ "let a = 1\nlet b = 2", 2, "" },
		{ "let a = 1, let b = 2; let c = 3,,;\n", 3, "" },
		{ "let a = 1 +\n2\nlet b = 3", 2, "" },
		{ "let a = 1\n+ 2\nlet b = 3", 2, "" },
		{ "let a = 1\n\n# comment\n  + 2\nlet b = 3", 2, "" },
		{ "let a = f(1,\n2\n,\n3)\nlet b = [\n1\n]\n", 2, "" },
		{ "let a = x\n.y\n.z\n", 1, "" },
		{ "assert a\nwhen b\n: c\nbecause \"d\"\n", 1, "" },
		{ "a b\n{\n}\n", 1, "" },
		{ "a b { c = 1, d = 2; e { f = 3 } }", 1, "" },
		{ "let a = if b\nthen 1\nelse 2", 1, "" },
		{ "let a = {\n b = 1\n c = 2\n}\n.b", 1, "" },
		{ "let a = f({\n b = 1\n c = 2\n})", 1, "" },
		{ "let a =\n1", 2, "E0101 E0101" },
		{ "let a = not\nb", 1, "" },
		{ "schema s { a: int?\n b: int }", 1, "" },
		{ "let a = 1\r\nlet b = 2\r\n", 2, "" },
	};

	check_cases(cases, PLAN_COUNT(cases));
}
END_TEST

START_TEST(one_mistake_is_one_message)
{
	static const struct lines_case cases[] = {
		{ "let = 1\nlet b = 2", 2, "E0101" },
		{ "let a = 1 2 3 4\nlet b = 2", 2, "E0101" },
		{ "a b extnds c { d = 1\n e { f = 2 }\n}\nlet b = 2", 2, "E0101" },
		{ "a b { c = \n d = 2 }\nlet b = 2", 2, "E0101" },
		{ "a b { c = , d = 2 }\nlet b = 2", 2, "E0101" },
		{ "a b { c = }\nlet b = 2", 2, "E0101" },
		{ "a b { c = 1 } d\nlet b = 2", 3, "E0101" },
		{ "a b { c = 1 } )\nlet b = 2", 2, "E0101" },
		{ "a b { c { d = 1 } 5\n e = 2 }\nlet b = 2", 2, "E0101" },
		{ "a b { c = 1 } let b = 2", 2, "E0101" },
		{ "let a = $\nlet b = 2", 2, "E0002" },
		{ "let a = \"x\nlet b = 2", 2, "E0004" },
		{ "let a = \"{x\nlet b = 2", 2, "E0004" },
		{ "let a = \"{x + }\"\nlet b = 2", 2, "E0101" },
		{ "let a = match b { 1 -> , 2 -> 3 }\nlet b = 2", 2, "E0101" },
		{ "let a = [b for c]\nlet b = 2", 2, "E0101" },
		{ "import \"x\" { a b }\nlet b = 2", 2, "E0101" },
		{ "test \"x\" { expect }\nlet b = 2", 2, "E0101" },
		{ "sweep s of j { vary a\n objective { maximise } }\nlet b = 2", 2, "E0101 E0101" },
		{ "let a = 1 +\nlet b = 2", 2, "E0101" },
		{ ")\nlet b = 2", 2, "E0101" },
		{ "edition\nlet b = 2", 2, "E0101" },
		{ "let a = 1\nedition 1", 2, "E0101" },
	};

	check_cases(cases, PLAN_COUNT(cases));
}
END_TEST

START_TEST(forgotten_brackets_are_closed)
{
	static const struct lines_case cases[] = {
		{ "let a = (1\nlet b = 2", 2, "E0102" },
		{ "let a = [1,\nlet b = 2", 2, "E0102" },
		{ "let a = f(1", 1, "E0102" },
		{ "let a = f(1\nb c { d = 1 }", 2, "E0102" },
		{ "a b {\n c = f(1\n d = 2\n}\nlet b = 2", 2, "E0102" },
		{ "a b {\n c = f(1 }\nlet b = 2", 2, "E0102" },
		{ "a b {\n c = 1\n\nschema d { e: int }", 2, "E0102" },
		{ "a b {\n c = 1\n\nd e {\n f = 1\n}\nlet b = 2", 3, "E0102" },
		{ "a b {\n c {\n d = 1\n}\nparam n: int = 1", 2, "E0102" },
		{ "a b { c = 1", 1, "E0102" },
		{ "let a = f(1]\nlet b = 2", 2, "E0102" },
		{ "test \"x\" {\n expect failure \"E2101\" {\nparam n: int = 1\n }\n}", 1, "" },
	};

	check_cases(cases, PLAN_COUNT(cases));
}
END_TEST

START_TEST(indentation_names_the_forgotten_brace)
{
	struct parsed p;

	parsed_init(&p, "job j {\n  strategy {\n    tp = 8\n  batch { micro = 1 }\n}\nparam n: int = 1\n",
		    false);
	ck_assert_str_eq(parsed_codes(&p), "E0102");
	ck_assert_uint_eq(p.sink.diags.at[0]->span.lo, strlen("job j {\n  strategy "));
	ck_assert(!p.result.intact);
	parsed_release(&p);
}
END_TEST

START_TEST(what_was_reported_in_place_leaves_the_tree_intact)
{
	struct parsed p;

	parsed_init(&p, "let a = 80 gb\nlet b = x && y\nlet c = 1__0", false);
	ck_assert_str_eq(parsed_codes(&p), "E0301 E0002 E0005");
	ck_assert(p.result.intact && !p.result.ok);
	parsed_release(&p);
}
END_TEST

UNIT_MAIN("linefilter", line_breaks_end_statements_that_can_end, one_mistake_is_one_message,
	  forgotten_brackets_are_closed, indentation_names_the_forgotten_brace,
	  what_was_reported_in_place_leaves_the_tree_intact)
