/* diag_test.c - diagnostics as people, programs and GitHub see them; suggestions. */
#include "tests/unit/unit.h"

#include "compiler/diag/diag.h"

struct fixture {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	uint32_t file;
};

static void fixture_init(struct fixture *f, const char *text)
{
	arena_init(&f->arena, NULL);
	sources_init(&f->sources, &f->arena);
	diag_sink_init(&f->sink, &f->arena, &f->sources);
	f->file = sources_add(&f->sources, STR("a.plan"), str_of(text), false);
}

static void fixture_release(struct fixture *f)
{
	arena_release(&f->arena);
}

/* The span of the first occurrence of a piece of the text. */
static struct span span_of(const struct fixture *f, const char *piece)
{
	const char *text = source_get(&f->sources, f->file)->text.p;
	const char *at = strstr(text, piece);

	ck_assert_ptr_nonnull(at);
	return (struct span){ f->file, (uint32_t)(at - text), (uint32_t)(at - text + (ptrdiff_t)strlen(piece)) };
}

static const char *rendered(struct fixture *f, struct diag_style style)
{
	struct out o;

	out_init(&o, &f->arena);
	diag_render(&f->sink, style, &o);
	return o.n > 0 ? o.p : "";
}

static const char *human(struct fixture *f)
{
	return rendered(f, (struct diag_style){ .format = DIAG_HUMAN });
}

START_TEST(labels_stand_under_their_source)
{
	struct fixture f;
	struct diag *d;

	fixture_init(&f, "\n  let t = bytes / link.bandwidth + overhead\n");
	d = diag_new(&f.sink, E1103, span_of(&f, "+"));
	diag_message(d, "these two cannot be added");
	diag_label(d, span_of(&f, "bytes / link.bandwidth"), "time");
	diag_label(d, span_of(&f, "overhead"), "bytes");
	diag_note(d, "left:  %s\nright: %s", "time", "bytes");
	diag_help(d, "divide the right side by a rate");
	diag_submit(d);
	ck_assert_str_eq(human(&f),
			 "error[E1103]: these two cannot be added\n"
			 "  --> a.plan:2:34\n"
			 "   |\n"
			 "  2|   let t = bytes / link.bandwidth + overhead\n"
			 "   |           ---------------------- ^ ________ bytes\n"
			 "   |           time\n"
			 "   = note: left:  time\n"
			 "           right: bytes\n"
			 "   = help: divide the right side by a rate\n"
			 "\n");
	fixture_release(&f);
}
END_TEST

static void add_value(struct fixture *f, struct diag *d, const char *piece, const char *text)
{
	diag_value(d, (struct diag_value){ .span = span_of(f, piece), .text = str_of(text) });
}

START_TEST(values_are_drawn_under_the_condition)
{
	struct fixture f;
	struct diag *d;

	fixture_init(&f, "assert fits:\n  memory.peak <= cluster.gpu.memory - headroom\n");
	d = diag_new(&f.sink, E2301, span_of(&f, "fits"));
	diag_message(d, "`fits` does not hold");
	diag_draw(d, span_of(&f, "memory.peak <= cluster.gpu.memory - headroom"));
	add_value(&f, d, "memory.peak", "75.9 GiB");
	add_value(&f, d, "cluster", "80 GiB");
	add_value(&f, d, "headroom", "6 GiB");
	add_value(&f, d, "- headroom", "74 GiB");
	add_value(&f, d, "<=", "false");
	diag_help(d, "raise it");
	diag_submit(d);
	ck_assert_str_eq(human(&f),
			 "error[E2301]: `fits` does not hold\n"
			 "  --> a.plan:1:8\n"
			 "   |\n"
			 "  1| assert fits:\n"
			 "   |        ^^^^\n"
			 "\n"
			 "       memory.peak <= cluster.gpu.memory - headroom\n"
			 "       |           |  |                  | |\n"
			 "       75.9 GiB    |  80 GiB             | 6 GiB\n"
			 "                   false                 74 GiB\n"
			 "\n"
			 "   = help: raise it\n"
			 "\n");
	fixture_release(&f);
}
END_TEST

