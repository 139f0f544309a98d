/* read.c - values of a plan by path: "pretrain.memory.stages[0].peak". */
#include "runtime/api/api_int.h"

enum { NAMES_SUGGESTED_MAX = 1000 };

/* A place that a path has come to. */
struct spot {
	struct value value;
	const struct type *type;
};

/* What is left of a path, and the whole of it for messages. */
struct path {
	const char *whole, *rest;
};

static bool is_letter(char x)
{
	return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_';
}

static bool is_digit(char x)
{
	return x >= '0' && x <= '9';
}

/* Takes a name off the path; empty when there is none. */
static struct str take_name(struct path *path)
{
	const char *p = path->rest;
	struct str name = { p, 0 };

	if (!is_letter(*p))
		return name;
	while (is_letter(p[name.n]) || is_digit(p[name.n]))
		name.n++;
	path->rest += name.n;
	return name;
}

static const struct type *plain(const struct type *t)
{
	return t && t->kind == TYPE_OPTION ? t->of : t;
}

/* ---- steps of a path ------------------------------------------------------------------------- */

static struct api_job *job_of_global(struct plan_context *c, uint32_t global)
{
	for (uint32_t i = 0; i < c->job_count; i++)
		if (c->jobs[i].global == global)
			return &c->jobs[i];
	return NULL;
}

/* The record of a job is the one under the profile of the context. */
static enum plan_status read_global(struct plan_context *c, uint32_t global, struct spot *spot)
{
	struct api_job *job = job_of_global(c, global);

	spot->type = c->program->globals.at[global].type;
	if (job && c->profile.n > 0) {
		enum plan_status status = jobs_evaluate(c, job);

		if (status == PLAN_OK)
			spot->value = (struct value){ .kind = VALUE_RECORD, .record = job->job->record };
		return status;
	}
	spot->value = eval_global(&c->ev, global);
	return PLAN_OK;
}

static enum plan_status unknown_name(struct plan_context *c, struct str name)
{
	const char *names[NAMES_SUGGESTED_MAX];
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->program->globals.n && n < NAMES_SUGGESTED_MAX; i++)
		if (c->program->globals.at[i].file == c->program->root_file)
			names[n++] = sym_str(c->names, c->program->globals.at[i].name).p;
	return context_fail(c, PLAN_NOT_FOUND, "the plan has no name `%.*s`%s", (int)name.n, name.p,
			    context_meant(c, name, names, n));
}

static enum plan_status first_step(struct plan_context *c, struct path *path, struct spot *spot)
{
	struct str name = take_name(path);
	uint32_t global;

	if (name.n == 0)
		return context_fail(c, PLAN_NOT_FOUND, "`%s` does not begin with a name", path->whole);
	global = ir_find_global(c->program, name);
	if (global == IR_NONE)
		return unknown_name(c, name);
	return read_global(c, global, spot);
}

static enum plan_status unknown_field(struct plan_context *c, const struct ir_schema *schema,
				      struct str name)
{
	const char **names = ARENA_ARRAY(&c->work, const char *, schema->field_count);

	for (uint32_t i = 0; i < schema->field_count; i++)
		names[i] = sym_str(c->names, schema->fields[i].name).p;
	return context_fail(c, PLAN_NOT_FOUND, "`%s` has no field `%.*s`%s",
			    sym_str(c->names, schema->name).p, (int)name.n, name.p,
			    context_meant(c, name, names, schema->field_count));
}

static enum plan_status step_to_field(struct plan_context *c, struct path *path, struct spot *spot)
{
	struct str before = { path->whole, (uint32_t)(path->rest - path->whole) };
	const struct ir_schema *schema;
	struct str name;
	uint32_t slot;

