/* fmt_test.c - the formatter and the editor of values through their headers. */
#include "compiler/syntax/fmt/edit.h"
#include "compiler/syntax/fmt/fmt.h"
#include "compiler/syntax/parse.h"
#include "tests/unit/unit.h"

struct bench {
	struct arena *arena;
	struct sources sources;
	struct diag_sink sink;
	struct interner *names;
};

static void bench_init(struct bench *b, struct arena *a)
{
	b->arena = a;
	sources_init(&b->sources, a);
	diag_sink_init(&b->sink, a, &b->sources);
	b->names = interner_make(a);
}

static struct parse_result parse(struct bench *b, const char *text)
{
	struct parse_input in = { b->arena, b->names, &b->sources, &b->sink, 0 };

	in.file = sources_add(&b->sources, STR("x.plan"), str_of(text), false);
	return parse_file(&in);
}

static const char *formatted(struct bench *b, const char *text)
{
	struct parse_result r = parse(b, text);
	struct out o;

	out_init(&o, b->arena);
	ck_assert(r.ok);
	ck_assert(fmt_plan(b->arena, str_of(text), r.tree, &o));
	return out_view(&o).p;
}

static const char *edited(struct bench *b, const char *text, const char *path, const char *value)
{
	struct parse_result r = parse(b, text);
	struct parse_input in = { b->arena, b->names, &b->sources, &b->sink, 0 };
	struct edit_input edit = { b->arena, b->names, &b->sink,     str_of(text),
				   r.tree,   NULL,     str_of(value) };
	struct str result;

	ck_assert(r.ok);
	in.file = sources_add(&b->sources, STR("PATH"), str_of(path), false);
	edit.path = parse_expression(&in).tree;
	return edit_set(&edit, &result) ? result.p : NULL;
}

START_TEST(empty_texts)
{
	struct arena a;
	struct bench b;

	arena_init(&a, NULL);
	bench_init(&b, &a);
	ck_assert_str_eq(formatted(&b, ""), "");
	ck_assert_str_eq(formatted(&b, "\n\n \n"), "");
	ck_assert_str_eq(formatted(&b, "# only"), "# only\n");
	ck_assert_str_eq(formatted(&b, "\n\n## of the file\n\n\n"), "## of the file\n\n");
	ck_assert_str_eq(formatted(&b, "edition 1"), "edition 1\n");
	arena_release(&a);
}
END_TEST

/* A line of exactly the width stays, one column more breaks. */
START_TEST(width)
{
	struct arena a;
	struct bench b;
	struct out fits, breaks;

	arena_init(&a, NULL);
	bench_init(&b, &a);
	out_init(&fits, &a);
	out_init(&breaks, &a);
	out_text(&fits, "let x = y + ");
	out_repeat(&fits, 'z', FMT_WIDTH - 12);
	out_str(&breaks, out_view(&fits));
	out_text(&fits, "\n");
	ck_assert_str_eq(formatted(&b, out_view(&fits).p), out_view(&fits).p);
	out_text(&breaks, "z\n");
	ck_assert(strstr(formatted(&b, out_view(&breaks).p), "let x = y\n  + zz") != NULL);
	arena_release(&a);
}
END_TEST

START_TEST(columns)
{
	struct arena a;
	struct bench b;

	arena_init(&a, NULL);
	bench_init(&b, &a);
	ck_assert_str_eq(formatted(&b, "a b {\nc=1\nlong=2\n\nlonger=3\n# x\nd=4\ne {f=1}\n}"),
			 "a b {\n  c    = 1\n  long = 2\n\n  longer = 3\n  # x\n  d = 4\n  e { f = "
			 "1 }\n}\n");
	/* a field of several lines ends a run */
	ck_assert_str_eq(formatted(&b, "a b {\nc=1\nlong=[\n2]\nd=3\nef=4\n}"),
			 "a b {\n  c = 1\n  long = [\n    2,\n  ]\n  d  = 3\n  ef = 4\n}\n");
	/* wide characters count two columns */
	ck_assert_str_eq(formatted(&b, "a b {\n`\xe6\xa8\xa1`=1\nabcdef=2\n}"),
			 "a b {\n  `\xe6\xa8\xa1`   = 1\n  abcdef = 2\n}\n");
	arena_release(&a);
}
END_TEST

