/* ir_test.c - building and folding of nodes, and the faults that ir_verify finds. */
#include "compiler/ir/build.h"
#include "tests/unit/unit.h"

struct fixture {
	struct arena arena;
	struct sources sources;
	struct ir_program *p;
	const struct type *integer, *rational, *boolean, *bytes;
};

static void start(struct fixture *f)
{
	struct dimension one = { 0, 0, 0, 0, 0 }, info = { 1, 0, 0, 0, 0 };

	arena_init(&f->arena, NULL);
	sources_init(&f->sources, &f->arena);
	f->p = ir_program_make(&f->arena, interner_make(&f->arena), &f->sources);
	f->integer = type_number(f->p->types, one, EXACT_INT);
	f->rational = type_number(f->p->types, one, EXACT_RATIONAL);
	f->bytes = type_number(f->p->types, info, EXACT_RATIONAL);
	f->boolean = type_simple(f->p->types, TYPE_BOOL);
}

static ir_id number(struct fixture *f, int64_t n)
{
	return ir_add_number(f->p, f->integer, SPAN_NONE, num_int(n));
}

static const char *folded(struct fixture *f, enum ir_op op, const struct type *type, ir_id x, ir_id y)
{
	ir_id node = ir_fold(f->p, op, type, SPAN_NONE, x, y);
	struct out o;

	if (node == IR_NO_NODE)
		return "not folded";
	out_init(&o, &f->arena);
	num_print(&o, ir_constant_of(f->p, node)->number);
	return str_copy(&f->arena, out_view(&o)).p;
}

START_TEST(constants_fold_exactly)
{
	struct fixture f;
	ir_id seven, two, zero, half;

	start(&f);
	seven = number(&f, 7);
	two = number(&f, 2);
	zero = number(&f, 0);
	half = ir_add_number(f.p, f.rational, SPAN_NONE, num_ratio(&f.arena, 1, 2));
	ck_assert_str_eq(folded(&f, IR_ADD, f.integer, seven, two), "9");
	ck_assert_str_eq(folded(&f, IR_DIV, f.rational, seven, two), "7/2");
	ck_assert_str_eq(folded(&f, IR_INT_DIV, f.integer, seven, two), "3");
	ck_assert_str_eq(folded(&f, IR_MOD, f.integer, seven, two), "1");
	ck_assert_str_eq(folded(&f, IR_POW, f.integer, two, seven), "128");
	ck_assert_str_eq(folded(&f, IR_NEG, f.integer, two, two), "-2");
	ck_assert_str_eq(folded(&f, IR_TO_INT, f.integer, two, two), "2");
	/* What fails is left for the evaluator, with its values. */
	ck_assert_str_eq(folded(&f, IR_DIV, f.rational, seven, zero), "not folded");
	ck_assert_str_eq(folded(&f, IR_MOD, f.integer, seven, zero), "not folded");
	ck_assert_str_eq(folded(&f, IR_TO_INT, f.integer, half, half), "not folded");
	ck_assert_str_eq(folded(&f, IR_EQ, f.boolean, seven, seven), "not folded");
	arena_release(&f.arena);
}
END_TEST

START_TEST(what_reads_its_record)
{
	struct fixture f;
	ir_id slot, two, sum, list;
	uint32_t items[2];

	start(&f);
	slot = ir_add(f.p, IR_SLOT, f.integer, SPAN_NONE, 0, 0, 0);
	two = number(&f, 2);
	sum = ir_add(f.p, IR_ADD, f.integer, SPAN_NONE, two, slot, 0);
	items[0] = two;
	items[1] = sum;
	list = ir_add(f.p, IR_LIST, type_list(f.p->types, f.integer), SPAN_NONE,
		      ir_add_list(f.p, items, NULL, 2), 2, 0);
	ck_assert(ir_reads_self(f.p, slot) && ir_reads_self(f.p, sum) && ir_reads_self(f.p, list));
	ck_assert(!ir_reads_self(f.p, two));
	arena_release(&f.arena);
}
END_TEST

/* ---- faults ---------------------------------------------------------------------------------- */

static const char *fault(struct fixture *f)
{
	const char *what;
	uint32_t where;

	return ir_verify(f->p, &what, &where) ? "" : what;
}

static struct ir_global *global_of(struct fixture *f, ir_id value)
{
	struct ir_global *g = VEC_ADD(&f->arena, &f->p->globals);

