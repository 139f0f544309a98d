/*
 * engine_moe_test.c - experts and latent attention against figures SimuMax 1.2 prints for DeepSeek-V2
 * cut to four layers, rounded as printed.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "tests/unit/engine_fixture.h"

static void ck_near(double got, double want, double tolerance)
{
	ck_assert_double_le(fabs(got - want), tolerance);
}

/* One node, ep 8, dp 8: FLOPs, bytes, milliseconds and network milliseconds. */
static const struct {
	const char *name;
	enum phase phase;
	double flops;
	int64_t bytes;
	double ms, network_ms;
} operator_times[] = {
	{ "embed", PHASE_FORWARD, 0.0, 1090535424, 0.737555, 0.000000 },
	{ "embed", PHASE_WEIGHT_GRADIENT, 0.0, 4194304000, 2.722864, 0.000000 },
	{ "ln_in", PHASE_FORWARD, 0.0, 83896320, 0.093664, 0.000000 },
	{ "ln_in", PHASE_INPUT_GRADIENT, 0.0, 83904512, 0.093669, 0.000000 },
	{ "ln_in", PHASE_WEIGHT_GRADIENT, 0.0, 41963520, 0.066842, 0.000000 },
	{ "q_down", PHASE_FORWARD, 64424509440.0, 70254592, 0.262152, 0.000000 },
	{ "q_down", PHASE_INPUT_GRADIENT, 64424509440.0, 70254592, 0.279983, 0.000000 },
	{ "q_down", PHASE_WEIGHT_GRADIENT, 64424509440.0, 101711872, 0.330671, 0.000000 },
	{ "q_ln", PHASE_FORWARD, 0.0, 25168896, 0.056099, 0.000000 },
	{ "q_ln", PHASE_INPUT_GRADIENT, 0.0, 25177088, 0.056104, 0.000000 },
	{ "q_ln", PHASE_WEIGHT_GRADIENT, 0.0, 12589056, 0.048053, 0.000000 },
	{ "q_up", PHASE_FORWARD, 309237645312.0, 289406976, 1.421757, 0.000000 },
	{ "q_up", PHASE_INPUT_GRADIENT, 309237645312.0, 289406976, 1.343374, 0.000000 },
	{ "q_up", PHASE_WEIGHT_GRADIENT, 309237645312.0, 440401920, 1.387211, 0.000000 },
	{ "kv_down", PHASE_FORWARD, 24159191040.0, 52559872, 0.155865, 0.000000 },
	{ "kv_down", PHASE_INPUT_GRADIENT, 24159191040.0, 52559872, 0.130850, 0.000000 },
	{ "kv_down", PHASE_WEIGHT_GRADIENT, 24159191040.0, 64356352, 0.129862, 0.000000 },
	{ "kv_ln", PHASE_FORWARD, 0.0, 8389632, 0.045366, 0.000000 },
	{ "kv_ln", PHASE_INPUT_GRADIENT, 0.0, 8397824, 0.045372, 0.000000 },
	{ "kv_ln", PHASE_WEIGHT_GRADIENT, 0.0, 4196352, 0.042684, 0.000000 },
	{ "kv_up", PHASE_FORWARD, 137438953472.0, 306184192, 0.713288, 0.000000 },
	{ "kv_up", PHASE_INPUT_GRADIENT, 137438953472.0, 306184192, 0.616449, 0.000000 },
	{ "kv_up", PHASE_WEIGHT_GRADIENT, 137438953472.0, 373293056, 0.658010, 0.000000 },
	{ "core", PHASE_FORWARD, 1374389534720.0, 672137216, 4.105526, 0.000000 },
	{ "core", PHASE_INPUT_GRADIENT, 3435973836800.0, 1209008128, 13.734206, 0.000000 },
	{ "out", PHASE_FORWARD, 687194767360.0, 343932928, 2.939552, 0.000000 },
	{ "out", PHASE_INPUT_GRADIENT, 687194767360.0, 343932928, 2.893353, 0.000000 },
	{ "out", PHASE_WEIGHT_GRADIENT, 687194767360.0, 679477248, 3.063199, 0.000000 },
	{ "ln_mlp", PHASE_FORWARD, 0.0, 83896320, 0.093664, 0.000000 },
	{ "ln_mlp", PHASE_INPUT_GRADIENT, 0.0, 83904512, 0.093669, 0.000000 },
	{ "ln_mlp", PHASE_WEIGHT_GRADIENT, 0.0, 41963520, 0.066842, 0.000000 },
	{ "fc1", PHASE_FORWARD, 1030792151040.0, 494927872, 4.402943, 0.000000 },
	{ "fc1", PHASE_INPUT_GRADIENT, 1030792151040.0, 494927872, 4.212170, 0.000000 },
	{ "fc1", PHASE_WEIGHT_GRADIENT, 1030792151040.0, 998244352, 4.610885, 0.000000 },
	{ "act", PHASE_FORWARD, 0.0, 301989888, 0.233166, 0.000000 },
	{ "act", PHASE_INPUT_GRADIENT, 0.0, 301989888, 0.233166, 0.000000 },
	{ "fc2", PHASE_FORWARD, 515396075520.0, 268435456, 2.140497, 0.000000 },
	{ "fc2", PHASE_INPUT_GRADIENT, 515396075520.0, 268435456, 2.231369, 0.000000 },
	{ "fc2", PHASE_WEIGHT_GRADIENT, 515396075520.0, 394264576, 2.292830, 0.000000 },
	{ "shared_fc1", PHASE_FORWARD, 257698037760.0, 155189248, 1.181955, 0.000000 },
	{ "shared_fc1", PHASE_INPUT_GRADIENT, 257698037760.0, 155189248, 1.075700, 0.000000 },
	{ "shared_fc1", PHASE_WEIGHT_GRADIENT, 257698037760.0, 281018368, 1.157484, 0.000000 },
	{ "shared_act", PHASE_FORWARD, 0.0, 75497472, 0.088292, 0.000000 },
	{ "shared_act", PHASE_INPUT_GRADIENT, 0.0, 75497472, 0.088292, 0.000000 },
	{ "shared_fc2", PHASE_FORWARD, 128849018880.0, 98566144, 0.575574, 0.000000 },
	{ "shared_fc2", PHASE_INPUT_GRADIENT, 128849018880.0, 98566144, 0.594012, 0.000000 },
	{ "shared_fc2", PHASE_WEIGHT_GRADIENT, 128849018880.0, 130023424, 0.612246, 0.000000 },
	{ "router", PHASE_FORWARD, 6710886400.0, 47513600, 0.070392, 0.000000 },
	{ "router", PHASE_INPUT_GRADIENT, 6710886400.0, 48824320, 0.071230, 0.000000 },
	{ "router", PHASE_WEIGHT_GRADIENT, 6710886400.0, 44892160, 0.068715, 0.000000 },
	{ "dispatch", PHASE_FORWARD, 0.0, 798883840, 2.554782, 25.096770 },
	{ "dispatch", PHASE_INPUT_GRADIENT, 0.0, 798883840, 2.554782, 25.096770 },
	{ "expert_fc1", PHASE_FORWARD, 775107379200.0, 1032847360, 3.512033, 0.000000 },
	{ "expert_fc1", PHASE_INPUT_GRADIENT, 775107379200.0, 1032847360, 3.529610, 0.000000 },
	{ "expert_fc1", PHASE_WEIGHT_GRADIENT, 775107379200.0, 1095761920, 4.115576, 0.000000 },
	{ "expert_act", PHASE_FORWARD, 0.0, 227082240, 0.185252, 0.000000 },
	{ "expert_act", PHASE_INPUT_GRADIENT, 0.0, 227082240, 0.185252, 0.000000 },
	{ "expert_fc2", PHASE_FORWARD, 387553689600.0, 642580480, 1.839010, 0.000000 },
	{ "expert_fc2", PHASE_INPUT_GRADIENT, 387553689600.0, 642580480, 1.889963, 0.000000 },
	{ "expert_fc2", PHASE_WEIGHT_GRADIENT, 387553689600.0, 674037760, 1.949392, 0.000000 },
	{ "combine", PHASE_FORWARD, 0.0, 798883840, 2.554782, 25.096770 },
	{ "combine", PHASE_INPUT_GRADIENT, 0.0, 798883840, 2.554782, 25.096770 },
	{ "ln_f", PHASE_FORWARD, 0.0, 83896320, 0.093664, 0.000000 },
	{ "ln_f", PHASE_INPUT_GRADIENT, 0.0, 83904512, 0.093669, 0.000000 },
	{ "ln_f", PHASE_WEIGHT_GRADIENT, 0.0, 41963520, 0.066842, 0.000000 },
	{ "lm_head", PHASE_FORWARD, 4294967296000.0, 1929379840, 18.228518, 0.000000 },
	{ "lm_head", PHASE_INPUT_GRADIENT, 4294967296000.0, 1929379840, 18.068616, 0.000000 },
	{ "lm_head", PHASE_WEIGHT_GRADIENT, 4294967296000.0, 4026531840, 19.264177, 0.000000 },
	{ "ce", PHASE_FORWARD, 0.0, 15938387976, 11.521885, 0.000000 },
	{ "ce", PHASE_INPUT_GRADIENT, 0.0, 5872025604, 4.270159, 0.000000 },
};

