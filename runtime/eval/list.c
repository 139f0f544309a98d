/* list.c - lists: written out, by comprehension, as ranges, and reading their elements. */
#include <math.h>

#include "runtime/eval/eval_int.h"

struct value list_value(struct eval *ev, struct value *at, uint32_t n)
{
	struct list *l = ARENA_NEW(ev->arena, struct list);
	*l = (struct list){ at, n };
	return (struct value){ .kind = VALUE_LIST, .list = l };
}

uint32_t sequence_count(struct value v)
{
	invariant(v.kind == VALUE_LIST || v.kind == VALUE_TABLE, "elements of something else");
	return v.kind == VALUE_LIST ? v.list->n : v.table->row_count;
}

struct value sequence_get(struct eval *ev, struct value v, uint32_t i)
{
	if (v.kind == VALUE_LIST)
		return v.list->at[i];
	return (struct value){ .kind = VALUE_RECORD, .record = record_of_row(ev, v.table, i) };
}

/* LIST and TUPLE. An element that cannot be had makes the whole list poison. */
struct value eval_list(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value *at = ARENA_ARRAY(ev->arena, struct value, n->b);
	for (uint32_t i = 0; i < n->b; i++) {
		at[i] = eval_node(ev, list_item(ev, n->a, i), scope);
		if (at[i].kind == VALUE_POISON)
			return at[i];
	}
	return list_value(ev, at, n->b);
}

/* Whether the filter lets an element through: -1 for poison. */
static int filter_passes(struct eval *ev, ir_id filter, struct scope scope)
{
	if (filter == IR_NO_NODE)
		return 1;
	struct value v = eval_node(ev, filter, scope);
	if (!fail_unless_present(ev, v, filter))
		return -1;
	invariant(v.kind == VALUE_BOOL, "a filter that is no bool");
	return v.truth;
}

struct value eval_comprehend(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value all = eval_node(ev, n->a, scope);
	if (!fail_unless_present(ev, all, n->a))
		return value_poison();
	uint32_t count = sequence_count(all);
	struct value *at = ARENA_ARRAY(ev->arena, struct value, count);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct scope inner = scope;
		inner.frame = frame_push(ev, sequence_get(ev, all, i), scope.frame);
		int passes = filter_passes(ev, n->c, inner);
		if (passes < 0)
			return value_poison();
		if (!passes)
			continue;
		at[kept] = eval_node(ev, n->b, inner);
		if (at[kept].kind == VALUE_POISON)
			return at[kept];
		kept++;
	}
	return list_value(ev, at, kept);
}

static struct value outside(struct eval *ev, ir_id id, struct value index, uint32_t count,
			    struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct str list = node_text(ev, n->a);
	struct str text = value_text(ev, index, NULL);
	struct diag *d = fail_node(ev, E2002, id, scope, true);
	if (count == 0)
		diag_message(d, "`%.*s` is empty, it has no element %.*s", (int)list.n, list.p,
			     (int)text.n, text.p);
	else
		diag_message(d, "`%.*s` has no element %.*s: they count from 0 to %u", (int)list.n,
			     list.p, (int)text.n, text.p, count - 1);
	diag_submit(d);
	return value_poison();
}

struct value eval_index(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value all = eval_node(ev, n->a, scope);
	if (!fail_unless_present(ev, all, n->a))
		return value_poison();
	struct value index = eval_node(ev, n->b, scope);
	if (!fail_unless_present(ev, index, n->b))
		return value_poison();
	uint32_t count = sequence_count(all);
	int64_t i;
	if (is_map(ev, n->a))
		return pairs_get(ev, id, all, index, scope);
	invariant(index.kind == VALUE_NUMBER, "an index that is no int");
	if (!num_fits_int64(index.number, &i) || i < 0 || i >= (int64_t)count)
		return outside(ev, id, index, count, scope);
	return sequence_get(ev, all, (uint32_t)i);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

struct range {
	struct num low, high, step;
};

static bool range_bound(struct eval *ev, ir_id node, struct scope scope, struct num *result)
{
	struct value v = eval_node(ev, node, scope);
	if (!fail_unless_present(ev, v, node))
		return false;
	invariant(value_is_number(v), "a range between things that are no numbers");
	*result = v.kind == VALUE_NUMBER ? v.number : num_from_double(ev->arena, v.real);
	return true;
}

static bool range_read(struct eval *ev, const struct ir_node *n, struct scope scope,
		       struct range *r)
{
	r->step = num_int(1);
	if (!range_bound(ev, n->a, scope, &r->low) || !range_bound(ev, n->b, scope, &r->high))
		return false;
	if (n->c == IR_NO_NODE)
		return true;
	if (!range_bound(ev, n->c, scope, &r->step))
		return false;
	if (num_sign(r->step) > 0)
		return true;
	struct diag *d = fail_at(ev, E2005, node_at(ev, n->c)->span);
	struct value step = value_number(r->step);
	struct str text = value_text(ev, step, node_at(ev, n->c)->type);
	diag_message(d, "the step of a range is positive, this one is %.*s", (int)text.n, text.p);
	diag_submit(d);
	return false;
}

/* Elements from low to high; -1 when there are too many. */
static int64_t range_count(struct eval *ev, const struct range *r)
{
	struct num width;
	struct num steps;
	int64_t n;
	if (num_compare(r->low, r->high) > 0)
		return 0;
	if (num_sub(ev->arena, r->high, r->low, &width) != NUM_OK ||
	    num_floor_div(ev->arena, width, r->step, &steps) != NUM_OK ||
	    !num_fits_int64(steps, &n) || n >= EVAL_LIST_MAX)
		return -1;
	return n + 1;
}

struct value eval_range(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct range r;
	if (!range_read(ev, n, scope, &r))
		return value_poison();
	int64_t count = range_count(ev, &r);
	if (count < 0) {
		struct diag *d = fail_node(ev, E2003, id, scope, true);
		diag_message(d, "this range has more than a million elements");
		diag_submit(d);
		return value_poison();
	}
	struct value *at = ARENA_ARRAY(ev->arena, struct value, count);
	struct num x = r.low;
	for (int64_t i = 0; i < count; i++) {
		at[i] = value_number(x);
		if (num_add(ev->arena, x, r.step, &x) != NUM_OK)
			break;
	}
	return list_value(ev, at, (uint32_t)count);
}
