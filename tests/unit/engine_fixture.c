/*
 * engine_fixture.c - machines for the engine's tests.
 *
 * The figures are those of SimuMax 1.2's system files a100_pcie.json and b200_bf16_ceperm.json
 * (github.com/MooreThreads/SimuMax, Apache-2.0): measured efficiencies of the shapes that llama3-8b
 * and llama3-70b need with 4096 tokens. It counts GB/s in 2^30 bytes.
 */
#include "tests/unit/engine_fixture.h"

#define MATMUL(b, m, k, n, layout, accumulate, out, efficiency)                                 \
	{                                                                                       \
		KERNEL_MATMUL, b, m, k, n, LAYOUT_##layout, accumulate, DTYPE_##out, efficiency \
	}
#define ATTENTION(kernel, b, s, heads, kv_heads, qk, v, efficiency)             \
	{                                                                       \
		KERNEL_##kernel, b, s, heads, kv_heads, qk, v, true, efficiency \
	}

static const double GIB = 1024.0 * 1024 * 1024;

static const struct matmul_point a100_matmul[] = {
	MATMUL(1, 4096, 4096, 6144, TN, false, BF16, 0.7168026910137828),
	MATMUL(1, 4096, 6144, 4096, NN, false, BF16, 0.7411762930930123),
	MATMUL(1, 6144, 4096, 4096, NT, true, FP32, 0.6680586888781721),
	MATMUL(1, 4096, 4096, 4096, TN, false, BF16, 0.721422601944922),
	MATMUL(1, 4096, 4096, 4096, NN, false, BF16, 0.724765665739788),
	MATMUL(1, 4096, 4096, 4096, NT, true, FP32, 0.6931630070419857),
	MATMUL(1, 4096, 4096, 28672, TN, false, BF16, 0.737273801700045),
	MATMUL(1, 4096, 28672, 4096, NN, false, BF16, 0.735739317501757),
	MATMUL(1, 28672, 4096, 4096, NT, true, FP32, 0.7123608324343138),
	MATMUL(1, 4096, 14336, 4096, TN, false, BF16, 0.7378413434922735),
	MATMUL(1, 4096, 4096, 14336, NN, false, BF16, 0.7373432954535023),
	MATMUL(1, 4096, 4096, 14336, NT, true, FP32, 0.7089164123993026),
	MATMUL(1, 4096, 4096, 128384, TN, false, BF16, 0.7458234850142063),
	MATMUL(1, 4096, 128384, 4096, NN, false, BF16, 0.7527301065599492),
	MATMUL(1, 128384, 4096, 4096, NT, true, FP32, 0.7092498913859266),
	MATMUL(1, 4096, 4096, 3072, TN, false, BF16, 0.7584469139385706),
	MATMUL(1, 4096, 3072, 4096, NN, false, BF16, 0.7097633114574287),
	MATMUL(1, 3072, 4096, 4096, NT, true, FP32, 0.6474413147654128),
	MATMUL(1, 4096, 2048, 4096, TN, false, BF16, 0.6821114053850541),
	MATMUL(1, 4096, 4096, 2048, NN, false, BF16, 0.6131463271421691),
	MATMUL(1, 4096, 4096, 2048, NT, true, FP32, 0.6021845340036526),
	MATMUL(1, 4096, 4096, 14336, TN, false, BF16, 0.7384018902874812),
	MATMUL(1, 4096, 14336, 4096, NN, false, BF16, 0.75762783803072),
	MATMUL(1, 14336, 4096, 4096, NT, true, FP32, 0.7021865180942135),
	MATMUL(1, 4096, 7168, 4096, TN, false, BF16, 0.7410034143905717),
	MATMUL(1, 4096, 4096, 7168, NN, false, BF16, 0.7124874570582028),
	MATMUL(1, 4096, 4096, 7168, NT, true, FP32, 0.691318852494499),
	MATMUL(1, 4096, 4096, 64256, TN, false, BF16, 0.7460452966820983),
	MATMUL(1, 4096, 64256, 4096, NN, false, BF16, 0.7529874380649068),
	MATMUL(1, 64256, 4096, 4096, NT, true, FP32, 0.7108935945453314),
	MATMUL(1, 4096, 4096, 1536, TN, false, BF16, 0.7826820761984574),
	MATMUL(1, 4096, 1536, 4096, NN, false, BF16, 0.7464678237860802),
	MATMUL(1, 1536, 4096, 4096, NT, true, FP32, 0.6561436807586675),
	MATMUL(1, 4096, 1024, 4096, TN, false, BF16, 0.616183594619475),
	MATMUL(1, 4096, 4096, 1024, NN, false, BF16, 0.4575819791133963),
	MATMUL(1, 4096, 4096, 1024, NT, true, FP32, 0.46632844777418087),
	MATMUL(1, 4096, 4096, 7168, TN, false, BF16, 0.7109605042565682),
	MATMUL(1, 4096, 7168, 4096, NN, false, BF16, 0.7420396274123722),
	MATMUL(1, 7168, 4096, 4096, NT, true, FP32, 0.6812184840718712),
	MATMUL(1, 4096, 3584, 4096, TN, false, BF16, 0.7055656954561064),
	MATMUL(1, 4096, 4096, 3584, NN, false, BF16, 0.6450057409058028),
	MATMUL(1, 4096, 4096, 3584, NT, true, FP32, 0.6344918560454865),
	MATMUL(1, 4096, 4096, 32128, TN, false, BF16, 0.7312904136133108),
	MATMUL(1, 4096, 32128, 4096, NN, false, BF16, 0.7324978441600342),
	MATMUL(1, 32128, 4096, 4096, NT, true, FP32, 0.7027126729125311),
	MATMUL(1, 4096, 4096, 768, TN, false, BF16, 0.7653560016060472),
	MATMUL(1, 4096, 768, 4096, NN, false, BF16, 0.715982957439502),
	MATMUL(1, 768, 4096, 4096, NT, true, FP32, 0.7250741067846763),
	MATMUL(1, 4096, 512, 4096, TN, false, BF16, 0.6101066192930176),
	MATMUL(1, 4096, 4096, 512, NN, false, BF16, 0.539393299546852),
	MATMUL(1, 4096, 4096, 512, NT, true, FP32, 0.49140506194070926),
	MATMUL(1, 4096, 4096, 3584, TN, false, BF16, 0.6571785628255328),
	MATMUL(1, 4096, 3584, 4096, NN, false, BF16, 0.7270363437852209),
	MATMUL(1, 3584, 4096, 4096, NT, true, FP32, 0.6249716983580044),
	MATMUL(1, 4096, 1792, 4096, TN, false, BF16, 0.6804118876243613),
	MATMUL(1, 4096, 4096, 1792, NN, false, BF16, 0.5477635989014819),
	MATMUL(1, 4096, 4096, 1792, NT, true, FP32, 0.6975570364996171),
	MATMUL(1, 4096, 4096, 16128, TN, false, BF16, 0.7344445667163773),
	MATMUL(1, 4096, 16128, 4096, NN, false, BF16, 0.7581647371614267),
	MATMUL(1, 16128, 4096, 4096, NT, true, FP32, 0.6934849571334787),
	MATMUL(1, 4096, 8192, 10240, TN, false, BF16, 0.7553994944831973),
	MATMUL(1, 4096, 10240, 8192, NN, false, BF16, 0.754386202244146),
	MATMUL(1, 10240, 4096, 8192, NT, true, FP32, 0.704074572780017),
	MATMUL(1, 4096, 8192, 8192, TN, false, BF16, 0.732652768824756),
	MATMUL(1, 4096, 8192, 8192, NN, false, BF16, 0.738712438820993),
	MATMUL(1, 8192, 4096, 8192, NT, true, FP32, 0.7137429225106239),
	MATMUL(1, 4096, 8192, 57344, TN, false, BF16, 0.7528418718616763),
	MATMUL(1, 4096, 57344, 8192, NN, false, BF16, 0.7548747079937163),
	MATMUL(1, 57344, 4096, 8192, NT, true, FP32, 0.7099637471267628),
	MATMUL(1, 4096, 28672, 8192, TN, false, BF16, 0.7410863521303168),
	MATMUL(1, 4096, 8192, 28672, NN, false, BF16, 0.7564694882184447),
	MATMUL(1, 8192, 4096, 28672, NT, true, FP32, 0.7116325692287538),
	MATMUL(1, 4096, 8192, 128256, TN, false, BF16, 0.7446273822339463),
	MATMUL(1, 4096, 128256, 8192, NN, false, BF16, 0.7448441067420034),
	MATMUL(1, 128256, 4096, 8192, NT, true, FP32, 0.7081482678987661),
	MATMUL(1, 4096, 8192, 5120, TN, false, BF16, 0.754660641027679),
	MATMUL(1, 4096, 5120, 8192, NN, false, BF16, 0.7209196748802622),
	MATMUL(1, 5120, 4096, 8192, NT, true, FP32, 0.706609271112691),
	MATMUL(1, 4096, 4096, 8192, TN, false, BF16, 0.7122580484380107),
	MATMUL(1, 4096, 8192, 4096, NN, false, BF16, 0.7447040538421433),
	MATMUL(1, 8192, 4096, 4096, NT, true, FP32, 0.6911319234953753),
	MATMUL(1, 4096, 8192, 28672, TN, false, BF16, 0.7477881210264302),
	MATMUL(1, 4096, 28672, 8192, NN, false, BF16, 0.7463686496255802),
	MATMUL(1, 28672, 4096, 8192, NT, true, FP32, 0.7072654471548357),
	MATMUL(1, 4096, 14336, 8192, TN, false, BF16, 0.7423400352092671),
	MATMUL(1, 4096, 8192, 14336, NN, false, BF16, 0.7534806108805736),
	MATMUL(1, 8192, 4096, 14336, NT, true, FP32, 0.7045985836839898),
	MATMUL(1, 4096, 8192, 64128, TN, false, BF16, 0.7463318532301246),
	MATMUL(1, 4096, 64128, 8192, NN, false, BF16, 0.7539970684260774),
	MATMUL(1, 64128, 4096, 8192, NT, true, FP32, 0.7066682842619308),
	MATMUL(1, 4096, 8192, 2560, TN, false, BF16, 0.7907572256721325),
	MATMUL(1, 4096, 2560, 8192, NN, false, BF16, 0.6964803932572873),
	MATMUL(1, 2560, 4096, 8192, NT, true, FP32, 0.7023602004852854),
	MATMUL(1, 4096, 2048, 8192, TN, false, BF16, 0.6787003973433533),
	MATMUL(1, 4096, 8192, 2048, NN, false, BF16, 0.699821202997735),
	MATMUL(1, 8192, 4096, 2048, NT, true, FP32, 0.6877514875811942),
	MATMUL(1, 4096, 8192, 14336, TN, false, BF16, 0.7502125513544279),
	MATMUL(1, 4096, 14336, 8192, NN, false, BF16, 0.7401326993061806),
	MATMUL(1, 14336, 4096, 8192, NT, true, FP32, 0.7067980235919625),
	MATMUL(1, 4096, 7168, 8192, TN, false, BF16, 0.7279081802765821),
	MATMUL(1, 4096, 8192, 7168, NN, false, BF16, 0.7219670677807403),
	MATMUL(1, 8192, 4096, 7168, NT, true, FP32, 0.7002420321528131),
	MATMUL(1, 4096, 8192, 32128, TN, false, BF16, 0.746880907400662),
	MATMUL(1, 4096, 32128, 8192, NN, false, BF16, 0.7493135069134128),
	MATMUL(1, 32128, 4096, 8192, NT, true, FP32, 0.7061925967093493),
	MATMUL(1, 4096, 8192, 1280, TN, false, BF16, 0.6625029461304411),
	MATMUL(1, 4096, 1280, 8192, NN, false, BF16, 0.7234549437972192),
	MATMUL(1, 1280, 4096, 8192, NT, true, FP32, 0.6824930467674316),
	MATMUL(1, 4096, 1024, 8192, TN, false, BF16, 0.6024306206657819),
	MATMUL(1, 4096, 8192, 1024, NN, false, BF16, 0.4882056659624594),
	MATMUL(1, 8192, 4096, 1024, NT, true, FP32, 0.6283773930582816),
	MATMUL(1, 4096, 8192, 7168, TN, false, BF16, 0.7211501407256149),
	MATMUL(1, 4096, 7168, 8192, NN, false, BF16, 0.7355842121771726),
	MATMUL(1, 7168, 4096, 8192, NT, true, FP32, 0.7020767398275446),
	MATMUL(1, 4096, 3584, 8192, TN, false, BF16, 0.6944030559180607),
	MATMUL(1, 4096, 8192, 3584, NN, false, BF16, 0.6703251496042283),
	MATMUL(1, 8192, 4096, 3584, NT, true, FP32, 0.6757420392425966),
	MATMUL(1, 4096, 8192, 16128, TN, false, BF16, 0.7493578277349092),
	MATMUL(1, 4096, 16128, 8192, NN, false, BF16, 0.7420376091109256),
	MATMUL(1, 16128, 4096, 8192, NT, true, FP32, 0.7035500819987259),
};

