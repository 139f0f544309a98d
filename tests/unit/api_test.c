/* api_test.c - libplan through plan.h alone, as a program that links it would: what comes back, what is
 * refused, two contexts in two threads. */
#include "include/plan.h"

#include <pthread.h>
#include <string.h>

#include "tests/unit/unit.h"

static const char plan_text[] =
	"edition 1\n"
	"import \"std:models\" { llama3_8b }\n"
	"import \"std:clusters\" { pcie_a100 }\n"
	"param ways: int = 2\n"
	"let third = 1 / 3\n"
	"let room = 3 GiB\n"
	"let words = [\"a\", \"b\"]\n"
	"strategy halves { pp = ways, zero = optimizer }\n"
	"job pretrain {\n"
	"  model    = llama3_8b\n"
	"  cluster  = pcie_a100\n"
	"  strategy = halves\n"
	"  batch { sequence = 4096, micro = 1, global = 32 }\n"
	"}\n"
	"schema box { width: int }\n"
	"box base { width = ways }\n"
	"sweep sizes of base { vary width in 1..60, constraint small: width < 50, objective { maximise width } }\n"
	"test \"narrow\" { expect base.width < 10 }\n"
	"emit megatron from pretrain to \"out/run.sh\" { iterations = 10, seed = 1, lr = 0.001 }\n";

static struct plan_context *context_of(const char *text)
{
	struct plan_context *c = plan_new();

	ck_assert_ptr_nonnull(c);
	ck_assert_msg(plan_compile_text(c, "t.plan", text, strlen(text)) == PLAN_OK, "%s", plan_message(c));
	return c;
}

static struct plan_value value_of(struct plan_context *c, const char *path)
{
	struct plan_value v;

	ck_assert_msg(plan_read(c, path, &v) == PLAN_OK, "%s: %s", path, plan_message(c));
	return v;
}

START_TEST(values_of_every_kind)
{
	struct plan_context *c = context_of(plan_text);
	struct plan_value v = value_of(c, "third");

	ck_assert_int_eq(v.kind, PLAN_KIND_NUMBER);
	ck_assert(v.exact && !v.fits);
	ck_assert_str_eq(v.fraction, "1/3");
	ck_assert(v.number == 1.0 / 3);
	v = value_of(c, "room");
	ck_assert(v.exact && v.fits && v.integer == 3221225472);
	ck_assert_str_eq(v.unit, "B");
	ck_assert_str_eq(v.text, "3 GiB");
	ck_assert_str_eq(v.source, "3 GiB");
	ck_assert_str_eq(v.type, "bytes");
	v = value_of(c, "words");
	ck_assert(v.kind == PLAN_KIND_LIST && v.count == 2);
	ck_assert_str_eq(value_of(c, "words[1]").text, "b");
	v = value_of(c, "pretrain.strategy");
	ck_assert(v.kind == PLAN_KIND_RECORD && v.count > 5);
	ck_assert_str_eq(v.text, "halves");
	ck_assert_str_eq(value_of(c, "pretrain.strategy.zero").text, "optimizer");
	ck_assert_int_eq(value_of(c, "pretrain.strategy.zero").kind, PLAN_KIND_NAME);
	v = value_of(c, "pretrain.memory.fits");
	ck_assert(v.kind == PLAN_KIND_BOOL && v.truth);
	v = value_of(c, "pretrain.step.time");
	ck_assert(v.kind == PLAN_KIND_NUMBER && !v.exact && v.number > 1 && v.number < 10);
	ck_assert_str_eq(v.unit, "s");
	ck_assert_str_eq(v.fraction, "");
	plan_free(c);
}
END_TEST

static void refuses(struct plan_context *c, const char *path, const char *message)
{
	struct plan_value v;

	ck_assert_int_eq(plan_read(c, path, &v), PLAN_NOT_FOUND);
	ck_assert_str_eq(plan_message(c), message);
}

