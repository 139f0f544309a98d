/* builtin_lookup.c - lookup: the row of a table that has given values in given columns.
 *
 * Nothing is ever extrapolated. Between two rows a value is computed only when the plan says how; columns
 * are taken one after the other, so that a grid of several measured columns is interpolated in each. */
#include <math.h>

#include "runtime/eval/eval_int.h"

enum scale { SCALE_NONE, SCALE_LINEAR, SCALE_LOG };

struct search {
	const struct call *call;
	const struct ir_table *table;
	const struct ir_schema *schema;
	enum scale scale;
	uint32_t *arguments; /* of the columns, in the order of the call */
	uint32_t *slots;
	uint32_t columns;
};

/* Rows that are left, by number. */
struct rows {
	uint32_t *at;
	uint32_t n;
};

static struct value cell(const struct search *s, uint32_t row, uint32_t slot)
{
	return value_of_constant(&s->table->cells[(size_t)row * s->schema->field_count + slot]);
}

static struct value wanted(const struct search *s, uint32_t column)
{
	return s->call->args[s->arguments[column]];
}

static const char *column_name(const struct search *s, uint32_t column)
{
	return sym_str(s->call->ev->program->names, s->schema->fields[s->slots[column]].name).p;
}

static struct str show(const struct search *s, uint32_t slot, struct value v)
{
	return value_text(s->call->ev, v, s->schema->fields[slot].type);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static bool is_measure(struct value v)
{
	return v.kind == VALUE_NUMBER;
}

/* The nearest values of a column below and above the wanted one; false when a side is missing. */
static bool neighbours(const struct search *s, const struct rows *rows, uint32_t column,
		       struct value *low, struct value *high)
{
	struct value v = wanted(s, column);

	*low = *high = value_none();
	for (uint32_t i = 0; i < rows->n; i++) {
		struct value x = cell(s, rows->at[i], s->slots[column]);

		if (!is_measure(x))
			continue;
		if (value_compare_numbers(x, v) < 0 &&
		    (low->kind == VALUE_NONE || value_compare_numbers(x, *low) > 0))
			*low = x;
		if (value_compare_numbers(x, v) > 0 &&
		    (high->kind == VALUE_NONE || value_compare_numbers(x, *high) < 0))
			*high = x;
	}
	return low->kind != VALUE_NONE && high->kind != VALUE_NONE;
}

/* What there is instead of the wanted number. */
static void note_neighbours(const struct search *s, const struct rows *rows, uint32_t column,
			    struct diag *d)
{
	struct value low, high;
	bool both = neighbours(s, rows, column, &low, &high);
	struct str a = show(s, s->slots[column], low), b = show(s, s->slots[column], high);

	if (both) {
		diag_note(d, "the nearest are %.*s and %.*s", (int)a.n, a.p, (int)b.n, b.p);
		diag_help(
			d,
			"`interpolate = linear` or `interpolate = log` computes what lies between");
	} else if (low.kind != VALUE_NONE) {
		diag_note(d, "the largest that was measured is %.*s", (int)a.n, a.p);
	} else if (high.kind != VALUE_NONE) {
		diag_note(d, "the smallest that was measured is %.*s", (int)b.n, b.p);
	}
}

static struct value *no_row(const struct search *s, const struct rows *rows, uint32_t column)
{
	struct value v = wanted(s, column);
	struct str text = show(s, s->slots[column], v);
	struct diag *d = call_fail(s->call, s->arguments[column]);

	diag_message(d, "no row %shas `%s` = %.*s", column > 0 ? "that fits otherwise " : "",
		     column_name(s, column), (int)text.n, text.p);
	if (value_is_number(v))
		note_neighbours(s, rows, column, d);
	diag_submit(d);
	return NULL;
}

static struct value *several_rows(const struct search *s, const struct rows *rows)
{
	struct diag *d = fail_at(s->call->ev, E2005, s->call->node->span);

