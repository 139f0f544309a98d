/* fmt.c - planc fmt: writes plans out the way all plans are written. */
#include "cli/command.h"

#include "cli/plan_file.h"
#include "compiler/syntax/fmt/fmt.h"

/* What became of a file, the worst last. */
enum outcome { SAME, CHANGED, REFUSED, UNUSABLE, FAULT };

static enum outcome lay_out(struct session *s, uint32_t file, struct out *o)
{
	static const enum outcome outcomes[] = {
		[FMT_SAME] = SAME, [FMT_CHANGED] = CHANGED, [FMT_REFUSED] = REFUSED, [FMT_FAULT] = FAULT,
	};
	struct parse_input in = { &s->arena, s->names, &s->sources, &s->sink, file };

	return outcomes[fmt_checked(&in, &s->sources, o)];
}

static enum outcome format(struct session *s, const char *path, bool check)
{
	bool piped = strcmp(path, "-") == 0;
	enum outcome outcome;
	uint32_t file;
	struct out o;

	if (!plan_file_read(s, path, &file))
		return UNUSABLE;
	outcome = lay_out(s, file, &o);
	if (piped && !check && outcome <= CHANGED) {
		out_bytes(&s->out, o.p, o.n);
		return SAME;
	}
	if (outcome != CHANGED)
		return outcome;
	if (!check && !plan_file_write(s, path, out_view(&o)))
		return UNUSABLE;
	out_printf(&s->out, "%s\n", path);
	return check ? CHANGED : SAME;
}

static bool named_before(const struct options *o, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (strcmp(o->operands.at[k], o->operands.at[i]) == 0)
			return true;
	return false;
}

int command_fmt(struct session *s, const struct options *o)
{
	static const int codes[] = {
		[SAME] = EXIT_FINE, [CHANGED] = EXIT_DIFFERENT, [REFUSED] = EXIT_PLAN,
		[UNUSABLE] = EXIT_USAGE, [FAULT] = EXIT_INTERNAL,
	};
	enum outcome worst = SAME;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	for (uint32_t i = 0; i < o->operands.n; i++) {
		const char *path = o->operands.at[i];
		enum outcome outcome = SAME;

		if (!named_before(o, i))
			outcome = format(s, path, o->given[OPTION_CHECK]);
		if (outcome == FAULT)
			fprintf(stderr,
				"planc fmt: %s: laid out, it would say something else; it is "
				"left as it is; please report this\n",
				path);
		if (outcome > worst)
			worst = outcome;
	}
	return codes[worst];
}
