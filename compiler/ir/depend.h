/* depend.h - what a change of one value of the plan can change. */
#ifndef PLAN_IR_DEPEND_H
#define PLAN_IR_DEPEND_H

#include "compiler/ir/ir.h"

/* What may follow from a global: too much is allowed, too little is not. */
struct ir_dependents {
	bool *nodes;                 /* of each expression */
	bool *globals;               /* the global itself included */
	bool *sweeps;
};

/* All tables in the arena. A few passes over the program. */
struct ir_dependents ir_dependents_of(const struct ir_program *p, uint32_t global, struct arena *a);

/* Whether an assert may be decided otherwise. */
bool ir_assert_depends(const struct ir_dependents *d, const struct ir_assert *a);

#endif
