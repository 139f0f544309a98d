/*
 * pipeline_property.c - the time of many micro-batches, told from few, is that of the whole walk.
 *
 * Random pipelines under every way of sending, with one chunk and with several; the answers have to
 * be equal to the last bit. The seed is printed; give it as the first argument to repeat a run, the
 * rounds as the second.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/engine/cost.h"
#include "tests/unit/dice.h"

enum { ROUNDS = 1500, RANKS_MAX = 9, CHUNKS_MAX = 4 };

struct run {
	struct dice dice;
	int round;
	struct arena arena;
	double forward[RANKS_MAX * CHUNKS_MAX], backward[RANKS_MAX * CHUNKS_MAX];
	double transfer[RANKS_MAX * CHUNKS_MAX];
};

static void require(const struct run *r, bool holds, const char *law)
{
	if (holds)
		return;
	printf("pipeline_property: seed %" PRIu64 ", round %d: %s\n", r->dice.seed, r->round, law);
	exit(1);
}

/* Between `low` and `high` times a second's fraction; never a round number. */
static double seconds(struct run *r, int64_t low, int64_t high)
{
	return (double)dice_pick(&r->dice, low, high) / 7000003;
}

/* Most pipelines are alike in the middle and differ at the ends; some differ everywhere. */
static void draw_times(struct run *r, int64_t stages)
{
	bool alike = dice_pick(&r->dice, 0, 3) > 0;
	double forward = seconds(r, 1000, 90000), backward = seconds(r, 1000, 180000);
	double transfer = seconds(r, 1, 9000);

	for (int64_t i = 0; i < stages; i++) {
		bool end = i == 0 || i == stages - 1;

		r->forward[i] = alike && !end ? forward : seconds(r, 1000, 90000);
		r->backward[i] = alike && !end ? backward : seconds(r, 1000, 180000);
	}
	for (int64_t i = 0; i < stages; i++)
		r->transfer[i] = alike ? transfer : seconds(r, 1, 9000);
}

static struct pipeline draw_pipeline(struct run *r)
{
	struct pipeline p = { .ranks = dice_pick(&r->dice, 2, RANKS_MAX),
			      .chunks =
				      dice_coin(&r->dice) ? 1 : dice_pick(&r->dice, 2, CHUNKS_MAX),
			      .blocking = dice_coin(&r->dice),
			      .overlapped = dice_coin(&r->dice),
			      .forward = r->forward,
			      .backward = r->backward,
			      .transfer = r->transfer };

	p.micro_batches = dice_pick(&r->dice, 1, 400);
	p.group = p.ranks;
	if (p.chunks > 1 && p.blocking)
		p.micro_batches = p.ranks * dice_pick(&r->dice, 1, 40);
	else if (p.chunks > 1 && dice_coin(&r->dice))
		p.group += dice_pick(&r->dice, 0, 5);
	draw_times(r, p.ranks * p.chunks);
	return p;
}

/* The last group of micro-batches does not reach through the pipeline. */
static bool is_short(const struct pipeline *p)
{
	int64_t rest = p->micro_batches % p->group;

	return p->chunks > 1 && rest > 0 && rest < p->ranks;
}

static void check_round(struct run *r)
{
	struct pipeline p = draw_pipeline(r);
	double few = 0, all = 0, more = 0;
	bool told = pipeline_time(&p, &r->arena, &few);

	p.whole = true;
	require(r, pipeline_time(&p, &r->arena, &all) == told, "both finish or none does");
	require(r, told || p.blocking || is_short(&p),
		"only blocking transfers and short last groups can get stuck");
	if (!told)
		return;
	require(r, few == all, "few micro-batches tell the time of all");
	p.whole = false;
	p.micro_batches *= 10;
	if (is_short(&p))
		return;
	require(r, pipeline_time(&p, &r->arena, &more), "more of the same finishes as well");
	require(r, more > all, "and takes longer");
}

int main(int argc, char **argv)
{
	struct run r = { .dice = dice_make(argc > 1 ? strtoull(argv[1], NULL, 10) : 20240607) };
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS;

	arena_init(&r.arena, NULL);
	for (r.round = 0; r.round < rounds; r.round++) {
		struct arena_mark mark = arena_mark(&r.arena);

		check_round(&r);
		arena_reset(&r.arena, mark);
	}
	printf("pipeline_property: seed %" PRIu64 ", %d rounds\n", r.dice.seed, rounds);
	arena_release(&r.arena);
	return 0;
}
