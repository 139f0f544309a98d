/* rows.c - the rows of the report: messages in their order, the three figures of every row. */
#include "runtime/search/search_int.h"

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

/* ---- messages ------------------------------------------------------------------------------------ */

/* A message with the first candidate that has it. */
struct told {
	uint32_t row;
	uint64_t first;
};

static uint64_t first_of_row(const struct search *s, uint32_t row)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 0; i < s->tally->entries.n; i++) {
		const struct tally_entry *e = &s->tally->entries.at[i];

		if (rowset_has(e->set, row) && e->first < first)
			first = e->first;
	}
	return first;
}

static uint32_t list_told(const struct search *s, struct told *at)
{
	uint32_t n = 0;

	for (uint32_t row = s->sweep->condition_count; row < s->row_count; row++) {
		struct told t = { row, first_of_row(s, row) };
		uint32_t k = n;

		if (t.first == UINT64_MAX)
			continue;
		for (; k > 0 && (at[k - 1].first > t.first || (at[k - 1].first == t.first &&
							       s->rows[at[k - 1].row].code > s->rows[row].code));
		     k--)
			at[k] = at[k - 1];
		at[k] = t;
		n++;
	}
	return n;
}

/* Rows of messages get the places of their order in all sets. */
static void rename_rows(struct search *s, const struct told *at, uint32_t n, uint64_t *scratch)
{
	uint32_t from = s->sweep->condition_count, words = s->verdicts->words;

	for (uint32_t i = 0; i < s->tally->entries.n; i++) {
		uint64_t *set = s->tally->entries.at[i].set;

		memset(scratch, 0, words * sizeof *scratch);
		for (uint32_t row = 0; row < from; row++)
			if (rowset_has(set, row))
				rowset_add(scratch, row);
		for (uint32_t k = 0; k < n; k++)
			if (rowset_has(set, at[k].row))
				rowset_add(scratch, from + k);
		memcpy(set, scratch, words * sizeof *set);
	}
}

static void settle_messages(struct search *s)
{
	uint32_t from = s->sweep->condition_count, most = s->row_count - from, n;
	struct told *at = ARENA_ARRAY(s->ev->lasting, struct told, most + 1);
	struct search_row *rows = ARENA_ARRAY(s->ev->lasting, struct search_row, most + 1);

	n = list_told(s, at);
	if (most == 0)
		return;
	rename_rows(s, at, n, ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words));
	for (uint32_t k = 0; k < n; k++) {
		rows[k] = s->rows[at[k].row];
		rows[k].text = verdicts_witness(s, at[k].first, rows[k].code);
	}
	for (uint32_t k = 0; k < n; k++)
		s->rows[from + k] = rows[k];
	s->row_count = from + n;
	verdicts_release(s->verdicts);    /* it remembers rows by their old places */
}

/* ---- counts -------------------------------------------------------------------------------------- */

void rows_count(struct search *s)
{
	uint64_t left = s->tested;

	settle_messages(s);
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
