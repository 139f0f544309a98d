/*
 * engine_rules_test.c - rules of the cost engine: parts add up, refusals have reasons, assumptions
 * differ where they should.
 */
#include "tests/unit/unit.h"

#include "compiler/base/out.h"
#include "tests/unit/engine_fixture.h"

/* Model FLOPs of a model by itself: products of a token, forward once and backward twice. */
START_TEST(flops_need_no_job)
{
	struct engine_model mixtral = {
		.layers = 32,
		.hidden = 4096,
		.vocab = 32000,
		.attention = { .heads = 32, .kv_heads = 8, .head = 128, .v_head = 128, .causal = true },
		.moe = { .experts = 8, .top_k = 2, .ffn = 14336, .every = 1 },
	};
	const double projections = 4096.0 * (32 * 128 + 8 * 256 + 32 * 128);
	const double experts = 3 * 4096.0 * 2 * 14336 + 4096.0 * 8, scores = 8192.0 * 32 * 256;
	struct profile profile;
	struct engine_error error;
	struct arena arena;
	double flops;

	arena_init(&arena, NULL);
	profile_init(&profile, PROFILE_STANDARD);
	ck_assert_int_eq(engine_flops_per_token(&mixtral, 8192, &profile, &arena, &flops, &error), ENGINE_OK);
	ck_assert_double_eq(flops, 6 * (32 * (projections + scores / 2 + experts) + 4096.0 * 32000));
	profile.attention_flops = ATTENTION_FULL;
	ck_assert_int_eq(engine_flops_per_token(&mixtral, 8192, &profile, &arena, &flops, &error), ENGINE_OK);
	ck_assert_double_eq(flops, 6 * (32 * (projections + scores + experts) + 4096.0 * 32000));
	mixtral.layers = INT64_C(1) << 60;
	ck_assert_int_eq(engine_flops_per_token(&mixtral, 1, &profile, &arena, &flops, &error),
			 ENGINE_OVERFLOW);
	mixtral.layers = 32;
	mixtral.moe.top_k = 0;
	ck_assert_int_eq(engine_flops_per_token(&mixtral, 1, &profile, &arena, &flops, &error), ENGINE_SIZE);
	mixtral.mixed = true;
	ck_assert_int_eq(engine_flops_per_token(&mixtral, 1, &profile, &arena, &flops, &error),
			 ENGINE_UNSUPPORTED);
	arena_release(&arena);
}
END_TEST

/* A job has the figure of its model, however it is spread: padding for tensor parallelism is no work of the model. */
START_TEST(flops_of_a_job_are_the_models)
{
	static const enum fixture_model models[] = { FIXTURE_LLAMA3_8B, FIXTURE_LLAMA3_70B, FIXTURE_DEEPSEEK_V2,
						     FIXTURE_MIXTRAL_8X7B };

	for (size_t i = 0; i < PLAN_COUNT(models); i++)
		for (int64_t tp = 1; tp <= 8; tp *= 2) {
			struct fixture f;
			double flops;

			fixture_init(&f, FIXTURE_B200, models[i], 4, 16, tp, 2);
			profile_init(&f.profile, PROFILE_STANDARD);
			ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
			ck_assert_int_eq(engine_flops_per_token(&f.in.model, 4096, &f.profile, &f.arena,
								&flops, &f.error),
					 ENGINE_OK);
			ck_assert_double_eq(f.result.counts.flops_per_token, flops);
			fixture_release(&f);
		}
}
END_TEST

static void check_parts(const struct engine_result *r)
{
	const struct engine_memory *m = &r->memory;
	double sum = 0;

	for (int i = 0; i < STEP_PART_COUNT; i++) {
		ck_assert_double_ge(r->step.part[i], 0);
		sum += r->step.part[i];
	}
	ck_assert_double_eq(sum, r->step.time);
	ck_assert_int_eq(m->weights + m->gradients + m->optimizer + m->activations + m->logits +
				 m->buffers,
			 m->peak);
	ck_assert_int_ge(m->logits, 0);
	ck_assert_int_ge(m->activations, 0);
}

