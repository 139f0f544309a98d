/* taken.c - see taken.h. */
#include "runtime/import/taken.h"

void taken_init(struct taken *t, struct foreign *f, const struct json *object, const char *what)
{
	*t = (struct taken){ .f = f, .object = object, .what = what, .fine = true };
	t->used = arena_alloc(f->arena, object->count + 1);
	memset(t->used, 0, object->count + 1);
}

/* The next of several names; empty at the end. */
static struct str next_name(const char **names)
{
	const char *p = *names;
	size_t n;

	while (*p == ' ')
		p++;
	n = strcspn(p, " ");
	*names = p + n;
	return (struct str){ p, (uint32_t)n };
}

static const struct json *find_one(struct taken *t, struct str name)
{
	for (uint32_t i = 0; i < t->object->count; i++)
		if (str_equal(t->object->keys[i], name)) {
			t->used[i] = true;
			return &t->object->items[i];
		}
	return NULL;
}

const struct json *taken_find(struct taken *t, const char *names)
{
	for (;;) {
		struct str name = next_name(&names);
		const struct json *v;

		if (name.n == 0)
			return NULL;
		v = find_one(t, name);
		if (v && v->kind != JSON_NULL)
			return v;
	}
}

/* A member against one row of a table of fields, as foreign_check compares whole objects. */
static const struct json *checked(struct taken *t, const char *names, enum foreign_kind kind,
				  int64_t least)
{
	const struct json *v = taken_find(t, names);
	struct foreign_field field = { .kind = kind, .least = least };

	if (!v)
		return NULL;
	field.name = str_copy(t->f->arena, t->object->keys[v - t->object->items]).p;
	if (foreign_check_value(t->f, v, &field))
		return v;
	t->fine = false;
	return NULL;
}

const struct json *taken_int(struct taken *t, const char *names, int64_t least)
{
	return checked(t, names, FOREIGN_INT, least);
}

const struct json *taken_number(struct taken *t, const char *names, int64_t least)
{
	return checked(t, names, FOREIGN_NUMBER, least);
}

const struct json *taken_text(struct taken *t, const char *names)
{
	return checked(t, names, FOREIGN_TEXT, 0);
}

const struct json *taken_object(struct taken *t, const char *names)
{
	return checked(t, names, FOREIGN_OBJECT, 0);
}

const struct json *taken_list(struct taken *t, const char *names)
{
	return checked(t, names, FOREIGN_LIST, 0);
}

bool taken_bool(struct taken *t, const char *names, bool otherwise)
{
	const struct json *v = checked(t, names, FOREIGN_BOOL, 0);

	return v ? v->truth : otherwise;
}

int64_t taken_count(struct taken *t, const char *names, int64_t least, int64_t otherwise)
{
	const struct json *v = taken_int(t, names, least);
	int64_t n;

	return v && num_fits_int64(v->number, &n) ? n : otherwise;
}

void taken_miss(struct taken *t, const char *names)
{
	struct str name = next_name(&names);

	/* What is there in another form has been reported. */
	if (!t->fine)
		return;
	foreign_refuse(t->f, foreign_span(t->object, ""), "%s has no `%.*s`", t->what, (int)name.n,
		       name.p);
	t->fine = false;
}

void taken_rest(const struct taken *t, struct plan_text *w, const char *title)
{
	struct plan_words words;

	plan_words_init(&words, w, title);
	for (uint32_t i = 0; i < t->object->count; i++)
		if (!t->used[i])
			plan_words_add(&words, t->object->keys[i]);
	plan_words_end(&words);
}

void taken_leave_out(const struct taken *t, const char *record)
{
	for (uint32_t i = 0; i < t->object->count; i++)
		if (!t->used[i])
			foreign_leave_out(t->f, t->object->keys[i], t->object->key_spans[i], record);
}

/* A text that a line of `extra` reads as one: no number, no true, no list. */
static bool is_plain_text(struct str s)
{
	bool letter = s.n > 0 && ((s.p[0] >= 'a' && s.p[0] <= 'z') || (s.p[0] >= 'A' && s.p[0] <= 'Z') || s.p[0] == '/');

	for (uint32_t i = 0; i < s.n; i++)
		letter = letter && s.p[i] > ' ' && s.p[i] < 0x7f && !strchr("\"\\{}[],=#", s.p[i]);
	return letter && !str_is(s, "true") && !str_is(s, "false") && !str_is(s, "null");
}

/* The value of a line of `extra`; false for what it cannot say. */
static bool out_value(struct out *o, const struct json *v)
{
	struct out digits;

	switch (v->kind) {
	case JSON_BOOL:
		out_text(o, v->truth ? "true" : "false");
		return true;
	case JSON_NUMBER:
		out_init(&digits, o->arena);
		num_print_decimal(&digits, v->number);
		out_str(o, out_view(&digits));
		return !memchr(digits.p, '/', digits.n);
	case JSON_STRING:
		out_str(o, v->text);
		return is_plain_text(v->text);
	case JSON_ARRAY:
		out_char(o, '[');
		for (uint32_t i = 0; i < v->count; i++) {
			out_text(o, i > 0 ? ", " : "");
			if (v->items[i].kind == JSON_ARRAY || !out_value(o, &v->items[i]))
				return false;
		}
		out_char(o, ']');
		return true;
	case JSON_NULL:
	case JSON_OBJECT:
		break;
	}
	return false;
}

bool taken_same(struct taken *t, const char *name, const char *value)
{
	const struct json *v = foreign_get(t->object, name);
	struct out o;

	out_init(&o, t->f->arena);
	return v && out_value(&o, v) && str_is(out_view(&o), value) && taken_find(t, name);
}

void taken_hand_on(struct taken *t, struct plan_text *w)
{
	bool any = false;

	for (uint32_t i = 0; i < t->object->count; i++) {
		struct str name = t->object->keys[i];
		struct out o;

		out_init(&o, t->f->arena);
		if (t->used[i] || !is_plain_text(name) || !out_value(&o, &t->object->items[i]))
			continue;
		if (!any)
			plan_text_open(w, t->object->span, "extra = [");
		any = t->used[i] = true;
		plan_text_line(w, t->object->key_spans[i], "\"%.*s=%.*s\",", (int)name.n, name.p, (int)o.n, o.p);
	}
	if (any)
		plan_text_close(w, "]");
}
