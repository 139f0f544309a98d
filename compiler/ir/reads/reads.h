/* reads.h - which axes of a sweep an expression depends on, found without computing anything.
 *
 * An abstract evaluation of the program: a value is known by what it may depend on, and a record, where
 * its layers can be seen in the program, by those layers. It follows late binding as the evaluator does,
 * so `dp` is known to read tp, pp and cp. Where the layers cannot be seen (a record that an axis
 * chooses, an element of a list) the answer is everything that the record depends on.
 */
#ifndef PLAN_READS_READS_H
#define PLAN_READS_READS_H

#include "compiler/ir/ir.h"

/* Completes a sweep whose axes, constraints and goals are lowered: `reads` of all of them and of the
 * slots, and in front of the constraints the rules that hold for the record and for the records inside it
 * that an axis can change. late[k]: axes from k + 1 on that the text of axis k names, although they are
 * not known there. Call it when no more nodes or layers will be added to what the sweep uses. */
void ir_sweep_settle(struct ir_program *p, uint32_t sweep, uint64_t *late);

/* What a candidate of a settled sweep is known to be; it answers questions about what may depend on which
 * axis. Lives in the arena; the program is not changed. */
struct ir_candidate;

struct ir_candidate *ir_candidate_make(const struct ir_program *p, uint32_t sweep, struct arena *a);

/* A field, by the slots from the candidate down, with everything in it; an expression in the text of the
 * candidate itself. */
struct ir_reads ir_candidate_field(struct ir_candidate *c, const uint32_t *slots, uint32_t n);
struct ir_reads ir_candidate_node(struct ir_candidate *c, ir_id node);

#endif
