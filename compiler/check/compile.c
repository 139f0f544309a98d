/* compile.c - the front end in one call: the order in which everything is settled. */
#include "compiler/check/check_int.h"

#include "compiler/syntax/parse.h"

static void init_types(struct check *c)
{
	struct type_table *t = c->p->types;
	struct dimension one = { 0, 0, 0, 0, 0 };

	c->t.poison = type_simple(t, TYPE_POISON);
	c->t.any = type_simple(t, TYPE_ANY);
	c->t.none = type_simple(t, TYPE_NONE);
	c->t.boolean = type_simple(t, TYPE_BOOL);
	c->t.string = type_simple(t, TYPE_STRING);
	c->t.layout = type_simple(t, TYPE_LAYOUT);
	c->t.arg = type_simple(t, TYPE_ARG);
	c->t.integer = type_number(t, one, EXACT_INT);
	c->t.rational = type_number(t, one, EXACT_RATIONAL);
	c->t.real = type_number(t, one, EXACT_REAL);
	c->t.ratio = type_ratio(t);
}

/* ---- parameters from the command line --------------------------------------------------------- */

static void note_parameters(struct check *c, struct diag *d)
{
	uint32_t n = 0;
	struct out o;

	out_init(&o, c->arena);
	for (uint32_t i = 0; i < c->modules->root->decls.n; i++)
		if (c->modules->root->decls.at[i]->kind == DECL_PARAM)
			out_printf(&o, "%s`%s`", n++ > 0 ? ", " : "",
				   spell(c, c->modules->root->decls.at[i]->name));
	if (n > 0)
		diag_note(d, "its parameters are %.*s", (int)o.n, o.p);
	else
		diag_note(d, "it has none; a parameter is declared with `param NAME: TYPE = VALUE`");
}

static void report_parameter(struct check *c, struct str name)
{
	struct diag *d = diag_new(c->sink, E1209, SPAN_NONE);
	struct suggestions s;

	diag_message(d, "the plan has no parameter `%.*s`", (int)name.n, name.p);
	suggestions_init(&s, c->arena, name);
	for (uint32_t i = 0; i < c->modules->root->decls.n; i++)
		if (c->modules->root->decls.at[i]->kind == DECL_PARAM)
			suggestions_add(&s, sym_str(c->names, c->modules->root->decls.at[i]->name), true);
	if (!diag_suggest(d, &s) && s.names.n == 0)
		note_parameters(c, d);
	diag_submit(d);
}

void take_parameters(struct check *c)
{
	for (uint32_t i = 0; i < c->in->parameter_count; i++) {
		const struct parameter *given = &c->in->parameters[i];
		struct decl *d = module_find_own(c->modules->root, sym_of(c->names, given->name));
		struct parse_input parse = { c->arena, c->names, c->in->sources, c->sink, 0 };
		struct parse_result result;
		struct out o;

		if (!d || d->kind != DECL_PARAM) {
			report_parameter(c, given->name);
			continue;
		}
		out_init(&o, c->arena);
		out_printf(&o, "-p %.*s", (int)given->name.n, given->name.p);
		parse.file = sources_add(c->in->sources, out_view(&o), str_copy(c->arena, given->value), false);
		result = parse_expression(&parse);
		*VEC_ADD(c->arena, &c->overrides) = (struct override){ d, result.tree };
	}
}

/* ---- passes over all files ------------------------------------------------------------------- */

typedef void visit(struct check *c, struct decl *d);

static void each_own(struct check *c, struct module *m, enum decl_kind kind, visit *f)
{
	for (uint32_t k = 0; k < m->decls.n; k++)
		if (m->decls.at[k]->kind == kind)
			f(c, m->decls.at[k]);
}

/* Imports come before who imports them. */
static void each_decl(struct check *c, enum decl_kind kind, visit *f)
{
	for (uint32_t i = c->round.first; i < c->modules->all.n; i++)
		each_own(c, c->modules->all.at[i], kind, f);
	if (c->round.nested)
		each_own(c, c->round.nested, kind, f);
}

static void header_of_schema(struct check *c, struct decl *d)
{
	schema_header(c, d->index);
}

static void body_of_schema(struct check *c, struct decl *d)
{
	schema_body(c, d->index);
}

static void header_of_instance(struct check *c, struct decl *d)
{
	instance_header(c, d, d->span);
}

/* What a library file declares is lowered when it is used: a plan reads the efficiency tables of its own
 * device only. The prelude is always there, because its presets are found by name at run time. */
static void body_of(struct check *c, struct decl *d)
{
	if (!d->home->library || d->home->prelude || c->in->whole_library)
		ensure(c, d, d->span);
}

/* Lowers what is used so far and what that uses; the rest of the library is never evaluated. */
static void settle_library(struct check *c)
{
	struct module *root = c->modules->root;

	for (uint32_t i = 0; i < root->names.n; i++)
		if (root->names.at[i]->home->library)
			*VEC_ADD(c->arena, &c->wanted) = root->names.at[i];
	for (uint32_t i = 0; i < c->wanted.n; i++)
		ensure(c, c->wanted.at[i], c->wanted.at[i]->span);
	for (uint32_t i = 0; i < c->globals.n; i++)
		if (c->globals.at[i] && c->globals.at[i]->state == DECL_NEW)
			c->p->globals.at[i].value = ir_add_poison(c->p, c->globals.at[i]->span);
}