START_TEST(drawings_of_several_lines_and_long_values)
{
	struct fixture f;
	struct diag *d;

	fixture_init(&f, "assert a ==\n    b\n");
	d = diag_new(&f.sink, E2301, span_of(&f, "a =="));
	diag_message(d, "it does not hold");
	diag_draw(d, span_of(&f, "a ==\n    b"));
	add_value(&f, d, "a ==", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]");
	add_value(&f, d, "b\n", "\"x\ny\"");
	diag_submit(d);
	ck_assert_ptr_nonnull(strstr(human(&f),
				     "       a ==\n"
				     "       |\n"
				     "       [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1...\n"
				     "       b\n"
				     "       |\n"
				     "       \"x y\"\n"));
	fixture_release(&f);
}
END_TEST

START_TEST(columns_are_those_of_the_terminal)
{
	struct fixture f;

	fixture_init(&f, "\tlet a = \"\xE6\xA8\xA1\" \x1b ?");
	diag_report(&f.sink, E0101, span_of(&f, "?"), "no");
	ck_assert_str_eq(human(&f), "error[E0101]: no\n"
				    "  --> a.plan:1:18\n"
				    "   |\n"
				    "  1|     let a = \"\xE6\xA8\xA1\" \xEF\xBF\xBD ?\n"
				    "   |                    ^\n"
				    "\n");
	fixture_release(&f);
}
END_TEST

START_TEST(spans_of_several_lines)
{
	struct fixture f;
	struct diag *d;

	fixture_init(&f, "a {\n  b\n}\nc {\n1\n2\n3\n4\n}\n");
	diag_report(&f.sink, E0101, span_of(&f, "a {\n  b\n}"), "short");
	d = diag_new(&f.sink, E0101, span_of(&f, "c {\n1\n2\n3\n4\n}"));
	diag_message(d, "long");
	diag_submit(d);
	ck_assert_str_eq(human(&f), "error[E0101]: short\n"
				    "  --> a.plan:1:1\n"
				    "   |\n"
				    "  1| a {\n"
				    "   | ^^^\n"
				    "  2|   b\n"
				    "   |   ^\n"
				    "  3| }\n"
				    "   | ^\n"
				    "\n"
				    "error[E0101]: long\n"
				    "  --> a.plan:4:1\n"
				    "   |\n"
				    "  4| c {\n"
				    "   | ^^^\n"
				    "...\n"
				    "  9| }\n"
				    "   | ^\n"
				    "\n");
	fixture_release(&f);
}
END_TEST

START_TEST(other_files_come_after)
{
	struct fixture f;
	struct diag *d;
	uint32_t other;

	fixture_init(&f, "let a = b\n");
	other = sources_add(&f.sources, STR("std:prelude.plan"), STR("x\n  y = 1\n"), true);
	d = diag_new(&f.sink, E1101, span_of(&f, "b"));
	diag_message(d, "no");
	diag_label(d, (struct span){ other, 4, 5 }, "declared here");
	diag_submit(d);
	ck_assert_str_eq(human(&f), "error[E1101]: no\n"
				    "  --> a.plan:1:9\n"
				    "   |\n"
				    "  1| let a = b\n"
				    "   |         ^\n"
				    "  ::: std:prelude.plan:2:3\n"
				    "   |\n"
				    "  2|   y = 1\n"
				    "   |   - declared here\n"
				    "\n");
	fixture_release(&f);
}
END_TEST

START_TEST(generated_texts_point_to_their_origin)
{
	struct fixture f;
	uint32_t made;

	fixture_init(&f, "{\"tp\": 3}\n");
	made = sources_add(&f.sources, STR("made"), STR("strategy { tp = 3 }\n"), false);
	*VEC_ADD(&f.arena, &source_get(&f.sources, made)->origins) =
		(struct origin){ 0, 19, span_of(&f, "3") };
	diag_report(&f.sink, E2301, (struct span){ made, 11, 13 }, "no");
	ck_assert_ptr_nonnull(strstr(human(&f), "  --> a.plan:1:8\n"));
	fixture_release(&f);
}
END_TEST

