/* emit.c - emits: which target, what it is given, its options. */
#include "compiler/check/check_int.h"

static struct str target_file(struct check *c, struct sym target)
{
	struct out o;

	out_init(&o, c->arena);
	out_printf(&o, "targets/%s.plan", spell(c, target));
	return str_copy(c->arena, out_view(&o));
}

static bool is_target_schema(const struct check *c, const struct decl *d)
{
	return d && d->kind == DECL_SCHEMA &&
	       (!c->modules->prelude || d->home != c->modules->prelude);
}

void load_targets(struct check *c, struct module *m)
{
	struct sym asked = sym_of(c->names, c->in->target);

	if (c->in->target.n > 0 && !is_target_schema(c, module_find(m, asked)))
		names_load_library(c->modules, target_file(c, asked));
	for (uint32_t i = 0; i < m->tree->file.items.n; i++) {
		const struct ast *x = m->tree->file.items.at[i];

		if (x->kind == AST_EMIT && !is_target_schema(c, module_find(m, x->emit.target.sym)))
			names_load_library(c->modules, target_file(c, x->emit.target.sym));
	}
}

static uint32_t report_target(struct check *c, struct ast_name name)
{
	struct diag *d = diag_new(c->sink, E2501, name.span);
	struct suggestions s;
	struct str files[100];
	uint32_t all = names_library_list(c->modules, "targets/", files, PLAN_COUNT(files)), n = 0;

	diag_message(d, "there is no target `%s`", spell(c, name.sym));
	suggestions_init(&s, c->arena, sym_str(c->names, name.sym));
	/* A folder there holds parts of a target. */
	for (uint32_t i = 0; i < all; i++)
		if (!memchr(files[i].p, '/', files[i].n))
			files[n++] = files[i];
	for (uint32_t i = 0; i < n; i++)
		suggestions_add(&s, files[i], true);
	if (!diag_suggest(d, &s) && n > 0) {
		struct out o;

		out_init(&o, c->arena);
		for (uint32_t i = 0; i < n; i++)
			out_printf(&o, "%s%.*s", i > 0 ? ", " : "", (int)files[i].n, files[i].p);
		diag_note(d, "targets of the library: %.*s", (int)o.n, o.p);
	}
	diag_submit(d);
	return IR_NONE;
}

static uint32_t target_schema(struct check *c, struct module *m, struct ast_name name)
{
	struct decl *d = module_find(m, name.sym);
	uint32_t base = ir_find_schema(c->p, "target");
	struct module *library;
	struct diag *problem;

	if (d && d->kind == DECL_BROKEN)
		return IR_NONE;
	if (!is_target_schema(c, d)) {
		library = names_load_library(c->modules, target_file(c, name.sym));
		d = library ? module_find_own(library, name.sym) : NULL;
	}
	if (!d || d->kind != DECL_SCHEMA)
		return report_target(c, name);
	if (base != IR_NONE && ir_schema_extends(c->p, d->index, base))
		return d->index;
	problem = diag_new(c->sink, E2501, name.span);
	diag_message(problem, "`%s` is a schema, but not a target", spell(c, name.sym));
	diag_help(problem, "a target begins with `schema %s extends target`", spell(c, name.sym));
	diag_submit(problem);
	return IR_NONE;
}

/* The field of a target that holds what is emitted: its own for another kind of record, else `job`. */
static uint32_t candidate_slot(struct check *c, uint32_t target, const struct type *from)
{
	const struct ir_schema *s = &c->p->schemas.at[target];

	for (uint32_t i = s->field_count; i > 0; i--) {
		const struct ir_field *f = &s->fields[i - 1];

		if (f->type->kind == TYPE_RECORD && f->value == IR_NO_NODE && !f->native &&
		    ir_schema_extends(c->p, from->index, f->type->index))
			return i - 1;
	}
	return IR_NONE;
}

/* The first name of `a.sh` or `out/run.sh`; NULL for what reads like no path. */
static const struct ast *first_name(const struct ast *x)
{
	while (x->kind == AST_MEMBER || x->kind == AST_BINARY)
		x = x->kind == AST_MEMBER ? x->member.of : x->binary.left;
	return x->kind == AST_NAME ? x : NULL;
}

