/* walk.c - goes through all candidates in order, with what is broken already known at every level. */
#include "runtime/search/search_int.h"

struct walk {
	struct search *s;
	const struct walker *f;
	struct crowds *crowds;       /* NULL: every candidate is visited */
	uint64_t number;
	uint64_t *sets;              /* of each level */
	uint32_t *failed;            /* of each level: row of a message, or 0 */
	uint64_t *both;
	uint64_t unit;
	bool stop;
};

/* A candidate that has a condition that cannot be computed: what is wrong anyway need not be computable. */
static void settle(const struct walk *w, uint64_t *set, uint32_t failed)
{
	if (failed != 0 && (w->f->strict || set_is_empty(set, w->s->verdicts->words)))
		rowset_add(set, failed);
}

static void give(struct walk *w, uint64_t *set, uint32_t failed)
{
	settle(w, set, failed);
	w->stop = !w->f->candidate(w->s, ++w->number, set, w->f->context);
}

static bool any_sound(const struct walk *w, const struct inside *in)
{
	for (uint32_t i = 0; i < in->crowds.n; i++)
		if (in->crowds.at[i].failed == 0 && set_is_empty(in->crowds.at[i].set, w->crowds->words))
			return true;
	return false;
}

/* Whether what begins here is ours. */
static bool take(struct walk *w)
{
	return !w->f->take || w->f->take(w->unit++, w->f->context);
}

/* Counts what is inside where no candidate keeps all cheap conditions; false: some may, or nobody knows. Not around
 * units: whoever looks into one of them would look into all. */
static bool cut(struct walk *w, uint32_t k)
{
	const uint64_t *outer = &w->sets[(size_t)k * w->s->verdicts->words];
	uint32_t words = w->s->verdicts->words, failed = w->failed[k];
	const struct inside *in;

	if (!w->crowds || k < w->f->unit_level || k == w->s->space->n || !crowds_remember(w->crowds, k))
		return false;
	in = crowds_inside(w->crowds, k);
	if (set_is_empty(outer, words) && failed == 0 && any_sound(w, in))
		return false;
	for (uint32_t i = 0; i < in->crowds.n; i++) {
		const struct crowd *one = &in->crowds.at[i];

		for (uint32_t j = 0; j < words; j++)
			w->both[j] = outer[j] | one->set[j];
		settle(w, w->both, failed != 0 ? failed : one->failed);
		w->f->crowd(w->s, w->both, one->count, w->number + one->first + 1, w->f->context);
	}
	w->number += in->count;
	return true;
}

static bool pass_over(struct walk *w, uint32_t k)
{
	if (k != w->f->unit_level || take(w))
		return false;
	w->number += space_count(w->s->space, k);
	return true;
}

static void walk_level(struct walk *w, uint32_t k)
{
	struct space *sp = w->s->space;
	uint32_t words = w->s->verdicts->words;
	uint64_t *outer = &w->sets[(size_t)k * words], *inner = outer + words;

	if (pass_over(w, k) || cut(w, k))
		return;
	if (w->f->level)
		w->f->level(w->s, k, w->f->context);
	if (k == sp->n) {
		give(w, outer, w->failed[k]);
		return;
	}
	if (!space_open(sp, k))
		return;
	for (uint32_t i = 0, n = space_width(&sp->axes[k]); i < n && !w->stop && !sp->failed; i++) {
		space_set(sp, k, i);
		memcpy(inner, outer, words * sizeof *inner);
		w->failed[k + 1] = w->failed[k];
		verdicts_level(w->s->verdicts, k + 1, inner, &w->failed[k + 1]);
		walk_level(w, k + 1);
	}
}

void search_walk(struct search *s, const struct walker *f)
{
	struct walk w = { .s = s, .f = f };
	uint32_t levels = s->space->n + 2;
	uint32_t words = s->verdicts->words;

	verdicts_begin(s->verdicts);
	if (f->crowd)
		w.crowds = crowds_make(s);
	w.sets = ARENA_ARRAY(s->ev->lasting, uint64_t, (size_t)levels * words);
	w.both = ARENA_ARRAY(s->ev->lasting, uint64_t, words);
	w.failed = ARENA_ARRAY(s->ev->lasting, uint32_t, levels);
	verdicts_level(s->verdicts, 0, w.sets, &w.failed[0]);
	walk_level(&w, 0);
	if (w.crowds)
		crowds_release(w.crowds);
}