START_TEST(same_or_not)
{
	static const char *const others[] = { "let a = 2 # c",   "let b = 1 # c",
					      "let a = 1 # d",   "let a = 1",
					      "## c\nlet a = 1", "let a: int = 1 # c",
					      "let a = 1.0 # c" };
	const char *text = "let a = 1 # c", *spaced = "let a=1    # c  \n\n";
	struct parse_result r;
	struct arena a;
	struct bench b;

	arena_init(&a, NULL);
	bench_init(&b, &a);
	r = parse(&b, text);
	ck_assert(fmt_same(&a, str_of(text), r.tree, str_of(spaced), parse(&b, spaced).tree));
	for (size_t i = 0; i < PLAN_COUNT(others); i++)
		ck_assert(!fmt_same(&a, str_of(text), r.tree, str_of(others[i]),
				    parse(&b, others[i]).tree));
	arena_release(&a);
}
END_TEST

/* A tree of another text is noticed. */
START_TEST(foreign_tree)
{
	struct parse_result r;
	struct arena a;
	struct bench b;
	struct out o;

	arena_init(&a, NULL);
	bench_init(&b, &a);
	out_init(&o, &a);
	r = parse(&b, "let a = 1\nlet b = [2, 3]");
	ck_assert(!fmt_plan(&a, STR("let a = 1"), r.tree, &o));
	ck_assert(!fmt_plan(&a, STR("let a = 1\nlet b = [2, 3]\nlet c = 4"), r.tree, &o));
	arena_release(&a);
}
END_TEST

START_TEST(values_are_set)
{
	const char *text = "j a { b { c = 1 }, d.e = 2 } # x\nj k extends a {\n  f = g\n}\n";
	struct arena a;
	struct bench b;

	arena_init(&a, NULL);
	bench_init(&b, &a);
	ck_assert_str_eq(edited(&b, text, "a.b.c", "9"),
			 "j a { b { c = 9 }, d.e = 2 } # x\nj k extends a {\n  f = g\n}\n");
	ck_assert_str_eq(edited(&b, text, "a.d.e", "9"),
			 "j a { b { c = 1 }, d.e = 9 } # x\nj k extends a {\n  f = g\n}\n");
	ck_assert_str_eq(edited(&b, text, "a.b", "h"),
			 "j a { b = h, d.e = 2 } # x\nj k extends a {\n  f = g\n}\n");
	ck_assert_str_eq(edited(&b, text, "k.f.`x y`.z", "9"),
			 "j a { b { c = 1 }, d.e = 2 } # x\nj k extends a {\n  f = g with { `x y` "
			 "{ z = 9 } }\n}\n");
	ck_assert_str_eq(
		edited(&b, text, "k.b.c", "9"),
		"j a { b { c = 1 }, d.e = 2 } # x\nj k extends a {\n  f = g\n  b { c = 9 }\n}\n");
	ck_assert(edited(&b, text, "l.b", "9") == NULL);
	ck_assert(edited(&b, text, "a", "9") == NULL);
	ck_assert(edited(&b, text, "a[1]", "9") == NULL);
	ck_assert_uint_eq(b.sink.errors, 3);
	arena_release(&a);
}
END_TEST

static void work(struct arena *a, void *context)
{
	struct bench b;

	bench_init(&b, a);
	formatted(&b, context);
	edited(&b, context, "a.b", "2");
}

START_TEST(no_memory)
{
	char text[] = "j a {\n  b = [1, 2] # c\n  cde = f(g, { h = 1 })\n}\n";

	ck_assert_int_gt(unit_each_failure(work, text), 1);
}
END_TEST

UNIT_MAIN("fmt", empty_texts, width, columns, same_or_not, foreign_tree, values_are_set, no_memory)
