/* overlap.c - recomputation, off-load, overlap and kernels of a strategy. */
#include "runtime/import/megatron/megatron_int.h"

static const struct megatron_word modules[] = {
	{ "core_attn", "core_attn" },	{ "layernorm", "layernorm" },
	{ "mla_up_proj", "mla_up_proj" }, { "mlp", "mlp" },
	{ "moe", "moe" },		{ "moe_act", "moe_act" },
	{ "shared_experts", "shared_experts" }, { "gdn_norm_out", "linear_norm" },
	{ "gdp_in_proj", "linear_in" }, { "gdp_qkv", "linear_qkv" },
	{ "mhc", "hyper" },
};

static const struct megatron_word sent_modules[] = {
	{ "attn_norm", "attn_norm" }, { "qkv_linear", "qkv_linear" }, { "core_attn", "core_attn" },
	{ "attn_proj", "attn_proj" }, { "mlp_norm", "mlp_norm" },     { "mlp", "mlp" },
	{ "expert_fc1", "expert_fc1" }, { "moe_act", "moe_act" },     { "gdp_qkv", "linear_qkv" },
};

/* `field = [a, b]` from the values of a flag; words may be joined by commas. */
static void write_list(struct megatron *m, const char *field, const char *flag,
		       const struct megatron_word *words, size_t count)
{
	const struct megatron_arg *a = megatron_arg(m, flag);
	struct out all;

	if (!a)
		return;
	out_init(&all, m->f.arena);
	for (uint32_t i = 0; i < a->values.n; i++) {
		const struct shell_text *v = &a->values.at[i];

		if (!shell_known(v)) {
			struct str s = shell_unknown(m->sources, &m->script, v);

			megatron_refuse(m, v, "`%s` takes `%.*s`, which this script does not set", flag, (int)s.n, s.p);
			return;
		}
		for (uint32_t lo = 0, hi; lo < v->n; lo = hi + 1) {
			struct shell_text one;
			const char *plan;

			for (hi = lo; hi < v->n && v->p[hi] != ','; hi++)
				;
			one = (struct shell_text){ v->p + lo, v->at + lo, hi - lo };
			plan = megatron_choice_of(m, flag, &one, words, count);
			out_printf(&all, "%s%s", all.n ? ", " : "", plan ? plan : "");
		}
	}
	plan_text_line(&m->w, SPAN_NONE, "%s = [%.*s]", field, (int)all.n, all.n ? all.p : "");
}

/* Selective recomputation runs its modules again in all layers. */
static void refuse_counted(struct megatron *m, const char *flag)
{
	const struct megatron_arg *a = megatron_arg(m, flag);

	if (a)
		megatron_refuse(m, &a->flag, "`%s` goes with full recomputation, this is selective", flag);
}

static void write_recompute(struct megatron *m)
{
	static const struct megatron_word kinds[] = { { "full", "full" }, { "selective", "selective" } };
	static const struct megatron_word methods[] = { { "uniform", "uniform" }, { "block", "block" } };
	const char *usual = megatron_has(m, "--recompute-activations") ? "selective" : NULL;
	const char *kind = megatron_choice(m, "--recompute-granularity", kinds, PLAN_COUNT(kinds), usual);

	if (!kind)
		return;
	plan_text_open(&m->w, SPAN_NONE, "recompute {");
	megatron_line(m, "granularity", kind);
	if (strcmp(kind, "full") == 0) {
		megatron_line(m, "method",
			      megatron_choice(m, "--recompute-method", methods, PLAN_COUNT(methods), NULL));
		megatron_line(m, "layers", megatron_int(m, "--recompute-num-layers", 0, NULL));
	} else {
		refuse_counted(m, "--recompute-method");
		refuse_counted(m, "--recompute-num-layers");
		write_list(m, "modules", "--recompute-modules", modules, PLAN_COUNT(modules));
	}
	if (megatron_has(m, "--distribute-saved-activations"))
		megatron_line(m, "distribute", "true");
	plan_text_close(&m->w, "}");
}

