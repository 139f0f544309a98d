/* template.c - texts with holes, and whether a format fits what is printed. */
#include "compiler/check/check_int.h"

static bool printable(const struct type *t)
{
	switch (t->kind) {
	case TYPE_POISON:
	case TYPE_ANY:
	case TYPE_NONE:
	case TYPE_BOOL:
	case TYPE_STRING:
	case TYPE_NUMBER:
	case TYPE_ENUM:
	case TYPE_RECORD:
	case TYPE_LAYOUT:
		return true;
	case TYPE_LIST:
	case TYPE_OPTION:
	case TYPE_MAP:
		return printable(t->of);
	case TYPE_TUPLE:
		for (uint32_t i = 0; i < t->count; i++)
			if (!printable(t->items[i]))
				return false;
		return true;
	case TYPE_TABLE:
	case TYPE_ARG:
		break;
	}
	return false;
}

/* "GiB.1" is the unit "GiB" and one decimal. False when behind the dot is no short number. */
static bool split_format(struct str format, struct str *unit)
{
	uint32_t dot = format.n;

	for (uint32_t i = 0; i < format.n && dot == format.n; i++)
		if (format.p[i] == '.')
			dot = i;
	*unit = str_slice(format, 0, dot);
	if (dot == format.n)
		return format.n > 0;
	if (format.n - dot - 1 < 1 || format.n - dot - 1 > 2)
		return false;
	for (uint32_t i = dot + 1; i < format.n; i++)
		if (format.p[i] < '0' || format.p[i] > '9')
			return false;
	return true;
}

/* What is wrong with a format for a value of type t; NULL when nothing is. */
static const char *format_problem(struct check *c, struct str format, const struct type *t)
{
	struct dimension dim;
	struct num factor;
	struct str unit;
	bool percent;
	struct out o;

	out_init(&o, c->arena);
	if (t->kind != TYPE_NUMBER)
		out_printf(&o, "only numbers take a format, this is %s", type_phrase(c, t));
	else if (!split_format(format, &unit))
		out_printf(&o, "a format is a unit and a number of decimals: `GiB.1`, `.3`");
	else if (unit.n > 0 && !unit_find(c->arena, unit, &dim, &factor, &percent))
		out_printf(&o, "`%.*s` is not a unit", (int)unit.n, unit.p);
	else if (unit.n > 0 && !dim_equal(dim, t->dim))
		out_printf(&o, "this is %s, which `%.*s` does not measure", type_phrase(c, t),
			   (int)unit.n, unit.p);
	return o.n > 0 ? str_copy(c->arena, out_view(&o)).p : NULL;
}

static struct span format_span(const struct ast *hole)
{
	uint32_t n = hole->hole.format.n + 1;
	struct span at = hole->span;

	if (at.hi - at.lo > n + 1)
		at.lo = at.hi - n;
	if (at.hi > at.lo + 1)
		at.hi--;
	return at;
}

static ir_id lower_hole(struct check *c, const struct env *e, struct ast *x)
{
	ir_id value = infer(c, e, x->hole.value, NULL);
	const struct type *t = ir_type(c->p, value);
	const char *problem = NULL;
	struct ir_constant format = { .kind = CONSTANT_STRING, .text = x->hole.format };

	if (is_poison(t))
		return value;
	if (!printable(t)) {
		diag_report(c->sink, E1101, x->hole.value->span, "%s cannot be written into a text",
			    type_phrase(c, t));
		return ir_add_poison(c->p, x->span);
	}
	if (x->hole.format.n > 0)
		problem = format_problem(c, x->hole.format, strip_option(t));
	if (problem) {
		diag_report(c->sink, E1110, format_span(x), "format `%.*s` does not fit: %s",
			    (int)x->hole.format.n, x->hole.format.p, problem);
		return ir_add_poison(c->p, x->span);
	}
	return ir_add(c->p, IR_HOLE, c->t.string, x->span, value, ir_add_constant(c->p, format), 0);
}

ir_id lower_template(struct check *c, const struct env *e, struct ast *x)
{
	uint32_t n = x->template.parts.n, *items = ARENA_ARRAY(c->arena, uint32_t, n + 1);

	for (uint32_t i = 0; i < n; i++) {
		struct ast *part = x->template.parts.at[i];

		items[i] = part->kind == AST_HOLE ? lower_hole(c, e, part)
						  : infer(c, e, part, c->t.string);
		if (is_poison(ir_type(c->p, items[i])))
			return ir_add_poison(c->p, x->span);
	}
	return ir_add(c->p, IR_TEMPLATE, c->t.string, x->span, ir_add_list(c->p, items, NULL, n), n, 0);
}
