/* parse.c - scanner and parser: a text is rejected exactly when something was said about it, and what
 * was said can be printed. */
#include "compiler/syntax/parse.h"

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz f;
	struct parse_result r;
	struct parse_input in;

	fuzz_begin(&f, data, size);
	if (setjmp(f.escape) == 0) {
		in = (struct parse_input){ &f.arena, f.names, &f.sources, &f.sink, f.file };
		r = parse_file(&in);
		fuzz_require(&f, r.tree != NULL, "there is always a tree");
		fuzz_require(&f, r.ok == (f.sink.errors == 0), "a text is rejected when there are errors");
		fuzz_render(&f);
	}
	fuzz_end(&f);
	return 0;
}