	path->rest++;
	name = take_name(path);
	if (name.n == 0)
		return context_fail(c, PLAN_NOT_FOUND, "a name is missing behind `%.*s.`", (int)before.n,
				    before.p);
	if (spot->value.kind != VALUE_RECORD)
		return context_fail(c, PLAN_NOT_FOUND, "`%.*s` has no fields", (int)before.n, before.p);
	schema = &c->program->schemas.at[spot->value.record->schema];
	slot = ir_find_field(c->program, spot->value.record->schema, name);
	if (slot == IR_NONE)
		return unknown_field(c, schema, name);
	spot->type = schema->fields[slot].type;
	spot->value = record_get(&c->ev, spot->value.record, slot);
	return PLAN_OK;
}

static enum plan_status step_to_element(struct plan_context *c, struct path *path, struct spot *spot)
{
	struct str before = { path->whole, (uint32_t)(path->rest - path->whole) };
	const struct type *t = plain(spot->type);
	uint64_t index = 0;
	const char *p = path->rest + 1;

	if (!is_digit(*p))
		return context_fail(c, PLAN_NOT_FOUND, "a number is missing behind `%.*s[`", (int)before.n,
				    before.p);
	for (; is_digit(*p) && index <= UINT32_MAX; p++)
		index = index * 10 + (uint64_t)(*p - '0');
	if (*p != ']')
		return context_fail(c, PLAN_NOT_FOUND, "`]` is missing in `%s`", path->whole);
	path->rest = p + 1;
	if (spot->value.kind != VALUE_LIST)
		return context_fail(c, PLAN_NOT_FOUND, "`%.*s` is no list", (int)before.n, before.p);
	if (index >= spot->value.list->n)
		return context_fail(c, PLAN_NOT_FOUND, "`%.*s` has %u elements, counted from 0",
				    (int)before.n, before.p, spot->value.list->n);
	spot->value = spot->value.list->at[index];
	spot->type = t->kind == TYPE_TUPLE ? t->items[index] : t->of;
	return PLAN_OK;
}

/* Goes a path to its end. PLAN_ERRORS when a value on the way could not be computed. */
static enum plan_status walk(struct plan_context *c, const char *whole, struct spot *spot)
{
	struct path path = { whole, whole };
	enum plan_status status = first_step(c, &path, spot);

	while (status == PLAN_OK && spot->value.kind != VALUE_POISON && *path.rest) {
		if (*path.rest == '.')
			status = step_to_field(c, &path, spot);
		else if (*path.rest == '[')
			status = step_to_element(c, &path, spot);
		else
			status = context_fail(c, PLAN_NOT_FOUND, "`%s` cannot be read from `%s` on", whole,
					      path.rest);
	}
	if (status == PLAN_OK && spot->value.kind == VALUE_POISON)
		status = context_errors(c);
	return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char *finished(struct out *o)
{
	return arena_copy(o->arena, o->p ? o->p : "", o->n);
}

static enum plan_kind kind_of(struct value v)
{
	switch (v.kind) {
	case VALUE_NONE: return PLAN_KIND_NONE;
	case VALUE_BOOL: return PLAN_KIND_BOOL;
	case VALUE_NUMBER:
	case VALUE_REAL: return PLAN_KIND_NUMBER;
	case VALUE_STRING: return PLAN_KIND_TEXT;
	case VALUE_ENUM: return PLAN_KIND_NAME;
	case VALUE_RECORD: return PLAN_KIND_RECORD;
	case VALUE_LIST: return PLAN_KIND_LIST;
	case VALUE_POISON:
	case VALUE_TABLE:
	case VALUE_LAYOUT:
	case VALUE_ARG: break;
	}
	return PLAN_KIND_OTHER;
}

static void fill_number(struct plan_context *c, const struct spot *spot, struct plan_value *v)
{
	struct out o;

	v->number = value_to_double(spot->value);
	v->unit = str_copy(&c->work, type_base_unit(&c->work, plain(spot->type))).p;
	v->exact = spot->value.kind == VALUE_NUMBER;
	if (!v->exact)
		return;
	v->fits = num_fits_int64(spot->value.number, &v->integer);
	out_init(&o, &c->work);
	num_print(&o, spot->value.number);
	v->fraction = finished(&o);
}

/* What the language can write down again: numbers that are exact, words, texts, lists of such. */
static bool has_source(struct value v)
{
	if (v.kind == VALUE_LIST) {
		for (uint32_t i = 0; i < v.list->n; i++)
			if (!has_source(v.list->at[i]))
				return false;
		return true;
	}
	return v.kind == VALUE_NONE || v.kind == VALUE_BOOL || v.kind == VALUE_NUMBER ||
	       v.kind == VALUE_STRING || v.kind == VALUE_ENUM;
}

void value_describe(struct plan_context *c, const struct ir_program *p, struct value value, const struct type *t,
		    struct plan_value *v)
{
	const struct spot whole = { value, t }, *spot = &whole;
	struct out o;