	*g = (struct ir_global){ .kind = GLOBAL_LET, .type = f->integer, .value = value,
				 .table = IR_NONE, .base = IR_NONE };
	return g;
}

START_TEST(a_sound_program_passes)
{
	struct fixture f;
	struct ir_field field = { .type = NULL, .value = IR_NO_NODE };
	struct ir_binding binding = { .slot = 0, .kind = BIND_SET };
	struct ir_layer layer = { .schema = 0, .binding_count = 1 };
	const struct type *record;

	start(&f);
	ck_assert_str_eq(fault(&f), "");
	field.type = f.integer;
	*VEC_ADD(&f.arena, &f.p->schemas) =
		(struct ir_schema){ .base = IR_NONE, .fields = &field, .field_count = 1 };
	record = type_of(f.p->types, (struct type){ .kind = TYPE_RECORD, .index = 0 });
	binding.what = number(&f, 3);
	layer.bindings = &binding;
	*VEC_ADD(&f.arena, &f.p->layers) = layer;
	global_of(&f, ir_add(f.p, IR_LAYER, record, SPAN_NONE, IR_NO_NODE, 0, 0));
	ck_assert_str_eq(fault(&f), "");
	/* The same field, read where there is no record, and one the schema does not have. */
	binding.what = ir_add(f.p, IR_SLOT, f.integer, SPAN_NONE, 5, 0, 0);
	ck_assert_str_eq(fault(&f), "a field is read that the record does not have");
	binding.what = number(&f, 3);
	binding.slot = 9;
	ck_assert_str_eq(fault(&f), "a layer sets a slot that its schema does not have");
	binding.slot = 0;
	global_of(&f, ir_add(f.p, IR_SLOT, f.integer, SPAN_NONE, 0, 0, 0));
	ck_assert_str_eq(fault(&f), "a field is read where there is no record");
	arena_release(&f.arena);
}
END_TEST

static ir_id bad_node(struct fixture *f, int which)
{
	ir_id two = number(f, 2);

	switch (which) {
	case 0:
		return ir_add(f->p, IR_ADD, f->integer, SPAN_NONE, two, two, 0);
	case 1:
		return ir_add(f->p, IR_GLOBAL, f->integer, SPAN_NONE, 77, 0, 0);
	case 2:
		return ir_add(f->p, IR_LOCAL, f->integer, SPAN_NONE, 0, 0, 0);
	case 3:
		return ir_add(f->p, IR_NOT, f->boolean, SPAN_NONE, two, 0, 0);
	case 4:
		return ir_add(f->p, IR_CONST, f->integer, SPAN_NONE, 77, 0, 0);
	case 5:
		return ir_add_enum(f->p, f->integer, SPAN_NONE, 0);
	case 6:
		return ir_add(f->p, IR_FIELD, f->integer, SPAN_NONE, two, 0, 0);
	default:
		return ir_add(f->p, IR_NEG, NULL, SPAN_NONE, two, 0, 0);
	}
}

START_TEST(faults_are_found)
{
	static const char *const what[] = {
		"an operand is missing, or made after its node", "there is no such global",
		"a local name is read where it is not bound",    "a condition is no bool",
		"there is no such constant",                     "an enum value is outside its enum",
		"a field is taken of something that is no record", "a node has no operation or no type",
	};

	for (int i = 0; i < (int)PLAN_COUNT(what); i++) {
		struct fixture f;
		ir_id node;

		start(&f);
		node = bad_node(&f, i);
		if (i == 0)
			f.p->nodes.at[node].b = node;
		global_of(&f, node);
		ck_assert_str_eq(fault(&f), what[i]);
		arena_release(&f.arena);
	}
}
END_TEST

START_TEST(operations_describe_themselves)
{
	ck_assert_str_eq(ir_op_name(IR_COMPREHEND), "comprehend");
	ck_assert_str_eq(ir_op_operands(IR_CALL), "fl");
	ck_assert_str_eq(builtin_name(BUILTIN_NAME_OF), "name");
	ck_assert_uint_eq(builtin_info(BUILTIN_MIN)->most, 255);
	for (int i = 0; i < LAYOUT_MEMBER_COUNT; i++)
		ck_assert_ptr_nonnull(layout_member_names[i]);
}
END_TEST

UNIT_MAIN("ir", constants_fold_exactly, what_reads_its_record, a_sound_program_passes, faults_are_found,
	  operations_describe_themselves)
