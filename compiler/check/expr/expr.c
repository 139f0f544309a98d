/* expr.c - one expression to one node: literals, and the way to the files for the other kinds. */
#include "compiler/check/check_int.h"

static ir_id lower_number(struct check *c, struct ast *x)
{
	struct num n;

	if (!num_parse(c->arena, x->number.text, &n)) {
		diag_report(c->sink, E0005, x->span, "this number has more digits than planc takes");
		return ir_add_poison(c->p, x->span);
	}
	return ir_add_number(c->p, num_is_int(n) ? c->t.integer : c->t.rational, x->span, n);
}

static ir_id lower_quantity(struct check *c, struct ast *x)
{
	struct dimension dim;
	struct num n, factor;
	bool percent;
	const struct type *type;

	/* An unknown unit has been reported by the scanner. */
	if (!unit_find(c->arena, x->quantity.unit, &dim, &factor, &percent))
		return ir_add_poison(c->p, x->span);
	if (!num_parse(c->arena, x->quantity.number, &n) ||
	    num_mul(c->arena, n, factor, &n) != NUM_OK) {
		diag_report(c->sink, E0005, x->span, "this number has more digits than planc takes");
		return ir_add_poison(c->p, x->span);
	}
	type = type_number(c->p->types, dim, num_is_int(n) ? EXACT_INT : EXACT_RATIONAL);
	return ir_add_number(c->p, percent ? c->t.ratio : type, x->span, n);
}

ir_id lower_condition(struct check *c, const struct env *e, struct ast *x, const char *what)
{
	struct goal goal = { .what = what, .declared = SPAN_NONE, .code = E1102 };

	return lower(c, e, x, c->t.boolean, &goal);
}

ir_id lower_conditional(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
			const struct goal *goal)
{
	struct env then = *e, otherwise = *e;
	ir_id cond = lower_condition(c, e, x->conditional.cond, "the condition of `if`");
	ir_id a, b;
	const struct type *type;

	then.facts = facts_of(c, e, x->conditional.cond, true, e->facts);
	otherwise.facts = facts_of(c, e, x->conditional.cond, false, e->facts);
	a = lower(c, &then, x->conditional.then, hint, goal);
	b = lower(c, &otherwise, x->conditional.otherwise, hint ? hint : ir_type(c->p, a), goal);
	type = goal ? hint : type_join(c, ir_type(c->p, a), ir_type(c->p, b));
	if (!type) {
		struct diag *d = diag_new(c->sink, E1101, x->conditional.otherwise->span);

		diag_message(d, "the two branches of `if` differ: %s and %s",
			     type_phrase(c, ir_type(c->p, a)), type_phrase(c, ir_type(c->p, b)));
		diag_label(d, x->conditional.then->span, "%s", type_text(c, ir_type(c->p, a)));
		diag_submit(d);
		return ir_add_poison(c->p, x->span);
	}
	return ir_add(c->p, IR_IF, type, x->span, cond, a, b);
}

/* Joins the type of one more arm; reports the first that does not fit. */
static const struct type *join_arm(struct check *c, const struct type *so_far, ir_id arm)
{
	const struct type *type = so_far ? type_join(c, so_far, ir_type(c->p, arm)) : ir_type(c->p, arm);

	if (type)
		return type;
	diag_report(c->sink, E1101, c->p->nodes.at[arm].span,
		    "this arm is %s, those before it are `%s`", type_phrase(c, ir_type(c->p, arm)),
		    type_text(c, so_far));
	return c->t.poison;
}

