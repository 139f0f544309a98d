/* linear.c - typing rules of linears on the dense mesh, and of the casts in front of them. */

#include "runtime/algebra/operator.h"

static const struct placement replicated = { .kind = PLACE_REPLICATED };
static const struct placement partial = { .kind = PLACE_PARTIAL };

/* The same in each of the three phases. */
static void set_flops(const struct builder *b, struct operator* op)
{
	const struct mesh *mesh = &b->graph->mesh;
	const struct tensor_type *x = &op->asked[0];
	double tokens = (double)tensor_local(mesh, x, DIM_BATCH) *
			(double)tensor_local(mesh, x, DIM_SEQUENCE);

	for (int p = 0; p < PHASE_COUNT; p++)
		op->flops[p] = 2 * tokens * operator_products(mesh, op);
}

int builder_cast(struct builder *b, enum operator_site site, int x)
{
	if (b->failed || b->linear_bits == b->tensor[x].type.bits)
		return x;

	struct operator* op = builder_start(b, OPERATOR_CAST, site, 1, &x);
	struct tensor_type narrow = op->asked[0];

	op->name = operator_cast_name(site);
	op->in_gradient[0] = b->tensor[x].gradient;
	narrow.bits = b->linear_bits;

	int out = builder_output(b, op, &narrow, &narrow);

	b->tensor[out].gradient = b->tensor[x].gradient;
	b->tensor[out].origin = b->tensor[x].origin;
	builder_finish(b, op, true);
	return out;
}

int builder_embedding(struct builder *b, enum operator_site site, int ids, int64_t vocab,
		      int64_t hidden, int64_t weight_bits)
{
	struct tensor_dim table[2] = { { DIM_VOCAB, vocab }, { DIM_HIDDEN, hidden } };

	if (b->failed)
		return 0;

	struct operator* op = builder_start(b, OPERATOR_EMBEDDING, site, 1, &ids);
	struct tensor_type given = op->asked[0];

	given.bits = b->bits;
	given.dim[given.dims++] = (struct tensor_dim){ DIM_HIDDEN, hidden };
	given.on[AXIS_TP] = partial;
	op->has_weight = true;
	op->weight = tensor_make(weight_bits, 2, table);
	tensor_split(&op->weight, AXIS_TP, DIM_VOCAB);

	int out = builder_output(b, op, &given, &b->stream);

	builder_finish(b, op, false);
	return out;
}

/* Elements of output i per token. */
static int64_t column_width(const struct column *rule, int i)
{
	int64_t width = 1;

	for (int d = 0; d < rule->dims[i]; d++)
		width *= rule->dim[i][d].size;
	return width;
}

void builder_column(struct builder *b, const struct column *rule, int x, int *out)
{
	if (b->failed)
		return;
	if (rule->site != SITE_HEAD)
		x = builder_cast(b, rule->site, x);

	struct operator* op = builder_start(b, OPERATOR_COLUMN, rule->site, 1, &x);
	struct tensor_dim in = op->in[0].dim[op->in[0].dims - 1];
	struct tensor_dim w[2] = { in, { rule->dim[0][0].name, 0 } };

	/* A weight's two dimensions need two names: only the second is cut. */
	if (w[0].name == w[1].name)
		w[0].name = DIM_FFN;

	op->asked[0].on[AXIS_TP] = replicated;
	op->in_gradient[0] = tensor_gradient(&op->asked[0]);
	op->in_gradient[0].bits = b->bits;
	op->in_gradient[0].on[AXIS_TP] = partial;
	op->saves = rule->saves;
	op->has_bias = rule->bias;
	for (int i = 0; i < rule->outputs; i++) {
		struct tensor_type given = op->asked[0];

		given.bits = b->bits;
		given.dims--;
		for (int d = 0; d < rule->dims[i]; d++)
			given.dim[given.dims++] = rule->dim[i][d];
		tensor_split(&given, AXIS_TP, rule->dim[i][0].name);

		struct tensor_type next = given;

		if (rule->gathers)
			next.on[AXIS_TP] = replicated;
		out[i] = builder_output(b, op, &given, &next);
		w[1].size += column_width(rule, i);
	}
	op->has_weight = true;
	op->weight = tensor_make(rule->weight_bits, 2, w);
	tensor_split(&op->weight, AXIS_TP, w[1].name);
	if (builder_finish(b, op, true))
		set_flops(b, op);
}

int builder_row(struct builder *b, enum operator_site site, int x, int64_t hidden, bool bias,
		int64_t weight_bits)
{
	if (b->failed)
		return 0;
	x = builder_cast(b, site, x);

	struct operator* op = builder_start(b, OPERATOR_ROW, site, 1, &x);
	struct tensor_type given = op->asked[0];
	struct tensor_dim w[2] = { { DIM_FFN, 1 }, { DIM_HIDDEN, hidden } };

	/* Everything behind batch and sequence is the input width; its first dimension is split. */
	w[0].name = given.dim[2].name;
	for (int d = 2; d < given.dims; d++)
		w[0].size *= given.dim[d].size;
	tensor_split(&op->asked[0], AXIS_TP, w[0].name);
	op->in_gradient[0].bits = b->bits;
	given.bits = b->bits;
	given.dims = 2;
	given.dim[given.dims++] = w[1];
	given.on[AXIS_TP] = partial;
	op->saves = SAVED_AFTER;
	op->has_bias = bias;
	op->has_weight = true;
	op->weight = tensor_make(weight_bits, 2, w);
	tensor_split(&op->weight, AXIS_TP, w[0].name);

	int out = builder_output(b, op, &given, &b->stream);

	if (builder_finish(b, op, true))
		set_flops(b, op);
	return out;
}

int builder_replicated(struct builder *b, enum operator_site site, int x, struct tensor_dim to,
		       int64_t weight_bits)
{
	if (b->failed)
		return 0;
	x = builder_cast(b, site, x);

	struct operator* op = builder_start(b, OPERATOR_REPLICATED, site, 1, &x);
	struct tensor_type given = op->asked[0];
	struct tensor_dim w[2] = { given.dim[given.dims - 1], to };

	given.bits = b->bits;
	given.dim[given.dims - 1] = to;
	op->in_gradient[0].bits = b->bits;
	op->saves = SAVED_AFTER;
	op->has_weight = true;
	op->weight = tensor_make(weight_bits, 2, w);

	int out = builder_output(b, op, &given, &given);

	if (builder_finish(b, op, true))
		set_flops(b, op);
	return out;
}

int builder_router(struct builder *b, int x, const struct decoder_mixture *m, int64_t weight_bits)
{
	if (b->failed)
		return 0;

	struct operator* op = builder_start(b, OPERATOR_ROUTER, SITE_ROUTER, 1, &x);
	struct tensor_type given = op->asked[0];
	struct tensor_dim w[2] = { given.dim[given.dims - 1],
				   { DIM_EXPERTS, m->experts + m->shared_gate } };

	given.bits = m->gate_bits;
	given.dim[given.dims - 1] = (struct tensor_dim){ DIM_EXPERTS, m->experts };
	op->saves = SAVED_AFTER;
	op->has_weight = true;
	op->weight = tensor_make(weight_bits, 2, w);

	int out = builder_output(b, op, &given, &given);

	if (builder_finish(b, op, true))
		set_flops(b, op);
	return out;
}
