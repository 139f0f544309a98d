/* eval.c - the evaluator: one node at a time, globals and calls.
 *
 * Evaluation is lazy and pure. Slots and globals are computed when first asked for and remembered;
 * everything else is computed where it is used. Poison means that a message was left already.
 */
#include "runtime/eval/eval_int.h"

#include "runtime/value/layout.h"

void eval_init(struct eval *ev, struct arena *arena, const struct ir_program *p,
	       struct diag_sink *sink)
{
	*ev = (struct eval){ .arena = arena,
			     .lasting = arena,
			     .program = p,
			     .sink = sink,
			     .steps_max = EVAL_STEPS_MAX };
	ev->globals = ARENA_ARRAY(arena, struct value, p->globals.n);
	ev->global_states = ARENA_ARRAY(arena, unsigned char, p->globals.n);
}

static struct value compute_global(struct eval *ev, uint32_t global)
{
	const struct ir_global *g = &ev->program->globals.at[global];
	if (g->kind == GLOBAL_TABLE)
		return (struct value){ .kind = VALUE_TABLE,
				       .table = &ev->program->tables.at[g->table] };
	struct value v = eval_node(ev, g->value, (struct scope){ 0 });
	if (g->kind == GLOBAL_INSTANCE && v.kind == VALUE_RECORD && v.record->global == IR_NONE)
		v.record->global = global;
	return v;
}

struct value eval_global_at(struct eval *ev, uint32_t global, struct span at)
{
	if (ev->outer && !ev->own[global])
		return eval_global_at(ev->outer, global, at);
	if (ev->global_states[global] == SLOT_DONE)
		return ev->globals[global];
	if (ev->global_states[global] == SLOT_BUSY) {
		fail_cycle(ev, NULL, global, at);
		return value_poison();
	}
	struct active entry = { ev->active, NULL, global, ev->program->globals.at[global].value,
				at };
	ev->active = &entry;
	ev->global_states[global] = SLOT_BUSY;
	struct arena *around = ev->arena;
	ev->arena = ev->lasting;
	struct value v = compute_global(ev, global);
	ev->arena = around;
	ev->active = entry.up;
	ev->globals[global] = v;
	ev->global_states[global] = SLOT_DONE;
	return v;
}

struct value eval_global(struct eval *ev, uint32_t global)
{
	return eval_global_at(ev, global, SPAN_NONE);
}

const struct frame *frame_push(struct eval *ev, struct value v, const struct frame *up)
{
	struct frame *f = ARENA_NEW(ev->arena, struct frame);
	*f = (struct frame){ v, up };
	return f;
}

static struct value eval_poison(struct eval *ev, ir_id id, struct scope scope)
{
	(void)ev, (void)id, (void)scope;
	return value_poison();
}

static struct value eval_constant(struct eval *ev, ir_id id, struct scope scope)
{
	(void)scope;
	return value_of_constant(&ev->program->constants.at[node_at(ev, id)->a]);
}

static struct value eval_self(struct eval *ev, ir_id id, struct scope scope)
{
	(void)ev, (void)id;
	invariant(scope.self, "an expression of a record without the record");
	return (struct value){ .kind = VALUE_RECORD, .record = scope.self };
}

static struct value eval_slot(struct eval *ev, ir_id id, struct scope scope)
{
	invariant(scope.self, "a field name without its record");
	return record_get_at(ev, scope.self, node_at(ev, id)->a, node_at(ev, id)->span);
}

static struct value eval_global_node(struct eval *ev, ir_id id, struct scope scope)
{
	(void)scope;
	return eval_global_at(ev, node_at(ev, id)->a, node_at(ev, id)->span);
}

static struct value eval_local(struct eval *ev, ir_id id, struct scope scope)
{
	const struct frame *f = scope.frame;
	for (uint32_t d = node_at(ev, id)->a; d > 0 && f; d--)
		f = f->up;
	invariant(f, "a local name without its frame");
	return f->value;
}

static struct value eval_call(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	const struct ir_function *fn = &ev->program->functions.at[n->a];
	struct scope inner = { 0 };
	for (uint32_t i = 0; i < n->c; i++) {
		struct value v = eval_node(ev, list_item(ev, n->b, i), scope);
		inner.frame = frame_push(ev, v, inner.frame);
	}
	return eval_node(ev, fn->body, inner);
}

