/* layout_test.c - pipeline layouts and the letter texts they are written in. */
#include "runtime/value/layout.h"
#include "tests/unit/eval_fixture.h"
#include "tests/unit/unit.h"

static const struct layout *parse(struct fixture *f, const char *text)
{
	struct letters_fault fault;
	const struct layout *l = layout_parse(&f->arena, str_of(text), &fault);
	ck_assert_msg(l != NULL, "%s", text);
	return l;
}

static int64_t number(const struct layout *l, enum layout_member m)
{
	int64_t n = -1;
	struct value v = layout_get_member(NULL, l, m);
	if (v.kind == VALUE_NUMBER)
		ck_assert(num_fits_int64(v.number, &n));
	return n;
}

static const char *text_of(const struct layout *l)
{
	return l->text.p;
}

START_TEST(members_of_written_stages)
{
	struct fixture f;
	fixture_init(&f, "");
	const struct layout *l = parse(&f, "Et*3 | (tt|)*29 m | L");
	ck_assert_int_eq(number(l, LAYOUT_STAGES), 32);
	ck_assert_int_eq(number(l, LAYOUT_LAYERS), 61);
	ck_assert_int_eq(number(l, LAYOUT_MTP), 1);
	ck_assert_int_eq(number(l, LAYOUT_ENTRIES), -1);
	ck_assert_int_eq(number(l, LAYOUT_FIRST), -1);
	ck_assert(layout_get_member(NULL, l, LAYOUT_WELL_FORMED).truth);
	ck_assert(layout_get_member(NULL, l, LAYOUT_MTP_WELL_PLACED).truth);
	ck_assert_int_eq(number(l, LAYOUT_MTP_STAGE), 30);
	ck_assert_uint_eq(layout_get_member(NULL, l, LAYOUT_KIND).ordinal, LAYOUT_LISTED);
	ck_assert_str_eq(text_of(l), "Et*3|(tt|)*29m|L");
	ck_assert_int_eq(l->listed[0].layers, 3);
	ck_assert(l->listed[0].embedding && !l->listed[0].loss);
	ck_assert(l->listed[31].loss && l->listed[31].layers == 0);
	ck_assert_int_eq(l->listed[30].mtp, 1);
	fixture_release(&f);
}
END_TEST

START_TEST(one_normal_form)
{
	struct fixture f;
	fixture_init(&f, "");
	static const int64_t two[] = { 2, 2 };
	static const int64_t gaps[] = { 1, 0, 0, 0, 2 };
	const struct layout *counts = layout_make_counts(&f.arena, two, 2);
	ck_assert_str_eq(text_of(counts), "Ett|ttL");
	ck_assert(layout_equal(counts, parse(&f, "Ett|ttL")));
	ck_assert(layout_equal(counts, parse(&f, "E t*2 | (tt) L")));
	ck_assert(!layout_equal(counts, parse(&f, "Et|tttL")));
	ck_assert_str_eq(text_of(layout_make_counts(&f.arena, gaps, 5)), "Et||*3ttL");
	ck_assert(layout_equal(layout_make_counts(&f.arena, gaps, 5), parse(&f, "Et|*4ttL")));
	ck_assert_int_eq(number(counts, LAYOUT_LAYERS), 4);
	ck_assert_int_eq(number(counts, LAYOUT_ENTRIES), 2);
	ck_assert_int_eq(number(counts, LAYOUT_STAGES), -1);
	fixture_release(&f);
}
END_TEST

/* Writing a layout's text out again gives the same layout: for every list of small counts. */
START_TEST(texts_read_back)
{
	struct fixture f;
	fixture_init(&f, "");
	for (int code = 0; code < 4 * 4 * 4 * 4 * 4; code++) {
		int64_t *counts = ARENA_ARRAY(&f.arena, int64_t, 5);
		for (int i = 0, rest = code; i < 5; i++, rest /= 4)
			counts[i] = rest % 4;
		const struct layout *l = layout_make_counts(&f.arena, counts, 5);
		const struct layout *again = parse(&f, text_of(l));
		ck_assert_msg(layout_equal(l, again), "%s: %s", text_of(l), text_of(again));
		ck_assert_uint_eq(again->stage_count, 5);
		for (int i = 0; i < 5; i++)
			ck_assert_int_eq(again->listed[i].layers, counts[i]);
	}
	fixture_release(&f);
}
END_TEST

START_TEST(calls)
{
	struct fixture f;
	fixture_init(&f, "");
	const int64_t four = 4;
	const struct layout *even = layout_make_even(&f.arena, LAYOUT_EVEN, 0, 0);
	ck_assert_str_eq(text_of(even), "even()");
	ck_assert(!layout_equal(even, layout_make_even(&f.arena, LAYOUT_EVEN, 1, 0)));
	ck_assert_str_eq(text_of(layout_make_even(&f.arena, LAYOUT_BALANCED, 1, 1)),
			 "balanced(embedding = 1, loss = 1)");
	const struct layout *ends = layout_make_ends(&f.arena, &four, NULL);
	ck_assert_str_eq(text_of(ends), "ends(first = 4)");
	ck_assert_int_eq(number(ends, LAYOUT_FIRST), 4);
	ck_assert_int_eq(number(ends, LAYOUT_LAST), -1);
	ck_assert_int_eq(number(even, LAYOUT_LAYERS), -1);
	ck_assert_int_eq(number(even, LAYOUT_EMBEDDING), 0);
	fixture_release(&f);
}
END_TEST

