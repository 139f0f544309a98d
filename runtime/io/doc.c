/* doc.c - document trees, and what their writers share. */
#include "runtime/io/doc.h"

#include "runtime/io/json_write.h"

struct doc *doc_make(struct arena *a, enum doc_kind kind)
{
	struct doc *d = ARENA_NEW(a, struct doc);

	d->kind = kind;
	return d;
}

struct doc *doc_add(struct arena *a, struct doc *into, struct str name, enum doc_kind kind)
{
	struct doc *d = doc_make(a, kind);

	d->name = name;
	if (into->last)
		into->last->next = d;
	else
		into->first = d;
	into->last = d;
	return d;
}

struct doc *doc_find(const struct doc *table, struct str name)
{
	for (struct doc *d = table->first; d; d = d->next)
		if (str_equal(d->name, name))
			return d;
	return NULL;
}

/* "1e-7" becomes "1.0e-7" where fractions have a point: to YAML 1.1 the former is a text. */
void doc_digits(const struct doc *number, struct out *o)
{
	struct str s = number->text;
	uint32_t e = 0;

	while (e < s.n && s.p[e] != 'e' && s.p[e] != '.')
		e++;
	out_str(o, str_slice(s, 0, e));
	if ((number->fraction || e < s.n) && (e == s.n || s.p[e] == 'e'))
		out_text(o, ".0");
	out_str(o, str_slice(s, e, s.n));
}

void doc_quoted(struct out *o, struct str text)
{
	out_char(o, '"');
	for (uint32_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c == '"' || c == '\\')
			out_printf(o, "\\%c", c);
		else if (c == '\n')
			out_text(o, "\\n");
		else if (c == '\t')
			out_text(o, "\\t");
		else if (c < 0x20 || c == 0x7f)
			out_printf(o, "\\u%04x", c);
		else
			out_char(o, (char)c);
	}
	out_char(o, '"');
}

void doc_note(struct out *o, struct str indent, struct str note)
{
	uint32_t at = 0;

	while (at < note.n) {
		uint32_t end = at;

		while (end < note.n && note.p[end] != '\n')
			end++;
		out_str(o, indent);
		out_printf(o, "# %.*s\n", (int)(end - at), note.p + at);
		at = end + 1;
	}
}

static void members_line(const struct doc *d, const struct doc_notation *how, struct out *o)
{
	for (const struct doc *m = d->first; m; m = m->next) {
		if (d->kind == DOC_TABLE) {
			how->name(o, m->name);
			out_text(o, how->after_name);
		}
		doc_line(m, how, o);
		if (m->next)
			out_text(o, how->between);
	}
}

void doc_line(const struct doc *d, const struct doc_notation *how, struct out *o)
{
	switch (d->kind) {
	case DOC_NULL:
		out_text(o, how->none);
		return;
	case DOC_BOOL:
		out_text(o, d->truth ? how->yes : how->no);
		return;
	case DOC_NUMBER:
		doc_digits(d, o);
		return;
	case DOC_TEXT:
		how->text(o, d->text);
		return;
	case DOC_LIST:
		out_char(o, '[');
		members_line(d, how, o);
		out_char(o, ']');
		return;
	case DOC_TABLE:
		out_char(o, '{');
		members_line(d, how, o);
		out_char(o, '}');
		return;
	}
}

static void json_value(struct json_writer *w, const struct doc *d, const char *key)
{
	switch (d->kind) {
	case DOC_NULL:
		json_null(w, key);
		return;
	case DOC_BOOL:
		json_bool(w, key, d->truth);
		return;
	case DOC_NUMBER:
		json_digits(w, key, d->text);
		return;
	case DOC_TEXT:
		json_str(w, key, d->text);
		return;
	case DOC_LIST:
		json_begin_array(w, key);
		for (const struct doc *m = d->first; m; m = m->next)
			json_value(w, m, NULL);
		json_end(w);
		return;
	case DOC_TABLE:
		json_begin_object(w, key);
		for (const struct doc *m = d->first; m; m = m->next)
			json_value(w, m, str_copy(w->arena, m->name).p);
		json_end(w);
		return;
	}
}

void doc_json(const struct doc *d, struct out *o)
{
	struct json_writer w;

	json_writer_init(&w, o->arena);
	json_value(&w, d, NULL);
	json_print(&w, o, true);
	out_char(o, '\n');
}
