/* importer.h - readers of other programs' files by name: what `planc import NAME FILE...` runs, and what
 * an import of the language reads.
 *
 * Every reader writes plan source (see simumax.h for why) and reports at positions in the files it
 * was given. What a file says and the language cannot is named in a comment of the plan; what a file
 * leaves open becomes a `param` that an assert asks for.
 */
#ifndef PLAN_IMPORT_IMPORTER_H
#define PLAN_IMPORT_IMPORTER_H

#include "runtime/import/simumax/simumax.h"

struct import_input {
	struct arena *arena;
	struct sources *sources;     /* the files are added here */
	struct diag_sink *sink;
	const char *const *paths;    /* as the user named them */
	uint32_t count;              /* between `least` and `most` of the importer */
};

struct importer {
	const char *name;            /* "huggingface" */
	const char *files;           /* what it reads, for usage: "CONFIG" */
	uint32_t least, most;
	/* false, with a reason in the sink: nothing usable was written. */
	bool (*read)(const struct import_input *in, struct import_text *result);
};

/* All of them; ends with a NULL name. */
extern const struct importer importers[];

const struct importer *importer_find(const char *name);   /* NULL when there is none */

/* What `import "FILE" as m: KIND` reads; ends with a NULL name. */
extern const struct foreign_reader foreign_readers[];

/* The readers, for the tables. */
bool import_megatron(const struct import_input *in, struct import_text *result);
bool import_deepspeed(const struct import_input *in, struct import_text *result);
bool import_llamafactory(const struct import_input *in, struct import_text *result);
bool import_huggingface(const struct import_input *in, struct import_text *result);
bool huggingface_model(const struct foreign_file *in, struct import_text *result);
bool simumax_model(const struct foreign_file *in, struct import_text *result);
bool simumax_strategy(const struct foreign_file *in, struct import_text *result);
bool simumax_system(const struct foreign_file *in, struct import_text *result);

#endif
