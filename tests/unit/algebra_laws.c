/* algebra_laws.c - laws of types, coercions and FLOPs. */
#include "tests/unit/algebra_laws.h"

static const char *law_type(const struct mesh *mesh, const struct tensor_type *type)
{
	for (int i = 0; i < type->dims; i++) {
		int64_t local = tensor_local(mesh, type, type->dim[i].name);
		int64_t cuts = tensor_cuts(mesh, type, type->dim[i].name);

		if (local * cuts != type->dim[i].size)
			return "local size times cuts is the global size";
	}
	return NULL;
}

/* What a collective does to the placement of its axis. */
static const char *law_coercion(const struct coercion *c, struct placement from,
				struct placement to)
{
	bool partial = from.kind == PLACE_PARTIAL, split = from.kind == PLACE_SPLIT;
	bool ends_split = to.kind == PLACE_SPLIT;

	switch (c->kind) {
	case COERCE_ALL_GATHER:
		return split && !ends_split ? NULL : "all-gather ends a split";
	case COERCE_ALL_REDUCE:
		return partial && !ends_split ? NULL : "all-reduce ends a partial sum";
	case COERCE_REDUCE_SCATTER:
		return partial && ends_split ? NULL : "reduce-scatter splits a partial sum";
	case COERCE_ALL_TO_ALL:
		return split && ends_split ? NULL : "all-to-all moves a split";
	case COERCE_SLICE:
		break;
	}
	return !partial && !split && ends_split ? NULL : "a slice starts replicated";
}

/* The coercions lead from one type to the other. */
static const char *law_coercions(const struct mesh *mesh, const struct tensor_type *from,
				 const struct tensor_type *to)
{
	struct coercion list[AXIS_COUNT];
	struct tensor_type at = *from;
	int n = coerce_types(mesh, from, to, PHASE_FORWARD, list, AXIS_COUNT);

	for (int i = 0; i < n; i++) {
		enum axis a = list[i].axis;
		const char *broken = law_coercion(&list[i], at.on[a], to->on[a]);

		if (broken != NULL)
			return broken;
		at.on[a] = to->on[a];
	}
	for (int a = 0; a < AXIS_COUNT; a++)
		if (mesh->size[a] > 1 && !placement_equal(at.on[a], to->on[a]))
			return "coercions lead to the type asked for";
	return NULL;
}

static const char *law_input(const struct mesh *mesh, const struct operator* op, int i)
{
	struct tensor_type gradient = tensor_gradient(&op->in[i]);
	const char *broken = law_type(mesh, &op->in[i]);

	for (int a = 0; a < AXIS_COUNT; a++)
		if (gradient.on[a].kind == PLACE_PARTIAL)
			return "no gradient stays partial";
	broken = broken != NULL ? broken : law_type(mesh, &op->asked[i]);
	broken = broken != NULL ? broken : law_coercions(mesh, &op->in[i], &op->asked[i]);
	return broken != NULL ? broken : law_coercions(mesh, &op->in_gradient[i], &gradient);
}

const char *laws_operator(const struct mesh *mesh, const struct operator* op)
{
	const char *broken = NULL;

	for (int i = 0; i < op->inputs && broken == NULL; i++)
		broken = law_input(mesh, op, i);
	for (int i = 0; i < op->outputs && broken == NULL; i++) {
		broken = law_type(mesh, &op->given[i]);
		broken = broken != NULL ? broken : law_type(mesh, &op->out[i]);
		broken = broken != NULL ? broken : law_coercions(mesh, &op->given[i], &op->out[i]);
	}
	if (op->has_weight && broken == NULL)
		broken = law_type(mesh, &op->weight);
	return broken;
}

static bool on_expert_mesh(const struct operator* op)
{
	return op->kind == OPERATOR_GROUPED_COLUMN || op->kind == OPERATOR_GROUPED_ROW;
}

/* A linear with the whole weight on every rank does the same work tp times over unless tokens are cut. */
static double ranks(const struct mesh *mesh, const struct operator* op)
{
	double context_and_data = (double)mesh->size[AXIS_CP] * (double)mesh->size[AXIS_RING] *
				  (double)mesh->size[AXIS_DP];
	bool whole_weight = op->kind == OPERATOR_REPLICATED || op->kind == OPERATOR_ROUTER;

	if (on_expert_mesh(op))
		return (double)mesh->size[AXIS_ETP] * (double)mesh->size[AXIS_EP] *
		       (double)mesh->size[AXIS_EDP];
	if (whole_weight && op->in[0].on[AXIS_TP].kind != PLACE_SPLIT)
		return context_and_data;
	return context_and_data * (double)mesh->size[AXIS_TP];
}

const char *laws_flops(const struct graph *folded, const struct graph *whole)
{
	for (int i = 0; i < folded->count; i++)
		for (int p = 0; p < PHASE_COUNT; p++)
			if (folded->op[i].flops[p] * ranks(&folded->mesh, &folded->op[i]) !=
			    whole->op[i].flops[p])
				return "FLOPs over all ranks are the operator's FLOPs";
	return NULL;
}
