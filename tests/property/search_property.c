/*
 * search_property.c - a search finds what going through everything finds.
 *
 * Small sweeps are drawn and written as plans (search/space.c); next to them stands a second implementation
 * (search/brute.c). Each is searched by one thread, by several, with and without short ways, in shards that are
 * joined, and by several ranks, one of which may be lost (search/ways.c). Laws on top: what is removed and what is
 * left add up; the order of constraints changes neither what is feasible nor what is violated; a relaxed bound loses
 * no candidate; nothing beats the winner in all goals. The seed is printed when a law is broken; give it
 * as the first argument to repeat a run. With `--write` the sweeps are printed instead, as one plan.
 */
#include <inttypes.h>

#include "tests/property/search/brute.h"
#include "tests/property/search/ways.h"

enum { ROUNDS = 200 };

struct run {
	struct dice dice;
	int round, clashes;
	struct space space;
	struct brute brute;
};

static void fail(const struct run *r, const char *law)
{
	printf("search_property: seed %" PRIu64 ", round %d: %s\n", r->dice.seed, r->round, law);
	exit(1);
}

static void open_plan(const struct run *r, struct plan *p, struct search_options options, enum way way)
{
	if (!plan_open(p, &r->space, r->round, options, way))
		fail(r, "the plan does not run");
}

/* NULL for a rule that no axis can break: the search leaves it out. */
static const struct search_row *row_of(const struct search *s, int rule)
{
	char name[8];

	snprintf(name, sizeof name, "r%d", rule);
	for (uint32_t i = 0; i < s->row_count; i++)
		if (str_is(s->rows[i].name, name))
			return &s->rows[i];
	return NULL;
}

static void check_counts(struct run *r, const struct search *s)
{
	uint64_t removed[RULES] = { 0 }, violated[RULES] = { 0 }, alone[RULES] = { 0 }, left = 0;

	for (int i = 0; i < r->brute.total; i++) {
		unsigned broken = r->brute.all[i].broken;
		bool first = true;

		left += broken == 0;
		for (int k = 0; k < RULES; k++) {
			int rule = k < 3 ? k : r->space.order[k];

			if (!(broken >> rule & 1))
				continue;
			violated[rule]++;
			alone[rule] += broken == 1u << rule;
			removed[rule] += first;
			first = false;
		}
	}
	if (s->total != (uint64_t)r->brute.total || s->feasible_count != left)
		fail(r, "other numbers of candidates");
	for (int k = 0; k < RULES; k++) {
		const struct search_row *row = row_of(s, k);

		if (!row ? violated[k] != 0
			 : row->removed != removed[k] || row->violated != violated[k] || row->alone != alone[k])
			fail(r, "other counts of a condition");
	}
}

static void check_feasible(struct run *r, const struct search *s)
{
	uint64_t n = 0;

	for (int i = 0; i < r->brute.total; i++)
		if (r->brute.all[i].broken == 0 && (n >= s->feasible_count ||
					      s->feasible[n++].number != (uint64_t)i + 1))
			fail(r, "other feasible candidates");
}

static void check_values(struct run *r, struct search *s)
{
	for (int i = 0; i < r->brute.total; i += (int)dice_pick(&r->dice, 1, 40)) {
		for (int k = 0; k < r->space.axes; k++) {
			struct value v = search_value(s, (uint64_t)i + 1, (uint32_t)k);

			if (v.kind != VALUE_NUMBER || v.number.n != r->brute.all[i].x[r->space.field[k]])
				fail(r, "another value of a field");
		}
	}
	search_rest(s);
}

static void check_order(struct run *r, const struct search *s, uint32_t *at)
{
	static bool taken[CANDIDATES];
	uint32_t n = search_top(s, 5, at);

	memset(taken, 0, sizeof taken);
	for (uint32_t i = 0; i < n; i++) {
		int best = brute_best(&r->brute, taken);

		if (best < 0 || s->feasible[at[i]].number != (uint64_t)best + 1)
			fail(r, "another order of the best");
		taken[best] = true;
	}
	for (int i = 0; n > 0 && i < r->brute.total; i++)
		if (r->brute.all[i].broken == 0 &&
		    brute_beats(&r->space, &r->brute.all[i], &r->brute.all[s->feasible[at[0]].number - 1]))
			fail(r, "the winner is beaten in all goals");
}

static void check_front(struct run *r, const struct search *s, uint32_t *at)
{
	uint32_t n = search_front(s, at), found = 0;

	for (int i = 0; i < r->brute.total; i++) {
		bool beaten = r->brute.all[i].broken != 0;

		for (int k = 0; k < r->brute.total && !beaten; k++)
			beaten = r->brute.all[k].broken == 0 && brute_beats(&r->space, &r->brute.all[k], &r->brute.all[i]);
		for (uint32_t k = 0; k < n; k++)
			if (s->feasible[at[k]].number == (uint64_t)i + 1) {
				found++;
				if (beaten)
					fail(r, "the front holds one that is beaten");
			}
		if (!beaten && found == 0)
			fail(r, "the front lacks one that nothing beats");
	}
	if (found != n)
		fail(r, "the front holds something else");
}

