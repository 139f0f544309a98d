/* profiles.c - lists the fields of profiles with their values and sources. */
#include "runtime/ask/profiles/profiles.h"

#include "runtime/ask/value_json.h"

enum { VALUE_WIDTH_LEAST = 8 };

static const struct ir_schema *profile_schema(const struct eval *ev)
{
	uint32_t schema = ir_find_schema(ev->program, "profile");

	invariant(schema != IR_NONE, "the prelude declares no schema `profile`");
	return &ev->program->schemas.at[schema];
}

/* Comments may have several lines. */
static struct str on_one_line(struct arena *a, struct str text)
{
	struct out o;
	bool blank = false;

	out_init(&o, a);
	for (uint32_t i = 0; i < text.n; i++) {
		if (strchr(" \t\n", text.p[i])) {
			blank = true;
			continue;
		}
		if (blank && o.n > 0)
			out_char(&o, ' ');
		blank = false;
		out_char(&o, text.p[i]);
	}
	return str_copy(a, out_view(&o));
}

struct str profile_field_text(struct arena *a, struct str doc, struct str *source)
{
	struct str text = on_one_line(a, doc);
	uint32_t open = text.n;

	*source = STR("");
	if (text.n == 0 || text.p[text.n - 1] != ']')
		return text;
	while (open > 0 && text.p[open - 1] != '[')
		open--;
	if (open == 0)
		return text;
	*source = str_slice(text, open, text.n - 1);
	while (open > 1 && (text.p[open - 1] == '[' || text.p[open - 1] == ' '))
		open--;
	return str_slice(text, 0, open);
}

static struct value value_in(struct eval *ev, uint32_t global, uint32_t slot)
{
	struct value v = eval_global(ev, global);

	return v.kind == VALUE_RECORD ? record_get(ev, v.record, slot) : value_poison();
}

static struct str value_text(struct eval *ev, uint32_t global, const struct ir_schema *schema, uint32_t slot)
{
	struct out o;

	out_init(&o, ev->arena);
	value_print(&o, ev->program, value_in(ev, global, slot), schema->fields[slot].type);
	return str_copy(ev->arena, out_view(&o));
}

static struct str profile_name(const struct eval *ev, uint32_t global)
{
	return sym_str(ev->program->names, ev->program->globals.at[global].name);
}

struct str profile_value_text(struct eval *ev, struct str profile, const char *field)
{
	const struct ir_schema *schema = profile_schema(ev);
	uint32_t slot = ir_find_field(ev->program, ir_find_schema(ev->program, "profile"), str_of(field));

	for (uint32_t i = 0; slot != IR_NONE && i < schema->preset_count; i++)
		if (str_equal(profile_name(ev, schema->presets[i]), profile))
			return value_text(ev, schema->presets[i], schema, slot);
	return STR("");
}

struct str profile_field_doc(struct eval *ev, const char *field)
{
	const struct ir_schema *schema = profile_schema(ev);
	uint32_t slot = ir_find_field(ev->program, ir_find_schema(ev->program, "profile"), str_of(field));

	return slot == IR_NONE ? STR("") : on_one_line(ev->arena, schema->fields[slot].doc);
}

static void column(struct out *o, struct str text, uint32_t width, bool last)
{
	out_str(o, text);
	if (!last)
		out_repeat(o, ' ', width > text.n ? width - text.n : 1);
}

static uint32_t name_width(const struct eval *ev, const struct ir_schema *schema)
{
	uint32_t width = 0;

	for (uint32_t i = 0; i < schema->field_count; i++) {
		uint32_t n = sym_str(ev->program->names, schema->fields[i].name).n;

		width = n > width ? n : width;
	}
	return width + 2;
}

static uint32_t value_width(struct eval *ev, const struct profile_list *list, const struct ir_schema *schema)
{
	uint32_t width = VALUE_WIDTH_LEAST;

	for (uint32_t p = 0; p < list->n; p++) {
		uint32_t n = profile_name(ev, list->at[p]).n;

		width = n > width ? n : width;
		for (uint32_t i = 0; i < schema->field_count; i++) {
			n = value_text(ev, list->at[p], schema, i).n;
			width = n > width ? n : width;
		}
	}
	return width + 2;
}

void profiles_print(struct eval *ev, const struct profile_list *list, struct out *o)
{
	const struct ir_schema *schema = profile_schema(ev);
	uint32_t name = name_width(ev, schema), width = value_width(ev, list, schema);

	column(o, STR("field"), name, false);
	for (uint32_t p = 0; p < list->n; p++)
		column(o, profile_name(ev, list->at[p]), width, p + 1 == list->n);
	out_char(o, '\n');
	for (uint32_t i = 0; i < schema->field_count; i++) {
		struct str source, text = profile_field_text(ev->arena, schema->fields[i].doc, &source);

		column(o, sym_str(ev->program->names, schema->fields[i].name), name, false);
		for (uint32_t p = 0; p < list->n; p++)
			column(o, value_text(ev, list->at[p], schema, i), width, p + 1 == list->n);
		out_printf(o, "\n    %.*s\n", (int)text.n, text.p);
		if (source.n > 0)
			out_printf(o, "    source: %.*s\n", (int)source.n, source.p);
	}
	out_text(o, "\nSources by the letters of docs/cost-model.md; O and a number is an oddity of SimuMax listed there.\n");
}

void profiles_json(struct eval *ev, const struct profile_list *list, struct out *o)
{
	const struct ir_schema *schema = profile_schema(ev);
	struct json_writer w;

	json_writer_init(&w, ev->arena);
	json_begin_object(&w, NULL);
	json_begin_array(&w, "profiles");
	for (uint32_t p = 0; p < list->n; p++)
		json_str(&w, NULL, profile_name(ev, list->at[p]));
	json_end(&w);
	json_begin_array(&w, "fields");
	for (uint32_t i = 0; i < schema->field_count; i++) {
		const struct ir_field *f = &schema->fields[i];
		struct str source, text = profile_field_text(ev->arena, f->doc, &source);

		json_begin_object(&w, NULL);
		json_str(&w, "name", sym_str(ev->program->names, f->name));
		json_str(&w, "text", text);
		json_str(&w, "source", source);
		json_begin_object(&w, "values");
		for (uint32_t p = 0; p < list->n; p++)
			value_json(ev, &w, profile_name(ev, list->at[p]).p, value_in(ev, list->at[p], i), f->type);
		json_end(&w);
		json_end(&w);
	}
	json_end(&w);
	json_end(&w);
	json_print(&w, o, true);
	out_char(o, '\n');
}
