/* asserts.c - tests a condition, and says why a broken one does not hold. */
#include "runtime/eval/eval_int.h"

enum verdict assert_test(struct eval *ev, const struct ir_assert *a, struct scope scope)
{
	if (a->when != IR_NO_NODE) {
		struct value when = eval_node(ev, a->when, scope);
		if (when.kind != VALUE_BOOL || !when.truth)
			return VERDICT_SKIPPED;
	}
	struct value v = eval_node(ev, a->cond, scope);
	if (v.kind != VALUE_BOOL)
		return VERDICT_SKIPPED;
	return v.truth ? VERDICT_HOLDS : VERDICT_BROKEN;
}

/* Rules of the library have codes of their own in the ranges E21xx and E22xx. */
static enum diag_code code_of(const struct eval *ev, const struct ir_assert *a)
{
	if (a->expectation)
		return E2601;
	if (!a->library || !a->name.id)
		return E2301;
	enum diag_code code = diag_code_of_slug(sym_str(ev->program->names, a->name));
	const char *name = diag_info(code)->name;
	bool rule = name[0] != '\0' && (strncmp(name + 1, "21", 2) == 0 || strncmp(name + 1, "22", 2) == 0);
	return rule ? code : E2301;
}

/* The sentence behind `because`; empty without one, or when one of its values cannot be had. */
static struct str reason_of(struct eval *ev, const struct ir_assert *a, struct scope scope)
{
	if (a->because == IR_NO_NODE)
		return (struct str){ "", 0 };
	bool muted = ev->sink->muted;
	ev->sink->muted = true;
	struct value v = eval_node(ev, a->because, scope);
	ev->sink->muted = muted;
	return v.kind == VALUE_STRING ? v.text : (struct str){ "", 0 };
}

static struct str joined_names(struct eval *ev, const struct str *names, uint32_t n)
{
	struct out o;
	out_init(&o, ev->arena);
	for (uint32_t i = 0; i < n; i++)
		out_printf(&o, "%s`%.*s`", i ? ", " : "", (int)names[i].n, names[i].p);
	return str_copy(ev->arena, out_view(&o));
}

/* ", std:prelude.plan:512", unless the message points to that line already. */
static struct str place_elsewhere(struct eval *ev, const struct diag *d, struct span at)
{
	struct str where = span_place(ev, at);
	struct out o;
	out_init(&o, ev->arena);
	if (where.n > 0 && !str_equal(where, span_place(ev, d->span)))
		out_printf(&o, ", %.*s", (int)where.n, where.p);
	return str_copy(ev->arena, out_view(&o));
}

/* Which rule it is and where a reader finds it, then what else is broken. */
static void add_notes(struct eval *ev, struct diag *d, const struct ir_assert *a,
		      struct str instance, const struct str *also, uint32_t also_count)
{
	struct str where = place_elsewhere(ev, d, a->span);
	const char *kind = a->library ? "rule" : "condition";
	struct out owner;
	out_init(&owner, ev->arena);
	if (instance.n > 0)
		out_printf(&owner, " of `%.*s`", (int)instance.n, instance.p);
	if (a->name.id) {
		struct str name = sym_str(ev->program->names, a->name);
		diag_note(d, "%s `%.*s`%.*s%.*s", kind, (int)name.n, name.p, (int)owner.n, owner.p,
			  (int)where.n, where.p);
	} else if (instance.n > 0) {
		diag_note(d, "a %s%.*s%.*s", kind, (int)owner.n, owner.p, (int)where.n, where.p);
	}
	if (also_count > 0) {
		struct str names = joined_names(ev, also, also_count);
		diag_note(d, "also broken: %.*s", (int)names.n, names.p);
	}
}

void assert_report(struct eval *ev, const struct ir_assert *a, struct scope scope,
		   struct assert_telling how)
{
	bool own_text = !span_is_library(ev, a->cond_span) || !span_is_known(ev, how.at);
	struct diag *d = diag_new(ev->sink, how.code != DIAG_NONE ? how.code : code_of(ev, a),
				  own_text && !how.instance.n ? a->cond_span : how.at);
	struct str reason = reason_of(ev, a, scope);
	struct str condition = span_text(ev, a->cond_span);
	if (!span_is_known(ev, d->span))
		d->span = a->cond_span;
	if (reason.n > 0)
		diag_message(d, "%.*s", (int)reason.n, reason.p);
	else if (condition.n > 0)
		diag_message(d, "`%.*s` does not hold", (int)condition.n, condition.p);
	else
		diag_message(d, "a condition does not hold");
	blame_condition(ev, d, a->cond, scope);
	if (a->when != IR_NO_NODE)
		blame_condition(ev, d, a->when, scope);
	draw_condition(ev, d, a->cond, a->cond_span, scope);
	diag_draw(d, a->cond_span);
	add_notes(ev, d, a, how.instance, how.also, how.also_count);
	diag_submit(d);
}

void assert_draw(struct eval *ev, struct diag *d, const struct ir_assert *a, struct scope scope)
{
	draw_condition(ev, d, a->cond, a->cond_span, scope);
	diag_draw(d, a->cond_span);
}
