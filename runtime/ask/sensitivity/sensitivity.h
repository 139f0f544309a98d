/* sensitivity.h - what a job's step time and memory do when one thing changes: an axis of its sweep by one
 * step, or a figure of the hardware by a tenth.
 */
#ifndef PLAN_SENSITIVITY_SENSITIVITY_H
#define PLAN_SENSITIVITY_SENSITIVITY_H

#include "runtime/bind/job.h"
#include "runtime/search/search.h"

/* A job as it stands, or after a change. */
struct outcome {
	bool there;                  /* it can be evaluated */
	double time;                 /* s a step */
	int64_t reserved;            /* bytes of the worst stage */
	struct value goal;           /* first goal of the sweep; NONE without one */
	bool feasible;               /* rules and constraints hold, and it fits */
	struct str reason;           /* the first thing that does not hold: its name; empty */
};

/* One changed thing. Of a figure there are two, a tenth less and a tenth more. */
struct change {
	struct str path;             /* "strategy.tp", "cluster.levels[1].link.bandwidth" */
	struct str from;
	struct str to[2];            /* values; empty where there is none */
	struct outcome after[2];     /* after a step down and up, or a tenth less and more */
	double effect;               /* the larger relative change of the time */
};

struct sensitivity {
	struct eval *ev;
	struct search *search;       /* NULL: of a job that no sweep chose */
	uint64_t number;             /* of the candidate */
	struct record *job;
	struct str name;             /* of the job, or of the sweep */
	struct outcome now;
	VEC(struct change) axes, figures;    /* largest effect first */
};

/* Of the best candidate of a sweep (`search` with a feasible candidate), or of a job (`search` NULL). Reports
 * and returns false when the record is no job, or cannot be evaluated. */
bool sensitivity_run(struct sensitivity *s, struct eval *ev, struct search *search, struct record *job,
		     struct str name, struct span at);

void sensitivity_print_text(const struct sensitivity *s, struct out *o);
void sensitivity_print_json(const struct sensitivity *s, struct out *o);

#endif
