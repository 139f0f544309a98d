/* advice.c - rules that only advise, and the field `silence` of a job, which takes them back. */
#include "runtime/eval/eval_int.h"

/* The place of a name among the values of the enum `lint`; IR_NONE when no job can say it. */
static uint32_t lint_of(const struct eval *ev, struct str name)
{
	const struct ir_program *p = ev->program;
	uint32_t at = ir_find_enum(p, "lint");

	for (uint32_t i = 0; at != IR_NONE && i < p->enums.at[at].count; i++)
		if (str_equal(sym_str(p->names, p->enums.at[at].values[i]), name))
			return i;
	return IR_NONE;
}

bool advice_is_silenced(struct eval *ev, struct record *job, struct str name)
{
	uint32_t lint = lint_of(ev, name);
	struct value silence;

	if (lint == IR_NONE)
		return false;
	silence = record_get_named(ev, job, "silence");
	for (uint32_t i = 0; silence.kind == VALUE_LIST && i < silence.list->n; i++)
		if (silence.list->at[i].kind == VALUE_ENUM && silence.list->at[i].ordinal == lint)
			return true;
	return false;
}

void advice_report(struct eval *ev, const struct ir_assert *a, struct record *self, struct str name,
		   struct assert_telling how)
{
	uint32_t before = ev->sink->diags.n;

	assert_report(ev, a, (struct scope){ .self = self }, how);
	if (ev->sink->diags.n > before && lint_of(ev, name) != IR_NONE)
		diag_help(ev->sink->diags.at[ev->sink->diags.n - 1],
			  "`silence = [%.*s]` in the job says that it is meant so", (int)name.n, name.p);
}

void record_advise(struct eval *ev, struct record *r, struct span at, struct str name)
{
	const struct ir_schema *s = &ev->program->schemas.at[r->schema];
	struct assert_telling how = { .at = at, .instance = name };

	for (uint32_t i = 0; i < s->assert_count; i++) {
		const struct ir_assert *a = &s->asserts[i];
		struct str rule = a->advice ? sym_str(ev->program->names, a->name) : STR("");

		if (a->advice && !advice_is_silenced(ev, r, rule) &&
		    assert_test(ev, a, (struct scope){ .self = r }) == VERDICT_BROKEN)
			advice_report(ev, a, r, rule, how);
	}
}
