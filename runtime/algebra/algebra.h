#ifndef PLAN_ALGEBRA_ALGEBRA_H
#define PLAN_ALGEBRA_ALGEBRA_H

/*
 * Sharded tensor types and the collectives that follow from them.
 *
 * A tensor has named dimensions with global sizes and, on every mesh axis, a placement: replicated,
 * split along one dimension, or a partial sum. Operators ask for placements and give placements;
 * where the type at hand is not the type asked for, the difference *is* the collective, and its
 * dual appears in backward. Nobody writes a collective into a layer: graph_add_*() derives them.
 *
 * The same GPUs are folded twice. The dense mesh is tp * cp * dp * pp, the expert mesh etp * ep *
 * edp * pp; a tensor lives on one of them and is replicated on the axes of the other.
 */

#include "compiler/base/arena.h"

enum axis {
	AXIS_TP,
	AXIS_CP,   /* context parallelism; of two levels the inner one */
	AXIS_RING, /* ... and the outer one */
	AXIS_DP,
	AXIS_ETP,
	AXIS_EP,
	AXIS_EDP,
	AXIS_PP,
	AXIS_COUNT
};

enum dim {
	DIM_BATCH,
	DIM_SEQUENCE,
	DIM_HIDDEN,
	DIM_HEADS,
	DIM_KV_HEADS,
	DIM_HEAD,
	DIM_FFN,
	DIM_VOCAB,
	DIM_EXPERTS,
	DIM_TOKENS,
	DIM_LAYERS,
	DIM_RANK,
	DIM_COUNT
};

enum placement_kind { PLACE_REPLICATED, PLACE_SPLIT, PLACE_PARTIAL };

/* Two bytes: types are copied a lot. */
struct placement {
	uint8_t kind; /* enum placement_kind */
	uint8_t dim;  /* enum dim, of PLACE_SPLIT */
};

/* Sizes of the axes; an unused axis has size 1. */
struct mesh {
	int64_t size[AXIS_COUNT];
};

enum {
	TENSOR_DIMS_MAX = 4,
	OPERATOR_PORTS_MAX = 3,
	OPERATOR_COERCIONS_MAX = 16,
	DIVISORS_MAX = 64
};

struct tensor_dim {
	enum dim name;
	int64_t size; /* global */
};

struct tensor_type {
	int dims;
	struct tensor_dim dim[TENSOR_DIMS_MAX];
	int64_t bits; /* of one element */
	struct placement on[AXIS_COUNT];
};

/* Why a type is ill-formed: `size` elements of `dim` do not divide by the axes that cut it. */
struct algebra_error {
	enum dim dim;
	int64_t size;
	int axes;
	enum axis axis[AXIS_COUNT];
	int64_t axis_size[AXIS_COUNT];
	int64_t degree;            /* product of the axes */
	const char *operator_name; /* static text */
};

/* ---------------------------------------------------------------- types */

const char *axis_name(enum axis axis);
const char *dim_name(enum dim dim);

/* A replicated tensor with the given dimensions. */
struct tensor_type tensor_make(int64_t bits, int dims, const struct tensor_dim *dim);

/* Splits `dim` over `axis`. */
void tensor_split(struct tensor_type *type, enum axis axis, enum dim dim);

bool placement_equal(struct placement a, struct placement b);

/* Ways dimension `dim` of `type` is cut on this mesh, the product of the axes that split it. */
int64_t tensor_cuts(const struct mesh *mesh, const struct tensor_type *type, enum dim dim);

/* Global size of `dim`; 1 when the type does not have it. */
int64_t tensor_size(const struct tensor_type *type, enum dim dim);

/* Size of `dim` on one GPU. The type must be well-formed. */
int64_t tensor_local(const struct mesh *mesh, const struct tensor_type *type, enum dim dim);

/* Elements and bytes on one GPU; INT64_MAX when they do not fit 63 bits. */
int64_t tensor_local_elements(const struct mesh *mesh, const struct tensor_type *type);
int64_t tensor_local_bytes(const struct mesh *mesh, const struct tensor_type *type);

/*
 * True when every split divides. Otherwise fills `error` (without operator_name) and returns false.
 */
bool tensor_check(const struct mesh *mesh, const struct tensor_type *type,
		  struct algebra_error *error);

/* The type a tensor's gradient ends with: splits stay, replicated and partial become replicated. */
struct tensor_type tensor_gradient(const struct tensor_type *type);

