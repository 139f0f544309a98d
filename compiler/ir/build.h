/* build.h - adds nodes, lists and constants to a program.
 *
 * Operands are made before the node that reads them, so an operand's index is always smaller than
 * its node's: the graph of nodes cannot have a cycle (ir_verify relies on it).
 */
#ifndef PLAN_IR_BUILD_H
#define PLAN_IR_BUILD_H

#include "compiler/ir/ir.h"

/* The empty program: no nodes, no schemas. Lives in arena a, as everything added to it. */
struct ir_program *ir_program_make(struct arena *a, struct interner *names,
				   const struct sources *sources);

/* Unused operands are 0, absent ones IR_NO_NODE. */
ir_id ir_add(struct ir_program *p, enum ir_op op, const struct type *type, struct span span,
	     uint32_t a, uint32_t b, uint32_t c);

ir_id ir_add_poison(struct ir_program *p, struct span span);
ir_id ir_add_number(struct ir_program *p, const struct type *type, struct span span, struct num n);
ir_id ir_add_bool(struct ir_program *p, struct span span, bool truth);
ir_id ir_add_string(struct ir_program *p, struct span span, struct str text);
ir_id ir_add_enum(struct ir_program *p, const struct type *type, struct span span, uint32_t ordinal);
ir_id ir_add_none(struct ir_program *p, struct span span);

/* Index of a new constant, for operands of kind k. */
uint32_t ir_add_constant(struct ir_program *p, struct ir_constant c);

/* Copies items into the list table; names (may be NULL) go to list_names. The first index. */
uint32_t ir_add_list(struct ir_program *p, const uint32_t *items, const struct sym *names,
		     uint32_t n);

/* The constant of a CONST node, NULL for any other node. */
const struct ir_constant *ir_constant_of(const struct ir_program *p, ir_id node);

static inline const struct type *ir_type(const struct ir_program *p, ir_id node)
{
	return p->nodes.at[node].type;
}

/* Whether a node depends on the record it is evaluated in. The bindings of a layer are evaluated in
 * the record the layer makes, so only the base it is laid over counts. */
static inline bool ir_reads_self(const struct ir_program *p, ir_id node)
{
	return p->reads_self.at[node];
}

/* fold.c: the value of an arithmetic operation whose operands are constant, as a CONST node; where an
 * operand is not constant, or the operation would fail, IR_NO_NODE. `type` is the result's. */
ir_id ir_fold(struct ir_program *p, enum ir_op op, const struct type *type, struct span span,
	      ir_id x, ir_id y);

#endif
