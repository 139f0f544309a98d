/*
 * price_property.c - the short ways of a search lead where the long one leads.
 *
 * Small sweeps over real jobs are drawn: axes over sizes, batches, formats and whole records, conditions
 * and goals over results of the cost model, some of which cannot be computed for every candidate. Each
 * is searched with the evaluator alone, candidate by candidate; with parts, formulas and counts of whole
 * subtrees; by several threads; by several ranks, also when one is lost; in shards that are joined; stopped in the
 * middle and gone on with; keeping only what a report shows; and with rows that are given out meanwhile: the reports
 * have to be the same to the last byte. The seed is printed when they are
 * not; give it as the first argument, the rounds as the second.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "compiler/check/compile.h"
#include "runtime/bind/job.h"
#include "runtime/report/sweep.h"
#include "tests/unit/dice.h"
#include "tests/unit/team_fixture.h"

enum { ROUNDS = 100, CHOICES_MAX = 6 };

static const char head[] =
	"edition 1\n"
	"import \"std:clusters\" { dgx_h100, dgx_a100 }\n"
	"model small {\n"
	"  layers = 8, hidden = 1024, ffn = 4096, vocab = 32_000\n"
	"  attention { heads = 16, kv_heads = 8, head = 64 }\n"
	"}\n"
	"model sparse extends small {\n"
	"  moe { experts = 8, top_k = 2, ffn = 1024 }\n"
	"}\n"
	"cluster pod extends dgx_h100 { nodes = 2 }\n"
	"cluster old extends dgx_a100 { nodes = 2 }\n"
	"param spare: bytes = 2 GiB\n"
	"job base {\n"
	"  model = small\n"
	"  cluster = pod\n"
	"  strategy { tp = 2, pp = 2 }\n"
	"  batch { sequence = 2048, micro = 1, global = 64 }\n"
	"  run_tokens = 1e9\n"
	"}\n"
	"sweep s of base {\n"
	"  limit = 100_000\n";

/* The first one is set by the tuple too. */
static const char *const axes[] = {
	"strategy.tp in [1, 2, 4]",
	"strategy.pp in [1, 2, 4]",
	"strategy.vpp in [1, 2] when strategy.pp > 1",
	"strategy.cp in [1, 2]",
	"model in [small, sparse]",
	"model.layers in [4, 8]",
	"model.attention.kv_heads in [4, 8]",
	"model.ffn in [2048, 4096]",
	"strategy.ep in [1, 2, 4] when model.moe != none",
	"strategy.zero in [off, optimizer, parameters]",
	"strategy.recompute in values(recompute)",
	"strategy.overlap.gradient_reduce in [true, false]",
	"batch.micro in [1, 2, 3]",
	"batch.global in [32, 48, 64]",
	"batch.sequence in [1024, 4096]",
	"cluster in [pod, old]",
	"cluster.nodes in [1, 2, 3]",
	"(strategy.tp, strategy.sequence_parallel) in [(1, false), (2, true), (2, false)]",
	"strategy.precision.linear in [bf16, fp8]",
	"cluster.gpu.memory in [20 GiB, 80 GiB]",
	"headroom in [0 GiB, spare]",
	"cluster.inter.bandwidth in 25 GB/s..50 GB/s by 25 GB/s",
	"cluster.gpu.efficiency in 50%..70% by 10%",
	"profile in [standard, ideal]",
	"profile.glue_traffic in [true, false]",
	"strategy.kernels.attention in [flash, unfused]",
	"strategy.layout in [balanced(), ends(first = 1), ends(last = 1)]",
};

static const char *const rules[] = {
	"memory.fits",
	"memory.reserved <= cluster.gpu.memory - headroom",
	"memory.peak <= 6 GiB * strategy.tp",
	"pipeline.bubble <= 20%",
	"mfu > 20%",
	"step.time < 1 s",
	"step.time / micro_batches < 40 ms",
	"not (step.bubble > step.compute) and strategy.tp * strategy.pp <= 8",
	"if strategy.pp > 1 then step.bubble > 0 s else step.bubble == 0 s",
	"memory.weights / (strategy.pp - 1) < 1 GiB",
	"pipeline.stages[0].layers >= 2",
	"(days ?? 9 d) < 3 d",
	"step.tensor_comm + step.pipeline_comm < 0.5 * step.time",
	"strategy.tp <= 2",
	"batch.global mod batch.micro == 0",
	"100 / (strategy.tp - 1) > 1",
};

