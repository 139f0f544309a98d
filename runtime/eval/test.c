/* test.c - runs tests: what a test declares is checked, then its steps in order. */
#include "runtime/eval/eval_int.h"

/* An evaluator that has computed nothing yet. */
static struct eval fresh(const struct eval *like, struct diag_sink *sink)
{
	struct eval ev = *like;
	uint32_t n = like->program->globals.n;
	ev.sink = sink;
	ev.globals = ARENA_ARRAY(ev.arena, struct value, n);
	ev.global_states = ARENA_ARRAY(ev.arena, unsigned char, n);
	ev.active = NULL;
	ev.depth = 0;
	ev.exhausted = false;
	return ev;
}

/* ---- blocks that are expected to fail -------------------------------------------------------- */

/* One note for each message the block left, with its place. */
static void note_messages(struct eval *ev, struct diag *d, const struct diag_sink *found)
{
	for (uint32_t i = 0; i < found->diags.n; i++) {
		const struct diag *m = found->diags.at[i];
		struct str where = span_is_known(ev, m->span) ? span_place(ev, m->span) : STR("");
		diag_note(d, "%s%s%.*s: %.*s", diag_info(m->code)->name, where.n ? " at " : "",
			  (int)where.n, where.p, (int)m->message.n, m->message.p);
	}
}

static bool only_code(const struct diag_sink *found, enum diag_code code)
{
	for (uint32_t i = 0; i < found->diags.n; i++)
		if (found->diags.at[i]->code != code)
			return false;
	return found->diags.n > 0;
}

static bool has_code(const struct diag_sink *found, enum diag_code code)
{
	for (uint32_t i = 0; i < found->diags.n; i++)
		if (found->diags.at[i]->code == code)
			return true;
	return false;
}

/* "E2101 (heads_divide)": rules of the library are known by their names. */
static struct str code_text(struct eval *ev, enum diag_code code)
{
	const struct diag_info *info = diag_info(code);
	bool rule = strncmp(info->name, "E21", 3) == 0 || strncmp(info->name, "E22", 3) == 0;
	struct out o;
	out_init(&o, ev->arena);
	out_text(&o, info->name);
	if (rule)
		out_printf(&o, " (%s)", info->slug);
	return str_copy(ev->arena, out_view(&o));
}

static bool judge(struct eval *ev, const struct ir_failure *f, const struct diag_sink *found)
{
	struct str code = code_text(ev, f->code);
	struct diag *d;
	if (only_code(found, f->code))
		return true;
	d = diag_new(ev->sink, found->diags.n == 0 ? E2602 : E2603, f->code_span);
	if (found->diags.n == 0)
		diag_message(d, "%.*s was expected here, but nothing is wrong", (int)code.n,
			     code.p);
	else if (has_code(found, f->code))
		diag_message(d, "%.*s was expected here alone, but more is wrong", (int)code.n,
			     code.p);
	else
		diag_message(d, "%.*s was expected here, but something else is wrong", (int)code.n,
			     code.p);
	note_messages(ev, d, found);
	diag_submit(d);
	return false;
}

/* What compiling it reported, then what checking it reports, then what its emits would. */
static bool run_failure(struct eval *ev, const struct ir_failure *f)
{
	struct diag_sink found = f->reported;
	if (f->code == DIAG_NONE)
		return false;
	if (found.errors == 0) {
		struct eval inner = fresh(ev, &found);
		scope_check(&inner, f->globals, f->global_count, f->asserts, f->assert_count);
		for (uint32_t i = 0; i < f->emit_count && found.errors == 0 && inner.try_emit; i++)
			inner.try_emit(&inner, &f->emits[i]);
	}
	return judge(ev, f, &found);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static bool run_expect(struct eval *ev, const struct ir_assert *a)
{
	enum verdict verdict = assert_test(ev, a, (struct scope){ 0 });
	if (verdict == VERDICT_BROKEN)
		assert_report(ev, a, (struct scope){ 0 }, (struct assert_telling){ .at = a->cond_span });
	else if (verdict == VERDICT_SKIPPED && ev->sink->errors == 0)
		diag_report(ev->sink, E2601, a->cond_span, "this has no value");
	return verdict == VERDICT_HOLDS;
}

/* The values and records of a test belong together: one of them may be the base of another. */
static bool check_values(struct eval *ev, const struct ir_test *t)
{
	uint32_t *globals = ARENA_ARRAY(ev->arena, uint32_t, t->step_count);
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->step_count; i++) {
		if (t->steps[i].kind == STEP_VALUE)
			globals[n++] = t->steps[i].global;
	}
	return scope_check(ev, globals, n, NULL, 0);
}

bool test_run(const struct eval *like, const struct ir_test *t, struct diag_sink *sink)
{
	struct eval ev = fresh(like, sink);
	bool fine = check_values(&ev, t);
	for (uint32_t i = 0; i < t->step_count; i++) {
		if (t->steps[i].kind == STEP_EXPECT)
			fine = run_expect(&ev, &t->steps[i].expect) && fine;
		else if (t->steps[i].kind == STEP_FAILURE)
			fine = run_failure(&ev, &t->steps[i].failure) && fine;
	}
	return fine && sink->errors == 0;
}
