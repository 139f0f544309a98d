/* arena.c - blocks of memory that are given back together. */
#define _DEFAULT_SOURCE /* madvise */
#define PLAN_BASE_MALLOC
#include "compiler/base/arena_int.h"

#include <errno.h>
#include <sys/mman.h>

#if PLAN_ASAN
#include <sanitizer/asan_interface.h>
#endif

enum {
	ARENA_ALIGN = 16,
	ARENA_BLOCK_MIN = 64 * 1024,
	/* A page that the hardware maps as one: see new_block. */
	ARENA_HUGE = 2 * 1024 * 1024,
	ARENA_BLOCK_MAX = 2 * ARENA_HUGE,
	/* bytes of blocks that are kept for the next need; one is kept whatever its size */
	ARENA_SPARE = 16 * 1024 * 1024,
	/* dead bytes behind every object, so that a run past its end is seen */
	ARENA_RED_ZONE = PLAN_ASAN ? 16 : 0
};

struct arena_block {
	_Alignas(ARENA_ALIGN) struct arena_block *older;
	size_t size;                 /* usable bytes behind this header */
};

static void mark_dead(void *p, size_t n)
{
#if PLAN_ASAN
	__asan_poison_memory_region(p, n);
#else
	(void)p;
	(void)n;
#endif
}

static void mark_live(void *p, size_t n)
{
#if PLAN_ASAN
	__asan_unpoison_memory_region(p, n);
#else
	(void)p;
	(void)n;
#endif
}

static char *block_bytes(struct arena_block *b)
{
	return (char *)(b + 1);
}

PLAN_NORETURN static void out_of_memory(struct arena *a)
{
	if (a->escape)
		longjmp(*a->escape, 1);
	invariant_failed(__FILE__, __LINE__, "out of memory");
}

