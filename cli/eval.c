/* eval.c - planc eval: the value of an expression over a plan. */
#include "cli/command.h"

#include "cli/question.h"
#include "runtime/ask/value_json.h"

static uint32_t longest_name(const struct ir_program *p, const struct ir_schema *s)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < s->field_count; i++) {
		uint32_t n = sym_str(p->names, s->fields[i].name).n;

		most = n > most ? n : most;
	}
	return most;
}

/* A field a line; a value that cannot be had prints as `?`. */
static void print_fields(struct session *s, struct record *r)
{
	const struct ir_program *p = s->program;
	const struct ir_schema *schema = &p->schemas.at[r->schema];
	uint32_t width = longest_name(p, schema);
	bool muted = s->sink.muted;

	for (uint32_t i = 0; i < schema->field_count; i++) {
		struct str name = sym_str(p->names, schema->fields[i].name);
		struct value v;

		s->sink.muted = true;
		v = record_get(&s->ev, r, i);
		s->sink.muted = muted;
		out_str(&s->out, name);
		out_repeat(&s->out, ' ', width - name.n);
		out_text(&s->out, " = ");
		value_print(&s->out, p, v, schema->fields[i].type);
		out_char(&s->out, '\n');
	}
}

static void print_text(struct session *s, struct value v, const struct type *t)
{
	if (v.kind == VALUE_RECORD) {
		print_fields(s, v.record);
		return;
	}
	value_print(&s->out, s->program, v, t);
	out_char(&s->out, '\n');
}

/* "61/16", "85899345920": a number in base units with all its digits. */
static void print_exact(struct session *s, struct json_writer *w, struct value v)
{
	struct out o;

	out_init(&o, &s->arena);
	if (v.kind == VALUE_NUMBER)
		num_print(&o, v.number);
	else
		out_real(&o, v.real);
	json_str(w, "exact", out_view(&o));
}

static void print_json(struct session *s, struct value v, const struct type *t)
{
	bool muted = s->sink.muted, number = v.kind == VALUE_NUMBER || v.kind == VALUE_REAL;
	struct json_writer w;
	struct out type, text;

	out_init(&type, &s->arena);
	out_init(&text, &s->arena);
	type_print(&type, s->program, t);
	value_print(&text, s->program, v, t);
	json_writer_init(&w, &s->arena);
	json_begin_object(&w, NULL);
	s->sink.muted = true;
	value_json(&s->ev, &w, "value", v, t);
	s->sink.muted = muted;
	if (number) {
		json_str(&w, "unit", type_base_unit(&s->arena, t));
		print_exact(s, &w, v);
	}
	json_str(&w, "text", out_view(&text));
	json_str(&w, "type", out_view(&type));
	json_end(&w);
	json_print(&w, &s->out, true);
	out_char(&s->out, '\n');
}

int command_eval(struct session *s, const struct options *o)
{
	const char *format = option_value(o, OPTION_FORMAT, "text");
	bool json = strcmp(format, "json") == 0;
	struct value v;
	int code;

	if (!json && strcmp(format, "text") != 0)
		return usage_error(s, "`--format %s`: it is text or json", format);
	if (!session_style(s, o, false))
		return EXIT_USAGE;
	code = question_compile(s, o, o->operands.at[0], o->operands.at[1]);
	if (code != EXIT_FINE)
		return code;
	v = eval_node(&s->ev, s->program->question, (struct scope){ 0 });
	if (v.kind == VALUE_POISON || s->sink.errors > 0)
		return EXIT_PLAN;
	if (json)
		print_json(s, v, s->program->nodes.at[s->program->question].type);
	else
		print_text(s, v, s->program->nodes.at[s->program->question].type);
	return EXIT_FINE;
}