static void run_a100_ep8(struct fixture *f)
{
	fixture_init(f, FIXTURE_A100, FIXTURE_DEEPSEEK_V2, 4, 8, 1, 1);
	fixture_experts(f, 8, 1);
	ck_assert_int_eq(fixture_run(f), ENGINE_OK);
}

START_TEST(operators_take_their_time)
{
	struct fixture f;

	run_a100_ep8(&f);
	for (size_t i = 0; i < PLAN_COUNT(operator_times); i++) {
		enum phase p = operator_times[i].phase;
		const struct engine_operator *op = fixture_get_operator(&f, operator_times[i].name);

		ck_assert_double_eq(op->flops[p], operator_times[i].flops);
		ck_assert_int_eq(op->moved[p], operator_times[i].bytes);
		ck_near(op->compute[p] * 1e3, operator_times[i].ms, 5e-7);
		ck_near(op->network[p][TRAFFIC_EXPERT] * 1e3, operator_times[i].network_ms, 5e-7);
		ck_assert_double_eq(op->network[p][TRAFFIC_TENSOR], 0);
	}
	fixture_release(&f);
}
END_TEST

/* Bytes cached, temporary bytes forward and backward, parameters and weights of a GPU. */
static const struct {
	const char *name;
	int64_t keep, forward, backward, parameters, weight;
} operator_memory[] = {
	{ "embed", 0, 41959424, 1048576000, 524288000, 1048576000 },
	{ "ln_in", 41943040, 83886080, 83894272, 5120, 10240 },
	{ "q_down", 41943040, 54525952, 54525952, 7864320, 15728640 },
	{ "q_ln", 12582912, 25165824, 25174016, 1536, 3072 },
	{ "q_up", 12582912, 213909504, 213909504, 37748736, 75497472 },
	{ "kv_down", 0, 46661632, 46661632, 2949120, 5898240 },
	{ "kv_split", 0, 0, 0, 0, 0 },
	{ "kv_ln", 4194304, 8388608, 8396800, 512, 1024 },
	{ "kv_up", 4194304, 272629760, 272629760, 16777216, 33554432 },
	{ "head_split", 0, 0, 0, 0, 0 },
	{ "rope", 0, 0, 0, 0, 0 },
	{ "key_concat", 0, 0, 0, 0, 0 },
	{ "pack", 0, 0, 0, 0, 0 },
	{ "core", 537919488, 672137216, 1209008128, 0, 0 },
	{ "out", 134217728, 176160768, 176160768, 83886080, 167772160 },
	{ "ln_mlp", 41943040, 83886080, 83894272, 5120, 10240 },
	{ "fc1", 41943040, 243269632, 243269632, 125829120, 251658240 },
	{ "act", 201326592, 301989888, 301989888, 0, 0 },
	{ "fc2", 100663296, 142606336, 142606336, 62914560, 125829120 },
	{ "shared_fc1", 41943040, 92274688, 92274688, 31457280, 62914560 },
	{ "shared_act", 50331648, 75497472, 75497472, 0, 0 },
	{ "shared_fc2", 25165824, 67108864, 67108864, 15728640, 31457280 },
	{ "router", 41943040, 44892160, 44892160, 819200, 1638400 },
	{ "dispatch", 5242880, 0, 0, 0, 0 },
	{ "expert_fc1", 252313600, 403701760, 403701760, 314572800, 629145600 },
	{ "expert_act", 151388160, 227082240, 227082240, 0, 0 },
	{ "expert_fc2", 75694080, 328007680, 328007680, 157286400, 314572800 },
	{ "combine", 252313600, 294256640, 294256640, 0, 0 },
	{ "add_shared", 0, 0, 0, 0, 0 },
	{ "ln_f", 41943040, 83886080, 83894272, 5120, 10240 },
	{ "lm_head", 41943040, 880803840, 880803840, 524288000, 1048576000 },
	{ "ce", 1677721600, 2516582400, 0, 0, 0 },
};

