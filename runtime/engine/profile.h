#ifndef PLAN_ENGINE_PROFILE_H
#define PLAN_ENGINE_PROFILE_H

/*
 * The assumptions of the cost model, one field each. `standard` is our best prediction; `simumax`
 * reproduces SimuMax 1.2 (commit 4dcaae5), whose oddities are numbered O1..O65 in our notes on it:
 * the number stands behind each field that exists because of one. `ideal` is an upper bound.
 *
 * The first group mirrors the schema `profile` of the standard library field by field. The second
 * group is what the library switches together with `quirks`; profile_set_quirks() does that.
 */

#include "compiler/base/common.h"

enum profile_network { NETWORK_SPAN, NETWORK_PLACEMENT };
enum profile_sharing { SHARING_FLOWS, SHARING_DIVISORS, SHARING_OFF };
enum profile_latency { LATENCY_RING, LATENCY_TREE, LATENCY_EIGHT };
enum profile_miss { MISS_DEFAULT, MISS_INTERPOLATE, MISS_REFUSE };
enum profile_attention { ATTENTION_CAUSAL, ATTENTION_FULL };
enum profile_stages { STAGES_EACH, STAGES_REPRESENTATIVE };

/* A version as three integers; compare with version_at_least(). All zero: not known. */
struct version {
	int64_t part[3];
};

struct profile {
	/* fields of the library's schema */
	double reserved;                   /* share: reserved bytes = allocated / it */
	int64_t base_memory;               /* bytes: context and communicator buffers */
	enum profile_network network;      /* how a group finds its level (O2, O3) */
	enum profile_sharing sharing;      /* how groups share a network link (O5) */
	enum profile_latency step_latency; /* ring steps, log steps, or ring on 8-GPU nodes (O4) */
	enum profile_miss table_miss;      /* shape not in a table */
	enum profile_attention attention_flops; /* FLOP convention of mfu (O13) */
	double hide;                            /* share of an overlapped transfer that hides */
	double hide_layer;              /* ... where the next operator waits for it */
	double hide_penalty;            /* slow-down of compute per hidden second, as a share */
	bool sync_pipeline;             /* transfers between stages block both sides (O36) */
	bool whole_buckets;             /* gradient buckets charged at full size (O32) */
	int64_t moe_gather_factor;      /* MoE models gather parameters this often (O32) */
	double straggler;               /* factor of the straggler law; 0 = off */
	enum profile_stages stages;     /* representative: middle stages keep P-1 (O39) */
	bool in_flight_by_batch;        /* live micro-batches limited by their number (O30) */
	bool dense_first_stage;         /* leading dense layers all on stage 0 (O28) */
	bool charge_disabled_recompute; /* switched-off recompute still costs time (O26) */
	int64_t stored_element;         /* bytes per saved-input element, 0 = its dtype's (O29) */
	struct version dummy_wgrad;     /* Transformer Engine version with dummy gradients */
	struct version saved_cp;        /* ... that keeps the output before the cp exchange */
	struct version dummy_grouped;   /* ... with dummy gradients of grouped linears */
	double launch;                  /* s of host time per kernel, a floor of a layer */
	bool offload_free;              /* host transfers cost no time */
	bool zero3_traffic;             /* weight gathers of zero 2 and 3 are charged (O31) */
	double fragmentation;           /* share added to activations */

	/* network and data-parallel details */
	bool fixed_rates_pcie_only; /* measured gradient rates count on PCIe links only (O6) */
	int64_t mesh_peers;     /* peers of a mesh link; 0 = level size - 1 (FC8's constant 7) */
	bool cross_node_volume; /* all-to-all over nodes counts (k-1)/k of its bytes again (O5) */
	int64_t bucket_element; /* bytes per gradient when sizing buckets; 0 = what travels (O32) */
	double bucket_elements; /* smallest gradient bucket, in elements */
	double bucket_per_rank; /* elements more per rank of the group */
	bool shard_on_wire;     /* zero 2, 3: bytes are divided before they are sent (O31) */
	bool gradient_bucket_gather; /* gathers use the gradient bucket's size in bytes (O32) */

