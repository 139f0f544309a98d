/* timeline.c - the passes of a rank and the time between them: transfers and bubbles. */
#include "runtime/report/trace/trace_int.h"

static bool is_pass(const struct engine_pass *p)
{
	return (int)p->kind < PASS_KINDS;
}

static bool holds(const struct trace *t, const struct engine_pass *p, int64_t rank)
{
	if (t->log.hold == HOLDS_NOBODY || is_pass(p))
		return false;
	return p->rank == rank || (t->log.hold == HOLDS_BOTH && p->peer == rank);
}

/* Passes of the rank, transfers it sends, and transfers that hold it by their ends. */
struct sorted {
	const struct engine_pass **holding;
	int64_t holding_count;
};

static int by_end(const void *a, const void *b)
{
	const struct engine_pass *x = *(const struct engine_pass *const *)a;
	const struct engine_pass *y = *(const struct engine_pass *const *)b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

static struct sorted sort_out(const struct trace *t, struct rank_line *line)
{
	struct sorted s = { NULL, 0 };

	for (int64_t i = 0; i < t->log.count; i++) {
		const struct engine_pass *p = &t->log.at[i];

		line->count += p->rank == line->rank && is_pass(p);
		line->sent_count += p->rank == line->rank && !is_pass(p);
		s.holding_count += holds(t, p, line->rank);
	}
	line->pass = ARENA_ARRAY(t->arena, const struct engine_pass *, line->count);
	line->sent = ARENA_ARRAY(t->arena, const struct engine_pass *, line->sent_count);
	line->gap = ARENA_ARRAY(t->arena, struct gap, line->count + 1);
	s.holding = ARENA_ARRAY(t->arena, const struct engine_pass *, s.holding_count);
	line->count = line->sent_count = s.holding_count = 0;
	for (int64_t i = 0; i < t->log.count; i++) {
		const struct engine_pass *p = &t->log.at[i];

		if (p->rank == line->rank && is_pass(p))
			line->pass[line->count++] = p;
		else if (p->rank == line->rank)
			line->sent[line->sent_count++] = p;
		if (holds(t, p, line->rank))
			s.holding[s.holding_count++] = p;
	}
	if (s.holding_count > 0)
		qsort(s.holding, (size_t)s.holding_count, sizeof *s.holding, by_end);
	return s;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Seconds of a gap in which a transfer that holds the rank is on the wire; *next runs along the transfers. */
static double on_the_wire(const struct sorted *s, int64_t *next, double from, double to)
{
	double covered = from, sum = 0;

	for (; *next < s->holding_count && s->holding[*next]->end <= to; ++*next) {
		double start = larger(s->holding[*next]->start, covered);

		if (s->holding[*next]->end <= start)
			continue;
		sum += s->holding[*next]->end - start;
		covered = s->holding[*next]->end;
	}
	return sum;
}

/* ---- messages that nobody sends by hand ----------------------------------------------------------- */

/* What the ranks wait for: the passes of every rank by their ends, the messages to every rank by arrival. */
struct causes {
	const struct engine_pass **pass, **message;
	int64_t passes, messages;
};

/* The rank that an event ends on. */
static int32_t arrives(const struct engine_pass *p)
{
	return is_pass(p) ? p->rank : p->peer;
}

static int by_arrival(const void *a, const void *b)
{
	const struct engine_pass *x = *(const struct engine_pass *const *)a;
	const struct engine_pass *y = *(const struct engine_pass *const *)b;

	if (arrives(x) != arrives(y))
		return arrives(x) < arrives(y) ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

static void sort_arrivals(const struct engine_pass **list, int64_t n)
{
	if (n > 0)
		qsort(list, (size_t)n, sizeof(const struct engine_pass *), by_arrival);
}

const struct causes *causes_make(const struct trace *t)
{
	struct causes *c = ARENA_NEW(t->arena, struct causes);

	c->pass = ARENA_ARRAY(t->arena, const struct engine_pass *, t->log.count);
	c->message = ARENA_ARRAY(t->arena, const struct engine_pass *, t->log.count);
	for (int64_t i = 0; i < t->log.count; i++) {
		if (is_pass(&t->log.at[i]))
			c->pass[c->passes++] = &t->log.at[i];
		else
			c->message[c->messages++] = &t->log.at[i];
	}
	sort_arrivals(c->pass, c->passes);
	sort_arrivals(c->message, c->messages);
	return c;
}

/* The last event of a list that ends on the rank at `when` and began before; NULL when there is none. */
static const struct engine_pass *ended(const struct engine_pass *const *list, int64_t n, int64_t rank,
				       double when)
{
	int64_t low = 0, high = n; /* the first that is behind (rank, when) */

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;
		const struct engine_pass *p = list[middle];

		if (arrives(p) < rank || (arrives(p) == rank && p->end <= when))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || arrives(list[low - 1]) != rank || list[low - 1]->end != when)
		return NULL;
	return list[low - 1]->start < when ? list[low - 1] : NULL;
}

/*
 * Seconds of a gap that messages were on their way: whatever starts at the end of the gap is followed back, to
 * the message it waited for or else to the pass before it, until the gap begins.
 */
static double on_its_way(const struct causes *c, int64_t rank, double from, double to)
{
	double now = to, sum = 0;

	while (now > from) {
		const struct engine_pass *p = ended(c->message, c->messages, rank, now);

		if (p) {
			sum += now - larger(p->start, from);
		} else {
			p = ended(c->pass, c->passes, rank, now);
			if (!p)
				break;
		}
		rank = p->rank;
		now = p->start;
	}
	return sum;
}

/* The rank that is done last. */
static int64_t last_rank(const struct trace *t)
{
	const struct engine_pass *last = &t->log.at[0];

	for (int64_t i = 0; i < t->log.count; i++)
		if (is_pass(&t->log.at[i]) && t->log.at[i].end > last->end)
			last = &t->log.at[i];
	return last->rank;
}

/* ---- gaps ----------------------------------------------------------------------------------------- */

/* Leaves a gap at most `left` seconds of traffic; returns what is left for others. */
static double grant(struct gap *gap, double left)
{
	gap->transfer = smaller(gap->transfer, larger(left, 0));
	return left - gap->transfer;
}

/*
 * The report says how much of the idle time is traffic: where messages hold nobody, the way of the first
 * activation and of the last gradient. Where the wire says more, the gaps at both ends come first, then the
 * others in turn; where it says less - transfers that overlap one another, or with work - they take the rest.
 */
static void reconcile(struct rank_line *line, double exposed)
{
	double left = grant(&line->gap[0], exposed);

	if (line->count > 0)
		left = grant(&line->gap[line->count], left);
	for (int64_t i = 1; i < line->count; i++)
		left = grant(&line->gap[i], left);
	for (int64_t i = 0; i <= line->count && left > 0; i++) {
		double more = smaller(left, line->gap[i].idle - line->gap[i].transfer);

		line->gap[i].transfer += more;
		left -= more;
	}
}

struct rank_line rank_line_make(const struct trace *t, int64_t rank)
{
	struct rank_line line = { .rank = rank };
	struct sorted sorted = sort_out(t, &line);
	double now = line.began = t->log.apart && line.count > 0 ? line.pass[0]->start : 0;
	int64_t next = 0;

	for (int64_t i = 0; i <= line.count; i++) {
		const bool behind = i == line.count;
		double until = behind ? line.began + t->log.time : line.pass[i]->start, wire;

		line.gap[i].idle = larger(until - now, 0);
		if (t->causes && line.gap[i].idle > 0)
			wire = on_its_way(t->causes, behind ? last_rank(t) : rank, now, until);
		else
			wire = on_the_wire(&sorted, &next, now, until);
		line.gap[i].transfer = smaller(wire, line.gap[i].idle);
		now = larger(now, behind ? until : line.pass[i]->end);
	}
	reconcile(&line, t->result.stages[rank].p2p_exposed);
	return line;
}
