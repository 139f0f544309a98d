/* value.h - values of the language at run time.
 *
 * Small, passed by value; what they point to lives in the arena of the evaluation. The static type
 * (compiler/types) says the dimension of a number; the value itself only knows whether it is exact.
 */
#ifndef PLAN_VALUE_VALUE_H
#define PLAN_VALUE_VALUE_H

#include "compiler/ir/ir.h"

enum value_kind {
	VALUE_POISON,                /* already reported, or not to be had in this mode; spreads silently */
	VALUE_NONE,
	VALUE_BOOL,
	VALUE_NUMBER,                /* exact, in base units */
	VALUE_REAL,                  /* binary64, in base units; always finite */
	VALUE_STRING,
	VALUE_ENUM,
	VALUE_RECORD,
	VALUE_LIST,                  /* lists and tuples */
	VALUE_TABLE,
	VALUE_LAYOUT,
	VALUE_ARG
};

struct record;
struct layout;
struct arg;
struct list;

struct value {
	enum value_kind kind;
	union {
		bool truth;
		struct num number;
		double real;
		struct str text;
		uint32_t ordinal;
		struct record *record;
		const struct list *list;
		const struct ir_table *table;
		const struct layout *layout;
		const struct arg *arg;
	};
};

struct list {
	struct value *at;
	uint32_t n;
};

/* One name bound by a function call or a comprehension; chains outwards. */
struct frame {
	struct value value;
	const struct frame *up;
};

/* A layer with the names it may see. Newest first; shared between records. */
struct link_layer {
	uint32_t layer;
	const struct frame *frame;
	const struct link_layer *older;
};

enum slot_state { SLOT_EMPTY, SLOT_BUSY, SLOT_DONE };

/* A record: a schema and its layers; slots are computed when first asked for. */
struct record {
	uint32_t schema;
	const struct link_layer *layers;     /* NULL: only defaults */
	const struct record *row;            /* under all layers: the row of a table, its cells set; or NULL */
	struct value *slots;                 /* field_count of the schema */
	unsigned char *states;               /* enum slot_state */
	uint32_t global;                     /* instance it was declared as, or IR_NONE */
	void *native;                        /* what bind keeps for the native slots; NULL at first */
	struct arena *home;                  /* where its slots are computed: they live as long as it */
};

/* A pipeline layout in its normal form (prelude.md 7.5). */
enum layout_kind { LAYOUT_EVEN, LAYOUT_BALANCED, LAYOUT_ENDS, LAYOUT_COUNTS, LAYOUT_LISTED };

struct layout_stage {
	bool embedding, loss;
	int64_t layers, mtp;
};

struct layout {
	enum layout_kind kind;
	int64_t embedding, loss;             /* weights in layers; 0 unless EVEN or BALANCED */
	bool has_first, has_last;
	int64_t first, last;                 /* ENDS */
	const int64_t *counts;               /* COUNTS */
	uint32_t count;
	const struct layout_stage *listed;   /* LISTED: virtual stages, chunk 0 of every rank first */
	uint32_t stage_count;
	bool well_formed, mtp_well_placed;
	struct str text;                     /* normal form, as Megatron writes it where it can */
};

/* One line of an artefact. */
struct arg {
	struct str name;
	struct value value;                  /* VALUE_NONE for a bare flag */
	const struct type *type;
	bool on;                             /* `when` held */
};

static inline struct value value_poison(void) { return (struct value){ .kind = VALUE_POISON }; }
static inline struct value value_none(void) { return (struct value){ .kind = VALUE_NONE }; }
static inline struct value value_bool(bool b) { return (struct value){ .kind = VALUE_BOOL, .truth = b }; }
static inline struct value value_number(struct num n) { return (struct value){ .kind = VALUE_NUMBER, .number = n }; }
static inline struct value value_int(int64_t n) { return value_number(num_int(n)); }
static inline struct value value_real(double x) { return (struct value){ .kind = VALUE_REAL, .real = x }; }
static inline struct value value_string(struct str s) { return (struct value){ .kind = VALUE_STRING, .text = s }; }
static inline struct value value_enum(uint32_t ordinal) { return (struct value){ .kind = VALUE_ENUM, .ordinal = ordinal }; }

struct value value_of_constant(const struct ir_constant *c);

double value_to_double(struct value v);      /* number or real */

/* Exact for exact pairs, else by binary64; -1, 0, 1. Both must be numbers. */
int value_compare_numbers(struct value a, struct value b);

/* arith.c: IR_ADD to IR_POW on two numbers, exact for exact pairs, else by binary64. Big results lie in the
 * arena. A power with a fraction as its exponent is a real. */
enum arith_status { ARITH_OK, ARITH_DIVIDE_BY_ZERO, ARITH_TOO_LARGE, ARITH_NOT_REAL };

enum arith_status value_arith(struct arena *a, enum ir_op op, struct value x, struct value y,
			      struct value *result);

/* Structural equality of two values of one type; records slot by slot are eval's job. */
bool value_equal(struct value a, struct value b);

/* ---- printing -------------------------------------------------------------------------------- */

/* As a person reads it: "75.9 GiB", "312 TFLOPS", "12.5 %", "3 13/16", "1.28 ms", "selective". */
void value_print(struct out *o, const struct ir_program *p, struct value v, const struct type *t);

/* With a format of the language: "GiB.1", "%.0", "ms.2", ".3". false: the format does not fit. */
bool value_print_format(struct out *o, const struct ir_program *p, struct value v, const struct type *t,
			struct str format);

/* As language source that reads back to the same value ("80 GiB", "61/16", "true"). */
void value_print_source(struct out *o, const struct ir_program *p, struct value v, const struct type *t);

/* "B", "s", "FLOP/s", "": base unit of a number type, for machine output. */
struct str type_base_unit(struct arena *a, const struct type *t);

/* "80 GiB", "1.6 us": a quantity of a dimension in its display unit, for reports. */
void quantity_print(struct out *o, double value, struct dimension d);

/* The unit that a person reads values of this size in (in base units, whatever their sign), "GiB", "/s"; the base unit
 * where the dimension has no others. */
struct shown_unit {
	struct str name;
	double size;         /* base units in one */
};

struct shown_unit quantity_unit(struct arena *a, struct dimension d, double size);

#endif