START_TEST(operators_take_their_memory)
{
	struct fixture f;

	run_a100_ep8(&f);
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

	run_a100_ep8(&f);
	s = &f.result.stages[0];
	ck_assert_int_eq(s->expert_layers, 3);
	ck_near(s->forward_compute * 1e3, 114.592175, 5e-7);
	ck_near(s->forward_network * 1e3, 150.580622, 5e-7);
	ck_near(s->backward_compute * 1e3, 143.888131 + 75.841330, 1e-6);
	ck_near(s->backward_network * 1e3, 150.580622, 5e-7);
	ck_near(f.result.step.pipeline * 1e3, 5083.863039, 1e-6);
	ck_near(s->gradient_reduce * 1e3, 594.705556, 1e-5);
	ck_near(s->data_parallel * 1e3, 1079.626219, 1e-6);
	ck_near(s->optimizer_step * 1e3, 96.705156, 5e-7);
	ck_near(f.result.step.time * 1e3, 6260.194414, 1e-6);
	ck_assert_double_eq(f.result.counts.flops_per_token, 15303180288.0);
	ck_near(f.result.throughput.mfu, 0.256737445, 5e-10);
	fixture_release(&f);
}
END_TEST

START_TEST(memory_is_exact)
{
	struct fixture f;
	const struct engine_stage *s;

	run_a100_ep8(&f);
	s = &f.result.stages[0];
	ck_assert_int_eq(s->weights, 3956582400 + 2831155200);
	ck_assert_int_eq(s->gradients, 7913164800 + 5662310400);
	ck_assert_int_eq(s->optimizer, 2967436800 + 16986931200);
	ck_assert_int_eq(s->expert_parameters * 2, 2831155200);
	ck_assert_int_eq(s->activations, 8120631296);
	ck_assert_int_eq(s->activation_peak, 8959492096);
	ck_assert_int_eq(f.result.memory.peak, 49277072896);
	fixture_release(&f);
}
END_TEST

