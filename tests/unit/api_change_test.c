/* api_change_test.c - libplan's questions that change a plan, through plan.h: which value is just enough, what a small
 * change does, corrections; and the targets there are. */
#include "include/plan.h"

#include "tests/unit/unit.h"

static const char plan_text[] =
	"edition 1\n"
	"import \"std:models\" { llama3_8b }\n"
	"import \"std:clusters\" { dgx_h100 }\n"
	"job pretrain {\n"
	"  model    = llama3_8b\n"
	"  cluster  = dgx_h100 with { nodes = 2 }\n"
	"  strategy { tp = 2, recompute = full, zero = optimizer }\n"
	"  batch    { sequence = 4096, micro = 1, global = 64 }\n"
	"}\n"
	"schema box { width: int, height: int = width, final area: int = width * height }\n"
	"box base { width = 3 }\n";

static const char with_sweep[] =
	"sweep grids of pretrain {\n"
	"  vary strategy.tp in [1, 2, 4]\n"
	"  constraint fits: memory.fits\n"
	"  objective { maximise tokens_per_second }\n"
	"}\n"
	"sweep nothing of pretrain { vary strategy.tp in [1, 2], constraint c: strategy.tp > 2 }\n";

static struct plan_context *context_of(const char *text, const char *more)
{
	struct plan_context *c = plan_new();
	char all[2000];

	ck_assert_ptr_nonnull(c);
	snprintf(all, sizeof all, "%s%s", text, more);
	ck_assert_msg(plan_compile_text(c, "t.plan", all, strlen(all)) == PLAN_OK, "%s", plan_message(c));
	return c;
}

#define ck_assert_has(text, part) ck_assert_msg(strstr((text), (part)) != NULL, "%s", (text))

START_TEST(just_enough)
{
	struct plan_context *c = context_of(plan_text, "");
	struct plan_inverse q = { .path = "base.width", .such_that = "area >= 50" };
	struct plan_value v;
	const char *text;

	ck_assert_msg(plan_solve(c, &q, &v, PLAN_REPORT_TEXT, &text) == PLAN_OK, "%s", plan_message(c));
	ck_assert(v.fits && v.integer == 8);
	ck_assert_has(text, "base.width = 8: the least for base");
	ck_assert_has(text, "7 is not met");
	q.wanted = PLAN_GREATEST;
	q.such_that = "area <= 50";
	q.in = "[2, 5, 7, 9]";
	ck_assert_int_eq(plan_solve(c, &q, &v, PLAN_REPORT_JSON, &text), PLAN_OK);
	ck_assert(v.fits && v.integer == 7);
	ck_assert_has(text, "planc.solve/1");
	ck_assert_int_eq(plan_solve(c, &q, NULL, PLAN_REPORT_TEXT, NULL), PLAN_OK);
	/* The plan itself is as it was. */
	ck_assert_int_eq(plan_read(c, "base.width", &v), PLAN_OK);
	ck_assert(v.integer == 3);
	plan_free(c);
}
END_TEST

START_TEST(just_enough_for_a_job)
{
	struct plan_context *c = context_of(plan_text, "");
	struct plan_inverse q = { .path = "cluster.gpu.memory", .precision = 0.01 };
	struct plan_value v, reserved;

	ck_assert_msg(plan_solve(c, &q, &v, PLAN_REPORT_TEXT, NULL) == PLAN_OK, "%s", plan_message(c));
	ck_assert_str_eq(v.unit, "B");
	ck_assert_int_eq(plan_read(c, "pretrain.memory.reserved", &reserved), PLAN_OK);
	ck_assert(v.number >= reserved.number && v.number <= reserved.number * 1.0101);
	plan_free(c);
}
END_TEST

