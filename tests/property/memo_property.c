/*
 * memo_property.c - what is remembered between evaluations never changes an answer.
 *
 * Random jobs and variants of them - other states, batches, overlap, recomputation, layouts - are
 * evaluated by themselves and with one memory for all of them; every figure has to be the same to the
 * last bit. The seed is printed when one is not; give it as the first argument, the rounds as the second.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/unit/engine_draw.h"

enum { ROUNDS = 1500, VARIANTS = 6 };

static void vary(struct run *r, struct engine_input *in)
{
	switch (draw_pick(r, 0, 9)) {
	case 0:
		in->parallel.zero = (enum zero_level)draw_pick(r, 0, 3);
		break;
	case 1:
		in->batch.micro_batches *= draw_pick(r, 1, 3);
		break;
	case 2:
		in->overlap.gradient_reduce = draw_coin(r);
		in->overlap.parameter_gather = draw_coin(r);
		break;
	case 3:
		in->overlap.tensor = draw_coin(r);
		in->overlap.dispatch = draw_coin(r);
		in->overlap.shared_expert = draw_coin(r);
		in->overlap.context = draw_coin(r);
		break;
	case 4:
		in->overlap.pipeline = draw_coin(r);
		break;
	case 5:
		in->recompute.granularity = (enum recompute_granularity)draw_pick(r, 0, 2);
		in->recompute.modules = (uint32_t)draw_pick(r, 0, 63);
		break;
	case 6:
		in->recompute.early_stop = draw_coin(r);
		in->recompute.distribute = draw_coin(r);
		break;
	case 7:
		in->parallel.bucket = draw_pick(r, 0, 1) * 4000000;
		in->parallel.reshard = draw_coin(r);
		in->parallel.shard = draw_pick(r, 0, 2);
		break;
	case 8:
		in->batch.micro *= draw_pick(r, 1, 2);
		break;
	default:
		in->optimizer.clip = draw_coin(r);
		in->optimizer.kind = (enum optimizer_kind)draw_pick(r, 0, 3);
		break;
	}
}

static void compare(const struct run *r, const struct engine_result *a, const struct engine_result *b)
{
	draw_require(r, memcmp(&a->step, &b->step, sizeof a->step) == 0, "the same step");
	draw_require(r, memcmp(&a->throughput, &b->throughput, sizeof a->throughput) == 0,
		     "the same throughput");
	draw_require(r, memcmp(&a->counts, &b->counts, sizeof a->counts) == 0, "the same counts");
	draw_require(r, a->memory.peak == b->memory.peak && a->memory.reserved == b->memory.reserved &&
				a->memory.worst_stage == b->memory.worst_stage &&
				a->memory.host == b->memory.host,
		     "the same memory");
	draw_require(r, a->efficiency.hit == b->efficiency.hit &&
				a->efficiency.missed_count == b->efficiency.missed_count,
		     "the same shapes");
	draw_require(r, a->stage_count == b->stage_count &&
				memcmp(a->stages, b->stages,
				       (size_t)a->stage_count * sizeof *a->stages) == 0,
		     "the same stages");
}

static void check(struct run *r, struct engine_memo *memo, const struct engine_input *in)
{
	struct engine_result alone, like;
	struct engine_error error;
	enum engine_status status = engine_evaluate(in, &r->arena, &alone, &error);
	enum engine_status again = engine_evaluate_like(in, memo, &r->arena, &like, &error);

	draw_require(r, status == again, "the same refusals");
	if (status != ENGINE_OK)
		return;
	r->evaluated++;
	compare(r, &alone, &like);
}

int main(int argc, char **argv)
{
	static struct run r;
	struct arena kept, around;
	struct engine_memo *memo;
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS;

	r.dice = dice_make(argc > 1 ? strtoull(argv[1], NULL, 10) : 20261130);
	arena_init(&r.arena, NULL);
	arena_init(&kept, NULL);
	arena_init(&around, NULL);
	memo = engine_memo_make(&around, &kept);
	draw_machine(&r);
	for (r.round = 0; r.round < rounds; r.round++) {
		struct arena_mark mark = arena_mark(&r.arena);
		struct engine_input in = draw_job(&r);

		check(&r, memo, &in);
		for (int i = 0; i < VARIANTS; i++) {
			vary(&r, &in);
			check(&r, memo, &in);
		}
		arena_reset(&r.arena, mark);
	}
	printf("memo_property: seed %" PRIu64 ", %d rounds, %" PRIi64 " answers\n", r.dice.seed, rounds,
	       r.evaluated);
	draw_require(&r, r.evaluated > rounds, "most jobs have an answer");
	arena_release(&r.arena);
	arena_release(&kept);
	arena_release(&around);
	return 0;
}
