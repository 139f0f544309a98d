/* why.c - the answer of `planc why-not` for people. */
#include "runtime/bind/job.h"
#include "runtime/report/sweep.h"

static void out_number(struct out *o, uint64_t n)
{
	out_grouped(o, (int64_t)n);
}

static bool is_job(const struct search *s)
{
	const struct ir_program *p = s->ev->program;
	uint32_t job = ir_find_schema(p, "job");

	return job != IR_NONE && ir_schema_extends(p, s->base->schema, job);
}

/* The sentence behind `because`, for a condition that compares no numbers. */
static struct str reason(struct search *s, const struct search_row *row, uint64_t number)
{
	struct diag_sink *sink = s->ev->sink;
	bool muted = sink->muted;
	struct value v;

	if (!row->condition || row->condition->rule.because == IR_NO_NODE ||
	    row->condition->places[0].slot_count > 0 || row->condition->layer != IR_NONE)
		return STR("does not hold");
	sink->muted = true;
	v = eval_node(s->ev, row->condition->rule.because,
		      (struct scope){ .self = search_record(s, number) });
	sink->muted = muted;
	return v.kind == VALUE_STRING ? v.text : STR("does not hold");
}

/* The three largest parts of the memory of the worst stage. */
static void print_parts(struct search *s, uint64_t number, struct out *o)
{
	bool muted = s->ev->sink->muted;
	const struct job *j;
	struct dimension bytes = { .info = 1 };

	s->ev->sink->muted = true;
	j = job_evaluate(s->ev, search_record(s, number), s->sweep->span);
	s->ev->sink->muted = muted;
	if (!j)
		return;
	const struct engine_memory *m = &j->result.memory;
	struct {
		const char *name;
		int64_t bytes;
	} parts[] = { { "weights", m->weights },	     { "gradients", m->gradients },
		      { "optimizer", m->optimizer },	     { "activations", m->activations },
		      { "logits", m->logits },		     { "buffers", m->buffers } };

	out_text(o, "         largest parts: ");
	for (int k = 0; k < 3; k++) {
		size_t most = 0;

		for (size_t i = 1; i < PLAN_COUNT(parts); i++)
			if (parts[i].bytes > parts[most].bytes)
				most = i;
		out_printf(o, "%s%s ", k > 0 ? ", " : "", parts[most].name);
		quantity_print(o, (double)parts[most].bytes, bytes);
		parts[most].bytes = -1;
	}
	out_char(o, '\n');
}

/* Whether a condition speaks of memory: then its parts are of interest. */
static bool about_memory(const struct search *s, const struct search_row *row)
{
	struct str text;

	if (!row->condition || !row->model)
		return false;
	text = source_slice(s->ev->program->sources, row->condition->rule.cond_span);
	for (uint32_t i = 0; i + 6 <= text.n; i++)
		if (memcmp(text.p + i, "memory", 6) == 0)
			return true;
	return false;
}

static void print_broken(struct search *s, const struct search_why *why, struct out *o)
{
	uint32_t width = 0;
	bool parts = false;

	for (uint32_t i = 0; i < why->broken_count; i++) {
		uint32_t w = text_width(s->rows[why->broken[i]].name);

		width = w > width ? w : width;
	}
	for (uint32_t i = 0; i < why->broken_count; i++) {
		const struct search_row *row = &s->rows[why->broken[i]];
		double gap;
		struct str miss = search_miss(s, why->nearest, row, &gap);

		if (miss.n == 0)
			miss = row->condition ? reason(s, row, why->nearest) : row->text;
		out_printf(o, "  %.*s", (int)row->name.n, row->name.p);
		out_repeat(o, ' ', width - text_width(row->name));
		out_printf(o, "  %.*s\n", (int)miss.n, miss.p);
		parts = parts || about_memory(s, row);
	}
	if (parts && is_job(s))
		print_parts(s, why->nearest, o);
}

static void print_changes(struct search *s, const struct search_why *why, struct out *o)
{
	if (why->change_count == 0) {
		out_text(o, "  no change of one axis makes it feasible\n");
		return;
	}
	out_text(o, "  smallest change that fixes it: ");
	for (uint32_t i = 0; i < why->change_count; i++) {
		const struct search_change *c = &why->changes[i];
		struct str path = search_path(s, c->path)->text;
		struct str from = search_value_text(s, why->nearest, c->path);
		struct str to = search_value_text(s, c->number, c->path);

		out_printf(o, "%s%.*s %.*s -> %.*s", i > 0 ? ", or " : "", (int)path.n, path.p, (int)from.n,
			   from.p, (int)to.n, to.p);
	}
	out_char(o, '\n');
}

void report_why_text(struct search *s, const struct search_why *why, struct out *o)
{
	struct str words;

	out_number(o, why->matching);
	out_printf(o, " candidate%s match%s; ", why->matching == 1 ? "" : "s", why->matching == 1 ? "es" : "");
	if (why->feasible > 0) {
		out_number(o, why->feasible);
		words = search_describe(s, why->first);
		out_printf(o, " feasible. The best: #%llu, %.*s\n", (unsigned long long)why->first, (int)words.n,
			   words.p);
		return;
	}
	words = search_describe(s, why->nearest);
	out_printf(o, "none feasible. The one closest to feasible: #%llu, %.*s\n",
		   (unsigned long long)why->nearest, (int)words.n, words.p);
	print_broken(s, why, o);
	print_changes(s, why, o);
	search_rest(s);
}
