/* bind_int.h - the steps of binding a job; private to runtime/bind. Each reads one part of the job's
 * record into the engine's structs through a sticky reader. */
#ifndef PLAN_BIND_BIND_INT_H
#define PLAN_BIND_BIND_INT_H

#include "runtime/bind/fields.h"
#include "runtime/bind/job.h"

/*
 * A part of a job: the smallest thing that is bound by itself. It reads the named fields of the job, alone
 * writes `size` bytes at `offset` of struct job, and may look at what the parts before it wrote. Paths
 * separated by blanks; a record's path stands for everything in it.
 */
enum part_kind { PART_INT, PART_OPTIONAL_INT, PART_BOOL, PART_ENUM, PART_CALL };

struct bind_part {
	const char *reads;
	enum part_kind kind;
	const char *const *names;    /* PART_ENUM, in the order of the engine's enum */
	uint32_t name_count;
	void (*call)(struct reader *b, struct record *job, struct job *j);
	size_t offset, size;
};

/* parts.c: all parts of a job, in the order they are bound. */
extern const struct bind_part bind_parts[];
extern const uint32_t bind_part_count;

/* Binds one part; false after a fault. */
bool bind_part(struct reader *b, struct record *job, const struct bind_part *part, struct job *j);

void bind_model_of(struct reader *b, struct record *job, struct job *j);
void bind_profile_of(struct reader *b, struct record *job, struct job *j);
void bind_precision(struct reader *b, struct record *job, struct job *j);
void bind_optimizer(struct reader *b, struct record *job, struct job *j);
void bind_kernels(struct reader *b, struct record *job, struct job *j);
void bind_overlap(struct reader *b, struct record *job, struct job *j);
void bind_recompute(struct reader *b, struct record *job, struct job *j);
void bind_offload(struct reader *b, struct record *job, struct job *j);
void bind_framework(struct reader *b, struct record *job, struct job *j);
void bind_order(struct reader *b, struct record *job, struct job *j);
void bind_dispatcher(struct reader *b, struct record *job, struct job *j);
void check_job(struct reader *b, struct record *job, struct job *j);

/* Resolves the layout to one entry per virtual stage; sets input.parallel.stages. */
void bind_layout(struct reader *b, struct record *job, struct job *j);
void bind_hardware(struct reader *b, struct record *job, struct job *j);

void bind_model(struct reader *b, struct record *model, struct engine_model *m);
void bind_profile(struct reader *b, struct record *profile, struct profile *p);

/* "2.10.0" as three integers; missing parts are zero, an empty text is "not known". */
struct version version_read(struct str text);

/* Whether a part of the step is traffic between GPUs. */
bool job_part_communicates(enum step_part part);

/* Reports an engine error at the job. */
void report_engine_error(struct reader *b, struct record *job, const struct engine_error *e);

/* dtype names in the order of enum engine_dtype. */
extern const char *const dtype_names[DTYPE_COUNT];

#endif
