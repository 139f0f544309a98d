/* global.c - declarations of files: their numbers in the program, their types, and their values on
 * demand, so that their order does not matter. */
#include "compiler/check/check_int.h"

struct env file_env(struct module *m)
{
	return (struct env){ .module = m, .schema = IR_NONE, .own = IR_NONE, .candidate = IR_NONE };
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void number_global(struct check *c, struct decl *d, enum global_kind kind)
{
	struct ir_global *g = VEC_ADD(c->arena, &c->p->globals);

	*g = (struct ir_global){ .kind = kind,
				 .name = d->name,
				 .file = d->home->outer ? IR_NONE : d->home->file,
				 .type = c->t.poison,
				 .value = IR_NO_NODE,
				 .table = IR_NONE,
				 .base = IR_NONE,
				 .doc = d->node->doc,
				 .span = d->span,
				 .library = d->home->library };
	d->index = c->p->globals.n - 1;
	*VEC_ADD(c->arena, &c->globals) = d;
}

static void number_schema(struct check *c, struct decl *d)
{
	struct schema_info *info = VEC_ADD(c->arena, &c->schemas);

	*VEC_ADD(c->arena, &c->p->schemas) = (struct ir_schema){ .name = d->name,
								 .base = IR_NONE,
								 .doc = d->node->doc,
								 .span = d->span,
								 .library = d->home->library };
	info->decl = d;
	map_init(&info->by_name, c->arena);
	d->index = c->p->schemas.n - 1;
}

static void number_enum(struct check *c, struct decl *d)
{
	struct ast_list names = d->node->enumeration.names;
	struct ir_enum e = { .name = d->name, .doc = d->node->doc, .span = d->span };

	struct map *by_name = VEC_ADD(c->arena, &c->enums);

	map_init(by_name, c->arena);
	e.values = ARENA_ARRAY(c->arena, struct sym, names.n + 1);
	e.docs = ARENA_ARRAY(c->arena, struct str, names.n + 1);
	for (uint32_t i = 0; i < names.n; i++) {
		struct sym value;

		if (names.at[i]->kind != AST_NAME_REF)
			continue;
		value = names.at[i]->name_ref.name.sym;
		if (map_find(by_name, value.id) != MAP_NONE) {
			diag_report(c->sink, E1203, names.at[i]->span, "enum `%s` has `%s` twice",
				    spell(c, d->name), spell(c, value));
			continue;
		}
		map_set(by_name, value.id, e.count);
		e.docs[e.count] = names.at[i]->doc;
		e.values[e.count++] = value;
	}
	/* The one enum everybody writes by number (prelude). */
	e.ordinals = d->home->prelude && str_is(sym_str(c->names, d->name), "zero");
	*VEC_ADD(c->arena, &c->p->enums) = e;
	d->index = c->p->enums.n - 1;
}

static void number_function(struct check *c, struct decl *d)
{
	*VEC_ADD(c->arena, &c->p->functions) = (struct ir_function){ .name = d->name,
								     .result = c->t.poison,
								     .body = IR_NO_NODE,
								     .doc = d->node->doc,
								     .span = d->span };
	d->index = c->p->functions.n - 1;
	*VEC_ADD(c->arena, &c->functions) = d;
}

static void number_sweep(struct check *c, struct decl *d)
{
	*VEC_ADD(c->arena, &c->p->sweeps) = (struct ir_sweep){ .name = d->name,
							       .file = d->home->file,
							       .type = c->t.poison,
							       .of = IR_NO_NODE,
							       .limit = IR_NO_NODE,
							       .doc = d->node->doc,
							       .span = d->span,
							       .library = d->home->library };
	d->index = c->p->sweeps.n - 1;
}

static void number(struct check *c, struct decl *d)
{
	switch (d->kind) {
	case DECL_PARAM:
		number_global(c, d, GLOBAL_PARAM);
		break;
	case DECL_LET:
		number_global(c, d, GLOBAL_LET);
		break;
	case DECL_INSTANCE:
		number_global(c, d, GLOBAL_INSTANCE);
		break;
	case DECL_TABLE:
		number_global(c, d, GLOBAL_TABLE);
		break;
	case DECL_SCHEMA:
		number_schema(c, d);
		break;
	case DECL_ENUM:
		number_enum(c, d);
		break;
	case DECL_FN:
		number_function(c, d);
		break;
	case DECL_SWEEP:
		number_sweep(c, d);
		break;
	case DECL_MODULE:
	case DECL_BROKEN:
		break;
	}
}

static void number_all(struct check *c, struct module *m)
{
	for (uint32_t k = 0; k < m->decls.n; k++)
		number(c, m->decls.at[k]);
}

/* Imports come before who imports them, so a library type has a smaller number than a user's. */
void declare_all(struct check *c)
{
	for (uint32_t i = c->round.first; i < c->modules->all.n; i++)
		number_all(c, c->modules->all.at[i]);
	if (c->round.nested)
		number_all(c, c->round.nested);
}

/* ---- headers --------------------------------------------------------------------------------- */

void function_header(struct check *c, struct decl *d)
{
	struct ast_fn *fn = &d->node->fn;
	struct ir_function f = c->p->functions.at[d->index];
	struct map seen;

	f.params = ARENA_ARRAY(c->arena, const struct type *, fn->params.n + 1);
	f.param_names = ARENA_ARRAY(c->arena, struct sym, fn->params.n + 1);
	map_init(&seen, c->arena);
	for (uint32_t i = 0; i < fn->params.n; i++) {
		struct ast_fn_param *param = &fn->params.at[i]->fn_param;

		if (fn->params.at[i]->kind != AST_FN_PARAM)
			continue;
		if (map_find(&seen, param->name.sym.id) != MAP_NONE)
			diag_report(c->sink, E1203, param->name.span, "parameter `%s` is declared twice",
				    spell(c, param->name.sym));
		map_set(&seen, param->name.sym.id, i);
		f.params[f.param_count] = type_of_ast(c, d->home, param->type);
		f.param_names[f.param_count++] = param->name.sym;
	}
	f.result = type_of_ast(c, d->home, fn->type);
	c->p->functions.at[d->index] = f;
}

/* The schema whose name begins the declaration of a record; IR_NONE after reporting. */
static uint32_t kind_of(struct check *c, struct decl *d)
{
	struct ast_name kind = d->node->instance.schema;
	struct decl *found = find_decl(c, d->home, kind.sym), *schema = found;
	struct suggestions s;
	struct diag *problem;

	/* A value may have the name of a schema of the prelude. */
	if (schema && schema->kind != DECL_SCHEMA && schema->kind != DECL_BROKEN && c->modules->prelude)
		schema = module_find(c->modules->prelude, kind.sym);
	if (schema && schema->kind == DECL_SCHEMA)
		return schema->index;
	if (schema && schema->kind == DECL_BROKEN)
		return IR_NONE;
	problem = diag_new(c->sink, E1106, kind.span);
	if (found)
		diag_message(problem, "`%s` is %s, not a schema", spell(c, kind.sym),
			     decl_kind_text(found->kind));
	else
		diag_message(problem, "there is no schema `%s`", spell(c, kind.sym));
	suggestions_init(&s, c->arena, sym_str(c->names, kind.sym));
	for (uint32_t i = 0; i < c->p->schemas.n; i++)
		suggestions_add(&s, sym_str(c->names, c->p->schemas.at[i].name), true);
	if (!diag_suggest(problem, &s) && !found)
		diag_note(problem, "usual kinds of records are model, cluster, strategy and job");
	diag_submit(problem);
	return IR_NONE;
}

struct ast *expression_of_path(struct check *c, const struct ast *path)
{
	struct ast *x = NULL;

