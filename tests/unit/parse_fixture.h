/* parse_fixture.h - a text parsed in memory, for the tests of grammar/, syntax and diag. */
#ifndef PLAN_UNIT_PARSE_FIXTURE_H
#define PLAN_UNIT_PARSE_FIXTURE_H

#include "tests/unit/unit.h"

#include "compiler/syntax/parse.h"

struct parsed {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct interner *names;
	struct parse_result result;
};

/* Parses a NUL-terminated text as a file, or as an expression. Released by parsed_release. */
static inline void parsed_init(struct parsed *p, const char *text, bool expression)
{
	struct parse_input in;

	arena_init(&p->arena, NULL);
	sources_init(&p->sources, &p->arena);
	diag_sink_init(&p->sink, &p->arena, &p->sources);
	p->names = interner_make(&p->arena);
	in = (struct parse_input){ &p->arena, p->names, &p->sources, &p->sink, 0 };
	in.file = sources_add(&p->sources, STR("t.plan"), str_of(text), false);
	p->result = expression ? parse_expression(&in) : parse_file(&in);
	ck_assert_ptr_nonnull(p->result.tree);
	ck_assert(p->result.ok == (p->sink.errors == 0));
}

static inline void parsed_release(struct parsed *p)
{
	arena_release(&p->arena);
}

/* The codes that were reported, in order: "E0101 E0102". */
static inline const char *parsed_codes(struct parsed *p)
{
	struct out o;

	out_init(&o, &p->arena);
	out_text(&o, "");
	for (uint32_t i = 0; i < p->sink.diags.n; i++)
		out_printf(&o, "%s%s", i > 0 ? " " : "", diag_info(p->sink.diags.at[i]->code)->name);
	return o.n > 0 ? o.p : "";
}

/* The whole tree as `planc debug ast` prints it. */
static inline const char *parsed_text(struct parsed *p)
{
	struct out o;

	out_init(&o, &p->arena);
	ast_print(&o, &p->sources, p->names, p->result.tree);
	return o.p;
}

static inline const char *parsed_messages(struct parsed *p, enum diag_format format)
{
	struct out o;

	out_init(&o, &p->arena);
	diag_render(&p->sink, (struct diag_style){ .format = format }, &o);
	return o.n > 0 ? o.p : "";
}

#endif
