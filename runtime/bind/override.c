/* override.c - records with one field replaced from outside the plan. */
#include "runtime/bind/job.h"

/* A fresh record of the same layers: nothing is computed yet, so everything sees the replaced slot. */
static struct record *record_fresh(struct eval *ev, const struct record *from)
{
	uint32_t n = ev->program->schemas.at[from->schema].field_count;
	struct record *r = ARENA_NEW(ev->arena, struct record);

	*r = (struct record){
		.schema = from->schema,
		.layers = from->layers,
		.slots = ARENA_ARRAY(ev->arena, struct value, n),
		.states = ARENA_ARRAY(ev->arena, unsigned char, n),
		.global = from->global,
		.home = ev->arena,
	};
	return r;
}

/* The record that a field holds, `from` the same place of a list; a new one where there is none. */
static struct record *record_within(struct eval *ev, struct value v, const struct type *t)
{
	if (v.kind == VALUE_RECORD)
		return v.record;
	t = t->kind == TYPE_OPTION ? t->of : t;
	return v.kind == VALUE_NONE && t->kind == TYPE_RECORD ? record_make(ev, t->index) : NULL;
}

static bool put(struct eval *ev, struct value *v, const struct type *t, const struct record_step *steps,
		uint32_t n, struct value now)
{
	struct record *inner;

	if (n == 0) {
		*v = now;
		return true;
	}
	inner = record_within(ev, *v, t);
	inner = inner ? record_with(ev, inner, steps, n, now) : NULL;
	if (!inner)
		return false;
	inner->global = IR_NONE;
	*v = (struct value){ .kind = VALUE_RECORD, .record = inner };
	return true;
}

struct record *record_with(struct eval *ev, struct record *from, const struct record_step *steps, uint32_t n,
			   struct value now)
{
	const struct type *t = ev->program->schemas.at[from->schema].fields[steps[0].slot].type;
	struct value v = n == 1 && steps[0].element < 0 ? value_none() : record_get(ev, from, steps[0].slot);
	struct record *r;
	struct list *copy;

	if (steps[0].element >= 0) {
		if (v.kind != VALUE_LIST || steps[0].element >= v.list->n)
			return NULL;
		copy = ARENA_NEW(ev->arena, struct list);
		copy->n = v.list->n;
		copy->at = ARENA_ARRAY(ev->arena, struct value, copy->n);
		memcpy(copy->at, v.list->at, copy->n * sizeof *copy->at);
		if (!put(ev, &copy->at[steps[0].element], t->of, steps + 1, n - 1, now))
			return NULL;
		v.list = copy;
	} else if (!put(ev, &v, t, steps + 1, n - 1, now)) {
		return NULL;
	}
	r = record_fresh(ev, from);
	record_set(r, steps[0].slot, v);
	return r;
}

struct record *job_under_profile(struct eval *ev, const struct record *job, struct str profile)
{
	const struct ir_program *p = ev->program;
	uint32_t schema = ir_find_schema(p, "profile");
	uint32_t slot = ir_find_field(p, job->schema, STR("profile"));

	for (uint32_t i = 0; i < p->schemas.at[schema].preset_count; i++) {
		uint32_t preset = p->schemas.at[schema].presets[i];

		if (!str_equal(sym_str(p->names, p->globals.at[preset].name), profile))
			continue;
		struct record *r = record_fresh(ev, job);

		record_set(r, slot, eval_global(ev, preset));
		return r;
	}
	return NULL;
}
