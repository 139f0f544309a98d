/* check.c - what `planc check` says of the sweeps of a plan: their size, and what is wrong with all candidates. */
#include "runtime/search/search_int.h"

/* Values of an axis that are compared with each other. */
enum { COMPARED_MAX = 1000 };

static bool stands_before(struct eval *ev, const struct loop *a, uint32_t at)
{
	bool same = false;

	for (uint32_t before = 0; before < at && !same; before++) {
		same = true;
		for (uint32_t k = 0; k < a->ir->path_count && same; k++)
			same = eval_equal(ev, space_value(a, a->values, before, k), space_value(a, a->values, at, k),
					  a->ir->paths[k].type);
	}
	return same;
}

/* Of axes that depend on no other one. */
static void lint_repeated(struct search *s)
{
	for (uint32_t k = 0; k < s->space->n; k++) {
		const struct loop *a = &s->space->axes[k];
		uint32_t n = a->values && a->ir->values_read.axes == 0 ? a->values->n : 0, i = 1;

		while (i < n && n <= COMPARED_MAX && !stands_before(s->ev, a, i))
			i++;
		if (i < n && n <= COMPARED_MAX)
			diag_report(s->ev->sink, W2405, a->ir->span,
				    "value %u of this axis stands before: its candidates are counted twice", i + 1);
	}
}

static void tell_size(const struct search *s, enum clash_answer clash, struct out *o)
{
	struct str name = sym_str(s->ev->program->names, s->sweep->name);

	out_printf(o, "  %.*s: ", (int)name.n, name.p);
	out_grouped(o, (int64_t)s->total);
	out_printf(o, " candidate%s", s->total == 1 ? "" : "s");
	if (s->product.n > 0)
		out_printf(o, " = %.*s", (int)s->product.n, s->product.p);
	if (clash == CLASH_OPEN)
		out_text(o, "; too many combinations to say whether one keeps all that needs no cost model");
	out_char(o, '\n');
}

/* Without the base's own rules, which `planc check` tests anyway. */
static bool check_one(struct eval *ev, uint32_t sweep, struct out *o)
{
	struct search *s = search_make(ev, sweep, NULL);
	struct search_pause pause = search_pause(ev);
	uint32_t errors = ev->sink->errors;
	struct value v;
	bool fine = true;

	v = eval_node(ev, s->sweep->of, (struct scope){ 0 });
	if (v.kind == VALUE_RECORD) {
		s->base = v.record;
		s->bench = bench_make(s);
		fine = space_measure(s);
		if (fine) {
			space_describe(s);
			fine = space_within_limit(s->space);
		}
		if (fine) {
			enum clash_answer clash = clash_check(s);

			fine = clash != CLASH_FOUND;
			lint_repeated(s);
			tell_size(s, clash, o);
		}
		bench_release(s->bench);
	}
	search_resume(ev, pause);
	/* What needs the cost model has no value here, and no message. */
	return fine || ev->sink->errors == errors;
}

bool search_check(struct eval *ev, struct out *o)
{
	bool fine = true;

	for (uint32_t i = 0; i < ev->program->sweeps.n; i++)
		if (ev->program->sweeps.at[i].file == ev->program->root_file &&
		    ev->program->sweeps.at[i].type->kind != TYPE_POISON)
			fine = check_one(ev, i, o) && fine;
	return fine;
}
