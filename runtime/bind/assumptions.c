/* assumptions.c - what a prediction takes for granted, in sentences. */
#include <stdarg.h>

#include "runtime/bind/bind_int.h"

struct lines {
	struct arena *arena;
	struct str *at;
	uint32_t n, max;
};

/* Starts a line; the caller writes into the out and hands it to line_end. */
static void line_end(struct lines *l, const struct out *o)
{
	if (l->n < l->max)
		l->at[l->n] = str_copy(l->arena, out_view(o));
	l->n++;
}

PLAN_PRINTF(2, 3)
static void line(struct lines *l, const char *fmt, ...)
{
	char text[400];
	struct out o;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	out_init(&o, l->arena);
	out_text(&o, text);
	line_end(l, &o);
}

/* 0.94 as "94 %", 0.333 as "33.3 %". */
static void percent(struct out *o, double share)
{
	out_real(o, (double)(int64_t)(share * 1000 + 0.5) / 10);
	out_text(o, " %");
}

static void conventions(struct lines *l, const struct job *j)
{
	const struct profile *p = &j->profile;
	struct out o;

	line(l, "GiB are 2^30 bytes; bandwidths are one way per GPU; a multiply-add is two FLOP");
	out_init(&o, l->arena);
	out_text(&o, "MFU divides model FLOPs (forward and backward once, recomputation not counted, ");
	out_text(&o, p->attention_flops == ATTENTION_CAUSAL ? "causal attention counted as half a square"
							    : "attention counted as the full square");
	out_text(&o, ") by the dense peak of ");
	quantity_print(&o, j->hardware.peak, (struct dimension){ 0, -1, 1, 0, 0 });
	line_end(l, &o);
}

static void memory_lines(struct lines *l, const struct job *j)
{
	const struct profile *p = &j->profile;
	struct out o;

	out_init(&o, l->arena);
	out_text(&o, "reserved memory is the peak divided by ");
	percent(&o, p->reserved);
	if (p->base_memory > 0) {
		out_text(&o, " plus ");
		quantity_print(&o, (double)p->base_memory, (struct dimension){ 1, 0, 0, 0, 0 });
		out_text(&o, " of context and communication buffers");
	}
	line_end(l, &o);
	line(l, "%s", p->in_flight_by_batch
			      ? "live micro-batches of a stage are limited by their number"
			      : "a stage keeps as many live micro-batches as its depth, whatever their number");
}

/* What an order of passes takes for granted. */
static void schedule_lines(struct lines *l, const struct job *j)
{
	if (j->input.parallel.schedule == SCHEDULE_ZB2P)
		line(l, "ranks of the pipeline start a step as they ended the last, none waits for all others");
	if (j->input.parallel.schedule == SCHEDULE_DUALPIPE)
		line(l, "a rank of the pipeline holds two stages, its own and that of the other end");
}

static void time_lines(struct lines *l, const struct job *j)
{
	const struct profile *p = &j->profile;
	struct out o;

	out_init(&o, l->arena);
	if (p->hide > 0) {
		out_text(&o, "a transfer that the strategy overlaps hides up to ");
		percent(&o, p->hide);
		out_text(&o, " of itself, one inside a layer up to ");
		percent(&o, p->hide_layer);
	} else {
		out_text(&o, "no transfer hides behind computation");
	}
	if (p->sync_pipeline)
		out_text(&o, "; transfers between stages block both sides");
	line_end(l, &o);

	out_init(&o, l->arena);
	out_text(&o, "a shape outside the efficiency tables takes ");
	out_text(&o, p->table_miss == MISS_INTERPOLATE ? "the nearest measured shapes"
		     : p->table_miss == MISS_REFUSE    ? "no guess: it is refused"
						       : "the kernel's default efficiency");
	line_end(l, &o);

	if (p->straggler <= 0)
		return;
	out_init(&o, l->arena);
	out_text(&o, "stragglers lengthen the pipeline by a factor of ");
	out_fixed(&o, j->result.step.straggler_ratio, 4);
	line_end(l, &o);
}

uint32_t job_assumptions(const struct job *j, struct arena *arena, struct str *at, uint32_t max)
{
	struct lines l = { .arena = arena, .at = at, .max = max };

	conventions(&l, j);
	memory_lines(&l, j);
	time_lines(&l, j);
	schedule_lines(&l, j);
	if (j->hardware.roofline)
		line(&l, "every kernel takes the longer of its arithmetic and its memory traffic");
	return l.n < max ? l.n : max;
}
