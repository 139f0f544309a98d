/* names_int.h - shared by the files of this folder: finding files and filling tables. */
#ifndef PLAN_NAMES_NAMES_INT_H
#define PLAN_NAMES_NAMES_INT_H

#include "compiler/names/names.h"
#include "compiler/syntax/parse.h"

enum found { FOUND_FILE, FOUND_NOTHING, FOUND_OUTSIDE };

/* A path written in an import, resolved. */
struct place {
	enum found found;
	bool library;
	struct str key;              /* identity, and where to read */
	struct str shown;            /* path for messages */
	const char *why;             /* FOUND_OUTSIDE: what is wrong with it, for the message */
};

/* Finds the absolute folder that imports may not leave: the one with plan.toml above the root file, else
 * the root file's own. */
void place_find_root(struct modules *m, struct str root_path, struct str *real_folder);

struct place place_resolve(struct modules *m, const struct module *from, struct str path);

/* Replaces the key of the root's place by the real path of its file, if it has one. */
void place_real_key(struct modules *m, struct place *at);

/* The part up to and with the last slash; empty when there is none. */
struct str place_folder(struct str path);

/* Reads the file of a place that was found. */
enum source_status place_read(struct modules *m, const struct place *at, uint32_t *file);

/* Parses a file that was read and fills its tables, importing what it imports. */
struct module *module_load(struct modules *m, uint32_t file, const struct place *at,
			   struct str real_folder);

/* The file at a place, loaded now or before; NULL after reporting at `span`. */
struct module *module_at(struct modules *m, const struct module *from, struct str path,
			 struct span span);

/* A data file; false after reporting. */
bool data_at(struct modules *m, const struct module *from, struct str path, struct span span,
	     uint32_t *file);

/* foreign.c: the value of an import by type, named after its alias; NULL after reporting. */
struct decl *foreign_value(struct modules *m, struct module *of, struct ast *node);

/* declare.c: fills decls and names from the tree. */
void module_declare(struct modules *m, struct module *of);

#endif
