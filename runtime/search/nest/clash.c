/* clash.c - conditions that need no cost model and that no candidate keeps together: found without evaluating one.
 *
 * A candidate breaks a set of conditions. Conditions clash when every candidate breaks one of them: a smallest
 * such choice hits each of those sets. What a candidate breaks and no other one breaks less of is what has to be given up
 * for it.
 */
#include "runtime/search/search_int.h"

enum {
	PLACES_MAX = 1 << 18,        /* looked at by a check, which promises to be quick */
	CHOICES_MAX = 100000,        /* conditions chosen on the way to the smallest set of them */
	SHOWN_MAX = 6
};

/* ---- whether there is a candidate -------------------------------------------------------------- */

enum { BARREN = 1, FERTILE };

struct glance {
	struct search *s;
	struct crowds *crowds;       /* says what the inside of a level depends on */
	struct map *known;           /* of each level: key of that -> BARREN or FERTILE */
	struct arena *arena;
	uint32_t left;               /* places */
	bool cut;
};

/* Whether the conditions known at the present place of the first `level` axes, and not before, hold. */
static bool sound_at(struct glance *g, uint32_t level)
{
	uint32_t words = g->s->verdicts->words, failed = 0;
	struct arena_mark mark = arena_mark(g->arena);
	uint64_t *set = ARENA_ARRAY(g->arena, uint64_t, words);
	bool sound;

	verdicts_level(g->s->verdicts, level, set, &failed);
	sound = failed == 0 && set_is_empty(set, words);
	arena_reset(g->arena, mark);
	return sound;
}

/* Whether some candidate inside keeps everything that is tested inside. */
static bool sound_inside(struct glance *g, uint32_t level)
{
	struct space *sp = g->s->space;
	bool remembers = crowds_remember(g->crowds, level), found = false;
	uint64_t key;
	uint32_t at;

	if (level == sp->n)
		return true;
	key = remembers ? space_key(sp, g->crowds->levels[level].needs) : 0;
	at = remembers ? map_find(&g->known[level], key) : MAP_NONE;
	if (at != MAP_NONE)
		return at == FERTILE;
	if (!space_open(sp, level))
		return false;
	for (uint32_t i = 0, n = space_width(&sp->axes[level]); i < n && !found && !g->cut; i++) {
		g->cut = g->left == 0;
		g->left -= !g->cut;
		space_set(sp, level, i);
		found = sound_at(g, level + 1) && sound_inside(g, level + 1);
	}
	if (remembers && !g->cut)
		map_set(&g->known[level], key, found ? FERTILE : BARREN);
	return found;
}

/* CLASH_NONE: some candidate keeps all cheap conditions; CLASH_OPEN: nobody knows. */
static enum clash_answer glance(struct search *s, struct crowds *crowds)
{
	struct glance g = { .s = s, .crowds = crowds, .arena = &s->verdicts->arena, .left = PLACES_MAX };
	bool sound;

	g.known = ARENA_ARRAY(g.arena, struct map, s->space->n + 1);
	for (uint32_t i = 0; i <= s->space->n; i++)
		map_init(&g.known[i], &crowds->arena);
	sound = sound_at(&g, 0) && sound_inside(&g, 0);
	return sound ? CLASH_NONE : g.cut ? CLASH_OPEN : CLASH_FOUND;
}

/* ---- what the candidates break ----------------------------------------------------------------- */

/* Every candidate by what it breaks, and by the message that one leaves which cannot be computed; false: that would
 * take too long. */
static bool count_all(struct search *s, struct crowds *crowds)
{
	struct verdicts *v = s->verdicts;
	uint64_t *outer = ARENA_ARRAY(s->ev->lasting, uint64_t, v->words);
	uint64_t *both = ARENA_ARRAY(s->ev->lasting, uint64_t, v->words);
	const struct inside *in;
	uint32_t failed = 0;

	verdicts_level(v, 0, outer, &failed);
	crowds->left = PLACES_MAX;
	in = crowds_inside(crowds, 0);
	for (uint32_t i = 0; i < in->crowds.n && crowds->left > 0; i++) {
		const struct crowd *one = &in->crowds.at[i];

		for (uint32_t w = 0; w < v->words; w++)
			both[w] = outer[w] | one->set[w];
		if (failed != 0 || one->failed != 0)
			rowset_add(both, failed != 0 ? failed : one->failed);
		tally_add(s->tally, both, one->count, one->first + 1);
	}
	return crowds->left > 0;
}