	for (uint32_t i = 0; path->kind == AST_PATH && i < path->path.parts.n; i++) {
		struct ast *part = ARENA_NEW(c->arena, struct ast);
		struct ast_name name = path->path.parts.at[i]->name_ref.name;

		part->kind = x ? AST_MEMBER : AST_NAME;
		part->span = x ? span_join(x->span, name.span) : name.span;
		if (x) {
			part->member.of = x;
			part->member.name = name;
		} else {
			part->ident.name = name;
		}
		x = part;
	}
	return x;
}

static const struct type *record_type(struct check *c, uint32_t schema)
{
	return type_of(c->p->types, (struct type){ .kind = TYPE_RECORD, .index = schema });
}

/* The type of a record that extends another is its base's. False when the base is no such record. */
static bool base_type(struct check *c, struct decl *d, uint32_t schema, const struct type **type)
{
	struct env e = file_env(d->home);
	struct ast *path = expression_of_path(c, d->node->instance.base);
	ir_id base;
	struct diag *problem;

	if (!path)
		return false;
	base = infer(c, &e, path, record_type(c, schema));
	*type = ir_type(c->p, base);
	if (is_poison(*type))
		return false;
	if ((*type)->kind == TYPE_RECORD && ir_schema_extends(c->p, (*type)->index, schema)) {
		c->p->globals.at[d->index].value = base;
		if (c->p->nodes.at[base].op == IR_GLOBAL)
			c->p->globals.at[d->index].base = c->p->nodes.at[base].a;
		return true;
	}
	problem = diag_new(c->sink, E1101, path->span);
	diag_message(problem, "`%s` is declared as %s, but extends %s", spell(c, d->name),
		     type_phrase(c, record_type(c, schema)), type_phrase(c, *type));
	diag_submit(problem);
	return false;
}

/* Afterwards the global's value is the node of the base, until ensure() puts the record there. */
bool instance_header(struct check *c, struct decl *d, struct span span)
{
	const struct type *type;
	uint32_t schema;

	if (d->header == DECL_DONE)
		return true;
	if (d->header == DECL_BUSY) {
		report_cycle(c, d, d->name, span);
		return false;
	}
	d->header = DECL_BUSY;
	*VEC_ADD(c->arena, &c->busy) = (struct busy){ d, d->name };
	schema = kind_of(c, d);
	if (schema != IR_NONE) {
		type = record_type(c, schema);
		if (d->node->instance.base && !base_type(c, d, schema, &type))
			type = record_type(c, schema);
		c->p->globals.at[d->index].type = type;
	}
	c->busy.n--;
	d->header = DECL_DONE;
	return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

void report_cycle(struct check *c, const void *what, struct sym name, struct span span)
{
	struct diag *d = diag_new(c->sink, E1204, span);
	uint32_t i = 0;

	diag_message(d, "`%s` needs itself to be known", spell(c, name));
	while (i < c->busy.n && c->busy.at[i].what != what)
		i++;
	for (; i < c->busy.n; i++)
		diag_note(d, "%s -> %s", spell(c, c->busy.at[i].name),
			  spell(c, i + 1 < c->busy.n ? c->busy.at[i + 1].name : name));
	diag_submit(d);
}

static const char *quoted(struct check *c, struct sym name)
{
	struct out o;

	out_init(&o, c->arena);
	out_printf(&o, "`%s`", spell(c, name));
	return str_copy(c->arena, out_view(&o)).p;
}

static ir_id lower_value(struct check *c, struct decl *d, struct ast *type_ast, struct ast *value)
{
	struct env e = file_env(d->home);
	struct goal goal = { .what = quoted(c, d->name), .declared = d->span };
	const struct type *type = type_ast ? type_of_ast(c, d->home, type_ast) : NULL;
	ir_id node = lower(c, &e, value, type, type ? &goal : NULL);
	const struct type *found = ir_type(c->p, node);

	c->p->globals.at[d->index].type = type ? type : found;
	return node;
}

static void lower_param(struct check *c, struct decl *d)
{
	struct ast *value = d->node->param.value;

	for (uint32_t i = 0; i < c->overrides.n; i++)
		if (c->overrides.at[i].decl == d)
			value = c->overrides.at[i].value;
	c->p->globals.at[d->index].value = lower_value(c, d, d->node->param.type, value);
}

static void lower_function(struct check *c, struct decl *d)
{
	struct ir_function f = c->p->functions.at[d->index];
	struct local *locals = ARENA_ARRAY(c->arena, struct local, f.param_count + 1);
	struct env e = file_env(d->home);
	struct goal goal = { .what = "the result", .declared = d->node->fn.type->span };

	for (uint32_t i = 0; i < f.param_count; i++) {
		locals[i] = (struct local){ .name = f.param_names[i], .type = f.params[i], .level = i,
					    .outer = e.locals };
		e.locals = &locals[i];
		e.level++;
	}
	/* The vector may move meanwhile. */
	f.body = lower(c, &e, d->node->fn.body, f.result, &goal);
	c->p->functions.at[d->index].body = f.body;
}

static void lower_instance(struct check *c, struct decl *d)
{
	struct ir_global g;
	struct env e = file_env(d->home);
	uint32_t layer;

	g = c->p->globals.at[d->index];
	if (is_poison(g.type)) {
		c->p->globals.at[d->index].value = ir_add_poison(c->p, d->span);
		return;
	}
	layer = lower_layer(c, &e, g.type->index, d->node->instance.fields, d->name, d->span, IR_NONE);
	c->p->globals.at[d->index].value =
		ir_add(c->p, IR_LAYER, g.type, d->span, g.value, layer, 0);
}

bool ensure(struct check *c, struct decl *d, struct span span)
{
	if (d->state == DECL_DONE || d->kind == DECL_SCHEMA || d->kind == DECL_ENUM)
		return true;
	if (d->state == DECL_BUSY) {
		report_cycle(c, d, d->name, span);
		return false;
	}
	d->state = DECL_BUSY;
	*VEC_ADD(c->arena, &c->busy) = (struct busy){ d, d->name };
	if (d->kind == DECL_LET)
		c->p->globals.at[d->index].value = lower_value(c, d, d->node->let.type, d->node->let.value);
	else if (d->kind == DECL_PARAM)
		lower_param(c, d);
	else if (d->kind == DECL_FN)
		lower_function(c, d);
	else if (d->kind == DECL_INSTANCE)
		lower_instance(c, d);
	else if (d->kind == DECL_TABLE)
		read_table(c, d);
	c->busy.n--;
	d->state = DECL_DONE;
	return true;
}
