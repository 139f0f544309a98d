#ifndef PLAN_ENGINE_ENGINE_H
#define PLAN_ENGINE_ENGINE_H

/*
 * The cost engine: one training job as plain structs in, its step time and memory out.
 *
 * The engine reads no files, prints nothing and keeps no state. Field names are those of the
 * standard library's schemas; binding copies a job's record into `struct engine_input`. Sizes are
 * int64_t and are checked for overflow, times are seconds, rates per second, memory bytes.
 *
 *	struct engine_result result;
 *	struct engine_error error;
 *	if (engine_evaluate(&input, &arena, &result, &error) != ENGINE_OK)
 *		engine_error_text(&error, text, sizeof(text));
 */

#include "runtime/algebra/algebra.h"
#include "runtime/engine/hardware.h"
#include "runtime/engine/profile.h"

/* ---------------------------------------------------------------- model */

enum attention_kind { ATTENTION_MHA, ATTENTION_MLA, ATTENTION_LINEAR, ATTENTION_MAMBA };
enum activation { ACT_SWIGLU, ACT_GEGLU, ACT_GELU, ACT_RELU, ACT_SQUARED_RELU };
enum norm_kind { NORM_RMS, NORM_LAYER };

/* Norms in front of attention and feed-forward, behind them, or both. */
enum norm_place { NORM_PRE, NORM_POST, NORM_BOTH };

/* Sites of linear bias, as bits. */
enum bias_site { BIAS_QKV = 1, BIAS_ATTENTION = 2, BIAS_MLP = 4, BIAS_HEAD = 8 };

struct engine_attention {
	enum attention_kind kind;
	int64_t heads, kv_heads; /* before any split */
	int64_t head, v_head;    /* width of a query/key head and of a value head */
	int64_t q_lora, kv_lora, qk_nope, qk_rope; /* mla; q_lora 0 = direct */
	int64_t window;                            /* keys a query sees, 0 = all */
	bool chunked; /* the window stands in fixed chunks instead of moving with the query */
	bool causal, qk_norm, gate;
	double sparsity; /* share of attention work left out */
};

/*
 * Experts; experts = 0 is a dense model. Expert layers are every `every`-th behind the first dense
 * ones. `pad` rounds the tokens of each expert up to its share times `capacity` (0 = no bound).
 */
struct engine_moe {
	int64_t experts, top_k;
	int64_t ffn;        /* width of one expert */
	int64_t shared_ffn; /* total width of the shared experts, 0 = none */
	int64_t first_dense, every;
	double capacity;
	double imbalance; /* tokens of the busiest rank against the mean; 0 = 1 */
	bool pad;
	int64_t groups, group_top_k; /* experts in groups, of which a token may choose some; 0, 1: all */
	bool shared_gate; /* a scalar in front of the shared experts */
};

struct engine_model {
	int64_t layers, hidden, ffn;
	int64_t vocab, vocab_multiple; /* vocabulary before padding; padding unit, times tp */
	bool pad_vocab, tied, parallel_block;
	bool positions_free; /* no rotary work per token: learned, alibi or no positions */
	int64_t positions;   /* rows of a learned table of positions, 0 = none */
	struct engine_attention attention;
	struct engine_attention local; /* of the layers that are not full */
	int64_t full_every;            /* each n-th layer is full, the others local; 0, 1 = all */
	struct engine_moe moe;
	enum activation activation;
	enum norm_kind norm;
	enum norm_place norm_place;
	double dropout; /* share of hidden states that is dropped; only whether there is any counts */
	unsigned bias; /* enum bias_site, or-ed */
	int64_t mtp_depth; /* further tokens predicted, a layer like the last one for each */
	bool mtp_shared;   /* one layer for all of them */
	bool mixed; /* layers are listed one by one: not modelled yet */
};

/* ---------------------------------------------------------------- strategy */

/*
 * One virtual stage as the layout resolves it, in stage order: stage i sits on rank i mod pp, chunk
 * i div pp. `recompute` is how many of its layers the method block recomputes (or keeps modules
 * for); the engine caps it at `layers` + `mtp`. The layers for further tokens stand behind the
 * decoder layers of one stage; their heads are where the loss is.
 */
