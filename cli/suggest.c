/* suggest.c - planc suggest: a plan to start from, for a model and a cluster. */
#include "cli/command.h"

#include <errno.h>
#include <unistd.h>

#include "cli/output_file.h"
#include "cli/target_choice.h"
#include "compiler/base/path.h"
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

/* How the plan at `path` imports a file; empty after a message when it may not. */
static struct str import_path(struct session *s, const char *path, struct str file)
{
	struct str folder = path_normalise(&s->arena, path_folder(str_of(path)));
	struct str whole = path_normalise(&s->arena, file);
	bool here = str_is(folder, ".");

	if (here && !path_leaves_root(whole))
		return whole;
	if (!here && str_starts(whole, folder.p) && whole.n > folder.n && whole.p[folder.n] == '/')
		return str_slice(whole, folder.n + 1, whole.n);
	usage_error(s, "`%.*s` does not lie below the folder of the plan, which can import nothing else: write the plan "
		       "beside it with `-o`", (int)file.n, file.p);
	return STR("");
}

/* "llama3_70b" of the library, or "ours/base.plan:our_model". */
static bool read_subject(struct session *s, const struct options *o, enum option_id id, const char *library,
			 const char *path, struct suggest_subject *subject)
{
	const char *text = option_value(o, id, ""), *colon = strrchr(text, ':');

	if (!o->given[id] || !*text) {
		usage_error(s, "`%s` says what the plan is for: a name of the library, or FILE.plan:NAME",
			    option_table[id].name);
		return false;
	}
	*subject = (struct suggest_subject){ str_of(library), str_of(text) };
	if (!colon)
		return true;
	subject->name = str_of(colon + 1);
	if (access(str_copy(&s->arena, (struct str){ text, (uint32_t)(colon - text) }).p, R_OK) != 0) {
		usage_error(s, "`%.*s` cannot be read: %s", (int)(colon - text), text, strerror(errno));
		return false;
	}
	subject->file = import_path(s, path, (struct str){ text, (uint32_t)(colon - text) });
	return subject->file.n > 0;
}

static bool has_error(const struct diag_sink *sink, enum diag_code code)
{
	for (uint32_t i = 0; i < sink->diags.n; i++)
		if (sink->diags.at[i]->code == code)
			return true;
	return false;
}

static int failure(const struct session *s)
{
	if (has_error(&s->sink, E2707) || compilation_lacks_file(&s->sink))
		return EXIT_USAGE;
	return has_error(&s->sink, E2705) || has_error(&s->sink, E2706) ? EXIT_NOTHING : EXIT_PLAN;
}

static int answer(struct session *s, const struct options *o, const struct suggest_question *q)
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

	if (!suggest_plan(&asker, q, &plan))
		return failure(s);
	if (o->given[OPTION_TRACE_FILE] && q->path.n > 0 && strcmp(o->value[OPTION_TRACE_FILE][0], "-") != 0)
		return output_file_plan(s, o->value[OPTION_TRACE_FILE][0], &plan);
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
	return answer(s, o, &q);
}
