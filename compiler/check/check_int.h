/* check_int.h - what the files of this folder share: the state of one compilation, the surroundings of
 * an expression, and the steps that turn syntax into nodes of the program.
 *
 * Inference and lowering are one pass: every function that lowers an expression returns a node, and
 * the node carries its type. A mistake is reported once and becomes a POISON node, which fits
 * everything.
 */
#ifndef PLAN_CHECK_CHECK_INT_H
#define PLAN_CHECK_CHECK_INT_H

#include "compiler/check/compile.h"
#include "compiler/ir/build.h"
#include "compiler/names/names.h"

/* ---- surroundings of an expression ----------------------------------------------------------- */

/* A name bound by a function or a comprehension. */
struct local {
	struct sym name;
	const struct type *type;
	uint32_t level;              /* 0 for the outermost */
	const struct let *captured;  /* stands for this `let` of an enclosing record, else NULL */
	const struct local *outer;
};

/* A value that is known not to be `none` here: a name, then members. */
enum { PATH_PARTS_MAX = 6 };

struct path {
	const void *root;            /* local, let or declaration; for a field of the record, NULL */
	uint32_t record, slot;       /* root NULL: which record, which field */
	struct sym parts[PATH_PARTS_MAX];
	uint32_t n;
};

struct fact {
	struct path path;
	const struct fact *older;
};

/* `let` inside a record or a schema. */
struct let {
	struct sym name;
	struct ast *node;
	const struct env *env;
	enum decl_state state;
	ir_id value;
	uint32_t level;              /* at which value was lowered */
};

struct lets {
	struct let **at;
	uint32_t n;
	struct map by_name;
};

struct captures {
	VEC(struct let *) lets;
};

struct env {
	struct module *module;
	uint32_t schema;             /* of the record whose text this is; IR_NONE outside one */
	uint32_t record;             /* number of that text, to tell equal slots apart */
	uint32_t own;                /* slot being defined, or IR_NONE */
	uint32_t candidate;          /* options of an emit: slot that holds the emitted record, or IR_NONE */
	const struct lets *lets;
	const struct local *locals;
	uint32_t level;              /* number of locals */
	bool typeless;               /* the type wanted is wrong and reported: a bare name may be a value of it */
	const struct fact *facts;
	struct captures *captures;   /* of the binding being lowered in this record; may be NULL */
	const struct env *outer;     /* text around this record, or NULL */
};

/* ---- state of a compilation ------------------------------------------------------------------ */

struct schema_info {
	struct decl *decl;
	enum decl_state header;      /* fields and base are known */
	bool *overridden;            /* fields of the base with a new default here */
	struct map by_name;          /* symbol -> slot */
	VEC(uint32_t) presets;
};

/* Something being lowered, for the path of a cycle. */
struct busy {
	const void *what;            /* a struct decl or a struct let */
	struct sym name;
};

/* `-p name=VALUE` for one parameter of the root file. */
struct override {
	const struct decl *decl;
	struct ast *value;
};

struct common_types {
	const struct type *poison, *any, *none, *boolean, *string, *integer, *rational, *real, *ratio;
	const struct type *layout, *arg;
};

struct check {
	const struct compile_input *in;
	struct arena *arena;
	struct interner *names;
	struct diag_sink *sink;
	uint32_t errors;                     /* of the sink before: of earlier questions about the plan */
	struct ir_program *p;
	struct modules *modules;
	struct {                             /* what is being settled: files from `first` on, or a test */
		uint32_t first;
		struct module *nested;
	} round;
	struct common_types t;
	VEC(struct schema_info) schemas;     /* parallel to p->schemas */
	VEC(struct map) enums;               /* parallel to p->enums: symbol -> ordinal */
	VEC(struct decl *) globals;          /* parallel to p->globals; NULL for nameless ones */
	VEC(struct decl *) functions;        /* parallel to p->functions */
	VEC(struct busy) busy;               /* values and functions being lowered, outermost first */
	VEC(struct override) overrides;
	VEC(struct decl *) wanted;           /* library values that are used and not lowered yet */
	uint32_t depth;                      /* nesting of lowering */
	bool too_deep;                       /* E0103 has been reported; said once */
	uint32_t records;                    /* numbers given to record texts */
	struct sym sym_file;
};

