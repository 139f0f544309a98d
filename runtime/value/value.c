/* value.c - comparing values. Printing is in print.c, layouts are in layout.c. */
#include "runtime/value/value.h"

#include "runtime/value/layout.h"

/* A number as binary64: exact ones correctly rounded. Anything else is 0. */
struct value value_of_constant(const struct ir_constant *c)
{
	switch (c->kind) {
	case CONSTANT_NONE:
		return value_none();
	case CONSTANT_BOOL:
		return value_bool(c->truth);
	case CONSTANT_NUMBER:
		return value_number(c->number);
	case CONSTANT_STRING:
		return value_string(c->text);
	case CONSTANT_ENUM:
		return value_enum(c->ordinal);
	}
	return value_poison();
}

double value_to_double(struct value v)
{
	if (v.kind == VALUE_NUMBER)
		return num_to_double(v.number);
	return v.kind == VALUE_REAL ? v.real : 0.0;
}

/* -1, 0 or 1. Two exact numbers compare exactly; as soon as one was measured, both are binary64. */
int value_compare_numbers(struct value a, struct value b)
{
	if (a.kind == VALUE_NUMBER && b.kind == VALUE_NUMBER)
		return num_compare(a.number, b.number);
	double x = value_to_double(a);
	double y = value_to_double(b);
	return (x > y) - (x < y);
}

static bool list_equal(const struct list *a, const struct list *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		if (!value_equal(a->at[i], b->at[i]))
			return false;
	}
	return true;
}

static bool arg_equal(const struct arg *a, const struct arg *b)
{
	return str_equal(a->name, b->name) && a->on == b->on && value_equal(a->value, b->value);
}

/* Equality of two values of one type. Records are the same only when they are one object: whoever
 * wants their fields compared asks eval_equal, which can compute them. */
bool value_equal(struct value a, struct value b)
{
	bool numbers = (a.kind == VALUE_NUMBER || a.kind == VALUE_REAL) &&
		       (b.kind == VALUE_NUMBER || b.kind == VALUE_REAL);
	if (numbers)
		return value_compare_numbers(a, b) == 0;
	if (a.kind != b.kind)
		return false;
	switch (a.kind) {
	case VALUE_POISON:
	case VALUE_NONE:
	case VALUE_NUMBER:
	case VALUE_REAL:
		return true;
	case VALUE_BOOL:
		return a.truth == b.truth;
	case VALUE_STRING:
		return str_equal(a.text, b.text);
	case VALUE_ENUM:
		return a.ordinal == b.ordinal;
	case VALUE_RECORD:
		return a.record == b.record;
	case VALUE_LIST:
		return list_equal(a.list, b.list);
	case VALUE_TABLE:
		return a.table == b.table;
	case VALUE_LAYOUT:
		return layout_equal(a.layout, b.layout);
	case VALUE_ARG:
		return arg_equal(a.arg, b.arg);
	}
	return false;
}
