/* syntax_test.c - texts become trees: literals, precedence, spans, docs, trivia, limits. */
#include "tests/unit/parse_fixture.h"

#include "compiler/syntax/build.h"

static void check_expression(const char *text, const char *tree)
{
	struct parsed p;

	parsed_init(&p, text, true);
	ck_assert_msg(p.result.ok, "%s: %s", text, parsed_messages(&p, DIAG_HUMAN));
	ck_assert_str_eq(parsed_text(&p), tree);
	parsed_release(&p);
}

START_TEST(literals_keep_their_text)
{
	check_expression("1_000", "number 1:1-1:6 text=\"1_000\"\n");
	check_expression("2e12", "number 1:1-1:5 text=\"2e12\"\n");
	check_expression("80 GiB", "quantity 1:1-1:7 number=\"80\" unit=\"GiB\"\n");
	check_expression("1.6us", "quantity 1:1-1:6 number=\"1.6\" unit=\"us\"\n");
	check_expression("12 %", "quantity 1:1-1:5 number=\"12\" unit=\"%\"\n");
	check_expression("200 GB/s", "quantity 1:1-1:9 number=\"200\" unit=\"GB/s\"\n");
	check_expression("10 GB/t", "binary 1:1-1:8 op=/\n"
				    "  left: quantity 1:1-1:6 number=\"10\" unit=\"GB\"\n"
				    "  right: ident 1:7-1:8 name=t\n");
	check_expression("8 in x", "binary 1:1-1:7 op=in\n"
				   "  left: number 1:1-1:2 text=\"8\"\n"
				   "  right: ident 1:6-1:7 name=x\n");
	check_expression("\"a\\n\\{b\\}\\\\\"", "string 1:1-1:13 text=\"a\\n{b}\\\\\"\n");
	check_expression("`a b`", "ident 1:1-1:6 name=a b\n");
	check_expression("native", "ident 1:1-1:7 name=native\n");
}
END_TEST

START_TEST(operators_bind_as_documented)
{
	static const struct { const char *text, *root; } cases[] = {
		{ "a => b => c", "op==>" }, { "a or b => c", "op==>" }, { "a and b or c", "op=or" },
		{ "not a and b", "op=and" }, { "not a == b", "op=not" }, { "a == b + c", "op===" },
		{ "a ?? b == c", "op===" }, { "a + b ?? c", "op=??" }, { "a * b + c", "op=+" },
		{ "-a * b", "op=*" }, { "-a ^ b", "op=-" }, { "a ^ b ^ c", "op=^" },
		{ "a - b - c", "op=-" }, { "a in b and c", "op=and" }, { "a div b mod c", "op=mod" },
	};

	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		struct parsed p;
		struct out o;

		parsed_init(&p, cases[i].text, true);
		out_init(&o, &p.arena);
		out_printf(&o, "op=%s", ast_op_text(p.result.tree->kind == AST_UNARY
						    ? p.result.tree->unary.op
						    : p.result.tree->binary.op));
		ck_assert_msg(p.result.ok, "%s", cases[i].text);
		ck_assert_msg(strcmp(o.p, cases[i].root) == 0, "%s: %s", cases[i].text, o.p);
		parsed_release(&p);
	}
}
END_TEST

START_TEST(right_associative_operators_nest_to_the_right)
{
	struct parsed p;

	parsed_init(&p, "2 ^ 3 ^ 4", true);
	ck_assert_int_eq(p.result.tree->binary.right->kind, AST_BINARY);
	parsed_release(&p);
	parsed_init(&p, "2 - 3 - 4", true);
	ck_assert_int_eq(p.result.tree->binary.left->kind, AST_BINARY);
	parsed_release(&p);
}
END_TEST

START_TEST(comparisons_do_not_chain)
{
	struct parsed p;

	parsed_init(&p, "1 < a < 2", true);
	ck_assert_str_eq(parsed_codes(&p), "E0101");
	ck_assert_int_eq(p.result.tree->kind, AST_BAD);
	parsed_release(&p);
}
END_TEST

