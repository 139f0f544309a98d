/* foreign.c - JSON objects against the tables of their fields, with messages at the exact place. */
#include "runtime/import/foreign.h"

#include "compiler/base/utf8.h"

#include <inttypes.h>
#include <stdarg.h>

bool foreign_load_text(struct sources *s, struct diag_sink *sink, struct str path, const char *what,
		       uint32_t *file)
{
	const char *why = NULL;

	switch (sources_load(s, path, file)) {
	case SOURCE_OK:
		return true;
	case SOURCE_MISSING:
		diag_report(sink, E0201, SPAN_NONE, "there is no file `%.*s` (the %s)", (int)path.n,
			    path.p, what);
		return false;
	case SOURCE_NOT_FILE:
		why = "is not a file";
		break;
	case SOURCE_UNREADABLE:
		why = "cannot be read";
		break;
	case SOURCE_TOO_LARGE:
		diag_too_large(sink, SPAN_NONE, path);
		return false;
	}
	diag_report(sink, E0201, SPAN_NONE, "`%.*s` (the %s) %s", (int)path.n, path.p, what, why);
	return false;
}

bool foreign_is_utf8(const struct sources *s, struct diag_sink *sink, uint32_t file)
{
	struct str text = source_get(s, file)->text;
	uint32_t at = utf8_check(text);
	struct diag *d;

	if (at == text.n)
		return true;
	d = diag_new(sink, E0001, (struct span){ file, at, at + 1 });
	diag_message(d, "the byte 0x%02X is not UTF-8 here", (unsigned)(unsigned char)text.p[at]);
	diag_help(d, "save the file as UTF-8");
	diag_submit(d);
	return false;
}

const struct json *foreign_load(struct arena *a, struct sources *s, struct diag_sink *sink,
				struct str path, const char *what)
{
	uint32_t file;

	if (!foreign_load_text(s, sink, path, what, &file))
		return NULL;
	return foreign_parse(a, s, sink, file, what);
}

const struct json *foreign_parse(struct arena *a, struct sources *s, struct diag_sink *sink,
				 uint32_t file, const char *what)
{
	struct json_error error = { 0 };
	struct json *root = json_parse(a, s, file, &error);
	struct diag *d;

	if (!root) {
		d = diag_new(sink, E0208, error.span);
		if (error.detail.n > 0)
			diag_message(d, "%s: `%.*s`", error.message, (int)error.detail.n,
				     error.detail.p);
		else
			diag_message(d, "%s", error.message);
		diag_submit(d);
		return NULL;
	}
	if (root->kind != JSON_OBJECT) {
		diag_report(sink, E0209, root->span, "the %s is %s; it must be an object", what,
			    json_kind_name(root->kind));
		return NULL;
	}
	return root;
}

void foreign_refuse(struct foreign *f, struct span at, const char *fmt, ...)
{
	struct diag *d = diag_new(f->sink, E0209, at);
	va_list args;
	char text[512];

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	diag_message(d, "%s", text);
	diag_submit(d);
}

/* Each key once; the first has the message. */
static void drop(struct foreign *f, struct foreign_dropped *all, struct str key, struct span at,
		 const char *why, const char *whose)
{
	for (uint32_t i = 0; i < all->keys.n; i++)
		if (str_equal(all->keys.at[i], key))
			return;
	*VEC_ADD(f->arena, &all->keys) = key;
	if (all->note)
		return;
	all->note = diag_new(f->sink, W2511, at);
	diag_message(all->note, "`%.*s` %s %s and was left out", (int)key.n, key.p, why, whose);
}

void foreign_ignore(struct foreign *f, const char *key, struct span at)
{
	drop(f, &f->unread, str_of(key), at, "is never read by", f->program);
}

void foreign_leave_out(struct foreign *f, struct str key, struct span at, const char *record)
{
	drop(f, &f->wordless, key, at, "has no counterpart in", record);
}

