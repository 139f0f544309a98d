/* ir.h - the plan IR: what is left of a plan when names and types are settled.
 *
 * Pure expressions over slots. Every table is a flat array and every reference an index, so the IR
 * is a plain value: the runtime evaluates it without the parser, `planc debug ir` prints it, and
 * ir_verify checks it.
 *
 * Late binding. A record is a schema plus a chain of layers, the newest first. The value of slot s
 * is the binding of the newest layer that mentions s, else the schema's default; the expression is
 * evaluated with SLOT referring to the *whole* record, so a derived field sees what a child set.
 * A layer may SET a slot to an expression or AMEND it: lay a further layer over what the older
 * layers say. A `final` slot is never bound by a layer. Names declared by `let` inside a record or a
 * schema are no slots: uses refer to the same node.
 */
#ifndef PLAN_IR_IR_H
#define PLAN_IR_IR_H

#include "compiler/base/map.h"
#include "compiler/base/num.h"
#include "compiler/diag/diag.h"
#include "compiler/types/type.h"

enum ir_op {
#define IR(OP, name, operands) IR_##OP,
#include "compiler/ir/ir.def"
#undef IR
	IR_OP_COUNT
};

enum builtin {
#define BUILTIN(ID, name, least, most, doc) BUILTIN_##ID,
#include "compiler/ir/builtins.def"
#undef BUILTIN
	BUILTIN_COUNT
};

enum layout_member {
	LAYOUT_KIND, LAYOUT_STAGES, LAYOUT_LAYERS, LAYOUT_MTP, LAYOUT_ENTRIES, LAYOUT_EMBEDDING,
	LAYOUT_LOSS, LAYOUT_FIRST, LAYOUT_LAST, LAYOUT_TEXT, LAYOUT_WELL_FORMED,
	LAYOUT_MTP_WELL_PLACED, LAYOUT_MTP_STAGE, LAYOUT_LARGEST, LAYOUT_PER_STAGE, LAYOUT_MEMBER_COUNT
};

extern const char *const layout_member_names[LAYOUT_MEMBER_COUNT];   /* "kind", "stages", ... */

typedef uint32_t ir_id;              /* index of a node */
#define IR_NO_NODE UINT32_MAX    /* no expression */
#define IR_NONE UINT32_MAX       /* no schema, enum, global, layer ... */

struct ir_node {
	enum ir_op op;
	const struct type *type;
	struct span span;
	uint32_t a, b, c;            /* operands as ir.def says */
};

enum constant_kind { CONSTANT_NONE, CONSTANT_BOOL, CONSTANT_NUMBER, CONSTANT_STRING, CONSTANT_ENUM };

struct ir_constant {
	enum constant_kind kind;
	bool truth;
	struct num number;           /* in base units */
	struct str text;
	uint32_t ordinal;            /* CONSTANT_ENUM */
};

struct ir_field {
	struct sym name;
	const struct type *type;
	ir_id value;                 /* default or definition; IR_NO_NODE = must be given (or native) */
	bool final, native;
	struct str doc;
	struct span span;
};

struct ir_assert {
	struct sym name;             /* id 0: unnamed */
	ir_id when;                  /* IR_NO_NODE = always */
	ir_id cond;
	ir_id because;               /* TEMPLATE or CONST string; IR_NO_NODE when absent */
	struct span span;            /* of the whole assert */
	struct span cond_span;
	struct str doc;              /* of a rule of the library: versions and source; often empty */
	bool library;                /* declared in the standard library */
	bool advice;                 /* a rule of the library with the code of a warning: never rules anything out */
	bool expectation;            /* an `expect` of a test */
};

struct ir_schema {
	struct sym name;
	uint32_t base;               /* schema it extends, or IR_NONE */
	struct ir_field *fields;     /* the base's first, same slots */
	uint32_t field_count;
	struct ir_assert *asserts;   /* the base's first */
	uint32_t assert_count;
	uint32_t *presets;           /* globals, in source order */
	uint32_t preset_count;
	struct str doc;
	struct span span;
	bool library;
};

struct ir_enum {
	struct sym name;
	struct sym *values;
	struct str *docs;
	uint32_t count;
	struct str doc;
	bool ordinals;               /* numbers are accepted as values (`zero = 1`) */
	struct span span;
};

enum binding_kind { BIND_SET, BIND_AMEND };

struct ir_binding {
	uint32_t slot;
	enum binding_kind kind;
	uint32_t what;               /* BIND_SET: node; BIND_AMEND: layer of the slot's schema */
	uint32_t locals;             /* BIND_AMEND: list of nodes of the record around that the layer reads as
	                              * locals, the first outermost; each sees those before it */
	uint32_t local_count;
	struct span span;            /* of the name, for provenance */
};

