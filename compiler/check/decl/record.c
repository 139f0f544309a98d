/* record.c - records as they are written: braces become layers, nested braces layers over slots. */
#include "compiler/check/check_int.h"

struct env *record_env(struct check *c, const struct env *outer, uint32_t schema)
{
	struct env *e = ARENA_NEW(c->arena, struct env);
	const struct fact *kept = NULL;

	*e = *outer;
	e->schema = schema;
	e->record = ++c->records;
	e->own = IR_NONE;
	e->candidate = IR_NONE;
	e->lets = NULL;
	e->captures = NULL;
	e->outer = outer->schema != IR_NONE || outer->outer ? outer : NULL;
	/* What is known about fields of the record around says nothing about this one's. */
	for (const struct fact *f = outer->facts; f; f = f->older) {
		struct fact *copy;

		if (!f->path.root)
			continue;
		copy = ARENA_NEW(c->arena, struct fact);
		copy->path = f->path;
		copy->older = kept;
		kept = copy;
	}
	e->facts = kept;
	return e;
}

struct goal field_goal(struct check *c, uint32_t schema, uint32_t slot)
{
	const struct ir_field *f = &c->p->schemas.at[schema].fields[slot];
	struct out o;

	out_init(&o, c->arena);
	out_printf(&o, "`%s`", spell(c, f->name));
	return (struct goal){ .what = str_copy(c->arena, out_view(&o)).p, .declared = f->span };
}

/* ---- collecting what braces say about each slot ---------------------------------------------- */

struct use {
	uint32_t slot;
	struct span span;            /* of the name */
	struct ast *value;           /* path = value; NULL when amended */
	VEC(struct entry) amends;
};

struct braces {
	struct check *c;
	uint32_t schema;
	struct sym name;             /* of the record, or absent */
	VEC(struct use) uses;
	struct map by_slot;          /* slot -> index into uses */
	VEC(struct ast *) lets, asserts;
};

static void report_field(struct braces *b, struct ast_name name, const struct ast *value)
{
	struct check *c = b->c;
	struct diag *d = diag_new(c->sink, E1201, name.span);

	diag_message(d, "`%s` has no field `%s`", spell(c, c->p->schemas.at[b->schema].name),
		     spell(c, name.sym));
	suggest_fields(c, d, b->schema, sym_str(c->names, name.sym), value);
	diag_submit(d);
}

static void report_final(struct braces *b, struct ast_name name, const struct ir_field *f)
{
	struct check *c = b->c;
	struct diag *d = diag_new(c->sink, E1206, name.span);
	const struct ir_node *value = f->value != IR_NO_NODE ? &c->p->nodes.at[f->value] : NULL;

	if (f->native) {
		diag_message(d, "`%s` is a result of the cost model and cannot be set", spell(c, name.sym));
	} else {
		diag_message(d, "`%s` follows from other fields and cannot be set", spell(c, name.sym));
		if (value && value->span.file != SPAN_NONE.file) {
			struct str text = source_slice(c->p->sources, value->span);

			if (!memchr(text.p, '\n', text.n))
				diag_note(d, "%s = %.*s", spell(c, name.sym), (int)text.n, text.p);
		}
	}
	diag_submit(d);
}

static void report_second(struct braces *b, const struct use *first, struct span span, bool amended)
{
	struct check *c = b->c;
	const char *name = spell(c, c->p->schemas.at[b->schema].fields[first->slot].name);
	struct diag *d = diag_new(c->sink, E1208, span);

	diag_message(d, "`%s` is set twice in one block", name);
	diag_label(d, first->span, "first here");
	if (amended)
		diag_help(d, "to change fields of a value write `%s = ... with { ... }`", name);
	diag_submit(d);
}

static struct use *find_use(struct braces *b, uint32_t slot)
{
	uint32_t at = map_find(&b->by_slot, slot);

	return at == MAP_NONE ? NULL : &b->uses.at[at];
}

/* The slot a path begins with; false after reporting. */
static bool slot_of(struct braces *b, struct ast *item, uint32_t skip, uint32_t *slot, struct ast_name *name)
{
	const struct ast *path = item->kind == AST_SET ? item->set.path : item->amend.path;
	const struct ir_field *f;

	if (path->kind != AST_PATH || path->path.parts.n <= skip ||
	    path->path.parts.at[skip]->kind != AST_NAME_REF)
		return false;
	*name = path->path.parts.at[skip]->name_ref.name;
	*slot = field_find(b->c, b->schema, name->sym);
	if (*slot == IR_NONE) {
		report_field(b, *name, item->kind == AST_SET ? item->set.value : NULL);
		return false;
	}
	f = &b->c->p->schemas.at[b->schema].fields[*slot];
	if (f->final || f->native) {
		report_final(b, *name, f);
		return false;
	}
	return true;
}

