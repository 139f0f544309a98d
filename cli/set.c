/* set.c - planc set: puts another value into a plan, and leaves the rest of its text alone. */
#include "cli/command.h"

#include "cli/plan_file.h"
#include "compiler/syntax/fmt/assign.h"
#include "runtime/import/importer.h"

/* Splits PATH=VALUE at the first `=`; an expression may hold more of them. */
static bool split(struct session *s, const char *word, struct str *path, struct str *value)
{
	const char *equals = strchr(word, '=');

	if (!equals || equals == word || equals[1] == '\0') {
		usage_error(s, "`%s` is not of the form PATH=VALUE", word);
		return false;
	}
	*path = (struct str){ word, (uint32_t)(equals - word) };
	*value = str_of(equals + 1);
	while (value->n > 0 && strchr(" \t", value->p[0]) != NULL)
		*value = str_slice(*value, 1, value->n);
	while (value->n > 0 && strchr(" \t", value->p[value->n - 1]) != NULL)
		value->n--;
	return true;
}

/* Lines of the new text that the old one does not have: those between the common beginning and the
 * common end; where these are as many in both, those that differ. */
static void print_changed(struct session *s, const char *path, uint32_t old_file, uint32_t new_file)
{
	const struct source *a = source_get(&s->sources, old_file),
			    *b = source_get(&s->sources, new_file);
	uint32_t from = 1, old_to = a->lines.n, to = b->lines.n;

	while (from <= old_to && from <= to &&
	       str_equal(source_line(a, from), source_line(b, from)))
		from++;
	while (old_to >= from && to >= from &&
	       str_equal(source_line(a, old_to), source_line(b, to))) {
		old_to--;
		to--;
	}
	for (uint32_t line = from; line <= to; line++) {
		struct str text = source_line(b, line);

		if (old_to == to && str_equal(source_line(a, line), text))
			continue;
		out_printf(&s->out, "%s:%u: %.*s\n", path, line, (int)text.n, text.p);
	}
}

/* One setting after the other, each on the text that the one before left. */
static bool apply(struct session *s, const char *word, uint32_t *file)
{
	struct assign_input in = { &s->arena, s->names, &s->sources, &s->sink, *file, { 0 }, { 0 } };

	return split(s, word, &in.path, &in.value) && assign_value(&in, file);
}

/* Names and types of a text as the content of a file: its messages, and how many are errors. */
static uint32_t errors_of(struct session *s, const struct options *o, const char *path,
			  struct str text, struct diag_sink *sink)
{
	struct compile_input in = {
		.arena = &s->arena, .names = s->names, .sources = &s->sources, .sink = sink,
		.path = str_of(path), .text = text, .library = stdlib_files,
		.foreign = foreign_readers,
		.library_folder = str_of(option_value(o, OPTION_STDLIB, "")),
	};

	diag_sink_init(sink, &s->arena, &s->sources);
	plan_compile(&in);
	return sink->errors;
}

/* Whether a plan that was sound no longer is; the session then has the messages. */
static bool breaks(struct session *s, const struct options *o, const char *path,
		   struct str old_text, struct str text)
{
	struct diag_sink before, after;

	if (errors_of(s, o, path, text, &after) == 0 ||
	    errors_of(s, o, path, old_text, &before) > 0)
		return false;
	s->sink = after;
	return true;
}

int command_set(struct session *s, const struct options *o)
{
	const char *path = o->operands.at[0];
	uint32_t first, file;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	if (strcmp(path, "-") == 0)
		return usage_error(s, "`-`: a value is set in a file");
	if (!plan_file_read(s, path, &first))
		return EXIT_USAGE;
	file = first;
	for (uint32_t i = 1; i < o->operands.n; i++)
		if (!apply(s, o->operands.at[i], &file))
			return s->sink.errors > 0 ? EXIT_PLAN : EXIT_USAGE;
	struct str old_text = source_get(&s->sources, first)->text,
		   text = source_get(&s->sources, file)->text;
	if (str_equal(old_text, text))
		return EXIT_FINE;
	if (breaks(s, o, path, old_text, text))
		return EXIT_PLAN;
	if (!plan_file_write(s, path, text))
		return EXIT_USAGE;
	print_changed(s, path, first, file);
	return EXIT_FINE;
}
