/* bind_layout.c - a layout and the recompute settings to one entry per virtual stage.
 *
 * Virtual stage i sits on rank i mod pp, chunk i div pp. The prelude's asserts have already refused
 * what does not divide; here a remainder is reported as E2007 only when somebody evaluates a job whose
 * rules were not checked. */
#include "runtime/bind/bind_int.h"

struct spread {
	struct engine_layout_stage *stages;
	int64_t pp, vpp, n, layers, mtp;  /* n = pp * vpp */
};

/* The first stages of each chunk get the extra layer of an uneven spread. */
static void spread_evenly(const struct spread *s, const struct layout *l)
{
	int64_t total = s->layers + l->embedding + l->loss;
	int64_t base = total / s->n, extra = total % s->n;

	for (int64_t rank = 0; rank < s->pp; rank++)
		for (int64_t chunk = 0; chunk < s->vpp; chunk++, extra--)
			s->stages[chunk * s->pp + rank].layers = base + (extra > 0 ? 1 : 0);
	s->stages[0].layers -= l->embedding;
	s->stages[s->n - 1].layers -= l->loss;
}

static bool spread_ends(const struct spread *s, const struct layout *l)
{
	int64_t ranks = s->pp - (l->has_first ? 1 : 0) - (l->has_last ? 1 : 0);
	int64_t rest = s->layers - (l->has_first ? l->first : 0) - (l->has_last ? l->last : 0);

	if (rest < 0 || ranks < 0 || (ranks == 0 ? rest != 0 : rest % (ranks * s->vpp) != 0))
		return false;
	for (int64_t i = 0; i < s->n; i++) {
		int64_t rank = i % s->pp, on_rank = ranks == 0 ? 0 : rest / ranks;

		if (rank == 0 && l->has_first)
			on_rank = l->first;
		else if (rank == s->pp - 1 && l->has_last)
			on_rank = l->last;
		if (on_rank % s->vpp != 0)
			return false;
		s->stages[i].layers = on_rank / s->vpp;
	}
	return true;
}

/* The last chunks of a rank get the extra layer of its count, as LoongForge spreads --custom-pipeline-layers. */
static bool spread_counts(const struct spread *s, const struct layout *l)
{
	bool per_rank = (int64_t)l->count == s->pp;

	if (!per_rank && (int64_t)l->count != s->n)
		return false;
	for (int64_t i = 0; i < s->n; i++)
		s->stages[i].layers = per_rank ? (l->counts[i % s->pp] + i / s->pp) / s->vpp
					       : l->counts[i];
	return true;
}

static bool spread_listed(const struct spread *s, const struct layout *l)
{
	if ((int64_t)l->stage_count != s->n)
		return false;
	for (int64_t i = 0; i < s->n; i++) {
		s->stages[i].layers = l->listed[i].layers;
		s->stages[i].embedding = l->listed[i].embedding;
		s->stages[i].loss = l->listed[i].loss;
		s->stages[i].mtp = l->listed[i].mtp;
	}
	return true;
}

static bool spread_layers(const struct spread *s, const struct layout *l)
{
	s->stages[0].embedding = l->kind != LAYOUT_LISTED;
	s->stages[s->n - 1].loss = l->kind != LAYOUT_LISTED;
	s->stages[s->n - 1].mtp = l->kind != LAYOUT_LISTED ? s->mtp : 0;
	switch (l->kind) {
	case LAYOUT_EVEN:
		if ((s->layers + l->embedding + l->loss) % s->n != 0)
			return false;
		spread_evenly(s, l);
		break;
	case LAYOUT_BALANCED:
		spread_evenly(s, l);
		break;
	case LAYOUT_ENDS:
		if (!spread_ends(s, l))
			return false;
		break;
	case LAYOUT_COUNTS:
		if (!spread_counts(s, l))
			return false;
		break;
	case LAYOUT_LISTED:
		if (!spread_listed(s, l))
			return false;
		break;
	}
	int64_t sum = 0;

	for (int64_t i = 0; i < s->n; i++) {
		if (s->stages[i].layers < 0)
			return false;
		sum += s->stages[i].layers;
	}
	return sum == s->layers;
}

/* How many layers each virtual stage runs again (prelude.md 7.1). */
static void spread_recompute(struct reader *b, struct record *r, const struct engine_recompute *e,
			     const struct spread *s)
{
	bool block = e->granularity == RECOMPUTE_FULL && e->method == RECOMPUTE_BLOCK;
	int64_t count = INT64_MAX;

	if (block)
		count = read_int_or(b, r, "layers", INT64_MAX);
	else if (e->granularity == RECOMPUTE_SELECTIVE)
		count = read_int_or(b, r, "module_layers", INT64_MAX);
	bool per_rank = read_bool(b, r, "per_rank");
	struct value ranks = read_value(b, r, "ranks");

	for (int64_t i = 0; b->ok && i < s->n; i++) {
		int64_t rank = i % s->pp, chunk = i / s->pp, here = count;

		if (block && ranks.kind == VALUE_LIST && rank < (int64_t)ranks.list->n &&
		    !num_fits_int64(ranks.list->at[rank].number, &here))
			here = count;
		if (block && per_rank && here != INT64_MAX)  /* chunk 0 first, the rest to the next */
			here = here > chunk * s->stages[i].layers ? here - chunk * s->stages[i].layers : 0;

		/* Modules run again in layers for further tokens too; whole layers of a block do not. */
		int64_t most = s->stages[i].layers + (block ? 0 : s->stages[i].mtp);

		s->stages[i].recompute = here < most ? here : most;
		if (e->granularity == RECOMPUTE_OFF)
			s->stages[i].recompute = 0;
	}
}

void bind_layout(struct reader *b, struct record *job, struct job *j)
{
	struct engine_parallel *p = &j->input.parallel;
	struct record *strategy = read_record(b, job, "strategy"), *model = read_record(b, job, "model");

	if (!b->ok)
		return;
	struct value layout = read_value(b, strategy, "layout");
	struct record *recompute = read_record(b, strategy, "recompute"), *mtp = read_record(b, model, "mtp");
	int64_t layers = read_int(b, model, "layers"), further = read_int(b, mtp, "depth"), n;

	if (!b->ok || layout.kind != VALUE_LAYOUT)
		return;
	if (p->pp < 1 || p->vpp < 1 || __builtin_mul_overflow(p->pp, p->vpp, &n) || n > 1 << 20) {
		diag_report(b->ev->sink, E2005, b->at, "a pipeline of pp = %lld ranks and vpp = %lld",
			    (long long)p->pp, (long long)p->vpp);
		b->ok = false;
		return;
	}
	struct spread s = { .stages = ARENA_ARRAY(b->ev->arena, struct engine_layout_stage, n),
			    .pp = p->pp, .vpp = p->vpp, .n = n, .layers = layers, .mtp = further };

	if (!spread_layers(&s, layout.layout)) {
		diag_report(b->ev->sink, E2007, b->at,
			    "%lld layers do not fit the layout on %lld x %lld virtual stages",
			    (long long)s.layers, (long long)p->pp, (long long)p->vpp);
		b->ok = false;
		return;
	}
	spread_recompute(b, recompute, &j->input.recompute, &s);
	p->stages = s.stages;
	p->stage_count = n;
}
