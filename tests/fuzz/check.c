/* check.c - the whole front end: names, types, lowering, and the rules of what compiles. */
#include "runtime/bind/job.h"
#include "runtime/search/search.h"
#include "tests/fuzz/fuzz.h"

enum { STEPS_MAX = 20000, CANDIDATES_MAX = 2000 };

static void check_rules(struct fuzz *f, const struct ir_program *p)
{
	struct eval ev;
	const char *what = "";
	uint32_t where = 0;

	fuzz_require(f, ir_verify(p, &what, &where), what);
	eval_init(&ev, &f->arena, p, &f->sink);
	job_install(&ev);
	ev.without_model = true;
	ev.steps_max = STEPS_MAX;
	ev.candidates_max = CANDIDATES_MAX;
	search_install(&ev, NULL);
	fuzz_require(f, program_check(&ev) || f->sink.errors > 0, "what is not sound has an error");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz f;
	struct ir_program *p;
	struct compile_input in;

	fuzz_begin(&f, data, size);
	if (setjmp(f.escape) == 0) {
		in = fuzz_compile_input(&f, f.text);
		p = plan_compile(&in);
		fuzz_require(&f, p != NULL || f.sink.errors > 0, "no program without an error");
		if (p && f.sink.errors == 0)
			check_rules(&f, p);
		fuzz_render(&f);
	}
	fuzz_end(&f);
	return 0;
}
