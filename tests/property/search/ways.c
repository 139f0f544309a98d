/* ways.c - a search alone, in shards that are joined, and by a team of which a rank may be lost. */
#include "tests/property/search/ways.h"

#include "compiler/check/compile.h"
#include "tests/unit/team_fixture.h"

enum { SHARDS = 3 };

/* By shards, each of which is searched for itself. */
static struct search *joined(struct plan *p, struct search_options options)
{
	struct search_part parts[SHARDS];
	struct search *s;

	options.shards = SHARDS;
	for (options.shard = 1; options.shard <= SHARDS; options.shard++) {
		struct out o;

		s = search_run(&p->ev, 0, &options);
		out_init(&o, &p->arena);
		if (!s)
			return NULL;
		search_part_write(s, &o);
		if (!search_part_read(out_view(&o), &parts[options.shard - 1]) || !parts[options.shard - 1].complete)
			return NULL;
	}
	options.shard = options.shards = 0;
	options.parts = parts;
	options.part_count = SHARDS;
	options.merge = true;
	return search_run(&p->ev, 0, &options);
}

static struct search *search(int round, struct plan *p, struct search_options options, enum way way)
{
	struct team team = { .ranks = 2 + (uint32_t)round % 3 };

	switch (way) {
	case ALONE:
		return search_run(&p->ev, 0, &options);
	case IN_SHARDS:
		return joined(p, options);
	case BY_TEAM_WITH_LOSS:
		team.silent = 1;
		team.after = (uint32_t)(round / 8) % 3;
		return team_search(&p->ev, 0, options, team);
	case BY_TEAM:
		return team_search(&p->ev, 0, options, team);
	}
	return NULL;
}

bool plan_open(struct plan *p, const struct space *space, int round, struct search_options options, enum way way)
{
	struct compile_input in = { .path = STR("t.plan"), .library = stdlib_files };
	struct out text;

	arena_init(&p->arena, NULL);
	sources_init(&p->sources, &p->arena);
	diag_sink_init(&p->sink, &p->arena, &p->sources);
	out_init(&text, &p->arena);
	out_text(&text, "edition 1\n");
	space_write(&text, space, round);
	in.arena = &p->arena;
	in.names = interner_make(&p->arena);
	in.sources = &p->sources;
	in.sink = &p->sink;
	in.text = out_view(&text);
	const struct ir_program *program = plan_compile(&in);
	if (program && p->sink.errors == 0) {
		eval_init(&p->ev, &p->arena, program, &p->sink);
		p->search = search(round, p, options, way);
	}
	if (p->search)
		return true;
	struct out o;
	out_init(&o, &p->arena);
	diag_render(&p->sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
	printf("%.*s\n%.*s", (int)text.n, text.p, (int)o.n, o.p);
	return false;
}

void plan_close(struct plan *p)
{
	arena_release(&p->arena);
}
