/* suggest.c - planc suggest: a plan to start from, for a model and a cluster. */
#include "cli/command.h"

#include <errno.h>
#include <unistd.h>

#include "cli/output_file.h"
#include "cli/target_choice.h"
#include "runtime/api/shared/compilation.h"
#include "runtime/suggest/suggest.h"

enum { COUNT_MAX = 1000000000 };

/* A whole number from 1 on; 0 after a message. */
static int64_t read_count(struct session *s, const char *option, const char *text)
{
	struct num n;
	int64_t count;

	if (num_parse(&s->arena, str_of(text), &n) && num_is_int(n) && num_fits_int64(n, &count) && count >= 1 &&
	    count <= COUNT_MAX)
		return count;
	usage_error(s, "`%s %s`: a whole number from 1 to 1,000,000,000 stands here", option, text);
	return 0;
}

static bool read_counts(struct session *s, const struct options *o, struct suggest_question *q)
{
	const struct {
		enum option_id id;
		int64_t *count;
	} counts[] = {
		{ OPTION_GPUS, &q->gpus }, { OPTION_SEQUENCE, &q->sequence }, { OPTION_GLOBAL_BATCH, &q->global },
	};

	for (size_t i = 0; i < PLAN_COUNT(counts); i++) {
		if (!o->given[counts[i].id])
			continue;
		*counts[i].count = read_count(s, option_table[counts[i].id].name, o->value[counts[i].id][0]);
		if (*counts[i].count == 0)
			return false;
	}
	return true;
}

static bool read_subject(struct session *s, const struct options *o, enum option_id id, const char *library,
			 const char *path, struct suggest_subject *subject)
{
	const char *text = option_value(o, id, ""), *colon = strrchr(text, ':');

	if (!*text) {
		usage_error(s, "`%s` says what the plan is for: a name of the library, or FILE.plan:NAME",
			    option_table[id].name);
		return false;
	}
	if (colon && access(arena_copy(&s->arena, text, (size_t)(colon - text)), R_OK) != 0) {
		usage_error(s, "`%.*s` cannot be read: %s", (int)(colon - text), text, strerror(errno));
		return false;
	}
	if (suggest_subject_read(&s->arena, str_of(text), library, str_of(path), subject))
		return true;
	usage_error(s, "`%.*s` does not lie below the folder of the plan, which can import nothing else: write the plan "
		       "beside it with `-o`", (int)(colon - text), text);
	return false;
}

static int answer(struct session *s, const struct options *o, const struct suggest_question *q, const char *file)
{
	const struct compile_input like = {
		.arena = &s->arena,
		.names = s->names,
		.sources = &s->sources,
		.sink = &s->sink,
		.library_folder = str_of(option_value(o, OPTION_STDLIB, "")),
		.target = q->target,
	};
	const struct suggest_asker asker = { &like, compilation_make, o->jobs };
	struct out plan;

	switch (suggest_plan(&asker, q, &plan)) {
	case SUGGEST_NOTHING: return EXIT_NOTHING;
	case SUGGEST_UNKNOWN: return EXIT_USAGE;
	case SUGGEST_ERRORS: return session_failure(s);
	case SUGGEST_FOUND: break;
	}
	if (strcmp(file, "-") != 0)
		return output_file_plan(s, file, &plan);
	out_bytes(&s->out, plan.p, plan.n);
	return EXIT_FINE;
}

int command_suggest(struct session *s, const struct options *o)
{
	const char *file = option_value(o, OPTION_TRACE_FILE, "-");
	const char *path = strcmp(file, "-") == 0 ? "suggested.plan" : file;
	struct suggest_question q = { .path = str_of(path),
				      .profile = str_of(option_value(o, OPTION_PROFILE, "")) };

	if (!session_style(s, o, false) || !target_choose(s, o) || !read_counts(s, o, &q))
		return EXIT_USAGE;
	q.target = s->target;
	q.version = s->target_version;
	if (!read_subject(s, o, OPTION_MODEL, "std:models", path, &q.model) ||
	    !read_subject(s, o, OPTION_CLUSTER, "std:clusters", path, &q.cluster))
		return EXIT_USAGE;
	return answer(s, o, &q, file);
}
