/* doc_test.c - documents in JSON, YAML and TOML; YAML is read back by libyaml. */
#include "tests/unit/unit.h"

#include <yaml.h>

#include "runtime/io/doc.h"

static struct arena arena;

static struct doc *fresh(void)
{
	arena_release(&arena);
	arena_init(&arena, NULL);
	return doc_make(&arena, DOC_TABLE);
}

static struct doc *text(struct doc *into, const char *name, const char *value)
{
	struct doc *d = doc_add(&arena, into, str_of(name), DOC_TEXT);

	d->text = str_of(value);
	return d;
}

static struct doc *number(struct doc *into, const char *name, const char *digits, bool fraction)
{
	struct doc *d = doc_add(&arena, into, str_of(name), DOC_NUMBER);

	d->text = str_of(digits);
	d->fraction = fraction;
	return d;
}

static const char *yaml(const struct doc *d)
{
	struct out o;

	out_init(&o, &arena);
	doc_yaml(d, &o);
	return str_copy(&arena, out_view(&o)).p;
}

static const char *toml(const struct doc *d)
{
	struct out o;

	out_init(&o, &arena);
	ck_assert_ptr_null(doc_toml(d, &o));
	return str_copy(&arena, out_view(&o)).p;
}

/* Texts that a reader could take for something else, or that need escapes. */
static const char *const hard[] = {
	"",           "true",     "No",
	"null",       "~",        "1",
	"1e3",        "0x1f",     "1:30",
	"2001-01-01", "=",        "<<",
	"-",          "- a",      "? a",
	": a",        "a: b",     "a #b",
	"#a",         "'a'",      "\"a\"",
	"a\nb",       "a\tb",     " a",
	"a ",         "\x01",     "{a}",
	"[a]",        "a, b",     "*a",
	"&a",         "!a",       "|",
	">",          "%a",       "@a",
	"`a`",        "\xc3\xa4", "\xf0\x9f\x98\x80",
	".5",         "+1",       "off",
	"y",          "a\\b",     "...",
	"---",        "a:",       "",
};

/* The scalars of a text in order, "TAG?value" where TAG? is " for those that are texts in any case. */
static void read_back(const char *z, struct out *o)
{
	yaml_parser_t parser;
	yaml_event_t event;
	bool more = true;

	ck_assert(yaml_parser_initialize(&parser));
	yaml_parser_set_input_string(&parser, (const unsigned char *)z, strlen(z));
	while (more) {
		ck_assert_msg(yaml_parser_parse(&parser, &event), "libyaml does not read:\n%s", z);
		if (event.type == YAML_SCALAR_EVENT) {
			out_char(o, event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? ' ' : '"');
			out_bytes(o, (const char *)event.data.scalar.value,
				  event.data.scalar.length);
			out_char(o, '\n');
		}
		more = event.type != YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
}

START_TEST(yaml_texts_read_back)
{
	for (size_t i = 0; i < PLAN_COUNT(hard); i++) {
		struct doc *root = fresh();
		struct out got, want;
		bool quoted;

		text(root, "key", hard[i]);
		out_init(&got, &arena);
		out_init(&want, &arena);
		read_back(yaml(root), &got);
		quoted = memchr(out_view(&got).p, '"', 6) != NULL;
		out_printf(&want, " key\n%c%s\n", quoted ? '"' : ' ', hard[i]);
		ck_assert_msg(str_equal(out_view(&got), out_view(&want)), "%s", yaml(root));
	}
}
END_TEST

START_TEST(yaml_quotes_what_is_no_text)
{
	static const char *const words[] = { "",     "true", "No", "null", "~",  "1",         "1e3",
					     "0x1f", "off",  "y",  ".5",   "+1", "2001-01-01" };

	for (size_t i = 0; i < PLAN_COUNT(words); i++) {
		struct doc *root = fresh();
		struct out want;

		text(root, "key", words[i]);
		out_init(&want, &arena);
		out_printf(&want, "key: \"%s\"\n", words[i]);
		ck_assert_str_eq(yaml(root), str_copy(&arena, out_view(&want)).p);
	}
}
END_TEST

static struct doc *sample(void)
{
	struct doc *root = fresh(), *list, *table, *inner;

	text(root, "name", "a b")->note = STR("First line.\nSecond line.");
	number(root, "whole", "3", false);
	number(root, "rate", "3", true);
	number(root, "tiny", "1e-7", true);
	list = doc_add(&arena, root, STR("list"), DOC_LIST);
	number(list, "", "1", false);
	text(list, "", "x");
	table = doc_add(&arena, root, STR("table"), DOC_TABLE);
	table->note = STR("A table.");
	inner = doc_add(&arena, table, STR("in ner"), DOC_TABLE);
	doc_add(&arena, inner, STR("yes"), DOC_BOOL)->truth = true;
	doc_add(&arena, root, STR("empty"), DOC_TABLE);
	doc_add(&arena, root, STR("none_at_all"), DOC_LIST);
	return root;
}

START_TEST(yaml_layout)
{
	ck_assert_str_eq(yaml(sample()),
			 "\n# First line.\n# Second line.\n"
			 "name: a b\nwhole: 3\nrate: 3.0\ntiny: 1.0e-7\nlist: [1, x]\n"
			 "\n# A table.\ntable:\n  in ner:\n    \"yes\": true\n"
			 "empty: {}\nnone_at_all: []\n");
}
END_TEST

START_TEST(toml_layout)
{
	ck_assert_str_eq(toml(sample()),
			 "\n# First line.\n# Second line.\n"
			 "name = \"a b\"\nwhole = 3\nrate = 3.0\ntiny = 1.0e-7\n"
			 "list = [1, \"x\"]\nnone_at_all = []\n"
			 "\n# A table.\n[table.\"in ner\"]\nyes = true\n\n[empty]\n");
}
END_TEST

START_TEST(toml_has_no_null)
{
	struct doc *root = fresh();
	struct doc *list = doc_add(&arena, root, STR("list"), DOC_LIST);
	struct out o;

	doc_add(&arena, list, STR(""), DOC_NULL);
	out_init(&o, &arena);
	ck_assert_ptr_eq(doc_toml(root, &o), list);
}
END_TEST

START_TEST(json_layout)
{
	struct out o;

	out_init(&o, &arena);
	doc_json(sample(), &o);
	ck_assert_str_eq(str_copy(&arena, out_view(&o)).p,
			 "{\n  \"name\": \"a b\",\n  \"whole\": 3,\n  \"rate\": 3,\n"
			 "  \"tiny\": 1e-7,\n  \"list\": [1, \"x\"],\n  \"table\": {\n"
			 "    \"in ner\": {\n      \"yes\": true\n    }\n  },\n  \"empty\": {},\n"
			 "  \"none_at_all\": []\n}\n");
}
END_TEST

/* libyaml's own memory is given back on every way out. */
static void write_all(struct arena *a, void *context)
{
	struct out o;

	out_init(&o, a);
	doc_yaml(context, &o);
	doc_toml(context, &o);
	doc_json(context, &o);
}

START_TEST(the_arena_may_fail_anywhere)
{
	ck_assert_int_gt(unit_each_failure(write_all, sample()), 10);
}
END_TEST

UNIT_MAIN("doc", yaml_texts_read_back, yaml_quotes_what_is_no_text, yaml_layout, toml_layout,
	  toml_has_no_null, json_layout, the_arena_may_fail_anywhere)
