#ifndef PLAN_ALGEBRA_OPERATOR_H
#define PLAN_ALGEBRA_OPERATOR_H

/*
 * The typing rules, one function per kind of operator. Private to the algebra.
 *
 * A builder holds the graph under construction and the types of the tensors so far. The first split
 * that does not divide is remembered; later calls then do nothing, so a description can be written
 * without a test after every line.
 */

#include "runtime/algebra/algebra.h"

enum { BUILDER_TENSORS_MAX = 512 };

struct builder_tensor {
	struct tensor_type type;
	struct tensor_type gradient; /* as the operator that made it takes it back */
	int origin;                  /* the tensor whose values these are, before any cast */
};

struct builder {
	struct graph *graph;
	struct algebra_error *error;
	bool failed;
	int64_t bits;        /* activations */
	int64_t linear_bits; /* operands of linears */
	int part_first;      /* first operator of the part under construction */
	/* the type of activations between blocks; outputs named `stream` are coerced to it */
	struct tensor_type stream;
	struct builder_tensor tensor[BUILDER_TENSORS_MAX];
};

/* ---------------------------------------------------------------- steps of every rule */

/* A tensor from outside the graph, such as token ids. Returns its number. */
int builder_input(struct builder *b, struct tensor_type type);

/* The next operator of the graph with its inputs at hand, asking for exactly what it gets. */
struct operator* builder_start(struct builder *b, enum operator_kind kind, enum operator_site site,
			       int inputs, const int *input);

/* Adds an output that the rule gives as `given` and the next operator sees as `out`. */
int builder_output(struct builder *b, struct operator* op, const struct tensor_type *given,
		   const struct tensor_type *out);

/*
 * Checks the types of a finished rule and derives its collectives: inputs to what the rule asks,
 * outputs to what the next operator expects, the duals in backward, and the input coercions once
 * more in backward when an operand was saved before them. False when the builder failed.
 */
bool builder_finish(struct builder *b, struct operator* op, bool differentiable);

/* ---------------------------------------------------------------- linears */

/* Rows `ids` of a table split over tp; the partial sums are coerced to the stream. */
int builder_embedding(struct builder *b, enum operator_site site, int ids, int64_t vocab,
		      int64_t hidden, int64_t weight_bits);

/*
 * Column linear from x to `outputs` tensors, each split over tp along its second-to-last or last
 * dimension `along[i]`: output i is x's tokens with dims[i] behind them. Numbers go to `out`. In
 * front of it, of a row, replicated or grouped linear comes a cast when operands have a format of
 * their own.
 */
struct column {
	enum operator_site site;
	int outputs;
	int dims[OPERATOR_PORTS_MAX];
	struct tensor_dim dim[OPERATOR_PORTS_MAX][2];
	bool bias;
	enum saved_side saves;
	int64_t weight_bits;
	bool gathers; /* the next operator sees its outputs whole */
};

void builder_column(struct builder *b, const struct column *rule, int x, int *out);

/* Row linear from x, whose inner dimensions are split over tp, to the stream. */
int builder_row(struct builder *b, enum operator_site site, int x, int64_t hidden, bool bias,
		int64_t weight_bits);

/* Linear with the whole weight on every rank, from the innermost dimension of x to `to`. */
int builder_replicated(struct builder *b, enum operator_site site, int x, struct tensor_dim to,
		       int64_t weight_bits);

/* x in the format of linear operands for the linear at `site`; x itself when it has that format. */
int builder_cast(struct builder *b, enum operator_site site, int x);

/* ---------------------------------------------------------------- attention */

/* Rotary positions on q and k, which are replaced. */
void builder_rope(struct builder *b, int *q, int *k);

/*
 * Rotary positions of latent attention: of q, which is replaced, and of the common positional part
 * of the keys, which is handed to each of `heads` heads. Returns the latter.
 */
int builder_latent_rope(struct builder *b, int *q, int position, int64_t heads);

/* Attention over queries, keys and values; `recall` is struct decoder's recall_output. */
int builder_attention(struct builder *b, const int qkv[3], enum context_form form, bool recall);

/* ---------------------------------------------------------------- pointwise and views */

/* Norm over the innermost dimension, which must be whole; `vectors` parameters per element. */
int builder_norm(struct builder *b, enum operator_site site, int x, int64_t vectors,
		 int64_t weight_bits);

/*
 * Pointwise function of one tensor, or of a gate and a tensor (gate < 0: none), times a weight per
 * token (weights < 0: none).
 */
int builder_activation(struct builder *b, enum operator_site site, int x, int gate, int weights);

/* x times the sigmoid of a gate of the same type. */
int builder_gate(struct builder *b, enum operator_site site, int x, int gate);

/* Residual sum of two tensors of the stream. */
int builder_add(struct builder *b, enum operator_site site, int x, int y);

/* Cuts the innermost dimension of x: `first` elements and, named `rest`, what is left. */
void builder_split(struct builder *b, enum operator_site site, int x, int64_t first, enum dim rest,
		   int out[2]);

/* x and y put together along their innermost dimension. */
int builder_concat(struct builder *b, enum operator_site site, int x, int y);

/* The slice of x, whole on every rank, that the stream has there; a view. */
int builder_spread(struct builder *b, enum operator_site site, int x);

/* Queries, keys and values side by side; a view. */
void builder_pack(struct builder *b, int qkv[3]);

/* Cross entropy of logits split over tp; statistics as in struct decoder. */
void builder_loss(struct builder *b, int logits, const int64_t statistics[3]);

/* ---------------------------------------------------------------- experts */

/* Scores of every token for every expert, from a weight with a column for each and a gate's. */
int builder_router(struct builder *b, int x, const struct decoder_mixture *m, int64_t weight_bits);

/*
 * Sends `sent` copies of tokens from every GPU to the ranks of their experts; routed[0] are the
 * tokens, routed[1] their routing weights, or -1 when these stay behind.
 */
void builder_dispatch(struct builder *b, int x, int gates, const struct decoder_mixture *m,
		      int routed[2]);

/* Linears of experts: one weight each, and a bias where the model has one. */
struct grouped {
	int64_t experts;
	bool bias;
	int64_t weight_bits;
};

/* A linear per expert, to `outputs` tensors of width `to`, split over etp. */
void builder_grouped_column(struct builder *b, const struct grouped *g, int x, int outputs,
			    struct tensor_dim to, int *out);

/* A linear per expert from a width split over etp; the result is a partial sum over etp. */
int builder_grouped_row(struct builder *b, const struct grouped *g, int x, struct tensor_dim to);

/* Results of the experts back to where tensor `like` has its tokens; gates < 0: unweighted. */
int builder_combine(struct builder *b, int routed, int gates, int like);

#endif
