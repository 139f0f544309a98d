/* text_step.c - the time of a step, part by part. */
#include "runtime/report/text_int.h"

#include "runtime/report/units.h"

/* What a part is, in the words of somebody who waits for it. */
static const char *part_text(enum step_part part)
{
	switch (part) {
	case STEP_COMPUTE: return "computation";
	case STEP_RECOMPUTE: return "recomputation";
	case STEP_BUBBLE: return "pipeline bubble";
	case STEP_STRAGGLER: return "stragglers";
	case STEP_TENSOR_COMM: return "tensor traffic";
	case STEP_CONTEXT_COMM: return "context traffic";
	case STEP_EXPERT_COMM: return "expert traffic";
	case STEP_PIPELINE_COMM: return "pipeline traffic";
	case STEP_GRADIENT_REDUCE: return "gradient reduce";
	case STEP_PARAMETER_GATHER: return "parameter gather";
	case STEP_OPTIMIZER: return "optimizer step";
	case STEP_OFFLOAD: return "off-loading";
	case STEP_OTHER: return "slowed by overlap";
	case STEP_PART_COUNT: break;
	}
	return "";
}

static void put_row(struct out *o, const char *name, double seconds)
{
	struct out text;

	out_init(&text, o->arena);
	put_time(&text, seconds);
	out_text(o, "  ");
	put_left(o, str_of(name), REPORT_LABEL - 2);
	put_right(o, out_view(&text), REPORT_FIGURE);
}

static void put_bar_row(struct out *o, const char *name, double seconds, double whole)
{
	double share = whole > 0 ? seconds / whole : 0;
	struct out text;

	out_init(&text, o->arena);
	put_share(&text, share);
	put_row(o, name, seconds);
	put_right(o, out_view(&text), REPORT_FIGURE - 1);
	uint32_t n = bar_columns(0, share, REPORT_BAR);
	if (n > 0)
		out_text(o, "  ");
	for (uint32_t i = 0; i < n; i++)
		out_text(o, "█");
	out_char(o, '\n');
}

void text_step(const struct job *j, struct out *o)
{
	const struct engine_step *s = &j->result.step;
	struct out text;

	out_init(&text, o->arena);
	put_time(&text, s->time);
	put_left(o, STR("step time"), REPORT_LABEL);
	put_right(o, out_view(&text), REPORT_FIGURE);
	if (j->input.parallel.pp > 1)
		out_printf(o, "   on stage %lld, which decides; parts add up to it",
			   (long long)s->critical_stage);
	else
		out_text(o, "   the parts add up to it");
	out_char(o, '\n');
	for (int i = 0; i < STEP_PART_COUNT; i++)
		if (s->part[i] != 0)
			put_bar_row(o, part_text((enum step_part)i), s->part[i], s->time);

	/* Traffic that hides behind computation costs no time but wants to be known. */
	double busy = 0, exposed = 0;
	for (int i = STEP_TENSOR_COMM; i <= STEP_PARAMETER_GATHER; i++) {
		busy += s->busy[i];
		exposed += s->part[i];
	}
	if (busy > exposed * (1 + 1e-9)) {
		put_row(o, "hidden traffic", busy - exposed);
		out_text(o, "   behind computation, not part of the sum\n");
	}
}
