/* collect.c - reads the fields of a target record. */
#include "runtime/emit/emit_int.h"

static bool is_arg_list(const struct type *t)
{
	return t && t->kind == TYPE_LIST && t->of->kind == TYPE_ARG;
}

/* A field of the target; poison when the schema has none of that name. */
static struct value field_value(struct emission *e, const char *name)
{
	uint32_t slot = ir_find_field(e->program, e->emit->schema, str_of(name));

	return slot == IR_NONE ? value_poison() : record_get(e->ev, e->target, slot);
}

static struct str text_field(struct emission *e, const char *name)
{
	struct value v = field_value(e, name);

	return v.kind == VALUE_STRING ? v.text : STR("");
}

#define ADD_TEXTS(e, v, vec)                                                            \
	do {                                                                            \
		for (uint32_t i_ = 0; (v).kind == VALUE_LIST && i_ < (v).list->n; i_++) \
			if ((v).list->at[i_].kind == VALUE_STRING)                      \
				*VEC_ADD((e)->arena, vec) = (v).list->at[i_].text;      \
	} while (0)

static bool read_kind(struct emission *e)
{
	uint32_t report = ir_find_schema(e->program, "report_target");
	struct str name = text_field(e, "artefact");

	if (report != IR_NONE && ir_schema_extends(e->program, e->emit->schema, report)) {
		e->form = name;
		e->kind = ARTEFACT_REPORT;
		return true;
	}
	if (format_find(name, &e->kind))
		return true;
	if (name.n == 0)
		diag_report(e->sink, E2506, e->emit->span,
			    "target `%.*s` does not say its `artefact`", (int)e->target_name.n,
			    e->target_name.p);
	else
		diag_report(
			e->sink, E2506, e->emit->span,
			"artefact \"%.*s\" does not exist; it is \"shell\", \"flags\", \"json\", "
			"\"yaml\", \"toml\", \"python\" or \"files\"",
			(int)name.n, name.p);
	return false;
}

static void collect_files(struct emission *e, const struct list *files)
{
	for (uint32_t i = 0; i < files->n; i++)
		if (files->at[i].kind == VALUE_ARG)
			*VEC_ADD(e->arena, &e->files) = files->at[i].arg;
}

bool emit_collect_parts(struct emission *e)
{
	const struct ir_schema *schema = &e->program->schemas.at[e->emit->schema];

	for (uint32_t slot = 0; slot < schema->field_count; slot++) {
		const struct ir_field *field = &schema->fields[slot];
		struct value v;

		if (!is_arg_list(field->type))
			continue;
		v = record_get(e->ev, e->target, slot);
		if (v.kind != VALUE_LIST)
			return false;
		if (str_is(sym_str(e->program->names, field->name), "files")) {
			collect_files(e, v.list);
			continue;
		}
		*VEC_ADD(e->arena, &e->parts) =
			(struct part){ sym_str(e->program->names, field->name), field->doc,
				       v.list };
	}
	if (e->parts.n > 0)
		return true;
	diag_report(e->sink, E2506, e->emit->span, "target `%.*s` has no field of type list[arg]",
		    (int)e->target_name.n, e->target_name.p);
	return false;
}

bool emit_collect(struct emission *e)
{
	struct value lossy = field_value(e, "lossy"), v;

	e->version = text_field(e, "version");
	e->lossy = lossy.kind == VALUE_BOOL && lossy.truth;
	v = field_value(e, "environment");
	ADD_TEXTS(e, v, &e->environment);
	v = field_value(e, "extra");
	ADD_TEXTS(e, v, &e->extra);
	v = field_value(e, "command");
	ADD_TEXTS(e, v, &e->command);
	v = field_value(e, "prologue");
	ADD_TEXTS(e, v, &e->prologue);
	e->directive = text_field(e, "directive");
	return read_kind(e);
}
