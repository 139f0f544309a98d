/*
 * engine_test.c - the cost engine against figures SimuMax 1.2 prints for llama3, rounded as printed.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "tests/unit/engine_fixture.h"

static void ck_near(double got, double want, double tolerance)
{
	ck_assert_double_le(fabs(got - want), tolerance);
}

/* llama3-8b on one node, tp 2, dp 4: FLOPs, bytes, milliseconds and network milliseconds. */
static const struct {
	const char *name;
	enum phase phase;
	double flops;
	int64_t bytes;
	double ms, network_ms;
} operator_times[] = {
	{ "embed", PHASE_FORWARD, 0.0, 559955968, 0.398173, 0.778807 },
	{ "embed", PHASE_WEIGHT_GRADIENT, 0.0, 2105540608, 1.386798, 0.404124 },
	{ "ln_in", PHASE_FORWARD, 0.0, 33562624, 0.061468, 0.000000 },
	{ "ln_in", PHASE_INPUT_GRADIENT, 0.0, 33566720, 0.061471, 0.000000 },
	{ "ln_in", PHASE_WEIGHT_GRADIENT, 0.0, 16793600, 0.050742, 0.000000 },
	{ "qkv", PHASE_FORWARD, 103079215104.0, 83886080, 0.435603, 0.783409 },
	{ "qkv", PHASE_INPUT_GRADIENT, 103079215104.0, 83886080, 0.465482, 0.942693 },
	{ "qkv", PHASE_WEIGHT_GRADIENT, 103079215104.0, 134217728, 0.510289, 0.783409 },
	{ "core", PHASE_FORWARD, 137438953472.0, 67239936, 0.444489, 0.000000 },
	{ "core", PHASE_INPUT_GRADIENT, 343597383680.0, 117571584, 1.248720, 0.000000 },
	{ "out", PHASE_FORWARD, 68719476736.0, 67108864, 0.322901, 0.942693 },
	{ "out", PHASE_INPUT_GRADIENT, 68719476736.0, 67108864, 0.359221, 0.783409 },
	{ "out", PHASE_WEIGHT_GRADIENT, 68719476736.0, 83886080, 0.365760, 0.000000 },
	{ "ln_mlp", PHASE_FORWARD, 0.0, 33562624, 0.061468, 0.000000 },
	{ "ln_mlp", PHASE_INPUT_GRADIENT, 0.0, 33566720, 0.061471, 0.000000 },
	{ "ln_mlp", PHASE_WEIGHT_GRADIENT, 0.0, 16793600, 0.050742, 0.000000 },
	{ "fc1", PHASE_FORWARD, 481036337152.0, 268435456, 2.088000, 0.783409 },
	{ "fc1", PHASE_INPUT_GRADIENT, 481036337152.0, 268435456, 2.035014, 0.942693 },
	{ "fc1", PHASE_WEIGHT_GRADIENT, 481036337152.0, 503316480, 2.195689, 0.783409 },
	{ "act", PHASE_FORWARD, 0.0, 176160768, 0.152680, 0.000000 },
	{ "act", PHASE_INPUT_GRADIENT, 0.0, 176160768, 0.152680, 0.000000 },
	{ "fc2", PHASE_FORWARD, 240518168576.0, 150994944, 1.040335, 0.942693 },
	{ "fc2", PHASE_INPUT_GRADIENT, 240518168576.0, 150994944, 1.081972, 0.783409 },
	{ "fc2", PHASE_WEIGHT_GRADIENT, 240518168576.0, 209715200, 1.115103, 0.000000 },
	{ "ln_f", PHASE_FORWARD, 0.0, 33562624, 0.061468, 0.000000 },
	{ "ln_f", PHASE_INPUT_GRADIENT, 0.0, 33566720, 0.061471, 0.000000 },
	{ "ln_f", PHASE_WEIGHT_GRADIENT, 0.0, 16793600, 0.050742, 0.000000 },
	{ "lm_head", PHASE_FORWARD, 2156073582592.0, 1086324736, 9.262832, 0.783409 },
	{ "lm_head", PHASE_INPUT_GRADIENT, 2156073582592.0, 1086324736, 9.177434, 0.942693 },
	{ "lm_head", PHASE_WEIGHT_GRADIENT, 2156073582592.0, 2139095040, 9.720853, 0.783409 },
	{ "ce", PHASE_FORWARD, 0.0, 10001350664, 7.244891, 0.095251 },
	{ "ce", PHASE_INPUT_GRADIENT, 0.0, 3684696068, 2.694425, 0.000000 },
};

