/* scope.c - what a name means where it is used. */
#include "compiler/check/check_int.h"

bool is_value(const struct decl *d)
{
	return d->kind == DECL_LET || d->kind == DECL_PARAM || d->kind == DECL_INSTANCE ||
	       d->kind == DECL_TABLE;
}

struct decl *find_decl(const struct check *c, const struct module *m, struct sym name)
{
	struct decl *d = module_find(m, name);

	if (!d && c->modules->prelude && m != c->modules->prelude)
		d = module_find(c->modules->prelude, name);
	return d;
}

uint32_t enum_find(const struct check *c, uint32_t number, struct sym value)
{
	return map_find(&c->enums.at[number], value.id);
}

uint32_t field_find(const struct check *c, uint32_t schema, struct sym name)
{
	return map_find(&c->schemas.at[schema].by_name, name.id);
}

uint32_t preset_find(const struct check *c, uint32_t schema, struct sym name)
{
	for (; schema != IR_NONE; schema = c->p->schemas.at[schema].base) {
		const struct schema_info *info = &c->schemas.at[schema];

		for (uint32_t i = 0; i < info->presets.n; i++)
			if (sym_equal(c->p->globals.at[info->presets.at[i]].name, name))
				return info->presets.at[i];
	}
	return IR_NONE;
}

static const struct local *find_local(const struct env *e, struct sym name)
{
	for (const struct local *l = e->locals; l; l = l->outer)
		if (!l->captured && sym_equal(l->name, name))
			return l;
	return NULL;
}

static struct let *find_let(const struct lets *lets, struct sym name)
{
	uint32_t at = lets && lets->n > 0 ? map_find(&lets->by_name, name.id) : MAP_NONE;

	return at == MAP_NONE ? NULL : lets->at[at];
}

/* Names of the record whose text this is, then `let`s of the records around it. */
static bool record_meaning(struct check *c, const struct env *e, struct sym name, struct meaning *m)
{
	uint32_t slot;

	m->let = find_let(e->lets, name);
	if (m->let) {
		m->kind = MEANS_LET;
		return true;
	}
	if (e->candidate != IR_NONE) {
		const struct type *t = c->p->schemas.at[e->schema].fields[e->candidate].type;

		m->index = field_find(c, t->index, name);
		m->kind = MEANS_CANDIDATE;
		if (m->index != IR_NONE)
			return true;
	}
	slot = e->schema != IR_NONE ? field_find(c, e->schema, name) : IR_NONE;
	if (slot != IR_NONE) {
		m->kind = MEANS_SLOT;
		m->index = slot;
		return true;
	}
	for (const struct env *o = e->outer; o; o = o->outer) {
		m->let = find_let(o->lets, name);
		m->kind = MEANS_OUTER_LET;
		if (m->let)
			return true;
	}
	return false;
}

/* A declaration that yields a value, and not an instance of a schema other than the one expected: a job
 * called `simumax` does not stand in the way of `profile = simumax`. */
static bool hides_preset(struct check *c, struct decl *d, uint32_t schema)
{
	struct decl *kind;

	if (d->kind != DECL_INSTANCE)
		return d->kind == DECL_LET || d->kind == DECL_PARAM || d->kind == DECL_TABLE;
	kind = find_decl(c, d->home, d->node->instance.schema.sym);
	return !kind || kind->kind != DECL_SCHEMA || ir_schema_extends(c->p, kind->index, schema);
}

struct meaning name_meaning(struct check *c, const struct env *e, struct sym name,
			    const struct type *hint)
{
	struct meaning m = { .kind = MEANS_NOTHING, .type = strip_option(hint) };
	uint32_t preset = IR_NONE;

	if (m.type && m.type->kind == TYPE_ENUM) {
		m.index = enum_find(c, m.type->index, name);
		m.kind = MEANS_ENUM_VALUE;
		if (m.index != IR_NONE)
			return m;
	}
	m.local = find_local(e, name);
	m.kind = MEANS_LOCAL;
	if (m.local || record_meaning(c, e, name, &m))
		return m;
	if (m.type && m.type->kind == TYPE_RECORD)
		preset = preset_find(c, m.type->index, name);
	m.decl = find_decl(c, e->module, name);
	m.kind = MEANS_DECL;
	if (m.decl && (preset == IR_NONE || hides_preset(c, m.decl, m.type->index)))
		return m;
	m.kind = preset != IR_NONE ? MEANS_PRESET : MEANS_NOTHING;
	m.index = preset;
	return m;
}

/* ---- values of names ------------------------------------------------------------------------- */

ir_id lower_global(struct check *c, uint32_t global, struct span span)
{
	struct decl *d = c->globals.at[global];

	if (d && (d->kind == DECL_LET || d->kind == DECL_PARAM) && !ensure(c, d, span))
		return ir_add_poison(c->p, span);
	if (d && d->kind == DECL_INSTANCE && !instance_header(c, d, span))
		return ir_add_poison(c->p, span);
	if (d && d->state == DECL_NEW && d->home->library)
		*VEC_ADD(c->arena, &c->wanted) = d;
	if (is_poison(c->p->globals.at[global].type))
		return ir_add_poison(c->p, span);
	return ir_add(c->p, IR_GLOBAL, c->p->globals.at[global].type, span, global, 0, 0);
}

