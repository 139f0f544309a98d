/* emit_int.h - what the parts of the target interpreter share.
 *
 * How a target states its artefacts: every field of type list[arg] but `files` is one part, in the
 * order of the declarations. `artefact` says the format. In "shell" and "flags" a part is a group of
 * arguments with the field's doc comment above it; in a document its lines stand behind those of the
 * part before. With "files" the field `files` says which parts make which file.
 */
#ifndef PLAN_EMIT_EMIT_INT_H
#define PLAN_EMIT_EMIT_INT_H

#include "runtime/emit/emit.h"
#include "runtime/io/doc.h"

enum artefact_kind {
	ARTEFACT_SHELL,
	ARTEFACT_FLAGS,
	ARTEFACT_JSON,
	ARTEFACT_YAML,
	ARTEFACT_TOML,
	ARTEFACT_PYTHON,
	ARTEFACT_FILES,
	ARTEFACT_REPORT
};

struct part {
	struct str name, doc;
	const struct list *args; /* of VALUE_ARG */
};

/* One emit that is being run. */
struct emission {
	const struct emit_input *in;
	const struct ir_emit *emit;
	struct arena *arena;
	struct eval *ev;
	struct diag_sink *sink;
	const struct ir_program *program;
	struct record *target;
	struct str target_name, version, job_name, to;
	enum artefact_kind kind;
	struct str form; /* ARTEFACT_REPORT */
	bool lossy;
	VEC(struct part) parts;
	VEC(const struct arg *) files; /* "files": path, and the names of its parts */
	bool takes_extra;              /* this file is where `extra` goes */
	struct str directive;          /* shell: how lines for a scheduler begin, "#SBATCH" */
	VEC(struct str) prologue;      /* shell: lines of the target in front of the command */
	VEC(struct str) command;       /* shell: words of the last line */
	VEC(struct str) environment, extra;
	VEC(struct str) losses; /* what the target cannot say, as sentences */
	struct span place;             /* what an option comes from, for messages */
	const struct options *options; /* option/: what the framework knows; NULL until asked */
};

/* A file in memory, with the path as written in the plan. */
struct artefact_file {
	struct str path, content;
	bool executable;
	bool headed; /* carries our header; others are listed in the folder's record */
};

struct artefact_files {
	VEC(struct artefact_file) at;
};

/* rules.c: tests the asserts of the target; a broken one is E2505, E2511 where its name begins with
 * cannot_express_ (a loss where the target is lossy), the warning W2505 where it begins with advises_ and
 * nothing else is broken. false after reporting an error. */
bool emit_check_rules(struct emission *e);

/* How many of the target's asserts hold; those that do not count here are left out. */
uint32_t emit_rules_held(struct emission *e);

/* collect.c: reads the fields of the target: first what steers the emission, and once its rules
 * hold the parts. false after reporting. */
bool emit_collect(struct emission *e);
bool emit_collect_parts(struct emission *e);

/* format/value_text.c: one value as words of a command line, unquoted; VALUE_LIST gives several. false
 * after reporting a value that has no text (a quantity, a record). */
struct words {
	VEC(struct str) at;
};

bool emit_words(struct emission *e, const struct arg *arg, struct words *words);

/* A number without dimension: all digits where they end, the shortest that reads back otherwise. */
void emit_number(struct out *o, struct value v);

/* Reports that an argument cannot be written; `what` completes "`--flag` ...". */
void emit_refuse_arg(struct emission *e, const struct arg *arg, const char *what);

/* format/quote.c: a word as the shell reads it back; ${NAME} and ${NAME:-plain} are left to the shell. */
void shell_quote(struct out *o, struct str word);
bool shell_is_name(struct str s); /* NAME of a variable */
bool shell_is_flag(struct str s); /* --some-flag */
bool shell_has_variable(struct str word);

/* files.c: the files of an emission in memory. false after reporting. */
bool emit_files(struct emission *e, struct artefact_files *files);
bool format_find(struct str name, enum artefact_kind *kind);

/* Whether the command of a script has a place for the arguments of `extra`. */
bool emit_has_rest(const struct emission *e);

/* format/shell.c: a script or bare arguments. */
bool emit_shell(struct emission *e, struct artefact_files *files);

/* format/document.c: all parts as one table, NULL after reporting; one argument's value. */
struct doc *emit_document(struct emission *e);
bool emit_arg_doc(struct emission *e, const struct arg *arg, struct doc *d);

/* format/extra.c: NAME=VALUE lines of `extra` added to a document; whether its words leave alone what the parts,
 * which are collected, write. false after reporting. */
bool extra_apply(struct emission *e, struct doc *root);
bool extra_fits(struct emission *e);

/* option/: names and values against what the framework knows (E2512): the words of `extra`; an argument of
 * the target; a document with everything in it. false after reporting. A target that lists nothing is
 * taken at its word. */
bool options_check_extra(struct emission *e);
bool options_check_arg(struct emission *e, const struct arg *arg);
bool options_check_document(struct emission *e, const struct doc *root);

/* format/python.c: a document as assignments to a configuration object. */
bool emit_python(struct emission *e, struct doc *root, struct out *o);

/* format/overrides.c: key=value as Hydra reads it. */
bool override_is_name(struct str s);
bool override_write(struct emission *e, const struct arg *arg, struct out *word);

/* report.c: the same for a report of planc itself, of a job or of a sweep. */
bool emit_report(struct emission *e, struct value job, struct artefact_files *files);

/* store/header.c */
enum { HEADER_HEAD = 1024 };                          /* our mark stands within so many bytes */
void header_write(struct emission *e, struct out *o); /* comment lines with '#' */
bool header_is_ours(struct str head);
void header_describe(struct emission *e,
		     struct out *o);               /* plan, hash, edition, candidate, target */
void header_hash(struct out *o, struct str bytes); /* "fnv1a64:0123456789abcdef" */

/* store/store.c: writes or compares all files of one emission. false after reporting. */
bool emit_store(struct emission *e, const struct artefact_files *files, struct emit_result *result);

/* store/record.c: the list of our files in a folder that cannot carry a header themselves. */
struct folder_record {
	struct str path; /* of the list */
	VEC(struct str) names;
	VEC(struct str) hashes;
	VEC(struct str) notes; /* how the file was made */
	bool foreign;          /* a file of that name exists that is not ours */
};

void folder_record_load(struct arena *a, struct str folder, struct folder_record *r);
struct str folder_record_hash(const struct folder_record *r,
			      struct str name); /* empty: not listed */
void folder_record_set(struct arena *a, struct folder_record *r, struct str name, struct str hash,
		       struct str note);
struct str folder_record_text(struct arena *a, const struct folder_record *r);

/* Why a path cannot be one of an artefact, as far as its text says; NULL when nothing does. */
const char *emit_path_fault(struct str path);
const char *emit_file_fault(struct str path); /* the same of a path that names a file, no folder */

/* E2504. */
void emit_report_path(struct diag_sink *sink, struct span at, struct str path, const char *fault);

#endif
