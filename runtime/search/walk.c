/* walk.c - goes through all candidates in order, with what is broken already known at every level. */
#include "runtime/search/search_int.h"

struct walk {
	struct search *s;
	walk_function *f;
	void *context;
	uint64_t number;
	uint64_t *sets;              /* of each level */
	uint32_t *failed;            /* of each level: row of a message, or 0 */
	bool stop;
};

/* A candidate that breaks nothing but has a condition that cannot be computed. */
static void give(struct walk *w, uint64_t *set, uint32_t failed)
{
	uint32_t words = w->s->verdicts->words;

	if (failed != 0 && set_is_empty(set, words))
		rowset_add(set, failed);
	w->stop = !w->f(w->s, ++w->number, set, w->context);
}

static void walk_level(struct walk *w, uint32_t k)
{
	struct space *sp = w->s->space;
	uint32_t words = w->s->verdicts->words;
	uint64_t *outer = &w->sets[k * words], *inner = &w->sets[(k + 1) * words];

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

void search_walk(struct search *s, walk_function *f, void *context)
{
	struct walk w = { .s = s, .f = f, .context = context };
	uint32_t levels = s->space->n + 2;

	verdicts_begin(s->verdicts);
	w.sets = ARENA_ARRAY(s->ev->lasting, uint64_t, (size_t)levels * s->verdicts->words);
	w.failed = ARENA_ARRAY(s->ev->lasting, uint32_t, levels);
	verdicts_level(s->verdicts, 0, w.sets, &w.failed[0]);
	walk_level(&w, 0);
}
