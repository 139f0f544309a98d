/* sweep.c - compares the results of sweeps: how many candidates are left, which ones win. */
#include "runtime/ask/diff/diff_int.h"

#include "runtime/ask/reads.h"
#include "runtime/search/search.h"

static struct str sweep_name(const struct eval *ev, uint32_t sweep)
{
	return sym_str(ev->program->names, ev->program->sweeps.at[sweep].name);
}

static bool is_own(const struct eval *ev, uint32_t sweep)
{
	return ev->program->sweeps.at[sweep].span.file == ev->program->root_file;
}

static uint32_t find_sweep(const struct eval *ev, struct str name)
{
	for (uint32_t i = 0; i < ev->program->sweeps.n; i++)
		if (is_own(ev, i) && str_equal(sweep_name(ev, i), name))
			return i;
	return IR_NONE;
}

static struct search *run(struct eval *ev, uint32_t sweep)
{
	bool muted = ev->sink->muted;
	struct search *s;

	ev->sink->muted = true;
	s = search_once(ev, sweep, NULL, ev->program->sweeps.at[sweep].span);
	ev->sink->muted = muted;
	return s;
}

/* "best(layouts)", "len(all(layouts))": as an expression would ask for it. */
static struct str asked(struct diff *d, const char *before, struct str name, const char *after)
{
	struct out o;

	out_init(&o, d->o->arena);
	out_printf(&o, "%s%.*s%s", before, (int)name.n, name.p, after);
	return str_copy(d->o->arena, out_view(&o));
}

static void compare_counts(struct diff *d, struct str path, uint64_t a, uint64_t b)
{
	struct side x = { d->a, value_int((int64_t)a), NULL }, y = { d->b, value_int((int64_t)b), NULL };

	if (a != b)
		diff_changed(d, path, &x, &y);
}

/* ---- the best of an ordered objective ---------------------------------------------------------- */

/* The best candidate; false when none is left or none is best. */
static bool best_of(struct search *s, uint32_t *at)
{
	return s->feasible_count > 0 && s->sweep->goal_count > 0 && search_top(s, 1, at) == 1;
}

static struct str winner_text(struct diff *d, struct search *s, bool any, uint32_t at)
{
	if (!any)
		return STR("none");
	return str_copy(d->o->arena, search_describe(s, s->feasible[at].number));
}

static struct side goal_of(struct search *s, uint32_t at, uint32_t goal)
{
	const struct type *type = s->ev->program->nodes.at[s->sweep->goals[goal].value].type;

	return (struct side){ s->ev, s->feasible[at].goals[goal], type };
}

/* Goals that both put at the same place with the same words. */
static void compare_goals(struct diff *d, struct str path, struct search *a, uint32_t x, struct search *b,
			  uint32_t y)
{
	for (uint32_t g = 0; g < a->sweep->goal_count && g < b->sweep->goal_count; g++) {
		struct side before = goal_of(a, x, g), after = goal_of(b, y, g);
		struct str name = ask_text(a->ev, a->ev->program->nodes.at[a->sweep->goals[g].value].span);
		struct str other = ask_text(b->ev, b->ev->program->nodes.at[b->sweep->goals[g].value].span);
		struct out o;

		if (!str_equal(name, other) || !diff_is_number(before.value) ||
		    !diff_is_number(after.value) || value_compare_numbers(before.value, after.value) == 0)
			continue;
		out_init(&o, d->o->arena);
		out_printf(&o, "%.*s, %.*s", (int)path.n, path.p, (int)name.n, name.p);
		diff_changed(d, str_copy(d->o->arena, out_view(&o)), &before, &after);
	}
}

static void compare_best(struct diff *d, struct str name, struct search *a, struct search *b)
{
	struct str path = asked(d, "best(", name, ")"), before, after;
	uint32_t x = 0, y = 0;
	bool any_a = best_of(a, &x), any_b = best_of(b, &y);

	before = winner_text(d, a, any_a, x);
	after = winner_text(d, b, any_b, y);
	if (!str_equal(before, after))
		diff_reworded(d, path, before, after);
	if (any_a && any_b)
		compare_goals(d, path, a, x, b, y);
}

/* ---- the front of a pareto objective ----------------------------------------------------------- */

struct front {
	struct str *at;
	uint32_t n;
};

static struct front front_of(struct diff *d, struct search *s)
{
	uint32_t most = s->kept;
	uint32_t *indices = ARENA_ARRAY(d->o->arena, uint32_t, most + 1);
	struct front f = { NULL, s->sweep->goal_count > 0 ? search_front(s, indices) : 0 };

	f.at = ARENA_ARRAY(d->o->arena, struct str, f.n + 1);
	for (uint32_t i = 0; i < f.n; i++)
		f.at[i] = str_copy(d->o->arena, search_describe(s, s->feasible[indices[i]].number));
	return f;
}

/* Candidates of one front that the other one lacks. */
static void only_here(struct diff *d, const struct front *here, const struct front *there, bool added,
		      struct str kind)
{
	for (uint32_t i = 0; i < here->n; i++) {
		bool found = false;

		for (uint32_t k = 0; k < there->n && !found; k++)
			found = str_equal(here->at[i], there->at[k]);
		if (!found)
			diff_only(d, added, kind, here->at[i]);
	}
}

static void compare_fronts(struct diff *d, struct str name, struct search *a, struct search *b)
{
	struct front before = front_of(d, a), after = front_of(d, b);

	only_here(d, &before, &after, false, asked(d, "pareto(", name, ")"));
	only_here(d, &after, &before, true, asked(d, "pareto(", name, ")"));
}

/* ---- sweeps ------------------------------------------------------------------------------------ */

static void compare_sweep(struct diff *d, struct str name, uint32_t x, uint32_t y)
{
	struct search *a = run(d->a, x), *b = run(d->b, y);

	if (!a || !b) {
		if (a || b)
			diff_reworded(d, asked(d, "sweep ", name, ""), a ? STR("runs") : STR("cannot be run"),
				      b ? STR("runs") : STR("cannot be run"));
		return;
	}
	compare_counts(d, asked(d, "candidates of ", name, ""), a->total, b->total);
	compare_counts(d, asked(d, "len(all(", name, "))"), a->feasible_count, b->feasible_count);
	if (a->sweep->pareto || b->sweep->pareto)
		compare_fronts(d, name, a, b);
	else
		compare_best(d, name, a, b);
}

void diff_sweeps(struct diff *d)
{
	for (uint32_t i = 0; i < d->a->program->sweeps.n; i++) {
		struct str name = sweep_name(d->a, i);
		uint32_t other = find_sweep(d->b, name);

		if (!is_own(d->a, i))
			continue;
		if (other == IR_NONE)
			diff_only(d, false, STR("sweep"), name);
		else
			compare_sweep(d, name, i, other);
	}
	for (uint32_t i = 0; i < d->b->program->sweeps.n; i++)
		if (is_own(d->b, i) && find_sweep(d->a, sweep_name(d->b, i)) == IR_NONE)
			diff_only(d, true, STR("sweep"), sweep_name(d->b, i));
}
