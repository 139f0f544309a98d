/* json.c - the JSON reader: everything it gives lies inside of the text, what it refuses has a place and
 * a reason, and what is written out again reads back. */
#include "compiler/source/json.h"

#include "runtime/io/json_write.h"
#include "tests/fuzz/fuzz.h"

static bool inside(const struct fuzz *f, struct span at)
{
	return at.file == f->file && at.lo <= at.hi && at.hi <= f->text.n;
}

static void write(struct json_writer *w, const char *key, const struct json *j)
{
	switch (j->kind) {
	case JSON_NULL: json_null(w, key); break;
	case JSON_BOOL: json_bool(w, key, j->truth); break;
	case JSON_NUMBER: json_num(w, key, j->number); break;
	case JSON_STRING: json_str(w, key, j->text); break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		if (j->kind == JSON_ARRAY)
			json_begin_array(w, key);
		else
			json_begin_object(w, key);
		for (uint32_t i = 0; i < j->count; i++)
			write(w, j->kind == JSON_OBJECT ? str_copy(w->arena, j->keys[i]).p : NULL, &j->items[i]);
		json_end(w);
		break;
	}
}

/* Texts with U+0000 and decimals that never end cannot come back the same. */
static void compare(const struct fuzz *f, const struct json *a, const struct json *b)
{
	fuzz_require(f, inside(f, a->span), "a value lies inside of the text");
	fuzz_require(f, a->kind == b->kind && a->count == b->count, "what is written reads back");
	if (a->kind == JSON_STRING && !memchr(a->text.p, '\0', a->text.n))
		fuzz_require(f, str_equal(a->text, b->text), "a text reads back");
	if (a->kind == JSON_NUMBER)
		fuzz_require(f, num_compare(a->number, b->number) == 0, "a number reads back");
	for (uint32_t i = 0; i < a->count; i++)
		compare(f, &a->items[i], &b->items[i]);
}

static bool has_nul_key(const struct json *j)
{
	for (uint32_t i = 0; i < j->count; i++)
		if ((j->kind == JSON_OBJECT && memchr(j->keys[i].p, '\0', j->keys[i].n)) ||
		    has_nul_key(&j->items[i]))
			return true;
	return false;
}

static void write_and_read(struct fuzz *f, const struct json *j)
{
	struct json_error error = { 0 };
	struct json_writer w;
	struct out o;
	uint32_t file;

	json_writer_init(&w, &f->arena);
	write(&w, NULL, j);
	out_init(&o, &f->arena);
	json_print(&w, &o, f->text.n % 2 == 0);
	file = sources_add(&f->sources, STR("written"), out_view(&o), false);
	j = json_parse(&f->arena, &f->sources, file, &error);
	fuzz_require(f, j != NULL, "what is written is JSON");
	compare(f, json_parse(&f->arena, &f->sources, f->file, &error), j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz f;
	struct json_error error = { 0 };
	struct json *j;

	fuzz_begin(&f, data, size);
	if (setjmp(f.escape) == 0) {
		j = json_parse(&f.arena, &f.sources, f.file, &error);
		fuzz_require(&f, j || (error.message && inside(&f, error.span)), "an error has a place");
		if (j && !has_nul_key(j))
			write_and_read(&f, j);
	}
	fuzz_end(&f);
	return 0;
}
