/*
 * engine_fixture.c - machines for the engine's tests.
 *
 * The figures are those of SimuMax 1.2's system files a100_pcie.json and b200_bf16_ceperm.json
 * (github.com/MooreThreads/SimuMax, Apache-2.0). It counts GB/s in 2^30 bytes.
 */
#include "tests/unit/engine_fixture.h"

#include "tests/unit/engine_tables.h"

static const double GIB = 1024.0 * 1024 * 1024;

/* Share of the bandwidth and microseconds of one collective; a share of 0 means the link's own. */
struct measured {
	double efficiency, latency_us, fixed_us;
};

static struct link make_link(enum link_kind kind, double gib, double efficiency, double latency_us,
			     const struct measured rows[COLLECTIVE_COUNT])
{
	struct link link = { .kind = kind,
			     .bandwidth = gib * GIB,
			     .efficiency = efficiency,
			     .latency = latency_us / 1e6 };

	for (int c = 0; c < COLLECTIVE_COUNT; c++)
		link.collectives[c] = (struct collective_row){
			.has_efficiency = rows[c].efficiency > 0,
			.has_latency = rows[c].latency_us > 0,
			.has_fixed = rows[c].fixed_us > 0,
			.efficiency = rows[c].efficiency,
			.latency = rows[c].latency_us / 1e6,
			.fixed = rows[c].fixed_us / 1e6,
			.scale = c == COLLECTIVE_ALL_REDUCE ? 2 : 1,
			.offset = c == COLLECTIVE_P2P ? 0 : -1,
		};
	return link;
}

static const struct measured unmeasured[COLLECTIVE_COUNT];

/*
 * PCIe inside the node, measured apart for 2, 4 and 8 GPUs; all-reduce, all-gather, reduce-scatter.
 */
static void a100_levels(struct level *level)
{
	static const struct measured rows[3][COLLECTIVE_COUNT] = {
		{ { 0.6965, 15.51, 0 },
		  { 0.6866, 24.84, 0 },
		  { 0.6419, 131.3, 0 },
		  { 0.6969, 24.07, 0 },
		  { 0, 0, 0 } },
		{ { 0.6924, 3.45, 0 },
		  { 0.6915, 8.93, 0 },
		  { 0.6845, 29.88, 0 },
		  { 0.638, 13.84, 0 },
		  { 0, 0, 0 } },
		{ { 0.4176, 8.98, 0 },
		  { 0.4497, 4.83, 0 },
		  { 0.3688, 15.64, 0 },
		  { 0.2754, 30.04, 0 },
		  { 0, 0, 0 } },
	};
	static const struct size_value gather[] = { { 2, 4294967296.0 }, { 4, 8214124953.6 } };
	static const struct size_value scatter[] = { { 2, 4187593113.6 }, { 4, 7516192768.0 } };

	for (int i = 0; i < 3; i++) {
		level[i].size = INT64_C(2) << i;
		level[i].link = make_link(LINK_PCIE, 30, 0.5, 10, rows[i]);
	}
	level[2].link.collectives[COLLECTIVE_ALL_GATHER].rate_at = gather;
	level[2].link.collectives[COLLECTIVE_ALL_GATHER].rate_at_count = PLAN_COUNT(gather);
	level[2].link.collectives[COLLECTIVE_REDUCE_SCATTER].rate_at = scatter;
	level[2].link.collectives[COLLECTIVE_REDUCE_SCATTER].rate_at_count = PLAN_COUNT(scatter);
	level[3].size = INT64_MAX;
	level[3].link = make_link(LINK_INFINIBAND, 25.0 / 8, 0.6, 40, unmeasured);
}

static void b200_levels(struct level *level)
{
	static const struct measured rows[COLLECTIVE_COUNT] = {
		{ 0.7424, 5.5183, 22.2316 }, { 0.6735, 9.1828, 23.1049 },
		{ 0.6731, 8.0325, 25.5604 }, { 0.5968, 7.3039, 0 },
		{ 1.4517, 16.0668, 0 },
	};

	static const struct size_value exchange[] = { { 2, 51.0578e-6 },
						      { 4, 19.2102e-6 },
						      { 8, 0 } };

	level[0].size = 8;
	level[0].link = make_link(LINK_NVLINK, 900, 1, 35, rows);
	level[0].link.collectives[COLLECTIVE_ALL_TO_ALL].fixed_at = exchange;
	level[0].link.collectives[COLLECTIVE_ALL_TO_ALL].fixed_at_count = PLAN_COUNT(exchange);
	level[1].size = INT64_MAX;
	level[1].link = make_link(LINK_INFINIBAND, 200.0 / 8, 1, 35, unmeasured);
}

