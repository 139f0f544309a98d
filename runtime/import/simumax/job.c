/* job.c - SimuMax's strategy file as a record of schema `job`. */
#include "runtime/import/simumax/simumax_int.h"

#include <inttypes.h>

static void write_bool(struct simumax *s, const char *field, const char *key, bool otherwise)
{
	plan_text_line(&s->w, foreign_span(s->strategy, key), "%s = %s", field,
		       foreign_bool(s->strategy, key, otherwise) ? "true" : "false");
}

static void write_int(struct simumax *s, const char *field, const char *key, int64_t otherwise)
{
	plan_text_line(&s->w, foreign_span(s->strategy, key), "%s = %" PRIi64, field,
		       foreign_int(s->strategy, key, otherwise));
}

/* SimuMax compares versions by their first three groups of digits; no digit means no version. NULL
 * then. */
static const char *version_of(struct simumax *s, const char *key)
{
	const struct json *v = foreign_get(s->strategy, key);
	uint32_t groups = 0, i = 0;
	struct out o;

	if (!v)
		return NULL;
	out_init(&o, s->in->arena);
	while (groups < 3) {
		while (i < v->text.n && (v->text.p[i] < '0' || v->text.p[i] > '9'))
			i++;
		if (i == v->text.n)
			break;
		if (groups++ > 0)
			out_char(&o, '.');
		for (uint32_t n = 0; i < v->text.n && v->text.p[i] >= '0' && v->text.p[i] <= '9';
		     i++)
			if (n++ < 9)
				out_char(&o, v->text.p[i]);
	}
	for (; groups > 0 && groups < 3; groups++)
		out_text(&o, ".0");
	out_char(&o, '\0');
	return groups > 0 ? o.p : NULL;
}

static void write_framework(struct simumax *s)
{
	const char *te = version_of(s, "te_version");

	if (te)
		plan_text_line(&s->w, foreign_span(s->strategy, "te_version"),
			       "framework = generic with { te = \"%s\" }", te);
	else
		plan_text_line(&s->w, foreign_span(s->strategy, ""), "framework = generic");
}

/* What the file changes in the assumptions of the profile. */
static void write_profile(struct simumax *s)
{
	static const struct {
		const char *field, *key;
	} versions[] = {
		{ "dummy_wgrad", "te_dummy_wgrad_min_version" },
		{ "saved_cp", "te_cp_a2a_save_pre_posta2a_min_version" },
		{ "dummy_grouped", "te_grouped_linear_dummy_wgrad_min_version" },
	};
	const struct json *f = s->strategy;
	struct str profile = s->in->profile.n > 0 ? s->in->profile : STR("simumax");
	bool steady = !foreign_bool(f, "enable_straggler_model", true), changed;
	bool lost = foreign_int(f, "etp_size", 1) > 1 &&
		    !foreign_bool(f, "enable_sequence_parallel", true);

	changed = steady || lost || foreign_get(f, "mem_factor");
	for (size_t i = 0; i < PLAN_COUNT(versions); i++)
		changed = changed || version_of(s, versions[i].key);
	if (!changed) {
		plan_text_line(&s->w, foreign_span(f, ""), "profile = %.*s", (int)profile.n,
			       profile.p);
		return;
	}
	plan_text_open(&s->w, foreign_span(f, ""), "profile = %.*s with {", (int)profile.n,
		       profile.p);
	if (foreign_get(f, "mem_factor"))
		plan_text_line(&s->w, foreign_span(f, "mem_factor"), "reserved = %s",
			       plan_text_number(&s->w, foreign_number(f, "mem_factor", 1)));
	if (steady)
		plan_text_line(&s->w, foreign_span(f, "enable_straggler_model"), "straggler = 0%%");
	if (lost && str_is(profile, "simumax"))
		plan_text_line(&s->w, foreign_span(f, "enable_sequence_parallel"),
			       "gathered_tokens_lost = true");
	for (size_t i = 0; i < PLAN_COUNT(versions); i++) {
		const char *version = version_of(s, versions[i].key);

		if (version)
			plan_text_line(&s->w, foreign_span(f, versions[i].key), "%s = \"%s\"",
				       versions[i].field, version);
	}
	plan_text_close(&s->w, "}");
}

