/* exclusions.c - arguments that Megatron-LM refuses together, whatever its release, and that a plan says by one
 * field or not at all: reading one of them and leaving the other would be another run. And those that
 * do nothing without another one, which a plan would take at their word.
 * Source: NVIDIA/Megatron-LM, validate_args in megatron/training/arguments.py, megatron/core/transformer/
 * transformer_config.py and megatron/core/optimizer/optimizer_config.py, cores 0.12 to 0.20. */
#include "runtime/import/megatron/megatron_int.h"

enum relation { EXCLUDES, NEEDS };

/* A flag, or a flag and one of its values. */
struct said {
	const char *flag, *value;
};

static const struct {
	struct said one;
	enum relation relation;
	struct said other;
} relations[] = {
	{ { "--fp16", NULL }, EXCLUDES, { "--bf16", NULL } },
	{ { "--fp4-format", NULL }, EXCLUDES, { "--fp8-format", NULL } },
	{ { "--fp8-param-gather", NULL }, NEEDS, { "--fp8-format", NULL } },
	{ { "--fp4-param-gather", NULL }, NEEDS, { "--fp4-format", NULL } },
	{ { "--squared-relu", NULL }, EXCLUDES, { "--swiglu", NULL } },
	{ { "--quick-geglu", NULL }, EXCLUDES, { "--swiglu", NULL } },
	{ { "--rope-type", "yarn" }, NEEDS, { "--multi-latent-attention", NULL } },
	{ { "--attention-backend", "local" }, NEEDS, { "--spec", "local" } },
	{ { "--data-path", NULL }, EXCLUDES, { "--mock-data", NULL } },
	/* How the layers are split. */
	{ { "--num-layers-per-virtual-pipeline-stage", NULL },
	  EXCLUDES,
	  { "--num-virtual-stages-per-pipeline-rank", NULL } },
	{ { "--num-layers-per-virtual-pipeline-stage", NULL }, EXCLUDES, { "--decoder-first-pipeline-num-layers", NULL } },
	{ { "--num-layers-per-virtual-pipeline-stage", NULL }, EXCLUDES, { "--decoder-last-pipeline-num-layers", NULL } },
	{ { "--account-for-embedding-in-pipeline-split", NULL },
	  EXCLUDES,
	  { "--decoder-first-pipeline-num-layers", NULL } },
	{ { "--account-for-embedding-in-pipeline-split", NULL },
	  EXCLUDES,
	  { "--decoder-last-pipeline-num-layers", NULL } },
	{ { "--account-for-loss-in-pipeline-split", NULL }, EXCLUDES, { "--decoder-first-pipeline-num-layers", NULL } },
	{ { "--account-for-loss-in-pipeline-split", NULL }, EXCLUDES, { "--decoder-last-pipeline-num-layers", NULL } },
	/* What is counted in steps, and what in samples. */
	{ { "--train-samples", NULL }, EXCLUDES, { "--train-iters", NULL } },
	{ { "--train-samples", NULL }, EXCLUDES, { "--lr-decay-iters", NULL } },
	{ { "--train-samples", NULL }, EXCLUDES, { "--lr-warmup-iters", NULL } },
	{ { "--lr-decay-samples", NULL }, EXCLUDES, { "--train-iters", NULL } },
	{ { "--lr-warmup-samples", NULL }, EXCLUDES, { "--train-iters", NULL } },
	/* Memory. */
	{ { "--recompute-granularity", "full" }, NEEDS, { "--recompute-method", NULL } },
	{ { "--recompute-granularity", "full" }, NEEDS, { "--recompute-num-layers", NULL } },
	{ { "--fine-grained-activation-offloading", NULL }, NEEDS, { "--offload-modules", NULL } },
	{ { "--optimizer-cpu-offload", NULL }, NEEDS, { "--use-precision-aware-optimizer", NULL } },
	{ { "--use-precision-aware-optimizer", NULL }, EXCLUDES, { "--optimizer", "sgd" } },
	{ { "--use-precision-aware-optimizer", NULL }, EXCLUDES, { "--optimizer", "muon" } },
	{ { "--exp-avg-dtype", "fp16" }, NEEDS, { "--use-precision-aware-optimizer", NULL } },
	{ { "--exp-avg-dtype", "bf16" }, NEEDS, { "--use-precision-aware-optimizer", NULL } },
	{ { "--exp-avg-dtype", "fp8" }, NEEDS, { "--use-precision-aware-optimizer", NULL } },
	{ { "--exp-avg-sq-dtype", "fp16" }, NEEDS, { "--use-precision-aware-optimizer", NULL } },
	{ { "--exp-avg-sq-dtype", "bf16" }, NEEDS, { "--use-precision-aware-optimizer", NULL } },
	{ { "--exp-avg-sq-dtype", "fp8" }, NEEDS, { "--use-precision-aware-optimizer", NULL } },
	{ { "--main-params-dtype", "fp16" }, NEEDS, { "--use-precision-aware-optimizer", NULL } },
	{ { "--main-grads-dtype", "bf16" }, NEEDS, { "--use-precision-aware-optimizer", NULL } },
	{ { "--main-grads-dtype", "bf16" }, EXCLUDES, { "--accumulate-allreduce-grads-in-fp32", NULL } },
	/* Experts. */
	{ { "--moe-enable-deepep", NULL }, NEEDS, { "--moe-token-dispatcher-type", "flex" } },
	{ { "--moe-enable-deepep", NULL }, EXCLUDES, { "--moe-flex-dispatcher-backend", "hybridep" } },
	{ { "--moe-flex-dispatcher-backend", "ncclep" }, NEEDS, { "--moe-token-dispatcher-type", "flex" } },
	{ { "--moe-router-group-topk", NULL }, NEEDS, { "--moe-router-num-groups", NULL } },
	/* Graphs, linear attention. */
	{ { "--cuda-graph-impl", "full_iteration" }, NEEDS, { "--no-check-for-nan-in-loss-and-grad", NULL } },
	{ { "--experimental-attention-variant", "gated_delta_net" }, NEEDS, { "--linear-attention-freq", NULL } },
};

