/* assign.c - see assign.h. */
#include "compiler/syntax/fmt/assign.h"

#include "compiler/syntax/fmt/edit.h"
#include "compiler/syntax/fmt/fmt.h"

static struct parse_result parse_text(const struct assign_input *a, const char *name, struct str text,
				      struct parse_result (*parse)(const struct parse_input *in))
{
	struct parse_input in = { a->arena, a->names, a->sources, a->sink, 0 };

	in.file = sources_add(a->sources, str_of(name), text, false);
	return parse(&in);
}

/* The value goes into the text as it is, so it may not reach over the end of a line. */
static bool value_is_sound(const struct assign_input *in)
{
	struct parse_result parsed = parse_text(in, "VALUE", in->value, parse_expression);
	struct span whole = { in->sources->files.n - 1, 0, in->value.n };

	if (!parsed.ok)
		return false;
	if (parsed.trivia.items.n > 0 || memchr(in->value.p, '\n', in->value.n) ||
	    memchr(in->value.p, '\r', in->value.n)) {
		diag_report(in->sink, E0101, whole, "a value is one line, without a comment");
		return false;
	}
	return true;
}

static bool is_laid_out(struct arena *a, struct str text, const struct ast *tree)
{
	struct out o;

	out_init(&o, a);
	return fmt_plan(a, text, tree, &o) && str_equal(text, out_view(&o));
}

/* A plan that was laid out by `planc fmt` stays so: a new name may move a column. */
static struct str laid_out(struct arena *a, struct str text, const struct ast *tree)
{
	struct out o;

	out_init(&o, a);
	return fmt_plan(a, text, tree, &o) ? out_view(&o) : text;
}

bool assign_value(const struct assign_input *in, uint32_t *result)
{
	struct edit_input edit = { .arena = in->arena, .names = in->names, .sink = in->sink, .value = in->value };
	struct parse_input whole = { in->arena, in->names, in->sources, in->sink, in->file };
	struct parse_result before = parse_file(&whole), after, path;
	struct str text;

	if (!before.ok || !value_is_sound(in))
		return false;
	path = parse_text(in, "PATH", in->path, parse_expression);
	edit.text = source_get(in->sources, in->file)->text;
	edit.tree = before.tree;
	edit.path = path.tree;
	if (!path.ok || !edit_set(&edit, &text))
		return false;
	after = parse_text(in, "<changed>", text, parse_file);
	if (after.ok && is_laid_out(in->arena, edit.text, before.tree))
		after = parse_text(in, "<changed>", laid_out(in->arena, text, after.tree), parse_file);
	*result = in->sources->files.n - 1;
	return after.ok;
}
