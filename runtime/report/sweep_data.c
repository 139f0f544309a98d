/* sweep_data.c - a sweep's result for programs. Numbers stand in base units; names are those of the plan. */
#include "runtime/io/json_write.h"
#include "runtime/report/sweep.h"

static const struct type *element_type(const struct type *t, uint32_t i)
{
	while (t && t->kind == TYPE_OPTION)
		t = t->of;
	if (!t)
		return NULL;
	return t->kind == TYPE_TUPLE ? (i < t->count ? t->items[i] : NULL) : t->of;
}

static void json_value(struct search *s, struct json_writer *w, const char *key, struct value v,
		       const struct type *t)
{
	struct out o;

	if (v.kind == VALUE_NUMBER) {
		json_num(w, key, v.number);
	} else if (v.kind == VALUE_REAL) {
		json_real(w, key, v.real);
	} else if (v.kind == VALUE_BOOL) {
		json_bool(w, key, v.truth);
	} else if (v.kind == VALUE_NONE || v.kind == VALUE_POISON) {
		json_null(w, key);
	} else if (v.kind == VALUE_LIST) {
		json_begin_array(w, key);
		for (uint32_t i = 0; i < v.list->n; i++)
			json_value(s, w, NULL, v.list->at[i], element_type(t, i));
		json_end(w);
	} else {
		out_init(&o, s->ev->lasting);
		value_print(&o, s->ev->program, v, t);
		json_str(w, key, out_view(&o));
	}
}

static const char *text_of(struct search *s, struct str t)
{
	return str_copy(s->ev->lasting, t).p;
}

/* A field of an axis: numbers as numbers, lists as arrays, everything else as the text of the tables. */
static void json_path(struct search *s, struct json_writer *w, uint64_t number, uint32_t k)
{
	struct value v = search_value(s, number, k);
	const struct ir_path *p = search_path(s, k);

	if (v.kind == VALUE_RECORD)
		json_str(w, p->text.p, search_value_text(s, number, k));
	else
		json_value(s, w, p->text.p, v, p->type);
}

static void json_axes(struct search *s, struct json_writer *w)
{
	json_begin_array(w, "axes");
	for (uint32_t k = 0; k < search_path_count(s); k++) {
		json_begin_object(w, NULL);
		json_str(w, "path", search_path(s, k)->text);
		json_str(w, "unit", type_base_unit(s->ev->lasting, search_path(s, k)->type));
		json_end(w);
	}
	json_end(w);
}

static void json_rows(struct search *s, struct json_writer *w)
{
	json_begin_array(w, "conditions");
	for (uint32_t i = 0; i < s->row_count; i++) {
		const struct search_row *row = &s->rows[s->order[i]];

		if (!row->condition && row->violated == 0)
			continue;
		json_begin_object(w, NULL);
		json_str(w, "name", row->name);
		json_text(w, "kind", !row->condition ? "evaluation" : row->condition->own ? "constraint" : "rule");
		json_str(w, "where", search_row_place(s, row));
		json_bool(w, "cost_model", row->model);
		json_int(w, "removed", (int64_t)row->removed);
		json_int(w, "violated", (int64_t)row->violated);
		json_int(w, "alone", (int64_t)row->alone);
		json_int(w, "left", (int64_t)row->left);
		json_end(w);
	}
	json_end(w);
}

static void json_goals(struct search *s, struct json_writer *w)
{
	json_text(w, "objective", !s->sweep->has_objective ? "none"
				  : s->sweep->pareto	    ? "pareto"
							    : "lexicographic");
	json_begin_array(w, "goals");
	for (uint32_t g = 0; g < s->sweep->goal_count; g++) {
		const struct ir_goal *goal = &s->sweep->goals[g];

		json_begin_object(w, NULL);
		json_str(w, "name", report_goal_name(s, g));
		json_text(w, "direction", goal->maximise ? "maximise" : "minimise");
		json_str(w, "unit", type_base_unit(s->ev->lasting, s->ev->program->nodes.at[goal->value].type));
		json_end(w);
	}
	json_end(w);
}

static void json_candidate(struct search *s, struct json_writer *w, const struct search_candidate *c)
{
	json_begin_object(w, NULL);
	json_int(w, "number", (int64_t)c->number);
	json_begin_object(w, "axes");
	for (uint32_t k = 0; k < search_path_count(s); k++)
		json_path(s, w, c->number, k);
	json_end(w);
	json_begin_array(w, "goals");
	for (uint32_t g = 0; g < s->sweep->goal_count; g++)
		json_value(s, w, NULL, c->goals[g], NULL);
	json_end(w);
	json_end(w);
}