/* grad_reduce_in_bf16 narrows both; use_fp32_accum_grad alone narrows what is kept. */
static void write_optimizer(struct simumax *s)
{
	const struct json *f = s->strategy;
	bool wire = foreign_bool(f, "grad_reduce_in_bf16", false);
	bool kept = wire || !foreign_bool(f, "use_fp32_accum_grad", true);
	const char *key = wire ? "grad_reduce_in_bf16" : "use_fp32_accum_grad";

	plan_text_open(&s->w, foreign_span(f, key), "optimizer {");
	plan_text_line(&s->w, foreign_span(f, key), "gradient = %s", kept ? "bf16" : "fp32");
	plan_text_line(&s->w, foreign_span(f, key), "reduce = %s", wire ? "bf16" : "fp32");
	plan_text_close(&s->w, "}");
}

/* The global batch follows from what SimuMax counts: samples of a pass, passes, replicas. Where the
 * GPUs do not divide, any multiple will do: the rule on the GPUs is broken first. */
static void write_batch(struct simumax *s)
{
	const struct json *f = s->strategy;
	int64_t group = foreign_int(f, "tp_size", 1), world = foreign_int(f, "world_size", 8), dp;
	struct num global, micro = foreign_number(f, "micro_batch_size", 1);

	if (__builtin_mul_overflow(group, foreign_int(f, "cp_size", 1), &group) ||
	    __builtin_mul_overflow(group, foreign_int(f, "pp_size", 1), &group))
		group = world;
	dp = world / group > 0 ? world / group : 1;
	(void)num_mul(s->in->arena, micro, foreign_number(f, "micro_batch_num", 1), &global);
	(void)num_mul(s->in->arena, global, num_int(dp), &global);
	plan_text_open(&s->w, foreign_span(f, "seq_len"), "batch {");
	write_int(s, "sequence", "seq_len", 1);
	write_int(s, "micro", "micro_batch_size", 1);
	plan_text_line(&s->w, foreign_span(f, "micro_batch_num"), "global = %s",
		       plan_text_number(&s->w, global));
	plan_text_close(&s->w, "}");
}

static void write_precision(struct simumax *s)
{
	const struct json *f = s->strategy, *type = foreign_get(f, "dtype");
	struct str dtype = type ? type->text : STR("bf16");

	plan_text_open(&s->w, foreign_span(f, "dtype"), "precision {");
	plan_text_line(&s->w, foreign_span(f, "dtype"), "compute = %.*s", (int)dtype.n, dtype.p);
	if (foreign_bool(f, "fp8", false)) {
		plan_text_line(&s->w, foreign_span(f, "fp8"), "linear = fp8");
		plan_text_line(&s->w, foreign_span(f, "fp8"), "scaling = blockwise");
		plan_text_line(&s->w, foreign_span(f, "fp8"), "format = e4m3");
		plan_text_line(&s->w, foreign_span(f, "fp8"), "weights = fp8");
		write_bool(s, "keep_grouped_input", "cache_groupgemm_col_fp8_inputs", false);
	}
	plan_text_close(&s->w, "}");
}

static void write_layout(struct simumax *s)
{
	const struct json *f = s->strategy;
	const struct json *first = foreign_get(f, "num_layers_in_first_pipeline_stage");
	const struct json *last = foreign_get(f, "num_layers_in_last_pipeline_stage");
	bool embedding = foreign_bool(f, "account_for_embedding_in_pipeline_split", false);
	bool loss = foreign_bool(f, "account_for_loss_in_pipeline_split", false);

	if (first || last)
		plan_text_line(&s->w, first ? first->span : last->span, "layout = ends(%s%s%s%s%s)",
			       first ? "first = " : "",
			       first ? plan_text_number(&s->w, first->number) : "",
			       first && last ? ", " : "", last ? "last = " : "",
			       last ? plan_text_number(&s->w, last->number) : "");
	else if (embedding || loss)
		plan_text_line(&s->w,
			       foreign_span(f, embedding ? "account_for_embedding_in_pipeline_split"
							 : "account_for_loss_in_pipeline_split"),
			       "layout = even(%s%s%s)", embedding ? "embedding = 1" : "",
			       embedding && loss ? ", " : "", loss ? "loss = 1" : "");
}

