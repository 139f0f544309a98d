/* declare.c - the table of names of one file: its declarations, and what it imports. */
#include "compiler/names/names_int.h"

const char *decl_kind_text(enum decl_kind kind)
{
	switch (kind) {
	case DECL_PARAM:
		return "a parameter of the plan";
	case DECL_LET:
		return "a value";
	case DECL_FN:
		return "a function";
	case DECL_ENUM:
		return "an enum";
	case DECL_SCHEMA:
		return "a schema";
	case DECL_INSTANCE:
		return "a record";
	case DECL_TABLE:
		return "a table";
	case DECL_MODULE:
		return "an imported file";
	case DECL_SWEEP:
		return "a sweep";
	case DECL_BROKEN:
		break;
	}
	return "a name";
}

static void report_twice(struct modules *m, struct span first, struct sym name, struct span span)
{
	struct diag *d = diag_new(m->in.sink, E1203, span);

	diag_message(d, "`%s` is declared twice", sym_str(m->in.names, name).p);
	diag_label(d, first, "first here");
	diag_submit(d);
}

/* Makes `d` what its name means in the file. The first declaration of a name stays. */
static void enter(struct modules *m, struct module *of, struct decl *d, struct sym name, struct span span)
{
	uint32_t at = map_find(&of->by_name, name.id);

	if (at != MAP_NONE && of->names.at[at]->kind == DECL_BROKEN) {
		of->names.at[at] = d;
		return;
	}
	if (at != MAP_NONE) {
		report_twice(m, of->name_spans.at[at], name, span);
		return;
	}
	map_set(&of->by_name, name.id, of->names.n);
	*VEC_ADD(m->in.arena, &of->names) = d;
	*VEC_ADD(m->in.arena, &of->name_spans) = span;
}

static struct decl *declare(struct modules *m, struct module *of, enum decl_kind kind,
			    struct ast_name name, struct ast *node)
{
	struct decl *d = ARENA_NEW(m->in.arena, struct decl);

	d->kind = kind;
	d->name = name.sym;
	d->span = name.span;
	d->node = node;
	d->home = of;
	if (name.sym.id == 0)
		return d;
	d->preset = of->prelude && kind == DECL_INSTANCE;
	*VEC_ADD(m->in.arena, &of->decls) = d;
	if (!d->preset)
		enter(m, of, d, name.sym, name.span);
	return d;
}

/* Instances of the prelude go by their schema, so two of them may share a name; an import takes the
 * first. */
static void import_name(struct modules *m, struct module *of, struct module *from, struct ast *ref,
			struct str path)
{
	struct ast_name name = ref->name_ref.name;
	struct decl *d = from ? module_find_own(from, name.sym) : NULL;
	struct suggestions s;
	struct diag *problem;

	if (name.sym.id == 0)
		return;
	if (d && d->kind != DECL_MODULE) {
		enter(m, of, d, name.sym, name.span);
		return;
	}
	enter(m, of, declare(m, of, DECL_BROKEN, (struct ast_name){ .span = name.span }, ref), name.sym,
	      name.span);
	if (!from)
		return;
	problem = diag_new(m->in.sink, E0205, name.span);
	diag_message(problem, "`%.*s` declares no `%s`", (int)path.n, path.p,
		     sym_str(m->in.names, name.sym).p);
	suggestions_init(&s, m->in.arena, sym_str(m->in.names, name.sym));
	for (uint32_t i = 0; i < from->decls.n; i++)
		if (from->decls.at[i]->kind != DECL_MODULE)
			suggestions_add(&s, sym_str(m->in.names, from->decls.at[i]->name), true);
	diag_suggest(problem, &s);
	diag_submit(problem);
}

/* A file whose rows a plan reads, by its name. */
static bool is_data(struct str path)
{
	return str_ends(path, ".csv") || str_ends(path, ".json");
}

static void import_names(struct modules *m, struct module *of, struct ast *node)
{
	struct str path = node->import_names.path;
	bool data = is_data(path);
	struct module *from = data ? NULL : module_at(m, of, path, import_path_span(m, node));

	if (data) {
		struct diag *d = diag_new(m->in.sink, E0206, import_path_span(m, node));

		diag_message(d, "a file of data is imported whole, with the type of its rows");
		diag_help(d, "write `import \"%.*s\" as NAME: table[SCHEMA]`", (int)path.n, path.p);
		diag_submit(d);
	}
	if (node->import_names.names.n == 0) {
		struct diag *d = diag_new(m->in.sink, E0104, node->span);

		diag_message(d, "this import takes no name of `%.*s`", (int)path.n, path.p);
		diag_help(d, "write the names between the braces, or `import \"%.*s\" as NAME` for all of them",
			  (int)path.n, path.p);
		diag_submit(d);
	}
	for (uint32_t i = 0; i < node->import_names.names.n; i++)
		if (node->import_names.names.at[i]->kind == AST_NAME_REF)
			import_name(m, of, from, node->import_names.names.at[i], path);
}

