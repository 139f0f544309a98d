/* builtins_test.c - the built-in functions. */
#include "tests/unit/eval_fixture.h"
#include "tests/unit/unit.h"

static struct fixture *start(struct fixture *f)
{
	fixture_init(f, "");
	return f;
}

static const struct type *list_of(struct fixture *f, const struct type *t)
{
	return type_list(f->p->types, t);
}

static ir_id ints(struct fixture *f, const int64_t *at, uint32_t n)
{
	ir_id nodes[64];
	for (uint32_t i = 0; i < n; i++)
		nodes[i] = fixture_int(f, at[i]);
	return fixture_list(f, IR_LIST, list_of(f, f->integer), nodes, n);
}

static const char *call1(struct fixture *f, enum builtin b, const struct type *t, ir_id x)
{
	return fixture_show(f, fixture_call(f, b, t, &x, NULL, 1));
}

static const char *call2(struct fixture *f, enum builtin b, const struct type *t, ir_id x, ir_id y)
{
	ir_id at[2] = { x, y };
	return fixture_show(f, fixture_call(f, b, t, at, NULL, 2));
}

static const char *call3(struct fixture *f, enum builtin b, const struct type *t, ir_id x, ir_id y,
			 ir_id z)
{
	ir_id at[3] = { x, y, z };
	return fixture_show(f, fixture_call(f, b, t, at, NULL, 3));
}

START_TEST(extremes_and_sums)
{
	struct fixture g;
	struct fixture *f = start(&g);
	static const int64_t some[] = { 3, 1, 2 };
	ck_assert_str_eq(call1(f, BUILTIN_MIN, f->integer, ints(f, some, 3)), "1");
	ck_assert_str_eq(call1(f, BUILTIN_MAX, f->integer, ints(f, some, 3)), "3");
	ck_assert_str_eq(
		call2(f, BUILTIN_MAX, f->rational, fixture_ratio(f, 1, 3), fixture_int(f, 0)),
		"1/3");
	ck_assert_str_eq(call1(f, BUILTIN_SUM, f->integer, ints(f, some, 3)), "6");
	ck_assert_str_eq(call1(f, BUILTIN_SUM, f->integer, ints(f, NULL, 0)), "0");
	ck_assert_str_eq(call1(f, BUILTIN_LEN, f->integer, ints(f, some, 3)), "3");
	ck_assert_str_eq(call1(f, BUILTIN_LEN, f->integer, fixture_text(f, "Größe")), "5");
	ck_assert_str_eq(fixture_codes(f), "");
	ck_assert_str_eq(call1(f, BUILTIN_MAX, f->integer, ints(f, NULL, 0)), "?");
	ck_assert_str_eq(fixture_codes(f), "E2005");
	ir_id mixed[] = { fixture_ratio(f, 1, 2), fixture_real(f, 4) };
	ck_assert_str_eq(call1(f, BUILTIN_SUM, f->real,
			       fixture_list(f, IR_LIST, list_of(f, f->real), mixed, 2)),
			 "~2.5");
	fixture_release(f);
}
END_TEST

START_TEST(quantifiers)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ir_id both[] = { ir_add_bool(f->p, SPAN_NONE, true), ir_add_bool(f->p, SPAN_NONE, false) };
	const struct type *t = list_of(f, f->boolean);
	ck_assert_str_eq(call1(f, BUILTIN_ALL, f->boolean, fixture_list(f, IR_LIST, t, both, 2)),
			 "false");
	ck_assert_str_eq(call1(f, BUILTIN_ANY, f->boolean, fixture_list(f, IR_LIST, t, both, 2)),
			 "true");
	ck_assert_str_eq(call1(f, BUILTIN_ALL, f->boolean, fixture_list(f, IR_LIST, t, both, 0)),
			 "true");
	ck_assert_str_eq(call1(f, BUILTIN_ANY, f->boolean, fixture_list(f, IR_LIST, t, both, 0)),
			 "false");
	fixture_release(f);
}
END_TEST

