/* crew.c - the units of a sweep that are not done, by this thread alone or by several others.
 *
 * Each of the others has an evaluator, records and memory of its own and shares nothing but the program, which
 * nobody changes, and the tickets: all walk the outer loops, and what lies inside belongs to the one that drew its
 * number. What they find comes in parcels to the thread that called, which adds it to the ledger and tells the
 * watcher meanwhile, and looks after what other processes have to say. When one of them cannot go on (no memory),
 * the calling thread does what is left. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "runtime/search/crew/ledger.h"

/* Parcels that one thread may have under way; how often the calling thread looks up, and looks outside. */
enum { THREADS_MAX = 256, PARCELS = 4, WAIT_NANOSECONDS = 100 * 1000 * 1000, EXCHANGE_NANOSECONDS = 1000 * 1000 };

/* ---- one thread -------------------------------------------------------------------------------------- */

struct crew {
	struct ledger *ledger;
	struct tickets *tickets;
	const struct outside *outside;   /* NULL: nobody else searches with us */
	pthread_mutex_t lock;
	pthread_cond_t full, empty;  /* a parcel has come or a thread has ended; one has been given back */
	struct parcel *first, *last; /* those that have come */
	struct crew_state state;
	atomic_bool stop;
};

struct worker {
	struct crew *crew;
	pthread_t thread;
	bool started, failed;
	jmp_buf escape;
	struct arena arena;
	struct diag_sink sink;
	struct eval ev;
	struct search search;
	struct hunt hunt;
	struct parcel *parcels[PARCELS];
	uint32_t made;
	struct parcel *free;         /* given back */
};

static struct parcel *take_free(struct worker *w)
{
	struct crew *c = w->crew;
	struct parcel *p;

	if (w->made < PARCELS) {
		p = ARENA_NEW(&w->arena, struct parcel);
		parcel_init(p, &w->search, &w->arena);
		p->owner = w;
		w->made++;
		return p;
	}
	pthread_mutex_lock(&c->lock);
	while (!w->free && !atomic_load(&c->stop))
		pthread_cond_wait(&c->empty, &c->lock);
	p = w->free;
	if (p)
		w->free = p->next;
	pthread_mutex_unlock(&c->lock);
	if (p)
		parcel_clear(p, &w->search);
	return p;
}

static struct parcel *send(struct parcel *p, void *context)
{
	struct worker *w = context;
	struct crew *c = w->crew;

	pthread_mutex_lock(&c->lock);
	p->next = NULL;
	if (c->first)
		c->last->next = p;
	else
		c->first = p;
	c->last = p;
	pthread_cond_signal(&c->full);
	pthread_mutex_unlock(&c->lock);
	return atomic_load(&c->stop) ? NULL : take_free(w);
}

static bool nobody_stops(void *context)
{
	const struct worker *w = context;

	return !atomic_load_explicit(&w->crew->stop, memory_order_relaxed);
}

static void hunt_apart(struct worker *w)
{
	const struct search *like = w->crew->ledger->search;
	struct search *s = &w->search;

	diag_sink_init(&w->sink, &w->arena, like->ev->program->sources);
	eval_init(&w->ev, &w->arena, like->ev->program, &w->sink);
	job_install(&w->ev);
	search_install(&w->ev, NULL);
	w->ev.steps_max = like->ev->steps_max;
	w->ev.candidates_max = like->ev->candidates_max;
	*s = (struct search){ .sweep = like->sweep, .index = like->index, .ev = &w->ev, .goals = like->goals,
			      .options = like->options };
	if (!hunt_prepare(s)) {
		w->failed = true;
		return;
	}
	s->verdicts = verdicts_make(s);
	w->hunt = (struct hunt){ .s = s, .tickets = w->crew->tickets, .parcel = take_free(w), .hand_over = send,
				 .go_on = nobody_stops, .context = w };
	hunt_run(&w->hunt);
	w->failed = s->space->failed;
}

