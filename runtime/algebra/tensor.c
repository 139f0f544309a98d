/* tensor.c - sharded tensor types: what one GPU holds, and whether every split divides. */

#include "runtime/algebra/algebra.h"

const char *axis_name(enum axis axis)
{
	static const char *const names[AXIS_COUNT] = { "tp",  "cp", "ring", "dp",
						       "etp", "ep", "edp",  "pp" };

	return names[axis];
}

const char *dim_name(enum dim dim)
{
	static const char *const names[DIM_COUNT] = {
		"batch", "sequence", "hidden",  "heads",  "kv_heads", "head",
		"ffn",   "vocab",    "experts", "tokens", "layers",   "rank",
	};

	return names[dim];
}

struct tensor_type tensor_make(int64_t bits, int dims, const struct tensor_dim *dim)
{
	struct tensor_type type = { .dims = dims, .bits = bits };

	for (int i = 0; i < dims; i++)
		type.dim[i] = dim[i];
	return type;
}

void tensor_split(struct tensor_type *type, enum axis axis, enum dim dim)
{
	type->on[axis] = (struct placement){ PLACE_SPLIT, (uint8_t)dim };
}

bool placement_equal(struct placement a, struct placement b)
{
	return a.kind == b.kind && (a.kind != PLACE_SPLIT || a.dim == b.dim);
}

/*
 * Routed tokens are split by where they come from, or by the expert they go to: either way evenly.
 */
static bool placement_cuts(const struct placement *p, enum dim dim)
{
	return p->kind == PLACE_SPLIT &&
	       (p->dim == dim || (p->dim == DIM_EXPERTS && dim == DIM_TOKENS));
}

int64_t tensor_cuts(const struct mesh *mesh, const struct tensor_type *type, enum dim dim)
{
	int64_t cuts = 1;

	for (int axis = 0; axis < AXIS_COUNT; axis++)
		if (placement_cuts(&type->on[axis], dim) &&
		    __builtin_mul_overflow(cuts, mesh->size[axis], &cuts))
			return INT64_MAX;
	return cuts;
}

int64_t tensor_size(const struct tensor_type *type, enum dim dim)
{
	for (int i = 0; i < type->dims; i++)
		if (type->dim[i].name == dim)
			return type->dim[i].size;
	return 1;
}

int64_t tensor_local(const struct mesh *mesh, const struct tensor_type *type, enum dim dim)
{
	return tensor_size(type, dim) / tensor_cuts(mesh, type, dim);
}

int64_t tensor_local_elements(const struct mesh *mesh, const struct tensor_type *type)
{
	int64_t n = 1;

	for (int i = 0; i < type->dims; i++)
		if (__builtin_mul_overflow(n, tensor_local(mesh, type, type->dim[i].name), &n))
			return INT64_MAX;
	return n;
}

int64_t tensor_local_bytes(const struct mesh *mesh, const struct tensor_type *type)
{
	int64_t bits;

	if (__builtin_mul_overflow(tensor_local_elements(mesh, type), type->bits, &bits))
		return INT64_MAX;
	return bits / 8;
}

static void name_axes(const struct mesh *mesh, const struct tensor_type *type,
		      const struct tensor_dim *dim, struct algebra_error *error)
{
	*error = (struct algebra_error){ .dim = dim->name, .size = dim->size };
	for (int axis = 0; axis < AXIS_COUNT; axis++) {
		const struct placement *p = &type->on[axis];

		if (!placement_cuts(p, dim->name) || mesh->size[axis] == 1)
			continue;
		error->axis[error->axes] = (enum axis)axis;
		error->axis_size[error->axes++] = mesh->size[axis];
	}
	error->degree = tensor_cuts(mesh, type, dim->name);
}

bool tensor_check(const struct mesh *mesh, const struct tensor_type *type,
		  struct algebra_error *error)
{
	for (int i = 0; i < type->dims; i++) {
		if (type->dim[i].size % tensor_cuts(mesh, type, type->dim[i].name) == 0)
			continue;
		name_axes(mesh, type, &type->dim[i], error);
		return false;
	}
	return true;
}

struct tensor_type tensor_gradient(const struct tensor_type *type)
{
	struct tensor_type gradient = *type;

	for (int axis = 0; axis < AXIS_COUNT; axis++)
		if (gradient.on[axis].kind == PLACE_PARTIAL)
			gradient.on[axis].kind = PLACE_REPLICATED;
	return gradient;
}
