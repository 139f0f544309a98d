/* text.c - the report a person reads: what runs, whether it fits, how long a step takes and why. */
#include "runtime/report/report.h"

#include "runtime/report/text_int.h"
#include "runtime/report/units.h"

enum { LINES_MAX = 64, SHAPES_SHOWN = 12, TEXT_WIDTH = 100 };

static void put_label(struct out *o, const char *label)
{
	put_left(o, str_of(label), REPORT_LABEL);
}

static void put_counted(struct out *o, int64_t n, const char *one, const char *many)
{
	out_grouped(o, n);
	out_printf(o, " %s", n == 1 ? one : many);
}

/* "tp 4, pp 2, dp 8": what is one is not worth a word, except dp, which then says "one replica". */
static void put_degrees(struct out *o, const struct engine_parallel *p)
{
	const struct {
		const char *name;
		int64_t n;
	} degrees[] = {
		{ "tp", p->tp }, { "cp", p->cp },   { "pp", p->pp },
		{ "vpp", p->vpp }, { "ep", p->ep }, { "etp", p->etp },
	};

	for (size_t i = 0; i < PLAN_COUNT(degrees); i++)
		if (degrees[i].n > 1)
			out_printf(o, "%s %lld, ", degrees[i].name, (long long)degrees[i].n);
	out_printf(o, "dp %lld", (long long)p->dp);
}

static void put_strategy(struct out *o, const struct engine_input *in)
{
	static const char *const zeros[] = { "", "optimizer states", "states and gradients",
					     "states, gradients and weights" };

	put_degrees(o, &in->parallel);
	if (in->parallel.tp > 1)
		out_printf(o, ", sequence parallelism %s", in->parallel.sequence_parallel ? "on" : "off");
	if (in->parallel.zero != ZERO_OFF)
		out_printf(o, ", %s sharded (zero %d)", zeros[in->parallel.zero], (int)in->parallel.zero);
	if (in->precision.linear != in->precision.compute)
		out_printf(o, ", matrix products in %s", dtype_name(in->precision.linear));
}

static void put_recompute(struct out *o, const struct job *j)
{
	const struct engine_result *r = &j->result;
	int64_t layers = 0, recomputed = 0;

	for (int64_t i = 0; i < r->stage_count; i++) {
		layers += r->stages[i].layers + r->stages[i].mtp;
		recomputed += r->stages[i].recomputed_layers;
	}
	if (!j->input.recompute.enabled || recomputed == 0)
		return;
	out_printf(o, ", %s%lld of %lld layers recomputed",
		   j->input.recompute.granularity == RECOMPUTE_FULL ? "" : "parts of ",
		   (long long)recomputed, (long long)layers);
}

static void text_head(const struct job *j, struct out *o)
{
	const struct engine_input *in = &j->input;
	int64_t samples = in->batch.micro * in->batch.micro_batches * in->parallel.dp;

	out_str(o, j->name);
	out_text(o, ": ");
	out_str(o, j->model_name);
	out_printf(o, " on %lld x ", (long long)in->parallel.world);
	out_str(o, j->gpu_name);
	out_text(o, ", ");
	put_degrees(o, &in->parallel);
	out_text(o, "\n\n");

	put_label(o, "model");
	out_grouped(o, j->parameters);
	out_text(o, " parameters");
	if (j->active_parameters != j->parameters) {
		out_text(o, ", ");
		out_grouped(o, j->active_parameters);
		out_text(o, " of them active");
	}
	out_text(o, ", ");
	put_scaled(o, j->result.counts.flops_per_token, "FLOP");
	out_text(o, " a token");
	if (in->model.mtp_depth > 0) {
		out_text(o, ", ");
		put_counted(o, in->model.mtp_depth, "further token", "further tokens");
		out_text(o, " predicted");
	}
	out_char(o, '\n');
	put_label(o, "cluster");
	out_str(o, j->cluster_name);
	out_text(o, ", ");
	put_gib(o, j->hardware.memory);
	out_text(o, " a GPU\n");
	put_label(o, "strategy");
	/* A strategy without a name of its own goes by its schema's. */
	if (!str_is(j->strategy_name, "strategy") && j->strategy_name.n > 0) {
		out_str(o, j->strategy_name);
		out_text(o, ": ");
	}
	put_strategy(o, in);
	put_recompute(o, j);
	out_char(o, '\n');
	put_label(o, "batch");
	put_counted(o, samples, "sample", "samples");
	out_text(o, " of ");
	put_counted(o, in->batch.sequence, "token", "tokens");
	out_printf(o, ": %lld a micro-batch, ", (long long)in->batch.micro);
	put_counted(o, in->batch.micro_batches, "micro-batch", "micro-batches");
	out_text(o, " on each of ");
	put_counted(o, in->parallel.dp, "replica", "replicas");
	out_char(o, '\n');
	put_label(o, "profile");
	out_str(o, j->profile_name);
	out_char(o, '\n');
}

