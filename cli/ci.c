/* ci.c - planc ci: everything a build server wants to know about the plans of a folder. */
#include "cli/command.h"

#include "cli/plans_below.h"

/* Steps in their order; what follows a plan that is not sound would only repeat why. */
struct step {
	const char *name;
	command_run *run;
	bool check;                  /* with --check */
	bool needs_emits;
};

static const struct step steps[] = {
	{ "fmt", command_fmt, true, false },
	{ "check", command_check, false, false },
	{ "test", command_test, false, false },
	{ "emit", command_emit, true, true },
};

/* One file on its way through the steps. */
struct file {
	struct session *session;
	const struct options *options;
	const char *path;
	struct out failed;           /* names of the steps that failed */
	struct out stale;            /* what `emit --check` says of artefacts that are missing or differ */
	bool has_emits;
	int worst;
};

static int worse(int a, int b)
{
	/* A mistake counts more than a difference. */
	if (a == EXIT_DIFFERENT && b == EXIT_PLAN)
		return b;
	return b == EXIT_FINE || (b == EXIT_DIFFERENT && a == EXIT_PLAN) || b < a ? a : b;
}

static int run_step(struct file *f, const struct step *step)
{
	struct session *child = session_child(f->session);
	struct options o = *f->options;
	int code;

	memset(&o.operands, 0, sizeof o.operands);
	*VEC_ADD(&child->arena, &o.operands) = f->path;
	o.given[OPTION_CHECK] = step->check;
	o.command = step->name;
	code = step->run(child, &o);
	if (child->program && child->program->emits.n > 0)
		f->has_emits = true;
	if (step->needs_emits && code == EXIT_DIFFERENT)
		out_bytes(&f->stale, child->out.p, child->out.n);
	session_join(f->session, child);
	return code;
}

static void run_steps(struct file *f)
{
	for (size_t i = 0; i < PLAN_COUNT(steps); i++) {
		int code;

		if (steps[i].needs_emits && !f->has_emits)
			continue;
		code = run_step(f, &steps[i]);
		f->worst = worse(f->worst, code);
		if (code == EXIT_FINE)
			continue;
		out_printf(&f->failed, "%s%s", f->failed.n > 0 ? ", " : "", steps[i].name);
		if (code != EXIT_DIFFERENT)
			break;
	}
}

int command_ci(struct session *s, const struct options *o)
{
	const char *folder = o->operands.at[0];
	struct plan_list plans = { 0 };
	uint32_t failed = 0;
	int worst = EXIT_FINE;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	if (!plans_below(s, folder, &plans))
		return EXIT_USAGE;
	if (plans.at.n == 0)
		return usage_error(s, "there is no plan below `%s`", folder);
	for (uint32_t i = 0; i < plans.at.n; i++) {
		struct file f = { .session = s, .options = o, .path = plans.at.at[i] };

		out_init(&f.failed, &s->arena);
		out_init(&f.stale, &s->arena);
		run_steps(&f);
		out_printf(&s->out, "%s %s%s%.*s\n", f.failed.n > 0 ? "FAILED" : "ok    ", f.path,
			   f.failed.n > 0 ? "  " : "", (int)f.failed.n, f.failed.p);
		out_bytes(&s->out, f.stale.p, f.stale.n);
		failed += f.failed.n > 0;
		worst = worse(worst, f.worst);
	}
	out_printf(&s->out, "%u plan%s, %u failed\n", plans.at.n, plans.at.n == 1 ? "" : "s", failed);
	return worst;
}
