/* choice.c - a smallest choice of conditions of which every candidate breaks one: it hits what each of them breaks. */
#include "runtime/search/search_int.h"

/* Conditions chosen on the way to the smallest set of them. */
enum { CHOICES_MAX = 100000 };

struct choice {
	const struct search *s;
	VEC(uint64_t *) sets;        /* to be hit; none contains another */
	uint64_t *chosen;
	uint32_t *order;             /* cheap conditions, those of the plan first */
	uint32_t n;
	uint32_t left;
};

static void order_rows(struct choice *c)
{
	const struct search *s = c->s;

	c->order = ARENA_ARRAY(s->ev->lasting, uint32_t, s->sweep->condition_count + 1);
	for (int library = 0; library < 2; library++)
		for (uint32_t i = 0; i < s->sweep->condition_count; i++)
			if (!s->rows[i].model && search_row_library(s, i) == library)
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
