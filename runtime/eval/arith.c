/* arith.c - arithmetic: exact as long as both sides are, binary64 otherwise. */
#include <math.h>

#include "runtime/eval/eval_int.h"

static struct value too_large(struct eval *ev, ir_id id, struct scope scope)
{
	struct diag *d = fail_node(ev, E2003, id, scope, true);
	struct str text = node_text(ev, id);
	diag_message(d, "`%.*s` is beyond the largest number planc computes with", (int)text.n,
		     text.p);
	diag_submit(d);
	return value_poison();
}

/* The divisor is named with its text, and pointed at where the user wrote it. */
static struct value divide_by_zero(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct span divisor = node_at(ev, n->op == IR_POW ? n->a : n->b)->span;
	struct diag *d = fail_node(ev, E2001, id, scope, false);
	struct str text = span_text(ev, divisor);
	if (n->op == IR_POW)
		diag_message(d, "0 to a negative power");
	else if (text.n == 0 || str_is(text, "0"))
		diag_message(d, "division by zero");
	else
		diag_message(d, "division by zero: `%.*s` is 0", (int)text.n, text.p);
	if (span_is_known(ev, divisor) && !span_is_library(ev, divisor))
		diag_label(d, divisor, "0");
	diag_submit(d);
	return value_poison();
}

static struct value no_real_value(struct eval *ev, ir_id id, struct scope scope)
{
	struct diag *d = fail_node(ev, E2005, id, scope, true);
	struct str text = node_text(ev, id);
	diag_message(d, "`%.*s` has no real value", (int)text.n, text.p);
	diag_submit(d);
	return value_poison();
}

struct value arith_apply(struct eval *ev, ir_id id, struct value a, struct value b,
			 struct scope scope)
{
	invariant(value_is_number(a) && value_is_number(b), "arithmetic on something else");
	struct value result = value_poison();
	switch (value_arith(ev->arena, node_at(ev, id)->op, a, b, &result)) {
	case ARITH_OK:
		return result;
	case ARITH_DIVIDE_BY_ZERO:
		return divide_by_zero(ev, id, scope);
	case ARITH_NOT_REAL:
		return no_real_value(ev, id, scope);
	case ARITH_TOO_LARGE:
		break;
	}
	return too_large(ev, id, scope);
}

/* Where lists grow beyond what a computed list may hold, as ranges do. */
static struct value join_lists(struct eval *ev, ir_id id, const struct list *a, const struct list *b,
			       struct scope scope)
{
	if ((size_t)a->n + b->n > EVAL_LIST_MAX) {
		struct diag *d = fail_node(ev, E2003, id, scope, false);
		diag_message(d, "these lists have more than a million elements together");
		diag_submit(d);
		return value_poison();
	}
	struct value *at = ARENA_ARRAY(ev->arena, struct value, (size_t)a->n + b->n);
	for (uint32_t i = 0; i < a->n; i++)
		at[i] = a->at[i];
	for (uint32_t i = 0; i < b->n; i++)
		at[a->n + i] = b->at[i];
	return list_value(ev, at, a->n + b->n);
}

struct value eval_arith(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value a = eval_node(ev, n->a, scope);
	if (!fail_unless_present(ev, a, n->a))
		return value_poison();
	struct value b = eval_node(ev, n->b, scope);
	if (!fail_unless_present(ev, b, n->b))
		return value_poison();
	if (a.kind == VALUE_LIST)
		return join_lists(ev, id, a.list, b.list, scope);
	return arith_apply(ev, id, a, b, scope);
}

struct value eval_negate(struct eval *ev, ir_id id, struct scope scope)
{
	ir_id operand = node_at(ev, id)->a;
	struct value v = eval_node(ev, operand, scope);
	if (!fail_unless_present(ev, v, operand))
		return value_poison();
	invariant(value_is_number(v), "the negative of something else");
	return v.kind == VALUE_REAL ? value_real(-v.real)
				    : value_number(num_neg(ev->arena, v.number));
}

/* ---- integers -------------------------------------------------------------------------------- */

/* The field or name whose definition the node is; empty inside a larger expression. */
static struct str defined_name(const struct eval *ev, ir_id id)
{
	const struct active *a = ev->active;
	if (!a || a->node != id)
		return (struct str){ "", 0 };
	if (!a->record)
		return sym_str(ev->program->names, ev->program->globals.at[a->what].name);
	return sym_str(ev->program->names,
		       ev->program->schemas.at[a->record->schema].fields[a->what].name);
}

static bool mentions_layers(struct str s)
{
	static const char word[] = "layer";
	for (uint32_t i = 0; i + sizeof(word) - 1 <= s.n; i++) {
		if (memcmp(s.p + i, word, sizeof(word) - 1) == 0)
			return true;
	}
	return false;
}

