/* import.c - planc import: files of other programs as a plan. */
#include "cli/command.h"

#include "cli/output_file.h"
#include "compiler/base/path.h"
#include "compiler/syntax/fmt/fmt.h"
#include "runtime/import/importer.h"
#include "runtime/io/file_write.h"

enum { IMPORTERS_MAX = 16 };

static int unknown_importer(struct session *s, const char *name)
{
	const char *names[IMPORTERS_MAX];
	struct out all;
	size_t n = 0;

	out_init(&all, &s->arena);
	for (const struct importer *i = importers; i->name; i++) {
		out_printf(&all, "%s%s", n ? ", " : "", i->name);
		names[n++] = i->name;
	}
	return usage_error(s, "`%s`: planc imports %.*s%s", name, (int)all.n, all.p,
			   did_you_mean(s, name, names, n));
}

/* The plan with a line that says where it comes from behind its first one, laid out. */
static bool lay_out(struct session *s, const struct importer *i, const struct options *o,
		    struct str text, struct out *plan)
{
	static const char first[] = "edition 1\n";
	struct parse_input in = { &s->arena, s->names, &s->sources, &s->sink, 0 };
	struct out whole;
	enum fmt_outcome outcome;

	invariant(str_starts(text, first), "an importer's plan names its edition");
	out_init(&whole, &s->arena);
	out_text(&whole, first);
	out_printf(&whole, "\n# Read by `planc import %s` from", i->name);
	for (uint32_t k = 1; k < o->operands.n; k++) {
		struct str name = path_name(str_of(o->operands.at[k]));

		out_text(&whole, k > 1 ? ", " : " ");
		for (uint32_t c = 0; c < name.n; c++)
			out_char(&whole, name.p[c] >= 0x20 && name.p[c] < 0x7f ? name.p[c] : '?');
	}
	out_text(&whole, ".\n");
	out_str(&whole, str_slice(text, sizeof first - 1, text.n));
	in.file = sources_add(&s->sources, STR("<import>"), str_copy(&s->arena, out_view(&whole)), false);
	outcome = fmt_checked(&in, &s->sources, plan);
	return outcome == FMT_SAME || outcome == FMT_CHANGED;
}

int command_import(struct session *s, const struct options *o)
{
	const char *name = o->operands.at[0], *path = option_value(o, OPTION_TRACE_FILE, "-");
	const struct importer *i = importer_find(name);
	struct import_input in = { &s->arena, &s->sources, &s->sink, o->operands.at + 1, o->operands.n - 1 };
	struct import_text text;
	struct out plan;

	if (!i)
		return unknown_importer(s, name);
	if (in.count < i->least || in.count > i->most)
		return usage_error(s, "`import %s` takes %s", name, i->files);
	if (!session_style(s, o, false))
		return EXIT_USAGE;
	memset(&text, 0, sizeof text);
	if (!i->read(&in, &text))
		return session_failure(s);
	if (!lay_out(s, i, o, out_view(&text.text), &plan))
		return EXIT_INTERNAL;
	if (strcmp(path, "-") != 0)
		return output_file_plan(s, path, &plan);
	out_bytes(&s->out, plan.p, plan.n);
	return EXIT_FINE;
}
