/* diff.c - compares two plans by value. */
#include "runtime/ask/diff/diff_int.h"

#include "runtime/bind/job.h"

enum { NESTING_MAX = 8 };

static void compare(struct diff *d, struct str path, struct side a, struct side b);

static struct value quietly(struct eval *ev, struct record *r, uint32_t slot)
{
	bool muted = ev->sink->muted;
	struct value v;

	ev->sink->muted = true;
	v = record_get(ev, r, slot);
	ev->sink->muted = muted;
	return v;
}

static struct str field_name(const struct side *s, uint32_t slot)
{
	const struct ir_program *p = s->ev->program;

	return sym_str(p->names, p->schemas.at[s->value.record->schema].fields[slot].name);
}

static struct side field_of(const struct side *s, uint32_t slot)
{
	const struct ir_program *p = s->ev->program;

	return (struct side){ s->ev, quietly(s->ev, s->value.record, slot),
			      p->schemas.at[s->value.record->schema].fields[slot].type };
}

static struct str join(struct diff *d, struct str path, struct str name)
{
	struct out o;

	out_init(&o, d->o->arena);
	out_printf(&o, "%.*s%s%.*s", (int)path.n, path.p, path.n > 0 && name.p[0] != '[' ? "." : "",
		   (int)name.n, name.p);
	return str_copy(d->o->arena, out_view(&o));
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Two programs number their enums apart, so values are compared by what they print as source. */
static bool same_text(struct diff *d, const struct side *a, const struct side *b)
{
	struct out x, y;

	out_init(&x, d->o->arena);
	out_init(&y, d->o->arena);
	value_print_source(&x, a->ev->program, a->value, a->type);
	value_print_source(&y, b->ev->program, b->value, b->type);
	return str_equal(out_view(&x), out_view(&y));
}

static struct str record_name(const struct side *s)
{
	const struct ir_program *p = s->ev->program;
	uint32_t global = s->value.record->global;

	return global == IR_NONE ? STR("") : sym_str(p->names, p->globals.at[global].name);
}

/* Every field that is not computed by the cost model, by name: the schemas may differ, too. */
static void compare_fields(struct diff *d, struct str path, struct side a, struct side b)
{
	const struct ir_schema *s = &a.ev->program->schemas.at[a.value.record->schema];

	for (uint32_t i = 0; i < s->field_count; i++) {
		struct str name = field_name(&a, i);
		uint32_t other = ir_find_field(b.ev->program, b.value.record->schema, name);

		if (!s->fields[i].native && other != IR_NONE)
			compare(d, join(d, path, name), field_of(&a, i), field_of(&b, other));
	}
}

/* Records that were declared are compared under their own names. */
static void compare_records(struct diff *d, struct str path, struct side a, struct side b)
{
	struct str x = record_name(&a), y = record_name(&b);

	if (x.n > 0 && y.n > 0 && d->depth > 1) {
		if (!str_equal(x, y))
			diff_changed(d, path, &a, &b);
		return;
	}
	compare_fields(d, path, a, b);
}

static void compare_lists(struct diff *d, struct str path, struct side a, struct side b)
{
	const struct list *x = a.value.list, *y = b.value.list;

	if (x->n != y->n || (x->n > 0 && x->at[0].kind != VALUE_RECORD)) {
		if (!same_text(d, &a, &b))
			diff_changed(d, path, &a, &b);
		return;
	}
	for (uint32_t i = 0; i < x->n; i++) {
		struct out o;

		out_init(&o, d->o->arena);
		out_printf(&o, "[%u]", i);
		compare(d, join(d, path, str_copy(d->o->arena, out_view(&o))),
			(struct side){ a.ev, x->at[i], a.type->kind == TYPE_LIST ? a.type->of : NULL },
			(struct side){ b.ev, y->at[i], b.type->kind == TYPE_LIST ? b.type->of : NULL });
	}
}

static void compare_tables(struct diff *d, struct str path, struct side a, struct side b)
{
	const struct ir_table *x = a.value.table, *y = b.value.table;
	uint32_t n = a.ev->program->schemas.at[x->schema].field_count;
	bool same = x->row_count == y->row_count &&
		    n == b.ev->program->schemas.at[y->schema].field_count;

	for (size_t i = 0; same && i < (size_t)x->row_count * n; i++) {
		const struct ir_constant *p = &x->cells[i], *q = &y->cells[i];

		same = p->kind == q->kind && p->truth == q->truth && p->ordinal == q->ordinal &&
		       (p->kind != CONSTANT_NUMBER || num_compare(p->number, q->number) == 0) &&
		       str_equal(p->text, q->text);
	}
	if (!same)
		diff_changed(d, path, &a, &b);
}

static void compare(struct diff *d, struct str path, struct side a, struct side b)
{
	if (d->depth >= NESTING_MAX)
		return;
	while (a.type && a.type->kind == TYPE_OPTION)
		a.type = a.type->of;
	while (b.type && b.type->kind == TYPE_OPTION)
		b.type = b.type->of;
	d->depth++;
	if (diff_is_number(a.value) && diff_is_number(b.value)) {
		if (value_compare_numbers(a.value, b.value) != 0)
			diff_changed(d, path, &a, &b);
	} else if (a.value.kind != b.value.kind) {
		diff_changed(d, path, &a, &b);
	} else if (a.value.kind == VALUE_RECORD) {
		compare_records(d, path, a, b);
	} else if (a.value.kind == VALUE_LIST && a.type && b.type) {
		compare_lists(d, path, a, b);
	} else if (a.value.kind == VALUE_TABLE) {
		compare_tables(d, path, a, b);
	} else if (a.value.kind != VALUE_POISON && !same_text(d, &a, &b)) {
		diff_changed(d, path, &a, &b);
	}
	d->depth--;
}

/* ---- results of jobs ------------------------------------------------------------------------- */

/* A result by its path; false where there is none. */
static bool result(struct eval *ev, struct record *job, const char *outer, const char *inner, struct side *s)
{
	uint32_t slot = ir_find_field(ev->program, job->schema, str_of(outer));
	struct side of = { ev, { .kind = VALUE_RECORD, .record = job }, NULL };

	if (slot == IR_NONE)
		return false;
	*s = field_of(&of, slot);
	if (!inner)
		return true;
	if (s->value.kind != VALUE_RECORD)
		return false;
	slot = ir_find_field(ev->program, s->value.record->schema, str_of(inner));
	if (slot == IR_NONE)
		return false;
	*s = field_of(s, slot);
	return true;
}

static void compare_results(struct diff *d, struct str path, struct record *a, struct record *b)
{
	static const struct {
		const char *outer, *inner;
	} results[] = {
		{ "step", "time" },      { "tokens_per_second", NULL }, { "mfu", NULL },
		{ "memory", "peak" },    { "memory", "reserved" },      { "memory", "worst_stage" },
		{ "memory", "fits" },
	};

	for (size_t i = 0; i < PLAN_COUNT(results); i++) {
		struct side x, y;
		struct str name = join(d, path, str_of(results[i].outer));

		if (!result(d->a, a, results[i].outer, results[i].inner, &x) ||
		    !result(d->b, b, results[i].outer, results[i].inner, &y))
			continue;
		if (results[i].inner)
			name = join(d, name, str_of(results[i].inner));
		compare(d, name, x, y);
	}
}

static bool is_job(const struct eval *ev, struct value v)
{
	uint32_t job = ir_find_schema(ev->program, "job");

	return v.kind == VALUE_RECORD && job != IR_NONE &&
	       ir_schema_extends(ev->program, v.record->schema, job);
}

/* ---- files ----------------------------------------------------------------------------------- */

static uint32_t find_own(const struct ir_program *p, struct str name)
{
	uint32_t found = ir_find_global(p, name);

	return found != IR_NONE && p->globals.at[found].file == p->root_file ? found : IR_NONE;
}

static struct side side_of(struct eval *ev, uint32_t global)
{
	bool muted = ev->sink->muted;
	struct side s = { .ev = ev, .type = ev->program->globals.at[global].type };

