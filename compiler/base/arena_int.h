/* arena_int.h - what base/ itself may do with an arena: give the tail of the last allocation back,
 * and mark memory as dead so that AddressSanitizer reports a stale pointer. */
#ifndef PLAN_BASE_ARENA_INT_H
#define PLAN_BASE_ARENA_INT_H

#include "compiler/base/arena.h"

#if defined(__SANITIZE_ADDRESS__)
#define PLAN_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PLAN_ASAN 1
#endif
#endif
#ifndef PLAN_ASAN
#define PLAN_ASAN 0
#endif

/* p must be the latest allocation, of `size` bytes; only its first `kept` bytes stay taken. With
 * kept 0 the allocation never happened. Never allocates, so it cannot take the escape. */
void arena_shrink(struct arena *a, void *p, size_t size, size_t kept);

/* The n bytes at p will not be used again, although the arena keeps them. */
void arena_forget(void *p, size_t n);

#endif
