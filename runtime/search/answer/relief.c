/* relief.c - when nothing is feasible: the smallest sets of conditions to give up, and what comes nearest.
 *
 * A candidate that breaks a rule of the cheap kind was not evaluated. Here some are, those with the
 * fewest broken rules first, as long as no smaller set is known that theirs would contain.
 */
#include "runtime/search/search_int.h"

enum { EVALUATIONS_MAX = 20000, SHOWN_MAX = 6 };

/* The best candidate of each set of rows. */
struct best {
	uint64_t number;
	struct value goal;
};

struct easing {
	struct search *s;
	struct tally full;           /* sets of rows, the cost model asked */
	VEC(struct best) best;       /* parallel to full.entries */
	uint32_t size;               /* cheap rows of the candidates that are looked at now */
	uint32_t left;               /* evaluations */
	bool cut, found;
	struct nearness nearest;
	uint64_t *set;
	struct value *goals;
};

/* Nothing that contains a smaller set can be one of the smallest. */
static bool is_minimal(const struct easing *e, const uint64_t *set)
{
	for (uint32_t i = 0; i < e->full.entries.n; i++) {
		const uint64_t *other = e->full.entries.at[i].set;

		if (set_contains(set, other, e->full.words) && !set_contains(other, set, e->full.words))
			return false;
	}
	return true;
}

static void note_best(struct easing *e, uint64_t number)
{
	const struct ir_sweep *sweep = e->s->sweep;
	struct value goal = sweep->goal_count > 0 ? goal_key(e->s->ev->lasting, e->goals[0]) : value_none();
	uint32_t i = 0;

	while (memcmp(e->full.entries.at[i].set, e->set, e->full.words * sizeof *e->set) != 0)
		i++;
	while (e->best.n < e->full.entries.n)
		*VEC_ADD(e->s->ev->lasting, &e->best) = (struct best){ 0 };
	if (goal.kind != VALUE_NUMBER && goal.kind != VALUE_REAL)
		return;
	if (e->best.at[i].number == 0 ||
	    goal_compare(&sweep->goals[0], goal, e->best.at[i].goal) > 0)
		e->best.at[i] = (struct best){ number, goal };
}

static bool visit(struct search *s, uint64_t number, const uint64_t *cheap, void *context)
{
	struct easing *e = context;
	struct nearness near;

	if (set_size(cheap, e->full.words) != e->size || !is_minimal(e, cheap))
		return true;
	if (e->left-- == 0) {
		e->left = 0;
		e->cut = true;
		return false;
	}
	e->found = true;
	memcpy(e->set, cheap, e->full.words * sizeof *cheap);
	for (uint32_t i = 0; i < s->sweep->goal_count; i++)
		e->goals[i] = value_none();
	verdicts_model(s->verdicts, e->set, e->goals, true);
	tally_add(&e->full, e->set, 1, number);
	note_best(e, number);
	near = (struct nearness){ set_size(e->set, e->full.words), 0, number };
	if (e->nearest.number != 0 && near.broken > e->nearest.broken)
		return true;
	near = near_here(s, number, e->set);
	if (near_is_less(near, e->nearest))
		e->nearest = near;
	return true;
}

static uint32_t largest_set(const struct search *s)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < s->tally->entries.n; i++) {
		uint32_t n = set_size(s->tally->entries.at[i].set, s->tally->words);

		most = n > most ? n : most;
	}
	return most;
}

static void ease(struct easing *e, struct search *s)
{
	uint32_t most = largest_set(s);

	*e = (struct easing){ .s = s, .left = EVALUATIONS_MAX };
	tally_init(&e->full, s->ev->lasting, s->verdicts->words);
	e->set = ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words);
	e->goals = ARENA_ARRAY(s->ev->lasting, struct value, s->sweep->goal_count + 1);
	/* One more: what is given up may leave a condition that cannot be computed. */
	for (e->size = 0; e->size <= most + 1 && !e->cut; e->size++)
		search_walk(s, &(struct walker){ .candidate = visit, .context = e, .strict = true });
	make_order(s);
	search_rest(s);
}

/* A message is nothing that one could give up. */
static bool has_message(const struct search *s, const uint64_t *set)
{
	for (uint32_t i = s->sweep->condition_count; i < s->row_count; i++)
		if (rowset_has(set, i))
			return true;
	return false;
}

static struct search_relief relief_of(struct easing *e, uint32_t entry)
{
	struct search *s = e->s;
	uint32_t *rows = ARENA_ARRAY(s->ev->lasting, uint32_t, s->row_count + 1), n = 0;

	for (uint32_t i = 0; i < s->row_count; i++)
		if (rowset_has(e->full.entries.at[entry].set, s->order[i]))
			rows[n++] = s->order[i];
	return (struct search_relief){ rows, n, e->full.entries.at[entry].count, e->best.at[entry].number,
				       e->best.at[entry].goal };
}

static bool is_less(const struct search_relief *a, const struct search_relief *b)
{
	if (a->row_count != b->row_count)
		return a->row_count < b->row_count;
	for (uint32_t i = 0; i < a->row_count; i++)
		if (a->rows[i] != b->rows[i])
			return a->rows[i] < b->rows[i];
	return false;
}