ir_id lower_match(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
		  const struct goal *goal)
{
	ir_id value = infer(c, e, x->match.value, NULL);
	const struct type *of = ir_type(c->p, value), *type = goal ? hint : NULL;
	struct goal pattern = { .what = "what this `match` looks at",
				.declared = c->p->nodes.at[value].span,
				.label = "looked at" };
	uint32_t n = x->match.arms.n, *items = ARENA_ARRAY(c->arena, uint32_t, 2 * n + 1), used = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct ast *arm = x->match.arms.at[i];

		if (arm->kind != AST_ARM)
			continue;
		items[used++] = lower(c, e, arm->arm.pattern, of, &pattern);
		items[used] = lower(c, e, arm->arm.value, hint ? hint : type, goal);
		if (!goal)
			type = join_arm(c, type, items[used]);
		used++;
	}
	if (used == 0) {
		diag_report(c->sink, E0104, x->span, "this `match` has no arms");
		return ir_add_poison(c->p, x->span);
	}
	return ir_add(c->p, IR_MATCH, type, x->span, value, ir_add_list(c->p, items, NULL, used), used);
}

/* ---- depth ----------------------------------------------------------------------------------- */

static ir_id lower_kind(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
	switch (x->kind) {
	case AST_NAME:
		return lower_name(c, e, x, hint);
	case AST_NUMBER:
		return lower_number(c, x);
	case AST_QUANTITY:
		return lower_quantity(c, x);
	case AST_STRING:
		return ir_add_string(c->p, x->span, x->string.text);
	case AST_TEMPLATE:
		return lower_template(c, e, x);
	case AST_TRUE:
		return ir_add_bool(c->p, x->span, x->truth.value);
	case AST_NONE:
		return ir_add_none(c->p, x->span);
	case AST_UNARY:
		return lower_unary(c, e, x);
	case AST_BINARY:
		return lower_binary(c, e, x, hint);
	case AST_WITHIN:
		return lower_within(c, e, x);
	case AST_RANGE:
		return lower_range(c, e, x);
	case AST_RECORD:
		return e->lets && !e->captures ? lower_braces(c, e, x, hint) : lower_record(c, e, x, hint);
	case AST_MEMBER:
		return lower_member(c, e, x, hint);
	case AST_INDEX:
		return lower_index(c, e, x);
	case AST_CALL:
		return lower_call(c, e, x, hint);
	case AST_WITH:
		return e->lets && !e->captures ? lower_braces(c, e, x, hint) : lower_with(c, e, x, hint);
	default:
		return ir_add_poison(c->p, x->span);    /* AST_BAD: already reported */
	}
#pragma GCC diagnostic pop
}

/* Forms whose parts take the goal themselves, so that a message points to the part that is wrong. */
static bool lower_form(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
		       const struct goal *goal, ir_id *node)
{
	if (x->kind == AST_GROUP)
		*node = lower(c, e, x->group.inner, hint, goal);
	else if (x->kind == AST_IF)
		*node = lower_conditional(c, e, x, hint, goal);
	else if (x->kind == AST_MATCH)
		*node = lower_match(c, e, x, hint, goal);
	else if ((x->kind == AST_LIST_OF || x->kind == AST_COMPREHENSION) && hint &&
		 strip_option(hint)->kind == TYPE_MAP)
		*node = lower_map(c, e, x, hint, goal);
	else if (x->kind == AST_LIST_OF)
		*node = lower_list(c, e, x, hint, goal);
	else if (x->kind == AST_TUPLE)
		*node = lower_tuple(c, e, x, hint, goal);
	else if (x->kind == AST_COMPREHENSION)
		*node = lower_comprehension(c, e, x, hint, goal);
	else
		return false;
	return true;
}

ir_id lower(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
	    const struct goal *goal)
{
	struct env typeless;
	ir_id node;

	if (c->depth >= LOWER_DEPTH_MAX) {
		if (!c->too_deep)
			diag_report(c->sink, E0103, x->span,
				    "definitions that need each other nest too deep");
		c->too_deep = true;
		return ir_add_poison(c->p, x->span);
	}
	c->depth++;
	if (hint && is_poison(hint)) {
		typeless = *e;
		typeless.typeless = true;
		e = &typeless;
		hint = NULL;
	}
	if (!hint)
		goal = NULL;
	if (!lower_form(c, e, x, hint, goal, &node)) {
		node = lower_kind(c, e, x, hint);
		if (goal)
			node = coerce(c, node, hint, goal);
	}
	c->depth--;
	return node;
}