START_TEST(order_repetition_and_amount)
{
	struct fixture f;
	struct span a, b;
	const char *text;

	fixture_init(&f, "abcdefghijklmnopqrstuvwxyz\n");
	a = span_of(&f, "a");
	b = span_of(&f, "b");
	diag_report(&f.sink, E0101, b, "second");
	diag_report(&f.sink, E1202, a, "echo");
	diag_report(&f.sink, E0101, a, "first");
	diag_report(&f.sink, E0201, SPAN_NONE, "no place");
	text = human(&f);
	ck_assert_ptr_null(strstr(text, "echo"));
	ck_assert_ptr_nonnull(strstr(text, "first"));
	ck_assert(strstr(text, "first") < strstr(text, "second"));
	ck_assert(strstr(text, "second") < strstr(text, "no place"));
	text = rendered(&f, (struct diag_style){ .format = DIAG_HUMAN, .errors_max = 1 });
	ck_assert_ptr_null(strstr(text, "second"));
	ck_assert_ptr_nonnull(strstr(text, "and 1 more in a.plan\n"));
	fixture_release(&f);
}
END_TEST

START_TEST(a_muted_sink_takes_nothing)
{
	struct fixture f;

	fixture_init(&f, "a");
	f.sink.muted = true;
	diag_report(&f.sink, E0101, span_of(&f, "a"), "no");
	ck_assert_uint_eq(f.sink.errors, 0);
	ck_assert_str_eq(human(&f), "");
	f.sink.muted = false;
	diag_report(&f.sink, W0101, span_of(&f, "a"), "hm");
	ck_assert_uint_eq(f.sink.errors, 0);
	ck_assert_uint_eq(f.sink.warnings, 1);
	fixture_release(&f);
}
END_TEST

START_TEST(json_is_one_object_a_line)
{
	struct fixture f;
	struct diag *d;

	fixture_init(&f, "let a = \"q\"\n");
	d = diag_new(&f.sink, E1101, span_of(&f, "\"q\""));
	diag_message(d, "a \"text\"\twhere \xC3\xA9 belongs");
	diag_label(d, span_of(&f, "a"), "declared");
	diag_value(d, (struct diag_value){ .span = span_of(&f, "a"), .text = STR("1.5 s"),
					   .unit = STR("s"), .has_number = true, .number = 1.5 });
	diag_note(d, "note");
	diag_help(d, "help");
	diag_draw(d, span_of(&f, "a"));
	diag_fix(d, span_of(&f, "\"q\""), STR("1"), "use a number");
	diag_submit(d);
	ck_assert_str_eq(
		rendered(&f, (struct diag_style){ .format = DIAG_JSON }),
		"{\"code\":\"E1101\",\"severity\":\"error\",\"message\":\"a \\\"text\\\"\\u0009where "
		"\xC3\xA9 belongs\",\"file\":\"a.plan\",\"span\":{\"lo\":8,\"hi\":11,\"line\":1,"
		"\"column\":9,\"end_line\":1,\"end_column\":12},\"labels\":[{\"file\":\"a.plan\","
		"\"span\":{\"lo\":4,\"hi\":5,\"line\":1,\"column\":5,\"end_line\":1,\"end_column\":6},"
		"\"text\":\"declared\"}],\"values\":[{\"expr\":\"a\",\"value\":1.5,\"text\":\"1.5 s\","
		"\"unit\":\"s\",\"file\":\"a.plan\",\"span\":{\"lo\":4,\"hi\":5,\"line\":1,\"column\":5,"
		"\"end_line\":1,\"end_column\":6}}],\"notes\":[\"note\"],\"helps\":[\"help\"],\"fixes\":"
		"[{\"title\":\"use a number\",\"edits\":[{\"file\":\"a.plan\",\"span\":{\"lo\":8,\"hi\":11,"
		"\"line\":1,\"column\":9,\"end_line\":1,\"end_column\":12},\"text\":\"1\"}]}],\"context\":"
		"{\"file\":\"a.plan\",\"span\":{\"lo\":4,\"hi\":5,\"line\":1,\"column\":5,\"end_line\":1,"
		"\"end_column\":6},\"text\":\"a\"}}\n");
	fixture_release(&f);
}
END_TEST

