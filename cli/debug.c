/* debug.c - planc debug: one stage of the way from text to numbers, as text. */
#include "cli/command.h"

#include "cli/jobs.h"
#include "compiler/syntax/parse.h"
#include "runtime/ask/profiles/profiles.h"

static int debug_ast(struct session *s, const char *path)
{
	struct parse_input in = { &s->arena, s->names, &s->sources, &s->sink, 0 };

	if (sources_load(&s->sources, str_of(path), &in.file) != SOURCE_OK) {
		diag_report(&s->sink, E0201, SPAN_NONE, "`%s` cannot be read", path);
		return EXIT_USAGE;
	}
	struct parse_result r = parse_file(&in);
	ast_print(&s->out, &s->sources, s->names, r.tree);
	return r.ok ? EXIT_FINE : EXIT_PLAN;
}

static int debug_graph(struct session *s, const char *path, const char *name)
{
	struct job_list jobs;

	if (!program_check(&s->ev))
		return EXIT_PLAN;
	int code = jobs_select(s, path, name, &jobs);
	if (code != EXIT_FINE)
		return code;
	for (uint32_t i = 0; i < jobs.n; i++) {
		const struct job *j = job_of_global(s, jobs.at[i], NULL);
		struct engine_error error;
		char text[ENGINE_TEXT_MAX];

		if (!j)
			return EXIT_PLAN;
		if (i > 0)
			out_char(&s->out, '\n');
		if (engine_print_graph(&j->input, &s->arena, &s->out, &error) != ENGINE_OK) {
			engine_error_text(&error, text, sizeof text);
			diag_report(&s->sink, E2008, s->program->globals.at[jobs.at[i]].span, "%s", text);
			return EXIT_PLAN;
		}
	}
	return EXIT_FINE;
}

/* A plan has a suffix or lies in a folder; profiles of the library have names. */
static bool is_name(const char *word)
{
	struct str s = str_of(word);

	return !strchr(word, '/') && !str_ends(s, ".plan") && strcmp(word, "-") != 0;
}

/* All profiles that the plan knows; or `standard` and the one that was named. */
static int debug_profile(struct session *s, const struct options *o, const char *what, bool json)
{
	struct profile_list list;
	uint32_t named[2];

	if (!is_name(what)) {
		if (!session_compile(s, o, what))
			return session_failure(s);
	} else if (!session_compile_text(s, o, STR("profile"), STR("edition 1\n"))) {
		return session_failure(s);
	}
	const struct ir_schema *schema = &s->program->schemas.at[ir_find_schema(s->program, "profile")];

	list = (struct profile_list){ schema->presets, schema->preset_count };
	if (is_name(what)) {
		named[0] = profile_find(s, "standard");
		named[1] = profile_find(s, what);
		if (named[1] == IR_NONE)
			return EXIT_USAGE;
		list = (struct profile_list){ named, named[0] == named[1] ? 1 : 2 };
	}
	if (json)
		profiles_json(&s->ev, &list, &s->out);
	else
		profiles_print(&s->ev, &list, &s->out);
	return s->sink.errors > 0 ? EXIT_PLAN : EXIT_FINE;
}

int command_debug(struct session *s, const struct options *o)
{
	static const char *const stages[] = { "ast", "types", "ir", "graph", "profile" };
	const char *format = option_value(o, OPTION_FORMAT, "text");
	bool json = strcmp(format, "json") == 0;
	const char *stage = o->operands.at[0], *path = o->operands.at[1];
	const char *job = o->operands.n > 2 ? o->operands.at[2] : NULL;
	uint32_t which = 0;

	while (which < PLAN_COUNT(stages) && strcmp(stages[which], stage) != 0)
		which++;
	if (which == PLAN_COUNT(stages))
		return usage_error(s, "`%s` is none of ast, types, ir, graph, profile%s", stage,
				   did_you_mean(s, stage, stages, PLAN_COUNT(stages)));
	if ((json && which != 4) || (!json && strcmp(format, "text") != 0))
		return usage_error(s, "`--format %s`: it is text, or json for profile", format);
	if (job && which != 3)
		return usage_error(s, "`%s` is one argument too many", job);
	if (!session_style(s, o, false))
		return EXIT_USAGE;
	if (which == 0)
		return debug_ast(s, path);
	if (which == 4)
		return debug_profile(s, o, path, json);
	if (!session_compile(s, o, path))
		return session_failure(s);
	if (which == 1)
		types_print(&s->out, s->program);
	else if (which == 2)
		ir_print(&s->out, s->program, o->given[OPTION_LIBRARY]);
	else
		return debug_graph(s, path, job);
	return EXIT_FINE;
}
