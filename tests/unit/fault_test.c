/* fault_test.c - libplan when memory or the disk fails: the n-th allocation, the n-th use of a file, for
 * every n until the call succeeds, or for a sample where there are thousands.
 *
 * A failure must come back as a status, leave a context that compiles again, lose no memory (what is
 * lost is for AddressSanitizer to see), and leave on disk what was there before or what should be
 * there afterwards.
 */
#include "tests/unit/unit.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/base/arena_int.h"
#include "runtime/api/api_int.h"
#include "tests/unit/scratch.h"

/* All n up to ALL_MAX, then about SAMPLES more; fewer where each n compiles anew, and under sanitizers,
 * which make everything ten times as slow. `make check-faults` sets PLAN_FAULTS to have every n. */
enum {
	ALL_MAX = PLAN_ASAN ? 10 : 120,
	SAMPLES = PLAN_ASAN ? 10 : 60,
	BEGINS_ALL_MAX = PLAN_ASAN ? 10 : 100,
	BEGINS_SAMPLES = PLAN_ASAN ? 15 : 60
};

/* Without sanitizers each failure happens in a child process, which inherits the compiled plan. A child
 * would hide what it loses. */
enum { FORKING = !PLAN_ASAN };

static const char plan_text[] =
	"edition 1\n"
	"import \"std:models\" { llama3_8b }\n"
	"import \"std:clusters\" { pcie_a100 }\n"
	"param ways: int = 2\n"
	"let big = 10 ^ 30 / 7\n"
	"let names = [\"a\", \"b\"]\n"
	"strategy halves { pp = ways, zero = optimizer }\n"
	"job pretrain {\n"
	"  model    = llama3_8b\n"
	"  cluster  = pcie_a100\n"
	"  strategy = halves\n"
	"  batch { sequence = 4096, micro = 1, global = 32 }\n"
	"}\n"
	"assert too_fast: pretrain.step.time < 1 ms because \"{pretrain.step.time:ms.1}\"\n"
	"schema box { width: int, height: int = width, assert not_flat: height >= 2 }\n"
	"box base { width = 3 }\n"
	"sweep sizes of base {\n"
	"  vary width in 1..6\n"
	"  constraint small: width * height <= big / big * 20\n"
	"  objective { maximise width }\n"
	"}\n"
	"sweep nothing of base { vary width in 1..3, constraint large: width > 7 }\n"
	"test \"small\" { expect pretrain.step.time < 1 h }\n"
	"emit simumax from pretrain to \"out/run\"\n";

static const char crooked_text[] =
	"edition   1\n# kept\nlet   a=[1,2,\n3]\nlet long = \"text\"\njob x{batch{micro=1}}\n";

struct operation {
	const char *name;
	enum plan_status (*run)(struct plan_context *c);
	enum plan_status expected;   /* when nothing fails */
	bool begins;                 /* compiles itself; others get a compiled plan */
};

static enum plan_status compile(struct plan_context *c)
{
	return plan_compile_text(c, "t.plan", plan_text, strlen(plan_text));
}

static enum plan_status compile_broken(struct plan_context *c)
{
	static const char text[] = "edition 1\nlet a = b + 1\njob x { modle = 3, strategy { tp = } }\n"
				   "let c = 3 s + 4 bytes\nlet d = [1, 2\n";

	return plan_compile_text(c, "t.plan", text, strlen(text));
}

static enum plan_status compile_foreign(struct plan_context *c)
{
	return plan_compile_simumax(c, "tests/golden/simumax/model.json",
				    "tests/golden/simumax/strategy.json",
				    "tests/golden/simumax/system.json");
}

static enum plan_status format(struct plan_context *c)
{
	const char *text;

	return plan_format(c, "t.plan", crooked_text, strlen(crooked_text), &text);
}

static enum plan_status check_rules(struct plan_context *c)
{
	return plan_check(c, PLAN_CHECK_RULES);
}