START_TEST(paths_that_lead_nowhere)
{
	struct plan_context *c = context_of(plan_text);

	refuses(c, "", "`` does not begin with a name");
	refuses(c, "pretrian", "the plan has no name `pretrian`; did you mean `pretrain`?");
	refuses(c, "pretrain.stratgy", "`job` has no field `stratgy`; did you mean `strategy`?");
	refuses(c, "pretrain.", "a name is missing behind `pretrain.`");
	refuses(c, "pretrain..x", "a name is missing behind `pretrain.`");
	refuses(c, "room.x", "`room` has no fields");
	refuses(c, "room[0]", "`room` is no list");
	refuses(c, "words[2]", "`words` has 2 elements, counted from 0");
	refuses(c, "words[99999999999999999999]", "`]` is missing in `words[99999999999999999999]`");
	refuses(c, "words[x]", "a number is missing behind `words[`");
	refuses(c, "words[1", "`]` is missing in `words[1`");
	refuses(c, "words[1]b", "`words[1]b` cannot be read from `b` on");
	plan_free(c);
}
END_TEST

START_TEST(names_can_be_listed)
{
	struct plan_context *c = context_of(plan_text);
	const char *name;
	size_t n = 0;

	while (plan_field_name(c, "", n, &name) == PLAN_OK)
		n++;
	ck_assert_uint_eq(n, 7);
	ck_assert_int_eq(plan_field_name(c, "", 0, &name), PLAN_OK);
	ck_assert_str_eq(name, "ways");
	for (n = 0; plan_field_name(c, "pretrain.batch", n, &name) == PLAN_OK; n++)
		ck_assert_uint_gt(strlen(name), 0);
	ck_assert_uint_eq(n, value_of(c, "pretrain.batch").count);
	ck_assert_int_eq(plan_field_name(c, "room", 0, &name), PLAN_NOT_FOUND);
	ck_assert_ptr_null(name);
	plan_free(c);
}
END_TEST

START_TEST(settings)
{
	struct plan_context *c = plan_new();
	double standard;

	ck_assert_int_eq(plan_set_parameter(c, "ways", "4"), PLAN_OK);
	ck_assert_int_eq(plan_set_parameter(c, "ways", "1 + 0"), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_OK);
	ck_assert_int_eq(value_of(c, "pretrain.strategy.pp").integer, 1);
	ck_assert_int_eq(plan_set_parameter(c, "ways", NULL), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_OK);
	ck_assert_int_eq(value_of(c, "pretrain.strategy.pp").integer, 2);
	standard = value_of(c, "pretrain.step.time").number;
	ck_assert_int_eq(plan_set_profile(c, "simumax"), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_OK);
	ck_assert(value_of(c, "pretrain.step.time").number != standard);
	ck_assert_int_eq(plan_set_profile(c, "idael"), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_NOT_FOUND);
	ck_assert_str_eq(plan_message(c), "there is no profile `idael`; did you mean `ideal`?");
	ck_assert_int_eq(plan_set_profile(c, NULL), PLAN_OK);
	ck_assert_int_eq(plan_set_parameter(c, "wyas", "4"), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_ERRORS);
	ck_assert_ptr_nonnull(strstr(plan_message(c), "wyas"));
	plan_free(c);
}
END_TEST

