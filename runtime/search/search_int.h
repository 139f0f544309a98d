/* search_int.h - the parts of a search: its axes (space), the records of candidates (bench), verdicts. */
#ifndef PLAN_SEARCH_SEARCH_INT_H
#define PLAN_SEARCH_SEARCH_INT_H

#include "compiler/ir/reads/reads.h"
#include "runtime/bind/job.h"
#include "runtime/search/rank/rank.h"
#include "runtime/search/search.h"

/* ---- space.c: axes, positions, numbers -------------------------------------------------------- */

/* An axis with its values at the present place of the nest. */
struct loop {
	const struct ir_axis *ir;
	const struct list *values;
	uint32_t position;           /* of the present value; `off` when `when` is false */
	bool off;
	uint64_t radix;              /* places that keys tell apart: more than there can be */
	uint64_t known_by;           /* this axis and those it depends on, however far */
	struct map when;             /* key of what it depends on -> 1 off, 2 on */
};

/* Counts of the candidates below a place, by the positions that they depend on. */
struct counts {
	struct map known;
	VEC(uint64_t) values;
};

struct space {
	struct search *search;
	struct loop *axes;
	uint32_t n;
	struct counts *counts;       /* one for each level */
	uint64_t *needs;             /* per level: axes outside that what is inside depends on */
	uint64_t limit;
	bool capped;                 /* by the caller, below what the sweep allows */
	uint64_t stands_at;          /* candidate that the axes are known to be at, or 0 */
	uint32_t opened;             /* places, while candidates are counted at first */
	bool failed;                 /* an axis has no value or cannot be computed; reported */
};

/* Counts the candidates; false after reporting. */
bool space_measure(struct search *s);

/* describe.c: the product of the counts, for people. */
void space_describe(struct search *s);

/* describe.c: axis of the k-th path; k becomes the path of that axis. */
uint32_t search_axis_of(const struct search *s, uint32_t *k);

/* false after reporting that there are more than the limit. */
bool space_within_limit(struct space *sp);

/* Computes values and `when` of axis k in the place of the axes before it, and goes to its first value.
 * false after reporting. */
bool space_open(struct space *sp, uint32_t k);

/* The number of values at this place, 1 when the axis is off. */
uint32_t space_width(const struct loop *a);

/* Candidates inside the present place of the first `level` axes. */
uint64_t space_count(struct space *sp, uint32_t level);

/* Puts all axes to the place of a candidate, numbered from 1. */
void space_goto(struct space *sp, uint64_t number);

/* Puts axis k to a position. */
void space_set(struct space *sp, uint32_t k, uint32_t position);

/* A number for the positions of some axes, equal only if they are equal, below their span. The span is
 * 0 when there are too many for 64 bits. */
uint64_t space_key(const struct space *sp, uint64_t axes);
uint64_t space_span(const struct space *sp, uint64_t axes);

/* The k-th value of a list of an axis: of one of its paths, where they go through tuples. */
struct value space_value(const struct loop *a, const struct list *values, uint32_t position,
			 uint32_t path);

/* ---- search.c: a run ------------------------------------------------------------------------------- */

/* A search of nothing so far, in the lasting arena; options may be NULL. */
struct search *search_make(struct eval *ev, uint32_t sweep, const struct search_options *options);

/* The evaluator may be in the middle of an expression that asks for the sweep: it is put aside meanwhile. */
struct search_pause {
	struct arena *arena;
	uint32_t depth;
	uint64_t steps;
	bool exhausted;
};

struct search_pause search_pause(struct eval *ev);
void search_resume(struct eval *ev, struct search_pause p);

/* ---- bench.c: records of candidates ------------------------------------------------------------ */

struct bench_level {
	struct arena arena;          /* of the record and everything computed for it */
	struct record *record;       /* with the first `level` axes; NULL when it has to be made */
};

/* Records of the nest, one for each level, made when they are needed. What happens to them is not told:
 * `quiet` keeps the messages of one evaluation. */
