/* jobs.c - the jobs of a plan, by name, and a job under another profile. */
#include "cli/jobs.h"

#include "cli/command.h"
#include "runtime/api/shared/compilation.h"

enum { JOBS_MAX = 1000 };

static struct str global_name(const struct session *s, uint32_t global)
{
	return sym_str(s->names, s->program->globals.at[global].name);
}

int jobs_select(struct session *s, const char *path, const char *name, struct job_list *result)
{
	const char *names[JOBS_MAX];

	result->at = ARENA_ARRAY(&s->arena, uint32_t, JOBS_MAX);
	result->n = jobs_declared(s->program, result->at, JOBS_MAX);
	if (result->n > JOBS_MAX)
		result->n = JOBS_MAX;
	if (result->n == 0) {
		usage_error(s, "%s declares no job", path);
		return EXIT_PLAN;
	}
	if (!name)
		return EXIT_FINE;
	for (uint32_t i = 0; i < result->n; i++) {
		names[i] = global_name(s, result->at[i]).p;
		if (strcmp(names[i], name) == 0) {
			result->at[0] = result->at[i];
			result->n = 1;
			return EXIT_FINE;
		}
	}
	return usage_error(s, "%s has no job `%s`%s", path, name,
			   did_you_mean(s, name, names, result->n));
}

uint32_t profile_find(struct session *s, const char *name)
{
	const struct ir_program *p = s->program;
	uint32_t schema = ir_find_schema(p, "profile"), n = 0;
	const char *names[JOBS_MAX];

	invariant(schema != IR_NONE, "the prelude declares no schema `profile`");
	const struct ir_schema *profile = &p->schemas.at[schema];
	for (uint32_t i = 0; i < profile->preset_count && n < JOBS_MAX; i++) {
		names[n] = global_name(s, profile->presets[i]).p;
		if (strcmp(names[n++], name) == 0)
			return profile->presets[i];
	}
	usage_error(s, "there is no profile `%s`%s", name, did_you_mean(s, name, names, n));
	return IR_NONE;
}

const struct job *job_of_global(struct session *s, uint32_t global, const char *profile)
{
	return compilation_job(&s->ev, global, str_of(profile ? profile : ""), false);
}