/*
 * Divisors of `size` in ascending order, at most DIVISORS_MAX (the smallest ones); returns how
 * many.
 */
int algebra_divisors(int64_t size, int64_t divisors[DIVISORS_MAX]);

/*
 * Writes "28 heads cannot be split over tp = 8 (28 mod 8 = 4); 1, 2, 4, 7, 14, 28 divide" into
 * `text` (NUL-terminated, cut at cap).
 */
void algebra_error_text(const struct algebra_error *error, char *text, size_t cap);

/* ---------------------------------------------------------------- coercions */

enum phase { PHASE_FORWARD, PHASE_INPUT_GRADIENT, PHASE_WEIGHT_GRADIENT, PHASE_COUNT };

enum coercion_kind {
	COERCE_ALL_GATHER,
	COERCE_ALL_REDUCE,
	COERCE_REDUCE_SCATTER,
	COERCE_ALL_TO_ALL,
	COERCE_SLICE /* free */
};

/*
 * One collective over one axis. `payload` is in bytes what network laws take: the whole tensor over
 * that axis (gathered or summed), or for an all-to-all what one GPU holds. `port` numbers the input
 * or output of the operator whose tensor travels.
 */
struct coercion {
	enum phase phase;
	enum axis axis;
	enum coercion_kind kind;
	int64_t payload;
	int port;
};

const char *coercion_name(enum coercion_kind kind);

/*
 * The coercions that turn `from` into `to`: what shrinks the tensor first, what lets it grow last,
 * so that every axis carries as little as it can; axes of size 1 need none. Writes at most `cap`
 * and returns how many. The types must have the same dimensions and `to` no partial placement that
 * `from` lacks.
 */
int coerce_types(const struct mesh *mesh, const struct tensor_type *from,
		 const struct tensor_type *to, enum phase phase, struct coercion *list, int cap);

/* ---------------------------------------------------------------- operators */

enum operator_kind {
	OPERATOR_EMBEDDING,
	OPERATOR_NORM,
	OPERATOR_COLUMN,     /* linear, output dimension split over tp */
	OPERATOR_ROW,        /* linear, input dimension split over tp */
	OPERATOR_REPLICATED, /* linear with the whole weight on every rank */
	OPERATOR_ROUTER,     /* replicated linear that scores experts */
	OPERATOR_ROPE,
	OPERATOR_SPLIT,  /* one tensor as two, along its last dimension */
	OPERATOR_CONCAT, /* two or three tensors put together */
	OPERATOR_CAST,   /* elements in a narrower format, for the linear behind it */
	OPERATOR_ATTENTION,
	OPERATOR_ACTIVATION,
	OPERATOR_GATE,           /* one tensor times the sigmoid of another */
	OPERATOR_DISPATCH,       /* tokens to the ranks of their experts */
	OPERATOR_GROUPED_COLUMN, /* linear per expert, output dimension split over etp */
	OPERATOR_GROUPED_ROW,    /* linear per expert, input dimension split over etp */
	OPERATOR_COMBINE,        /* results of experts back to their tokens, weighted and summed */
	OPERATOR_ADD,
	OPERATOR_LOSS,
	OPERATOR_KIND_COUNT
};

/* Places of a decoder that have an operator; a cast has the site of its linear. */
enum operator_site {
	SITE_EMBEDDING,
	SITE_NORM_IN,
	SITE_QKV,
	SITE_Q_NORM,
	SITE_K_NORM,
	SITE_GATE_SPLIT, /* queries and output gate, which one projection makes */
	SITE_Q_DOWN, /* latent attention, up to SITE_PACK */
	SITE_Q_LATENT_NORM,
	SITE_Q_UP,
	SITE_KV_DOWN,
	SITE_KV_SPLIT,
	SITE_KV_LATENT_NORM,
	SITE_KV_UP,
	SITE_HEAD_SPLIT,
	SITE_ROPE,
	SITE_KEY_CONCAT,
	SITE_PACK,
	SITE_CORE,
	SITE_GATE,
	SITE_OUT,
	SITE_NORM_BEHIND_ATTENTION,
	SITE_ADD_ATTENTION,
	SITE_NORM_MLP,
	SITE_FC1,
	SITE_ACT,
	SITE_FC2,
	SITE_SHARED_FC1,
	SITE_SHARED_ACT,
	SITE_SHARED_FC2,
	SITE_ROUTER,
	SITE_DISPATCH,
	SITE_EXPERT_FC1,
	SITE_EXPERT_ACT,
	SITE_EXPERT_FC2,
	SITE_COMBINE,
	SITE_ADD_SHARED,
	SITE_NORM_BEHIND_MLP,
	SITE_ADD_MLP,
	SITE_MTP_EMBEDDING, /* entry of a layer for a further token, up to SITE_MTP_SPREAD */
	SITE_MTP_NORM_TOKEN,
	SITE_MTP_NORM_HIDDEN,
	SITE_MTP_CONCAT,
	SITE_MTP_PROJECT,
	SITE_MTP_SPREAD,
	SITE_NORM_FINAL,
	SITE_HEAD,
	SITE_LOSS,
	SITE_COUNT
};

