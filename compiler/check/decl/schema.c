/* schema.c - schemas: their fields, what they take over from their base, defaults and asserts. */
#include "compiler/check/check_int.h"

/* ---- header: base and field types ------------------------------------------------------------ */

static uint32_t base_of(struct check *c, const struct decl *d)
{
	struct ast *path = d->node->schema.base;
	const struct type *t;

	if (!path)
		return IR_NONE;
	t = type_of_ast(c, d->home, path);
	if (t->kind == TYPE_RECORD)
		return t->index;
	if (!is_poison(t))
		diag_report(c->sink, E1207, path->span, "a schema extends a schema, this is %s",
			    type_phrase(c, t));
	return IR_NONE;
}

/* Copies the fields of the base to the front of `fields`. Defaults follow when bodies are lowered. */
static uint32_t take_over(struct check *c, uint32_t schema, uint32_t base, struct ir_field *fields)
{
	const struct ir_schema *b = &c->p->schemas.at[base];

	memcpy(fields, b->fields, b->field_count * sizeof *fields);
	for (uint32_t i = 0; i < b->field_count; i++)
		map_set(&c->schemas.at[schema].by_name, fields[i].name.id, i);
	return b->field_count;
}

static struct ir_field field_of(struct check *c, const struct decl *d, struct ast *x)
{
	return (struct ir_field){ .name = x->field.name.sym,
				  .type = type_of_ast(c, d->home, x->field.type),
				  .value = IR_NO_NODE,
				  .final = x->field.final,
				  .native = x->field.native,
				  .doc = x->doc,
				  .span = x->field.name.span };
}

static void report_second_field(struct check *c, const struct ir_field *first, struct ast_name name)
{
	struct diag *d = diag_new(c->sink, E1203, name.span);

	diag_message(d, "field `%s` is declared twice", spell(c, name.sym));
	diag_label(d, first->span, "first here");
	diag_submit(d);
}

/* A field of the base written again: the same type, a new default. */
static void redeclare(struct check *c, uint32_t schema, struct ir_field *old, const struct ir_field *new)
{
	struct diag *d;

	if (old->final || old->native) {
		d = diag_new(c->sink, E1206, new->span);
		diag_message(d, "`%s` is settled by `%s` and cannot be given anew", spell(c, new->name),
			     spell(c, c->p->schemas.at[c->p->schemas.at[schema].base].name));
		diag_submit(d);
		return;
	}
	if (old->type != new->type && !is_poison(old->type) && !is_poison(new->type)) {
		d = diag_new(c->sink, E1101, new->span);
		diag_message(d, "`%s` is %s in `%s`, and its type cannot change", spell(c, new->name),
			     type_phrase(c, old->type),
			     spell(c, c->p->schemas.at[c->p->schemas.at[schema].base].name));
		diag_submit(d);
		return;
	}
	old->final = new->final;
	old->doc = new->doc.n > 0 ? new->doc : old->doc;
	old->span = new->span;
}

static void add_fields(struct check *c, uint32_t schema, uint32_t inherited)
{
	struct decl *d = c->schemas.at[schema].decl;
	struct ast_list items = d->node->schema.fields;

	for (uint32_t i = 0; i < items.n; i++) {
		struct ir_field f;
		uint32_t at;

		if (items.at[i]->kind != AST_FIELD || items.at[i]->field.name.sym.id == 0)
			continue;
		f = field_of(c, d, items.at[i]);
		at = field_find(c, schema, f.name);
		if (at != IR_NONE && at >= inherited) {
			report_second_field(c, &c->p->schemas.at[schema].fields[at], items.at[i]->field.name);
		} else if (at != IR_NONE) {
			redeclare(c, schema, &c->p->schemas.at[schema].fields[at], &f);
		} else {
			struct ir_schema *s = &c->p->schemas.at[schema];

			map_set(&c->schemas.at[schema].by_name, f.name.id, s->field_count);
			s->fields[s->field_count++] = f;
		}
	}
}

void schema_header(struct check *c, uint32_t schema)
{
	struct schema_info *info = &c->schemas.at[schema];
	struct decl *d = info->decl;
	uint32_t base, inherited = 0;
	struct ir_field *fields;

	if (info->header == DECL_DONE)
		return;
	info->header = DECL_BUSY;
	base = base_of(c, d);
	if (base != IR_NONE && c->schemas.at[base].header == DECL_BUSY) {
		struct diag *cycle = diag_new(c->sink, E1204, d->node->schema.base->span);

		diag_message(cycle, "`%s` extends itself", spell(c, d->name));
		diag_submit(cycle);
		base = IR_NONE;
	}
	if (base != IR_NONE)
		schema_header(c, base);
	if (base != IR_NONE)
		inherited = c->p->schemas.at[base].field_count;
	fields = ARENA_ARRAY(c->arena, struct ir_field, inherited + d->node->schema.fields.n + 1);
	c->p->schemas.at[schema].base = base;
	c->p->schemas.at[schema].fields = fields;
	if (base != IR_NONE)
		c->p->schemas.at[schema].field_count = take_over(c, schema, base, fields);
	add_fields(c, schema, inherited);
	c->schemas.at[schema].header = DECL_DONE;
}