#define LEGACY                                                                \
	(UINT32_C(1) << MODULE_ATTN_BODY | UINT32_C(1) << MODULE_ATTN_INPUT | \
	 UINT32_C(1) << MODULE_FFN_LINEAR | UINT32_C(1) << MODULE_FFN_INPUT)
#define DISCARD                                                                \
	(UINT32_C(1) << MODULE_LAYERNORM | UINT32_C(1) << MODULE_MLA_UP_PROJ | \
	 UINT32_C(1) << MODULE_MOE_ACT)

/* Two stages, everything but the output projection of attention recomputed, in segments. */
START_TEST(segments_run_again)
{
	struct fixture f;
	const struct engine_stage *s;

	fixture_init(&f, FIXTURE_A100, FIXTURE_DEEPSEEK_V2, 4, 8, 1, 2);
	fixture_experts(&f, 4, 1);
	fixture_recompute(&f, 2, LEGACY);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	s = &f.result.stages[0];
	ck_assert_int_eq(s->activations, 980680704);
	ck_assert_int_eq(s->activation_peak, 2049966080);
	ck_assert_int_eq(s->weights + s->gradients + s->optimizer, 26522542080);
	ck_assert_int_eq(s->peak, 29553188864);
	ck_near(s->forward * 1e3, 58.9067, 5e-5);
	ck_near(s->backward * 1e3, 135.3227, 5e-5);
	ck_near(s->recompute * 1e3, 28.6817, 5e-5);
	ck_assert_double_eq(s->recompute_network, 0);
	ck_near(f.result.stages[1].forward * 1e3, 112.8553, 5e-5);
	ck_near(f.result.stages[1].backward * 1e3, 202.1934, 5e-5);
	fixture_release(&f);
}
END_TEST

/* Totals of SimuMax runs: pipeline and step in ms, mfu, peak bytes of the first and last stage. */
struct golden {
	enum fixture_machine machine;
	enum fixture_model model;
	int64_t world, tp, pp, ep, etp;
	int64_t recompute;
	uint32_t modules;
	double pipeline, step, mfu;
	int64_t first, last;
};

