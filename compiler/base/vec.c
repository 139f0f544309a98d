/* vec.c - growth of the arrays that VEC declares. */
#include "compiler/base/vec.h"

#include "compiler/base/arena_int.h"

enum { VEC_CAP_MIN = 8 };

void *vec_grow(struct arena *a, void *at, uint32_t *cap, size_t size)
{
	size_t count = *cap ? (size_t)*cap * 2 : VEC_CAP_MIN;
	void *grown;

	/* arena_alloc_array answers SIZE_MAX elements with the escape */
	if (count > UINT32_MAX)
		count = SIZE_MAX;
	grown = arena_alloc_array(a, count, size);
	if (*cap) {
		memcpy(grown, at, *cap * size);
		arena_forget(at, *cap * size);
	}
	*cap = (uint32_t)count;
	return grown;
}
