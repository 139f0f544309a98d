/* search_test.c - sweeps over small records: what axes do to a candidate, what is counted, what lasts. */
#include "tests/unit/unit.h"

#include "runtime/search/search.h"
#include "tests/unit/plan_fixture.h"

static struct search *search_of(struct run *r)
{
	struct search *s = search_run(&r->ev, 0, NULL);
	struct out o;

	out_init(&o, &r->arena);
	diag_render(&r->sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
	ck_assert_msg(s != NULL, "%.*s", (int)o.n, o.p);
	return s;
}

static const struct search_row *row(const struct search *s, const char *name)
{
	for (uint32_t i = 0; i < s->row_count; i++)
		if (str_is(s->rows[i].name, name))
			return &s->rows[i];
	ck_abort_msg("there is no row %s", name);
	return NULL;
}

/* Codes of what was reported, in order. */
static const char *codes(struct run *r)
{
	struct out o;

	out_init(&o, &r->arena);
	for (uint32_t i = 0; i < r->sink.diags.n; i++)
		out_printf(&o, "%s%s", i > 0 ? " " : "", diag_info(r->sink.diags.at[i]->code)->name);
	return arena_copy(&r->arena, o.p, o.n);
}

static struct value global(struct run *r, const char *name)
{
	uint32_t g = ir_find_global(r->p, str_of(name));

