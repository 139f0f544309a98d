/* ledger.h - what was found so far: in a few units (parcels), and in all of them together (the ledger).
 *
 * Units are numbered from 0 in the order of the candidates; with `--shard k/n` those of one shard are
 * numbered anew. What a parcel and the ledger hold depends on their units alone, not on who went through them,
 * when, or in which order; so units may be spread over threads, runs and machines.
 */
#ifndef PLAN_CREW_LEDGER_H
#define PLAN_CREW_LEDGER_H

#include "runtime/search/search_int.h"

/* ---- keep.c: feasible candidates, as many as the answer needs --------------------------------------- */

struct keep {
	const struct search *search;
	const struct goals *goals;   /* that they are placed by */
	bool all;                    /* whatever they are worth */
	uint32_t most;               /* else those that fewer than so many others beat */
	enum contest contest;
	bool scattered;              /* placed by their numbers, scattered: a sample */
	struct keep *beside;         /* the same candidates by another rule; NULL: by no other */
	uint64_t count;              /* of all that were given to it */
	VEC(struct placed) at;       /* the first `settled` in the plain order, the others as they came */
	uint32_t settled, room;      /* when there are `room` of them, they are looked through */
	struct rank_tree tree;       /* over those that are settled */
	double floor;                /* in the first goal: what is worse cannot be picked; -HUGE_VAL: anything can */
	struct arena arenas[2];      /* what is kept lies in the present one; settling moves it to the other */
	uint32_t present;
	struct arena scratch;
	double *near;                /* of the one that comes in */
};

/* Lies in memory of `above`, and is released with it at the latest. */
void keep_init(struct keep *k, const struct search *s, struct arena *above);
void keep_add(struct keep *k, uint64_t number, const struct value *goals);

/* What another one with the same rules has kept, which learns what need not be kept any more; `count` is the
 * caller's. */
void keep_join(struct keep *k, struct keep *other);

/* Drops what is not needed. Afterwards the best so far is the first, unless all are kept. */
void keep_settle(struct keep *k);

/* What is kept by any of the rules, each once, in the order of the numbers; their goals live with the keep. The
 * count. Given to another keep with the same rules, one by one, they leave there what is kept here. */
uint32_t keep_list(struct keep *k, struct arena *a, struct search_candidate **list);
/* Empty again; what it had has been given to the one that it was joined with. */
void keep_clear(struct keep *k);

/* ---- units.c: sets of units --------------------------------------------------------------------------- */

struct unit_range {
	uint64_t lo, hi;             /* [lo, hi) */
};

struct units {
	VEC(struct unit_range) at;   /* in order, none next to another */
};

void units_add(struct units *u, struct arena *a, struct unit_range r);
bool units_has(const struct units *u, uint64_t unit);
/* A unit of both; UINT64_MAX when there is none. */
uint64_t units_common(const struct units *a, const struct units *b);

/* ---- parcel.c: what was found in some units ------------------------------------------------------------- */

/* Rows of one unit: where they end in those of the parcel. */
struct unit_rows {
	uint64_t unit;
	size_t end;
};

struct parcel {
	struct arena arena;          /* of everything below */
	struct units units;
	struct out rows;             /* of all its units, as they were gone through: in their order */
	VEC(struct unit_rows) row_ends;      /* of those that have rows */
	uint32_t told;               /* units whose rows were told */
	struct tally tally;
	enum diag_code *messages;    /* of the rows behind the conditions */
	uint32_t message_count;
	struct keep keep;
	uint64_t tested, evaluated, structural;
	struct parcel *next;         /* in a queue */
	void *owner;                 /* the thread that it is given back to */
	bool copy;                   /* only rows, which were another one's: it is the stream's */
};

/* An empty one in memory of `above`. */
void parcel_init(struct parcel *p, const struct search *s, struct arena *above);
void parcel_clear(struct parcel *p, const struct search *s);

/* A unit that is through, whose rows are the last ones. */
void parcel_add_unit(struct parcel *p, uint64_t unit);

/* Of the messages that a search has rows for now. */
void parcel_close(struct parcel *p, const struct search *s);

/* ---- stream.c: rows in the order of the units --------------------------------------------------------------- */

struct stream {
	const struct search_rows *to;
	struct search *search;
	struct parcel *held;         /* those with rows whose turn has not come */
	struct parcel *spare;        /* copies that were told */
	size_t copied;               /* bytes of rows in copies that were not */
	bool refused;                /* no more are wanted */
};

void stream_init(struct stream *st, struct search *s);

/* Whether it has rows, and so stays until stream_tell gives it back. */
bool stream_hold(struct stream *st, struct parcel *p);

/* Tells the rows of units below `open`. The parcels that have no more: a list. */
struct parcel *stream_tell(struct stream *st, uint64_t open);

/* Holds a copy of its rows, in whatever order its units are. */
void stream_copy(struct stream *st, const struct parcel *p);

/* What is held in memory of another owner, which goes, is copied. */
void stream_keep(struct stream *st);

