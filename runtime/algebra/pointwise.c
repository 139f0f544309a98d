/* pointwise.c - typing rules of what keeps its tokens where they are: norms, sums, views, loss. */

#include "runtime/algebra/operator.h"

int builder_norm(struct builder *b, enum operator_site site, int x, int64_t vectors,
		 int64_t weight_bits)
{
	if (b->failed)
		return 0;

	struct operator* op = builder_start(b, OPERATOR_NORM, site, 1, &x);
	const struct tensor_dim *inner = &op->asked[0].dim[op->asked[0].dims - 1];
	struct tensor_dim width = { inner->name, inner->size * vectors };

	op->has_weight = true;
	op->weight = tensor_make(weight_bits, 1, &width);
	op->saves = SAVED_AFTER;

	int out = builder_output(b, op, &op->asked[0], &op->asked[0]);

	builder_finish(b, op, true);
	return out;
}

int builder_activation(struct builder *b, enum operator_site site, int x, int gate, int weights)
{
	int inputs[3] = { x }, n = 1;

	if (b->failed)
		return 0;
	if (gate >= 0)
		inputs[n++] = gate;
	if (weights >= 0)
		inputs[n++] = weights;

	struct operator* op = builder_start(b, OPERATOR_ACTIVATION, site, n, inputs);

	op->saves = SAVED_AFTER;
	/* Of a weight every rank yields the summand of its part of the width. */
	if (weights >= 0)
		op->in_gradient[n - 1] = b->tensor[weights].gradient;

	int out = builder_output(b, op, &op->asked[0], &op->asked[0]);

	builder_finish(b, op, true);
	return out;
}

int builder_gate(struct builder *b, enum operator_site site, int x, int gate)
{
	int inputs[2] = { x, gate };

	if (b->failed)
		return 0;

	struct operator* op = builder_start(b, OPERATOR_GATE, site, 2, inputs);

	op->saves = SAVED_AFTER;

	int out = builder_output(b, op, &op->asked[0], &op->asked[0]);

	builder_finish(b, op, true);
	return out;
}

int builder_add(struct builder *b, enum operator_site site, int x, int y)
{
	int inputs[2] = { x, y };

	if (b->failed)
		return 0;

	struct operator* op = builder_start(b, OPERATOR_ADD, site, 2, inputs);
	int out = builder_output(b, op, &op->asked[0], &b->stream);

	builder_finish(b, op, true);
	return out;
}

void builder_split(struct builder *b, enum operator_site site, int x, int64_t first, enum dim rest,
		   int out[2])
{
	if (b->failed)
		return;

	struct operator* op = builder_start(b, OPERATOR_SPLIT, site, 1, &x);
	struct tensor_type part = op->asked[0];
	struct tensor_dim *inner = &part.dim[part.dims - 1];
	int64_t left = inner->size - first;

	inner->size = first;
	out[0] = builder_output(b, op, &part, &part);
	*inner = (struct tensor_dim){ rest, left };
	out[1] = builder_output(b, op, &part, &part);
	builder_finish(b, op, true);
}

int builder_concat(struct builder *b, enum operator_site site, int x, int y)
{
	int inputs[2] = { x, y };

	if (b->failed)
		return 0;

	struct operator* op = builder_start(b, OPERATOR_CONCAT, site, 2, inputs);
	struct tensor_type whole = op->asked[0];

	whole.dim[whole.dims - 1].size += op->asked[1].dim[op->asked[1].dims - 1].size;

	int out = builder_output(b, op, &whole, &whole);

	builder_finish(b, op, true);
	return out;
}

int builder_spread(struct builder *b, enum operator_site site, int x)
{
	if (b->failed)
		return 0;

	struct operator* op = builder_start(b, OPERATOR_SPLIT, site, 1, &x);
	int out = builder_output(b, op, &op->asked[0], &b->stream);

	builder_finish(b, op, true);
	return out;
}

void builder_pack(struct builder *b, int qkv[3])
{
	if (b->failed)
		return;

	struct operator* op = builder_start(b, OPERATOR_CONCAT, SITE_PACK, 3, qkv);

	for (int i = 0; i < 3; i++)
		qkv[i] = builder_output(b, op, &op->asked[i], &op->asked[i]);
	builder_finish(b, op, true);
}

void builder_loss(struct builder *b, int logits, const int64_t statistics[3])
{
	if (b->failed)
		return;

	struct operator* op = builder_start(b, OPERATOR_LOSS, SITE_LOSS, 1, &logits);

	op->saves = SAVED_AFTER;
	if (!builder_finish(b, op, true))
		return;
	for (int i = 0; i < 3 && statistics[i] > 0; i++) {
		/* Maximum, target logit and sum of exponentials are partial over the vocabulary. */
		struct tensor_type partial = op->asked[0];

		partial.dims = 2;
		partial.bits = 32 * statistics[i];
		partial.on[AXIS_TP] = (struct placement){ .kind = PLACE_PARTIAL };

		struct tensor_type whole = tensor_gradient(&partial);

		op->coercions += coerce_types(&b->graph->mesh, &partial, &whole, PHASE_FORWARD,
					      op->coercion + op->coercions,
					      OPERATOR_COERCIONS_MAX - op->coercions);
	}
}
