/* option_int.h - the options that a framework knows, as its target lists them. */
#ifndef PLAN_OPTION_OPTION_INT_H
#define PLAN_OPTION_OPTION_INT_H

#include "runtime/emit/emit_int.h"

/* A record of schema `option`. */
struct option {
	struct str name, since, until, kind, words, file;
};

struct options {
	VEC(struct option) at;
	VEC(struct str) own;         /* names that the plan vouches for */
	struct str version;          /* that `since` and `until` are compared with */
};

/* All of the target, read when they are asked for first. */
const struct options *option_rows(struct emission *e);

/* The first row of a name that the version has; `known` is false after reporting. NULL and true: the target
 * lists nothing, or the plan vouches for the name. */
const struct option *option_find(struct emission *e, struct str name, bool *known);

/* Whether any row has the name, or the plan vouches for it. */
bool option_has_row(struct emission *e, struct str name);

/* A flag with the words behind it. false after reporting. */
bool option_check_flag(struct emission *e, struct str name, const struct str *words, uint32_t n);

#endif