	v->kind = kind_of(spot->value);
	v->unit = v->fraction = v->source = "";
	if (v->kind == PLAN_KIND_BOOL)
		v->truth = spot->value.truth;
	else if (v->kind == PLAN_KIND_NUMBER)
		fill_number(c, spot, v);
	else if (v->kind == PLAN_KIND_LIST)
		v->count = spot->value.list->n;
	else if (v->kind == PLAN_KIND_RECORD)
		v->count = p->schemas.at[spot->value.record->schema].field_count;
	out_init(&o, &c->work);
	value_print(&o, p, spot->value, spot->type);
	v->text = finished(&o);
	out_init(&o, &c->work);
	type_print(&o, p, spot->type);
	v->type = finished(&o);
	if (!has_source(spot->value))
		return;
	out_init(&o, &c->work);
	value_print_source(&o, p, spot->value, spot->type);
	v->source = finished(&o);
}

enum plan_status plan_read(struct plan_context *c, const char *path, struct plan_value *value)
{
	struct spot spot = { 0 };
	enum plan_status status;

	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!path || !value)
		return context_say(c, PLAN_MISUSE, "a value has a path and an address to go to");
	memset(value, 0, sizeof *value);
	if (setjmp(c->escape) != 0) {
		memset(value, 0, sizeof *value);
		return context_out_of_memory(c);
	}
	status = walk(c, path, &spot);
	if (status == PLAN_OK)
		value_describe(c, c->program, spot.value, spot.type, value);
	return status;
}

/* ---- names of fields ------------------------------------------------------------------------- */

static enum plan_status name_of_plan(struct plan_context *c, size_t index, const char **name)
{
	for (uint32_t i = 0; i < c->program->globals.n; i++) {
		const struct ir_global *g = &c->program->globals.at[i];

		if (g->file == c->program->root_file && index-- == 0) {
			*name = sym_str(c->names, g->name).p;
			return PLAN_OK;
		}
	}
	return context_say(c, PLAN_NOT_FOUND, "the plan declares no more names");
}

static enum plan_status name_of_field(struct plan_context *c, const char *path, size_t index,
				      const char **name)
{
	struct spot spot = { 0 };
	const struct ir_schema *schema;
	enum plan_status status = walk(c, path, &spot);

	if (status != PLAN_OK)
		return status;
	if (spot.value.kind != VALUE_RECORD)
		return context_fail(c, PLAN_NOT_FOUND, "`%s` has no fields", path);
	schema = &c->program->schemas.at[spot.value.record->schema];
	if (index >= schema->field_count)
		return context_fail(c, PLAN_NOT_FOUND, "`%s` has %u fields", path, schema->field_count);
	*name = sym_str(c->names, schema->fields[index].name).p;
	return PLAN_OK;
}

enum plan_status plan_field_name(struct plan_context *c, const char *path, size_t index, const char **name)
{
	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!path || !name)
		return context_say(c, PLAN_MISUSE, "a record has a path, and its name an address to go to");
	*name = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	return *path ? name_of_field(c, path, index, name) : name_of_plan(c, index, name);
}
