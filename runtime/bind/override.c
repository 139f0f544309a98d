/* override.c - a job with one field replaced from outside the plan. */
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
