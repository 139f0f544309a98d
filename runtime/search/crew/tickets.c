/* tickets.c - the units that a crew has to go through: each is drawn once, in their order. */
#include <pthread.h>

#include "runtime/search/crew/ledger.h"

struct tickets {
	pthread_mutex_t lock;
	pthread_cond_t more;
	struct unit_range *at;       /* in order; those in front of `first` are drawn */
	uint32_t first, n, room;
	bool last;                   /* there will be no more */
	uint32_t waiting;            /* threads */
	uint64_t begin, step;        /* the shard */
};

struct tickets *tickets_make(const struct search *s)
{
	struct tickets *t = ARENA_NEW(s->ev->lasting, struct tickets);

	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->more, NULL);
	t->step = s->options.shards > 0 ? s->options.shards : 1;
	t->begin = s->options.shards > 0 ? s->options.shard - 1 : 0;
	return t;
}

void tickets_release(struct tickets *t)
{
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->more);
}

/* Memory may run out, so not while others wait for the lock. */
static void make_room(struct tickets *t, struct arena *a)
{
	uint32_t room = 2 * t->room + 8;
	struct unit_range *at;

	if (t->n < t->room)
		return;
	at = ARENA_ARRAY(a, struct unit_range, room);
	pthread_mutex_lock(&t->lock);
	t->n -= t->first;
	if (t->n > 0)
		memcpy(at, &t->at[t->first], t->n * sizeof *at);
	t->at = at;
	t->first = 0;
	t->room = room;
	pthread_mutex_unlock(&t->lock);
}

void tickets_add(struct tickets *t, struct arena *a, struct unit_range r)
{
	make_room(t, a);
	pthread_mutex_lock(&t->lock);
	t->at[t->n++] = r;
	pthread_cond_broadcast(&t->more);
	pthread_mutex_unlock(&t->lock);
}

void tickets_add_others(struct tickets *t, struct arena *a, const struct units *done)
{
	uint64_t from = 0;

	for (uint32_t i = 0; i < done->at.n; i++) {
		if (done->at.at[i].lo > from)
			tickets_add(t, a, (struct unit_range){ from, done->at.at[i].lo });
		from = done->at.at[i].hi;
	}
	tickets_add(t, a, (struct unit_range){ from, NO_UNIT });
}

void tickets_end(struct tickets *t, bool at_once)
{
	pthread_mutex_lock(&t->lock);
	t->last = true;
	if (at_once)
		t->first = t->n;
	pthread_cond_broadcast(&t->more);
	pthread_mutex_unlock(&t->lock);
}

uint64_t tickets_left(struct tickets *t)
{
	uint64_t left = 0;

	pthread_mutex_lock(&t->lock);
	for (uint32_t i = t->first; i < t->n; i++)
		left += t->at[i].hi - t->at[i].lo;
	pthread_mutex_unlock(&t->lock);
	return left;
}

uint32_t tickets_waiting(struct tickets *t)
{
	uint32_t waiting;

	pthread_mutex_lock(&t->lock);
	waiting = t->first == t->n ? t->waiting : 0;
	pthread_mutex_unlock(&t->lock);
	return waiting;
}

bool tickets_have_ended(struct tickets *t)
{
	bool last;

	pthread_mutex_lock(&t->lock);
	last = t->last;
	pthread_mutex_unlock(&t->lock);
	return last;
}

static uint64_t draw(struct tickets *t)
{
	uint64_t ticket;

	if (t->first == t->n)
		return NO_UNIT;
	ticket = t->at[t->first].lo++;
	t->first += t->at[t->first].lo == t->at[t->first].hi;
	return ticket;
}

uint64_t tickets_draw(struct tickets *t, bool wait)
{
	uint64_t ticket;

	pthread_mutex_lock(&t->lock);
	t->waiting++;
	while (wait && t->first == t->n && !t->last)
		pthread_cond_wait(&t->more, &t->lock);
	t->waiting--;
	ticket = draw(t);
	pthread_mutex_unlock(&t->lock);
	return ticket;
}

uint64_t tickets_unit(const struct tickets *t, uint64_t ticket)
{
	return ticket == NO_UNIT ? NO_UNIT : t->begin + ticket * t->step;
}