static void run_a100_tp2(struct fixture *f)
{
	fixture_init(f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 1);
	ck_assert_int_eq(fixture_run(f), ENGINE_OK);
}

START_TEST(operators_take_their_time)
{
	struct fixture f;

	run_a100_tp2(&f);
	for (size_t i = 0; i < PLAN_COUNT(operator_times); i++) {
		enum phase p = operator_times[i].phase;
		const struct engine_operator *op = fixture_get_operator(&f, operator_times[i].name);

		ck_assert_double_eq(op->flops[p], operator_times[i].flops);
		ck_assert_int_eq(op->moved[p], operator_times[i].bytes);
		ck_near(op->compute[p] * 1e3, operator_times[i].ms, 5e-7);
		ck_near(op->network[p][TRAFFIC_TENSOR] * 1e3, operator_times[i].network_ms, 5e-7);
	}
	ck_assert_int_eq(f.result.efficiency.hit, 17);
	ck_assert_int_eq(f.result.efficiency.missed_count, 0);
	fixture_release(&f);
}
END_TEST

/*
 * The same job: bytes cached, temporary bytes forward and backward, parameters and weights of a
 * GPU.
 */
static const struct {
	const char *name;
	int64_t keep, forward, backward, parameters, weight;
} operator_memory[] = {
	{ "embed", 0, 33570816, 526385152, 263192576, 526385152 },
	{ "ln_in", 16777216, 33554432, 33558528, 4096, 8192 },
	{ "qkv", 16777216, 58720256, 58720256, 12582912, 25165824 },
	{ "core", 25296896, 42074112, 67239936, 0, 0 },
	{ "out", 16777216, 50331648, 50331648, 8388608, 16777216 },
	{ "ln_mlp", 16777216, 33554432, 33558528, 4096, 8192 },
	{ "fc1", 16777216, 150994944, 150994944, 58720256, 117440512 },
	{ "act", 117440512, 176160768, 176160768, 0, 0 },
	{ "fc2", 58720256, 92274688, 92274688, 29360128, 58720256 },
	{ "ln_f", 16777216, 33554432, 33558528, 4096, 8192 },
	{ "lm_head", 16777216, 559939584, 559939584, 263192576, 526385152 },
	{ "ce", 1052770304, 1579155456, 0, 0, 0 },
};

START_TEST(operators_take_their_memory)
{
	struct fixture f;

	run_a100_tp2(&f);
	for (size_t i = 0; i < PLAN_COUNT(operator_memory); i++) {
		const struct engine_operator *op =
			fixture_get_operator(&f, operator_memory[i].name);

		ck_assert_int_eq(op->keep, operator_memory[i].keep);
		ck_assert_int_eq(op->forward_extra, operator_memory[i].forward);
		ck_assert_int_eq(op->backward_extra, operator_memory[i].backward);
		ck_assert_int_eq(op->parameters, operator_memory[i].parameters);
		ck_assert_int_eq(op->weight_bytes, operator_memory[i].weight);
	}
	fixture_release(&f);
}
END_TEST

