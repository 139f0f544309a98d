/* foreign.h - checked access to JSON objects that somebody else's program defines.
 *
 * What an object may hold is a table: one row per key with its kind, its range and whether it
 * must be there. foreign_check() compares an object with its table and reports every difference
 * at its place in the file; what passed can be read without asking again. Keys of the table that
 * are absent or null (where null is allowed) read as the default the caller names.
 */
#ifndef PLAN_IMPORT_FOREIGN_H
#define PLAN_IMPORT_FOREIGN_H

#include "compiler/diag/diag.h"
#include "compiler/source/json.h"

enum foreign_kind {
	FOREIGN_INT,    /* a whole number within [least, most] */
	FOREIGN_NUMBER, /* any number within [least, most] */
	FOREIGN_BOOL,
	FOREIGN_TEXT,
	FOREIGN_OBJECT,
	FOREIGN_LIST
};

enum foreign_flag {
	FOREIGN_REQUIRED = 1,
	FOREIGN_NULLABLE = 2, /* null means absent */
	FOREIGN_IGNORED = 4,  /* the other program never reads it: noted, checked if it has texts */
	FOREIGN_ABOVE = 8     /* the least value itself is not allowed */
};

struct foreign_field {
	const char *name;
	enum foreign_kind kind;
	unsigned flags;      /* enum foreign_flag, or-ed */
	int64_t least, most; /* numbers; most 0 means FOREIGN_MOST */
	const char *const
		*texts; /* FOREIGN_TEXT: the values that exist, NULL-terminated; or NULL */
};

/* Sizes above this are refused: no machine comes near, and products of three still fit 128 bits. */
#define FOREIGN_MOST INT64_C(1000000000000)

/* Keys that were left out for one reason, and the warning that lists them; NULL before the first. */
struct foreign_dropped {
	VEC(struct str) keys;
	struct diag *note;
};

/* One file that is being read. */
struct foreign {
	struct arena *arena;
	struct diag_sink *sink;
	const char *program;       /* whose files these are, for messages */
	struct foreign_dropped unread;   /* by that program itself */
	struct foreign_dropped wordless; /* no record of a plan says it */
};

/* Loads a text. false after reporting (E0201, E0207). */
bool foreign_load_text(struct sources *s, struct diag_sink *sink, struct str path, const char *what,
		       uint32_t *file);

/* Whether a text is UTF-8, which what is made of it has to be; E0001 otherwise. */
bool foreign_is_utf8(const struct sources *s, struct diag_sink *sink, uint32_t file);

/* Loads and parses a file. NULL after reporting (E0201, E0207, E0208). `what` names it in messages:
 * "model". */
const struct json *foreign_load(struct arena *a, struct sources *s, struct diag_sink *sink,
				struct str path, const char *what);

/* The same of a file that was read. */
const struct json *foreign_parse(struct arena *a, struct sources *s, struct diag_sink *sink,
				 uint32_t file, const char *what);

/* Compares an object with its table; `what` is how messages call it ("the strategy"). `open`
 * lets keys pass that the table does not know (they are noted as without counterpart). false
 * after reporting. */
bool foreign_check(struct foreign *f, const struct json *object, const char *what,
		   const struct foreign_field *fields, size_t count, bool open);

/* Kind and range of one value. false after reporting. */
bool foreign_check_value(struct foreign *f, const struct json *v,
			 const struct foreign_field *field);

/* Reports E0209 at a value. */
void foreign_refuse(struct foreign *f, struct span at, const char *fmt, ...) PLAN_PRINTF(3, 4);

/* Adds a key to the one warning (W2511) that lists what the other program itself never reads, or to the one
 * of keys that a record ("a `strategy`") has no field for. */
void foreign_ignore(struct foreign *f, const char *key, struct span at);
void foreign_leave_out(struct foreign *f, struct str key, struct span at, const char *record);
void foreign_finish(struct foreign *f); /* submits these warnings, if there are any */

/* ---- reading what was checked: NULL or the default when absent or null ----------------------- */

const struct json *foreign_get(const struct json *object, const char *key);
struct num foreign_number(const struct json *object, const char *key, int64_t otherwise);
int64_t foreign_int(const struct json *object, const char *key, int64_t otherwise);
bool foreign_bool(const struct json *object, const char *key, bool otherwise);
bool foreign_text_is(const struct json *object, const char *key, const char *text);

/* Where a key was written; the object's first character when it was not. */
struct span foreign_span(const struct json *object, const char *key);

#endif