static uint32_t parts_left(const struct ast *item, uint32_t skip)
{
	return (item->kind == AST_SET ? item->set.path : item->amend.path)->path.parts.n - skip;
}

static void add_use(struct braces *b, struct ast *item, uint32_t skip)
{
	struct arena *a = b->c->arena;
	bool set = false;
	uint32_t slot;
	struct ast_name name;
	struct use *use;

	if (!slot_of(b, item, skip, &slot, &name))
		return;
	set = item->kind == AST_SET && parts_left(item, skip) == 1;
	use = find_use(b, slot);
	if (use && (set || use->value)) {
		report_second(b, use, name.span, !set || !use->value);
		return;
	}
	if (!use) {
		map_set(&b->by_slot, slot, b->uses.n);
		use = VEC_ADD(a, &b->uses);
		*use = (struct use){ .slot = slot, .span = name.span };
	}
	if (set) {
		use->value = item->set.value;
		return;
	}
	if (item->kind == AST_SET || parts_left(item, skip) > 1) {
		*VEC_ADD(a, &use->amends) = (struct entry){ item, skip + 1 };
		return;
	}
	for (uint32_t i = 0; i < item->amend.fields.n; i++)
		*VEC_ADD(a, &use->amends) = (struct entry){ item->amend.fields.at[i], 0 };
}

static void add_entry(struct braces *b, const struct entry *entry)
{
	struct ast *item = entry->ast;
	struct diag *d;

	if (item->kind == AST_SET || item->kind == AST_AMEND) {
		add_use(b, item, entry->skip);
	} else if (item->kind == AST_LET) {
		*VEC_ADD(b->c->arena, &b->lets) = item;
	} else if (item->kind == AST_ASSERT) {
		*VEC_ADD(b->c->arena, &b->asserts) = item;
	} else if (item->kind == AST_FIELD) {
		d = diag_new(b->c->sink, E1207, item->field.name.span);
		diag_message(d, "fields are declared in a schema, this is a record");
		diag_help(d, "to set the field write `%s = ...`", spell(b->c, item->field.name.sym));
		diag_submit(d);
	}
}

/* ---- lowering ------------------------------------------------------------------------------- */

static bool lower_amend(struct braces *b, const struct env *e, const struct use *use,
			struct ir_binding *binding)
{
	struct check *c = b->c;
	const struct type *t = without_none(c->p->schemas.at[b->schema].fields[use->slot].type);

	if (is_poison(t))
		return false;
	if (t->kind != TYPE_RECORD) {
		diag_report(c->sink, E1105, use->span, "`%s` is %s, which has no fields to set",
			    spell(c, c->p->schemas.at[b->schema].fields[use->slot].name),
			    type_phrase(c, t));
		return false;
	}
	lower_block(c, e, t->index, use->amends.at, use->amends.n, binding);
	return true;
}

static void lower_use(struct braces *b, const struct env *e, const struct use *use, struct ir_layer *layer)
{
	struct check *c = b->c;
	struct ir_binding binding = { .slot = use->slot, .kind = BIND_SET, .span = use->span };
	struct goal goal = field_goal(c, b->schema, use->slot);
	const struct type *type = c->p->schemas.at[b->schema].fields[use->slot].type;

	if (use->value) {
		binding.what = lower_binding(c, e, use->slot, use->value, type, &goal);
		lint_memory(c, e, c->p->schemas.at[b->schema].fields[use->slot].name, type, use->value);
	} else if (!lower_amend(b, e, use, &binding)) {
		return;
	}
	layer->bindings[layer->binding_count++] = binding;
}

static struct ast_list list_of(struct ast **at, uint32_t n)
{
	return (struct ast_list){ at, n };
}

/* Whether a value is plainly there: written out in place. */
static bool written_out(const struct ast *x)
{
	return x->kind == AST_NUMBER || x->kind == AST_QUANTITY || x->kind == AST_STRING ||
	       x->kind == AST_TEMPLATE || x->kind == AST_TRUE || x->kind == AST_RECORD ||
	       x->kind == AST_WITH || x->kind == AST_LIST_OF;
}

/* In a text that gives `moe { ... }`, `moe` is not `none`. */
static void add_given(struct braces *b, struct env *e)
{
	for (uint32_t i = 0; i < b->uses.n; i++) {
		const struct use *use = &b->uses.at[i];
		struct fact *f;

		if (use->value && !written_out(use->value))
			continue;
		f = ARENA_NEW(b->c->arena, struct fact);
		f->path = (struct path){ .record = e->record, .slot = use->slot };
		f->older = e->facts;
		e->facts = f;
	}
}