static const char *const goals[] = {
	"maximise tokens_per_second slack 2%", "minimise memory.peak", "minimise step.time * gpus",
	"maximise mfu",                        "minimise strategy.pp", "minimise -step.compute",
	"minimise pipeline.stages[0].memory",  "minimise days",
};

/* Different ones, in a drawn order. */
static int choose(struct dice *d, int of, int most, int *at)
{
	int n = (int)dice_pick(d, 1, most), chosen = 0;

	while (chosen < n) {
		int one = (int)dice_pick(d, 0, of - 1), k = 0;

		while (k < chosen && at[k] != one)
			k++;
		if (k == chosen)
			at[chosen++] = one;
	}
	return n;
}

/* An axis may use what another one sets, so they stand in the order of the table; but two over one field do not
 * go together. */
static void write_axes(struct dice *d, struct out *o)
{
	int at[CHOICES_MAX], n = choose(d, (int)PLAN_COUNT(axes), 5, at);
	bool seen[PLAN_COUNT(axes)] = { false }, tuple = false;

	for (int i = 0; i < n; i++) {
		seen[at[i]] = true;
		tuple = tuple || axes[at[i]][0] == '(';
	}
	if (tuple)
		seen[0] = false;
	for (size_t i = 0; i < PLAN_COUNT(axes); i++)
		if (seen[i])
			out_printf(o, "  vary %s\n", axes[i]);
}

static void write_plan(struct dice *d, struct out *o)
{
	int at[CHOICES_MAX], n;

	out_text(o, head);
	write_axes(d, o);
	n = choose(d, (int)PLAN_COUNT(rules), 4, at);
	for (int i = 0; i < n; i++)
		out_printf(o, "  constraint r%d: %s\n", i, rules[at[i]]);
	n = choose(d, (int)PLAN_COUNT(goals), 2, at);
	out_printf(o, "  objective {\n");
	for (int i = 0; i < n; i++)
		out_printf(o, "    %s\n", goals[at[i]]);
	out_printf(o, "  }\n}\n");
}

struct plan {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	const struct ir_program *program;
	struct out text;
};