static void write_states(struct megatron *m)
{
	bool pinned = !megatron_has(m, "--no-pin-cpu-grads");

	pinned = !megatron_has(m, "--no-pin-cpu-params") && pinned;
	plan_text_open(&m->w, SPAN_NONE, "optimizer {");
	megatron_line(m, "fraction", megatron_number(m, "--optimizer-offload-fraction", "1"));
	if (!pinned)
		megatron_line(m, "pinned", "false");
	plan_text_close(&m->w, "}");
}

static void write_activations(struct megatron *m)
{
	static const struct megatron_word tensors[] = {
		{ "dispatched_input", "dispatched_input" },
		{ "pre_mlp_layernorm_output", "pre_mlp_layernorm_output" },
	};
	const char *least = megatron_int(m, "--min-offloaded-tensor-size", 0, NULL);
	const char *step = megatron_int(m, "--delta-offload-bytes-across-pp-ranks", 0, NULL);

	plan_text_open(&m->w, SPAN_NONE, "activations {");
	write_list(m, "modules", "--offload-modules", sent_modules, PLAN_COUNT(sent_modules));
	write_list(m, "tensors", "--offload-tensors", tensors, PLAN_COUNT(tensors));
	megatron_line(m, "fraction", megatron_number(m, "--activation-offload-fraction", NULL));
	/* Megatron counts elements here; a saved element has two bytes. */
	if (least)
		plan_text_line(&m->w, SPAN_NONE, "min_size = %s * 2 B", least);
	if (step)
		plan_text_line(&m->w, SPAN_NONE, "rank_step = %s * 1 B", step);
	megatron_line(m, "in_flight", megatron_int(m, "--fine-grained-offloading-max-inflight-offloads", 1, NULL));
	plan_text_close(&m->w, "}");
}

static void write_offload(struct megatron *m)
{
	bool states = megatron_has(m, "--optimizer-cpu-offload");
	bool sent = megatron_has(m, "--fine-grained-activation-offloading");

	if (!states && !sent)
		return;
	plan_text_open(&m->w, SPAN_NONE, "offload {");
	if (states)
		write_states(m);
	if (sent)
		write_activations(m);
	plan_text_close(&m->w, "}");
}

struct toggle {
	const char *flag, *field;
	bool value;                  /* of the field where the flag is there */
};

static const struct toggle overlaps[] = {
	{ "--overlap-grad-reduce", "gradient_reduce", true },
	{ "--overlap-param-gather", "parameter_gather", true },
	{ "--overlap-param-gather-with-optimizer-step", "optimizer_gather", true },
	{ "--tp-comm-overlap", "tensor", true },
	{ "--no-overlap-p2p-communication", "pipeline", false },
	{ "--overlap-p2p-communication-warmup-flush", "pipeline_ends", true },
	{ "--defer-embedding-wgrad-compute", "head_wgrad", true },
	{ "--overlap-moe-expert-parallel-comm", "dispatch", true },
	{ "--delay-wgrad-compute", "delay_wgrad", true },
	{ "--ep-overlap-early-attn-memory-release", "early_release", true },
	{ "--overlap-dispatch-backward-with-experts-wgrad", "dispatch_wgrad", true },
	{ "--moe-shared-expert-overlap", "shared_expert", true },
	{ "--overlap-cpu-optimizer-d2h-h2d", "optimizer_transfer", true },
};

static const struct toggle kernels[] = {
	{ "--no-persist-layer-norm", "fused_norm", false },
	{ "--no-bias-swiglu-fusion", "fused_activation", false },
	{ "--no-bias-gelu-fusion", "fused_activation", false },
	{ "--no-rope-fusion", "fused_rope", false },
	{ "--no-masked-softmax-fusion", "fused_softmax", false },
	{ "--no-gradient-accumulation-fusion", "fused_accumulation", false },
	{ "--use-transformer-engine-op-fuser", "op_fuser", true },
	{ "--moe-router-fusion", "fused_router", true },
};

static void write_toggles(struct megatron *m, const struct toggle *rows, size_t count)
{
	const char *last = "";

	for (size_t i = 0; i < count; i++)
		if (megatron_has(m, rows[i].flag) && strcmp(last, rows[i].field) != 0) {
			megatron_line(m, rows[i].field, rows[i].value ? "true" : "false");
			last = rows[i].field;
		}
}

