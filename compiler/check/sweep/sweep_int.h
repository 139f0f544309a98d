/* sweep_int.h - a sweep while it is lowered; shared by sweep.c and axis.c. */
#ifndef PLAN_SWEEP_SWEEP_INT_H
#define PLAN_SWEEP_SWEEP_INT_H

#include "compiler/check/check_int.h"

struct sweeping {
	struct check *c;
	struct env *env;             /* the text of the candidate */
	VEC(struct ir_axis) axes;
	VEC(struct ir_condition) constraints;
	VEC(struct ir_goal) goals;
	struct ast *objective;       /* the first one; NULL before it */
	bool pareto;
	ir_id limit;
	const struct ast *limit_clause;      /* the path of `limit = ...` */
	uint32_t errors;             /* of the sink before the sweep */
};

/* axis.c: one `vary`. What cannot be used is reported and left out. */
void lower_axis(struct sweeping *w, struct ast *x);

/* What a path is written for. */
enum path_use { PATH_VARIED, PATH_SOLVED };

/* The field of a path below a schema, with the slots on the way. false after a message. */
bool resolve_path(struct check *c, uint32_t schema, struct ast *path, enum path_use use, struct ir_path *result);

#endif
