/* operator.c - what applying any typing rule takes: ports, checks and derived collectives. */

#include "runtime/algebra/operator.h"

int builder_input(struct builder *b, struct tensor_type type)
{
	int number = b->graph->tensors++;

	b->tensor[number].type = type;
	b->tensor[number].gradient = tensor_gradient(&type);
	b->tensor[number].origin = number;
	return number;
}

struct operator* builder_start(struct builder *b, enum operator_kind kind, enum operator_site site,
			       int inputs, const int *input)
{
	struct operator* op = & b->graph->op[b->graph->count];

	invariant(b->graph->count < b->graph->capacity, "a graph has room for its operators");
	*op = (struct operator){
		.kind = kind, .site = site, .name = operator_site_name(site), .inputs = inputs
	};
	for (int i = 0; i < inputs; i++) {
		op->input[i] = input[i];
		op->in[i] = b->tensor[input[i]].type;
		op->asked[i] = op->in[i];
		op->in_gradient[i] = tensor_gradient(&op->in[i]);
	}
	return op;
}

int builder_output(struct builder *b, struct operator* op, const struct tensor_type *given,
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

static bool check_ports(struct builder *b, struct operator* op)
{
	for (int i = 0; i < op->inputs; i++)
		if (!check(b, op, &op->asked[i]))
			return false;
	for (int i = 0; i < op->outputs; i++)
		if (!check(b, op, &op->given[i]) || !check(b, op, &op->out[i]))
			return false;
	return !op->has_weight || check(b, op, &op->weight);
}

static void coerce(struct builder *b, struct operator* op, int port, const struct tensor_type *from,
		   const struct tensor_type *to, enum phase phase)
{
	struct coercion *list = op->coercion + op->coercions;
	int n = coerce_types(&b->graph->mesh, from, to, phase, list,
			     OPERATOR_COERCIONS_MAX - op->coercions);

	for (int i = 0; i < n; i++)
		list[i].port = port;
	op->coercions += n;
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

static const struct tensor_type *saved_type(const struct operator* op)
{
	return op->saves == SAVED_BEFORE ? &op->in[0] : &op->asked[0];
}

/* True when `a` and `b` would keep the same bytes: one copy of the same values, placed alike. */
static bool keeps_same(const struct builder *b, const struct operator* one,
		       const struct operator* other)
{
	const struct tensor_type *x = saved_type(one), *y = saved_type(other);
	bool same = one->saves != SAVED_NOTHING && x->bits == y->bits &&
		    b->tensor[one->input[0]].origin == b->tensor[other->input[0]].origin;

	for (int axis = 0; same && axis < AXIS_COUNT; axis++)
		same = placement_equal(x->on[axis], y->on[axis]);
	return same;
}

static void find_kept(struct builder *b, struct operator* op)
{
	if (op->saves == SAVED_NOTHING)
		return;
	for (int i = b->part_first; i < b->graph->count && !op->kept_before; i++)
		op->kept_before = keeps_same(b, &b->graph->op[i], op);
}

static void coerce_outputs(struct builder *b, struct operator* op, enum phase back)
{
	for (int i = 0; i < op->outputs; i++) {
		struct tensor_type arrives = b->tensor[op->output[i]].gradient;
		struct tensor_type wanted = tensor_gradient(&op->given[i]);

		coerce(b, op, i, &op->given[i], &op->out[i], PHASE_FORWARD);
		/* A cast hands the gradient on as it comes. */
		if (op->kind != OPERATOR_CAST)
			coerce(b, op, i, &arrives, &wanted, back);
		if (op->recalls_output)
			coerce(b, op, i, &op->out[i], &op->given[i], back);
	}
}

/* What was kept before a coercion is coerced again where backward needs it. */
static void recall_input(struct builder *b, struct operator* op, int port)
{
	struct tensor_type kept = op->in[port];

	if (op->saves != SAVED_BEFORE && op->saves != SAVED_BETWEEN)
		return;
	if (op->saves == SAVED_BETWEEN)
		kept.on[AXIS_CP] = op->asked[port].on[AXIS_CP];
	coerce(b, op, port, &kept, &op->asked[port],
	       op->has_weight ? PHASE_WEIGHT_GRADIENT : PHASE_INPUT_GRADIENT);
}

static void coerce_gradients(struct builder *b, struct operator* op)
{
	for (int i = 0; i < op->inputs; i++) {
		struct tensor_type wanted = b->tensor[op->input[i]].gradient;

		/* Sizes are the operator's own: attention may have repeated heads. */
		for (int d = 0; d < wanted.dims; d++)
			wanted.dim[d].size = op->in[i].dim[d].size;
		coerce(b, op, i, &op->in_gradient[i], &wanted, PHASE_INPUT_GRADIENT);
		recall_input(b, op, i);
	}
}

bool builder_finish(struct builder *b, struct operator* op, bool differentiable)
{
	if (!check_ports(b, op))
		return false;
	if (op->has_weight)
		type_weight_gradient(op);
	for (int i = 0; i < op->inputs; i++)
		coerce(b, op, i, &op->in[i], &op->asked[i], PHASE_FORWARD);
	coerce_outputs(b, op, differentiable ? PHASE_INPUT_GRADIENT : PHASE_WEIGHT_GRADIENT);
	if (differentiable)
		coerce_gradients(b, op);
	find_kept(b, op);
	b->graph->count++;
	return true;
}
