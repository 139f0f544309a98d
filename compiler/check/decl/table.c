/* table.c - imported data: CSV files and JSON arrays of objects, checked against the schema of a row with
 * positions in that file. */
#include "compiler/check/check_int.h"

#include "compiler/source/csv.h"
#include "compiler/source/json.h"
#include "compiler/syntax/parse.h"

/* One table being read. */
struct reading {
	struct check *c;
	uint32_t schema;
	uint32_t *columns;           /* per field: column, or IR_NONE where its default is taken */
	bool fine;
};

void table_header(struct check *c, struct decl *d)
{
	const struct type *t = type_of_ast(c, d->home, d->node->import_as.type);

	if (!is_poison(t) && t->kind != TYPE_TABLE) {
		diag_report(c->sink, E0206, d->node->import_as.type->span,
			    "a file of data is a `table[SCHEMA]`, not %s", type_phrase(c, t));
		t = c->t.poison;
	}
	c->p->globals.at[d->index].type = t;
}

static void wrong_with_help(struct reading *r, struct span span, const char *column, const char *what,
			    const char *help)
{
	struct diag *d = diag_new(r->c->sink, E0206, span);

	if (column)
		diag_message(d, "`%s` %s", column, what);
	else
		diag_message(d, "%s", what);
	if (help)
		diag_help(d, "%s", help);
	diag_submit(d);
	r->fine = false;
}

static void wrong(struct reading *r, struct span span, const char *column, const char *what)
{
	wrong_with_help(r, span, column, what, NULL);
}

static void wrong_empty(struct reading *r, struct span span, const char *column, const struct type *t)
{
	struct out what, help;

	out_init(&what, r->c->arena);
	out_printf(&what, "is %s, but here it is empty", type_phrase(r->c, t));
	out_init(&help, r->c->arena);
	out_printf(&help, "a column that may be empty has the type `%s?` in the schema", type_text(r->c, t));
	wrong_with_help(r, span, column, str_copy(r->c->arena, out_view(&what)).p,
			str_copy(r->c->arena, out_view(&help)).p);
}

static const struct ir_field *field_at(const struct reading *r, uint32_t i)
{
	return &r->c->p->schemas.at[r->schema].fields[i];
}

/* ---- cells ----------------------------------------------------------------------------------- */

static struct str trim(struct str s)
{
	while (s.n > 0 && s.p[0] == ' ')
		s = str_slice(s, 1, s.n);
	while (s.n > 0 && s.p[s.n - 1] == ' ')
		s.n--;
	return s;
}

/* "312 TFLOPS", "40us", "85%", "0.91". False when it is no such thing. */
static bool read_quantity(struct arena *a, struct str text, struct num *n, struct dimension *dim,
			  bool *has_unit)
{
	struct num factor;
	bool percent;
	uint32_t end = text.n;

	*dim = (struct dimension){ 0, 0, 0, 0, 0 };
	*has_unit = false;
	if (num_parse(a, text, n))
		return true;
	/* The unit is what follows the longest number. */
	while (end > 0 && !num_parse(a, str_slice(text, 0, end), n))
		end--;
	*has_unit = true;
	if (end == 0 || !unit_find(a, trim(str_slice(text, end, text.n)), dim, &factor, &percent))
		return false;
	return num_mul(a, *n, factor, n) == NUM_OK;
}

/* What programs write for a value that is not there. */
static bool means_nothing(struct str text)
{
	static const char *const words[] = { "NaN", "nan", "N/A", "n/a", "NA", "-", "null", "None", "none" };

	for (size_t i = 0; i < PLAN_COUNT(words); i++)
		if (str_is(text, words[i]))
			return true;
	return false;
}

