/* operator.c - typing rules of operators, and the coercions each application of a rule needs. */

#include "runtime/algebra/operator.h"

int builder_input(struct builder *b, struct tensor_type type)
{
	int number = b->graph->tensors++;

	b->type[number] = type;
	return number;
}

/* The next operator of the graph with its inputs at hand, asking for exactly what it gets. */
static struct operator* start(struct builder *b, enum operator_kind kind, const char *name,
			      int inputs, const int *input)
{
	struct operator* op = & b->graph->op[b->graph->count];

	*op = (struct operator){ .kind = kind, .name = name, .inputs = inputs };
	for (int i = 0; i < inputs; i++) {
		op->input[i] = input[i];
		op->in[i] = b->type[input[i]];
		op->asked[i] = op->in[i];
		op->in_gradient[i] = tensor_gradient(&op->in[i]);
	}
	return op;
}

static int add_output(struct builder *b, struct operator* op, const struct tensor_type *given,
		      const struct tensor_type *out)
{
	int number = builder_input(b, *out);

	op->given[op->outputs] = *given;
	op->out[op->outputs] = *out;
	op->output[op->outputs++] = number;
	return number;
}

static bool check(struct builder *b, const struct operator* op, const struct tensor_type *type)
{
	if (tensor_check(&b->graph->mesh, type, b->error))
		return true;
	b->error->operator_name = op->name;
	b->failed = true;
	return false;
}

static void coerce(struct builder *b, struct operator* op, const struct tensor_type *from,
		   const struct tensor_type *to, enum phase phase)
{
	op->coercions +=
		coerce_types(&b->graph->mesh, from, to, phase, op->coercion + op->coercions,
			     OPERATOR_COERCIONS_MAX - op->coercions);
}

/* A weight that no axis splits sums its gradient over every axis that splits the tokens. */
static void type_weight_gradient(struct operator* op)
{
	op->weight_gradient = op->weight;
	for (int axis = 0; axis < AXIS_COUNT; axis++)
		if (op->weight.on[axis].kind == PLACE_REPLICATED &&
		    op->asked[0].on[axis].kind == PLACE_SPLIT)
			op->weight_gradient.on[axis].kind = PLACE_PARTIAL;
}

/*
 * Checks the types of a finished rule and derives its collectives: inputs to what the rule asks,
 * outputs to what the next operator expects, the duals in backward, and the input coercions once
 * more in backward when an operand was saved before them.
 */
static void finish(struct builder *b, struct operator* op, bool differentiable)
{
	enum phase back = differentiable ? PHASE_INPUT_GRADIENT : PHASE_WEIGHT_GRADIENT;

	for (int i = 0; i < op->inputs; i++)
		if (!check(b, op, &op->asked[i]))
			return;
	for (int i = 0; i < op->outputs; i++)
		if (!check(b, op, &op->given[i]) || !check(b, op, &op->out[i]))
			return;
	if (op->has_weight) {
		if (!check(b, op, &op->weight))
			return;
		type_weight_gradient(op);
	}
	for (int i = 0; i < op->inputs; i++)
		coerce(b, op, &op->in[i], &op->asked[i], PHASE_FORWARD);
	for (int i = 0; i < op->outputs; i++) {
		struct tensor_type arrives = tensor_gradient(&op->out[i]);
		struct tensor_type wanted = tensor_gradient(&op->given[i]);

		coerce(b, op, &op->given[i], &op->out[i], PHASE_FORWARD);
		coerce(b, op, &arrives, &wanted, back);
		if (op->recalls_output)
			coerce(b, op, &op->out[i], &op->given[i], back);
	}
	for (int i = 0; differentiable && i < op->inputs; i++) {
		struct tensor_type wanted = tensor_gradient(&op->in[i]);

		coerce(b, op, &op->in_gradient[i], &wanted, PHASE_INPUT_GRADIENT);
		if (op->saves == SAVED_BEFORE)
			coerce(b, op, &op->in[i], &op->asked[i],
			       op->has_weight ? PHASE_WEIGHT_GRADIENT : PHASE_INPUT_GRADIENT);
	}
	b->graph->count++;
}

static double linear_flops(const struct mesh *mesh, const struct operator* op)
{
	const struct tensor_type *x = &op->asked[0];
	double tokens = (double)tensor_local(mesh, x, DIM_BATCH) *
			(double)tensor_local(mesh, x, DIM_SEQUENCE);

	return 2 * tokens * (double)tensor_local_elements(mesh, &op->weight);
}

