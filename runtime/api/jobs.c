/* jobs.c - the jobs of a plan: by name, evaluated once, reported. */
#include "runtime/api/api_int.h"

#include "runtime/report/report.h"

size_t plan_job_count(const struct plan_context *c)
{
	return c ? c->job_count : 0;
}

const char *plan_job_name(const struct plan_context *c, size_t index)
{
	return c && index < c->job_count ? c->jobs[index].name : NULL;
}

static enum plan_status only_job(struct plan_context *c, struct api_job **job)
{
	if (c->job_count == 0)
		return context_say(c, PLAN_NOT_FOUND, "the plan declares no job");
	if (c->job_count > 1)
		return context_fail(c, PLAN_NOT_FOUND, "the plan has %u jobs; name one", c->job_count);
	*job = &c->jobs[0];
	return PLAN_OK;
}

enum plan_status jobs_find(struct plan_context *c, const char *name, struct api_job **job)
{
	const char **names;

	if (!name)
		return only_job(c, job);
	names = ARENA_ARRAY(&c->work, const char *, c->job_count);
	for (uint32_t i = 0; i < c->job_count; i++) {
		names[i] = c->jobs[i].name;
		if (strcmp(names[i], name) == 0) {
			*job = &c->jobs[i];
			return PLAN_OK;
		}
	}
	return context_fail(c, PLAN_NOT_FOUND, "the plan has no job `%s`%s", name,
			    context_meant(c, str_of(name), names, c->job_count));
}

enum plan_status jobs_evaluate(struct plan_context *c, struct api_job *job)
{
	if (!job->evaluated) {
		job->job = compilation_job(&c->ev, job->global, c->profile, true);
		job->evaluated = true;
	}
	return job->job ? PLAN_OK : context_errors(c);
}

enum plan_status plan_evaluate(struct plan_context *c, const char *job)
{
	struct api_job *found;
	enum plan_status status = context_needs_program(c);

	if (status != PLAN_OK)
		return status;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	if (jobs_find(c, job, &found) != PLAN_OK)
		return PLAN_NOT_FOUND;
	return jobs_evaluate(c, found);
}

enum plan_status plan_report(struct plan_context *c, const char *job, enum plan_report form,
			     const char **text)
{
	struct api_job *found;
	struct out o;

	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!text || form > PLAN_REPORT_JSON)
		return context_say(c, PLAN_MISUSE, "a report is text or JSON, and has an address to go to");
	*text = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	if (jobs_find(c, job, &found) != PLAN_OK)
		return PLAN_NOT_FOUND;
	if (jobs_evaluate(c, found) != PLAN_OK)
		return PLAN_ERRORS;
	out_init(&o, &c->work);
	if (form == PLAN_REPORT_JSON)
		report_json(found->job, &c->sink, &o);
	else
		report_text(found->job, &o);
	*text = arena_copy(&c->work, o.p, o.n);
	return PLAN_OK;
}