START_TEST(diagnostics_as_structs_and_as_text)
{
	static const char text[] = "edition 1\nlet a = 1\nassert small: a > 2\n  because \"too small\"\n";
	struct plan_context *c = context_of(text);
	const struct plan_diagnostic *list;
	const char *shown;
	size_t n;

	ck_assert_int_eq(plan_diagnostics(c, &list, &n), PLAN_OK);
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(plan_check(c, PLAN_CHECK_RULES), PLAN_ERRORS);
	ck_assert_int_eq(plan_check(c, PLAN_CHECK_RULES), PLAN_ERRORS);
	ck_assert_int_eq(plan_check(c, PLAN_CHECK_ALL), PLAN_ERRORS);
	ck_assert_int_eq(plan_diagnostics(c, &list, &n), PLAN_OK);
	ck_assert_uint_eq(n, 1);
	ck_assert(list[0].error);
	ck_assert_str_eq(list[0].code, "E2301");
	ck_assert_str_eq(list[0].place.file, "t.plan");
	ck_assert_uint_eq(list[0].place.line, 3);
	ck_assert_uint_eq(list[0].value_count, 2);
	ck_assert_str_eq(list[0].values[0].expression, "a");
	ck_assert_str_eq(list[0].values[0].text, "1");
	ck_assert_int_eq(plan_diagnostics_text(c, PLAN_FORMAT_TEXT, &shown), PLAN_OK);
	ck_assert_ptr_nonnull(strstr(shown, "error[E2301]"));
	ck_assert_ptr_null(strstr(shown, "\033"));
	ck_assert_int_eq(plan_diagnostics_text(c, PLAN_FORMAT_COLOUR, &shown), PLAN_OK);
	ck_assert_ptr_nonnull(strstr(shown, "\033"));
	ck_assert_int_eq(plan_diagnostics_text(c, PLAN_FORMAT_JSON, &shown), PLAN_OK);
	ck_assert_int_eq(shown[0], '{');
	plan_free(c);
}
END_TEST

START_TEST(files_that_are_not_there)
{
	struct plan_context *c = plan_new();

	ck_assert_int_eq(plan_compile_file(c, "no/such.plan"), PLAN_NO_FILE);
	ck_assert_ptr_nonnull(strstr(plan_message(c), "no/such.plan"));
	ck_assert_uint_eq(plan_job_count(c), 0);
	ck_assert_int_eq(plan_compile_simumax(c, "a.json", "b.json", "c.json"), PLAN_NO_FILE);
	ck_assert_int_eq(plan_set_library(c, "no/library"), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", "", 0), PLAN_NO_FILE);
	plan_free(c);
}
END_TEST

START_TEST(limits_name_themselves)
{
	static const char sweep_text[] = "edition 1\nschema box { width: int }\nbox base { width = 1 }\n"
					 "sweep sizes of base { vary width in 1..6 }\n";
	struct plan_context *c = plan_new();
	const char *text;

	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_FILE, UINT64_C(1) << 40), PLAN_MISUSE);
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_FILE, 10), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_NO_FILE);
	ck_assert_ptr_nonnull(strstr(plan_message(c), "10 bytes"));
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_FILE, 0), PLAN_OK);
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_MEMORY, 1 << 20), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_NO_MEMORY);
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_MEMORY, 0), PLAN_OK);
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_ARTEFACT, 100), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_OK);
	ck_assert_int_eq(plan_emit(c, PLAN_EMIT_MEMORY, NULL, NULL, NULL, NULL), PLAN_ERRORS);
	ck_assert_ptr_nonnull(strstr(plan_message(c), "the limit of 100"));
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_STEPS, 20), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_OK);
	ck_assert_int_eq(plan_evaluate(c, NULL), PLAN_ERRORS);
	ck_assert_ptr_nonnull(strstr(plan_message(c), "20 steps"));
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_STEPS, 0), PLAN_OK);
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_DEPTH, 401), PLAN_MISUSE);
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_DEPTH, 1), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", plan_text, strlen(plan_text)), PLAN_ERRORS);
	ck_assert_ptr_nonnull(strstr(plan_message(c), "more than 1 deep"));
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_DEPTH, 0), PLAN_OK);
	ck_assert_int_eq(plan_set_limit(c, PLAN_LIMIT_CANDIDATES, 5), PLAN_OK);
	ck_assert_int_eq(plan_compile_text(c, "t.plan", sweep_text, strlen(sweep_text)), PLAN_OK);
	ck_assert_int_eq(plan_sweep(c, NULL, PLAN_SWEEP_TEXT, &text), PLAN_ERRORS);
	ck_assert_ptr_nonnull(strstr(plan_message(c), "6 candidates, and the limit is 5"));
	ck_assert_int_eq(plan_set_limit(c, (enum plan_limit)99, 5), PLAN_MISUSE);
	plan_free(c);
}
END_TEST

