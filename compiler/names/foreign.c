/* foreign.c - another program's file, imported as a value: its plan is a module of its own, and the alias
 * means the last record of it. */
#include "compiler/names/names_int.h"

static void report_kind(struct modules *m, struct span span, struct str kind)
{
	struct diag *d = diag_new(m->in.sink, E0206, span);
	struct suggestions s;
	struct out known;

	diag_message(d, "no file is read as `%.*s`", (int)kind.n, kind.p);
	suggestions_init(&s, m->in.arena, kind);
	out_init(&known, m->in.arena);
	for (const struct foreign_reader *k = m->in.foreign; k && k->name; k++) {
		suggestions_add(&s, str_of(k->name), true);
		out_printf(&known, "`%s`, ", k->name);
	}
	if (!diag_suggest(d, &s))
		diag_help(d, "a file of data is %.*sor rows: `table[SCHEMA]`", (int)known.n, known.p);
	diag_submit(d);
}

static const struct foreign_reader *find_kind(const struct modules *m, struct str name)
{
	for (const struct foreign_reader *k = m->in.foreign; k && k->name; k++)
		if (str_is(name, k->name))
			return k;
	return NULL;
}

/* The plan of a file as a module, under the name of the file. */
static struct module *load_text(struct modules *m, uint32_t file, struct import_text *text)
{
	struct str path = source_get(m->in.sources, file)->path;
	struct place at = { .found = FOUND_FILE, .key = path, .shown = path };
	uint32_t plan = sources_add(m->in.sources, path, str_copy(m->in.arena, out_view(&text->text)), false);

	for (uint32_t i = 0; i < text->origins.n; i++)
		*VEC_ADD(m->in.arena, &source_get(m->in.sources, plan)->origins) = text->origins.at[i];
	return module_load(m, plan, &at, STR(""));
}

struct decl *foreign_value(struct modules *m, struct module *of, struct ast *node)
{
	struct ast_import_as *in = &node->import_as;
	struct str kind = source_slice(m->in.sources, in->type->span);
	struct foreign_file from = { m->in.arena, m->in.sources, m->in.sink, 0 };
	const struct foreign_reader *reader = find_kind(m, kind);
	struct import_text text = { 0 };
	struct module *plan;
	struct decl *value;

	if (!reader)
		report_kind(m, in->type->span, kind);
	if (!reader || !data_at(m, of, in->path, import_path_span(m, node), &from.file) ||
	    !reader->read(&from, &text))
		return NULL;
	plan = load_text(m, from.file, &text);
	invariant(plan->intact && plan->decls.n > 0, "a reader's plan ends with a record");
	plan->written_for = of;
	value = plan->decls.at[plan->decls.n - 1];
	map_set(&plan->by_name, in->alias.sym.id, map_find(&plan->by_name, value->name.id));
	value->name = in->alias.sym;
	return value;
}