static void read_number(struct reading *r, const struct type *t, struct str text, struct span span,
			const char *column, struct ir_constant *cell)
{
	struct dimension dim;
	bool has_unit, negative = text.n > 0 && text.p[0] == '-';
	struct num n;
	struct out o;

	out_init(&o, r->c->arena);
	if (!read_quantity(r->c->arena, trim(str_slice(text, negative, text.n)), &n, &dim, &has_unit)) {
		out_printf(&o, "is %s, but this is `%.*s`", type_phrase(r->c, t), (int)text.n, text.p);
	} else if (!dim_equal(dim, t->dim)) {
		out_printf(&o, has_unit ? "is %s, and this unit measures something else"
					: "is %s, so the cell needs a unit",
			   type_phrase(r->c, t));
	} else if (is_plain(t) && t->exactness == EXACT_INT && !num_is_int(n)) {
		out_printf(&o, "is an `int`, but this is `%.*s`", (int)text.n, text.p);
	}
	if (o.n > 0)
		wrong_with_help(r, span, column, str_copy(r->c->arena, out_view(&o)).p,
				means_nothing(text) ? "a cell without a value is empty, of a type with `?`"
						    : NULL);
	else
		*cell = (struct ir_constant){ .kind = CONSTANT_NUMBER,
					      .number = negative ? num_neg(r->c->arena, n) : n };
}

static void read_enum(struct reading *r, const struct type *t, struct str text, struct span span,
		      const char *column, struct ir_constant *cell)
{
	struct sym name = sym_find(r->c->names, text);
	uint32_t ordinal = name.id ? enum_find(r->c, t->index, name) : IR_NONE;
	const struct ir_enum *e = &r->c->p->enums.at[t->index];
	struct suggestions s;
	struct diag *d;

	if (ordinal != IR_NONE) {
		*cell = (struct ir_constant){ .kind = CONSTANT_ENUM, .ordinal = ordinal };
		return;
	}
	d = diag_new(r->c->sink, E0206, span);
	diag_message(d, "`%s` is a `%s`, which has no value `%.*s`", column, spell(r->c, e->name),
		     (int)text.n, text.p);
	suggestions_init(&s, r->c->arena, text);
	for (uint32_t i = 0; i < e->count; i++)
		suggestions_add(&s, sym_str(r->c->names, e->values[i]), true);
	diag_suggest(d, &s);
	diag_submit(d);
	r->fine = false;
}

static void read_cell(struct reading *r, uint32_t field, struct str text, struct span span,
		      struct ir_constant *cell)
{
	const struct ir_field *f = field_at(r, field);
	const struct type *t = f->type;
	const char *column = spell(r->c, f->name);

	if (t->kind == TYPE_OPTION && trim(text).n == 0) {
		*cell = (struct ir_constant){ .kind = CONSTANT_NONE };
		return;
	}
	t = without_none(t);
	if (trim(text).n == 0 && (t->kind == TYPE_NUMBER || t->kind == TYPE_ENUM || t->kind == TYPE_BOOL))
		wrong_empty(r, span, column, t);
	else if (t->kind == TYPE_STRING)
		*cell = (struct ir_constant){ .kind = CONSTANT_STRING, .text = text };
	else if (t->kind == TYPE_NUMBER)
		read_number(r, t, trim(text), span, column, cell);
	else if (t->kind == TYPE_ENUM)
		read_enum(r, t, trim(text), span, column, cell);
	else if (t->kind == TYPE_BOOL && (str_is(trim(text), "true") || str_is(trim(text), "false")))
		*cell = (struct ir_constant){ .kind = CONSTANT_BOOL, .truth = str_is(trim(text), "true") };
	else if (t->kind == TYPE_BOOL)
		wrong(r, span, column, "is a `bool`: true or false");
	else if (!is_poison(t))
		wrong(r, span, column, "has a type that no cell can hold");
}

/* A field without a column takes its default, which must be a constant. */
static void fill_default(struct reading *r, uint32_t field, struct ir_constant *cell)
{
	const struct ir_field *f = field_at(r, field);
	const struct ir_constant *k = f->value != IR_NO_NODE ? ir_constant_of(r->c->p, f->value) : NULL;

	if (k)
		*cell = *k;
}

static bool has_default(const struct reading *r, uint32_t field)
{
	const struct ir_field *f = field_at(r, field);

	return f->final || f->native ||
	       (f->value != IR_NO_NODE && ir_constant_of(r->c->p, f->value) != NULL);
}

