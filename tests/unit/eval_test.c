/* eval_test.c - the evaluator on small programs: arithmetic, records, limits. */
#include "tests/unit/eval_fixture.h"
#include "tests/unit/unit.h"

static struct fixture *start(struct fixture *f)
{
	fixture_init(f, "");
	return f;
}

static const char *op2(struct fixture *f, enum ir_op op, ir_id a, ir_id b)
{
	return fixture_show(f, fixture_op(f, op, f->rational, a, b));
}

static bool holds(struct fixture *f, enum ir_op op, ir_id a, ir_id b)
{
	struct value v = fixture_eval(f, fixture_op(f, op, f->boolean, a, b));
	return v.kind == VALUE_BOOL && v.truth;
}

START_TEST(exact_arithmetic)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ck_assert_str_eq(op2(f, IR_DIV, fixture_int(f, 61), fixture_int(f, 16)), "3 13/16");
	ck_assert_str_eq(op2(f, IR_ADD, fixture_ratio(f, 1, 3), fixture_ratio(f, 1, 6)), "0.5");
	ck_assert_str_eq(op2(f, IR_INT_DIV, fixture_int(f, -7), fixture_int(f, 2)), "-4");
	ck_assert_str_eq(op2(f, IR_MOD, fixture_int(f, -7), fixture_int(f, 2)), "1");
	ck_assert_str_eq(op2(f, IR_POW, fixture_int(f, 2), fixture_int(f, 100)),
			 "1267650600228229401496703205376");
	ck_assert_str_eq(op2(f, IR_POW, fixture_int(f, 2), fixture_int(f, -2)), "0.25");
	ck_assert_str_eq(op2(f, IR_NEG, fixture_int(f, 2), 0), "-2");
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

START_TEST(measured_arithmetic)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ck_assert_str_eq(op2(f, IR_ADD, fixture_real(f, 4), fixture_ratio(f, 1, 2)), "~2.5");
	ck_assert_str_eq(op2(f, IR_INT_DIV, fixture_real(f, 49), fixture_int(f, 2)), "3");
	ck_assert_str_eq(op2(f, IR_MOD, fixture_real(f, 49), fixture_int(f, -2)), "~-1");
	ck_assert_str_eq(op2(f, IR_POW, fixture_int(f, 9), fixture_ratio(f, 1, 2)), "~3");
	ck_assert(holds(f, IR_LT, fixture_real(f, 2), fixture_ratio(f, 3, 2)));
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

START_TEST(what_has_no_value)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ck_assert_str_eq(op2(f, IR_DIV, fixture_int(f, 1), fixture_int(f, 0)), "?");
	ck_assert_str_eq(op2(f, IR_MOD, fixture_int(f, 1), fixture_int(f, 0)), "?");
	ck_assert_str_eq(op2(f, IR_POW, fixture_int(f, 0), fixture_int(f, -1)), "?");
	ck_assert_str_eq(op2(f, IR_DIV, fixture_real(f, 1), fixture_real(f, 0)), "?");
	ck_assert_str_eq(fixture_codes(f), "E2001 E2001 E2001 E2001");
	ck_assert_str_eq(op2(f, IR_POW, fixture_int(f, 10), fixture_int(f, 1000000)), "?");
	ck_assert_str_eq(op2(f, IR_POW, fixture_int(f, -2), fixture_ratio(f, 1, 2)), "?");
	ck_assert_str_eq(fixture_codes(f), "E2003 E2005");
	ir_id third = fixture_ratio(f, 61, 16);
	ck_assert_str_eq(op2(f, IR_TO_INT, third, 0), "?");
	ck_assert_str_eq(fixture_message(f), "this is 3 13/16, but an int belongs here");
	ck_assert_str_eq(fixture_codes(f), "E2004");
	ck_assert_str_eq(op2(f, IR_TO_INT, fixture_real(f, 49), 0), "7");
	ck_assert_str_eq(op2(f, IR_ADD, ir_add_none(f->p, SPAN_NONE), third), "?");
	ck_assert_str_eq(fixture_codes(f), "E1107");
	/* Poison is silent. */
	ck_assert_str_eq(op2(f, IR_ADD, ir_add_poison(f->p, SPAN_NONE), third), "?");
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