START_TEST(rounding)
{
	struct fixture g;
	struct fixture *f = start(&g);
	static const struct {
		int64_t n, d;
		const char *floor, *ceil, *round;
	} rows[] = {
		{ 5, 2, "2", "3", "2" },     { 7, 2, "3", "4", "4" },   { -5, 2, "-3", "-2", "-2" },
		{ -7, 2, "-4", "-3", "-4" }, { 8, 3, "2", "3", "3" },   { 6, 1, "6", "6", "6" },
		{ 1, 2, "0", "1", "0" },     { -1, 2, "-1", "0", "0" },
	};
	for (size_t i = 0; i < PLAN_COUNT(rows); i++) {
		ir_id x = fixture_ratio(f, rows[i].n, rows[i].d);
		ck_assert_str_eq(call1(f, BUILTIN_FLOOR, f->integer, x), rows[i].floor);
		ck_assert_str_eq(call1(f, BUILTIN_CEIL, f->integer, x), rows[i].ceil);
		ck_assert_str_eq(call1(f, BUILTIN_ROUND, f->integer, x), rows[i].round);
	}
	ck_assert_str_eq(call1(f, BUILTIN_ABS, f->rational, fixture_ratio(f, -1, 3)), "1/3");
	ck_assert_str_eq(call1(f, BUILTIN_CEIL, f->integer, fixture_real(f, 2)), "2");
	ck_assert_str_eq(call1(f, BUILTIN_LOG2, f->real, fixture_int(f, 1024)), "~10");
	ck_assert_str_eq(call1(f, BUILTIN_EXP, f->real, fixture_int(f, 0)), "~1");
	ck_assert_str_eq(fixture_codes(f), "");
	ck_assert_str_eq(call1(f, BUILTIN_SQRT, f->real, fixture_int(f, -1)), "?");
	ck_assert_str_eq(call1(f, BUILTIN_LOG2, f->real, fixture_int(f, 0)), "?");
	ck_assert_str_eq(call1(f, BUILTIN_EXP, f->real, fixture_int(f, 100000)), "?");
	ck_assert_str_eq(fixture_codes(f), "E2005 E2005 E2003");
	fixture_release(f);
}
END_TEST

START_TEST(divisors)
{
	struct fixture g;
	struct fixture *f = start(&g);
	const struct type *t = list_of(f, f->integer);
	ck_assert_str_eq(call1(f, BUILTIN_DIVISORS, t, fixture_int(f, 12)), "[1, 2, 3, 4, 6, 12]");
	ck_assert_str_eq(call1(f, BUILTIN_DIVISORS, t, fixture_int(f, 1)), "[1]");
	ck_assert_str_eq(call1(f, BUILTIN_DIVISORS, t, fixture_int(f, 61)), "[1, 61]");
	ck_assert_str_eq(call1(f, BUILTIN_DIVISORS, t, fixture_int(f, 999999999989)),
			 "[1, 999999999989]");
	ir_id rich = fixture_int(f, 963761198400);
	ck_assert_uint_eq(
		fixture_eval(f, fixture_call(f, BUILTIN_DIVISORS, t, &rich, NULL, 1)).list->n,
		6720);
	ck_assert_str_eq(fixture_codes(f), "");
	ck_assert_str_eq(call1(f, BUILTIN_DIVISORS, t, fixture_int(f, 0)), "?");
	ck_assert_str_eq(call1(f, BUILTIN_DIVISORS, t, fixture_int(f, 1000000000001)), "?");
	ck_assert_str_eq(fixture_codes(f), "E2005 E2005");
	fixture_release(f);
}
END_TEST

/* Each divisor divides, they ascend, and the i-th times the i-th from the end is n. */
START_TEST(divisors_pair_up)
{
	struct fixture g;
	struct fixture *f = start(&g);
	for (int64_t n = 1; n <= 400; n++) {
		ir_id x = fixture_int(f, n);
		struct value v = fixture_eval(
			f, fixture_call(f, BUILTIN_DIVISORS, list_of(f, f->integer), &x, NULL, 1));
		for (uint32_t i = 0; i < v.list->n; i++) {
			int64_t d = v.list->at[i].number.n;
			ck_assert_int_eq(d * v.list->at[v.list->n - 1 - i].number.n, n);
			ck_assert(i == 0 || d > v.list->at[i - 1].number.n);
		}
	}
	fixture_release(f);
}
END_TEST

