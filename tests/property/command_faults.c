/* command_faults.c - every command of planc when memory or the disk fails.
 *
 * The n-th allocation for a sample of n, denser at the end, where the command does its own work (every n
 * where PLAN_FAULTS is set, as `make check-faults` does): each run must end by the escape and lose
 * nothing, which is for AddressSanitizer to see. The n-th use of the file system for every n until none
 * fails: each run ends with a message or as if nothing had happened, and leaves on disk what was there
 * before or what should be there afterwards. */
#include "cli/command.h"

#include <unistd.h>

#include "compiler/base/arena_int.h"
#include "runtime/io/file_write.h"
#include "tests/unit/scratch.h"

enum { SPREAD = PLAN_ASAN ? 5 : 24, TAIL = PLAN_ASAN ? 8 : 30, WORDS_MAX = 8, USES_MAX = 1000 };

#define EXAMPLE "examples/llama3_8b_a100.plan"
#define BOXES "tests/golden/sweep/boxes.plan"

struct run {
	const char *words[WORDS_MAX];
	int code;                    /* when nothing fails */
};

static const struct run memory_runs[] = {
	{ { "check", EXAMPLE }, EXIT_FINE },
	{ { "check", "tests/golden/sweep/axes.plan", "--format", "json" }, EXIT_PLAN },
	{ { "report", EXAMPLE }, EXIT_FINE },
	{ { "report", EXAMPLE, "--format", "json", "--profile", "standard" }, EXIT_FINE },
	{ { "emit", EXAMPLE, "--check", "-o", "/tmp" }, EXIT_DIFFERENT },
	{ { "sweep", BOXES, "sizes" }, EXIT_FINE },
	{ { "sweep", BOXES, "front", "--format", "csv" }, EXIT_FINE },
	{ { "sweep", BOXES, "nothing" }, EXIT_NOTHING },
	{ { "why-not", BOXES, "width = 4, paint = blue", "sizes" }, EXIT_FINE },
	{ { "sensitivity", EXAMPLE, "--format", "json" }, EXIT_FINE },
	{ { "solve", EXAMPLE, "batch.sequence", "--max", "--in", "[2048, 4096]" }, EXIT_FINE },
	{ { "fmt", "--check", EXAMPLE }, EXIT_FINE },
	{ { "eval", EXAMPLE, "pretrain.step", "--format", "json" }, EXIT_FINE },
	{ { "why", EXAMPLE, "pretrain.memory.peak" }, EXIT_FINE },
	{ { "why", EXAMPLE, "pretrain.step.time", "--profiles" }, EXIT_FINE },
	{ { "trace", EXAMPLE, "--detail", "parts" }, EXIT_FINE },
	{ { "diff", EXAMPLE, "examples/qwen3_8b_h100.plan" }, EXIT_DIFFERENT },
	{ { "doc", BOXES }, EXIT_FINE },
	{ { "test", "stdlib/tests/models_test.plan" }, EXIT_FINE },
	{ { "debug", "ir", BOXES }, EXIT_FINE },
	{ { "debug", "graph", EXAMPLE }, EXIT_FINE },
	{ { "debug", "profile", "simumax" }, EXIT_FINE },
	{ { "import", "huggingface", "tests/data/huggingface/deepseek_v3.json" }, EXIT_FINE },
	{ { "suggest", "--model", "tinyllama_1_1b", "--cluster", "dgx_h100", "--gpus", "1" }, EXIT_FINE },
	{ { "import", "megatron", "tests/golden/import/arrays.sh" }, EXIT_FINE },
	{ { "explain", "heads_divide" }, EXIT_FINE },
	{ { "targets" }, EXIT_FINE },
};

