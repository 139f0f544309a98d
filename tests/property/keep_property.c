/*
 * keep_property.c - what a search keeps is enough to say what is best, and what nothing beats.
 *
 * A sweep goes through drawn tuples: whole numbers and reals, few different ones or many, goals that pull together
 * or against each other, with slack of each kind. A second implementation, which takes the definition at its word
 * over all candidates, says what the first places and the front are. The search has to say the same when it keeps
 * everything, when it keeps what so many places need, by several threads, and in shards that are joined in any
 * order; and it must not keep what its rule can do without. The seed is printed when it does not; give it as the
 * first argument, the rounds as the second.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "compiler/check/compile.h"
#include "runtime/search/search.h"
#include "tests/unit/dice.h"

enum { ROUNDS = 60, GOALS = 5, TUPLES = 4000, SHARDS = 3 };

struct goal {
	bool maximise, real, relative;
	int slack;                   /* hundredths of the best, or whole numbers; -1: none */
};

struct drawn {
	bool pareto;
	int goals, n, places;
	struct goal goal[GOALS];
	int64_t x[TUPLES][GOALS];    /* of a real in eighths */
};

/* ---- drawing ------------------------------------------------------------------------------------------ */

static void draw_goal(struct dice *d, struct drawn *w, struct goal *g)
{
	static const int slacks[] = { 0, 1, 5, 30, 100, 150 };

	*g = (struct goal){ .maximise = dice_coin(d), .real = dice_coin(d), .relative = dice_coin(d), .slack = -1 };
	if (!w->pareto && dice_pick(d, 0, 2) > 0)
		g->slack = slacks[dice_pick(d, 0, (int64_t)PLAN_COUNT(slacks) - 1)];
}

/* Against: what is good in the first goal is bad in the second one. */
static void draw_tuples(struct dice *d, struct drawn *w)
{
	int64_t most = dice_pick(d, 0, 1) ? dice_pick(d, 1, 12) : dice_pick(d, 100, 100000), from = dice_coin(d) ? -most / 2 : 0;
	bool against = dice_coin(d);

	for (int i = 0; i < w->n; i++) {
		for (int g = 0; g < w->goals; g++)
			w->x[i][g] = dice_pick(d, from, from + most);
		if (against && w->goals > 1 && w->goal[0].maximise == w->goal[1].maximise)
			w->x[i][1] = 2 * from + most - w->x[i][0] + dice_pick(d, 0, 2);
		else if (against && w->goals > 1)
			w->x[i][1] = w->x[i][0] + dice_pick(d, 0, 2);
	}
}

static void draw(struct dice *d, struct drawn *w)
{
	w->pareto = dice_pick(d, 0, 2) == 0;
	w->goals = (int)dice_pick(d, 1, GOALS);
	w->n = (int)dice_pick(d, 1, dice_coin(d) ? TUPLES : 200);
	w->places = (int)dice_pick(d, 1, 15);
	for (int g = 0; g < w->goals; g++)
		draw_goal(d, w, &w->goal[g]);
	draw_tuples(d, w);
}

static void write_number(struct out *o, const struct goal *g, int64_t x)
{
	if (g->real)
		out_printf(o, "%.3f", (double)x / 8);
	else
		out_printf(o, "%" PRIi64, x);
}

static void write_goals(struct out *o, const struct drawn *w)
{
	out_printf(o, "  objective %s{\n", w->pareto ? "pareto " : "");
	for (int g = 0; g < w->goals; g++) {
		out_printf(o, "    %s g%d", w->goal[g].maximise ? "maximise" : "minimise", g);
		if (w->goal[g].slack >= 0)
			out_printf(o, " slack %d%s", w->goal[g].slack, w->goal[g].relative ? "%" : "");
		out_char(o, '\n');
	}
	out_text(o, "  }\n}\n");
}

static void write_plan(struct out *o, const struct drawn *w)
{
	out_text(o, "edition 1\nschema box {\n  spare: int = 0\n");
	for (int g = 0; g < w->goals; g++)
		out_printf(o, "  g%d: %s = 0\n", g, w->goal[g].real ? "real" : "int");
	out_text(o, "}\nbox base {}\nsweep s of base {\n  vary (spare");
	for (int g = 0; g < w->goals; g++)
		out_printf(o, ", g%d", g);
	out_text(o, ") in [\n");
	for (int i = 0; i < w->n; i++) {
		out_printf(o, "    (%d", i);
		for (int g = 0; g < w->goals; g++) {
			out_text(o, ", ");
			write_number(o, &w->goal[g], w->x[i][g]);
		}
		out_text(o, "),\n");
	}
	out_text(o, "  ]\n");
	write_goals(o, w);
}