static ir_id lower_decl(struct check *c, struct decl *d, struct span span)
{
	struct diag *problem;

	if (is_value(d))
		return lower_global(c, d->index, span);
	if (d->kind != DECL_BROKEN) {
		problem = diag_new(c->sink, E1207, span);
		diag_message(problem, "`%s` is %s, not a value", spell(c, d->name),
			     decl_kind_text(d->kind));
		if (d->kind == DECL_FN)
			diag_help(problem, "call it: `%s(...)`", spell(c, d->name));
		if (d->kind == DECL_SCHEMA || d->kind == DECL_ENUM)
			help_elsewhere(c, problem, d->name);
		if (d->kind == DECL_MODULE)
			diag_help(problem, "what it declares is written `%s.NAME`", spell(c, d->name));
		if (d->kind == DECL_SWEEP)
			diag_help(problem, "choose of its candidates: `best(%s)`, `top(%s, 10)`, `all(%s)`",
				  spell(c, d->name), spell(c, d->name), spell(c, d->name));
		diag_submit(problem);
	}
	return ir_add_poison(c->p, span);
}

static ir_id lower_slot(struct check *c, const struct env *e, uint32_t slot, struct ast_name name)
{
	const struct ir_field *f = &c->p->schemas.at[e->schema].fields[slot];
	struct diag *d;

	if (slot != e->own)
		return is_poison(f->type) ? ir_add_poison(c->p, name.span)
					  : ir_add(c->p, IR_SLOT, f->type, name.span, slot, 0, 0);
	d = diag_new(c->sink, E1204, name.span);
	diag_message(d, "field `%s` refers to itself", spell(c, name.sym));
	if (module_find(e->module, name.sym) && is_value(module_find(e->module, name.sym)))
		diag_help(d, "`file.%s` names the one of the file", spell(c, name.sym));
	else if (f->type->kind == TYPE_RECORD)
		diag_help(d, "to change some of its fields write `%s { ... }`", spell(c, name.sym));
	diag_submit(d);
	return ir_add_poison(c->p, name.span);
}

static ir_id lower_local(struct check *c, const struct env *e, const struct local *l, struct span span)
{
	if (is_poison(l->type))
		return ir_add_poison(c->p, span);
	return ir_add(c->p, IR_LOCAL, l->type, span, e->level - 1 - l->level, 0, 0);
}

/* A `let` of a record around this one: shared when it does not depend on that record; else it has to come
 * in as a local, which let.c arranges when it sees the capture. */
static ir_id lower_outer_let(struct check *c, const struct env *e, struct let *let, struct span span)
{
	const struct env *o = e->outer;
	ir_id value;

	for (const struct local *l = e->locals; l; l = l->outer)
		if (l->captured == let)
			return lower_local(c, e, l, span);
	value = lower_let(c, e, let, span);
	if (is_poison(ir_type(c->p, value)) || !ir_reads_self(c->p, value))
		return value;
	while (o && find_let(o->lets, let->name) != let)
		o = o->outer;
	invariant(o && o->captures, "a nested record reads a `let` that nothing passes on");
	*VEC_ADD(c->arena, &o->captures->lets) = let;
	return ir_add_poison(c->p, span);
}

static ir_id lower_candidate(struct check *c, const struct env *e, uint32_t slot, struct span span)
{
	const struct ir_field *job = &c->p->schemas.at[e->schema].fields[e->candidate];
	ir_id record = ir_add(c->p, IR_SLOT, job->type, span, e->candidate, 0, 0);

	return ir_add(c->p, IR_FIELD, c->p->schemas.at[job->type->index].fields[slot].type, span, record,
		      slot, 0);
}

/* The value of a `let` at the place of its use: drawings put it under the name. Only the top node is
 * copied, its operands are shared. */
static ir_id at_use(struct check *c, ir_id node, struct span use)
{
	struct ir_node n = c->p->nodes.at[node];

	return n.op == IR_POISON ? node : ir_add(c->p, n.op, n.type, use, n.a, n.b, n.c);
}

ir_id lower_name(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	struct ast_name name = x->ident.name;
	struct meaning m = name_meaning(c, e, name.sym, hint);

	switch (m.kind) {
	case MEANS_NOTHING:
		return report_unknown(c, e, name, hint);
	case MEANS_ENUM_VALUE:
		return ir_add_enum(c->p, m.type, x->span, m.index);
	case MEANS_LOCAL:
		return narrow(c, e, x, lower_local(c, e, m.local, x->span));
	case MEANS_LET:
		return narrow(c, e, x, at_use(c, lower_let(c, e, m.let, x->span), x->span));
	case MEANS_OUTER_LET:
		return narrow(c, e, x, at_use(c, lower_outer_let(c, e, m.let, x->span), x->span));
	case MEANS_SLOT:
		return narrow(c, e, x, lower_slot(c, e, m.index, name));
	case MEANS_CANDIDATE:
		return narrow(c, e, x, lower_candidate(c, e, m.index, x->span));
	case MEANS_DECL:
		return narrow(c, e, x, lower_decl(c, m.decl, x->span));
	case MEANS_PRESET:
		return lower_global(c, m.index, x->span);
	}
	return ir_add_poison(c->p, x->span);
}