static void collect_entries(struct braces *b, const struct entry *entries, uint32_t n)
{
	map_init(&b->by_slot, b->c->arena);
	for (uint32_t i = 0; i < n; i++)
		add_entry(b, &entries[i]);
}

static struct ir_layer lower_uses(struct braces *b, const struct env *e, struct span span)
{
	struct ir_layer layer = { .schema = b->schema, .name = b->name, .span = span };

	layer.bindings = ARENA_ARRAY(b->c->arena, struct ir_binding, b->uses.n + 1);
	for (uint32_t i = 0; i < b->uses.n; i++)
		lower_use(b, e, &b->uses.at[i], &layer);
	return layer;
}

uint32_t lower_entries(struct check *c, const struct env *outer, uint32_t schema,
		       const struct entry *entries, uint32_t n, struct sym name, struct span span,
		       uint32_t candidate)
{
	struct braces b = { .c = c, .schema = schema, .name = name };
	struct env *e = record_env(c, outer, schema);
	struct lets *lets = ARENA_NEW(c->arena, struct lets);
	struct ir_layer layer;

	collect_entries(&b, entries, n);
	add_given(&b, e);
	e->candidate = candidate;
	e->lets = lets;
	collect_lets(c, e, list_of(b.lets.at, b.lets.n), lets);
	layer = lower_uses(&b, e, span);
	layer.asserts = ARENA_ARRAY(c->arena, struct ir_assert, b.asserts.n + 1);
	for (uint32_t i = 0; i < lets->n; i++)
		lower_let(c, e, lets->at[i], lets->at[i]->node->let.name.span);
	for (uint32_t i = 0; i < b.asserts.n; i++)
		layer.asserts[layer.assert_count++] = lower_assert(c, e, b.asserts.at[i]);
	*VEC_ADD(c->arena, &c->p->layers) = layer;
	return c->p->layers.n - 1;
}

struct ir_layer lower_set_fields(struct check *c, const struct env *schema_env, struct ast_list fields,
				 struct span span)
{
	struct braces b = { .c = c, .schema = schema_env->schema };
	struct entry *entries = ARENA_ARRAY(c->arena, struct entry, fields.n + 1);
	struct env e = *schema_env;

	for (uint32_t i = 0; i < fields.n; i++)
		entries[i].ast = fields.at[i];
	collect_entries(&b, entries, fields.n);
	add_given(&b, &e);
	return lower_uses(&b, &e, span);
}

uint32_t lower_layer(struct check *c, const struct env *e, uint32_t schema, struct ast_list fields,
		     struct sym name, struct span span, uint32_t candidate)
{
	struct entry *entries = ARENA_ARRAY(c->arena, struct entry, fields.n + 1);

	for (uint32_t i = 0; i < fields.n; i++)
		entries[i].ast = fields.at[i];
	return lower_entries(c, e, schema, entries, fields.n, name, span, candidate);
}

ir_id lower_record(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	const struct type *t = strip_option(hint);
	struct diag *d;
	uint32_t layer;

	if (t && t->kind == TYPE_RECORD) {
		layer = lower_layer(c, e, t->index, x->record.fields, (struct sym){ 0 }, x->span, IR_NONE);
		return ir_add(c->p, IR_LAYER, t, x->span, IR_NO_NODE, layer, 0);
	}
	d = diag_new(c->sink, t ? E1101 : E1108, x->span);
	if (t) {
		diag_message(d, "%s is needed here, but this is a record", type_phrase(c, t));
		if (t->kind == TYPE_MAP)
			diag_help(d, "a map is written as its pairs: `[(key, value), ...]`");
	} else {
		diag_message(d, "nothing says which schema this record has");
		diag_help(d, "give the name a type, or write it where a record is expected");
	}
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

ir_id lower_with(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	ir_id base = infer(c, e, x->with.base, hint);
	const struct type *t = ir_type(c->p, base);
	struct diag *d;
	uint32_t layer;

	if (is_poison(t))
		return base;
	if (t->kind == TYPE_RECORD) {
		layer = lower_layer(c, e, t->index, x->with.fields, (struct sym){ 0 }, x->span, IR_NONE);
		return ir_add(c->p, IR_LAYER, t, x->span, base, layer, 0);
	}
	d = diag_new(c->sink, t->kind == TYPE_OPTION ? E1107 : E1105, c->p->nodes.at[base].span);
	if (t->kind == TYPE_OPTION)
		diag_message(d, "this may be `none`, which has no fields to change");
	else
		diag_message(d, "`with` changes fields of a record, but this is %s", type_phrase(c, t));
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}
