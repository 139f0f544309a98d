/* types_print.c - what the root file declares, with the types found (`planc debug types`). */
#include "compiler/check/compile.h"

enum line_kind { LINE_GLOBAL, LINE_FUNCTION, LINE_ENUM, LINE_SCHEMA };

struct line {
	enum line_kind kind;
	uint32_t index;
	struct span span;
};

struct lines {
	VEC(struct line) at;
};

static void add(const struct ir_program *p, struct lines *lines, enum line_kind kind, uint32_t index,
		struct span span)
{
	if (span.file == p->root_file)
		*VEC_ADD(p->arena, &lines->at) = (struct line){ kind, index, span };
}

static int by_position(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return (x->span.lo > y->span.lo) - (x->span.lo < y->span.lo);
}

static void print_global(struct out *o, const struct ir_program *p, const struct ir_global *g)
{
	static const char *const words[] = { [GLOBAL_PARAM] = "param",
					     [GLOBAL_LET] = "let",
					     [GLOBAL_INSTANCE] = "record",
					     [GLOBAL_TABLE] = "table" };

	out_printf(o, "%s %s: ", words[g->kind], sym_str(p->names, g->name).p);
	type_print(o, p, g->type);
	out_char(o, '\n');
}

static void print_function(struct out *o, const struct ir_program *p, const struct ir_function *f)
{
	out_printf(o, "fn %s(", sym_str(p->names, f->name).p);
	for (uint32_t i = 0; i < f->param_count; i++) {
		out_printf(o, "%s%s: ", i > 0 ? ", " : "", sym_str(p->names, f->param_names[i]).p);
		type_print(o, p, f->params[i]);
	}
	out_text(o, ") -> ");
	type_print(o, p, f->result);
	out_char(o, '\n');
}

static void print_enum(struct out *o, const struct ir_program *p, const struct ir_enum *e)
{
	out_printf(o, "enum %s", sym_str(p->names, e->name).p);
	for (uint32_t i = 0; i < e->count; i++)
		out_printf(o, "%s %s", i > 0 ? "," : ":", sym_str(p->names, e->values[i]).p);
	out_char(o, '\n');
}

static void print_schema(struct out *o, const struct ir_program *p, const struct ir_schema *s)
{
	out_printf(o, "schema %s", sym_str(p->names, s->name).p);
	if (s->base != IR_NONE)
		out_printf(o, " extends %s", sym_str(p->names, p->schemas.at[s->base].name).p);
	out_char(o, '\n');
	for (uint32_t i = 0; i < s->field_count; i++) {
		const struct ir_field *f = &s->fields[i];

		out_printf(o, "  %s%s: ", f->native ? "native " : f->final ? "final " : "",
			   sym_str(p->names, f->name).p);
		type_print(o, p, f->type);
		out_text(o, f->value != IR_NO_NODE && !f->final ? ", has a default\n" : "\n");
	}
}

void types_print(struct out *o, const struct ir_program *p)
{
	struct lines lines = { 0 };

	for (uint32_t i = 0; i < p->globals.n; i++)
		if (p->globals.at[i].name.id != 0)
			add(p, &lines, LINE_GLOBAL, i, p->globals.at[i].span);
	for (uint32_t i = 0; i < p->functions.n; i++)
		add(p, &lines, LINE_FUNCTION, i, p->functions.at[i].span);
	for (uint32_t i = 0; i < p->enums.n; i++)
		add(p, &lines, LINE_ENUM, i, p->enums.at[i].span);
	for (uint32_t i = 0; i < p->schemas.n; i++)
		add(p, &lines, LINE_SCHEMA, i, p->schemas.at[i].span);
	if (lines.at.n > 0)
		qsort(lines.at.at, lines.at.n, sizeof *lines.at.at, by_position);
	for (uint32_t i = 0; i < lines.at.n; i++) {
		uint32_t index = lines.at.at[i].index;

		switch (lines.at.at[i].kind) {
		case LINE_GLOBAL:
			print_global(o, p, &p->globals.at[index]);
			break;
		case LINE_FUNCTION:
			print_function(o, p, &p->functions.at[index]);
			break;
		case LINE_ENUM:
			print_enum(o, p, &p->enums.at[index]);
			break;
		case LINE_SCHEMA:
			print_schema(o, p, &p->schemas.at[index]);
			break;
		}
	}
}