static const struct attention_point a100_attention[] = {
	ATTENTION(SDP_FWD, 1, 4096, 32, 8, 128, 128, 1.1319724660210262),
	ATTENTION(SDP_BWD, 1, 4096, 32, 8, 128, 128, 0.9763861054324198),
	ATTENTION(SDP_FWD, 1, 4096, 16, 4, 128, 128, 0.9910468212936112),
	ATTENTION(SDP_BWD, 1, 4096, 16, 4, 128, 128, 0.8819220502262294),
	ATTENTION(SDP_FWD, 1, 4096, 8, 2, 128, 128, 0.7767795642853454),
	ATTENTION(SDP_BWD, 1, 4096, 8, 2, 128, 128, 0.7628476680681723),
	ATTENTION(SDP_FWD, 1, 4096, 4, 1, 128, 128, 0.5141956346963809),
	ATTENTION(SDP_BWD, 1, 4096, 4, 1, 128, 128, 0.6746810734436374),
	ATTENTION(SDP_FWD, 1, 4096, 64, 8, 128, 128, 1.187005822075009),
	ATTENTION(SDP_BWD, 1, 4096, 64, 8, 128, 128, 1.0050629192555385),
	ATTENTION(SDP_FWD, 1, 4096, 32, 4, 128, 128, 1.1185370768476979),
	ATTENTION(SDP_BWD, 1, 4096, 32, 4, 128, 128, 0.9661891429527452),
	ATTENTION(SDP_FWD, 1, 4096, 16, 2, 128, 128, 0.9876973776078243),
	ATTENTION(SDP_BWD, 1, 4096, 16, 2, 128, 128, 0.888120747779466),
	ATTENTION(SDP_FWD, 1, 4096, 8, 1, 128, 128, 0.7864042661144186),
	ATTENTION(SDP_BWD, 1, 4096, 8, 1, 128, 128, 0.7603223476789426),
};

