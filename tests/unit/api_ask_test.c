/* api_ask_test.c - libplan's questions through plan.h: expressions, where values come from, candidates,
 * differences, documentation, tests, another value in a text. */
#include "include/plan.h"

#include "tests/unit/unit.h"

static const char plan_text[] =
	"edition 1\n"
	"## Boxes of every width.\n\n"
	"## A box.\n"
	"schema box { width: int, height: int = width, final area: int = width * height }\n"
	"box base { width = 3 }\n"
	"let room = 3 GiB\n"
	"sweep sizes of base {\n"
	"  vary width in 1..6\n"
	"  constraint small: area <= 20\n"
	"  objective { maximise area }\n"
	"}\n"
	"test \"an area\" { expect base.area == 9 }\n"
	"test \"another area\" { expect base.area == 10 }\n";

static struct plan_context *context_of(const char *text)
{
	struct plan_context *c = plan_new();

	ck_assert_ptr_nonnull(c);
	ck_assert_msg(plan_compile_text(c, "t.plan", text, strlen(text)) == PLAN_OK, "%s", plan_message(c));
	return c;
}

#define ck_assert_has(text, part) ck_assert_msg(strstr((text), (part)) != NULL, "%s", (text))

START_TEST(expressions_over_a_plan)
{
	struct plan_context *c = context_of(plan_text);
	struct plan_value v;
	size_t errors;
	const struct plan_diagnostic *list;

	ck_assert_int_eq(plan_eval(c, "base.area * room / 2", &v), PLAN_OK);
	ck_assert(v.kind == PLAN_KIND_NUMBER && v.exact && v.fits && v.integer == INT64_C(14495514624));
	ck_assert_str_eq(v.text, "13.5 GiB");
	ck_assert_str_eq(v.unit, "B");
	ck_assert_int_eq(plan_eval(c, "base with { width = 5 }", &v), PLAN_OK);
	ck_assert(v.kind == PLAN_KIND_RECORD && v.count == 3);
	ck_assert_int_eq(plan_eval(c, "best(sizes).width", &v), PLAN_OK);
	ck_assert(v.fits && v.integer == 4);
	ck_assert_int_eq(plan_eval(c, "base.depth", &v), PLAN_ERRORS);
	ck_assert_has(plan_message(c), "depth");
	ck_assert_int_eq(plan_eval(c, "1 / (base.width - 3)", &v), PLAN_ERRORS);
	ck_assert_int_eq(v.kind, PLAN_KIND_NONE);
	ck_assert_int_eq(plan_diagnostics(c, &list, &errors), PLAN_OK);
	ck_assert_uint_eq(errors, 2);
	ck_assert_str_eq(list[0].place.file, "<expression>");
	/* The plan itself is as sound as before. */
	ck_assert_int_eq(plan_eval(c, "base.area", &v), PLAN_OK);
	ck_assert_int_eq(plan_read(c, "base.area", &v), PLAN_OK);
	plan_free(c);
}
END_TEST

START_TEST(where_values_come_from)
{
	struct plan_context *c = context_of(plan_text);
	const char *text;

	ck_assert_int_eq(plan_why(c, "base.area", &text), PLAN_OK);
	ck_assert_has(text, "base.area = 9");
	ck_assert_has(text, "width = 3");
	ck_assert_int_eq(plan_why(c, "base.", &text), PLAN_ERRORS);
	ck_assert_ptr_null(text);
	plan_free(c);
}
END_TEST

START_TEST(why_a_candidate_did_not_win)
{
	struct plan_context *c = context_of(plan_text);
	const char *text;

	ck_assert_int_eq(plan_why_not(c, NULL, "width = 5", &text), PLAN_OK);
	ck_assert_has(text, "small");
	ck_assert_int_eq(plan_why_not(c, "szies", "width = 5", &text), PLAN_NOT_FOUND);
	ck_assert_has(plan_message(c), "did you mean `sizes`?");
	ck_assert_int_eq(plan_why_not(c, "sizes", "depth = 5", &text), PLAN_ERRORS);
	ck_assert_int_eq(plan_why_not(c, "sizes", "", &text), PLAN_MISUSE);
	ck_assert_ptr_null(text);
	plan_free(c);
}
END_TEST

