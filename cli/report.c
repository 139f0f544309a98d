/* report.c - planc report: what a job costs, for people or for programs. */
#include "cli/command.h"

#include "cli/job_input.h"
#include "cli/jobs.h"
#include "runtime/report/report.h"

/* JSON is one object, so it cannot hold several jobs. */
static int refuse_several(struct session *s, const struct job_list *jobs)
{
	struct out names;

	out_init(&names, &s->arena);
	for (uint32_t i = 0; i < jobs->n; i++) {
		struct str name = sym_str(s->names, s->program->globals.at[jobs->at[i]].name);
		out_printf(&names, "%s`%s`", i ? ", " : "", name.p);
	}
	return usage_error(s, "json describes one job, and this plan has %u: %.*s; name one", jobs->n,
			   (int)names.n, names.p);
}

static int report_jobs(struct session *s, const struct options *o, const struct job_list *jobs, const char *profile, bool json)
{
	int code = EXIT_FINE;

	for (uint32_t i = 0; i < jobs->n; i++) {
		const struct job *j = job_of_global(s, jobs->at[i], profile);

		if (!j) {
			code = EXIT_PLAN;
			continue;
		}
		if (json) {
			report_json(j, &s->sink, &s->out);
			continue;
		}
		if (s->out.n > 0)
			out_char(&s->out, '\n');
		report_text(j, &s->out);
		if (!o->given[OPTION_SIMUMAX])
			record_advise(&s->ev, j->record, s->program->globals.at[jobs->at[i]].span, j->name);
	}
	return code;
}

int command_report(struct session *s, const struct options *o)
{
	const char *format = option_value(o, OPTION_FORMAT, "text"), *path;
	const char *name = o->operands.n > 1 ? o->operands.at[1] : NULL;
	const char *profile = NULL;
	bool json = strcmp(format, "json") == 0;
	struct job_list jobs;

	if (!json && strcmp(format, "text") != 0)
		return usage_error(s, "`--format %s`: it is text or json", format);
	if (!session_style(s, o, false))
		return EXIT_USAGE;
	int code = job_input_compile(s, o, &path);
	if (code != EXIT_FINE)
		return code;
	if (!o->given[OPTION_SIMUMAX])
		profile = option_value(o, OPTION_PROFILE, NULL);
	if (!program_check(&s->ev) || s->sink.errors > 0)
		return EXIT_PLAN;
	code = jobs_select(s, path, name, &jobs);
	if (code != EXIT_FINE)
		return code;
	if (json && jobs.n > 1)
		return refuse_several(s, &jobs);
	code = report_jobs(s, o, &jobs, profile, json);
	return s->sink.errors > 0 ? EXIT_PLAN : code;
}
