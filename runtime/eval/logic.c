/* logic.c - conditions and choices: what is not needed is not evaluated. */
#include "runtime/eval/eval_int.h"

/* The second operand, which decides. */
static struct value decide(struct eval *ev, ir_id node, struct scope scope)
{
	struct value v = eval_node(ev, node, scope);
	if (!fail_unless_present(ev, v, node))
		return value_poison();
	invariant(v.kind == VALUE_BOOL, "a condition that is no bool");
	return v;
}

struct value eval_logic(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value a = decide(ev, n->a, scope);
	if (a.kind == VALUE_POISON)
		return a;
	if (n->op == IR_NOT)
		return value_bool(!a.truth);
	if (n->op == IR_AND)
		return a.truth ? decide(ev, n->b, scope) : a;
	if (n->op == IR_OR)
		return a.truth ? a : decide(ev, n->b, scope);
	return a.truth ? decide(ev, n->b, scope) : value_bool(true);
}

struct value eval_if(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value c = decide(ev, n->a, scope);
	if (c.kind == VALUE_POISON)
		return c;
	return eval_node(ev, c.truth ? n->b : n->c, scope);
}

static struct value no_arm(struct eval *ev, ir_id id, struct value v, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct str text = value_text(ev, v, node_at(ev, n->a)->type);
	const char *quote = v.kind == VALUE_STRING ? "\"" : "";
	struct diag *d = fail_node(ev, E2006, id, scope, false);
	diag_message(d, "no arm of this `match` is for %s%.*s%s", quote, (int)text.n, text.p, quote);
	if (span_is_known(ev, node_at(ev, n->a)->span) &&
	    !span_is_library(ev, node_at(ev, n->a)->span))
		diag_label(d, node_at(ev, n->a)->span, "%s%.*s%s", quote, (int)text.n, text.p, quote);
	diag_help(d, "add an arm `%s%.*s%s -> ...`", quote, (int)text.n, text.p, quote);
	diag_submit(d);
	return value_poison();
}

/* Arms are tried in order; a pattern that is IR_NO_NODE takes everything. */
struct value eval_match(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value v = eval_node(ev, n->a, scope);
	if (v.kind == VALUE_POISON)
		return v;
	for (uint32_t i = 0; i + 1 < n->c; i += 2) {
		ir_id pattern = list_item(ev, n->b, i);
		if (pattern == IR_NO_NODE)
			return eval_node(ev, list_item(ev, n->b, i + 1), scope);
		struct value p = eval_node(ev, pattern, scope);
		if (p.kind == VALUE_POISON)
			return p;
		if (eval_equal(ev, v, p, node_at(ev, n->a)->type))
			return eval_node(ev, list_item(ev, n->b, i + 1), scope);
	}
	return no_arm(ev, id, v, scope);
}

struct value eval_coalesce(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value v = eval_node(ev, n->a, scope);
	return v.kind == VALUE_NONE ? eval_node(ev, n->b, scope) : v;
}