/* Field laws through the evaluator, on a grid of small fractions. */
START_TEST(field_laws)
{
	struct fixture g;
	struct fixture *f = start(&g);
	static const int64_t at[][2] = { { 0, 1 },  { 1, 1 }, { -1, 1 },        { 1, 2 },
					 { -3, 7 }, { 5, 3 }, { INT64_MAX, 2 }, { 7, INT64_MAX } };
	enum { N = PLAN_COUNT(at) };
	ir_id x[N];
	for (int i = 0; i < N; i++)
		x[i] = fixture_ratio(f, at[i][0], at[i][1]);
	const struct type *t = f->rational;
	for (int i = 0; i < N * N * N; i++) {
		ir_id a = x[i % N];
		ir_id b = x[i / N % N];
		ir_id c = x[i / N / N];
		ir_id sum = fixture_op(f, IR_ADD, t, a, b);
		ck_assert(holds(f, IR_EQ, sum, fixture_op(f, IR_ADD, t, b, a)));
		ck_assert(holds(f, IR_EQ, fixture_op(f, IR_ADD, t, sum, c),
				fixture_op(f, IR_ADD, t, a, fixture_op(f, IR_ADD, t, b, c))));
		ir_id product = fixture_op(f, IR_MUL, t, a, b);
		ck_assert(holds(f, IR_EQ, fixture_op(f, IR_MUL, t, sum, c),
				fixture_op(f, IR_ADD, t, fixture_op(f, IR_MUL, t, a, c),
					   fixture_op(f, IR_MUL, t, b, c))));
		if (fixture_eval(f, b).number.n != 0)
			ck_assert(holds(f, IR_EQ, fixture_op(f, IR_DIV, t, product, b), a));
		ck_assert(holds(f, IR_EQ, fixture_op(f, IR_SUB, t, sum, b), a));
	}
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

/* a == (a div b) * b + a mod b, and the remainder has the divisor's sign. */
START_TEST(division_with_remainder)
{
	struct fixture g;
	struct fixture *f = start(&g);
	for (int64_t n = -9; n <= 9; n++) {
		for (int64_t d = -4; d <= 4; d++) {
			if (d == 0)
				continue;
			ir_id a = fixture_int(f, n);
			ir_id b = fixture_int(f, d);
			ir_id q = fixture_op(f, IR_INT_DIV, f->integer, a, b);
			ir_id r = fixture_op(f, IR_MOD, f->integer, a, b);
			ir_id back = fixture_op(f, IR_ADD, f->integer,
						fixture_op(f, IR_MUL, f->integer, q, b), r);
			ck_assert(holds(f, IR_EQ, back, a));
			int64_t rest = fixture_eval(f, r).number.n;
			ck_assert(rest == 0 || (rest < 0) == (d < 0));
		}
	}
	fixture_release(f);
}
END_TEST

START_TEST(logic_is_lazy)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ir_id yes = ir_add_bool(f->p, SPAN_NONE, true);
	ir_id no = ir_add_bool(f->p, SPAN_NONE, false);
	ir_id bad =
		fixture_op(f, IR_EQ, f->boolean,
			   fixture_op(f, IR_DIV, f->rational, fixture_int(f, 1), fixture_int(f, 0)),
			   fixture_int(f, 1));
	ck_assert_str_eq(op2(f, IR_AND, no, bad), "false");
	ck_assert_str_eq(op2(f, IR_OR, yes, bad), "true");
	ck_assert_str_eq(op2(f, IR_IMPLIES, no, bad), "true");
	ck_assert_str_eq(op2(f, IR_COALESCE, yes, bad), "true");
	ck_assert_str_eq(fixture_show(f, ir_add(f->p, IR_IF, f->boolean, SPAN_NONE, yes, no, bad)),
			 "false");
	ck_assert_str_eq(fixture_codes(f), "");
	ck_assert_str_eq(op2(f, IR_AND, yes, bad), "?");
	ck_assert_str_eq(fixture_codes(f), "E2001");
	ck_assert_str_eq(op2(f, IR_COALESCE, ir_add_none(f->p, SPAN_NONE), no), "false");
	ck_assert_str_eq(op2(f, IR_NOT, no, 0), "true");
	fixture_release(f);
}
END_TEST