struct bench {
	struct search *search;
	struct bench_level *levels;  /* n + 1; level 0 is the base record in the arena of the globals */
	uint32_t n;
	uint32_t *slot_levels;       /* of each field of the record */
	struct diag_sink quiet;
	struct arena messages;
};

struct bench *bench_make(struct search *s);
void bench_release(struct bench *b);

/* The record with the first `level` axes at their present values. */
struct record *bench_record(struct bench *b, uint32_t level);

/* The axes from k on have moved. */
void bench_moved(struct bench *b, uint32_t k);

/* Between these the evaluator's messages go to `quiet`, and limits count anew. */
struct bench_hush {
	struct diag_sink *sink;
	uint32_t depth;
	uint64_t steps;
	bool exhausted;
};

struct bench_hush bench_begin(struct bench *b);
/* The first message of the evaluation; NULL when there was none. Valid until the next bench_begin. */
const struct diag *bench_end(struct bench *b, struct bench_hush hush);

/* ---- lookup.c: results by the positions that they depend on ---------------------------------------- */

struct lookup {
	uint64_t axes;               /* that decide it, with those that their values depend on */
	uint32_t level;              /* loops that have to be open */
	uint32_t size;               /* bytes of an entry */
	uint32_t entries;
	bool direct;                 /* an entry for each combination; else the last ones, by a hash */
	bool remembers;              /* there are few enough combinations to tell them apart */
	uint8_t axis[IR_AXES_MAX];
	uint32_t axis_count;
	unsigned char *known;
	uint64_t *keys;              /* of the entries that are not direct */
	unsigned char *bytes;
};

/* The entry of this place of the nest: `known` is 0 when it has to be computed, and the caller's otherwise. */
struct lookup_entry {
	unsigned char *known;
	void *bytes;
};

void lookup_init(struct lookup *l, const struct space *sp, struct ir_reads reads, uint32_t size,
		 struct arena *a);
struct lookup_entry lookup_at(struct lookup *l, const struct space *sp);

/* ---- formula.c: what a condition or a goal makes of results of the cost model ---------------------- */

struct formula_step {
	enum { FORMULA_CELL, FORMULA_NUMBER, FORMULA_OPERATION } kind;
	uint32_t cell;
	struct job_number number;
	enum ir_op op;
	const struct type *type;
};

/* In postfix order; no steps: the evaluator has to be asked. */
struct formula {
	struct formula_step *steps;
	uint32_t n;
};

/* An expression that needs no cost model, by the axes that it reads. */
struct cell {
	ir_id node;
	struct lookup lookup;        /* struct value */
};

struct formulas {
	struct search *search;
	struct ir_candidate *candidate;
	struct arena *arena;
	VEC(struct cell) cells;
};

void formulas_init(struct formulas *f, struct search *s, struct ir_candidate *c, struct arena *a);
struct formula formula_make(struct formulas *f, ir_id node);

/* false: it has no value, or one that does not fit in here; the evaluator knows more. */
bool formula_value(struct formulas *f, const struct formula *formula, const struct job *j,
		   struct arena *scratch, struct value *result);

/* ---- price.c: the cost model, asked with what has moved --------------------------------------------- */

struct price;

/* NULL when the records of this sweep are no jobs. */
struct price *price_make(struct search *s, struct arena *a);

/* Axis `level` - 1 has moved to a new position (level 0: the base record). */
void price_level(struct price *p, uint32_t level);

/* What verdicts_model says of the candidate that the axes stand at. false: nothing was said. */
bool price_candidate(struct price *p, uint64_t *set, struct value *goals);
void price_release(struct price *p);

/* ---- verdict.c: conditions --------------------------------------------------------------------- */

enum test { TEST_UNKNOWN, TEST_HOLDS, TEST_BROKEN, TEST_FAILED };

/* A condition with what is remembered of it: by the positions of the axes that it reads. */
struct tested {
	const struct ir_condition *ir;
	struct lookup lookup;        /* known: enum test, from TEST_FAILED on the message */
};