static void *work(void *context)
{
	struct worker *w = context;

	arena_init(&w->arena, &w->escape);
	if (setjmp(w->escape) == 0)
		hunt_apart(w);
	else
		w->failed = true;
	pthread_mutex_lock(&w->crew->lock);
	w->crew->state.working--;
	w->crew->state.failed = w->crew->state.failed || w->failed;
	pthread_cond_signal(&w->crew->full);
	pthread_mutex_unlock(&w->crew->lock);
	return NULL;
}

/* ---- the calling thread -------------------------------------------------------------------------------- */

static void wait_a_moment(struct crew *c)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += c->outside ? EXCHANGE_NANOSECONDS : WAIT_NANOSECONDS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&c->full, &c->lock, &until);
}

/* Whether nothing will come any more. Units from outside may come when no thread is left that could do them:
 * somebody there has to know. */
static bool is_over(const struct crew *c)
{
	return c->state.working == 0 && (!c->outside || tickets_have_ended(c->tickets));
}

/* All parcels that have come, after waiting for one; how the crew stood then. */
static struct parcel *receive(struct crew *c, bool *over, struct crew_state *state)
{
	struct parcel *all;

	pthread_mutex_lock(&c->lock);
	if (!c->first && !is_over(c))
		wait_a_moment(c);
	all = c->first;
	c->first = c->last = NULL;
	*over = is_over(c);
	*state = c->state;
	pthread_mutex_unlock(&c->lock);
	return all;
}

static void give_back(struct crew *c, struct parcel *p)
{
	struct worker *w = p->owner;

	if (!w)
		return;
	pthread_mutex_lock(&c->lock);
	p->next = w->free;
	w->free = p;
	pthread_cond_broadcast(&c->empty);
	pthread_mutex_unlock(&c->lock);
}

static void stop(struct crew *c)
{
	tickets_end(c->tickets, true);
	pthread_mutex_lock(&c->lock);
	atomic_store(&c->stop, true);
	pthread_cond_broadcast(&c->empty);
	pthread_mutex_unlock(&c->lock);
}

static bool goes_on(struct crew *c, const struct crew_state *state)
{
	const struct outside *o = c->outside;

	return !c->ledger->stream.refused && ledger_watch(c->ledger, false) &&
	       (!o || o->exchange(c->ledger, c->tickets, state, o->context));
}

static void give_all_back(struct crew *c, struct parcel *p)
{
	for (struct parcel *next; p; p = next) {
		next = p->next;
		give_back(c, p);
	}
}

static void enter(struct crew *c, struct parcel *p)
{
	ledger_add(c->ledger, p);
	if (c->outside)
		stream_copy(&c->ledger->stream, p);
	if (c->outside || !stream_hold(&c->ledger->stream, p))
		give_back(c, p);
}

static void gather(struct crew *c)
{
	struct crew_state state;
	struct ledger *l = c->ledger;
	bool over = false;

	while (!over) {
		struct parcel *next, *p = receive(c, &over, &state);

		for (; p; p = next) {
			next = p->next;
			enter(c, p);
		}
		give_all_back(c, stream_tell(&l->stream, ledger_open(l)));
		if (!over && !atomic_load(&c->stop) && !goes_on(c, &state))
			stop(c);
	}
}

static void join(struct worker *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (w[i].started)
			pthread_join(w[i].thread, NULL);
}

static void release(struct worker *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (w[i].started)
			arena_release(&w[i].arena);
}

/* Where memory that runs out in this thread leads: in whatever arena, also the watcher's. */
static void set_escape(struct ledger *l, jmp_buf *escape)
{
	struct arena *top = l->search->ev->lasting;

	while (top->above)
		top = top->above;
	top->escape = escape;
	for (struct arena *a = top->under; a; a = a->next)
		a->escape = escape;
}