struct engine_layout_stage {
	int64_t layers;
	int64_t recompute;
	bool embedding, loss;
	int64_t mtp;
};

enum recompute_granularity { RECOMPUTE_OFF, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL };
enum recompute_method { RECOMPUTE_UNIFORM, RECOMPUTE_BLOCK, RECOMPUTE_EVERY };

/* Modules in the order of the prelude's enum `recompute_module`; bit 1 << value in `modules`. */
enum recompute_module {
	MODULE_CORE_ATTN,
	MODULE_LAYERNORM,
	MODULE_MLA_UP_PROJ,
	MODULE_MLP,
	MODULE_MOE,
	MODULE_MOE_ACT,
	MODULE_SHARED_EXPERTS,
	MODULE_ROUTED_EXPERTS,
	MODULE_MLP_ACT,
	MODULE_ATTN,
	MODULE_ATTN_BODY,
	MODULE_ATTN_INPUT,
	MODULE_FFN_LINEAR,
	MODULE_FFN_INPUT,
	MODULE_MLP_BLOCK,
	MODULE_OTHER /* the rest of the enum: known to the language, not to the engine */
};

struct engine_recompute {
	enum recompute_granularity granularity;
	enum recompute_method method;
	int64_t layers;   /* uniform: of a unit; every: each n-th; block: see the stages */
	uint32_t modules; /* selective: what the first `recompute` layers of a stage run again */
	bool early_stop;  /* the last operator of a segment is not run again */
	bool distribute;  /* saved inputs spread over tp */
	bool enabled;     /* false: kept but off; see profile.charge_disabled_recompute */
};

enum attention_kernel { SDP_FLASH, SDP_FUSED, SDP_UNFUSED, SDP_MATH };
enum cross_entropy_kernel { CE_UNFUSED, CE_NATIVE, CE_TE, CE_LINEAR, CE_CHUNKED };

struct engine_kernels {
	enum attention_kernel attention;
	enum cross_entropy_kernel cross_entropy;
	int64_t vocab_chunk;
	bool fused_norm, fused_activation, fused_rope;
	bool fused_softmax; /* mask, scale and softmax in one, where attention is not flash */
	bool fused_permute; /* weights and permutation of tokens in one */
	bool graphs;        /* the device launches kernels by itself */
	bool fused_accumulation; /* weight gradient added inside the GEMM */
	bool in_place_weight;    /* no temporary copy of a weight */
	bool grouped;
};

struct engine_overlap {
	bool pipeline;       /* a rank of the pipeline computes on while it sends */
	bool gradient_reduce, parameter_gather, tensor, context, pipeline_ends;
	bool dispatch;       /* expert traffic under the work of another micro-batch */
	bool dispatch_wgrad; /* its backward under weight gradients of experts */
	bool shared_expert;  /* its forward under the shared expert */
	bool delay_wgrad;      /* ... weight gradients of experts wait to hide more of it */
	bool optimizer_gather; /* weights are gathered under the update too */
};

struct engine_precision {
	enum engine_dtype compute; /* activations and weights in use */
	enum engine_dtype linear;  /* operands of matrix products */
	enum engine_dtype weights; /* stored weights of quantised linears */
	bool keep_grouped_input;   /* grouped linears cache their quantised input */
	enum engine_dtype dispatch; /* tokens on their way to the experts */
};

enum optimizer_kind {
	OPTIMIZER_ADAMW,
	OPTIMIZER_SGD,
	OPTIMIZER_MUON,
	OPTIMIZER_LION,
	OPTIMIZER_SOAP
};

/*
 * `gradient` is the accumulated gradient in memory, `reduce` what travels; SimuMax's
 * use_fp32_accum_grad = false alone is gradient bf16 with reduce fp32, grad_reduce_in_bf16 sets
 * both.
 */
struct engine_optimizer {
	enum optimizer_kind kind; /* two moments for adamw and soap, one for muon and lion */
	enum engine_dtype master, moments, variance, gradient, reduce;
	bool single_copy; /* stored weights are cut out of the master copy */
	bool clip;
};

