/* select.c - candidates of a sweep as values of expressions; a sweep runs once. */
#include "runtime/search/search_int.h"

enum { NEW, BUSY, DONE };

/* A record that was selected. */
struct selected {
	const struct record *record;
	struct search *search;
	uint64_t number;
};

/* What was found by every sweep of the program; NULL before it ran, or when it could not. */
struct search_cache {
	struct search **results;
	unsigned char *states;
	VEC(struct selected) origins;
	struct search_options options;
};

static struct value record_value(struct search *s, uint32_t index)
{
	struct search_cache *cache = s->ev->select_context;
	uint64_t number = s->feasible[index].number;
	struct record *r = search_record(s, number);

	*VEC_ADD(s->ev->lasting, &cache->origins) = (struct selected){ r, s, number };
	return (struct value){ .kind = VALUE_RECORD, .record = r };
}

static struct value records_value(struct search *s, const uint32_t *at, uint32_t n)
{
	struct list *l = ARENA_NEW(s->ev->lasting, struct list);

	l->at = ARENA_ARRAY(s->ev->lasting, struct value, n + 1);
	l->n = n;
	for (uint32_t i = 0; i < n; i++)
		l->at[i] = record_value(s, at[i]);
	return (struct value){ .kind = VALUE_LIST, .list = l };
}

static struct str sweep_name(const struct search *s)
{
	return sym_str(s->ev->program->names, s->sweep->name);
}

static void report_many(struct search *s, uint32_t n, struct span at)
{
	struct diag *d = diag_new(s->ev->sink, E2410, at);
	struct str name = sweep_name(s);

	diag_message(d, "`%.*s` has no best candidate: %u are beaten by none", (int)name.n, name.p, n);
	diag_help(d, "take them all with `pareto(%.*s)`, or put the goals in an order: `objective { ... }`",
		  (int)name.n, name.p);
	diag_submit(d);
}

static struct value best_value(struct search *s, uint32_t *at, struct span where)
{
	uint32_t n;

	if (s->feasible_count == 0) {
		search_report_nothing(s, where);
		return value_poison();
	}
	n = s->sweep->pareto ? search_front(s, at) : search_top(s, 1, at);
	if (n == 1)
		return record_value(s, at[0]);
	if (n > 1)
		report_many(s, n, where);
	return value_poison();
}

static struct value selected(struct search *s, enum selection which, int64_t count, struct span at)
{
	uint32_t all = s->kept, n = all;
	uint32_t *indices = ARENA_ARRAY(s->ev->lasting, uint32_t, all + 1);

	switch (which) {
	case SELECT_BEST:
		return best_value(s, indices, at);
	case SELECT_TOP:
		n = search_top(s, count < all ? (uint32_t)count : all, indices);
		break;
	case SELECT_PARETO:
		n = search_front(s, indices);
		break;
	case SELECT_ALL:
	case SELECT_COUNT:
		for (uint32_t i = 0; i < all; i++)
			indices[i] = i;
		break;
	}
	return records_value(s, indices, n);
}

static void report_cycle(struct eval *ev, uint32_t sweep, struct span at)
{
	struct str name = sym_str(ev->program->names, ev->program->sweeps.at[sweep].name);

	diag_report(ev->sink, E1204, at, "sweep `%.*s` needs its own result", (int)name.n, name.p);
}

/* Whether what was kept is enough to tell the best `keep`, 0: all. */
static bool has_enough(const struct search *s, uint32_t keep, bool picture)
{
	return s->kept == s->feasible_count ||
	       (keep > 0 && keep <= s->options.keep && (!picture || s->options.picture));
}

struct search *search_once(struct eval *ev, uint32_t sweep, const struct search_options *options, struct span at)
{
	struct search_cache *cache = ev->select_context;
	struct search_options run = cache->options;
	uint32_t keep = options ? options->keep : 0;
	bool picture = options && options->picture;

	if (cache->states[sweep] == BUSY) {
		report_cycle(ev, sweep, at);
		return NULL;
	}
	if (cache->states[sweep] == DONE && cache->results[sweep] && !has_enough(cache->results[sweep], keep, picture))
		cache->states[sweep] = NEW;
	if (cache->states[sweep] == NEW) {
		cache->states[sweep] = BUSY;
		run.keep = keep;
		run.picture = picture;
		run.watch = options ? options->watch : NULL;
		run.context = options ? options->context : NULL;
		run.identity = options ? options->identity : 0;
		run.post = options ? options->post : NULL;
		cache->results[sweep] = search_run(ev, sweep, &run);
		cache->states[sweep] = DONE;
	}
	return cache->results[sweep];
}

/* Of the best and the front no more are kept than of a short list: reports come back for that. */
static uint32_t needed(const struct eval *ev, uint32_t sweep, enum selection which, int64_t count)
{
	bool pareto = ev->program->sweeps.at[sweep].pareto;

	switch (which) {
	case SELECT_BEST:
		return SEARCH_KEEP;
	case SELECT_TOP:
		return pareto || count <= SEARCH_KEEP ? SEARCH_KEEP : count <= SEARCH_KEEP_MAX ? (uint32_t)count : 0;
	case SELECT_PARETO:
		return pareto ? SEARCH_KEEP : 0;
	case SELECT_ALL:
	case SELECT_COUNT:
		return 0;
	}
	return 0;
}

static struct value select_of(struct eval *ev, uint32_t sweep, enum selection which, int64_t count,
			      struct span at, void *context)
{
	const struct search_options options = { .keep = needed(ev, sweep, which, count) };
	struct search *s = search_once(ev, sweep, &options, at);

	(void)context;
	return s ? selected(s, which, count, at) : value_poison();
}

struct str search_origin(struct eval *ev, const struct record *r)
{
	const struct search_cache *cache = ev->select == select_of ? ev->select_context : NULL;

	for (uint32_t i = 0; cache && i < cache->origins.n; i++) {
		const struct selected *at = &cache->origins.at[i];
		struct str words;
		struct out o;

		if (at->record != r)
			continue;
		words = search_describe(at->search, at->number);
		out_init(&o, ev->lasting);
		out_printf(&o, "candidate %llu of %s (%.*s)", (unsigned long long)at->number,
			   sweep_name(at->search).p, (int)words.n, words.p);
		return str_copy(ev->lasting, out_view(&o));
	}
	return STR("");
}

void search_install(struct eval *ev, const struct search_options *options)
{
	struct search_cache *cache = ARENA_NEW(ev->lasting, struct search_cache);

	cache->results = ARENA_ARRAY(ev->lasting, struct search *, ev->program->sweeps.n + 1);
	cache->states = ARENA_ARRAY(ev->lasting, unsigned char, ev->program->sweeps.n + 1);
	if (options)
		cache->options = *options;
	ev->select = select_of;
	ev->select_context = cache;
}
