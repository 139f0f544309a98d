/* source_text.c - values as language source that reads back to the same value.
 *
 * Used where the program writes plans: importers, `planc set`, a chosen candidate as a record.
 */
#include "runtime/value/layout.h"
#include "runtime/value/quantity_int.h"

static const struct type *plain_type(const struct type *t)
{
	while (t && t->kind == TYPE_OPTION)
		t = t->of;
	return t;
}

/* The shortest decimal that reads back to the same double. The scanner knows `1e30`, not `1e+30`. */
static struct num decimal_of(struct arena *a, double x)
{
	struct out o;
	struct out clean;
	struct num n;
	out_init(&o, a);
	out_init(&clean, a);
	out_real(&o, x < 0 ? -x : x);
	for (size_t i = 0; i < o.n; i++) {
		if (o.p[i] != '+')
			out_char(&clean, o.p[i]);
	}
	if (!num_parse(a, out_view(&clean), &n))
		return num_from_double(a, x);
	return x < 0 ? num_neg(a, n) : n;
}

/* A number without a unit, as one operand of a product. */
static void print_factor(struct out *o, struct num x)
{
	if (num_is_int(x) || num_has_decimals(o->arena, x, 400)) {
		num_print_decimal(o, x);
		return;
	}
	out_char(o, '(');
	num_print(o, x);
	out_char(o, ')');
}

/* No unit says this dimension: multiply it together, "3 * 1 B / 1 FLOP". */
static void print_product(struct out *o, struct num x, struct dimension d)
{
	static const char *const names[] = { "B", "FLOP", "USD", "J", "s" };
	const int powers[] = { d.info, d.work, d.money, d.energy, d.time };
	print_factor(o, x);
	for (size_t i = 0; i < PLAN_COUNT(names); i++) {
		for (int k = 0; k < powers[i]; k++)
			out_printf(o, " * 1 %s", names[i]);
	}
	for (size_t i = 0; i < PLAN_COUNT(names); i++) {
		for (int k = powers[i]; k < 0; k++)
			out_printf(o, " / 1 %s", names[i]);
	}
}

/* The largest unit in which x is a short decimal; else any unit in which it is a decimal at all. */
static const struct display_unit *unit_for(struct arena *a, const struct display_scale *s,
					   struct num x)
{
	const struct display_unit *long_one = NULL;
	struct num size = num_sign(x) < 0 ? num_neg(a, x) : x;
	if (num_sign(x) == 0)
		return &s->at[s->base];
	for (uint32_t i = s->n; i-- > 0;) {
		struct num shown = num_times(a, x, s->at[i].den, s->at[i].num);
		bool whole = num_compare(size, num_ratio(a, s->at[i].num, s->at[i].den)) >= 0;
		if ((whole || i == 0) && num_has_decimals(a, shown, 3))
			return &s->at[i];
		if ((!long_one || i >= s->base) && num_has_decimals(a, shown, 400))
			long_one = &s->at[i];
	}
	return long_one;
}

static void print_quantity(struct out *o, struct num x, struct dimension d)
{
	const struct display_scale *s = display_scale_find(d);
	const struct display_unit *u = NULL;
	if (s && s->at[0].name[0] != '/')
		u = unit_for(o->arena, s, x);
	if (u) {
		num_print_decimal(o, num_times(o->arena, x, u->den, u->num));
		out_printf(o, " %s", u->name);
	} else {
		print_product(o, x, d);
	}
}

static void print_number(struct out *o, struct value v, const struct type *t)
{
	struct num x = v.kind == VALUE_NUMBER ? v.number : decimal_of(o->arena, v.real);
	bool typed = t && t->kind == TYPE_NUMBER;
	if (typed && !dim_is_one(t->dim)) {
		print_quantity(o, x, t->dim);
		return;
	}
	struct num hundredfold = num_times(o->arena, x, 100, 1);
	if (typed && t->percent && num_has_decimals(o->arena, hundredfold, 6)) {
		num_print_decimal(o, hundredfold);
		out_char(o, '%');
	} else if (num_has_decimals(o->arena, x, 400)) {
		num_print_decimal(o, x);
	} else {
		num_print(o, x);
	}
}

static void print_string(struct out *o, struct str s)
{
	out_char(o, '"');
	for (uint32_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (c == '\n')
			out_text(o, "\\n");
		else if (c == '\t')
			out_text(o, "\\t");
		else if (strchr("\"\\{}", c) && c)
			out_printf(o, "\\%c", c);
		else
			out_char(o, c);
	}
	out_char(o, '"');
}

static void print_elements(struct out *o, const struct ir_program *p, const struct list *l,
			   const struct type *t)
{
	bool tuple = t && t->kind == TYPE_TUPLE;
	out_char(o, tuple ? '(' : '[');
	for (uint32_t i = 0; i < l->n; i++) {
		const struct type *of = !t             ? NULL
					: !tuple       ? t->of
					: i < t->count ? t->items[i]
						       : NULL;
		if (i > 0)
			out_text(o, ", ");
		value_print_source(o, p, l->at[i], of);
	}
	out_char(o, tuple ? ')' : ']');
}

/* Records print as the name they were declared under. A changed one prints the slots that were
 * already computed; its other slots have the schema's defaults or depend on them. */
static void print_record(struct out *o, const struct ir_program *p, const struct record *r)
{
	const struct ir_schema *s = &p->schemas.at[r->schema];
	const char *separator = "";
	if (r->global != IR_NONE) {
		out_str(o, sym_str(p->names, p->globals.at[r->global].name));
		return;
	}
	out_text(o, "{ ");
	for (uint32_t i = 0; i < s->field_count; i++) {
		if (r->states[i] != SLOT_DONE || s->fields[i].final || s->fields[i].native)
			continue;
		out_printf(o, "%s%s = ", separator, sym_str(p->names, s->fields[i].name).p);
		value_print_source(o, p, r->slots[i], s->fields[i].type);
		separator = ", ";
	}
	out_text(o, " }");
}

void value_print_source(struct out *o, const struct ir_program *p, struct value v,
			const struct type *t)
{
	t = plain_type(t);
	switch (v.kind) {
	case VALUE_NUMBER:
	case VALUE_REAL:
		print_number(o, v, t);
		break;
	case VALUE_STRING:
		print_string(o, v.text);
		break;
	case VALUE_LIST:
		print_elements(o, p, v.list, t);
		break;
	case VALUE_LAYOUT:
		layout_print_source(o, v.layout);
		break;
	case VALUE_RECORD:
		print_record(o, p, v.record);
		break;
	case VALUE_POISON:
	case VALUE_NONE:
	case VALUE_BOOL:
	case VALUE_ENUM:
	case VALUE_TABLE:
	case VALUE_ARG:
		value_print(o, p, v, t);
		break;
	}
}