static void write_loss(struct megatron *m)
{
	static const struct megatron_word kinds[] = { { "native", "native" }, { "te", "te" }, { "linear", "linear" } };
	bool fused = megatron_has(m, "--cross-entropy-loss-fusion");
	const char *kind = megatron_choice(m, "--cross-entropy-fusion-impl", kinds, PLAN_COUNT(kinds), "native");

	if (fused)
		megatron_line(m, "cross_entropy", kind);
}

/* `auto` and `local` leave the choice to the framework; `local` has no kernel of its own. */
static void write_attention(struct megatron *m)
{
	static const struct megatron_word kinds[] = { { "flash", "flash" },
						      { "fused", "fused" },
						      { "unfused", "unfused" },
						      { "local", "unfused" },
						      { "auto", "auto" } };
	const char *kind = megatron_choice(m, "--attention-backend", kinds, PLAN_COUNT(kinds), "auto");

	(void)megatron_has(m, "--use-flash-attn");
	if (strcmp(kind, "auto") != 0)
		megatron_line(m, "attention", kind);
}

/* Graphs of the whole iteration, of modules by Transformer Engine, or of Megatron's own; the names of the
 * modules as they stand. */
static void write_graphs(struct megatron *m)
{
	static const struct megatron_word kinds[] = { { "none", "off" }, { "local", "local" },
						      { "transformer_engine", "te" },
						      { "full_iteration", "full" } };
	const char *old = megatron_has(m, "--external-cuda-graph") ? "te" : NULL, *kind;
	const struct megatron_arg *named = megatron_arg(m, "--cuda-graph-modules");
	struct out o;

	old = megatron_has(m, "--enable-cuda-graph") ? "local" : old;
	kind = megatron_choice(m, "--cuda-graph-impl", kinds, PLAN_COUNT(kinds), old);
	if (!kind || strcmp(kind, "off") == 0)
		return;
	megatron_line(m, "graphs", kind);
	(void)megatron_has(m, "--te-rng-tracker");
	if (strcmp(kind, "full") == 0)
		(void)megatron_has(m, "--no-check-for-nan-in-loss-and-grad");
	if (!named)
		named = megatron_arg(m, "--cuda-graph-scope");
	if (!named)
		return;
	out_init(&o, m->f.arena);
	for (uint32_t i = 0; i < named->values.n; i++) {
		const struct shell_text *v = &named->values.at[i];

		if (!shell_known(v) || !shell_is_word(v))
			megatron_refuse(m, v, "the modules of graphs must be known names");
		else
			out_printf(&o, "%s\"%.*s\"", o.n ? ", " : "", (int)v->n, v->p);
	}
	plan_text_line(&m->w, SPAN_NONE, "graph_modules = [%.*s]", (int)o.n, o.n ? o.p : "");
}

static void write_kernels(struct megatron *m)
{
	bool mixture = megatron_arg(m, "--num-experts") != NULL;
	bool grouped = megatron_has(m, "--moe-grouped-gemm"), permute = megatron_has(m, "--moe-permute-fusion");

	plan_text_open(&m->w, SPAN_NONE, "kernels {");
	write_attention(m);
	write_loss(m);
	write_toggles(m, kernels, PLAN_COUNT(kernels));
	megatron_line(m, "mlp_chunks", megatron_int(m, "--mlp-chunks-for-training", 1, NULL));
	if (mixture && !grouped)
		megatron_line(m, "grouped", "false");
	if (mixture && !permute)
		megatron_line(m, "fused_permute", "false");
	write_graphs(m);
	plan_text_close_full(&m->w, "}");
}

void megatron_write_overlap(struct megatron *m)
{
	write_recompute(m);
	write_offload(m);
	plan_text_open(&m->w, SPAN_NONE, "overlap {");
	write_toggles(m, overlaps, PLAN_COUNT(overlaps));
	plan_text_close_full(&m->w, "}");
	write_kernels(m);
}
