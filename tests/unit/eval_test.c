/* eval_test.c - the evaluator on expressions: arithmetic, logic, lists, texts, functions. */
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

UNIT_MAIN("eval", exact_arithmetic, measured_arithmetic, what_has_no_value, field_laws,
	  division_with_remainder, logic_is_lazy, tolerance, equality_of_measured_values, lists,
	  matching, templates, functions)