static struct search_relief *collect(struct easing *e, uint32_t *count)
{
	struct search_relief *at = ARENA_ARRAY(e->s->ev->lasting, struct search_relief,
					       e->full.entries.n + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < e->full.entries.n; i++) {
		const uint64_t *set = e->full.entries.at[i].set;
		struct search_relief r;
		uint32_t k = n;

		if (set_is_empty(set, e->full.words) || has_message(e->s, set) || !is_minimal(e, set))
			continue;
		r = relief_of(e, i);
		for (; k > 0 && is_less(&r, &at[k - 1]); k--)
			at[k] = at[k - 1];
		at[k] = r;
		n++;
	}
	*count = n;
	return at;
}

const struct search_relief *search_reliefs(struct search *s, uint32_t *count, bool *cut)
{
	struct easing e;

	ease(&e, s);
	*cut = e.cut;
	return collect(&e, count);
}

/* ---- the report ------------------------------------------------------------------------------ */

static void out_count(struct out *o, uint64_t n, const char *one, const char *many)
{
	out_grouped(o, (int64_t)n);
	out_printf(o, " %s", n == 1 ? one : many);
}

static void note_counts(struct search *s, struct diag *d)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	out_printf(&o, "of ");
	out_count(&o, s->total, "candidate", "candidates");
	out_text(&o, ": ");
	out_grouped(&o, (int64_t)s->structural);
	out_printf(&o, " pass what needs no cost model, none all conditions");
	diag_note(d, "%.*s", (int)o.n, o.p);
}

/* Every candidate may fail for one reason that is no condition at all. */
static void note_messages(struct search *s, struct diag *d)
{
	for (uint32_t i = s->sweep->condition_count; i < s->row_count; i++) {
		struct out o;

		if (s->rows[i].violated == 0)
			continue;
		out_init(&o, s->ev->lasting);
		out_count(&o, s->rows[i].violated, "candidate", "candidates");
		diag_note(d, "%.*s cannot be evaluated: %.*s", (int)o.n, o.p, (int)s->rows[i].text.n,
			  s->rows[i].text.p);
	}
}

/* The first condition that the nearest candidate breaks, drawn with its values. */
static void draw_nearest(struct search *s, struct diag *d, const struct easing *e)
{
	struct record *r = search_record(s, e->nearest.number);
	struct str words = search_describe(s, e->nearest.number), miss = STR("");
	const struct search_row *row = NULL;
	struct bench_hush hush = bench_begin(s->bench);
	struct scope scope;
	double gap;

	for (uint32_t i = 0; i < s->row_count && !row; i++)
		if (s->rows[s->order[i]].condition &&
		    condition_scope(s, s->rows[s->order[i]].condition, r, &scope))
			row = &s->rows[s->order[i]];
	bench_end(s->bench, hush);
	if (!row)
		return;
	miss = search_miss(s, e->nearest.number, row, &gap);
	diag_note(d, "nearest: #%llu, %.*s: `%.*s`%s%.*s", (unsigned long long)e->nearest.number, (int)words.n,
		  words.p, (int)row->name.n, row->name.p, miss.n > 0 ? ", " : " does not hold", (int)miss.n,
		  miss.p);
	assert_draw(s->ev, d, &row->condition->rule, scope);
}

static void help_relief(struct search *s, struct diag *d, const struct search_relief *r)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	out_text(&o, "give up { ");
	for (uint32_t i = 0; i < r->row_count; i++)
		out_printf(&o, "%s%.*s", i > 0 ? ", " : "", (int)s->rows[r->rows[i]].name.n,
			   s->rows[r->rows[i]].name.p);
	out_text(&o, " } to get ");
	out_count(&o, r->candidates, "candidate", "candidates");
	if (r->best != 0) {
		const struct ir_goal *g = &s->sweep->goals[0];

		out_text(&o, ", best ");
		value_print(&o, s->ev->program, r->goal, s->ev->program->nodes.at[g->value].type);
	}
	diag_help(d, "%.*s", (int)o.n, o.p);
}

/* Conditions that need no cost model are named where no candidate keeps all of them. */
static struct diag *begin_report(struct search *s, struct span at)
{
	struct str name = sym_str(s->ev->program->names, s->sweep->name);
	struct clash clash;
	struct diag *d;

	if (s->structural == 0 && clash_find(s, &clash))
		return clash_message(s, &clash, at);
	d = diag_new(s->ev->sink, E2401, at);
	diag_message(d, "no candidate of `%.*s` is feasible", (int)name.n, name.p);
	return d;
}

void search_report_nothing(struct search *s, struct span at)
{
	const struct search_relief *reliefs;
	struct easing e;
	struct diag *d;
	uint32_t n;

	ease(&e, s);
	reliefs = collect(&e, &n);
	d = begin_report(s, at);
	if (d->code == E2401)
		note_counts(s, d);
	note_messages(s, d);
	if (e.nearest.number != 0)
		draw_nearest(s, d, &e);
	for (uint32_t i = 0; i < n && i < SHOWN_MAX; i++)
		help_relief(s, d, &reliefs[i]);
	if (n > SHOWN_MAX)
		diag_note(d, "%u more sets could be given up", n - SHOWN_MAX);
	if (e.cut)
		diag_note(d, "found with %d evaluations; there may be more", EVALUATIONS_MAX);
	diag_submit(d);
	search_rest(s);
}