static enum plan_status check_all(struct plan_context *c)
{
	return plan_check(c, PLAN_CHECK_ALL);
}

static enum plan_status report_text_of_job(struct plan_context *c)
{
	const char *text;

	return plan_report(c, NULL, PLAN_REPORT_TEXT, &text);
}

static enum plan_status report_json_of_job(struct plan_context *c)
{
	const char *text;

	return plan_report(c, NULL, PLAN_REPORT_JSON, &text);
}

static enum plan_status sweep_json(struct plan_context *c)
{
	const char *text;

	return plan_sweep(c, "sizes", PLAN_SWEEP_JSON, &text);
}

static enum plan_status sweep_nothing(struct plan_context *c)
{
	const char *text;

	return plan_sweep(c, "nothing", PLAN_SWEEP_TEXT, &text);
}

static enum plan_status emit_memory(struct plan_context *c)
{
	const struct plan_artefact *list;
	size_t n;

	return plan_emit(c, PLAN_EMIT_MEMORY, NULL, NULL, &list, &n);
}

static enum plan_status read_values(struct plan_context *c)
{
	static const char *const paths[] = { "big", "names[1]", "pretrain.memory.peak", "pretrain.strategy",
					     "no_such_name" };
	enum plan_status status = PLAN_OK;
	const char *name;

	for (size_t i = 0; i < PLAN_COUNT(paths) && status == PLAN_OK; i++) {
		struct plan_value v;

		status = plan_read(c, paths[i], &v);
	}
	return status == PLAN_NOT_FOUND ? plan_field_name(c, "pretrain.batch", 1, &name) : status;
}

static enum plan_status list_diagnostics(struct plan_context *c)
{
	const struct plan_diagnostic *list;
	const char *text;
	size_t n;
	enum plan_status status = plan_check(c, PLAN_CHECK_ALL);

	if (status == PLAN_ERRORS)
		status = plan_diagnostics(c, &list, &n);
	if (status == PLAN_OK)
		status = plan_diagnostics_text(c, PLAN_FORMAT_COLOUR, &text);
	return status == PLAN_OK ? plan_diagnostics_text(c, PLAN_FORMAT_JSON, &text) : status;
}

static enum plan_status ask(struct plan_context *c)
{
	struct plan_value v;
	const char *text;
	enum plan_status status = plan_eval(c, "pretrain.memory.peak * 2", &v);

	return status == PLAN_OK ? plan_why(c, "pretrain.step.time", &text) : status;
}

static enum plan_status ask_why_not(struct plan_context *c)
{
	const char *text;

	return plan_why_not(c, "sizes", "width = 4", &text);
}

static enum plan_status document(struct plan_context *c)
{
	const char *text;

	return plan_doc(c, &text);
}

static enum plan_status run_test(struct plan_context *c)
{
	return plan_test(c, 0);
}

static enum plan_status compare_with_itself(struct plan_context *c)
{
	const char *text;

	return plan_diff(c, c, &text);
}

static enum plan_status solve(struct plan_context *c)
{
	static const struct plan_inverse question = { .path = "base.width", .job = "base", .such_that = "height <= big / big * 7",
						      .wanted = PLAN_GREATEST, .in = "1..40" };
	struct plan_value v;
	const char *text;

	return plan_solve(c, &question, &v, PLAN_REPORT_JSON, &text);
}

static enum plan_status look_around(struct plan_context *c)
{
	const char *text;

	return plan_sensitivity(c, "pretrain", PLAN_REPORT_TEXT, &text);
}

static enum plan_status fix(struct plan_context *c)
{
	static const char text[] = "edition 1\nlet room = 3 GiB\nlet b = rooom + 1 gib\n";
	const char *result;
	size_t made;

	return plan_fix(c, "t.plan", text, strlen(text), &result, &made);
}

static enum plan_status list_targets(struct plan_context *c)
{
	const struct plan_target *list;
	size_t n;