/* ---- a smallest choice of conditions ------------------------------------------------------------- */

struct choice {
	const struct search *s;
	VEC(uint64_t *) sets;        /* to be hit; none contains another */
	uint64_t *chosen;
	uint32_t *order;             /* cheap conditions, those of the plan first */
	uint32_t n;
	uint32_t left;
};

static bool by_library(const struct search *s, uint32_t row)
{
	return s->rows[row].condition->rule.library;
}

static void order_rows(struct choice *c)
{
	const struct search *s = c->s;

	c->order = ARENA_ARRAY(s->ev->lasting, uint32_t, s->sweep->condition_count + 1);
	for (int library = 0; library < 2; library++)
		for (uint32_t i = 0; i < s->sweep->condition_count; i++)
			if (!s->rows[i].model && by_library(s, i) == library)
				c->order[c->n++] = i;
}

/* false: it breaks no condition, so the conditions are not to blame alone. */
static bool add_set(struct choice *c, const uint64_t *set)
{
	uint32_t words = c->s->verdicts->words, n = 0;
	uint64_t *cheap = ARENA_ARRAY(c->s->ev->lasting, uint64_t, words);

	for (uint32_t i = 0; i < c->n; i++)
		if (rowset_has(set, c->order[i]))
			rowset_add(cheap, c->order[i]);
	for (uint32_t i = 0; i < c->sets.n; i++)
		if (set_contains(cheap, c->sets.at[i], words))
			return true;
	for (uint32_t i = 0; i < c->sets.n; i++)
		if (!set_contains(c->sets.at[i], cheap, words))
			c->sets.at[n++] = c->sets.at[i];
	c->sets.n = n;
	*VEC_ADD(c->s->ev->lasting, &c->sets) = cheap;
	return !set_is_empty(cheap, words);
}

static bool meet(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if ((a[i] & b[i]) != 0)
			return true;
	return false;
}

static const uint64_t *not_hit(const struct choice *c)
{
	for (uint32_t i = 0; i < c->sets.n; i++)
		if (!meet(c->sets.at[i], c->chosen, c->s->verdicts->words))
			return c->sets.at[i];
	return NULL;
}

/* Whether `more` conditions on top of those chosen are enough. */
static bool choose(struct choice *c, uint32_t more)
{
	const uint64_t *set = not_hit(c);

	if (!set)
		return true;
	if (more == 0 || c->left == 0)
		return false;
	c->left--;
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t row = c->order[i];

		if (!rowset_has(set, row))
			continue;
		rowset_add(c->chosen, row);
		if (choose(c, more - 1))
			return true;
		c->chosen[row / 64] &= ~((uint64_t)1 << (row % 64));
	}
	return false;
}

/* All conditions, without those that are not needed: none of what is left can go, though there may be fewer. */
static void drop_needless(struct choice *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		rowset_add(c->chosen, c->order[i]);
	for (uint32_t i = c->n; i-- > 0;) {
		uint64_t bit = (uint64_t)1 << (c->order[i] % 64);

		c->chosen[c->order[i] / 64] &= ~bit;
		if (not_hit(c))
			c->chosen[c->order[i] / 64] |= bit;
	}
}

static void choose_smallest(struct choice *c)
{
	c->left = CHOICES_MAX;
	for (uint32_t size = 1; c->left > 0; size++)
		if (choose(c, size))
			return;
	drop_needless(c);
}