int builder_embedding(struct builder *b, const char *name, int ids, int64_t vocab, int64_t hidden,
		      int64_t bits, int64_t weight_bits)
{
	struct tensor_dim table[2] = { { DIM_VOCAB, vocab }, { DIM_HIDDEN, hidden } };

	if (b->failed)
		return 0;

	struct operator* op = start(b, OPERATOR_EMBEDDING, name, 1, &ids);
	struct tensor_type given = op->asked[0];

	given.bits = bits;
	given.dim[given.dims++] = (struct tensor_dim){ DIM_HIDDEN, hidden };
	given.on[AXIS_TP] = (struct placement){ .kind = PLACE_PARTIAL };
	op->has_weight = true;
	op->weight = tensor_make(weight_bits, 2, table);
	tensor_split(&op->weight, AXIS_TP, DIM_VOCAB);

	int out = add_output(b, op, &given, &b->stream);

	finish(b, op, false);
	return out;
}

int builder_norm(struct builder *b, const char *name, int x, int64_t vectors, int64_t weight_bits)
{
	if (b->failed)
		return 0;

	struct operator* op = start(b, OPERATOR_NORM, name, 1, &x);
	const struct tensor_dim *inner = &op->asked[0].dim[op->asked[0].dims - 1];
	struct tensor_dim width = { inner->name, inner->size * vectors };

	op->has_weight = true;
	op->weight = tensor_make(weight_bits, 1, &width);
	op->saves = SAVED_AFTER;

	int out = add_output(b, op, &op->asked[0], &op->asked[0]);

	finish(b, op, true);
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

	struct operator* op = start(b, OPERATOR_COLUMN, rule->name, 1, &x);
	struct tensor_dim in = op->in[0].dim[op->in[0].dims - 1];
	struct tensor_dim w[2] = { in, { rule->dim[0][0].name, 0 } };

	op->asked[0].on[AXIS_TP] = (struct placement){ .kind = PLACE_REPLICATED };
	op->in_gradient[0] = tensor_gradient(&op->asked[0]);
	op->in_gradient[0].on[AXIS_TP].kind = PLACE_PARTIAL;
	op->saves = rule->saves;
	op->has_bias = rule->bias;
	for (int i = 0; i < rule->outputs; i++) {
		struct tensor_type given = op->asked[0];

		given.dims--;
		for (int d = 0; d < rule->dims[i]; d++)
			given.dim[given.dims++] = rule->dim[i][d];
		tensor_split(&given, AXIS_TP, rule->dim[i][0].name);
		out[i] = add_output(b, op, &given, &given);
		w[1].size += column_width(rule, i);
	}
	op->has_weight = true;
	op->weight = tensor_make(rule->weight_bits, 2, w);
	tensor_split(&op->weight, AXIS_TP, w[1].name);
	finish(b, op, true);
	if (b->failed)
		return;
	for (int p = 0; p < PHASE_COUNT; p++)
		op->flops[p] = linear_flops(&b->graph->mesh, op);
}

int builder_row(struct builder *b, const char *name, int x, int64_t hidden, bool bias,
		int64_t weight_bits)
{
	if (b->failed)
		return 0;

	struct operator* op = start(b, OPERATOR_ROW, name, 1, &x);
	struct tensor_type given = op->asked[0];
	struct tensor_dim w[2] = { { DIM_FFN, 1 }, { DIM_HIDDEN, hidden } };

	/* Everything behind batch and sequence is the input width; its first dimension is split. */
	w[0].name = given.dim[2].name;
	for (int d = 2; d < given.dims; d++)
		w[0].size *= given.dim[d].size;
	tensor_split(&op->asked[0], AXIS_TP, w[0].name);
	given.dims = 2;
	given.dim[given.dims++] = w[1];
	given.on[AXIS_TP] = (struct placement){ .kind = PLACE_PARTIAL };
	op->saves = SAVED_AFTER;
	op->has_bias = bias;
	op->has_weight = true;
	op->weight = tensor_make(weight_bits, 2, w);
	tensor_split(&op->weight, AXIS_TP, w[0].name);

	int out = add_output(b, op, &given, &b->stream);

	finish(b, op, true);
	for (int p = 0; !b->failed && p < PHASE_COUNT; p++)
		op->flops[p] = linear_flops(&b->graph->mesh, op);
	return out;
}

