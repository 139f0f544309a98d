/* text.c - templates: strings with holes. */
#include "runtime/eval/eval_int.h"

static void bad_format(struct eval *ev, const struct ir_node *n, struct value v, struct str format)
{
	struct diag *d = fail_at(ev, E1110, n->span);
	struct str text = value_text(ev, v, node_at(ev, n->a)->type);
	diag_message(d, "the format `%.*s` does not fit %.*s", (int)format.n, format.p, (int)text.n,
		     text.p);
	diag_help(d, "a format is a unit of the value, digits behind the point, or both: "
		     "`GiB.1`, `%%.0`, `.3`");
	diag_submit(d);
}

/* One hole; false for poison. */
static bool print_hole(struct eval *ev, struct out *o, const struct ir_node *n, struct scope scope)
{
	struct value v = eval_node(ev, n->a, scope);
	if (v.kind == VALUE_POISON)
		return false;
	struct str format = { "", 0 };
	if (n->b < ev->program->constants.n &&
	    ev->program->constants.at[n->b].kind == CONSTANT_STRING)
		format = ev->program->constants.at[n->b].text;
	if (value_print_format(o, ev->program, v, node_at(ev, n->a)->type, format))
		return true;
	bad_format(ev, n, v, format);
	return false;
}

static bool print_part(struct eval *ev, struct out *o, ir_id part, struct scope scope)
{
	const struct ir_node *n = node_at(ev, part);
	if (n->op == IR_HOLE)
		return print_hole(ev, o, n, scope);
	struct value v = eval_node(ev, part, scope);
	if (v.kind == VALUE_POISON)
		return false;
	value_print(o, ev->program, v, n->type);
	return true;
}

struct value eval_template(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct out o;
	out_init(&o, ev->arena);
	if (n->op == IR_HOLE)
		return print_hole(ev, &o, n, scope) ? value_string(out_view(&o)) : value_poison();
	for (uint32_t i = 0; i < n->b; i++) {
		if (!print_part(ev, &o, list_item(ev, n->a, i), scope))
			return value_poison();
		if (o.n <= EVAL_TEXT_MAX)
			continue;
		struct diag *d = fail_at(ev, E2003, n->span);
		diag_message(d, "this text grows beyond a million bytes");
		diag_submit(d);
		return value_poison();
	}
	return value_string(str_copy(ev->arena, out_view(&o)));
}