enum zero_level { ZERO_OFF, ZERO_OPTIMIZER, ZERO_GRADIENTS, ZERO_PARAMETERS };
enum cp_comm { CP_P2P, CP_A2A, CP_A2A_P2P, CP_ALL_GATHER };
enum engine_schedule {
	SCHEDULE_GPIPE,
	SCHEDULE_ONE_F_ONE_B,
	SCHEDULE_INTERLEAVED,
	SCHEDULE_ZB1P,
	SCHEDULE_ZB2P,
	SCHEDULE_ZBV,
	SCHEDULE_DUALPIPE,
	SCHEDULE_DUALPIPE_V,
	SCHEDULE_LOOP_BFS
};

struct engine_parallel {
	int64_t world, tp, cp, pp, vpp, ep, etp, dp, edp;
	bool sequence_parallel;
	enum cp_comm cp_comm;
	int64_t cp_inner; /* a2a_p2p: ranks that exchange heads; the others are a ring of such groups */
	enum engine_schedule schedule;
	int64_t vpp_group;   /* micro-batches a chunk runs before the next has its turn; 0 = pp */
	bool dispatch_probs; /* routing weights travel with the tokens */
	bool sent_once; /* a token goes once to a unit of the network, however many of its experts it has */
	bool pp_inside; /* pipeline ranks count faster than data-parallel ones */
	bool offload_expert_input; /* saved inputs of the experts' first linear lie on the host */
	enum zero_level zero;
	int64_t shard;  /* ranks that share one sharded copy; 0 = dp * cp */
	int64_t gather; /* ranks that keep a second gathered copy of sharded weights; 0 = none */
	bool reshard;   /* zero = parameters: gathered weights are dropped after forward */
	int64_t bucket; /* elements per gradient bucket; 0 = the profile's rule */
	const struct engine_layout_stage *stages; /* pp * vpp entries, borrowed */
	int64_t stage_count;
};

struct engine_batch {
	int64_t sequence;      /* tokens per sample */
	int64_t micro;         /* samples per data-parallel rank and pass */
	int64_t micro_batches; /* per step */
};

/* Everything the engine reads. `hardware` and `profile` are shared by many inputs. */
struct engine_input {
	struct engine_model model;
	struct engine_parallel parallel;
	struct engine_batch batch;
	struct engine_precision precision;
	struct engine_optimizer optimizer;
	struct engine_recompute recompute;
	struct engine_kernels kernels;
	struct engine_overlap overlap;
	struct version te; /* Transformer Engine, all zero = unknown */
	const struct hardware *hardware;
	const struct profile *profile;
};

/* ---------------------------------------------------------------- errors */

enum engine_status {
	ENGINE_OK,
	ENGINE_SPLIT,       /* a size cannot be split: dimension, size, axes, degree, operator */
	ENGINE_SIZE,        /* a size is not positive where it must be: `what`, size */
	ENGINE_OVERFLOW,    /* sizes are too large to count in 63 bits: `what` */
	ENGINE_UNSUPPORTED, /* `what` names the feature the engine does not model */
	ENGINE_LAYOUT,  /* stages do not fit pp * vpp, or a stage is empty: `what`, size = stage */
	ENGINE_NETWORK, /* no level of the machine holds a group: `what`, size = GPUs it spans */
	ENGINE_MISSING, /* profile refuses shapes outside the tables: miss */
	ENGINE_SCHEDULE /* the pipeline schedule cannot finish */
};

/* Tables a look-up can miss. */
enum engine_table { TABLE_MATMUL, TABLE_ATTENTION, TABLE_GROUPED };

/* A shape that was looked up; which fields count follows from the table. */
struct engine_shape {
	enum engine_table table;
	struct matmul_point matmul;
	struct attention_point attention;
	struct grouped_point grouped;
};

struct engine_error {
	enum engine_status status;
	struct algebra_error split; /* ENGINE_SPLIT */
	const char *what;           /* static text: a field path or a feature */
	int64_t size;
	struct engine_shape miss; /* ENGINE_MISSING */
};

enum { ENGINE_TEXT_MAX = 512 };

/*
 * Writes the error as one lower-case sentence without a full stop (NUL-terminated, cut at `cap`),
 * such as "28 heads cannot be split over tp = 8 (28 mod 8 = 4); 1, 2, 4, 7, 14, 28 divide".
 */
