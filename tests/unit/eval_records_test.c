/* eval_records_test.c - the evaluator on records, tables and instances, and its limits. */
#include "tests/unit/eval_fixture.h"
#include "tests/unit/unit.h"

static struct fixture *start(struct fixture *f)
{
	fixture_init(f, "");
	return f;
}

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

UNIT_MAIN("eval_records", fields_are_late_bound, nested_records_are_amended,
	  layers_keep_their_locals, cycles_are_told, native_fields, tables_are_lists_of_records,
	  deep_nesting_is_refused, deep_chains_are_refused, endless_work_is_refused)
