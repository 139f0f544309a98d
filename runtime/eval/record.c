/* record.c - late-bound records: a schema, a chain of layers, slots computed when first asked for. */
#include "runtime/eval/eval_int.h"

/* ---- making ---------------------------------------------------------------------------------- */

struct record *record_make(struct eval *ev, uint32_t schema)
{
	uint32_t n = ev->program->schemas.at[schema].field_count;
	struct record *r = ARENA_NEW(ev->arena, struct record);
	*r = (struct record){ .schema = schema, .global = IR_NONE, .home = ev->arena };
	r->slots = ARENA_ARRAY(ev->arena, struct value, n);
	r->states = ARENA_ARRAY(ev->arena, unsigned char, n);
	for (uint32_t i = 0; i < ev->forced_count; i++)
		if (ev->forced[i].schema == schema)
			record_set(r, ev->forced[i].slot, ev->forced[i].value);
	return r;
}

/* The schema of the result is the more derived one of base and layer: slots are the same. */
struct record *record_extend(struct eval *ev, const struct record *base, uint32_t layer,
			     const struct frame *frame)
{
	uint32_t schema = ev->program->layers.at[layer].schema;
	if (base && ir_schema_extends(ev->program, base->schema, schema))
		schema = base->schema;
	struct record *r = record_make(ev, schema);
	struct link_layer *link = ARENA_NEW(ev->arena, struct link_layer);
	*link = (struct link_layer){ layer, frame, base ? base->layers : NULL };
	r->layers = link;
	r->row = base ? base->row : NULL;
	return r;
}

struct value eval_layer(struct eval *ev, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(ev, id);
	const struct record *base = NULL;
	if (n->a != IR_NO_NODE) {
		struct value v = eval_node(ev, n->a, scope);
		if (v.kind == VALUE_POISON)
			return v;
		invariant(v.kind == VALUE_RECORD || v.kind == VALUE_NONE, "fields over no record");
		base = v.kind == VALUE_RECORD ? v.record : NULL;
	}
	struct record *r = record_extend(ev, base, n->b, scope.frame);
	return (struct value){ .kind = VALUE_RECORD, .record = r };
}

static bool is_cell(const struct eval *ev, const struct record *row, uint32_t slot)
{
	const struct ir_schema *s = &ev->program->schemas.at[row->schema];
	return slot < s->field_count && !s->fields[slot].native && !s->fields[slot].final;
}

struct record *record_of_cells(struct eval *ev, uint32_t schema, const struct value *cells)
{
	struct record *r = record_make(ev, schema);
	uint32_t n = ev->program->schemas.at[schema].field_count;
	for (uint32_t i = 0; i < n; i++)
		if (is_cell(ev, r, i))
			record_set(r, i, cells[i]);
	r->row = r;
	return r;
}

