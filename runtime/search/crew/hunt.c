/* hunt.c - what one thread does: the base record and the axes of a sweep, then its candidates. */
#include "runtime/search/crew/ledger.h"

#include <time.h>

/* A parcel is handed over after so many seconds, candidates kept, or bytes of rows; somebody asks whether to go on
 * after so many candidates. */
enum { KEPT_MAX = 4096, ROWS_MAX = 1 << 18, ASK_AFTER = 32 };
static const double parcel_seconds = 0.02;

/* ---- getting ready ------------------------------------------------------------------------------- */

static bool base_is_sound(struct search *s)
{
	struct eval *ev = s->ev;
	struct value v = eval_node(ev, s->sweep->of, (struct scope){ 0 });
	uint32_t errors = ev->sink->errors;
	struct str name;

	if (v.kind != VALUE_RECORD)
		return false;
	s->base = v.record;
	name = s->base->global == IR_NONE ? STR("") : sym_str(ev->program->names,
							      ev->program->globals.at[s->base->global].name);
	return record_check(ev, s->base, s->base->global == IR_NONE
						 ? ev->program->nodes.at[s->sweep->of].span
						 : ev->program->globals.at[s->base->global].span, name) &&
	       ev->sink->errors == errors;
}

bool hunt_prepare(struct search *s)
{
	if (!base_is_sound(s))
		return false;
	s->bench = bench_make(s);
	if (!space_measure(s))
		return false;
	space_describe(s);
	return true;
}

/* ---- candidates ---------------------------------------------------------------------------------- */

double hunt_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Whether to stop in the middle of a unit. */
static bool is_over(struct hunt *h)
{
	if (++h->asked < ASK_AFTER)
		return h->stopped;
	h->asked = 0;
	h->stopped = h->stopped || !h->go_on(h->context);
	return h->stopped;
}

/* What has moved since a candidate was priced: in many places there is none to price. */
static void catch_up(struct search *s, struct hunt *h)
{
	for (; h->stale <= s->space->n; h->stale++)
		price_level(h->price, h->stale);
}

/* The cost model, the short way where it is open. */
static void ask(struct search *s, struct hunt *h, const uint64_t *cheap)
{
	uint32_t words = s->verdicts->words;

	if (h->price && s->verdicts->needs_model)
		catch_up(s, h);
	if (h->price && price_candidate(h->price, h->set, h->goals))
		return;
	memcpy(h->set, cheap, words * sizeof *cheap);
	verdicts_model(s->verdicts, h->set, h->goals, false);
}

/* Its values are asked for where the axes stand. */
static void print_row(struct search *s, struct hunt *h, uint64_t number)
{
	const struct search_candidate c = { number, h->goals };
	struct bench_hush hush = bench_begin(s->bench);

	s->space->stands_at = number;
	s->options.rows->print(s, &c, h->scratch, &h->parcel->rows);
	arena_reset(h->scratch, (struct arena_mark){ 0 });
	bench_end(s->bench, hush);
}

static void find(struct search *s, struct hunt *h, uint64_t number)
{
	keep_add(&h->parcel->keep, number, h->goals);
	if (s->options.rows)
		print_row(s, h, number);
}

static bool visit(struct search *s, uint64_t number, const uint64_t *cheap, void *context)
{
	struct hunt *h = context;
	uint32_t words = s->verdicts->words;
	bool sound = set_is_empty(cheap, words);

	memcpy(h->set, cheap, words * sizeof *cheap);
	s->structural += sound;
	if (sound || s->options.exact)
		ask(s, h, cheap);
	if (set_is_empty(h->set, words))
		find(s, h, number);
	tally_add(&h->parcel->tally, h->set, 1, number);
	h->parcel->tested++;
	return !is_over(h);
}

static void pass(struct search *s, const uint64_t *set, uint64_t count, uint64_t first, void *context)
{
	struct hunt *h = context;

	(void)s;
	tally_add(&h->parcel->tally, set, count, first);
	h->parcel->tested += count;
}

