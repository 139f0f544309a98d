/* zero.c - the same rules for parameters and states: what a step needs after the last gradient. */

#include "runtime/algebra/algebra.h"

/* True when the gradient is a partial sum over an axis that is really there. */
static bool partial_on(const struct mesh *mesh, const struct operator* op, enum axis axis)
{
	return mesh->size[axis] > 1 && op->weight_gradient.on[axis].kind == PLACE_PARTIAL;
}

struct parameter_traffic parameter_coercions(const struct mesh *mesh, const struct operator* op,
					     enum state_sharding sharding)
{
	struct parameter_traffic traffic = { 0 };

	if (!op->has_weight)
		return traffic;
	traffic.tensor_reduce = partial_on(mesh, op, AXIS_TP);
	if (!partial_on(mesh, op, AXIS_DP) && !partial_on(mesh, op, AXIS_CP) &&
	    !partial_on(mesh, op, AXIS_RING) && !partial_on(mesh, op, AXIS_EDP))
		return traffic;
	traffic.all_reduce = sharding == SHARD_NOTHING;
	traffic.reduce_scatter = sharding != SHARD_NOTHING;
	traffic.reduce_each_micro_batch = sharding == SHARD_GRADIENTS;
	traffic.all_gather = sharding == SHARD_OPTIMIZER || sharding == SHARD_GRADIENTS;
	traffic.gather_each_use = sharding == SHARD_PARAMETERS;
	return traffic;
}
