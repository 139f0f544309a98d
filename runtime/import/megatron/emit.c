/* emit.c - the options of the target that writes the script again, and what the plan hands on as it is. */
#include "runtime/import/megatron/megatron_int.h"

/* Numbers; `absent` is Megatron's own where the target writes another one unasked. */
static const struct {
	const char *flag, *option, *absent;
} options[] = {
	{ "--train-iters", "iterations", NULL },
	{ "--train-samples", "train_samples", NULL },
	{ "--lr", "lr", NULL },
	{ "--min-lr", "min_lr", NULL },
	{ "--lr-warmup-iters", "warmup", NULL },
	{ "--lr-decay-iters", "decay_iters", NULL },
	{ "--weight-decay", "weight_decay", NULL },
	{ "--clip-grad", "clip", NULL },
	{ "--adam-beta1", "beta1", NULL },
	{ "--adam-beta2", "beta2", NULL },
	{ "--rotary-base", "rotary_base", NULL },
	{ "--rotary-percent", "rotary_percent", NULL },
	{ "--rope-scaling-factor", "rope_scaling", NULL },
	{ "--rotary-scaling-factor", "yarn_scaling", NULL },
	{ "--mscale", "mscale", NULL },
	{ "--mscale-all-dim", "mscale_all", NULL },
	{ "--norm-epsilon", "norm_epsilon", NULL },
	{ "--init-method-std", "init_std", NULL },
	{ "--moe-aux-loss-coeff", "aux_loss", NULL },
	{ "--moe-z-loss-coeff", "z_loss", NULL },
	{ "--moe-router-topk-scaling-factor", "routed_scaling", NULL },
	{ "--moe-router-bias-update-rate", "bias_rate", NULL },
	{ "--seed", "seed", NULL },
	{ "--save-interval", "save_every", NULL },
	{ "--eval-iters", "eval_iters", "100" },
	{ "--eval-interval", "eval_every", NULL },
	{ "--log-interval", "log_every", "100" },
};

/* Texts; where a flag is absent the target writes another one than Megatron has, this is what stands for it. */
static const struct {
	const char *flag, *option, *absent;
} texts[] = {
	{ "--lr-decay-style", "lr_decay", "\"linear\"" },
	{ "--split", "split", "none" },
	{ "--tokenizer-type", "tokenizer_type", "none" },
	{ "--tokenizer-model", "tokenizer", NULL },
	{ "--save", "save", NULL },
	{ "--load", "load", NULL },
	{ "--ckpt-format", "checkpoint", NULL },
};

bool megatron_inside(const struct megatron *m, struct out *o, const struct shell_text *v)
{
	for (uint32_t i = 0; i < v->n; i++) {
		struct str name;

		if (v->p[i] == SHELL_UNKNOWN) {
			name = shell_outside(m->sources, &m->script, v->at[i]);
			if (name.n == 0)
				return false;
			out_printf(o, "$\\{%.*s\\}", (int)name.n, name.p);
			continue;
		}
		if (strchr("\"\\{}", v->p[i]))
			out_char(o, '\\');
		if ((unsigned char)v->p[i] >= 0x20)
			out_char(o, v->p[i]);
	}
	return true;
}

/* A text of a flag in quotes; one that is not known is asked for. */
static const char *text_of(struct megatron *m, const char *flag, const struct shell_text *v)
{
	struct out o;

	out_init(&o, m->f.arena);
	out_char(&o, '"');
	if (!megatron_inside(m, &o, v))
		return megatron_ask(m, flag, v, "string");
	out_text(&o, "\"");
	out_char(&o, '\0');
	return o.p;
}

static void write_text(struct megatron *m, const char *flag, const char *option, const char *absent)
{
	const struct megatron_arg *a = megatron_arg(m, flag);

	if (!a)
		megatron_line(m, option, absent);
	else if (a->values.n == 1)
		megatron_line(m, option, text_of(m, flag, &a->values.at[0]));
	else
		megatron_refuse(m, &a->flag, "`%s` takes one value", flag);
}

/* One data set, or a list with weights. */
static void write_data(struct megatron *m)
{
	const struct megatron_arg *a = megatron_arg(m, "--data-path");
	bool mock = megatron_has(m, "--mock-data");
	struct out o;

	if (!a) {
		if (!mock)
			megatron_line(m, "mock", "false");
		return;
	}
	if (a->values.n == 1) {
		megatron_line(m, "data", text_of(m, "--data-path", &a->values.at[0]));
		return;
	}
	out_init(&o, m->f.arena);
	for (uint32_t i = 0; i < a->values.n; i++) {
		const struct shell_text *v = &a->values.at[i];

		/* Unknown words behind known ones could be other arguments. */
		if (i > 0 && !shell_known(v) && shell_known(&a->values.at[0]))
			*VEC_ADD(m->f.arena, &m->strays) = *v;
		else
			out_printf(&o, "%s%s", i > 0 ? ", " : "", text_of(m, "--data-path", v));
	}
	plan_text_line(&m->w, SPAN_NONE, "blend = [%.*s]", (int)o.n, o.n ? o.p : "");
}

/* ---- what the target has no option for ------------------------------------------------------- */

/* "--flag value value"; false for words that are unknown, or that `extra` would cut. */
static bool out_argument(const struct megatron *m, struct out *o, const struct megatron_arg *a)
{
	if (!megatron_inside(m, o, &a->flag))
		return false;
	for (uint32_t i = 0; i < a->values.n; i++) {
		const struct shell_text *v = &a->values.at[i];

		out_char(o, ' ');
		if (v->n == 0 || memchr(v->p, ' ', v->n) || !megatron_inside(m, o, v))
			return false;
	}
	return true;
}

