/* embed.h - files that the build puts into the binary (tools/embed.c writes the tables). */
#ifndef PLAN_BASE_EMBED_H
#define PLAN_BASE_EMBED_H

#include "compiler/base/common.h"

struct embedded_file {
	const char *name;            /* path below the folder that was embedded; NULL ends a table */
	const unsigned char *bytes;
	uint32_t size;
};

extern const struct embedded_file stdlib_files[];
extern const struct embedded_file diag_page_files[];

#endif
