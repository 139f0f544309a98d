/* fuzz.h - what the fuzz targets share.
 *
 * A target is a function of bytes; libFuzzer calls it with what it makes up (`make fuzz T=parse S=60`),
 * and `make check` with the texts that are kept in tests/fuzz/corpus (replay.c). It ends the process
 * when something does not hold.
 */
#ifndef PLAN_FUZZ_FUZZ_H
#define PLAN_FUZZ_FUZZ_H

#include "compiler/check/compile.h"

struct fuzz {
	jmp_buf escape;
	struct arena arena;
	struct interner *names;
	struct sources sources;
	struct diag_sink sink;
	uint32_t file;               /* the input */
	struct str text;
};

/* The bytes as a source in a compilation of its own. Memory is limited; the target sets the escape:
 *
 *	fuzz_begin(&f, data, size);
 *	if (setjmp(f.escape) == 0)
 *		...
 *	fuzz_end(&f);
 */
void fuzz_begin(struct fuzz *f, const uint8_t *data, size_t size);
void fuzz_end(struct fuzz *f);

/* Ends the process when the condition does not hold. */
void fuzz_require(const struct fuzz *f, bool condition, const char *what);

/* Renders every message in every form. */
void fuzz_render(struct fuzz *f);

/* An input for plan_compile with the text of `f`. The library is a small one, which compiles a hundred
 * times faster, unless the text asks for more of it ("std:"). */
struct compile_input fuzz_compile_input(struct fuzz *f, struct str text);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
