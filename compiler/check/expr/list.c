/* list.c - lists, tuples, ranges and comprehensions. */
#include "compiler/check/check_int.h"

static struct goal element_goal(struct check *c, const struct goal *goal)
{
	struct goal of = *goal;
	struct out o;

	out_init(&o, c->arena);
	out_text(&o, str_starts(str_of(goal->what), "an element of ") ? "" : "an element of ");
	out_text(&o, goal->what);
	of.what = str_copy(c->arena, out_view(&o)).p;
	return of;
}

static const struct type *join_element(struct check *c, const struct type *so_far, ir_id element,
				       bool *reported)
{
	const struct type *t = ir_type(c->p, element);
	const struct type *joined = so_far ? type_join(c, so_far, t) : t;

	if (joined)
		return joined;
	if (!*reported)
		diag_report(c->sink, E1101, c->p->nodes.at[element].span,
			    "this element is %s, those before it are `%s`", type_phrase(c, t),
			    type_text(c, so_far));
	*reported = true;
	return c->t.poison;
}

ir_id lower_list(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
		 const struct goal *goal)
{
	const struct type *want = strip_option(hint);
	const struct type *of = want && want->kind == TYPE_LIST ? want->of : NULL;
	bool strong = goal && of, reported = false;
	struct goal element = goal ? element_goal(c, goal) : (struct goal){ 0 };
	uint32_t n = x->list_of.items.n, *items = ARENA_ARRAY(c->arena, uint32_t, n + 1);
	const struct type *type = strong ? of : NULL;
	ir_id node;

	if (want && want->kind == TYPE_TABLE && want->of->kind == TYPE_RECORD)
		return lower_table(c, e, x, want);
	for (uint32_t i = 0; i < n; i++) {
		items[i] = lower(c, e, x->list_of.items.at[i], of ? of : type, strong ? &element : NULL);
		if (!strong)
			type = join_element(c, type, items[i], &reported);
	}
	if (reported)
		return ir_add_poison(c->p, x->span);
	node = ir_add(c->p, IR_LIST, type_list(c->p->types, type ? type : c->t.poison), x->span,
		      ir_add_list(c->p, items, NULL, n), n, 0);
	return goal && !strong ? coerce(c, node, hint, goal) : node;
}

ir_id lower_map(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
		const struct goal *goal)
{
	const struct type *pairs = type_list(c->p->types, without_none(hint)->of);
	ir_id list = x->kind == AST_LIST_OF ? lower_list(c, e, x, pairs, goal)
					    : lower_comprehension(c, e, x, pairs, goal);

	return goal && !is_poison(ir_type(c->p, list)) ? coerce(c, list, hint, goal) : list;
}

ir_id lower_tuple(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
		  const struct goal *goal)
{
	const struct type *want = strip_option(hint);
	uint32_t n = x->tuple.items.n, *items = ARENA_ARRAY(c->arena, uint32_t, n + 1);
	const struct type **types = ARENA_ARRAY(c->arena, const struct type *, n + 1);
	ir_id node;

	if (want && (want->kind != TYPE_TUPLE || want->count != n))
		want = NULL;
	for (uint32_t i = 0; i < n; i++) {
		items[i] = lower(c, e, x->tuple.items.at[i], want ? want->items[i] : NULL,
				 want ? goal : NULL);
		types[i] = ir_type(c->p, items[i]);
	}
	node = ir_add(c->p, IR_TUPLE,
		      type_of(c->p->types, (struct type){ .kind = TYPE_TUPLE, .items = types, .count = n }),
		      x->span, ir_add_list(c->p, items, NULL, n), n, 0);
	return goal ? coerce(c, node, hint, goal) : node;
}