static const struct {
	const char *flag, *without, *or_without; /* the second may be NULL */
} idle[] = {
	{ "--moe-shared-expert-overlap", "--moe-shared-expert-intermediate-size", NULL },
	{ "--data-parallel-sharding-strategy", "--use-megatron-fsdp", "--use-custom-fsdp" },
	{ "--recompute-method", "--recompute-granularity", "--recompute-activations" },
	{ "--recompute-num-layers", "--recompute-granularity", "--recompute-activations" },
	{ "--recompute-modules", "--recompute-granularity", "--recompute-activations" },
	{ "--offload-modules", "--fine-grained-activation-offloading", NULL },
	{ "--optimizer-offload-fraction", "--optimizer-cpu-offload", NULL },
	{ "--cross-entropy-fusion-impl", "--cross-entropy-loss-fusion", NULL },
	{ "--fp8-recipe", "--fp8-format", NULL },
	{ "--num-layers-at-start-in-bf16", "--first-last-layers-bf16", NULL },
	{ "--num-layers-at-end-in-bf16", "--first-last-layers-bf16", NULL },
};

/* The last argument with the flag, which counts, where its value is the one asked for. An unknown value may be. */
static const struct megatron_arg *find(const struct megatron *m, struct said what, bool *perhaps)
{
	const struct megatron_arg *a = NULL;

	*perhaps = false;
	for (uint32_t i = 0; i < m->args.n; i++)
		if (str_is(shell_view(&m->args.at[i].flag), what.flag))
			a = &m->args.at[i];
	if (!a || !what.value)
		return a;
	for (uint32_t i = 0; i < a->values.n; i++) {
		*perhaps = *perhaps || !shell_known(&a->values.at[i]);
		if (str_is(shell_view(&a->values.at[i]), what.value))
			return a;
	}
	return NULL;
}

static bool is_said(const struct megatron *m, const char *flag)
{
	bool perhaps;

	return flag && find(m, (struct said){ flag, NULL }, &perhaps);
}

static void forget(struct megatron *m, const char *flag)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < m->args.n; i++)
		if (!str_is(shell_view(&m->args.at[i].flag), flag))
			m->args.at[kept++] = m->args.at[i];
	m->args.n = kept;
}

/* What does nothing is named in a comment and left out, unless what it goes with may be in words not known. */
static void forget_idle(struct megatron *m)
{
	for (size_t i = 0; i < PLAN_COUNT(idle); i++) {
		if (m->strays.n > 0 || !is_said(m, idle[i].flag) || is_said(m, idle[i].without) ||
		    is_said(m, idle[i].or_without))
			continue;
		plan_text_comment(&m->w, "%s is left out: it does nothing without %s.", idle[i].flag, idle[i].without);
		forget(m, idle[i].flag);
	}
}

void megatron_refuse_exclusions(struct megatron *m)
{
	forget_idle(m);
	for (size_t i = 0; i < PLAN_COUNT(relations); i++) {
		bool perhaps, needs = relations[i].relation == NEEDS;
		struct said other = relations[i].other;
		const struct megatron_arg *a = find(m, relations[i].one, &perhaps);

		if (!a || (find(m, other, &perhaps) != NULL) == needs || perhaps)
			continue;
		/* What may stand in words that are not known may be there. */
		if (needs && m->strays.n > 0)
			continue;
		megatron_refuse(m, &a->flag, "`%.*s%s%s` %s `%s%s%s`", (int)a->flag.n, a->flag.p,
				relations[i].one.value ? " " : "", relations[i].one.value ? relations[i].one.value : "",
				needs ? "needs" : "excludes", other.flag, other.value ? " " : "",
				other.value ? other.value : "");
	}
}