START_TEST(github_escapes_what_it_must)
{
	struct fixture f;
	struct diag *d;

	fixture_init(&f, "let a = 1\n");
	d = diag_new(&f.sink, W0310, span_of(&f, "1"));
	diag_message(d, "100%% sure,\nyes: really");
	diag_help(d, "do it");
	diag_submit(d);
	diag_report(&f.sink, E0201, SPAN_NONE, "nowhere");
	ck_assert_str_eq(rendered(&f, (struct diag_style){ .format = DIAG_GITHUB }),
			 "::warning file=a.plan,line=1,col=9,title=W0310::100%25 sure,%0Ayes: really"
			 "%0Ahelp: do it\n"
			 "::error title=E0201::nowhere\n");
	fixture_release(&f);
}
END_TEST

START_TEST(colour_only_when_asked)
{
	struct fixture f;

	fixture_init(&f, "let a = 1\n");
	diag_report(&f.sink, E0101, span_of(&f, "1"), "no");
	ck_assert_ptr_null(strchr(human(&f), '\033'));
	ck_assert_ptr_nonnull(strstr(rendered(&f, (struct diag_style){ .format = DIAG_HUMAN,
								       .colour = true }),
				     "\033[1;31merror[E0101]"));
	fixture_release(&f);
}
END_TEST

/* What is suggested for a name among candidates; a leading `+` marks a preferred one. */
static void check_suggestion(const char *wrong, const char *const *names, const char *help)
{
	struct fixture f;
	struct suggestions s;
	struct diag *d;

	fixture_init(&f, wrong);
	d = diag_new(&f.sink, E1202, span_of(&f, wrong));
	suggestions_init(&s, &f.arena, str_of(wrong));
	for (; *names != NULL; names++)
		suggestions_add(&s, str_of(*names + (**names == '+')), **names == '+');
	ck_assert(diag_suggest(d, &s) == (help != NULL));
	if (help != NULL)
		ck_assert_str_eq(d->helps.at[0].p, help);
	else
		ck_assert_uint_eq(d->helps.n, 0);
	fixture_release(&f);
}

#define SUGGEST(wrong, help, ...) \
	check_suggestion(wrong, (const char *const[]){ __VA_ARGS__, NULL }, help)

START_TEST(near_names_are_suggested)
{
	SUGGEST("vppp", "did you mean `vpp`?", "tp", "vpp", "pp");
	SUGGEST("vp", NULL, "tp", "vpp", "pp");
	SUGGEST("TP", "did you mean `tp`?", "tp", "pp");
	SUGGEST("laeyrs", "did you mean `layers`?", "layers", "hidden");
	SUGGEST("layrs", "did you mean `layers`?", "layers", "players");
	SUGGEST("moda", "did you mean `mode`, `moda1` or `mods`?", "mods", "+mode", "moda1", "modal_x");
	SUGGEST("parallel", "did you mean `sequence_parallel`?", "sequence_parallel", "unparalleled");
	SUGGEST("xyzzy", NULL, "layers", "hidden");
}
END_TEST

START_TEST(codes_have_names_and_pages)
{
	ck_assert_int_eq((int)diag_code_of_name(STR("E2101")), (int)E2101);
	ck_assert_int_eq((int)diag_code_of_slug(STR("heads_divide")), (int)E2101);
	ck_assert_int_eq((int)diag_code_of_name(STR("E9998")), (int)DIAG_NONE);
	ck_assert_int_eq((int)diag_code_of_name(STR("")), (int)DIAG_NONE);
	for (int code = DIAG_NONE + 1; code < DIAG_CODE_COUNT; code++) {
		struct str page = diag_page((enum diag_code)code);
		const char *name = diag_info((enum diag_code)code)->name;

		ck_assert_msg(page.n > 0, "%s has no page", name);
		ck_assert(str_starts(str_slice(page, 2, page.n), name));
	}
}
END_TEST

UNIT_MAIN("diag", labels_stand_under_their_source, values_are_drawn_under_the_condition,
	  drawings_of_several_lines_and_long_values, columns_are_those_of_the_terminal,
	  spans_of_several_lines, other_files_come_after, generated_texts_point_to_their_origin,
	  order_repetition_and_amount, a_muted_sink_takes_nothing, json_is_one_object_a_line,
	  github_escapes_what_it_must, colour_only_when_asked, near_names_are_suggested,
	  codes_have_names_and_pages)
