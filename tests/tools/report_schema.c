/* report_schema.c - compares JSON documents with a JSON Schema.
 *
 *	report_schema SCHEMA DOCUMENT...
 *
 * Knows what docs/report.schema.json uses: type, const, properties, required, additionalProperties,
 * items, minimum. A keyword it does not know is an error, so that the schema cannot promise what
 * nobody checks. Prints a line per fault; exit status 1 when there was one, 2 when a file is unusable.
 */
#include "compiler/source/json.h"

struct checker {
	struct arena *arena;
	const char *document;
	int faults;
};

/* A path such as /memory/stages/3, from the leaf to the root. */
struct place {
	const struct place *up;
	struct str key;
};

static void print_place(const struct place *p)
{
	if (!p->up) {
		return;
	}
	print_place(p->up);
	printf("/%.*s", (int)p->key.n, p->key.p);
}

static void fault(struct checker *c, const struct place *at, const char *what, struct str detail)
{
	printf("%s: ", c->document);
	print_place(at);
	printf(": %s%s%.*s\n", what, detail.n ? " " : "", (int)detail.n, detail.p);
	c->faults++;
}

static bool is_type(const struct json *v, struct str type)
{
	switch (v->kind) {
	case JSON_NULL: return str_is(type, "null");
	case JSON_BOOL: return str_is(type, "boolean");
	case JSON_NUMBER:
		return str_is(type, "number") || (str_is(type, "integer") && num_is_int(v->number));
	case JSON_STRING: return str_is(type, "string");
	case JSON_ARRAY: return str_is(type, "array");
	case JSON_OBJECT: return str_is(type, "object");
	}
	return false;
}

static void check_value(struct checker *c, const struct json *schema, const struct json *v,
			const struct place *at);

static void check_required(struct checker *c, const struct json *names, const struct json *v,
			   const struct place *at)
{
	for (uint32_t i = 0; i < names->count; i++) {
		struct str name = str_copy(c->arena, names->items[i].text);

		if (!json_member(v, name.p))
			fault(c, at, "lacks", name);
	}
}

static void check_members(struct checker *c, const struct json *properties, const struct json *v,
			  const struct place *at)
{
	for (uint32_t i = 0; i < v->count; i++) {
		struct place here = { at, v->keys[i] };
		const struct json *schema = json_member(properties, str_copy(c->arena, v->keys[i]).p);

		if (schema)
			check_value(c, schema, &v->items[i], &here);
	}
}

/* additionalProperties: false; the properties stand beside it. */
static void check_closed(struct checker *c, const struct json *properties, const struct json *v,
			 const struct place *at)
{
	for (uint32_t i = 0; i < v->count; i++)
		if (!json_member(properties, str_copy(c->arena, v->keys[i]).p))
			fault(c, at, "has a member the schema does not know:", v->keys[i]);
}

static void check_items(struct checker *c, const struct json *schema, const struct json *v,
			const struct place *at)
{
	for (uint32_t i = 0; i < v->count; i++) {
		struct out index;

		out_init(&index, c->arena);
		out_printf(&index, "%u", i);
		struct place here = { at, out_view(&index) };
		check_value(c, schema, &v->items[i], &here);
	}
}

static void check_keyword(struct checker *c, const struct json *schema, struct str key,
			  const struct json *rule, const struct json *v, const struct place *at)
{
	if (str_is(key, "type")) {
		if (!is_type(v, rule->text))
			fault(c, at, "is not of type", rule->text);
	} else if (str_is(key, "const")) {
		if (v->kind != JSON_STRING || !str_equal(v->text, rule->text))
			fault(c, at, "is not", rule->text);
	} else if (str_is(key, "minimum")) {
		if (v->kind == JSON_NUMBER && num_compare(v->number, rule->number) < 0)
			fault(c, at, "is below the minimum", STR(""));
	} else if (str_is(key, "required")) {
		check_required(c, rule, v, at);
	} else if (str_is(key, "properties")) {
		check_members(c, rule, v, at);
	} else if (str_is(key, "additionalProperties")) {
		if (!rule->truth)
			check_closed(c, json_member(schema, "properties"), v, at);
	} else if (str_is(key, "items")) {
		check_items(c, rule, v, at);
	} else if (!str_is(key, "description") && !str_is(key, "title") && !str_is(key, "$schema")) {
		fault(c, at, "the schema uses a keyword that is not checked:", key);
	}
}

static void check_value(struct checker *c, const struct json *schema, const struct json *v,
			const struct place *at)
{
	const struct json *type = json_member(schema, "type");

	/* A value of the wrong type has one fault, not many. */
	if (type && !is_type(v, type->text)) {
		check_keyword(c, schema, STR("type"), type, v, at);
		return;
	}
	for (uint32_t i = 0; i < schema->count; i++)
		check_keyword(c, schema, schema->keys[i], &schema->items[i], v, at);
}

static const struct json *load(struct arena *a, struct sources *s, const char *path)
{
	struct json_error error;
	uint32_t file;

	if (sources_load(s, str_of(path), &file) != SOURCE_OK) {
		printf("%s: cannot be read\n", path);
		return NULL;
	}
	const struct json *v = json_parse(a, s, file, &error);
	if (!v)
		printf("%s: byte %u: %s\n", path, error.span.lo, error.message);
	return v;
}

int main(int argc, char **argv)
{
	struct arena arena;
	struct sources sources;
	struct checker c = { .arena = &arena };
	const struct place root = { NULL, { NULL, 0 } };
	int status = 0;

	arena_init(&arena, NULL);
	sources_init(&sources, &arena);
	const struct json *schema = argc > 1 ? load(&arena, &sources, argv[1]) : NULL;
	if (!schema)
		status = 2;
	for (int i = 2; schema && i < argc; i++) {
		const struct json *v = load(&arena, &sources, argv[i]);

		c.document = argv[i];
		if (v)
			check_value(&c, schema, v, &root);
		else
			status = 2;
	}
	arena_release(&arena);
	return status ? status : c.faults > 0;
}
