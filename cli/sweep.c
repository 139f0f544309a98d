/* sweep.c - planc sweep and planc why-not: the candidates of a plan's sweeps, and why some are out. */
#include "cli/command.h"

#include "cli/output_file.h"
#include "cli/rows.h"
#include "cli/watch.h"
#include "runtime/bind/job.h"

uint32_t sweeps_select(struct session *s, const char *path, const char *name, uint32_t *at)
{
	const struct ir_program *p = s->program;
	const char *names[SWEEPS_MAX];
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->sweeps.n && n < SWEEPS_MAX; i++) {
		if (p->sweeps.at[i].file != p->root_file)
			continue;
		names[n] = sym_str(s->names, p->sweeps.at[i].name).p;
		at[n++] = i;
		if (name && strcmp(names[n - 1], name) == 0) {
			at[0] = i;
			return 1;
		}
	}
	if (n == 0)
		usage_error(s, "%s has no sweep", path);
	else if (name)
		usage_error(s, "%s has no sweep `%s`%s", path, name, did_you_mean(s, name, names, n));
	return name ? 0 : n;
}

/* In an evaluator of its own: what the cost model leaves open here is computed later. */
bool plan_is_sound(struct session *s)
{
	struct eval ev;

	eval_init(&ev, &s->arena, s->program, &s->sink);
	job_install(&ev);
	ev.without_model = true;
	ev.steps_max = s->ev.steps_max;
	ev.candidates_max = s->ev.candidates_max;
	return program_check(&ev) && s->sink.errors == 0;
}

/* A constraint of the plan's own that removed nothing; what nothing could break is worth knowing. Where no
 * candidate is left, those that are broken belong to what could be given up, and those that need the cost
 * model were not tested. */
static void lint_dead(struct session *s, const struct search *r)
{
	for (uint32_t i = 0; i < r->row_count; i++) {
		const struct search_row *row = &r->rows[i];
		struct diag *d;

		/* One that reads no axis was reported as such (W2402). */
		if (!row->condition || !row->condition->own || row->removed > 0 || row->condition->reads.axes == 0 ||
		    (row->violated > 0 && r->feasible_count == 0) || (row->model && row->left == 0))
			continue;
		d = diag_new(&s->sink, W2401, row->condition->rule.span);
		diag_message(d, "constraint `%.*s` removes no candidate", (int)row->name.n, row->name.p);
		if (row->violated > 0)
			diag_note(d, "those that break it are out already, by conditions before it");
		else if (row->model && r->structural < r->total)
			diag_note(d, "the candidates that reach the cost model all keep it");
		diag_submit(d);
	}
}

static int report_partial(struct session *s, const struct search *r, const char *file)
{
	struct diag *d = diag_new(&s->sink, W2403, SPAN_NONE);
	struct out o;

	out_init(&o, &s->arena);
	out_grouped(&o, (int64_t)r->tested);
	out_text(&o, " of ");
	out_grouped(&o, (int64_t)r->total);
	diag_message(d, "`%s` was stopped: %.*s candidates were tested", sym_str(s->names, r->sweep->name).p, (int)o.n, o.p);
	if (file)
		diag_help(d, "`--checkpoint %s --resume` goes on from there", file);
	else
		diag_help(d, "with `--checkpoint FILE` a run that was stopped is gone on with: `--resume`");
	diag_submit(d);
	return EXIT_PARTIAL;
}

int sweep_report(struct session *s, struct search *r, enum sweep_form form, const char *file)
{
	if (!r->partial)
		lint_dead(s, r);
	if (form == SWEEP_TEXT && s->out.n > 0)
		out_char(&s->out, '\n');
	/* Rows were written while it ran. */
	if (!r->options.rows)
		report_sweep(r, form, &s->out);
	if (r->partial)
		return report_partial(s, r, file);
	if (r->feasible_count > 0)
		return EXIT_FINE;
	search_report_nothing(r, r->sweep->span);
	return EXIT_NOTHING;
}

/* A shard has no report of its own. */
static int report_shard(struct session *s, const struct search *r, const char *path, bool complete)
{
	const struct search_options *o = &r->options;

	if (!complete)
		return report_partial(s, r, path);
	out_printf(&s->out, "%s: part %u/%u, ", sym_str(s->names, r->sweep->name).p, o->shard, o->shards);
	out_grouped(&s->out, (int64_t)r->tested);
	out_text(&s->out, " of ");
	out_grouped(&s->out, (int64_t)r->total);
	out_printf(&s->out, " candidates, ");
	out_grouped(&s->out, (int64_t)r->feasible_count);
	out_printf(&s->out, " feasible, in %s\n", path);
	return EXIT_FINE;
}

static int sweep_one(struct session *s, const struct options *o, uint32_t sweep, enum sweep_form form)
{
	struct span at = s->program->sweeps.at[sweep].span;
	struct search_options options = { .exact = o->given[OPTION_EXACT], .threads = o->jobs };
	struct watch *w = ARENA_NEW(&s->arena, struct watch);
	struct search *r;

	report_sweep_needs(form, &options);
	if (!watch_open(w, s, o, sweep, &options))
		return EXIT_USAGE;
	if (session_serves(s))
		return search_serve(&s->ev, sweep, &options) ? EXIT_FINE : EXIT_PLAN;
	/* One that is searched in the usual way is not searched again for expressions. */
	r = options.exact || w->path ? search_run(&s->ev, sweep, &options) : search_once(&s->ev, sweep, &options, at);
	if (!watch_close(w, r))
		return EXIT_USAGE;
	if (!r)
		return EXIT_PLAN;
	return options.shards > 0 ? report_shard(s, r, w->path, search_is_complete(r)) : sweep_report(s, r, form, w->path);
}

