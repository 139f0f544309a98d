/*
 * engine_property.c - laws of the engine on random jobs: dense and with experts, grouped and latent
 * attention, narrow and wide formats, one and many chunks.
 *
 * Parts add up, more work takes no less, and no input, however absurd, is undefined. The seed is
 * printed; give it as the first argument to repeat a run, the rounds as the second.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tests/unit/engine_draw.h"
#include "tests/unit/engine_recount.h"

enum { ROUNDS = 3000 };

static void check_memory(const struct run *r, const struct engine_result *result)
{
	const struct engine_memory *m = &result->memory;

	draw_require(r,
		m->weights + m->gradients + m->optimizer + m->activations + m->logits +
				m->buffers ==
			m->peak,
		"parts of memory add up");
	draw_require(r, m->activations >= 0 && m->logits >= 0 && m->buffers >= 0, "no part is negative");
	for (int64_t i = 0; i < result->stage_count; i++) {
		const struct engine_stage *s = &result->stages[i];

		draw_require(r, s->activation_peak >= s->activations, "the peak holds the cache");
		if (s->chunk > 0)
			continue;
		draw_require(r, s->reserved <= m->reserved, "the worst stage is the worst");
		draw_require(r, s->in_flight >= 1, "one micro-batch is alive");
		draw_require(r, s->weight_gradient >= 0 && s->weight_gradient <= s->backward,
			     "what can wait is a part of backward");
	}
}

static void check_step(const struct run *r, const struct engine_result *result)
{
	double sum = 0;

	for (int i = 0; i < STEP_PART_COUNT; i++) {
		draw_require(r, isfinite(result->step.part[i]) && result->step.part[i] >= 0,
			"parts of a step are times");
		sum += result->step.part[i];
	}
	draw_require(r, sum == result->step.time, "parts of a step add up");
	draw_require(r, result->step.time > 0 && isfinite(result->step.time), "a step takes time");
	draw_require(r, isfinite(result->throughput.mfu) && result->throughput.mfu > 0,
		"mfu is a share");
}

/*
 * Without tensor parallelism every parameter lies on one stage, those of experts on one of ep ranks
 * of it: together they are the model.
 */
static void check_counts(const struct run *r, const struct engine_input *in,
			 const struct engine_result *result)
{
	const struct engine_parallel *p = &in->parallel;
	int64_t held = 0;

	if (p->tp > 1 || p->etp > 1 || r->profile.dense_first_stage ||
	    (in->model.tied && p->stage_count > 1))
		return;
	/* A second table of embeddings where further tokens are predicted. */
	for (int64_t i = 1; i < p->stage_count; i++)
		if (p->stages[i].mtp > 0)
			held -= (result->counts.padded_vocab + in->model.positions) *
				in->model.hidden;
	for (int64_t i = 0; i < result->stage_count; i++) {
		const struct engine_stage *s = &result->stages[i];

		held += s->parameters + (p->ep - 1) * s->expert_parameters;
	}
	draw_require(r, held == recount_parameters(&in->model, result->counts.padded_vocab),
		"stages hold the model together");
}

static void check_job(struct run *r)
{
	struct engine_input in = draw_job(r);
	struct engine_result first = draw_evaluate(r, &in), other;
	/* Interleaved stages take whole groups, two directions one micro-batch each. */
	const int64_t more = in.parallel.schedule == SCHEDULE_DUALPIPE ? 2
			     : in.parallel.vpp > 1                     ? in.parallel.pp
								       : 1;

	check_memory(r, &first);
	check_counts(r, &in, &first);
	check_step(r, &first);
	other = draw_evaluate(r, &in);
	draw_require(r, first.step.time == other.step.time && first.memory.peak == other.memory.peak,
		"the same job costs the same");
	in.batch.micro_batches += more;
	other = draw_evaluate(r, &in);
	draw_require(r, other.step.time >= first.step.time, "one micro-batch more takes no less");
	/* The stage that needs most may be another then, with more in reserve above a lower peak. */
	draw_require(r, other.memory.reserved >= first.memory.reserved, "and no less memory");
	in.batch.micro_batches -= more;
	in.recompute.granularity = RECOMPUTE_OFF;
	other = draw_evaluate(r, &in);
	draw_require(r, other.step.time <= first.step.time * (1 + 1e-12), "recompute is not free");
}

/* Sizes from anywhere in 63 bits and below: any status will do, undefined behaviour will not. */
static void check_absurd(struct run *r)
{
	struct engine_input in = draw_job(r);
	struct engine_result result;
	struct engine_error error;
	char text[ENGINE_TEXT_MAX];
	int64_t *sizes[] = {
		&in.model.layers,
		&in.model.hidden,
		&in.model.ffn,
		&in.model.vocab,
		&in.model.vocab_multiple,
		&in.model.attention.heads,
		&in.model.attention.head,
		&in.model.attention.kv_heads,
		&in.model.attention.v_head,
		&in.model.attention.window,
		&in.model.attention.q_lora,
		&in.model.attention.kv_lora,
		&in.model.moe.experts,
		&in.model.moe.top_k,
		&in.model.moe.ffn,
		&in.model.moe.shared_ffn,
		&in.model.moe.first_dense,
		&in.model.full_every,
		&in.parallel.ep,
		&in.parallel.etp,
		&in.parallel.edp,
		&in.parallel.vpp_group,
		&in.parallel.tp,
		&in.parallel.pp,
		&in.parallel.dp,
		&in.parallel.world,
		&in.parallel.shard,
		&in.parallel.gather,
		&in.parallel.cp_inner,
		&in.parallel.bucket,
		&in.batch.sequence,
		&in.batch.micro,
		&in.batch.micro_batches,
		&r->stages[0].layers,
		&r->stages[0].recompute,
		&in.recompute.layers,
		&in.parallel.stage_count,
	};

	for (int i = 0; i < 2; i++) {
		int64_t *size = sizes[dice_draw(&r->dice) % PLAN_COUNT(sizes)];

		*size = (int64_t)(dice_draw(&r->dice) >> draw_pick(r, 0, 63));
		if (draw_coin(r))
			*size = -*size;
	}
	if (in.parallel.stage_count > STAGES_MAX || in.batch.micro_batches > 100000)
		return; /* the replay of a million micro-batches is defined, and long */
	if (engine_evaluate(&in, &r->arena, &result, &error) != ENGINE_OK)
		engine_error_text(&error, text, sizeof(text));
}

int main(int argc, char **argv)
{
	struct run r = { .dice = dice_make(argc > 1 ? strtoull(argv[1], NULL, 10) : 20240607) };
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS;

	arena_init(&r.arena, NULL);
	draw_machine(&r);
	for (r.round = 0; r.round < rounds; r.round++) {
		struct arena_mark mark = arena_mark(&r.arena);

		check_job(&r);
		check_absurd(&r);
		arena_reset(&r.arena, mark);
	}
	printf("engine_property: seed %" PRIu64 ", %d rounds, %" PRIi64 " evaluations\n",
	       r.dice.seed, rounds, r.evaluated);
	arena_release(&r.arena);
	return 0;
}
