/* json.c - the structure of a JSON text: values, arrays, objects, and what may stand between. */
#include "compiler/source/json_int.h"

#include "compiler/base/map.h"
#include "compiler/base/out.h"
#include "compiler/base/utf8.h"

bool json_fail(struct json_reader *r, uint32_t lo, uint32_t hi, const char *message)
{
	*r->error = (struct json_error){ { r->file, lo, hi }, message, STR("") };
	return false;
}

/* Points at the next character, or behind the last one, and shows it as the detail. */
static bool fail_here(struct json_reader *r, const char *message)
{
	uint32_t code;
	uint32_t n = utf8_decode(str_slice(r->text, r->at, r->text.n), &code);

	json_fail(r, r->at, r->at + n, n ? message : "the text ends before the value does");
	r->error->detail = str_slice(r->text, r->at, r->at + n);
	return false;
}

static void skip_space(struct json_reader *r)
{
	while (r->at < r->text.n) {
		char c = r->text.p[r->at];

		if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
			break;
		r->at++;
	}
}

/* Takes the character c when it is next. */
static bool accept(struct json_reader *r, char c)
{
	if (json_peek(r) != c)
		return false;
	r->at++;
	return true;
}

static bool read_value(struct json_reader *r, struct json *v);

static bool too_deep(struct json_reader *r, uint32_t at)
{
	struct out o;

	out_init(&o, r->arena);
	out_printf(&o, "brackets are nested more than %u deep here", r->depth_max);
	if (r->depth_max < SOURCE_DEPTH_MAX)
		out_printf(&o, "; `--limit depth=NUMBER` raises that, to %d at most", SOURCE_DEPTH_MAX);
	return json_fail(r, at, at + 1, arena_copy(r->arena, o.p, o.n));
}

/* Goes one level down, behind an opening bracket. */
static bool enter(struct json_reader *r)
{
	uint32_t at = r->at++;

	if (++r->depth > r->depth_max)
		return too_deep(r, at);
	skip_space(r);
	return true;
}

/* Behind an element: true with *more telling whether another follows; false on an error. */
static bool read_separator(struct json_reader *r, char close, bool *more)
{
	skip_space(r);
	*more = false;
	if (accept(r, close))
		return true;
	if (json_peek(r) != ',')
		return fail_here(r, close == ']' ? "`,` or `]` is expected here"
						 : "`,` or `}` is expected here");
	r->at++;
	skip_space(r);
	if (json_peek(r) == close)
		return json_fail(r, r->at - 1, r->at, "a comma before the closing bracket");
	*more = true;
	return true;
}

static bool read_array(struct json_reader *r, struct json *v)
{
	VEC(struct json) items = { 0 };
	bool more;

	if (!enter(r))
		return false;
	more = !accept(r, ']');
	while (more) {
		struct json item = { 0 };

		if (!read_value(r, &item) || !read_separator(r, ']', &more))
			return false;
		*VEC_ADD(r->arena, &items) = item;
	}
	r->depth--;
	v->kind = JSON_ARRAY;
	v->items = items.at;
	v->count = items.n;
	return true;
}

/* The members of an object while it is read. */
struct members {
	VEC(struct json) items;
	VEC(struct str) keys;
	VEC(struct span) spans;
	struct map places;           /* hash of a key -> its index */
};

/* Notes the key; false when the object has it already. */
static bool add_key(struct json_reader *r, struct members *m, struct str key, struct span span)
{
	uint64_t hash = hash_bytes(key.p, key.n);
	uint32_t found;

	while ((found = map_find(&m->places, hash)) != MAP_NONE) {
		if (str_equal(m->keys.at[found], key)) {
			json_fail(r, span.lo, span.hi, "this key appears twice in the object");
			r->error->detail = key;
			return false;
		}
		hash++;
	}
	map_set(&m->places, hash, m->keys.n);
	*VEC_ADD(r->arena, &m->keys) = key;
	*VEC_ADD(r->arena, &m->spans) = span;
	return true;
}