/* Rows as they are found; no other candidates are kept than those of a short list. */
static int sweep_rows(struct session *s, const struct options *o, uint32_t sweep, enum sweep_form form)
{
	struct search_options options = { .exact = o->given[OPTION_EXACT], .threads = o->jobs, .keep = SEARCH_KEEP };
	struct watch *w = ARENA_NEW(&s->arena, struct watch);
	struct rows *rows = ARENA_NEW(&s->arena, struct rows);
	struct search *r;
	int code;

	if (!watch_open(w, s, o, sweep, &options))
		return EXIT_USAGE;
	if (session_serves(s)) {
		options.rows = &(struct search_rows){ .print = report_sweep_rows(form)->row };
		return search_serve(&s->ev, sweep, &options) ? EXIT_FINE : EXIT_PLAN;
	}
	if (!rows_open(rows, s, o, form))
		return EXIT_USAGE;
	options.rows = &rows->wanted;
	r = search_run(&s->ev, sweep, &options);
	watch_close(w, r);
	if (!rows_close(rows, r != NULL, &code))
		return code;
	return r ? sweep_report(s, r, form, NULL) : EXIT_PLAN;
}

bool form_read(struct session *s, const struct options *o, enum sweep_form *form)
{
	const char *text = option_value(o, OPTION_FORMAT, "text");

	for (uint32_t i = 0; i < SWEEP_FORM_COUNT; i++) {
		*form = (enum sweep_form)i;
		if (strcmp(text, sweep_form_names[i]) == 0)
			return true;
	}
	usage_error(s, "`--format %s`: it is text, json, jsonl, csv or html%s", text,
		    did_you_mean(s, text, sweep_form_names, SWEEP_FORM_COUNT));
	return false;
}

/* What stands in session.out goes to the file of `-o`, whole, and only over a report of the same form. */
int sweep_write(struct session *s, const struct options *o, enum sweep_form form, int code)
{
	const char *path = option_value(o, OPTION_TRACE_FILE, "-");
	struct output_file file = { .path = path, .head = SWEEP_HEAD, .what = "report of a sweep" };
	struct out text = s->out;
	struct str old;

	if (strcmp(path, "-") == 0 || code == EXIT_PLAN)
		return code;
	out_init(&s->out, &s->arena);
	if (!output_file_examine(s, &file, &old))
		return EXIT_USAGE;
	if (file.there && !report_sweep_wrote(form, old))
		return output_file_refuse(s, &file);
	return output_file_write(s, &file, &text) ? code : EXIT_USAGE;
}

int command_sweep(struct session *s, const struct options *o)
{
	const char *path = o->operands.at[0], *name = o->operands.n > 1 ? o->operands.at[1] : NULL;
	uint32_t sweeps[SWEEPS_MAX], n;
	enum sweep_form form;
	int code = EXIT_FINE;

	if (!form_read(s, o, &form) || !session_style(s, o, false))
		return EXIT_USAGE;
	if (!session_compile(s, o, path))
		return session_failure(s);
	if (!plan_is_sound(s))
		return EXIT_PLAN;
	n = sweeps_select(s, path, name, sweeps);
	if (n == 0)
		return EXIT_USAGE;
	if (n > 1 && form != SWEEP_TEXT)
		return usage_error(s, "%s holds one sweep, and %s has %u; name one", sweep_form_names[form], path, n);
	if (n > 1 && o->given[OPTION_CHECKPOINT])
		return usage_error(s, "a checkpoint holds one sweep, and %s has %u; name one", path, n);
	/* What a file keeps cannot be told yet. */
	if (report_sweep_rows(form) && !o->given[OPTION_CHECKPOINT])
		return sweep_rows(s, o, sweeps[0], form);
	for (uint32_t i = 0; i < n && code != EXIT_PARTIAL; i++) {
		int one = sweep_one(s, o, sweeps[i], form);

		if (one == EXIT_USAGE)
			return one;
		code = code == EXIT_FINE || one == EXIT_PLAN ? one : code;
	}
	return sweep_write(s, o, form, code);
}

/* The sweep that the points were found to be about. */
static int why_not(struct session *s, uint32_t sweep)
{
	struct search *r = search_once(&s->ev, sweep, NULL, s->program->sweeps.at[sweep].span);
	struct search_why why;

	if (!r || !search_why_not(r, &why))
		return EXIT_PLAN;
	report_why_text(r, &why, &s->out);
	return EXIT_FINE;
}

int command_why_not(struct session *s, const struct options *o)
{
	const char *path = o->operands.at[0], *name = o->operands.n > 2 ? o->operands.at[2] : NULL;
	uint32_t sweeps[SWEEPS_MAX];

	s->point = str_of(o->operands.at[1]);
	s->point_sweep = str_of(name ? name : "");
	if (!session_style(s, o, false))
		return EXIT_USAGE;
	if (!session_compile(s, o, path))
		return session_failure(s);
	if (!plan_is_sound(s))
		return EXIT_PLAN;
	if (sweeps_select(s, path, name, sweeps) == 0)
		return EXIT_USAGE;
	if (s->program->points.n > 0)
		return why_not(s, s->program->points.at[0].sweep);
	return usage_error(s, "a point is `axis = value, ...`, as in 'strategy.tp = 2'");
}