/* "fc1"; of the cast in front of it "fc1_cast". */
const char *operator_site_name(enum operator_site site);
const char *operator_cast_name(enum operator_site site);

/*
 * What an operator keeps of a coerced input: the tensor after the coercion, before it, or nothing;
 * of two levels of context parallelism after the exchange of heads, before the ring.
 */
enum saved_side { SAVED_NOTHING, SAVED_AFTER, SAVED_BEFORE, SAVED_BETWEEN };

/*
 * A typed operator. `in` are the types at hand, `asked` the types after the input coercions,
 * `given` what the rule yields and `out` what the next operator sees after the output coercions.
 */
struct operator
{
	enum operator_kind kind;
	enum operator_site site;
	const char *name; /* static text */
	int inputs, outputs;
	int input[OPERATOR_PORTS_MAX], output[OPERATOR_PORTS_MAX]; /* tensor numbers */
	struct tensor_type in[OPERATOR_PORTS_MAX], asked[OPERATOR_PORTS_MAX];
	struct tensor_type given[OPERATOR_PORTS_MAX], out[OPERATOR_PORTS_MAX];
	struct tensor_type
		in_gradient[OPERATOR_PORTS_MAX]; /* as the rule yields it, before coercion */
	bool has_weight, has_bias;
	struct tensor_type weight, weight_gradient;
	enum saved_side saves;
	bool kept_before;    /* an earlier operator of the part keeps the same input already */
	bool recalls_output; /* backward needs `given`, but `out` is what was kept */
	int64_t repeats; /* attention: copies of each key head, so that context ranks get whole ones */
	struct coercion coercion[OPERATOR_COERCIONS_MAX];
	int coercions;
	double flops[PHASE_COUNT]; /* one GPU, nothing masked */
	/* filled in by a cost model for graph_print(), zero otherwise */
	int64_t moved[PHASE_COUNT]; /* bytes */
	int64_t saved;              /* bytes kept for backward */
};

/*
 * Multiply-adds that one GPU of the mesh takes for a token in forward; of experts for a copy of a token, of
 * attention for a query and a key, nothing masked. Backward takes as many for the gradient of either
 * operand. Zero of operators without products.
 */
double operator_products(const struct mesh *mesh, const struct operator* op);

/*
 * Parts of a model's graph: what a stage holds once or repeats. The layers of a model differ in two
 * ways: dense or a mixture of experts, and with one or the other of two attentions. Prediction of a
 * further token is an entry, a layer of one of these kinds, a final norm and a head of its own.
 */
enum graph_part {
	GRAPH_EMBEDDING,
	GRAPH_DENSE,
	GRAPH_MIXTURE,
	GRAPH_LOCAL_DENSE,
	GRAPH_LOCAL_MIXTURE,
	GRAPH_MTP,  /* embedding of the next token, joined with what the layers made of this one */
	GRAPH_NORM, /* final norm */
	GRAPH_HEAD, /* output projection and loss */
	GRAPH_PART_COUNT
};

/* True of the parts that are decoder layers. */
static inline bool graph_is_layer(int part)
{
	return part >= GRAPH_DENSE && part <= GRAPH_LOCAL_MIXTURE;
}

/* "layer", "expert_layer", … as one word. */
const char *graph_part_name(enum graph_part part);

struct graph {
	struct mesh mesh;
	struct operator* op;
	int count, capacity;
	int first[GRAPH_PART_COUNT + 1]; /* part p is op[first[p]] .. op[first[p + 1] - 1] */
	int tensors;                     /* numbers given out */
};

