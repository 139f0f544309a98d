/* csv.c - the CSV reader: every cell lies inside of the text, every row has the width of the header, and
 * what it refuses has a place and a reason. */
#include "compiler/source/csv.h"

#include "tests/fuzz/fuzz.h"

static void look_at(const struct fuzz *f, const struct csv_cell *cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct span at = cells[i].span;

		fuzz_require(f, at.file == f->file && at.lo <= at.hi && at.hi <= f->text.n,
			     "a cell lies inside of the text");
		fuzz_require(f, cells[i].text.n <= at.hi - at.lo, "a cell is no longer than its text");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz f;
	struct csv_error error = { 0 };
	struct csv *t;

	fuzz_begin(&f, data, size);
	if (setjmp(f.escape) == 0) {
		t = csv_parse(&f.arena, &f.sources, f.file, &error);
		if (t) {
			look_at(&f, t->header, t->columns);
			look_at(&f, t->cells, (size_t)t->columns * t->rows);
		}
		fuzz_require(&f, t || (error.message && error.span.file == f.file && error.span.hi <= size),
			     "an error has a place");
	}
	fuzz_end(&f);
	return 0;
}
