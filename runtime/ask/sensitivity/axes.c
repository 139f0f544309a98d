/* axes.c - the candidates one step away from the best one along each axis of its sweep. */
#include "runtime/ask/sensitivity/sensitivity_int.h"

/* The value that a path has in a record; NONE where it leads through nothing. */
static struct value at_path(struct eval *ev, struct record *r, const struct ir_path *path)
{
	struct value v = { .kind = VALUE_RECORD, .record = r };

	for (uint32_t i = 0; i < path->slot_count && v.kind == VALUE_RECORD; i++)
		v = record_get(ev, v.record, path->slots[i]);
	return v;
}

/* The part of an element of the axis that belongs to one of its paths. */
static struct value part(const struct ir_axis *a, struct value element, uint32_t path)
{
	return a->path_count > 1 && element.kind == VALUE_LIST ? element.list->at[path] : element;
}

/* Where a list has the values that the job has; its length when it does not. */
static uint32_t position_in(struct eval *ev, const struct ir_axis *a, const struct list *list, struct record *job)
{
	for (uint32_t i = 0; i < list->n; i++) {
		uint32_t same = 0;

		for (uint32_t k = 0; k < a->path_count; k++)
			same += eval_equal(ev, part(a, list->at[i], k), at_path(ev, job, &a->paths[k]), a->paths[k].type);
		if (same == a->path_count)
			return i;
	}
	return list->n;
}

static bool is_on(struct eval *ev, const struct ir_axis *a, struct record *r)
{
	struct value v;

	if (a->when == IR_NO_NODE)
		return true;
	v = eval_node(ev, a->when, (struct scope){ .self = r });
	return v.kind == VALUE_BOOL && v.truth;
}

static struct record *put_on(struct eval *ev, const struct ir_axis *a, struct record *r, struct value element)
{
	for (uint32_t k = 0; k < a->path_count; k++) {
		struct frame *f = ARENA_NEW(ev->arena, struct frame);

		*f = (struct frame){ part(a, element, k), NULL };
		r = record_extend(ev, r, a->paths[k].layer, f);
	}
	return r;
}

/* The candidate with another element of axis `moved`: the others keep their values, and one that the change
 * switches on, or whose values the change replaces, takes its first. NULL when there is none. */
static struct record *moved_job(struct bench_eval *b, uint32_t moved, struct value element)
{
	const struct ir_sweep *w = b->s->search->sweep;
	struct record *r = b->s->search->base;

	for (uint32_t j = 0; j < w->axis_count; j++) {
		const struct ir_axis *a = &w->axes[j];
		struct value v;
		uint32_t at;

		if (!is_on(&b->ev, a, r))
			continue;
		if (j == moved) {
			r = put_on(&b->ev, a, r, element);
			continue;
		}
		v = eval_node(&b->ev, a->values, (struct scope){ .self = r });
		if (v.kind != VALUE_LIST || v.list->n == 0)
			return NULL;
		at = position_in(&b->ev, a, v.list, b->s->job);
		r = put_on(&b->ev, a, r, v.list->at[at < v.list->n ? at : 0]);
	}
	return r;
}

static struct str name_of_axis(struct sensitivity *s, const struct ir_axis *a)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	for (uint32_t k = 0; k < a->path_count; k++)
		out_printf(&o, "%s%.*s", k > 0 ? ", " : "", (int)a->paths[k].text.n, a->paths[k].text.p);
	return out_view(&o);
}

static struct str element_text(struct sensitivity *s, const struct ir_axis *a, struct value element)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	for (uint32_t k = 0; k < a->path_count; k++) {
		struct value v = part(a, element, k);

		out_text(&o, k > 0 ? ", " : "");
		if (v.kind == VALUE_RECORD && v.record->global != IR_NONE)
			out_str(&o, sym_str(s->ev->program->names,
					    s->ev->program->globals.at[v.record->global].name));
		else
			value_print(&o, s->ev->program, v, a->paths[k].type);
	}
	return out_view(&o);
}

static void take_step(struct bench_eval *b, uint32_t axis, int side, struct value element, struct change *c)
{
	struct record *r;

	c->to[side] = element_text(b->s, &b->s->search->sweep->axes[axis], element);
	change_begin(b);
	r = moved_job(b, axis, element);
	if (r)
		c->after[side] = outcome_of(b, r);
	else
		c->after[side].reason = STR("an axis without values");
}

void changes_of_axes(struct bench_eval *b)
{
	struct sensitivity *s = b->s;

	for (uint32_t k = 0; s->search && k < s->search->sweep->axis_count; k++) {
		const struct ir_axis *a = &s->search->sweep->axes[k];
		struct change c = { .path = name_of_axis(s, a) };
		struct value v = eval_node(s->ev, a->values, (struct scope){ .self = s->job });
		uint32_t at;

		if (v.kind != VALUE_LIST || !is_on(s->ev, a, s->job))
			continue;
		at = position_in(s->ev, a, v.list, s->job);
		if (at == v.list->n || v.list->n < 2)
			continue;
		c.from = element_text(s, a, v.list->at[at]);
		if (at > 0)
			take_step(b, k, 0, v.list->at[at - 1], &c);
		if (at + 1 < v.list->n)
			take_step(b, k, 1, v.list->at[at + 1], &c);
		*VEC_ADD(s->ev->lasting, &s->axes) = c;
	}
}