static ir_id within(struct fixture *f, ir_id x, ir_id tolerance, ir_id of)
{
	return ir_add(f->p, IR_WITHIN, f->boolean, SPAN_NONE, x, tolerance, of);
}

START_TEST(tolerance)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ir_id percent = ir_add_number(f->p, f->ratio, SPAN_NONE, num_ratio(&f->arena, 1, 100));
	ck_assert_str_eq(
		fixture_show(f, within(f, fixture_int(f, 101), percent, fixture_int(f, 100))),
		"true");
	ck_assert_str_eq(
		fixture_show(f, within(f, fixture_int(f, 102), percent, fixture_int(f, 100))),
		"false");
	ck_assert_str_eq(
		fixture_show(f, within(f, fixture_int(f, -99), percent, fixture_int(f, -100))),
		"true");
	ck_assert_str_eq(fixture_show(f, within(f, fixture_int(f, 102), fixture_int(f, 2),
						fixture_int(f, 100))),
			 "true");
	ck_assert_str_eq(
		fixture_show(f, within(f, fixture_real(f, 9801), percent, fixture_int(f, 100))),
		"true");
	fixture_release(f);
}
END_TEST

START_TEST(equality_of_measured_values)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ck_assert_str_eq(op2(f, IR_EQ, fixture_real(f, 4), fixture_int(f, 2)), "?");
	ck_assert_str_eq(fixture_codes(f), "E1109");
	ck_assert_str_eq(op2(f, IR_EQ, fixture_real(f, 4), fixture_int(f, 0)), "false");
	ck_assert_str_eq(op2(f, IR_NE, fixture_real(f, 0), fixture_int(f, 0)), "false");
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

START_TEST(lists)
{
	struct fixture g;
	struct fixture *f = start(&g);
	const struct type *t = type_list(f->p->types, f->integer);
	ir_id range = ir_add(f->p, IR_RANGE, t, SPAN_NONE, fixture_int(f, 1), fixture_int(f, 8),
			     fixture_int(f, 2));
	ck_assert_str_eq(fixture_show(f, range), "[1, 3, 5, 7]");
	ir_id local = ir_add(f->p, IR_LOCAL, f->integer, SPAN_NONE, 0, 0, 0);
	ir_id square = fixture_op(f, IR_MUL, f->integer, local, local);
	ir_id big = fixture_op(f, IR_GT, f->boolean, local, fixture_int(f, 2));
	ir_id squares = ir_add(f->p, IR_COMPREHEND, t, SPAN_NONE, range, square, big);
	ck_assert_str_eq(fixture_show(f, squares), "[9, 25, 49]");
	ck_assert_str_eq(op2(f, IR_INDEX, squares, fixture_int(f, 2)), "49");
	ck_assert(holds(f, IR_IN, fixture_int(f, 25), squares));
	ck_assert(!holds(f, IR_IN, fixture_int(f, 26), squares));
	ck_assert_str_eq(fixture_codes(f), "");
	ck_assert_str_eq(op2(f, IR_INDEX, squares, fixture_int(f, 3)), "?");
	ck_assert_str_eq(op2(f, IR_INDEX, squares, fixture_int(f, -1)), "?");
	ck_assert_str_eq(fixture_codes(f), "E2002 E2002");
	ir_id endless = ir_add(f->p, IR_RANGE, t, SPAN_NONE, fixture_int(f, 1),
			       fixture_int(f, INT64_MAX), IR_NO_NODE);
	ck_assert_str_eq(fixture_show(f, endless), "?");
	ir_id backwards = ir_add(f->p, IR_RANGE, t, SPAN_NONE, fixture_int(f, 1), fixture_int(f, 2),
				 fixture_int(f, -1));
	ck_assert_str_eq(fixture_show(f, backwards), "?");
	ck_assert_str_eq(fixture_codes(f), "E2003 E2005");
	ir_id empty = ir_add(f->p, IR_RANGE, t, SPAN_NONE, fixture_int(f, 2), fixture_int(f, 1),
			     IR_NO_NODE);
	ck_assert_str_eq(fixture_show(f, empty), "[]");
	fixture_release(f);
}
END_TEST

