/* json.h - an exact JSON reader (RFC 8259): numbers keep all their digits, every value its span.
 *
 * Refuses what others let pass: duplicate keys, trailing commas, NaN, lone surrogates, control
 * characters in strings, bytes behind the value, nesting deeper than the limit of the
 * sources.
 */
#ifndef PLAN_SOURCE_JSON_H
#define PLAN_SOURCE_JSON_H

#include "compiler/base/num.h"
#include "compiler/source/source.h"

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
	enum json_kind kind;
	struct span span;
	bool truth;
	struct num number;           /* exact */
	bool written_as_int;         /* no point and no exponent */
	struct str text;             /* JSON_STRING, unescaped */
	struct json *items;          /* JSON_ARRAY, JSON_OBJECT: count values in file order */
	struct str *keys;            /* JSON_OBJECT */
	struct span *key_spans;
	uint32_t count;
};

/* Where and what is wrong, in words for a message ("this string has no closing quote"). */
struct json_error {
	struct span span;
	const char *message;
	struct str detail;           /* a key or character to name, or empty */
};

/* Parses the whole text of a file. NULL after filling *error. */
struct json *json_parse(struct arena *a, const struct sources *s, uint32_t file,
			struct json_error *error);

const struct json *json_member(const struct json *object, const char *key);   /* NULL if absent */
const char *json_kind_name(enum json_kind kind);   /* "a string", "an object", ... */

#endif
