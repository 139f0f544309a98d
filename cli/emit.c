/* emit.c - planc emit: writes the artefacts of a plan, or says whether they are current. */
#include "cli/command.h"

#include "runtime/emit/emit.h"

/* The folder a path lies in; "" for a bare name. */
static struct str folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return STR("");
	return (struct str){ path, slash == path ? 1u : (uint32_t)(slash - path) };
}

static const char *state_word(enum emit_state state)
{
	switch (state) {
	case EMIT_WRITTEN: return "wrote";
	case EMIT_UNCHANGED: return "current";
	case EMIT_MISSING: return "missing";
	case EMIT_DIFFERENT: return "differs";
	}
	return "";
}

int command_emit(struct session *s, const struct options *o)
{
	const char *path = o->operands.at[0];
	struct emit_result result;

	if (!session_style(s, o, false))
		return EXIT_USAGE;
	if (!session_compile(s, o, path))
		return session_failure(s);
	if (!program_check(&s->ev) || s->sink.errors > 0)
		return EXIT_PLAN;

	struct emit_input in = {
		.ev = &s->ev,
		.plan = str_of(path),
		.root = o->given[OPTION_OUTPUT] ? str_of(o->value[OPTION_OUTPUT][0]) : folder_of(path),
		.only = o->operands.n > 1 ? str_of(o->operands.at[1]) : STR(""),
		.check = o->given[OPTION_CHECK],
		.artefact_max = o->limits.artefact,
	};
	memset(&result, 0, sizeof result);
	bool ok = emit_run(&in, &result);
	for (uint32_t i = 0; i < result.artefacts.n; i++) {
		const struct emit_artefact *a = &result.artefacts.at[i];
		out_printf(&s->out, "%-8s %.*s\n", state_word(a->state), (int)a->path.n, a->path.p);
	}
	if (!ok)
		return EXIT_PLAN;
	if (result.artefacts.n == 0)
		return usage_error(s, in.only.n ? "%s emits nothing for `%s`" : "%s emits nothing", path,
				   in.only.p);
	return result.differs ? EXIT_DIFFERENT : EXIT_FINE;
}