START_TEST(matching)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ir_id arms[] = { fixture_int(f, 1), fixture_text(f, "one"),
			 fixture_int(f, 2), fixture_text(f, "two"),
			 IR_NO_NODE,        fixture_text(f, "many") };
	ir_id two = fixture_int(f, 2);
	ir_id nine = fixture_int(f, 9);
	uint32_t first = ir_add_list(f->p, arms, NULL, 4);
	ck_assert_str_eq(
		fixture_show(f, ir_add(f->p, IR_MATCH, f->string, SPAN_NONE, two, first, 4)),
		"two");
	ck_assert_str_eq(
		fixture_show(f, ir_add(f->p, IR_MATCH, f->string, SPAN_NONE, nine, first, 4)), "?");
	ck_assert_str_eq(fixture_codes(f), "E2006");
	fixture_release(f);
}
END_TEST

START_TEST(templates)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ir_id capacity = ir_add_number(f->p, f->bytes, SPAN_NONE, num_int(81497158452));
	uint32_t fine = ir_add_constant(
		f->p, (struct ir_constant){ .kind = CONSTANT_STRING, .text = STR("GiB.2") });
	uint32_t wrong = ir_add_constant(
		f->p, (struct ir_constant){ .kind = CONSTANT_STRING, .text = STR("ms.2") });
	ir_id parts[] = { fixture_text(f, "peak "),
			  ir_add(f->p, IR_HOLE, f->string, SPAN_NONE, capacity, fine, 0) };
	ck_assert_str_eq(fixture_show(f, fixture_list(f, IR_TEMPLATE, f->string, parts, 2)),
			 "peak 75.90 GiB");
	parts[1] = ir_add(f->p, IR_HOLE, f->string, SPAN_NONE, capacity, wrong, 0);
	ck_assert_str_eq(fixture_codes(f), "");
	ck_assert_str_eq(fixture_show(f, fixture_list(f, IR_TEMPLATE, f->string, parts, 2)), "?");
	ck_assert_str_eq(fixture_codes(f), "E1110");
	fixture_release(f);
}
END_TEST

START_TEST(functions)
{
	struct fixture g;
	struct fixture *f = start(&g);
	/* fn f(a, b) = a - b: the last parameter is local 0 */
	ir_id body = fixture_op(f, IR_SUB, f->integer,
				ir_add(f->p, IR_LOCAL, f->integer, SPAN_NONE, 1, 0, 0),
				ir_add(f->p, IR_LOCAL, f->integer, SPAN_NONE, 0, 0, 0));
	struct ir_function *fn = VEC_ADD(&f->arena, &f->p->functions);
	fn->param_count = 2;
	fn->body = body;
	ir_id args[] = { fixture_int(f, 10), fixture_int(f, 3) };
	uint32_t first = ir_add_list(f->p, args, NULL, 2);
	ck_assert_str_eq(fixture_show(f, ir_add(f->p, IR_CALL, f->integer, SPAN_NONE, 0, first, 2)),
			 "7");
	fixture_release(f);
}
END_TEST

/* ---- records --------------------------------------------------------------------------------- */