	ck_assert_uint_ne(g, IR_NONE);
	return eval_global(&r->ev, g);
}

static int64_t field(struct run *r, struct record *of, const char *name)
{
	struct value v = record_get_named(&r->ev, of, name);

	ck_assert_int_eq(v.kind, VALUE_NUMBER);
	return v.number.n;
}

#define BOX "edition 1\n" \
	"schema lid { t: int = 1, assert thin: t <= 2 }\n" \
	"schema box { w: int, h: int = w, lid: lid = {}, spare: lid? = none, many: list[lid] = []\n" \
	"  final area: int = w * h\n" \
	"  assert flat: h <= 9 }\n" \
	"lid heavy { t = 2 }\n" \
	"box base { w = 3, assert odd_sum: (w + h) mod 2 == 0 }\n"

START_TEST(late_binding)
{
	struct run r;

	open_plan(&r, BOX "sweep s of base { vary w in [1, 2, 5] }\n");
	struct search *s = search_of(&r);
	ck_assert_uint_eq(s->total, 3);
	ck_assert_uint_eq(s->feasible_count, 3);
	/* h follows from w, area from both */
	ck_assert_int_eq(field(&r, search_record(s, 3), "area"), 25);
	ck_assert_int_eq(field(&r, search_record(s, 1), "h"), 1);
	/* the record that the sweep goes out from is as it was */
	ck_assert_int_eq(field(&r, s->base, "area"), 9);
	close_plan(&r);
}
END_TEST

START_TEST(asserts_in_braces)
{
	struct run r;

	open_plan(&r, BOX "sweep s of base { vary w in [1, 2]\n vary h in [1, 2, 12] }\n");
	const struct search *s = search_of(&r);
	ck_assert_uint_eq(row(s, "odd_sum")->violated, 3);
	ck_assert_uint_eq(row(s, "flat")->removed, 2);
	ck_assert_uint_eq(row(s, "odd_sum")->removed, 2);
	ck_assert_uint_eq(row(s, "odd_sum")->alone, 2);
	ck_assert_uint_eq(s->feasible_count, 2);
	close_plan(&r);
}
END_TEST

/* A record that is chosen, then changed; one with a name was checked where it was declared. */
START_TEST(whole_records)
{
	struct run r;

	open_plan(&r, BOX "sweep s of base {\n"
			  "  vary lid in [heavy, { t = 3 }, heavy with { t = 1 }]\n"
			  "  vary spare.t in [2, 4]\n"
			  "  vary many in [[], [heavy], [{ t = 1 }, { t = 9 }]]\n"
			  "}\n");
	struct search *s = search_of(&r);
	ck_assert_uint_eq(s->total, 18);
	/* broken unless the first or third lid, a spare one of 2, and no list with a 9: 2 * 1 * 2 */
	ck_assert_uint_eq(row(s, "thin")->violated, 14);
	ck_assert_uint_eq(s->feasible_count, 4);
	struct value spare = record_get_named(&r.ev, search_record(s, 1), "spare");
	ck_assert_int_eq(spare.kind, VALUE_RECORD);
	ck_assert_int_eq(field(&r, spare.record, "t"), 2);
	close_plan(&r);
}
END_TEST

START_TEST(axis_over_a_changed_record)
{
	struct run r;

	open_plan(&r, BOX "sweep s of base { vary lid in [heavy, {}]\n vary lid.t in [1, 2] when lid.t == 2 }\n");
	struct search *s = search_of(&r);
	ck_assert_uint_eq(s->total, 3);
	for (uint64_t i = 1; i <= 3; i++) {
		static const int64_t expected[] = { 1, 2, 1 };
		struct value lid = record_get_named(&r.ev, search_record(s, i), "lid");
		ck_assert_int_eq(field(&r, lid.record, "t"), expected[i - 1]);
	}
	ck_assert(str_is(s->product, "3 (lid, t)") || str_is(s->product, "(1 + 1 lid x 2 t)"));
	close_plan(&r);
}
END_TEST

START_TEST(values_that_depend)
{
	struct run r;

	open_plan(&r, BOX "sweep s of base { vary w in 1..4\n vary h in 1..w\n constraint big: area >= 8 }\n");
	struct search *s = search_of(&r);
	ck_assert_uint_eq(s->total, 10);
	ck_assert_uint_eq(row(s, "big")->violated, 6);
	ck_assert_int_eq(field(&r, search_record(s, 9), "h"), 3);
	ck_assert_int_eq(field(&r, search_record(s, 9), "w"), 4);
	ck_assert(str_is(search_describe(s, 10), "w 4, h 4"));
	close_plan(&r);
}
END_TEST

/* A candidate that cannot be computed is a row of its own; one that is out anyway is not counted there. */
START_TEST(candidates_that_fail)
{
	struct run r;

	open_plan(&r, BOX "sweep s of base { vary w in [2, 4, 6]\n vary h in [0, 2, 12]\n"
			  "  constraint ratio: w / h >= 1\n  constraint small: w < 6 }\n");
	const struct search *s = search_of(&r);
	ck_assert_uint_eq(row(s, "divide_by_zero")->removed, 2);
	ck_assert_uint_eq(row(s, "divide_by_zero")->violated, 2);
	ck_assert_uint_eq(row(s, "small")->violated, 3);
	ck_assert_uint_eq(row(s, "ratio")->violated, 3);
	ck_assert_uint_eq(s->feasible_count, 2);
	ck_assert_str_eq(codes(&r), "");
	close_plan(&r);
}
END_TEST

/* What a candidate asks of a global stays valid when the candidate is gone. */
START_TEST(globals_last)
{
	struct run r;

	open_plan(&r, BOX "let big = 10 ^ 40\nlet words = [\"{x * big}\" for x in 1..50]\n"
			  "lid late { t = len(words) - 49 }\n"
			  "sweep s of base { vary w in 1..300\n"
			  "  constraint known: words[w mod 50] != \"\" and late.t == 1 and big * w > 0 }\n");
	const struct search *s = search_of(&r);
	ck_assert_uint_eq(s->feasible_count, 9);
	struct value words = global(&r, "words");
	ck_assert_int_eq(words.kind, VALUE_LIST);
	ck_assert(str_is(words.list->at[1].text, "20000000000000000000000000000000000000000"));
	ck_assert_int_eq(field(&r, global(&r, "late").record, "t"), 1);
	close_plan(&r);
}
END_TEST

START_TEST(selections)
{
	struct run r;

	open_plan(&r, BOX "sweep s of base { vary w in [1, 2, 3, 4]\n objective { maximise area slack 50%, minimise w } }\n"
			  "let b = best(s).w\nlet t = [x.w for x in top(s, 3)]\nlet a = len(all(s))\n"
			  "let f = [x.w for x in pareto(s)]\n");
	ck_assert_int_eq(global(&r, "b").number.n, 3);
	struct value t = global(&r, "t"), f = global(&r, "f");
	ck_assert_uint_eq(t.list->n, 3);
	ck_assert_int_eq(t.list->at[1].number.n, 4);
	ck_assert_int_eq(t.list->at[2].number.n, 2);
	ck_assert_int_eq(global(&r, "a").number.n, 4);
	ck_assert_uint_eq(f.list->n, 4);
	ck_assert_str_eq(codes(&r), "");
	close_plan(&r);
}
END_TEST

START_TEST(sweeps_that_need_themselves)
{
	struct run r;

	open_plan(&r, BOX "sweep s of base { vary w in [1, 2]\n constraint round: w <= chosen.w\n"
			  "  objective { maximise w } }\nlet chosen = best(s)\n");
	ck_assert_int_eq(global(&r, "chosen").kind, VALUE_POISON);
	ck_assert_str_eq(codes(&r), "E2401");
	close_plan(&r);
	open_plan(&r, "edition 1\nschema box { w: int }\nbox base { w = best(s).w }\n"
		      "sweep s of base { vary w in [1, 2]\n objective { maximise w } }\n");
	ck_assert(!search_run(&r.ev, 0, NULL));
	ck_assert_ptr_nonnull(strstr(codes(&r), "E1204"));
	close_plan(&r);
}
END_TEST

START_TEST(a_base_that_is_not_sound)
{
	struct run r;

	open_plan(&r, BOX "box bad { w = 10 }\nsweep s of bad { vary w in [1, 2] }\n");
	ck_assert(!search_run(&r.ev, 0, NULL));
	ck_assert_str_eq(codes(&r), "E2301");
	close_plan(&r);
}
END_TEST

/* Reals are ranked to twelve digits, whatever comes behind them. */
START_TEST(reals)
{
	struct run r;

	open_plan(&r, BOX "sweep s of base { vary w in [1, 3, 5]\n"
			  "  objective { minimise sqrt(2) + w / 10 ^ 14, maximise w } }\nlet b = best(s).w\n");
	ck_assert_int_eq(global(&r, "b").number.n, 5);
	close_plan(&r);
}
END_TEST

START_TEST(nothing_left)
{
	struct run r;
	uint32_t n;
	bool cut;

	open_plan(&r, BOX "sweep s of base { vary w in [1, 2, 3]\n vary h in [1, 2, 3]\n"
			  "  constraint a: area > 9\n  constraint b: w < 2\n  constraint c: h < 2\n"
			  "  objective { maximise area } }\n");
	struct search *s = search_of(&r);
	const struct search_relief *at = search_reliefs(s, &n, &cut);
	ck_assert_uint_eq(s->feasible_count, 0);
	ck_assert(!cut);
	/* a alone: 1 x 1; nothing smaller */
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(at[0].row_count, 1);
	ck_assert_uint_eq(at[0].candidates, 1);
	ck_assert_int_eq(at[0].goal.number.n, 1);
	ck_assert_uint_eq(at[0].best, 1);
	search_report_nothing(s, s->sweep->span);
	ck_assert_str_eq(codes(&r), "E2416");
	close_plan(&r);
}
END_TEST

/* A sweep by several threads, with the n-th allocation of the caller failing; -1 when it ran out of memory. */
static int64_t crew_with_failure(int64_t n, int64_t *left)
{
	static const struct search_options two = { .threads = 2, .per_thread = 1 };
	static struct run r;
	static jmp_buf escape;
	static int64_t feasible;

	feasible = -1;
	open_plan(&r, BOX "sweep s of base { vary w in 1..8, vary h in 1..12, constraint c: w * h > 20\n"
			  "  objective { maximise area } }\n");
	r.arena.escape = &escape;
	r.arena.fail_after = n;
	if (setjmp(escape) == 0)
		feasible = (int64_t)search_run(&r.ev, 0, &two)->feasible_count;
	*left = r.arena.fail_after;
	ck_assert_ptr_eq(r.arena.escape, &escape);
	close_plan(&r);
	return feasible;
}

START_TEST(memory_fails_while_threads_work)
{
	int64_t left, all = crew_with_failure(INT64_MAX, &left), total = INT64_MAX - left;

	/* w + h is even, h at most 9: 2 + 2 + 3 + 3 + 4 + 3 for w from 3 to 8. */
	ck_assert_int_eq(all, 17);
	/* How much the calling thread has to note depends on who is quick; then the n-th time may not come. */
	for (int64_t n = 1; n <= total; n++) {
		int64_t found = crew_with_failure(n, &left);

		ck_assert_msg(found == -1 || (found == all && left > 0), "allocation %lld", (long long)n);
	}
}
END_TEST

/* Bytes that a sweep of n * 100 candidates, all of them feasible, leaves behind, and what it says is best. Parcels are
 * handed over by the unit, not by the clock, so that the blocks of arenas are the same on every machine. */
static size_t memory_of(int n, uint32_t keep, uint64_t *best)
{
	const struct search_options options = { .keep = keep, .eager = true };
	static char text[400];
	struct search *s;
	struct run r;
	uint32_t at[10];
	size_t bytes;

	snprintf(text, sizeof text,
		 "edition 1\nschema box { w: int = 1, deep: int = 1 }\nbox base {}\n"
		 "sweep s of base { limit = 10_000_000, vary w in 1..100, vary deep in 1..%d\n"
		 "  objective { maximise w slack 1%%, minimise (deep - 50) * (deep - 50) } }\n", n);
	open_plan(&r, text);
	s = search_run(&r.ev, 0, &options);
	ck_assert_uint_eq(s->feasible_count, (uint64_t)n * 100);
	ck_assert_uint_eq(search_top(s, 10, at), 10);
	*best = s->feasible[at[0]].number;
	bytes = r.arena.total;
	close_plan(&r);
	return bytes;
}

/* The same of goals that pull against each other, each with slack: 1000 * n candidates. */
static size_t memory_of_rivals(int n)
{
	static const struct search_options ten = { .keep = 10, .eager = true };
	static char text[600];
	struct run r;
	size_t bytes;

	snprintf(text, sizeof text,
		 "edition 1\nschema box { w: int = 1, deep: int = 1 }\nbox base {}\n"
		 "sweep s of base { limit = 10_000_000, vary w in 1..1000, vary deep in 1..%d\n"
		 "  objective { maximise (w * 7919 + deep * 104729) mod 100003 slack 50%%\n"
		 "    minimise (w * 31337 + deep * 7) mod 99991 slack 5, maximise w * w + deep } }\n", n);
	open_plan(&r, text);
	search_run(&r.ev, 0, &ten);
	bytes = r.arena.total;
	close_plan(&r);
	return bytes;
}

START_TEST(memory_stays_flat_where_goals_pull_apart)
{
	size_t small = memory_of_rivals(10), large = memory_of_rivals(200);

	ck_assert_msg(large < small + (2 << 20), "%zu and %zu bytes", small, large);
}
END_TEST

START_TEST(memory_stays_flat)
{
	uint64_t best, same;
	size_t small = memory_of(100, 10, &best), large = memory_of(2000, 10, &same), all = memory_of(2000, 0, &same);

	ck_assert_uint_eq(best, 99 * 100 + 50);
	ck_assert_uint_eq(same, 99 * 2000 + 50);
	ck_assert_msg(large < small + (4 << 20), "%zu and %zu bytes", small, large);
	ck_assert_msg(all > large + (8 << 20), "%zu and %zu bytes", large, all);
}
END_TEST

UNIT_MAIN("search", late_binding, asserts_in_braces, whole_records, axis_over_a_changed_record,
	  values_that_depend, candidates_that_fail, globals_last, selections, sweeps_that_need_themselves,
	  a_base_that_is_not_sound, reals, nothing_left, memory_fails_while_threads_work,
	  memory_stays_flat, memory_stays_flat_where_goals_pull_apart)
