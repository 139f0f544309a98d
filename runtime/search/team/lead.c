/* lead.c - rank 0 of a search by several processes: gives out units, and enters what comes back in the ledger.
 *
 * Each rank has some units in hand; it gets more before it runs out, the fewer the fewer are left, so that all end
 * at about the same time. Its own threads are supplied in the same way. What a rank had in hand that is lost is done
 * when the others are through, by this one. */
#include "runtime/search/team/letter.h"

/* A portion: this part of what is left for each thread, but about a second of work at most. */
enum { SHARE = 4, OWN_PORTION = 16, ROWS_HELD = 64 << 20 };
static const double portion_seconds = 1, alive_seconds = 1;

/* Seconds that a rank has for its last letter. */
static const double farewell_seconds = 0.5;

struct member {
	enum { AWAITED, PRESENT, LEFT } state;
	uint32_t threads;
	uint64_t in_hand;            /* units that it was given and has not told us of */
	uint64_t told;               /* those that it has */
	double since, silent;        /* seconds of the clock when it came; since its last letter */
};

struct lead {
	struct ledger *ledger;
	struct post *post;
	struct member *members;      /* by rank; our own stands for our threads */
	struct arena scratch;
	uint64_t next, count;        /* unit to give out next; units there are */
	struct units before;         /* those that were done when we began */
	uint32_t skip;               /* ranges of them that lie in front of `next` */
	struct waited waited;
	double greeted;              /* seconds since all others had a letter */
	bool gaps;                   /* units were lost: rows behind them wait until they are done */
};

/* ---- members that are lost --------------------------------------------------------------------------------- */

/* Candidates of so many units, more or less. */
static uint64_t about(const struct lead *d, uint64_t units)
{
	return d->count > 0 ? (uint64_t)((double)d->ledger->search->total * ((double)units / (double)d->count)) : 0;
}

static void report_lost(struct lead *d, uint32_t rank, const char *why, bool again)
{
	struct member *m = &d->members[rank];
	struct search *s = d->ledger->search;
	struct diag *g = diag_new(s->ev->sink, W2404, SPAN_NONE);
	struct out o;

	out_init(&o, &d->scratch);
	out_grouped(&o, (int64_t)about(d, m->in_hand));
	diag_message(g, "rank %u on %s %s", rank, d->post->places[rank], why);
	d->gaps = d->gaps || m->in_hand > 0;
	if (m->in_hand > 0)
		diag_note(g, again ? "about %.*s candidates that it had in hand are searched again"
				   : "about %.*s candidates that it had in hand are not in this answer", (int)o.n, o.p);
	diag_submit(g);
	m->state = LEFT;
}

/* ---- letters of the others ------------------------------------------------------------------------------------ */

static uint64_t units_total(const struct units *u)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < u->at.n; i++)
		n += u->at.at[i].hi - u->at.at[i].lo;
	return n;
}

/* Of another sweep: it comes late. Of another plan: it has no business here. */
static bool is_ours(struct lead *d, const struct letter *l, struct search_part *part)
{
	const struct search *s = d->ledger->search;

	if (!search_part_read(l->text, part)) {
		report_lost(d, l->from, "writes what cannot be read", true);
		return false;
	}
	if (part->identity == s->options.identity)
		return true;
	if (str_equal(part->sweep, sym_str(s->ev->program->names, s->sweep->name)))
		report_lost(d, l->from, "has another plan or another planc, and takes no part", true);
	return false;
}

static void enter(struct lead *d, const struct letter *l)
{
	struct member *m = &d->members[l->from];
	uint64_t before = units_total(&d->ledger->done), told;
	struct search_part part;

	if (m->state == LEFT || !is_ours(d, l, &part))
		return;
	if (m->state == AWAITED) {
		m->state = PRESENT;
		m->threads = l->numbers[0] < 1 ? 1 : l->numbers[0] > 1024 ? 1024 : (uint32_t)l->numbers[0];
		m->since = d->waited.last;
	}
	if (!search_part_add(d->ledger, &part)) {
		report_lost(d, l->from, "writes what cannot be read", true);
		return;
	}
	told = units_total(&d->ledger->done) - before;
	m->told += told;
	m->in_hand -= told < m->in_hand ? told : m->in_hand;
	if (l->kind == LETTER_FAILED)
		report_lost(d, l->from, "could not go on: it has no memory left", true);
	else if (l->kind == LETTER_BYE)
		m->state = LEFT;
}

static void take_letter(struct lead *d, const struct letter *l)
{
	char why[256];

	d->members[l->from].silent = 0;
	if (l->kind == LETTER_PART || l->kind == LETTER_BYE || l->kind == LETTER_FAILED) {
		enter(d, l);
	} else if (d->members[l->from].state != LEFT) {
		snprintf(why, sizeof why, "takes no part%s%.*s", l->text.n > 0 ? ": " : "",
			 (int)(l->text.n < 200 ? l->text.n : 200), l->text.p);
		report_lost(d, l->from, why, true);
	}
}

static void take_letters(struct lead *d)
{
	struct letter l;

	while (letter_receive(d->post, &d->scratch, &l)) {
		take_letter(d, &l);
		arena_reset(&d->scratch, (struct arena_mark){ 0 });
	}
}

/* ---- units for everybody ---------------------------------------------------------------------------------------- */

static uint64_t threads_of_all(const struct lead *d)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < d->post->ranks; i++)
		n += d->members[i].state == PRESENT ? d->members[i].threads : 0;
	return n;
}