void engine_error_text(const struct engine_error *error, char *text, size_t cap);

/* Writes a shape as the key cost tables use, e.g. "matmul b=1, m=4096, k=…, layout=TN, …". */
void engine_shape_text(const struct engine_shape *shape, char *text, size_t cap);

/* ---------------------------------------------------------------- results */

/*
 * Parts of a step on its critical rank; exposed seconds that add up, in this order, to step.time.
 */
enum step_part {
	STEP_COMPUTE,
	STEP_RECOMPUTE,
	STEP_BUBBLE,
	STEP_STRAGGLER,
	STEP_TENSOR_COMM,
	STEP_CONTEXT_COMM,
	STEP_EXPERT_COMM,
	STEP_PIPELINE_COMM,
	STEP_GRADIENT_REDUCE,
	STEP_PARAMETER_GATHER,
	STEP_OPTIMIZER,
	STEP_OFFLOAD,
	STEP_OTHER,
	STEP_PART_COUNT
};

/* Name of a step part as the library spells it ("tensor_comm"). */
const char *step_part_name(enum step_part part);

struct engine_step {
	double time;                  /* s: exactly the sum of `part` from first to last */
	double part[STEP_PART_COUNT]; /* exposed seconds on the critical rank */
	double busy[STEP_PART_COUNT]; /* the same before hiding, for the communication parts */
	double pipeline;              /* s of all micro-batches, before stragglers */
	double expert_compute;  /* s of grouped linears on the critical rank, part of computing */
	double straggler_ratio; /* factor on `pipeline` */
	int64_t critical_stage; /* rank stage that decides */
};

struct engine_throughput {
	double tokens_per_s, tokens_per_s_per_gpu;
	double model_flops_per_gpu; /* FLOP/s */
	double mfu, hfu;            /* shares */
};

/* Groups of GPUs that communicate. */
enum engine_group {
	GROUP_TP,
	GROUP_CP,
	GROUP_PP,
	GROUP_DP,
	GROUP_EP,
	GROUP_ETP,
	GROUP_EDP,
	GROUP_COUNT
};

/* Whose traffic a collective is. */
enum traffic { TRAFFIC_TENSOR, TRAFFIC_CONTEXT, TRAFFIC_EXPERT, TRAFFIC_COUNT };

/* What a stage does with a micro-batch. */
enum work { WORK_FORWARD, WORK_BACKWARD, WORK_RECOMPUTE, WORK_COUNT };

/*
 * One stage. With interleaving there is an entry per virtual stage, in stage order; what belongs to
 * the whole rank, its memory and everything "per step", then stands in its chunk 0. Times are per
 * micro-batch unless "per step" is said.
 */
struct engine_stage {
	int64_t stage, rank, chunk;
	int64_t mirror; /* stage of which the rank holds a second copy (dualpipe); -1: none */
	int64_t layers, recomputed_layers;
	int64_t expert_layers; /* those for further tokens included */
	int64_t mtp;           /* layers for further tokens */
	bool embedding, loss;
	/* memory, bytes */
	int64_t parameters; /* count held by one GPU, those of experts included */
	int64_t expert_parameters;
	int64_t weights, gradients, optimizer, other_static;
	int64_t activations;     /* kept for backward, per micro-batch */
	int64_t deferred; /* kept while weight gradients wait, per micro-batch */
	int64_t in_flight;       /* micro-batches alive at the peak, >= 1 */
	int64_t activation_peak; /* of one forward and backward, own cache included */
	int64_t forward_peak, backward_peak; /* of either alone, from nothing; backward's with the cache */
	int64_t logits;          /* part of the peak that is logits and their loss */
	int64_t peak, reserved;
	int64_t tensor_reduced; /* parameters whose gradient is also summed over tp */
	int64_t offloaded;      /* saved for backward on the host, per micro-batch */
	/* time, seconds */
	double forward_compute, forward_network;
	double backward_compute, backward_network; /* input and weight gradients, no recompute */
	double weight_gradient; /* part of `backward` that can wait: products of linears */
	double weight_compute, weight_traffic[TRAFFIC_COUNT]; /* what it consists of, before hiding */
	double recompute_compute, recompute_network;
	double recompute;                                    /* both */
	double hidden_tensor, hidden_context, hidden_expert; /* communication under compute */
	double penalty;           /* slow-down of compute by hidden communication */
	double forward, backward; /* what the pipeline sees: exposed, recompute in backward */
	double p2p;               /* its transfers to and from neighbours */
	double tensor_network, context_network,
		expert_network; /* forward, backward and recompute */
	double traffic[WORK_COUNT][TRAFFIC_COUNT]; /* the same one by one, before hiding */
	double hidden[2][TRAFFIC_COUNT]; /* what hides of it in forward, and in backward with recompute */
	double offload;         /* exposed transfers to and from the host */
	double expert_compute;  /* grouped linears, forward, backward and recompute */
	double optimizer_step;  /* per step */
	double gradient_reduce, parameter_gather,
		data_parallel;                              /* per step, exposed; third = sum */
	double gradient_reduce_busy, parameter_gather_busy; /* per step, before hiding */
	double gradient_reduce_hidden, parameter_gather_hidden; /* per step, under compute */
	double bubble;                                      /* per step */
	double p2p_exposed; /* per step: transfers that keep the rank waiting */
	double total;       /* per step: everything this rank needs */
	/* FLOPs per micro-batch on one GPU */
	double forward_flops, backward_flops, recompute_flops;
	int64_t kernels; /* launches per micro-batch */
};

