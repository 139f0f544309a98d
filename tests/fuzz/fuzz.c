/* fuzz.c - see fuzz.h. */
#include "tests/fuzz/fuzz.h"

enum { MEMORY_MAX = 512 << 20 };

void fuzz_begin(struct fuzz *f, const uint8_t *data, size_t size)
{
	memset(f, 0, sizeof *f);
	arena_init(&f->arena, NULL);
	f->names = interner_make(&f->arena);
	sources_init(&f->sources, &f->arena);
	diag_sink_init(&f->sink, &f->arena, &f->sources);
	f->text = (struct str){ arena_copy(&f->arena, (const char *)data, size), (uint32_t)size };
	f->file = sources_add(&f->sources, STR("input"), f->text, false);
	f->arena.limit = MEMORY_MAX;
	f->arena.escape = &f->escape;
}

void fuzz_end(struct fuzz *f)
{
	arena_release(&f->arena);
}

void fuzz_require(const struct fuzz *f, bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	for (uint32_t i = 0; i < f->sink.diags.n; i++)
		fprintf(stderr, "  %s: %.*s\n", diag_info(f->sink.diags.at[i]->code)->name,
			(int)f->sink.diags.at[i]->message.n, f->sink.diags.at[i]->message.p);
	abort();
}

void fuzz_render(struct fuzz *f)
{
	static const enum diag_format formats[] = { DIAG_HUMAN, DIAG_JSON, DIAG_GITHUB };
	struct out o;

	for (size_t i = 0; i < PLAN_COUNT(formats); i++) {
		out_init(&o, &f->arena);
		diag_render(&f->sink, (struct diag_style){ .format = formats[i], .colour = i == 0 }, &o);
		fuzz_require(f, (o.n > 0) == (f->sink.diags.n > 0), "messages are printed");
	}
}

/* What the checker asks the library for by name, and little else. */
static const char small_prelude[] =
	"edition 1\n"
	"enum dtype { fp32, bf16, fp8 }\n"
	"enum zero { off, optimizer }\n"
	"schema block { kind: dtype = bf16, n: int = 1 }\n"
	"schema profile { overlap: ratio = 50%, final slow: bool = overlap < 10% }\n"
	"profile standard { overlap = 90% }\n"
	"schema model { layers: int, hidden: int = 64, blocks: list[block] = [], native parameters: int }\n"
	"schema cluster { gpus: int = 8, memory: bytes = 80 GiB, link: bytes/s = 25 GB/s }\n"
	"schema batch { micro: int = 1, global: int? = none }\n"
	"schema strategy { tp: int = 1, pp: int = 1, zero: zero = off, layout: layout? = none,\n"
	"  assert positive: tp >= 1 and pp >= 1 }\n"
	"schema job { model: model, cluster: cluster, strategy: strategy = {}, batch: batch = {},\n"
	"  profile: profile = standard, final world: int = strategy.tp * strategy.pp,\n"
	"  assert enough when cluster.gpus > 1: world <= cluster.gpus because \"{world} of {cluster.gpus}\" }\n"
	"schema target { job: job, artefact: string = \"flags\", final command: list[string] = [] }\n";

struct compile_input fuzz_compile_input(struct fuzz *f, struct str text)
{
	static const struct embedded_file small[] = {
		{ "prelude.plan", (const unsigned char *)small_prelude, sizeof small_prelude - 1 },
		{ NULL, NULL, 0 },
	};
	const char *whole = arena_copy(&f->arena, text.p, text.n);

	return (struct compile_input){
		.arena = &f->arena,
		.names = f->names,
		.sources = &f->sources,
		.sink = &f->sink,
		.path = STR("input.plan"),
		.text = text,
		.library = strstr(whole, "std:") ? stdlib_files : small,
	};
}
