/* job.c - optimizer, batch and launch as a job, and the options of the target that writes it again. */
#include "runtime/import/megatron/megatron_int.h"

static void write_optimizer(struct megatron *m)
{
	static const struct megatron_word kinds[] = { { "adam", "adamw" }, { "sgd", "sgd" }, { "muon", "muon" },
						      { "lion", "lion" }, { "soap", "soap" } };
	static const struct megatron_word formats[] = { { "fp32", "fp32" }, { "bf16", "bf16" },
							{ "fp16", "fp16" }, { "fp8", "fp8" } };
	static const struct {
		const char *flag, *field;
	} rows[] = { { "--main-params-dtype", "master" }, { "--exp-avg-dtype", "moments" },
		     { "--exp-avg-sq-dtype", "variance" } };
	bool narrow = megatron_has(m, "--grad-reduce-in-bf16");
	const char *gradient = megatron_choice(m, "--main-grads-dtype", formats, PLAN_COUNT(formats),
					       narrow ? "bf16" : NULL);
	const char *variance = NULL, *moments = NULL;

	(void)megatron_has(m, "--use-precision-aware-optimizer");
	(void)megatron_has(m, "--accumulate-allreduce-grads-in-fp32");
	plan_text_open(&m->w, SPAN_NONE, "optimizer {");
	megatron_line(m, "kind", megatron_choice(m, "--optimizer", kinds, PLAN_COUNT(kinds), "adamw"));
	for (size_t i = 0; i < PLAN_COUNT(rows); i++) {
		const char *v = megatron_choice(m, rows[i].flag, formats, PLAN_COUNT(formats), NULL);

		megatron_line(m, rows[i].field, v);
		moments = i == 1 ? v : moments;
		variance = i == 2 ? v : variance;
	}
	/* A plan keeps the second moment as it keeps the first unless it says otherwise. */
	if (moments && !variance)
		megatron_line(m, "variance", "fp32");
	megatron_line(m, "gradient", gradient);
	if (megatron_has(m, "--calculate-per-token-loss"))
		megatron_line(m, "per_token_loss", "true");
	plan_text_close(&m->w, "}");
}

static void write_batch(struct megatron *m)
{
	plan_text_open(&m->w, SPAN_NONE, "batch {");
	megatron_need(m, "sequence", "--seq-length");
	megatron_need(m, "micro", "--micro-batch-size");
	if (megatron_arg(m, "--global-batch-size")) {
		megatron_need(m, "global", "--global-batch-size");
	} else {
		*VEC_ADD(m->f.arena, &m->open) = (struct megatron_open){ .name = "global_batch_size",
									 .whole = true };
		megatron_line(m, "global", "global_batch_size");
	}
	plan_text_close(&m->w, "}");
}

/* ---- how many GPUs --------------------------------------------------------------------------- */

static const struct megatron_arg *launcher_arg(struct megatron *m, const char *flag)
{
	for (uint32_t i = 0; i < m->launcher.n; i++)
		if (str_is(shell_view(&m->launcher.at[i].flag), flag) && m->launcher.at[i].values.n > 0)
			return &m->launcher.at[i];
	/* Among bare arguments the launcher's stand with the others. */
	const struct megatron_arg *a = megatron_arg(m, flag);

	return a && a->values.n > 0 ? a : NULL;
}

/* "8", "gpu:8", "gpu:h100:8"; 0 when it is none. */
static int64_t trailing_count(const struct shell_text *t)
{
	uint32_t i = t->n;
	int64_t n = 0;

	while (i > 0 && t->p[i - 1] >= '0' && t->p[i - 1] <= '9')
		i--;
	if (t->n - i > 6 || (i > 0 && t->p[i - 1] != ':') || !shell_known(t))
		return 0;
	for (; i < t->n; i++)
		n = n * 10 + t->p[i] - '0';
	return n;
}

/* The first of some flags that the launcher has; a `param` where none is known. */
static const char *launched(struct megatron *m, const char *name, const char *const *flags)
{
	const struct megatron_arg *found = NULL;
	struct megatron_open open = { .name = name, .whole = true };

	for (; *flags; flags++) {
		const struct megatron_arg *a = launcher_arg(m, *flags);
		int64_t n = a ? trailing_count(&a->values.at[0]) : 0;

		if (n > 0)
			return plan_text_int(&m->w, n);
		if (a && !found)
			found = a;
	}
	if (found && !shell_known(&found->values.at[0])) {
		const struct shell_text *v = &found->values.at[0];
		const char *p = memchr(v->p, SHELL_UNKNOWN, v->n);

		open.spelling = shell_unknown(m->sources, &m->script, v);
		open.line = source_position(source_get(m->sources, m->script.file), v->at[p - v->p]).line;
	}
	*VEC_ADD(m->f.arena, &m->open) = open;
	return name;
}

/* ---- options of the target ------------------------------------------------------------------- */

static const struct {
	const char *flag, *option;
} options[] = {
	{ "--train-iters", "iterations" },
	{ "--lr", "lr" },
	{ "--min-lr", "min_lr" },
	{ "--lr-warmup-iters", "warmup" },
	{ "--weight-decay", "weight_decay" },
	{ "--clip-grad", "clip" },
	{ "--adam-beta1", "beta1" },
	{ "--adam-beta2", "beta2" },
	{ "--rotary-base", "rotary_base" },
	{ "--rotary-percent", "rotary_percent" },
	{ "--rotary-scaling-factor", "yarn_scaling" },
	{ "--mscale", "mscale" },
	{ "--mscale-all-dim", "mscale_all" },
	{ "--norm-epsilon", "norm_epsilon" },
	{ "--init-method-std", "init_std" },
	{ "--moe-aux-loss-coeff", "aux_loss" },
	{ "--moe-z-loss-coeff", "z_loss" },
	{ "--moe-router-topk-scaling-factor", "routed_scaling" },
	{ "--moe-router-bias-update-rate", "bias_rate" },
	{ "--seed", "seed" },
	{ "--save-interval", "save_every" },
	{ "--eval-iters", "eval_iters" },
	{ "--eval-interval", "eval_every" },
	{ "--log-interval", "log_every" },
};