/* ---- body: defaults, lets, asserts ----------------------------------------------------------- */

static void set_default(struct check *c, uint32_t schema, uint32_t slot, ir_id value)
{
	c->p->schemas.at[schema].fields[slot].value = value;
	c->schemas.at[schema].overridden[slot] = true;
}

static void lower_default(struct check *c, uint32_t schema, const struct env *e, struct ast *x)
{
	uint32_t slot = field_find(c, schema, x->field.name.sym);
	struct goal goal;

	if (slot == IR_NONE || c->p->schemas.at[schema].fields[slot].span.lo != x->field.name.span.lo)
		return;
	if (!x->field.value) {
		set_default(c, schema, slot, IR_NO_NODE);
		return;
	}
	goal = field_goal(c, schema, slot);
	goal.declared = SPAN_NONE;
	set_default(c, schema, slot,
		    lower_binding(c, e, slot, x->field.value, c->p->schemas.at[schema].fields[slot].type,
				  &goal));
	lint_memory(c, e, x->field.name.sym, c->p->schemas.at[schema].fields[slot].type, x->field.value);
}

/* `zero = off` or `overlap { ... }` in a schema: another default for a field of its base. They are
 * lowered as a layer of the schema, whose bindings then become defaults. */
static void lower_overrides(struct check *c, uint32_t schema, const struct env *e)
{
	struct ast_list items = c->schemas.at[schema].decl->node->schema.fields, chosen;
	struct ir_layer layer;

	chosen.at = ARENA_ARRAY(c->arena, struct ast *, items.n + 1);
	chosen.n = 0;
	for (uint32_t i = 0; i < items.n; i++)
		if (items.at[i]->kind == AST_SET || items.at[i]->kind == AST_AMEND)
			chosen.at[chosen.n++] = items.at[i];
	if (chosen.n == 0)
		return;
	layer = lower_set_fields(c, e, chosen, c->schemas.at[schema].decl->span);
	for (uint32_t i = 0; i < layer.binding_count; i++) {
		struct ir_binding b = layer.bindings[i];
		struct ir_field *f = &c->p->schemas.at[schema].fields[b.slot];
		const struct type *t = without_none(f->type);
		ir_id old = f->value != IR_NO_NODE && f->type->kind == TYPE_RECORD ? f->value : IR_NO_NODE;

		set_default(c, schema, b.slot,
			    b.kind == BIND_SET ? b.what
					       : give_locals(c, &c->p->lists.at[b.locals], b.local_count,
							     ir_add(c->p, IR_LAYER, t, b.span, old,
								    b.what, 0)));
	}
}

static void lower_asserts(struct check *c, uint32_t schema, const struct env *e)
{
	struct ast_list items = c->schemas.at[schema].decl->node->schema.fields;
	uint32_t base = c->p->schemas.at[schema].base, inherited = 0, n = 0;
	struct ir_assert *asserts;

	if (base != IR_NONE)
		inherited = c->p->schemas.at[base].assert_count;
	asserts = ARENA_ARRAY(c->arena, struct ir_assert, inherited + items.n + 1);
	if (inherited > 0)
		memcpy(asserts, c->p->schemas.at[base].asserts, inherited * sizeof *asserts);
	n = inherited;
	for (uint32_t i = 0; i < items.n; i++)
		if (items.at[i]->kind == AST_ASSERT)
			asserts[n++] = lower_assert(c, e, items.at[i]);
	c->p->schemas.at[schema].asserts = asserts;
	c->p->schemas.at[schema].assert_count = n;
}

static void inherit_defaults(struct check *c, uint32_t schema)
{
	struct ir_schema *s = &c->p->schemas.at[schema];

	if (s->base == IR_NONE)
		return;
	schema_body(c, s->base);
	s = &c->p->schemas.at[schema];
	for (uint32_t i = 0; i < c->p->schemas.at[s->base].field_count; i++)
		if (!c->schemas.at[schema].overridden[i])
			s->fields[i].value = c->p->schemas.at[s->base].fields[i].value;
}

void schema_body(struct check *c, uint32_t schema)
{
	struct decl *d = c->schemas.at[schema].decl;
	struct env file = file_env(d->home), *e;
	struct ast_list items = d->node->schema.fields;
	struct lets *lets;

	if (d->state != DECL_NEW)
		return;
	d->state = DECL_BUSY;
	c->schemas.at[schema].overridden = ARENA_ARRAY(c->arena, bool, c->p->schemas.at[schema].field_count + 1);
	inherit_defaults(c, schema);
	e = record_env(c, &file, schema);
	lets = ARENA_NEW(c->arena, struct lets);
	collect_lets(c, e, items, lets);
	e->lets = lets;
	for (uint32_t i = 0; i < items.n; i++)
		if (items.at[i]->kind == AST_FIELD)
			lower_default(c, schema, e, items.at[i]);
	lower_overrides(c, schema, e);
	for (uint32_t i = 0; i < lets->n; i++)
		lower_let(c, e, lets->at[i], lets->at[i]->node->let.name.span);
	lower_asserts(c, schema, e);
	d->state = DECL_DONE;
}