static bool read_member(struct json_reader *r, struct members *m)
{
	struct json item = { 0 };
	struct span span = { r->file, r->at, r->at };
	struct str key;

	if (json_peek(r) != '"')
		return fail_here(r, "a key in double quotes is expected here");
	if (!json_read_string(r, &key))
		return false;
	span.hi = r->at;
	if (!add_key(r, m, key, span))
		return false;
	skip_space(r);
	if (!accept(r, ':'))
		return fail_here(r, "`:` is expected behind the key");
	if (!read_value(r, &item))
		return false;
	*VEC_ADD(r->arena, &m->items) = item;
	return true;
}

static bool read_object(struct json_reader *r, struct json *v)
{
	struct members m = { 0 };
	bool more;

	if (!enter(r))
		return false;
	map_init(&m.places, r->arena);
	more = !accept(r, '}');
	while (more)
		if (!read_member(r, &m) || !read_separator(r, '}', &more))
			return false;
	r->depth--;
	v->kind = JSON_OBJECT;
	v->items = m.items.at;
	v->keys = m.keys.at;
	v->key_spans = m.spans.at;
	v->count = m.items.n;
	return true;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* true, false, null. Other words (NaN, Infinity, None, True) are refused whole. */
static bool read_word(struct json_reader *r, struct json *v)
{
	uint32_t lo = r->at;
	struct str word;

	while (is_letter(json_peek(r)))
		r->at++;
	word = str_slice(r->text, lo, r->at);
	v->truth = str_is(word, "true");
	v->kind = str_is(word, "null") ? JSON_NULL : JSON_BOOL;
	if (v->truth || v->kind == JSON_NULL || str_is(word, "false"))
		return true;
	json_fail(r, lo, r->at, "this word is not a JSON value");
	r->error->detail = word;
	return false;
}

static bool read_value(struct json_reader *r, struct json *v)
{
	bool good;
	char c;

	skip_space(r);
	v->span = (struct span){ r->file, r->at, r->at };
	c = json_peek(r);
	if (c == '{') {
		good = read_object(r, v);
	} else if (c == '[') {
		good = read_array(r, v);
	} else if (c == '"') {
		v->kind = JSON_STRING;
		good = json_read_string(r, &v->text);
	} else if (c == '-' || (c >= '0' && c <= '9')) {
		v->kind = JSON_NUMBER;
		good = json_read_number(r, v);
	} else if (is_letter(c)) {
		good = read_word(r, v);
	} else {
		good = fail_here(r, "a value is expected here");
	}
	v->span.hi = r->at;
	return good;
}

struct json *json_parse(struct arena *a, const struct sources *s, uint32_t file,
			struct json_error *error)
{
	struct str text = source_get(s, file)->text;
	struct json_reader r = { .arena = a, .text = text, .file = file, .error = error,
				 .depth_max = s->depth_max };
	struct json *v = ARENA_NEW(a, struct json);
	uint32_t bad = utf8_check(text);

	if (bad < text.n) {
		json_fail(&r, bad, bad + 1, "this byte is not valid UTF-8");
		return NULL;
	}
	if (str_starts(text, "\xef\xbb\xbf")) {
		json_fail(&r, 0, 3, "the file begins with a byte order mark, which JSON does not have");
		return NULL;
	}
	if (!read_value(&r, v))
		return NULL;
	skip_space(&r);
	if (r.at < text.n) {
		fail_here(&r, "the value ends before this");
		return NULL;
	}
	return v;
}

/* Objects of a configuration are small; the search is linear. Also NULL when it is no object. */
const struct json *json_member(const struct json *object, const char *key)
{
	if (object->kind != JSON_OBJECT)
		return NULL;
	for (uint32_t i = 0; i < object->count; i++)
		if (str_is(object->keys[i], key))
			return &object->items[i];
	return NULL;
}

const char *json_kind_name(enum json_kind kind)
{
	static const char *const names[] = {
		"null", "a boolean", "a number", "a string", "an array", "an object"
	};

	invariant((size_t)kind < PLAN_COUNT(names), "a kind of JSON value");
	return names[kind];
}
