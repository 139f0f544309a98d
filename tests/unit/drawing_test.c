/* drawing_test.c - broken conditions: verdicts, codes, and the values drawn under the source. */
#include "tests/unit/eval_fixture.h"
#include "tests/unit/unit.h"

/* The whole drawing as text: "peak:75.9 GiB <=:false memory:80 GiB". */
static const char *drawn(struct fixture *f, const struct diag *d)
{
	struct out o;
	out_init(&o, &f->arena);
	for (uint32_t i = 0; i < d->values.n; i++) {
		struct str at = source_slice(&f->sources, d->values.at[i].span);
		struct str text = d->values.at[i].text;
		out_printf(&o, "%s%.*s:%.*s", i ? " | " : "", (int)at.n, at.p, (int)text.n, text.p);
	}
	return str_copy(&f->arena, out_view(&o)).p;
}

static ir_id at(struct fixture *f, ir_id node, const char *piece, int n)
{
	f->p->nodes.at[node].span = fixture_span(f, piece, n);
	return node;
}

static ir_id quantity(struct fixture *f, int64_t n)
{
	return ir_add_number(f->p, f->bytes, SPAN_NONE, num_int(n));
}

/* A name of the file with a value. */
static ir_id name(struct fixture *f, const char *piece, int n, const struct type *t, ir_id value)
{
	*VEC_ADD(&f->arena, &f->p->globals) = (struct ir_global){ .kind = GLOBAL_LET,
								  .name = sym_of_z(f->names, piece),
								  .type = t,
								  .value = value,
								  .base = IR_NONE,
								  .span = SPAN_NONE };
	return at(f, ir_add(f->p, IR_GLOBAL, t, SPAN_NONE, f->p->globals.n - 1, 0, 0), piece, n);
}

static struct ir_assert condition(struct fixture *f, ir_id cond, const char *text)
{
	f->p->nodes.at[cond].span = fixture_span(f, text, 0);
	fixture_start(f);
	return (struct ir_assert){ .name = { 0 },
				   .when = IR_NO_NODE,
				   .cond = cond,
				   .because = IR_NO_NODE,
				   .span = fixture_span(f, text, 0),
				   .cond_span = fixture_span(f, text, 0) };
}

static const struct diag *report(struct fixture *f, const struct ir_assert *a)
{
	ck_assert_int_eq(assert_test(&f->ev, a, (struct scope){ 0 }), VERDICT_BROKEN);
	ck_assert_uint_eq(f->sink.diags.n, 0);
	assert_report(&f->ev, a, (struct scope){ 0 }, (struct assert_telling){ .at = a->cond_span });
	ck_assert_uint_eq(f->sink.diags.n, 1);
	return f->sink.diags.at[0];
}

START_TEST(comparison_of_quantities)
{
	struct fixture g;
	struct fixture *f = &g;
	fixture_init(f, "assert peak <= (memory) - 6 GiB\n");
	ir_id peak = name(f, "peak", 0, f->bytes, quantity(f, 81497158452));
	ir_id memory = name(f, "memory", 0, f->bytes, quantity(f, 80LL << 30));
	ir_id room =
		fixture_op(f, IR_SUB, f->bytes, memory, at(f, quantity(f, 6LL << 30), "6 GiB", 0));
	at(f, room, "(memory) - 6 GiB", 0);
	struct ir_assert a = condition(f, fixture_op(f, IR_LE, f->boolean, peak, room),
				       "peak <= (memory) - 6 GiB");
	const struct diag *d = report(f, &a);
	ck_assert_str_eq(drawn(f, d), "peak:75.9 GiB | <=:false | memory:80 GiB | -:74 GiB");
	ck_assert_str_eq(d->message.p, "`peak <= (memory) - 6 GiB` does not hold");
	ck_assert_int_eq(d->code, E2301);
	ck_assert(d->values.at[0].has_number);
	ck_assert(d->values.at[0].number == 81497158452.0);
	ck_assert(str_is(d->values.at[0].unit, "B"));
	ck_assert(!d->values.at[1].has_number);
	ck_assert_uint_eq(d->drawn.lo, a.cond_span.lo);
	fixture_release(f);
}
END_TEST

/* What was not evaluated is not drawn; a comment between the operands is no operator. */
START_TEST(short_circuits)
{
	struct fixture g;
	struct fixture *f = &g;
	fixture_init(f, "assert small # not large\n  and wide or deep\n");
	ir_id no = ir_add_bool(f->p, SPAN_NONE, false);
	ir_id small = name(f, "small", 0, f->boolean, no);
	ir_id wide = name(f, "wide", 0, f->boolean, no);
	ir_id deep = name(f, "deep", 0, f->boolean, no);
	ir_id both = at(f, fixture_op(f, IR_AND, f->boolean, small, wide),
			"small # not large\n  and wide", 0);
	struct ir_assert a = condition(f, fixture_op(f, IR_OR, f->boolean, both, deep),
				       "small # not large\n  and wide or deep");
	const struct diag *d = report(f, &a);
	ck_assert_str_eq(drawn(f, d), "small:false | and:false | or:false | deep:false");
	ck_assert_str_eq(d->message.p, "`small and wide or deep` does not hold");
	fixture_release(f);
}
END_TEST

