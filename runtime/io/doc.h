/* doc.h - a document before it has a format: what JSON, YAML, TOML and Python can all say.
 *
 *	struct doc *d = doc_make(arena, DOC_TABLE);
 *	struct doc *lr = doc_add(arena, d, STR("lr"), DOC_NUMBER);
 *	lr->text = STR("0.0003");
 *	lr->fraction = true;
 *	doc_yaml(d, out);
 *
 * Members keep the order in which they were added. Names are not checked for being unique. Text is
 * UTF-8.
 */
#ifndef PLAN_IO_DOC_H
#define PLAN_IO_DOC_H

#include "compiler/base/out.h"

enum doc_kind { DOC_NULL, DOC_BOOL, DOC_NUMBER, DOC_TEXT, DOC_LIST, DOC_TABLE };

struct doc {
	enum doc_kind kind;
	struct str name; /* inside a table */
	struct str note; /* comment above it, lines without a mark; "" for none */
	struct str text; /* DOC_TEXT; DOC_NUMBER: its digits, as JSON writes them */
	bool truth;      /* DOC_BOOL */
	bool fraction;   /* DOC_NUMBER: the type is no integer, so the formats that tell them apart
	                  * write "1.0" for 1 */
	struct doc *first, *last, *next; /* members */
};

struct doc *doc_make(struct arena *a, enum doc_kind kind);

/* A new last member of a list (name "") or a table. */
struct doc *doc_add(struct arena *a, struct doc *into, struct str name, enum doc_kind kind);

/* The member of that name; NULL when there is none. */
struct doc *doc_find(const struct doc *table, struct str name);

/* The digits of a number with a point where it is a fraction. */
void doc_digits(const struct doc *number, struct out *o);

/* The text in double quotes with the escapes that JSON, TOML and Python share. */
void doc_quoted(struct out *o, struct str text);

/* Each line of a note behind "# ". */
void doc_note(struct out *o, struct str indent, struct str note);

/* How a notation says values in one line. */
struct doc_notation {
	const char *none, *yes, *no;
	const char *between;         /* members: "," */
	const char *after_name;      /* of a member of a table: ":" */
	void (*name)(struct out *o, struct str name);
	void (*text)(struct out *o, struct str text);
};

/* The value in one line, lists as [...] and tables as {...}. */
void doc_line(const struct doc *d, const struct doc_notation *how, struct out *o);

/* JSON, indented, with a line break at the end. */
void doc_json(const struct doc *d, struct out *o);

/* YAML (1.1, which 1.2 readers read the same), block style, lists of scalars in one line. A text
 * that YAML would take for something else is quoted. The root is a table; notes of its members are
 * comments. */
void doc_yaml(const struct doc *d, struct out *o);

/* TOML 1.0: the root is a table, tables in it become [headers]. TOML has no null: the member that
 * is one, or that holds one, is returned and the text is useless; NULL when all went well. */
const struct doc *doc_toml(const struct doc *d, struct out *o);

#endif
