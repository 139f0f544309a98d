/* print.c - values as a person reads them, and with a format of the language. */
#include "runtime/value/layout.h"
#include "runtime/value/quantity_int.h"

/* Elements of a list that a display shows before it says how many are left out. */
enum { LIST_SHOWN_MAX = 1000 };

static const struct type *plain_type(const struct type *t)
{
	while (t && t->kind == TYPE_OPTION)
		t = t->of;
	return t;
}

static bool is_number_type(const struct type *t)
{
	return t && t->kind == TYPE_NUMBER;
}

static struct num exact_of(struct arena *a, struct value v)
{
	return v.kind == VALUE_NUMBER ? v.number : num_from_double(a, v.real);
}

/* A plain fraction. Short decimals are read fastest, then mixed fractions with a small denominator;
 * what is neither is rounded and says so. */
static void print_rational(struct out *o, struct num x)
{
	if (num_is_int(x)) {
		num_print(o, x);
		return;
	}
	bool small = !x.big && x.d <= 1000;
	if (num_has_decimals(o->arena, x, 3) || (!small && num_has_decimals(o->arena, x, 12))) {
		num_print_decimal(o, x);
	} else if (small) {
		num_print_mixed(o, x);
	} else {
		out_char(o, '~');
		print_significant(o, x, 6);
	}
}

static void print_percent(struct out *o, struct num x)
{
	struct num hundredfold = num_times(o->arena, x, 100, 1);
	if (num_has_decimals(o->arena, hundredfold, 2))
		num_print_decimal(o, hundredfold);
	else
		print_significant(o, hundredfold, 3);
	out_char(o, '%');
}

/* A dimension without units of its own: the number and its base unit, "0.25 B/FLOP". */
static void print_bare(struct out *o, struct num x, struct dimension d)
{
	print_significant(o, x, 6);
	out_char(o, ' ');
	print_base_unit(o, d);
}

static void print_number(struct out *o, struct value v, const struct type *t)
{
	struct num x = exact_of(o->arena, v);
	bool exact = v.kind == VALUE_NUMBER;
	if (is_number_type(t) && !dim_is_one(t->dim)) {
		const struct display_scale *s = display_scale_find(t->dim);
		if (s)
			display_number(o, s, x, exact);
		else
			print_bare(o, x, t->dim);
	} else if (is_number_type(t) && t->percent) {
		print_percent(o, x);
	} else if (exact) {
		print_rational(o, x);
	} else {
		out_char(o, '~');
		print_significant(o, x, 6);
	}
}

static void print_enum(struct out *o, const struct ir_program *p, uint32_t ordinal,
		       const struct type *t)
{
	if (t && t->kind == TYPE_ENUM && t->index < p->enums.n &&
	    ordinal < p->enums.at[t->index].count)
		out_str(o, sym_str(p->names, p->enums.at[t->index].values[ordinal]));
	else
		out_printf(o, "%u", ordinal);
}

/* `base`, `base with {...}` for a change of a named one, else `strategy {...}`. */
static void print_record(struct out *o, const struct ir_program *p, const struct record *r)
{
	if (r->global != IR_NONE) {
		out_str(o, sym_str(p->names, p->globals.at[r->global].name));
		return;
	}
	for (const struct link_layer *l = r->layers; l; l = l->older) {
		struct sym name = p->layers.at[l->layer].name;
		if (!name.id)
			continue;
		out_str(o, sym_str(p->names, name));
		out_text(o, " with {...}");
		return;
	}
	out_str(o, sym_str(p->names, p->schemas.at[r->schema].name));
	out_text(o, " {...}");
}

typedef void element_printer(struct out *o, const struct ir_program *p, struct value v,
			     const struct type *t);

static void print_list(struct out *o, const struct ir_program *p, const struct list *l,
		       const struct type *t, element_printer *print, uint32_t shown_max)
{
	bool tuple = t && t->kind == TYPE_TUPLE;
	uint32_t shown = l->n > shown_max ? shown_max : l->n;
	out_char(o, tuple ? '(' : '[');
	for (uint32_t i = 0; i < shown; i++) {
		const struct type *of = !t             ? NULL
					: !tuple       ? t->of
					: i < t->count ? t->items[i]
						       : NULL;
		if (i > 0)
			out_text(o, ", ");
		print(o, p, l->at[i], of);
	}
	if (shown < l->n)
		out_printf(o, ", ... %u more", l->n - shown);
	out_char(o, tuple ? ')' : ']');
}

static void print_arg(struct out *o, const struct ir_program *p, const struct arg *arg)
{
	out_str(o, arg->name);
	if (arg->value.kind == VALUE_NONE)
		return;
	out_char(o, ' ');
	value_print(o, p, arg->value, arg->type);
}