/* `to a.sh`, with names that mean nothing: the quotes are missing. */
static bool report_bare_path(struct check *c, const struct env *e, const struct ast *to)
{
	const struct ast *first = first_name(to);
	struct str text = source_slice(c->p->sources, to->span);
	struct out quoted;
	struct diag *d;

	if (!first || to == first || name_meaning(c, e, first->ident.name.sym, NULL).kind != MEANS_NOTHING)
		return false;
	out_init(&quoted, c->arena);
	out_printf(&quoted, "\"%.*s\"", (int)text.n, text.p);
	d = diag_new(c->sink, E1202, to->span);
	diag_message(d, "there is no `%s` here", spell(c, first->ident.name.sym));
	diag_help(d, "a path stands in quotes: `%.*s`", (int)quoted.n, quoted.p);
	diag_fix(d, to->span, out_view(&quoted), "put the path in quotes");
	diag_submit(d);
	return true;
}

/* A sweep is no value: only reports of planc itself take one. */
static bool lower_sweep(struct check *c, const struct env *e, struct ast *x, struct ir_emit *emit)
{
	uint32_t base = ir_find_schema(c->p, "report_target");
	struct decl *d = sweep_named(c, e, x->emit.from);
	struct diag *problem;

	if (!d && x->emit.from->kind == AST_NAME && emit->schema != IR_NONE && base != IR_NONE &&
	    ir_schema_extends(c->p, emit->schema, base) &&
	    name_meaning(c, e, x->emit.from->ident.name.sym, NULL).kind == MEANS_NOTHING) {
		report_no_sweep(c, e, x->emit.from);
		return true;
	}
	if (!d)
		return false;
	emit->from = IR_NO_NODE;
	if (d->kind != DECL_SWEEP || !sweep_header(c, d, x->emit.from->span) || emit->schema == IR_NONE)
		return true;
	if (base != IR_NONE && ir_schema_extends(c->p, emit->schema, base)) {
		emit->sweep = d->index;
		return true;
	}
	problem = diag_new(c->sink, E1101, x->emit.from->span);
	diag_message(problem, "target `%s` takes a job, and this is a sweep", spell(c, x->emit.target.sym));
	diag_help(problem, "its best candidate is `best(%s)`", spell(c, d->name));
	diag_submit(problem);
	return true;
}

static void lower_options(struct check *c, struct env *e, struct ast *x, struct ir_emit *emit, uint32_t slot)
{
	if (x->emit.options.n > 0)
		emit->layer = lower_layer(c, e, emit->schema, x->emit.options, (struct sym){ 0 }, x->span, slot);
	*VEC_ADD(c->arena, &c->p->emits) = *emit;
}

static void lower_emit(struct check *c, struct module *m, struct ast *x)
{
	struct env e = file_env(m);
	struct goal path = { .what = "the path of an artefact", .declared = SPAN_NONE };
	uint32_t schema = target_schema(c, m, x->emit.target), slot;
	struct ir_emit emit = { .schema = schema, .target = x->emit.target.sym, .layer = IR_NONE,
				.sweep = IR_NONE,
				.span = x->span, .to_span = x->emit.to->span };
	const struct type *from;

	bool sweep = lower_sweep(c, &e, x, &emit);

	if (!sweep)
		emit.from = infer(c, &e, x->emit.from, NULL);
	emit.to = report_bare_path(c, &e, x->emit.to) ? ir_add_poison(c->p, x->emit.to->span)
						      : lower(c, &e, x->emit.to, c->t.string, &path);
	if (sweep) {
		if (emit.sweep != IR_NONE && !is_poison(ir_type(c->p, emit.to)))
			lower_options(c, &e, x, &emit, IR_NONE);
		return;
	}
	from = ir_type(c->p, emit.from);
	if (schema == IR_NONE || is_poison(from) || is_poison(ir_type(c->p, emit.to)))
		return;
	if (from->kind != TYPE_RECORD) {
		diag_report(c->sink, E1101, x->emit.from->span, "a record is emitted, but this is %s",
			    type_phrase(c, from));
		return;
	}
	slot = candidate_slot(c, schema, from);
	if (slot == IR_NONE) {
		diag_report(c->sink, E1101, x->emit.from->span, "target `%s` does not take %s",
			    spell(c, x->emit.target.sym), type_phrase(c, from));
		return;
	}
	lower_options(c, &e, x, &emit, slot);
}

void lower_emits(struct check *c, struct module *m)
{
	struct ast_name asked = { .sym = sym_of(c->names, c->in->target), .span = SPAN_NONE };

	if (c->in->target.n > 0)
		c->p->target = target_schema(c, m, asked);
	for (uint32_t i = 0; i < m->tree->file.items.n; i++)
		if (m->tree->file.items.at[i]->kind == AST_EMIT)
			lower_emit(c, m, m->tree->file.items.at[i]);
}
