/*
 * search_property.c - a search finds what going through everything finds.
 *
 * Small sweeps are drawn and written as plans; next to them stands a second implementation, which knows
 * nothing of levels or layers: it lists all candidates, computes their fields in plain C, tests every
 * condition for each and ranks by the definition. Each is searched by one thread, by several, with and without
 * short ways, in shards that are joined, and by several ranks, one of which may be lost. Laws on top: what is removed and what is left add up;
 * the order of constraints changes neither what is feasible nor what is violated; a relaxed bound loses
 * no candidate; nothing beats the winner in all goals. The seed is printed when a law is broken; give it
 * as the first argument to repeat a run. With `--write` the sweeps are printed instead, as one plan.
 */
#include <inttypes.h>

#include "compiler/check/compile.h"
#include "runtime/search/search.h"
#include "tests/unit/team_fixture.h"

enum { FIELDS = 5, AXES = 5, VALUES = 4, RULES = 6, GOALS = 2, CANDIDATES = 4096, ROUNDS = 200, SHARDS = 3 };

/* Fields a to d of the record, and e of a record inside it. d follows from a unless it is set. */
static const char *const fields[FIELDS] = { "a", "b", "c", "d", "part.e" };

struct linear {
	int64_t factor[FIELDS], bound;
	bool at_least;
};

/* The first two are rules of the schema, the third one of the record inside, the rest constraints. */
struct space {
	int64_t base[FIELDS];            /* d: unused, it is a + 1 */
	int axes;
	int field[AXES];
	int count[AXES];
	int64_t value[AXES][VALUES];
	int when[AXES];                  /* an earlier axis whose field has to be above `above`; -1 */
	int64_t above[AXES];
	struct linear rule[RULES];
	struct linear goal[GOALS];       /* at_least: maximise */
	int64_t slack;
	bool pareto;
	int order[RULES];                /* of the constraints in the text */
};

struct candidate {
	int64_t x[FIELDS];
	unsigned broken;
};

struct run {
	uint64_t seed, state;
	int round, clashes;
	struct space space;
	struct candidate all[CANDIDATES];
	int total;
};

static uint64_t draw(struct run *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * UINT64_C(2685821657736338717);
}

static int64_t pick(struct run *r, int64_t from, int64_t to)
{
	return from + (int64_t)(draw(r) % (uint64_t)(to - from + 1));
}

static void fail(const struct run *r, const char *law)
{
	printf("search_property: seed %" PRIu64 ", round %d: %s\n", r->seed, r->round, law);
	exit(1);
}

/* ---- the second implementation ---------------------------------------------------------------- */

static int64_t sum_of(const struct linear *l, const int64_t *x)
{
	int64_t sum = 0;

	for (int i = 0; i < FIELDS; i++)
		sum += l->factor[i] * x[i];
	return sum;
}

static bool is_kept(const struct linear *l, const int64_t *x)
{
	return l->at_least ? sum_of(l, x) >= l->bound : sum_of(l, x) <= l->bound;
}

static void add_candidate(struct run *r, const int64_t *x, bool d_is_set)
{
	struct candidate *c = &r->all[r->total++];

	memcpy(c->x, x, sizeof c->x);
	if (!d_is_set)
		c->x[3] = c->x[0] + 1;
	c->broken = 0;
	for (int i = 0; i < RULES; i++)
		if (!is_kept(&r->space.rule[i], c->x))
			c->broken |= 1u << i;
}

static void list_candidates(struct run *r, int axis, int64_t *x, bool d_is_set)
{
	const struct space *s = &r->space;
	int64_t seen[FIELDS];

	if (axis == s->axes) {
		add_candidate(r, x, d_is_set);
		return;
	}
	memcpy(seen, x, sizeof seen);
	if (!d_is_set)
		seen[3] = seen[0] + 1;
	if (s->when[axis] >= 0 && seen[s->field[s->when[axis]]] <= s->above[axis]) {
		list_candidates(r, axis + 1, x, d_is_set);
		return;
	}
	for (int i = 0; i < s->count[axis]; i++) {
		int64_t before = x[s->field[axis]];

		x[s->field[axis]] = s->value[axis][i];
		list_candidates(r, axis + 1, x, d_is_set || s->field[axis] == 3);
		x[s->field[axis]] = before;
	}
}

