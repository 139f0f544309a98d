/* search.h - runs a sweep: every candidate of a plan's sweep against every condition, the feasible ones
 * ranked by the objective, the others explained.
 *
 * Candidates are numbered from 1 in the order of the axes, the last one fastest, before anything is
 * evaluated. Conditions that need no cost model are tested for all candidates, each as often as the
 * values it reads differ; the others only where those hold, unless `exact`.
 */
#ifndef PLAN_SEARCH_SEARCH_H
#define PLAN_SEARCH_SEARCH_H

#include "runtime/eval/eval.h"

enum {
	SEARCH_LIMIT = 1000000,      /* candidates, unless the sweep says `limit = n` */
	SEARCH_KEEP = 10,            /* what a short list needs to keep of them */
	SEARCH_KEEP_MAX = 1000,      /* from here on all are kept */
	SEARCH_SAMPLE = 2000         /* of a picture */
};

/* One row of the report: a condition, or a message that ended an evaluation. */
struct search_row {
	const struct ir_condition *condition;   /* NULL: a message */
	enum diag_code code;                    /* of the message */
	struct str name;                        /* of the condition, or slug of the code */
	struct str text;                        /* first such message */
	bool model;                             /* needs the cost model */
	uint64_t removed, violated, alone;
	uint64_t left;                          /* after it, in the order of the rows */
};

/* A feasible candidate. */
struct search_candidate {
	uint64_t number;
	const struct value *goals;              /* one for each goal of the sweep */
};

/* What the candidates have to give up so that one is left: none of these sets contains another. */
struct search_relief {
	const uint32_t *rows;
	uint32_t row_count;
	uint64_t candidates;                    /* that break exactly these */
	uint64_t best;                          /* number of the best of them; 0: no goal could be had */
	struct value goal;                      /* its first goal */
};

struct search;
struct search_part;
struct post;

/* How things stand. */
struct search_progress {
	uint64_t total, tested, feasible;       /* candidates; total: of this shard, more or less */
	uint64_t evaluated;
	uint64_t best;                          /* number of the best one so far, 0 */
	const struct value *goals;              /* its goals */
};

/* Feasible candidates as rows of text, in the order of their numbers, while the sweep runs. What waits for its turn
 * is held: some parcels of each thread. */
struct search_rows {
	/* One row. `s` is the search of the thread that found the candidate: it may be asked for the values of this
	 * candidate, and nothing else. What lies in `scratch` is gone afterwards. */
	void (*print)(struct search *s, const struct search_candidate *c, struct arena *scratch, struct out *o);
	/* Those that are next, in the calling thread; none at all once, when the axes are known. false: no more are
	 * wanted, and the search stops. NULL in a rank that serves: they go to rank 0. */
	bool (*take)(struct search *s, struct str rows, void *context);
	void *context;
};

struct search_options {
	bool exact;                  /* the cost model is asked about every candidate */
	bool slow;                   /* each one by itself, by the evaluator: what the tests compare with */
	uint32_t threads;            /* at most; 0 and 1: no other one is started */
	uint32_t per_thread;         /* candidates that are worth a thread; 0: what is usual */
	uint32_t keep;               /* as many best feasible candidates as are looked at (of a pareto objective:
				      * the front); 0: all of them */
	bool picture;                /* with `keep`: what nothing beats in all goals is kept, too, and a sample of all */
	uint32_t shard, shards;      /* only the units of the shard-th (from 1) of so many parts; 0: all */
	/* Called by the calling thread, several times a second. It may write what was found (search_part_write),
	 * and ask nothing that moves the axes. false: stop; the result then is partial. NULL: nobody watches. */
	bool (*watch)(const struct search *s, const struct search_progress *p, void *context);
	void *context;
	bool eager;                  /* he is called after every unit: what the tests stop in */
	const struct search_rows *rows;         /* NULL: nobody wants any. Those of parts are not told */
	/* What was found before (search_part_read): it is not searched again. */
	const struct search_part *parts;
	uint32_t part_count;
	bool merge;                  /* the parts are all there is */
	uint64_t identity;           /* search_identity of what is asked; for parts that are written and `post` */
	struct post *post;           /* to other processes that search with us (team/post.h); NULL: there are none */
};

