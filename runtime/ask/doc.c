/* doc.c - writes what a file declares as Markdown: tables of fields, values, rules. */
#include "runtime/ask/doc.h"

#include "runtime/value/value.h"

struct page {
	struct out *o;
	const struct ir_program *p;
	uint32_t file;
};

/* ---- text of a cell -------------------------------------------------------------------------- */

/* On one line; a bar would end the cell. */
static void cell(struct out *o, struct str text)
{
	bool blank = false;
	size_t start = o->n;

	for (uint32_t i = 0; i < text.n; i++) {
		if (strchr(" \t\n", text.p[i])) {
			blank = true;
			continue;
		}
		if (blank && o->n > start)
			out_char(o, ' ');
		blank = false;
		if (text.p[i] == '|')
			out_char(o, '\\');
		out_char(o, text.p[i]);
	}
}

static void code(struct page *g, struct span at)
{
	if (at.file >= g->p->sources->files.n)
		return;
	out_char(g->o, '`');
	cell(g->o, source_slice(g->p->sources, at));
	out_char(g->o, '`');
}

static void node_code(struct page *g, ir_id node)
{
	if (node != IR_NO_NODE)
		code(g, g->p->nodes.at[node].span);
}

static const char *name_of(const struct page *g, struct sym name)
{
	return sym_str(g->p->names, name).p;
}

/* Base unit of a number, of the elements of a list. */
static void unit(struct page *g, const struct type *t)
{
	while (t->kind == TYPE_OPTION || t->kind == TYPE_LIST)
		t = t->of;
	if (t->kind == TYPE_NUMBER)
		out_str(g->o, type_base_unit(g->o->arena, t));
}

static void type(struct page *g, const struct type *t)
{
	struct out text;

	out_init(&text, g->o->arena);
	type_print(&text, g->p, t);
	cell(g->o, out_view(&text));
}

static void paragraph(struct page *g, struct str doc)
{
	if (doc.n > 0)
		out_printf(g->o, "\n%.*s\n", (int)doc.n, doc.p);
}

/* ---- schemas --------------------------------------------------------------------------------- */

static void field_row(struct page *g, const struct ir_field *f)
{
	out_printf(g->o, "| `%s` | ", name_of(g, f->name));
	type(g, f->type);
	out_text(g->o, " | ");
	unit(g, f->type);
	out_text(g->o, " | ");
	if (f->native)
		out_text(g->o, "computed by planc");
	else if (f->final)
		out_text(g->o, "derived: ");
	else if (f->value == IR_NO_NODE)
		out_text(g->o, f->type->kind == TYPE_OPTION ? "`none`" : "required");
	node_code(g, f->value);
	out_text(g->o, " | ");
	cell(g->o, f->doc);
	out_text(g->o, " |\n");
}

static void fields(struct page *g, const struct ir_schema *s)
{
	uint32_t inherited = s->base == IR_NONE ? 0 : g->p->schemas.at[s->base].field_count;

	if (s->base != IR_NONE)
		out_printf(g->o, "\nIt also has the fields of `%s`.\n",
			   name_of(g, g->p->schemas.at[s->base].name));
	if (s->field_count == inherited)
		return;
	out_text(g->o, "\n| field | type | unit | default | |\n|---|---|---|---|---|\n");
	for (uint32_t i = inherited; i < s->field_count; i++)
		field_row(g, &s->fields[i]);
}

static void rules(struct page *g, const struct ir_assert *asserts, uint32_t from, uint32_t n)
{
	if (from < n)
		out_text(g->o, "\n| rule | when | holds | otherwise |\n|---|---|---|---|\n");
	for (uint32_t i = from; i < n; i++) {
		const struct ir_assert *a = &asserts[i];

		out_text(g->o, "| ");
		if (a->name.id)
			out_printf(g->o, "`%s`", name_of(g, a->name));
		out_text(g->o, " | ");
		node_code(g, a->when);
		out_text(g->o, " | ");
		code(g, a->cond_span);
		out_text(g->o, " | ");
		node_code(g, a->because);
		out_text(g->o, " |\n");
	}
}

static void print_schema(struct page *g, const struct ir_schema *s)
{
	uint32_t inherited = s->base == IR_NONE ? 0 : g->p->schemas.at[s->base].assert_count;

	out_printf(g->o, "\n## schema %s\n", name_of(g, s->name));
	paragraph(g, s->doc);
	fields(g, s);
	rules(g, s->asserts, inherited, s->assert_count);
}

static void print_enum(struct page *g, const struct ir_enum *e)
{
	out_printf(g->o, "\n## enum %s\n", name_of(g, e->name));
	paragraph(g, e->doc);
	out_text(g->o, "\n| value | |\n|---|---|\n");
	for (uint32_t i = 0; i < e->count; i++) {
		out_printf(g->o, "| `%s` | ", name_of(g, e->values[i]));
		cell(g->o, e->docs[i]);
		out_text(g->o, " |\n");
	}
}