/* schema s { gpus: int, tp: int = 1, dp: int = gpus div tp } */
struct strategy {
	uint32_t schema;
	const struct type *type;
};

static struct strategy make_strategy(struct fixture *f)
{
	uint32_t s = fixture_schema(f, "strategy", 3);
	fixture_field(f, s, 0, "gpus", f->integer, IR_NO_NODE);
	fixture_field(f, s, 1, "tp", f->integer, fixture_int(f, 1));
	ir_id gpus = ir_add(f->p, IR_SLOT, f->integer, SPAN_NONE, 0, 0, 0);
	ir_id tp = ir_add(f->p, IR_SLOT, f->integer, SPAN_NONE, 1, 0, 0);
	fixture_field(f, s, 2, "dp", f->integer, fixture_op(f, IR_INT_DIV, f->integer, gpus, tp));
	f->p->schemas.at[s].fields[2].final = true;
	return (struct strategy){ s, fixture_record_type(f, s) };
}

static uint32_t set_one(struct fixture *f, uint32_t schema, const char *name, uint32_t slot,
			ir_id value)
{
	struct ir_binding b = { .slot = slot, .kind = BIND_SET, .what = value };
	return fixture_layer(f, schema, name, &b, 1);
}

static const char *slot_of(struct fixture *f, uint32_t global, const char *field)
{
	struct value v = eval_global(&f->ev, global);
	ck_assert(v.kind == VALUE_RECORD);
	return fixture_print(f, record_get_named(&f->ev, v.record, field), f->integer);
}

START_TEST(fields_are_late_bound)
{
	struct fixture g;
	struct fixture *f = start(&g);
	struct strategy s = make_strategy(f);
	uint32_t base = fixture_instance(f, "base", s.schema, IR_NONE,
					 set_one(f, s.schema, "base", 0, fixture_int(f, 64)));
	uint32_t big = fixture_instance(f, "big", s.schema, base,
					set_one(f, s.schema, "big", 1, fixture_int(f, 8)));
	uint32_t bare = fixture_instance(f, "bare", s.schema, IR_NONE,
					 fixture_layer(f, s.schema, "bare", NULL, 0));
	fixture_start(f);
	ck_assert_str_eq(slot_of(f, base, "dp"), "64");
	ck_assert_str_eq(slot_of(f, big, "dp"), "8");
	ck_assert_str_eq(slot_of(f, big, "gpus"), "64");
	struct record *r = eval_global(&f->ev, big).record;
	ck_assert_uint_eq(r->global, big);
	ck_assert(record_is_set(&f->ev, r, 0) && record_is_set(&f->ev, r, 1) &&
		  !record_is_set(&f->ev, r, 2));
	ck_assert_str_eq(fixture_codes(f), "");
	ck_assert_str_eq(slot_of(f, bare, "dp"), "?");
	ck_assert_str_eq(fixture_message(f), "`bare` does not set `gpus`, which a `strategy` must");
	ck_assert_str_eq(slot_of(f, bare, "gpus"), "?");
	ck_assert_str_eq(fixture_codes(f), "E1205");
	fixture_release(f);
}
END_TEST

/* job { strategy: strategy, other: strategy? }: amending an inherited record keeps what it had, and an
 * absent one starts from the schema's defaults. */
