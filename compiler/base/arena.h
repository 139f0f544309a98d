/* arena.h - memory by lifetime.
 *
 * An arena hands out zeroed, 16-byte aligned memory and gives all of it back at once. Nothing in an
 * arena has a destructor. When memory runs out (or a test asks for a failure) the arena longjmps to
 * its escape, which a public entry point sets; without an escape it is an invariant failure.
 *
 *	struct arena a;
 *	arena_init(&a, NULL);
 *	struct node *n = ARENA_NEW(&a, struct node);
 *	arena_release(&a);
 */
#ifndef PLAN_BASE_ARENA_H
#define PLAN_BASE_ARENA_H

#include <setjmp.h>

#include "compiler/base/common.h"

struct arena_block;

struct arena {
	struct arena_block *head;    /* newest block, chain to the oldest */
	struct arena_block *spare;   /* those that a reset took away, for the next need */
	size_t used;                 /* bytes taken from the newest block */
	size_t total;                /* bytes held from the system, those of arenas under it included */
	int64_t taken;               /* blocks it ever asked the system for */
	struct arena *above;         /* the one it stands under; NULL for most */
	struct arena *under, *next;  /* the first one under it; the next one under the same */
	jmp_buf *escape;             /* taken when memory runs out; may be NULL */
	size_t limit;                /* bytes it may hold from the system; 0 = any number */
	int64_t fail_after;          /* tests: the n-th allocation from now fails; 0 = never */
	int64_t files_fail_after;    /* tests: the n-th use of the file system; see arena_file_fails */
};

/* A point to fall back to: everything allocated later is given back by arena_reset. */
struct arena_mark {
	struct arena_block *head;
	size_t used;
};

void arena_init(struct arena *a, jmp_buf *escape);
void arena_release(struct arena *a);

/* An empty arena under another one, in whose memory `a` must lie: it takes the same escape, counts
 * against the same limit, and is released with it at the latest. So an arena that is emptied often
 * is not lost when somebody takes the escape. */
void arena_init_under(struct arena *a, struct arena *above);

/* Releases an arena that was made so, with those under the same one whose structs lie in its memory. */
void arena_close(struct arena *a);

/* size bytes, zeroed. size 0 gives a valid unique pointer. */
void *arena_alloc(struct arena *a, size_t size);

/* count * size bytes, zeroed; takes the escape when the product overflows. */
void *arena_alloc_array(struct arena *a, size_t count, size_t size);

/* A copy of n bytes followed by a NUL. */
char *arena_copy(struct arena *a, const char *p, size_t n);

/* Asked before each call to the file system that works with memory of this arena: true, with errno set
 * to EIO, when a test wants that call to fail as if a disk had broken. What a function that touches
 * files has at hand in any case is an arena, so the count hangs here. */
bool arena_file_fails(struct arena *a);

struct arena_mark arena_mark(const struct arena *a);
void arena_reset(struct arena *a, struct arena_mark mark);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc_array((a), (size_t)(n), sizeof(type)))

#endif