struct record *record_of_row(struct eval *ev, const struct ir_table *t, uint32_t row)
{
	uint32_t n = ev->program->schemas.at[t->schema].field_count;
	struct value *cells = ARENA_ARRAY(ev->arena, struct value, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct ir_field *f = &ev->program->schemas.at[t->schema].fields[i];
		if (!f->native && !f->final)
			cells[i] = value_of_constant(&t->cells[(size_t)row * n + i]);
	}
	return record_of_cells(ev, t->schema, cells);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const struct ir_binding *find_binding(const struct ir_layer *l, uint32_t slot)
{
	for (uint32_t i = 0; i < l->binding_count; i++) {
		if (l->bindings[i].slot == slot)
			return &l->bindings[i];
	}
	return NULL;
}

bool record_is_set(const struct eval *ev, const struct record *r, uint32_t slot)
{
	for (const struct link_layer *l = r->layers; l; l = l->older) {
		if (find_binding(&ev->program->layers.at[l->layer], slot))
			return true;
	}
	return false;
}

/* Evaluates the definition of the slot that is being computed. */
static struct value evaluate_definition(struct eval *ev, ir_id node, struct scope scope)
{
	ev->active->node = node;
	return eval_node(ev, node, scope);
}

static struct value compute_from(struct eval *ev, struct record *r, uint32_t slot,
				 const struct link_layer *from);

/* Lays the amending layer over what the older layers say; over the schema's defaults when they say
 * nothing, or `none`. */
static struct value amend(struct eval *ev, struct record *r, const struct ir_binding *b,
			  const struct link_layer *l)
{
	struct value base = compute_from(ev, r, b->slot, l->older);
	const struct frame *frame = l->frame;
	if (base.kind == VALUE_POISON)
		return base;
	invariant(base.kind == VALUE_RECORD || base.kind == VALUE_NONE, "a block on no record");
	for (uint32_t i = 0; i < b->local_count; i++) {
		struct value v = evaluate_definition(ev, ev->program->lists.at[b->locals + i],
						     (struct scope){ r, frame });
		if (v.kind == VALUE_POISON)
			return v;
		frame = frame_push(ev, v, frame);
	}
	struct record *over = record_extend(ev, base.kind == VALUE_RECORD ? base.record : NULL,
					    b->what, frame);
	return (struct value){ .kind = VALUE_RECORD, .record = over };
}

/* What the layers from `from` on and the schema say about a slot; none when they say nothing. */
static struct value compute_from(struct eval *ev, struct record *r, uint32_t slot,
				 const struct link_layer *from)
{
	for (const struct link_layer *l = from; l; l = l->older) {
		const struct ir_binding *b = find_binding(&ev->program->layers.at[l->layer], slot);
		if (!b)
			continue;
		if (b->kind == BIND_AMEND)
			return amend(ev, r, b, l);
		return evaluate_definition(ev, b->what, (struct scope){ r, l->frame });
	}
	if (r->row && is_cell(ev, r->row, slot))
		return r->row->slots[slot];
	const struct ir_field *f = &ev->program->schemas.at[r->schema].fields[slot];
	if (f->value == IR_NO_NODE)
		return value_none();
	return evaluate_definition(ev, f->value, (struct scope){ .self = r });
}

static struct value compute_native(struct eval *ev, struct record *r, uint32_t slot)
{
	struct value v = value_poison();
	if (!ev->native || !ev->native(ev, r, slot, &v, ev->native_context))
		return value_poison();
	return v;
}

bool slot_is_required(const struct eval *ev, const struct record *r, uint32_t slot)
{
	const struct ir_field *f = &ev->program->schemas.at[r->schema].fields[slot];
	bool may_be_absent = f->type && f->type->kind == TYPE_OPTION;
	return !f->native && !may_be_absent && f->value == IR_NO_NODE &&
	       !record_is_set(ev, r, slot) && !(r->row && is_cell(ev, r->row, slot));
}

static struct value compute_slot(struct eval *ev, struct record *r, uint32_t slot)
{
	const struct ir_field *f = &ev->program->schemas.at[r->schema].fields[slot];
	if (f->native)
		return compute_native(ev, r, slot);
	struct value v = compute_from(ev, r, slot, r->layers);
	if (v.kind == VALUE_NONE && slot_is_required(ev, r, slot)) {
		if (!ev->allow_missing)
			fail_missing(ev, r, slot);
		return value_poison();
	}
	return v;
}

struct value record_get_at(struct eval *ev, struct record *r, uint32_t slot, struct span at)
{
	invariant(slot < ev->program->schemas.at[r->schema].field_count, "a slot its record lacks");
	if (r->states[slot] == SLOT_DONE)
		return r->slots[slot];
	if (r->states[slot] == SLOT_BUSY) {
		fail_cycle(ev, r, slot, at);
		return value_poison();
	}
	struct active entry = { ev->active, r, slot, IR_NO_NODE, at };
	ev->active = &entry;
	r->states[slot] = SLOT_BUSY;
	struct arena *around = ev->arena;
	ev->arena = r->home;
	struct value v = compute_slot(ev, r, slot);
	ev->arena = around;
	ev->active = entry.up;
	if (r->states[slot] == SLOT_BUSY)
		record_set(r, slot, v);
	return r->slots[slot];
}

struct value record_get(struct eval *ev, struct record *r, uint32_t slot)
{
	return record_get_at(ev, r, slot, SPAN_NONE);
}

/* Poison for a field the schema does not have: the library may be a user's own. */
struct value record_get_named(struct eval *ev, struct record *r, const char *field)
{
	uint32_t slot = ir_find_field(ev->program, r->schema, str_of(field));
	return slot == IR_NONE ? value_poison() : record_get(ev, r, slot);
}

void record_set(struct record *r, uint32_t slot, struct value v)
{
	r->slots[slot] = v;
	r->states[slot] = SLOT_DONE;
}