static ir_id report_no_list(struct check *c, struct ast *x, ir_id list)
{
	const struct type *t = ir_type(c->p, list);
	struct diag *d;

	if (is_poison(t))
		return ir_add_poison(c->p, x->span);
	d = diag_new(c->sink, t->kind == TYPE_OPTION ? E1107 : E1101, c->p->nodes.at[list].span);
	if (t->kind == TYPE_OPTION) {
		diag_message(d, "`for` needs a list, but this may be `none`");
		diag_help(d, "write `(...) ?? []`, or ask `!= none` first");
	} else {
		diag_message(d, "`for` goes through a list, but this is %s", type_phrase(c, t));
		if (is_plain(t))
			diag_help(d, "a range is written `1..8`");
	}
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

ir_id lower_comprehension(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
			  const struct goal *goal)
{
	const struct type *want = strip_option(hint), *of, *body_type;
	ir_id list = infer(c, e, x->comprehension.in, NULL), filter = IR_NO_NODE, body, node;
	struct local local = { .name = x->comprehension.name.sym, .level = e->level, .outer = e->locals };
	struct goal element = goal ? element_goal(c, goal) : (struct goal){ 0 };
	struct env inner = *e;

	of = ir_type(c->p, list);
	if (of->kind != TYPE_LIST && of->kind != TYPE_TABLE && of->kind != TYPE_MAP)
		return report_no_list(c, x, list);
	local.type = of->of;
	inner.locals = &local;
	inner.level++;
	if (x->comprehension.filter) {
		filter = lower_condition(c, &inner, x->comprehension.filter, "the condition of a list");
		inner.facts = facts_of(c, &inner, x->comprehension.filter, true, inner.facts);
	}
	want = want && want->kind == TYPE_LIST ? want->of : NULL;
	body = lower(c, &inner, x->comprehension.value, want, want && goal ? &element : NULL);
	body_type = want && goal ? want : ir_type(c->p, body);
	node = ir_add(c->p, IR_COMPREHEND, type_list(c->p->types, body_type), x->span, list, body, filter);
	return goal && !want ? coerce(c, node, hint, goal) : node;
}

/* An end or a step of a range of quantities: of one dimension with the others, whose common type grows. */
static ir_id lower_measure(struct check *c, const struct env *e, struct ast *x, const struct type **of, const char *what)
{
	struct goal goal = { .what = what, .declared = SPAN_NONE };
	ir_id node = infer(c, e, x, *of);
	const struct type *t = ir_type(c->p, node);

	if (is_poison(t))
		return node;
	if (t->kind != TYPE_NUMBER || !dim_equal(t->dim, (*of)->dim))
		return coerce(c, node, *of, &goal);
	*of = type_join(c, *of, t);
	return node;
}

/* Between quantities nobody knows how far to go: the step has to be said. */
static ir_id lower_measures(struct check *c, const struct env *e, struct ast *x, ir_id low)
{
	const struct type *of = ir_type(c->p, low);
	ir_id high = lower_measure(c, e, x->range.high, &of, "an end of a range"), step;
	struct diag *d;

	if (x->range.step) {
		step = lower_measure(c, e, x->range.step, &of, "the step of a range");
		return ir_add(c->p, IR_RANGE, type_list(c->p->types, of), x->span, low, high, step);
	}
	d = diag_new(c->sink, E1101, x->span);
	diag_message(d, "a range of %s needs a step", type_text(c, of));
	diag_help(d, "write `A..B by STEP`, as in `64 GiB..96 GiB by 8 GiB`");
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

ir_id lower_range(struct check *c, const struct env *e, struct ast *x)
{
	struct goal goal = { .what = "an end of a range", .declared = SPAN_NONE };
	struct goal step_goal = { .what = "the step of a range", .declared = SPAN_NONE };
	ir_id low = infer(c, e, x->range.low, c->t.integer), high, step = IR_NO_NODE;
	const struct type *t = ir_type(c->p, low);

	if (t->kind == TYPE_NUMBER && (t->percent || !dim_is_one(t->dim)))
		return lower_measures(c, e, x, low);
	low = coerce(c, low, c->t.integer, &goal);
	high = lower(c, e, x->range.high, c->t.integer, &goal);
	if (x->range.step)
		step = lower(c, e, x->range.step, c->t.integer, &step_goal);
	return ir_add(c->p, IR_RANGE, type_list(c->p->types, c->t.integer), x->span, low, high, step);
}
