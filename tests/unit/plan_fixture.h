/* plan_fixture.h - a plan out of a text, compiled with the library, and an evaluator for it. */
#ifndef PLAN_UNIT_PLAN_FIXTURE_H
#define PLAN_UNIT_PLAN_FIXTURE_H

#include "runtime/search/search.h"

struct run {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	const struct ir_program *p;
	struct eval ev;
};

/* Fails the test where the text does not compile. */
void open_plan(struct run *r, const char *text);
void close_plan(struct run *r);

#endif
