/* sarif_test.c - messages as SARIF: what the standard requires is there, and points where it should. */
#include "tests/unit/unit.h"

#include "compiler/diag/diag.h"
#include "compiler/source/json.h"

struct fixture {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	uint32_t file;
};

static void fixture_init(struct fixture *f, const char *path, const char *text)
{
	arena_init(&f->arena, NULL);
	sources_init(&f->sources, &f->arena);
	diag_sink_init(&f->sink, &f->arena, &f->sources);
	f->file = sources_add(&f->sources, str_of(path), str_of(text), false);
}

static const struct json *rendered(struct fixture *f)
{
	struct json_error error;
	const struct json *log;
	uint32_t file;
	struct out o;

	out_init(&o, &f->arena);
	diag_render(&f->sink, (struct diag_style){ .format = DIAG_SARIF }, &o);
	file = sources_add(&f->sources, STR("log"), out_view(&o), false);
	log = json_parse(&f->arena, &f->sources, file, &error);
	ck_assert_ptr_nonnull(log);
	return log;
}

static const struct json *member(const struct json *object, const char *key)
{
	ck_assert_int_eq(object->kind, JSON_OBJECT);
	for (uint32_t i = 0; i < object->count; i++)
		if (str_is(object->keys[i], key))
			return &object->items[i];
	ck_abort_msg("no member %s", key);
	return NULL;
}

static const struct json *element(const struct json *array, uint32_t i)
{
	ck_assert_int_eq(array->kind, JSON_ARRAY);
	ck_assert_uint_lt(i, array->count);
	return &array->items[i];
}

static void assert_text(const struct json *object, const char *key, const char *text)
{
	const struct json *m = member(object, key);

	ck_assert_int_eq(m->kind, JSON_STRING);
	ck_assert_msg(str_is(m->text, text), "%s is %.*s", key, (int)m->text.n, m->text.p);
}

static void assert_int(const struct json *object, const char *key, int64_t n)
{
	int64_t found;

	ck_assert(num_fits_int64(member(object, key)->number, &found));
	ck_assert_int_eq(found, n);
}

static const struct json *first_run(const struct json *log)
{
	assert_text(log, "version", "2.1.0");
	assert_text(log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	ck_assert_uint_eq(member(log, "runs")->count, 1);
	return element(member(log, "runs"), 0);
}

START_TEST(no_messages_are_a_log_without_results)
{
	struct fixture f;
	const struct json *run;

	fixture_init(&f, "a.plan", "edition 1\n");
	run = first_run(rendered(&f));
	assert_text(member(member(run, "tool"), "driver"), "name", "planc");
	ck_assert_uint_eq(member(run, "results")->count, 0);
	arena_release(&f.arena);
}
END_TEST

START_TEST(a_result_has_rule_level_message_and_place)
{
	struct fixture f;
	const struct json *run, *result, *place, *region, *rule;
	struct diag *d;

	fixture_init(&f, "my plans/\xC3\xA9.plan", "let a = \"\xC3\xA9\xC3\xA9\" + b\n");
	d = diag_new(&f.sink, E1102, (struct span){ f.file, 17, 18 });
	diag_message(d, "a \"wrong\" operand");
	diag_note(d, "a note");
	diag_help(d, "a help");
	diag_label(d, (struct span){ f.file, 4, 5 }, "declared here");
	diag_fix(d, (struct span){ f.file, 17, 18 }, STR("c"), "correct the spelling");
	diag_submit(d);
	diag_report(&f.sink, W0101, (struct span){ f.file, 0, 0 }, "no edition");
	diag_report(&f.sink, E0201, SPAN_NONE, "a file without a place");
	run = first_run(rendered(&f));
	assert_text(run, "columnKind", "unicodeCodePoints");
	ck_assert_uint_eq(member(run, "results")->count, 3);
	result = element(member(run, "results"), 1);
	assert_text(result, "ruleId", "E1102");
	assert_text(result, "level", "error");
	assert_text(member(result, "message"), "text", "a \"wrong\" operand\na note\nhelp: a help");
	rule = element(member(member(member(run, "tool"), "driver"), "rules"), 1);
	assert_int(result, "ruleIndex", 1);
	assert_text(rule, "id", "E1102");
	assert_text(rule, "name", "bad_operands");
	place = member(element(member(result, "locations"), 0), "physicalLocation");
	assert_text(member(place, "artifactLocation"), "uri", "my%20plans/%C3%A9.plan");
	region = member(place, "region");
	assert_int(region, "startLine", 1);
	assert_int(region, "startColumn", 16);
	assert_int(region, "endColumn", 17);
	assert_text(member(element(member(result, "relatedLocations"), 0), "message"), "text",
		    "declared here");
	place = element(member(element(member(result, "fixes"), 0), "artifactChanges"), 0);
	place = element(member(place, "replacements"), 0);
	assert_text(member(place, "insertedContent"), "text", "c");
	assert_int(member(place, "deletedRegion"), "startColumn", 16);
	arena_release(&f.arena);
}
END_TEST

START_TEST(a_message_without_a_place_has_no_location)
{
	struct fixture f;
	const struct json *result;

	fixture_init(&f, "a.plan", "");
	diag_report(&f.sink, E0201, SPAN_NONE, "nowhere");
	result = element(member(first_run(rendered(&f)), "results"), 0);
	for (uint32_t i = 0; i < result->count; i++)
		ck_assert(!str_is(result->keys[i], "locations"));
	assert_text(member(result, "message"), "text", "nowhere");
	arena_release(&f.arena);
}
END_TEST

UNIT_MAIN("sarif", no_messages_are_a_log_without_results, a_result_has_rule_level_message_and_place,
	  a_message_without_a_place_has_no_location)
