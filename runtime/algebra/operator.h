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

enum { BUILDER_TENSORS_MAX = 64 };

struct builder {
	struct graph *graph;
	struct algebra_error *error;
	bool failed;
	struct tensor_type type[BUILDER_TENSORS_MAX];
	/* the type of activations between blocks; outputs named `stream` are coerced to it */
	struct tensor_type stream;
};

/* A tensor from outside the graph, such as token ids. Returns its number. */
int builder_input(struct builder *b, struct tensor_type type);

/* Rows `ids` of a table split over tp; the partial sums are coerced to the stream. */
int builder_embedding(struct builder *b, const char *name, int ids, int64_t vocab, int64_t hidden,
		      int64_t bits, int64_t weight_bits);

/* Norm over the innermost dimension, which must be whole; `vectors` parameters per element. */
int builder_norm(struct builder *b, const char *name, int x, int64_t vectors, int64_t weight_bits);

/*
 * Column linear from x to `outputs` tensors, each split over tp along its second-to-last or last
 * dimension `along[i]`: output i is x's tokens with dims[i] behind them. Numbers go to `out`.
 */
struct column {
	const char *name;
	int outputs;
	int dims[OPERATOR_PORTS_MAX];
	struct tensor_dim dim[OPERATOR_PORTS_MAX][2];
	bool bias;
	enum saved_side saves;
	int64_t weight_bits;
};

void builder_column(struct builder *b, const struct column *rule, int x, int *out);

/* Row linear from x, whose inner dimensions are split over tp, to the stream. */
int builder_row(struct builder *b, const char *name, int x, int64_t hidden, bool bias,
		int64_t weight_bits);

/* Rotary positions on q and k, which are replaced. */
void builder_rope(struct builder *b, int *q, int *k);

/* Attention over queries, keys and values; `recall` is struct decoder's recall_output. */
int builder_attention(struct builder *b, const char *name, const int qkv[3], enum context_form form,
		      bool recall);

/* Pointwise function of one tensor, or of a gate and a tensor (gate < 0: none). */
int builder_activation(struct builder *b, const char *name, int gate, int x);

/* Residual sum of two tensors of the stream. */
int builder_add(struct builder *b, const char *name, int x, int y);

/* Cross entropy of logits split over tp; statistics as in struct decoder. */
void builder_loss(struct builder *b, const char *name, int logits, const int64_t statistics[3]);

#endif