START_TEST(powers_and_unique)
{
	struct fixture g;
	struct fixture *f = start(&g);
	const struct type *t = list_of(f, f->integer);
	static const int64_t repeated[] = { 3, 1, 3, 2, 1 };
	ck_assert_str_eq(call3(f, BUILTIN_POWERS, t, fixture_int(f, 2), fixture_int(f, 1),
			       fixture_int(f, 8)),
			 "[1, 2, 4, 8]");
	ck_assert_str_eq(call3(f, BUILTIN_POWERS, t, fixture_int(f, 3), fixture_int(f, 4),
			       fixture_int(f, 100)),
			 "[9, 27, 81]");
	ck_assert_str_eq(call3(f, BUILTIN_POWERS, t, fixture_int(f, 2),
			       fixture_int(f, INT64_MAX / 2), fixture_int(f, INT64_MAX)),
			 "[4611686018427387904]");
	ck_assert_str_eq(call1(f, BUILTIN_UNIQUE, t, ints(f, repeated, 5)), "[3, 1, 2]");
	ck_assert_str_eq(fixture_codes(f), "");
	ck_assert_str_eq(call3(f, BUILTIN_POWERS, t, fixture_int(f, 1), fixture_int(f, 1),
			       fixture_int(f, 8)),
			 "?");
	ck_assert_str_eq(fixture_codes(f), "E2005");
	ir_id reals[] = { fixture_real(f, 4), fixture_real(f, 9), fixture_real(f, 4) };
	ir_id list = fixture_list(f, IR_LIST, list_of(f, f->real), reals, 3);
	ck_assert_str_eq(call1(f, BUILTIN_UNIQUE, list_of(f, f->real), list), "[~2, ~3]");
	fixture_release(f);
}
END_TEST

START_TEST(values_of_enums_and_presets)
{
	struct fixture g;
	struct fixture *f = start(&g);
	struct ir_enum *e = VEC_ADD(&f->arena, &f->p->enums);
	static const char *const names[] = { "off", "selective", "full" };
	e->name = sym_of_z(f->names, "granularity");
	e->values = ARENA_ARRAY(&f->arena, struct sym, 3);
	e->count = 3;
	for (int i = 0; i < 3; i++)
		e->values[i] = sym_of_z(f->names, names[i]);
	const struct type *t = type_of(f->p->types, (struct type){ .kind = TYPE_ENUM, .index = 0 });
	ck_assert_str_eq(
		fixture_show(f, fixture_call(f, BUILTIN_VALUES, list_of(f, t), NULL, NULL, 0)),
		"[off, selective, full]");
	uint32_t schema = fixture_schema(f, "recompute", 0);
	uint32_t layer = fixture_layer(f, schema, "off", NULL, 0);
	static uint32_t presets[2];
	presets[0] = fixture_instance(f, "off", schema, IR_NONE, layer);
	presets[1] = fixture_instance(f, "full", schema, IR_NONE, layer);
	f->p->schemas.at[schema].presets = presets;
	f->p->schemas.at[schema].preset_count = 2;
	fixture_start(f);
	const struct type *record = fixture_record_type(f, schema);
	ir_id all = fixture_call(f, BUILTIN_VALUES, list_of(f, record), NULL, NULL, 0);
	ck_assert_str_eq(fixture_show(f, all), "[off, full]");
	ir_id preset = ir_add(f->p, IR_GLOBAL, record, SPAN_NONE, presets[1], 0, 0);
	ck_assert_str_eq(call1(f, BUILTIN_NAME_OF, f->string, preset), "full");
	ir_id changed = ir_add(f->p, IR_LAYER, record, SPAN_NONE, preset,
			       fixture_layer(f, schema, NULL, NULL, 0), 0);
	ck_assert_str_eq(call1(f, BUILTIN_NAME_OF, f->string, changed), "");
	ck_assert_str_eq(fixture_show(f, changed), "off with {...}");
	fixture_release(f);
}
END_TEST

static bool at_least(struct fixture *f, const char *version, const char *wanted)
{
	ir_id at[2] = { fixture_text(f, version), fixture_text(f, wanted) };
	return fixture_eval(f, fixture_call(f, BUILTIN_AT_LEAST, f->boolean, at, NULL, 2)).truth;
}

START_TEST(versions)
{
	struct fixture g;
	struct fixture *f = start(&g);
	ck_assert(at_least(f, "0.14", "0.14"));
	ck_assert(at_least(f, "0.14.0", "0.14"));
	ck_assert(at_least(f, "0.14", "0.14.0"));
	ck_assert(!at_least(f, "0.9", "0.14"));
	ck_assert(at_least(f, "1", "0.14"));
	ck_assert(at_least(f, "0.14.1rc2", "0.14.1"));
	ck_assert(!at_least(f, "0.14rc2", "0.14.1"));
	ck_assert(at_least(f, "0.16.0", "0.9.99"));
	ck_assert(at_least(f, "2.8.0a0+34c6371d24.nv25.08", "2.8"));
	ck_assert(!at_least(f, "2.8.0a0+34c6371d24.nv25.08", "2.8.1"));
	ck_assert(at_least(f, "0.14.0.dev0", "0.14"));
	ck_assert_str_eq(fixture_codes(f), "");
	static const char *const wrong[] = { "", "x.y", "v0.14", "0.x", "0.", ".5", "0.14 ", "main" };
	for (size_t i = 0; i < PLAN_COUNT(wrong); i++) {
		(void)at_least(f, wrong[i], "0.1");
		ck_assert_str_eq(fixture_codes(f), "E2005");
		(void)at_least(f, "0.1", wrong[i]);
		ck_assert_str_eq(fixture_codes(f), "E2005");
	}
	ck_assert(at_least(f, "99999999999999999999999", "1"));
	fixture_release(f);
}
END_TEST