static uint64_t portion_of(const struct lead *d, const struct member *m)
{
	uint64_t n = (d->count - d->next) * m->threads / (SHARE * threads_of_all(d)), most = m->threads;
	double rate = d->waited.last > m->since ? (double)m->told / (d->waited.last - m->since) : 0;

	if (m == d->members)
		most = (uint64_t)OWN_PORTION * m->threads;
	else if (rate * portion_seconds > (double)most)
		most = (uint64_t)(rate * portion_seconds);
	return n < m->threads ? m->threads : n < most ? n : most;
}

/* The next units that are not done, `most` of them or fewer. */
static bool cut_portion(struct lead *d, uint64_t most, struct unit_range *r)
{
	const struct units *b = &d->before;

	while (d->skip < b->at.n && b->at.at[d->skip].lo <= d->next)
		d->next = b->at.at[d->skip++].hi;
	if (d->next >= d->count)
		return false;
	*r = (struct unit_range){ d->next, d->count - d->next < most ? d->count : d->next + most };
	if (d->skip < b->at.n && b->at.at[d->skip].lo < r->hi)
		r->hi = b->at.at[d->skip].lo;
	d->next = r->hi;
	return true;
}

static void supply(struct lead *d, uint32_t rank, struct tickets *t)
{
	struct member *m = &d->members[rank];
	struct unit_range r;

	/* Rows that wait for their turn have a bound, unless the turn of some comes only in the end. */
	if (m->state != PRESENT || (d->ledger->stream.copied > ROWS_HELD && !d->gaps))
		return;
	while (m->in_hand < (uint64_t)m->threads * (rank == 0 ? 1 : 2) && cut_portion(d, portion_of(d, m), &r)) {
		m->in_hand += r.hi - r.lo;
		if (rank == 0)
			tickets_add(t, d->ledger->search->ev->lasting, r);
		else
			letter_send(d->post, &d->scratch, rank,
				    &(struct letter){ .kind = LETTER_UNITS, .numbers = { r.lo, r.hi } });
	}
}

static bool all_is_done(const struct lead *d, struct tickets *t, const struct crew_state *crew)
{
	if (d->next < d->count && crew->working > 0)
		return false;
	for (uint32_t i = 1; i < d->post->ranks; i++)
		if (d->members[i].state == PRESENT && (d->members[i].in_hand > 0 || d->next < d->count))
			return false;
	return crew->working == 0 || tickets_waiting(t) >= crew->working;
}

static void look_at_the_clock(struct lead *d)
{
	double since = waited_since(&d->waited);
	char why[64];

	d->greeted += since;
	for (uint32_t i = 1; i < d->post->ranks; i++) {
		struct member *m = &d->members[i];

		m->silent += since;
		if (m->state != PRESENT || m->silent < d->post->patience)
			continue;
		snprintf(why, sizeof why, "has not been heard of for %.3g s", d->post->patience);
		d->post->lost = true;
		report_lost(d, i, why, true);
	}
	if (d->greeted < alive_seconds)
		return;
	d->greeted = 0;
	letter_send_all(d->post, &d->scratch, &(struct letter){ .kind = LETTER_ALIVE });
}

static bool exchange(struct ledger *l, struct tickets *t, const struct crew_state *crew, void *context)
{
	struct lead *d = context;

	(void)l;
	take_letters(d);
	look_at_the_clock(d);
	d->members[0].in_hand = tickets_left(t);
	d->members[0].state = crew->working > 0 ? PRESENT : LEFT;
	for (uint32_t i = 0; i < d->post->ranks; i++)
		supply(d, i, t);
	arena_reset(&d->scratch, (struct arena_mark){ 0 });
	if (all_is_done(d, t, crew))
		tickets_end(t, true);
	return true;
}

/* ---- from begin to end --------------------------------------------------------------------------------------- */

static bool is_anybody_present(const struct lead *d)
{
	for (uint32_t i = 1; i < d->post->ranks; i++)
		if (d->members[i].state == PRESENT)
			return true;
	return false;
}

/* The others leave, and tell what they have found since their last letter. */
static void dismiss(struct lead *d)
{
	letter_send_all(d->post, &d->scratch, &(struct letter){ .kind = LETTER_END });
	waited_since(&d->waited);
	for (double waited = 0; is_anybody_present(d) && waited < farewell_seconds; waited += waited_since(&d->waited)) {
		letter_pause();
		take_letters(d);
	}
	for (uint32_t i = 1; i < d->post->ranks; i++)
		if (d->members[i].state == PRESENT && d->members[i].in_hand > 0) {
			d->post->lost = true;
			report_lost(d, i, "did not answer in the end", false);
		}
}

bool lead_run(struct ledger *l, uint32_t threads)
{
	struct search *s = l->search;
	struct lead *d = ARENA_NEW(s->ev->lasting, struct lead);
	struct outside outside = { exchange, d };
	enum crew_end end;

	*d = (struct lead){ .ledger = l, .post = s->options.post };
	arena_init_under(&d->scratch, s->ev->lasting);
	d->members = ARENA_ARRAY(s->ev->lasting, struct member, d->post->ranks);
	d->members[0].threads = threads > 0 ? threads : 1;
	letter_send_all(d->post, &d->scratch, &(struct letter){ .kind = LETTER_BEGIN, .numbers = { s->index } });
	for (uint32_t i = 0; i < l->done.at.n; i++)
		units_add(&d->before, s->ev->lasting, l->done.at.at[i]);
	d->count = hunt_units(s);
	waited_since(&d->waited);
	end = s->space->failed ? CREW_FAILED : crew_share(l, threads, &outside);
	dismiss(d);
	stream_tell(&l->stream, end == CREW_STOPPED ? UINT64_MAX : ledger_open(l));
	arena_release(&d->scratch);
	l->complete = end == CREW_DONE && units_total(&l->done) >= d->count;
	return end == CREW_STOPPED || l->complete || crew_run(l, threads);
}
