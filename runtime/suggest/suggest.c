/* suggest.c - from the question to the plan: narrow first, wide where nothing is found there, and if the model
 * fits nowhere, on how many GPUs it would. */
#include "runtime/suggest/suggest_int.h"

enum { NEAR = 8, ANYWHERE = 131072 };

/* What is tried one after the other. The lean one is cheap and says whether there is an answer at all. */
static const struct range ranges[] = {
	{ .reach = NEAR, .advised = true },
	{ .reach = ANYWHERE, .lean = true },
	{ .reach = ANYWHERE, .advised = true },
	{ .reach = ANYWHERE },
	{ .reach = ANYWHERE, .lean = true },
};

enum { PROBE = 1 };

static void report_fault(const struct suggest_asker *a, struct str why)
{
	diag_report(a->like->sink, E2706, SPAN_NONE, "nothing can be suggested: %.*s", (int)why.n, why.p);
}

static void report_tight(const struct suggest_asker *a, const struct suggest_question *q, const struct advice *advice)
{
	struct diag *d = diag_new(a->like->sink, E2705, SPAN_NONE);
	int64_t step = advice->gpus_per_node, least = fewest_gpus(a, q, advice->gpus, &step);

	diag_message(d, "`%.*s` does not fit on %lld GPU%s of `%.*s`, however it is spread", (int)q->model.name.n,
		     q->model.name.p, (long long)advice->gpus, advice->gpus == 1 ? "" : "s", (int)q->cluster.name.n,
		     q->cluster.name.p);
	if (least > 0 && step > 1)
		diag_help(d, "the fewest that it fits on, counted in steps of %lld, are %lld: `--gpus %lld`",
			  (long long)step, (long long)least, (long long)least);
	else if (least > 0)
		diag_help(d, "the fewest that it fits on are %lld: `--gpus %lld`", (long long)least, (long long)least);
	else
		diag_help(d, "shorter samples, or GPUs with more memory");
	diag_submit(d);
}

static bool find(const struct suggest_asker *a, const struct suggest_question *q, struct out *plan)
{
	struct advice advice;
	struct found found;

	for (size_t i = 0; i < PLAN_COUNT(ranges); i++) {
		if (!advice_ask(a, q, ranges[i], &advice))
			return false;
		if (advice.fault.n > 0) {
			report_fault(a, advice.fault);
			return false;
		}
		neighbourhood_search(a, q, &advice, &found);
		if (found.feasible > 0 && i != PROBE)
			return plan_put(a, q, &advice, &found, plan);
		if (found.feasible == 0 && i == PROBE)
			break;
	}
	if (found.tight)
		report_tight(a, q, &advice);
	else
		report_fault(a, found.hindrance);
	return false;
}

static bool reported(const struct diag_sink *sink, enum diag_code code)
{
	for (uint32_t i = 0; i < sink->diags.n; i++)
		if (sink->diags.at[i]->code == code)
			return true;
	return false;
}

enum suggest_answer suggest_plan(const struct suggest_asker *a, const struct suggest_question *q, struct out *plan)
{
	const struct diag_sink *sink = a->like->sink;

	if (find(a, q, plan))
		return SUGGEST_FOUND;
	if (reported(sink, E2707))
		return SUGGEST_UNKNOWN;
	return reported(sink, E2705) || reported(sink, E2706) ? SUGGEST_NOTHING : SUGGEST_ERRORS;
}
