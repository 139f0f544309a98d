/* text_int.h - the sections of the text report. Private to runtime/report. */
#ifndef PLAN_REPORT_TEXT_INT_H
#define PLAN_REPORT_TEXT_INT_H

#include "runtime/report/report.h"

enum {
	REPORT_LABEL = 19,           /* columns of the names at the left */
	REPORT_FIGURE = 11,          /* columns of a figure with its unit */
	REPORT_BAR = 40              /* columns of a bar that stands for everything */
};

/* Step time and the parts it is the sum of, each with its share as a bar. */
void text_step(const struct job *j, struct out *o);

/* A row a stage (equal neighbours together): the parts of its memory, then the same as a bar. */
void text_memory(const struct job *j, struct out *o);

#endif