/* Nesting of lowering, over all definitions that wait for each other. */
/* Errors behind which names are no longer compared with all that are known: nobody reads so many. */
enum { SUGGESTING_ERRORS_MAX = 50 };

enum { LOWER_DEPTH_MAX = 1000 };

static inline const char *spell(const struct check *c, struct sym name)
{
	return sym_str(c->names, name).p;
}

/* The type as text, NUL-terminated, in the arena. */
const char *type_text(struct check *c, const struct type *t);

/* "an int", "bytes", "a list[int]": with its article where it has one. */
const char *type_phrase(struct check *c, const struct type *t);

static inline const struct type *strip_option(const struct type *t)
{
	return t && t->kind == TYPE_OPTION ? t->of : t;
}

/* The same for a type that is there; a hint may be absent. */
static inline const struct type *without_none(const struct type *t)
{
	return t->kind == TYPE_OPTION ? t->of : t;
}

static inline bool is_plain(const struct type *t)
{
	return t->kind == TYPE_NUMBER && dim_is_one(t->dim);
}

static inline bool is_poison(const struct type *t) { return t->kind == TYPE_POISON; }

/* ---- what a value is needed for, for messages ------------------------------------------------ */

struct goal {
	const char *what;            /* "`tp`", "an element of `modules`", "the condition" */
	struct span declared;        /* shown as a label when it lies in a user's file; SPAN_NONE */
	const char *label;           /* its text; NULL: "declared here" */
	enum diag_code code;         /* DIAG_NONE: E1101 */
};

/* ---- coerce.c -------------------------------------------------------------------------------- */

/* Whether a value of type `have` serves where `want` is declared, without any conversion. */
bool type_fits(const struct check *c, const struct type *have, const struct type *want);

/* The least type both fit; NULL when there is none. */
const struct type *type_join(struct check *c, const struct type *a, const struct type *b);

/* The node as a value of type `want`, converted where the language does so; poison after a report. */
ir_id coerce(struct check *c, ir_id node, const struct type *want, const struct goal *goal);

/* ---- expressions ----------------------------------------------------------------------------- */

/* Lowers an expression. `hint` is the type it is probably meant to have (resolves bare names), or NULL.
 * With a goal the result has that type, or is poison. */
ir_id lower(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
	    const struct goal *goal);

static inline ir_id infer(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	return lower(c, e, x, hint, NULL);
}

/* A condition: bool, else E1102 saying that `what` must be a condition. */
ir_id lower_condition(struct check *c, const struct env *e, struct ast *x, const char *what);

/* operator/. */
ir_id lower_binary(struct check *c, const struct env *e, struct ast *x, const struct type *hint);
ir_id lower_unary(struct check *c, const struct env *e, struct ast *x);
ir_id lower_within(struct check *c, const struct env *e, struct ast *x);

ir_id lower_name(struct check *c, const struct env *e, struct ast *x, const struct type *hint);
ir_id lower_member(struct check *c, const struct env *e, struct ast *x, const struct type *hint);
ir_id lower_index(struct check *c, const struct env *e, struct ast *x);
ir_id lower_call(struct check *c, const struct env *e, struct ast *x, const struct type *hint);
ir_id lower_template(struct check *c, const struct env *e, struct ast *x);
ir_id lower_conditional(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
			const struct goal *goal);
ir_id lower_match(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
		  const struct goal *goal);
ir_id lower_list(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
		 const struct goal *goal);
ir_id lower_table(struct check *c, const struct env *e, struct ast *x, const struct type *type);

/* A list or a comprehension of pairs where a map is wanted. */
ir_id lower_map(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
		const struct goal *goal);
ir_id lower_tuple(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
		  const struct goal *goal);
ir_id lower_comprehension(struct check *c, const struct env *e, struct ast *x, const struct type *hint,
			  const struct goal *goal);
ir_id lower_range(struct check *c, const struct env *e, struct ast *x);
ir_id lower_record(struct check *c, const struct env *e, struct ast *x, const struct type *hint);
ir_id lower_with(struct check *c, const struct env *e, struct ast *x, const struct type *hint);

/* builtin_call.c: a call of a built-in function whose name resolved to nothing else. */
ir_id lower_builtin(struct check *c, const struct env *e, struct ast *x, enum builtin b,
		    const struct type *hint);
bool builtin_find(struct str name, enum builtin *b);

