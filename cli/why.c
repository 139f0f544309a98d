/* why.c - planc why: where a value comes from. */
#include "cli/command.h"

#include "cli/question.h"
#include "cli/jobs.h"
#include "runtime/ask/profiles/profiles.h"
#include "runtime/ask/why/why.h"

static int why_profiles(struct session *s, const struct options *o, const char *text, bool json)
{
	const char *other = option_value(o, OPTION_PROFILE, "simumax"), *refusal;

	if (profile_find(s, other) == IR_NONE)
		return EXIT_USAGE;
	if (!why_profiles_ask(&s->ev, s->program->question, str_of(text), str_of(other), json, &s->out, &refusal))
		return refusal ? usage_error(s, "`%s`: %s", text, refusal) : EXIT_PLAN;
	return s->sink.errors > 0 ? EXIT_PLAN : EXIT_FINE;
}

int command_why(struct session *s, const struct options *o)
{
	const char *text = o->operands.at[1], *format = option_value(o, OPTION_FORMAT, "text");
	bool json = strcmp(format, "json") == 0, profiles = o->given[OPTION_PROFILES];
	int code;

	if (!json && strcmp(format, "text") != 0)
		return usage_error(s, "`--format %s`: it is text or json", format);
	if (o->given[OPTION_PROFILE] && !profiles)
		return usage_error(s, "`--profile` stands beside --profiles here");
	if (!session_style(s, o, false))
		return EXIT_USAGE;
	code = question_compile(s, o, o->operands.at[0], text);
	if (code != EXIT_FINE)
		return code;
	if (profiles)
		return why_profiles(s, o, text, json);
	if (!(json ? why_json : why_print)(&s->ev, s->program->question, str_of(text), &s->out) ||
	    s->sink.errors > 0)
		return EXIT_PLAN;
	return EXIT_FINE;
}
