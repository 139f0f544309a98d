/* crowd.c - what the cheap conditions inside a place break, and how often, without going there candidate by
 * candidate.
 *
 * Places whose axes agree as far as anything inside reads them have the same inside, which is counted
 * once. So candidates that something outside removes are counted exactly and never visited. */
#include "runtime/search/search_int.h"

/* Insides that one level remembers: more combinations are computed again every time. */
enum { INSIDES_MAX = 1 << 20 };

/* What the axes and conditions inside a level depend on outside it. */
static uint64_t needs_of(const struct search *s, uint32_t level, uint64_t inner)
{
	uint64_t outside = level >= 64 ? UINT64_MAX : ((uint64_t)1 << level) - 1;
	uint64_t needs = inner | s->space->axes[level].known_by;

	for (uint32_t i = 0; i < s->verdicts->n; i++)
		if (s->verdicts->at[i].lookup.level == level + 1 && !s->verdicts->at[i].ir->reads.model)
			needs |= s->verdicts->at[i].lookup.axes;
	return needs & outside;
}

struct crowds *crowds_make(struct search *s)
{
	uint32_t n = s->space->n;
	struct crowds *c = ARENA_NEW(s->ev->lasting, struct crowds);

	*c = (struct crowds){ .search = s, .words = s->verdicts->words, .left = UINT64_MAX };
	arena_init_under(&c->arena, s->ev->lasting);
	arena_init_under(&c->scratch, s->ev->lasting);
	c->levels = ARENA_ARRAY(s->ev->lasting, struct crowd_level, n + 1);
	for (uint32_t level = n; level-- > 0;) {
		struct crowd_level *l = &c->levels[level];
		uint64_t span;

		l->needs = needs_of(s, level, c->levels[level + 1].needs);
		span = space_span(s->space, l->needs);
		l->remembers = span > 0 && span <= INSIDES_MAX;
		map_init(&l->known, &c->arena);
	}
	return c;
}

void crowds_release(struct crowds *c)
{
	arena_release(&c->arena);
	arena_release(&c->scratch);
}

static bool same(const struct crowds *c, const struct crowd *a, const uint64_t *set, uint32_t failed)
{
	return a->failed == failed && memcmp(a->set, set, c->words * sizeof *set) == 0;
}

static void add(struct crowds *c, struct inside *in, const uint64_t *set, const struct crowd *like)
{
	struct crowd *new;

	for (uint32_t i = 0; i < in->crowds.n; i++) {
		struct crowd *known = &in->crowds.at[i];

		if (!same(c, known, set, like->failed))
			continue;
		known->count += like->count;
		if (like->first < known->first)
			known->first = like->first;
		return;
	}
	new = VEC_ADD(&c->arena, &in->crowds);
	*new = *like;
	new->set = ARENA_ARRAY(&c->arena, uint64_t, c->words);
	memcpy(new->set, set, c->words * sizeof *set);
}

/* All candidates with axis `level` at its present position. */
static void add_position(struct crowds *c, struct inside *in, uint32_t level, uint64_t times)
{
	struct arena_mark mark = arena_mark(&c->scratch);
	uint64_t *set = ARENA_ARRAY(&c->scratch, uint64_t, c->words);
	uint64_t *both = ARENA_ARRAY(&c->scratch, uint64_t, c->words);
	const struct inside *inner;
	uint32_t failed = 0;

	verdicts_level(c->search->verdicts, level + 1, set, &failed);
	inner = crowds_inside(c, level + 1);
	for (uint32_t i = 0; i < inner->crowds.n; i++) {
		const struct crowd *one = &inner->crowds.at[i];

		for (uint32_t w = 0; w < c->words; w++)
			both[w] = set[w] | one->set[w];
		add(c, in, both,
		    &(struct crowd){ .failed = failed != 0 ? failed : one->failed,
				     .count = one->count * times,
				     .first = in->count + one->first });
	}
	in->count += inner->count * times;
	arena_reset(&c->scratch, mark);
}

/* Whether anything inside tells the positions of an axis apart. */
static bool matters(const struct crowds *c, uint32_t level)
{
	return c->levels[level + 1].needs >> level & 1 ||
	       verdicts_has_level(c->search->verdicts, level + 1);
}

static void fill(struct crowds *c, struct inside *in, uint32_t level)
{
	struct space *sp = c->search->space;
	uint32_t width;

	if (!space_open(sp, level))
		return;
	width = space_width(&sp->axes[level]);
	if (!matters(c, level)) {
		add_position(c, in, level, width);
		return;
	}
	for (uint32_t i = 0; i < width && !sp->failed && c->left > 0; i++) {
		c->left--;
		space_set(sp, level, i);
		add_position(c, in, level, 1);
	}
}

static struct inside *nothing_inside(struct crowds *c)
{
	if (c->leaf.crowds.n == 0) {
		struct crowd *one = VEC_ADD(&c->arena, &c->leaf.crowds);

		one->set = ARENA_ARRAY(&c->arena, uint64_t, c->words);
		one->count = 1;
		c->leaf.count = 1;
	}
	return &c->leaf;
}

const struct inside *crowds_inside(struct crowds *c, uint32_t level)
{
	struct crowd_level *l = &c->levels[level];
	struct inside *in;
	uint64_t key;
	uint32_t at;

	if (level == c->search->space->n)
		return nothing_inside(c);
	key = l->remembers ? space_key(c->search->space, l->needs) : 0;
	at = l->remembers ? map_find(&l->known, key) : MAP_NONE;
	if (at != MAP_NONE)
		return l->insides.at[at];
	in = ARENA_NEW(&c->arena, struct inside);
	fill(c, in, level);
	if (l->remembers) {
		map_set(&l->known, key, l->insides.n);
		*VEC_ADD(&c->arena, &l->insides) = in;
	}
	return in;
}

bool crowds_remember(const struct crowds *c, uint32_t level)
{
	return level == c->search->space->n || c->levels[level].remembers;
}
