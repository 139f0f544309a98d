/* merge.c - planc merge: the report of a sweep that was searched in parts. */
#include "cli/command.h"

#include <stdarg.h>

#include "cli/watch.h"

/* The parts with their files, in the order of the command line. */
struct joining {
	struct session *session;
	const char **paths;
	struct search_part *parts;
	uint32_t n;
};

static bool refuse(struct joining *j, const char *fmt, ...) PLAN_PRINTF(2, 3);

static bool refuse(struct joining *j, const char *fmt, ...)
{
	struct diag *d = diag_new(&j->session->sink, E2415, SPAN_NONE);
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	diag_message(d, "%s", text);
	diag_submit(d);
	return false;
}

static bool load(struct joining *j, const struct options *o)
{
	j->n = o->operands.n - 1;
	j->paths = ARENA_ARRAY(&j->session->arena, const char *, j->n);
	j->parts = ARENA_ARRAY(&j->session->arena, struct search_part, j->n);
	for (uint32_t i = 0; i < j->n; i++) {
		j->paths[i] = o->operands.at[i + 1];
		if (!part_load(j->session, j->paths[i], &j->parts[i]))
			return false;
	}
	return true;
}

static bool fit(struct joining *j, uint32_t sweep, const struct search_options *options)
{
	for (uint32_t i = 0; i < j->n; i++)
		if (!part_fits(j->session, j->paths[i], &j->parts[i], sweep, options))
			return false;
	return true;
}

/* Each shard once, and finished. */
static bool add_up(struct joining *j)
{
	uint32_t n = j->parts[0].shards;
	const char **at = ARENA_ARRAY(&j->session->arena, const char *, n + 1);

	for (uint32_t i = 0; i < j->n; i++) {
		const struct search_part *p = &j->parts[i];

		if (p->shards != n)
			return refuse(j, "`%s`: this is part %u/%u, and `%s` is part %u/%u", j->paths[i], p->shard, p->shards,
				      j->paths[0], j->parts[0].shard, n);
		if (at[p->shard])
			return refuse(j, "`%s`: this is part %u/%u, as is `%s`", j->paths[i], p->shard, n, at[p->shard]);
		if (!p->complete)
			return refuse(j, "`%s`: part %u/%u is not finished; go on with `--resume`", j->paths[i], p->shard, n);
		at[p->shard] = j->paths[i];
	}
	for (uint32_t k = 1; k <= n; k++)
		if (!at[k])
			return refuse(j, "part %u/%u is missing", k, n);
	return true;
}

static int join(struct joining *j, uint32_t sweep, enum sweep_form form)
{
	struct session *s = j->session;
	struct search_options options = { .exact = j->parts[0].exact, .parts = j->parts, .part_count = j->n,
					  .merge = true };
	struct search *r;

	report_sweep_needs(form, &options);
	if (!fit(j, sweep, &options) || !add_up(j))
		return EXIT_USAGE;
	r = search_run(&s->ev, sweep, &options);
	return r ? sweep_report(s, r, form, NULL) : EXIT_PLAN;
}

int command_merge(struct session *s, const struct options *o)
{
	struct joining j = { .session = s };
	uint32_t sweeps[SWEEPS_MAX];
	const char *path = o->operands.at[0];
	enum sweep_form form;
	struct str name;

	if (!form_read(s, o, &form) || !session_style(s, o, false))
		return EXIT_USAGE;
	if (!session_compile(s, o, path))
		return session_failure(s);
	if (!plan_is_sound(s))
		return EXIT_PLAN;
	if (!load(&j, o))
		return EXIT_USAGE;
	name = str_copy(&s->arena, j.parts[0].sweep);
	if (sweeps_select(s, path, name.p, sweeps) == 0)
		return EXIT_USAGE;
	return sweep_write(s, o, form, join(&j, sweeps[0], form));
}
