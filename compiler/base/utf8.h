/* utf8.h - reading and writing UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates,
 * nothing beyond U+10FFFF. */
#ifndef PLAN_BASE_UTF8_H
#define PLAN_BASE_UTF8_H

#include "compiler/base/str.h"

enum { UTF8_BYTES_MAX = 4 };

/* Offset of the first byte that cannot be part of valid UTF-8; s.n when all of s is valid. */
uint32_t utf8_check(struct str s);

/* Reads the character at the start of s into *code: the number of its bytes, 0 when s is empty or
 * does not start with a valid character. */
uint32_t utf8_decode(struct str s, uint32_t *code);

/* Writes a character (a valid one, see utf8_is_code) to p: the number of bytes, 1 to 4. */
uint32_t utf8_encode(uint32_t code, char p[UTF8_BYTES_MAX]);

/* Neither a surrogate nor beyond U+10FFFF. */
bool utf8_is_code(uint32_t code);

/* Columns of one character on a terminal: 0, 1 or 2. Control characters take none. */
uint32_t utf8_width(uint32_t code);

#endif
