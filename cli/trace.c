/* trace.c - planc trace: the schedule of one step of a job, for a trace viewer. */
#include "cli/command.h"

#include "cli/job_input.h"
#include "cli/jobs.h"
#include "cli/output_file.h"
#include "runtime/report/trace.h"

enum { EVENTS_MAX = 1000000 };

static int detail_of(struct session *s, const char *word, enum trace_detail *detail)
{
	static const char *const words[] = { "passes", "parts", "operators" };

	for (size_t i = 0; i < PLAN_COUNT(words); i++) {
		if (strcmp(word, words[i]) != 0)
			continue;
		*detail = (enum trace_detail)i;
		return EXIT_FINE;
	}
	return usage_error(s, "`--detail %s`: it is passes, parts or operators%s", word,
			   did_you_mean(s, word, words, PLAN_COUNT(words)));
}

static int too_many(const struct session *s, enum trace_detail detail, int64_t events, int64_t most)
{
	static const char *const less[] = { "a plan with fewer micro-batches has fewer",
					    "`--detail passes` has fewer", "`--detail parts` has fewer" };

	return usage_error(s,
			   "the trace has at least %lld events, more than the limit of %lld; %s, `--limit "
			   "events=NUMBER` allows more",
			   (long long)events, (long long)most, less[detail]);
}

/* Writes the document whole, and only over a trace. */
static int write_file(struct session *s, const char *path, const struct out *text)
{
	struct output_file file = { .path = path, .head = TRACE_HEAD, .what = "trace" };
	struct str old;

	if (!output_file_examine(s, &file, &old))
		return EXIT_USAGE;
	if (file.there && !trace_is_ours(old))
		return output_file_refuse(s, &file);
	return output_file_write(s, &file, text) ? EXIT_FINE : EXIT_USAGE;
}

static int one_job(struct session *s, const char *path, const char *name, uint32_t *global)
{
	struct job_list jobs;
	int code = jobs_select(s, path, name, &jobs);

	if (code != EXIT_FINE)
		return code;
	if (jobs.n > 1)
		return usage_error(s, "a trace shows one job, and %s has %u; name one", path, jobs.n);
	*global = jobs.at[0];
	return EXIT_FINE;
}

static int trace_job(struct session *s, const struct options *o, const struct job *j,
		     enum trace_detail detail)
{
	int64_t most = o->limits.events > 0 ? (int64_t)o->limits.events : EVENTS_MAX, events;
	const struct trace *t = trace_make(j, detail, most, &s->arena, &events);
	struct out text;

	if (!t)
		return too_many(s, detail, events, most);
	if (!o->given[OPTION_TRACE_FILE] || strcmp(o->value[OPTION_TRACE_FILE][0], "-") == 0) {
		trace_print(t, &s->out);
		return EXIT_FINE;
	}
	out_init(&text, &s->arena);
	trace_print(t, &text);
	return write_file(s, o->value[OPTION_TRACE_FILE][0], &text);
}

int command_trace(struct session *s, const struct options *o)
{
	const char *name = o->operands.n > 1 ? o->operands.at[1] : NULL, *path;
	const char *profile = o->given[OPTION_SIMUMAX] ? NULL : option_value(o, OPTION_PROFILE, NULL);
	enum trace_detail detail = TRACE_PARTS;
	uint32_t global = 0;
	int code = detail_of(s, option_value(o, OPTION_DETAIL, "parts"), &detail);

	if (code != EXIT_FINE)
		return code;
	if (!session_style(s, o, false))
		return EXIT_USAGE;
	code = job_input_compile(s, o, &path);
	if (code != EXIT_FINE)
		return code;
	if (!program_check(&s->ev) || s->sink.errors > 0)
		return EXIT_PLAN;
	code = one_job(s, path, name, &global);
	if (code != EXIT_FINE)
		return code;

	const struct job *j = job_of_global(s, global, profile);

	return j ? trace_job(s, o, j, detail) : EXIT_PLAN;
}
