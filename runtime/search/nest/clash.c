/* clash.c - whether conditions that need no cost model are kept together by any candidate: found without evaluating one.
 *
 * A candidate breaks a set of conditions. Conditions clash when every candidate breaks one of them.
 */
#include "runtime/search/search_int.h"

/* Places of the nest that are looked at: a check promises to be quick. */
enum { PLACES_MAX = 1 << 18 };

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

static void report(struct search *s, const struct clash *clash)
{
	struct diag *d = clash_message(s, clash, s->sweep->span);

	clash_help(s, clash, d);
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
