/* unit.h - what every unit test program needs: Check, a runner, and memory that fails on demand. */
#ifndef PLAN_UNIT_UNIT_H
#define PLAN_UNIT_UNIT_H

#include <check.h>
#include <stdlib.h>

#include "compiler/base/arena.h"

/* Runs one test case of the given functions; the exit status of the program. */
static inline int unit_run(const char *name, const TTest *const *tests, size_t count)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner;
	int failed;

	for (size_t i = 0; i < count; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define UNIT_MAIN(name, ...) \
	int main(void) \
	{ \
		const TTest *const tests[] = { __VA_ARGS__ }; \
		return unit_run(name, tests, sizeof tests / sizeof tests[0]); \
	}

/* Calls work(arena, context) with the first allocation failing, then the second, and so on until it
 * runs through: how often it failed. Whatever is leaked on the way is for the sanitizer to find. */
static inline int unit_each_failure(void (*work)(struct arena *a, void *context), void *context)
{
	volatile int failures = 0;
	volatile bool done = false;

	while (!done) {
		jmp_buf escape;
		struct arena arena;

		arena_init(&arena, &escape);
		arena.fail_after = failures + 1;
		if (setjmp(escape) == 0) {
			work(&arena, context);
			done = true;
		} else {
			failures++;
		}
		arena_release(&arena);
	}
	return failures;
}

#endif
