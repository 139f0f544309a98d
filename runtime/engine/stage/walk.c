/*
 * walk.c - the largest amount of activation memory in one forward and backward of a stage.
 *
 * The stage's operators are walked in order, then backwards. An operator's temporary memory comes
 * on top of what is cached at that moment. Recomputed operators cache nothing in forward except the
 * first of each segment, which keeps its inputs; backward replays a segment before it frees it.
 */

#include "runtime/engine/cost.h"

enum peak_kind {
	PEAK_FORWARD,
	PEAK_BACKWARD,
	PEAK_REPLAY_FORWARD,
	PEAK_REPLAY_BACKWARD,
	PEAK_COUNT
};

struct step {
	int64_t keep, forward_extra, backward_extra, input;
	int64_t held;
	bool run, first, loss;
};

struct walker {
	struct step *step;
	int64_t count;
	bool on; /* recompute takes effect */
	int64_t now;
	int64_t peak[PEAK_COUNT];
	int64_t highest;
	int64_t loss_alive, logits; /* logits at hand now, and at the highest point */
};

/*
 * A kind's peak is only noted when it is the highest value so far: SimuMax keeps its four peaks
 * that way (O34), and only the highest of them counts here.
 */
static void note(struct walker *w, int64_t value, enum peak_kind kind, int64_t logits)
{
	if (value < w->highest)
		return;
	w->highest = value;
	w->peak[kind] = value;
	w->logits = logits;
}

static void forward(struct walker *w, int64_t from, int64_t to, enum peak_kind kind)
{
	for (int64_t i = from; i < to; i++) {
		struct step *s = &w->step[i];

		note(w, w->now + s->forward_extra, kind,
		     s->loss ? s->forward_extra : w->loss_alive);
		if (w->on && s->run) {
			if (kind == PEAK_REPLAY_FORWARD && !s->first)
				s->held = s->keep;
			else if (kind == PEAK_FORWARD)
				s->held = s->first ? s->input : 0;
			else
				continue; /* a replayed first operator still holds its inputs */
		} else {
			s->held = s->keep;
		}
		w->now += s->held;
		w->loss_alive += s->loss ? s->held : 0;
	}
	note(w, w->now, kind, w->loss_alive);
}

static void backward_one(struct walker *w, struct step *s, enum peak_kind kind)
{
	note(w, w->now + s->backward_extra, kind, w->loss_alive);
	w->now -= s->held;
	w->loss_alive -= s->loss ? s->held : 0;
	s->held = 0;
}

/* Replays [from, to) and runs its backward. */
static void replay(struct walker *w, int64_t from, int64_t to)
{
	forward(w, from, to, PEAK_REPLAY_FORWARD);
	for (int64_t i = to - 1; i >= from; i--)
		backward_one(w, &w->step[i], PEAK_REPLAY_BACKWARD);
}

static void backward(struct walker *w)
{
	int64_t i = w->count - 1;

	while (i >= 0) {
		if (!w->on || !w->step[i].run) {
			backward_one(w, &w->step[i--], PEAK_BACKWARD);
			continue;
		}
		/* A segment reaches down to the next first operator, or to the end of the run. */
		int64_t end = i + 1;

		while (i >= 0 && w->step[i].run && !w->step[i].first)
			i--;
		if (i >= 0 && w->step[i].run)
			i--;
		replay(w, i + 1, end);
	}
}

static struct step *put(struct step *at, const struct engine_operator *op)
{
	*at = (struct step){
		.keep = op->keep,
		.forward_extra = op->forward_extra,
		.backward_extra = op->backward_extra,
		.input = op->input,
		.loss = op->kind == OPERATOR_LOSS,
	};
	return at + 1;
}

static struct step *put_layer(const struct cost *cost, const struct recompute_flags *flags,
			      bool recomputed, struct step *at)
{
	int first = cost->first[GRAPH_LAYER];
	int operators = cost->first[GRAPH_HEAD] - first;

	for (int i = 0; i < operators; i++) {
		struct step *s = at;

		at = put(at, &cost->op[first + i]);
		if (!recomputed)
			continue;
		s->run = flags->run[i];
		if (flags->shared[i])
			s->keep = cost->op[first + i].keep_shared;
	}
	return at;
}

/*
 * Marks where segments start. A run starts one; so does an operator behind a break, and the first
 * operator of a layer. SimuMax's scan marks a run's last operator after its first, so a run of a
 * single operator loses its mark (O33).
 */
static void mark_segments(const struct cost *cost, const struct engine_layout_stage *stage,
			  const struct recompute_flags *flags, struct step *step, int64_t count,
			  int64_t layers_at)
{
	const struct engine_recompute *r = &cost->in->recompute;
	int64_t operators = cost->first[GRAPH_HEAD] - cost->first[GRAPH_LAYER];
	int64_t unit = r->method == RECOMPUTE_UNIFORM && r->layers > 1 ? r->layers : 1;
	bool lost = cost->profile->lone_recompute_lost;

	for (int64_t i = 0; i < count; i++) {
		bool starts = i == 0 || !step[i - 1].run;
		bool lone = starts && i + 1 < count && !step[i + 1].run;

		step[i].first = step[i].run && starts && !(lone && lost);
	}
	for (int64_t layer = 0; layer < stage->layers; layer++) {
		int64_t at = layers_at + layer * operators;

		for (int64_t i = 0; i < operators; i++) {
			struct step *s = &step[at + i];

			if (!flags->ends[i] || !s->run || at + i + 1 >= count)
				continue;
			s->first = s->first && !lost;
			s[1].first = s[1].run;
		}
		if (step[at].run && (r->granularity != RECOMPUTE_FULL || layer % unit == 0))
			step[at].first = true;
	}
}

void walk_stage(const struct cost *cost, const struct engine_layout_stage *stage,
		const struct recompute_flags *flags, struct walk *walk)
{
	struct arena_mark mark = arena_mark(cost->arena);
	int64_t operators = cost->first[GRAPH_HEAD] - cost->first[GRAPH_LAYER];
	struct step *step = ARENA_ARRAY(cost->arena, struct step,
					stage->layers * operators + GRAPH_OPERATORS_MAX);
	struct step *at = step, *layers;
	struct walker w = { .step = step, .on = flags->any && cost->in->recompute.enabled };

	for (int i = cost->first[GRAPH_EMBEDDING]; stage->embedding && i < cost->first[GRAPH_LAYER];
	     i++)
		at = put(at, &cost->op[i]);
	layers = at;
	for (int64_t i = 0; i < stage->layers; i++)
		at = put_layer(cost, flags, flags->any && recompute_layer(cost, stage, i), at);
	for (int i = cost->first[GRAPH_HEAD]; stage->loss && i < cost->first[GRAPH_PART_COUNT]; i++)
		at = put(at, &cost->op[i]);
	w.count = at - step;
	if (flags->any)
		mark_segments(cost, stage, flags, step, w.count, layers - step);

	forward(&w, 0, w.count, PEAK_FORWARD);
	walk->cache = w.now;
	backward(&w);
	walk->peak = w.highest;
	walk->forward = w.peak[PEAK_FORWARD];
	walk->backward = w.peak[PEAK_BACKWARD];
	walk->replay_forward = w.peak[PEAK_REPLAY_FORWARD];
	walk->replay_backward = w.peak[PEAK_REPLAY_BACKWARD];
	walk->logits = w.logits;
	arena_reset(cost->arena, mark);
}
