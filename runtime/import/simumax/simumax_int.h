/* simumax_int.h - what the parts of the SimuMax reader share. Names and meaning of the fields:
 * SimuMax 1.2 (github.com/MooreThreads/SimuMax, commit 4dcaae5), simumax/core/config.py. */
#ifndef PLAN_SIMUMAX_SIMUMAX_INT_H
#define PLAN_SIMUMAX_SIMUMAX_INT_H

#include "runtime/import/foreign.h"
#include "runtime/import/plan_text.h"

struct simumax {
	const struct simumax_input *in;
	struct foreign files[3]; /* one per file: each collects its own left-out fields */
	const struct json *model, *strategy, *system;
	struct plan_text w;
	const char *model_name, *gpu_name, *cluster_name;
	bool alone;              /* one file for an import of the language; the others are empty */
};

enum simumax_file { SIMUMAX_MODEL, SIMUMAX_STRATEGY, SIMUMAX_SYSTEM };

/* Fields, ranges and the rules within one file. false after reporting. */
bool simumax_check_model(struct foreign *f, const struct json *model);
bool simumax_check_strategy(struct foreign *f, const struct json *strategy);
bool simumax_check_system(struct foreign *f, const struct json *system);

/* A name for a record, out of one in the files; with the suffix where that is a word of the language, or
 * always. */
const char *simumax_free_name(struct simumax *s, struct str wanted, const char *suffix, bool always);

/* Rules between the files. */
bool simumax_check_together(struct simumax *s);

/* A key of accelerator.op[name].accurate_efficient_factor as the inside of a row's braces; NULL
 * when it is none. `table` is the gpu's field that holds such rows. */
enum simumax_table { SIMUMAX_MATMUL, SIMUMAX_GROUPED, SIMUMAX_ATTENTION, SIMUMAX_TABLES };
enum simumax_table simumax_table_of(struct str op);
const char *simumax_row(struct arena *a, enum simumax_table table, struct str key);

/* The records. They rely on what was checked. */
void simumax_write_gpu(struct simumax *s);
void simumax_write_cluster(struct simumax *s);
void simumax_write_model(struct simumax *s);
void simumax_write_job(struct simumax *s);
void simumax_write_strategy(struct simumax *s, const char *header);
void simumax_write_recompute(struct simumax *s);

#endif