/* ---- the definition ------------------------------------------------------------------------------------ */

static int compare(const struct drawn *w, int g, int a, int b)
{
	int64_t x = w->x[a][g], y = w->x[b][g];

	return x == y ? 0 : (x > y) == w->goal[g].maximise ? 1 : -1;
}

/* Whether a is within the slack of b, the best: whole numbers without rounding, reals as a computer has them. */
static bool is_within(const struct drawn *w, int g, int a, int b)
{
	const struct goal *goal = &w->goal[g];
	int slack = goal->slack < 0 ? 0 : goal->slack;
	int64_t best = w->x[b][g], x = w->x[a][g], size = best < 0 ? -best : best;

	if (goal->real) {
		double s = goal->relative ? (double)slack / 100 * ((double)size / 8) : slack;

		return goal->maximise ? (double)x / 8 >= (double)best / 8 - s : (double)x / 8 <= (double)best / 8 + s;
	}
	if (goal->relative)
		return goal->maximise ? 100 * x >= 100 * best - slack * size : 100 * x <= 100 * best + slack * size;
	return goal->maximise ? x >= best - slack : x <= best + slack;
}

static bool comes_before(const struct drawn *w, int a, int b)
{
	for (int g = 0; g < w->goals; g++)
		if (compare(w, g, a, b) != 0)
			return compare(w, g, a, b) > 0;
	return a < b;
}

static int pick(const struct drawn *w, const bool *taken)
{
	static int at[TUPLES];
	int n = 0, found;

	for (int i = 0; i < w->n; i++)
		if (!taken[i])
			at[n++] = i;
	for (int g = 0; g < w->goals && n > 0; g++) {
		int best = at[0], kept = 0;

		for (int i = 1; i < n; i++)
			best = compare(w, g, at[i], best) > 0 ? at[i] : best;
		for (int i = 0; i < n; i++)
			if (is_within(w, g, at[i], best))
				at[kept++] = at[i];
		n = kept;
	}
	found = n > 0 ? at[0] : -1;
	for (int i = 1; i < n; i++)
		found = comes_before(w, at[i], found) ? at[i] : found;
	return found;
}

static bool is_beaten(const struct drawn *w, int b)
{
	for (int a = 0; a < w->n; a++) {
		bool worse = false, better = false;

		for (int g = 0; g < w->goals && !worse; g++) {
			worse = compare(w, g, a, b) < 0;
			better = better || compare(w, g, a, b) > 0;
		}
		if (better && !worse)
			return true;
	}
	return false;
}

/* The places of the answer, as numbers of candidates. The front in the plain order. */
static int answer(const struct drawn *w, uint64_t *numbers)
{
	static bool taken[TUPLES];
	int n = 0;

	memset(taken, 0, sizeof taken);
	if (w->pareto)
		for (int i = 0; i < w->n; i++)
			taken[i] = is_beaten(w, i);
	for (;;) {
		int best = -1;

		if (!w->pareto && n < w->places)
			best = pick(w, taken);
		for (int i = 0; w->pareto && i < w->n; i++)
			if (!taken[i] && (best < 0 || comes_before(w, i, best)))
				best = i;
		if (best < 0)
			return n;
		taken[best] = true;
		numbers[n++] = (uint64_t)best + 1;
	}
}

/* ---- the search ------------------------------------------------------------------------------------------ */

struct plan {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	const struct ir_program *program;
	struct out text;
};

static struct search *run(struct plan *p, struct search_options options)
{
	struct eval *ev = ARENA_NEW(&p->arena, struct eval);

	eval_init(ev, &p->arena, p->program, &p->sink);
	return search_run(ev, 0, &options);
}

static bool says(struct search *s, const struct drawn *w, const uint64_t *numbers, int n)
{
	uint32_t *at = ARENA_ARRAY(s->ev->lasting, uint32_t, s->kept + 1);
	uint32_t found = search_top(s, w->pareto || (int)s->kept < w->places ? s->kept : (uint32_t)w->places, at);

	if (s->feasible_count != (uint64_t)w->n || found != (uint32_t)n)
		return false;
	for (int i = 0; i < n; i++)
		if (s->feasible[at[i]].number != numbers[i])
			return false;
	return true;
}