static const struct {
	const char *flag, *option;
} texts[] = {
	{ "--lr-decay-style", "lr_decay" },   { "--split", "split" }, { "--data-path", "data" },
	{ "--tokenizer-model", "tokenizer" }, { "--save", "save" },   { "--load", "load" },
	{ "--ckpt-format", "checkpoint" },
};

/* A text of the language; one that the script does not know is left to the script. */
static void write_text(struct megatron *m, const char *flag, const char *option)
{
	const struct megatron_arg *a = megatron_arg(m, flag);
	const struct shell_text *v = a && a->values.n == 1 ? &a->values.at[0] : NULL;
	struct out o;

	if (!a)
		return;
	if (!v || !shell_known(v)) {
		plan_text_comment(&m->w, "%s is left out: its value is not in the script.", flag);
		return;
	}
	out_init(&o, m->f.arena);
	for (uint32_t i = 0; i < v->n; i++) {
		if (strchr("\"\\{}", v->p[i]))
			out_char(&o, '\\');
		if ((unsigned char)v->p[i] >= 0x20)
			out_char(&o, v->p[i]);
	}
	plan_text_line(&m->w, SPAN_NONE, "%s = \"%.*s\"", option, (int)o.n, o.n ? o.p : "");
}

static bool is_launcher(const struct shell_text *flag)
{
	static const char *const words[] = { "--node_rank", "--node-rank", "--master_addr", "--master-addr",
					     "--master_port", "--master-port", "--rdzv" };

	for (size_t i = 0; i < PLAN_COUNT(words); i++)
		if (str_starts(shell_view(flag), words[i]))
			return true;
	return false;
}

/* Whether a word can stand in a line of `extra`, which is cut at blanks. */
static bool is_plain(const struct shell_text *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		if ((unsigned char)t->p[i] <= ' ' || strchr("\"\\{}", t->p[i]))
			return false;
	return t->n > 0 && shell_known(t);
}

static bool is_handed_on(const struct megatron_arg *a)
{
	bool plain = !a->used && is_plain(&a->flag) && !is_launcher(&a->flag) && str_starts(shell_view(&a->flag), "--");

	for (uint32_t i = 0; i < a->values.n; i++)
		plain = plain && is_plain(&a->values.at[i]);
	return plain;
}

/* Arguments without a field: they are written as they are, and the rules about them hold. */
static void write_extra(struct megatron *m)
{
	bool any = false;

	for (uint32_t i = 0; i < m->args.n; i++) {
		struct megatron_arg *a = &m->args.at[i];
		struct out line;

		if (!is_handed_on(a))
			continue;
		if (!any)
			plan_text_open(&m->w, SPAN_NONE, "extra = [");
		any = true;
		a->used = true;
		out_init(&line, m->f.arena);
		out_str(&line, shell_view(&a->flag));
		for (uint32_t k = 0; k < a->values.n; k++)
			out_printf(&line, " %.*s", (int)a->values.at[k].n, a->values.at[k].p);
		plan_text_line(&m->w, SPAN_NONE, "\"%.*s\",", (int)line.n, line.p);
	}
	if (any)
		plan_text_close(&m->w, "]");
}

static void write_emit(struct megatron *m)
{
	(void)megatron_has(m, "--mock-data");
	(void)megatron_has(m, "--log-throughput");
	(void)megatron_arg(m, "--tokenizer-type");
	plan_text_open(&m->w, SPAN_NONE, "emit megatron from pretrain to \"pretrain.sh\" {");
	for (size_t i = 0; i < PLAN_COUNT(options); i++)
		megatron_line(m, options[i].option, megatron_number(m, options[i].flag, NULL));
	for (size_t i = 0; i < PLAN_COUNT(texts); i++)
		write_text(m, texts[i].flag, texts[i].option);
	/* Megatron keeps checkpoints in torch_dist unless it is told otherwise. */
	if (megatron_has(m, "--use-megatron-fsdp") && !megatron_arg(m, "--ckpt-format"))
		megatron_line(m, "checkpoint", "\"torch_dist\"");
	if (megatron_has(m, "--use-torch-fsdp2"))
		megatron_line(m, "torch_fsdp2", "true");
	if (megatron_has(m, "--moe-router-pre-softmax"))
		megatron_line(m, "pre_softmax", "true");
	write_extra(m);
	plan_text_close(&m->w, "}");
}

void megatron_write_job(struct megatron *m)
{
	static const char *const node_flags[] = { "--nnodes", "--nodes", "-N", NULL };
	static const char *const gpu_flags[] = { "--nproc_per_node", "--nproc-per-node", "--gpus-per-node",
						 "--gres", "--ntasks-per-node", NULL };

	plan_text_open(&m->w, SPAN_NONE, "job pretrain {");
	megatron_line(m, "model", "trained");
	plan_text_line(&m->w, SPAN_NONE, "cluster = machines with { nodes = %s, gpus_per_node = %s }",
		       launched(m, "node_count", node_flags), launched(m, "node_gpus", gpu_flags));
	megatron_line(m, "strategy", "spread");
	write_optimizer(m);
	write_batch(m);
	plan_text_close(&m->w, "}");
	plan_text_blank(&m->w);
	write_emit(m);
}