/* Writes words of text from column `at` on, broken before TEXT_WIDTH; further lines are indented. */
static void put_wrapped(struct out *o, struct str text, uint32_t at, uint32_t indent)
{
	uint32_t lo = 0;

	while (lo < text.n) {
		uint32_t hi = lo;

		while (hi < text.n && text.p[hi] != ' ')
			hi++;
		struct str word = str_slice(text, lo, hi);
		uint32_t width = text_width(word);
		if (lo > 0 && at + 1 + width > TEXT_WIDTH) {
			out_char(o, '\n');
			out_repeat(o, ' ', indent);
			at = indent;
		} else if (lo > 0) {
			out_char(o, ' ');
			at++;
		}
		out_str(o, word);
		at += width;
		lo = hi + 1;
	}
	out_char(o, '\n');
}

static void verdict(const struct job *j, struct out *o)
{
	const struct engine_memory *m = &j->result.memory;
	int64_t room = j->hardware.memory - j->headroom, left = room - m->reserved;

	out_text(o, j->fits ? "fits: " : "does not fit: ");
	if (j->input.parallel.pp > 1)
		out_printf(o, "stage %lld needs most, ", (long long)m->worst_stage);
	put_gib(o, m->reserved);
	out_text(o, " reserved (peak ");
	put_gib(o, m->peak);
	out_text(o, ") of ");
	put_gib(o, j->hardware.memory);
	if (j->headroom > 0) {
		out_text(o, " less ");
		put_gib(o, j->headroom);
		out_text(o, " of headroom");
	}
	out_text(o, j->fits ? "; " : "; it misses by ");
	put_gib(o, left < 0 ? -left : left);
	if (room > 0) {
		out_text(o, " (");
		put_share(o, (double)(left < 0 ? -left : left) / (double)room);
		out_char(o, ')');
	}
	out_text(o, j->fits ? " free" : "");
}

static void text_verdict(const struct job *j, struct out *o)
{
	struct out text;

	out_init(&text, o->arena);
	verdict(j, &text);
	put_wrapped(o, out_view(&text), 0, 2);
}

static void text_throughput(const struct job *j, struct out *o)
{
	const struct engine_throughput *t = &j->result.throughput;

	out_text(o, "throughput\n");
	put_label(o, "  tokens/s");
	put_rate(o, t->tokens_per_s);
	if (j->input.parallel.world > 1) {
		out_text(o, " (");
		put_rate(o, t->tokens_per_s_per_gpu);
		out_text(o, " a GPU)");
	}
	out_char(o, '\n');
	put_label(o, "  model FLOP/s");
	put_scaled(o, t->model_flops_per_gpu, "FLOP/s");
	out_text(o, " a GPU\n");
	put_label(o, "  MFU");
	put_share(o, t->mfu);
	out_text(o, " of ");
	put_scaled(o, j->hardware.peak, "FLOP/s");
	out_printf(o, "; attention counted %s\n",
		   j->profile.attention_flops == ATTENTION_CAUSAL ? "causal, half of the square"
								  : "as the full square");
	if (t->hfu > t->mfu * (1 + 1e-9)) {
		put_label(o, "  HFU");
		put_share(o, t->hfu);
		out_text(o, " with the recomputed FLOPs\n");
	}
}

