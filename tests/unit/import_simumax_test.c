/* import_simumax_test.c - the plan written for SimuMax's files, and where each line came from. */
#include "tests/unit/unit.h"

#include "runtime/import/simumax/simumax_int.h"

#define FOLDER "tests/golden/simumax/"

struct reading {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct import_text text;
	bool fine;
};

static void read_files(struct reading *r, struct arena *a, const char *strategy)
{
	struct simumax_input in = { .arena = a,
				    .sources = &r->sources,
				    .sink = &r->sink,
				    .model = STR(FOLDER "model.json"),
				    .strategy = str_of(strategy),
				    .system = STR(FOLDER "system.json") };

	sources_init(&r->sources, a);
	diag_sink_init(&r->sink, a, &r->sources);
	r->fine = import_simumax(&in, &r->text);
}

/* Offset of a piece of the written plan; the test fails where there is none. */
static uint32_t find(const struct reading *r, const char *piece)
{
	struct str all = out_view(&r->text.text);
	size_t n = strlen(piece);

	for (uint32_t i = 0; i + n <= all.n; i++)
		if (memcmp(all.p + i, piece, n) == 0)
			return i;
	ck_abort_msg("the plan has no `%s`", piece);
}

START_TEST(a_line_knows_its_value)
{
	static const struct {
		const char *line, *value;
	} samples[] = {
		{ "layers = 8", "8" },
		{ "tp = 2", "2" },
		{ "sequence = 4096", "4096" },
		{ "reserved = 0.94", "0.94" },
		{ "memory = 80 GiB", "80" },
		{ "efficiency = 0.75", "{" },
		{ "te = \"2.11.0\"", "\"2.11.0\"" },
		{ "method = block", "\"full_block\"" },
	};
	struct reading r;

	arena_init(&r.arena, NULL);
	read_files(&r, &r.arena, FOLDER "strategy.json");
	ck_assert(r.fine);
	ck_assert_uint_eq(r.sink.diags.n, 0);
	uint32_t plan = sources_add(&r.sources, STR("simumax.plan"), out_view(&r.text.text), false);
	struct source *f = source_get(&r.sources, plan);

	for (uint32_t i = 0; i < r.text.origins.n; i++)
		*VEC_ADD(&r.arena, &f->origins) = r.text.origins.at[i];
	for (size_t i = 0; i < PLAN_COUNT(samples); i++) {
		uint32_t at = find(&r, samples[i].line);
		struct span from = source_origin(&r.sources, (struct span){ plan, at, at + 1 });
		struct str text = source_slice(&r.sources, from);

		ck_assert_uint_lt(from.file, plan);
		if (strcmp(samples[i].value, "{") != 0)
			ck_assert_msg(str_is(text, samples[i].value), "%s: %.*s", samples[i].line,
				      (int)text.n, text.p);
	}
	arena_release(&r.arena);
}
END_TEST

START_TEST(origins_nest_in_order)
{
	struct reading r;

	arena_init(&r.arena, NULL);
	read_files(&r, &r.arena, FOLDER "strategy.json");
	for (uint32_t i = 0; i < r.text.origins.n; i++) {
		struct origin o = r.text.origins.at[i];

		ck_assert_uint_lt(o.lo, o.hi);
		ck_assert_uint_le(o.hi, r.text.text.n);
		if (i > 0)
			ck_assert_uint_ge(o.lo, r.text.origins.at[i - 1].lo);
		for (uint32_t k = i + 1; k < r.text.origins.n && r.text.origins.at[k].lo < o.hi;
		     k++)
			ck_assert_uint_le(r.text.origins.at[k].hi, o.hi);
	}
	arena_release(&r.arena);
}
END_TEST

START_TEST(nothing_is_written_after_a_mistake)
{
	struct reading r;

	arena_init(&r.arena, NULL);
	read_files(&r, &r.arena, FOLDER "several_strategy.json");
	ck_assert(!r.fine);
	ck_assert_uint_eq(r.sink.errors, 3);
	ck_assert_uint_eq(r.text.text.n, 0);
	arena_release(&r.arena);
}
END_TEST