/* A file of data: `table[row]` is read by check, a file of another tool is a record. */
static void import_data(struct modules *m, struct module *of, struct ast *node)
{
	struct ast_import_as *in = &node->import_as;
	struct decl *d;

	if (in->type->kind == AST_TYPE_NAME) {
		d = foreign_value(m, of, node);
		if (d)
			enter(m, of, d, in->alias.sym, in->alias.span);
		else
			declare(m, of, DECL_BROKEN, in->alias, node);
		return;
	}
	d = declare(m, of, DECL_TABLE, in->alias, node);
	if (!data_at(m, of, in->path, import_path_span(m, node), &d->data))
		d->kind = DECL_BROKEN;
}

static void import_as(struct modules *m, struct module *of, struct ast *node)
{
	struct ast_import_as *in = &node->import_as;
	bool data = is_data(in->path);
	struct module *from;
	struct decl *d;

	if (data && in->type) {
		import_data(m, of, node);
		return;
	}
	if (data != (in->type != NULL)) {
		struct diag *problem = diag_new(m->in.sink, E0206, data ? import_path_span(m, node)
									: in->type->span);

		diag_message(problem, data ? "a file of data needs the type of its rows"
					   : "a plan is imported without a type");
		if (data)
			diag_help(problem, "write `as %s: table[SCHEMA]`",
				  sym_str(m->in.names, in->alias.sym).p);
		diag_submit(problem);
		declare(m, of, DECL_BROKEN, in->alias, node);
		return;
	}
	from = module_at(m, of, in->path, import_path_span(m, node));
	d = declare(m, of, from ? DECL_MODULE : DECL_BROKEN, in->alias, node);
	d->module = from;
}

static void check_edition(struct modules *m, struct module *of)
{
	const struct ast_list *items = &of->tree->file.items;
	const struct ast *first = items->n > 0 ? items->at[0] : NULL;

	if (first && first->kind == AST_EDITION) {
		struct str number = first->edition.number;

		if (!str_is(number, "1"))
			diag_report(m->in.sink, E0106, first->span,
				    "edition %.*s is not known; this planc knows edition 1",
				    (int)number.n, number.p);
		return;
	}
	if (of->intact && !of->library && m->stack.n == 1 && m->in.origin_count == 0) {
		struct diag *d = diag_new(m->in.sink, W0101, (struct span){ of->file, 0, 0 });

		diag_message(d, "the plan does not say its edition");
		diag_help(d, "begin the file with `edition 1`");
		diag_fix(d, (struct span){ of->file, 0, 0 }, STR("edition 1\n\n"), "state the edition");
		diag_submit(d);
	}
}

static void declare_item(struct modules *m, struct module *of, struct ast *node)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
	switch (node->kind) {
	case AST_IMPORT_AS:
		import_as(m, of, node);
		break;
	case AST_IMPORT_NAMES:
		import_names(m, of, node);
		break;
	case AST_PARAM:
		declare(m, of, DECL_PARAM, node->param.name, node);
		break;
	case AST_LET:
		declare(m, of, DECL_LET, node->let.name, node);
		break;
	case AST_FN:
		declare(m, of, DECL_FN, node->fn.name, node);
		break;
	case AST_ENUM:
		declare(m, of, DECL_ENUM, node->enumeration.name, node);
		break;
	case AST_SCHEMA:
		declare(m, of, DECL_SCHEMA, node->schema.name, node);
		break;
	case AST_INSTANCE:
		declare(m, of, DECL_INSTANCE, node->instance.name, node);
		break;
	case AST_SWEEP:
		declare(m, of, DECL_SWEEP, node->sweep.name, node);
		break;
	default:
		break;          /* asserts, emits and tests declare no name; bad nodes have been reported */
	}
#pragma GCC diagnostic pop
}

void module_declare(struct modules *m, struct module *of)
{
	check_edition(m, of);
	for (uint32_t i = 0; i < of->tree->file.items.n; i++)
		declare_item(m, of, of->tree->file.items.at[i]);
}

struct module *names_nested(struct modules *m, struct module *outer, struct ast_list items,
			    struct span span)
{
	struct module *of = ARENA_NEW(m->in.arena, struct module);

	of->outer = outer;
	of->file = outer->file;
	of->key = outer->key;
	of->folder = outer->folder;
	of->real_folder = outer->real_folder;
	of->library = outer->library;
	of->intact = true;
	of->tree = ARENA_NEW(m->in.arena, struct ast);
	of->tree->kind = AST_FILE;
	of->tree->span = span;
	of->tree->file.items = items;
	map_init(&of->by_name, m->in.arena);
	for (uint32_t i = 0; i < items.n; i++)
		declare_item(m, of, items.at[i]);
	return of;
}