/* all(x < 3 for x in xs): the element that broke it. */
START_TEST(deciding_element)
{
	struct fixture g;
	struct fixture *f = &g;
	fixture_init(f, "assert all(x < 3 for x in numbers)\n");
	const struct type *t = type_list(f->p->types, f->integer);
	ir_id range = ir_add(f->p, IR_RANGE, t, SPAN_NONE, fixture_int(f, 1), fixture_int(f, 20),
			     IR_NO_NODE);
	ir_id numbers = name(f, "numbers", 0, t, range);
	ir_id x = at(f, ir_add(f->p, IR_LOCAL, f->integer, SPAN_NONE, 0, 0, 0), "x", 0);
	ir_id less = at(f, fixture_op(f, IR_LT, f->boolean, x, at(f, fixture_int(f, 3), "3", 0)),
			"x < 3", 0);
	ir_id list = at(f,
			ir_add(f->p, IR_COMPREHEND, type_list(f->p->types, f->boolean), SPAN_NONE,
			       numbers, less, IR_NO_NODE),
			"x < 3 for x in numbers", 0);
	ir_id all = fixture_call(f, BUILTIN_ALL, f->boolean, &list, NULL, 1);
	struct ir_assert a = condition(f, all, "all(x < 3 for x in numbers)");
	ck_assert_str_eq(drawn(f, report(f, &a)),
			 "all(x < 3 for x in numbers):false | x:3 | <:false | "
			 "numbers:[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1...");
	fixture_release(f);
}
END_TEST

START_TEST(long_values_are_cut)
{
	struct fixture g;
	struct fixture *f = &g;
	fixture_init(f, "assert 7 in numbers\n");
	const struct type *t = type_list(f->p->types, f->integer);
	ir_id range = ir_add(f->p, IR_RANGE, t, SPAN_NONE, fixture_int(f, 10), fixture_int(f, 90),
			     IR_NO_NODE);
	ir_id numbers = name(f, "numbers", 0, t, range);
	ir_id in = fixture_op(f, IR_IN, f->boolean, at(f, fixture_int(f, 7), "7", 0), numbers);
	struct ir_assert a = condition(f, in, "7 in numbers");
	ck_assert_str_eq(drawn(f, report(f, &a)),
			 "in:false | numbers:[10, 11, 12, 13, 14, 15, 16, 17, 18, ...");
	fixture_release(f);
}
END_TEST

