/* eval_int.h - what the files of this folder share; nobody else includes it. */
#ifndef PLAN_EVAL_EVAL_INT_H
#define PLAN_EVAL_EVAL_INT_H

#include "runtime/eval/eval.h"

static inline const struct ir_node *node_at(const struct eval *ev, ir_id id)
{
	return &ev->program->nodes.at[id];
}

/* The i-th node of a list operand. */
static inline ir_id list_item(const struct eval *ev, uint32_t first, uint32_t i)
{
	return ev->program->lists.at[first + i];
}

static inline bool value_is_number(struct value v)
{
	return v.kind == VALUE_NUMBER || v.kind == VALUE_REAL;
}

/* ---- fail.c: messages of the evaluator ------------------------------------------------------- */

/* A message about the text at a span. When that is library text, the message goes to the place in the
 * user's text that led there, and a note names the library line. */
struct diag *fail_at(struct eval *ev, enum diag_code code, struct span at);

/* fail_at for a node, with its values drawn when it is library text or `always`. */
struct diag *fail_node(struct eval *ev, enum diag_code code, ir_id node, struct scope scope,
		       bool always);

/* The value is there and no option: false after poison (silently) and after none (E1107). */
bool fail_unless_present(struct eval *ev, struct value v, ir_id node);

void fail_cycle(struct eval *ev, struct record *r, uint32_t what, struct span at);
void fail_missing(struct eval *ev, struct record *r, uint32_t slot);
void fail_depth(struct eval *ev, ir_id node);
void fail_steps(struct eval *ev, ir_id node);

/* The source text of a node on one line, cut when long. */
struct str node_text(struct eval *ev, ir_id node);
struct str span_text(struct eval *ev, struct span at);

/* "llama.plan:12", "std:prelude.plan" */
struct str span_place(struct eval *ev, struct span at);
bool span_is_library(const struct eval *ev, struct span at);
bool span_is_known(const struct eval *ev, struct span at);

/* "pretrain.dp", "strategy.tp": a slot by the name of its record, else of its schema. */
struct str slot_path(struct eval *ev, const struct record *r, uint32_t slot);

/* The name a record was declared under, else of its schema. */
struct str record_title(const struct eval *ev, const struct record *r);

/* Name of the declared record; empty for a nameless one. */
struct str record_name(const struct eval *ev, const struct record *r);

/* Where the user wrote this record: the name of the instance or the newest braces. SPAN_NONE for one
 * that is all library. */
struct span record_place(const struct eval *ev, const struct record *r);

/* A value of a type as a display would print it, cut when long. */
struct str value_text(struct eval *ev, struct value v, const struct type *t);

/* ---- draw.c ---------------------------------------------------------------------------------- */

/* Adds the drawing of an expression and of the values in it. */
void draw_node(struct eval *ev, struct diag *d, ir_id node, struct scope scope);

/* A condition of an assert: like draw_node, and its own result is drawn as well. */
void draw_condition(struct eval *ev, struct diag *d, ir_id node, struct span at,
		    struct scope scope);

/* ---- record.c -------------------------------------------------------------------------------- */

/* record_get on behalf of an expression at a span. */
struct value record_get_at(struct eval *ev, struct record *r, uint32_t slot, struct span at);
struct value eval_global_at(struct eval *ev, uint32_t global, struct span at);

/* A record or layer expression. */
struct value eval_layer(struct eval *ev, ir_id id, struct scope scope);

/* Nobody set the slot, and its schema has nothing to put there. */
bool slot_is_required(const struct eval *ev, const struct record *r, uint32_t slot);

/* Row of a table as a record. */
/* A row with a value for every slot that is neither native nor final; the others are not read. */
struct record *record_of_cells(struct eval *ev, uint32_t schema, const struct value *cells);
struct record *record_of_row(struct eval *ev, const struct ir_table *t, uint32_t row);

/* ---- operations ------------------------------------------------------------------------------ */