static void set_compute(struct hardware *h, double rate, double other, double matmul,
			double forward, double backward)
{
	h->peak = rate;
	h->compute[KERNEL_DEFAULT] = (struct compute_row){ true, rate, other };
	h->compute[KERNEL_MATMUL] = (struct compute_row){ true, rate, matmul };
	h->compute[KERNEL_SDP_FWD] = (struct compute_row){ true, rate, forward };
	h->compute[KERNEL_SDP_BWD] = (struct compute_row){ true, rate, backward };
}

static void init_machine(struct fixture *f, enum fixture_machine machine)
{
	struct hardware *h = &f->hardware;
	struct level *levels = ARENA_ARRAY(&f->arena, struct level, 4);

	*h = (struct hardware){ .memory = INT64_C(80) << 30,
				.gpus_per_node = 8,
				.roofline = true,
				.contiguous = true,
				.levels = levels };
	if (machine == FIXTURE_A100) {
		set_compute(h, 312e12, 0.75, 0.75, 0.75, 0.75);
		h->traffic[KERNEL_DEFAULT] = (struct traffic_row){ true, 1600 * GIB, 0.91, 40e-6 };
		h->traffic[KERNEL_CE] = (struct traffic_row){ true, 1600 * GIB, 0.808, 40e-6 };
		h->compute[KERNEL_FP8_MATMUL] = (struct compute_row){ true, 624e12, 0.75 };
		h->compute[KERNEL_GROUP_MATMUL] = (struct compute_row){ true, 312e12, 0.75 };
		h->traffic[KERNEL_PERMUTE_FWD] =
			(struct traffic_row){ true, 1600 * GIB, 0.1879, 40e-6 };
		h->traffic[KERNEL_PERMUTE_BWD] = h->traffic[KERNEL_PERMUTE_FWD];
		h->grouped = a100_grouped;
		h->grouped_count = PLAN_COUNT(a100_grouped);
		h->matmul = a100_matmul;
		h->matmul_count = PLAN_COUNT(a100_matmul);
		h->attention = a100_attention;
		h->attention_count = PLAN_COUNT(a100_attention);
		a100_levels(levels);
		h->level_count = 4;
	} else {
		set_compute(h, 2250e12, 0.39490037330423644, 0.48780765792034037,
			    0.7059717796465379, 0.6943225842672003);
		h->traffic[KERNEL_DEFAULT] = (struct traffic_row){ true, 8000 * GIB, 0.666, 30e-6 };
		h->traffic[KERNEL_CE] =
			(struct traffic_row){ true, 8000 * GIB, 0.3246108444537549, 30e-6 };
		h->compute[KERNEL_GROUP_MATMUL] =
			(struct compute_row){ true, 2250e12, 0.30199308868813257 };
		h->traffic[KERNEL_PERMUTE_FWD] =
			(struct traffic_row){ true, 8000 * GIB, 0.5008136513816437, 30e-6 };
		h->traffic[KERNEL_PERMUTE_BWD] =
			(struct traffic_row){ true, 8000 * GIB, 0.5108178337365621, 30e-6 };
		h->matmul = b200_matmul;
		h->matmul_count = PLAN_COUNT(b200_matmul);
		h->attention = b200_attention;
		h->attention_count = PLAN_COUNT(b200_attention);
		b200_levels(levels);
		h->level_count = 2;
	}
	hardware_index(h, &f->arena);
}

static struct engine_model make_llama(bool small)
{
	return (struct engine_model){
		.hidden = small ? 4096 : 8192,
		.ffn = small ? 14336 : 28672,
		.vocab = small ? 128257 : 128256, /* as SimuMax's model files have it */
		.attention = { .heads = small ? 32 : 64,
			       .kv_heads = 8,
			       .head = 128,
			       .v_head = 128 },
	};
}

static struct engine_model make_deepseek(void)
{
	return (struct engine_model){
		.hidden = 5120,
		.ffn = 12288,
		.vocab = 102400,
		.attention = { .kind = ATTENTION_MLA,
			       .heads = 128,
			       .kv_heads = 128,
			       .head = 192,
			       .v_head = 128,
			       .q_lora = 1536,
			       .kv_lora = 512,
			       .qk_nope = 128,
			       .qk_rope = 64 },
		.moe = { .experts = 160,
			 .top_k = 6,
			 .ffn = 1536,
			 .shared_ffn = 3072,
			 .first_dense = 1 },
	};
}