/* The others are one note. */
static void submit_dropped(struct foreign *f, struct foreign_dropped *all)
{
	struct out rest;

	if (!all->note)
		return;
	out_init(&rest, f->arena);
	for (uint32_t i = 1; i < all->keys.n; i++)
		out_printf(&rest, "%s`%.*s`", i > 1 ? ", " : "", (int)all->keys.at[i].n, all->keys.at[i].p);
	if (rest.n > 0)
		diag_note(all->note, "so %s %.*s", all->keys.n > 2 ? "were" : "was", (int)rest.n, rest.p);
	diag_submit(all->note);
	all->note = NULL;
}

void foreign_finish(struct foreign *f)
{
	submit_dropped(f, &f->unread);
	submit_dropped(f, &f->wordless);
}

/* ---- checking -------------------------------------------------------------------------------- */

static const char *kind_wanted(enum foreign_kind kind)
{
	switch (kind) {
	case FOREIGN_INT:
		return "a whole number";
	case FOREIGN_NUMBER:
		return "a number";
	case FOREIGN_BOOL:
		return "true or false";
	case FOREIGN_TEXT:
		return "a string";
	case FOREIGN_OBJECT:
		return "an object";
	case FOREIGN_LIST:
		return "an array";
	}
	return "something else";
}

static bool kind_fits(enum foreign_kind kind, enum json_kind found)
{
	switch (kind) {
	case FOREIGN_INT:
	case FOREIGN_NUMBER:
		return found == JSON_NUMBER;
	case FOREIGN_BOOL:
		return found == JSON_BOOL;
	case FOREIGN_TEXT:
		return found == JSON_STRING;
	case FOREIGN_OBJECT:
		return found == JSON_OBJECT;
	case FOREIGN_LIST:
		return found == JSON_ARRAY;
	}
	return false;
}

static const char *number_text(struct arena *a, struct num n,
			       void (*print)(struct out *, struct num))
{
	struct out o;

	out_init(&o, a);
	print(&o, n);
	if (o.n > 40) {
		o.n = 37;
		out_text(&o, "...");
	}
	out_char(&o, '\0');
	return o.p;
}

static bool check_number(struct foreign *f, const struct json *v, const struct foreign_field *field)
{
	int64_t most = field->most ? field->most : FOREIGN_MOST;
	int below = num_compare(v->number, num_int(field->least));
	const char *text = number_text(f->arena, v->number, num_print_decimal);

	if (field->kind == FOREIGN_INT && !num_is_int(v->number)) {
		foreign_refuse(f, v->span, "`%s` is %s; it must be a whole number", field->name,
			       text);
		return false;
	}
	if (below < 0 || (below == 0 && (field->flags & FOREIGN_ABOVE))) {
		foreign_refuse(f, v->span, "`%s` is %s; it must be %s %" PRIi64, field->name, text,
			       field->flags & FOREIGN_ABOVE ? "above" : "at least", field->least);
		return false;
	}
	if (num_compare(v->number, num_int(most)) > 0) {
		foreign_refuse(f, v->span, "`%s` is %s; it must be at most %" PRIi64, field->name,
			       text, most);
		return false;
	}
	return true;
}

static bool check_text(struct foreign *f, const struct json *v, const struct foreign_field *field)
{
	struct diag *d;
	struct out all;

	if (!field->texts)
		return true;
	out_init(&all, f->arena);
	for (const char *const *t = field->texts; *t; t++) {
		if (str_is(v->text, *t))
			return true;
		out_printf(&all, "%s\"%s\"", t == field->texts ? "" : ", ", *t);
	}
	d = diag_new(f->sink, E0209, v->span);
	diag_message(d, "`%s` cannot be \"%.*s\"", field->name,
		     (int)(v->text.n > 60 ? 60 : v->text.n), v->text.p);
	diag_help(d, "it is one of %.*s", (int)all.n, all.p);
	diag_submit(d);
	return false;
}

bool foreign_check_value(struct foreign *f, const struct json *v,
			 const struct foreign_field *field)
{
	if (v->kind == JSON_NULL && (field->flags & FOREIGN_NULLABLE))
		return true;
	if (!kind_fits(field->kind, v->kind)) {
		foreign_refuse(f, v->span, "`%s` is %s; it must be %s", field->name,
			       json_kind_name(v->kind), kind_wanted(field->kind));
		return false;
	}
	if (v->kind == JSON_NUMBER)
		return check_number(f, v, field);
	return v->kind != JSON_STRING || check_text(f, v, field);
}