struct value eval_arith(struct eval *ev, ir_id id, struct scope scope); /* arith.c */
struct value eval_negate(struct eval *ev, ir_id id, struct scope scope);
struct value eval_to_int(struct eval *ev, ir_id id, struct scope scope);
struct value eval_to_enum(struct eval *ev, ir_id id, struct scope scope);
struct value eval_compare(struct eval *ev, ir_id id, struct scope scope); /* compare.c */
struct value eval_within(struct eval *ev, ir_id id, struct scope scope);
struct value eval_in(struct eval *ev, ir_id id, struct scope scope);
struct value eval_logic(struct eval *ev, ir_id id, struct scope scope); /* logic.c */
struct value eval_if(struct eval *ev, ir_id id, struct scope scope);
struct value eval_match(struct eval *ev, ir_id id, struct scope scope);
struct value eval_coalesce(struct eval *ev, ir_id id, struct scope scope);
struct value eval_list(struct eval *ev, ir_id id, struct scope scope); /* list.c */
struct value eval_comprehend(struct eval *ev, ir_id id, struct scope scope);
struct value eval_index(struct eval *ev, ir_id id, struct scope scope);
struct value eval_to_map(struct eval *ev, ir_id id, struct scope scope); /* pairs.c */
struct value eval_range(struct eval *ev, ir_id id, struct scope scope);
struct value eval_template(struct eval *ev, ir_id id, struct scope scope); /* text.c */

/* One arithmetic operation on two numbers that are there; id names the operation and its place. */
struct value arith_apply(struct eval *ev, ir_id id, struct value a, struct value b,
			 struct scope scope);

/* A list value of n elements at `at`. */
struct value list_value(struct eval *ev, struct value *at, uint32_t n);

/* Elements of a list or rows of a table. */
uint32_t sequence_count(struct value v);
struct value sequence_get(struct eval *ev, struct value v, uint32_t i);

/* Whether a node yields a map: a list of pairs whose keys differ. */
bool is_map(const struct eval *ev, ir_id node);

/* Number of the pair with that key, or of pairs when there is none. `type`: of the key. */
uint32_t pairs_find(struct eval *ev, struct value map, struct value key, const struct type *type);

/* The value of a key for the INDEX node `id`; a key that is not there is E2002. */
struct value pairs_get(struct eval *ev, ir_id id, struct value map, struct value key, struct scope scope);

/* A frame for one local name. */
const struct frame *frame_push(struct eval *ev, struct value v, const struct frame *up);

/* ---- built-in functions ---------------------------------------------------------------------- */

/* A call of a built-in function with its arguments evaluated. */
struct call {
	struct eval *ev;
	ir_id id; /* of the call */
	const struct ir_node *node;
	struct scope scope;
	uint32_t n;
	const struct value *args;
};

struct value eval_builtin(struct eval *ev, ir_id id, struct scope scope);

/* Node of an argument. */
ir_id call_node(const struct call *c, uint32_t i);

/* Index of a named argument, else of the position-th nameless one; IR_NONE when absent. */
uint32_t call_find(const struct call *c, const char *name, uint32_t position);

/* An int argument within bounds; E2005 and false otherwise. */
bool call_int(const struct call *c, uint32_t i, int64_t least, int64_t most, int64_t *result);

/* E2005 at an argument. */
struct diag *call_fail(const struct call *c, uint32_t i);

typedef struct value builtin_function(const struct call *c);

builtin_function builtin_min, builtin_max, builtin_sum, builtin_ceil, builtin_floor, builtin_round,
	builtin_abs, builtin_sqrt, builtin_log2, builtin_exp; /* number */
builtin_function builtin_len, builtin_all, builtin_any, builtin_unique, builtin_divisors,
	builtin_powers, builtin_values; /* list */
builtin_function builtin_lookup;
builtin_function builtin_at_least, builtin_text, builtin_name_of, builtin_join, builtin_replace,
	builtin_flag, builtin_key; /* text */
builtin_function builtin_even, builtin_balanced, builtin_ends, builtin_counts, builtin_stages,
	builtin_blocks, builtin_span_level, builtin_flops_per_token; /* model */

/* Divisors of n >= 1 in ascending order. */
struct num *divisors_of(struct eval *ev, int64_t n, uint32_t *count);

enum { DIVISORS_DIGITS = 12 }; /* divisors() answers up to 10^12 */
static const int64_t divisors_max = 1000000000000;

/* ---- blame.c --------------------------------------------------------------------------------- */

/* Labels a message about a broken condition at the fields it reads that the user set, three at most. */
void blame_condition(struct eval *ev, struct diag *d, ir_id condition, struct scope scope);

/* ---- withdraw.c ------------------------------------------------------------------------------ */

/* Makes the plain fields that broken conditions of the record name, and the fields that follow from
 * them, poison for whatever reads them from now on. */
void record_withdraw(struct eval *ev, struct record *r, const ir_id *conditions, uint32_t n);

#endif
