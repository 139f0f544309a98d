/* sensitivity.c - planc sensitivity: what happens to a job when one thing changes a little. */
#include "cli/command.h"

#include "cli/jobs.h"
#include "runtime/ask/sensitivity/sensitivity.h"

/* The sweep or job that is asked about: by name, else the only sweep, else the only job. */
struct subject {
	bool sweep;
	uint32_t index;              /* of the sweep, or global */
	struct str name;
	struct span at;
};

static bool sweep_named(struct session *s, const char *name, struct subject *r)
{
	const struct ir_program *p = s->program;
	uint32_t found = 0;

	for (uint32_t i = 0; i < p->sweeps.n; i++) {
		const struct ir_sweep *w = &p->sweeps.at[i];

		if (w->file != p->root_file || (name && !str_is(sym_str(s->names, w->name), name)))
			continue;
		*r = (struct subject){ true, i, sym_str(s->names, w->name), w->span };
		found++;
	}
	return found == 1;
}

static int choose(struct session *s, const char *path, const char *name, struct subject *r)
{
	struct job_list jobs;
	int code;

	if (sweep_named(s, name, r))
		return EXIT_FINE;
	code = jobs_select(s, path, name, &jobs);
	if (code != EXIT_FINE)
		return code;
	if (jobs.n > 1)
		return usage_error(s, "%s has %u jobs; name one, or a sweep", path, jobs.n);
	*r = (struct subject){ false, jobs.at[0], sym_str(s->names, s->program->globals.at[jobs.at[0]].name),
			       s->program->globals.at[jobs.at[0]].span };
	return EXIT_FINE;
}

static int look(struct session *s, const struct subject *r, bool json)
{
	const struct search_options best = { .keep = SEARCH_KEEP };
	struct search *search = r->sweep ? search_once(&s->ev, r->index, &best, r->at) : NULL;
	struct sensitivity *answer = ARENA_NEW(&s->arena, struct sensitivity);
	struct value job = value_none();

	if (r->sweep && !search)
		return EXIT_PLAN;
	if (search && search->feasible_count == 0) {
		search_report_nothing(search, r->at);
		return EXIT_NOTHING;
	}
	if (!search)
		job = eval_global(&s->ev, r->index);
	if (!search && job.kind != VALUE_RECORD)
		return EXIT_PLAN;
	if (!sensitivity_run(answer, &s->ev, search, search ? NULL : job.record, r->name, r->at))
		return EXIT_PLAN;
	if (json)
		sensitivity_print_json(answer, &s->out);
	else
		sensitivity_print_text(answer, &s->out);
	return EXIT_FINE;
}

int command_sensitivity(struct session *s, const struct options *o)
{
	const char *format = option_value(o, OPTION_FORMAT, "text"), *path = o->operands.at[0];
	bool json = strcmp(format, "json") == 0;
	struct subject subject = { .index = 0 };
	int code;

	if (!json && strcmp(format, "text") != 0)
		return usage_error(s, "`--format %s`: it is text or json", format);
	if (!session_style(s, o, false))
		return EXIT_USAGE;
	s->without_emits = true;
	if (!session_compile(s, o, path))
		return session_failure(s);
	code = choose(s, path, o->operands.n > 1 ? o->operands.at[1] : NULL, &subject);
	return code == EXIT_FINE ? look(s, &subject, json) : code;
}
