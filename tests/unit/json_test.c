/* json_test.c - what the JSON reader takes, with which spans, and what it refuses where. */
#include "tests/unit/unit.h"

#include "compiler/base/out.h"
#include "compiler/source/json.h"

#define ck_assert_str(s, z) ck_assert_msg(str_is((s), (z)), "%.*s", (int)(s).n, (s).p)

static struct json *parse(struct arena *a, struct str text, struct json_error *error)
{
	struct sources s;

	sources_init(&s, a);
	return json_parse(a, &s, sources_add(&s, STR("t.json"), text, false), error);
}

START_TEST(values_have_spans)
{
	struct arena a;
	struct json_error e;
	const struct json *v, *list;

	arena_init(&a, NULL);
	v = parse(&a, STR(" { \"a\" : [1, -2.5e1, true,null, \"x\"] ,\"b\":{}, \"c\":[ ] } "), &e);
	ck_assert(v && v->kind == JSON_OBJECT && v->count == 3);
	ck_assert(v->span.lo == 1 && v->span.hi == 55);
	ck_assert_str(v->keys[0], "a");
	ck_assert(v->key_spans[0].lo == 3 && v->key_spans[0].hi == 6);
	list = json_member(v, "a");
	ck_assert(list && list->kind == JSON_ARRAY && list->count == 5);
	ck_assert(list->items[0].kind == JSON_NUMBER && list->items[0].written_as_int);
	ck_assert(list->items[1].number.n == -25 && !list->items[1].written_as_int);
	ck_assert(list->items[1].span.lo == 13 && list->items[1].span.hi == 19);
	ck_assert(list->items[2].kind == JSON_BOOL && list->items[2].truth);
	ck_assert(list->items[3].kind == JSON_NULL);
	ck_assert_str(list->items[4].text, "x");
	ck_assert(json_member(v, "b")->kind == JSON_OBJECT && json_member(v, "b")->count == 0);
	ck_assert(json_member(v, "c")->count == 0);
	ck_assert(!json_member(v, "d") && !json_member(list, "a"));
	arena_release(&a);
}
END_TEST

START_TEST(numbers_keep_their_digits)
{
	struct arena a;
	struct json_error e;
	struct out o;
	const struct json *v;

	arena_init(&a, NULL);
	out_init(&o, &a);
	v = parse(&a, STR("[9007199254740993, 0.1, -123456789012345678901234567890, -0, 1E-2]"), &e);
	ck_assert(v != NULL);
	for (uint32_t i = 0; i < v->count; i++) {
		num_print(&o, v->items[i].number);
		out_char(&o, ' ');
	}
	ck_assert_str(out_view(&o), "9007199254740993 1/10 -123456789012345678901234567890 0 1/100 ");
	arena_release(&a);
}
END_TEST

START_TEST(strings_are_unescaped)
{
	static const struct { struct str json, text; } cases[] = {
		{ STR_INIT("\"\""), STR_INIT("") },
		{ STR_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), STR_INIT("\"\\/\b\f\n\r\t") },
		{ STR_INIT("\"a\\u00e9b\""), STR_INIT("a\xc3\xa9" "b") },
		{ STR_INIT("\"\\ud83d\\ude80!\""), STR_INIT("\xf0\x9f\x9a\x80!") },
		{ STR_INIT("\"\\u0000\""), STR_INIT("\0") },
		{ STR_INIT("\"\xe6\xa8\xa1\\u578B\""), STR_INIT("\xe6\xa8\xa1\xe5\x9e\x8b") },
		{ STR_INIT("\"\x7f\""), STR_INIT("\x7f") },
	};
	struct arena a;
	struct json_error e;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		const struct json *v = parse(&a, cases[i].json, &e);

		ck_assert_msg(v != NULL, "%zu: %s", i, e.message);
		ck_assert(v->kind == JSON_STRING && str_equal(v->text, cases[i].text));
	}
	arena_release(&a);
}
END_TEST

