/* checked.c - the whole way of a text: parse, lay out, and look whether the layout still says the same. */
#include "compiler/syntax/fmt/fmt.h"

enum fmt_outcome fmt_checked(const struct parse_input *in, struct sources *sources, struct out *o)
{
	struct str text = source_get(sources, in->file)->text;
	struct parse_result before = parse_file(in), after;
	struct parse_input again = *in;
	bool muted = in->sink->muted;

	out_init(o, in->arena);
	if (!before.ok)
		return FMT_REFUSED;
	if (!fmt_plan(in->arena, text, before.tree, o))
		return FMT_FAULT;
	again.file = sources_add(sources, STR("<formatted>"), out_view(o), false);
	in->sink->muted = true;
	after = parse_file(&again);
	in->sink->muted = muted;
	if (!after.ok || !fmt_same(in->arena, text, before.tree, out_view(o), after.tree))
		return FMT_FAULT;
	return str_equal(text, out_view(o)) ? FMT_SAME : FMT_CHANGED;
}
