/* table.c - prints which fields of a profile make the difference in one result of a job. */
#include <math.h>

#include "runtime/ask/profiles/profiles.h"
#include "runtime/ask/reads.h"
#include "runtime/io/json_write.h"

/* How a result is shown: in multiples of `grid`, with as many decimals of `name`. Sums of what is shown are
 * exact. */
struct scale {
	double grid;                 /* base units */
	int decimals;
	const char *name;
};

#define GIB 0x1p30
#define MIB 0x1p20

static struct scale scale_of(const struct type *t, double size)
{
	while (t->kind == TYPE_OPTION)
		t = t->of;
	if (t->kind != TYPE_NUMBER)
		return (struct scale){ 1, 0, "" };

	struct dimension d = t->dim;

	if (d.time == 1 && d.info == 0 && d.work == 0)
		return size >= 1 ? (struct scale){ 1e-4, 4, " s" } : (struct scale){ 1e-6, 3, " ms" };
	if (d.info == 1 && d.time == 0)
		return size >= GIB ? (struct scale){ GIB / 1000, 3, " GiB" } : (struct scale){ MIB / 1000, 3, " MiB" };
	if (d.time == 0 && size <= 1)
		return (struct scale){ 1e-5, 3, " %" };
	return (struct scale){ 1, 0, "" };
}

static void put(struct out *o, int64_t n, const struct scale *s, bool sign, uint32_t width)
{
	struct out text;
	int64_t ten = 1, size = n < 0 ? -n : n;

	for (int i = 0; i < s->decimals; i++)
		ten *= 10;
	out_init(&text, o->arena);
	out_text(&text, n < 0 ? "-" : sign && n > 0 ? "+" : "");
	out_grouped(&text, size / ten);
	if (s->decimals > 0)
		out_printf(&text, ".%0*lld", s->decimals, (long long)(size % ten));
	out_text(&text, s->name);
	out_repeat(o, ' ', width > text.n ? width - (uint32_t)text.n : 0);
	out_bytes(o, text.p, text.n);
}

enum { NUMBER = 16, FIELD = 28, VALUES = 28 };

static void put_padded(struct out *o, struct str text, uint32_t width)
{
	out_str(o, text);
	out_repeat(o, ' ', width > text.n ? width - text.n : 1);
}

static void effect_line(struct eval *ev, const struct profile_difference *d, const struct profile_effect *e,
			const struct scale *s, struct out *o)
{
	struct str from = profile_value_text(ev, d->before_name, e->field);
	struct str to = profile_value_text(ev, d->after_name, e->field);
	struct str doc = profile_field_doc(ev, e->field);
	struct out values;

	out_init(&values, ev->arena);
	out_printf(&values, "%.*s to %.*s", (int)from.n, from.p, (int)to.n, to.p);
	put(o, e->effect, s, true, NUMBER);
	out_text(o, "  ");
	put_padded(o, str_of(e->field), FIELD);
	put_padded(o, out_view(&values), VALUES);
	out_str(o, doc);
	out_char(o, '\n');
}

/* Fields that differ and change nothing, wrapped. */
static void list_idle(const struct profile_difference *d, bool refused, const char *heading, struct out *o)
{
	enum { COLUMNS = 100 };
	size_t line = 0;

	for (uint32_t i = 0; i < d->effect_count; i++) {
		const struct profile_effect *e = &d->effects[i];

		if (e->effect != 0 || e->refused != refused)
			continue;
		if (line == 0) {
			out_printf(o, "%s\n   ", heading);
			line = o->n - 3;
		} else if (o->n - line > COLUMNS) {
			out_text(o, "\n   ");
			line = o->n - 3;
		}
		out_printf(o, " %s", e->field);
	}
	if (line != 0)
		out_char(o, '\n');
}

