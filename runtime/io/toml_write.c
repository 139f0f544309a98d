/* toml_write.c - TOML 1.0 as text.
 *
 * No C library of the distribution writes TOML (libtomlc99 reads it), so this does: a table's plain
 * members first, then its tables under [headers] of their own, since a header ends what stands
 * above it. Lists of tables are written as inline tables.
 */
#include "runtime/io/doc.h"

struct toml {
	struct out *o;
	const struct doc *null; /* a member that TOML cannot say */
};

static bool is_bare(struct str s)
{
	for (uint32_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		      c == '_' || c == '-'))
			return false;
	}
	return s.n > 0;
}

static void write_name(struct out *o, struct str name)
{
	if (is_bare(name))
		out_str(o, name);
	else
		doc_quoted(o, name);
}

static void write_value(struct toml *t, const struct doc *d)
{
	switch (d->kind) {
	case DOC_NULL:
		t->null = d;
		return;
	case DOC_BOOL:
		out_text(t->o, d->truth ? "true" : "false");
		return;
	case DOC_NUMBER:
		doc_digits(d, t->o);
		return;
	case DOC_TEXT:
		doc_quoted(t->o, d->text);
		return;
	case DOC_LIST:
		out_char(t->o, '[');
		for (const struct doc *m = d->first; m; m = m->next) {
			write_value(t, m);
			if (m->next)
				out_text(t->o, ", ");
		}
		out_char(t->o, ']');
		return;
	case DOC_TABLE:
		out_text(t->o, d->first ? "{ " : "{}");
		for (const struct doc *m = d->first; m; m = m->next) {
			write_name(t->o, m->name);
			out_text(t->o, " = ");
			write_value(t, m);
			out_text(t->o, m->next ? ", " : " }");
		}
		return;
	}
}

static void write_line(struct toml *t, const struct doc *m)
{
	const struct doc *before = t->null;

	if (m->note.n > 0) {
		out_char(t->o, '\n');
		doc_note(t->o, STR(""), m->note);
	}
	write_name(t->o, m->name);
	out_text(t->o, " = ");
	write_value(t, m);
	out_char(t->o, '\n');
	if (t->null != before)
		t->null = m;
}

/* The header of a table that only holds tables is theirs as well. */
static bool needs_header(const struct doc *table)
{
	for (const struct doc *m = table->first; m; m = m->next)
		if (m->kind != DOC_TABLE)
			return true;
	return !table->first;
}

static void write_table(struct toml *t, const struct doc *table, struct str path, struct str note);

/* A table under its header; a note of one without a header goes to the first table in it. */
static void write_section(struct toml *t, const struct doc *m, struct str path, struct str note)
{
	struct out name;

	out_init(&name, t->o->arena);
	if (path.n > 0) {
		out_str(&name, path);
		out_char(&name, '.');
	}
	write_name(&name, m->name);
	if (m->note.n > 0)
		note = m->note;
	if (needs_header(m)) {
		out_char(t->o, '\n');
		doc_note(t->o, STR(""), note);
		out_printf(t->o, "[%.*s]\n", (int)out_view(&name).n, out_view(&name).p);
		note = STR("");
	}
	write_table(t, m, out_view(&name), note);
}

static void write_table(struct toml *t, const struct doc *table, struct str path, struct str note)
{
	for (const struct doc *m = table->first; m; m = m->next)
		if (m->kind != DOC_TABLE)
			write_line(t, m);
	for (const struct doc *m = table->first; m; m = m->next) {
		if (m->kind != DOC_TABLE)
			continue;
		write_section(t, m, path, note);
		note = STR("");
	}
}

const struct doc *doc_toml(const struct doc *d, struct out *o)
{
	struct toml t = { .o = o };

	write_table(&t, d, STR(""), STR(""));
	return t.null;
}
