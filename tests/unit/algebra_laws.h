/* algebra_laws.h - what holds for every operator of every typed graph. */
#ifndef PLAN_UNIT_ALGEBRA_LAWS_H
#define PLAN_UNIT_ALGEBRA_LAWS_H

#include "runtime/algebra/algebra.h"

/* The law an operator breaks, NULL when it keeps them all. */
const char *laws_operator(const struct mesh *mesh, const struct operator* op);

/*
 * FLOPs over all ranks that do different work are the FLOPs of one GPU that does everything: on the
 * dense mesh tp * cp * dp, on the expert mesh etp * ep * edp.
 */
const char *laws_flops(const struct graph *folded, const struct graph *whole);

#endif
