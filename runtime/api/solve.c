/* solve.c - questions that change the plan: which value is just enough, what a small change does. */
#include "runtime/api/api_int.h"

#include "runtime/ask/sensitivity/sensitivity.h"
#include "runtime/ask/solve/solve.h"

static const char *finished(struct out *o)
{
	return arena_copy(o->arena, o->p ? o->p : "", o->n);
}

/* ---- just enough ----------------------------------------------------------------------------- */

static struct str copied(struct plan_context *c, const char *text)
{
	return text ? str_copy(&c->work, str_of(text)) : (struct str){ NULL, 0 };
}

static enum plan_status print_answer(struct plan_context *c, const struct ir_program *p, const struct solve_result *r,
				     struct plan_value *value, enum plan_report form, const char **text)
{
	struct out o;

	out_init(&o, &c->work);
	if (value)
		value_describe(c, p, r->answer, r->question->path.type, value);
	if (text && form == PLAN_REPORT_JSON)
		solve_print_json(p, r, &c->work, &o);
	else if (text)
		solve_print_text(p, r, &o);
	if (text)
		*text = finished(&o);
	return PLAN_OK;
}

/* The plan once more with the question in it, in an evaluator of its own. */
static enum plan_status solve(struct plan_context *c, const struct plan_inverse *question, struct plan_value *value,
			      enum plan_report form, const char **text)
{
	struct compile_inverse inverse = { copied(c, question->path), copied(c, question->job),
					   copied(c, question->such_that), copied(c, question->in) };
	struct solve_options options = { question->wanted == PLAN_GREATEST,
					 question->precision > 0 ? question->precision : SOLVE_PRECISION };
	struct compile_input in = c->input;
	uint32_t errors = c->sink.errors;
	struct ir_program *p;
	struct solve_result r;
	enum solve_answer found;
	struct eval ev;

	in.inverse = &inverse;
	in.without_emits = true;
	p = plan_compile(&in);
	if (!p || c->sink.errors > errors || !p->inverse)
		return context_errors(c);
	compilation_evaluator(&in, p, &ev);
	context_limit(c, &ev);
	found = solve_run(&ev, p->inverse, options, &r);
	if (found == SOLVE_FOUND)
		return print_answer(c, p, &r, value, form, text);
	return found == SOLVE_NEVER ? context_say(c, PLAN_NOTHING_LEFT, "no value is enough") : context_errors(c);
}

enum plan_status plan_solve(struct plan_context *c, const struct plan_inverse *question, struct plan_value *value,
			    enum plan_report form, const char **text)
{
	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!question || !question->path || question->wanted > PLAN_GREATEST || form > PLAN_REPORT_JSON)
		return context_say(c, PLAN_MISUSE, "a question has a path, and its answer a form");
	if (question->precision != 0 && !solve_takes(question->precision))
		return context_say(c, PLAN_MISUSE, "a precision is a share from 0.0001 to 0.5");
	if (text)
		*text = NULL;
	if (value)
		memset(value, 0, sizeof *value);
	if (setjmp(c->escape) != 0) {
		if (value)
			memset(value, 0, sizeof *value);
		return context_out_of_memory(c);
	}
	return solve(c, question, value, form, text);
}

/* ---- a small change -------------------------------------------------------------------------- */

/* What is asked about: the sweep of `search`, or the job of a global. */
struct about {
	struct search *search;
	struct record *job;
	struct str name;
	struct span at;
};

static enum plan_status best_of(struct plan_context *c, uint32_t sweep, struct about *about)
{
	static const struct search_options best = { .keep = SEARCH_KEEP };
	const struct ir_sweep *w = &c->program->sweeps.at[sweep];

	about->name = sym_str(c->names, w->name);
	about->at = w->span;
	about->search = search_once(&c->ev, sweep, &best, w->span);
	if (!about->search)
		return context_errors(c);
	if (about->search->feasible_count > 0)
		return PLAN_OK;
	search_report_nothing(about->search, w->span);
	return context_say(c, PLAN_NOTHING_LEFT, plan_status_text(PLAN_NOTHING_LEFT));
}

static enum plan_status job_of(struct plan_context *c, const char *name, struct about *about)
{
	struct api_job *job;
	enum plan_status status = jobs_find(c, name, &job);
	struct value v;

	if (status != PLAN_OK)
		return status;
	v = eval_global(&c->ev, job->global);
	if (v.kind != VALUE_RECORD)
		return context_errors(c);
	about->job = v.record;
	about->name = str_of(job->name);
	about->at = c->program->globals.at[job->global].span;
	return PLAN_OK;
}

static bool is_sweep(const struct plan_context *c, const char *name)
{
	for (uint32_t i = 0; name && i < c->sweep_count; i++)
		if (str_is(sym_str(c->names, c->program->sweeps.at[c->sweeps[i]].name), name))
			return true;
	return !name && c->sweep_count == 1;
}

static enum plan_status sensitivity(struct plan_context *c, const char *name, enum plan_report form, const char **text)
{
	struct sensitivity *answer = ARENA_NEW(&c->work, struct sensitivity);
	struct about about = { .search = NULL };
	enum plan_status status = PLAN_OK;
	uint32_t sweep;
	struct out o;

	if (is_sweep(c, name)) {
		status = sweeps_find(c, name, &sweep);
		if (status == PLAN_OK)
			status = context_check(c, PLAN_CHECK_RULES);
		if (status == PLAN_OK)
			status = best_of(c, sweep, &about);
	} else {
		status = job_of(c, name, &about);
	}
	if (status != PLAN_OK)
		return status;
	if (!sensitivity_run(answer, &c->ev, about.search, about.job, about.name, about.at))
		return context_errors(c);
	out_init(&o, &c->work);
	if (form == PLAN_REPORT_JSON)
		sensitivity_print_json(answer, &o);
	else
		sensitivity_print_text(answer, &o);
	*text = finished(&o);
	return PLAN_OK;
}

enum plan_status plan_sensitivity(struct plan_context *c, const char *name, enum plan_report form, const char **text)
{
	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (!text || form > PLAN_REPORT_JSON)
		return context_say(c, PLAN_MISUSE, "a report has a form, and an address to go to");
	*text = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	return sensitivity(c, name, form, text);
}
