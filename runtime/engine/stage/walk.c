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
	int64_t keep, forward_extra, backward_extra, input, input_rest;
	int64_t held;
	bool run, ends, first, loss;
	bool opens; /* a layer of recompute starts here */
};

struct walker {
	struct step *step;
	int64_t count;
	bool on;          /* recompute takes effect */
	bool only_higher; /* a kind's peak is noted only when it tops all others */
	int64_t now;
	int64_t peak[PEAK_COUNT];
	int64_t highest;
	int64_t loss_alive, logits; /* logits at hand now, and at the highest point */
};

/*
 * SimuMax notes the peak of a kind only when it is the highest value of all so far (O34). The
 * highest of the four is the same either way.
 */
static void note(struct walker *w, int64_t value, enum peak_kind kind, int64_t logits)
{
	if (value >= w->highest) {
		w->highest = value;
		w->peak[kind] = value;
		w->logits = logits;
	} else if (!w->only_higher && value > w->peak[kind]) {
		w->peak[kind] = value;
	}
}

static void forward(struct walker *w, int64_t from, int64_t to, enum peak_kind kind)
{
	for (int64_t i = from; i < to; i++) {
		struct step *s = &w->step[i];

		note(w, w->now + s->forward_extra, kind,
		     w->loss_alive + (s->loss ? s->forward_extra : 0));
		if (w->on && s->run) {
			int64_t more = s->first ? s->input : 0;

			/* A replayed first operator still holds its inputs. */
			if (kind == PEAK_REPLAY_FORWARD)
				more = s->first ? s->input_rest : s->keep;
			s->held += more;
			w->now += more;
		} else {
			s->held = s->keep;
			w->now += s->held;
		}
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
		.input_rest = op->input_rest,
		.loss = op->kind == OPERATOR_LOSS,
	};
	return at + 1;
}

static struct step *put_part(const struct cost *cost, const struct recompute_flags *flags, int part,
			     bool recomputed, struct step *at)
{
	for (int i = cost->first[part]; i < cost->first[part + 1]; i++) {
		struct step *s = at;

		at = put(at, &cost->op[i]);
		if (!recomputed)
			continue;
		s->run = flags->run[i];
		s->ends = flags->ends[i];
		if (flags->shared[i])
			s->keep = cost->op[i].keep_shared;
	}
	return at;
}

/* A layer that runs again from its first operator on starts a segment, or its unit of layers does. */
static bool opens_segment(const struct cost *cost, int64_t layer)
{
	const struct engine_recompute *r = &cost->in->recompute;
	int64_t unit = r->method == RECOMPUTE_UNIFORM && r->layers > 1 ? r->layers : 1;

	return r->granularity != RECOMPUTE_FULL || layer % unit == 0;
}

/*
 * Marks where segments start. A run starts one; so does an operator behind a break, and the first
 * operator of a layer. SimuMax's scan marks a run's last operator after its first, so a run of a
 * single operator loses its mark (O33).
 */
static void mark_segments(struct step *step, int64_t count, bool lost)
{
	for (int64_t i = 0; i < count; i++) {
		bool starts = i == 0 || !step[i - 1].run;
		bool lone = starts && i + 1 < count && !step[i + 1].run;

		step[i].first = step[i].run && starts && !(lone && lost);
	}
	for (int64_t i = 0; i + 1 < count; i++) {
		if (!step[i].ends || !step[i].run)
			continue;
		step[i].first = step[i].first && !lost;
		step[i + 1].first = step[i + 1].run;
	}
	for (int64_t i = 0; i < count; i++)
		step[i].first |= step[i].opens && step[i].run;
}

/* Layer i of a stage. Returns the end. */
static struct step *put_layer(const struct cost *cost, const struct stage_layers *stage,
			      const struct recompute_flags *flags, int64_t i, struct step *at)
{
	bool again = flags->any && recompute_layer(cost, stage->in, i);
	struct step *first = at;

	at = put_part(cost, flags, stage->part[i], again, at);
	/* The layer of a further token goes on with the segment of its entry. */
	first->opens = again && i < stage->in->layers && opens_segment(cost, i);
	return at;
}

/* The stage's operators in order. Returns the end. */
static struct step *lay_out(const struct cost *cost, const struct stage_layers *stage,
			    const struct recompute_flags *flags, struct step *at)
{
	if (stage->in->embedding)
		at = put_part(cost, flags, GRAPH_EMBEDDING, false, at);
	for (int64_t i = 0; i < stage->in->layers; i++)
		at = put_layer(cost, stage, flags, i, at);
	for (int64_t i = 0; i < stage->in->mtp; i++) {
		at = put_part(cost, flags, GRAPH_MTP,
			      flags->any && recompute_layer(cost, stage->in, stage->in->layers + i),
			      at);
		at = put_layer(cost, stage, flags, stage->in->layers + i, at);
		at = put_part(cost, flags, GRAPH_NORM, false, at);
	}
	if (!stage->in->loss)
		return at;
	at = put_part(cost, flags, GRAPH_NORM, false, at);
	for (int64_t i = 0; i <= cost->in->model.mtp_depth; i++)
		at = put_part(cost, flags, GRAPH_HEAD, false, at);
	return at;
}

static int64_t count_steps(const struct cost *cost, const struct stage_layers *stage)
{
	int64_t steps = 0;

	for (int part = 0; part < GRAPH_PART_COUNT; part++)
		steps += stage->count.runs[part] * (cost->first[part + 1] - cost->first[part]);
	return steps;
}

static int64_t backward_peak(const struct walk *walk)
{
	int64_t peak = walk->cache;

	peak = walk->backward > peak ? walk->backward : peak;
	peak = walk->replay_forward > peak ? walk->replay_forward : peak;
	return walk->replay_backward > peak ? walk->replay_backward : peak;
}

void walk_stage(const struct cost *cost, const struct stage_layers *stage,
		const struct recompute_flags *flags, struct walk *walk)
{
	struct arena_mark mark = arena_mark(cost->arena);
	struct step *step = ARENA_ARRAY(cost->arena, struct step, count_steps(cost, stage));
	struct walker w = { .step = step,
			    .on = flags->any && cost->in->recompute.enabled,
			    .only_higher = cost->profile->backward_peak_lost };

	w.count = lay_out(cost, stage, flags, step) - step;
	if (flags->any)
		mark_segments(step, w.count, cost->profile->lone_recompute_lost);

	forward(&w, 0, w.count, PEAK_FORWARD);
	walk->cache = w.now;
	backward(&w);
	walk->peak = w.highest;
	walk->forward = w.peak[PEAK_FORWARD];
	walk->backward = w.peak[PEAK_BACKWARD];
	walk->replay_forward = w.peak[PEAK_REPLAY_FORWARD];
	walk->replay_backward = w.peak[PEAK_REPLAY_BACKWARD];
	walk->backward_peak = backward_peak(walk);
	walk->logits = w.logits;
	walk->deferred = 0;
	for (int part = 0; part < GRAPH_PART_COUNT; part++)
		walk->deferred += stage->count.runs[part] * cost->held[part].deferred;
	arena_reset(cost->arena, mark);
}
