/* attention.c - typing rules of attention and of the positions on its queries and keys. */

#include "runtime/algebra/operator.h"

void builder_rope(struct builder *b, int *q, int *k)
{
	int x[2] = { *q, *k };

	if (b->failed)
		return;

	struct operator* op = builder_start(b, OPERATOR_ROPE, SITE_ROPE, 2, x);

	*q = builder_output(b, op, &op->asked[0], &op->asked[0]);
	*k = builder_output(b, op, &op->asked[1], &op->asked[1]);
	builder_finish(b, op, true);
}

int builder_latent_rope(struct builder *b, int *q, int position, int64_t heads)
{
	int x[2] = { position, *q };

	if (b->failed)
		return 0;

	struct operator* op = builder_start(b, OPERATOR_ROPE, SITE_ROPE, 2, x);
	struct tensor_type given;

	/* Every rank needs the positional part of all tokens and gives it to the heads it has. */
	op->asked[0].on[AXIS_TP].kind = PLACE_REPLICATED;
	op->in_gradient[0] = tensor_gradient(&op->asked[0]);
	op->in_gradient[0].on[AXIS_TP].kind = PLACE_PARTIAL;
	given = op->asked[0];
	given.dim[given.dims] = given.dim[given.dims - 1];
	given.dim[given.dims - 1] = (struct tensor_dim){ DIM_KV_HEADS, heads };
	given.dims++;
	tensor_split(&given, AXIS_TP, DIM_KV_HEADS);

	int key = builder_output(b, op, &given, &given);

	*q = builder_output(b, op, &op->asked[1], &op->asked[1]);
	builder_finish(b, op, true);
	return key;
}

/* Scores and their product with the values, unmasked. */
static double attention_flops(const struct mesh *mesh, const struct operator* op)
{
	const struct tensor_type *q = &op->asked[0];
	double keys = (double)tensor_size(&op->asked[1], DIM_SEQUENCE);
	double queries = (double)tensor_local(mesh, q, DIM_BATCH) *
			 (double)tensor_local(mesh, q, DIM_SEQUENCE);

	return 2 * queries * keys * operator_products(mesh, op);
}

/* Keys and values of all ranks of an axis: their gradients are sums over the ranks they went to. */
static void gather_keys(struct operator* op, enum axis axis)
{
	for (int i = 1; i < 3; i++) {
		op->asked[i].on[axis].kind = PLACE_REPLICATED;
		op->in_gradient[i].on[axis].kind = PLACE_PARTIAL;
	}
}

/*
 * Exchanged heads: heads split over cp as well, the sequence whole. Gathered keys: queries stay,
 * keys and values of all ranks come. Two levels do the one inside the other.
 */
static void ask_context(struct operator* op, enum context_form form)
{
	for (int i = 0; i < 3; i++) {
		if (form != CONTEXT_GATHER_KEYS)
			tensor_split(&op->asked[i], AXIS_CP, i == 0 ? DIM_HEADS : DIM_KV_HEADS);
		op->in_gradient[i] = tensor_gradient(&op->asked[i]);
	}
	if (form == CONTEXT_GATHER_KEYS)
		gather_keys(op, AXIS_CP);
	if (form == CONTEXT_TWO_LEVELS)
		gather_keys(op, AXIS_RING);
}

static enum saved_side attention_saves(enum context_form form)
{
	switch (form) {
	case CONTEXT_GATHER_KEYS:
		return SAVED_BEFORE;
	case CONTEXT_TWO_LEVELS:
		return SAVED_BETWEEN;
	case CONTEXT_EXCHANGE_HEADS:
		break;
	}
	return SAVED_AFTER;
}

/*
 * Fewer key heads than the ranks that exchange them: each head is repeated, so that every rank gets
 * a whole one. The types then have as many as there are ranks.
 */
static void repeat_keys(const struct mesh *mesh, struct operator* op)
{
	int64_t ranks = mesh->size[AXIS_TP] * mesh->size[AXIS_CP];
	int64_t heads = tensor_size(&op->in[1], DIM_KV_HEADS);

	op->repeats = 1;
	if (heads % ranks == 0 || ranks % heads != 0 || heads % mesh->size[AXIS_TP] != 0)
		return;
	op->repeats = ranks / heads;
	for (int i = 1; i < 3; i++)
		for (int d = 0; d < op->in[i].dims; d++)
			if (op->in[i].dim[d].name == DIM_KV_HEADS)
				op->in[i].dim[d].size = op->asked[i].dim[d].size = ranks;
}

int builder_attention(struct builder *b, const int qkv[3], enum context_form form, bool recall)
{
	if (b->failed)
		return 0;

	struct operator* op = builder_start(b, OPERATOR_ATTENTION, SITE_CORE, 3, qkv);
	struct tensor_type out = op->in[0];
	struct tensor_type given;

	op->repeats = 1;
	if (form != CONTEXT_GATHER_KEYS)
		repeat_keys(&b->graph->mesh, op);
	ask_context(op, form);
	/* The result has q's shape with value-wide heads, and goes back to q's own placement. */
	given = op->asked[0];
	given.dim[given.dims - 1].size = tensor_size(&op->in[2], DIM_HEAD);
	out.dim[out.dims - 1].size = tensor_size(&op->in[2], DIM_HEAD);
	op->saves = attention_saves(form);
	op->recalls_output = recall;

	int number = builder_output(b, op, &given, &out);

	if (!builder_finish(b, op, true))
		return 0;
	op->flops[PHASE_FORWARD] = attention_flops(&b->graph->mesh, op);
	op->flops[PHASE_INPUT_GRADIENT] = 2 * op->flops[PHASE_FORWARD];
	return number;
}
