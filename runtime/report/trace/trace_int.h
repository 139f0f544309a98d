/* trace_int.h - shared by the files that make a trace. */
#ifndef PLAN_TRACE_TRACE_INT_H
#define PLAN_TRACE_TRACE_INT_H

#include "runtime/report/trace.h"

/* ---- recipe.c: what a pass consists of -------------------------------------------------------- */

enum item_kind { ITEM_OPEN, ITEM_CLOSE, ITEM_WORK };

struct item {
	enum item_kind kind;
	enum step_part part;         /* of work */
	struct str name;             /* of work, and of what OPEN begins */
	double seconds;              /* of work */
};

/* One pass of any micro-batch through a virtual stage. Work fills it without a hole. */
struct recipe {
	struct item *at;
	uint32_t n;
	double part[STEP_PART_COUNT];            /* s: what the work of each part comes to */
	double hidden[TRAFFIC_COUNT];            /* s of traffic behind it */
};

enum { DIRECTION_FORWARD, DIRECTION_BACKWARD, DIRECTIONS };

struct trace {
	const struct job *job;
	enum trace_detail detail;
	struct arena *arena;
	struct engine_result result;
	struct engine_schedule_log log;
	struct recipe *recipe[DIRECTIONS];       /* by virtual stage */
	int64_t events;
};

void recipes_make(struct trace *t);

/* ---- timeline.c: what a rank does ------------------------------------------------------------- */

/* Time of a rank that passes have between them. */
struct gap {
	double idle;                 /* s */
	double transfer;             /* s of it that count as pipeline traffic; the rest is bubble */
};

/* Gaps before each pass of a rank, and one behind the last; `passes` of `count` in the log are forwards or
 * backwards of the rank. */
struct rank_line {
	int64_t rank;
	const struct engine_pass **pass;
	int64_t count;
	struct gap *gap;             /* count + 1 */
	const struct engine_pass **sent;         /* transfers that leave the rank */
	int64_t sent_count;
};

struct rank_line rank_line_make(const struct trace *t, int64_t rank);

static inline int direction_of(const struct engine_pass *pass)
{
	return pass->kind == PASS_BACKWARD ? DIRECTION_BACKWARD : DIRECTION_FORWARD;
}

static inline int64_t virtual_stage(const struct trace *t, const struct engine_pass *pass)
{
	return (int64_t)pass->chunk * t->job->input.parallel.pp + pass->rank;
}

#endif
