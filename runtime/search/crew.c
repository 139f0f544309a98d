/* crew.c - several threads go through one sweep.
 *
 * Each has an evaluator, records and memory of its own and shares nothing but the program, which nobody
 * changes, and the tickets: all walk the outer loops, and what lies inside belongs to the one that drew its
 * number. What they found is added up and put in the order of the candidates, so nobody can tell how many
 * they were. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/search/search_int.h"

enum { THREADS_MAX = 256 };

struct tickets {
	atomic_uint_least64_t next;
};

uint64_t tickets_draw(struct tickets *t)
{
	return atomic_fetch_add(&t->next, 1);
}

struct worker {
	pthread_t thread;
	bool started, finished;
	jmp_buf escape;
	struct arena arena;
	struct diag_sink sink;
	struct eval ev;
	struct search search;
	struct hunt hunt;
	const struct search *like;
	struct tickets *tickets;
};

static void hunt_alone(struct worker *w)
{
	struct search *s = &w->search;

	diag_sink_init(&w->sink, &w->arena, w->like->ev->program->sources);
	eval_init(&w->ev, &w->arena, w->like->ev->program, &w->sink);
	job_install(&w->ev);
	search_install(&w->ev, NULL);
	w->ev.steps_max = w->like->ev->steps_max;
	w->ev.candidates_max = w->like->ev->candidates_max;
	*s = (struct search){ .sweep = w->like->sweep, .index = w->like->index, .ev = &w->ev,
			      .options = w->like->options };
	if (!hunt_prepare(s))
		return;
	s->verdicts = verdicts_make(s);
	s->tally = ARENA_NEW(&w->arena, struct tally);
	tally_init(s->tally, &w->arena, s->verdicts->words);
	w->hunt = (struct hunt){ .s = s, .tickets = w->tickets };
	hunt_run(&w->hunt);
	w->finished = !s->space->failed;
}

static void *work(void *context)
{
	struct worker *w = context;

	arena_init(&w->arena, &w->escape);
	if (setjmp(w->escape) == 0)
		hunt_alone(w);
	return NULL;
}

/* ---- together ------------------------------------------------------------------------------------ */

static void add_rows(struct search *s, const struct search *from, uint32_t *map)
{
	uint32_t conditions = s->sweep->condition_count;

	for (uint32_t i = 0; i < from->row_count; i++)
		map[i] = i < conditions ? i
					: verdicts_message(s, from->rows[i].code,
							   str_copy(s->ev->lasting, from->rows[i].text));
}

static void add_tally(struct search *s, const struct search *from, const uint32_t *map)
{
	uint64_t *set = ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words);

	for (uint32_t i = 0; i < from->tally->entries.n; i++) {
		const struct tally_entry *e = &from->tally->entries.at[i];

		memset(set, 0, s->verdicts->words * sizeof *set);
		for (uint32_t row = 0; row < from->row_count; row++)
			if (rowset_has(e->set, row))
				rowset_add(set, map[row]);
		tally_add(s->tally, set, e->count, e->first);
	}
}

/* The next candidate of all threads, by its number; NULL when there are none left. */
static const struct search_candidate *next_of(struct worker *w, uint32_t n, uint32_t *at)
{
	const struct search_candidate *next = NULL;
	uint32_t from = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct search_candidate *c = &w[i].hunt.feasible.at[at[i]];

		if (at[i] == w[i].hunt.feasible.n || (next && next->number < c->number))
			continue;
		next = c;
		from = i;
	}
	if (next)
		at[from]++;
	return next;
}

static void merge_feasible(struct search *s, struct worker *w, uint32_t n)
{
	struct arena *a = s->ev->lasting;
	uint32_t goals = s->sweep->goal_count, *at = ARENA_ARRAY(a, uint32_t, n);
	const struct search_candidate *c;
	uint64_t total = 0;

	for (uint32_t i = 0; i < n; i++)
		total += w[i].hunt.feasible.n;
	s->feasible = ARENA_ARRAY(a, struct search_candidate, total + 1);
	while ((c = next_of(w, n, at)) != NULL) {
		struct value *kept = ARENA_ARRAY(a, struct value, goals + 1);

		memcpy(kept, c->goals, goals * sizeof *kept);
		s->feasible[s->feasible_count++] = (struct search_candidate){ c->number, kept };
	}
}

static void merge(struct search *s, struct worker *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!w[i].started)
			continue;
		uint32_t *map = ARENA_ARRAY(s->ev->lasting, uint32_t, w[i].search.row_count + 1);

		add_rows(s, &w[i].search, map);
		add_tally(s, &w[i].search, map);
		s->evaluated += w[i].search.evaluated;
		s->structural += w[i].search.structural;
	}
	merge_feasible(s, w, n);
}

static void release(struct worker *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (w[i].started)
			arena_release(&w[i].arena);
}

/* Memory that runs out here takes the escape of the search, but not before the threads' memory is given back. */
static void merge_and_release(struct search *s, struct worker *w, uint32_t n)
{
	struct arena *a = s->ev->lasting;
	jmp_buf *outer = a->escape;
	jmp_buf here;

	if (setjmp(here) != 0) {
		release(w, n);
		a->escape = outer;
		longjmp(*outer, 1);
	}
	if (outer)
		a->escape = &here;
	merge(s, w, n);
	a->escape = outer;
	release(w, n);
}

bool crew_run(struct search *s, uint32_t threads)
{
	uint32_t n = threads < THREADS_MAX ? threads : THREADS_MAX;
	struct worker *w = ARENA_ARRAY(s->ev->lasting, struct worker, n);
	struct tickets tickets = { 0 };
	bool fine = true, any = false;

	for (uint32_t i = 0; i < n; i++) {
		w[i].like = s;
		w[i].tickets = &tickets;
		w[i].started = pthread_create(&w[i].thread, NULL, work, &w[i]) == 0;
	}
	for (uint32_t i = 0; i < n; i++)
		if (w[i].started)
			pthread_join(w[i].thread, NULL);
	for (uint32_t i = 0; i < n; i++) {
		fine = fine && w[i].finished == w[i].started;
		any = any || w[i].started;
	}
	fine = fine && any;
	if (fine)
		merge_and_release(s, w, n);
	else
		release(w, n);
	return fine;
}
