#ifndef PLAN_OPERATORS_PRICING_H
#define PLAN_OPERATORS_PRICING_H

/*
 * Pricing one operator of the typed graph; shared by the files that price them. Private to the
 * engine.
 */

#include "runtime/engine/cost.h"

/* One operator being priced. */
struct pricing {
	struct cost *cost;
	const struct operator* op;
	struct engine_operator *to;
	const struct engine_attention *attention; /* of its layer */
};

/*
 * Elements of a tensor on one GPU. Routed tokens gathered over etp count as many as are computed,
 * which under some profiles is not what the gather delivers.
 */
int64_t local_elements(const struct pricing *p, const struct tensor_type *type);

static inline int64_t local_size(const struct pricing *p, const struct tensor_type *type,
				 enum dim dim)
{
	return tensor_local(&p->cost->graph->mesh, type, dim);
}

/* Batch times sequence on one GPU. */
static inline int64_t local_tokens(const struct pricing *p, const struct tensor_type *type)
{
	return local_size(p, type, DIM_BATCH) * local_size(p, type, DIM_SEQUENCE);
}

/* Tokens of one GPU between tensor-parallel regions times experts: one number per routing choice. */
int64_t routing_choices(const struct cost *cost);

/* Sets the seconds of a phase from its FLOPs and bytes; shape NULL when the kernel has no table. */
void price_phase(const struct pricing *p, enum phase phase, enum kernel kernel,
		 const struct engine_shape *shape);

/* The same for all three phases of an operator without FLOPs. */
void price_traffic(const struct pricing *p, enum kernel kernel);

/*
 * Bytes a weight gradient moves besides its operands: with fused accumulation the running sum, else
 * (corrected only) a gradient written out and added by a second kernel.
 */
int64_t accumulation_bytes(const struct cost *cost, int64_t weight);

/* coercions.c: the collectives of an operator, by phase and traffic. */
void price_coercions(const struct pricing *p);

/* attention.c: the attention kernel and its memory. */
void price_attention(const struct pricing *p);

/* linear.c: linears of the dense mesh and the router. */
void price_linear(const struct pricing *p);

/* linear.c: an operand brought into the format of quantised linears. */
void price_cast(const struct pricing *p);

/* expert.c: tokens to their experts, the linears there, and the way back. */
void price_dispatch(const struct pricing *p);
void price_grouped(const struct pricing *p);
void price_combine(const struct pricing *p);

/* pointwise.c: embedding, norms, activations, loss and glue. */
void price_pointwise(const struct pricing *p);

#endif