static size_t rounded_up(size_t size)
{
	return (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
}

/* Bytes that an object of `size` takes from a block. */
static size_t footprint(size_t size)
{
	return rounded_up(size ? size : 1) + ARENA_RED_ZONE;
}

/*
 * Memory for a block of `size` bytes, header included. Large blocks are made of huge pages where the
 * system has them: a compilation touches some megabytes once, and a fault for each of a thousand small
 * pages takes longer than parsing the standard library. Without them it is plain memory.
 */
static struct arena_block *new_block(size_t size)
{
	struct arena_block *b;

	if (PLAN_ASAN || size < ARENA_HUGE)
		return malloc(size);
	b = aligned_alloc(ARENA_HUGE, size);
#ifdef MADV_HUGEPAGE
	if (b)
		(void)madvise(b, size, MADV_HUGEPAGE);
#endif
	return b;
}

/* Bytes of the next block, header included: one small block for those who need little, then large ones. */
static size_t next_size(const struct arena *a, size_t need)
{
	size_t size = ARENA_BLOCK_MIN;

	if (need > SIZE_MAX - sizeof(struct arena_block) - ARENA_HUGE)
		return 0;
	need += sizeof(struct arena_block);
	if (a->head)
		size = a->head->size < ARENA_HUGE / 2 ? ARENA_HUGE : ARENA_BLOCK_MAX;
	if (size < need)
		size = need;
	if (size >= ARENA_HUGE)
		size = (size + ARENA_HUGE - 1) / ARENA_HUGE * ARENA_HUGE;
	return size;
}

static struct arena *top_of(struct arena *a)
{
	return a->above ? a->above : a;
}

static void give_back(struct arena *a, struct arena_block *b)
{
	if (!b)
		return;
	a->total -= sizeof *b + b->size;
	if (a->above)
		a->above->total -= sizeof *b + b->size;
	mark_live(block_bytes(b), b->size);
	free(b);
}

/* Where the largest spare block hangs, or the smallest; of an arena that has any. */
static struct arena_block **pick_spare(struct arena *a, bool largest)
{
	struct arena_block **best = &a->spare;

	for (struct arena_block **at = &a->spare; *at; at = &(*at)->older)
		if (largest ? (*at)->size > (*best)->size : (*at)->size < (*best)->size)
			best = at;
	return best;
}

static struct arena_block *take_spare(struct arena *a, bool largest)
{
	struct arena_block **at = pick_spare(a, largest), *b = *at;

	*at = b->older;
	return b;
}

static void give_back_spares(struct arena *a)
{
	while (a->spare)
		give_back(a, take_spare(a, false));
}

static bool exceeds(const struct arena *top, size_t size)
{
	return top->limit && (top->total > top->limit || size > top->limit - top->total);
}

/* The largest spare block when it is large enough, else a new one. */
static struct arena_block *find_block(struct arena *a, size_t need)
{
	struct arena_block *b;
	struct arena *top = top_of(a);
	size_t size;

	if (a->spare && (*pick_spare(a, true))->size >= need)
		return take_spare(a, true);
	size = next_size(a, need);
	if (exceeds(top, size))
		give_back_spares(a);
	if (size == 0 || exceeds(top, size))
		return NULL;
	b = new_block(size);
	if (!b)
		return NULL;
	b->size = size - sizeof *b;
	a->taken++;
	a->total += size;
	if (top != a)
		top->total += size;
	if (PLAN_ASAN)
		memset(block_bytes(b), 0xdb, b->size);
	return b;
}

/* Makes a new head with room for at least `need` bytes. */
static void add_block(struct arena *a, size_t need)
{
	struct arena_block *b = find_block(a, need);

	if (!b)
		out_of_memory(a);
	mark_dead(block_bytes(b), b->size);
	b->older = a->head;
	a->head = b;
	a->used = 0;
}

/* Takes the head away, and keeps it as a spare: scratch that is marked and reset again and again does not go
 * to the system each time. Of more than is kept the smallest go. */
static void drop_head(struct arena *a)
{
	struct arena_block *b = a->head;
	size_t kept = 0;

	a->head = b->older;
	mark_dead(block_bytes(b), b->size);
	b->older = a->spare;
	a->spare = b;
	for (; b; b = b->older)
		kept += b->size;
	while (kept > ARENA_SPARE && a->spare->older) {
		b = take_spare(a, false);
		kept -= b->size;
		give_back(a, b);
	}
}

/* An empty arena; the first block comes with the first allocation. */
void arena_init(struct arena *a, jmp_buf *escape)
{
	*a = (struct arena){ .escape = escape };
}

void arena_init_under(struct arena *a, struct arena *above)
{
	struct arena *top = top_of(above);

	*a = (struct arena){ .escape = top->escape, .above = top, .next = top->under };
	top->under = a;
}

/* Gives everything back to the system. The arena is empty afterwards and may be used again. */
void arena_release(struct arena *a)
{
	/* Their structs lie in blocks of this one. */
	for (struct arena *under = a->under; under; under = under->next)
		arena_release(under);
	a->under = NULL;
	while (a->head)
		drop_head(a);
	give_back_spares(a);
	a->used = 0;
}

static bool lies_in(const struct arena *a, const struct arena *other)
{
	uintptr_t p = (uintptr_t)other;

	for (struct arena_block *b = a->head; b; b = b->older)
		if (p >= (uintptr_t)block_bytes(b) && p < (uintptr_t)block_bytes(b) + b->size)
			return true;
	return false;
}

/* All arenas under a top one hang on it, also those whose structs lie in others of them. */
void arena_close(struct arena *a)
{
	struct arena **link = &a->above->under;

	while (*link) {
		struct arena *under = *link;

		if (under != a && !lies_in(a, under)) {
			link = &under->next;
			continue;
		}
		*link = under->next;
		if (under == a)
			continue;
		arena_close(under);
		link = &a->above->under;
	}
	arena_release(a);
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena *top = top_of(a);
	size_t need;
	void *p;

	if (top->fail_after > 0 && --top->fail_after == 0)
		out_of_memory(a);
	if (size > SIZE_MAX / 2)
		out_of_memory(a);
	need = footprint(size);
	if (!a->head || a->head->size - a->used < need)
		add_block(a, need);
	p = block_bytes(a->head) + a->used;
	a->used += need;
	mark_live(p, size);
	memset(p, 0, size);
	return p;
}

void *arena_alloc_array(struct arena *a, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		out_of_memory(a);
	return arena_alloc(a, bytes);
}

char *arena_copy(struct arena *a, const char *p, size_t n)
{
	char *copy;

	if (n == SIZE_MAX)
		out_of_memory(a);
	copy = arena_alloc(a, n + 1);
	if (n)
		memcpy(copy, p, n);
	return copy;
}

bool arena_file_fails(struct arena *a)
{
	struct arena *top = top_of(a);

	if (top->files_fail_after == 0 || --top->files_fail_after > 0)
		return false;
	errno = EIO;
	return true;
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){ a->head, a->used };
}

/* Marks are nested: a reset makes every later mark worthless. */
void arena_reset(struct arena *a, struct arena_mark mark)
{
	/* An arena that is emptied for every candidate keeps its newest, largest block, so that the
	 * steady state does without the system's allocator. */
	if (!mark.head && a->head) {
		struct arena_block *kept = a->head;

		a->head = kept->older;
		while (a->head)
			drop_head(a);
		a->head = kept;
		kept->older = NULL;
		mark.used = 0;
	} else {
		while (a->head != mark.head)
			drop_head(a);
	}
	a->used = mark.used;
	if (a->head)
		mark_dead(block_bytes(a->head) + a->used, a->head->size - a->used);
}

void arena_shrink(struct arena *a, void *p, size_t size, size_t kept)
{
	size_t start = (size_t)((char *)p - block_bytes(a->head));

	invariant(start + footprint(size) == a->used && kept <= size,
		  "only the latest allocation can shrink");
	a->used = start + (kept ? footprint(kept) : 0);
	mark_dead((char *)p + kept, size - kept);
}

void arena_forget(void *p, size_t n)
{
	if (n)
		mark_dead(p, n);
}