/* lookup_call.c: the row of a table. */
ir_id lower_lookup(struct check *c, const struct env *e, struct ast *x);

/* layout_call.c: the constructors of layouts. */
ir_id lower_layout(struct check *c, const struct env *e, struct ast *x, enum builtin b);
const struct type *layout_member_type(struct check *c, enum layout_member m);

/* ---- names ----------------------------------------------------------------------------------- */

enum meaning_kind {
	MEANS_NOTHING, MEANS_ENUM_VALUE, MEANS_LOCAL, MEANS_LET, MEANS_OUTER_LET, MEANS_SLOT,
	MEANS_CANDIDATE, MEANS_DECL, MEANS_PRESET
};

struct meaning {
	enum meaning_kind kind;
	const struct type *type;     /* ENUM_VALUE */
	uint32_t index;              /* ordinal, slot, slot of the candidate, or global */
	const struct local *local;
	struct let *let;
	struct decl *decl;
};

struct meaning name_meaning(struct check *c, const struct env *e, struct sym name,
			    const struct type *hint);

/* In the file, then in the prelude. */
struct decl *find_decl(const struct check *c, const struct module *m, struct sym name);

/* The ordinal of a value of an enum; IR_NONE when it has none of that name. */
uint32_t enum_find(const struct check *c, uint32_t number, struct sym value);
uint32_t field_find(const struct check *c, uint32_t schema, struct sym name);

/* The preset of a schema, or of one it extends; IR_NONE when it has none of that name. */
uint32_t preset_find(const struct check *c, uint32_t schema, struct sym name);

/* A declaration that stands for a value. */
bool is_value(const struct decl *d);

/* unknown.c: parts of what is said of an unknown name. Each adds to the message and says whether it did. */
bool help_elsewhere(struct check *c, struct diag *d, struct sym name);  /* values and presets that need a prefix */
bool note_values(struct check *c, struct diag *d, const struct type *t);   /* of an enum; presets */
bool is_unit(struct check *c, struct str text);
bool help_library(struct check *c, struct diag *d, struct str name);   /* says what to import, if it can */

/* A node for the value of a global; lowers a `let` first. */
ir_id lower_global(struct check *c, uint32_t global, struct span span);

/* Reports an unknown name with suggestions. Poison. */
ir_id report_unknown(struct check *c, const struct env *e, struct ast_name name,
		     const struct type *hint);

/* The path of a name or of members of one; false when x is anything else. */
bool path_of(struct check *c, const struct env *e, const struct ast *x, struct path *path);

/* What holds where a condition is true (or false): more facts than `older`. */
const struct fact *facts_of(struct check *c, const struct env *e, const struct ast *cond, bool truth,
			    const struct fact *older);

/* The node without its `none`, where the facts say that x is not. */
ir_id narrow(struct check *c, const struct env *e, const struct ast *x, ir_id node);

/* ---- types ----------------------------------------------------------------------------------- */

/* The type written there; poison after a report. */
const struct type *type_of_ast(struct check *c, const struct module *m, struct ast *x);

/* ---- records --------------------------------------------------------------------------------- */

/* Suggests fields for a misspelt one. */
/* A field of this name in a record that is a field here; `value` is what it was set to, or NULL. */
bool suggest_nested(struct check *c, struct diag *d, uint32_t schema, struct str name,
		    const struct ast *value);
void suggest_fields(struct check *c, struct diag *d, uint32_t schema, struct str wrong,
		    const struct ast *value);

/* What the text of a schema sets in fields of its base; read with the schema's own names. */
struct ir_layer lower_set_fields(struct check *c, const struct env *schema_env, struct ast_list fields,
				 struct span span);

/* Lowers the braces of a record of `schema` to a layer. `candidate`: see struct env. */
uint32_t lower_layer(struct check *c, const struct env *e, uint32_t schema, struct ast_list fields,
		     struct sym name, struct span span, uint32_t candidate);

/* The value of a field, in the text of its record. A `let` of the record that a nested record reads
 * becomes a local of the value. */
ir_id lower_binding(struct check *c, const struct env *record, uint32_t slot, struct ast *value,
		    const struct type *want, const struct goal *goal);

/* The environment of the text of a record, in the arena; without lets yet. */
struct env *record_env(struct check *c, const struct env *outer, uint32_t schema);

