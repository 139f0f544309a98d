/* report.c - reports of planc itself as artefacts: of a job, or of all that a sweep found.
 *
 * Formats with comments carry our header in one, the others are listed in the folder's record.
 */
#include "runtime/emit/emit_int.h"
#include "runtime/report/report.h"
#include "runtime/report/sweep.h"

/* A form; NULL where it does not tell of a job, or of a sweep. */
struct report_form {
	const char *name;
	bool comment; /* <!-- --> in front */
	void (*job)(const struct job *j, struct out *o);
	void (*sweep)(struct search *s, struct out *o);
	enum sweep_form needs;       /* a form that needs the same of a search */
};

static void job_json(const struct job *j, struct out *o)
{
	struct diag_sink none;

	diag_sink_init(&none, o->arena, NULL);
	report_json(j, &none, o);
}

static const struct report_form forms[] = {
	{ "csv", false, NULL, report_sweep_csv, SWEEP_CSV },
	{ "html", true, NULL, report_sweep_html, SWEEP_HTML },
	{ "json", false, job_json, report_sweep_json, SWEEP_JSON },
	{ "jsonl", false, NULL, report_sweep_jsonl, SWEEP_JSONL },
	{ "markdown", true, report_markdown, report_sweep_markdown, SWEEP_TEXT },
	{ "svg", true, NULL, report_sweep_svg, SWEEP_HTML },
};

static const struct report_form *form_of(struct emission *e)
{
	struct out names;

	for (size_t i = 0; i < PLAN_COUNT(forms); i++)
		if (str_is(e->form, forms[i].name))
			return &forms[i];
	out_init(&names, e->arena);
	for (size_t i = 0; i < PLAN_COUNT(forms); i++)
		out_printf(&names, "%s%s", i > 0 ? ", " : "", forms[i].name);
	diag_report(e->sink, E2506, e->emit->span, "a report has no form \"%.*s\"; there are %.*s",
		    (int)e->form.n, e->form.p, (int)names.n, names.p);
	return NULL;
}

/* The header as a comment of markup, in which two hyphens must not follow each other. */
static void comment(struct emission *e, struct out *o)
{
	struct out text;

	out_init(&text, e->arena);
	header_write(e, &text);
	out_text(o, "<!--\n");
	for (uint32_t i = 0; i < text.n; i++) {
		out_char(o, text.p[i]);
		if (text.p[i] == '-' && i + 1 < text.n && text.p[i + 1] == '-')
			out_char(o, ' ');
	}
	out_text(o, "-->\n");
}

static bool refuse(struct emission *e, const struct report_form *form, const char *takes)
{
	diag_report(e->sink, E2506, e->emit->span, "target `%s` takes %s", form->name, takes);
	return false;
}

static bool write_sweep(struct emission *e, const struct report_form *form, struct out *o)
{
	struct search_options options = { 0 };
	struct search *s;

	report_sweep_needs(form->needs, &options);
	s = search_once(e->ev, e->emit->sweep, &options, e->emit->span);
	if (!s)
		return false;
	if (s->feasible_count == 0) {
		search_report_nothing(s, e->emit->span);
		return false;
	}
	form->sweep(s, o);
	return true;
}

static bool write_job(struct emission *e, const struct report_form *form, struct value job, struct out *o)
{
	const struct job *j;

	if (!form->job)
		return refuse(e, form, "a sweep, by its name");
	j = job_evaluate(e->ev, job.record, e->emit->span);
	if (j)
		form->job(j, o);
	return j != NULL;
}

bool emit_report(struct emission *e, struct value job, struct artefact_files *files)
{
	const struct report_form *form = form_of(e);
	struct artefact_file *file;
	struct out o;

	if (!form)
		return false;
	out_init(&o, e->arena);
	if (form->comment)
		comment(e, &o);
	if (e->emit->sweep != IR_NONE ? !write_sweep(e, form, &o) : !write_job(e, form, job, &o))
		return false;
	file = VEC_ADD(e->arena, &files->at);
	*file = (struct artefact_file){ .path = e->to, .content = out_view(&o), .headed = form->comment };
	return true;
}
