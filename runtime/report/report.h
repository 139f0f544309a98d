/* report.h - an evaluated job as text for people and as one JSON object for programs.
 *
 * Both are pure functions of the job: same job, same bytes. The object is described by
 * docs/report.schema.json.
 */
#ifndef PLAN_REPORT_REPORT_H
#define PLAN_REPORT_REPORT_H

#include "runtime/bind/job.h"

/* The report a person reads: verdict, step time with its parts, memory of every stage, throughput,
 * networks, what the tables did not cover, what the prediction takes for granted. Ends in a newline. */
void report_text(const struct job *j, struct out *o);

/* The same under a heading, for a page of Markdown. */
void report_markdown(const struct job *j, struct out *o);

/* One object and a newline; numbers in s, bytes, FLOP. The warnings of the sink go along. */
void report_json(const struct job *j, const struct diag_sink *warnings, struct out *o);

#endif