/* Memory that runs out here takes the escape of the search, but not before the threads are gone. */
static void gather_and_join(struct crew *c, struct worker *w, uint32_t n)
{
	jmp_buf *outer = c->ledger->search->ev->lasting->escape;
	jmp_buf here;

	if (setjmp(here) != 0) {
		stop(c);
		join(w, n);
		release(w, n);
		set_escape(c->ledger, outer);
		longjmp(*outer, 1);
	}
	if (outer)
		set_escape(c->ledger, &here);
	gather(c);
	join(w, n);
	set_escape(c->ledger, outer);
}

static enum crew_end run_apart(struct ledger *l, struct tickets *t, uint32_t n, const struct outside *outside)
{
	struct worker *w = ARENA_ARRAY(l->search->ev->lasting, struct worker, n);
	struct crew *c = ARENA_NEW(l->search->ev->lasting, struct crew);
	bool fine = true, any = false;
	enum crew_end end;

	*c = (struct crew){ .ledger = l, .tickets = t, .outside = outside, .state = { .working = n } };
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->full, NULL);
	pthread_cond_init(&c->empty, NULL);
	for (uint32_t i = 0; i < n; i++) {
		w[i].crew = c;
		w[i].started = pthread_create(&w[i].thread, NULL, work, &w[i]) == 0;
		if (w[i].started)
			continue;
		pthread_mutex_lock(&c->lock);
		c->state.working--;
		c->state.failed = c->state.failed || i + 1 == n;
		pthread_mutex_unlock(&c->lock);
	}
	gather_and_join(c, w, n);
	for (uint32_t i = 0; i < n; i++) {
		fine = fine && !w[i].failed;
		any = any || w[i].started;
	}
	end = atomic_load(&c->stop) ? CREW_STOPPED : fine && any ? CREW_DONE : CREW_FAILED;
	/* Their memory goes; what others left undone is still to come. */
	if (end == CREW_FAILED || outside)
		stream_keep(&l->stream);
	else
		stream_tell(&l->stream, UINT64_MAX);
	release(w, n);
	tickets_release(t);
	return end;
}

enum crew_end crew_share(struct ledger *l, uint32_t threads, const struct outside *outside)
{
	uint32_t n = threads < 1 ? 1 : threads < THREADS_MAX ? threads : THREADS_MAX;

	return run_apart(l, tickets_make(l->search), n, outside);
}

/* ---- alone ------------------------------------------------------------------------------------------------ */

static struct parcel *enter_it(struct parcel *p, void *context)
{
	struct ledger *l = context;

	ledger_add(l, p);
	stream_hold(&l->stream, p);
	stream_tell(&l->stream, ledger_open(l));
	parcel_clear(p, l->search);
	return ledger_watch(l, false) && !l->stream.refused ? p : NULL;
}

static bool watcher_agrees(void *context)
{
	return ledger_watch(context, false);
}

static struct tickets *all_tickets(const struct ledger *l)
{
	struct tickets *t = tickets_make(l->search);

	tickets_add_others(t, l->search->ev->lasting, &l->done);
	tickets_end(t, false);
	return t;
}

static bool run_alone(struct ledger *l)
{
	struct search *s = l->search;
	struct parcel *p = ARENA_NEW(s->ev->lasting, struct parcel);
	struct hunt h = { .s = s, .tickets = all_tickets(l), .parcel = p, .hand_over = enter_it, .go_on = watcher_agrees,
			  .context = l };

	parcel_init(p, s, s->ev->lasting);
	hunt_run(&h);
	parcel_clear(p, s);
	tickets_release(h.tickets);
	l->complete = !h.stopped && !s->space->failed;
	return !s->space->failed;
}

bool crew_run(struct ledger *l, uint32_t threads)
{
	enum crew_end end = CREW_FAILED;

	if (threads > 1)
		end = run_apart(l, all_tickets(l), threads < THREADS_MAX ? threads : THREADS_MAX, NULL);
	l->complete = end == CREW_DONE;
	return end != CREW_FAILED || run_alone(l);
}
