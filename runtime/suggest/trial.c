/* trial.c - texts compiled in memory of their own: the user reads no message about what he did not write. */
#include "runtime/suggest/suggest_int.h"

static struct compile_input input_of(const struct suggest_asker *a, const struct suggest_question *q,
				     struct str text)
{
	struct compile_input in = *a->like;

	in.path = q->path;
	in.text = text;
	return in;
}

static struct trial *begin(const struct suggest_asker *a, struct compile_input in)
{
	struct trial *t = ARENA_NEW(a->like->arena, struct trial);

	arena_init_under(&t->arena, a->like->arena);
	sources_init(&t->sources, &t->arena);
	t->sources.size_max = a->like->sources->size_max;
	t->sources.depth_max = a->like->sources->depth_max;
	diag_sink_init(&t->sink, &t->arena, &t->sources);
	in.arena = &t->arena;
	in.names = interner_make(&t->arena);
	in.sources = &t->sources;
	in.sink = &t->sink;
	t->program = a->compile(&in, &t->ev);
	return t;
}

struct trial *trial_begin(const struct suggest_asker *a, const struct suggest_question *q, struct str text)
{
	return begin(a, input_of(a, q, text));
}

struct trial *trial_begin_library(const struct suggest_asker *a, const struct suggest_question *q,
				  struct str text)
{
	struct compile_input in = input_of(a, q, text);

	in.whole_library = true;
	return begin(a, in);
}

void trial_end(struct trial *t)
{
	arena_close(&t->arena);
}

void trial_blame(const struct suggest_asker *a, const struct suggest_question *q, struct str text)
{
	struct compile_input in = input_of(a, q, text);
	struct eval ev;

	a->compile(&in, &ev);
}

struct str trial_complaint(const struct trial *t)
{
	for (uint32_t i = 0; i < t->sink.diags.n; i++)
		if (t->sink.diags.at[i]->severity == DIAG_ERROR)
			return t->sink.diags.at[i]->message;
	return STR("");
}
