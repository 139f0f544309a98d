/* parse_bench.c - how fast a large plan is read: text to syntax tree, comments kept.
 *
 * The text is made here: schemas, records and asserts as plans have them, some megabytes of it.
 */
#include <time.h>

#include "compiler/syntax/parse.h"

enum { RECORDS = 20000, ROUNDS = 5 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct str make_text(struct arena *a)
{
	struct out o;

	out_init(&o, a);
	out_text(&o, "edition 1\n\n");
	for (int i = 0; i < RECORDS; i++)
		out_printf(&o,
			   "## The strategy that run %d used.\n"
			   "strategy wide_%d extends base {\n"
			   "  tp = %d, pp = 4      # inside a node\n"
			   "  overlap { gradient_reduce = true }\n"
			   "  assert fits_%d when tp > 1: memory.peak <= 80 GiB - %d.5 MiB\n"
			   "    because \"stage {memory.worst_stage} peaks at {memory.peak:GiB.1}\"\n"
			   "}\n\n",
			   i, i, 1 + i % 8, i, i % 900);
	return out_view(&o);
}

int main(void)
{
	struct arena text_arena;
	double best = 0;

	arena_init(&text_arena, NULL);
	struct str text = str_copy(&text_arena, make_text(&text_arena));
	for (int round = 0; round < ROUNDS; round++) {
		struct arena arena;
		struct sources sources;
		struct diag_sink sink;
		struct parse_input in;

		arena_init(&arena, NULL);
		sources_init(&sources, &arena);
		diag_sink_init(&sink, &arena, &sources);
		in = (struct parse_input){ &arena, interner_make(&arena), &sources, &sink, 0 };
		in.file = sources_add(&sources, STR("big.plan"), text, false);
		double start = now();
		bool ok = parse_file(&in).ok;
		double rate = (double)text.n / 1e6 / (now() - start);
		if (!ok) {
			fprintf(stderr, "parse_bench: the text was refused\n");
			return 1;
		}
		if (rate > best)
			best = rate;
		arena_release(&arena);
	}
	printf("parse: %.1f MB/s, best of %d rounds over %.1f MB\n", best, ROUNDS, (double)text.n / 1e6);
	arena_release(&text_arena);
	return 0;
}
