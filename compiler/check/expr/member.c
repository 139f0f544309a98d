/* member.c - what stands behind a dot, and between brackets. */
#include "compiler/check/check_int.h"

const struct type *layout_member_type(struct check *c, enum layout_member m)
{
	uint32_t kinds;

	switch (m) {
	case LAYOUT_KIND:
		kinds = ir_find_enum(c->p, "layout_kind");
		return kinds == IR_NONE
			       ? c->t.poison
			       : type_of(c->p->types, (struct type){ .kind = TYPE_ENUM, .index = kinds });
	case LAYOUT_STAGES:
	case LAYOUT_LAYERS:
	case LAYOUT_MTP:
	case LAYOUT_MTP_STAGE:
	case LAYOUT_ENTRIES:
	case LAYOUT_FIRST:
	case LAYOUT_LAST:
	case LAYOUT_LARGEST:
		return type_option(c->p->types, c->t.integer);
	case LAYOUT_EMBEDDING:
	case LAYOUT_LOSS:
		return c->t.integer;
	case LAYOUT_PER_STAGE:
		return type_list(c->p->types, c->t.integer);
	case LAYOUT_TEXT:
		return c->t.string;
	case LAYOUT_WELL_FORMED:
	case LAYOUT_MTP_WELL_PLACED:
		return c->t.boolean;
	case LAYOUT_MEMBER_COUNT:
		break;
	}
	return c->t.poison;
}