	return plan_targets(c, &list, &n);
}

static enum plan_status suggest(struct plan_context *c)
{
	static const struct plan_start wanted = { .model = "tinyllama_1_1b", .cluster = "dgx_h100", .gpus = 1,
						   .target = "megatron@0.14" };
	const char *text;

	return plan_suggest(c, &wanted, &text);
}

static enum plan_status set_value(struct plan_context *c)
{
	const char *text;

	return plan_set(c, "t.plan", plan_text, strlen(plan_text), "halves.pp", "4", &text);
}

static const struct operation operations[] = {
	{ "compile", compile, PLAN_OK, true },
	{ "compile what is broken", compile_broken, PLAN_ERRORS, true },
	{ "compile foreign files", compile_foreign, PLAN_OK, true },
	{ "suggest", suggest, PLAN_OK, true },
	{ "format", format, PLAN_OK, true },
	{ "check rules", check_rules, PLAN_OK, false },
	{ "check all", check_all, PLAN_ERRORS, false },
	{ "report as text", report_text_of_job, PLAN_OK, false },
	{ "report as JSON", report_json_of_job, PLAN_OK, false },
	{ "sweep", sweep_json, PLAN_OK, false },
	{ "sweep without a result", sweep_nothing, PLAN_NOTHING_LEFT, false },
	{ "emit", emit_memory, PLAN_OK, false },
	{ "read", read_values, PLAN_OK, false },
	{ "ask", ask, PLAN_OK, false },
	{ "ask why not", ask_why_not, PLAN_OK, false },
	{ "document", document, PLAN_OK, false },
	{ "run a test", run_test, PLAN_ERRORS, false },
	{ "compare", compare_with_itself, PLAN_OK, false },
	{ "set a value", set_value, PLAN_OK, true },
	{ "solve", solve, PLAN_OK, false },
	{ "look around", look_around, PLAN_OK, false },
	{ "fix", fix, PLAN_OK, true },
	{ "list targets", list_targets, PLAN_OK, true },
	{ "diagnostics", list_diagnostics, PLAN_OK, false },
};

/* ---- allocations ----------------------------------------------------------------------------- */

static struct plan_context *fresh(const struct operation *o)
{
	struct plan_context *c = plan_new();

	ck_assert_ptr_nonnull(c);
	if (!o->begins)
		ck_assert_msg(compile(c) == PLAN_OK, "%s", plan_message(c));
	return c;
}

/* How many allocations the operation makes. */
static int64_t allocations(const struct operation *o)
{
	struct plan_context *c = fresh(o);
	int64_t n;

	c->work.fail_after = INT64_MAX;
	ck_assert_msg(o->run(c) == o->expected, "%s: %s", o->name, plan_message(c));
	n = INT64_MAX - c->work.fail_after;
	plan_free(c);
	return n;
}

/* The failure, and what must be true afterwards. NULL, or what is not. */
static const char *fail_at(struct plan_context *c, const struct operation *o, int64_t n)
{
	const struct plan_diagnostic *list;
	size_t count;

	c->work.fail_after = n;
	if (o->run(c) != PLAN_NO_MEMORY)
		return "no status that says so";
	if (strcmp(plan_message(c), "out of memory") != 0)
		return "no message that says so";
	if (plan_job_count(c) != 0 || plan_check(c, PLAN_CHECK_RULES) != PLAN_MISUSE)
		return "half a compilation is left";
	if (plan_diagnostics(c, &list, &count) != PLAN_OK || count != 0)
		return "diagnostics are left";
	return NULL;
}

static const char *fail_in_child(struct plan_context *c, const struct operation *o, int64_t n)
{
	pid_t child = fork();
	int status = 0;

	ck_assert_int_ge(child, 0);
	if (child == 0)
		_exit(fail_at(c, o, n) == NULL ? 0 : 1);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "it ended badly";
}

