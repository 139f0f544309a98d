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
};

static inline int64_t local_elements(const struct pricing *p, const struct tensor_type *type)
{
	return tensor_local_elements(&p->cost->graph->mesh, type);
}

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

/* Sets the seconds of a phase from its FLOPs and bytes; shape NULL when the kernel has no table. */
void price_phase(const struct pricing *p, enum phase phase, enum kernel kernel,
		 const struct engine_shape *shape);

/* attention.c: the attention kernel and its memory. */
void price_attention(const struct pricing *p);

/* dense.c: everything else of a dense decoder; an operator without a rule is left at zero. */
void price_dense(const struct pricing *p);

#endif