static inline bool rowset_has(const uint64_t *words, uint32_t i)
{
	return words[i / 64] >> (i % 64) & 1;
}

static inline void rowset_add(uint64_t *words, uint32_t i)
{
	words[i / 64] |= (uint64_t)1 << (i % 64);
}

struct verdicts {
	struct search *search;
	struct tested *at;           /* conditions of the sweep */
	uint32_t n;
	bool needs_model;            /* some condition or goal reads a result of the cost model */
	uint32_t words;              /* of a set of rows */
	uint32_t row_max;            /* rows there can be: conditions and messages */
	uint32_t *cheap;             /* those that need no cost model, by level */
	uint32_t *first;             /* of each level in `cheap` */
	struct arena arena;          /* of what is remembered */
	bool remembering;
};

struct verdicts *verdicts_make(struct search *s);

/* The rows broken by the cheap conditions that are known at exactly this level are added to `set`. A
 * condition that cannot be computed leaves the row of its message in `failed`, which is the first one. */
void verdicts_level(struct verdicts *v, uint32_t level, uint64_t *set, uint32_t *failed);

/* Whether there are any. */
bool verdicts_has_level(const struct verdicts *v, uint32_t level);

/* What the cost model says of the candidate that the axes stand at: rows that it breaks are added to
 * `set`, values of the goals go to `goals` (of the sweep's number). A candidate that breaks nothing
 * but cannot be evaluated gets the row of the message; with `strict` one that breaks something too. */
void verdicts_model(struct verdicts *v, uint64_t *set, struct value *goals, bool strict);

/* A row for a message: those of one code share one. */
uint32_t verdicts_message(struct search *s, enum diag_code code, struct str text);

/* The text that the evaluation of a candidate leaves under a code; empty when it leaves none. */
struct str verdicts_witness(struct search *s, uint64_t number, enum diag_code code);

/* Broken or failed, for a record at hand. */
enum test condition_test(struct search *s, const struct ir_condition *k, struct record *r,
			 uint32_t *message);

/* A number is kept without what it points to; what does not fit is compared as a real. */
struct value goal_number(struct value v);

/* Room to remember verdicts, before a walk; verdicts_release gives it back. */
void verdicts_begin(struct verdicts *v);
void verdicts_release(struct verdicts *v);

/* The record and frame in which a condition is broken; false when it is not. */
bool condition_scope(struct search *s, const struct ir_condition *k, struct record *r, struct scope *scope);

/* rows.c: the order of the report, after rows have been added. */
void make_order(struct search *s);

/* rows.c: messages in the order of their first candidates, with its words, and the counts of all rows. */
void rows_count(struct search *s);

/* ---- hunt.c ------------------------------------------------------------------------------------------ */

/* Base record, axes, number of candidates; false after reporting. */
bool hunt_prepare(struct search *s);

/* ---- crowd.c: counts of candidates that nobody visits ------------------------------------------------ */

/* Candidates that break the same cheap conditions of those inside a place. */
struct crowd {
	uint64_t *set;
	uint32_t failed;             /* row of a message, or 0 */
	uint64_t count;
	uint64_t first;              /* candidates in front of the first of them */
};

struct inside {
	VEC(struct crowd) crowds;
	uint64_t count;              /* of all */
};

struct crowd_level {
	uint64_t needs;              /* axes outside that anything inside depends on */
	bool remembers;
	struct map known;            /* key of `needs` -> index into `insides` */
	VEC(struct inside *) insides;
};

struct crowds {
	struct search *search;
	struct arena arena, scratch;
	uint32_t words;
	struct crowd_level *levels;
	struct inside leaf;
	uint64_t left;               /* positions that may still be gone to; at 0 what is found is not all there is */
};

struct crowds *crowds_make(struct search *s);
void crowds_release(struct crowds *c);