static const struct golden goldens[] = {
	{ FIXTURE_A100, FIXTURE_DEEPSEEK_V2, 8, 1, 1, 8, 1, 0, 0, 5083.8630, 6260.1944, 0.25673745,
	  49277072896, 49277072896 },
	{ FIXTURE_A100, FIXTURE_DEEPSEEK_V2, 8, 1, 2, 4, 1, 0, 0, 2488.4414, 2855.0185, 0.28147389,
	  32623419392, 48299054080 },
	{ FIXTURE_A100, FIXTURE_DEEPSEEK_V2, 8, 1, 2, 4, 1, 2, 0, 3210.7005, 3577.2776, 0.22464378,
	  28670484480, 44927226880 },
	{ FIXTURE_A100, FIXTURE_DEEPSEEK_V2, 8, 1, 2, 4, 1, 2, LEGACY, 2756.4461, 3123.0231,
	  0.25731899, 29553188864, 46333891584 },
	{ FIXTURE_A100, FIXTURE_DEEPSEEK_V2, 8, 1, 2, 4, 1, 4, DISCARD, 2535.2198, 2901.7969,
	  0.27693639, 29847183360, 46787662848 },
	{ FIXTURE_B200, FIXTURE_DEEPSEEK_V2, 32, 1, 1, 16, 1, 0, 0, 1082.9461, 1432.8415,
	  0.15554317, 30064564096, 30064564096 },
	{ FIXTURE_A100, FIXTURE_MIXTRAL_8X7B, 8, 2, 1, 2, 2, 0, 0, 1551.3468, 2221.8140, 0.26128318,
	  21657751552, 21657751552 },
};

START_TEST(golden_totals)
{
	for (size_t i = 0; i < PLAN_COUNT(goldens); i++) {
		const struct golden *g = &goldens[i];
		struct fixture f;

		fixture_init(&f, g->machine, g->model, 4, g->world, g->tp, g->pp);
		fixture_experts(&f, g->ep, g->etp);
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
}
END_TEST

START_TEST(inputs_wait_on_the_host)
{
	const int64_t input = 252313600; /* of the experts of one layer */
	struct fixture f;
	int64_t kept;

	run_a100_ep8(&f);
	kept = f.result.stages[0].activations;
	f.in.parallel.offload_expert_input = true;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].activations, kept - 3 * input);
	ck_assert_int_eq(f.result.memory.host, 3 * input);
	ck_assert_double_eq(f.result.step.part[STEP_OFFLOAD], 0);
	/* They take their time once the way there has a rate. */
	f.profile.offload_free = false;
	f.hardware.host_bandwidth = 1e9;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.part[STEP_OFFLOAD], 8 * 2 * 3 * (double)input / 1e9, 1e-9);
	fixture_release(&f);
}
END_TEST

/* One linear per expert: SimuMax times them together and shards their states as dense ones. */
START_TEST(experts_one_by_one)
{
	struct fixture f;
	double grouped;

	run_a100_ep8(&f);
	grouped = f.result.stages[0].forward_compute;
	f.in.kernels.grouped = false;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_double_eq(f.result.stages[0].forward_compute, grouped);
	ck_assert_int_eq(f.result.stages[0].expert_parameters, 0);
	ck_assert_int_eq(fixture_get_operator(&f, "expert_fc1")->backward_extra, 403701760 / 20);
	f.profile.serial_as_grouped = f.profile.serial_as_dense = false;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].expert_parameters, 2831155200 / 2);
	ck_assert_double_gt(f.result.step.expert_compute, 0);
	fixture_release(&f);
}
END_TEST

/* The busiest rank has a quarter more tokens than the mean. */
START_TEST(load_can_be_uneven)
{
	struct fixture f;
	double even;

	run_a100_ep8(&f);
	even = f.result.step.busy[STEP_EXPERT_COMM];
	f.in.model.moe.imbalance = 1.25;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_near(f.result.step.busy[STEP_EXPERT_COMM], 1.25 * even, 1e-9);
	fixture_release(&f);
}
END_TEST

/* Leading dense layers where they are, or all on the first stage as SimuMax has it. */
START_TEST(dense_layers_have_a_place)
{
	struct fixture f;

	fixture_init(&f, FIXTURE_A100, FIXTURE_DEEPSEEK_V2, 4, 8, 1, 4);
	fixture_experts(&f, 2, 1);
	f.in.model.moe.first_dense = 2;
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[0].expert_layers, 0);
	ck_assert_int_eq(f.result.stages[1].expert_layers, 1);
	profile_init(&f.profile, PROFILE_STANDARD);
	ck_assert_int_eq(fixture_run(&f), ENGINE_OK);
	ck_assert_int_eq(f.result.stages[1].expert_layers, 0);
	ck_assert_int_eq(f.result.stages[2].expert_layers, 1);
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("engine_moe", operators_take_their_time, operators_take_their_memory, stage_sums_up,
	  memory_is_exact, segments_run_again, golden_totals, inputs_wait_on_the_host,
	  experts_one_by_one, load_can_be_uneven, dense_layers_have_a_place)
