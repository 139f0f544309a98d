/* subject.c - the records that a question is about: whether their file declares them, and what it has instead. */
#include "compiler/base/path.h"
#include "runtime/suggest/suggest_int.h"

enum { LISTED_MAX = 12 };            /* names that a message lists where none is near */

/* Whether a record is declared in the file that an import names so: "std:models" is std:models.plan. */
static bool lies_in(const struct ir_program *p, const struct ir_global *g, struct str file)
{
	struct str path;

	if (g->file >= p->sources->files.n)
		return false;
	path = source_get(p->sources, g->file)->path;
	if (str_starts(file, "std:"))
		return str_starts(path, "std:") && path.n == file.n + 5 && memcmp(path.p, file.p, file.n) == 0;
	return path.n >= file.n && memcmp(path.p + path.n - file.n, file.p, file.n) == 0;
}

static bool is_one(const struct ir_program *p, const struct ir_global *g, struct str file, uint32_t schema)
{
	return g->kind == GLOBAL_INSTANCE && g->type->kind == TYPE_RECORD &&
	       ir_schema_extends(p, g->type->index, schema) && lies_in(p, g, file);
}

static void report(const struct suggest_asker *a, const struct trial *t, const struct suggest_subject *s,
		   const char *what, uint32_t schema)
{
	const struct ir_program *p = t->program;
	struct diag *d = diag_new(a->like->sink, E2707, SPAN_NONE);
	struct suggestions near;
	struct out all;
	uint32_t n = 0;

	diag_message(d, "%.*s has no %s `%.*s`", (int)s->file.n, s->file.p, what, (int)s->name.n, s->name.p);
	suggestions_init(&near, a->like->arena, s->name);
	out_init(&all, a->like->arena);
	for (uint32_t i = 0; i < p->globals.n; i++) {
		struct str name = sym_str(p->names, p->globals.at[i].name);

		if (!is_one(p, &p->globals.at[i], s->file, schema))
			continue;
		suggestions_add(&near, str_copy(a->like->arena, name), false);
		if (n++ < LISTED_MAX)
			out_printf(&all, "%s%.*s", n > 1 ? ", " : "", (int)name.n, name.p);
	}
	if (!diag_suggest(d, &near) && n > 0)
		diag_note(d, "it has %.*s%s", (int)all.n, all.p, n > LISTED_MAX ? " and others" : "");
	diag_submit(d);
}

bool subject_exists(const struct suggest_asker *a, const struct suggest_question *q,
		    const struct suggest_subject *s, const char *what)
{
	struct trial *t;
	struct out text;
	uint32_t schema;
	bool there = false;

	out_init(&text, a->like->arena);
	out_text(&text, "edition 1\nimport ");
	put_quoted(&text, s->file);
	out_text(&text, " as planc_file\n");
	t = trial_begin_library(a, q, str_copy(a->like->arena, out_view(&text)));
	schema = t->program ? ir_find_schema(t->program, what) : IR_NONE;
	for (uint32_t i = 0; t->program && i < t->program->globals.n; i++)
		there = there || (is_one(t->program, &t->program->globals.at[i], s->file, schema) &&
				  str_equal(sym_str(t->program->names, t->program->globals.at[i].name), s->name));
	if (t->program && !there)
		report(a, t, s, what, schema);
	there = there || !t->program;
	trial_end(t);
	return there;
}

static uint32_t last_colon(struct str text)
{
	uint32_t i = text.n;

	while (i > 0 && text.p[i - 1] != ':')
		i--;
	return i;
}

bool suggest_subject_read(struct arena *a, struct str text, const char *library, struct str path,
			  struct suggest_subject *subject)
{
	struct str folder = path_normalise(a, path_folder(path)), whole;
	uint32_t colon = last_colon(text);

	*subject = (struct suggest_subject){ str_of(library), str_slice(text, colon, text.n) };
	if (colon == 0)
		return true;
	whole = path_normalise(a, str_slice(text, 0, colon - 1));
	subject->file = whole;
	if (str_is(folder, "."))
		return !path_leaves_root(whole);
	if (!str_starts(whole, folder.p) || whole.n <= folder.n || whole.p[folder.n] != '/')
		return false;
	subject->file = str_slice(whole, folder.n + 1, whole.n);
	return true;
}
