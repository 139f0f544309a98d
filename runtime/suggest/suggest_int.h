/* suggest_int.h - private to runtime/suggest: the answer of std:suggest as plain structs, trials, texts. */
#ifndef PLAN_SUGGEST_SUGGEST_INT_H
#define PLAN_SUGGEST_SUGGEST_INT_H

#include "compiler/base/vec.h"
#include "runtime/bind/job.h"
#include "runtime/search/search.h"
#include "runtime/suggest/suggest.h"

/* ---- what the rules of thumb say: the schemas of std:suggest ---------------------------------------- */

struct texts {
	struct str *at;
	uint32_t n;
};

/* Fields that go together, and what is tried for them: an axis of the sweep, unless there is but one value. */
struct choice {
	struct str rule, says, guess;
	struct texts fields, usual;
	struct texts *values;        /* each with a text for every field */
	uint32_t count;
};

struct setting {
	struct str rule, says, field, value;
};

struct limit {
	struct str name, counts, holds, says;
};

struct advice {
	int64_t gpus, nodes, sequence, global;
	int64_t gpus_per_node;
	bool other_nodes;            /* the cluster as it stands has another number of nodes */
	struct str gpus_says, sequence_says, global_says, fault;
	struct str framework, version;       /* of the target */
	struct texts goals;                  /* of the sweep, all to be minimised */
	struct str goals_say;
	struct choice *choices;
	uint32_t choice_count;
	struct setting *settings;
	uint32_t setting_count;
	struct limit *limits;
	uint32_t limit_count;
};

/* How far the search goes. */
struct range {
	int64_t gpus;                /* 0: as the question has it */
	int64_t reach;               /* factor around the guess of every degree */
	bool lean;                   /* only what takes least memory */
	bool advised;                /* conditions that only advise hold, too */
};

/* Asks std:suggest; what it answers lies in the arena of the asker. false after a report. */
bool advice_ask(const struct suggest_asker *a, const struct suggest_question *q, struct range range,
		struct advice *advice);

/* ---- trials: a text compiled in memory of its own ---------------------------------------------------- */

struct trial {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct ir_program *program;  /* NULL: the text has errors, which are in the sink */
	struct eval ev;
};

/* Given back by trial_end. The second keeps records of the library that nothing uses. */
struct trial *trial_begin(const struct suggest_asker *a, const struct suggest_question *q, struct str text);
struct trial *trial_begin_library(const struct suggest_asker *a, const struct suggest_question *q,
				  struct str text);
void trial_end(struct trial *t);

/* Compiles a text that has errors once more, so that they are reported to the asker. */
void trial_blame(const struct suggest_asker *a, const struct suggest_question *q, struct str text);

/* The message of its first error; empty without. */
struct str trial_complaint(const struct trial *t);

/* ---- names -------------------------------------------------------------------------------------------- */

/* Reports E2707 where the file of a subject declares no record of that name and schema. true: it does, or the file
 * cannot be compiled. */
bool subject_exists(const struct suggest_asker *a, const struct suggest_question *q,
		    const struct suggest_subject *s, const char *schema);

/* ---- the neighbourhood -------------------------------------------------------------------------------- */

struct found {
	uint64_t total, feasible;
	uint32_t *best;              /* a value for each choice */
	double *times;               /* step of every candidate, by number - 1, in s; 0: it is out */
	bool *idle;                  /* of each limit: it removes nothing */
	bool tight;                  /* memory rules candidates out */
	struct str hindrance;        /* nothing is feasible: what rules most of it out */
};

/* Runs the sweep. Nothing feasible is an answer, too. */
void neighbourhood_search(const struct suggest_asker *a, const struct suggest_question *q,
			  const struct advice *advice, struct found *found);

/* The value of choice k that a candidate has, by its number. */
uint32_t candidate_value(const struct advice *a, uint64_t number, uint32_t k);

/* The fewest GPUs above `from` that the model fits on, counted in steps of `step`; 0: not found. */
int64_t fewest_gpus(const struct suggest_asker *a, const struct suggest_question *q, int64_t from,
		    int64_t *step);

/* ---- texts -------------------------------------------------------------------------------------------- */

void put_name(struct out *o, struct str name);
void put_quoted(struct out *o, struct str text);
void put_imports(struct out *o, const struct suggest_question *q);

/* Names of what the plan declares: the usual one, unless a subject is called so. */
const char *free_name(const struct suggest_question *q, const char *usual, const char *otherwise);
const char *launch_name(const struct suggest_question *q);
const char *sweep_name(const struct suggest_question *q);

/* Whether the plan is written for a framework. */
bool has_target(const struct suggest_question *q);

/* The fields of a job that no choice sets, a line each, without strategy and batch. */
void put_job_head(struct out *o, const struct suggest_question *q, const struct advice *a);

/* The target as a record around a job, for its rules. */
void put_launch(struct out *o, const struct suggest_question *q, const char *job);

/* The sweep of a job, or of `launch` around it. `found` NULL: the job is not the answer yet, and also lacks its batch;
 * else limits that were seen to remove nothing are left out. */
void put_sweep(struct out *o, const struct suggest_question *q, const struct advice *a, const char *job,
	       const struct found *found);

/* "tp" for "strategy.tp" below "strategy"; p NULL when it lies elsewhere. */
struct str field_below(struct str path, const char *record);

/* Comments on what the values of choice k cost, one for each field; nothing where only one was tried. */
void put_figures(struct out *o, const struct advice *a, const struct found *f, uint32_t k);

/* A text as lines that begin with `mark`, broken at blanks. */
void put_wrapped(struct out *o, const char *mark, struct str text);
void put_line(struct out *o, const char *mark, const struct out *text);

/* The texts of choice k that the best candidate has. */
const struct texts *taken(const struct advice *a, const struct found *f, uint32_t k);

/* The comment at the head of the plan; `t` was advised about the job that was evaluated as `j`. */
void put_head(struct out *o, const struct suggest_question *q, const struct advice *a, const struct found *f,
	      const struct trial *t, const struct job *j);

/* The whole plan. */
bool plan_put(const struct suggest_asker *a, const struct suggest_question *q, const struct advice *advice,
	      const struct found *found, struct out *plan);

#endif
