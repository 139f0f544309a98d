/* eval.h - evaluates IR expressions: lazily, each slot once, with messages that show values. */
#ifndef PLAN_EVAL_EVAL_H
#define PLAN_EVAL_EVAL_H

#include "runtime/value/value.h"

struct eval;

/* Computes a `native` slot of a record. false: nothing to be had (a message was left, or the mode
 * excludes the cost model); the slot is then poison. */
typedef bool native_function(struct eval *ev, struct record *r, uint32_t slot, struct value *result,
			     void *context);

/* Values seen while one condition is evaluated again for its drawing. */
struct recorder;

struct eval {
	struct arena *arena;
	const struct ir_program *program;
	struct diag_sink *sink;
	native_function *native;             /* NULL: native slots are poison */
	void *native_context;
	bool without_model;                  /* `planc check`: natives that need the cost model are poison */
	struct value *globals;               /* one per global, by states */
	unsigned char *global_states;
	struct recorder *recorder;           /* NULL unless a failed condition is drawn */
	uint32_t depth;                      /* nesting of evaluation, against runaway recursion */
};

/* Where an expression is evaluated: the record whose slots it names, the local names. */
struct scope {
	struct record *self;
	const struct frame *frame;
};

void eval_init(struct eval *ev, struct arena *arena, const struct ir_program *p, struct diag_sink *sink);

/* Poison after reporting (once). */
struct value eval_node(struct eval *ev, ir_id node, struct scope scope);
struct value eval_global(struct eval *ev, uint32_t global);

/* The value of a slot; computes and remembers it. A required slot that nobody set is E1205. */
struct value record_get(struct eval *ev, struct record *r, uint32_t slot);
struct value record_get_named(struct eval *ev, struct record *r, const char *field);
bool record_is_set(const struct eval *ev, const struct record *r, uint32_t slot);   /* by a layer */

/* Lays a layer over a base (NULL: the schema's defaults). The new record. */
struct record *record_extend(struct eval *ev, const struct record *base, uint32_t layer,
			     const struct frame *frame);
struct record *record_make(struct eval *ev, uint32_t schema);         /* defaults only */
void record_set(struct record *r, uint32_t slot, struct value v);     /* for natives */

/* Structural equality; forces the slots of records. */
bool eval_equal(struct eval *ev, struct value a, struct value b, const struct type *t);

/* ---- conditions ------------------------------------------------------------------------------ */

enum verdict { VERDICT_HOLDS, VERDICT_BROKEN, VERDICT_SKIPPED };      /* skipped: `when` false or poison */

/* One assert in a scope; does not report. */
enum verdict assert_test(struct eval *ev, const struct ir_assert *a, struct scope scope);

/* Reports a broken one: code (library rules by name, else E2301), the condition drawn with its values,
 * the `because` text, other broken names in a note. `at` is the place in the user's text (the
 * instance) when the rule belongs to the library. */
void assert_report(struct eval *ev, const struct ir_assert *a, struct scope scope, struct span at,
		   struct str instance, const struct str *also, uint32_t also_count);

/* All asserts of a record (schema and layers) and, through its slots, of the records in it. Reports the
 * first broken rule of each record and names the others in a note. true: nothing broken. */
bool record_check(struct eval *ev, struct record *r, struct span at, struct str name);

/* Every declared instance and file-level assert of the user's files: what `planc check` does. */
bool program_check(struct eval *ev);

#endif
