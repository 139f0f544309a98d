/* test.c - tests: a scope of their own over the file, steps in source order, and blocks that are expected
 * to fail, which are compiled apart so that what is wrong in them stays in them. */
#include "compiler/check/check_int.h"

/* ---- codes that are expected ----------------------------------------------------------------- */

/* Where the text with the code stands: the first string in the step. */
static struct span code_span(struct check *c, const struct ast *x)
{
	return import_path_span(c->modules, x);
}

static void report_code(struct check *c, struct str code, struct span at)
{
	struct diag *d = diag_new(c->sink, E2604, at);
	struct suggestions s;

	diag_message(d, "there is no message with the code `%.*s`", (int)code.n, code.p);
	suggestions_init(&s, c->arena, code);
	for (int i = DIAG_NONE + 1; i < DIAG_CODE_COUNT; i++) {
		const struct diag_info *info = diag_info((enum diag_code)i);
		bool number = code.n > 0 && (code.p[0] == 'E' || code.p[0] == 'W');

		suggestions_add(&s, str_of(number ? info->name : info->slug), true);
	}
	if (!diag_suggest(d, &s))
		diag_help(d, "write the code that the message has in brackets, such as \"E2101\", or the name of a "
			     "rule of the library, such as \"heads_divide\"");
	diag_submit(d);
}

static enum diag_code code_of(struct check *c, const struct ast *x)
{
	struct str text = x->expect_failure.code;
	enum diag_code code = diag_code_of_name(text);

	if (code == DIAG_NONE)
		code = diag_code_of_slug(text);
	if (code == DIAG_NONE)
		report_code(c, text, code_span(c, x));
	return code;
}

/* ---- blocks that are expected to fail -------------------------------------------------------- */

static void take_globals(struct check *c, const struct module *m, struct ir_failure *f)
{
	f->globals = ARENA_ARRAY(c->arena, uint32_t, m->decls.n + 1);
	for (uint32_t i = 0; i < m->decls.n; i++) {
		const struct decl *d = m->decls.at[i];

		if (d->kind == DECL_LET || d->kind == DECL_PARAM || d->kind == DECL_INSTANCE)
			f->globals[f->global_count++] = d->index;
	}
}

static void take_asserts(struct check *c, struct module *m, struct ast_list items, struct ir_failure *f)
{
	struct env e = file_env(m);

	f->asserts = ARENA_ARRAY(c->arena, struct ir_assert, items.n + 1);
	for (uint32_t i = 0; i < items.n; i++)
		if (items.at[i]->kind == AST_ASSERT)
			f->asserts[f->assert_count++] = lower_assert(c, &e, items.at[i]);
}

/* Emits are none of the file's: they are tried with the block, and written by nobody. */
static void take_emits(struct check *c, struct module *m, struct ir_failure *f)
{
	uint32_t before = c->p->emits.n;

	lower_emits(c, m);
	f->emit_count = c->p->emits.n - before;
	f->emits = ARENA_ARRAY(c->arena, struct ir_emit, f->emit_count + 1);
	for (uint32_t i = 0; i < f->emit_count; i++)
		f->emits[i] = c->p->emits.at[before + i];
	c->p->emits.n = before;
}

static void refuse_tests(struct check *c, struct ast_list items)
{
	for (uint32_t i = 0; i < items.n; i++)
		if (items.at[i]->kind == AST_TEST)
			diag_report(c->sink, E2605, code_span(c, items.at[i]),
				    "a test cannot stand in a block that is expected to fail");
}

/* Compiles the items with a sink of their own. */
static void lower_failure(struct check *c, struct module *test, struct ast *x, struct ir_failure *f)
{
	struct diag_sink *outer = c->sink, *mine = &f->reported;
	struct ast_list items = x->expect_failure.items;
	bool too_deep = c->too_deep;
	uint32_t sweeps = c->p->sweeps.n;
	struct module *m;

	diag_sink_init(mine, c->arena, c->p->sources);
	c->sink = c->modules->in.sink = mine;
	m = settle_nested(c, test, items, x->span);
	take_globals(c, m, f);
	take_asserts(c, m, items, f);
	take_emits(c, m, f);
	settle_sweeps(c, sweeps);
	c->sink = c->modules->in.sink = outer;
	c->too_deep = too_deep;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static struct ir_assert lower_expect(struct check *c, struct module *m, struct ast *x)
{
	struct env e = file_env(m), because;
	struct ast_expect *expect = &x->expect;
	struct ir_assert a = { .when = IR_NO_NODE, .because = IR_NO_NODE, .span = x->span,
			       .cond_span = expect->cond->span, .expectation = true };

	a.cond = lower_condition(c, &e, expect->cond, "what `expect` states");
	if (expect->because) {
		because = e;
		because.facts = facts_of(c, &e, expect->cond, false, e.facts);
		a.because = infer(c, &because, expect->because, c->t.string);
	}
	return a;
}

/* The declaration of a step; NULL for a name that was refused. */
static struct decl *decl_of(const struct module *m, const struct ast *node)
{
	for (uint32_t i = 0; i < m->decls.n; i++)
		if (m->decls.at[i]->node == node)
			return m->decls.at[i];
	return NULL;
}

static void lower_step(struct check *c, struct module *m, struct ast *x, struct ir_test *t)
{
	struct ir_step step = { .span = x->span, .global = IR_NONE };
	struct decl *d;

	if (x->kind == AST_EXPECT) {
		step.kind = STEP_EXPECT;
		step.expect = lower_expect(c, m, x);
	} else if (x->kind == AST_EXPECT_FAILURE) {
		step.kind = STEP_FAILURE;
		step.failure.code_span = code_span(c, x);
		step.failure.code = code_of(c, x);
		refuse_tests(c, x->expect_failure.items);
		if (c->in->failures)
			lower_failure(c, m, x, &step.failure);
	} else {
		d = decl_of(m, x);
		if (!d)
			return;
		step.kind = STEP_VALUE;
		step.global = d->index;
	}
	t->steps[t->step_count++] = step;
}

static void lower_test(struct check *c, struct module *file, struct ast *x)
{
	struct ast_list steps = x->test.steps;
	struct ir_test test = { .title = x->test.title, .span = import_path_span(c->modules, x) };
	struct module *m = settle_nested(c, file, steps, x->span);

	test.steps = ARENA_ARRAY(c->arena, struct ir_step, steps.n + 1);
	for (uint32_t i = 0; i < steps.n; i++)
		lower_step(c, m, steps.at[i], &test);
	*VEC_ADD(c->arena, &c->p->tests) = test;
}

void lower_tests(struct check *c, struct module *m)
{
	for (uint32_t i = 0; i < m->tree->file.items.n; i++)
		if (m->tree->file.items.at[i]->kind == AST_TEST)
			lower_test(c, m, m->tree->file.items.at[i]);
}