static const char *fail_here(const struct operation *o, int64_t n)
{
	struct plan_context *c = fresh(o);
	const char *fault = fail_at(c, o, n);

	if (!fault && n % 7 == 0 && (compile(c) != PLAN_OK || plan_evaluate(c, NULL) != PLAN_OK))
		fault = "it does not compile again";
	plan_free(c);
	return fault;
}

static int64_t next(const struct operation *o, int64_t n, int64_t total)
{
	int64_t all = o->begins ? BEGINS_ALL_MAX : ALL_MAX;
	int64_t step = (total - all) / (o->begins ? BEGINS_SAMPLES : SAMPLES);

	if (getenv("PLAN_FAULTS"))
		return n + 1;
	return n < all || step < 1 ? n + 1 : n + step;
}

START_TEST(every_allocation_may_fail)
{
	const struct operation *o = &operations[_i];
	int64_t total = allocations(o);
	struct plan_context *c = FORKING && !o->begins ? fresh(o) : NULL;

	ck_assert_int_gt(total, 0);
	for (int64_t n = 1; n <= total; n = next(o, n, total)) {
		const char *fault = c ? fail_in_child(c, o, n) : fail_here(o, n);

		ck_assert_msg(fault == NULL, "%s, allocation %ld of %ld: %s", o->name, (long)n, (long)total,
			      fault);
	}
	plan_free(c);
}
END_TEST