/* In a scratch folder that holds `files`. */
static const struct run file_runs[] = {
	{ { "check", "plan.plan" }, EXIT_FINE },
	{ { "check", "broken.plan", "--format", "json" }, EXIT_PLAN },
	{ { "report", "plan.plan" }, EXIT_FINE },
	{ { "sweep", "parts/boxes.plan" }, EXIT_FINE },
	{ { "sweep", "parts/boxes.plan", "--format", "jsonl", "-o", "sizes.jsonl" }, EXIT_FINE },
	{ { "why-not", "parts/boxes.plan", "width = 3" }, EXIT_FINE },
	{ { "emit", "plan.plan", "-o", "out" }, EXIT_FINE },
	{ { "trace", "plan.plan", "-o", "step.json" }, EXIT_FINE },
	{ { "emit", "plan.plan", "-o", "out", "--check" }, EXIT_DIFFERENT },
	{ { "fmt", "broken.plan", "crooked.plan" }, EXIT_PLAN },
	{ { "fmt", "--check", "crooked.plan" }, EXIT_DIFFERENT },
	{ { "set", "crooked.plan", "a = 2" }, EXIT_FINE },
	{ { "test", "parts/boxes_test.plan", "--junit", "results.xml" }, EXIT_FINE },
	{ { "eval", "plan.plan", "rows.find(x = 2)" }, EXIT_PLAN },
	{ { "eval", "plan.plan", "sizes" }, EXIT_FINE },
	{ { "diff", "parts/boxes.plan", "parts/boxes_test.plan" }, EXIT_DIFFERENT },
	{ { "ci", "parts" }, EXIT_FINE },
};

static const struct { const char *path, *text; } files[] = {
	{ "plan.plan",
	  "edition 1\n"
	  "import \"std:models\" { llama3_8b }\n"
	  "import \"std:clusters\" { pcie_a100 }\n"
	  "import \"parts/boxes.plan\" as boxes\n"
	  "import \"rows.csv\" as rows: table[row]\n"
	  "schema row { x: int }\n"
	  "let sizes = boxes.base.width + len(rows)\n"
	  "job pretrain {\n"
	  "  model    = llama3_8b\n"
	  "  cluster  = pcie_a100\n"
	  "  strategy { pp = 2, zero = optimizer }\n"
	  "  batch { sequence = 4096, micro = 1, global = 32 }\n"
	  "}\n"
	  "emit simumax from pretrain to \"files\"\n" },
	{ "rows.csv", "x\n1\n2\n" },
	{ "broken.plan", "edition 1\nlet a = b\nlet b = ]\n" },
	{ "crooked.plan", "edition   1\nlet  a=1\n" },
	{ "parts/boxes.plan",
	  "edition 1\n\n"
	  "schema box { width: int }\n"
	  "box base { width = 1 }\n"
	  "sweep sizes of base {\n"
	  "  vary width in 1..6\n"
	  "  constraint small: width < 5\n"
	  "  objective { maximise width }\n"
	  "}\n" },
	{ "parts/boxes_test.plan",
	  "edition 1\nimport \"boxes.plan\" { base }\n\n"
	  "test \"a box is narrow\" {\n  expect base.width == 1\n}\n" },
};

/* Static: what a jump finds must be the latest. */
static struct session session;
static jmp_buf escape;

enum { ESCAPED = -1 };

/* The exit code, or ESCAPED; the session has what is left of the counts. */
static int run_once(const struct run *r, int64_t fail_after, int64_t files_fail_after)
{
	char *words[WORDS_MAX + 1];
	const struct command *c = command_find(r->words[0]);
	int n = 0, code = ESCAPED;
	struct options o;

	for (; n < WORDS_MAX - 1 && r->words[n + 1]; n++)
		memcpy(&words[n], &r->words[n + 1], sizeof words[n]);
	session_init(&session, &escape);
	session.arena.fail_after = fail_after;
	session.arena.files_fail_after = files_fail_after;
	session.command = c->name;
	if (setjmp(escape) == 0) {
		code = options_parse(&o, &session, c, n, words) ? c->run(&session, &o) : EXIT_USAGE;
		code = session_finish(&session, code);
	}
	return code;
}