START_TEST(questions_that_cannot_be_asked)
{
	struct plan_context *c = context_of(plan_text, "");
	struct plan_inverse q = { .path = "base.wdith" };
	struct plan_value v;
	const char *text = "left";

	ck_assert_int_eq(plan_solve(c, &q, &v, PLAN_REPORT_TEXT, &text), PLAN_ERRORS);
	ck_assert_has(plan_message(c), "E1201");
	ck_assert_ptr_null(text);
	q.path = "base.area";
	ck_assert_int_eq(plan_solve(c, &q, &v, PLAN_REPORT_TEXT, &text), PLAN_ERRORS);
	ck_assert_has(plan_message(c), "E1");
	q = (struct plan_inverse){ .path = "base.width", .job = "base", .such_that = "area < 0" };
	ck_assert_int_eq(plan_solve(c, &q, &v, PLAN_REPORT_TEXT, &text), PLAN_NOTHING_LEFT);
	ck_assert_str_eq(plan_message(c), "no value is enough");
	q.precision = 0.9;
	ck_assert_int_eq(plan_solve(c, &q, &v, PLAN_REPORT_TEXT, &text), PLAN_MISUSE);
	q = (struct plan_inverse){ .job = "pretrain" };
	ck_assert_int_eq(plan_solve(c, &q, &v, PLAN_REPORT_TEXT, &text), PLAN_MISUSE);
	ck_assert_int_eq(plan_solve(c, NULL, &v, PLAN_REPORT_TEXT, &text), PLAN_MISUSE);
	ck_assert_int_eq(plan_solve(NULL, &q, &v, PLAN_REPORT_TEXT, &text), PLAN_MISUSE);
	plan_free(c);
}
END_TEST

START_TEST(small_changes)
{
	struct plan_context *c = context_of(plan_text, with_sweep);
	const char *text;

	ck_assert_msg(plan_sensitivity(c, "grids", PLAN_REPORT_TEXT, &text) == PLAN_OK, "%s", plan_message(c));
	ck_assert_has(text, "one step along each axis");
	ck_assert_has(text, "strategy.tp");
	ck_assert_int_eq(plan_sensitivity(c, "pretrain", PLAN_REPORT_JSON, &text), PLAN_OK);
	ck_assert_has(text, "planc.sensitivity/1");
	ck_assert_has(text, "cluster.gpu.memory_bandwidth");
	ck_assert_int_eq(plan_sensitivity(c, "nothing", PLAN_REPORT_TEXT, &text), PLAN_NOTHING_LEFT);
	ck_assert_ptr_null(text);
	ck_assert_int_eq(plan_sensitivity(c, "gridz", PLAN_REPORT_TEXT, &text), PLAN_NOT_FOUND);
	/* Two sweeps: none is the only one; one job is. */
	ck_assert_int_eq(plan_sensitivity(c, NULL, PLAN_REPORT_TEXT, &text), PLAN_OK);
	ck_assert_int_eq(plan_sensitivity(c, NULL, PLAN_REPORT_TEXT, NULL), PLAN_MISUSE);
	plan_free(c);
}
END_TEST

START_TEST(corrections)
{
	static const char text[] = "edition 1\nlet room = 3 GiB\nlet b = rooom + 1 gib\n";
	struct plan_context *c = plan_new();
	const struct plan_diagnostic *list;
	const char *result;
	size_t made, n;

	ck_assert_msg(plan_fix(c, "t.plan", text, strlen(text), &result, &made) == PLAN_OK, "%s", plan_message(c));
	ck_assert_str_eq(result, "edition 1\nlet room = 3 GiB\nlet b = room + 1 GiB\n");
	ck_assert_uint_eq(made, 2);
	ck_assert_int_eq(plan_diagnostics(c, &list, &n), PLAN_OK);
	ck_assert_uint_eq(n, 0);
	/* Nothing is left to evaluate. */
	ck_assert_int_eq(plan_check(c, PLAN_CHECK_RULES), PLAN_MISUSE);
	ck_assert_int_eq(plan_fix(c, "t.plan", "edition 1\nlet a = nowhere\n", 26, &result, &made), PLAN_ERRORS);
	ck_assert_uint_eq(made, 0);
	ck_assert_str_eq(result, "edition 1\nlet a = nowhere\n");
	ck_assert_int_eq(plan_fix(c, "t.plan", NULL, 1, &result, &made), PLAN_MISUSE);
	plan_free(c);
}
END_TEST

