/* ledger.c - what was found in all units that are done. */
#include "runtime/search/crew/ledger.h"

static const double watch_seconds = 0.1;

void ledger_init(struct ledger *l, struct search *s)
{
	*l = (struct ledger){ .search = s };
	l->set = ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words);
	l->best_goals = ARENA_ARRAY(s->ev->lasting, struct value, s->sweep->goal_count + 1);
	keep_init(&l->keep, s, s->ev->lasting);
	arena_init_under(&l->sets, s->ev->lasting);
	out_init(&l->rows, &l->sets);
	s->tally = ARENA_NEW(s->ev->lasting, struct tally);
	tally_init(s->tally, &l->sets, s->verdicts->words);
	stream_init(&l->stream, s);
}

void ledger_clear(struct ledger *l)
{
	struct search *s = l->search;

	l->done.at.n = 0;
	keep_clear(&l->keep);
	arena_reset(&l->sets, (struct arena_mark){ 0 });
	out_init(&l->rows, &l->sets);
	memset(&l->row_ends, 0, sizeof l->row_ends);
	tally_init(s->tally, &l->sets, s->verdicts->words);
	l->tested = l->evaluated = l->structural = l->best = 0;
}

uint64_t ledger_open(const struct ledger *l)
{
	return l->done.at.n > 0 && l->done.at.at[0].lo == 0 ? l->done.at.at[0].hi : 0;
}

/* The row that a row of the parcel stands for here. */
static uint32_t row_here(struct ledger *l, const struct parcel *p, uint32_t row)
{
	uint32_t from = l->search->sweep->condition_count;

	return row < from ? row : verdicts_message(l->search, p->messages[row - from], STR(""));
}

static void add_sets(struct ledger *l, const struct parcel *p)
{
	uint32_t rows = l->search->sweep->condition_count + p->message_count, words = p->tally.words;

	for (uint32_t i = 0; i < p->tally.entries.n; i++) {
		const struct tally_entry *e = &p->tally.entries.at[i];

		memset(l->set, 0, words * sizeof *l->set);
		for (uint32_t row = 0; row < rows; row++)
			if (rowset_has(e->set, row))
				rowset_add(l->set, row_here(l, p, row));
		tally_add(l->search->tally, l->set, e->count, e->first);
	}
}

/* Without the last word on ties and slack: somebody wants to see something happen. */
static void show_best(struct ledger *l, const struct keep *k)
{
	const struct ir_sweep *sweep = l->search->sweep;

	for (uint32_t i = 0; i < k->at.n; i++) {
		const struct search_candidate *c = &k->at.at[i].candidate;
		bool better = l->best == 0;

		if (!better && sweep->goal_count == 0)
			better = c->number < l->best;
		else if (!better)
			better = goal_compare(&sweep->goals[0], c->goals[0], l->best_goals[0]) > 0;
		if (!better)
			continue;
		l->best = c->number;
		memcpy(l->best_goals, c->goals, sweep->goal_count * sizeof *c->goals);
	}
}

static void add_rows(struct ledger *l, const struct parcel *p)
{
	size_t begin = l->rows.n;

	out_bytes(&l->rows, p->rows.p, p->rows.n);
	for (uint32_t i = 0; i < p->row_ends.n; i++)
		*VEC_ADD(&l->sets, &l->row_ends) = (struct unit_rows){ p->row_ends.at[i].unit, begin + p->row_ends.at[i].end };
}

void ledger_add(struct ledger *l, struct parcel *p)
{
	uint64_t count = l->keep.count + p->keep.count;

	for (uint32_t i = 0; i < p->units.at.n; i++)
		units_add(&l->done, l->search->ev->lasting, p->units.at.at[i]);
	add_sets(l, p);
	if (l->stream.to && !l->stream.to->take)
		add_rows(l, p);
	keep_join(&l->keep, &p->keep);
	show_best(l, &p->keep);
	l->keep.count = count;
	l->evaluated += p->evaluated;
	l->structural += p->structural;
	l->tested += p->tested;
}

bool ledger_watch(struct ledger *l, bool always)
{
	struct search *s = l->search;
	uint32_t shards = s->options.shards > 0 ? s->options.shards : 1;
	struct search_progress p = {
		.total = s->total / shards, .tested = l->tested, .feasible = l->keep.count,
		.evaluated = l->evaluated, .best = l->best, .goals = l->best_goals,
	};
	double now;

	if (!s->options.watch)
		return true;
	now = hunt_clock();
	if (!always && !s->options.eager && now - l->watched < watch_seconds)
		return true;
	l->watched = now;
	return s->options.watch(s, &p, s->options.context);
}

/* ---- the end --------------------------------------------------------------------------------------------- */

void ledger_finish(struct ledger *l)
{
	struct search *s = l->search;

	s->kept = keep_list(&l->keep, s->ev->lasting, &s->feasible);
	s->feasible_count = l->keep.count;
	s->tested = l->tested;
	s->evaluated = l->evaluated;
	s->structural = l->structural;
	s->partial = l->tested < s->total;
}
