/* plan.c - the answer as a plan: every choice with the rule of thumb and the figures behind it, the prediction at
 * its head, and the sweep that found it at its end. */
#include "compiler/syntax/fmt/fmt.h"
#include "runtime/suggest/suggest_int.h"

/* Of a comment in the deepest block that there is. */
enum { COMMENT_WIDTH = 96 };

static const char *job_name(const struct suggest_question *q)
{
	return free_name(q, "pretrain", "suggested_job");
}

/* ---- comments ----------------------------------------------------------------------------------------- */

/* How much of a text stands on a line of at most `width` columns: to its last blank, or to the first there is. */
static uint32_t line_end(struct str text, uint32_t width)
{
	uint32_t end = text.n;

	if (text.n <= width)
		return text.n;
	for (uint32_t i = 0; i < text.n && (i <= width || end == text.n); i++)
		if (text.p[i] == ' ')
			end = i;
	return end;
}

void put_wrapped(struct out *o, const char *mark, struct str text)
{
	uint32_t width = COMMENT_WIDTH - (uint32_t)strlen(mark) - 1;

	while (text.n > 0) {
		uint32_t end = line_end(text, width);

		out_printf(o, "%s %.*s\n", mark, (int)end, text.p);
		text = str_slice(text, end < text.n ? end + 1 : end, text.n);
	}
}

void put_line(struct out *o, const char *mark, const struct out *line)
{
	put_wrapped(o, mark, out_view(line));
}

static void put_rule(struct out *o, struct str rule, struct str says)
{
	struct out line;

	if (says.n == 0)
		return;
	out_init(&line, o->arena);
	out_printf(&line, "%.*s: %.*s.", (int)rule.n, rule.p, (int)says.n, says.p);
	put_line(o, "#", &line);
}

/* ---- the job ------------------------------------------------------------------------------------------ */

const struct texts *taken(const struct advice *a, const struct found *f, uint32_t k)
{
	return &a->choices[k].values[f->best[k]];
}

/* The first field of a choice is always written; the comment is about it. The others where they are unusual. */
static void put_choice(struct out *o, const struct advice *a, const struct found *f, uint32_t k)
{
	const struct choice *c = &a->choices[k];
	const struct texts *value = taken(a, f, k);

	out_char(o, '\n');
	put_rule(o, c->rule, c->says);
	put_figures(o, a, f, k);
	for (uint32_t i = 0; i < c->fields.n; i++) {
		struct str field = field_below(c->fields.at[i], "strategy");

		if (i == 0 || i >= c->usual.n || !str_equal(value->at[i], c->usual.at[i]))
			out_printf(o, "%.*s = %.*s\n", (int)field.n, field.p, (int)value->at[i].n, value->at[i].p);
	}
}

static void put_setting(struct out *o, const struct setting *s)
{
	struct str field = field_below(s->field, "strategy");

	if (s->says.n > 0)
		out_char(o, '\n');
	put_rule(o, s->rule, s->says);
	out_printf(o, "%.*s = %.*s\n", (int)field.n, field.p, (int)s->value.n, s->value.p);
}

static void put_strategy(struct out *o, const struct advice *a, const struct found *f)
{
	out_text(o, "\nstrategy {\n");
	for (uint32_t k = 0; k < a->choice_count; k++)
		if (field_below(a->choices[k].fields.at[0], "strategy").p)
			put_choice(o, a, f, k);
	for (uint32_t i = 0; i < a->setting_count; i++)
		put_setting(o, &a->settings[i]);
	out_text(o, "}\n");
}

static void put_batch(struct out *o, const struct advice *a, const struct found *f)
{
	struct out fields;

	out_init(&fields, o->arena);
	out_char(o, '\n');
	put_rule(o, STR("sequence"), a->sequence_says);
	put_rule(o, STR("global_batch"), a->global_says);
	for (uint32_t k = 0; k < a->choice_count; k++) {
		const struct choice *c = &a->choices[k];
		struct str field = field_below(c->fields.at[0], "batch");

		if (!field.p)
			continue;
		put_rule(o, c->rule, c->says);
		put_figures(o, a, f, k);
		out_printf(&fields, "%.*s = %.*s, ", (int)field.n, field.p, (int)taken(a, f, k)->at[0].n,
			   taken(a, f, k)->at[0].p);
	}
	out_printf(o, "batch { sequence = %lld, %.*sglobal = %lld }\n", (long long)a->sequence, (int)fields.n, fields.p,
		   (long long)a->global);
}

