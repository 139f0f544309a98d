/* search.c - a sweep from start to finish: measure, test every candidate, count. */
#include "runtime/search/team/letter.h"

/* A thread has to compute everything anew before it is of use: candidates that make up for that. */
enum { CANDIDATES_PER_THREAD = 5000 };

/* Threads that are worth their while. */
static uint32_t crew_size(const struct search *s)
{
	uint32_t worth = s->options.per_thread > 0 ? s->options.per_thread : CANDIDATES_PER_THREAD;
	uint64_t threads = s->total / worth;

	if (s->options.post)
		threads /= s->options.post->ranks;
	return threads < s->options.threads ? (uint32_t)threads : s->options.threads;
}

static bool report_damage(struct search *s)
{
	diag_report(s->ev->sink, E2415, s->sweep->span, "what was found before does not fit this sweep");
	return false;
}

static struct ledger *open_ledger(struct search *s)
{
	struct ledger *l = ARENA_NEW(s->ev->lasting, struct ledger);

	s->verdicts = verdicts_make(s);
	ledger_init(l, s);
	s->ledger = l;
	return l;
}

static bool run(struct search *s, struct ledger *l)
{
	return s->options.post ? lead_run(l, crew_size(s)) : crew_run(l, crew_size(s));
}

static bool test_all(struct search *s)
{
	struct ledger *l = open_ledger(s);

	for (uint32_t i = 0; i < s->options.part_count; i++)
		if (!search_part_add(l, &s->options.parts[i]))
			return report_damage(s);
	l->complete = s->options.merge;
	if (!s->options.merge && !run(s, l))
		return false;
	ledger_watch(l, true);
	ledger_finish(l);
	return true;
}

static bool make_goals(struct search *s)
{
	struct goals *g = ARENA_NEW(s->ev->lasting, struct goals);

	s->goals = g;
	return goals_make(g, s);
}

struct search_pause search_pause(struct eval *ev)
{
	struct search_pause p = { ev->arena, ev->depth, ev->steps, ev->exhausted };

	ev->arena = ev->lasting;
	ev->depth = 0;
	return p;
}

void search_resume(struct eval *ev, struct search_pause p)
{
	ev->arena = p.arena;
	ev->depth = p.depth;
	ev->steps = p.steps;
	ev->exhausted = p.exhausted;
}

struct search *search_make(struct eval *ev, uint32_t sweep, const struct search_options *options)
{
	struct search *s = ARENA_NEW(ev->lasting, struct search);

	*s = (struct search){ .sweep = &ev->program->sweeps.at[sweep], .index = sweep, .ev = ev };
	if (options)
		s->options = *options;
	return s;
}

static bool prepare(struct search *s)
{
	return s->sweep->type->kind != TYPE_POISON && hunt_prepare(s) && space_within_limit(s->space) && make_goals(s);
}

struct search *search_run(struct eval *ev, uint32_t sweep, const struct search_options *options)
{
	struct search *s = search_make(ev, sweep, options);
	struct search_pause pause = search_pause(ev);
	bool fine = prepare(s) && test_all(s);

	if (fine)
		rows_count(s);
	if (s->bench && s->space)
		search_rest(s);
	search_resume(ev, pause);
	return fine ? s : NULL;
}

bool search_serve(struct eval *ev, uint32_t sweep, const struct search_options *options)
{
	struct search *s = search_make(ev, sweep, options);
	struct search_pause pause = search_pause(ev);
	bool fine = prepare(s);

	if (fine)
		follow_run(open_ledger(s), crew_size(s));
	if (s->bench && s->space)
		search_rest(s);
	search_resume(ev, pause);
	return fine;
}
