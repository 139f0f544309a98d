/* coerce.c - the difference between two placements of one tensor is a list of collectives. */

#include "runtime/algebra/algebra.h"

const char *coercion_name(enum coercion_kind kind)
{
	static const char *const names[] = {
		[COERCE_ALL_GATHER] = "all-gather",
		[COERCE_ALL_REDUCE] = "all-reduce",
		[COERCE_REDUCE_SCATTER] = "reduce-scatter",
		[COERCE_ALL_TO_ALL] = "all-to-all",
		[COERCE_SLICE] = "slice",
	};

	return names[kind];
}

static enum coercion_kind kind_of(struct placement from, struct placement to)
{
	if (from.kind == PLACE_PARTIAL)
		return to.kind == PLACE_SPLIT ? COERCE_REDUCE_SCATTER : COERCE_ALL_REDUCE;
	if (from.kind == PLACE_SPLIT)
		return to.kind == PLACE_SPLIT ? COERCE_ALL_TO_ALL : COERCE_ALL_GATHER;
	return COERCE_SLICE;
}

int coerce_types(const struct mesh *mesh, const struct tensor_type *from,
		 const struct tensor_type *to, enum phase phase, struct coercion *list, int cap)
{
	struct tensor_type at = *from; /* moves towards `to` one axis at a time */
	int n = 0;

	for (int axis = 0; axis < AXIS_COUNT && n < cap; axis++) {
		if (mesh->size[axis] == 1 || placement_equal(at.on[axis], to->on[axis]))
			continue;

		enum coercion_kind kind = kind_of(at.on[axis], to->on[axis]);
		int64_t payload = tensor_local_bytes(mesh, &at);

		/* A gather's payload is what comes out: the whole tensor over this axis. */
		at.on[axis] = to->on[axis];
		if (kind == COERCE_ALL_GATHER)
			payload = tensor_local_bytes(mesh, &at);
		list[n++] = (struct coercion){ phase, (enum axis)axis, kind, payload };
	}
	return n;
}