static void refuse_key(struct foreign *f, const struct json *object, uint32_t i, const char *what,
		       const struct foreign_field *fields, size_t count)
{
	struct diag *d = diag_new(f->sink, E0209, object->key_spans[i]);
	struct suggestions s;
	struct str key = object->keys[i];

	diag_message(d, "%s has no field `%.*s`", what, (int)(key.n > 60 ? 60 : key.n), key.p);
	suggestions_init(&s, f->arena, key);
	for (size_t j = 0; j < count; j++)
		suggestions_add(&s, str_of(fields[j].name), false);
	(void)diag_suggest(d, &s);
	diag_submit(d);
}

static const struct foreign_field *find_field(const struct foreign_field *fields, size_t count,
					      struct str key)
{
	for (size_t j = 0; j < count; j++)
		if (str_is(key, fields[j].name))
			return &fields[j];
	return NULL;
}

/* Values of an unread field that ask for nothing, so that nobody misses them. */
static bool says_nothing(const struct json *v)
{
	return v->kind == JSON_NULL || (v->kind == JSON_STRING && str_is(v->text, "auto")) ||
	       (v->kind == JSON_NUMBER && num_sign(v->number) == 0);
}

/* One member against the table. */
static bool check_member(struct foreign *f, const struct json *object, uint32_t i,
			 const struct foreign_field *field)
{
	bool unread = field->flags & FOREIGN_IGNORED, fine = true;

	if (!unread || field->texts)
		fine = foreign_check_value(f, &object->items[i], field);
	if (fine && unread && !says_nothing(&object->items[i]))
		foreign_ignore(f, field->name, object->key_spans[i]);
	return fine;
}

/* A key that is missing because it was misspelt has been reported already. */
bool foreign_check(struct foreign *f, const struct json *object, const char *what,
		   const struct foreign_field *fields, size_t count, bool open)
{
	bool fine = true, strange = false;

	for (uint32_t i = 0; i < object->count; i++) {
		const struct foreign_field *field = find_field(fields, count, object->keys[i]);

		if (field) {
			fine = check_member(f, object, i, field) && fine;
		} else if (open) {
			foreign_ignore(f, str_copy(f->arena, object->keys[i]).p,
				       object->key_spans[i]);
		} else {
			refuse_key(f, object, i, what, fields, count);
			strange = true;
		}
	}
	for (size_t j = 0; !strange && j < count; j++)
		if ((fields[j].flags & FOREIGN_REQUIRED) && !json_member(object, fields[j].name)) {
			foreign_refuse(f, foreign_span(object, ""), "%s has no `%s`", what,
				       fields[j].name);
			fine = false;
		}
	return fine && !strange;
}

/* ---- reading --------------------------------------------------------------------------------- */

const struct json *foreign_get(const struct json *object, const char *key)
{
	const struct json *v = json_member(object, key);

	return v && v->kind != JSON_NULL ? v : NULL;
}

struct num foreign_number(const struct json *object, const char *key, int64_t otherwise)
{
	const struct json *v = foreign_get(object, key);

	return v ? v->number : num_int(otherwise);
}

int64_t foreign_int(const struct json *object, const char *key, int64_t otherwise)
{
	const struct json *v = foreign_get(object, key);
	int64_t n;

	return v && num_fits_int64(v->number, &n) ? n : otherwise;
}

bool foreign_bool(const struct json *object, const char *key, bool otherwise)
{
	const struct json *v = foreign_get(object, key);

	return v ? v->truth : otherwise;
}

bool foreign_text_is(const struct json *object, const char *key, const char *text)
{
	const struct json *v = foreign_get(object, key);

	return v && str_is(v->text, text);
}

struct span foreign_span(const struct json *object, const char *key)
{
	const struct json *v = json_member(object, key);

	if (v)
		return v->span;
	return (struct span){ object->span.file, object->span.lo, object->span.lo + 1 };
}