/* Shards in a drawn order; the first one is stopped and gone on with. */
static struct search *join(struct plan *p, struct dice *d, struct search_options options)
{
	struct search_part *parts = ARENA_ARRAY(&p->arena, struct search_part, SHARDS);
	uint32_t first = (uint32_t)dice_pick(d, 0, SHARDS - 1);

	for (uint32_t i = 0; i < SHARDS; i++) {
		struct search_options one = options;
		struct out o;

		one.shards = SHARDS;
		one.shard = 1 + (i + first) % SHARDS;
		out_init(&o, &p->arena);
		search_part_write(run(p, one), &o);
		if (!search_part_read(out_view(&o), &parts[i]))
			return NULL;
	}
	options.parts = parts;
	options.part_count = SHARDS;
	options.merge = true;
	return run(p, options);
}

/* Of a front nothing that is not in it; of one goal no more than there are places. */
static bool is_short(const struct search *s, const struct drawn *w, int n)
{
	if (w->pareto)
		return s->kept == (uint32_t)n;
	return w->goals > 1 || w->goal[0].slack > 0 || s->kept <= (uint32_t)w->places;
}

static bool same(const struct search *a, const uint32_t *x, uint32_t n, const struct search *b, const uint32_t *y, uint32_t m)
{
	for (uint32_t i = 0; i < n && n == m; i++)
		if (a->feasible[x[i]].number != b->feasible[y[i]].number)
			return false;
	return n == m;
}

/* What nothing beats, and a sample: the same of everything and of what a picture needs. */
static bool looks_alike(const struct search *all, const struct search *few)
{
	static uint32_t x[TUPLES], y[TUPLES];
	uint32_t n = search_front(all, x), m = search_front(few, y);

	if (!same(all, x, n, few, y, m))
		return false;
	n = search_sample(all, x);
	m = search_sample(few, y);
	return same(all, x, n, few, y, m);
}

static bool shows(struct search *s, const struct search *all, const struct drawn *w, const uint64_t *numbers, int n)
{
	return says(s, w, numbers, n) && looks_alike(all, s);
}

static bool holds(struct plan *p, struct dice *d, const struct drawn *w)
{
	static uint64_t numbers[TUPLES];
	int n = answer(w, numbers);
	const struct search_options few = { .keep = (uint32_t)w->places };
	const struct search_options seen = { .keep = few.keep, .picture = true };
	const struct search_options three = { .keep = few.keep, .picture = true, .threads = 3, .per_thread = 1 };
	struct search *s = run(p, few), *all = run(p, (struct search_options){ 0 });

	return says(all, w, numbers, n) && says(s, w, numbers, n) && is_short(s, w, n) &&
	       shows(run(p, seen), all, w, numbers, n) && shows(run(p, three), all, w, numbers, n) &&
	       shows(join(p, d, three), all, w, numbers, n);
}

static bool round_holds(struct dice *d, struct drawn *w)
{
	struct compile_input in = { .path = STR("t.plan"), .library = stdlib_files };
	struct plan p;
	bool fine;

	draw(d, w);
	arena_init(&p.arena, NULL);
	sources_init(&p.sources, &p.arena);
	diag_sink_init(&p.sink, &p.arena, &p.sources);
	out_init(&p.text, &p.arena);
	write_plan(&p.text, w);
	in.arena = &p.arena;
	in.names = interner_make(&p.arena);
	in.sources = &p.sources;
	in.sink = &p.sink;
	in.text = out_view(&p.text);
	p.program = plan_compile(&in);
	fine = p.program && p.sink.errors == 0 && holds(&p, d, w);
	if (!fine) {
		struct out o;

		out_init(&o, &p.arena);
		diag_render(&p.sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
		printf("%.*s\n%.*s\n", (int)p.text.n, p.text.p, (int)o.n, o.n > 0 ? o.p : "");
	}
	arena_release(&p.arena);
	return fine;
}

int main(int argc, char **argv)
{
	static struct drawn drawn;
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20260302;
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS;
	struct dice dice = dice_make(seed);

	for (int i = 0; i < rounds; i++)
		if (!round_holds(&dice, &drawn)) {
			printf("keep_property: seed %" PRIu64 ", round %d\n", seed, i);
			return 1;
		}
	return 0;
}
