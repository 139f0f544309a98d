/* fields.h - reads the fields of a record into C values, with messages that point at the field.
 *
 * A reader is sticky: after the first fault every read returns a harmless value and `ok` is false, so
 * binding code reads straight through and checks once. Private to runtime/bind.
 */
#ifndef PLAN_BIND_FIELDS_H
#define PLAN_BIND_FIELDS_H

#include "runtime/eval/eval.h"

struct reader {
	struct eval *ev;
	struct span at;              /* to blame when a field was set in the library */
	bool ok;
};

/* Place of the newest binding of a slot in the user's files, else reader.at. */
struct span reader_span(const struct reader *b, const struct record *r, uint32_t slot);

bool has_field(const struct reader *b, const struct record *r, const char *name);
struct value read_value(struct reader *b, struct record *r, const char *name);

/* An int that fits 63 bits; E2003 beyond. A number of bytes must be whole. */
int64_t read_int(struct reader *b, struct record *r, const char *name);
int64_t read_int_or(struct reader *b, struct record *r, const char *name, int64_t absent); /* T? */
double read_real(struct reader *b, struct record *r, const char *name);   /* base units */
bool read_bool(struct reader *b, struct record *r, const char *name);
struct str read_string(struct reader *b, struct record *r, const char *name);
struct record *read_record(struct reader *b, struct record *r, const char *name); /* NULL: none */

/* Index of the enum value's name among `names`; a name that is not there is E2008. */
uint32_t read_enum(struct reader *b, struct record *r, const char *name, const char *const *names,
		   uint32_t count);
/* The same for a value in hand; UINT32_MAX when it is not there. */
uint32_t enum_index(const struct reader *b, struct value v, const struct type *t,
		    const char *const *names, uint32_t count);

/* Static type of a field; NULL when the schema has no such field. */
const struct type *field_type(const struct reader *b, const struct record *r, const char *name);

/* Reports that the engine does not model something, once, at a field. */
void reader_unsupported(struct reader *b, const struct record *r, const char *name, const char *what);

/* ---- rows: a list of records or a table, column by column ------------------------------------- */

struct rows {
	struct reader *reader;
	const struct ir_table *table;        /* one of the two, or neither: no rows */
	const struct list *list;
	uint32_t schema;
	uint32_t n;
};

struct rows read_rows(struct reader *b, struct record *r, const char *name);
struct value row_value(const struct rows *rows, uint32_t row, const char *column);
int64_t row_int(const struct rows *rows, uint32_t row, const char *column);
double row_real(const struct rows *rows, uint32_t row, const char *column);
bool row_bool(const struct rows *rows, uint32_t row, const char *column);
struct str row_string(const struct rows *rows, uint32_t row, const char *column);
uint32_t row_enum(const struct rows *rows, uint32_t row, const char *column, const char *const *names,
		  uint32_t count);

/* Name a record goes by: of the instance, or of the instance it was derived from. */
struct str record_known_as(const struct ir_program *p, const struct record *r);

#endif
