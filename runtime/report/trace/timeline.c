/* timeline.c - the passes of a rank and the time between them: transfers and bubbles. */
#include "runtime/report/trace/trace_int.h"

static bool is_pass(const struct engine_pass *p)
{
	return p->kind == PASS_FORWARD || p->kind == PASS_BACKWARD;
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

/* The report says how much of the idle time is traffic. Where the wire says less or more - transfers that
 * overlap one another, or with work - the first gaps take the rest, or the last ones lose it. */
static void reconcile(struct rank_line *line, double exposed)
{
	double left = exposed;

	for (int64_t i = 0; i <= line->count; i++) {
		line->gap[i].transfer = smaller(line->gap[i].transfer, larger(left, 0));
		left -= line->gap[i].transfer;
	}
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
	double now = 0;
	int64_t next = 0;

	for (int64_t i = 0; i <= line.count; i++) {
		double until = i < line.count ? line.pass[i]->start : t->log.time;

		line.gap[i].idle = larger(until - now, 0);
		line.gap[i].transfer = smaller(on_the_wire(&sorted, &next, now, until), line.gap[i].idle);
		now = i < line.count ? line.pass[i]->end : until;
	}
	reconcile(&line, t->result.stages[rank].p2p_exposed);
	return line;
}