static void print_text(struct eval *ev, struct str label, const struct profile_difference *d,
		       const struct scale *s, struct out *o)
{
	const struct {
		struct str name;
		int64_t n;
	} rows[] = { { d->before_name, d->before },
		     { d->after_name, d->after },
		     { STR("difference"), d->after - d->before } };

	out_printf(o, "%.*s\n", (int)label.n, label.p);
	for (size_t i = 0; i < PLAN_COUNT(rows); i++) {
		put(o, rows[i].n, s, i == 2, NUMBER);
		out_printf(o, "  %.*s\n", (int)rows[i].name.n, rows[i].name.p);
	}
	out_printf(o, "\none field at a time, from %.*s to %.*s\n", (int)d->before_name.n, d->before_name.p,
		   (int)d->after_name.n, d->after_name.p);
	for (uint32_t i = 0; i < d->effect_count; i++)
		if (d->effects[i].effect != 0)
			effect_line(ev, d, &d->effects[i], s, o);
	put(o, d->together, s, true, NUMBER);
	out_text(o, "  together                    what fields do beyond the sum of what each does alone\n");
	put(o, d->after - d->before, s, true, NUMBER);
	out_text(o, "  sum\n");
	list_idle(d, false, "\nother values, but no difference alone:", o);
	list_idle(d, true, "\nrefused alone, counted with `together`:", o);
}

/* Exact decimals: multiples of the unit add up as they are printed. */
static void json_units(struct json_writer *w, struct eval *ev, const char *key, int64_t n, int64_t per_unit)
{
	json_num(w, key, num_ratio(ev->arena, n, per_unit));
}

static void print_json(struct eval *ev, struct str label, const struct profile_difference *d,
		       int64_t per_unit, const struct type *t, struct out *o)
{
	struct json_writer w;

	json_writer_init(&w, ev->arena);
	json_begin_object(&w, NULL);
	json_str(&w, "name", label);
	json_str(&w, "unit", type_base_unit(ev->arena, t));
	json_str(&w, "from", d->before_name);
	json_str(&w, "to", d->after_name);
	json_units(&w, ev, "before", d->before, per_unit);
	json_units(&w, ev, "after", d->after, per_unit);
	json_units(&w, ev, "difference", d->after - d->before, per_unit);
	json_begin_array(&w, "effects");
	for (uint32_t i = 0; i < d->effect_count; i++) {
		const struct profile_effect *e = &d->effects[i];

		json_begin_object(&w, NULL);
		json_text(&w, "field", e->field);
		json_str(&w, "from", profile_value_text(ev, d->before_name, e->field));
		json_str(&w, "to", profile_value_text(ev, d->after_name, e->field));
		json_units(&w, ev, "effect", e->effect, per_unit);
		json_bool(&w, "refused", e->refused);
		json_end(&w);
	}
	json_end(&w);
	json_units(&w, ev, "together", d->together, per_unit);
	json_end(&w);
	json_print(&w, o, true);
	out_char(o, '\n');
}

/* Where the job keeps the number that a path names. */
static bool number_of(const struct eval *ev, const struct read *r, struct job_number *n)
{
	static const struct {
		const char *schema, *record;
	} places[] = { { "step_result", "step" }, { "memory_result", "memory" }, { "job", "" } };
	const struct ir_program *p = ev->program;

	if (r->kind != READ_SLOT || !r->job)
		return false;

	const char *field = sym_str(p->names, p->schemas.at[r->record->schema].fields[r->slot].name).p;

	for (size_t i = 0; i < PLAN_COUNT(places); i++) {
		uint32_t schema = ir_find_schema(p, places[i].schema);

		if (schema != IR_NONE && ir_schema_extends(p, r->record->schema, schema))
			return job_number_find(places[i].record, field, n) && n->kind != JOB_TRUTH;
	}
	return false;
}

bool why_profiles_ask(struct eval *ev, ir_id question, struct str label, struct str after, bool json,
		      struct out *o, const char **refusal)
{
	struct value v = eval_node(ev, question, (struct scope){ 0 });
	struct profile_difference d;
	struct job_number n;

	*refusal = NULL;
	if (v.kind == VALUE_POISON)
		return false;

	struct read read = read_of(ev, question, (struct scope){ 0 }, label), *r = &read;

	if (!number_of(ev, r, &n)) {
		*refusal = "it is no time, memory or rate of a job, such as pretrain.step.time, "
			   "pretrain.memory.peak or pretrain.mfu";
		return false;
	}

	const struct type *t = read_type(ev, r);
	struct scale s = scale_of(t, fabs(value_to_double(v)));
	int64_t per_unit = n.kind == JOB_COUNT ? 1 : 1000000000;

	if (!profiles_compare(ev, r->job, n, json ? 1.0 / (double)per_unit : s.grid, STR("standard"),
			      after, &d))
		return false;
	if (json)
		print_json(ev, r->label, &d, per_unit, t, o);
	else
		print_text(ev, r->label, &d, &s, o);
	return true;
}