static void text_networks(const struct job *j, struct out *o)
{
	static const char *const names[GROUP_COUNT] = {
		[GROUP_TP] = "tp", [GROUP_CP] = "cp",   [GROUP_PP] = "pp",   [GROUP_DP] = "dp",
		[GROUP_EP] = "ep", [GROUP_ETP] = "etp", [GROUP_EDP] = "edp",
	};
	const struct engine_parallel *p = &j->input.parallel;
	const int64_t sizes[GROUP_COUNT] = {
		[GROUP_TP] = p->tp, [GROUP_CP] = p->cp,   [GROUP_PP] = p->pp,   [GROUP_DP] = p->dp,
		[GROUP_EP] = p->ep, [GROUP_ETP] = p->etp, [GROUP_EDP] = p->edp,
	};
	bool experts = j->input.model.moe.experts > 0, any = false;

	for (int g = 0; g < GROUP_COUNT; g++) {
		struct str level = job_level_name(j, (enum engine_group)g);

		if (sizes[g] <= 1 || level.n == 0 || (g >= GROUP_EP && !experts))
			continue;
		if (!any)
			out_text(o, "\nnetworks\n");
		any = true;
		out_text(o, "  ");
		put_left(o, str_of(names[g]), REPORT_LABEL - 2);
		out_str(o, level);
		out_printf(o, ", groups of %lld\n", (long long)sizes[g]);
	}
}

static void text_efficiency(const struct job *j, struct out *o)
{
	const struct engine_efficiency *e = &j->result.efficiency;
	int64_t shapes = e->hit + e->missed_count;
	char text[ENGINE_TEXT_MAX];

	if (shapes == 0)
		return;
	out_text(o, "\nefficiency tables: ");
	if (j->hardware.matmul_count + j->hardware.attention_count == 0) {
		out_str(o, j->gpu_name);
		out_text(o, " has none; ");
		put_counted(o, shapes, "shape takes", "shapes take");
		out_text(o, " its stated efficiency\n");
		return;
	}
	out_grouped(o, e->hit);
	out_text(o, " of ");
	put_counted(o, shapes, "shape", "shapes");
	out_text(o, e->missed_count ? " measured; not in a table:\n" : " measured\n");
	for (int64_t i = 0; i < e->missed_count && i < SHAPES_SHOWN; i++) {
		engine_shape_text(&e->missed[i], text, sizeof text);
		out_printf(o, "  %s\n", text);
	}
	if (e->missed_count > SHAPES_SHOWN)
		out_printf(o, "  and %lld more; --format json lists all\n",
			   (long long)(e->missed_count - SHAPES_SHOWN));
}

static void text_assumptions(const struct job *j, struct out *o)
{
	struct str lines[LINES_MAX];
	uint32_t n = job_assumptions(j, o->arena, lines, LINES_MAX);

	if (n == 0)
		return;
	out_text(o, "\ntaken for granted\n");
	for (uint32_t i = 0; i < n && i < LINES_MAX; i++) {
		out_text(o, "  ");
		put_wrapped(o, lines[i], 2, 4);
	}
}

void report_text(const struct job *j, struct out *o)
{
	text_head(j, o);
	out_char(o, '\n');
	text_verdict(j, o);
	out_char(o, '\n');
	text_step(j, o);
	out_char(o, '\n');
	text_memory(j, o);
	out_char(o, '\n');
	text_throughput(j, o);
	text_networks(j, o);
	text_efficiency(j, o);
	text_assumptions(j, o);
}