static ir_id lower_layout_member(struct check *c, struct ast *x, ir_id of)
{
	struct str name = sym_str(c->names, x->member.name.sym);
	struct suggestions s;
	struct diag *d;

	for (uint32_t i = 0; i < LAYOUT_MEMBER_COUNT; i++)
		if (str_is(name, layout_member_names[i]))
			return ir_add(c->p, IR_LAYOUT_MEMBER,
				      layout_member_type(c, (enum layout_member)i), x->span, of, i, 0);
	d = diag_new(c->sink, E1201, x->member.name.span);
	diag_message(d, "a layout has no `%s`", name.p);
	suggestions_init(&s, c->arena, name);
	for (uint32_t i = 0; i < LAYOUT_MEMBER_COUNT; i++)
		suggestions_add(&s, str_of(layout_member_names[i]), true);
	diag_suggest(d, &s);
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

/* ---- the left side is the name of a type or of a file ---------------------------------------- */

/* `zero.optimizer`, `recompute.full`: a value of an enum or a preset. False when it has none. */
static bool lower_type_member(struct check *c, const struct decl *d, struct ast *x, ir_id *node)
{
	struct sym name = x->member.name.sym;
	uint32_t found;

	if (d->kind == DECL_ENUM) {
		found = enum_find(c, d->index, name);
		if (found != IR_NONE)
			*node = ir_add_enum(c->p, type_of(c->p->types, (struct type){ .kind = TYPE_ENUM, .index = d->index }),
					    x->span, found);
		return found != IR_NONE;
	}
	if (d->kind != DECL_SCHEMA)
		return false;
	found = preset_find(c, d->index, name);
	if (found != IR_NONE)
		*node = lower_global(c, found, x->span);
	return found != IR_NONE;
}

static ir_id report_type_member(struct check *c, const struct decl *d, struct ast *x)
{
	struct ast_name name = x->member.name;
	struct diag *problem = diag_new(c->sink, E1202, name.span);
	struct suggestions s;

	suggestions_init(&s, c->arena, sym_str(c->names, name.sym));
	if (d->kind == DECL_ENUM) {
		const struct ir_enum *e = &c->p->enums.at[d->index];

		diag_message(problem, "enum `%s` has no value `%s`", spell(c, d->name),
			     spell(c, name.sym));
		for (uint32_t i = 0; i < e->count; i++)
			suggestions_add(&s, sym_str(c->names, e->values[i]), true);
	} else {
		const struct schema_info *info = &c->schemas.at[d->index];

		diag_message(problem, "schema `%s` has no preset `%s`", spell(c, d->name),
			     spell(c, name.sym));
		for (uint32_t i = 0; i < info->presets.n; i++)
			suggestions_add(&s, sym_str(c->names, c->p->globals.at[info->presets.at[i]].name),
					true);
	}
	diag_suggest(problem, &s);
	diag_submit(problem);
	return ir_add_poison(c->p, x->span);
}

static ir_id lower_module_member(struct check *c, const struct env *e, const struct module *m,
				 struct ast *x)
{
	struct ast_name name = x->member.name;
	struct decl *d = module_find_own(m, name.sym);
	struct ast use = { .kind = AST_NAME, .span = x->span };
	struct env of = file_env(e->module);
	struct suggestions s;
	struct diag *problem;

	if (d && d->kind != DECL_MODULE) {
		use.ident.name = name;
		of.module = d->home;
		return d->preset ? lower_global(c, d->index, x->span)
				 : lower_name(c, &of, &use, NULL);
	}
	problem = diag_new(c->sink, E1202, name.span);
	diag_message(problem, "`%s` declares no `%s`", source_get(c->p->sources, m->file)->path.p,
		     spell(c, name.sym));
	suggestions_init(&s, c->arena, sym_str(c->names, name.sym));
	for (uint32_t i = 0; i < m->decls.n; i++)
		suggestions_add(&s, sym_str(c->names, m->decls.at[i]->name), true);
	diag_suggest(problem, &s);
	diag_submit(problem);
	return ir_add_poison(c->p, x->span);
}

/* `file.x`: what the file declares or imports, past every field of the record around. */
static ir_id lower_file_member(struct check *c, const struct env *e, struct ast *x)
{
	struct ast use = { .kind = AST_NAME, .span = x->span };
	struct env of = file_env(e->module);

	use.ident.name = x->member.name;
	return lower_name(c, &of, &use, NULL);
}

/* ---- the left side is a value ---------------------------------------------------------------- */

static ir_id report_no_member(struct check *c, struct ast *x, ir_id of)
{
	const struct type *t = ir_type(c->p, of);
	struct diag *d;

	if (t->kind == TYPE_OPTION) {
		d = diag_new(c->sink, E1107, c->p->nodes.at[of].span);
		diag_message(d, "this may be `none`, which has no `%s`", spell(c, x->member.name.sym));
		diag_help(d, "ask `!= none` first, or say what holds then with `?? ...`");
	} else {
		d = diag_new(c->sink, E1105, x->member.name.span);
		diag_message(d, "%s has no members", type_phrase(c, t));
		if (t->kind == TYPE_LIST || t->kind == TYPE_TABLE)
			diag_help(d, "an element is written `[0]`, the number of them `len(...)`");
		if (t->kind == TYPE_MAP)
			diag_help(d, "the value of a key is written `[key]`");
	}
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

static ir_id lower_field(struct check *c, struct ast *x, ir_id of)
{
	const struct type *t = ir_type(c->p, of);
	struct ast_name name = x->member.name;
	const struct ir_field *f;
	struct diag *d;
	uint32_t slot;

	if (is_poison(t))
		return ir_add_poison(c->p, x->span);
	if (t->kind == TYPE_LAYOUT)
		return lower_layout_member(c, x, of);
	if (t->kind != TYPE_RECORD)
		return report_no_member(c, x, of);
	slot = field_find(c, t->index, name.sym);
	if (slot != IR_NONE) {
		f = &c->p->schemas.at[t->index].fields[slot];
		return is_poison(f->type) ? ir_add_poison(c->p, x->span)
					  : ir_add(c->p, IR_FIELD, f->type, x->span, of, slot, 0);
	}
	d = diag_new(c->sink, E1201, name.span);
	diag_message(d, "`%s` has no field `%s`", type_text(c, t), spell(c, name.sym));
	suggest_fields(c, d, t->index, sym_str(c->names, name.sym), NULL);
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

static bool has_member(struct check *c, const struct type *t, struct sym name)
{
	if (t->kind == TYPE_OPTION)
		t = t->of;
	return is_poison(t) || t->kind == TYPE_LAYOUT ||
	       (t->kind == TYPE_RECORD && field_find(c, t->index, name) != IR_NONE);
}

/* The left side is a name. A value that has the member comes first, then a type that has it. */
static ir_id lower_name_member(struct check *c, const struct env *e, struct ast *x)
{
	struct ast_name left = x->member.of->ident.name;
	struct meaning m = name_meaning(c, e, left.sym, NULL);
	struct decl *type = find_decl(c, e->module, left.sym);
	ir_id of, node;

	if (m.kind == MEANS_NOTHING && sym_equal(left.sym, c->sym_file))
		return lower_file_member(c, e, x);
	if (m.kind == MEANS_DECL && m.decl->kind == DECL_MODULE)
		return lower_module_member(c, e, m.decl->module, x);
	if (type && type->kind != DECL_ENUM && type->kind != DECL_SCHEMA && c->modules->prelude)
		type = module_find(c->modules->prelude, left.sym);
	if (m.kind == MEANS_SLOT && type &&
	    !has_member(c, c->p->schemas.at[e->schema].fields[m.index].type, x->member.name.sym) &&
	    lower_type_member(c, type, x, &node))
		return node;
	if (m.kind == MEANS_DECL && (m.decl->kind == DECL_ENUM || m.decl->kind == DECL_SCHEMA))
		return lower_type_member(c, m.decl, x, &node) ? node : report_type_member(c, m.decl, x);
	of = infer(c, e, x->member.of, NULL);
	if (type && !has_member(c, ir_type(c->p, of), x->member.name.sym) &&
	    lower_type_member(c, type, x, &node))
		return node;
	return lower_field(c, x, of);
}

/* `m.schema.preset`, with m an imported file. */
static struct decl *module_type(struct check *c, const struct env *e, const struct ast *x)
{
	struct meaning m;
	struct decl *d;

	if (x->kind != AST_MEMBER || x->member.of->kind != AST_NAME)
		return NULL;
	m = name_meaning(c, e, x->member.of->ident.name.sym, NULL);
	if (m.kind != MEANS_DECL || m.decl->kind != DECL_MODULE)
		return NULL;
	d = module_find_own(m.decl->module, x->member.name.sym);
	return d && (d->kind == DECL_ENUM || d->kind == DECL_SCHEMA) ? d : NULL;
}

ir_id lower_member(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	struct decl *type;
	ir_id node;

	(void)hint;
	if (x->member.of->kind == AST_NAME)
		return narrow(c, e, x, lower_name_member(c, e, x));
	type = module_type(c, e, x->member.of);
	if (type)
		return lower_type_member(c, type, x, &node) ? node : report_type_member(c, type, x);
	return narrow(c, e, x, lower_field(c, x, infer(c, e, x->member.of, NULL)));
}

/* ---- brackets -------------------------------------------------------------------------------- */

static ir_id index_tuple(struct check *c, struct ast *x, ir_id of, ir_id at)
{
	const struct type *t = ir_type(c->p, of);
	const struct ir_constant *k = ir_constant_of(c->p, at);
	int64_t i;

	if (k && num_fits_int64(k->number, &i) && i >= 0 && i < (int64_t)t->count)
		return ir_add(c->p, IR_INDEX, t->items[i], x->span, of, at, 0);
	diag_report(c->sink, E1105, x->index.at->span, "%s has the places 0 to %u, written out",
		    type_phrase(c, t), t->count - 1);
	return ir_add_poison(c->p, x->span);
}

static ir_id report_no_elements(struct check *c, struct ast *x, ir_id of)
{
	const struct type *t = ir_type(c->p, of);
	struct diag *d;

	if (is_poison(t))
		return of;
	d = diag_new(c->sink, t->kind == TYPE_OPTION ? E1107 : E1105, c->p->nodes.at[of].span);
	diag_message(d, t->kind == TYPE_OPTION ? "this may be `none`, which has no elements"
					       : "%s has no elements", type_phrase(c, t));
	if (t->kind == TYPE_OPTION)
		diag_help(d, t->of->kind == TYPE_MAP ? "ask `!= none` first"
						     : "ask `!= none` first, or say what holds then with `?? []`");
	diag_submit(d);
	return ir_add_poison(c->p, x->span);
}

ir_id lower_index(struct check *c, const struct env *e, struct ast *x)
{
	struct goal place = { .what = "the place in a list", .declared = SPAN_NONE };
	struct goal key = { .what = "the key of the map", .declared = SPAN_NONE };
	ir_id of = infer(c, e, x->index.of, NULL), at;
	const struct type *t = ir_type(c->p, of);
	bool map = t->kind == TYPE_MAP;

	if (!map && t->kind != TYPE_TUPLE && t->kind != TYPE_LIST && t->kind != TYPE_TABLE)
		return report_no_elements(c, x, of);
	at = lower(c, e, x->index.at, map ? t->of->items[0] : c->t.integer, map ? &key : &place);
	if (is_poison(ir_type(c->p, at)))
		return ir_add_poison(c->p, x->span);
	if (t->kind == TYPE_TUPLE)
		return index_tuple(c, x, of, at);
	return ir_add(c->p, IR_INDEX, map ? t->of->items[1] : t->of, x->span, of, at, 0);
}