	/* operators: time */
	bool attention_full_work; /* attention is timed with unmasked FLOPs on any hardware (O13) */
	bool attention_query_bytes; /* keys and values move as if they had all query heads (O14) */
	bool narrow_statistics;     /* log-sum-exp and rstd in the compute dtype, not fp32 (O15) */
	bool column_wgrad_weight;   /* weight gradient of a column linear moves the weight (O16) */
	int64_t wgrad_element; /* bytes per accumulated gradient; 0 = read and write its dtype */
	bool embedding_whole_table;     /* look-up reads, backward rewrites the whole table (O18) */
	bool embedding_sliced;          /* its collectives carry an already sliced tensor (O19) */
	bool activation_backward_short; /* backward of an activation moves no gradient (O22) */
	int64_t loss_element;           /* bytes of a logit in the loss, 0 = the compute dtype's */
	bool glue_traffic;              /* residual adds and rotary positions move bytes */
	bool keys_not_repeated;         /* fewer key heads than context ranks travel as they are */
	bool cp_not_repeated;           /* recomputed attention skips its exchanges (O23) */
	bool flash_backward_half; /* scores made again in backward count half of forward (O13) */
	bool router_full_tokens; /* the router's product is looked up, its scores moved, whole (O21) */
	bool grouped_wgrad_one;    /* weight gradient of one expert moves for all of them (O17) */
	bool serial_as_grouped;    /* one linear per expert is timed as a grouped one (O45) */
	bool all_probabilities;    /* routing weights of all experts travel with the tokens */
	bool combine_unreduced;    /* combine carries what it has before the reduction over etp */
	bool gathered_tokens_lost; /* tokens gathered over etp are paid for but not computed */
	bool wide_gather;          /* quantised operands travel in the compute format */
	bool gradient_cast_free;   /* casting the incoming gradient of a quantised linear is free */
	bool narrow_head; /* the output projection runs at the rate of quantised linears (O20) */
	bool norm_gradient_reduce; /* tp all-reduce of gradients of norms behind split tokens */
	bool tied_reduce;          /* all-reduce of a tied embedding between its two stages */
	int64_t adam_state_passes; /* times the optimizer state is moved in a step (3 in SimuMax) */
	bool copy_half_state;      /* copying back to the weights moves half the state's bytes */

	/* operators: memory */
	int64_t gelu_cache;          /* copies of its input a plain activation keeps */
	bool lone_recompute_lost;    /* a recompute run of one operator keeps no input (O33) */
	int64_t scores_copies_cuda;  /* scores alive in unfused backward: on cuda, */
	int64_t scores_copies_math;  /* math attention on musa, */
	int64_t scores_copies;       /* anything else */
	bool scores_before_exchange; /* context parallelism: scores of the sequence slice only */
	int64_t routing_element;     /* bytes a dispatch keeps per token and expert */
	bool capacity_of_rounded;    /* capacity multiplies tokens already rounded up */
	bool pad_after_gather;       /* tokens are rounded up after they are gathered over etp */
	bool mixture_inputs_kept;    /* router and shared experts each keep their common input */
	bool narrow_cache_gathered;  /* quantised column linears cache the gathered input */
	bool grouped_wgrad_copy;     /* quantised grouped linears hold a wide weight gradient */
	bool offload_kept_only;      /* narrow inputs of experts that are not kept are not off-loaded */
	bool grouped_copy_forward;   /* a temporary copy of grouped weights in forward only (O41) */
	bool serial_as_dense;        /* one linear per expert: states sharded as dense ones (O45) */
	bool backward_peak_lost;     /* a backward peak below the forward one is not noted (O34) */

	/* counting */
	bool flops_from_hidden; /* FLOPs per token take hidden for heads * head, and more (O24) */
};

enum profile_preset { PROFILE_STANDARD, PROFILE_SIMUMAX, PROFILE_IDEAL };

/*
 * Fills every field of `profile` from a preset. The library's own values win: binding overwrites.
 */
void profile_init(struct profile *profile, enum profile_preset preset);

/* Sets the fields below the library's schema: true as SimuMax has them, false corrected. */
void profile_set_quirks(struct profile *profile, bool quirks);

/* True when `version` is known and not older than `least`. */
bool version_at_least(const struct version *version, const struct version *least);

#endif
