/* plan_fixture.c - see plan_fixture.h. */
#include "tests/unit/plan_fixture.h"

#include "compiler/check/compile.h"
#include "tests/unit/unit.h"

void open_plan(struct run *r, const char *text)
{
	struct compile_input in = { .path = STR("t.plan"), .library = stdlib_files };

	memset(r, 0, sizeof *r);
	arena_init(&r->arena, NULL);
	sources_init(&r->sources, &r->arena);
	diag_sink_init(&r->sink, &r->arena, &r->sources);
	in.arena = &r->arena;
	in.names = interner_make(&r->arena);
	in.sources = &r->sources;
	in.sink = &r->sink;
	in.text = str_of(text);
	r->p = plan_compile(&in);
	ck_assert_ptr_nonnull(r->p);
	eval_init(&r->ev, &r->arena, r->p, &r->sink);
	search_install(&r->ev, NULL);
}

void close_plan(struct run *r)
{
	arena_release(&r->arena);
}