START_TEST(verdicts)
{
	struct fixture g;
	struct fixture *f = &g;
	fixture_init(f, "assert x when y: z\n");
	ir_id yes = ir_add_bool(f->p, SPAN_NONE, true);
	ir_id no = ir_add_bool(f->p, SPAN_NONE, false);
	ir_id poison = ir_add_poison(f->p, SPAN_NONE);
	struct ir_assert a = { .when = IR_NO_NODE, .cond = yes, .because = IR_NO_NODE };
	ck_assert_int_eq(assert_test(&f->ev, &a, (struct scope){ 0 }), VERDICT_HOLDS);
	a.cond = no;
	ck_assert_int_eq(assert_test(&f->ev, &a, (struct scope){ 0 }), VERDICT_BROKEN);
	a.when = no;
	ck_assert_int_eq(assert_test(&f->ev, &a, (struct scope){ 0 }), VERDICT_SKIPPED);
	a.when = poison;
	ck_assert_int_eq(assert_test(&f->ev, &a, (struct scope){ 0 }), VERDICT_SKIPPED);
	a.when = yes;
	a.cond = poison;
	ck_assert_int_eq(assert_test(&f->ev, &a, (struct scope){ 0 }), VERDICT_SKIPPED);
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

/* Two broken rules of the library and a derived field that divides by zero: one message. */
START_TEST(one_mistake_one_message)
{
	struct fixture g;
	struct fixture *f = &g;
	fixture_init(f, "job pretrain { gpus = 0 }\n");
	uint32_t library =
		sources_add(&f->sources, STR("std:prelude.plan"),
			    STR("rules\nsteps = 8 div gpus\nassert some_gpus: gpus > 0\n"), true);
	uint32_t s = fixture_schema(f, "job", 2);
	struct span steps = { library, 14, 24 };
	struct span rule = { library, 43, 51 };
	ir_id gpus = ir_add(f->p, IR_SLOT, f->integer, (struct span){ library, 43, 47 }, 0, 0, 0);
	ir_id quotient = ir_add(f->p, IR_INT_DIV, f->integer, steps, fixture_int(f, 8), gpus, 0);
	fixture_field(f, s, 0, "gpus", f->integer, IR_NO_NODE);
	fixture_field(f, s, 1, "steps", f->integer, quotient);
	f->p->schemas.at[s].library = true;
	static struct ir_assert rules[2];
	ir_id positive = ir_add(f->p, IR_GT, f->boolean, rule, gpus, fixture_int(f, 0), 0);
	rules[0] = (struct ir_assert){ .name = sym_of_z(f->names, "gpus_exist"),
				       .when = IR_NO_NODE,
				       .cond = positive,
				       .because = IR_NO_NODE,
				       .span = rule,
				       .cond_span = rule,
				       .library = true };
	rules[1] = rules[0];
	rules[1].name = sym_of_z(f->names, "enough_gpus");
	f->p->schemas.at[s].asserts = rules;
	f->p->schemas.at[s].assert_count = 2;
	struct ir_binding b = { .slot = 0, .what = fixture_int(f, 0) };
	fixture_instance(f, "pretrain", s, IR_NONE, fixture_layer(f, s, "pretrain", &b, 1));
	fixture_start(f);
	ck_assert(!program_check(&f->ev));
	ck_assert_uint_eq(f->sink.diags.n, 1);
	const struct diag *d = f->sink.diags.at[0];
	ck_assert_int_eq(d->code, E2105);
	ck_assert(str_is(source_slice(&f->sources, d->span), "pretrain"));
	ck_assert_str_eq(drawn(f, d), "gpus:0");
	ck_assert_str_eq(d->notes.at[0].p, "rule `gpus_exist` of `pretrain`, std:prelude.plan");
	ck_assert_str_eq(d->notes.at[1].p, "also broken: `enough_gpus`");
	/* Without the rules the failing field speaks for itself, at the user's text. */
	f->p->schemas.at[s].assert_count = 0;
	fixture_codes(f);
	fixture_start(f);
	ck_assert(!program_check(&f->ev));
	ck_assert_uint_eq(f->sink.diags.n, 1);
	d = f->sink.diags.at[0];
	ck_assert_int_eq(d->code, E2001);
	ck_assert(str_is(source_slice(&f->sources, d->span), "pretrain"));
	ck_assert_str_eq(d->notes.at[0].p, "computed for `pretrain.steps`, std:prelude.plan");
	fixture_release(f);
}
END_TEST

static void check_in(struct arena *a, void *context)
{
	const struct fixture *f = context;
	struct diag_sink sink;
	struct eval ev;
	diag_sink_init(&sink, a, &f->sources);
	eval_init(&ev, a, f->p, &sink);
	program_check(&ev);
	ck_assert_uint_eq(sink.diags.n, 1);
}

/* Whichever allocation fails, the escape is taken and nothing is left behind. */
START_TEST(memory_runs_out)
{
	struct fixture g;
	struct fixture *f = &g;
	fixture_init(f, "shelf low { units = 8 / 3 }\nassert units > 2\n");
	uint32_t s = fixture_schema(f, "shelf", 2);
	ir_id units = at(f, ir_add(f->p, IR_SLOT, f->rational, SPAN_NONE, 0, 0, 0), "units", 1);
	fixture_field(f, s, 0, "units", f->rational, IR_NO_NODE);
	fixture_field(f, s, 1, "twice", f->rational,
		      fixture_op(f, IR_ADD, f->rational, units, units));
	static struct ir_assert rule;
	ir_id more =
		at(f, fixture_op(f, IR_GT, f->boolean, units, at(f, fixture_int(f, 2), "2", 0)),
		   "units > 2", 0);
	ir_id parts[] = { fixture_text(f, "only "),
			  ir_add(f->p, IR_HOLE, f->string, SPAN_NONE, units, UINT32_MAX, 0) };
	rule = (struct ir_assert){ .name = sym_of_z(f->names, "enough"),
				   .when = IR_NO_NODE,
				   .cond = more,
				   .because = fixture_list(f, IR_TEMPLATE, f->string, parts, 2),
				   .span = fixture_span(f, "units > 2", 0),
				   .cond_span = fixture_span(f, "units > 2", 0) };
	f->p->schemas.at[s].asserts = &rule;
	f->p->schemas.at[s].assert_count = 1;
	ir_id share = fixture_op(f, IR_DIV, f->rational, fixture_int(f, 4), fixture_int(f, 3));
	struct ir_binding b = { .slot = 0, .what = share };
	fixture_instance(f, "low", s, IR_NONE, fixture_layer(f, s, "low", &b, 1));
	ck_assert_int_gt(unit_each_failure(check_in, f), 20);
	fixture_release(f);
}
END_TEST

UNIT_MAIN("drawing", comparison_of_quantities, short_circuits, deciding_element,
	  long_values_are_cut, verdicts, one_mistake_one_message, memory_runs_out)