static void show(struct plan *p)
{
	struct out o;

	out_init(&o, &p->arena);
	diag_render(&p->sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
	printf("%.*s\n%.*s\n", (int)p->text.n, p->text.p, (int)o.n, o.p ? o.p : "");
}

static struct eval *evaluator(struct plan *p)
{
	struct arena *a = &p->arena;
	struct eval *ev = ARENA_NEW(a, struct eval);

	eval_init(ev, a, p->program, &p->sink);
	job_install(ev);
	search_install(ev, NULL);
	return ev;
}

static struct search *run(struct plan *p, struct search_options options)
{
	return search_run(evaluator(p), 0, &options);
}

static struct str report(struct plan *p, struct search *s)
{
	struct out o;

	if (!s)
		return STR("");
	out_init(&o, &p->arena);
	report_sweep_text(s, &o);
	if (s->options.keep == 0)
		report_sweep_json(s, &o);
	return out_view(&o);
}

/* The report of one way to search; empty when the sweep cannot be run. */
static struct str search(struct plan *p, struct search_options options)
{
	return report(p, run(p, options));
}

/* The same by several ranks, one of which may fall silent. What is told of that is no part of the report. */
static struct str by_team(struct plan *p, struct dice *d, struct search_options options, bool loss)
{
	struct team team = { .ranks = (uint32_t)dice_pick(d, 2, 4) };

	if (loss) {
		team.silent = (uint32_t)dice_pick(d, 1, team.ranks - 1);
		team.after = (uint32_t)dice_pick(d, 0, 3);
	}
	return report(p, team_search(evaluator(p), 0, options, team));
}

static bool agrees(struct str expected, struct str got, const char *way)
{
	if (str_equal(expected, got))
		return true;
	printf("expected:\n%.*s\n%s:\n%.*s\n", (int)expected.n, expected.p, way, (int)got.n, got.p);
	return false;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool collect(struct search *s, struct str rows, void *context)
{
	(void)s;
	out_str(context, rows);
	return true;
}

/* Lines that a run gives out while it keeps a few; by so many ranks. */
static struct str streamed(struct plan *p, struct search_options options, enum sweep_form form, struct team team)
{
	struct out lines, all;
	struct search_rows rows = { report_sweep_rows(form)->row, collect, &lines };
	struct search *s;

	out_init(&lines, &p->arena);
	out_init(&all, &p->arena);
	options.rows = &rows;
	options.keep = SEARCH_KEEP;
	s = team.ranks > 1 ? team_search(evaluator(p), 0, options, team) : run(p, options);
	if (s && report_sweep_rows(form)->head)
		report_sweep_rows(form)->head(s, &all);
	out_str(&all, out_view(&lines));
	return out_view(&all);
}

/* The same lines of a run that keeps everything. */
static struct str listed(struct plan *p, struct search_options options, enum sweep_form form)
{
	struct search *s = run(p, options);
	struct out o;

	out_init(&o, &p->arena);
	if (s)
		report_sweep(s, form, &o);
	return out_view(&o);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* What a run would write into its file; `part` reads it again. */
static bool part_of(struct plan *p, struct search_options options, struct search_part *part)
{
	struct search *s;
	struct out o;

	options.identity = 17;
	s = run(p, options);
	if (!s)
		return false;
	out_init(&o, &p->arena);
	search_part_write(s, &o);
	return search_part_read(out_view(&o), part) && part->identity == 17 && part->total == s->total &&
	       part->tested == s->tested;
}

/* What joins three shards, each searched by itself, in a drawn order; no parts when one fails. */
static struct search_options merged(struct plan *p, struct dice *d, struct search_options options)
{
	enum { SHARDS = 3 };
	struct search_part *parts = ARENA_ARRAY(&p->arena, struct search_part, SHARDS);
	uint32_t first = (uint32_t)dice_pick(d, 0, SHARDS - 1);

	for (uint32_t i = 0; i < SHARDS; i++) {
		struct search_options one = options;

		one.shards = SHARDS;
		one.shard = 1 + (i + first) % SHARDS;
		if (!part_of(p, one, &parts[i]) || !parts[i].complete)
			return (struct search_options){ 0 };
	}
	options.parts = parts;
	options.part_count = SHARDS;
	options.merge = true;
	return options;
}

static struct str sharded(struct plan *p, struct dice *d, struct search_options options)
{
	struct search_options joined = merged(p, d, options);

	return joined.part_count > 0 ? search(p, joined) : STR("a shard has no part");
}

static bool stop_after(const struct search *s, const struct search_progress *progress, void *context)
{
	int64_t *left = context;

	(void)s;
	(void)progress;
	return --*left > 0;
}

/* The report of a run that is stopped after every few units and gone on with, until it is through. */
static struct str resumed(struct plan *p, struct dice *d, struct search_options options)
{
	struct search_part *part = ARENA_NEW(&p->arena, struct search_part);
	struct str text;
	int64_t left;

	options.watch = stop_after;
	options.context = &left;
	options.eager = true;
	do {
		left = dice_pick(d, 1, 60);
		if (!part_of(p, options, part))
			return STR("a stopped run has no part");
		options.parts = part;
		options.part_count = 1;
	} while (!part->complete);
	options.watch = NULL;
	text = search(p, options);
	options.merge = true;
	return str_equal(text, search(p, options)) ? text : STR("a complete part is no answer");
}

/* The page of a run that keeps what it needs, of one that keeps everything, and of three shards. */
static bool page_holds(struct plan *p, struct dice *d, struct search_options three)
{
	struct str page = listed(p, (struct search_options){ .slow = true }, SWEEP_HTML);

	report_sweep_needs(SWEEP_HTML, &three);
	return agrees(page, listed(p, three, SWEEP_HTML), "a page by three threads") &&
	       agrees(page, listed(p, merged(p, d, three), SWEEP_HTML), "a page of three shards");
}

static bool rows_hold(struct plan *p, struct dice *d, struct search_options three)
{
	const struct search_options slow = { .slow = true }, one = { 0 };
	const struct team alone = { 0 }, whole = { .ranks = 3 }, lossy = { .ranks = 3, .silent = 1, .after = 1 };
	struct str csv = listed(p, slow, SWEEP_CSV), jsonl = listed(p, slow, SWEEP_JSONL);

	three.eager = true;
	return page_holds(p, d, three) && agrees(csv, streamed(p, one, SWEEP_CSV, alone), "lines of CSV") &&
	       agrees(csv, streamed(p, three, SWEEP_CSV, alone), "lines of CSV by three threads") &&
	       agrees(csv, streamed(p, three, SWEEP_CSV, whole), "lines of CSV by three ranks") &&
	       agrees(csv, streamed(p, one, SWEEP_CSV, lossy), "lines of CSV by three ranks, one of them lost") &&
	       agrees(jsonl, streamed(p, three, SWEEP_JSONL, alone), "lines of JSON by three threads");
}

/* The same in several runs, and the beginning of it with less kept. */
static bool long_ways_hold(struct plan *p, struct dice *d, struct str slow, struct search_options three)
{
	struct search_options few = { .keep = SEARCH_KEEP }, few_three = three;
	struct str text;

	few_three.keep = SEARCH_KEEP;
	text = search(p, few);
	return agrees(slow, sharded(p, d, (struct search_options){ 0 }), "three shards") &&
	       agrees(slow, resumed(p, d, (struct search_options){ 0 }), "stopped and gone on with") &&
	       agrees(slow, resumed(p, d, three), "three threads, stopped and gone on with") &&
	       agrees(str_slice(slow, 0, text.n), text, "keeping a few") &&
	       agrees(text, search(p, few_three), "three threads that keep a few") &&
	       agrees(slow, by_team(p, d, three, false), "several ranks") &&
	       agrees(text, by_team(p, d, few_three, true), "several ranks, one of them lost, that keep a few") &&
	       agrees(text, sharded(p, d, few_three), "three shards that keep a few");
}

static bool round_holds(struct dice *d, bool *ran)
{
	struct plan p;
	struct compile_input in = { .path = STR("t.plan"), .library = stdlib_files };
	const struct search_options three = { .threads = 3, .per_thread = 1 };
	struct str slow;
	bool fine = true;

	arena_init(&p.arena, NULL);
	sources_init(&p.sources, &p.arena);
	diag_sink_init(&p.sink, &p.arena, &p.sources);
	out_init(&p.text, &p.arena);
	write_plan(d, &p.text);
	in.arena = &p.arena;
	in.names = interner_make(&p.arena);
	in.sources = &p.sources;
	in.sink = &p.sink;
	in.text = out_view(&p.text);
	p.program = plan_compile(&in);
	fine = p.program && p.sink.errors == 0;
	if (fine) {
		slow = search(&p, (struct search_options){ .slow = true });
		*ran = slow.n > 0;
		fine = agrees(slow, search(&p, (struct search_options){ 0 }), "the short way") &&
		       agrees(slow, search(&p, three), "three threads") && (!*ran || (long_ways_hold(&p, d, slow, three) && rows_hold(&p, d, three)));
	}
	if (!fine)
		show(&p);
	arena_release(&p.arena);
	return fine;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20260101;
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS, ran = 0;

	for (int i = 0; i < rounds; i++) {
		/* How often a stopped run draws depends on its threads; the next plan must not. */
		struct dice dice = dice_make(seed * 1000003 + (uint64_t)i);
		bool one = false;

		if (!round_holds(&dice, &one)) {
			printf("price_property: seed %" PRIu64 ", round %d\n", seed, i);
			return 1;
		}
		ran += one;
	}
	if (ran * 2 < rounds) {
		printf("price_property: only %d of %d sweeps ran\n", ran, rounds);
		return 1;
	}
	return 0;
}
