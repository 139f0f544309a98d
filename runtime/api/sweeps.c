/* sweeps.c - the sweeps of a plan: by name, run, reported. */
#include "runtime/report/sweep.h"

#include "runtime/api/api_int.h"

void sweeps_list(struct plan_context *c)
{
	uint32_t *at = ARENA_ARRAY(&c->work, uint32_t, c->program->sweeps.n);

	for (uint32_t i = 0; i < c->program->sweeps.n; i++)
		if (c->program->sweeps.at[i].file == c->program->root_file)
			at[c->sweep_count++] = i;
	c->sweeps = at;
}

static const char *name_of(const struct plan_context *c, uint32_t index)
{
	return sym_str(c->names, c->program->sweeps.at[c->sweeps[index]].name).p;
}

size_t plan_sweep_count(const struct plan_context *c)
{
	return c ? c->sweep_count : 0;
}

const char *plan_sweep_name(const struct plan_context *c, size_t index)
{
	return c && index < c->sweep_count ? name_of(c, (uint32_t)index) : NULL;
}

enum plan_status sweeps_find(struct plan_context *c, const char *name, uint32_t *sweep)
{
	const char **names = ARENA_ARRAY(&c->work, const char *, c->sweep_count);

	if (c->sweep_count == 0)
		return context_say(c, PLAN_NOT_FOUND, "the plan declares no sweep");
	*sweep = c->sweeps[0];
	if (!name && c->sweep_count == 1)
		return PLAN_OK;
	if (!name)
		return context_fail(c, PLAN_NOT_FOUND, "the plan has %u sweeps; name one", c->sweep_count);
	for (uint32_t i = 0; i < c->sweep_count; i++) {
		*sweep = c->sweeps[i];
		names[i] = name_of(c, i);
		if (strcmp(names[i], name) == 0)
			return PLAN_OK;
	}
	return context_fail(c, PLAN_NOT_FOUND, "the plan has no sweep `%s`%s", name,
			    context_meant(c, str_of(name), names, c->sweep_count));
}

static enum plan_status run(struct plan_context *c, uint32_t sweep, enum plan_sweep_report form,
			    const char **text)
{
	static const enum sweep_form forms[] = {
		[PLAN_SWEEP_TEXT] = SWEEP_TEXT,	  [PLAN_SWEEP_JSON] = SWEEP_JSON, [PLAN_SWEEP_CSV] = SWEEP_CSV,
		[PLAN_SWEEP_JSONL] = SWEEP_JSONL, [PLAN_SWEEP_HTML] = SWEEP_HTML,
	};
	struct search_options options = { 0 };
	struct search *search;
	struct out o;

	report_sweep_needs(forms[form], &options);
	search = search_run(&c->ev, sweep, &options);
	if (!search)
		return context_errors(c);
	out_init(&o, &c->work);
	report_sweep(search, forms[form], &o);
	*text = arena_copy(&c->work, o.p ? o.p : "", o.n);
	if (search->feasible_count > 0)
		return PLAN_OK;
	search_report_nothing(search, search->sweep->span);
	return context_say(c, PLAN_NOTHING_LEFT, plan_status_text(PLAN_NOTHING_LEFT));
}

static enum plan_status find_and_run(struct plan_context *c, const char *name,
				     enum plan_sweep_report form, const char **text)
{
	uint32_t sweep;
	enum plan_status status = sweeps_find(c, name, &sweep);

	if (status == PLAN_OK)
		status = context_check(c, PLAN_CHECK_RULES);
	return status == PLAN_OK ? run(c, sweep, form, text) : status;
}

enum plan_status plan_sweep(struct plan_context *c, const char *sweep, enum plan_sweep_report form,
			    const char **text)
{
	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!text || form > PLAN_SWEEP_HTML)
		return context_say(c, PLAN_MISUSE, "a report has a form, and an address to go to");
	*text = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	return find_and_run(c, sweep, form, text);
}
