/* out.h - all text we write goes through a struct out: a growing buffer in an arena.
 *
 * Commands hand the finished buffer to a FILE; nothing below cli/ prints.
 */
#ifndef PLAN_BASE_OUT_H
#define PLAN_BASE_OUT_H

#include "compiler/base/str.h"

struct out {
	struct arena *arena;
	char *p;
	size_t n, cap;
};

void out_init(struct out *o, struct arena *a);
void out_char(struct out *o, char c);
void out_repeat(struct out *o, char c, uint32_t n);
void out_str(struct out *o, struct str s);
void out_text(struct out *o, const char *z);
void out_bytes(struct out *o, const char *p, size_t n);

/* printf for %s %d %u %zu PRIi64 %.*s %c and the like; the locale is never set, so %f and %g are
 * safe, but see out_real for numbers that a person or a program reads back. */
void out_printf(struct out *o, const char *fmt, ...) PLAN_PRINTF(2, 3);

/* Shortest text that reads back as the same double ("0.1", "1e+30", "3"). Never "inf" or "nan". */
void out_real(struct out *o, double x);

/* value with exactly `decimals` digits behind the point, half rounded to even. */
void out_fixed(struct out *o, double x, int decimals);

/* 18432 as "18,432": groups of three. */
void out_grouped(struct out *o, int64_t x);

/* The same of a number that was written already: "-1234567.25" as "-1,234,567.25". */
void out_grouped_digits(struct out *o, struct str number);

/* Text between tags or in an attribute of XML and HTML; control characters become `?`. */
void out_markup(struct out *o, struct str text);

struct str out_view(const struct out *o);   /* valid until the next write */

/* Columns that text takes on a terminal: wide characters count two, combining ones none. */
uint32_t text_width(struct str s);

#endif