void value_print(struct out *o, const struct ir_program *p, struct value v, const struct type *t)
{
	t = plain_type(t);
	switch (v.kind) {
	case VALUE_POISON:
		out_char(o, '?');
		break;
	case VALUE_NONE:
		out_text(o, "none");
		break;
	case VALUE_BOOL:
		out_text(o, v.truth ? "true" : "false");
		break;
	case VALUE_NUMBER:
	case VALUE_REAL:
		print_number(o, v, t);
		break;
	case VALUE_STRING:
		out_str(o, v.text);
		break;
	case VALUE_ENUM:
		print_enum(o, p, v.ordinal, t);
		break;
	case VALUE_RECORD:
		print_record(o, p, v.record);
		break;
	case VALUE_LIST:
		print_list(o, p, v.list, t, value_print, LIST_SHOWN_MAX);
		break;
	case VALUE_TABLE:
		out_printf(o, "table of %u row%s", v.table->row_count,
			   v.table->row_count == 1 ? "" : "s");
		break;
	case VALUE_LAYOUT:
		out_str(o, v.layout->text);
		break;
	case VALUE_ARG:
		print_arg(o, p, v.arg);
		break;
	}
}

/* ---- formats --------------------------------------------------------------------------------- */

struct format {
	struct str unit; /* "GiB", "%", "" */
	int decimals;    /* -1: as many as say something */
};

enum { FORMAT_DECIMALS_MAX = 20 };

static bool format_parse(struct str text, struct format *f)
{
	uint32_t dot = 0;
	while (dot < text.n && text.p[dot] != '.')
		dot++;
	*f = (struct format){ str_slice(text, 0, dot), -1 };
	if (dot == text.n)
		return true;
	if (dot + 1 == text.n || text.n - dot > 3)
		return false;
	f->decimals = 0;
	for (uint32_t i = dot + 1; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			return false;
		f->decimals = f->decimals * 10 + (text.p[i] - '0');
	}
	return f->decimals <= FORMAT_DECIMALS_MAX;
}

static void print_decimals(struct out *o, struct num x, int decimals)
{
	if (decimals >= 0)
		num_print_fixed(o, x, decimals);
	else if (num_has_decimals(o->arena, x, 3))
		num_print_decimal(o, x);
	else
		print_significant(o, x, 4);
}

/* ".1" on a quantity: its own display unit, with that many digits. */
static void print_display_decimals(struct out *o, struct num x, const struct type *t, int decimals)
{
	const struct display_scale *s = display_scale_find(t->dim);
	struct num size = num_sign(x) < 0 ? num_neg(o->arena, x) : x;
	uint32_t u = s ? s->base : 0;
	if (!s) {
		num_print_fixed(o, x, decimals);
		out_char(o, ' ');
		print_base_unit(o, t->dim);
		return;
	}
	for (uint32_t i = 0; i < s->n && num_sign(x) != 0; i++) {
		if (i == 0 ||
		    num_compare(size, num_ratio(o->arena, s->at[i].num, s->at[i].den)) >= 0)
			u = i;
	}
	num_print_fixed(o, num_times(o->arena, x, s->at[u].den, s->at[u].num), decimals);
	out_printf(o, "%s%s", s->at[u].name[0] == '/' ? "" : " ", s->at[u].name);
}

static bool print_in_unit(struct out *o, struct num x, const struct type *t, const struct format *f)
{
	struct dimension dim;
	struct num factor;
	struct num shown;
	bool percent = false;
	if (!unit_find(o->arena, f->unit, &dim, &factor, &percent) || !dim_equal(dim, t->dim) ||
	    num_div(o->arena, x, factor, &shown) != NUM_OK)
		return false;
	print_decimals(o, shown, f->decimals);
	if (!percent)
		out_char(o, ' ');
	out_str(o, f->unit);
	return true;
}

bool value_print_format(struct out *o, const struct ir_program *p, struct value v,
			const struct type *t, struct str format)
{
	struct format f;
	t = plain_type(t);
	if (format.n == 0 || v.kind == VALUE_NONE || v.kind == VALUE_POISON) {
		value_print(o, p, v, t);
		return true;
	}
	if ((v.kind != VALUE_NUMBER && v.kind != VALUE_REAL) || !is_number_type(t) ||
	    !format_parse(format, &f))
		return false;
	struct num x = exact_of(o->arena, v);
	if (f.unit.n > 0)
		return print_in_unit(o, x, t, &f);
	if (dim_is_one(t->dim))
		num_print_fixed(o, x, f.decimals);
	else
		print_display_decimals(o, x, t, f.decimals);
	return true;
}
