/* stream.c - rows of feasible candidates in the order of the units, as soon as all units in front are done.
 *
 * A parcel whose turn has not come keeps its rows itself, and its owner does without it: of the few parcels that a
 * thread has (crew.c) all may be waiting, and so may the thread. So what is held has a bound. Nobody waits for ever:
 * a thread draws its units in order, so what waits of the one that drew the first unit that is not done lies in front
 * of it; and what lies in front of it is done, by threads that hand over what they have before they wait. */
#include "runtime/search/crew/ledger.h"

void stream_init(struct stream *st, struct search *s)
{
	*st = (struct stream){ .to = s->options.rows, .search = s };
	if (st->to)
		st->refused = !st->to->take(s, STR(""), st->to->context);
}

bool stream_hold(struct stream *st, struct parcel *p)
{
	if (p->row_ends.n == 0)
		return false;
	p->next = st->held;
	st->held = p;
	return true;
}

static bool is_told(const struct parcel *p)
{
	return p->told == p->row_ends.n;
}

/* The one whose turn comes first; units of a parcel are in order. */
static struct parcel *first_of(const struct stream *st)
{
	struct parcel *first = NULL;

	for (struct parcel *p = st->held; p; p = p->next)
		if (!is_told(p) && (!first || p->row_ends.at[p->told].unit < first->row_ends.at[first->told].unit))
			first = p;
	return first;
}

static void tell(struct stream *st, struct parcel *p)
{
	size_t from = p->told > 0 ? p->row_ends.at[p->told - 1].end : 0, to = p->row_ends.at[p->told].end;

	p->told++;
	if (!st->refused)
		st->refused = !st->to->take(st->search, str_slice(out_view(&p->rows), (uint32_t)from, (uint32_t)to),
					    st->to->context);
}

struct parcel *stream_tell(struct stream *st, uint64_t open)
{
	struct parcel **link = &st->held, *told = NULL;

	for (struct parcel *p = first_of(st); p && p->row_ends.at[p->told].unit < open; p = first_of(st))
		tell(st, p);
	while (*link) {
		struct parcel *p = *link;

		if (!is_told(p)) {
			link = &p->next;
			continue;
		}
		*link = p->next;
		p->next = told;
		told = p;
	}
	return told;
}

void stream_keep(struct stream *st)
{
	struct arena *a = st->search->ev->lasting;
	struct parcel *all = st->held;

	st->held = NULL;
	for (; all; all = all->next) {
		struct parcel *copy = ARENA_NEW(a, struct parcel);

		out_init(&copy->rows, a);
		out_bytes(&copy->rows, all->rows.p, all->rows.n);
		for (uint32_t i = 0; i < all->row_ends.n; i++)
			*VEC_ADD(a, &copy->row_ends) = all->row_ends.at[i];
		copy->told = all->told;
		stream_hold(st, copy);
	}
}