START_TEST(stage_sums_up)
{
	struct fixture f;
	const struct engine_stage *s;

	run_a100_tp2(&f);
	s = &f.result.stages[0];
	ck_near(s->forward_compute * 1e3, 164.389611, 5e-7);
	ck_near(s->forward_network * 1e3, 112.127997, 5e-7);
	ck_near(s->backward_compute * 1e3, 186.846300 + 148.384759, 1e-6);
	ck_near(s->backward_network * 1e3, 111.413225 + 51.325696, 1e-6);
	ck_near(s->forward * 1e3, 276.517608, 5e-7);
	ck_near(s->backward * 1e3, 497.969979, 5e-7);
	ck_near(f.result.step.pipeline * 1e3, 6195.900699, 5e-7);
	ck_assert_double_eq(f.result.step.straggler_ratio, 1);
	ck_near(s->gradient_reduce * 1e3, 1612.518515, 1e-6);
	ck_near(s->parameter_gather * 1e3, 745.058060, 1e-6);
	ck_near(s->optimizer_step * 1e3, 78.634884, 5e-7);
	ck_near(f.result.step.time * 1e3, 8632.112157, 1e-6);
	fixture_release(&f);
}
END_TEST

START_TEST(memory_is_exact)
{
	struct fixture f;
	const struct engine_stage *s;

	run_a100_tp2(&f);
	s = &f.result.stages[0];
	ck_assert_int_eq(s->weights, 8032624640);
	ck_assert_int_eq(s->gradients, 16065249280);
	ck_assert_int_eq(s->optimizer, 12048936960);
	ck_assert_int_eq(s->other_static, 0);
	ck_assert_int_eq(s->activations, 10217324544);
	ck_assert_int_eq(s->activation_peak, 10743709696);
	ck_assert_int_eq(f.result.memory.peak, 46890520576);
	ck_near((double)f.result.memory.reserved, 46890520576 / 0.94, 1);
	ck_assert(f.result.memory.fits);
	fixture_release(&f);
}
END_TEST

START_TEST(throughput_follows)
{
	struct fixture f;

	run_a100_tp2(&f);
	ck_assert_double_eq(f.result.counts.flops_per_token, 51476692992.0);
	ck_assert_int_eq(f.result.counts.tokens_per_step, 131072);
	ck_assert_int_eq(f.result.counts.padded_vocab, 128512);
	ck_near(f.result.throughput.model_flops_per_gpu / 1e12, 97.704261, 5e-7);
	ck_near(f.result.throughput.mfu, 0.313154682, 5e-10);
	ck_near(f.result.throughput.tokens_per_s_per_gpu, 1898.0291, 5e-5);
	fixture_release(&f);
}
END_TEST

/* One forward and backward of a two-stage pipeline, 8 micro-batches, blocking transfers. */
START_TEST(two_stages_take_turns)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, 2);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.stages[0].forward * 1e3, 144.957187, 1e-6);
	ck_near(f.result.stages[0].backward * 1e3, 302.242900, 1e-6);
	ck_near(f.result.stages[1].forward * 1e3, 177.254040, 1e-6);
	ck_near(f.result.stages[1].backward * 1e3, 342.810167, 1e-6);
	ck_near(f.result.stages[0].p2p * 1e3, 2 * 2.093333, 1e-6);
	ck_near(f.result.step.pipeline * 1e3, 4641.207073, 1e-6);
	ck_assert_int_eq(f.result.stages[0].in_flight, 2);
	ck_assert_int_eq(f.result.stages[1].in_flight, 1);
	ck_assert_int_eq(f.result.stages[0].peak, 54637756416);
	ck_assert_int_eq(f.result.stages[1].peak, 48494186496);
	fixture_release(&f);
}
END_TEST

/* Totals of SimuMax runs: pipeline and step in ms, mfu, peak bytes of the first and last stage. */
struct golden {
	enum fixture_machine machine;
	enum fixture_model model;
	int64_t layers, world, tp, pp;
	int64_t recompute;
	uint32_t modules;
	double pipeline, step, mfu;
	int64_t first, last;
};

#define BODY    (UINT32_C(1) << MODULE_ATTN_BODY | UINT32_C(1) << MODULE_FFN_LINEAR)
#define DISCARD (UINT32_C(1) << MODULE_LAYERNORM | UINT32_C(1) << MODULE_MLP)

