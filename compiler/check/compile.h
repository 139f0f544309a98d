/* compile.h - the front end in one call: text to a verified IR program.
 *
 * Parses the file and everything it imports, the prelude first; resolves names, infers types, lowers.
 * Messages go to the sink; the program is returned whenever there is anything to evaluate, so check
 * `sink.errors` before trusting it. Never evaluates a candidate.
 */
#ifndef PLAN_CHECK_COMPILE_H
#define PLAN_CHECK_COMPILE_H

#include "compiler/base/embed.h"
#include "compiler/ir/ir.h"
#include "compiler/source/foreign_reader.h"
#include "compiler/syntax/ast.h"

/* `-p name=VALUE`: an expression in the language. */
struct parameter {
	struct str name, value;
};

/* `planc solve`: texts of the command line; p NULL where one was not given. */
struct compile_inverse {
	struct str path;                     /* the field, "cluster.nodes" */
	struct str subject;                  /* the record whose rules have to hold */
	struct str such_that;                /* a condition on that record */
	struct str values;                   /* a range or a list */
};

struct compile_input {
	struct arena *arena;
	struct interner *names;
	struct sources *sources;
	struct diag_sink *sink;
	struct str path;                     /* root file; opened unless `text` is set */
	struct str text;                     /* text.p != NULL: compiled instead of the file's content */
	struct origin *origins;              /* of a generated text, or NULL */
	uint32_t origin_count;
	const struct foreign_reader *foreign;  /* readers of other programs' files; NULL: there are none */
	const struct embedded_file *library; /* std: files by name ("prelude.plan"), ends with a NULL name */
	struct str library_folder;           /* --stdlib DIR: read from there instead; empty = embedded */
	const struct parameter *parameters;
	uint32_t parameter_count;
	struct str point, point_sweep;       /* `planc why-not`: "tp = 2, pp = 4"; a sweep, or empty */
	const struct compile_inverse *inverse;   /* NULL: nothing is solved for */
	bool without_emits;                  /* leave out emits and the targets they would load */
	struct str target;                   /* `planc check --target`: loaded as an emit would; empty = none */
	struct str question;                 /* p != NULL: an expression, lowered as if the root file had it */
	bool failures;                       /* also compile what tests expect to fail */
	bool whole_library;                  /* also lower library records, tables and values nobody uses */
};

struct ir_program *plan_compile(const struct compile_input *in);

/* `planc debug types`: every declaration of the root file with the types found. */
void types_print(struct out *o, const struct ir_program *p);

#endif