/* Among bare arguments the launcher's stand with the others. */
static bool is_launcher(const struct shell_text *flag)
{
	static const char *const words[] = { "--node_rank", "--node-rank", "--master_addr", "--master-addr",
					     "--master_port", "--master-port", "--rdzv" };

	for (size_t i = 0; i < PLAN_COUNT(words); i++)
		if (str_starts(shell_view(flag), words[i]))
			return true;
	return !str_starts(shell_view(flag), "--");
}

/* Arguments that nobody read are handed on as they are, and the rules about them hold. */
static void write_extra(struct megatron *m)
{
	struct plan_words lost;
	bool any = false;

	for (uint32_t i = 0; i < m->args.n; i++) {
		struct megatron_arg *a = &m->args.at[i];
		struct out o;

		out_init(&o, m->f.arena);
		if (a->used || is_launcher(&a->flag) || !out_argument(m, &o, a))
			continue;
		if (!any)
			plan_text_open(&m->w, SPAN_NONE, "extra = [");
		any = a->used = true;
		plan_text_line(&m->w, SPAN_NONE, "\"%.*s\",", (int)o.n, o.p);
	}
	if (any)
		plan_text_close(&m->w, "]");
	plan_words_init(&lost, &m->w, "Left out, for their values are not in the script:");
	for (uint32_t i = 0; i < m->args.n; i++)
		if (!m->args.at[i].used && !is_launcher(&m->args.at[i].flag))
			plan_words_add(&lost, shell_view(&m->args.at[i].flag));
	plan_words_end(&lost);
}

/* "1 1 2" as a list. */
static void write_sections(struct megatron *m)
{
	const struct megatron_arg *a = megatron_arg(m, "--mrope-section");
	struct out o;

	if (!a)
		return;
	out_init(&o, m->f.arena);
	for (uint32_t i = 0; i < a->values.n; i++) {
		const struct shell_text *v = &a->values.at[i];

		for (uint32_t k = 0; k < v->n; k++)
			if (v->p[k] < '0' || v->p[k] > '9') {
				megatron_refuse(m, v, "`--mrope-section` takes known numbers");
				return;
			}
		out_printf(&o, "%s%.*s", i > 0 ? ", " : "", (int)v->n, v->p);
	}
	plan_text_line(&m->w, SPAN_NONE, "mrope_section = [%.*s]", (int)o.n, o.n ? o.p : "");
}

/* The framework's own choice is no kernel of a plan. */
static void write_backend(struct megatron *m)
{
	const struct shell_text *v = megatron_text(m, "--attention-backend");

	if (!v)
		megatron_line(m, "attention_backend", "none");
	else if (str_is(shell_view(v), "auto") || str_is(shell_view(v), "local"))
		plan_text_line(&m->w, SPAN_NONE, "attention_backend = \"%.*s\"", (int)v->n, v->p);
}

static bool is_narrow(struct megatron *m, const char *flag)
{
	const struct megatron_arg *a = megatron_arg(m, flag);

	return a && a->values.n > 0 && !str_is(shell_view(&a->values.at[0]), "fp32");
}

/* The target asks for it by itself where states are narrow or on the host. */
static bool is_aware_alone(struct megatron *m)
{
	return megatron_arg(m, "--use-precision-aware-optimizer") && !megatron_arg(m, "--optimizer-cpu-offload") &&
	       !is_narrow(m, "--main-params-dtype") && !is_narrow(m, "--exp-avg-dtype") &&
	       !is_narrow(m, "--exp-avg-sq-dtype");
}

void megatron_write_emit(struct megatron *m)
{
	bool scaled = megatron_has(m, "--use-rope-scaling");

	(void)megatron_has(m, "--log-throughput");
	plan_text_open(&m->w, SPAN_NONE, "emit megatron from pretrain to \"pretrain.sh\" {");
	for (size_t i = 0; i < PLAN_COUNT(options); i++)
		megatron_line(m, options[i].option, megatron_number(m, options[i].flag, options[i].absent));
	for (size_t i = 0; i < PLAN_COUNT(texts); i++)
		write_text(m, texts[i].flag, texts[i].option, texts[i].absent);
	write_data(m);
	/* Megatron's own factor. */
	if (scaled && !megatron_arg(m, "--rope-scaling-factor"))
		megatron_line(m, "rope_scaling", "8");
	write_sections(m);
	write_backend(m);
	if (!megatron_arg(m, "--vocab-size"))
		megatron_line(m, "vocabulary", "false");
	if (megatron_arg(m, "--num-layers-per-virtual-pipeline-stage"))
		megatron_line(m, "layers_per_virtual_stage", "true");
	if (m->virtual_one)
		megatron_line(m, "virtual_one", "true");
	if (is_aware_alone(m))
		megatron_line(m, "precision_aware", "true");
	/* It does the sharding even where no weights are cut. */
	if (megatron_arg(m, "--use-megatron-fsdp") || megatron_arg(m, "--use-custom-fsdp"))
		megatron_line(m, "fsdp", "true");
	/* Megatron keeps checkpoints in torch_dist unless it is told otherwise. */
	if (megatron_arg(m, "--use-megatron-fsdp") && !megatron_arg(m, "--ckpt-format"))
		megatron_line(m, "checkpoint", "\"torch_dist\"");
	if (megatron_has(m, "--moe-router-pre-softmax"))
		megatron_line(m, "pre_softmax", "true");
	else if (megatron_count(m, "--moe-router-topk") == 1)
		megatron_line(m, "pre_softmax", "false");
	if (megatron_has(m, "--use-torch-fsdp2"))
		megatron_line(m, "torch_fsdp2", "true");
	megatron_write_environment(m);
	write_extra(m);
	plan_text_close(&m->w, "}");
}
