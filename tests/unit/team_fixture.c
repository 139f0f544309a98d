/* team_fixture.c - see team_fixture.h. */
#include "tests/unit/team_fixture.h"

#include <pthread.h>

#include "runtime/search/team/post.h"

/* Seconds: short where somebody falls silent, long where nobody should seem to. */
static const double short_patience = 0.2, long_patience = 20;

struct envelope {
	struct envelope *next;
	uint32_t from;
	struct str text;
};

struct office;

struct rank {
	struct office *office;
	struct post post;
	pthread_t thread;
	struct envelope *first, **last;
	uint32_t sent;
	const struct eval *like;
	uint32_t sweep;
	struct search_options options;
	struct search_rows rows;
};

struct office {
	struct team team;
	pthread_mutex_t lock;
	struct arena letters;
	struct rank *ranks;
};

static void put(struct office *o, uint32_t from, uint32_t to, struct str text)
{
	struct envelope *e;

	pthread_mutex_lock(&o->lock);
	e = ARENA_NEW(&o->letters, struct envelope);
	*e = (struct envelope){ .from = from, .text = str_copy(&o->letters, text) };
	*o->ranks[to].last = e;
	o->ranks[to].last = &e->next;
	if (to == 0 && o->team.arrived)
		++*o->team.arrived;
	pthread_mutex_unlock(&o->lock);
}

static void send(struct post *p, uint32_t to, struct str text)
{
	struct rank *r = p->context;
	struct team *t = &r->office->team;

	if (p->rank == 0 || p->rank != t->silent || r->sent++ < t->after)
		put(r->office, p->rank, to, text);
	else if (t->garbage)
		put(r->office, p->rank, to, str_of(t->garbage));
}

static bool receive(struct post *p, struct arena *a, uint32_t *from, struct str *text)
{
	struct rank *r = p->context;
	struct envelope *e;

	pthread_mutex_lock(&r->office->lock);
	e = r->first;
	if (e) {
		r->first = e->next;
		if (!r->first)
			r->last = &r->first;
	}
	pthread_mutex_unlock(&r->office->lock);
	if (!e)
		return false;
	*from = e->from;
	*text = str_copy(a, e->text);
	return true;
}

static void serve(struct rank *r, struct arena *a)
{
	struct diag_sink sink;
	struct eval ev;

	diag_sink_init(&sink, a, r->like->program->sources);
	eval_init(&ev, a, r->like->program, &sink);
	job_install(&ev);
	search_install(&ev, NULL);
	ev.steps_max = r->like->steps_max;
	ev.candidates_max = r->like->candidates_max;
	search_serve(&ev, r->sweep, &r->options);
}

static void *work(void *context)
{
	struct rank *r = context;
	struct arena arena;
	jmp_buf escape;

	arena_init(&arena, &escape);
	arena.limit = r->office->team.memory;
	if (setjmp(escape) == 0)
		serve(r, &arena);
	arena_release(&arena);
	arena_init(&arena, NULL);
	post_leave(&r->post, &arena, STR("it is through"));
	arena_release(&arena);
	return NULL;
}

static void open_rank(struct office *o, uint32_t i, const char *const *places)
{
	struct rank *r = &o->ranks[i];

	r->office = o;
	r->last = &r->first;
	r->post = (struct post){ .rank = i, .ranks = o->team.ranks, .places = places,
				 .patience = o->team.silent > 0 && !o->team.garbage ? short_patience : long_patience,
				 .send = send, .receive = receive, .context = r };
}

struct search *team_search(struct eval *ev, uint32_t sweep, struct search_options options, struct team team)
{
	struct office office = { .team = team };
	const char **places = ARENA_ARRAY(ev->lasting, const char *, team.ranks);
	struct search *s;

	office.ranks = ARENA_ARRAY(ev->lasting, struct rank, team.ranks);
	pthread_mutex_init(&office.lock, NULL);
	arena_init(&office.letters, NULL);
	for (uint32_t i = 0; i < team.ranks; i++) {
		places[i] = "here";
		open_rank(&office, i, places);
	}
	for (uint32_t i = 1; i < team.ranks; i++) {
		struct rank *r = &office.ranks[i];

		r->like = ev;
		r->sweep = sweep;
		r->options = options;
		r->options.post = &r->post;
		r->options.identity += i == team.stranger;
		r->options.watch = NULL;
		if (options.rows) {
			r->rows.print = options.rows->print;
			r->options.rows = &r->rows;
		}
		pthread_create(&r->thread, NULL, work, r);
	}
	options.post = &office.ranks[0].post;
	s = search_run(ev, sweep, &options);
	post_finish(options.post, ev->lasting);
	for (uint32_t i = 1; i < team.ranks; i++)
		pthread_join(office.ranks[i].thread, NULL);
	arena_release(&office.letters);
	pthread_mutex_destroy(&office.lock);
	if (s)
		s->options.post = NULL;
	return s;
}
