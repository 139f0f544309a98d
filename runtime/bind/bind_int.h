/* bind_int.h - the steps of binding a job; private to runtime/bind. Each reads one part of the job's
 * record into the engine's structs through a sticky reader. */
#ifndef PLAN_BIND_BIND_INT_H
#define PLAN_BIND_BIND_INT_H

#include "runtime/bind/fields.h"
#include "runtime/bind/job.h"

void bind_model(struct reader *b, struct record *model, struct engine_model *m);
void bind_strategy(struct reader *b, struct record *job, struct engine_input *in);

/* Resolves the layout to one entry per virtual stage; sets input.parallel.stages. */
void bind_layout(struct reader *b, struct record *job, struct job *j);

void bind_hardware(struct reader *b, struct record *job, struct job *j);
void bind_profile(struct reader *b, struct record *profile, struct profile *p);

/* "2.10.0" as three integers; missing parts are zero, an empty text is "not known". */
struct version version_read(struct str text);

/* Reports an engine error at the job. */
void report_engine_error(struct reader *b, struct record *job, const struct engine_error *e);

/* dtype names in the order of enum engine_dtype. */
extern const char *const dtype_names[DTYPE_COUNT];

#endif
