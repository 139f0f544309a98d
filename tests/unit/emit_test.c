/* emit_test.c - words for the shell, headers and the list of files without one. */
#include "tests/unit/unit.h"

#include "runtime/emit/emit_int.h"

#define ck_assert_str(s, z) ck_assert_msg(str_is((s), (z)), "%.*s", (int)(s).n, (s).p)

START_TEST(words_are_quoted)
{
	static const struct {
		const char *word, *quoted;
	} samples[] = {
		{ "plain-1.5_x/y:z@a%b+c=d", "plain-1.5_x/y:z@a%b+c=d" },
		{ "", "''" },
		{ "two words", "'two words'" },
		{ "1,2", "'1,2'" },
		{ "it's", "'it'\\''s'" },
		{ "$(rm -rf x)", "'$(rm -rf x)'" },
		{ "`rm`", "'`rm`'" },
		{ "$HOME", "'$HOME'" },
		{ "a;b|c&d>e", "'a;b|c&d>e'" },
		{ "a\nb", "'a\nb'" },
		{ "${DATA}/x", "\"${DATA}/x\"" },
		{ "${RANK:-0}", "\"${RANK:-0}\"" },
		{ "${A}\"`\\$B", "\"${A}\\\"\\`\\\\\\$B\"" },
		{ "${A:-$(rm)}", "'${A:-$(rm)}'" },
		{ "${A:-a b}", "'${A:-a b}'" },
		{ "${}", "'${}'" },
		{ "${A", "'${A'" },
		{ "${A#x}", "'${A#x}'" },
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(samples); i++) {
		struct out o;

		out_init(&o, &a);
		shell_quote(&o, str_of(samples[i].word));
		ck_assert_str(out_view(&o), samples[i].quoted);
	}
	arena_release(&a);
}
END_TEST

START_TEST(names_and_flags)
{
	static const char *const flags[] = { "--a", "-a", "--tensor-model-parallel-size",
					     "--nproc_per_node", "--a.b" };
	static const char *const no_flags[] = { "",      "-",     "--",    "---", "a",
						"--a b", "--a;b", "--a=b", "--\n" };

	for (size_t i = 0; i < PLAN_COUNT(flags); i++)
		ck_assert_msg(shell_is_flag(str_of(flags[i])), "%s", flags[i]);
	for (size_t i = 0; i < PLAN_COUNT(no_flags); i++)
		ck_assert_msg(!shell_is_flag(str_of(no_flags[i])), "%s", no_flags[i]);
	ck_assert(shell_is_name(STR("NCCL_IB_SL")));
	ck_assert(!shell_is_name(STR("")) && !shell_is_name(STR("1A")) &&
		  !shell_is_name(STR("A-B")));
}
END_TEST

/* Vectors that the authors of the hash publish. */
START_TEST(hashes)
{
	static const struct {
		const char *text, *hash;
	} samples[] = {
		{ "", "fnv1a64:cbf29ce484222325" },
		{ "a", "fnv1a64:af63dc4c8601ec8c" },
		{ "foobar", "fnv1a64:85944171f73967e8" },
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(samples); i++) {
		struct out o;

		out_init(&o, &a);
		header_hash(&o, str_of(samples[i].text));
		ck_assert_str(out_view(&o), samples[i].hash);
	}
	arena_release(&a);
}
END_TEST

START_TEST(our_mark_begins_a_line)
{
	ck_assert(header_is_ours(STR("# planc: plan a.plan")));
	ck_assert(header_is_ours(STR("#!/bin/sh\n# planc: plan a.plan\n")));
	ck_assert(!header_is_ours(STR("echo '# planc: '\n")));
	ck_assert(!header_is_ours(STR("# planc")));
	ck_assert(!header_is_ours(STR("")));
}
END_TEST

START_TEST(records_are_sorted_and_replaced)
{
	struct folder_record r = { 0 };
	struct arena a;

	arena_init(&a, NULL);
	folder_record_set(&a, &r, STR("b"), STR("h1"), STR("first"));
	folder_record_set(&a, &r, STR("c"), STR("h2"), STR("second"));
	folder_record_set(&a, &r, STR("a"), STR("h3"), STR("third"));
	folder_record_set(&a, &r, STR("c"), STR("h4"), STR("fourth"));
	ck_assert_str(folder_record_hash(&r, STR("c")), "h4");
	ck_assert_str(folder_record_hash(&r, STR("d")), "");
	ck_assert_str(folder_record_text(&a, &r),
		      "# planc: files of this folder that `planc emit` wrote\n"
		      "h3 a\tthird\nh1 b\tfirst\nh4 c\tfourth\n");
	arena_release(&a);
}
END_TEST

START_TEST(numbers_end_where_they_end)
{
	struct arena a;
	struct out o;

	arena_init(&a, NULL);
	out_init(&o, &a);
	emit_number(&o, value_number(num_ratio(&a, 3, 10000)));
	out_char(&o, ' ');
	emit_number(&o, value_number(num_ratio(&a, 1, 3)));
	out_char(&o, ' ');
	emit_number(&o, value_int(INT64_C(9007199254740993)));
	out_char(&o, ' ');
	emit_number(&o, value_real(0.1));
	ck_assert_str(out_view(&o), "0.0003 0.3333333333333333 9007199254740993 0.1");
	arena_release(&a);
}
END_TEST

UNIT_MAIN("emit", words_are_quoted, names_and_flags, hashes, our_mark_begins_a_line,
	  records_are_sorted_and_replaced, numbers_end_where_they_end)