/* What is inside the present place of the first `level` axes; the axes from there on move. */
const struct inside *crowds_inside(struct crowds *c, uint32_t level);

/* Whether asking twice costs little. */
bool crowds_remember(const struct crowds *c, uint32_t level);

/* ---- clash.c: conditions that no candidate keeps together ------------------------------------------- */

/* None, some, or nobody knows: that would take too many places of the nest. */
enum clash_answer { CLASH_NONE, CLASH_FOUND, CLASH_OPEN };

/* A smallest set of conditions that need no cost model, of which every candidate breaks one. */
struct clash {
	uint32_t *rows;
	uint32_t row_count;
};

/* Whether a row is a rule of the library, which an author cannot give up. */
static inline bool search_row_library(const struct search *s, uint32_t row)
{
	return s->rows[row].condition->rule.library;
}

/* choice.c: from the tally of all candidates. false when there is none: some candidate breaks no such condition. */
bool clash_find(struct search *s, struct clash *clash);

/* blame.c: E2416 with its labels; the caller adds what he knows and submits it. */
struct diag *clash_message(struct search *s, const struct clash *clash, struct span at);

/* What a check can add: the only condition drawn, the smallest sets that some candidate breaks. */
void clash_help(struct search *s, const struct clash *clash, struct diag *d);

/* Looks for one before anything is evaluated, and reports it. The axes were measured. */
enum clash_answer clash_check(struct search *s);

/* ---- walk.c: the nest --------------------------------------------------------------------------- */

struct walker {
	/* Called for every candidate in order, with the rows that its cheap conditions break. The axes
	 * stand at the candidate. false ends the walk. */
	bool (*candidate)(struct search *s, uint64_t number, const uint64_t *set, void *context);
	/* NULL, or: many candidates that break the same rows, at least one, are told by their number and
	 * that of the first, and not visited. */
	void (*crowd)(struct search *s, const uint64_t *set, uint64_t count, uint64_t first, void *context);
	/* NULL, or: the nest falls into units, numbered from 0; those that are not taken are passed over. */
	bool (*take)(uint64_t unit, void *context);
	uint32_t unit_level;         /* loops around a unit */
	bool strict;                 /* the row of a message is told of candidates that break something too */
	/* NULL, or: called when the first `level` axes stand at a new place. */
	void (*level)(struct search *s, uint32_t level, void *context);
	void *context;
};

void search_walk(struct search *s, const struct walker *f);

/* ---- tally.c: how often which set of rows is broken --------------------------------------------- */

struct tally_entry {
	uint64_t *set;
	uint64_t count;
	uint64_t first;              /* number of the first such candidate */
};

struct tally {
	struct arena *arena;
	uint32_t words;
	struct map by_hash;          /* hash -> first entry + 1 */
	VEC(struct tally_entry) entries;
	VEC(uint32_t) next;
};

void tally_init(struct tally *t, struct arena *a, uint32_t words);
void tally_add(struct tally *t, const uint64_t *set, uint64_t count, uint64_t first);
bool set_is_empty(const uint64_t *set, uint32_t words);
bool set_contains(const uint64_t *set, const uint64_t *part, uint32_t words);
uint32_t set_size(const uint64_t *set, uint32_t words);

/* ---- near.c: how close a candidate is to feasible -------------------------------------------------- */

struct nearness {
	uint32_t broken;             /* conditions */
	double gap;                  /* sum of the shares by which they miss; large where it is unknown */
	uint64_t number;
};

/* Of a candidate that the axes stand at, with the rows that it breaks. */
struct nearness near_here(struct search *s, uint64_t number, const uint64_t *set);
bool near_is_less(struct nearness a, struct nearness b);

/* The comparison that fails and its two sides; false when the condition compares no numbers. */
struct miss {
	enum ir_op op;
	struct value left, right;
	const struct type *type;
};

bool near_miss(struct search *s, const struct ir_condition *k, struct record *r, struct miss *miss);
double miss_gap(const struct miss *m);

#endif
