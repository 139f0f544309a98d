/* figures.c - every figure of the hardware, a tenth less and a tenth more.
 *
 * A figure is a quantity or a percentage that the cluster's record, or a record inside it, holds and that
 * somebody could set: so a field that is added to the library is looked at without a word here. Counts
 * (GPUs of a node) and plain ratios are none.
 */
#include "runtime/ask/sensitivity/sensitivity_int.h"

enum { STEPS_MAX = 12 };

struct walk {
	struct bench_eval *b;
	struct record_step steps[STEPS_MAX];
	uint32_t n;
};

static bool is_figure(const struct type *t)
{
	return t->kind == TYPE_NUMBER && (t->percent || !dim_is_one(t->dim)) && t->dim.money == 0 && t->dim.energy == 0;
}

static struct str path_text(struct walk *w)
{
	struct sensitivity *s = w->b->s;
	const struct ir_program *p = s->ev->program;
	uint32_t schema = s->job->schema;
	struct out o;

	out_init(&o, s->ev->lasting);
	for (uint32_t i = 0; i < w->n; i++) {
		const struct ir_field *f = &p->schemas.at[schema].fields[w->steps[i].slot];
		const struct type *t = f->type;

		out_printf(&o, "%s%s", i > 0 ? "." : "", sym_str(p->names, f->name).p);
		if (w->steps[i].element >= 0)
			out_printf(&o, "[%lld]", (long long)w->steps[i].element);
		while (t->kind == TYPE_OPTION || t->kind == TYPE_LIST)
			t = t->of;
		schema = t->kind == TYPE_RECORD ? t->index : schema;
	}
	return out_view(&o);
}

/* A share of more than everything is no figure any more. */
static bool scaled(struct arena *a, struct value v, const struct type *t, int tenths, struct value *result)
{
	struct num n = v.kind == VALUE_NUMBER ? v.number : num_from_double(a, v.real);

	if (num_mul(a, n, num_ratio(a, tenths, 10), &n) != NUM_OK)
		return false;
	*result = value_number(dim_is_one(t->dim) || t->dim.info != 1 || t->dim.time != 0 ? n : num_floor(a, n));
	return !t->percent || num_compare(n, num_int(1)) <= 0;
}

static void take_figure(struct walk *w, struct value v, const struct type *t)
{
	static const int tenths[] = { 9, 11 };
	struct sensitivity *s = w->b->s;
	struct change c = { .path = path_text(w), .from = shown_value(s, v, t) };

	for (int i = 0; i < 2; i++) {
		struct value now;
		struct record *r;

		change_begin(w->b);
		if (!scaled(&w->b->arena, v, t, tenths[i], &now))
			continue;
		c.to[i] = shown_value(s, now, t);
		r = record_with(&w->b->ev, s->job, w->steps, w->n, now);
		if (r)
			c.after[i] = outcome_of(w->b, r);
	}
	*VEC_ADD(s->ev->lasting, &s->figures) = c;
}

static void walk_record(struct walk *w, struct record *r);

static void walk_value(struct walk *w, uint32_t slot, int64_t element, struct value v, const struct type *t)
{
	if (w->n == STEPS_MAX)
		return;
	t = t->kind == TYPE_OPTION ? t->of : t;
	w->steps[w->n++] = (struct record_step){ slot, element };
	if (v.kind == VALUE_RECORD)
		walk_record(w, v.record);
	else if (is_figure(t) && (v.kind == VALUE_NUMBER || v.kind == VALUE_REAL) && value_to_double(v) > 0)
		take_figure(w, v, t);
	w->n--;
}

/* A list that follows from other fields (the levels that two links make) is not looked at: they are. */
static void walk_record(struct walk *w, struct record *r)
{
	struct eval *ev = w->b->s->ev;
	const struct ir_schema *schema = &ev->program->schemas.at[r->schema];

	for (uint32_t i = 0; i < schema->field_count; i++) {
		const struct ir_field *f = &schema->fields[i];
		struct value v;

		if (f->final || f->native || (f->type->kind == TYPE_LIST && !record_is_set(ev, r, i)))
			continue;
		v = record_get(ev, r, i);
		if (v.kind != VALUE_LIST) {
			walk_value(w, i, -1, v, f->type);
			continue;
		}
		for (uint32_t k = 0; k < v.list->n && f->type->kind == TYPE_LIST; k++)
			walk_value(w, i, k, v.list->at[k], f->type->of);
	}
}

void changes_of_figures(struct bench_eval *b)
{
	struct walk w = { .b = b };
	struct eval *ev = b->s->ev;
	uint32_t slot = ir_find_field(ev->program, b->s->job->schema, STR("cluster"));
	struct value v = slot == IR_NONE ? value_none() : record_get(ev, b->s->job, slot);

	if (v.kind == VALUE_RECORD)
		walk_value(&w, slot, -1, v, ev->program->schemas.at[b->s->job->schema].fields[slot].type);
}