bool clash_find(struct search *s, struct clash *clash)
{
	struct choice c = { .s = s };

	*clash = (struct clash){ .row_count = 0 };
	order_rows(&c);
	for (uint32_t i = 0; i < s->tally->entries.n; i++)
		if (!add_set(&c, s->tally->entries.at[i].set))
			return false;
	if (c.sets.n == 0)
		return false;
	c.chosen = ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words);
	choose_smallest(&c);
	clash->rows = ARENA_ARRAY(s->ev->lasting, uint32_t, c.n + 1);
	for (uint32_t i = 0; i < c.n; i++)
		if (rowset_has(c.chosen, c.order[i]))
			clash->rows[clash->row_count++] = c.order[i];
	return true;
}

/* ---- the message ------------------------------------------------------------------------------- */

static uint64_t keepers(const struct search *s, uint32_t row)
{
	uint64_t n = s->total;

	for (uint32_t i = 0; i < s->tally->entries.n; i++)
		if (rowset_has(s->tally->entries.at[i].set, row))
			n -= s->tally->entries.at[i].count;
	return n;
}

/* "`small`, `wide` and `deep`". */
static void out_rows(const struct search *s, struct out *o, const uint32_t *rows, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		out_printf(o, "%s`%.*s`", i == 0 ? "" : i + 1 == n ? " and " : ", ", (int)s->rows[rows[i]].name.n,
			   s->rows[rows[i]].name.p);
}

static void point_at(struct search *s, struct diag *d, uint32_t row)
{
	const struct ir_assert *rule = &s->rows[row].condition->rule;
	struct str place = search_row_place(s, &s->rows[row]);
	uint64_t n = keepers(s, row);
	struct out o;

	out_init(&o, s->ev->lasting);
	if (n > 0)
		out_grouped(&o, (int64_t)n);
	else
		out_text(&o, "none");
	out_text(&o, " of ");
	out_grouped(&o, (int64_t)s->total);
	out_text(&o, n == 1 ? " keeps it" : " keep it");
	if (by_library(s, row))
		diag_note(d, "`%.*s` is a rule of %.*s: %.*s", (int)s->rows[row].name.n, s->rows[row].name.p, (int)place.n,
			  place.p, (int)o.n, o.p);
	else
		diag_label(d, rule->cond_span, "%.*s", (int)o.n, o.p);
}

/* A rule that nobody keeps is drawn with the values of the first candidate. */
static void draw_only(struct search *s, struct diag *d, uint32_t row)
{
	const struct ir_condition *k = s->rows[row].condition;
	struct str words = search_describe(s, 1);
	struct record *r = search_record(s, 1);
	struct bench_hush hush = bench_begin(s->bench);
	struct scope scope;
	bool broken = condition_scope(s, k, r, &scope);

	bench_end(s->bench, hush);
	if (!broken)
		return;
	if (words.n > 0)
		diag_note(d, "with %.*s", (int)words.n, words.p);
	assert_draw(s->ev, d, &k->rule, scope);
}

struct diag *clash_message(struct search *s, const struct clash *clash, struct span at)
{
	struct str name = sym_str(s->ev->program->names, s->sweep->name);
	struct diag *d = diag_new(s->ev->sink, E2416, at);
	struct out o;

	out_init(&o, s->ev->lasting);
	out_rows(s, &o, clash->rows, clash->row_count);
	diag_message(d, "no candidate of `%.*s` keeps %.*s%s", (int)name.n, name.p, (int)o.n, o.p,
		     clash->row_count > 1 ? " together" : "");
	for (uint32_t i = 0; i < clash->row_count; i++)
		point_at(s, d, clash->rows[i]);
	return d;
}

/* ---- the check --------------------------------------------------------------------------------- */

/* Whether an author could give up all that candidates of an entry break. */
static bool is_ours(const struct search *s, const uint64_t *set)
{
	for (uint32_t i = 0; i < s->row_count; i++)
		if (rowset_has(set, i) && (!s->rows[i].condition || by_library(s, i)))
			return false;
	return true;
}

static bool is_smallest(const struct search *s, const uint64_t *set)
{
	for (uint32_t i = 0; i < s->tally->entries.n; i++) {
		const uint64_t *other = s->tally->entries.at[i].set;

		if (other != set && set_contains(set, other, s->tally->words))
			return false;
	}
	return true;
}

