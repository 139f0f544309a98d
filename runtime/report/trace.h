/* trace.h - the schedule of one step in Chrome's trace event format, which Perfetto and chrome://tracing show.
 *
 * A process is a pipeline stage. Its thread `step` shows what the stage does from the first forward to the end
 * of the step, without a hole: passes of micro-batches with the parts of their time inside, transfers it waits
 * for, bubbles, and what follows the pipeline. Beside it stand transfers between stages as they lie on the wire,
 * traffic that hides behind computation, and a counter of memory.
 *
 * Backwards that are cut in two are two passes. A forward and a backward that run beside each other (dualpipe)
 * stand one behind the other, in the time that both take. Where ranks need not wait for each other between steps
 * (zb2p), the step of each begins with its own first forward.
 *
 * Times are whole nanoseconds. Rounding goes by part: the events of a part on the stage that decides add up to
 * that part of the report, rounded once. Pure function of the job: same job, same bytes.
 *
 * Format: "Trace Event Format", Google, 2016 (docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
 */
#ifndef PLAN_REPORT_TRACE_H
#define PLAN_REPORT_TRACE_H

#include "runtime/bind/job.h"

enum trace_detail {
	TRACE_PASSES,                /* forwards, backwards and weight gradients as a whole */
	TRACE_PARTS,                 /* computation, recomputation and traffic in them */
	TRACE_OPERATORS              /* layers and operators in them */
};

struct trace;

/* Works out the schedule of a job. NULL when its events, counted before anything grows with them, are more than
 * `events_max`; *events then says how many there would be (at least, where they cannot be counted). Lives in
 * the arena. */
struct trace *trace_make(const struct job *j, enum trace_detail detail, int64_t events_max, struct arena *a,
			 int64_t *events);

/* The document: one object, an event a line, a newline at the end. */
void trace_print(const struct trace *t, struct out *o);

/* What documents of planc begin with: says whether a file may be written over. */
bool trace_is_ours(struct str head);

enum { TRACE_HEAD = 64 };            /* bytes that trace_is_ours() wants to see */

#endif
