/* simumax.c - the reader of SimuMax's three files, on three texts that lines of `===` separate. What it
 * accepts is a plan that compiles, or has its errors in the files. */
#include "runtime/import/simumax/simumax.h"

#include <unistd.h>

#include "runtime/bind/job.h"
#include "tests/fuzz/fuzz.h"

enum { FILES = 3 };

static char folder[] = "/tmp/plan-fuzz-XXXXXX";
static char paths[FILES][64];

static void remove_files(void)
{
	for (int i = 0; i < FILES; i++)
		remove(paths[i]);
	rmdir(folder);
}

static void make_folder(const struct fuzz *f)
{
	if (paths[0][0])
		return;
	fuzz_require(f, mkdtemp(folder) != NULL, "there is a scratch folder");
	for (int i = 0; i < FILES; i++)
		snprintf(paths[i], sizeof paths[i], "%s/%d.json", folder, i);
	atexit(remove_files);
}

static void write_file(const struct fuzz *f, const char *path, struct str text)
{
	FILE *file = fopen(path, "wb");

	fuzz_require(f, file && fwrite(text.p, 1, text.n, file) == text.n && fclose(file) == 0,
		     "the scratch folder can be written");
}

static void write_files(const struct fuzz *f)
{
	const char *p = f->text.p, *end;

	make_folder(f);
	for (int i = 0; i < FILES; i++) {
		end = i + 1 < FILES ? strstr(p, "\n===\n") : NULL;
		if (!end)
			end = p + strlen(p);
		write_file(f, paths[i], (struct str){ p, (uint32_t)(end - p) });
		p = *end ? end + 5 : end;
	}
}

static void compile(struct fuzz *f, struct import_text *text)
{
	struct compile_input in = fuzz_compile_input(f, out_view(&text->text));
	struct ir_program *p;
	struct eval ev;

	in.path = STR("simumax.plan");
	in.library = stdlib_files;
	in.origins = text->origins.at;
	in.origin_count = text->origins.n;
	p = plan_compile(&in);
	fuzz_require(f, p != NULL, "an imported plan compiles, in parts at least");
	for (uint32_t i = 0; i < f->sink.diags.n; i++)
		fuzz_require(f, f->sink.diags.at[i]->code >= E0301, "an imported plan has no syntax errors");
	if (f->sink.errors > 0)
		return;
	eval_init(&ev, &f->arena, p, &f->sink);
	job_install(&ev);
	program_check(&ev);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz f;
	static struct import_text text;
	struct simumax_input in;

	fuzz_begin(&f, data, size);
	write_files(&f);
	memset(&text, 0, sizeof text);
	if (setjmp(f.escape) == 0) {
		in = (struct simumax_input){ &f.arena, &f.sources, &f.sink, str_of(paths[0]),
					     str_of(paths[1]), str_of(paths[2]), STR("") };
		if (import_simumax(&in, &text))
			compile(&f, &text);
		else
			fuzz_require(&f, f.sink.errors > 0, "a refusal has a reason");
		fuzz_render(&f);
	}
	fuzz_end(&f);
	return 0;
}
