/* command_faults.c - every command of planc when memory fails: the n-th allocation for a sample of n,
 * denser at the end, where the command does its own work. Each must end by the escape and lose nothing
 * (that is for AddressSanitizer to see); the last run, with nothing failing, must succeed. */
#include "cli/command.h"

#include <unistd.h>

#include "compiler/base/arena_int.h"

enum { SPREAD = PLAN_ASAN ? 5 : 24, TAIL = PLAN_ASAN ? 8 : 30, WORDS_MAX = 8 };

#define EXAMPLE "examples/llama3_8b_a100.plan"
#define BOXES "tests/golden/sweep/boxes.plan"

static const struct run {
	const char *words[WORDS_MAX];
	int code;
} runs[] = {
	{ { "check", EXAMPLE }, EXIT_FINE },
	{ { "check", "tests/golden/sweep/axes.plan", "--format", "json" }, EXIT_PLAN },
	{ { "report", EXAMPLE }, EXIT_FINE },
	{ { "report", EXAMPLE, "--format", "json", "--profile", "standard" }, EXIT_FINE },
	{ { "emit", EXAMPLE, "--check", "-o", "/tmp" }, EXIT_DIFFERENT },
	{ { "sweep", BOXES, "sizes" }, EXIT_FINE },
	{ { "sweep", BOXES, "front", "--format", "csv" }, EXIT_FINE },
	{ { "sweep", BOXES, "nothing" }, EXIT_NOTHING },
	{ { "why-not", BOXES, "width = 4, paint = blue", "sizes" }, EXIT_FINE },
	{ { "fmt", "--check", EXAMPLE }, EXIT_FINE },
	{ { "eval", EXAMPLE, "pretrain.step", "--format", "json" }, EXIT_FINE },
	{ { "why", EXAMPLE, "pretrain.memory.peak" }, EXIT_FINE },
	{ { "diff", EXAMPLE, "examples/qwen3_8b_h100.plan" }, EXIT_DIFFERENT },
	{ { "doc", BOXES }, EXIT_FINE },
	{ { "test", "stdlib/tests/models_test.plan" }, EXIT_FINE },
	{ { "debug", "ir", BOXES }, EXIT_FINE },
	{ { "debug", "graph", EXAMPLE }, EXIT_FINE },
	{ { "explain", "heads_divide" }, EXIT_FINE },
	{ { "targets" }, EXIT_FINE },
};

/* Static: what a jump finds must be the latest. */
static struct session session;
static jmp_buf escape;

enum { ESCAPED = -1 };

/* The exit code, or ESCAPED. `left`: what is left of the count to the failure. */
static int run_once(const struct run *r, int64_t fail_after, int64_t *left)
{
	char *words[WORDS_MAX + 1];
	const struct command *c = command_find(r->words[0]);
	int n = 0, code = ESCAPED;
	struct options o;

	for (; n < WORDS_MAX - 1 && r->words[n + 1]; n++)
		memcpy(&words[n], &r->words[n + 1], sizeof words[n]);
	session_init(&session, &escape);
	session.arena.fail_after = fail_after;
	session.command = c->name;
	if (setjmp(escape) == 0) {
		code = options_parse(&o, &session, c, n, words) ? c->run(&session, &o) : EXIT_USAGE;
		code = session_finish(&session, code);
	}
	*left = session.arena.fail_after;
	session_release(&session);
	return code;
}

static int fails(const struct run *r, int64_t n, int64_t total)
{
	int64_t left;

	if (run_once(r, n, &left) == ESCAPED)
		return 0;
	dprintf(3, "planc %s %s: allocation %ld of %ld fails, and nobody notices\n", r->words[0],
		r->words[1] ? r->words[1] : "", (long)n, (long)total);
	return 1;
}

static int walk(const struct run *r)
{
	int64_t left, total, step;
	int code = run_once(r, INT64_MAX, &left), faults = 0;

	if (code != r->code) {
		dprintf(3, "planc %s %s: exit %d, not %d\n", r->words[0], r->words[1] ? r->words[1] : "", code,
			r->code);
		return 1;
	}
	total = INT64_MAX - left;
	step = total / SPREAD + 1;
	for (int64_t n = 1; n <= total; n += step)
		faults += fails(r, n, total);
	for (int64_t n = total > TAIL ? total - TAIL : 1; n <= total; n++)
		faults += fails(r, n, total);
	return faults;
}

/* What the commands print is of no interest here; our own words go to where stderr was. */
int main(void)
{
	int faults = 0;

	if (dup2(STDERR_FILENO, 3) < 0 || !freopen("/dev/null", "w", stdout) ||
	    !freopen("/dev/null", "w", stderr))
		return EXIT_FAILURE;
	for (size_t i = 0; i < PLAN_COUNT(runs); i++)
		faults += walk(&runs[i]);
	return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
