/* type.h - types and dimensions.
 *
 * Types are interned: two types are the same when their pointers are. A number type carries its
 * dimension and an upper bound of how exact its values are; quantities (dimension != 1) may always
 * hold measured (binary64) values, so `exactness` is only kept for plain numbers.
 */
#ifndef PLAN_TYPES_TYPE_H
#define PLAN_TYPES_TYPE_H

#include "compiler/base/out.h"
#include "compiler/base/vec.h"

/* A physical dimension (the dimensions of tensors are the algebra's `enum dim`): exponents of the
 * base units byte, second, FLOP, US dollar, joule. */
struct dimension {
	int8_t info, time, work, money, energy;
};

enum exactness { EXACT_INT, EXACT_RATIONAL, EXACT_REAL };

enum type_kind {
	TYPE_POISON,                 /* already reported; fits everything, causes no message */
	TYPE_ANY,                    /* parameters of built-in functions that print or store a value */
	TYPE_NONE,                   /* the type of `none` */
	TYPE_BOOL,
	TYPE_STRING,
	TYPE_NUMBER,
	TYPE_ENUM,
	TYPE_RECORD,
	TYPE_LIST,
	TYPE_TABLE,
	TYPE_MAP,
	TYPE_TUPLE,
	TYPE_OPTION,
	TYPE_LAYOUT,                 /* pipeline layout */
	TYPE_ARG                     /* one line of an artefact: flag() and key() */
};

struct type {
	enum type_kind kind;
	struct dimension dim;              /* TYPE_NUMBER */
	enum exactness exactness;    /* TYPE_NUMBER of dimension 1 */
	bool percent;                /* TYPE_NUMBER: `ratio`, printed as a percentage */
	uint32_t index;              /* TYPE_ENUM, TYPE_RECORD: number of the enum or schema */
	const struct type *of;       /* element of list, table, option; of a map the tuple (key, value) */
	const struct type *const *items;   /* TYPE_TUPLE */
	uint32_t count;
};

struct type_table;

struct type_table *type_table_make(struct arena *a);

/* Interns a type given by value. */
const struct type *type_of(struct type_table *t, struct type wanted);

/* The common ones; percent is false. */
const struct type *type_simple(struct type_table *t, enum type_kind kind);
const struct type *type_number(struct type_table *t, struct dimension d, enum exactness e);
const struct type *type_ratio(struct type_table *t);
const struct type *type_list(struct type_table *t, const struct type *of);
const struct type *type_option(struct type_table *t, const struct type *of);   /* T?? is T? */

static inline bool dim_equal(struct dimension a, struct dimension b)
{
	return a.info == b.info && a.time == b.time && a.work == b.work && a.money == b.money &&
	       a.energy == b.energy;
}

static inline bool dim_is_one(struct dimension d) { return dim_equal(d, (struct dimension){ 0, 0, 0, 0, 0 }); }

struct dimension dim_multiply(struct dimension a, struct dimension b);
struct dimension dim_divide(struct dimension a, struct dimension b);

/* "bytes", "bytes/s", "1/s", "flop": as the language writes it. "1" for dimension one. */
void dim_print(struct out *o, struct dimension d);

/* ---- units (units.def) ----------------------------------------------------------------------- */

struct num;

struct unit_info {
	const char *name;
	struct dimension dim;
	int64_t num, den;            /* base units in one of this unit, exact */
};

/* All simple units, in the order of units.def. */
const struct unit_info *units_all(uint32_t *count);

/* Looks up "GiB", "GB/s", "%"; false when unknown. factor is exact. */
bool unit_find(struct arena *a, struct str text, struct dimension *dim, struct num *factor, bool *percent);

/* "write kB (1000 B) or KiB (1024 B)" for a near miss; NULL when there is nothing to say. *repair is
 * the right spelling where only one is possible, else empty. */
const char *unit_hint(struct arena *a, struct str text, struct str *repair);

#endif
