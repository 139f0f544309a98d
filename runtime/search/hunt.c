/* hunt.c - what one thread does: the base record and the axes of a sweep, then its candidates. */
#include "runtime/search/search_int.h"

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

static void keep(struct search *s, struct hunt *h, uint64_t number)
{
	struct arena *a = s->ev->lasting;
	struct value *goals = ARENA_ARRAY(a, struct value, s->sweep->goal_count + 1);

	memcpy(goals, h->goals, s->sweep->goal_count * sizeof *goals);
	*VEC_ADD(a, &h->feasible) = (struct search_candidate){ number, goals };
}

/* The cost model, the short way where it is open. */
static void ask(struct search *s, struct hunt *h, const uint64_t *cheap)
{
	uint32_t words = s->verdicts->words;

	if (h->price && price_candidate(h->price, h->set, h->goals))
		return;
	memcpy(h->set, cheap, words * sizeof *cheap);
	verdicts_model(s->verdicts, h->set, h->goals, false);
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
		keep(s, h, number);
	tally_add(s->tally, h->set, 1, number);
	return true;
}

static void pass(struct search *s, const uint64_t *set, uint64_t count, uint64_t first, void *context)
{
	(void)context;
	tally_add(s->tally, set, count, first);
}

static void enter(struct search *s, uint32_t level, void *context)
{
	struct hunt *h = context;

	(void)s;
	if (h->price)
		price_level(h->price, level);
}

/* Units in which a thread works: enough of them that all threads are done at about the same time. */
enum { UNITS = 512 };

static uint32_t unit_level(const struct search *s)
{
	uint64_t units = 1;
	uint32_t level = 0;

	for (; level < s->space->n && units < UNITS; level++)
		units *= s->space->axes[level].values ? s->space->axes[level].values->n : 2;
	return level;
}

static bool take(uint64_t unit, void *context)
{
	struct hunt *h = context;

	if (unit != h->ticket)
		return false;
	h->ticket = tickets_draw(h->tickets);
	return true;
}

void hunt_run(struct hunt *h)
{
	struct search *s = h->s;
	bool all = s->options.exact || s->options.slow;
	struct arena *priced = ARENA_NEW(s->ev->lasting, struct arena);

	arena_init_under(priced, s->ev->lasting);
	h->set = ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words);
	h->goals = ARENA_ARRAY(s->ev->lasting, struct value, s->sweep->goal_count + 1);
	h->price = s->options.slow ? NULL : price_make(s, priced);
	if (h->tickets)
		h->ticket = tickets_draw(h->tickets);
	search_walk(s, &(struct walker){ .candidate = visit, .crowd = all ? NULL : pass, .level = enter,
					 .take = h->tickets ? take : NULL, .unit_level = unit_level(s),
					 .context = h });
	if (h->price)
		price_release(h->price);
	arena_release(priced);
}