struct ir_layer {
	uint32_t schema;
	struct ir_binding *bindings; /* a slot at most once */
	uint32_t binding_count;
	struct ir_assert *asserts;   /* written inside the braces */
	uint32_t assert_count;
	struct sym name;             /* of the instance; id 0 for `with` and literals */
	struct span span;
};

enum global_kind { GLOBAL_PARAM, GLOBAL_LET, GLOBAL_INSTANCE, GLOBAL_TABLE };

struct ir_global {
	enum global_kind kind;
	struct sym name;
	uint32_t file;               /* IR_NONE for what a test declares: no part of its file */
	const struct type *type;
	ir_id value;                 /* IR_NO_NODE for GLOBAL_TABLE */
	uint32_t table;              /* GLOBAL_TABLE: index into tables */
	uint32_t base;               /* GLOBAL_INSTANCE: global it extends, or IR_NONE */
	struct str doc;
	struct span span;            /* of the name */
	bool library;
};

struct ir_function {
	struct sym name;
	const struct type **params;
	struct sym *param_names;
	uint32_t param_count;
	const struct type *result;
	ir_id body;                  /* the last parameter is local 0 */
	struct str doc;
	struct span span;
};

/* Typed rows read from a CSV or JSON file. Cells are constants in row order, one per field. */
struct ir_table {
	uint32_t schema;
	uint32_t row_count;
	struct ir_constant *cells;   /* row_count * field_count of the schema */
};

struct ir_emit {
	uint32_t schema;             /* the target: a schema that extends `target` */
	struct sym target;
	ir_id from;                  /* a record; IR_NO_NODE for a sweep */
	uint32_t sweep;              /* whose result a report is of; IR_NONE */
	ir_id to;                    /* a string */
	uint32_t layer;              /* options as a layer of the target's schema; IR_NONE */
	struct span span, to_span;
};

/* ---- sweeps -----------------------------------------------------------------------------------
 *
 * A sweep is a loop nest over a record: one loop for each axis, the first outermost. A candidate is the
 * record with a layer for each axis laid over it, in their order; nothing else makes it special. Level 0
 * is outside all loops, level k inside the k-th; what an expression reads says at which level it is known.
 */

/* What an expression may depend on. Conservative: more bits than needed are allowed. */
struct ir_reads {
	uint64_t axes;               /* bit k: axis k of the sweep */
	bool model;                  /* a result of the cost model */
};

/* A field that an axis sets, from the record of the sweep down. */
struct ir_path {
	const uint32_t *slots;
	uint32_t slot_count;
	const struct type *type;     /* of the field */
	struct str text;             /* "strategy.tp" */
	uint32_t layer;              /* sets it to local 0: the value of the axis */
	struct span span;
};

struct ir_axis {
	struct ir_path *paths;       /* several: the axis goes through tuples */
	uint32_t path_count;
	ir_id values;                /* a list, in the record with the axes before this one */
	ir_id when;                  /* IR_NO_NODE: always; false: the fields keep their values */
	struct ir_reads values_read; /* axes before this one */
	struct ir_reads reads;       /* values and `when` */
	struct span span;
};

/* A record inside the candidate: slots from the candidate down; through a list, all its elements. */
struct ir_inside {
	const uint32_t *slots;
	uint32_t slot_count;
};

/* What can remove a candidate: a rule of a schema, an assert inside braces, or a constraint. */
struct ir_condition {
	struct ir_assert rule;
	bool own;                    /* a constraint of the sweep */
	uint32_t layer;              /* the braces it is written in; IR_NONE for the others */
	const struct ir_inside *places;   /* the records that it holds for */
	uint32_t place_count;
	struct ir_reads reads;
};

struct ir_goal {
	bool maximise;
	ir_id value;                 /* a number */
	ir_id slack;                 /* IR_NO_NODE for none */
	bool relative;               /* the slack is a share of the best value */
	struct ir_reads reads;
	struct span span;
};

enum { IR_AXES_MAX = 64 };

struct ir_sweep {
	struct sym name;
	uint32_t file;
	const struct type *type;     /* of a candidate; poison when the sweep is broken */
	bool settled;                /* ir_sweep_settle has been called */
	ir_id of;                    /* the record it goes out from */
	struct ir_axis *axes;
	uint32_t axis_count;
	struct ir_condition *conditions;  /* in report order: rules, then constraints */
	uint32_t condition_count;
	bool has_objective, pareto;
	struct ir_goal *goals;
	uint32_t goal_count;
	ir_id limit;                 /* an int; IR_NO_NODE */
	struct ir_reads *slots;      /* of each field of the record, with everything inside it */
	uint32_t slot_count;
	struct str doc;
	struct span span;            /* of the name */
	bool library;
};

enum selection { SELECT_BEST, SELECT_TOP, SELECT_PARETO, SELECT_ALL, SELECT_COUNT };

extern const char *const selection_names[SELECT_COUNT];   /* "best", ... */

