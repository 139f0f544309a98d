/* value_json.c - writes a value as JSON. */
#include "runtime/ask/value_json.h"

/* Records in records: a schema may hold its own kind. */
enum { NESTING_MAX = 8 };

struct writing {
	struct eval *ev;
	struct json_writer *w;
	uint32_t depth;
};

static void write_value(struct writing *g, const char *key, struct value v, const struct type *t);

static void write_record(struct writing *g, const char *key, struct record *r)
{
	const struct ir_program *p = g->ev->program;
	const struct ir_schema *s = &p->schemas.at[r->schema];

	json_begin_object(g->w, key);
	for (uint32_t i = 0; i < s->field_count && g->depth <= NESTING_MAX; i++)
		write_value(g, sym_str(p->names, s->fields[i].name).p, record_get(g->ev, r, i),
			    s->fields[i].type);
	json_end(g->w);
}

static void write_list(struct writing *g, const char *key, const struct list *l, const struct type *t)
{
	json_begin_array(g->w, key);
	for (uint32_t i = 0; i < l->n; i++)
		write_value(g, NULL, l->at[i],
			    !t ? NULL : t->kind == TYPE_TUPLE ? t->items[i] : t->of);
	json_end(g->w);
}

static void write_row(struct writing *g, const struct ir_table *table, uint32_t row)
{
	const struct ir_program *p = g->ev->program;
	const struct ir_schema *s = &p->schemas.at[table->schema];

	json_begin_object(g->w, NULL);
	for (uint32_t i = 0; i < s->field_count; i++) {
		const struct ir_constant *k = &table->cells[(size_t)row * s->field_count + i];
		const char *name = sym_str(p->names, s->fields[i].name).p;
		struct value v = k->kind == CONSTANT_NUMBER   ? value_number(k->number)
				 : k->kind == CONSTANT_BOOL   ? value_bool(k->truth)
				 : k->kind == CONSTANT_STRING ? value_string(k->text)
				 : k->kind == CONSTANT_ENUM   ? value_enum(k->ordinal)
							      : value_none();

		if (!s->fields[i].final && !s->fields[i].native)
			write_value(g, name, v, s->fields[i].type);
	}
	json_end(g->w);
}

static void write_table(struct writing *g, const char *key, const struct ir_table *table)
{
	json_begin_array(g->w, key);
	for (uint32_t i = 0; i < table->row_count; i++)
		write_row(g, table, i);
	json_end(g->w);
}

/* What a person would read, for values that JSON has no form for. */
static void write_text(struct writing *g, const char *key, struct value v, const struct type *t)
{
	struct out o;

	out_init(&o, g->ev->arena);
	value_print(&o, g->ev->program, v, t);
	json_str(g->w, key, out_view(&o));
}

static void write_value(struct writing *g, const char *key, struct value v, const struct type *t)
{
	if (t && t->kind == TYPE_OPTION)
		t = t->of;
	g->depth++;
	switch (v.kind) {
	case VALUE_POISON:
	case VALUE_NONE:
		json_null(g->w, key);
		break;
	case VALUE_BOOL:
		json_bool(g->w, key, v.truth);
		break;
	case VALUE_NUMBER:
		json_num(g->w, key, v.number);
		break;
	case VALUE_REAL:
		json_real(g->w, key, v.real);
		break;
	case VALUE_STRING:
		json_str(g->w, key, v.text);
		break;
	case VALUE_RECORD:
		write_record(g, key, v.record);
		break;
	case VALUE_LIST:
		write_list(g, key, v.list, t);
		break;
	case VALUE_TABLE:
		write_table(g, key, v.table);
		break;
	case VALUE_ENUM:
	case VALUE_LAYOUT:
	case VALUE_ARG:
		write_text(g, key, v, t);
		break;
	}
	g->depth--;
}

void value_json(struct eval *ev, struct json_writer *w, const char *key, struct value v,
		const struct type *t)
{
	struct writing g = { .ev = ev, .w = w };

	write_value(&g, key, v, t);
}
