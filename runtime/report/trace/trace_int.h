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

struct causes;

struct trace {
	const struct job *job;
	enum trace_detail detail;
	struct arena *arena;
	struct engine_result result;
	struct engine_schedule_log log;
	struct recipe *recipe[PASS_KINDS];       /* by virtual stage; of passes that the schedule has */
	bool split;                              /* it cuts backwards in two */
	const struct causes *causes;             /* where messages hold nobody: what waits for what; else NULL */
	int64_t events;
};

void recipes_make(struct trace *t);

/* ---- timeline.c: what a rank does ------------------------------------------------------------- */

/* Time of a rank that passes have between them. */
struct gap {
	double idle;                 /* s */
	double transfer;             /* s of it that count as pipeline traffic; the rest is bubble */
};

/* Gaps before each pass of a rank, and one behind the last; `pass` are those of the log that the rank runs. */
struct rank_line {
	int64_t rank;
	double began;                /* s: when its step begins */
	const struct engine_pass **pass;
	int64_t count;
	struct gap *gap;             /* count + 1 */
	const struct engine_pass **sent;         /* transfers that leave the rank */
	int64_t sent_count;
};

/* What the ranks wait for, of the whole log. */
const struct causes *causes_make(const struct trace *t);

struct rank_line rank_line_make(const struct trace *t, int64_t rank);

/* Stages of a rank, and the one of each. With two directions the second is held from the other end. */
static inline int64_t rank_chunks(const struct trace *t)
{
	return t->result.stages[0].mirror >= 0 ? 2 : t->job->input.parallel.vpp;
}

static inline int64_t chunk_stage(const struct trace *t, int64_t rank, int64_t chunk)
{
	if (chunk == 1 && t->result.stages[rank].mirror >= 0)
		return t->result.stages[rank].mirror;
	return chunk * t->job->input.parallel.pp + rank;
}

#endif
