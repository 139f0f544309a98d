/* str.h - counted strings and interned names.
 *
 * A struct str is a view: bytes it does not own, valid UTF-8, not NUL-terminated. A struct sym is a
 * name interned once; two names are equal when their ids are. Id 0 means "no name". Ids follow the
 * order of appearance, so output is never ordered by id.
 */
#ifndef PLAN_BASE_STR_H
#define PLAN_BASE_STR_H

#include "compiler/base/arena.h"

struct str {
	const char *p;
	uint32_t n;
};

struct sym {
	uint32_t id;
};

#define STR_INIT(literal) { (literal), (uint32_t)(sizeof(literal) - 1) }   /* in static tables */
#define STR(literal) ((struct str){ (literal), (uint32_t)(sizeof(literal) - 1) })

struct str str_of(const char *z);                     /* view of a NUL-terminated string */
struct str str_copy(struct arena *a, struct str s);   /* copy, NUL-terminated behind the end */
bool str_equal(struct str a, struct str b);
bool str_is(struct str a, const char *z);
bool str_starts(struct str s, const char *prefix);
bool str_ends(struct str s, const char *suffix);
int str_compare(struct str a, struct str b);          /* bytewise, total order */
struct str str_slice(struct str s, uint32_t lo, uint32_t hi);

static inline bool sym_equal(struct sym a, struct sym b) { return a.id == b.id; }

struct interner;

struct interner *interner_make(struct arena *a);
struct sym sym_of(struct interner *in, struct str s);
struct sym sym_of_z(struct interner *in, const char *z);
struct sym sym_find(const struct interner *in, struct str s);   /* id 0 when never interned */
struct str sym_str(const struct interner *in, struct sym name); /* NUL-terminated */

/* Damerau-Levenshtein distance; gives up and returns limit + 1 beyond limit. */
int str_distance(struct str a, struct str b, int limit);

#endif
