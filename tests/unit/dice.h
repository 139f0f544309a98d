/* dice.h - repeatable random numbers for property tests. */
#ifndef PLAN_UNIT_DICE_H
#define PLAN_UNIT_DICE_H

#include "compiler/base/common.h"

struct dice {
	uint64_t seed, state;
};

static inline struct dice dice_make(uint64_t seed)
{
	return (struct dice){ seed, seed * 2 + 1 };
}

static inline uint64_t dice_draw(struct dice *d)
{
	d->state ^= d->state >> 12;
	d->state ^= d->state << 25;
	d->state ^= d->state >> 27;
	return d->state * UINT64_C(2685821657736338717);
}

/* A whole number from `from` to `to`, both included. */
static inline int64_t dice_pick(struct dice *d, int64_t from, int64_t to)
{
	return from + (int64_t)(dice_draw(d) % (uint64_t)(to - from + 1));
}

/* A power of two up to 2^most. */
static inline int64_t dice_power(struct dice *d, int most)
{
	return INT64_C(1) << dice_pick(d, 0, most);
}

static inline bool dice_coin(struct dice *d)
{
	return dice_draw(d) % 2 == 0;
}

#endif