/* A condition on an axis that somebody asks about (`planc why-not`). */
struct ir_point {
	uint32_t sweep, axis, path;
	ir_id value;                 /* of the type of the path */
	struct span span;
};

/* What `planc solve` was asked: the value of a field at which a record stops to meet what it has to. */
struct ir_inverse {
	uint32_t global;             /* the value of the plan that is changed: itself, or a field of it */
	struct ir_path path;         /* from `global` down; slot_count 0: the value itself. No layer */
	uint32_t subject;            /* global: the record whose rules hold and whose fields conditions name */
	ir_id low, high, step;       /* a range, all IR_NO_NODE without one; step IR_NO_NODE: none given */
	ir_id values;                /* a list; IR_NO_NODE */
	struct ir_assert fits;       /* of a job: that it fits into memory; cond IR_NO_NODE for other records */
	struct ir_assert such_that;  /* cond IR_NO_NODE when there is none */
};

/* A block that is expected to fail: what it declares, and what was reported while it was compiled. */
struct ir_failure {
	enum diag_code code;         /* the one that must be reported; DIAG_NONE: unknown, reported */
	struct span code_span;
	struct diag_sink reported;
	uint32_t *globals;           /* its values and records, in source order */
	uint32_t global_count;
	struct ir_assert *asserts;
	uint32_t assert_count;
	struct ir_emit *emits;       /* tried, never written */
	uint32_t emit_count;
};

enum step_kind { STEP_VALUE, STEP_EXPECT, STEP_FAILURE };

struct ir_step {
	enum step_kind kind;
	uint32_t global;             /* STEP_VALUE: a `let` or a record */
	struct ir_assert expect;     /* STEP_EXPECT */
	struct ir_failure failure;   /* STEP_FAILURE */
	struct span span;
};

struct ir_test {
	struct str title;
	struct ir_step *steps;       /* in source order */
	uint32_t step_count;
	struct span span;            /* of the title */
};

/* A global of another file that the root file imported by name. */
struct ir_visible {
	struct sym name;
	uint32_t global;
};

struct ir_program {
	struct arena *arena;
	struct interner *names;
	const struct sources *sources;
	struct type_table *types;
	VEC(struct ir_node) nodes;
	VEC(bool) reads_self;        /* parallel to nodes: depends on the record it is evaluated in */
	VEC(uint32_t) lists;
	VEC(struct sym) list_names;  /* parallel to lists: name of a named argument, else id 0 */
	VEC(struct ir_constant) constants;
	VEC(struct ir_schema) schemas;
	VEC(struct ir_enum) enums;
	VEC(struct ir_layer) layers;
	VEC(struct ir_global) globals;
	VEC(struct ir_function) functions;
	VEC(struct ir_table) tables;
	VEC(struct ir_sweep) sweeps;         /* of all files */
	VEC(struct ir_point) points;
	VEC(struct ir_emit) emits;           /* of the root file, in source order */
	VEC(struct ir_assert) asserts;       /* file level, all user files, in source order */
	VEC(struct ir_test) tests;           /* of the root file, in source order */
	VEC(struct ir_visible) visible;
	struct ir_inverse *inverse;          /* NULL: nothing is solved for */
	ir_id question;                      /* an expression asked about the file; IR_NO_NODE */
	uint32_t target;                     /* schema of compile_input's `target`; IR_NONE */
	uint32_t root_file;
};

const char *ir_op_name(enum ir_op op);
const char *ir_op_operands(enum ir_op op);   /* the letters of ir.def */
const char *builtin_name(enum builtin b);

struct builtin_info {
	const char *name;
	uint32_t least, most;        /* arguments; most 255 = any number */
	const char *doc;
};

const struct builtin_info *builtin_info(enum builtin b);

/* Lookups by name; IR_NONE when absent. Globals: as the root file sees them. */
uint32_t ir_find_schema(const struct ir_program *p, const char *name);
uint32_t ir_find_enum(const struct ir_program *p, const char *name);
uint32_t ir_find_field(const struct ir_program *p, uint32_t schema, struct str name);
uint32_t ir_find_global(const struct ir_program *p, struct str name);
bool ir_schema_extends(const struct ir_program *p, uint32_t schema, uint32_t ancestor);

/* How many loops of its sweep have to be open before something is known: 0 to axis_count. */
uint32_t ir_level(struct ir_reads reads);

/* "strategy", "list[int]", "bytes/s", "int?": as the language writes types. */
void type_print(struct out *o, const struct ir_program *p, const struct type *t);

/* Checks every index, operand and type of the program; on a fault fills `what` (a static text) and the
 * node, and returns false. Costs one pass over all tables. */
bool ir_verify(const struct ir_program *p, const char **what, uint32_t *where);

/* The whole program, or only what the root file declares (`planc debug ir`). */
void ir_print(struct out *o, const struct ir_program *p, bool with_library);

#endif