/* Our own words go to where stderr was. */
static int complain(const struct run *r, const char *what, int64_t n)
{
	dprintf(3, "planc %s %s %s: %s; failure %lld\n", r->words[0], r->words[1] ? r->words[1] : "",
		r->words[1] && r->words[2] ? r->words[2] : "", what, (long long)n);
	return 1;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int without_memory(const struct run *r, int64_t n)
{
	int code = run_once(r, n, 0);

	session_release(&session);
	return code == ESCAPED ? 0 : complain(r, "an allocation fails, and nobody notices", n);
}

static int walk_memory(const struct run *r)
{
	int code = run_once(r, INT64_MAX, 0), faults = 0;
	int64_t total = INT64_MAX - session.arena.fail_after;
	int64_t step = getenv("PLAN_FAULTS") ? 1 : total / SPREAD + 1;

	session_release(&session);
	if (code != r->code)
		return complain(r, "another exit code than expected", code);
	for (int64_t n = 1; n <= total; n += step)
		faults += without_memory(r, n);
	for (int64_t n = total > TAIL ? total - TAIL : 1; step > 1 && n <= total; n++)
		faults += without_memory(r, n);
	return faults;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void put_files(struct arena *a)
{
	scratch_empty(".");
	file_make_folders(a, STR("parts"));
	for (size_t i = 0; i < PLAN_COUNT(files); i++)
		scratch_file(files[i].path, files[i].text);
}

/* What a run printed and left on disk. */
struct outcome {
	int code;
	struct str printed, disk;
};

static struct outcome run_with_files(struct arena *a, const struct run *r, int64_t n)
{
	struct outcome o;

	put_files(a);
	o.code = run_once(r, 0, n);
	o.printed = str_copy(a, out_view(&session.out));
	o.disk = scratch_text(a, ".");
	return o;
}

/* All n until the failure comes after the end. */
static int walk_files(const struct run *r)
{
	struct outcome whole, now;
	struct arena a;
	struct str before;
	int faults = 0;
	bool reached = true;

	arena_init(&a, NULL);
	put_files(&a);
	before = scratch_text(&a, ".");
	whole = run_with_files(&a, r, 0);
	session_release(&session);
	if (whole.code != r->code)
		faults += complain(r, "another exit code than expected", whole.code);
	for (int64_t n = 1; reached && faults == 0; n++) {
		now = run_with_files(&a, r, n);
		reached = session.arena.files_fail_after == 0;
		if (!str_equal(now.disk, before) && !str_equal(now.disk, whole.disk))
			faults += complain(r, "neither the old nor the new files are there", n);
		else if (now.code == EXIT_FINE && (whole.code != EXIT_FINE || !str_equal(now.printed, whole.printed) ||
						   !str_equal(now.disk, whole.disk)))
			faults += complain(r, "a failure passes for success", n);
		else if (!reached && now.code != whole.code)
			faults += complain(r, "nothing fails, and still it is something else", n);
		else if (reached && now.code != EXIT_FINE && session.sink.errors == 0 && session.messages.n == 0 &&
			 now.code != whole.code)
			faults += complain(r, "no message says what the matter is", n);
		else if (n > USES_MAX)
			faults += complain(r, "there is no end to it", n);
		session_release(&session);
	}
	arena_release(&a);
	return faults;
}

/* What the commands print is of no interest here. */
int main(void)
{
	struct scratch scratch;
	int faults = 0;

	if (dup2(STDERR_FILENO, 3) < 0 || !freopen("/dev/null", "w", stdout) ||
	    !freopen("/dev/null", "w", stderr))
		return EXIT_FAILURE;
	for (size_t i = 0; i < PLAN_COUNT(memory_runs); i++)
		faults += walk_memory(&memory_runs[i]);
	scratch_enter(&scratch);
	for (size_t i = 0; i < PLAN_COUNT(file_runs); i++)
		faults += walk_files(&file_runs[i]);
	scratch_leave(&scratch);
	return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