static const struct matmul_point b200_matmul[] = {
	MATMUL(1, 4096, 4096, 3072, TN, false, BF16, 0.6369169049182652),
	MATMUL(1, 4096, 3072, 4096, NN, false, BF16, 0.6385820102616796),
	MATMUL(1, 3072, 4096, 4096, NT, true, FP32, 0.5985595716902268),
	MATMUL(1, 4096, 2048, 4096, TN, false, BF16, 0.647243277085493),
	MATMUL(1, 4096, 4096, 2048, NN, false, BF16, 0.6362280117248565),
	MATMUL(1, 4096, 4096, 2048, NT, true, FP32, 0.6170635327589632),
	MATMUL(1, 4096, 4096, 14336, TN, false, BF16, 0.6511662674560854),
	MATMUL(1, 4096, 14336, 4096, NN, false, BF16, 0.5051393989394498),
	MATMUL(1, 14336, 4096, 4096, NT, true, FP32, 0.5239422755774683),
	MATMUL(1, 4096, 7168, 4096, TN, false, BF16, 0.38305076170389357),
	MATMUL(1, 4096, 4096, 7168, NN, false, BF16, 0.5031026379464041),
	MATMUL(1, 4096, 4096, 7168, NT, true, FP32, 0.40855924498456614),
	MATMUL(1, 4096, 4096, 64256, TN, false, BF16, 0.5258482557408328),
	MATMUL(1, 4096, 64256, 4096, NN, false, BF16, 0.5003899906686208),
	MATMUL(1, 64256, 4096, 4096, NT, true, FP32, 0.43327785388224777),
};

