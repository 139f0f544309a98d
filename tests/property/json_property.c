/*
 * json_property.c - JSON that is written is JSON that is read, exactly.
 *
 * Random values - integers and decimals of any length, doubles, texts of any character, lists and objects
 * inside of each other - go through the writer and the reader: kinds, order, keys, every digit and
 * every byte are the same again, in both layouts, and what is read and written once more is the same
 * text. The seed is printed when a law is broken; give it as the first argument to repeat a run.
 */
#include "compiler/source/json.h"
#include "runtime/io/json_write.h"
#include "tests/unit/dice.h"

enum { ROUNDS = 2000, DEPTH_MAX = 5, COUNT_MAX = 6, TEXT_MAX = 12 };

struct run {
	struct dice dice;
	struct arena arena;
	struct sources sources;
};

static void fail(const struct run *r, const char *law, struct str text)
{
	printf("json_property: %s; seed %llu\n%.*s\n", law, (unsigned long long)r->dice.seed, (int)text.n,
	       text.p);
	exit(EXIT_FAILURE);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_character(struct dice *d, struct out *o)
{
	/* The ends of what UTF-8 writes in one to four bytes, and of the surrogates. */
	static const int64_t ranges[][2] = {
		{ 1, 0x1f },	    { 0x20, 0x7e },	{ 0x7f, 0x7ff },
		{ 0x800, 0xd7ff },  { 0xe000, 0xffff }, { 0x10000, 0x10ffff },
	};
	int64_t which = dice_pick(d, 0, (int64_t)PLAN_COUNT(ranges) - 1);
	uint32_t c = (uint32_t)dice_pick(d, ranges[which][0], ranges[which][1]);

	if (c < 0x80) {
		out_char(o, (char)c);
	} else if (c < 0x800) {
		out_char(o, (char)(0xc0 | c >> 6));
		out_char(o, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		out_char(o, (char)(0xe0 | c >> 12));
		out_char(o, (char)(0x80 | (c >> 6 & 0x3f)));
		out_char(o, (char)(0x80 | (c & 0x3f)));
	} else {
		out_char(o, (char)(0xf0 | c >> 18));
		out_char(o, (char)(0x80 | (c >> 12 & 0x3f)));
		out_char(o, (char)(0x80 | (c >> 6 & 0x3f)));
		out_char(o, (char)(0x80 | (c & 0x3f)));
	}
}

static struct str draw_text(struct run *r, int64_t least)
{
	struct out o;

	out_init(&o, &r->arena);
	for (int64_t n = dice_pick(&r->dice, least, TEXT_MAX); n > 0; n--)
		draw_character(&r->dice, &o);
	return str_copy(&r->arena, out_view(&o));
}

/* Digits and a power of ten: an integer of any size, or a decimal that ends. */
static struct num draw_decimal(struct run *r)
{
	struct num x = num_int((int64_t)dice_draw(&r->dice)), power = num_int(1);

	num_pow(&r->arena, num_int(10), dice_pick(&r->dice, -40, 40), &power);
	num_mul(&r->arena, x, power, &x);
	return x;
}

static double draw_double(struct run *r)
{
	uint64_t bits = dice_draw(&r->dice);
	double x;

	if (bits >> 52 == 0x7ff || bits >> 52 == 0xfff)
		bits ^= UINT64_C(1) << 60;
	memcpy(&x, &bits, sizeof x);
	return x;
}

static void draw_value(struct run *r, struct json *j, int depth);

static void draw_items(struct run *r, struct json *j, int depth)
{
	j->count = (uint32_t)dice_pick(&r->dice, 0, COUNT_MAX);
	j->items = ARENA_ARRAY(&r->arena, struct json, j->count);
	j->keys = ARENA_ARRAY(&r->arena, struct str, j->count);
	for (uint32_t i = 0; i < j->count; i++) {
		struct out key;

		/* The number makes it one of its kind. */
		out_init(&key, &r->arena);
		out_str(&key, draw_text(r, 0));
		out_printf(&key, "%u", i);
		j->keys[i] = str_copy(&r->arena, out_view(&key));
		draw_value(r, &j->items[i], depth + 1);
	}
}

static void draw_value(struct run *r, struct json *j, int depth)
{
	*j = (struct json){ .kind = (enum json_kind)dice_pick(&r->dice, JSON_NULL,
							      depth < DEPTH_MAX ? JSON_OBJECT : JSON_STRING) };
	switch (j->kind) {
	case JSON_NULL: break;
	case JSON_BOOL: j->truth = dice_coin(&r->dice); break;
	case JSON_NUMBER:
		/* A double is written by its shortest digits, which are read as what they say. */
		j->written_as_int = dice_coin(&r->dice);
		j->number = j->written_as_int ? draw_decimal(r) : num_from_double(&r->arena, draw_double(r));
		break;
	case JSON_STRING: j->text = draw_text(r, 0); break;
	case JSON_ARRAY:
	case JSON_OBJECT: draw_items(r, j, depth); break;
	}
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void write_value(struct json_writer *w, const char *key, const struct json *j, bool drawn)
{
	switch (j->kind) {
	case JSON_NULL: json_null(w, key); break;
	case JSON_BOOL: json_bool(w, key, j->truth); break;
	case JSON_NUMBER:
		if (drawn && !j->written_as_int)
			json_real(w, key, num_to_double(j->number));
		else
			json_num(w, key, j->number);
		break;
	case JSON_STRING: json_str(w, key, j->text); break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		if (j->kind == JSON_ARRAY)
			json_begin_array(w, key);
		else
			json_begin_object(w, key);
		for (uint32_t i = 0; i < j->count; i++)
			write_value(w, j->kind == JSON_OBJECT ? str_copy(w->arena, j->keys[i]).p : NULL,
				    &j->items[i], drawn);
		json_end(w);
		break;
	}
}

static struct str written(struct run *r, const struct json *j, bool drawn, bool indented)
{
	struct json_writer w;
	struct out o;

	json_writer_init(&w, &r->arena);
	write_value(&w, NULL, j, drawn);
	out_init(&o, &r->arena);
	json_print(&w, &o, indented);
	return str_copy(&r->arena, out_view(&o));
}

static bool same(const struct json *a, const struct json *b)
{
	if (a->kind != b->kind || a->count != b->count || a->truth != b->truth)
		return false;
	if (a->kind == JSON_STRING && !str_equal(a->text, b->text))
		return false;
	if (a->kind == JSON_NUMBER && a->written_as_int && num_compare(a->number, b->number) != 0)
		return false;
	if (a->kind == JSON_NUMBER && !a->written_as_int &&
	    num_to_double(a->number) != num_to_double(b->number))
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if ((a->kind == JSON_OBJECT && !str_equal(a->keys[i], b->keys[i])) ||
		    !same(&a->items[i], &b->items[i]))
			return false;
	return true;
}

static void check_value(struct run *r)
{
	struct json drawn = { .kind = dice_coin(&r->dice) ? JSON_ARRAY : JSON_OBJECT }, *read;

	draw_items(r, &drawn, 0);
	for (int indented = 0; indented < 2; indented++) {
		struct str text = written(r, &drawn, true, indented != 0);
		struct json_error error = { 0 };

		read = json_parse(&r->arena, &r->sources,
				  sources_add(&r->sources, STR("written"), text, false), &error);
		if (!read)
			fail(r, error.message, text);
		if (!same(&drawn, read))
			fail(r, "what is written is not what is read", text);
	}
	/* Doubles have become their decimals; from here on every digit counts. */
	struct str once = written(r, read, false, false);
	struct json_error error = { 0 };
	struct json *again = json_parse(&r->arena, &r->sources,
					sources_add(&r->sources, STR("again"), once, false), &error);

	if (!again || !str_equal(written(r, again, false, false), once))
		fail(r, "written twice it is another text", once);
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, rounds = argc > 1 ? 1 : ROUNDS;

	for (uint64_t seed = first; seed < first + rounds; seed++) {
		struct run r = { .dice = dice_make(seed) };

		arena_init(&r.arena, NULL);
		sources_init(&r.sources, &r.arena);
		check_value(&r);
		arena_release(&r.arena);
	}
	return EXIT_SUCCESS;
}
