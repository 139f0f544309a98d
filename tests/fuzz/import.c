/* import.c - the readers of single files: the first line names one, what follows is its file. What is
 * accepted is a plan that can be laid out; what is refused has a reason. */
#include "runtime/import/importer.h"

#include <unistd.h>

#include "compiler/syntax/fmt/fmt.h"
#include "tests/fuzz/fuzz.h"

static char folder[] = "/tmp/plan-fuzz-XXXXXX";
static char path[64];

static void remove_file(void)
{
	remove(path);
	rmdir(folder);
}

static void write_file(const struct fuzz *f, struct str text)
{
	FILE *file;

	if (!path[0]) {
		fuzz_require(f, mkdtemp(folder) != NULL, "there is a scratch folder");
		snprintf(path, sizeof path, "%s/input", folder);
		atexit(remove_file);
	}
	file = fopen(path, "wb");
	fuzz_require(f, file && fwrite(text.p, 1, text.n, file) == text.n && fclose(file) == 0,
		     "the scratch folder can be written");
}

static void lay_out(struct fuzz *f, const struct import_text *text)
{
	struct parse_input in = { &f->arena, f->names, &f->sources, &f->sink, 0 };
	enum fmt_outcome outcome;
	struct out plan;

	in.file = sources_add(&f->sources, STR("plan"), str_copy(&f->arena, out_view(&text->text)), false);
	outcome = fmt_checked(&in, &f->sources, &plan);
	fuzz_require(f, outcome == FMT_SAME || outcome == FMT_CHANGED, "an imported plan can be laid out");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const paths[] = { path };
	static struct fuzz f;
	static struct import_text text;
	const struct importer *importer;
	uint32_t line = 0;

	fuzz_begin(&f, data, size);
	while (line < f.text.n && f.text.p[line] != '\n')
		line++;
	importer = importer_find(str_copy(&f.arena, str_slice(f.text, 0, line)).p);
	if (importer && importer->most == 1 && line < f.text.n) {
		write_file(&f, str_slice(f.text, line + 1, f.text.n));
		memset(&text, 0, sizeof text);
		if (setjmp(f.escape) == 0) {
			struct import_input in = { &f.arena, &f.sources, &f.sink, paths, 1 };

			if (importer->read(&in, &text))
				lay_out(&f, &text);
			else
				fuzz_require(&f, f.sink.errors > 0, "a refusal has a reason");
			fuzz_render(&f);
		}
	}
	fuzz_end(&f);
	return 0;
}