/* Presets are found by their schema, so they have to be there before any expression is looked at. */
static void register_preset(struct check *c, struct decl *d)
{
	struct decl *schema = d->preset ? find_decl(c, d->home, d->node->instance.schema.sym) : NULL;
	struct schema_info *info;
	struct diag *problem;

	if (!schema || schema->kind != DECL_SCHEMA)
		return;
	info = &c->schemas.at[schema->index];
	for (uint32_t i = 0; i < info->presets.n; i++) {
		if (!sym_equal(c->p->globals.at[info->presets.at[i]].name, d->name))
			continue;
		problem = diag_new(c->sink, E1203, d->span);
		diag_message(problem, "`%s` has the preset `%s` twice", spell(c, schema->name),
			     spell(c, d->name));
		diag_label(problem, c->p->globals.at[info->presets.at[i]].span, "first here");
		diag_submit(problem);
		return;
	}
	*VEC_ADD(c->arena, &info->presets) = d->index;
}

static void lower_file_asserts(struct check *c)
{
	for (uint32_t i = 0; i < c->modules->all.n; i++) {
		struct module *m = c->modules->all.at[i];
		struct env e = file_env(m);

		for (uint32_t k = 0; k < m->tree->file.items.n && !m->library; k++) {
			struct ir_assert a;

			if (m->tree->file.items.at[k]->kind != AST_ASSERT)
				continue;
			a = lower_assert(c, &e, m->tree->file.items.at[k]);
			*VEC_ADD(c->arena, &c->p->asserts) = a;
		}
	}
}

static void settle_headers(struct check *c)
{
	each_decl(c, DECL_SCHEMA, header_of_schema);
	each_decl(c, DECL_INSTANCE, register_preset);
	each_decl(c, DECL_FN, function_header);
	each_decl(c, DECL_TABLE, table_header);
	if (!c->round.nested)
		take_parameters(c);
	each_decl(c, DECL_INSTANCE, header_of_instance);
}

static void settle_bodies(struct check *c)
{
	each_decl(c, DECL_SCHEMA, body_of_schema);
	each_decl(c, DECL_PARAM, body_of);
	each_decl(c, DECL_LET, body_of);
	each_decl(c, DECL_FN, body_of);
	each_decl(c, DECL_TABLE, body_of);
	each_decl(c, DECL_INSTANCE, body_of);
	each_decl(c, DECL_SWEEP, sweep_body);
}

/* `planc eval`: an expression over the names of the root file. */
static void lower_question(struct check *c)
{
	struct parse_input parse = { c->arena, c->names, c->in->sources, c->sink, 0 };
	struct env e = file_env(c->modules->root);
	struct parse_result result;

	if (!c->in->question.p)
		return;
	parse.file = sources_add(c->in->sources, STR("<expression>"), c->in->question, false);
	result = parse_expression(&parse);
	if (result.ok)
		c->p->question = infer(c, &e, result.tree, NULL);
}

static void settle_files(struct check *c)
{
	declare_all(c);
	settle_headers(c);
	settle_bodies(c);
	lower_file_asserts(c);
	if (!c->in->without_emits)
		lower_emits(c, c->modules->root);
	lower_tests(c, c->modules->root);
	lower_question(c);
	take_point(c);
	take_inverse(c);
	settle_library(c);
	settle_sweeps(c, 0);
}

/* The files that it is the first to import are settled with it. */
struct module *settle_nested(struct check *c, struct module *outer, struct ast_list items, struct span span)
{
	c->round.first = c->modules->all.n;
	c->round.nested = names_nested(c->modules, outer, items, span);
	load_targets(c, c->round.nested);
	declare_all(c);
	settle_headers(c);
	settle_bodies(c);
	return c->round.nested;
}

/* What the runtime finds by name. */
static void finish(struct check *c)
{
	struct module *root = c->modules->root;

	for (uint32_t i = 0; i < c->p->schemas.n; i++) {
		c->p->schemas.at[i].presets = c->schemas.at[i].presets.at;
		c->p->schemas.at[i].preset_count = c->schemas.at[i].presets.n;
	}
	for (uint32_t i = 0; i < root->names.n; i++) {
		const struct decl *d = root->names.at[i];

		if (d->home == root || (d->kind != DECL_PARAM && d->kind != DECL_LET &&
					d->kind != DECL_INSTANCE && d->kind != DECL_TABLE))
			continue;
		*VEC_ADD(c->arena, &c->p->visible) = (struct ir_visible){ d->name, d->index };
	}
	c->p->root_file = root->file;
}

/* A file that lost statements to a syntax error would only bring echoes of it. */
static bool all_intact(const struct modules *m)
{
	for (uint32_t i = 0; i < m->all.n; i++)
		if (!m->all.at[i]->intact)
			return false;
	return true;
}

/* Builds that look for mistakes look at every program; the others trust the tests. */
static void verify(const struct ir_program *p)
{
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
	const char *what;
	uint32_t where;

	invariant(ir_verify(p, &what, &where), what);
#else
	(void)p;
#endif
}

struct ir_program *plan_compile(const struct compile_input *in)
{
	struct check *c = ARENA_NEW(in->arena, struct check);
	struct names_input names = { .arena = in->arena,
				     .names = in->names,
				     .sources = in->sources,
				     .sink = in->sink,
				     .path = in->path,
				     .text = in->text,
				     .origins = in->origins,
				     .origin_count = in->origin_count,
				     .foreign = in->foreign,
				     .library = in->library,
				     .library_folder = in->library_folder };

	*c = (struct check){ .in = in, .arena = in->arena, .names = in->names, .sink = in->sink,
			     .errors = in->sink->errors };
	c->p = ir_program_make(in->arena, in->names, in->sources);
	c->sym_file = sym_of_z(in->names, "file");
	init_types(c);
	c->modules = names_load(&names);
	if (!c->modules->root || !all_intact(c->modules))
		return NULL;
	if (!c->in->without_emits)
		load_targets(c, c->modules->root);
	settle_files(c);
	finish(c);
	verify(c->p);
	return c->p;
}