/* Every set of conditions to give up is one that some candidate breaks, and no other is inside it. */
static void check_reliefs(struct run *r, struct search *s)
{
	uint32_t n;
	bool cut;
	const struct search_relief *at = search_reliefs(s, &n, &cut);

	if (s->feasible_count > 0)
		return;
	for (uint32_t i = 0; i < n; i++) {
		unsigned set = 0;
		uint64_t equal = 0;

		for (uint32_t k = 0; k < at[i].row_count; k++)
			for (int rule = 0; rule < RULES; rule++)
				if (row_of(s, rule) == &s->rows[at[i].rows[k]])
					set |= 1u << rule;
		for (int k = 0; k < r->brute.total; k++) {
			equal += r->brute.all[k].broken == set;
			if ((r->brute.all[k].broken & ~set) == 0 && r->brute.all[k].broken != set)
				fail(r, "a set to give up is not minimal");
		}
		if (equal == 0 || equal != at[i].candidates)
			fail(r, "other candidates behind a set to give up");
	}
	if (n == 0)
		fail(r, "nothing to give up");
}

/* The rules that E2416 names, by the names that stand in its message. */
static unsigned named_in(struct str message)
{
	unsigned rules = 0;

	for (uint32_t i = 0; i + 3 < message.n; i++)
		if (message.p[i] == '`' && message.p[i + 1] == 'r' && message.p[i + 3] == '`')
			rules |= 1u << (message.p[i + 2] - '0');
	return rules;
}

/* A check finds, without going through the candidates, whether there is one, and else as few rules as rule
 * out all. */
static void check_clash(struct run *r)
{
	struct plan p = { 0 };
	struct out o;
	unsigned all = (1u << RULES) - 1, named;
	bool fine, empty = brute_all_break(&r->brute, all);

	open_plan(r, &p, (struct search_options){ 0 }, ALONE);
	out_init(&o, &p.arena);
	fine = search_check(&p.ev, &o);
	if (fine == empty)
		fail(r, empty ? "a clash was not found" : "a clash where there is none");
	if (!empty) {
		plan_close(&p);
		return;
	}
	r->clashes++;
	if (p.sink.diags.n != 1 || p.sink.diags.at[0]->code != E2416)
		fail(r, "a clash without its message");
	named = named_in(p.sink.diags.at[0]->message);
	if (!brute_all_break(&r->brute, named))
		fail(r, "some candidate keeps all that clash");
	for (unsigned set = 0; set <= all; set++)
		if (__builtin_popcount(set) < __builtin_popcount(named) && brute_all_break(&r->brute, set))
			fail(r, "fewer conditions clash");
	plan_close(&p);
}

static void check_one(struct run *r, struct search_options options, enum way way)
{
	struct plan p = { 0 };

	open_plan(r, &p, options, way);
	uint32_t *at = ARENA_ARRAY(&p.arena, uint32_t, p.search->feasible_count + 1);
	check_counts(r, p.search);
	check_feasible(r, p.search);
	check_values(r, p.search);
	if (!r->space.pareto)
		check_order(r, p.search, at);
	check_front(r, p.search, at);
	check_reliefs(r, p.search);
	plan_close(&p);
}

/* A bound that gives way keeps every candidate that was feasible. */
static void check_relaxed(struct run *r)
{
	static bool before[CANDIDATES];
	struct plan p = { 0 };

	for (int i = 0; i < r->brute.total; i++)
		before[i] = r->brute.all[i].broken == 0;
	space_relax(&r->dice, &r->space);
	brute_list(&r->brute, &r->space);
	open_plan(r, &p, (struct search_options){ 0 }, ALONE);
	for (uint64_t i = 0; i < p.search->feasible_count; i++)
		before[p.search->feasible[i].number - 1] = false;
	for (int i = 0; i < r->brute.total; i++)
		if (before[i])
			fail(r, "a relaxed bound loses a candidate");
	plan_close(&p);
}

static void check_ways(struct run *r)
{
	const struct search_options threads = { .threads = (uint32_t)r->round % 4, .per_thread = 1 };

	check_one(r, threads, ALONE);
	check_clash(r);
	space_shuffle(&r->dice, &r->space);
	check_one(r, (struct search_options){ .exact = r->round % 2 == 0, .slow = r->round % 3 == 0 }, ALONE);
	check_one(r, threads, IN_SHARDS);
	check_one(r, threads, r->round % 8 == 7 ? BY_TEAM_WITH_LOSS : BY_TEAM);
	check_relaxed(r);
}

/* All sweeps as one plan. */
static void print_spaces(struct run *r)
{
	struct arena a;
	struct out o;

	arena_init(&a, NULL);
	out_init(&o, &a);
	out_text(&o, "edition 1\n");
	for (r->round = 0; r->round < ROUNDS; r->round++) {
		space_draw(&r->dice, &r->space);
		space_write(&o, &r->space, r->round);
	}
	fwrite(o.p, 1, o.n, stdout);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	static struct run r;
	bool write = argc > 1 && strcmp(argv[1], "--write") == 0;

	r.dice = dice_make(argc > 1 + write ? strtoull(argv[1 + write], NULL, 10) : 20240817);
	if (write) {
		print_spaces(&r);
		return 0;
	}
	for (r.round = 0; r.round < ROUNDS; r.round++) {
		space_draw(&r.dice, &r.space);
		brute_list(&r.brute, &r.space);
		check_ways(&r);
	}
	if (r.clashes == 0)
		fail(&r, "no sweep has conditions that clash");
	printf("search_property: seed %" PRIu64 ", %d sweeps hold\n", r.dice.seed, r.round);
	return 0;
}