static void put_job(struct out *o, const struct suggest_question *q, const struct advice *a, const struct found *f)
{
	out_printf(o, "\njob %s {\n", job_name(q));
	put_job_head(o, q, a);
	put_strategy(o, a, f);
	put_batch(o, a, f);
	out_text(o, "}\n");
}

/* ---- what stands behind it ------------------------------------------------------------------------------ */

static void put_artefact(struct out *o, const struct suggest_question *q)
{
	struct out line;

	if (!has_target(q))
		return;
	out_init(&line, o->arena);
	out_printf(&line, "What %.*s refuses are rules of this record, whose job the sweep varies. Its files are written by "
			  "`emit %.*s from %s to \"out/...\" {}`.",
		   (int)q->target.n, q->target.p, (int)q->target.n, q->target.p, job_name(q));
	out_char(o, '\n');
	put_line(o, "#", &line);
	put_launch(o, q, job_name(q));
}

static void put_search(struct out *o, const struct suggest_question *q, const struct advice *a, const struct found *f)
{
	const char *at = has_target(q) ? "job." : "", *job = job_name(q);

	out_printf(o, "\nassert fits: %s.memory.fits\n  because \"stage {%s.memory.worst_stage} reserves "
		      "{%s.memory.reserved:GiB.1}\"\n", job, job, job);
	out_text(o, "\n## What was searched.\n");
	put_sweep(o, q, a, job, f);
	out_printf(o, "\ntest \"nothing near is better\" {\n  let found = best(%s)\n"
		      "  expect found.%sstep.time within 0.01%% of %s.step.time\n}\n", sweep_name(q), at, job);
}

static void put_body(struct out *o, const struct suggest_question *q, const struct advice *a, const struct found *f)
{
	put_imports(o, q);
	if (has_target(q)) {
		out_text(o, "import \"std:targets/");
		out_str(o, q->target);
		out_text(o, "\" { ");
		put_name(o, q->target);
		out_text(o, " }\n");
	}
	put_job(o, q, a, f);
	put_artefact(o, q);
	put_search(o, q, a, f);
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static const struct job *predicted(struct trial *t)
{
	uint32_t job;
	struct value v;

	if (!t->program || jobs_declared(t->program, &job, 1) == 0)
		return NULL;
	v = eval_global(&t->ev, job);
	if (v.kind != VALUE_RECORD)
		return NULL;
	record_advise(&t->ev, v.record, SPAN_NONE, sym_str(t->program->names, t->program->globals.at[job].name));
	return job_evaluate(&t->ev, v.record, SPAN_NONE);
}

static bool lay_out(const struct suggest_asker *a, struct str text, struct out *plan)
{
	const struct compile_input *like = a->like;
	struct parse_input in = { like->arena, like->names, like->sources, like->sink, 0 };
	enum fmt_outcome outcome;

	in.file = sources_add(like->sources, STR("<suggestion>"), text, false);
	outcome = fmt_checked(&in, like->sources, plan);
	return outcome == FMT_SAME || outcome == FMT_CHANGED;
}

bool plan_put(const struct suggest_asker *a, const struct suggest_question *q, const struct advice *advice,
	      const struct found *found, struct out *plan)
{
	struct arena *arena = a->like->arena;
	struct out body, whole;
	struct trial *t;
	const struct job *j;

	out_init(&body, arena);
	put_body(&body, q, advice, found);
	out_init(&whole, arena);
	out_text(&whole, "edition 1\n\n");
	out_bytes(&whole, body.p, body.n);
	t = trial_begin(a, q, str_copy(arena, out_view(&whole)));
	j = predicted(t);
	invariant(j != NULL, "a suggestion is no sound plan");
	out_init(&whole, arena);
	out_text(&whole, "edition 1\n\n");
	put_head(&whole, q, advice, found, t, j);
	out_bytes(&whole, body.p, body.n);
	trial_end(t);
	return lay_out(a, str_copy(arena, out_view(&whole)), plan);
}