START_TEST(errors_are_found_at_their_place)
{
	static const struct { struct str text; uint32_t lo, hi; const char *part; } cases[] = {
		{ STR_INIT(""), 0, 0, "ends before" },
		{ STR_INIT("  "), 2, 2, "ends before" },
		{ STR_INIT("[1,]"), 2, 3, "comma" },
		{ STR_INIT("{\"a\":1,}"), 6, 7, "comma" },
		{ STR_INIT("[1 2]"), 3, 4, "`]`" },
		{ STR_INIT("{\"a\" 1}"), 5, 6, "`:`" },
		{ STR_INIT("{a:1}"), 1, 2, "double quotes" },
		{ STR_INIT("{\"a\":1,\"a\":2}"), 7, 10, "twice" },
		{ STR_INIT("{\"a\":1,\"\\u0061\":2}"), 7, 15, "twice" },
		{ STR_INIT("[NaN]"), 1, 4, "word" },
		{ STR_INIT("[-Infinity]"), 2, 2, "digit" },
		{ STR_INIT("[True]"), 1, 5, "word" },
		{ STR_INIT("01"), 0, 2, "zero" },
		{ STR_INIT("-"), 1, 1, "digit" },
		{ STR_INIT("1."), 0, 2, "point" },
		{ STR_INIT(".5"), 0, 1, "value" },
		{ STR_INIT("+1"), 0, 1, "value" },
		{ STR_INIT("1e"), 0, 2, "exponent" },
		{ STR_INIT("1e999999"), 0, 8, "digits" },
		{ STR_INIT("1 2"), 2, 3, "ends before this" },
		{ STR_INIT("\"abc"), 0, 1, "closing quote" },
		{ STR_INIT("\"a\nb\""), 0, 1, "closing quote" },
		{ STR_INIT("\"a\tb\""), 2, 3, "control" },
		{ STR_INIT("\"\\x\""), 1, 2, "escape" },
		{ STR_INIT("\"\\"), 1, 2, "escape" },
		{ STR_INIT("\"\\u12g4\""), 1, 5, "hexadecimal" },
		{ STR_INIT("\"\\ud83d\""), 1, 7, "surrogate" },
		{ STR_INIT("\"\\ud83d\\u0041\""), 1, 13, "surrogate" },
		{ STR_INIT("\"\\ude80\""), 1, 7, "surrogate" },
		{ STR_INIT("\"\xff\""), 1, 2, "UTF-8" },
		{ STR_INIT("\xef\xbb\xbf{}"), 0, 3, "byte order" },
		{ STR_INIT("{\"a\":"), 5, 5, "ends before" },
		{ STR_INIT("[1,"), 3, 3, "ends before" },
		{ STR_INIT("// c\n1"), 0, 1, "value" },
		{ STR_INIT("'a'"), 0, 1, "value" },
		{ STR_INIT("1\0"), 1, 2, "ends before this" },
	};
	struct arena a;

	arena_init(&a, NULL);
	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		struct json_error e = { .message = "" };

		ck_assert_msg(!parse(&a, cases[i].text, &e), "%s", cases[i].text.p);
		ck_assert_msg(strstr(e.message, cases[i].part) != NULL, "%s: %s", cases[i].text.p,
			      e.message);
		ck_assert_msg(e.span.lo == cases[i].lo && e.span.hi == cases[i].hi, "%s: %u %u",
			      cases[i].text.p, e.span.lo, e.span.hi);
	}
	arena_release(&a);
}
END_TEST

START_TEST(depth_has_a_limit)
{
	struct arena a;
	struct json_error e;
	struct out o;

	arena_init(&a, NULL);
	out_init(&o, &a);
	out_repeat(&o, '[', SOURCE_DEPTH);
	out_repeat(&o, ']', SOURCE_DEPTH);
	ck_assert(parse(&a, out_view(&o), &e) != NULL);
	out_init(&o, &a);
	out_repeat(&o, '[', 100000);
	ck_assert(!parse(&a, out_view(&o), &e) && e.span.lo == SOURCE_DEPTH);
	arena_release(&a);
}
END_TEST

START_TEST(many_keys)
{
	struct arena a;
	struct json_error e;
	struct out o;
	const struct json *v;

	arena_init(&a, NULL);
	out_init(&o, &a);
	for (int i = 0; i < 20000; i++)
		out_printf(&o, "%c\"k%d\":%d", i ? ',' : '{', i, i);
	out_char(&o, '}');
	v = parse(&a, out_view(&o), &e);
	ck_assert(v && v->count == 20000 && json_member(v, "k19999")->number.n == 19999);
	arena_release(&a);
}
END_TEST

START_TEST(kinds_have_names)
{
	ck_assert_str_eq(json_kind_name(JSON_NULL), "null");
	ck_assert_str_eq(json_kind_name(JSON_OBJECT), "an object");
}
END_TEST

static void read_work(struct arena *a, void *context)
{
	struct json_error e;

	(void)context;
	ck_assert(parse(a, STR("{\"a\": [1, 1e40, \"x\\n\", {}], \"b\": -12345678901234567890.5}"), &e));
}

START_TEST(the_arena_may_fail_anywhere)
{
	ck_assert_int_gt(unit_each_failure(read_work, NULL), 10);
}
END_TEST

/* Edits of a good text, byte by byte: an error or a value, and spans inside the text. */
START_TEST(damaged_texts_are_survived)
{
	static const char good[] = "{\"k\": [1.5e3, \"\\u00e9\\n\", null], \"z\": {\"\": -0}}";
	static const char bytes[] = "\"\\{}[],:0-eut \n\xc3\x01";

	for (size_t i = 0; i + 1 < sizeof good; i++) {
		for (size_t j = 0; j < sizeof bytes; j++) {
			struct json_error e = { .message = NULL };
			char text[sizeof good];
			const struct json *v;
			struct arena a;

			arena_init(&a, NULL);
			memcpy(text, good, sizeof good);
			text[i] = bytes[j];
			v = parse(&a, (struct str){ text, sizeof good - 1 }, &e);
			ck_assert(v ? v->span.hi <= sizeof good - 1
				    : e.message && e.span.lo <= e.span.hi &&
				      e.span.hi <= sizeof good - 1);
			arena_release(&a);
		}
	}
}
END_TEST

UNIT_MAIN("json", values_have_spans, numbers_keep_their_digits, strings_are_unescaped,
	  errors_are_found_at_their_place, depth_has_a_limit, many_keys, kinds_have_names,
	  the_arena_may_fail_anywhere, damaged_texts_are_survived)