START_TEST(docs_belong_to_what_follows)
{
	struct parsed p;
	const struct ast_list *items;

	parsed_init(&p,
		    "edition 1\n\n## The file.\n\n## One.\n## Two.\nschema s {\n  ## A field.\n  a: int\n"
		    "  b: int ## not a doc\n  c: int\n}\n## Lost.\n\nlet x = 1\n## Last.\nlet y = 2\n",
		    false);
	ck_assert(p.result.ok);
	items = &p.result.tree->file.items;
	ck_assert(str_is(p.result.tree->doc, "The file."));
	ck_assert(str_is(items->at[1]->doc, "One.\nTwo."));
	ck_assert(str_is(items->at[1]->schema.fields.at[0]->doc, "A field."));
	ck_assert_uint_eq(items->at[1]->schema.fields.at[2]->doc.n, 0);
	ck_assert_uint_eq(items->at[2]->doc.n, 0);
	ck_assert(str_is(items->at[3]->doc, "Last."));
	parsed_release(&p);
}
END_TEST

START_TEST(comments_and_blank_lines_are_kept)
{
	static const int kinds[] = { TRIVIA_COMMENT, TRIVIA_BLANK, TRIVIA_DOC, TRIVIA_COMMENT };
	struct parsed p;

	parsed_init(&p, "# a\n\n \n## b\nlet x = [ # c\n 1 ]", false);
	ck_assert_uint_eq(p.result.trivia.items.n, PLAN_COUNT(kinds));
	for (uint32_t i = 0; i < p.result.trivia.items.n; i++) {
		ck_assert_int_eq((int)p.result.trivia.items.at[i].kind, kinds[i]);
		ck_assert(i == 0 || p.result.trivia.items.at[i - 1].span.hi <=
				    p.result.trivia.items.at[i].span.lo);
	}
	parsed_release(&p);
}
END_TEST

static void count_nodes(struct ast *node, void *context)
{
	uint32_t *count = context;

	(*count)++;
	ast_each_child(node, count_nodes, context);
}

START_TEST(the_walker_visits_every_node)
{
	struct parsed p;
	uint32_t count = 1, lines = 0;

	parsed_init(&p, "sweep s of j { vary (a, b) in [(1, 2)] when c }\nfn f(a: list[int?]) -> 1/s = "
			"\"{a:x}b\" within 1% of [x for x in y if z]\nlet a = match b { 1 -> c with { d = 2 } }",
		    false);
	ck_assert(p.result.ok);
	ast_each_child(p.result.tree, count_nodes, &count);
	for (const char *z = parsed_text(&p); *z != '\0'; z++)
		lines += *z == '\n';
	ck_assert_uint_eq(count, lines);
	parsed_release(&p);
}
END_TEST

static char *repeat(struct arena *a, const char *before, const char *z, uint32_t n, const char *after)
{
	struct out o;

	out_init(&o, a);
	out_text(&o, before);
	for (uint32_t i = 0; i < n; i++)
		out_text(&o, z);
	out_text(&o, after);
	return o.p;
}

START_TEST(depth_is_limited_with_one_message)
{
	static const struct { const char *before, *z; uint32_t n; const char *after; } cases[] = {
		{ "let a = ", "(", 100000, "1" }, { "let a = ", "not ", 100000, "b" },
		{ "let a = 1", " + 1", 5000, "" }, { "let a = b", ".c", 5000, "" },
		{ "let a = ", "if b then c else ", 3000, "d" }, { "a b ", "{ c = ", 300, "" },
		{ "let a = ", "\"{", 300, "" }, { "let a = 1", " ^ 1", 100000, "" },
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		struct parsed p;
		const char *text = repeat(&a, cases[i].before, cases[i].z, cases[i].n, cases[i].after);

		parsed_init(&p, text, false);
		ck_assert_msg(strcmp(parsed_codes(&p), "E0103") == 0, "%s: %s", cases[i].z,
			      parsed_codes(&p));
		ck_assert_uint_le(p.result.tree->depth, AST_DEPTH_MAX + 2);
		parsed_release(&p);
	}
	arena_release(&a);
}
END_TEST