	diag_message(d, "%u rows fit, and a row is what is asked for", rows->n);
	diag_note(d, "the first two are rows %u and %u of the table", rows->at[0] + 1,
		  rows->at[1] + 1);
	diag_help(d, "name another column that tells them apart");
	diag_submit(d);
	return NULL;
}

/* ---- between two rows ------------------------------------------------------------------------ */

/* Where x lies between low and high, 0 to 1. */
static struct num share_linear(struct arena *a, struct num x, struct num low, struct num high)
{
	struct num over, whole, share;

	if (num_sub(a, x, low, &over) == NUM_OK && num_sub(a, high, low, &whole) == NUM_OK &&
	    num_div(a, over, whole, &share) == NUM_OK)
		return share;
	return num_int(0);
}

static double share_log(struct value x, struct value low, struct value high)
{
	return log(value_to_double(x) / value_to_double(low)) /
	       log(value_to_double(high) / value_to_double(low));
}

static struct value between_linear(struct arena *a, struct value low, struct value high,
				   struct num share)
{
	struct num span, part, sum;

	if (num_sub(a, high.number, low.number, &span) == NUM_OK &&
	    num_mul(a, span, share, &part) == NUM_OK &&
	    num_add(a, low.number, part, &sum) == NUM_OK)
		return value_number(sum);
	return low;
}

/* On a logarithmic scale: exact neighbours give a value that is exact to the bits of a double. */
static struct value between_log(struct arena *a, struct value low, struct value high, double share)
{
	double x = value_to_double(low) * pow(value_to_double(high) / value_to_double(low), share);

	return isfinite(x) ? value_number(num_from_double(a, x)) : low;
}

static bool needs_whole(const struct type *t)
{
	if (t->kind == TYPE_OPTION)
		t = t->of;
	return t->kind == TYPE_NUMBER && dim_is_one(t->dim) && t->exactness == EXACT_INT;
}

struct pair {
	const struct value *low, *high; /* cells of two rows */
	struct value x0, x1, x;         /* the column between them, and the wanted value */
	uint32_t column;
};

static struct value *not_between(const struct search *s, uint32_t slot, const char *why)
{
	struct diag *d = fail_at(s->call->ev, E2005, s->call->node->span);

	diag_message(d, "`%s` cannot be interpolated: %s",
		     sym_str(s->call->ev->program->names, s->schema->fields[slot].name).p, why);
	diag_submit(d);
	return NULL;
}

static bool positive(struct value v)
{
	return num_sign(v.number) > 0;
}

static struct value *between(const struct search *s, const struct pair *p)
{
	struct eval *ev = s->call->ev;
	uint32_t n = s->schema->field_count;
	struct value *cells = ARENA_ARRAY(ev->arena, struct value, n);
	bool by_log = s->scale == SCALE_LOG;

	if (by_log && (!positive(p->x0) || !positive(p->x)))
		return not_between(s, s->slots[p->column], "a logarithm needs values above 0");
	for (uint32_t i = 0; i < n; i++) {
		struct value low = p->low[i], high = p->high[i];

		cells[i] = i == s->slots[p->column] ? p->x : low;
		if (i == s->slots[p->column] ||
		    eval_equal(ev, low, high, s->schema->fields[i].type))
			continue;
		if (!is_measure(low) || !is_measure(high))
			return not_between(s, i, "it differs between the rows and is no number");
		if (needs_whole(s->schema->fields[i].type))
			return not_between(s, i, "it is an int, and differs between the rows");
		if (!by_log)
			cells[i] = between_linear(
				ev->arena, low, high,
				share_linear(ev->arena, p->x.number, p->x0.number, p->x1.number));
		else if (positive(low) && positive(high))
			cells[i] = between_log(ev->arena, low, high, share_log(p->x, p->x0, p->x1));
		else
			return not_between(s, i, "a logarithm needs values above 0");
	}
	return cells;
}

/* ---- finding --------------------------------------------------------------------------------- */

static struct rows rows_with(const struct search *s, const struct rows *rows, uint32_t column,
			     struct value v)
{
	struct eval *ev = s->call->ev;
	uint32_t slot = s->slots[column];
	struct rows found = { ARENA_ARRAY(ev->arena, uint32_t, rows->n + 1), 0 };

