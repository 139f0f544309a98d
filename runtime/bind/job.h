/* job.h - joins the language and the physics: a job's record becomes the engine's plain structs, the
 * engine's results become the native fields of the prelude.
 *
 * A job is bound and evaluated once; the result is kept in the record (`record.native`) and lives in
 * the arena of the evaluation.
 */
#ifndef PLAN_BIND_JOB_H
#define PLAN_BIND_JOB_H

#include "runtime/engine/engine.h"
#include "runtime/eval/eval.h"

struct job {
	struct record *record;
	struct str name;                     /* instance name; "job" when nameless. No part binds names: */
	struct str model_name, cluster_name, strategy_name, profile_name; /* empty in a sweep */
	struct engine_input input;           /* points to the two below */
	struct profile profile;
	struct hardware hardware;
	const struct str *level_names;       /* hardware.level_count */
	struct str gpu_name;
	int64_t headroom;                    /* bytes kept free on top of the prediction */
	int64_t parameters;                  /* of the model: vocabulary unpadded, tied counted once */
	int64_t active_parameters;           /* those that one token meets */
	int64_t padded_parameters;           /* vocabulary padded: what the GPUs hold together */
	struct engine_result result;
	bool fits;                           /* reserved + headroom <= memory */
	double bubble;                       /* share of the step */
	double exposed_comm;                 /* s, all traffic that is not hidden */
};

/* Binds and evaluates the job of a record (schema `job`). NULL after reporting why not: a field the
 * engine does not model (E2008), a size that does not split (E2009), sizes beyond 63 bits (E2003).
 * `at` is the place to blame in the user's text. */
const struct job *job_evaluate(struct eval *ev, struct record *record, struct span at);

/* Gives an evaluator what only the engine knows (eval.h): the `native` slots of the prelude, and
 * flops_per_token(). */
void job_install(struct eval *ev);

/* ---- in parts ----------------------------------------------------------------------------------
 *
 * A job is bound part by part, in this order; a sweep binds again only what has moved. */

struct job_part {
	const char *reads;           /* paths of fields of the job, separated by blanks */
	size_t offset, size;         /* the bytes of struct job that it alone writes */
};

uint32_t job_part_count(void);
struct job_part job_part(uint32_t part);

/* An empty job whose parts are to be bound. */
void job_begin(struct job *j, struct record *record);

/* Binds a part; it may look at what the parts before it wrote. false after reporting. */
bool job_bind_part(struct eval *ev, struct record *record, uint32_t part, struct job *j);

/* Asks the engine about a job that is bound, with what a memo remembers (NULL: nothing); results live in the
 * arena. false: ENGINE_OK is not the answer, and nothing was reported. */
bool job_price(struct job *j, struct engine_memo *memo, struct arena *arena, struct engine_error *error);

/* The code that a refusal of the engine is reported under. */
enum diag_code job_error_code(const struct engine_error *error);

/* A native number of a job as a place in its struct, so that it can be read without a record. */
enum job_number_kind { JOB_REAL, JOB_COUNT, JOB_TRUTH };

struct job_number {
	enum job_number_kind kind;
	size_t offset;
};

/* By path: ("memory", "reserved"), ("", "mfu"). false: no plain number of the struct. */
bool job_number_find(const char *record, const char *field, struct job_number *n);
struct value job_number_read(const struct job *j, struct job_number n);

/* The jobs that the root file declares, in source order: globals whose type is the schema `job`. */
uint32_t jobs_declared(const struct ir_program *p, uint32_t *globals, uint32_t max);

/* The same job under another preset of `profile` (`--profile simumax`); NULL when there is none of that
 * name. Late bound: what follows from the profile follows from the new one. */
struct record *job_under_profile(struct eval *ev, const struct record *job, struct str profile);

/* The fields of a profile that the engine reads, in the order of one table; `profile_field_name` is what the
 * library calls it. The library has two more: `quirks`, which sets others, and `mfu_dtype`, which becomes part of
 * the hardware. */
uint32_t profile_field_count(void);
const char *profile_field_name(uint32_t field);
bool profile_field_equal(uint32_t field, const struct profile *a, const struct profile *b);
void profile_field_copy(uint32_t field, struct profile *to, const struct profile *from);

/* A step from a record to what one of its fields holds, or to one element of it. */
struct record_step {
	uint32_t slot;
	int64_t element;                     /* of the list that the field holds; -1: the whole field */
};

/* The same record with another value at the end of a path of at least one step; records on the way are
 * copied, a missing one is begun from its schema. What follows from the value follows from the new one. NULL
 * when the path leads through something that is no record. `now` has the type of the field. */
struct record *record_with(struct eval *ev, struct record *from, const struct record_step *steps, uint32_t n,
			   struct value now);

/* Name of the network level a group uses ("node", "intra_node_pcie_2x"); "" for a group of one GPU
 * that uses none. */
struct str job_level_name(const struct job *j, enum engine_group group);

/* Sentences that state what the prediction takes for granted: conventions and the profile's choices.
 * One per line, own words, no full stop; printed with every report. */
uint32_t job_assumptions(const struct job *j, struct arena *arena, struct str *lines, uint32_t max);

#endif