START_TEST(nested_records_are_amended)
{
	struct fixture g;
	struct fixture *f = start(&g);
	struct strategy s = make_strategy(f);
	uint32_t job = fixture_schema(f, "job", 2);
	fixture_field(f, job, 0, "strategy", s.type, IR_NO_NODE);
	fixture_field(f, job, 1, "other", type_option(f->p->types, s.type),
		      ir_add_none(f->p, SPAN_NONE));
	ir_id literal = ir_add(f->p, IR_LAYER, s.type, SPAN_NONE, IR_NO_NODE,
			       set_one(f, s.schema, NULL, 0, fixture_int(f, 64)), 0);
	uint32_t parent =
		fixture_instance(f, "parent", job, IR_NONE, set_one(f, job, "parent", 0, literal));
	struct ir_binding amends[2] = {
		{ .slot = 0,
		  .kind = BIND_AMEND,
		  .what = set_one(f, s.schema, NULL, 1, fixture_int(f, 4)) },
		{ .slot = 1,
		  .kind = BIND_AMEND,
		  .what = set_one(f, s.schema, NULL, 0, fixture_int(f, 5)) },
	};
	uint32_t child = fixture_instance(f, "child", job, parent,
					  fixture_layer(f, job, "child", amends, 2));
	struct ir_binding again = { .slot = 0,
				    .kind = BIND_AMEND,
				    .what = set_one(f, s.schema, NULL, 0, fixture_int(f, 8)) };
	uint32_t grandchild = fixture_instance(f, "grandchild", job, child,
					       fixture_layer(f, job, "grandchild", &again, 1));
	fixture_start(f);
	static const struct {
		int which;
		const char *gpus, *tp, *dp;
	} rows[] = { { 0, "64", "1", "64" }, { 1, "64", "4", "16" }, { 2, "8", "4", "2" } };
	const uint32_t globals[] = { parent, child, grandchild };
	for (size_t i = 0; i < PLAN_COUNT(rows); i++) {
		struct record *r = eval_global(&f->ev, globals[rows[i].which]).record;
		struct record *inner = record_get(&f->ev, r, 0).record;
		ck_assert_str_eq(fixture_print(f, record_get(&f->ev, inner, 0), f->integer),
				 rows[i].gpus);
		ck_assert_str_eq(fixture_print(f, record_get(&f->ev, inner, 1), f->integer),
				 rows[i].tp);
		ck_assert_str_eq(fixture_print(f, record_get(&f->ev, inner, 2), f->integer),
				 rows[i].dp);
	}
	struct value other = record_get(&f->ev, eval_global(&f->ev, child).record, 1);
	ck_assert(other.kind == VALUE_RECORD);
	ck_assert_str_eq(fixture_print(f, record_get(&f->ev, other.record, 2), f->integer), "5");
	ck_assert(record_get(&f->ev, eval_global(&f->ev, parent).record, 1).kind == VALUE_NONE);
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

/* [{ gpus = i } for i in 1..3]: every record keeps the value of i it was made with. */
START_TEST(layers_keep_their_locals)
{
	struct fixture g;
	struct fixture *f = start(&g);
	struct strategy s = make_strategy(f);
	const struct type *t = type_list(f->p->types, s.type);
	ir_id range = ir_add(f->p, IR_RANGE, type_list(f->p->types, f->integer), SPAN_NONE,
			     fixture_int(f, 1), fixture_int(f, 3), IR_NO_NODE);
	ir_id local = ir_add(f->p, IR_LOCAL, f->integer, SPAN_NONE, 0, 0, 0);
	ir_id record = ir_add(f->p, IR_LAYER, s.type, SPAN_NONE, IR_NO_NODE,
			      set_one(f, s.schema, NULL, 0, local), 0);
	struct value v = fixture_eval(
		f, ir_add(f->p, IR_COMPREHEND, t, SPAN_NONE, range, record, IR_NO_NODE));
	ck_assert_uint_eq(v.list->n, 3);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_int_eq(record_get(&f->ev, v.list->at[i].record, 0).number.n, i + 1);
	ck_assert(eval_equal(&f->ev, v.list->at[0], v.list->at[0], s.type));
	ck_assert(!eval_equal(&f->ev, v.list->at[0], v.list->at[1], s.type));
	ir_id same = ir_add(f->p, IR_LAYER, s.type, SPAN_NONE, IR_NO_NODE,
			    set_one(f, s.schema, NULL, 0, fixture_int(f, 2)), 0);
	ck_assert(eval_equal(&f->ev, v.list->at[1], fixture_eval(f, same), s.type));
	fixture_release(f);
}
END_TEST

START_TEST(cycles_are_told)
{
	struct fixture g;
	struct fixture *f = start(&g);
	uint32_t s = fixture_schema(f, "ring", 4);
	for (uint32_t i = 0; i < 3; i++) {
		static const char *const names[] = { "a", "b", "c" };
		fixture_field(f, s, i, names[i], f->integer,
			      ir_add(f->p, IR_SLOT, f->integer, SPAN_NONE, (i + 1) % 3, 0, 0));
	}
	fixture_field(f, s, 3, "d", f->integer,
		      ir_add(f->p, IR_SLOT, f->integer, SPAN_NONE, 3, 0, 0));
	uint32_t ring =
		fixture_instance(f, "round", s, IR_NONE, fixture_layer(f, s, "round", NULL, 0));
	fixture_start(f);
	ck_assert_str_eq(slot_of(f, ring, "a"), "?");
	ck_assert_str_eq(fixture_message(f), "`round.a` needs its own value");
	struct diag *d = f->sink.diags.at[0];
	ck_assert_uint_eq(d->notes.n, 3);
	ck_assert_str_eq(d->notes.at[0].p, "`round.a` needs `round.b`");
	ck_assert_str_eq(d->notes.at[1].p, "`round.b` needs `round.c`");
	ck_assert_str_eq(d->notes.at[2].p, "`round.c` needs `round.a`");
	ck_assert_str_eq(slot_of(f, ring, "b"), "?");
	ck_assert_str_eq(slot_of(f, ring, "d"), "?");
	ck_assert_str_eq(fixture_message(f), "this field refers to itself");
	ck_assert_str_eq(fixture_codes(f), "E1204 E1204");
	fixture_release(f);
}
END_TEST

static bool native(struct eval *ev, struct record *r, uint32_t slot, struct value *result,
		   void *context)
{
	int *calls = context;
	++*calls;
	if (ev->without_model)
		return false;
	*result = value_int(record_get(ev, r, 0).number.n + (int64_t)slot);
	return true;
}

START_TEST(native_fields)
{
	struct fixture g;
	struct fixture *f = start(&g);
	struct strategy s = make_strategy(f);
	int calls = 0;
	f->p->schemas.at[s.schema].fields[2].native = true;
	f->p->schemas.at[s.schema].fields[2].value = IR_NO_NODE;
	uint32_t base = fixture_instance(f, "base", s.schema, IR_NONE,
					 set_one(f, s.schema, "base", 0, fixture_int(f, 64)));
	fixture_start(f);
	f->ev.native = native;
	f->ev.native_context = &calls;
	ck_assert_str_eq(slot_of(f, base, "dp"), "66");
	ck_assert_str_eq(slot_of(f, base, "dp"), "66");
	ck_assert_int_eq(calls, 1);
	fixture_start(f);
	f->ev.native = native;
	f->ev.native_context = &calls;
	f->ev.without_model = true;
	ck_assert_str_eq(slot_of(f, base, "dp"), "?");
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

START_TEST(tables_are_lists_of_records)
{
	struct fixture g;
	struct fixture *f = start(&g);
	uint32_t row = fixture_schema(f, "row", 2);
	fixture_field(f, row, 0, "size", f->integer, IR_NO_NODE);
	fixture_field(f, row, 1, "share", type_option(f->p->types, f->ratio), IR_NO_NODE);
	static struct ir_constant cells[4];
	cells[0] = (struct ir_constant){ .kind = CONSTANT_NUMBER, .number = num_int(8) };
	cells[2] = (struct ir_constant){ .kind = CONSTANT_NUMBER, .number = num_int(16) };
	cells[3] = (struct ir_constant){ .kind = CONSTANT_NUMBER,
					 .number = num_ratio(&f->arena, 1, 2) };
	*VEC_ADD(&f->arena, &f->p->tables) = (struct ir_table){ row, 2, cells };
	const struct type *record = fixture_record_type(f, row);
	const struct type *t =
		type_of(f->p->types, (struct type){ .kind = TYPE_TABLE, .of = record });
	*VEC_ADD(&f->arena, &f->p->globals) =
		(struct ir_global){ .kind = GLOBAL_TABLE,
				    .name = sym_of_z(f->names, "measured"),
				    .type = t,
				    .value = IR_NO_NODE,
				    .base = IR_NONE,
				    .span = SPAN_NONE };
	fixture_start(f);
	ir_id table = ir_add(f->p, IR_GLOBAL, t, SPAN_NONE, 0, 0, 0);
	ck_assert_str_eq(fixture_show(f, table), "table of 2 rows");
	ir_id second = fixture_op(f, IR_INDEX, record, table, fixture_int(f, 1));
	ck_assert_str_eq(
		fixture_show(f, ir_add(f->p, IR_FIELD, f->integer, SPAN_NONE, second, 0, 0)), "16");
	ir_id local = ir_add(f->p, IR_LOCAL, record, SPAN_NONE, 0, 0, 0);
	ir_id size = ir_add(f->p, IR_FIELD, f->integer, SPAN_NONE, local, 0, 0);
	ir_id sizes = ir_add(f->p, IR_COMPREHEND, type_list(f->p->types, f->integer), SPAN_NONE,
			     table, size, IR_NO_NODE);
	ck_assert_str_eq(fixture_show(f, sizes), "[8, 16]");
	ir_id first = fixture_op(f, IR_INDEX, record, table, fixture_int(f, 0));
	ck_assert_str_eq(fixture_show(f, ir_add(f->p, IR_FIELD, f->ratio, SPAN_NONE, first, 1, 0)),
			 "none");
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------- */

START_TEST(deep_nesting_is_refused)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ir_id x = fixture_int(f, 1);
	for (int i = 0; i < 100000; i++)
		x = fixture_op(f, IR_NEG, f->integer, x, 0);
	ck_assert_str_eq(fixture_show(f, x), "?");
	ck_assert_str_eq(fixture_codes(f), "E0103");
	ck_assert_str_eq(fixture_show(f, fixture_int(f, 1)), "1");
	fixture_release(f);
}
END_TEST

/* A chain of instances goes through records and globals as well. */
START_TEST(deep_chains_are_refused)
{
	struct fixture g;
	struct fixture *f = start(&g);
	struct strategy s = make_strategy(f);
	uint32_t last = IR_NONE;
	for (int i = 0; i < 5000; i++) {
		char name[16];
		snprintf(name, sizeof name, "s%d", i);
		last = fixture_instance(f, name, s.schema, last,
					set_one(f, s.schema, name, 0, fixture_int(f, i)));
	}
	fixture_start(f);
	ck_assert(eval_global(&f->ev, last).kind == VALUE_POISON);
	ck_assert_str_eq(fixture_codes(f), "E0103");
	fixture_release(f);
}
END_TEST

START_TEST(endless_work_is_refused)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ir_id x = fixture_int(f, 1);
	for (int i = 0; i < 60; i++)
		x = fixture_op(f, IR_AND, f->boolean, fixture_op(f, IR_EQ, f->boolean, x, x),
			       ir_add_bool(f->p, SPAN_NONE, true));
	ck_assert_str_eq(fixture_show(f, x), "?");
	ck_assert_str_eq(fixture_codes(f), "E2003");
	fixture_release(f);
}
END_TEST

UNIT_MAIN("eval", exact_arithmetic, measured_arithmetic, what_has_no_value, field_laws,
	  division_with_remainder, logic_is_lazy, tolerance, equality_of_measured_values, lists,
	  matching, templates, functions, fields_are_late_bound, nested_records_are_amended,
	  layers_keep_their_locals, cycles_are_told, native_fields, tables_are_lists_of_records,
	  deep_nesting_is_refused, deep_chains_are_refused, endless_work_is_refused)
