/* products.c - the matrix products an operator is made of. */

#include "runtime/algebra/algebra.h"

double operator_products(const struct mesh *mesh, const struct operator* op)
{
	switch (op->kind) {
	case OPERATOR_COLUMN:
	case OPERATOR_ROW:
	case OPERATOR_REPLICATED:
	case OPERATOR_ROUTER:
		return (double)tensor_local_elements(mesh, &op->weight);
	case OPERATOR_GROUPED_COLUMN:
	case OPERATOR_GROUPED_ROW:
		return (double)(tensor_local_elements(mesh, &op->weight) /
				tensor_local(mesh, &op->weight, DIM_EXPERTS));
	case OPERATOR_ATTENTION:
		return (double)tensor_local(mesh, &op->asked[0], DIM_HEADS) *
		       (double)(tensor_size(&op->asked[0], DIM_HEAD) +
				tensor_size(&op->asked[2], DIM_HEAD));
	case OPERATOR_EMBEDDING:
	case OPERATOR_NORM:
	case OPERATOR_ROPE:
	case OPERATOR_SPLIT:
	case OPERATOR_CONCAT:
	case OPERATOR_CAST:
	case OPERATOR_ACTIVATION:
	case OPERATOR_GATE:
	case OPERATOR_DISPATCH:
	case OPERATOR_COMBINE:
	case OPERATOR_ADD:
	case OPERATOR_LOSS:
	case OPERATOR_KIND_COUNT:
		break;
	}
	return 0;
}