static struct value eval_field(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value v = eval_node(ev, n->a, scope);
	if (!fail_unless_present(ev, v, n->a))
		return value_poison();
	invariant(v.kind == VALUE_RECORD, "a field of something that is no record");
	return record_get_at(ev, v.record, n->b, n->span);
}

static struct value eval_layout_member(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	struct value v = eval_node(ev, n->a, scope);
	if (!fail_unless_present(ev, v, n->a))
		return value_poison();
	invariant(v.kind == VALUE_LAYOUT, "a layout's member of something else");
	return layout_get_member(ev->arena, v.layout, (enum layout_member)n->b);
}

/* Without the cost model nothing is selected: a sweep needs it in most of its conditions. */
static struct value eval_select(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	int64_t count = 0;
	if (!ev->select || ev->without_model)
		return value_poison();
	if (n->c != IR_NO_NODE) {
		struct value v = eval_node(ev, n->c, scope);
		if (!fail_unless_present(ev, v, n->c))
			return value_poison();
		if (!num_fits_int64(v.number, &count) || count < 0) {
			struct diag *d = fail_node(ev, E2005, n->c, scope, true);
			diag_message(d, "this is no number of candidates");
			diag_submit(d);
			return value_poison();
		}
	}
	return ev->select(ev, n->a, (enum selection)n->b, count, n->span, ev->select_context);
}

typedef struct value operation(struct eval *ev, ir_id id, struct scope scope);

static operation *const operations[IR_OP_COUNT] = {
	[IR_POISON] = eval_poison,
	[IR_CONST] = eval_constant,
	[IR_SELF] = eval_self,
	[IR_SLOT] = eval_slot,
	[IR_GLOBAL] = eval_global_node,
	[IR_LOCAL] = eval_local,
	[IR_FIELD] = eval_field,
	[IR_LAYOUT_MEMBER] = eval_layout_member,
	[IR_LAYER] = eval_layer,
	[IR_CALL] = eval_call,
	[IR_BUILTIN] = eval_builtin,
	[IR_LIST] = eval_list,
	[IR_TUPLE] = eval_list,
	[IR_TEMPLATE] = eval_template,
	[IR_HOLE] = eval_template,
	[IR_COMPREHEND] = eval_comprehend,
	[IR_SELECT] = eval_select,
	[IR_INDEX] = eval_index,
	[IR_RANGE] = eval_range,
	[IR_IF] = eval_if,
	[IR_MATCH] = eval_match,
	[IR_WITHIN] = eval_within,
	[IR_AND] = eval_logic,
	[IR_OR] = eval_logic,
	[IR_NOT] = eval_logic,
	[IR_IMPLIES] = eval_logic,
	[IR_EQ] = eval_compare,
	[IR_NE] = eval_compare,
	[IR_LT] = eval_compare,
	[IR_LE] = eval_compare,
	[IR_GT] = eval_compare,
	[IR_GE] = eval_compare,
	[IR_IN] = eval_in,
	[IR_COALESCE] = eval_coalesce,
	[IR_ADD] = eval_arith,
	[IR_SUB] = eval_arith,
	[IR_MUL] = eval_arith,
	[IR_DIV] = eval_arith,
	[IR_INT_DIV] = eval_arith,
	[IR_MOD] = eval_arith,
	[IR_NEG] = eval_negate,
	[IR_POW] = eval_arith,
	[IR_TO_INT] = eval_to_int,
	[IR_TO_ENUM] = eval_to_enum,
	[IR_TO_MAP] = eval_to_map,
};

/* Counts the node against the limits; false leaves one message and makes the rest poison. */
static bool enter(struct eval *ev, ir_id id)
{
	if (ev->depth == 0) {
		ev->steps = 0;
		ev->exhausted = false;
	}
	if (ev->exhausted)
		return false;
	if (ev->depth >= EVAL_DEPTH_MAX) {
		fail_depth(ev, id);
	} else if (++ev->steps > ev->steps_max) {
		fail_steps(ev, id);
	} else {
		ev->depth++;
		return true;
	}
	ev->exhausted = true;
	return false;
}

struct value eval_node(struct eval *ev, ir_id node, struct scope scope)
{
	if (!enter(ev, node))
		return value_poison();
	operation *run = operations[node_at(ev, node)->op];
	invariant(run, "an operation without an evaluator");
	struct value v = run(ev, node, scope);
	ev->depth--;
	return v;
}
