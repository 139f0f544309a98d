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

/* When a collective has its turn: 0 shrinks the tensor, 1 keeps its size, 2 lets it grow. */
static int turn_of(enum coercion_kind kind)
{
	switch (kind) {
	case COERCE_REDUCE_SCATTER:
	case COERCE_SLICE:
		return 0;
	case COERCE_ALL_REDUCE:
	case COERCE_ALL_TO_ALL:
		return 1;
	case COERCE_ALL_GATHER:
		break;
	}
	return 2;
}

int coerce_types(const struct mesh *mesh, const struct tensor_type *from,
		 const struct tensor_type *to, enum phase phase, struct coercion *list, int cap)
{
	enum axis differ[AXIS_COUNT];
	struct tensor_type at = *from; /* moves towards `to` one axis at a time */
	int differing = 0, n = 0;

	for (int axis = 0; axis < AXIS_COUNT; axis++)
		if (mesh->size[axis] > 1 && !placement_equal(at.on[axis], to->on[axis]))
			differ[differing++] = (enum axis)axis;
	for (int turn = 0; turn < 3 && differing > 0; turn++) {
		for (int i = 0; i < differing && n < cap; i++) {
			enum axis axis = differ[i];
			enum coercion_kind kind = kind_of(from->on[axis], to->on[axis]);

			if (turn_of(kind) != turn)
				continue;

			int64_t payload = tensor_local_bytes(mesh, &at);

			/* A gather's payload is what comes out: the whole tensor over this axis. */
			at.on[axis] = to->on[axis];
			if (kind == COERCE_ALL_GATHER)
				payload = tensor_local_bytes(mesh, &at);
			list[n++] = (struct coercion){
				.phase = phase, .axis = axis, .kind = kind, .payload = payload
			};
		}
	}
	return n;
}