/* What `counts` of a layout reads: entries of counts(), layers of written stages, else nothing. */
static void expect_counts(struct fixture *f, const struct layout *l, const char *want)
{
	struct value v = layout_get_member(&f->arena, l, LAYOUT_PER_STAGE);
	struct out o;

	ck_assert_uint_eq(v.kind, VALUE_LIST);
	out_init(&o, &f->arena);
	for (uint32_t i = 0; i < v.list->n; i++) {
		int64_t n = -1;

		ck_assert(num_fits_int64(v.list->at[i].number, &n));
		out_printf(&o, "%lld ", (long long)n);
	}
	ck_assert_str_eq(str_copy(&f->arena, out_view(&o)).p, want);
}

START_TEST(layers_by_stage)
{
	struct fixture f;
	int64_t three[] = { 5, 0, 7 };

	fixture_init(&f, "");
	expect_counts(&f, layout_make_counts(&f.arena, three, 3), "5 0 7 ");
	expect_counts(&f, parse(&f, "Et*3|(tt|)*2m|L"), "3 2 2 0 0 ");
	expect_counts(&f, layout_make_even(&f.arena, LAYOUT_EVEN, 0, 0), "");
	fixture_release(&f);
}
END_TEST

START_TEST(ill_formed_ones)
{
	struct fixture f;
	fixture_init(&f, "");
	ck_assert(!parse(&f, "tt|ttL")->well_formed);
	ck_assert(!parse(&f, "Ett|tt")->well_formed);
	ck_assert(!parse(&f, "tE|tL")->well_formed);
	ck_assert(!parse(&f, "EE|tL")->well_formed);
	ck_assert(!parse(&f, "Et|Lt")->well_formed);
	ck_assert(parse(&f, "EttL")->well_formed);
	ck_assert(!parse(&f, "Em|tL")->mtp_well_placed);
	ck_assert(!parse(&f, "Etm|mL")->mtp_well_placed);
	ck_assert(!parse(&f, "EmtL")->mtp_well_placed);
	ck_assert(parse(&f, "Et|tmm|L")->mtp_well_placed);
	ck_assert_str_eq(text_of(parse(&f, "t E | t, L")), "tE|tL");
	fixture_release(&f);
}
END_TEST

static void refuse(struct fixture *f, const char *text, uint32_t offset, const char *what)
{
	struct letters_fault fault = { 0 };
	ck_assert_msg(!layout_parse(&f->arena, str_of(text), &fault), "%s", text);
	ck_assert_str_eq(fault.what, what);
	ck_assert_uint_eq(fault.offset, offset);
}

START_TEST(faults_have_a_place)
{
	struct fixture f;
	fixture_init(&f, "");
	refuse(&f, "Et | (t(t))L", 7, "groups do not nest");
	refuse(&f, "Et | (tt", 5, "this group is never closed");
	refuse(&f, "Et)", 2, "no group is open here");
	refuse(&f, "*3", 0, "there is nothing to repeat before `*`");
	refuse(&f, "Et*|L", 2, "a number belongs behind `*`");
	refuse(&f, "Et*0L", 3, "a repeat of 0 would leave its letters out");
	refuse(&f, "Et*99999999999999999999L", 3, "this repeat is beyond a million");
	refuse(&f, "E(tttttttttt)*900000L", 1, "the text grows beyond a million letters");
	refuse(&f, "Et?L", 2, "a letter belongs here");
	refuse(&f, "Ex|L", 1, "stages are written with E, t, m, L and |");
	refuse(&f, "E()L", 1, "this group is empty");
	refuse(&f, "  ", 0, "a layout needs at least one stage");
	ck_assert_uint_eq(parse(&f, "Et|*7L")->stage_count, 8);
	ck_assert_uint_eq(parse(&f, "Et|(t|)*900L")->stage_count, 902);
	fixture_release(&f);
}
END_TEST

static const char *source_of(struct fixture *f, const struct layout *l)
{
	struct out o;
	out_init(&o, &f->arena);
	layout_print_source(&o, l);
	return str_copy(&f->arena, out_view(&o)).p;
}

START_TEST(source_text)
{
	struct fixture f;
	fixture_init(&f, "");
	static const int64_t two[] = { 16, 17 };
	ck_assert_str_eq(source_of(&f, parse(&f, "E tttt|L")), "stages(\"Et*4|L\")");
	ck_assert_str_eq(source_of(&f, layout_make_counts(&f.arena, two, 2)), "counts([16, 17])");
	ck_assert_str_eq(source_of(&f, layout_make_even(&f.arena, LAYOUT_EVEN, 0, 1)),
			 "even(loss = 1)");
	fixture_release(&f);
}
END_TEST

UNIT_MAIN("layout", members_of_written_stages, one_normal_form, texts_read_back, calls,
	  ill_formed_ones, layers_by_stage, faults_have_a_place, source_text)
