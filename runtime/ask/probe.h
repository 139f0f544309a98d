/* probe.h - the plan with one value changed: whether it is still sound, and what follows from the change.
 *
 *	struct probe_plan plan;
 *	struct probe *p;
 *	probe_plan_init(&plan, ev, global, subject);
 *	p = probe_make(&plan);
 *	for each value:
 *		probe_begin(p, true);
 *		probe_put(p, probe_changed(p, steps, n, value));
 *		if (probe_is_legal(p)) ... eval_node(&p->ev, ...) ...
 *		probe_end(p);
 *
 * What does not depend on the value is shared with the evaluator that the plan was made from; everything
 * else is computed anew, in memory of the probe.
 */
#ifndef PLAN_ASK_PROBE_H
#define PLAN_ASK_PROBE_H

#include "compiler/ir/depend.h"
#include "runtime/bind/job.h"

struct probe_plan {
	struct eval *ev;             /* the plan as it stands */
	uint32_t global;             /* what is changed */
	uint32_t subject;            /* the record that is asked about */
	struct ir_dependents may;    /* what may follow from the change */
	bool *users;                 /* globals computed anew while the cost model is left out: what is missing then
				      * must not be remembered in a record that is used later */
	uint32_t *globals;           /* records between the change and the subject, both included */
	uint32_t global_count;
	struct ir_assert *asserts;   /* of files, that may be decided otherwise */
	uint32_t assert_count;
};

struct probe {
	const struct probe_plan *plan;
	struct arena arena;
	struct diag_sink sink;       /* what is wrong with the changed plan; the user sees none of it */
	struct eval ev;
};

/* In the arena of the evaluator. */
void probe_plan_init(struct probe_plan *plan, struct eval *ev, uint32_t global, uint32_t subject);

/* In memory of the plan's evaluator, for one change after the other. */
struct probe *probe_make(const struct probe_plan *plan);

/* `model` false: nothing is asked of the cost model. What was made since is gone with probe_end. */
void probe_begin(struct probe *p, bool model);
void probe_end(struct probe *p);

/* The plan's own value with another one at the end of a path, made in the probe's memory. Poison when the path
 * leads through nothing. */
struct value probe_changed(struct probe *p, const struct record_step *steps, uint32_t n, struct value now);

/* Puts the changed value into place. Before it is called the probe answers nothing. */
void probe_put(struct probe *p, struct value v);

/* Whether rules and asserts hold; with the cost model also whether the subject, a job, can be evaluated. The
 * sink has the reason. */
bool probe_is_legal(struct probe *p);

/* Whether the subject, if it is a job, can be evaluated at all. */
bool probe_can_run(struct probe *p);

/* The record that is asked about; NULL when it cannot be had. */
struct record *probe_subject(struct probe *p);

#endif