static void report_column(struct reading *r, struct str name, struct span span)
{
	struct diag *d = diag_new(r->c->sink, E0206, span);

	diag_message(d, "`%s` has no field `%.*s`", spell(r->c, r->c->p->schemas.at[r->schema].name),
		     (int)name.n, name.p);
	if (memchr(name.p, ';', name.n) || memchr(name.p, '\t', name.n))
		diag_help(d, "cells are separated by commas");
	else
		suggest_fields(r->c, d, r->schema, name, NULL);
	diag_submit(d);
	r->fine = false;
}

static void report_missing(struct reading *r, uint32_t field, struct span span, const char *where)
{
	struct out o;

	out_init(&o, r->c->arena);
	out_printf(&o, "is missing: `%s` needs it in %s",
		   spell(r->c, r->c->p->schemas.at[r->schema].name), where);
	wrong(r, span, spell(r->c, field_at(r, field)->name), str_copy(r->c->arena, out_view(&o)).p);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void match_header(struct reading *r, const struct csv *csv)
{
	uint32_t fields = r->c->p->schemas.at[r->schema].field_count;

	for (uint32_t i = 0; i < fields; i++)
		r->columns[i] = IR_NONE;
	for (uint32_t k = 0; k < csv->columns; k++) {
		struct str text = trim(csv->header[k].text);
		struct sym name = sym_find(r->c->names, text);
		uint32_t field = name.id ? field_find(r->c, r->schema, name) : IR_NONE;

		if (field == IR_NONE)
			report_column(r, text, csv->header[k].span);
		else if (r->columns[field] != IR_NONE)
			wrong(r, csv->header[k].span, spell(r->c, name), "stands twice in the header");
		else if (field_at(r, field)->final || field_at(r, field)->native)
			wrong(r, csv->header[k].span, spell(r->c, name), "is derived and cannot be given");
		else
			r->columns[field] = k;
	}
	for (uint32_t i = 0; i < fields && r->fine; i++)
		if (r->columns[i] == IR_NONE && !has_default(r, i))
			report_missing(r, i,
				       span_join(csv->header[0].span, csv->header[csv->columns - 1].span),
				       "the header");
}

static void read_csv(struct reading *r, uint32_t file, struct ir_table *table)
{
	struct csv_error error = { SPAN_NONE, NULL };
	struct csv *csv = csv_parse(r->c->arena, r->c->p->sources, file, &error);
	uint32_t fields = r->c->p->schemas.at[r->schema].field_count;

	if (!csv) {
		wrong(r, error.span, NULL, error.message);
		return;
	}
	match_header(r, csv);
	if (!r->fine)
		return;
	table->row_count = csv->rows;
	table->cells = ARENA_ARRAY(r->c->arena, struct ir_constant, (size_t)csv->rows * fields + 1);
	for (uint32_t row = 0; row < csv->rows; row++) {
		for (uint32_t i = 0; i < fields; i++) {
			struct ir_constant *cell = &table->cells[(size_t)row * fields + i];
			const struct csv_cell *from;

			if (r->columns[i] == IR_NONE) {
				fill_default(r, i, cell);
				continue;
			}
			from = &csv->cells[(size_t)row * csv->columns + r->columns[i]];
			read_cell(r, i, from->text, from->span, cell);
		}
	}
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A number by its digits, anything else by its kind. */
static void print_kind(struct reading *r, const struct json *value, bool plain, struct out *o)
{
	enum { DIGITS_SHOWN_MAX = 30 };
	struct str text = source_slice(r->c->p->sources, value->span);

	if (value->kind != JSON_NUMBER)
		out_text(o, json_kind_name(value->kind));
	else if (plain || text.n > DIGITS_SHOWN_MAX)
		out_text(o, "a plain number");
	else
		out_printf(o, "%.*s", (int)text.n, text.p);
}

static void read_value(struct reading *r, uint32_t field, const struct json *value, struct ir_constant *cell)
{
	const struct ir_field *f = field_at(r, field);
	const struct type *t = without_none(f->type);
	const char *column = spell(r->c, f->name);
	struct out o;

	if (value->kind == JSON_NULL && f->type->kind == TYPE_OPTION)
		*cell = (struct ir_constant){ .kind = CONSTANT_NONE };
	else if (value->kind == JSON_STRING)
		read_cell(r, field, value->text, value->span, cell);
	else if (value->kind == JSON_BOOL && t->kind == TYPE_BOOL)
		*cell = (struct ir_constant){ .kind = CONSTANT_BOOL, .truth = value->truth };
	else if (value->kind == JSON_NUMBER && is_plain(t) &&
		 (t->exactness != EXACT_INT || num_is_int(value->number)))
		*cell = (struct ir_constant){ .kind = CONSTANT_NUMBER, .number = value->number };
	else {
		bool unit = value->kind == JSON_NUMBER && t->kind == TYPE_NUMBER && !is_plain(t);

		out_init(&o, r->c->arena);
		out_printf(&o, "is %s, but this is ", type_phrase(r->c, f->type));
		print_kind(r, value, unit, &o);
		wrong_with_help(r, value->span, column, str_copy(r->c->arena, out_view(&o)).p,
				unit ? "a quantity stands in quotes with its unit, as in \"80 GiB\"" : NULL);
	}
}

static void read_object(struct reading *r, const struct json *object, struct ir_constant *cells)
{
	uint32_t fields = r->c->p->schemas.at[r->schema].field_count;
	bool *seen = ARENA_ARRAY(r->c->arena, bool, fields + 1), misspelt = false;

	if (object->kind != JSON_OBJECT) {
		wrong(r, object->span, NULL, "a row is an object");
		return;
	}
	for (uint32_t k = 0; k < object->count; k++) {
		struct sym name = sym_find(r->c->names, object->keys[k]);
		uint32_t field = name.id ? field_find(r->c, r->schema, name) : IR_NONE;

		if (field == IR_NONE) {
			report_column(r, object->keys[k], object->key_spans[k]);
			misspelt = true;
			continue;
		}
		seen[field] = true;
		if (field_at(r, field)->final || field_at(r, field)->native)
			wrong(r, object->key_spans[k], spell(r->c, name), "is derived and cannot be given");
		else
			read_value(r, field, &object->items[k], &cells[field]);
	}
	for (uint32_t i = 0; i < fields; i++) {
		if (seen[i])
			continue;
		if (has_default(r, i))
			fill_default(r, i, &cells[i]);
		else if (!misspelt)
			report_missing(r, i, object->span, "every row");
	}
}

static void read_json(struct reading *r, uint32_t file, struct ir_table *table)
{
	struct json_error error = { SPAN_NONE, NULL, STR("") };
	struct json *root = json_parse(r->c->arena, r->c->p->sources, file, &error);
	uint32_t fields = r->c->p->schemas.at[r->schema].field_count;

	if (!root) {
		diag_report(r->c->sink, E0208, error.span, error.detail.n > 0 ? "%s: `%.*s`" : "%s%.*s",
			    error.message, (int)error.detail.n, error.detail.p);
		return;
	}
	if (root->kind != JSON_ARRAY) {
		wrong(r, root->span, NULL, "a table is an array of objects");
		return;
	}
	table->row_count = root->count;
	table->cells = ARENA_ARRAY(r->c->arena, struct ir_constant, (size_t)root->count * fields + 1);
	for (uint32_t i = 0; i < root->count; i++)
		read_object(r, &root->items[i], &table->cells[(size_t)i * fields]);
}

void read_table(struct check *c, struct decl *d)
{
	const struct type *t = c->p->globals.at[d->index].type;
	struct ir_table table = { 0 };
	struct reading r = { .c = c, .fine = true };

	if (t->kind != TYPE_TABLE)
		return;
	table.schema = r.schema = t->of->index;
	r.columns = ARENA_ARRAY(c->arena, uint32_t, c->p->schemas.at[r.schema].field_count + 1);
	if (str_ends(d->node->import_as.path, ".json"))
		read_json(&r, d->data, &table);
	else
		read_csv(&r, d->data, &table);
	*VEC_ADD(c->arena, &c->p->tables) = table;
	c->p->globals.at[d->index].table = c->p->tables.n - 1;
}
