/* stream.c - rows of feasible candidates in the order of the units, as soon as all units in front are done.
 *
 * A parcel whose turn has not come keeps its rows itself, and its owner does without it: of the few parcels that a
 * thread has (crew.c) all may be waiting, and so may the thread. So what is held has a bound. Nobody waits for ever:
 * a thread draws its units in order, so what waits of the one that drew the first unit that is not done lies in front
 * of it; and what lies in front of it is done, by threads that hand over what they have before they wait. What other
 * processes find has no such owner, and is copied; so is what is found here then, for theirs may be lost. */
#include "runtime/search/crew/ledger.h"

void stream_init(struct stream *st, struct search *s)
{
	*st = (struct stream){ .to = s->options.rows, .search = s };
	if (st->to && st->to->take)
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

static void drop(struct stream *st, struct parcel *copy)
{
	st->copied -= copy->rows.n;
	arena_reset(&copy->arena, (struct arena_mark){ 0 });
	copy->next = st->spare;
	st->spare = copy;
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
		if (p->copy) {
			drop(st, p);
			continue;
		}
		p->next = told;
		told = p;
	}
	return told;
}

static struct parcel *make_copy(struct stream *st)
{
	struct parcel *copy = st->spare;

	if (copy) {
		st->spare = copy->next;
	} else {
		copy = ARENA_NEW(st->search->ev->lasting, struct parcel);
		arena_init_under(&copy->arena, st->search->ev->lasting);
		copy->copy = true;
	}
	out_init(&copy->rows, &copy->arena);
	memset(&copy->row_ends, 0, sizeof copy->row_ends);
	copy->told = 0;
	return copy;
}

/* Units from `i` on that are in order; the next one. */
static uint32_t copy_run(struct stream *st, const struct parcel *p, uint32_t i)
{
	struct parcel *copy = make_copy(st);
	size_t begin = i > 0 ? p->row_ends.at[i - 1].end : 0;

	do {
		*VEC_ADD(&copy->arena, &copy->row_ends) =
			(struct unit_rows){ p->row_ends.at[i].unit, p->row_ends.at[i].end - begin };
		i++;
	} while (i < p->row_ends.n && p->row_ends.at[i].unit > p->row_ends.at[i - 1].unit);
	out_bytes(&copy->rows, p->rows.p + begin, p->row_ends.at[i - 1].end - begin);
	st->copied += copy->rows.n;
	stream_hold(st, copy);
	return i;
}

void stream_copy(struct stream *st, const struct parcel *p)
{
	if (!st->to || !st->to->take)
		return;
	for (uint32_t i = p->told; i < p->row_ends.n;)
		i = copy_run(st, p, i);
}

void stream_keep(struct stream *st)
{
	struct parcel *all = st->held;

	st->held = NULL;
	for (struct parcel *next; all; all = next) {
		next = all->next;
		if (all->copy)
			stream_hold(st, all);
		else
			stream_copy(st, all);
	}
}
