/* fmt.c - the layout of whatever parses says the same as the text, and is its own layout. */
#include "compiler/syntax/fmt/fmt.h"

#include "tests/fuzz/fuzz.h"

static void lay_out_again(struct fuzz *f, const struct out *first)
{
	struct parse_input in = { &f->arena, f->names, &f->sources, &f->sink, 0 };
	struct out second;

	in.file = sources_add(&f->sources, STR("first"), out_view(first), false);
	fuzz_require(f, fmt_checked(&in, &f->sources, &second) == FMT_SAME, "a layout is its own layout");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz f;
	enum fmt_outcome outcome;
	struct parse_input in;
	struct out o;

	fuzz_begin(&f, data, size);
	if (setjmp(f.escape) == 0) {
		in = (struct parse_input){ &f.arena, f.names, &f.sources, &f.sink, f.file };
		outcome = fmt_checked(&in, &f.sources, &o);
		fuzz_require(&f, outcome != FMT_FAULT, "a layout says the same as its text");
		fuzz_require(&f, (outcome == FMT_REFUSED) == (f.sink.errors > 0), "only errors are refused");
		if (outcome != FMT_REFUSED)
			lay_out_again(&f, &o);
	}
	fuzz_end(&f);
	return 0;
}