struct search {
	const struct ir_sweep *sweep;
	uint32_t index;
	struct eval *ev;
	struct record *base;
	const struct goals *goals;              /* of the objective */
	uint64_t total;                         /* candidates */
	struct str product;                     /* "4 tp x (1 + 4 pp x 4 vpp)" */
	struct search_options options;
	struct search_row *rows;                /* conditions, then messages as they came up */
	uint32_t row_count;
	const uint32_t *order;                  /* rows in the order of the report */
	uint64_t evaluated;                     /* candidates the cost model was asked for */
	uint64_t structural;                    /* candidates that keep what needs no cost model */
	uint64_t tested;                        /* candidates that are accounted for: all, unless partial */
	bool partial;                           /* somebody stopped it, or it is one of several parts */
	uint64_t feasible_count;
	struct search_candidate *feasible;      /* those that were kept, by number */
	uint32_t kept;                          /* all of them, unless `keep` says otherwise */
	struct ledger *ledger;                  /* while it runs, and when it is partial */
	struct space *space;
	struct bench *bench;
	struct verdicts *verdicts;
	struct tally *tally;                    /* sets of rows that candidates break */
};

/* Runs a sweep; options NULL: none of them. NULL after reporting: too many candidates, an axis without
 * values, a base record that is not sound. No feasible candidate is no error here. The answer does not
 * depend on the number of threads. */
struct search *search_run(struct eval *ev, uint32_t sweep, const struct search_options *options);

/* What a rank of `post` behind the first does of a sweep, with the same options, while that one is in search_run: it
 * tells what it finds to rank 0 and knows nothing itself. false after reporting, as above. */
bool search_serve(struct eval *ev, uint32_t sweep, const struct search_options *options);

/* What `planc check` says about the sweeps of the root file, without evaluating a candidate: whether the axes can be
 * gone through, and whether the conditions that need no cost model can hold together. A line for each goes to `o`. */
bool search_check(struct eval *ev, struct out *o);

/* ---- long runs and many machines ---------------------------------------------------------------- */

/* What a run had found when it wrote this: its beginning, read; the rest is read when a run takes it over. */
struct search_part {
	struct str sweep;            /* its name */
	uint64_t identity;           /* search_identity of what was asked */
	bool exact, complete;        /* complete: of its shard, everything */
	uint32_t keep;
	bool picture;
	uint32_t shard, shards;      /* 1 of 1 when it is no shard */
	uint64_t total, tested;      /* candidates of the sweep; of those, accounted for here */
	struct str found;
};

/* A number for everything that the answer depends on: texts of the plan, its imports and its parameters, the
 * sweep, limits, the version of the program. */
uint64_t search_identity(const struct eval *ev, uint32_t sweep, bool exact, struct str version);

/* Whether everything that was asked for is in it: the sweep, or its shard. */
bool search_is_complete(const struct search *s);

/* While the sweep runs (from `watch`) or after it. */
void search_part_write(const struct search *s, struct out *o);

/* Whether a text begins as one. false from search_part_read: it is damaged or of another version. The text has to
 * outlive the part. */
bool search_part_begins(struct str text);
bool search_part_read(struct str text, struct search_part *part);

/* ---- what was found -------------------------------------------------------------------------- */

/* Indices into `feasible`, the best first; at most `most`. For a pareto objective those that no other
 * one beats. */
uint32_t search_top(const struct search *s, uint32_t most, uint32_t *result);

/* Those that no other one beats, in the order of the first goal. The count; result may hold all. */
uint32_t search_front(const struct search *s, uint32_t *result);

/* SEARCH_SAMPLE of all feasible ones (all, if there are fewer), without regard to what they are worth; the search was
 * asked for all, or for a `picture`. Always the same ones. */