static struct engine_model make_mixtral(void)
{
	return (struct engine_model){
		.hidden = 4096,
		.ffn = 14336,
		.vocab = 32000,
		.attention = { .heads = 32, .kv_heads = 8, .head = 128, .v_head = 128 },
		.moe = { .experts = 8, .top_k = 2, .ffn = 14336 },
	};
}

static struct engine_model make_model(enum fixture_model model, int64_t layers)
{
	struct engine_model m = { 0 };

	switch (model) {
	case FIXTURE_LLAMA3_8B:
	case FIXTURE_LLAMA3_70B:
		m = make_llama(model == FIXTURE_LLAMA3_8B);
		break;
	case FIXTURE_DEEPSEEK_V2:
		m = make_deepseek();
		break;
	case FIXTURE_MIXTRAL_8X7B:
		m = make_mixtral();
		break;
	}
	m.layers = layers;
	m.vocab_multiple = 128;
	m.pad_vocab = true;
	m.activation = ACT_SWIGLU;
	m.attention.causal = true;
	m.moe.capacity = 1;
	m.moe.pad = true;
	return m;
}

void fixture_init(struct fixture *f, enum fixture_machine machine, enum fixture_model model,
		  int64_t layers, int64_t world, int64_t tp, int64_t pp)
{
	arena_init(&f->arena, NULL);
	init_machine(f, machine);
	profile_init(&f->profile, PROFILE_SIMUMAX);
	f->in = (struct engine_input){
		.model = make_model(model, layers),
		.parallel = { .world = world,
			      .tp = tp,
			      .cp = 1,
			      .pp = pp,
			      .vpp = 1,
			      .ep = 1,
			      .etp = 1,
			      .dp = world / (tp * pp),
			      .edp = world / pp,
			      .sequence_parallel = tp > 1,
			      .schedule = SCHEDULE_ONE_F_ONE_B,
			      .zero = ZERO_OPTIMIZER,
			      .stages = f->stages,
			      .stage_count = pp },
		.batch = { .sequence = 4096, .micro = 1, .micro_batches = 8 },
		.precision = { .compute = DTYPE_BF16,
			       .linear = DTYPE_BF16,
			       .weights = DTYPE_BF16,
			       .dispatch = DTYPE_BF16 },
		.optimizer = { .clip = true },
		.recompute = { .enabled = true },
		.kernels = { .fused_norm = true,
			     .fused_activation = true,
			     .fused_rope = true,
			     .fused_softmax = true,
			     .fused_permute = true,
			     .fused_accumulation = true,
			     .in_place_weight = true,
			     .grouped = true },
		.hardware = &f->hardware,
		.profile = &f->profile,
	};
	for (int64_t i = 0; i < pp; i++)
		f->stages[i] = (struct engine_layout_stage){ layers / pp, 0, i == 0, i == pp - 1, 0 };
}

void fixture_experts(struct fixture *f, int64_t ep, int64_t etp)
{
	struct engine_parallel *p = &f->in.parallel;

	p->ep = ep;
	p->etp = etp;
	p->edp = p->world / (p->pp * ep * etp);
}

void fixture_interleave(struct fixture *f, int64_t chunks)
{
	struct engine_parallel *p = &f->in.parallel;
	int64_t stages = p->pp * chunks;

	p->vpp = chunks;
	p->schedule = SCHEDULE_INTERLEAVED;
	p->stage_count = stages;
	for (int64_t i = 0; i < stages; i++)
		f->stages[i] = (struct engine_layout_stage){ f->in.model.layers / stages, 0, i == 0,
							     i == stages - 1, 0 };
}

void fixture_recompute(struct fixture *f, int64_t layers, uint32_t modules)
{
	f->in.recompute.granularity = modules == 0 ? RECOMPUTE_FULL : RECOMPUTE_SELECTIVE;
	f->in.recompute.method = RECOMPUTE_BLOCK;
	f->in.recompute.modules = modules;
	for (int64_t i = 0; i < f->in.parallel.stage_count; i++)
		f->stages[i].recompute = layers;
}

enum engine_status fixture_run(struct fixture *f)
{
	return engine_evaluate(&f->in, &f->arena, &f->result, &f->error);
}

const struct engine_operator *fixture_get_operator(const struct fixture *f, const char *name)
{
	for (int i = 0; i < f->result.operator_count; i++)
		if (strcmp(f->result.operators[i].name, name) == 0)
			return &f->result.operators[i];
	invariant(false, "no operator of that name");
	return &f->result.operators[0];
}

void fixture_release(struct fixture *f)
{
	arena_release(&f->arena);
}