void report_sweep_json(struct search *s, struct out *o)
{
	struct json_writer w;
	uint32_t *at = ARENA_ARRAY(s->ev->lasting, uint32_t, s->kept + 1);
	uint32_t n = report_sweep_order(s, s->kept, at);

	json_writer_init(&w, s->ev->lasting);
	json_begin_object(&w, NULL);
	json_text(&w, "schema", "planc.sweep/1");
	json_text(&w, "sweep", text_of(s, sym_str(s->ev->program->names, s->sweep->name)));
	json_int(&w, "candidates", (int64_t)s->total);
	if (s->partial) {
		json_bool(&w, "partial", true);
		json_int(&w, "tested", (int64_t)s->tested);
	}
	json_str(&w, "product", s->product);
	json_bool(&w, "exact", s->options.exact);
	json_int(&w, "feasible", (int64_t)s->feasible_count);
	json_axes(s, &w);
	json_rows(s, &w);
	json_goals(s, &w);
	json_begin_array(&w, "results");
	for (uint32_t i = 0; i < n; i++)
		json_candidate(s, &w, &s->feasible[at[i]]);
	json_end(&w);
	json_end(&w);
	json_print(&w, o, true);
	out_char(o, '\n');
	search_rest(s);
}

void report_sweep_jsonl(struct search *s, struct out *o)
{
	uint32_t *at = ARENA_ARRAY(s->ev->lasting, uint32_t, s->kept + 1);
	uint32_t n = report_sweep_order(s, s->kept, at);

	for (uint32_t i = 0; i < n; i++) {
		struct json_writer w;

		json_writer_init(&w, s->ev->lasting);
		json_candidate(s, &w, &s->feasible[at[i]]);
		json_print(&w, o, false);
		out_char(o, '\n');
	}
	search_rest(s);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void csv_text(struct out *o, struct str s)
{
	bool quote = s.n == 0 ? false : memchr(s.p, ',', s.n) || memchr(s.p, '"', s.n) || memchr(s.p, '\n', s.n);

	if (!quote) {
		out_str(o, s);
		return;
	}
	out_char(o, '"');
	for (uint32_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			out_char(o, '"');
		out_char(o, s.p[i]);
	}
	out_char(o, '"');
}

static void csv_value(struct search *s, struct out *o, struct value v)
{
	struct out text;

	out_init(&text, s->ev->lasting);
	if (v.kind == VALUE_NUMBER)
		num_print_decimal(&text, v.number);
	else if (v.kind == VALUE_REAL)
		out_real(&text, v.real);
	csv_text(o, out_view(&text));
}

/* "memory.peak [B]" */
static void csv_head(struct search *s, struct out *o, struct str name, const struct type *t)
{
	struct str unit = type_base_unit(s->ev->lasting, t);
	struct out head;

	out_init(&head, s->ev->lasting);
	out_str(&head, name);
	if (unit.n > 0)
		out_printf(&head, " [%.*s]", (int)unit.n, unit.p);
	out_char(o, ',');
	csv_text(o, out_view(&head));
}

void report_sweep_csv(struct search *s, struct out *o)
{
	uint32_t *at = ARENA_ARRAY(s->ev->lasting, uint32_t, s->kept + 1);
	uint32_t n = report_sweep_order(s, s->kept, at);

	out_text(o, "number");
	for (uint32_t k = 0; k < search_path_count(s); k++)
		csv_head(s, o, search_path(s, k)->text, search_path(s, k)->type);
	for (uint32_t g = 0; g < s->sweep->goal_count; g++)
		csv_head(s, o, report_goal_name(s, g),
			 s->ev->program->nodes.at[s->sweep->goals[g].value].type);
	out_char(o, '\n');
	for (uint32_t i = 0; i < n; i++) {
		const struct search_candidate *c = &s->feasible[at[i]];

		out_printf(o, "%llu", (unsigned long long)c->number);
		for (uint32_t k = 0; k < search_path_count(s); k++) {
			struct value v = search_value(s, c->number, k);

			out_char(o, ',');
			if (v.kind == VALUE_NUMBER || v.kind == VALUE_REAL)
				csv_value(s, o, v);
			else
				csv_text(o, search_value_text(s, c->number, k));
		}
		for (uint32_t g = 0; g < s->sweep->goal_count; g++) {
			out_char(o, ',');
			csv_value(s, o, c->goals[g]);
		}
		out_char(o, '\n');
	}
	search_rest(s);
}