void builder_rope(struct builder *b, int *q, int *k)
{
	int x[2] = { *q, *k };

	if (b->failed)
		return;

	struct operator* op = start(b, OPERATOR_ROPE, "rope", 2, x);

	*q = add_output(b, op, &op->asked[0], &op->asked[0]);
	*k = add_output(b, op, &op->asked[1], &op->asked[1]);
	finish(b, op, true);
}

/* One product of scores or values for every query head, unmasked. */
static double attention_flops(const struct mesh *mesh, const struct operator* op)
{
	const struct tensor_type *q = &op->asked[0];
	double keys = (double)tensor_size(&op->asked[1], DIM_SEQUENCE);
	double queries = (double)tensor_local(mesh, q, DIM_BATCH) *
			 (double)tensor_local(mesh, q, DIM_SEQUENCE) *
			 (double)tensor_local(mesh, q, DIM_HEADS);
	double width =
		(double)tensor_size(q, DIM_HEAD) + (double)tensor_size(&op->asked[2], DIM_HEAD);

	return 2 * queries * keys * width;
}

/*
 * Exchanged heads: heads split over cp as well, the sequence whole. Gathered keys: queries stay,
 * keys and values of all ranks come, and their gradients are partial sums over the ranks they went
 * to.
 */
static void ask_context(struct operator* op, enum context_form form)
{
	for (int i = 0; i < 3; i++) {
		if (form == CONTEXT_EXCHANGE_HEADS)
			tensor_split(&op->asked[i], AXIS_CP, i == 0 ? DIM_HEADS : DIM_KV_HEADS);
		else if (i > 0)
			op->asked[i].on[AXIS_CP].kind = PLACE_REPLICATED;
		op->in_gradient[i] = tensor_gradient(&op->asked[i]);
		if (form == CONTEXT_GATHER_KEYS && i > 0)
			op->in_gradient[i].on[AXIS_CP].kind = PLACE_PARTIAL;
	}
}

int builder_attention(struct builder *b, const char *name, const int qkv[3], enum context_form form,
		      bool recall)
{
	if (b->failed)
		return 0;

	struct operator* op = start(b, OPERATOR_ATTENTION, name, 3, qkv);
	struct tensor_type out = op->in[0];
	struct tensor_type given;

	ask_context(op, form);
	/* The result has q's shape with value-wide heads, and goes back to q's own placement. */
	given = op->asked[0];
	given.dim[given.dims - 1].size = tensor_size(&op->in[2], DIM_HEAD);
	out.dim[out.dims - 1].size = tensor_size(&op->in[2], DIM_HEAD);
	op->saves = form == CONTEXT_GATHER_KEYS ? SAVED_BEFORE : SAVED_AFTER;
	op->recalls_output = recall;

	int number = add_output(b, op, &given, &out);

	finish(b, op, true);
	if (b->failed)
		return 0;
	op->flops[PHASE_FORWARD] = attention_flops(&b->graph->mesh, op);
	op->flops[PHASE_INPUT_GRADIENT] = 2 * op->flops[PHASE_FORWARD];
	return number;
}

int builder_activation(struct builder *b, const char *name, int gate, int x)
{
	int inputs[2] = { x, gate };

	if (b->failed)
		return 0;

	struct operator* op = start(b, OPERATOR_ACTIVATION, name, gate < 0 ? 1 : 2, inputs);

	op->saves = SAVED_AFTER;

	int out = add_output(b, op, &op->asked[0], &op->asked[0]);

	finish(b, op, true);
	return out;
}

int builder_add(struct builder *b, const char *name, int x, int y)
{
	int inputs[2] = { x, y };

	if (b->failed)
		return 0;

	struct operator* op = start(b, OPERATOR_ADD, name, 2, inputs);
	int out = add_output(b, op, &op->asked[0], &b->stream);

	finish(b, op, true);
	return out;
}

void builder_loss(struct builder *b, const char *name, int logits, const int64_t statistics[3])
{
	if (b->failed)
		return;

	struct operator* op = start(b, OPERATOR_LOSS, name, 1, &logits);

	op->saves = SAVED_AFTER;
	finish(b, op, true);
	for (int i = 0; !b->failed && i < 3 && statistics[i] > 0; i++) {
		/* Maximum, target logit and sum of exponentials are partial over the vocabulary. */
		struct tensor_type partial = op->asked[0];

		partial.dims = 2;
		partial.bits = 32 * statistics[i];
		partial.on[AXIS_TP] = (struct placement){ .kind = PLACE_PARTIAL };

		struct tensor_type whole = tensor_gradient(&partial);

		coerce(b, op, &partial, &whole, PHASE_FORWARD);
	}
}