START_TEST(shapes)
{
	static const struct {
		enum simumax_table table;
		const char *key, *row;
	} samples[] = {
		{ SIMUMAX_MATMUL, "b=1, m=2, k=3, n=4, layout=NT, accumulate=True, out_dtype=fp32",
		  ", batch = 1, m = 2, k = 3, n = 4, layout = \"NT\", accumulate = true, out = "
		  "fp32" },
		{ SIMUMAX_ATTENTION,
		  "batch=1, seq_len=8, head_num=4, kv_head_num=2, qk_head_dim=64, "
		  "v_head_dim=64, qkv_contiguous=False",
		  ", batch = 1, sequence = 8, heads = 4, kv_heads = 2, qk_head = 64, v_head = 64, "
		  "contiguous = false" },
		{ SIMUMAX_GROUPED,
		  "ng=8, M=4, N=2, K=1, dtype=bf16, out_dtype=bf16, main_grad_dtype=fp32, "
		  "stage=bwd_grad_w, grad=True, accumulate=True, use_split_accumulator=True, "
		  "single_output=False",
		  ", groups = 8, m = 4, n = 2, k = 1, dtype = bf16, out = bf16, gradient = fp32, "
		  "stage = \"bwd_grad_w\"" },
	};
	static const char *const wrong[] = {
		"",
		"b=1",
		"b=1, m=2, k=3, n=4, layout=NT, accumulate=True, out_dtype=fp32, ",
		"b=1,m=2,k=3,n=4,layout=NT,accumulate=True,out_dtype=fp32",
		"m=2, b=1, k=3, n=4, layout=NT, accumulate=True, out_dtype=fp32",
		"b=0, m=2, k=3, n=4, layout=NT, accumulate=True, out_dtype=fp32",
		"b=-1, m=2, k=3, n=4, layout=NT, accumulate=True, out_dtype=fp32",
		"b=1, m=2, k=3, n=4, layout=TT, accumulate=True, out_dtype=fp32",
		"b=1, m=2, k=3, n=4, layout=NT, accumulate=true, out_dtype=fp32",
		"b=1, m=2, k=3, n=4, layout=NT, accumulate=True, out_dtype=fp33",
		"b=1, m=2, k=3, n=4, layout=NT, accumulate=True, out_dtype=fp32, x=1",
		"b=1, m=2, k=3, n=1000000000000000000, layout=NT, accumulate=True, out_dtype=fp32",
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(samples); i++)
		ck_assert_str_eq(simumax_row(&a, samples[i].table, str_of(samples[i].key)),
				 samples[i].row);
	for (size_t i = 0; i < PLAN_COUNT(wrong); i++)
		ck_assert_msg(simumax_row(&a, SIMUMAX_MATMUL, str_of(wrong[i])) == NULL, "%s",
			      wrong[i]);
	arena_release(&a);
}
END_TEST

START_TEST(numbers_and_names)
{
	struct arena a;
	struct plan_text w = { .arena = &a };
	struct num n;

	arena_init(&a, NULL);
	ck_assert_str_eq(plan_text_quantity(&w, num_ratio(&a, 25, 8), "GiB/s"), "3.125 GiB/s");
	ck_assert_str_eq(plan_text_quantity(&w, num_ratio(&a, 25, 3), "GiB/s"), "25 GiB/s / 3");
	ck_assert(num_parse(&a, STR("0.7876672065615554"), &n));
	ck_assert_str_eq(plan_text_number(&w, n), "0.7876672065615554");
	ck_assert_str_eq(plan_text_name(&w, STR("llama3_8b")), "llama3_8b");
	ck_assert_str_eq(plan_text_name(&w, STR("8b")), "`8b`");
	ck_assert_str_eq(plan_text_name(&w, STR("a `b`\n-\xc3\xa9")), "`a _b__-_`");
	arena_release(&a);
}
END_TEST

static void import_once(struct arena *a, void *context)
{
	struct reading r;

	(void)context;
	read_files(&r, a, FOLDER "strategy.json");
	ck_assert(r.fine);
}

START_TEST(memory_that_fails)
{
	ck_assert_int_gt(unit_each_failure(import_once, NULL), 0);
}
END_TEST

UNIT_MAIN("import_simumax", a_line_knows_its_value, origins_nest_in_order,
	  nothing_is_written_after_a_mistake, shapes, numbers_and_names, memory_that_fails)