static void print_function(struct page *g, const struct ir_function *f)
{
	out_printf(g->o, "\n## fn %s(", name_of(g, f->name));
	for (uint32_t i = 0; i < f->param_count; i++) {
		out_printf(g->o, "%s%s: ", i > 0 ? ", " : "", name_of(g, f->param_names[i]));
		type_print(g->o, g->p, f->params[i]);
	}
	out_text(g->o, ") -> ");
	type_print(g->o, g->p, f->result);
	out_char(g->o, '\n');
	paragraph(g, f->doc);
	if (f->body != IR_NO_NODE) {
		out_char(g->o, '\n');
		node_code(g, f->body);
		out_char(g->o, '\n');
	}
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_here(const struct page *g, const struct ir_global *x, enum global_kind kind)
{
	return x->kind == kind && x->span.file == g->file && x->file != IR_NONE && x->name.id != 0;
}

static void global_row(struct page *g, const struct ir_global *x)
{
	out_printf(g->o, "| `%s` | ", name_of(g, x->name));
	type(g, x->type);
	if (x->kind == GLOBAL_PARAM) {
		out_text(g->o, " | ");
		unit(g, x->type);
		out_text(g->o, " | ");
		node_code(g, x->value);
	} else if (x->kind == GLOBAL_INSTANCE) {
		out_text(g->o, " | ");
		if (x->base != IR_NONE)
			out_printf(g->o, "`%s`", name_of(g, g->p->globals.at[x->base].name));
	}
	out_text(g->o, " | ");
	cell(g->o, x->doc);
	out_text(g->o, " |\n");
}

static void print_globals(struct page *g, enum global_kind kind, const char *title, const char *columns)
{
	bool first = true;

	for (uint32_t i = 0; i < g->p->globals.n; i++) {
		if (!is_here(g, &g->p->globals.at[i], kind))
			continue;
		if (first)
			out_printf(g->o, "\n## %s\n\n%s\n", title, columns);
		first = false;
		global_row(g, &g->p->globals.at[i]);
	}
}

/* Conditions of the file, not of its schemas. */
static void print_conditions(struct page *g)
{
	struct ir_assert *own = ARENA_ARRAY(g->o->arena, struct ir_assert, g->p->asserts.n + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->p->asserts.n; i++)
		if (g->p->asserts.at[i].span.file == g->file)
			own[n++] = g->p->asserts.at[i];
	if (n > 0)
		out_text(g->o, "\n## Conditions\n");
	rules(g, own, 0, n);
}

static void print_emits(struct page *g)
{
	if (g->p->emits.n == 0 || g->file != g->p->root_file)
		return;
	out_text(g->o, "\n## Artefacts\n\n| target | from | file |\n|---|---|---|\n");
	for (uint32_t i = 0; i < g->p->emits.n; i++) {
		const struct ir_emit *e = &g->p->emits.at[i];

		out_printf(g->o, "| %s | ", name_of(g, e->target));
		node_code(g, e->from);
		out_text(g->o, " | ");
		code(g, e->to_span);
		out_text(g->o, " |\n");
	}
}

static void print_tests(struct page *g)
{
	if (g->p->tests.n == 0 || g->file != g->p->root_file)
		return;
	out_text(g->o, "\n## Tests\n\n");
	for (uint32_t i = 0; i < g->p->tests.n; i++) {
		out_text(g->o, "- ");
		cell(g->o, g->p->tests.at[i].title);
		out_char(g->o, '\n');
	}
}

void doc_print(struct out *o, const struct ir_program *p, uint32_t file, struct str about)
{
	struct page g = { o, p, file };
	struct str path = source_get(p->sources, file)->path;

	out_printf(o, "# %.*s\n", (int)path.n, path.p);
	paragraph(&g, about);
	print_globals(&g, GLOBAL_PARAM, "Parameters",
		      "| parameter | type | unit | default | |\n|---|---|---|---|---|");
	print_globals(&g, GLOBAL_INSTANCE, "Records", "| record | schema | extends | |\n|---|---|---|---|");
	print_globals(&g, GLOBAL_LET, "Values", "| name | type | |\n|---|---|---|");
	print_globals(&g, GLOBAL_TABLE, "Tables", "| table | type | |\n|---|---|---|");
	for (uint32_t i = 0; i < p->schemas.n; i++)
		if (p->schemas.at[i].span.file == file)
			print_schema(&g, &p->schemas.at[i]);
	for (uint32_t i = 0; i < p->enums.n; i++)
		if (p->enums.at[i].span.file == file)
			print_enum(&g, &p->enums.at[i]);
	for (uint32_t i = 0; i < p->functions.n; i++)
		if (p->functions.at[i].span.file == file)
			print_function(&g, &p->functions.at[i]);
	print_conditions(&g);
	print_emits(&g);
	print_tests(&g);
}

/* ---- units ----------------------------------------------------------------------------------- */

static void print_factor(struct out *o, const struct unit_info *u)
{
	if (u->den == 1)
		out_grouped(o, u->num);
	else {
		out_printf(o, "%lld/", (long long)u->num);
		out_grouped(o, u->den);
	}
}

void doc_units(struct out *o)
{
	uint32_t n;
	const struct unit_info *units = units_all(&n);

	out_text(o, "# Units\n\nA number and a unit are a quantity: `80 GiB`. Two units with a `/` between them are a rate: "
		    "`200 GB/s`.\n\n| unit | measures | in base units |\n|---|---|---|\n");
	for (uint32_t i = 0; i < n; i++) {
		out_printf(o, "| `%s` | ", units[i].name);
		dim_print(o, units[i].dim);
		out_text(o, " | ");
		print_factor(o, &units[i]);
		out_text(o, " |\n");
	}
}
