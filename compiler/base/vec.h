/* vec.h - growable arrays that live in an arena.
 *
 *	VEC(struct axis) axes = { 0 };
 *	*VEC_ADD(arena, &axes) = axis;
 *	for (uint32_t i = 0; i < axes.n; i++) use(&axes.at[i]);
 *
 * Growing moves the elements: never keep a pointer into a vec across VEC_ADD, keep the index.
 */
#ifndef PLAN_BASE_VEC_H
#define PLAN_BASE_VEC_H

#include "compiler/base/arena.h"

#define VEC(type) struct { type *at; uint32_t n, cap; }

/* A pointer to a new zeroed last element. */
#define VEC_ADD(arena, v) \
	((v)->n == (v)->cap ? (void)((v)->at = vec_grow((arena), (v)->at, &(v)->cap, sizeof *(v)->at)) \
			    : (void)0, \
	 &(v)->at[(v)->n++])

/* Doubles the capacity and copies; at least 8 elements. */
void *vec_grow(struct arena *a, void *at, uint32_t *cap, size_t size);

#endif