static const struct golden goldens[] = {
	{ FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 1, 2, 0, 0, 4641.2071, 5554.6770, 0.48662076,
	  54637756416, 48494186496 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 1, 0, 0, 6195.9007, 8632.1122, 0.31315468,
	  46890520576, 46890520576 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 4, 1, 0, 0, 5243.1590, 6759.8401, 0.19994455,
	  29471326208, 29471326208 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 8, 1, 0, 0, 7059.0378, 7101.6971, 0.09518313,
	  20773937152, 20773937152 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_70B, 12, 8, 1, 2, 0, 0, 6483.5373, 7884.2285, 0.48449608,
	  69626331136, 65695293440 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_70B, 12, 8, 2, 1, 0, 0, 6993.0308, 10728.1269, 0.35606195,
	  64053059584, 64053059584 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_70B, 12, 8, 2, 1, 12, 0, 9192.2238, 12927.3199, 0.29548877,
	  57708126208, 57708126208 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_70B, 12, 8, 2, 1, 12, BODY, 8889.1617, 12624.2578,
	  0.30258237, 59318738944, 59318738944 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_70B, 12, 8, 2, 1, 12, DISCARD, 7601.5907, 11336.6868,
	  0.33694834, 61838467072, 61838467072 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_70B, 12, 8, 4, 1, 0, 0, 5039.7752, 7345.6463, 0.26005462,
	  41318973440, 41318973440 },
	{ FIXTURE_A100, FIXTURE_LLAMA3_70B, 12, 8, 8, 1, 0, 0, 5874.7306, 5940.3177, 0.16084410,
	  29962289152, 29962289152 },
	{ FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, 64, 2, 4, 0, 0, 412.6773, 533.8998, 0.17552069,
	  17765990400, 12413040640 },
};

static void check_golden(const struct golden *g)
{
	struct fixture f;

	fixture_init(&f, g->machine, g->model, g->layers, g->world, g->tp, g->pp);
	if (g->recompute > 0)
		fixture_recompute(&f, g->recompute, g->modules);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.pipeline * 1e3, g->pipeline, 6e-5);
	ck_near(f.result.step.time * 1e3, g->step, 6e-5);
	ck_near(f.result.throughput.mfu, g->mfu, 6e-9);
	ck_assert_int_eq(f.result.stages[0].peak, g->first);
	ck_assert_int_eq(f.result.stages[g->pp - 1].peak, g->last);
	fixture_release(&f);
}

START_TEST(golden_totals)
{
	for (size_t i = 0; i < PLAN_COUNT(goldens); i++)
		check_golden(&goldens[i]);
}
END_TEST

START_TEST(four_stages_on_many_nodes)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_B200, FIXTURE_LLAMA3_8B, 32, 64, 2, 4);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.straggler_ratio, 1.116913, 5e-7);
	ck_assert_int_eq(f.result.stages[1].peak, 13509296128);
	ck_assert_int_eq(f.result.stages[2].peak, 13509296128);
	ck_assert_int_eq(f.result.level[GROUP_TP], 0);
	ck_assert_int_eq(f.result.level[GROUP_DP], 1);
	fixture_release(&f);
}
END_TEST

START_TEST(other_kernels)
{
	struct fixture f;

	/* No sequence parallelism, fused loss, bf16 gradients, Transformer Engine 2.10. */
	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 1);
	f.in.parallel.sequence_parallel = false;
	f.in.kernels.cross_entropy = CE_TE;
	f.in.optimizer.gradient = f.in.optimizer.reduce = DTYPE_BF16;
	f.in.te = (struct version){ { 2, 10, 0 } };
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.pipeline * 1e3, 5446.3969, 6e-5);
	ck_near(f.result.step.time * 1e3, 7058.6417, 6e-5);
	ck_assert_int_eq(f.result.memory.peak, 40764207104);
	fixture_release(&f);

	fixture_init(&f, FIXTURE_A100, FIXTURE_LLAMA3_8B, 32, 8, 2, 1);
	f.in.kernels.attention = SDP_UNFUSED;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.pipeline * 1e3, 6695.0071, 6e-5);
	ck_assert_int_eq(f.result.memory.peak, 64374476800);
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("engine", operators_take_their_time, operators_take_their_memory, stage_sums_up,
	  memory_is_exact, throughput_follows, two_stages_take_turns,
	  golden_totals, four_stages_on_many_nodes, other_kernels)
