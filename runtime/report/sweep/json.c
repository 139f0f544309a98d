/* json.c - a sweep's result as one object. Numbers stand in base units; names are those of the plan. */
#include "runtime/io/json_write.h"
#include "runtime/report/sweep.h"
#include "runtime/report/sweep/rows.h"

static const char *text_of(struct search *s, struct str t)
{
	return str_copy(s->ev->lasting, t).p;
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
		row_json(s, &w, &s->feasible[at[i]]);
	json_end(&w);
	json_end(&w);
	json_print(&w, o, true);
	out_char(o, '\n');
	search_rest(s);
}