static const struct attention_point b200_attention[] = {
	ATTENTION(SDP_FWD, 1, 4096, 16, 4, 128, 128, 0.5823520248792515),
	ATTENTION(SDP_BWD, 1, 4096, 16, 4, 128, 128, 0.741619808314949),
};

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

	level[0].size = 8;
	level[0].link = make_link(LINK_NVLINK, 900, 1, 35, rows);
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
		h->matmul = b200_matmul;
		h->matmul_count = PLAN_COUNT(b200_matmul);
		h->attention = b200_attention;
		h->attention_count = PLAN_COUNT(b200_attention);
		b200_levels(levels);
		h->level_count = 2;
	}
	hardware_index(h, &f->arena);
}

static struct engine_model make_model(enum fixture_model model, int64_t layers)
{
	bool small = model == FIXTURE_LLAMA3_8B;

	return (struct engine_model){
		.layers = layers,
		.hidden = small ? 4096 : 8192,
		.ffn = small ? 14336 : 28672,
		.vocab = small ? 128257 : 128256, /* as SimuMax's model files have it */
		.vocab_multiple = 128,
		.pad_vocab = true,
		.attention = { .heads = small ? 32 : 64,
			       .kv_heads = 8,
			       .head = 128,
			       .v_head = 128,
			       .causal = true },
		.activation = ACT_SWIGLU,
	};
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
			      .sequence_parallel = true,
			      .schedule = SCHEDULE_ONE_F_ONE_B,
			      .zero = ZERO_OPTIMIZER,
			      .stages = f->stages,
			      .stage_count = pp },
		.batch = { .sequence = 4096, .micro = 1, .micro_batches = 8 },
		.precision = { DTYPE_BF16, DTYPE_BF16, DTYPE_BF16 },
		.optimizer = { .clip = true },
		.recompute = { .enabled = true },
		.kernels = { .fused_norm = true,
			     .fused_activation = true,
			     .fused_accumulation = true,
			     .in_place_weight = true },
		.hardware = &f->hardware,
		.profile = &f->profile,
	};
	for (int64_t i = 0; i < pp; i++)
		f->stages[i] = (struct engine_layout_stage){ layers / pp, 0, i == 0, i == pp - 1 };
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