static void write_kernels(struct simumax *s)
{
	const struct json *f = s->strategy;
	const char *attention = foreign_bool(f, "use_flash_sdp", true)   ? "flash"
				: foreign_bool(f, "use_math_sdp", false) ? "math"
									 : "unfused";

	plan_text_open(&s->w, foreign_span(f, "use_flash_sdp"), "kernels {");
	plan_text_line(&s->w, foreign_span(f, "use_flash_sdp"), "attention = %s", attention);
	plan_text_line(&s->w, foreign_span(f, "cross_entropy_loss_fusion"), "cross_entropy = %s",
		       foreign_bool(f, "cross_entropy_loss_fusion", false) ? "te" : "unfused");
	write_bool(s, "fused_norm", "use_fused_norm", true);
	write_bool(s, "fused_activation", "use_fused_swiglu", true);
	write_bool(s, "fused_accumulation", "use_fused_grad_accumulation", true);
	write_bool(s, "in_place_weight", "use_accm_weight", true);
	plan_text_line(&s->w, foreign_span(s->model, "group_linear_mode"), "grouped = %s",
		       foreign_text_is(s->model, "group_linear_mode", "serial") ? "false" : "true");
	plan_text_close(&s->w, "}");
}

static void write_overlap(struct simumax *s)
{
	plan_text_open(&s->w, foreign_span(s->strategy, "overlap_grad_reduce"), "overlap {");
	write_bool(s, "gradient_reduce", "overlap_grad_reduce", true);
	plan_text_line(&s->w, foreign_span(s->strategy, "cp_a2a_mode"), "context = %s",
		       foreign_text_is(s->strategy, "cp_a2a_mode", "sync_cp") ? "false" : "true");
	write_bool(s, "pipeline", "pp_comm_async", true);
	plan_text_close(&s->w, "}");
}

/* Sequence parallelism over one rank is the same as none, and written so. */
void simumax_write_strategy(struct simumax *s, const char *header)
{
	const struct json *f = s->strategy;
	bool spread = foreign_bool(f, "enable_sequence_parallel", true) &&
		      foreign_int(f, "tp_size", 1) > 1;

	plan_text_open(&s->w, foreign_span(f, "tp_size"), "%s", header);
	write_int(s, "tp", "tp_size", 1);
	write_int(s, "pp", "pp_size", 1);
	write_int(s, "vpp", "interleaving_size", 1);
	write_int(s, "cp", "cp_size", 1);
	write_int(s, "ep", "ep_size", 1);
	write_int(s, "etp", "etp_size", 1);
	plan_text_line(&s->w, foreign_span(f, "enable_sequence_parallel"), "sequence_parallel = %s",
		       spread ? "true" : "false");
	plan_text_line(&s->w, foreign_span(f, "cp_comm_type"), "cp_comm = %s",
		       foreign_text_is(f, "cp_comm_type", "all_gather") ? "all_gather" : "a2a");
	write_int(s, "zero", "zero_state", 1);
	write_layout(s);
	if (foreign_get(f, "microbatch_group_size_per_vp_stage"))
		write_int(s, "vpp_group", "microbatch_group_size_per_vp_stage", 1);
	plan_text_line(&s->w, foreign_span(f, "moe_dispatcher_policy"), "dispatcher = all_to_all");
	write_bool(s, "dispatch_probs", "dispatch_probs", false);
	write_precision(s);
	simumax_write_recompute(s);
	if (foreign_bool(f, "offload_groupgemm_col_inputs", false))
		plan_text_line(&s->w, foreign_span(f, "offload_groupgemm_col_inputs"),
			       "offload { activations { modules = [expert_fc1] } }");
	write_overlap(s);
	write_kernels(s);
	plan_text_close(&s->w, "}");
}

void simumax_write_job(struct simumax *s)
{
	plan_text_open(&s->w, foreign_span(s->strategy, ""), "job imported {");
	plan_text_line(&s->w, foreign_span(s->model, ""), "model = %s", s->model_name);
	plan_text_line(&s->w, foreign_span(s->system, ""), "cluster = %s", s->cluster_name);
	write_int(s, "gpus", "world_size", 8);
	write_framework(s);
	write_profile(s);
	write_optimizer(s);
	write_batch(s);
	simumax_write_strategy(s, "strategy {");
	plan_text_close(&s->w, "}");
}
