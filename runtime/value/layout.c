/* layout.c - pipeline layouts: the constructors, their normal form, their members.
 *
 * The normal form is a text. Megatron's own notation where it can say the layout (counts and
 * written stages), a call otherwise. Two layouts that distribute alike have the same text, so
 * equality needs nothing else.
 */
#include "runtime/value/layout.h"

const struct layout *layout_make_even(struct arena *a, enum layout_kind kind, int64_t embedding,
				      int64_t loss)
{
	struct layout *l = ARENA_NEW(a, struct layout);
	*l = (struct layout){ .kind = kind,
			      .embedding = embedding,
			      .loss = loss,
			      .well_formed = true,
			      .mtp_well_placed = true };
	struct out o;
	out_init(&o, a);
	out_text(&o, kind == LAYOUT_EVEN ? "even(" : "balanced(");
	if (embedding)
		out_printf(&o, "embedding = %lld", (long long)embedding);
	if (loss)
		out_printf(&o, "%sloss = %lld", embedding ? ", " : "", (long long)loss);
	out_char(&o, ')');
	l->text = str_copy(a, out_view(&o));
	return l;
}

const struct layout *layout_make_ends(struct arena *a, const int64_t *first, const int64_t *last)
{
	struct layout *l = ARENA_NEW(a, struct layout);
	*l = (struct layout){ .kind = LAYOUT_ENDS,
			      .has_first = first != NULL,
			      .has_last = last != NULL,
			      .first = first ? *first : 0,
			      .last = last ? *last : 0,
			      .well_formed = true,
			      .mtp_well_placed = true };
	struct out o;
	out_init(&o, a);
	out_text(&o, "ends(");
	if (first)
		out_printf(&o, "first = %lld", (long long)*first);
	if (last)
		out_printf(&o, "%slast = %lld", first ? ", " : "", (long long)*last);
	out_char(&o, ')');
	l->text = str_copy(a, out_view(&o));
	return l;
}

/* ---- the text of written stages -------------------------------------------------------------- */

static bool stage_equal(struct layout_stage a, struct layout_stage b)
{
	return a.embedding == b.embedding && a.loss == b.loss && a.layers == b.layers &&
	       a.mtp == b.mtp;
}

static void print_run(struct out *o, char c, int64_t n)
{
	if (n > 2)
		out_printf(o, "%c*%lld", c, (long long)n);
	else
		out_repeat(o, c, (uint32_t)n);
}

static void print_stage(struct out *o, struct layout_stage s)
{
	if (s.embedding)
		out_char(o, 'E');
	print_run(o, 't', s.layers);
	print_run(o, 'm', s.mtp);
	if (s.loss)
		out_char(o, 'L');
}

/* The last stage has no bar behind it, so it never joins a repeated group. */
static void print_stages(struct out *o, const struct layout_stage *at, uint32_t n)
{
	for (uint32_t i = 0; i < n;) {
		uint32_t same = 1;
		while (i + same + 1 < n && stage_equal(at[i], at[i + same]))
			same++;
		bool empty = !at[i].embedding && !at[i].loss && !at[i].layers && !at[i].mtp;
		if (i + 1 == n) {
			print_stage(o, at[i]);
			return;
		}
		if (same < 3) {
			print_stage(o, at[i++]);
			out_char(o, '|');
			continue;
		}
		if (!empty) {
			out_char(o, '(');
			print_stage(o, at[i]);
		}
		out_printf(o, "|%s*%u", empty ? "" : ")", same);
		i += same;
	}
}

const struct layout *layout_make_counts(struct arena *a, const int64_t *counts, uint32_t n)
{
	struct layout *l = ARENA_NEW(a, struct layout);
	*l = (struct layout){ .kind = LAYOUT_COUNTS,
			      .counts = counts,
			      .count = n,
			      .well_formed = true,
			      .mtp_well_placed = true };
	struct layout_stage *stages = ARENA_ARRAY(a, struct layout_stage, n);
	for (uint32_t i = 0; i < n; i++)
		stages[i] = (struct layout_stage){ i == 0, i + 1 == n, counts[i], 0 };
	struct out o;
	out_init(&o, a);
	print_stages(&o, stages, n);
	l->text = str_copy(a, out_view(&o));
	return l;
}

