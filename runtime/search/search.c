/* search.c - a sweep from start to finish: measure, test every candidate, count. */
#include "runtime/search/search_int.h"

struct finds {
	struct price *price;
	VEC(struct search_candidate) feasible;
	uint64_t *set;
	struct value *goals;
};

static void keep(struct search *s, struct finds *f, uint64_t number)
{
	struct arena *a = s->ev->lasting;
	struct value *goals = ARENA_ARRAY(a, struct value, s->sweep->goal_count + 1);

	memcpy(goals, f->goals, s->sweep->goal_count * sizeof *goals);
	*VEC_ADD(a, &f->feasible) = (struct search_candidate){ number, goals };
}

/* The cost model, the short way where it is open. */
static void price(struct search *s, struct finds *f, const uint64_t *cheap)
{
	uint32_t words = s->verdicts->words;

	if (f->price && price_candidate(f->price, f->set, f->goals))
		return;
	memcpy(f->set, cheap, words * sizeof *cheap);
	verdicts_model(s->verdicts, f->set, f->goals, false);
}

static bool visit(struct search *s, uint64_t number, const uint64_t *cheap, void *context)
{
	struct finds *f = context;
	uint32_t words = s->verdicts->words;
	bool sound = set_is_empty(cheap, words);

	memcpy(f->set, cheap, words * sizeof *cheap);
	s->structural += sound;
	if (sound || s->exact)
		price(s, f, cheap);
	if (set_is_empty(f->set, words))
		keep(s, f, number);
	tally_add(s->tally, f->set, 1);
	return true;
}

static void pass(struct search *s, const uint64_t *set, uint64_t count, void *context)
{
	(void)context;
	tally_add(s->tally, set, count);
}

static void enter(struct search *s, uint32_t level, void *context)
{
	struct finds *f = context;

	(void)s;
	if (f->price)
		price_level(f->price, level);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Conditions that need no cost model, messages, the others: the order in which they are tested. */
void make_order(struct search *s)
{
	uint32_t *order = ARENA_ARRAY(s->ev->lasting, uint32_t, s->row_count + 1), n = 0;
	uint32_t conditions = s->sweep->condition_count;

	for (uint32_t i = 0; i < conditions; i++)
		if (!s->rows[i].model)
			order[n++] = i;
	for (uint32_t i = conditions; i < s->row_count; i++)
		order[n++] = i;
	for (uint32_t i = 0; i < conditions; i++)
		if (s->rows[i].model)
			order[n++] = i;
	s->order = order;
}

static void count_entry(struct search *s, const struct tally_entry *e)
{
	uint32_t size = set_size(e->set, s->verdicts->words);
	bool first = true;

	for (uint32_t i = 0; i < s->row_count; i++) {
		struct search_row *row = &s->rows[s->order[i]];

		if (!rowset_has(e->set, s->order[i]))
			continue;
		row->violated += e->count;
		row->removed += first ? e->count : 0;
		row->alone += size == 1 ? e->count : 0;
		first = false;
	}
}

static void count_rows(struct search *s)
{
	uint64_t left = s->total;

	make_order(s);
	for (uint32_t i = 0; i < s->tally->entries.n; i++)
		count_entry(s, &s->tally->entries.at[i]);
	for (uint32_t i = 0; i < s->row_count; i++) {
		struct search_row *row = &s->rows[s->order[i]];

		left -= row->removed;
		row->left = left;
	}
	invariant(left == s->feasible_count, "removed and feasible candidates do not add up");
}

/* ---- running --------------------------------------------------------------------------------- */

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

static bool prepare(struct search *s)
{
	if (!base_is_sound(s))
		return false;
	s->bench = bench_make(s);
	if (!space_measure(s))
		return false;
	space_describe(s);
	return space_within_limit(s->space);
}

static void test_all(struct search *s)
{
	struct finds f = { .set = NULL };
	struct arena *priced = ARENA_NEW(s->ev->lasting, struct arena);

	arena_init_under(priced, s->ev->lasting);
	s->verdicts = verdicts_make(s);
	s->tally = ARENA_NEW(s->ev->lasting, struct tally);
	tally_init(s->tally, s->ev->lasting, s->verdicts->words);
	f.set = ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words);
	f.goals = ARENA_ARRAY(s->ev->lasting, struct value, s->sweep->goal_count + 1);
	f.price = s->slow ? NULL : price_make(s, priced);
	search_walk(s, &(struct walker){ .candidate = visit, .crowd = s->exact || s->slow ? NULL : pass,
					 .level = enter, .context = &f });
	s->feasible = f.feasible.at;
	s->feasible_count = f.feasible.n;
	if (f.price)
		price_release(f.price);
	arena_release(priced);
}

/* The evaluator may be in the middle of an expression that asks for the sweep. */
struct pause {
	struct arena *arena;
	uint32_t depth;
	uint64_t steps;
	bool exhausted;
};

static struct pause pause_begin(struct eval *ev)
{
	struct pause p = { ev->arena, ev->depth, ev->steps, ev->exhausted };

	ev->arena = ev->lasting;
	ev->depth = 0;
	return p;
}

static void pause_end(struct eval *ev, struct pause p)
{
	ev->arena = p.arena;
	ev->depth = p.depth;
	ev->steps = p.steps;
	ev->exhausted = p.exhausted;
}

struct search *search_run(struct eval *ev, uint32_t sweep, bool exact)
{
	struct search *s = ARENA_NEW(ev->lasting, struct search);
	struct pause pause = pause_begin(ev);
	bool fine;

	*s = (struct search){ .sweep = &ev->program->sweeps.at[sweep], .index = sweep, .ev = ev,
			      .exact = exact };
	fine = s->sweep->type->kind != TYPE_POISON && prepare(s);
	if (fine) {
		test_all(s);
		fine = !s->space->failed;
	}
	if (fine)
		count_rows(s);
	if (s->bench && s->space)
		search_rest(s);
	pause_end(ev, pause);
	return fine ? s : NULL;
}

/* Without the base's own rules, which `planc check` tests anyway. */
static bool check_one(struct eval *ev, uint32_t sweep)
{
	struct search *s = ARENA_NEW(ev->lasting, struct search);
	struct pause pause = pause_begin(ev);
	uint32_t errors = ev->sink->errors;
	struct value v;
	bool fine = true;

	*s = (struct search){ .sweep = &ev->program->sweeps.at[sweep], .index = sweep, .ev = ev };
	v = eval_node(ev, s->sweep->of, (struct scope){ 0 });
	if (v.kind == VALUE_RECORD) {
		s->base = v.record;
		s->bench = bench_make(s);
		fine = space_measure(s);
		if (fine) {
			space_describe(s);
			fine = space_within_limit(s->space);
		}
		bench_release(s->bench);
	}
	pause_end(ev, pause);
	/* What needs the cost model has no value here, and no message. */
	return fine || ev->sink->errors == errors;
}

bool search_check(struct eval *ev)
{
	bool fine = true;

	for (uint32_t i = 0; i < ev->program->sweeps.n; i++)
		if (ev->program->sweeps.at[i].file == ev->program->root_file &&
		    ev->program->sweeps.at[i].type->kind != TYPE_POISON)
			fine = check_one(ev, i) && fine;
	return fine;
}