/* 1 when a is better in the goal, -1 when worse. */
static int compare_goal(const struct space *s, int goal, const struct candidate *a,
			const struct candidate *b)
{
	int64_t x = sum_of(&s->goal[goal], a->x), y = sum_of(&s->goal[goal], b->x);

	return x == y ? 0 : (x > y) == s->goal[goal].at_least ? 1 : -1;
}

static bool beats(const struct space *s, const struct candidate *a, const struct candidate *b)
{
	bool better = false;

	for (int g = 0; g < GOALS; g++) {
		if (compare_goal(s, g, a, b) < 0)
			return false;
		better = better || compare_goal(s, g, a, b) > 0;
	}
	return better;
}

/* By the definition: of those within the slack of the best in the first goal the best in the second, then
 * the best in the first, then the first one. */
static int best_of(const struct run *r, const bool *taken)
{
	const struct space *s = &r->space;
	int best = -1;

	for (int i = 0; i < r->total; i++)
		if (r->all[i].broken == 0 && !taken[i] &&
		    (best < 0 || compare_goal(s, 0, &r->all[i], &r->all[best]) > 0))
			best = i;
	if (best < 0)
		return best;
	int64_t top = sum_of(&s->goal[0], r->all[best].x);
	int found = -1;

	for (int i = 0; i < r->total; i++) {
		int64_t x = sum_of(&s->goal[0], r->all[i].x);
		int c;

		if (r->all[i].broken != 0 || taken[i] || (x > top ? x - top : top - x) > s->slack)
			continue;
		c = found < 0 ? 1 : compare_goal(s, 1, &r->all[i], &r->all[found]);
		if (c > 0 || (c == 0 && compare_goal(s, 0, &r->all[i], &r->all[found]) > 0))
			found = i;
	}
	return found;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_linear(struct run *r, struct linear *l, int64_t low, int64_t high)
{
	for (int i = 0; i < FIELDS; i++)
		l->factor[i] = pick(r, 0, 1) ? pick(r, -2, 3) : 0;
	l->bound = pick(r, low, high);
	l->at_least = pick(r, 0, 3) == 0;
}

/* The base record keeps every rule: its bounds give way. */
static void soften(struct linear *l, const int64_t *x)
{
	int64_t sum = sum_of(l, x);

	if (!is_kept(l, x))
		l->bound = sum;
}

static void draw_axes(struct run *r)
{
	struct space *s = &r->space;
	int free_fields[FIELDS] = { 0, 1, 2, 3, 4 };

	s->axes = (int)pick(r, 1, AXES);
	for (int k = 0; k < s->axes; k++) {
		int at = (int)pick(r, k, FIELDS - 1), field = free_fields[at];

		free_fields[at] = free_fields[k];
		free_fields[k] = field;
		s->field[k] = field;
		s->count[k] = (int)pick(r, 1, VALUES);
		for (int i = 0; i < s->count[k]; i++)
			s->value[k][i] = pick(r, 0, 3) + 4 * i;
		s->when[k] = k > 0 && pick(r, 0, 1) ? (int)pick(r, 0, k - 1) : -1;
		s->above[k] = pick(r, 0, 8);
	}
}

/* A d that is off follows from a, so nothing may ask for it before a has its value. */
static void keep_order(struct space *s)
{
	int a = -1;

	for (int k = 0; k < s->axes; k++)
		if (s->field[k] == 0)
			a = k;
	for (int k = 0; k < a; k++)
		if (s->when[k] >= 0 && s->field[s->when[k]] == 3 && s->when[s->when[k]] >= 0)
			s->when[k] = -1;
}

static void draw_space(struct run *r)
{
	struct space *s = &r->space;
	int64_t x[FIELDS];

	for (int i = 0; i < FIELDS; i++)
		s->base[i] = pick(r, 0, 9);
	draw_axes(r);
	keep_order(s);
	for (int i = 0; i < RULES; i++) {
		draw_linear(r, &s->rule[i], -5, 40);
		s->order[i] = i;
	}
	for (int i = 0; i < FIELDS - 1; i++)
		s->rule[2].factor[i] = 0;
	memcpy(x, s->base, sizeof x);
	x[3] = x[0] + 1;
	for (int i = 0; i < 3; i++)
		soften(&s->rule[i], x);
	for (int g = 0; g < GOALS; g++)
		draw_linear(r, &s->goal[g], 0, 0);
	s->slack = pick(r, 0, 1) ? pick(r, 0, 6) : 0;
	s->pareto = pick(r, 0, 3) == 0;
}

/* ---- as a plan ------------------------------------------------------------------------------- */

static void write_linear(struct out *o, const struct linear *l, const char *e)
{
	for (int i = 0; i < FIELDS; i++)
		out_printf(o, "%s(%" PRIi64 ") * %s", i > 0 ? " + " : "", l->factor[i],
			   i == FIELDS - 1 ? e : fields[i]);
}

static void write_rule(struct out *o, const char *word, int number, const struct linear *l, bool inside)
{
	out_printf(o, "  %s r%d: ", word, number);
	if (inside)
		out_printf(o, "(%" PRIi64 ") * e", l->factor[FIELDS - 1]);
	else
		write_linear(o, l, fields[FIELDS - 1]);
	out_printf(o, " %s %" PRIi64 "\n", l->at_least ? ">=" : "<=", l->bound);
}

static void write_axis(struct out *o, const struct space *s, int k)
{
	out_printf(o, "  vary %s in [", fields[s->field[k]]);
	for (int i = 0; i < s->count[k]; i++)
		out_printf(o, "%s%" PRIi64, i > 0 ? ", " : "", s->value[k][i]);
	out_char(o, ']');
	if (s->when[k] >= 0)
		out_printf(o, " when %s > %" PRIi64, fields[s->field[s->when[k]]], s->above[k]);
	out_char(o, '\n');
}

/* Behind the first line of a plan, which may hold several. */
static void write_space(struct out *o, const struct space *s, int number)
{
	out_printf(o, "schema inner%d {\n  e: int\n", number);
	write_rule(o, "assert", 2, &s->rule[2], true);
	out_printf(o, "}\nschema outer%d {\n  a: int\n  b: int\n  c: int\n  d: int = a + 1\n  part: inner%d\n", number,
		   number);
	write_rule(o, "assert", 0, &s->rule[0], false);
	write_rule(o, "assert", 1, &s->rule[1], false);
	out_printf(o, "}\nouter%d base%d { a = %" PRIi64 ", b = %" PRIi64 ", c = %" PRIi64 ", part { e = %" PRIi64
		   " } }\nsweep s%d of base%d {\n", number, number, s->base[0], s->base[1], s->base[2], s->base[4], number,
		   number);
	for (int k = 0; k < s->axes; k++)
		write_axis(o, s, k);
	for (int i = 3; i < RULES; i++)
		write_rule(o, "constraint", s->order[i], &s->rule[s->order[i]], false);
	out_printf(o, "  objective %s{\n", s->pareto ? "pareto " : "");
	for (int g = 0; g < GOALS; g++) {
		out_text(o, s->goal[g].at_least ? "    maximise " : "    minimise ");
		write_linear(o, &s->goal[g], fields[FIELDS - 1]);
		if (g == 0 && s->slack > 0 && !s->pareto)
			out_printf(o, " slack %" PRIi64, s->slack);
		out_char(o, '\n');
	}
	out_text(o, "  }\n}\n");
}

struct plan {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct eval ev;
	struct search *search;
};

/* By shards, each of which is searched for itself. */
static struct search *joined(struct plan *p, struct search_options options)
{
	struct search_part parts[SHARDS];
	struct search *s;

	options.shards = SHARDS;
	for (options.shard = 1; options.shard <= SHARDS; options.shard++) {
		struct out o;

		s = search_run(&p->ev, 0, &options);
		out_init(&o, &p->arena);
		if (!s)
			return NULL;
		search_part_write(s, &o);
		if (!search_part_read(out_view(&o), &parts[options.shard - 1]) || !parts[options.shard - 1].complete)
			return NULL;
	}
	options.shard = options.shards = 0;
	options.parts = parts;
	options.part_count = SHARDS;
	options.merge = true;
	return search_run(&p->ev, 0, &options);
}

/* How a sweep is searched, beside its options. */
enum way { ALONE, IN_SHARDS, BY_TEAM, BY_TEAM_WITH_LOSS };

static struct search *search(struct run *r, struct plan *p, struct search_options options, enum way way)
{
	struct team team = { .ranks = 2 + (uint32_t)r->round % 3 };

	switch (way) {
	case ALONE:
		return search_run(&p->ev, 0, &options);
	case IN_SHARDS:
		return joined(p, options);
	case BY_TEAM_WITH_LOSS:
		team.silent = 1;
		team.after = (uint32_t)(r->round / 8) % 3;
		return team_search(&p->ev, 0, options, team);
	case BY_TEAM:
		return team_search(&p->ev, 0, options, team);
	}
	return NULL;
}

static void open_plan(struct run *r, struct plan *p, struct search_options options, enum way way)
{
	struct compile_input in = { .path = STR("t.plan"), .library = stdlib_files };
	struct out text;

	arena_init(&p->arena, NULL);
	sources_init(&p->sources, &p->arena);
	diag_sink_init(&p->sink, &p->arena, &p->sources);
	out_init(&text, &p->arena);
	out_text(&text, "edition 1\n");
	write_space(&text, &r->space, r->round);
	in.arena = &p->arena;
	in.names = interner_make(&p->arena);
	in.sources = &p->sources;
	in.sink = &p->sink;
	in.text = out_view(&text);
	const struct ir_program *program = plan_compile(&in);
	if (program && p->sink.errors == 0) {
		eval_init(&p->ev, &p->arena, program, &p->sink);
		p->search = search(r, p, options, way);
	}
	if (p->search)
		return;
	struct out o;
	out_init(&o, &p->arena);
	diag_render(&p->sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
	printf("%.*s\n%.*s", (int)text.n, text.p, (int)o.n, o.p);
	fail(r, "the plan does not run");
}

static void close_plan(struct plan *p)
{
	arena_release(&p->arena);
}

/* ---- laws ------------------------------------------------------------------------------------ */

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

	for (int i = 0; i < r->total; i++) {
		unsigned broken = r->all[i].broken;
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
	if (s->total != (uint64_t)r->total || s->feasible_count != left)
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

	for (int i = 0; i < r->total; i++)
		if (r->all[i].broken == 0 && (n >= s->feasible_count ||
					      s->feasible[n++].number != (uint64_t)i + 1))
			fail(r, "other feasible candidates");
}

static void check_values(struct run *r, struct search *s)
{
	for (int i = 0; i < r->total; i += (int)pick(r, 1, 40)) {
		for (int k = 0; k < r->space.axes; k++) {
			struct value v = search_value(s, (uint64_t)i + 1, (uint32_t)k);

			if (v.kind != VALUE_NUMBER || v.number.n != r->all[i].x[r->space.field[k]])
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
		int best = best_of(r, taken);

		if (best < 0 || s->feasible[at[i]].number != (uint64_t)best + 1)
			fail(r, "another order of the best");
		taken[best] = true;
	}
	for (int i = 0; n > 0 && i < r->total; i++)
		if (r->all[i].broken == 0 &&
		    beats(&r->space, &r->all[i], &r->all[s->feasible[at[0]].number - 1]))
			fail(r, "the winner is beaten in all goals");
}

static void check_front(struct run *r, const struct search *s, uint32_t *at)
{
	uint32_t n = search_front(s, at), found = 0;

	for (int i = 0; i < r->total; i++) {
		bool beaten = r->all[i].broken != 0;

		for (int k = 0; k < r->total && !beaten; k++)
			beaten = r->all[k].broken == 0 && beats(&r->space, &r->all[k], &r->all[i]);
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
		for (int k = 0; k < r->total; k++) {
			equal += r->all[k].broken == set;
			if ((r->all[k].broken & ~set) == 0 && r->all[k].broken != set)
				fail(r, "a set to give up is not minimal");
		}
		if (equal == 0 || equal != at[i].candidates)
			fail(r, "other candidates behind a set to give up");
	}
	if (n == 0)
		fail(r, "nothing to give up");
}

static bool everyone_breaks_one(const struct run *r, unsigned rules)
{
	for (int k = 0; k < r->total; k++)
		if ((r->all[k].broken & rules) == 0)
			return false;
	return true;
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
	bool fine, empty = everyone_breaks_one(r, all);

	open_plan(r, &p, (struct search_options){ 0 }, ALONE);
	out_init(&o, &p.arena);
	fine = search_check(&p.ev, &o);
	if (fine == empty)
		fail(r, empty ? "a clash was not found" : "a clash where there is none");
	if (!empty) {
		close_plan(&p);
		return;
	}
	r->clashes++;
	if (p.sink.diags.n != 1 || p.sink.diags.at[0]->code != E2416)
		fail(r, "a clash without its message");
	named = named_in(p.sink.diags.at[0]->message);
	if (!everyone_breaks_one(r, named))
		fail(r, "some candidate keeps all that clash");
	for (unsigned set = 0; set <= all; set++)
		if (__builtin_popcount(set) < __builtin_popcount(named) && everyone_breaks_one(r, set))
			fail(r, "fewer conditions clash");
	close_plan(&p);
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
	close_plan(&p);
}

static void list_all(struct run *r)
{
	int64_t x[FIELDS];

	memcpy(x, r->space.base, sizeof x);
	r->total = 0;
	list_candidates(r, 0, x, false);
}

static void shuffle_constraints(struct run *r)
{
	for (int i = 3; i < RULES; i++) {
		int k = (int)pick(r, i, RULES - 1), other = r->space.order[i];

		r->space.order[i] = r->space.order[k];
		r->space.order[k] = other;
	}
}

/* A bound that gives way keeps every candidate that was feasible. */
static void check_relaxed(struct run *r)
{
	struct linear *l = &r->space.rule[pick(r, 0, RULES - 1)];
	static bool before[CANDIDATES];
	struct plan p = { 0 };

	for (int i = 0; i < r->total; i++)
		before[i] = r->all[i].broken == 0;
	l->bound += l->at_least ? -pick(r, 1, 9) : pick(r, 1, 9);
	list_all(r);
	open_plan(r, &p, (struct search_options){ 0 }, ALONE);
	for (uint64_t i = 0; i < p.search->feasible_count; i++)
		before[p.search->feasible[i].number - 1] = false;
	for (int i = 0; i < r->total; i++)
		if (before[i])
			fail(r, "a relaxed bound loses a candidate");
	close_plan(&p);
}

static void check_ways(struct run *r)
{
	const struct search_options threads = { .threads = (uint32_t)r->round % 4, .per_thread = 1 };

	check_one(r, threads, ALONE);
	check_clash(r);
	shuffle_constraints(r);
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
		draw_space(r);
		write_space(&o, &r->space, r->round);
	}
	fwrite(o.p, 1, o.n, stdout);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	static struct run r;
	bool write = argc > 1 && strcmp(argv[1], "--write") == 0;

	r.seed = argc > 1 + write ? strtoull(argv[1 + write], NULL, 10) : 20240817;
	r.state = r.seed ? r.seed : 1;
	if (write) {
		print_spaces(&r);
		return 0;
	}
	for (r.round = 0; r.round < ROUNDS; r.round++) {
		draw_space(&r);
		list_all(&r);
		check_ways(&r);
	}
	if (r.clashes == 0)
		fail(&r, "no sweep has conditions that clash");
	printf("search_property: seed %" PRIu64 ", %d sweeps hold\n", r.seed, r.round);
	return 0;
}