START_TEST(texts)
{
	struct fixture g;
	struct fixture *f = start(&g);
	static const int64_t some[] = { 1, 2 };
	ck_assert_str_eq(call1(f, BUILTIN_TEXT, f->string,
			       ir_add_number(f->p, f->bytes, SPAN_NONE, num_int(80LL << 30))),
			 "80 GiB");
	ck_assert_str_eq(call2(f, BUILTIN_JOIN, f->string, ints(f, some, 2), fixture_text(f, ", ")),
			 "1, 2");
	ck_assert_str_eq(call3(f, BUILTIN_REPLACE, f->string, fixture_text(f, "a-b-c"),
			       fixture_text(f, "-"), fixture_text(f, "__")),
			 "a__b__c");
	ck_assert_str_eq(call3(f, BUILTIN_REPLACE, f->string, fixture_text(f, "aaa"),
			       fixture_text(f, ""), fixture_text(f, "x")),
			 "aaa");
	ck_assert_str_eq(call3(f, BUILTIN_REPLACE, f->string, fixture_text(f, "aaa"),
			       fixture_text(f, "aa"), fixture_text(f, "b")),
			 "ba");
	fixture_release(f);
}
END_TEST

START_TEST(lines_of_artefacts)
{
	struct fixture g;
	struct fixture *f = start(&g);
	const struct type *t = type_simple(f->p->types, TYPE_ARG);
	ir_id named[] = { fixture_text(f, "--sp"), ir_add_bool(f->p, SPAN_NONE, false) };
	static const char *const names[] = { NULL, "when" };
	ir_id with_value[] = { fixture_text(f, "--tp"), fixture_int(f, 8) };
	ir_id absent[] = { fixture_text(f, "--x"), ir_add_none(f->p, SPAN_NONE) };
	struct value v = fixture_eval(f, fixture_call(f, BUILTIN_FLAG, t, named, names, 2));
	ck_assert(!v.arg->on && v.arg->value.kind == VALUE_NONE);
	v = fixture_eval(f, fixture_call(f, BUILTIN_FLAG, t, named, NULL, 1));
	ck_assert(v.arg->on && v.arg->value.kind == VALUE_NONE);
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_FLAG, t, with_value, NULL, 2)),
			 "--tp 8");
	v = fixture_eval(f, fixture_call(f, BUILTIN_FLAG, t, absent, NULL, 2));
	ck_assert(!v.arg->on);
	v = fixture_eval(f, fixture_call(f, BUILTIN_KEY, t, absent, NULL, 2));
	ck_assert(v.arg->on && v.arg->value.kind == VALUE_NONE);
	fixture_release(f);
}
END_TEST

START_TEST(layouts)
{
	struct fixture g;
	struct fixture *f = start(&g);
	const struct type *t = type_simple(f->p->types, TYPE_LAYOUT);
	static const int64_t two[] = { 2, 2 };
	static const int64_t negative[] = { 2, -2 };
	static const char *const loss[] = { "loss" };
	ir_id one = fixture_int(f, 1);
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_EVEN, t, NULL, NULL, 0)),
			 "even()");
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_BALANCED, t, &one, loss, 1)),
			 "balanced(loss = 1)");
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_ENDS, t, &one,
						      (const char *const[]){ "last" }, 1)),
			 "ends(last = 1)");
	ir_id list = ints(f, two, 2);
	ir_id text = fixture_text(f, "E tt | tt L");
	ir_id counts = fixture_call(f, BUILTIN_COUNTS, t, &list, NULL, 1);
	ir_id stages = fixture_call(f, BUILTIN_STAGES, t, &text, NULL, 1);
	ck_assert(fixture_eval(f, fixture_op(f, IR_EQ, f->boolean, counts, stages)).truth);
	ir_id member =
		ir_add(f->p, IR_LAYOUT_MEMBER, f->integer, SPAN_NONE, stages, LAYOUT_STAGES, 0);
	ck_assert_str_eq(fixture_show(f, member), "2");
	ck_assert_str_eq(fixture_codes(f), "");
	list = ints(f, negative, 2);
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_COUNTS, t, &list, NULL, 1)), "?");
	list = ints(f, negative, 0);
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_COUNTS, t, &list, NULL, 1)), "?");
	text = fixture_text(f, "E(t(t))L");
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_STAGES, t, &text, NULL, 1)), "?");
	ck_assert_str_eq(fixture_message(f), "groups do not nest");
	ck_assert_str_eq(fixture_codes(f), "E2005 E2005 E2007");
	fixture_release(f);
}
END_TEST