/* What is seen while the letters of a layout go by. */
struct walk {
	struct layout_stage *stage;
	bool ordered; /* inside every stage: E, then t, then m, then L */
	uint32_t embeddings, losses;
	bool after_mtp; /* a layer behind the first m */
	int64_t mtp_stages;
	int rank; /* how far the present stage has come: E 1, t 2, m 3, L 4 */
};

static void take_letter(struct walk *w, char c)
{
	int rank = 0;
	switch (c) {
	case 'E':
		rank = 1;
		w->embeddings++;
		w->stage->embedding = true;
		break;
	case 't':
		rank = 2;
		w->after_mtp |= w->mtp_stages > 0;
		w->stage->layers++;
		break;
	case 'm':
		rank = 3;
		w->mtp_stages += w->stage->mtp == 0;
		w->stage->mtp++;
		break;
	default:
		rank = 4;
		w->losses++;
		w->stage->loss = true;
		break;
	}
	if (rank < w->rank)
		w->ordered = false;
	w->rank = rank;
}

static uint32_t count_bars(const struct letters *l)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < l->n; i++)
		n += l->at[i].c == '|';
	return n;
}

static bool check_letters(const struct letters *l, struct letters_fault *fault)
{
	for (uint32_t i = 0; i < l->n; i++) {
		if (strchr("Etm|L", l->at[i].c))
			continue;
		*fault = (struct letters_fault){ l->at[i].offset, 1,
						 "stages are written with E, t, m, L and |" };
		return false;
	}
	if (l->n > 0)
		return true;
	*fault = (struct letters_fault){ 0, 1, "a layout needs at least one stage" };
	return false;
}

/* A layout that is not in order keeps the author's spelling, without what is free. */
static struct str plain_text(struct arena *a, struct str text)
{
	struct out o;
	out_init(&o, a);
	for (uint32_t i = 0; i < text.n; i++) {
		if (!strchr(" \t\n,", text.p[i]))
			out_char(&o, text.p[i]);
	}
	return str_copy(a, out_view(&o));
}

const struct layout *layout_parse(struct arena *a, struct str text, struct letters_fault *fault)
{
	struct letters letters;
	if (!letters_expand(a, text, true, &letters, fault) || !check_letters(&letters, fault))
		return NULL;
	uint32_t n = count_bars(&letters) + 1;
	struct layout_stage *stages = ARENA_ARRAY(a, struct layout_stage, n);
	struct walk w = { .stage = stages, .ordered = true };
	for (uint32_t i = 0; i < letters.n; i++) {
		if (letters.at[i].c == '|') {
			w.stage++;
			w.rank = 0;
		} else {
			take_letter(&w, letters.at[i].c);
		}
	}
	struct layout *l = ARENA_NEW(a, struct layout);
	*l = (struct layout){ .kind = LAYOUT_LISTED, .listed = stages, .stage_count = n };
	l->well_formed = w.embeddings == 1 && w.losses == 1 && stages[0].embedding &&
			 stages[n - 1].loss && letters.at[0].c == 'E' &&
			 letters.at[letters.n - 1].c == 'L';
	l->mtp_well_placed = w.mtp_stages <= 1 && !w.after_mtp;
	struct out o;
	out_init(&o, a);
	if (w.ordered && w.embeddings <= 1 && w.losses <= 1)
		print_stages(&o, stages, n);
	l->text = o.n > 0 ? str_copy(a, out_view(&o)) : plain_text(a, text);
	return l;
}

/* ---- members --------------------------------------------------------------------------------- */

bool layout_equal(const struct layout *a, const struct layout *b)
{
	return a == b || str_equal(a->text, b->text);
}

static struct value layers_of(const struct layout *l)
{
	int64_t sum = 0;
	if (l->kind == LAYOUT_COUNTS) {
		for (uint32_t i = 0; i < l->count; i++)
			sum += l->counts[i];
		return value_int(sum);
	}
	if (l->kind != LAYOUT_LISTED)
		return value_none();
	for (uint32_t i = 0; i < l->stage_count; i++)
		sum += l->listed[i].layers;
	return value_int(sum);
}