	for (uint32_t i = 0; i < rows->n; i++)
		if (eval_equal(ev, cell(s, rows->at[i], slot), v, s->schema->fields[slot].type))
			found.at[found.n++] = rows->at[i];
	return found;
}

static struct value *find(const struct search *s, const struct rows *rows, uint32_t column);

static struct value *find_between(const struct search *s, const struct rows *rows, uint32_t column)
{
	struct pair p = { .x = wanted(s, column), .column = column };
	struct rows low, high;

	if (s->scale == SCALE_NONE || p.x.kind != VALUE_NUMBER ||
	    !neighbours(s, rows, column, &p.x0, &p.x1))
		return no_row(s, rows, column);
	low = rows_with(s, rows, column, p.x0);
	high = rows_with(s, rows, column, p.x1);
	p.low = find(s, &low, column + 1);
	p.high = p.low ? find(s, &high, column + 1) : NULL;
	return p.high ? between(s, &p) : NULL;
}

/* The cells of the row that fits in this column and in those behind it; NULL after a message. */
static struct value *find(const struct search *s, const struct rows *rows, uint32_t column)
{
	struct value *cells;
	struct rows found;

	if (column < s->columns) {
		found = rows_with(s, rows, column, wanted(s, column));
		return found.n > 0 ? find(s, &found, column + 1) : find_between(s, rows, column);
	}
	if (rows->n != 1)
		return several_rows(s, rows);
	cells = ARENA_ARRAY(s->call->ev->arena, struct value, s->schema->field_count);
	for (uint32_t i = 0; i < s->schema->field_count; i++)
		cells[i] = cell(s, rows->at[0], i);
	return cells;
}

static bool read_arguments(struct search *s)
{
	const struct call *c = s->call;

	for (uint32_t i = 1; i < c->n; i++) {
		struct sym name = c->ev->program->list_names.at[c->node->b + i];
		struct str text = sym_str(c->ev->program->names, name);

		if (str_is(text, "interpolate")) {
			s->scale = str_is(c->args[i].text, "log") ? SCALE_LOG : SCALE_LINEAR;
			continue;
		}
		if (!fail_unless_present(c->ev, c->args[i], call_node(c, i)))
			return false;
		s->slots[s->columns] = ir_find_field(c->ev->program, s->table->schema, text);
		s->arguments[s->columns++] = i;
	}
	return true;
}

struct value builtin_lookup(const struct call *c)
{
	struct eval *ev = c->ev;
	struct search s = { .call = c };
	struct rows all;
	struct value *cells;

	if (!fail_unless_present(ev, c->args[0], call_node(c, 0)))
		return value_poison();
	invariant(c->args[0].kind == VALUE_TABLE, "a look-up in no table");
	s.table = c->args[0].table;
	s.schema = &ev->program->schemas.at[s.table->schema];
	s.arguments = ARENA_ARRAY(ev->arena, uint32_t, c->n);
	s.slots = ARENA_ARRAY(ev->arena, uint32_t, c->n);
	if (!read_arguments(&s))
		return value_poison();
	all = (struct rows){ ARENA_ARRAY(ev->arena, uint32_t, s.table->row_count + 1), 0 };
	while (all.n < s.table->row_count) {
		all.at[all.n] = all.n;
		all.n++;
	}
	cells = find(&s, &all, 0);
	if (!cells)
		return value_poison();
	return (struct value){ .kind = VALUE_RECORD, .record = record_of_cells(ev, s.table->schema, cells) };
}
