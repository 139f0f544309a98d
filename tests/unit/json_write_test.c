/* json_write_test.c - layout, exact numbers, what is written is what is read, memory that fails. */
#define PLAN_BASE_MALLOC     /* this test hands cJSON an allocator of its own */
#include "tests/unit/unit.h"

#include <math.h>

#include "compiler/source/json.h"
#include "runtime/io/json_write.h"

#define ck_assert_str(s, z) ck_assert_msg(str_is((s), (z)), "%.*s", (int)(s).n, (s).p)

/* The part of cJSON's interface that makes its memory fail; its header stays in json_write.c. */
struct hooks {
	void *(*allocate)(size_t size);
	void (*release)(void *p);
};

void cJSON_InitHooks(struct hooks *hooks);

static void build(struct json_writer *w)
{
	json_begin_object(w, NULL);
	json_text(w, "schema", "planc.report/1");
	json_int(w, "big", INT64_C(9007199254740993));
	json_real(w, "time", 0.1);
	json_bool(w, "feasible", true);
	json_null(w, "none");
	json_begin_array(w, "stages");
	json_int(w, NULL, INT64_MIN);
	json_begin_object(w, NULL);
	json_str(w, "a\"b", STR("tab\there: \"x\" \\ {\t} \x01 \xc3\xa9"));
	json_begin_object(w, "empty");
	json_end(w);
	json_end(w);
	json_begin_array(w, NULL);
	json_end(w);
	json_end(w);
	json_end(w);
}

START_TEST(both_layouts)
{
	struct arena a;
	struct json_writer w;
	struct out o;

	arena_init(&a, NULL);
	json_writer_init(&w, &a);
	build(&w);
	out_init(&o, &a);
	json_print(&w, &o, false);
	ck_assert_str(out_view(&o),
		"{\"schema\":\"planc.report/1\",\"big\":9007199254740993,\"time\":0.1,"
		"\"feasible\":true,\"none\":null,\"stages\":[-9223372036854775808,"
		"{\"a\\\"b\":\"tab\\there: \\\"x\\\" \\\\ {\\t} \\u0001 \xc3\xa9\",\"empty\":{}},[]]}");
	out_init(&o, &a);
	json_print(&w, &o, true);
	ck_assert_str(out_view(&o),
		"{\n"
		"  \"schema\": \"planc.report/1\",\n"
		"  \"big\": 9007199254740993,\n"
		"  \"time\": 0.1,\n"
		"  \"feasible\": true,\n"
		"  \"none\": null,\n"
		"  \"stages\": [-9223372036854775808, {\n"
		"      \"a\\\"b\": \"tab\\there: \\\"x\\\" \\\\ {\\t} \\u0001 \xc3\xa9\",\n"
		"      \"empty\": {}\n"
		"    }, []]\n"
		"}");
	arena_release(&a);
}
END_TEST

START_TEST(numbers_are_exact)
{
	struct arena a;
	struct json_writer w;
	struct out o;
	struct num big;

	arena_init(&a, NULL);
	json_writer_init(&w, &a);
	num_pow(&a, num_int(10), 30, &big);
	json_begin_array(&w, NULL);
	json_num(&w, NULL, big);
	json_num(&w, NULL, num_ratio(&a, 5, 4));
	json_num(&w, NULL, num_ratio(&a, -1, 3));
	json_real(&w, NULL, HUGE_VAL);
	json_real(&w, NULL, -0.0);
	json_real(&w, NULL, 1e300);
	json_str(&w, NULL, STR("a\0b"));
	json_end(&w);
	out_init(&o, &a);
	json_print(&w, &o, false);
	ck_assert_str(out_view(&o), "[1000000000000000000000000000000,1.25,-0.3333333333333333,"
		      "null,0,1e+300,\"a\xef\xbf\xbd" "b\"]");
	arena_release(&a);
}
END_TEST

START_TEST(every_character_survives)
{
	struct arena a;
	struct json_writer w;
	struct out o, text;
	struct sources s;
	struct json_error e;
	const struct json *v;

	arena_init(&a, NULL);
	json_writer_init(&w, &a);
	out_init(&text, &a);
	for (int c = 1; c < 128; c++)
		out_char(&text, (char)c);
	out_text(&text, "\xe6\xa8\xa1\xf0\x9f\x9a\x80");
	json_str(&w, NULL, out_view(&text));
	for (int indented = 0; indented < 2; indented++) {
		out_init(&o, &a);
		json_print(&w, &o, indented != 0);
		sources_init(&s, &a);
		v = json_parse(&a, &s, sources_add(&s, STR("w"), out_view(&o), false), &e);
		ck_assert(v && v->kind == JSON_STRING);
		ck_assert(str_equal(v->text, out_view(&text)));
	}
	arena_release(&a);
}
END_TEST

static void print_work(struct arena *a, void *context)
{
	struct json_writer w;
	struct out o;

	(void)context;
	json_writer_init(&w, a);
	build(&w);
	out_init(&o, a);
	json_print(&w, &o, true);
}

START_TEST(the_arena_may_fail_anywhere)
{
	ck_assert_int_gt(unit_each_failure(print_work, NULL), 20);
}
END_TEST

/* A hook has no context, so the countdown has to be a variable of the file. */
static int allocations_left;

static void *allocate(size_t size)
{
	return allocations_left-- > 0 ? malloc(size) : NULL;
}

START_TEST(cjson_may_fail_anywhere)
{
	struct hooks hooks = { allocate, free };
	volatile int failures = 0;
	volatile bool done = false;

	cJSON_InitHooks(&hooks);
	while (!done) {
		jmp_buf escape;
		struct arena a;

		arena_init(&a, &escape);
		allocations_left = failures;
		if (setjmp(escape) == 0) {
			print_work(&a, NULL);
			done = true;
		} else {
			failures++;
		}
		arena_release(&a);
	}
	ck_assert_int_gt(failures, 20);
}
END_TEST

UNIT_MAIN("json_write", both_layouts, numbers_are_exact, every_character_survives,
	  the_arena_may_fail_anywhere, cjson_may_fail_anywhere)
