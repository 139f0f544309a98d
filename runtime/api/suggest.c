/* suggest.c - a plan to start from. */
#include "runtime/suggest/suggest.h"

#include "runtime/api/api_int.h"

static struct str copied(struct plan_context *c, const char *text)
{
	return text ? str_copy(&c->work, str_of(text)) : STR("");
}

/* "megatron@0.14" */
static void read_target(struct suggest_question *q, struct str text)
{
	uint32_t at = 0;

	while (at < text.n && text.p[at] != '@')
		at++;
	q->target = str_slice(text, 0, at);
	q->version = at < text.n ? str_slice(text, at + 1, text.n) : STR("");
}

static bool read_question(struct plan_context *c, const struct plan_start *w, struct suggest_question *q)
{
	*q = (struct suggest_question){
		.gpus = (int64_t)w->gpus,
		.sequence = (int64_t)w->sequence,
		.global = (int64_t)w->global_batch,
		.profile = c->profile,
		.path = copied(c, w->path ? w->path : "suggested.plan"),
	};
	read_target(q, copied(c, w->target));
	return suggest_subject_read(&c->work, copied(c, w->model), "std:models", q->path, &q->model) &&
	       suggest_subject_read(&c->work, copied(c, w->cluster), "std:clusters", q->path, &q->cluster);
}

static enum plan_status suggest(struct plan_context *c, const struct plan_start *wanted, const char **plan)
{
	struct compile_input like = c->input;
	struct suggest_asker asker = { .like = &like, .compile = compilation_make };
	struct suggest_question q;
	struct out text;

	if (!read_question(c, wanted, &q))
		return context_say(c, PLAN_MISUSE, "a plan imports what lies below its folder");
	like.parameters = NULL;
	like.parameter_count = 0;
	like.target = q.target;
	switch (suggest_plan(&asker, &q, &text)) {
	case SUGGEST_FOUND:
		*plan = arena_copy(&c->work, text.p, text.n);
		return PLAN_OK;
	case SUGGEST_NOTHING:
		return context_fail(c, PLAN_NOTHING_LEFT, "%s", c->sink.diags.at[0]->message.p);
	case SUGGEST_UNKNOWN:
		return context_fail(c, PLAN_NOT_FOUND, "%s", c->sink.diags.at[0]->message.p);
	case SUGGEST_ERRORS:
		break;
	}
	return context_failure(c);
}

enum plan_status plan_suggest(struct plan_context *c, const struct plan_start *wanted, const char **plan)
{
	enum { COUNT_MAX = 1000000000 };

	if (!c)
		return PLAN_MISUSE;
	if (!wanted || !wanted->model || !wanted->cluster || !plan)
		return context_say(c, PLAN_MISUSE, "a plan is for a model and a cluster, and has an address to go to");
	if (wanted->gpus > COUNT_MAX || wanted->sequence > COUNT_MAX || wanted->global_batch > COUNT_MAX)
		return context_say(c, PLAN_MISUSE, "GPUs, tokens and samples are counted to 1,000,000,000");
	*plan = NULL;
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	context_begin(c);
	return suggest(c, wanted, plan);
}
