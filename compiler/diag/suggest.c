/* suggest.c - "did you mean": the names nearest to a misspelt one. */
#include "compiler/diag/diag.h"

enum {
	SUGGESTIONS_MAX = 3,
	RANK_STEP = 2,               /* of one edit; a preferred name gains half a step */
	PART_LETTERS_MIN = 4
};

void suggestions_init(struct suggestions *s, struct arena *a, struct str wrong)
{
	*s = (struct suggestions){ .arena = a, .wrong = wrong };
}

static int edits_allowed(struct str wrong)
{
	return wrong.n < 3 ? 0 : wrong.n < 5 ? 1 : 2;
}

static bool same_but_for_case(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (uint32_t i = 0; i < a.n; i++)
		if ((a.p[i] | 0x20) != (b.p[i] | 0x20))
			return false;
	return true;
}

/* `parallel` for `sequence_parallel`: whole words of a longer name. */
static bool is_part_of(struct str part, struct str name)
{
	if (part.n < PART_LETTERS_MIN || part.n >= name.n)
		return false;
	for (uint32_t i = 0; i + part.n <= name.n; i++) {
		bool starts = i == 0 || name.p[i - 1] == '_';
		bool ends = i + part.n == name.n || name.p[i + part.n] == '_';
		if (starts && ends && memcmp(name.p + i, part.p, part.n) == 0)
			return true;
	}
	return false;
}

/* Smaller is nearer; -1: too far. */
static int rank_of(struct str wrong, struct str candidate, bool preferred)
{
	int limit = edits_allowed(wrong), distance;

	if (same_but_for_case(wrong, candidate))
		return preferred ? 0 : 1;
	distance = limit == 0 ? 1 : str_distance(wrong, candidate, limit);
	if (distance <= limit)
		return distance * RANK_STEP + (preferred ? 0 : 1);
	if (is_part_of(wrong, candidate) || is_part_of(candidate, wrong))
		return 3 * RANK_STEP + (preferred ? 0 : 1);
	return -1;
}

/* Keeps the list sorted: by rank, then by spelling. */
void suggestions_add(struct suggestions *s, struct str candidate, bool preferred)
{
	int rank = rank_of(s->wrong, candidate, preferred);
	uint32_t at;

	if (rank < 0)
		return;
	for (at = 0; at < s->names.n; at++)
		if (str_equal(s->names.at[at], candidate))
			return;
	*VEC_ADD(s->arena, &s->names) = candidate;
	*VEC_ADD(s->arena, &s->ranks) = rank;
	for (at = s->names.n - 1; at > 0; at--) {
		int before = s->ranks.at[at - 1];
		if (before < rank || (before == rank &&
				      str_compare(s->names.at[at - 1], candidate) < 0))
			break;
		s->names.at[at] = s->names.at[at - 1];
		s->ranks.at[at] = before;
	}
	s->names.at[at] = candidate;
	s->ranks.at[at] = rank;
}

/* The place of a message may be more than the word: a text with its quotes, a path with its `std:`. */
static void fix_spelling(struct diag *d, const struct suggestions *s)
{
	struct str text = STR("");

	if (d->sink->sources && d->span.file < d->sink->sources->files.n)
		text = source_slice(d->sink->sources, d->span);
	for (uint32_t i = 0; s->wrong.n > 0 && i + s->wrong.n <= text.n; i++) {
		struct span at = { d->span.file, d->span.lo + i, d->span.lo + i + s->wrong.n };

		if (memcmp(text.p + i, s->wrong.p, s->wrong.n) != 0)
			continue;
		diag_fix(d, at, s->names.at[0], "correct the spelling");
		return;
	}
}

/* Only the nearest are named: those of the best distance, preferred or not. */
bool diag_suggest(struct diag *d, struct suggestions *s)
{
	struct out o;
	struct str text;
	uint32_t n = 0;

	while (n < s->names.n && n < SUGGESTIONS_MAX &&
	       s->ranks.at[n] / RANK_STEP == s->ranks.at[0] / RANK_STEP)
		n++;
	if (n == 0)
		return false;
	out_init(&o, d->sink->arena);
	for (uint32_t i = 0; i < n; i++) {
		out_text(&o, i == 0 ? "" : i + 1 == n ? " or " : ", ");
		out_printf(&o, "`%.*s`", (int)s->names.at[i].n, s->names.at[i].p);
	}
	text = out_view(&o);
	diag_help(d, "did you mean %.*s?", (int)text.n, text.p);
	if (n == 1)
		fix_spelling(d, s);
	return true;
}
