/*
 * expert.c - typing rules of routed experts, on the expert mesh.
 *
 * The GPUs of the dense mesh are folded anew: every GPU brings the tokens it has, so they are split
 * over etp, ep and edp alike. Experts are split over ep, their widths over etp. What lies between is
 * an all-to-all over ep and a gather over etp, and the same way back.
 */

#include "runtime/algebra/operator.h"

/* Routed tokens where they come from: behind `inner` dimensions of width, every GPU its own. */
static struct tensor_type sent_type(const struct builder *b, int64_t bits, int64_t sent)
{
	const struct mesh *mesh = &b->graph->mesh;
	int64_t gpus = mesh->size[AXIS_ETP] * mesh->size[AXIS_EP] * mesh->size[AXIS_EDP];
	struct tensor_dim tokens = { DIM_TOKENS, sent * gpus };
	struct tensor_type type = tensor_make(bits, 1, &tokens);

	tensor_split(&type, AXIS_ETP, DIM_TOKENS);
	tensor_split(&type, AXIS_EP, DIM_TOKENS);
	tensor_split(&type, AXIS_EDP, DIM_TOKENS);
	return type;
}

/* The same tokens at their experts: each rank of an expert has all of that expert's tokens. */
static struct tensor_type held_type(const struct tensor_type *sent)
{
	struct tensor_type type = *sent;

	tensor_split(&type, AXIS_EP, DIM_EXPERTS);
	type.on[AXIS_ETP] = (struct placement){ .kind = PLACE_REPLICATED };
	return type;
}

void builder_dispatch(struct builder *b, int x, int gates, const struct decoder_mixture *m,
		      int routed[2])
{
	int inputs[2] = { x, gates };

	if (b->failed)
		return;

	struct operator* op = builder_start(b, OPERATOR_DISPATCH, SITE_DISPATCH, 2, inputs);
	struct tensor_type given = sent_type(b, b->bits, m->sent);
	struct tensor_type weights = sent_type(b, m->gate_bits, m->sent), held;

	given.dim[given.dims++] = op->in[0].dim[op->in[0].dims - 1];
	held = held_type(&given);
	routed[0] = builder_output(b, op, &given, &held);
	routed[1] = -1;
	/* Ranks of one expert each yield a summand of the gradient of the tokens they share. */
	b->tensor[routed[0]].gradient.on[AXIS_ETP].kind = PLACE_PARTIAL;
	if (m->probabilities) {
		held = held_type(&weights);
		routed[1] = builder_output(b, op, &weights, &held);
		b->tensor[routed[1]].gradient.on[AXIS_ETP].kind = PLACE_PARTIAL;
	}
	builder_finish(b, op, true);
}

/* The same in each of the three phases. */
static void set_flops(const struct builder *b, struct operator* op)
{
	const struct mesh *mesh = &b->graph->mesh;
	double tokens = (double)tensor_local(mesh, &op->asked[0], DIM_TOKENS);

	for (int p = 0; p < PHASE_COUNT; p++)
		op->flops[p] = 2 * tokens * operator_products(mesh, op);
}

static void set_weight(struct operator* op, const struct grouped *g, struct tensor_dim from,
		       struct tensor_dim to)
{
	struct tensor_dim w[3] = { { DIM_EXPERTS, g->experts }, from, to };

	op->has_weight = true;
	op->has_bias = g->bias;
	op->saves = SAVED_AFTER;
	op->weight = tensor_make(g->weight_bits, 3, w);
	tensor_split(&op->weight, AXIS_EP, DIM_EXPERTS);
	tensor_split(&op->weight, AXIS_ETP, DIM_FFN);
}

void builder_grouped_column(struct builder *b, const struct grouped *g, int x, int outputs,
			    struct tensor_dim to, int *out)
{
	if (b->failed)
		return;
	x = builder_cast(b, SITE_EXPERT_FC1, x);

	struct operator* op = builder_start(b, OPERATOR_GROUPED_COLUMN, SITE_EXPERT_FC1, 1, &x);
	struct tensor_type given = op->asked[0];
	struct tensor_dim width = { to.name, to.size * outputs };

	set_weight(op, g, given.dim[given.dims - 1], width);
	op->in_gradient[0].bits = b->bits;
	op->in_gradient[0].on[AXIS_ETP].kind = PLACE_PARTIAL;
	given.bits = b->bits;
	given.dim[given.dims - 1] = to;
	tensor_split(&given, AXIS_ETP, to.name);
	for (int i = 0; i < outputs; i++)
		out[i] = builder_output(b, op, &given, &given);
	if (builder_finish(b, op, true))
		set_flops(b, op);
}

int builder_grouped_row(struct builder *b, const struct grouped *g, int x, struct tensor_dim to)
{
	if (b->failed)
		return 0;
	x = builder_cast(b, SITE_EXPERT_FC2, x);

	struct operator* op = builder_start(b, OPERATOR_GROUPED_ROW, SITE_EXPERT_FC2, 1, &x);
	struct tensor_type given = op->asked[0];

	set_weight(op, g, given.dim[given.dims - 1], to);
	op->in_gradient[0].bits = b->bits;
	given.bits = b->bits;
	given.dim[given.dims - 1] = to;
	given.on[AXIS_ETP] = (struct placement){ .kind = PLACE_PARTIAL };

	int out = builder_output(b, op, &given, &given);

	if (builder_finish(b, op, true))
		set_flops(b, op);
	return out;
}

int builder_combine(struct builder *b, int routed, int gates, int like)
{
	int inputs[2] = { routed, gates };

	if (b->failed)
		return 0;

	struct operator* op =
		builder_start(b, OPERATOR_COMBINE, SITE_COMBINE, gates < 0 ? 1 : 2, inputs);
	struct tensor_type *asked = &op->asked[0];

	tensor_split(asked, AXIS_ETP, DIM_TOKENS);
	tensor_split(asked, AXIS_EP, DIM_TOKENS);
	op->in_gradient[0] = *asked;
	/* Unless they were weighted before, results are needed for the gradient of their weights. */
	op->saves = gates < 0 ? SAVED_NOTHING : SAVED_AFTER;

	int out = builder_output(b, op, &b->tensor[like].type, &b->tensor[like].type);

	builder_finish(b, op, true);
	return out;
}