START_TEST(parts_add_up)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_70B, 80, 64, 4, 8);
	for (int preset = PROFILE_STANDARD; preset <= PROFILE_IDEAL; preset++) {
		profile_init(&f.profile, (enum profile_preset)preset);
		f.in.overlap = (struct engine_overlap){ 0 };
		ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
		check_parts(&f.result);

		double plain = f.result.step.time;

		f.in.overlap = (struct engine_overlap){ .gradient_reduce = true,
							.parameter_gather = true,
							.tensor = true,
							.pipeline = true };
		ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
		check_parts(&f.result);
		if (preset == PROFILE_SIMUMAX)
			ck_assert_double_eq(f.result.step.time, plain);
		else
			ck_assert_double_lt(f.result.step.time, plain);
	}
	fixture_release(&f);
}
END_TEST

START_TEST(refusals_have_reasons)
{
	struct fixture f;
	char text[ENGINE_TEXT_MAX];

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 8, 1);
	f.in.model.attention.heads = 28;
	f.in.model.attention.kv_heads = 4;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SPLIT);
	engine_error_text(&f.error, text, sizeof(text));
	ck_assert_str_eq(text, "28 heads cannot be split over tp = 8 (28 mod 8 = 4) in qkv; "
			       "1, 2, 4, 7, 14, 28 divide");
	f.in.model.attention.heads = 32;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SPLIT);
	ck_assert_int_eq(f.error.split.dim, DIM_KV_HEADS);
	fixture_release(&f);

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 2);
	f.stages[1].layers = 0;
	f.stages[1].loss = false;
	ck_assert_int_eq(fixture_run(&f), ENGINE_LAYOUT);
	f.stages[1] = (struct engine_layout_stage){ 16, 0, false, true, 0 };
	f.in.parallel.stage_count = 1;
	ck_assert_int_eq(fixture_run(&f), ENGINE_LAYOUT);
	f.in.parallel.stage_count = 2;
	f.in.model.hidden = 0;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SIZE);
	ck_assert_str_eq(f.error.what, "model.hidden");
	f.in.model.hidden = 4096;
	f.in.parallel.world = 9;
	ck_assert_int_eq(fixture_run(&f), ENGINE_SIZE);
	f.in.parallel.world = 8;
	f.in.precision.linear = DTYPE_FP4;
	ck_assert_int_eq(fixture_run(&f), ENGINE_UNSUPPORTED);
	engine_error_text(&f.error, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "precision.linear"));
	fixture_release(&f);
}
END_TEST

START_TEST(absurd_sizes_are_refused)
{
	struct fixture f;
	int64_t huge = INT64_C(1000000000000000000);

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, 1);
	int64_t *sizes[] = {
		&f.in.model.layers,         &f.in.model.hidden,         &f.in.model.ffn,
		&f.in.model.vocab,          &f.in.model.vocab_multiple, &f.in.model.attention.heads,
		&f.in.model.attention.head, &f.in.batch.sequence,       &f.in.batch.micro,
		&f.in.batch.micro_batches,  &f.stages[0].layers
	};

	for (size_t i = 0; i < PLAN_COUNT(sizes); i++) {
		int64_t kept = *sizes[i];

		*sizes[i] = huge;
		ck_assert_int_eq(fixture_run(&f), ENGINE_OVERFLOW);
		*sizes[i] = kept;
	}
	fixture_release(&f);
}
END_TEST

START_TEST(missing_shapes_are_named)
{
	struct fixture f;
	char text[ENGINE_TEXT_MAX];

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 1);
	f.in.batch.sequence = 5120;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.efficiency.hit, 0);
	ck_assert_int_eq(f.result.efficiency.missed_count, 17);
	engine_shape_text(&f.result.efficiency.missed[0], text, sizeof(text));
	ck_assert_str_eq(text, "matmul b=1, m=5120, k=4096, n=3072, layout=TN, accumulate=False, "
			       "out_dtype=bf16");

	double flat = f.result.step.time;

	f.profile.table_miss = MISS_INTERPOLATE;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_double_ne(f.result.step.time, flat);
	f.profile.table_miss = MISS_REFUSE;
	ck_assert_int_eq(fixture_run(&f), ENGINE_MISSING);
	fixture_release(&f);
}
END_TEST