/* ---- ledger.c: all of it -------------------------------------------------------------------------------- */

struct ledger {
	struct search *search;
	struct units done;
	struct keep keep;
	struct arena sets;           /* of the tally of the search, and of `rows` */
	struct out rows;             /* that go to somebody else with what was found (search_rows without `take`) */
	VEC(struct unit_rows) row_ends;
	struct parcel *incoming;     /* what another run found, while it is added */
	struct stream stream;
	uint64_t *set;               /* scratch */
	uint64_t tested, evaluated, structural;
	uint64_t best;               /* number of the best one so far, 0; only to be shown */
	struct value *best_goals;
	double watched;              /* when somebody was told last */
	bool complete;               /* all units of the shard are done */
};

void ledger_init(struct ledger *l, struct search *s);

/* Adds what was found in units that are not done yet. */
void ledger_add(struct ledger *l, struct parcel *p);

/* Nothing was found: it has been sent to somebody else. */
void ledger_clear(struct ledger *l);

/* The first unit that is not done. */
uint64_t ledger_open(const struct ledger *l);

/* part.c: what another run found. false: its text cannot have been written for this sweep. */
bool search_part_add(struct ledger *l, const struct search_part *part);

/* Tells the watcher now and then, `always` now. false: he wants it to stop. */
bool ledger_watch(struct ledger *l, bool always);

/* Feasible candidates in the order of their numbers go to the search. */
void ledger_finish(struct ledger *l);

/* ---- tickets.c: units that a crew has to go through ------------------------------------------------------ */

#define NO_UNIT UINT64_MAX

struct tickets;

/* None, of this search's shard, in the memory that outlasts it. */
struct tickets *tickets_make(const struct search *s);
void tickets_release(struct tickets *t);

/* More of them, by their numbers in the shard; all lie behind those that were added before. Only the thread that
 * made the tickets adds any. And all that are not done. */
void tickets_add(struct tickets *t, struct arena *a, struct unit_range r);
void tickets_add_others(struct tickets *t, struct arena *a, const struct units *done);

/* No more will be added; `at_once`: nor drawn. */
void tickets_end(struct tickets *t, bool at_once);

/* How many have not been drawn; how many threads wait for one; whether no more will be added. */
uint64_t tickets_left(struct tickets *t);
uint32_t tickets_waiting(struct tickets *t);
bool tickets_have_ended(struct tickets *t);

/* The next one; NO_UNIT when there is none, after waiting until there will be none. Any thread may draw. */
uint64_t tickets_draw(struct tickets *t, bool wait);

/* The unit in the sweep that a number in the shard stands for. */
uint64_t tickets_unit(const struct tickets *t, uint64_t ticket);

/* ---- hunt.c: what one thread does ------------------------------------------------------------------------ */

struct hunt {
	struct search *s;
	struct price *price;         /* NULL: the evaluator is asked about every candidate */
	uint32_t stale;              /* the first level that has moved since; behind the last: none */
	struct tickets *tickets;
	uint64_t ticket;             /* the next unit that is ours, or the one we are in */
	bool inside;                 /* we are in it */
	struct parcel *parcel;       /* what has been found since the last one was handed over */
	double since;                /* when that was */
	uint32_t asked;              /* candidates since `go_on` was asked */
	uint64_t *set;
	struct value *goals;
	struct arena *scratch;       /* of a row */
	bool stopped;
	/* Takes a parcel of whole units; the empty one to go on with, NULL: no more. */
	struct parcel *(*hand_over)(struct parcel *p, void *context);
	/* Asked now and then. false: what is in the present parcel is lost. */
	bool (*go_on)(void *context);
	void *context;
};

/* Goes through the units that it draws tickets for. */
void hunt_run(struct hunt *h);

/* How many units there are in the shard of this search. */
uint64_t hunt_units(struct search *s);

/* Seconds of a clock that only goes forwards. */
double hunt_clock(void);

/* ---- crew.c ------------------------------------------------------------------------------------------------ */

/* The units that are not done, by so many threads (1: nobody else's); false when an axis fails. */
bool crew_run(struct ledger *l, uint32_t threads);

struct crew_state {
	uint32_t working;            /* threads that have not come to their end */
	bool failed;                 /* one of them could not go on: what it had drawn is not done */
};

/* Other processes that search the same sweep, as the crew of this one sees them. */
struct outside {
	/* Called by the calling thread some hundred times a second, so it must not take long: adds tickets and ends
	 * them, adds to the ledger or takes what is in it. false: stop. */
	bool (*exchange)(struct ledger *l, struct tickets *t, const struct crew_state *crew, void *context);
	void *context;
};

/* CREW_STOPPED: by the watcher or from outside. CREW_FAILED: a thread could not go on. */
enum crew_end { CREW_DONE, CREW_STOPPED, CREW_FAILED };

/* The units that come from outside, until that ends the tickets, by so many threads, and one at least. */
enum crew_end crew_share(struct ledger *l, uint32_t threads, const struct outside *outside);

#endif
