/* fields.c - reading records field by field; see fields.h. */
#include "runtime/bind/fields.h"

#include <math.h>

static uint32_t slot_of(const struct reader *b, const struct record *r, const char *name)
{
	return ir_find_field(b->ev->program, r->schema, str_of(name));
}

static const struct ir_field *field_of(const struct reader *b, uint32_t schema, uint32_t slot)
{
	return &b->ev->program->schemas.at[schema].fields[slot];
}

static bool in_user_file(const struct reader *b, struct span s)
{
	const struct sources *sources = b->ev->program->sources;

	return s.file < sources->files.n && !source_get(sources, s.file)->library;
}

struct span reader_span(const struct reader *b, const struct record *r, uint32_t slot)
{
	for (const struct link_layer *l = r->layers; l != NULL; l = l->older) {
		const struct ir_layer *layer = &b->ev->program->layers.at[l->layer];

		for (uint32_t i = 0; i < layer->binding_count; i++)
			if (layer->bindings[i].slot == slot)
				return in_user_file(b, layer->bindings[i].span) ? layer->bindings[i].span
										: b->at;
	}
	return b->at;
}

bool has_field(const struct reader *b, const struct record *r, const char *name)
{
	return slot_of(b, r, name) != IR_NONE;
}

const struct type *field_type(const struct reader *b, const struct record *r, const char *name)
{
	uint32_t slot = slot_of(b, r, name);

	return slot == IR_NONE ? NULL : field_of(b, r->schema, slot)->type;
}

struct value read_value(struct reader *b, struct record *r, const char *name)
{
	if (!b->ok)
		return value_poison();
	uint32_t slot = slot_of(b, r, name);

	invariant(slot != IR_NONE, "the prelude lacks a field that binding reads");
	struct value v = record_get(b->ev, r, slot);

	if (v.kind == VALUE_POISON)
		b->ok = false;
	return v;
}

/* Says that a field is no number the engine counts with: a fraction, or 2^63 and more. */
static void not_countable(struct reader *b, struct value v, struct span at, struct str name)
{
	struct diag *d = diag_new(b->ev->sink, E2003, at);
	struct out text;

	out_init(&text, b->ev->arena);
	value_print(&text, b->ev->program, v, NULL);
	if (v.kind == VALUE_NUMBER && !num_is_int(v.number)) {
		diag_message(d, "`%.*s` is %.*s, and the cost model counts in whole numbers", (int)name.n,
			     name.p, (int)text.n, text.p);
	} else {
		diag_message(d, "`%.*s` is beyond what the cost model counts with", (int)name.n, name.p);
		diag_note(d, "it is %.*s; what a job needs is counted below 2^63", (int)text.n, text.p);
	}
	diag_submit(d);
}

/* A whole number of 63 bits, or a message that names the field. */
static int64_t whole(struct reader *b, struct value v, struct span at, struct str name)
{
	int64_t n;

	if (v.kind == VALUE_NUMBER && num_fits_int64(v.number, &n))
		return n;
	if (v.kind == VALUE_REAL && v.real >= -9e18 && v.real <= 9e18)
		return (int64_t)llround(v.real);
	if (v.kind != VALUE_POISON)
		not_countable(b, v, at, name);
	b->ok = false;
	return 0;
}

int64_t read_int(struct reader *b, struct record *r, const char *name)
{
	struct value v = read_value(b, r, name);

	return b->ok ? whole(b, v, reader_span(b, r, slot_of(b, r, name)), str_of(name)) : 0;
}

int64_t read_int_or(struct reader *b, struct record *r, const char *name, int64_t absent)
{
	struct value v = read_value(b, r, name);

	if (!b->ok || v.kind == VALUE_NONE)
		return absent;
	return whole(b, v, reader_span(b, r, slot_of(b, r, name)), str_of(name));
}

double read_real(struct reader *b, struct record *r, const char *name)
{
	struct value v = read_value(b, r, name);

	return b->ok ? value_to_double(v) : 0;
}

bool read_bool(struct reader *b, struct record *r, const char *name)
{
	struct value v = read_value(b, r, name);

	return b->ok && v.kind == VALUE_BOOL && v.truth;
}

struct str read_string(struct reader *b, struct record *r, const char *name)
{
	struct value v = read_value(b, r, name);

	return b->ok && v.kind == VALUE_STRING ? v.text : STR("");
}

struct record *read_record(struct reader *b, struct record *r, const char *name)
{
	struct value v = read_value(b, r, name);

	return b->ok && v.kind == VALUE_RECORD ? v.record : NULL;
}

