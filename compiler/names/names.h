/* names.h - the files of a compilation and what each of them declares.
 *
 * names_load reads the root file, the prelude and everything they import, once each, and makes a
 * table of names per file. Nothing is resolved yet: what a name means where it is used is decided
 * by types and check, which find it here.
 */
#ifndef PLAN_NAMES_NAMES_H
#define PLAN_NAMES_NAMES_H

#include "compiler/base/embed.h"
#include "compiler/base/map.h"
#include "compiler/diag/diag.h"
#include "compiler/source/foreign_reader.h"
#include "compiler/syntax/ast.h"

enum decl_kind {
	DECL_PARAM, DECL_LET, DECL_FN, DECL_ENUM, DECL_SCHEMA, DECL_INSTANCE,
	DECL_TABLE,                  /* import of a data file */
	DECL_MODULE,                 /* import ... as m */
	DECL_SWEEP,
	DECL_BROKEN                  /* could not be imported; already reported */
};

enum decl_state { DECL_NEW, DECL_BUSY, DECL_DONE };

struct module;

struct decl {
	enum decl_kind kind;
	struct sym name;
	struct span span;            /* of the name */
	struct ast *node;            /* the declaration, or the import */
	struct module *home;         /* the file it is written in */
	struct module *module;       /* DECL_MODULE: the imported file */
	uint32_t data;               /* DECL_TABLE: number of the data file */
	bool preset;                 /* instance of the prelude: belongs to its schema's names */
	/* For the stages that follow: */
	enum decl_state header;      /* of a record: is its type known? */
	enum decl_state state;
	uint32_t index;              /* in the program's table of its kind */
};

struct module {
	struct module *outer;        /* a test, or a block that is expected to fail: what is around it */
	uint32_t file;               /* number of the source */
	struct str key;              /* identity: name in the library, or real path */
	struct str folder;           /* of the file, as displayed: "", or ends in a slash */
	struct str real_folder;      /* absolute; in the library: below its root, ends in a slash or empty */
	bool library, prelude;       /* prelude: the prelude or a file it imports */
	bool loading;
	struct module *written_for;  /* the plan of a foreign file: who imports it; else NULL */
	struct ast *tree;
	bool intact;                 /* no statement of it was lost to a syntax error */
	VEC(struct decl *) decls;    /* its own, in source order; presets too */
	VEC(struct decl *) names;    /* what a name in the file may mean: own and imported ones */
	VEC(struct span) name_spans; /* parallel: where the name entered the file */
	struct map by_name;          /* symbol -> index into names */
};

struct names_input {
	struct arena *arena;
	struct interner *names;
	struct sources *sources;
	struct diag_sink *sink;
	struct str path;             /* of the root file */
	struct str text;             /* p != NULL: compiled instead of the file's content */
	const struct origin *origins;
	uint32_t origin_count;
	const struct foreign_reader *foreign;  /* readers of other programs' files; NULL: there are none */
	const struct embedded_file *library;
	struct str library_folder;   /* empty: the embedded files */
};

struct modules {
	struct names_input in;
	VEC(struct module *) all;    /* in the order in which they were finished: imports first */
	VEC(struct module *) stack;  /* being loaded, for the path of a cycle */
	struct module *prelude;      /* NULL when there is none */
	struct module *root;         /* NULL when it cannot be read (reported) */
	struct str root_real;        /* absolute folder no import may leave, ends in a slash */
	bool in_prelude;
};

struct modules *names_load(const struct names_input *in);

/* A file of the library that nothing imported yet ("targets/megatron.plan"); NULL when there is none. */
struct module *names_load_library(struct modules *m, struct str name);

/* Where the first text of a declaration is written, quotes included: the path of an import, the title of
 * a test, the code of an expected failure. */
struct span import_path_span(const struct modules *m, const struct ast *import);

/* The names of a `test` or of a block that is expected to fail, inside `outer`: what they declare or
 * import comes before what the file around them means. */
struct module *names_nested(struct modules *m, struct module *outer, struct ast_list items,
			    struct span span);

/* What `name` means in the file, itself or by import; NULL when nothing. Does not look into the prelude. */
struct decl *module_find(const struct module *m, struct sym name);

/* A declaration of the file itself, foreign files by their alias included: what others may import from it. */
struct decl *module_find_own(const struct module *m, struct sym name);

/* "a schema", "a function", ... */
const char *decl_kind_text(enum decl_kind kind);

/* The library file that declares a record of this name ("models"), for a message; empty when none does.
 * Only the embedded library is searched. */
struct str names_library_home(const struct modules *m, struct str name);

/* Names of library files below a folder ("targets/"), without ".plan", in the order of the library. */
uint32_t names_library_list(const struct modules *m, const char *folder, struct str *out,
			    uint32_t most);

#endif
