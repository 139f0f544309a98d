/* compare.c - equality, order, membership and tolerance. */
#include <math.h>

#include "runtime/eval/eval_int.h"

static const struct type *element_type(const struct type *t)
{
	while (t && t->kind == TYPE_OPTION)
		t = t->of;
	return t ? t->of : NULL;
}

static bool sequences_equal(struct eval *ev, struct value a, struct value b, const struct type *t)
{
	uint32_t n = sequence_count(a);
	if (n != sequence_count(b))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (!eval_equal(ev, sequence_get(ev, a, i), sequence_get(ev, b, i),
				element_type(t)))
			return false;
	}
	return true;
}

/* Field by field. Native fields follow from the others and would need the cost model. */
static bool records_equal(struct eval *ev, struct record *a, struct record *b)
{
	if (a == b)
		return true;
	if (a->schema != b->schema || ev->depth >= EVAL_DEPTH_MAX)
		return false;
	const struct ir_schema *s = &ev->program->schemas.at[a->schema];
	bool same = true;
	ev->depth++;
	for (uint32_t i = 0; i < s->field_count && same; i++) {
		if (s->fields[i].native)
			continue;
		struct value x = record_get(ev, a, i);
		struct value y = record_get(ev, b, i);
		same = eval_equal(ev, x, y, s->fields[i].type);
	}
	ev->depth--;
	return same;
}

/* Equality of two values of type t, through lists and records. */
bool eval_equal(struct eval *ev, struct value a, struct value b, const struct type *t)
{
	if (a.kind == VALUE_RECORD && b.kind == VALUE_RECORD)
		return records_equal(ev, a.record, b.record);
	bool lists = (a.kind == VALUE_LIST || a.kind == VALUE_TABLE) &&
		     (b.kind == VALUE_LIST || b.kind == VALUE_TABLE);
	if (lists)
		return sequences_equal(ev, a, b, t);
	return value_equal(a, b);
}

static bool is_exact_zero(struct value v)
{
	return v.kind == VALUE_NUMBER && num_sign(v.number) == 0;
}

/* Measured values are equal by chance only; comparing with 0 asks whether there is any. */
static bool refuse_real_equality(struct eval *ev, ir_id id, struct value a, struct value b,
				 struct scope scope)
{
	bool real = a.kind == VALUE_REAL || b.kind == VALUE_REAL;
	if (!real || !value_is_number(a) || !value_is_number(b) || is_exact_zero(a) ||
	    is_exact_zero(b))
		return false;
	const struct ir_node *n = node_at(ev, id);
	struct diag *d = fail_node(ev, E1109, id, scope, true);
	struct str x = node_text(ev, n->a);
	struct str y = node_text(ev, n->b);
	diag_message(d, "`%s` on measured values: they are equal by chance only",
		     n->op == IR_NE ? "!=" : "==");
	if (x.n > 0 && y.n > 0)
		diag_help(d, "write `%.*s within 0.1%% of %.*s`", (int)x.n, x.p, (int)y.n, y.p);
	diag_submit(d);
	return true;
}

static struct value equality(struct eval *ev, ir_id id, struct value a, struct value b,
			     struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	if (refuse_real_equality(ev, id, a, b, scope))
		return value_poison();
	bool same = eval_equal(ev, a, b, node_at(ev, n->a)->type);
	return value_bool(n->op == IR_EQ ? same : !same);
}

static int order_of(struct value a, struct value b)
{
	if (value_is_number(a) && value_is_number(b))
		return value_compare_numbers(a, b);
	invariant(a.kind == b.kind && (a.kind == VALUE_ENUM || a.kind == VALUE_STRING),
		  "an order of values that have none");
	if (a.kind == VALUE_STRING)
		return str_compare(a.text, b.text);
	return (a.ordinal > b.ordinal) - (a.ordinal < b.ordinal);
}

struct value eval_compare(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value a = eval_node(ev, n->a, scope);
	if (a.kind == VALUE_POISON)
		return a;
	struct value b = eval_node(ev, n->b, scope);
	if (b.kind == VALUE_POISON)
		return b;
	if (n->op == IR_EQ || n->op == IR_NE)
		return equality(ev, id, a, b, scope);
	if (!fail_unless_present(ev, a, n->a) || !fail_unless_present(ev, b, n->b))
		return value_poison();
	int order = order_of(a, b);
	if (n->op == IR_LT)
		return value_bool(order < 0);
	if (n->op == IR_LE)
		return value_bool(order <= 0);
	return value_bool(n->op == IR_GT ? order > 0 : order >= 0);
}

/* ---- within ---------------------------------------------------------------------------------- */

static const struct type *number_type(const struct type *t)
{
	while (t && t->kind == TYPE_OPTION)
		t = t->of;
	return t && t->kind == TYPE_NUMBER ? t : NULL;
}

/* A ratio, or a plain number beside a quantity, is a share of the reference. */
static bool is_relative(const struct type *tolerance, const struct type *of)
{
	const struct type *t = number_type(tolerance);
	const struct type *reference = number_type(of);
	if (!t || !dim_is_one(t->dim))
		return false;
	return t->percent || (reference && !dim_is_one(reference->dim));
}

static bool exact_within(struct eval *ev, struct num x, struct num tolerance, struct num of,
			 bool relative)
{
	struct num difference;
	struct num bound = tolerance;
	if (num_sub(ev->arena, x, of, &difference) != NUM_OK)
		return false;
	if (num_sign(difference) < 0)
		difference = num_neg(ev->arena, difference);
	if (relative && num_mul(ev->arena, tolerance, of, &bound) != NUM_OK)
		return false;
	if (relative && num_sign(of) < 0)
		bound = num_neg(ev->arena, bound);
	return num_compare(difference, bound) <= 0;
}

struct value eval_within(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	const ir_id operands[3] = { n->a, n->b, n->c };
	struct value v[3];
	for (int i = 0; i < 3; i++) {
		v[i] = eval_node(ev, operands[i], scope);
		if (!fail_unless_present(ev, v[i], operands[i]))
			return value_poison();
		invariant(value_is_number(v[i]), "a tolerance between things that are no numbers");
	}
	bool relative = is_relative(node_at(ev, n->b)->type, node_at(ev, n->c)->type);
	if (v[0].kind == VALUE_NUMBER && v[1].kind == VALUE_NUMBER && v[2].kind == VALUE_NUMBER)
		return value_bool(
			exact_within(ev, v[0].number, v[1].number, v[2].number, relative));
	double of = value_to_double(v[2]);
	double bound = value_to_double(v[1]) * (relative ? fabs(of) : 1.0);
	return value_bool(fabs(value_to_double(v[0]) - of) <= bound);
}

/* ---- in -------------------------------------------------------------------------------------- */

struct value eval_in(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value x = eval_node(ev, n->a, scope);
	if (x.kind == VALUE_POISON)
		return x;
	struct value all = eval_node(ev, n->b, scope);
	if (!fail_unless_present(ev, all, n->b))
		return value_poison();
	uint32_t count = sequence_count(all);
	if (is_map(ev, n->b))
		return value_bool(pairs_find(ev, all, x, node_at(ev, n->a)->type) != count);
	for (uint32_t i = 0; i < count; i++) {
		if (eval_equal(ev, x, sequence_get(ev, all, i), node_at(ev, n->a)->type))
			return value_bool(true);
	}
	return value_bool(false);
}
