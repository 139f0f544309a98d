/* tests.c - the tests of a plan. */
#include "runtime/api/api_int.h"

void tests_list(struct plan_context *c)
{
	uint32_t n = c->program->tests.n;

	c->titles = ARENA_ARRAY(&c->work, const char *, n);
	for (uint32_t i = 0; i < n; i++)
		c->titles[i] = str_copy(&c->work, c->program->tests.at[i].title).p;
}

size_t plan_test_count(const struct plan_context *c)
{
	return c && c->program ? c->program->tests.n : 0;
}

const char *plan_test_title(const struct plan_context *c, size_t index)
{
	return index < plan_test_count(c) ? c->titles[index] : NULL;
}

/* What the test reported becomes part of the diagnostics of the plan. */
static enum plan_status run(struct plan_context *c, const struct ir_test *test)
{
	struct diag_sink found;
	bool passed;

	diag_sink_init(&found, &c->work, &c->sources);
	passed = test_run(&c->ev, test, &found);
	for (uint32_t i = 0; i < found.diags.n; i++) {
		found.diags.at[i]->sink = &c->sink;
		diag_submit(found.diags.at[i]);
	}
	return passed ? PLAN_OK : context_errors(c);
}

enum plan_status plan_test(struct plan_context *c, size_t index)
{
	enum plan_status status;

	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	if (index >= c->program->tests.n)
		return context_fail(c, PLAN_NOT_FOUND, "the plan has %u tests", c->program->tests.n);
	status = context_check(c, PLAN_CHECK_ALL);
	return status == PLAN_OK ? run(c, &c->program->tests.at[index]) : status;
}