START_TEST(artefacts_in_memory)
{
	struct plan_context *c = context_of(plan_text);
	const struct plan_artefact *list;
	size_t n;

	ck_assert_int_eq(plan_emit(c, PLAN_EMIT_MEMORY, "megatron", "/no/such/folder", &list, &n), PLAN_OK);
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(list[0].path, "out/run.sh");
	ck_assert_str_eq(list[0].target, "megatron");
	ck_assert_uint_eq(strlen(list[0].content), list[0].size);
	ck_assert_ptr_nonnull(strstr(list[0].content, "--pipeline-model-parallel-size 2"));
	ck_assert_int_eq(plan_emit(c, PLAN_EMIT_COMPARE, NULL, "/no/such/folder", &list, &n), PLAN_DIFFERENT);
	ck_assert_int_eq(list[0].state, PLAN_ARTEFACT_MISSING);
	ck_assert_int_eq(plan_emit(c, PLAN_EMIT_MEMORY, "nosuch", NULL, &list, &n), PLAN_NOT_FOUND);
	plan_free(c);
}
END_TEST

START_TEST(layout_of_a_text)
{
	static const char crooked[] = "edition   1\nlet   a=1\n";
	struct plan_context *c = plan_new();
	const char *text;

	ck_assert_int_eq(plan_format(c, "t.plan", crooked, strlen(crooked), &text), PLAN_OK);
	ck_assert_str_eq(text, "edition 1\nlet a = 1\n");
	ck_assert_int_eq(plan_format(c, "t.plan", "let", 3, &text), PLAN_ERRORS);
	ck_assert_ptr_null(text);
	ck_assert_int_eq(plan_format(c, "t.plan", NULL, 0, &text), PLAN_OK);
	ck_assert_str_eq(text, "");
	plan_free(c);
}
END_TEST

START_TEST(calls_at_the_wrong_time)
{
	struct plan_context *c = plan_new();
	const struct plan_diagnostic *list;
	struct plan_value v;
	const char *text;
	size_t n;

	ck_assert_int_eq(plan_check(NULL, PLAN_CHECK_RULES), PLAN_MISUSE);
	ck_assert_int_eq(plan_compile_file(NULL, "x"), PLAN_MISUSE);
	ck_assert_int_eq(plan_compile_file(c, NULL), PLAN_MISUSE);
	ck_assert_int_eq(plan_compile_text(c, "x", NULL, 4), PLAN_MISUSE);
	ck_assert_int_eq(plan_check(c, PLAN_CHECK_ALL), PLAN_MISUSE);
	ck_assert_int_eq(plan_read(c, "a", &v), PLAN_MISUSE);
	ck_assert_str_eq(plan_message(c), "no plan is compiled");
	ck_assert_int_eq(plan_evaluate(c, NULL), PLAN_MISUSE);
	ck_assert_int_eq(plan_report(c, NULL, PLAN_REPORT_TEXT, &text), PLAN_MISUSE);
	ck_assert_int_eq(plan_emit(c, PLAN_EMIT_MEMORY, NULL, NULL, NULL, NULL), PLAN_MISUSE);
	ck_assert_int_eq(plan_diagnostics(c, &list, &n), PLAN_OK);
	ck_assert_uint_eq(n, 0);
	ck_assert_ptr_null(plan_job_name(c, 0));
	ck_assert_str_eq(plan_message(NULL), "");
	plan_free(NULL);
	plan_free(c);
}
END_TEST

START_TEST(a_job_by_name_or_the_only_one)
{
	struct plan_context *c = context_of(plan_text);
	const char *text;

	ck_assert_uint_eq(plan_job_count(c), 1);
	ck_assert_str_eq(plan_job_name(c, 0), "pretrain");
	ck_assert_ptr_null(plan_job_name(c, 1));
	ck_assert_int_eq(plan_evaluate(c, "pretrain"), PLAN_OK);
	ck_assert_int_eq(plan_report(c, "pretrian", PLAN_REPORT_JSON, &text), PLAN_NOT_FOUND);
	ck_assert_str_eq(plan_message(c), "the plan has no job `pretrian`; did you mean `pretrain`?");
	ck_assert_int_eq(plan_report(c, NULL, PLAN_REPORT_JSON, &text), PLAN_OK);
	ck_assert_ptr_nonnull(strstr(text, "\"schema\": \"planc.report/1\""));
	ck_assert_int_eq(plan_check(c, PLAN_CHECK_RULES), PLAN_OK);
	ck_assert_int_eq(plan_check(c, PLAN_CHECK_ALL), PLAN_OK);
	plan_free(c);
}
END_TEST

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 2, ROUNDS = 3 };

