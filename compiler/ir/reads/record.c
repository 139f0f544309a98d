/* record.c - what the fields of a record depend on, by the layers that it is made of. */
#include "compiler/ir/reads/reads_int.h"

struct shape *reads_shape(struct reads *r, uint32_t schema, const struct coat *coats)
{
	struct shape *s = ARENA_NEW(r->arena, struct shape);
	uint32_t n = r->p->schemas.at[schema].field_count;

	s->schema = schema;
	s->coats = coats;
	s->slots = ARENA_ARRAY(r->arena, struct known, n + 1);
	s->states = ARENA_ARRAY(r->arena, unsigned char, n + 1);
	return s;
}

struct known reads_put_on(struct reads *r, struct known base, bool absent, struct coat coat)
{
	struct coat *c = ARENA_NEW(r->arena, struct coat);
	uint32_t schema = r->p->layers.at[coat.layer].schema;
	struct known v = { .reads = base.reads };

	*c = coat;
	c->older = base.shape ? base.shape->coats : NULL;
	if (base.shape && ir_schema_extends(r->p, base.shape->schema, schema))
		schema = base.shape->schema;
	v.shape = reads_shape(r, schema, c);
	v.shape->open = base.shape ? base.shape->open : !absent;
	v.shape->under = base.shape ? base.shape->under : base.reads;
	return v;
}

static const struct ir_binding *binding_of(const struct ir_layer *l, uint32_t slot)
{
	for (uint32_t i = 0; i < l->binding_count; i++)
		if (l->bindings[i].slot == slot)
			return &l->bindings[i];
	return NULL;
}

/* Of a record that cannot be seen, with coats over it: any field may follow from any other. */
static struct known under_coats(struct reads *r, struct shape *s)
{
	struct known v = { .reads = s->under };

	for (const struct coat *c = s->coats; c; c = c->older) {
		const struct ir_layer *l = &r->p->layers.at[c->layer];

		v.reads = reads_join(v.reads, c->when);
		for (uint32_t i = 0; i < l->binding_count; i++) {
			if (l->bindings[i].kind == BIND_AMEND)
				return (struct known){ .reads = r->everything };
			v.reads = reads_join(v.reads, reads_all(r, l->bindings[i].what, s, c->names));
		}
	}
	return v;
}

/* The names that an amending layer sees: those around, and the locals that it is given. */
static const struct names *names_of_amend(struct reads *r, struct shape *s, const struct ir_binding *b,
					  const struct names *names)
{
	for (uint32_t i = 0; i < b->local_count; i++)
		names = reads_bind(r, reads_node(r, r->p->lists.at[b->locals + i], s, names), names);
	return names;
}

static struct known slot_from(struct reads *r, struct shape *s, const struct coat *c, uint32_t slot,
			      bool *absent)
{
	const struct ir_field *f = &r->p->schemas.at[s->schema].fields[slot];
	const struct ir_binding *b = NULL;
	struct known v = { .shape = NULL };

	while (c && !(b = binding_of(&r->p->layers.at[c->layer], slot)))
		c = c->older;
	*absent = false;
	if (!c && s->open)
		return under_coats(r, s);
	if (!c) {
		*absent = f->value == IR_NO_NODE;
		return *absent ? v : reads_node(r, f->value, s, NULL);
	}
	if (b->kind == BIND_AMEND) {
		bool nothing;
		struct known base = slot_from(r, s, c->older, slot, &nothing);
		const struct names *names = names_of_amend(r, s, b, c->names);
		struct coat over = { b->what, names, c->maybe, c->when, NULL };

		return reads_put_on(r, base, nothing, over);
	}
	v = reads_node(r, b->what, s, c->names);
	if (c->maybe) {
		bool nothing;

		v = reads_either(r, v, slot_from(r, s, c->older, slot, &nothing));
		v.reads = reads_join(v.reads, c->when);
	}
	return v;
}

/* A native field follows from its record: of a model without the cost model. */
static struct known slot_value(struct reads *r, struct shape *s, uint32_t slot)
{
	struct known v = { .shape = NULL };
	bool absent;

	if (!r->p->schemas.at[s->schema].fields[slot].native)
		return slot_from(r, s, s->coats, slot, &absent);
	v.reads = reads_deep(r, (struct known){ .shape = s });
	v.reads.model = v.reads.model || !ir_schema_extends(r->p, s->schema, r->model);
	return v;
}

struct known reads_slot(struct reads *r, struct shape *s, uint32_t slot)
{
	struct known v;

	if (s->states[slot] == SHAPE_DONE)
		return s->slots[slot];
	/* A field that needs itself is the evaluator's to report. */
	if (s->states[slot] == SHAPE_BUSY)
		return (struct known){ .reads = r->everything };
	s->states[slot] = SHAPE_BUSY;
	v = slot_value(r, s, slot);
	s->states[slot] = SHAPE_DONE;
	s->slots[slot] = v;
	return v;
}

struct ir_reads reads_deep(struct reads *r, struct known v)
{
	struct shape *s = v.shape;
	struct ir_reads all = { 0, false };

	if (!s || s->deep_state == SHAPE_BUSY)
		return v.reads;
	if (s->deep_state == SHAPE_DONE)
		return reads_join(v.reads, s->deep);
	if (!reads_enter(r))
		return r->everything;
	s->deep_state = SHAPE_BUSY;
	if (s->open)
		all = under_coats(r, s).reads;
	for (uint32_t i = 0; i < r->p->schemas.at[s->schema].field_count; i++)
		if (!r->p->schemas.at[s->schema].fields[i].native)
			all = reads_join(all, reads_deep(r, reads_slot(r, s, i)));
	r->depth--;
	s->deep_state = SHAPE_DONE;
	s->deep = all;
	return reads_join(v.reads, all);
}