START_TEST(blocks)
{
	struct fixture g;
	struct fixture *f = start(&g);
	const struct type *t = list_of(f, f->integer);
	ir_id at[] = { fixture_text(f, "(S f)*2 A"), fixture_int(f, 1), fixture_int(f, 2),
		       fixture_int(f, 3) };
	static const char *const names[] = { NULL, "S", "f", "A" };
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_BLOCKS, t, at, names, 4)),
			 "[1, 2, 1, 2, 3]");
	ck_assert_str_eq(fixture_codes(f), "");
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_BLOCKS, t, at, names, 3)), "?");
	ck_assert_str_eq(fixture_message(f), "a letter that stands for no block");
	at[0] = fixture_text(f, "S|f");
	ck_assert_str_eq(fixture_show(f, fixture_call(f, BUILTIN_BLOCKS, t, at, names, 4)), "?");
	ck_assert_str_eq(fixture_codes(f), "E2007 E2007");
	fixture_release(f);
}
END_TEST

static struct value flops(struct eval *ev, const struct flops_question *q, void *context)
{
	(void)ev, (void)context;
	return value_int(q->profile == NULL ? q->sequence * 6 : 0);
}

START_TEST(model_and_cluster)
{
	struct fixture g;
	struct fixture *f = start(&g);
	uint32_t level = fixture_schema(f, "level", 2);
	fixture_field(f, level, 0, "name", f->string, IR_NO_NODE);
	fixture_field(f, level, 1, "size", f->integer, IR_NO_NODE);
	const struct type *record = fixture_record_type(f, level);
	ir_id levels[2];
	static const int64_t sizes[] = { 8, 64 };
	static const char *const level_names[] = { "node", "cluster" };
	for (int i = 0; i < 2; i++) {
		struct ir_binding b[2] = { { .slot = 0, .what = fixture_text(f, level_names[i]) },
					   { .slot = 1, .what = fixture_int(f, sizes[i]) } };
		levels[i] = ir_add(f->p, IR_LAYER, record, SPAN_NONE, IR_NO_NODE,
				   fixture_layer(f, level, NULL, b, 2), 0);
	}
	uint32_t cluster = fixture_schema(f, "cluster", 1);
	fixture_field(f, cluster, 0, "levels", list_of(f, record),
		      fixture_list(f, IR_LIST, list_of(f, record), levels, 2));
	uint32_t pod = fixture_instance(f, "pod", cluster, IR_NONE,
					fixture_layer(f, cluster, "pod", NULL, 0));
	fixture_start(f);
	ir_id at[2] = { ir_add(f->p, IR_GLOBAL, fixture_record_type(f, cluster), SPAN_NONE, pod, 0,
			       0),
			fixture_int(f, 8) };
	ck_assert_str_eq(
		fixture_show(f, fixture_call(f, BUILTIN_SPAN_LEVEL, f->string, at, NULL, 2)),
		"node");
	at[1] = fixture_int(f, 9);
	ck_assert_str_eq(
		fixture_show(f, fixture_call(f, BUILTIN_SPAN_LEVEL, f->string, at, NULL, 2)),
		"cluster");
	ck_assert_str_eq(fixture_codes(f), "");
	at[1] = fixture_int(f, 65);
	ck_assert_str_eq(
		fixture_show(f, fixture_call(f, BUILTIN_SPAN_LEVEL, f->string, at, NULL, 2)), "?");
	ck_assert_str_eq(fixture_codes(f), "E2005");
	static const char *const names[] = { NULL, "sequence" };
	ir_id per_token = fixture_call(f, BUILTIN_FLOPS_PER_TOKEN, f->integer, at, names, 2);
	ck_assert_str_eq(fixture_show(f, per_token), "?");
	f->ev.model_flops = flops;
	ck_assert_str_eq(fixture_show(f, per_token), "390");
	ck_assert_str_eq(fixture_codes(f), "");
	fixture_release(f);
}
END_TEST

UNIT_MAIN("builtins", extremes_and_sums, quantifiers, rounding, divisors, divisors_pair_up,
	  powers_and_unique, values_of_enums_and_presets, versions, texts, lines_of_artefacts,
	  layouts, blocks, model_and_cluster)