uint32_t enum_index(const struct reader *b, struct value v, const struct type *t,
		    const char *const *names, uint32_t count)
{
	const struct ir_program *p = b->ev->program;
	const struct type *e = t != NULL && t->kind == TYPE_OPTION ? t->of : t;

	if (e == NULL || e->kind != TYPE_ENUM || v.kind != VALUE_ENUM)
		return UINT32_MAX;
	struct str name = sym_str(p->names, p->enums.at[e->index].values[v.ordinal]);

	for (uint32_t i = 0; i < count; i++)
		if (str_is(name, names[i]))
			return i;
	return UINT32_MAX;
}

uint32_t read_enum(struct reader *b, struct record *r, const char *name, const char *const *names,
		   uint32_t count)
{
	struct value v = read_value(b, r, name);

	if (!b->ok)
		return 0;
	uint32_t i = enum_index(b, v, field_type(b, r, name), names, count);

	if (i == UINT32_MAX) {
		struct out text;

		out_init(&text, b->ev->arena);
		value_print(&text, b->ev->program, v, field_type(b, r, name));
		out_char(&text, '\0');
		reader_unsupported(b, r, name, text.p);
		return 0;
	}
	return i;
}

void reader_unsupported(struct reader *b, const struct record *r, const char *name, const char *what)
{
	if (b->ok) {
		struct diag *d = diag_new(b->ev->sink, E2008, reader_span(b, r, slot_of(b, r, name)));

		diag_message(d, "the cost model does not cover `%s = %s` yet", name, what);
		diag_submit(d);
	}
	b->ok = false;
}

/* ---- rows -------------------------------------------------------------------------------------- */

struct rows read_rows(struct reader *b, struct record *r, const char *name)
{
	struct value v = read_value(b, r, name);
	const struct type *t = field_type(b, r, name);
	struct rows rows = { .reader = b };

	if (t != NULL && t->kind == TYPE_OPTION)
		t = t->of;
	if (!b->ok || t == NULL || t->of == NULL || t->of->kind != TYPE_RECORD)
		return rows;
	rows.schema = t->of->index;
	if (v.kind == VALUE_TABLE) {
		rows.table = v.table;
		rows.n = v.table->row_count;
	} else if (v.kind == VALUE_LIST) {
		rows.list = v.list;
		rows.n = v.list->n;
	}
	return rows;
}

struct value row_value(const struct rows *rows, uint32_t row, const char *column)
{
	struct reader *b = rows->reader;
	const struct ir_program *p = b->ev->program;
	uint32_t slot = ir_find_field(p, rows->schema, str_of(column));

	invariant(slot != IR_NONE, "the prelude lacks a column that binding reads");
	if (rows->table != NULL)
		return value_of_constant(&rows->table->cells[(size_t)row * p->schemas.at[rows->schema].field_count +
						       slot]);
	struct value v = rows->list->at[row];

	return v.kind == VALUE_RECORD ? read_value(b, v.record, column) : value_poison();
}

int64_t row_int(const struct rows *rows, uint32_t row, const char *column)
{
	struct value v = row_value(rows, row, column);

	return rows->reader->ok ? whole(rows->reader, v, rows->reader->at, str_of(column)) : 0;
}

double row_real(const struct rows *rows, uint32_t row, const char *column)
{
	struct value v = row_value(rows, row, column);

	return v.kind == VALUE_NUMBER || v.kind == VALUE_REAL ? value_to_double(v) : 0;
}

bool row_bool(const struct rows *rows, uint32_t row, const char *column)
{
	struct value v = row_value(rows, row, column);

	return v.kind == VALUE_BOOL && v.truth;
}

struct str row_string(const struct rows *rows, uint32_t row, const char *column)
{
	struct value v = row_value(rows, row, column);

	return v.kind == VALUE_STRING ? v.text : STR("");
}

uint32_t row_enum(const struct rows *rows, uint32_t row, const char *column, const char *const *names,
		  uint32_t count)
{
	struct reader *b = rows->reader;
	const struct ir_program *p = b->ev->program;
	uint32_t slot = ir_find_field(p, rows->schema, str_of(column));

	invariant(slot != IR_NONE, "the prelude lacks a column that binding reads");
	uint32_t i = enum_index(b, row_value(rows, row, column), field_of(b, rows->schema, slot)->type,
				names, count);

	return i == UINT32_MAX ? 0 : i;
}

struct str record_known_as(const struct ir_program *p, const struct record *r)
{
	for (const struct link_layer *l = r->layers; l != NULL; l = l->older) {
		struct sym name = p->layers.at[l->layer].name;

		if (name.id != 0)
			return sym_str(p->names, name);
	}
	return sym_str(p->names, p->schemas.at[r->schema].name);
}
