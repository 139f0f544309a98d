/* foreign_reader.h - files of other programs in a plan: `import "config.json" as m: huggingface.model`.
 *
 * The front end knows no format but its own. Whoever runs a compilation hands it a table of readers;
 * planc's stands in runtime/import. A reader writes the text of a plan that says what the file says,
 * with a table of origins, so that every later message points into the file that the user has.
 */
#ifndef PLAN_SOURCE_FOREIGN_READER_H
#define PLAN_SOURCE_FOREIGN_READER_H

#include "compiler/source/source.h"

struct diag_sink;

struct import_text {
	struct out text;            /* plan source, in the arena of the input */
	VEC(struct origin) origins; /* ordered by lo, not overlapping but where they nest */
};

struct foreign_file {
	struct arena *arena;
	struct sources *sources;
	struct diag_sink *sink;
	uint32_t file;              /* of `sources`: read already */
};

struct foreign_reader {
	const char *name;           /* "huggingface.model", as an import spells it; NULL ends a table */
	/* Writes a plan whose last record is what the file says. false after reporting. */
	bool (*read)(const struct foreign_file *in, struct import_text *result);
};

#endif
