/*
 * programs.c - what each rank of a pipeline does, pass by pass.
 *
 * One forward and one backward in turn, through one chunk or several (Narayanan et al.,
 * arXiv:2104.04473). ZB-H1 and ZB-H2 cut backwards in two and let the gradients of weights wait (Qi
 * et al., arXiv:2401.10241): rank r runs those of micro-batch k r or 2 r backwards later, so that
 * every rank holds about as much as the first. DualPipe sends micro-batches in from both ends
 * (DeepSeek-AI, arXiv:2412.19437; the eight phases are those of its published implementation).
 */

#include "runtime/engine/schedule/schedule.h"

static void put(struct program *p, enum run run, int64_t chunk, int64_t sample)
{
	p->at[p->count++] = (struct pass){ .sample = (int32_t)sample,
					   .chunk = (int32_t)chunk,
					   .mark = -1,
					   .run = (uint8_t)run };
}

/* The pass written last ends half a step of the alternating phase. */
static void mark(struct program *p, int64_t step, int phase)
{
	p->at[p->count - 1].mark = (int32_t)(2 * step + phase);
}

static void put_forward(const struct schedule *s, struct program *p, int64_t k)
{
	put(p, RUN_FORWARD, s->piece[k].chunk, s->piece[k].sample);
}

static void put_backward(const struct schedule *s, struct program *p, int64_t k)
{
	put(p, RUN_BACKWARD, s->in->chunks - 1 - s->piece[k].chunk, s->piece[k].sample);
}

static void alternate(const struct schedule *s, int64_t rank, struct program *p)
{
	const int64_t warm = s->warm[rank], steps = s->pieces - warm;

	for (int64_t k = 0; k < warm; k++)
		put_forward(s, p, k);
	for (int64_t k = 0; k < steps; k++) {
		put_forward(s, p, k + warm);
		mark(p, k, 0);
		put_backward(s, p, k);
		mark(p, k, 1);
	}
	for (int64_t k = steps; k < s->pieces; k++)
		put_backward(s, p, k);
}

/* Gradients of weights wait for `delay` more backwards. */
static void split(const struct schedule *s, int64_t rank, int64_t delay, struct program *p)
{
	const int64_t warm = s->warm[rank], n = s->pieces, steps = n - warm;

	for (int64_t k = 0; k < warm; k++)
		put(p, RUN_FORWARD, 0, k);
	for (int64_t k = 0; k < n; k++) {
		if (k < steps) {
			put(p, RUN_FORWARD, 0, k + warm);
			mark(p, k, 0);
		}
		put(p, RUN_INPUT, 0, k);
		if (k >= delay)
			put(p, RUN_WEIGHT, 0, k - delay);
		if (k < steps)
			mark(p, k, 1);
	}
	for (int64_t k = n > delay ? n - delay : 0; k < n; k++)
		put(p, RUN_WEIGHT, 0, k);
}

/* A rank of DualPipe. Flow 0 is the one that enters at the nearer end. */
struct both_ways {
	struct program *p;
	int64_t chunk[2]; /* of each flow */
	int64_t forward[2], backward[2];
	struct pass *wait; /* weight gradients put off, first in, first out */
	int64_t waiting, done;
};

static void flow_forward(struct both_ways *w, int flow)
{
	put(w->p, RUN_FORWARD, w->chunk[flow], w->forward[flow]++);
}

static void flow_backward(struct both_ways *w, int flow, bool cut)
{
	int64_t sample = w->backward[flow]++;

	put(w->p, cut ? RUN_INPUT : RUN_BACKWARD, w->chunk[flow], sample);
	if (cut)
		w->wait[w->waiting++] = w->p->at[w->p->count - 1];
}

static void flow_weight(struct both_ways *w)
{
	const struct pass *next = &w->wait[w->done++];

	put(w->p, RUN_WEIGHT, next->chunk, next->sample);
}

/* A forward of one flow beside a backward of the other. */
static void flow_pair(struct both_ways *w, int flow, bool joined)
{
	flow_forward(w, flow);
	w->p->at[w->p->count - 1].joined = joined;
	flow_backward(w, 1 - flow, false);
}

static void fill(struct both_ways *w, int64_t outer, int64_t half)
{
	for (int64_t i = 0; i < 2 * outer; i++)
		flow_forward(w, 0);
	for (int64_t i = 0; i <= half; i++) {
		flow_forward(w, 0);
		flow_forward(w, 1);
	}
	for (int64_t i = 0; i < outer; i++) {
		flow_backward(w, 1, true);
		flow_weight(w);
		flow_forward(w, 1);
	}
}

static void drain(struct both_ways *w, int64_t outer, int64_t half)
{
	bool cut = false;

	for (int64_t i = 0; i < outer; i++) {
		flow_backward(w, 1, false);
		flow_pair(w, 1, true);
	}
	for (int64_t i = 0; i <= half; i++) {
		bool middle = i == (half + 1) / 2;

		cut |= middle && half % 2 == 1;
		flow_backward(w, 1, cut);
		cut |= middle && half % 2 == 0;
		flow_backward(w, 0, cut);
	}
	for (int64_t i = 0; i < outer; i++) {
		flow_weight(w);
		flow_backward(w, 0, true);
	}
	while (w->done < w->waiting)
		flow_weight(w);
}

static void both_ways(const struct schedule *s, int64_t rank, struct program *p)
{
	const int64_t ranks = s->in->ranks, mirror = ranks - 1 - rank;
	const int64_t half = rank < mirror ? rank : mirror, outer = ranks / 2 - half - 1;
	const int64_t steps = schedule_steps(s, rank);
	struct both_ways w = { .p = p, .chunk = { rank < mirror ? 0 : 1, rank < mirror ? 1 : 0 } };

	/* What waits stands behind the program until it is copied there. */
	w.wait = p->at + 2 * s->pieces;
	fill(&w, outer, half);
	for (int64_t i = 0; i < steps; i++) {
		/* The ranks in the middle start without overlap, to shorten the bubble. */
		flow_pair(&w, 0, i > 0 || outer > 0);
		mark(p, i, 0);
		flow_pair(&w, 1, true);
		mark(p, i, 1);
	}
	drain(&w, outer, half);
}

void schedule_program(const struct schedule *s, int64_t rank, struct program *program)
{
	program->count = 0;
	switch (s->in->order) {
	case ORDER_ALTERNATE:
		alternate(s, rank, program);
		break;
	case ORDER_ZB1P:
		split(s, rank, rank, program);
		break;
	case ORDER_ZB2P:
		split(s, rank, 2 * rank, program);
		break;
	case ORDER_DUALPIPE:
		both_ways(s, rank, program);
		break;
	}
}