/*
 * One operator for one micro-batch on one GPU: seconds, FLOPs and bytes by phase, in the order of
 * the model's graph. The operators of a layer stand once.
 */
struct engine_operator {
	const char *name; /* static text */
	enum operator_kind kind;
	enum operator_site site;
	enum graph_part part;
	double compute[PHASE_COUNT];                /* s */
	double network[PHASE_COUNT][TRAFFIC_COUNT]; /* s */
	double ring[PHASE_COUNT]; /* s of its context traffic that goes around step by step */
	double flops[PHASE_COUNT];
	int64_t moved[PHASE_COUNT];
	int64_t keep;                          /* bytes cached for backward */
	int64_t keep_shared;                   /* ... when a neighbour caches its input already */
	int64_t forward_extra, backward_extra; /* temporary bytes */
	int64_t deferred; /* bytes its weight gradient waits with: input, gradient of the output */
	int64_t input;                         /* bytes of its inputs as a checkpoint stores them */
	int64_t input_rest; /* bytes more it keeps when it is run again from there */
	int64_t offloaded;  /* bytes of its input that wait on the host */
	int64_t parameters; /* held by this GPU */
	int64_t weight_bytes;
	bool expert;            /* its weights are spread as those of experts */
	int64_t dummy[2];       /* rows, columns of a weight Transformer Engine keeps a dummy of */
	int64_t tensor_reduced; /* parameters whose gradient is also summed over tp */
	int kernels[2];         /* launches forward, backward */
};

/* Memory of the worst stage, in parts that sum to `peak`. */
struct engine_memory {
	int64_t peak, reserved;
	int64_t worst_stage;
	int64_t weights, gradients, optimizer, activations, logits, buffers;
	int64_t host; /* of one GPU of that stage, not part of the peak */
	bool fits;    /* reserved <= hardware.memory; head-room is the caller's business */
};

struct engine_counts {
	int64_t padded_vocab;
	int64_t tokens_per_step;
	double flops_per_token; /* forward and backward, convention of the profile */
	double model_flops;     /* flops_per_token * tokens_per_step / world, whole FLOPs */
};

struct engine_efficiency {
	int64_t hit;                       /* distinct shapes found in a table */
	const struct engine_shape *missed; /* distinct shapes that were not, in the arena */
	int64_t missed_count;
};

struct engine_result {
	struct engine_step step;
	struct engine_throughput throughput;
	struct engine_memory memory;
	struct engine_counts counts;
	struct engine_efficiency efficiency;
	struct engine_stage *stages; /* stage order, in the arena */
	int64_t stage_count;
	const struct engine_operator *operators; /* in the arena */
	const bool *again; /* of each operator: it runs again in backward where its layer recomputes */
	int operator_count;
	int level[GROUP_COUNT]; /* index into hardware.levels */
};

