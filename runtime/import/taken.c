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