START_TEST(contexts_and_settings)
{
	struct plan_context *c = NULL;
	int64_t n = 0;

	while (!c && n < 10)
		c = context_new(++n);
	ck_assert_ptr_nonnull(c);
	ck_assert_int_gt(n, 1);
	plan_free(c);
	c = plan_new();
	for (int i = 0; i < 20; i++) {
		char name[8];

		snprintf(name, sizeof name, "p%d", i);
		for (n = 1; n < 10; n++) {
			c->kept.fail_after = n;
			if (plan_set_parameter(c, name, "1") == PLAN_OK)
				break;
			ck_assert_str_eq(plan_message(c), "out of memory");
			ck_assert_uint_eq(c->parameters.n, (uint32_t)i);
		}
		ck_assert_int_lt(n, 10);
		c->kept.fail_after = 0;
	}
	c->kept.fail_after = 1;
	ck_assert_int_eq(plan_set_library(c, "x"), PLAN_NO_MEMORY);
	ck_assert_uint_eq(c->library_folder.n, 0);
	plan_free(c);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

START_TEST(every_read_may_fail)
{
	struct scratch scratch;
	struct plan_context *c = plan_new();
	enum plan_status status = PLAN_ERRORS;
	int64_t n = 0;

	scratch_enter(&scratch);
	scratch_file("a.plan", "edition 1\nimport \"b.plan\" { two }\nimport \"c.csv\" as t: table[row]\n"
			     "schema row { x: int }\nlet all = two\n");
	scratch_file("b.plan", "edition 1\nlet two = 2\n");
	scratch_file("c.csv", "x\n1\n2\n");
	while (status != PLAN_OK) {
		const struct plan_diagnostic *list;
		size_t count;

		ck_assert_int_lt(n, 100);
		c->work.files_fail_after = ++n;
		status = plan_compile_file(c, "a.plan");
		ck_assert_int_eq(plan_diagnostics(c, &list, &count), PLAN_OK);
		ck_assert(status == PLAN_OK ? count == 0 : count > 0);
		ck_assert(status == PLAN_OK || status == PLAN_NO_FILE || status == PLAN_ERRORS);
	}
	ck_assert_int_ge(n, 9);
	plan_free(c);
	scratch_leave(&scratch);
}
END_TEST

static struct plan_context *compiled(const char *ways)
{
	struct plan_context *c = plan_new();

	ck_assert_int_eq(plan_set_parameter(c, "ways", ways), PLAN_OK);
	ck_assert_int_eq(compile(c), PLAN_OK);
	return c;
}

static void emit_all(const char *ways)
{
	struct plan_context *c = compiled(ways);

	ck_assert_msg(plan_emit(c, PLAN_EMIT_WRITE, NULL, ".", NULL, NULL) == PLAN_OK, "%s", plan_message(c));
	plan_free(c);
}

/* Whether the folder holds all of `before` or all of `after`. */
static void either(struct arena *a, struct str before, struct str after, enum plan_status status, long n)
{
	struct str now = scratch_text(a, "out/run");

	if (status == PLAN_OK)
		ck_assert_msg(str_equal(now, after), "use %ld: not written whole", n);
	else
		ck_assert_msg(str_equal(now, before) || (status == PLAN_NO_MEMORY && str_equal(now, after)),
			      "use %ld: neither the old nor the new files:%.*s", n, (int)now.n, now.p);
}

START_TEST(every_write_may_fail)
{
	struct scratch scratch;
	struct str before, after;
	bool failed = true;
	struct arena a;
	int64_t n = 0;

	arena_init(&a, NULL);
	scratch_enter(&scratch);
	emit_all("4");
	after = scratch_text(&a, "out/run");
	emit_all("2");
	before = scratch_text(&a, "out/run");
	ck_assert(!str_equal(before, after));
	while (failed) {
		struct plan_context *c = compiled("4");
		enum plan_status status;

		ck_assert_int_lt(n, 500);
		c->work.files_fail_after = ++n;
		status = plan_emit(c, PLAN_EMIT_WRITE, NULL, ".", NULL, NULL);
		failed = c->work.files_fail_after == 0;
		ck_assert(failed || status == PLAN_OK);
		ck_assert(status == PLAN_OK || (status == PLAN_ERRORS && c->sink.errors > 0));
		either(&a, before, after, status, (long)n);
		plan_free(c);
		if (failed && status == PLAN_OK)
			emit_all("2");
	}
	ck_assert_int_gt(n, 20);
	scratch_leave(&scratch);
	arena_release(&a);
}
END_TEST

/* Memory that runs out while files are written, which happens at the end. */
START_TEST(memory_fails_between_writes)
{
	struct scratch scratch;
	struct plan_context *c = compiled("4");
	struct str before, after;
	struct arena a;
	int64_t total;

	arena_init(&a, NULL);
	scratch_enter(&scratch);
	c->work.fail_after = INT64_MAX;
	ck_assert_int_eq(plan_emit(c, PLAN_EMIT_WRITE, NULL, ".", NULL, NULL), PLAN_OK);
	total = INT64_MAX - c->work.fail_after;
	after = scratch_text(&a, "out/run");
	plan_free(c);
	emit_all("2");
	before = scratch_text(&a, "out/run");
	for (int64_t n = total - (PLAN_ASAN ? 15 : 80); n <= total; n++) {
		c = compiled("4");
		c->work.fail_after = n;
		ck_assert_int_eq(plan_emit(c, PLAN_EMIT_WRITE, NULL, ".", NULL, NULL), PLAN_NO_MEMORY);
		either(&a, before, after, PLAN_NO_MEMORY, (long)n);
		plan_free(c);
		if (str_equal(scratch_text(&a, "out/run"), after))
			emit_all("2");
	}
	scratch_leave(&scratch);
	arena_release(&a);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fault");
	TCase *tcase = tcase_create("fault");
	SRunner *runner;
	int failed;

	/* A child would copy two MiB for every byte that it changes. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	tcase_set_timeout(tcase, getenv("PLAN_FAULTS") ? 3600 : 300);
	tcase_add_loop_test(tcase, every_allocation_may_fail, 0, (int)PLAN_COUNT(operations));
	tcase_add_test(tcase, contexts_and_settings);
	tcase_add_test(tcase, every_read_may_fail);
	tcase_add_test(tcase, every_write_may_fail);
	tcase_add_test(tcase, memory_fails_between_writes);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
