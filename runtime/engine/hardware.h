#ifndef PLAN_ENGINE_HARDWARE_H
#define PLAN_ENGINE_HARDWARE_H

/*
 * What the engine knows about machines: kernel rates, measured shapes and links between GPUs.
 *
 * Plain data, filled in by the caller. Every pointer is borrowed and has to outlive the struct.
 * After the tables are in place, hardware_index() must be called once; the struct is then read-only
 * and may be shared by threads.
 *
 * Units: rates FLOP/s, bandwidths bytes/s one way per GPU, times seconds, efficiencies as a share
 * of 1 (a measured table may hold values above 1).
 */

#include "compiler/base/arena.h"

/* Kernels that may have rows of their own. A kernel without a row uses KERNEL_DEFAULT's. */
enum kernel {
	KERNEL_DEFAULT,
	KERNEL_MATMUL,
	KERNEL_FP8_MATMUL,
	KERNEL_GROUP_MATMUL,
	KERNEL_FP8_GROUP_MATMUL,
	KERNEL_SDP_FWD,
	KERNEL_SDP_BWD,
	KERNEL_PERMUTE_FWD,
	KERNEL_PERMUTE_BWD,
	KERNEL_CE,
	KERNEL_CE_FUSION,
	KERNEL_COUNT
};

/* Arithmetic rate of a kernel. `present` false: the default row stands in. */
struct compute_row {
	bool present;
	double rate;       /* FLOP/s at 100 % */
	double efficiency; /* share reached when no measured shape fits */
};

/* Memory rate of a kernel. */
struct traffic_row {
	bool present;
	double bandwidth;  /* bytes/s */
	double efficiency; /* share reached */
	double latency;    /* s, added once per kernel */
};

enum matmul_layout { LAYOUT_TN, LAYOUT_NN, LAYOUT_NT };

/* Number formats, in the order of the prelude's enum `dtype`. */
enum engine_dtype {
	DTYPE_FP32,
	DTYPE_TF32,
	DTYPE_BF16,
	DTYPE_FP16,
	DTYPE_FP8,
	DTYPE_MXFP8,
	DTYPE_INT8,
	DTYPE_FP4,
	DTYPE_NVFP4,
	DTYPE_NF4,
	DTYPE_COUNT
};

/* One measured matrix product: `batch` products of m x k by k x n. */
struct matmul_point {
	enum kernel kernel;
	int64_t batch, m, k, n;
	enum matmul_layout layout;
	bool accumulate;
	enum engine_dtype out;
	double efficiency;
};

/* One measured attention kernel. Heads are those of one GPU. */
struct attention_point {
	enum kernel kernel; /* KERNEL_SDP_FWD or KERNEL_SDP_BWD */
	int64_t batch, sequence, heads, kv_heads, qk_head, v_head;
	bool contiguous;
	double efficiency;
};

enum grouped_stage { GROUPED_FWD, GROUPED_DX, GROUPED_DW };

/* One measured grouped product: `groups` products of m x k by k x n. */
struct grouped_point {
	enum kernel kernel;
	int64_t groups, m, n, k;
	enum engine_dtype dtype, out, gradient;
	enum grouped_stage stage;
	double efficiency;
};

/* Hash slots over the three tables; opaque to callers, made by hardware_index(). */
struct shape_index;

/* Collectives a link can be asked for. */
enum collective {
	COLLECTIVE_ALL_REDUCE,
	COLLECTIVE_ALL_GATHER,
	COLLECTIVE_REDUCE_SCATTER,
	COLLECTIVE_ALL_TO_ALL,
	COLLECTIVE_P2P,
	COLLECTIVE_COUNT
};

/* A value measured at one group size. */
struct size_value {
	int64_t size;
	double value;
};

/* How a link runs one collective. What is not given comes from the link. */
struct collective_row {
	bool has_efficiency, has_latency, has_fixed;
	double efficiency; /* share of the link's bandwidth */
	double latency;    /* s per message or ring step */
	double fixed;      /* s, once */
	double scale;      /* moved bytes are payload * scale * (1 + offset / n) */
	double offset;
	const struct size_value *fixed_at; /* s at a group size; wins over `fixed` */
	size_t fixed_at_count;
	const struct size_value *rate_at; /* bytes/s at a group size, for gradient traffic */
	size_t rate_at_count;
};

/* Link families in the order of the prelude's `link_kind`. */
enum link_kind {
	LINK_NVLINK,
	LINK_XGMI,
	LINK_HCCS,
	LINK_MTLINK,
	LINK_ICI,
	LINK_PCIE,
	LINK_INFINIBAND,
	LINK_ROCE,
	LINK_ETHERNET,
	LINK_EFA
};

struct link {
	enum link_kind kind;
	double bandwidth;  /* bytes/s, one way, of one GPU alone */
	double efficiency; /* share reached */
	double latency;    /* s per message or ring step */
	double fixed;      /* s, once per collective */
	const struct size_value *fixed_at;
	size_t fixed_at_count;
	bool sharp; /* switches add up: an all-reduce sends its payload once */
	bool mesh; /* wires to every peer: n GPUs use (n-1)/(size-1) of it */
	struct collective_row collectives[COLLECTIVE_COUNT];
};

/*
 * One level of the machine: groups that fit into `size` GPUs but not into the level below use
 * `link`.
 */
struct level {
	int64_t size;
	struct link link;
	double oversubscription; /* 1 = full bisection */
};

enum engine_backend { BACKEND_CUDA, BACKEND_ROCM, BACKEND_MUSA, BACKEND_NPU, BACKEND_TPU };

/* One kind of GPU and how many of them are wired together. */
struct hardware {
	int64_t memory; /* bytes a driver shows */
	double peak;    /* FLOP/s, denominator of mfu (profile's mfu_dtype) */
	int64_t gpus_per_node;
	double host_bandwidth; /* bytes/s one way to host memory; 0 = not known */
	bool roofline; /* phase = max(compute, memory); false: compute, or memory if no FLOPs */
	bool attention_causal; /* attention was measured against halved (causal) FLOPs */
	bool contiguous; /* attention reads one packed qkv tensor (part of the measured key) */
	enum engine_backend backend;
	struct compute_row compute[KERNEL_COUNT];
	struct traffic_row traffic[KERNEL_COUNT];
	const struct matmul_point *matmul;
	size_t matmul_count;
	const struct attention_point *attention;
	size_t attention_count;
	const struct grouped_point *grouped;
	size_t grouped_count;
	const struct level *levels; /* ascending sizes, innermost first */
	size_t level_count;
	const struct shape_index *index; /* NULL until hardware_index() */
};

/*
 * Builds the look-up index of the measured tables in `arena`. Call once after filling the tables;
 * on duplicate shapes the last one counts.
 */
void hardware_index(struct hardware *hardware, struct arena *arena);

/*
 * Kernel of a table name such as "matmul" or "sdp_fwd" (n bytes); KERNEL_COUNT when no kernel has
 * that name. The names are those of cost tables in use elsewhere (SimuMax `accelerator.op`).
 */
enum kernel kernel_find(const char *name, size_t n);

/* The table name of a kernel, never NULL. */
const char *kernel_name(enum kernel kernel);

/* Width of one element in bits. */
int64_t dtype_bits(enum engine_dtype dtype);

/* "bf16": as the library spells it. */
const char *dtype_name(enum engine_dtype dtype);

/*
 * True for links that leave a node through network cards, where the node's GPUs can share capacity.
 */
bool link_is_network(enum link_kind kind);

#endif