static struct value mtp_of(const struct layout *l)
{
	int64_t sum = 0;
	if (l->kind != LAYOUT_LISTED)
		return value_none();
	for (uint32_t i = 0; i < l->stage_count; i++)
		sum += l->listed[i].mtp;
	return value_int(sum);
}

/* The written stage with the first m, from 0. */
static struct value mtp_stage_of(const struct layout *l)
{
	for (uint32_t i = 0; l->kind == LAYOUT_LISTED && i < l->stage_count; i++)
		if (l->listed[i].mtp > 0)
			return value_int(i);
	return value_none();
}

/* Layers of the largest entry of counts() or stage of stages(). */
static struct value largest_of(const struct layout *l)
{
	int64_t most = 0;

	if (l->kind != LAYOUT_COUNTS && l->kind != LAYOUT_LISTED)
		return value_none();
	for (uint32_t i = 0; l->kind == LAYOUT_COUNTS && i < l->count; i++)
		most = l->counts[i] > most ? l->counts[i] : most;
	for (uint32_t i = 0; l->kind == LAYOUT_LISTED && i < l->stage_count; i++)
		most = l->listed[i].layers > most ? l->listed[i].layers : most;
	return value_int(most);
}

/* Layers of each entry of counts() or stage of stages(); empty where the job has to spread them. */
static struct value counts_of(struct arena *a, const struct layout *l)
{
	uint32_t n = l->kind == LAYOUT_COUNTS ? l->count : l->stage_count;
	struct value *at = ARENA_ARRAY(a, struct value, n);
	struct list *list = ARENA_NEW(a, struct list);

	for (uint32_t i = 0; i < n; i++)
		at[i] = value_int(l->kind == LAYOUT_COUNTS ? l->counts[i] : l->listed[i].layers);
	*list = (struct list){ .at = at, .n = n };
	return (struct value){ .kind = VALUE_LIST, .list = list };
}

struct value layout_get_member(struct arena *a, const struct layout *l, enum layout_member member)
{
	switch (member) {
	case LAYOUT_KIND:
		return value_enum((uint32_t)l->kind);
	case LAYOUT_STAGES:
		return l->kind == LAYOUT_LISTED ? value_int(l->stage_count) : value_none();
	case LAYOUT_LAYERS:
		return layers_of(l);
	case LAYOUT_MTP:
		return mtp_of(l);
	case LAYOUT_ENTRIES:
		return l->kind == LAYOUT_COUNTS ? value_int(l->count) : value_none();
	case LAYOUT_EMBEDDING:
		return value_int(l->embedding);
	case LAYOUT_LOSS:
		return value_int(l->loss);
	case LAYOUT_FIRST:
		return l->has_first ? value_int(l->first) : value_none();
	case LAYOUT_LAST:
		return l->has_last ? value_int(l->last) : value_none();
	case LAYOUT_TEXT:
		return value_string(l->text);
	case LAYOUT_WELL_FORMED:
		return value_bool(l->well_formed);
	case LAYOUT_MTP_WELL_PLACED:
		return value_bool(l->mtp_well_placed);
	case LAYOUT_MTP_STAGE:
		return mtp_stage_of(l);
	case LAYOUT_LARGEST:
		return largest_of(l);
	case LAYOUT_PER_STAGE:
		return counts_of(a, l);
	case LAYOUT_MEMBER_COUNT:
		break;
	}
	return value_poison();
}

void layout_print_source(struct out *o, const struct layout *l)
{
	if (l->kind == LAYOUT_LISTED) {
		out_text(o, "stages(\"");
		out_str(o, l->text);
		out_text(o, "\")");
		return;
	}
	if (l->kind != LAYOUT_COUNTS) {
		out_str(o, l->text);
		return;
	}
	out_text(o, "counts([");
	for (uint32_t i = 0; i < l->count; i++)
		out_printf(o, "%s%lld", i ? ", " : "", (long long)l->counts[i]);
	out_text(o, "])");
}