struct work {
	pthread_t thread;
	struct plan_context *context;
	const char *ways;
	char report[1 << 16];
	bool fine;
};

/* What the other calls do: messages, a sweep, questions, layout. */
static bool do_the_rest(struct plan_context *c)
{
	static const char broken[] = "edition 1\nlet a = b + 1 s\njob x { modle = 3 }\n";
	struct plan_value v;
	const char *text;

	return plan_sweep(c, "sizes", PLAN_SWEEP_JSON, &text) == PLAN_OK && plan_test(c, 0) == PLAN_OK &&
	       plan_eval(c, "10 ^ 100 / 7 + ways", &v) == PLAN_OK &&
	       plan_why(c, "pretrain.step.time", &text) == PLAN_OK && plan_doc(c, &text) == PLAN_OK &&
	       plan_set_parameter(c, "ways", NULL) == PLAN_OK &&
	       plan_compile_text(c, "t.plan", broken, strlen(broken)) == PLAN_ERRORS &&
	       plan_diagnostics_text(c, PLAN_FORMAT_COLOUR, &text) == PLAN_OK &&
	       plan_diagnostics_text(c, PLAN_FORMAT_SARIF, &text) == PLAN_OK &&
	       plan_compile_simumax(c, "tests/golden/simumax/model.json", "tests/golden/simumax/strategy.json",
				    "tests/golden/simumax/system.json") == PLAN_OK &&
	       plan_format(c, "t.plan", plan_text, strlen(plan_text), &text) == PLAN_OK &&
	       plan_compile_file(c, "examples/llama3_8b_sweep.plan") == PLAN_OK &&
	       plan_check(c, PLAN_CHECK_RULES) == PLAN_OK;
}

static void *evaluate_often(void *argument)
{
	struct work *w = argument;
	const char *text = NULL;

	w->fine = true;
	for (int i = 0; i < ROUNDS; i++) {
		w->fine = w->fine && plan_set_parameter(w->context, "ways", w->ways) == PLAN_OK &&
			  plan_compile_text(w->context, "t.plan", plan_text, strlen(plan_text)) == PLAN_OK &&
			  plan_check(w->context, PLAN_CHECK_ALL) == PLAN_OK &&
			  plan_emit(w->context, PLAN_EMIT_MEMORY, NULL, NULL, NULL, NULL) == PLAN_OK &&
			  plan_report(w->context, NULL, PLAN_REPORT_JSON, &text) == PLAN_OK;
		if (w->fine && i == 0)
			snprintf(w->report, sizeof w->report, "%s", text);
		w->fine = w->fine && strcmp(w->report, text) == 0 && do_the_rest(w->context);
	}
	return NULL;
}

START_TEST(two_contexts_in_two_threads)
{
	static struct work works[THREADS];

	for (int i = 0; i < THREADS; i++) {
		works[i].context = plan_new();
		works[i].ways = i == 0 ? "1" : "2";
		ck_assert_int_eq(pthread_create(&works[i].thread, NULL, evaluate_often, &works[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		ck_assert_int_eq(pthread_join(works[i].thread, NULL), 0);
		ck_assert_msg(works[i].fine, "%s", plan_message(works[i].context));
		plan_free(works[i].context);
	}
	ck_assert_str_ne(works[0].report, works[1].report);
}
END_TEST

UNIT_MAIN("api", values_of_every_kind, paths_that_lead_nowhere, names_can_be_listed, settings,
	  diagnostics_as_structs_and_as_text, files_that_are_not_there, limits_name_themselves,
	  artefacts_in_memory, layout_of_a_text, calls_at_the_wrong_time, a_job_by_name_or_the_only_one,
	  two_contexts_in_two_threads)
