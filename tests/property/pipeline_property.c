/*
 * pipeline_property.c - the time of many micro-batches, told from few, is that of the whole walk.
 *
 * Random pipelines under every order and way of sending, with one chunk and with several; the answers
 * have to be equal to the last bit. Where all stages are alike, bubbles are those of the papers. The seed is printed; give it as the first argument to repeat a run, the
 * rounds as the second.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "runtime/engine/cost.h"
#include "tests/unit/dice.h"

enum { ROUNDS = 1500, RANKS_MAX = 24, CHUNKS_MAX = 4, QUEUE_BYTES = 16 * 1024 * 1024 };

struct run {
	struct dice dice;
	int round;
	struct arena arena;
	double forward[RANKS_MAX * CHUNKS_MAX], backward[RANKS_MAX * CHUNKS_MAX];
	double transfer[RANKS_MAX * CHUNKS_MAX], weight[RANKS_MAX * CHUNKS_MAX];
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
		r->weight[i] = r->backward[i] * (double)dice_pick(&r->dice, 0, 10) / 10;
	}
	for (int64_t i = 0; i < stages; i++)
		r->transfer[i] = alike ? transfer : seconds(r, 1, 9000);
}

/* Orders that cut backwards in two. */
static struct pipeline draw_split(struct run *r, struct pipeline p)
{
	p.order = (enum pipeline_order)dice_pick(&r->dice, ORDER_ZB1P, ORDER_DUALPIPE);
	p.blocking = false;
	p.chunks = 1;
	p.micro_batches = dice_pick(&r->dice, 1, 400);
	if (p.order == ORDER_DUALPIPE) {
		p.ranks += p.ranks % 2;
		p.chunks = 2;
		p.micro_batches = 2 * (p.ranks + dice_pick(&r->dice, 0, 200));
	}
	p.group = p.ranks;
	draw_times(r, p.ranks);
	return p;
}

static struct pipeline draw_pipeline(struct run *r)
{
	struct pipeline p = { .ranks = dice_pick(&r->dice, 2, RANKS_MAX - 1),
			      .chunks =
				      dice_coin(&r->dice) ? 1 : dice_pick(&r->dice, 2, CHUNKS_MAX),
			      .blocking = dice_coin(&r->dice),
			      .overlapped = dice_coin(&r->dice),
			      .forward = r->forward,
			      .backward = r->backward,
			      .weight = r->weight,
			      .transfer = r->transfer };

	if (dice_pick(&r->dice, 0, 2) == 0)
		return draw_split(r, p);
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

/*
 * Ranks that are alike queue up behind their sends and take turns in being late: it takes as many periods as
 * there are of them to come back to the same place, and few micro-batches still tell.
 */
static void check_queue(struct run *r)
{
	struct pipeline p = { .ranks = RANKS_MAX,
			      .chunks = 1,
			      .group = RANKS_MAX,
			      .micro_batches = dice_pick(&r->dice, 100000, 110000),
			      .forward = r->forward,
			      .backward = r->backward,
			      .weight = r->weight,
			      .transfer = r->transfer };
	double all;

	for (int64_t i = 0; i < p.ranks; i++) {
		bool end = i < 2 || i >= p.ranks - 3;

		r->forward[i] = end ? seconds(r, 1000, 50000) : 0.013;
		r->backward[i] = end ? seconds(r, 1000, 100000) : 0.034;
		r->transfer[i] = i + 1 < p.ranks ? 0.00035 : 0;
	}
	require(r, pipeline_time(&p, &r->arena, &all), "a queue finishes");
	require(r, all > (double)p.micro_batches * 0.047, "it is as slow as each rank in it");
	require(r, r->arena.total < QUEUE_BYTES, "nobody walks over all its micro-batches");
}

/* What ranks wait when all stages are alike and transfers take no time. */
static double bubble(struct run *r, struct pipeline p, enum pipeline_order order)
{
	double all;

	p.order = order;
	p.chunks = order == ORDER_DUALPIPE ? 2 : 1;
	p.group = p.ranks;
	require(r, pipeline_time(&p, &r->arena, &all), "a schedule of equal stages finishes");
	return all - (double)p.micro_batches * (p.forward[0] + p.backward[0]);
}

static bool near(double a, double b, double scale)
{
	return fabs(a - b) < 1e-9 * scale;
}

/*
 * 1F1B waits (p - 1)(F + B), ZB-H1 (p - 1)(F + B - 2 W) with B the whole backward, as long as no part
 * is longer than it may be; ZB-H2 nothing where F, B - W and W are alike (arXiv:2401.10241, table 2).
 * DualPipe waits (p/2 - 1)(F&B + B - 3 W) (arXiv:2412.19437, table 2).
 */
static void check_papers(struct run *r)
{
	struct pipeline p = { .ranks = 2 * dice_pick(&r->dice, 1, RANKS_MAX / 2),
			      .forward = r->forward,
			      .backward = r->backward,
			      .weight = r->weight,
			      .transfer = r->transfer,
			      .overlapped = true };
	double f = seconds(r, 50000, 90000), w = f * (double)dice_pick(&r->dice, 70, 100) / 100;
	double b = f + w, ranks = (double)p.ranks, plain, one, two, both;

	p.micro_batches = 2 * p.ranks + 2 * dice_pick(&r->dice, 0, 20);
	for (int64_t i = 0; i < p.ranks; i++) {
		r->forward[i] = f;
		r->backward[i] = b;
		r->weight[i] = w;
		r->transfer[i] = 0;
	}
	plain = bubble(r, p, ORDER_ALTERNATE);
	one = bubble(r, p, ORDER_ZB1P);
	two = bubble(r, p, ORDER_ZB2P);
	both = bubble(r, p, ORDER_DUALPIPE);
	require(r, near(plain, (ranks - 1) * (f + b), f), "1F1B waits (p - 1)(F + B)");
	require(r, near(one, (ranks - 1) * (f + b - 2 * w), f), "ZB-H1 waits (p - 1)(F + B - 2 W)");
	require(r, two <= one + 1e-9 * f && one <= plain, "more that waits, less to wait for");
	require(r, w < f || near(two, 0, f), "ZB-H2 does not wait");
	require(r, near(both, (ranks / 2 - 1) * (f + b + b - 3 * w), f),
		"DualPipe waits (p/2 - 1)(F&B + B - 3 W)");
}

int main(int argc, char **argv)
{
	struct run r = { .dice = dice_make(argc > 1 ? strtoull(argv[1], NULL, 10) : 20240607) };
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS;

	arena_init(&r.arena, NULL);
	for (r.round = 0; r.round < rounds; r.round++) {
		struct arena_mark mark = arena_mark(&r.arena);

		check_round(&r);
		check_papers(&r);
		if (r.round % 100 == 0)
			check_queue(&r);
		arena_reset(&r.arena, mark);
	}
	printf("pipeline_property: seed %" PRIu64 ", %d rounds\n", r.dice.seed, rounds);
	arena_release(&r.arena);
	return 0;
}