/* Versions under which live micro-batches are limited, and by what. */
START_TEST(in_flight_is_limited)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, 8, 1, 8);
	f.in.batch.micro_batches = 2;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].in_flight, 8);
	ck_assert_int_eq(f.result.stages[5].in_flight, 7);
	profile_init(&f.profile, PROFILE_STANDARD);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].in_flight, 2);
	ck_assert_int_eq(f.result.stages[7].in_flight, 1);
	fixture_release(&f);
}
END_TEST

START_TEST(zero_shards_states)
{
	struct fixture f;
	int64_t weights[4], gradients[4], optimizer[4];

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 1);
	for (int z = 0; z < 4; z++) {
		f.in.parallel.zero = (enum zero_level)z;
		ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
		weights[z] = f.result.stages[0].weights;
		gradients[z] = f.result.stages[0].gradients;
		optimizer[z] = f.result.stages[0].optimizer;
	}
	ck_assert_int_eq(optimizer[0], 4 * optimizer[1]);
	ck_assert_int_eq(gradients[1], 4 * gradients[2]);
	ck_assert_int_eq(weights[2], 4 * weights[3]);
	ck_assert_int_eq(weights[0], weights[2]);
	fixture_release(&f);
}
END_TEST

START_TEST(tied_tables_are_one)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, 1);
	profile_init(&f.profile, PROFILE_STANDARD);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);

	int64_t table = f.result.counts.padded_vocab * 4096;
	int64_t apart = f.result.stages[0].parameters;

	f.in.model.tied = true;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].parameters, apart - table);
	fixture_release(&f);
}
END_TEST

START_TEST(graph_prints)
{
	struct fixture f;
	struct out out;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 1);
	out_init(&out, &f.arena);
	ck_assert_int_eq(engine_print_graph(&f.in, &f.arena, &out, &f.error), ENGINE_OK);

	struct str text = out_view(&out);

	ck_assert_uint_gt(text.n, 1000);
	ck_assert_ptr_nonnull(strstr(text.p, "qkv"));
	ck_assert_ptr_nonnull(strstr(text.p, "reduce-scatter(tp)"));
	fixture_release(&f);
}
END_TEST

static void evaluate_in(struct arena *arena, void *context)
{
	struct fixture *f = context;
	struct engine_result result;
	struct engine_error error;

	ck_assert_int_eq(engine_evaluate(&f->in, arena, &result, &error), ENGINE_OK);
}

START_TEST(memory_runs_out)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, 64, 2, 4);
	ck_assert_int_gt(unit_each_failure(evaluate_in, &f), 5);
	f.profile.sync_pipeline = false;
	ck_assert_int_gt(unit_each_failure(evaluate_in, &f), 5);
	fixture_release(&f);
}
END_TEST

/* Where the time of waiting goes under each way of sending between stages. */
START_TEST(transfers_show_up)
{
	struct fixture f;
	double blocking, sending;

	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_70B, 80, 64, 4, 8);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	blocking = f.result.step.part[STEP_PIPELINE_COMM];
	ck_assert_double_eq(blocking, f.result.step.busy[STEP_PIPELINE_COMM]);
	profile_init(&f.profile, PROFILE_STANDARD);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	sending = f.result.step.part[STEP_PIPELINE_COMM];
	ck_assert_double_eq(sending, f.result.step.busy[STEP_PIPELINE_COMM] / 2);
	f.in.batch.micro_batches = 64;
	f.in.overlap.pipeline = true;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_double_lt(f.result.step.part[STEP_PIPELINE_COMM],
			    f.result.step.busy[STEP_PIPELINE_COMM] / 2);
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("engine_rules", flops_need_no_job, flops_of_a_job_are_the_models, parts_add_up, refusals_have_reasons,
	  absurd_sizes_are_refused, missing_shapes_are_named, in_flight_is_limited,
	  zero_shards_states, tied_tables_are_one, graph_prints, memory_runs_out, transfers_show_up)