/*
 * How attention gets at tokens of other context-parallel ranks: by trading its sequence split for a
 * split of the heads, by gathering keys and values, or the one inside AXIS_CP and the other over
 * AXIS_RING.
 */
enum context_form { CONTEXT_EXCHANGE_HEADS, CONTEXT_GATHER_KEYS, CONTEXT_TWO_LEVELS };

/* One kind of attention. Latent attention projects keys and values through a common low rank. */
struct decoder_attention {
	bool latent, qk_norm;
	bool gate; /* grouped: the result is multiplied by a gate made from the input */
	int64_t heads, kv_heads, head, v_head;
	int64_t q_rank, kv_rank; /* latent; q_rank 0: queries are projected directly */
	int64_t nope, rope;      /* latent: parts of a head without and with position */
};

/* Experts; `sent` routed tokens leave every GPU, evenly to all experts. */
struct decoder_mixture {
	int64_t experts, ffn, shared_ffn; /* shared_ffn 0: none */
	int64_t sent;
	bool shared_gate;   /* the router also weighs the shared experts */
	int64_t gate_bits;  /* width of a routing weight */
	bool probabilities; /* routing weights travel with their tokens */
};

/* What graph_decoder() needs to know of a model; sizes are global. */
struct decoder {
	int64_t batch; /* samples of one micro-batch over all data-parallel ranks */
	int64_t sequence;
	int64_t hidden, ffn, vocab;            /* vocab padded */
	struct decoder_attention attention[2]; /* of full and of local layers */
	struct decoder_mixture mixture;
	bool has[GRAPH_PART_COUNT]; /* kinds of layers to describe, and GRAPH_MTP */
	bool gated, sequence_parallel;
	enum context_form context; /* how attention sees the whole sequence under cp */
	bool recall_output;        /* attention keeps its output as handed on */
	bool parallel_block;
	bool norm_before, norm_behind; /* of attention and feed-forward */
	bool bias_qkv, bias_attention, bias_mlp, bias_head;
	int64_t norm_vectors; /* parameters of a norm per element of its width: 1 rms, 2 layer */
	int64_t bits, weight_bits;
	int64_t linear_bits; /* operands of the layers' linears; a cast where it is not `bits` */
	int64_t loss_statistics
		[3];        /* fp32 numbers per token each exchange of the loss carries; 0 ends */
	bool save_gathered; /* column linears keep the gathered input instead of the slice */
};

/* An empty graph with room for the decoder's operators, in the arena. */
struct graph *graph_make(const struct decoder *model, struct arena *arena);

/*
 * Builds the typed graph of a decoder: embedding, one layer of every kind there is, the entry of
 * layers for further tokens, final norm, output projection with loss. False when a split does not divide; `error` then names dimension,
 * axes and operator. `graph` comes from graph_make() for a decoder of the same kinds of layers and
 * may be built again.
 */
bool graph_decoder(const struct mesh *mesh, const struct decoder *model, struct graph *graph,
		   struct algebra_error *error);

struct out;

/*
 * One operator a line: name, input types -> output type, the collectives of each phase with axis
 * and payload, FLOPs, bytes moved and bytes saved.
 */
void graph_print(const struct graph *graph, struct out *out);

/* Writes a type such as "[batch 8/4, sequence 4096/2, hidden 4096]" with its partial axes. */
void tensor_print(const struct mesh *mesh, const struct tensor_type *type, struct out *out);

/* ---------------------------------------------------------------- parameters and states */

/* Sharding of states, in the prelude's order of `zero`. */
enum state_sharding { SHARD_NOTHING, SHARD_OPTIMIZER, SHARD_GRADIENTS, SHARD_PARAMETERS };

/* Collectives a parameter costs in one step; payloads per element of the local weight. */
struct parameter_traffic {
	bool all_reduce;      /* gradient P -> R */
	bool reduce_scatter;  /* gradient P -> S */
	bool all_gather;      /* parameter S -> R after the update */
	bool gather_each_use; /* parameter S -> R before each use, forward and again in backward */
	bool reduce_each_micro_batch;
	bool tensor_reduce; /* gradient P on tp as well: replicated weight, split tokens */
};

/*
 * What brings the gradient of `op`'s weight back to the weight's own type under `sharding`, over
 * the data axes (dp and cp, or edp), and over tp where the weight is replicated but its tokens are
 * split.
 */
struct parameter_traffic parameter_coercions(const struct mesh *mesh, const struct operator* op,
					     enum state_sharding sharding);

#endif
