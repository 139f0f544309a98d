/* sweep.c - planc sweep and planc why-not: the candidates of a plan's sweeps, and why some are out. */
#include "cli/command.h"

#include "cli/output_file.h"
#include "runtime/bind/job.h"
#include "runtime/report/sweep.h"

enum { SWEEPS_MAX = 1000 };

/* Sweeps of the root file: the one of that name, or all. The count; 0 after a message. */
static uint32_t select_sweeps(struct session *s, const char *path, const char *name, uint32_t *at)
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

/* Names, types and rules of the whole plan. In an evaluator of its own: what the cost model leaves open
 * here is computed later. */
static bool plan_is_sound(struct session *s)
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

static int sweep_one(struct session *s, const struct options *o, uint32_t sweep, enum sweep_form form)
{
	struct span at = s->program->sweeps.at[sweep].span;
	struct search_options exact = { .exact = true, .threads = o->jobs };
	struct search *r = o->given[OPTION_EXACT] ? search_run(&s->ev, sweep, &exact)
						  : search_once(&s->ev, sweep, at);

	if (!r)
		return EXIT_PLAN;
	lint_dead(s, r);
	if (form == SWEEP_TEXT && s->out.n > 0)
		out_char(&s->out, '\n');
	report_sweep(r, form, &s->out);
	if (r->feasible_count > 0)
		return EXIT_FINE;
	search_report_nothing(r, r->sweep->span);
	return EXIT_NOTHING;
}

static bool read_form(struct session *s, const struct options *o, enum sweep_form *form)
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
static int write_file(struct session *s, const struct options *o, enum sweep_form form, int code)
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

	if (!read_form(s, o, &form) || !session_style(s, o, false))
		return EXIT_USAGE;
	if (!session_compile(s, o, path))
		return session_failure(s);
	if (!plan_is_sound(s))
		return EXIT_PLAN;
	n = select_sweeps(s, path, name, sweeps);
	if (n == 0)
		return EXIT_USAGE;
	if (n > 1 && form != SWEEP_TEXT)
		return usage_error(s, "%s holds one sweep, and %s has %u; name one", sweep_form_names[form], path, n);
	for (uint32_t i = 0; i < n; i++) {
		int one = sweep_one(s, o, sweeps[i], form);

		code = code == EXIT_FINE || one == EXIT_PLAN ? one : code;
	}
	return write_file(s, o, form, code);
}

/* The sweep that the points were found to be about. */
static int why_not(struct session *s, uint32_t sweep)
{
	struct search *r = search_once(&s->ev, sweep, s->program->sweeps.at[sweep].span);
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
	if (select_sweeps(s, path, name, sweeps) == 0)
		return EXIT_USAGE;
	if (s->program->points.n > 0)
		return why_not(s, s->program->points.at[0].sweep);
	return usage_error(s, "a point is `axis = value, ...`, as in 'strategy.tp = 2'");
}