START_TEST(what_two_plans_say_differently)
{
	struct plan_context *c = context_of(plan_text), *other = context_of("edition 1\nlet room = 4 GiB\n");
	const char *text;

	ck_assert_int_eq(plan_diff(c, c, &text), PLAN_OK);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(plan_diff(c, other, &text), PLAN_DIFFERENT);
	ck_assert_has(text, "room");
	ck_assert_has(text, "- box base");
	plan_free(other);
	other = plan_new();
	ck_assert_int_eq(plan_diff(c, other, &text), PLAN_MISUSE);
	ck_assert_int_eq(plan_diff(c, NULL, &text), PLAN_MISUSE);
	plan_free(other);
	plan_free(c);
}
END_TEST

START_TEST(documentation)
{
	struct plan_context *c = context_of(plan_text);
	const char *text;

	ck_assert_int_eq(plan_doc(c, &text), PLAN_OK);
	ck_assert_has(text, "Boxes of every width.");
	ck_assert_has(text, "A box.");
	plan_free(c);
	ck_assert_has(plan_explain("E2004"), "# E2004");
	ck_assert_ptr_eq(plan_explain("not_an_integer"), plan_explain("E2004"));
	ck_assert_ptr_null(plan_explain("E9999"));
	ck_assert_ptr_null(plan_explain(NULL));
}
END_TEST

START_TEST(tests_of_a_plan)
{
	struct plan_context *c = context_of(plan_text);
	const struct plan_diagnostic *list;
	size_t n;

	ck_assert_uint_eq(plan_test_count(c), 2);
	ck_assert_str_eq(plan_test_title(c, 1), "another area");
	ck_assert_ptr_null(plan_test_title(c, 2));
	ck_assert_int_eq(plan_test(c, 0), PLAN_OK);
	ck_assert_int_eq(plan_test(c, 1), PLAN_ERRORS);
	ck_assert_int_eq(plan_test(c, 2), PLAN_NOT_FOUND);
	ck_assert_int_eq(plan_diagnostics(c, &list, &n), PLAN_OK);
	ck_assert_uint_eq(n, 1);
	ck_assert_int_eq(plan_test(c, 0), PLAN_OK);
	plan_free(c);
}
END_TEST

START_TEST(another_value_in_a_text)
{
	static const char text[] = "edition 1\n\nlet a = 1  # kept\nlet b =   [1, 2]\n";
	struct plan_context *c = plan_new();
	const char *result;

	ck_assert_int_eq(plan_set(c, "t.plan", text, strlen(text), "a", "2 * 4", &result), PLAN_OK);
	ck_assert_str_eq(result, "edition 1\n\nlet a = 2 * 4  # kept\nlet b =   [1, 2]\n");
	ck_assert_int_eq(plan_set(c, "t.plan", text, strlen(text), "c", "2", &result), PLAN_ERRORS);
	ck_assert_ptr_null(result);
	ck_assert_int_eq(plan_set(c, "t.plan", text, strlen(text), "a", "2 *", &result), PLAN_ERRORS);
	ck_assert_int_eq(plan_set(c, "t.plan", text, strlen(text), "a", "2\nlet c = 1", &result), PLAN_ERRORS);
	ck_assert_int_eq(plan_set(c, "t.plan", "let", 3, "a", "2", &result), PLAN_ERRORS);
	ck_assert_int_eq(plan_set(c, "t.plan", text, strlen(text), NULL, "2", &result), PLAN_MISUSE);
	plan_free(c);
}
END_TEST

UNIT_MAIN("api_ask", expressions_over_a_plan, where_values_come_from, why_a_candidate_did_not_win,
	  what_two_plans_say_differently, documentation, tests_of_a_plan, another_value_in_a_text)