static void enter(struct search *s, uint32_t level, void *context)
{
	struct hunt *h = context;

	(void)s;
	h->stale = level < h->stale ? level : h->stale;
}

/* ---- units --------------------------------------------------------------------------------------- */

/* Enough units that all threads are done at about the same time, and that none of them takes long. */
enum { UNITS = 512, UNIT_CANDIDATES = 8192 };

/* The loops around a unit: the same for everybody who goes through this sweep. */
static uint32_t unit_level(const struct search *s)
{
	uint64_t wanted = s->total / UNIT_CANDIDATES > UNITS ? s->total / UNIT_CANDIDATES : UNITS, units = 1;
	uint32_t level = 0;

	for (; level < s->space->n && units < wanted; level++)
		units *= s->space->axes[level].values ? s->space->axes[level].values->n : 2;
	return level;
}

/* The evaluator counts in the search what it was asked for. */
static void hand_over(struct hunt *h)
{
	struct search *s = h->s;

	parcel_close(h->parcel, s);
	h->parcel->evaluated = s->evaluated;
	h->parcel->structural = s->structural;
	s->evaluated = s->structural = 0;
	h->parcel = h->hand_over(h->parcel, h->context);
	h->stopped = !h->parcel;
	h->since = hunt_clock();
}

static bool is_full(const struct hunt *h)
{
	return h->s->options.eager || h->parcel->keep.at.n >= KEPT_MAX || h->parcel->rows.n >= ROWS_MAX ||
	       hunt_clock() - h->since > parcel_seconds;
}

static void leave_unit(struct hunt *h)
{
	h->inside = false;
	parcel_add_unit(h->parcel, h->ticket);
	h->ticket = tickets_draw(h->tickets, false);
	if (h->ticket == NO_UNIT || is_full(h))
		hand_over(h);
	/* Nobody waits for a unit with what he has found in his hands. */
	if (h->ticket == NO_UNIT && !h->stopped)
		h->ticket = tickets_draw(h->tickets, true);
}

static bool take(uint64_t unit, void *context)
{
	struct hunt *h = context;

	if (h->inside)
		leave_unit(h);
	h->inside = !h->stopped && unit == tickets_unit(h->tickets, h->ticket);
	return h->inside;
}

/* ---- how many there are --------------------------------------------------------------------------- */

static bool count(uint64_t unit, void *context)
{
	*(uint64_t *)context = unit + 1;
	return false;
}

uint64_t hunt_units(struct search *s)
{
	uint64_t n = 0, shards = s->options.shards > 0 ? s->options.shards : 1;
	uint64_t shard = s->options.shards > 0 ? s->options.shard : 1;
	bool all = s->options.exact || s->options.slow;

	search_walk(s, &(struct walker){ .crowd = all ? NULL : pass, .take = count, .unit_level = unit_level(s),
					 .context = &n });
	return n < shard ? 0 : (n - shard) / shards + 1;
}

void hunt_run(struct hunt *h)
{
	struct search *s = h->s;
	bool all = s->options.exact || s->options.slow;
	struct arena *priced = ARENA_NEW(s->ev->lasting, struct arena);

	arena_init_under(priced, s->ev->lasting);
	h->set = ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words);
	h->goals = ARENA_ARRAY(s->ev->lasting, struct value, s->sweep->goal_count + 1);
	h->scratch = ARENA_NEW(s->ev->lasting, struct arena);
	arena_init_under(h->scratch, s->ev->lasting);
	h->price = s->options.slow ? NULL : price_make(s, priced);
	h->since = hunt_clock();
	h->ticket = tickets_draw(h->tickets, true);
	search_walk(s, &(struct walker){ .candidate = visit, .crowd = all ? NULL : pass, .level = enter,
					 .take = take, .unit_level = unit_level(s), .context = h });
	if (h->inside && !h->stopped && !s->space->failed)
		leave_unit(h);
	if (!h->stopped && !s->space->failed)
		hand_over(h);
	if (h->price)
		price_release(h->price);
	arena_release(priced);
	arena_release(h->scratch);
}
