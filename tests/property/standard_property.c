/*
 * standard_property.c - what anybody would take for granted about memory, work and folds, on random
 * jobs under the profile `standard`.
 *
 * The seed is printed; give it as the first argument to repeat a run, the rounds as the second.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tests/unit/engine_draw.h"

enum { ROUNDS = 1500 };

static struct engine_input draw_standard(struct run *r)
{
	struct engine_input in = draw_job(r);

	profile_init(&r->profile, PROFILE_STANDARD);
	in.parallel.reshard = draw_coin(r);
	return in;
}

/* What a rank holds all the time. */
static int64_t held_bytes(const struct engine_stage *s)
{
	return s->weights + s->gradients + s->optimizer + s->other_static;
}

/* Each level of sharding holds no more than the one before it, on every rank. */
static void zero_holds_less(struct run *r)
{
	struct engine_input in = draw_standard(r);
	struct engine_result before, after;

	in.parallel.zero = ZERO_OFF;
	before = draw_evaluate(r, &in);
	for (int z = ZERO_OPTIMIZER; z <= ZERO_PARAMETERS; z++) {
		in.parallel.zero = (enum zero_level)z;
		after = draw_evaluate(r, &in);
		for (int64_t i = 0; i < in.parallel.pp; i++)
			draw_require(r, held_bytes(&after.stages[i]) <= held_bytes(&before.stages[i]),
				     "more sharding holds no more");
		before = after;
	}
}

/* More tensor parallelism, on as many times more GPUs: no rank holds more weights. */
static void tensor_holds_less(struct run *r)
{
	struct engine_input in = draw_standard(r);
	struct engine_parallel *p = &in.parallel;
	struct engine_result before = draw_evaluate(r, &in), after;
	struct engine_error error;

	p->tp *= 2;
	p->world *= 2;
	p->edp *= 2;
	in.batch.sequence *= 2; /* divides by tp as before */
	if (engine_evaluate(&in, &r->arena, &after, &error) != ENGINE_OK) {
		/* Heads or widths that are odd. */
		draw_require(r, error.status == ENGINE_SPLIT, "twice the tp splits or says why not");
		return;
	}
	for (int64_t i = 0; i < p->pp; i++)
		draw_require(r, after.stages[i].weights <= before.stages[i].weights,
			     "more tp holds no more weights");
}

/*
 * Whole layers, or the core of attention, run again: no more is kept, and no less time is taken. In
 * latent attention views of the low ranks belong to the core's module and keep inputs of their own.
 */
static void recompute_keeps_less(struct run *r)
{
	struct engine_input in = draw_standard(r);
	struct engine_result plain, again;

	in.recompute = (struct engine_recompute){
		.granularity = draw_coin(r) ? RECOMPUTE_FULL : RECOMPUTE_SELECTIVE,
		.method = (enum recompute_method)draw_pick(r, 0, 2),
		.layers = draw_pick(r, 1, 3),
		.modules = UINT32_C(1) << MODULE_CORE_ATTN,
	};
	in.recompute.enabled = false;
	plain = draw_evaluate(r, &in);
	in.recompute.enabled = true;
	again = draw_evaluate(r, &in);
	draw_require(r, again.step.time >= plain.step.time * (1 - 1e-12),
		     "recomputation takes no less time");
	if (in.model.attention.kind == ATTENTION_MLA && in.recompute.granularity == RECOMPUTE_SELECTIVE)
		return;
	for (int64_t i = 0; i < plain.stage_count; i++)
		draw_require(r, again.stages[i].activations <= plain.stages[i].activations,
			     "recomputation keeps no more");
}

/* FLOPs of one micro-batch in forward and backward, all ranks of a replica together. */
static double replica_flops(const struct engine_input *in, const struct engine_result *result)
{
	double flops = 0;

	for (int64_t i = 0; i < result->stage_count; i++)
		flops += result->stages[i].forward_flops + result->stages[i].backward_flops;
	return flops * (double)in->parallel.tp * (double)in->parallel.cp;
}

/*
 * However the axes are folded, a replica does the model's work. A linear with its whole weight on
 * every rank repeats it over tp, and experts pad: dense models with split linears have the law exactly.
 */
static void folds_keep_work(struct run *r)
{
	struct engine_input in = draw_standard(r), one;
	struct engine_result folded, whole;
	struct engine_layout_stage all = { .embedding = true, .loss = true };
	double a, b;

	if (in.model.attention.kind == ATTENTION_MLA || in.model.moe.experts > 1)
		return;
	in.model.pad_vocab = false;
	in.model.vocab = in.parallel.tp * draw_pick(r, 100, 20000);
	in.recompute.granularity = RECOMPUTE_OFF;
	folded = draw_evaluate(r, &in);
	one = in;
	all.layers = in.model.layers;
	for (int64_t i = 0; i < in.parallel.stage_count; i++)
		all.mtp += in.parallel.stages[i].mtp;
	one.parallel = (struct engine_parallel){ .world = 1, .tp = 1, .cp = 1, .pp = 1, .vpp = 1, .ep = 1,
						 .etp = 1, .dp = 1, .edp = 1,
						 .schedule = SCHEDULE_ONE_F_ONE_B, .stages = &all,
						 .stage_count = 1 };
	whole = draw_evaluate(r, &one);
	a = replica_flops(&in, &folded);
	b = replica_flops(&one, &whole);
	draw_require(r, fabs(a - b) <= 1e-9 * b, "a fold changes no FLOPs");
	draw_require(r, folded.counts.flops_per_token == whole.counts.flops_per_token,
		     "model FLOPs know nothing of folds");
}

/* Twice the micro-batches: twice the tokens, in more time. */
static void batches_double(struct run *r)
{
	struct engine_input in = draw_standard(r);
	struct engine_result once = draw_evaluate(r, &in), twice;

	in.batch.micro_batches *= 2;
	twice = draw_evaluate(r, &in);
	draw_require(r, twice.counts.tokens_per_step == 2 * once.counts.tokens_per_step,
		     "twice the micro-batches are twice the tokens");
	draw_require(r, twice.step.time > once.step.time, "and take longer");
}

int main(int argc, char **argv)
{
	static void (*const laws[])(struct run *) = { zero_holds_less, tensor_holds_less,
						      recompute_keeps_less, folds_keep_work,
						      batches_double };
	struct run r = { .dice = dice_make(argc > 1 ? strtoull(argv[1], NULL, 10) : 20250711) };
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS;

	arena_init(&r.arena, NULL);
	draw_machine(&r);
	for (r.round = 0; r.round < rounds; r.round++) {
		struct arena_mark mark = arena_mark(&r.arena);

		for (size_t i = 0; i < PLAN_COUNT(laws); i++)
			laws[i](&r);
		arena_reset(&r.arena, mark);
	}
	printf("standard_property: seed %" PRIu64 ", %d rounds, %" PRIi64 " evaluations\n", r.dice.seed,
	       rounds, r.evaluated);
	arena_release(&r.arena);
	return 0;
}
