/* operator_int.h - what the files of operators share; private to this folder. */
#ifndef PLAN_OPERATOR_OPERATOR_INT_H
#define PLAN_OPERATOR_OPERATOR_INT_H

#include "compiler/check/check_int.h"

/* binary.c: the operation behind an operator. */
enum ir_op operation_of(enum ast_op op);

/* arithmetic.c: of a number that two others make; an operation on operands that are lowered. */
enum exactness wider_exactness(const struct type *a, const struct type *b);
ir_id lower_arithmetic(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r);

/* compare.c. A written-out list takes the type of what is looked for; any other list gives it, and a map that of
 * its keys. */
ir_id lower_comparison(struct check *c, const struct env *e, struct ast *x);
ir_id lower_in(struct check *c, const struct env *e, struct ast *x);

/*
 * refuse.c: messages, after which there is poison: quantities of two dimensions (E1103); an operand that the
 * operator does not take (E1102, E1107 where it may be none); two that cannot be compared (E1102).
 */
ir_id report_dimensions(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r);
ir_id report_operand(struct check *c, struct ast *x, enum ast_op op, ir_id operand);
ir_id report_comparison(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r);

/* `400 GB/sec`, `400 GB/ s`: no name, but the rest of a unit (E0301). False when it is none. */
bool report_cut_unit(struct check *c, const struct env *e, const struct ast *x);

#endif
