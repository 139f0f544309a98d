/* eval.h - evaluates IR expressions: lazily, each slot once, with messages that show values. */
#ifndef PLAN_EVAL_EVAL_H
#define PLAN_EVAL_EVAL_H

#include "runtime/value/value.h"

struct eval;

/* Computes a `native` slot of a record. false: nothing to be had (a message was left, or the mode
 * excludes the cost model); the slot is then poison. */
typedef bool native_function(struct eval *ev, struct record *r, uint32_t slot, struct value *result,
			     void *context);

/* flops_per_token(model, sequence = n, profile = p): a quantity of work, or poison behind a message. */
struct flops_question {
	struct record *model;
	struct record *profile;              /* NULL: the preset `standard` */
	int64_t sequence;                    /* tokens, from 1 */
	struct span at;                      /* who asks */
};

typedef struct value model_flops_function(struct eval *ev, const struct flops_question *question,
					  void *context);

/* Reports what emitting would, and writes nothing. */
typedef void try_emit_function(struct eval *ev, const struct ir_emit *emit);

/* A slot or a global that is being computed; a chain on the C stack, innermost first. Messages name
 * it, cycles are told from it. */
struct active {
	struct active *up;
	struct record *record;               /* NULL: a global */
	uint32_t what;                       /* slot, or global */
	ir_id node;                          /* its expression; IR_NO_NODE for native ones */
	struct span at;                      /* the use that asked for it; SPAN_NONE from C */
};

enum {
	EVAL_DEPTH_MAX = 2000,               /* nested nodes: E0103 */
	EVAL_STEPS_MAX = 20000000,           /* nodes of one call from outside: E2003 */
	EVAL_LIST_MAX = 1000000,             /* elements of a computed list: E2003 */
	EVAL_TEXT_MAX = 1000000              /* bytes of a computed text: E2003 */
};

/* The candidates that an expression selects from a sweep (IR_SELECT); count: of `top`. `at` is the call.
 * Poison after a report. */
typedef struct value select_function(struct eval *ev, uint32_t sweep, enum selection which, int64_t count,
				     struct span at, void *context);

/* A field that has this value in every record of exactly this schema, whatever the plan says: for asking
 * what would be if. Set before anything is evaluated. */
struct eval_forced {
	uint32_t schema, slot;
	struct value value;
};

struct eval {
	struct arena *arena;                 /* of what is computed now; that of a record for its slots */
	struct arena *lasting;               /* of globals */
	const struct ir_program *program;
	struct diag_sink *sink;
	native_function *native;             /* NULL: native slots are poison */
	void *native_context;
	model_flops_function *model_flops;   /* NULL: flops_per_token() is poison */
	void *model_flops_context;
	select_function *select;             /* NULL: selections are poison */
	void *select_context;
	try_emit_function *try_emit;         /* NULL: emits of tests are not tried */
	bool without_model;                  /* `planc check`: natives that need the cost model are poison */
	bool advise;                         /* rules that only advise are told of */
	const struct eval_forced *forced;    /* fields that have another value than the plan says */
	uint32_t forced_count;
	bool allow_missing;                  /* a required field that nobody set is poison, silently */
	struct eval *outer;                  /* NULL; else who knows the globals that are not `own` */
	const bool *own;                     /* by global, with `outer`: those computed here */
	struct value *globals;               /* one per global, by states */
	unsigned char *global_states;
	struct active *active;
	uint32_t depth;                      /* nesting of evaluation, against runaway recursion */
	uint64_t steps;                      /* nodes evaluated since the outermost call */
	uint64_t steps_max;                  /* EVAL_STEPS_MAX unless somebody sets another limit */
	uint64_t candidates_max;             /* of a sweep, whatever it says itself; 0 = no such limit */
	bool exhausted;                      /* a limit was reported; the rest of the call is poison */
};

/* Where an expression is evaluated: the record whose slots it names, the local names. */
struct scope {
	struct record *self;
	const struct frame *frame;
};

void eval_init(struct eval *ev, struct arena *arena, const struct ir_program *p, struct diag_sink *sink);

/* Poison after reporting (once). */
struct value eval_node(struct eval *ev, ir_id node, struct scope scope);
struct value eval_global(struct eval *ev, uint32_t global);

/* The value of a slot; computes and remembers it. A required slot that nobody set is E1205. */
struct value record_get(struct eval *ev, struct record *r, uint32_t slot);
/* at_least() of the language for two texts; true where one of them is no version. */
bool version_reaches(struct str version, struct str least);

struct value record_get_named(struct eval *ev, struct record *r, const char *field);
bool record_is_set(const struct eval *ev, const struct record *r, uint32_t slot);   /* by a layer */

/* Lays a layer over a base (NULL: the schema's defaults). The new record. */
struct record *record_extend(struct eval *ev, const struct record *base, uint32_t layer,
			     const struct frame *frame);
struct record *record_make(struct eval *ev, uint32_t schema);         /* defaults only */
void record_set(struct record *r, uint32_t slot, struct value v);     /* for natives */

/* Structural equality; forces the slots of records. */
bool eval_equal(struct eval *ev, struct value a, struct value b, const struct type *t);

/* ---- conditions ------------------------------------------------------------------------------ */

enum verdict { VERDICT_HOLDS, VERDICT_BROKEN, VERDICT_SKIPPED };      /* skipped: `when` false or poison */

/* One assert in a scope; does not report. */
enum verdict assert_test(struct eval *ev, const struct ir_assert *a, struct scope scope);

/* How a broken one is told. */
struct assert_telling {
	struct span at;         /* place in the user's text (the instance) when the rule is the library's */
	struct str instance;    /* "pretrain.strategy"; empty: none */
	const struct str *also; /* names of others that are broken too */
	uint32_t also_count;
	enum diag_code code;    /* DIAG_NONE: of a library rule by its name, else E2301 */
};

/* Reports a broken one: the condition drawn with its values, the `because` text, others in a note. */
void assert_report(struct eval *ev, const struct ir_assert *a, struct scope scope,
		   struct assert_telling how);

/* Adds the drawing of an assert's condition with its values to a message. */
void assert_draw(struct eval *ev, struct diag *d, const struct ir_assert *a, struct scope scope);

/* Whether the field `silence` of a job names this piece of advice; false for a record without the field. */
bool advice_is_silenced(struct eval *ev, struct record *job, struct str name);

/* Reports a broken rule that only advises, a warning by `how`, and how a job silences it under `name`. */
void advice_report(struct eval *ev, const struct ir_assert *a, struct record *self, struct str name,
		   struct assert_telling how);

/* The advice of the library on one record that keeps its rules, as warnings. */
void record_advise(struct eval *ev, struct record *r, struct span at, struct str name);

/* All asserts of a record (schema and layers) and, through its slots, of the records in it. Reports the
 * first broken rule of each record and names the others in a note. true: nothing broken. */
bool record_check(struct eval *ev, struct record *r, struct span at, struct str name);

/* Every declared instance and file-level assert of the user's files: what `planc check` does. */
bool program_check(struct eval *ev);

/* The same for what one scope of a test declares. */
bool scope_check(struct eval *ev, const uint32_t *globals, uint32_t count,
		 const struct ir_assert *asserts, uint32_t assert_count);

/* Runs a test with evaluators of its own, made after `like`: no test sees what another one computed. Its
 * messages go to `sink`. true: it passed. */
bool test_run(const struct eval *like, const struct ir_test *t, struct diag_sink *sink);

#endif
