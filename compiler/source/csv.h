/* csv.h - a strict CSV reader (RFC 4180): a header line, rows of the same width, every cell with
 * its span. Lines that begin with `#` before the header are comments. */
#ifndef PLAN_SOURCE_CSV_H
#define PLAN_SOURCE_CSV_H

#include "compiler/source/source.h"

struct csv_cell {
	struct str text;             /* unquoted */
	struct span span;
};

struct csv {
	uint32_t columns, rows;      /* rows without the header */
	struct csv_cell *header;     /* columns */
	struct csv_cell *cells;      /* rows * columns, row by row */
};

struct csv_error {
	struct span span;
	const char *message;
};

struct csv *csv_parse(struct arena *a, const struct sources *s, uint32_t file,
		      struct csv_error *error);

#endif
