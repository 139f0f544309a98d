/* json_int.h - the reader that json.c (structure) and json_scalar.c (strings, numbers) share. */
#ifndef PLAN_SOURCE_JSON_INT_H
#define PLAN_SOURCE_JSON_INT_H

#include "compiler/source/json.h"

struct json_reader {
	struct arena *arena;
	struct str text;
	uint32_t file;
	uint32_t at;                 /* next byte */
	uint32_t depth, depth_max;
	struct json_error *error;
};

/* The byte at the reading position, 0 at the end (and for a NUL byte, which JSON never allows). */
static inline char json_peek(const struct json_reader *r)
{
	return r->at < r->text.n ? r->text.p[r->at] : '\0';
}

/* Fills the error for the range lo..hi and returns false. */
bool json_fail(struct json_reader *r, uint32_t lo, uint32_t hi, const char *message);

/* Reads a string from its opening quote on; text is a view of the file unless it has escapes. */
bool json_read_string(struct json_reader *r, struct str *text);

/* Reads a number into v->number and v->written_as_int. */
bool json_read_number(struct json_reader *r, struct json *v);

#endif
