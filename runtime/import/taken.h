/* taken.h - members of a JSON object, each noted when it is read, so that the rest can be named.
 *
 * Other programs call one thing by several names. A lookup takes a list of names with blanks
 * between them, "num_hidden_layers n_layer", and finds the first that is there and not null.
 */
#ifndef PLAN_IMPORT_TAKEN_H
#define PLAN_IMPORT_TAKEN_H

#include "runtime/import/foreign.h"
#include "runtime/import/plan_text.h"

struct taken {
	struct foreign *f;
	const struct json *object;
	const char *what;            /* "the config", for messages */
	bool *used;                  /* one for each member */
	bool fine;                   /* false once something was reported */
};

void taken_init(struct taken *t, struct foreign *f, const struct json *object, const char *what);

/* The member, NULL when no name is there; its kind is not checked. */
const struct json *taken_find(struct taken *t, const char *names);

/* The same for a kind. Another kind, a number out of [least, FOREIGN_MOST] or, for ints, with a
 * fraction is reported at its place and counts as absent. */
const struct json *taken_int(struct taken *t, const char *names, int64_t least);
const struct json *taken_number(struct taken *t, const char *names, int64_t least);
const struct json *taken_text(struct taken *t, const char *names);
const struct json *taken_object(struct taken *t, const char *names);
const struct json *taken_list(struct taken *t, const char *names);

/* A bool, or what is usual where it is absent. */
bool taken_bool(struct taken *t, const char *names, bool otherwise);

/* An int as such, or what is usual. */
int64_t taken_count(struct taken *t, const char *names, int64_t least, int64_t otherwise);

/* Reports that none of the names is there, by the first of them. */
void taken_miss(struct taken *t, const char *names);

/* Adds the members that nobody asked for to the warning about what a record has no field for. */
void taken_leave_out(const struct taken *t, const char *record);

/* `extra = [...]` out of the members that nobody asked for and that such a line can say, NAME=VALUE; they count
 * as read then. */
void taken_hand_on(struct taken *t, struct plan_text *w);

/* Whether a member is there with the value that is written unasked; it counts as read then. */
bool taken_same(struct taken *t, const char *name, const char *value);

/* Names, in a comment behind a title, the members that nobody asked for; nothing when there are none. */
void taken_rest(const struct taken *t, struct plan_text *w, const char *title);

#endif