/* The divisors of n on both sides of d. */
static void help_divisors(struct eval *ev, struct diag *d, int64_t n, int64_t wanted)
{
	uint32_t count;
	const struct num *all = divisors_of(ev, n, &count);
	int64_t below = 1;
	int64_t above = n;
	for (uint32_t i = 0; i < count; i++) {
		if (all[i].n < wanted)
			below = all[i].n;
	}
	for (uint32_t i = count; i-- > 0;) {
		if (all[i].n > wanted)
			above = all[i].n;
	}
	if (count == 2)
		diag_help(d, "%lld is prime: only 1 and %lld divide it", (long long)n,
			  (long long)n);
	else if (wanted > n)
		diag_help(d, "the divisors of %lld end at %lld", (long long)n, (long long)n);
	else
		diag_help(d, "the nearest divisors of %lld are %lld and %lld", (long long)n,
			  (long long)below, (long long)above);
}

/* For a quotient of two ints, what could be written in place of the divisor. */
static void help_not_an_integer(struct eval *ev, struct diag *d, ir_id quotient, struct str name,
				struct scope scope)
{
	const struct ir_node *n = node_at(ev, quotient);
	int64_t top;
	int64_t bottom;
	if (n->op != IR_DIV)
		return;
	struct value a = eval_node(ev, n->a, scope);
	struct value b = eval_node(ev, n->b, scope);
	if (a.kind != VALUE_NUMBER || b.kind != VALUE_NUMBER || !num_fits_int64(a.number, &top) ||
	    !num_fits_int64(b.number, &bottom) || top < 2 || top > divisors_max || bottom < 2)
		return;
	help_divisors(ev, d, top, bottom);
	if (mentions_layers(name) || mentions_layers(node_text(ev, n->a)))
		diag_help(d,
			  "or let the layout spread the rest: `layout = balanced()`, or list the "
			  "stages by hand with `layout = stages(\"...\")`");
}

static struct value not_an_integer(struct eval *ev, ir_id id, struct value v, struct scope scope)
{
	ir_id operand = node_at(ev, id)->a;
	struct str name = defined_name(ev, id);
	struct str text = node_text(ev, operand);
	struct diag *d = fail_at(ev, E2004, node_at(ev, id)->span);
	struct out o;
	out_init(&o, ev->arena);
	if (v.kind == VALUE_NUMBER)
		num_print_mixed(&o, v.number);
	else
		value_print(&o, ev->program, v, NULL);
	if (text.n > 0)
		diag_message(d, "`%.*s` is %.*s, but %s%.*s%s", (int)text.n, text.p, (int)o.n, o.p,
			     name.n ? "`" : "an int belongs here", (int)name.n, name.p,
			     name.n ? "` is an int" : "");
	else
		diag_message(d, "this is %.*s, but an int belongs here", (int)o.n, o.p);
	draw_node(ev, d, operand, scope);
	help_not_an_integer(ev, d, operand, name, scope);
	diag_submit(d);
	return value_poison();
}

struct value eval_to_int(struct eval *ev, ir_id id, struct scope scope)
{
	ir_id operand = node_at(ev, id)->a;
	struct value v = eval_node(ev, operand, scope);
	if (v.kind == VALUE_POISON || v.kind == VALUE_NONE)
		return v;
	if (v.kind == VALUE_REAL && v.real == floor(v.real))
		return value_number(num_from_double(ev->arena, v.real));
	invariant(value_is_number(v), "an int from something else");
	if (v.kind == VALUE_NUMBER && num_is_int(v.number))
		return v;
	return not_an_integer(ev, id, v, scope);
}

static const struct type *enum_type(const struct type *t)
{
	while (t->kind == TYPE_OPTION)
		t = t->of;
	return t;
}

struct value eval_to_enum(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value v = eval_node(ev, n->a, scope);
	if (v.kind == VALUE_POISON || v.kind == VALUE_NONE || v.kind == VALUE_ENUM)
		return v;
	const struct ir_enum *e = &ev->program->enums.at[enum_type(n->type)->index];
	int64_t ordinal;
	if (v.kind == VALUE_NUMBER && num_fits_int64(v.number, &ordinal) && ordinal >= 0 &&
	    ordinal < e->count)
		return value_enum((uint32_t)ordinal);
	struct str name = sym_str(ev->program->names, e->name);
	struct str text = value_text(ev, v, NULL);
	struct diag *d = fail_node(ev, E2005, id, scope, false);
	diag_message(d, "`%.*s` has no value %.*s", (int)name.n, name.p, (int)text.n, text.p);
	diag_help(d, "its numbers go from 0 to %u", e->count - 1);
	diag_submit(d);
	return value_poison();
}