/*
 * Evaluates one job. Results and scratch come from `arena` (out of memory takes its escape). On any
 * status but ENGINE_OK, `error` says why and `result` is unspecified. The structs of `input` are
 * only read; the same hardware and profile may be used by several threads, each with its own arena.
 */
enum engine_status engine_evaluate(const struct engine_input *input, struct arena *arena,
				   struct engine_result *result, struct engine_error *error);

/*
 * What evaluations of one thread have in common: jobs whose layers are the same have them priced once, and
 * micro-batches flow once for those that differ only in how states are spread. The answers are those of engine_evaluate(). `kept` is an
 * arena of its own, which is emptied when too much is remembered.
 */
struct engine_memo;

struct engine_memo *engine_memo_make(struct arena *arena, struct arena *kept);
enum engine_status engine_evaluate_like(const struct engine_input *input, struct engine_memo *memo,
					struct arena *arena, struct engine_result *result,
					struct engine_error *error);

/* ---------------------------------------------------------------- schedule */

enum pass_kind {
	PASS_FORWARD,
	PASS_BACKWARD, /* whole, or in two: */
	PASS_INPUT,    /* gradients of inputs, what runs again before them included */
	PASS_WEIGHT,   /* gradients of weights, later */
	PASS_SEND_FORWARD, /* an activation on its way to the next virtual stage */
	PASS_SEND_BACKWARD /* a gradient on its way to the one before */
};

/* What a rank does itself; the kinds behind are transfers. */
enum { PASS_KINDS = PASS_SEND_FORWARD };

/*
 * One pass of one micro-batch through one virtual stage, or one transfer from it. Seconds count from
 * the first forward of the step. Of two directions chunk 1 is the other one, whose micro-batches count on
 * from those of the first; a forward and a backward that run beside each other start and end together.
 */
struct engine_pass {
	enum pass_kind kind;
	int32_t rank, chunk; /* of a transfer: its sender's */
	int32_t peer;        /* of a transfer: rank that receives */
	int32_t micro_batch;
	double start, end;
};

/* How a transfer holds the ranks on its two sides while it is on the wire. */
enum pass_hold { HOLDS_NOBODY, HOLDS_SENDER, HOLDS_BOTH };

/*
 * What the ranks of a pipeline do in one step, by rank, start and kind; passes end before `time`.
 * `count` is 2 * micro-batches * stages passes, with backwards in two up to 3, and transfers between ranks.
 */
struct engine_schedule_log {
	struct engine_pass *at;
	int64_t count, capacity;
	/* for each virtual stage, for each of its layers, then those for further tokens: which part of the graph, and does it recompute */
	const uint8_t *const *layer_part;
	const bool *const *layer_again;
	enum pass_hold hold;
	bool apart;  /* ranks begin apart and end apart: the step of each counts from its first pass (zb2p) */
	double time; /* s until the last rank is done, before stragglers */
};

/*
 * engine_evaluate() that also writes down the schedule of the whole step. Memory and time grow with
 * the number of micro-batches times virtual stages: ask engine_schedule_size() before.
 */
enum engine_status engine_schedule(const struct engine_input *input, struct arena *arena,
				   struct engine_result *result, struct engine_schedule_log *log,
				   struct engine_error *error);

/* Passes and transfers of a step, at most; 0 when they cannot be counted. */
int64_t engine_schedule_size(const struct engine_input *input);

/*
 * Model FLOPs of one token, forward and backward, of a model by itself: also of kinds that
 * engine_evaluate() does not spread yet (not of layers of different kinds). `sequence` is in tokens;
 * what else the figure depends on, and how, is the profile's choice. A job of the model has the same
 * figure (under flops_from_hidden its padding of the vocabulary counts). Scratch comes from `arena`.
 */
enum engine_status engine_flops_per_token(const struct engine_model *model, int64_t sequence,
					  const struct profile *profile, struct arena *arena,
					  double *flops, struct engine_error *error);

struct out;

/*
 * Writes the typed operator graph of the job: embedding, one decoder layer, output and loss, one
 * operator a line with types, collectives, FLOPs and bytes (algebra's printer with the engine's
 * bytes).
 */
enum engine_status engine_print_graph(const struct engine_input *input, struct arena *arena,
				      struct out *out, struct engine_error *error);

#endif