/* Amends written as `a.b = e` or `a { ... }`, all for one slot, as one layer of the slot's schema. */
struct entry {
	struct ast *ast;
	uint32_t skip;               /* parts of its path that are behind us */
};

uint32_t lower_entries(struct check *c, const struct env *outer, uint32_t schema,
		       const struct entry *entries, uint32_t n, struct sym name, struct span span,
		       uint32_t candidate);

/* Reports the cycle that ends in `what`, one step a line. */
void report_cycle(struct check *c, const void *what, struct sym name, struct span span);

struct ir_assert lower_assert(struct check *c, const struct env *e, struct ast *x);

/* The goal of a field: its name and where it is declared. */
struct goal field_goal(struct check *c, uint32_t schema, uint32_t slot);

/* Collects the lets of a list of record items; reports names declared twice. */
void collect_lets(struct check *c, const struct env *e, struct ast_list items, struct lets *lets);
ir_id lower_let(struct check *c, const struct env *e, struct let *let, struct span span);

/* Lowers a block that amends a field of `record`, into the layer of `binding` (whose span is known) and the
 * lets of the record that it reads. */
void lower_block(struct check *c, const struct env *record, uint32_t schema, const struct entry *entries,
		 uint32_t n, struct ir_binding *binding);

/* A record in a condition of `e`, which is no field and no `let`: the lets of `e` that it reads become locals
 * of it alone. */
ir_id lower_braces(struct check *c, const struct env *e, struct ast *x, const struct type *hint);

/* The node for a body that was lowered under n locals more, with their values. */
ir_id give_locals(struct check *c, const uint32_t *values, uint32_t n, ir_id body);

/* ---- declarations ---------------------------------------------------------------------------- */

/* Tests of a file: a scope each, over the file. */
void lower_tests(struct check *c, struct module *m);

/* Declares and lowers what stands in the braces of a test or of a block in it; asserts and emits are left to
 * the caller. */
struct module *settle_nested(struct check *c, struct module *outer, struct ast_list items, struct span span);

/* Gives every declaration of the modules its number in the program. */
void declare_all(struct check *c);

/* Base, fields and field types of a schema, its base's first. */
void schema_header(struct check *c, uint32_t schema);
void schema_body(struct check *c, uint32_t schema);

void function_header(struct check *c, struct decl *d);

/* The type of a record declared by name, before its fields are lowered. false: it extends itself
 * (reported at span). */
bool instance_header(struct check *c, struct decl *d, struct span span);

/* The value a path names, as an expression; NULL for a path that is broken. */
struct ast *expression_of_path(struct check *c, const struct ast *path);

/* Lowers a value, record, table or function, once. false: it is being lowered (reported at span). */
bool ensure(struct check *c, struct decl *d, struct span span);

/* The type of a table that is imported, and its rows. */
void table_header(struct check *c, struct decl *d);
void read_table(struct check *c, struct decl *d);

/* Loads the library files of the targets that a file emits to. */
void load_targets(struct check *c, struct module *m);
void lower_emits(struct check *c, struct module *m);

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* The record that a sweep goes out from, which is the type of its candidates. false: it needs the sweep
 * to be known (reported at span). */
bool sweep_header(struct check *c, struct decl *d, struct span span);
void sweep_body(struct check *c, struct decl *d);

/* What the axes, conditions and goals of all sweeps read, once everything is lowered. */
void settle_sweeps(struct check *c, uint32_t first);

/* select.c: the sweep that an expression names: of this file, imported, or `m.s`. NULL when it names none. */
struct decl *sweep_named(struct check *c, const struct env *e, const struct ast *x);
void report_no_sweep(struct check *c, const struct env *e, const struct ast *named);

/* A call that selects candidates of a sweep. false when it is none. */
bool lower_selection(struct check *c, const struct env *e, struct ast *x, ir_id *node);

/* point.c: what `planc why-not` was asked about. */
void take_point(struct check *c);

/* inverse.c: what `planc solve` was asked. */
void take_inverse(struct check *c);

/* Parses the values given on the command line. */
void take_parameters(struct check *c);

/* An environment at file level. */
struct env file_env(struct module *m);

/* W0310: a device memory in decimal gigabytes. */
void lint_memory(struct check *c, const struct env *e, struct sym field, const struct type *type,
		 const struct ast *value);

#endif