uint32_t search_sample(const struct search *s, uint32_t *result);

/* The record of a candidate; it lives as long as the globals. */
struct record *search_record(struct search *s, uint64_t number);

/* Values that a candidate gives to the fields of the axes: the k-th path of all axes in order. Fields
 * of an axis that is off have the value they keep. A value lives until another candidate is asked
 * for; search_rest gives the memory back when the questions are over. */
uint32_t search_path_count(const struct search *s);
const struct ir_path *search_path(const struct search *s, uint32_t k);
struct value search_value(struct search *s, uint64_t number, uint32_t k);
void search_rest(struct search *s);

/* Whether the axis of that path is off for the candidate, so that its field keeps its value. */
bool search_path_is_off(struct search *s, uint64_t number, uint32_t k);

/* The shortest end of a path that no other one has: "tp". And a value as people read it. */
struct str search_path_name(const struct search *s, uint32_t k);
struct str search_value_text(struct search *s, uint64_t number, uint32_t k);
void search_value_print(struct search *s, uint64_t number, uint32_t k, struct out *o);

/* The same in a table of candidates: "-" where the axis is off. */
struct str search_cell_text(struct search *s, uint64_t number, uint32_t k);

/* "tp 8, pp 4, vpp 5, cp 1, selective, micro 1"; axes that are off are left out. */
struct str search_describe(struct search *s, uint64_t number);

/* Where a row is declared: "std:prelude.plan", "llama.plan:64"; empty for a message. */
struct str search_row_place(const struct search *s, const struct search_row *row);

/* ---- nothing left ---------------------------------------------------------------------------- */

/* The smallest sets of conditions to give up; asks the cost model about at most 20,000 candidates more.
 * `cut`: that was not enough for all of them. */
const struct search_relief *search_reliefs(struct search *s, uint32_t *count, bool *cut);

/* Reports E2401: how far the candidates come, the nearest one, what to give up. */
void search_report_nothing(struct search *s, struct span at);

/* ---- one candidate --------------------------------------------------------------------------- */

/* A change of one axis that makes a candidate feasible. */
struct search_change {
	uint32_t path;
	uint64_t number;             /* of the candidate it leads to */
};

struct search_why {
	uint64_t matching, feasible; /* candidates at the point */
	uint64_t first;              /* the best feasible one, or 0 */
	uint64_t nearest;            /* the one closest to feasible; 0 when `feasible` > 0 */
	const uint32_t *broken;      /* rows that it breaks */
	uint32_t broken_count;
	const struct search_change *changes;   /* smallest first */
	uint32_t change_count;
};

/* Looks at the candidates that agree with the points of the program. false after reporting that there is
 * none. */
bool search_why_not(struct search *s, struct search_why *why);

/* How a candidate misses a condition: "87.4 GiB <= 74.0 GiB, over by 13.4 GiB (18%)"; empty when the
 * condition holds or compares no numbers. `gap`: the share by which it misses. */
struct str search_miss(struct search *s, uint64_t number, const struct search_row *row, double *gap);

/* ---- the evaluator --------------------------------------------------------------------------- */

/* "candidate 478 of layouts (tp 8, pp 4)", for a record that an expression selected from a sweep; empty
 * for any other. */
struct str search_origin(struct eval *ev, const struct record *r);

/* The result that expressions see: the sweep runs when it is first asked for, and once more when more of its
 * candidates are needed than were kept. `options` says what to keep and who watches; the others are those given to
 * search_install, which the evaluator must have been. NULL: all are kept, nobody watches. NULL after a report,
 * also when the sweep is being run (`at` asked for it). */
struct search *search_once(struct eval *ev, uint32_t sweep, const struct search_options *options, struct span at);

/* Makes the evaluator run sweeps for selections (IR_SELECT), each sweep once, with these options (NULL: none
 * of them). */
void search_install(struct eval *ev, const struct search_options *options);

#endif
