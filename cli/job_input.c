/* job_input.c - compiles a plan or SimuMax's files for a command about a job. */
#include "cli/job_input.h"

#include "cli/command.h"
#include "cli/jobs.h"

static bool compile_input(struct session *s, const struct options *o, const char **path)
{
	s->without_emits = true;
	if (!o->given[OPTION_SIMUMAX]) {
		*path = o->operands.at[0];
		return session_compile(s, o, *path);
	}
	const char *const *files = o->value[OPTION_SIMUMAX];
	struct simumax_input in = {
		.arena = &s->arena,
		.sources = &s->sources,
		.sink = &s->sink,
		.model = str_of(files[0]),
		.strategy = str_of(files[1]),
		.system = str_of(files[2]),
		.profile = str_of(option_value(o, OPTION_PROFILE, "")),
	};
	struct import_text text;

	*path = files[1];
	memset(&text, 0, sizeof text);
	return import_simumax(&in, &text) && session_compile_import(s, o, &text);
}

/* Whether --profile names no preset, after a usage message. A plan made from foreign files names the
 * profile itself and does not compile then; the prelude alone still says which presets there are. */
static bool profile_is_unknown(struct session *s, const struct options *o)
{
	struct diag_sink kept = s->sink;

	if (!o->given[OPTION_PROFILE])
		return false;
	if (!s->program) {
		diag_sink_init(&s->sink, &s->arena, &s->sources);
		if (!session_compile_text(s, o, STR("profile"), STR("edition 1\n"))) {
			s->sink = kept;
			return false;
		}
		s->sink = kept;
	}
	if (profile_find(s, o->value[OPTION_PROFILE][0]) != IR_NONE)
		return false;
	s->sink.diags.n = 0;
	return true;
}

int job_input_compile(struct session *s, const struct options *o, const char **path)
{
	bool compiled = compile_input(s, o, path);

	if (profile_is_unknown(s, o))
		return EXIT_USAGE;
	return compiled ? EXIT_FINE : session_failure(s);
}