START_TEST(what_is_within_the_limit_parses)
{
	struct arena a;
	struct parsed p;

	arena_init(&a, NULL);
	parsed_init(&p, repeat(&a, repeat(&a, "", "(", 200, "1"), ")", 200, ""), true);
	ck_assert(p.result.ok);
	parsed_release(&p);
	parsed_init(&p, repeat(&a, "1", " + 1", 900, ""), true);
	ck_assert(p.result.ok);
	parsed_release(&p);
	parsed_init(&p, repeat(&a, "[", "1, ", 50000, "]"), true);
	ck_assert(p.result.ok);
	parsed_release(&p);
	arena_release(&a);
}
END_TEST

START_TEST(texts_that_are_not_text)
{
	static const struct { const char *text; uint32_t n; const char *code; } cases[] = {
		{ "let a = \xFF", 9, "E0001" }, { "let a = 1\0", 10, "E0002" },
		{ "\xFF\xFEl\0", 4, "E0001" }, { "\xEF\xBB\xBFlet a = 1", 12, "" },
	};

	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		struct parsed p;
		struct parse_input in;

		parsed_init(&p, "", false);
		in = (struct parse_input){ &p.arena, p.names, &p.sources, &p.sink, 0 };
		in.file = sources_add(&p.sources, STR("b.plan"),
				      (struct str){ cases[i].text, cases[i].n }, false);
		parse_file(&in);
		ck_assert_str_eq(parsed_codes(&p), cases[i].code);
		parsed_release(&p);
	}
}
END_TEST

static void parse_something(struct arena *a, void *context)
{
	struct sources sources;
	struct diag_sink sink;
	struct parse_input in;
	struct out o;

	(void)context;
	sources_init(&sources, a);
	diag_sink_init(&sink, a, &sources);
	in = (struct parse_input){ a, interner_make(a), &sources, &sink, 0 };
	in.file = sources_add(&sources, STR("m.plan"),
			      STR("## d\nschema s { a: int = \"{b:x}\\n\" }\nlet b = [1, 2 3]\nlet c = (1"), false);
	parse_file(&in);
	out_init(&o, a);
	diag_render(&sink, (struct diag_style){ .format = DIAG_HUMAN }, &o);
}

/* The grammar for readers names every word, and the list of words is sorted for the scanner. */
START_TEST(words_are_sorted_and_documented)
{
	static const char *const words[] = {
#define KEYWORD(spelling, token, role) spelling,
#include "grammar/keywords.def"
#undef KEYWORD
	};
	char text[1 << 14];
	FILE *f = fopen("grammar/grammar.md", "rb");
	size_t n;

	ck_assert_ptr_nonnull(f);
	n = fread(text, 1, sizeof text - 1, f);
	fclose(f);
	text[n] = '\0';
	for (size_t i = 0; i < PLAN_COUNT(words); i++) {
		ck_assert_msg(strstr(text, words[i]) != NULL, "%s", words[i]);
		ck_assert(i == 0 || strcmp(words[i - 1], words[i]) < 0);
	}
}
END_TEST

START_TEST(memory_may_run_out_anywhere)
{
	ck_assert_int_gt(unit_each_failure(parse_something, NULL), 20);
}
END_TEST

UNIT_MAIN("syntax", literals_keep_their_text, operators_bind_as_documented,
	  right_associative_operators_nest_to_the_right, comparisons_do_not_chain,
	  docs_belong_to_what_follows, comments_and_blank_lines_are_kept, the_walker_visits_every_node,
	  depth_is_limited_with_one_message, what_is_within_the_limit_parses, texts_that_are_not_text,
	  words_are_sorted_and_documented, memory_may_run_out_anywhere)