	ev->sink->muted = true;
	s.value = eval_global(ev, global);
	ev->sink->muted = muted;
	return s;
}

static void compare_global(struct diff *d, uint32_t a, uint32_t b, struct str name)
{
	struct side x = side_of(d->a, a), y = side_of(d->b, b);

	compare(d, name, x, y);
	if (is_job(d->a, x.value) && is_job(d->b, y.value))
		compare_results(d, name, x.value.record, y.value.record);
}

static void compare_globals(struct diff *d)
{
	const struct ir_program *p = d->a->program, *q = d->b->program;

	for (uint32_t i = 0; i < p->globals.n; i++) {
		const struct ir_global *g = &p->globals.at[i];
		uint32_t other;

		if (g->file != p->root_file || !g->name.id)
			continue;
		other = find_own(q, sym_str(p->names, g->name));
		if (other == IR_NONE)
			diff_only(d, false, diff_global_kind(d, p, g), sym_str(p->names, g->name));
		else
			compare_global(d, i, other, sym_str(p->names, g->name));
	}
	for (uint32_t i = 0; i < q->globals.n; i++) {
		const struct ir_global *g = &q->globals.at[i];

		if (g->file == q->root_file && g->name.id &&
		    find_own(p, sym_str(q->names, g->name)) == IR_NONE)
			diff_only(d, true, diff_global_kind(d, q, g), sym_str(q->names, g->name));
	}
}

uint32_t diff_print(struct eval *before, struct eval *after, struct out *o)
{
	struct diff d = { .a = before, .b = after, .o = o };

	compare_globals(&d);
	diff_sweeps(&d);
	return d.lines;
}

uint32_t diff_json(struct eval *before, struct eval *after, struct out *o)
{
	struct json_writer w;
	struct diff d = { .a = before, .b = after, .o = o, .json = &w };

	json_writer_init(&w, o->arena);
	json_begin_object(&w, NULL);
	json_begin_array(&w, "changes");
	compare_globals(&d);
	diff_sweeps(&d);
	json_end(&w);
	json_end(&w);
	json_print(&w, o, true);
	out_char(o, '\n');
	return d.lines;
}
