/* doc.c - planc doc: pages of Markdown made from the comments and types of plans. */
#include "cli/command.h"

#include "compiler/syntax/parse.h"
#include "runtime/ask/doc.h"

/* The comment that stands at the head of a file belongs to the tree, not to the program. */
static struct str comment_of(struct session *s, uint32_t file)
{
	struct parse_input in = { &s->arena, s->names, &s->sources, &s->sink, file };
	bool muted = s->sink.muted;
	struct parse_result r;

	s->sink.muted = true;
	r = parse_file(&in);
	s->sink.muted = muted;
	return r.tree ? r.tree->doc : STR("");
}

/* The number of the library file that was loaded for "std:gpus". */
static bool find_library(const struct session *s, const char *name, uint32_t *file)
{
	for (uint32_t i = 0; i < s->sources.files.n; i++) {
		struct str path = s->sources.files.at[i]->path;

		if (!s->sources.files.at[i]->library || !str_starts(path, name))
			continue;
		*file = i;
		if (str_is(str_slice(path, (uint32_t)strlen(name), path.n), ".plan"))
			return true;
	}
	return false;
}

/* A file of the library is documented as a plan that imports it would see it. */
static bool compile_library(struct session *s, const struct options *o, const char *name)
{
	struct out text;

	out_init(&text, &s->arena);
	out_printf(&text, "edition 1\nimport \"%s\" as documented\n", name);
	return session_compile_text(s, o, STR("doc"), str_copy(&s->arena, out_view(&text)));
}

static int document(struct session *s, const struct options *o, const char *name, struct out *page)
{
	bool library = strncmp(name, "std:", 4) == 0;
	uint32_t file;

	if (!(library ? compile_library(s, o, name) : session_compile(s, o, name)))
		return session_failure(s);
	file = s->program->root_file;
	if (library && !find_library(s, name, &file))
		return usage_error(s, "`%s` is no file of the library", name);
	doc_print(page, s->program, file, comment_of(s, file));
	return EXIT_FINE;
}

int command_doc(struct session *s, const struct options *o)
{
	int worst = EXIT_FINE;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	for (uint32_t i = 0; i < o->operands.n; i++) {
		struct session *child;
		int code = EXIT_FINE;

		if (s->out.n > 0)
			out_char(&s->out, '\n');
		if (strcmp(o->operands.at[i], "units") == 0) {
			doc_units(&s->out);
			continue;
		}
		child = session_child(s);
		code = document(child, o, o->operands.at[i], &s->out);
		session_join(s, child);
		worst = code > worst ? code : worst;
	}
	return worst;
}