START_TEST(suggestions_of_plans)
{
	struct plan_start wanted = { .model = "llama3_8b", .cluster = "dgx_h100", .gpus = 16 };
	struct plan_context *c = plan_new();
	struct plan_value value;
	const char *text;
	char *plan;

	ck_assert_msg(plan_suggest(c, &wanted, &text) == PLAN_OK, "%s", plan_message(c));
	ck_assert_has(text, "job pretrain {");
	plan = strdup(text);
	ck_assert_msg(plan_compile_text(c, "suggested.plan", plan, strlen(plan)) == PLAN_OK, "%s", plan_message(c));
	ck_assert_int_eq(plan_check(c, PLAN_CHECK_ALL), PLAN_OK);
	ck_assert_int_eq(plan_read(c, "pretrain.gpus", &value), PLAN_OK);
	ck_assert_int_eq(value.integer, 16);
	free(plan);
	/* One H100 does not hold 18 bytes for each of 8e9 parameters. */
	wanted.gpus = 1;
	ck_assert_int_eq(plan_suggest(c, &wanted, &text), PLAN_NOTHING_LEFT);
	ck_assert_ptr_null(text);
	ck_assert_has(plan_message(c), "does not fit on 1 GPU");
	wanted.model = "llama3_9b";
	ck_assert_int_eq(plan_suggest(c, &wanted, &text), PLAN_NOT_FOUND);
	ck_assert_has(plan_message(c), "std:models has no model `llama3_9b`");
	wanted.model = "no/such/file.plan:ours";
	ck_assert_int_eq(plan_suggest(c, &wanted, &text), PLAN_ERRORS);
	wanted.model = "../ours.plan:ours";
	ck_assert_int_eq(plan_suggest(c, &wanted, &text), PLAN_MISUSE);
	wanted.model = "llama3_8b";
	wanted.target = "megatorn@0.14";
	ck_assert_int_eq(plan_suggest(c, &wanted, &text), PLAN_ERRORS);
	wanted.cluster = NULL;
	ck_assert_int_eq(plan_suggest(c, &wanted, &text), PLAN_MISUSE);
	ck_assert_int_eq(plan_suggest(NULL, &wanted, &text), PLAN_MISUSE);
	plan_free(c);
}
END_TEST

START_TEST(targets_of_the_library)
{
	struct plan_context *c = plan_new();
	const struct plan_target *list;
	size_t n, megatron = 0;

	ck_assert_msg(plan_targets(c, &list, &n) == PLAN_OK, "%s", plan_message(c));
	ck_assert_uint_gt(n, 8);
	while (megatron < n && strcmp(list[megatron].name, "megatron") != 0)
		megatron++;
	ck_assert_uint_lt(megatron, n);
	ck_assert_has(list[megatron].versions, "0.12 to ");
	ck_assert_uint_gt(list[megatron].rules, 100);
	ck_assert_uint_gt(list[megatron].flags, 100);
	ck_assert_has(list[megatron].title, "Megatron-LM");
	for (size_t i = 1; i < n; i++)
		ck_assert_int_lt(strcmp(list[i - 1].name, list[i].name), 0);
	ck_assert_int_eq(plan_set_library(c, "/no/such/folder"), PLAN_OK);
	ck_assert_int_eq(plan_targets(c, &list, &n), PLAN_NO_FILE);
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(plan_targets(c, NULL, &n), PLAN_MISUSE);
	ck_assert_int_eq(plan_targets(NULL, &list, &n), PLAN_MISUSE);
	plan_free(c);
}
END_TEST

UNIT_MAIN("api_change", just_enough, just_enough_for_a_job, questions_that_cannot_be_asked, small_changes, corrections,
	  suggestions_of_plans, targets_of_the_library)