/* Few conditions before many, and then in the order of the plan. */
static bool is_first(const struct search *s, const struct tally_entry *a, const struct tally_entry *b)
{
	uint32_t m = set_size(a->set, s->tally->words), n = set_size(b->set, s->tally->words);

	for (uint32_t i = 0; m == n && i < s->row_count; i++)
		if (rowset_has(a->set, i) != rowset_has(b->set, i))
			return rowset_has(a->set, i);
	return m < n;
}

static void help_set(struct search *s, struct diag *d, const struct tally_entry *e)
{
	uint32_t *rows = ARENA_ARRAY(s->ev->lasting, uint32_t, s->row_count + 1), n = 0;
	struct out o;

	for (uint32_t i = 0; i < s->row_count; i++)
		if (rowset_has(e->set, i))
			rows[n++] = i;
	out_init(&o, s->ev->lasting);
	out_text(&o, "without ");
	out_rows(s, &o, rows, n);
	out_text(&o, " there ");
	out_text(&o, e->count == 1 ? "is " : "are ");
	out_grouped(&o, (int64_t)e->count);
	out_text(&o, e->count == 1 ? " candidate" : " candidates");
	if (s->verdicts->needs_model)
		out_text(&o, " to evaluate");
	diag_help(d, "%.*s", (int)o.n, o.p);
}

/* Other values help where rules of the library stand in the way. */
static void help_axes(struct search *s, struct diag *d, const struct clash *clash)
{
	uint64_t axes = 0;
	uint32_t n = 0;
	struct out o;

	for (uint32_t i = 0; i < clash->row_count; i++)
		axes |= s->rows[clash->rows[i]].condition->reads.axes;
	out_init(&o, s->ev->lasting);
	for (uint32_t k = 0; k < search_path_count(s); k++) {
		uint32_t path = k, axis = search_axis_of(s, &path);

		if (axes >> axis & 1)
			out_printf(&o, "%s`%.*s`", n++ == 0 ? "" : ", ", (int)search_path(s, k)->text.n,
				   search_path(s, k)->text.p);
	}
	if (n > 0)
		diag_help(d, "other values are needed of %.*s", (int)o.n, o.p);
	else
		diag_help(d, "they read no axis: other values are needed in the plan that the sweep goes out from");
}

static void help_smallest(struct search *s, struct diag *d, const struct clash *clash)
{
	uint32_t most = s->tally->entries.n, n = 0;
	const struct tally_entry **at = ARENA_ARRAY(s->ev->lasting, const struct tally_entry *, most + 1);

	for (uint32_t i = 0; i < most; i++) {
		const struct tally_entry *e = &s->tally->entries.at[i];
		uint32_t k = n;

		if (!is_ours(s, e->set) || !is_smallest(s, e->set))
			continue;
		for (; k > 0 && is_first(s, e, at[k - 1]); k--)
			at[k] = at[k - 1];
		at[k] = e;
		n++;
	}
	for (uint32_t i = 0; i < n && i < SHOWN_MAX; i++)
		help_set(s, d, at[i]);
	if (n == 0)
		help_axes(s, d, clash);
}

static void report(struct search *s, const struct clash *clash)
{
	struct diag *d = clash_message(s, clash, s->sweep->span);

	if (clash->row_count == 1)
		draw_only(s, d, clash->rows[0]);
	help_smallest(s, d, clash);
	diag_submit(d);
}

enum clash_answer clash_check(struct search *s)
{
	struct crowds *crowds;
	struct clash clash;
	enum clash_answer answer;

	s->verdicts = verdicts_make(s);
	s->tally = ARENA_NEW(s->ev->lasting, struct tally);
	tally_init(s->tally, s->ev->lasting, s->verdicts->words);
	verdicts_begin(s->verdicts);
	crowds = crowds_make(s);
	answer = glance(s, crowds);
	if (answer == CLASH_FOUND && !s->space->failed) {
		if (!count_all(s, crowds))
			answer = CLASH_OPEN;
		else if (clash_find(s, &clash))
			report(s, &clash);
		else
			answer = CLASH_NONE;
	}
	crowds_release(crowds);
	verdicts_release(s->verdicts);
	return answer;
}
