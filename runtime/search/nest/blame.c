/* blame.c - a clash in words: how many candidates keep each of its conditions, and what can be given up.
 *
 * What a candidate breaks has to be given up for it; shown are those of which no other one breaks a part.
 */
#include "runtime/search/search_int.h"

enum { SHOWN_MAX = 6 };

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
	if (search_row_library(s, row))
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

/* Whether an author could give up all that candidates of an entry break. */
static bool is_ours(const struct search *s, const uint64_t *set)
{
	for (uint32_t i = 0; i < s->row_count; i++)
		if (rowset_has(set, i) && (!s->rows[i].condition || search_row_library(s, i)))
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

void clash_help(struct search *s, const struct clash *clash, struct diag *d)
{
	if (clash->row_count == 1)
		draw_only(s, d, clash->rows[0]);
	help_smallest(s, d, clash);
}
