/* attention.c - the flags of attention: whole, in windows, latent, and linear layers in between. */
#include "runtime/import/megatron/megatron_int.h"

static const char *usual_head(struct megatron *m)
{
	return m->hidden > 0 && m->heads > 0 && m->hidden % m->heads == 0
		       ? plan_text_int(&m->w, m->hidden / m->heads)
		       : NULL;
}

/* Two numbers with a comma, keys before and behind the query; -1 is all of them. */
static void write_window(struct megatron *m)
{
	const struct shell_text *v = megatron_text(m, "--window-size");
	int64_t n = 0;
	uint32_t i = 0;

	if (!v)
		return;
	while (i < v->n && strchr("( ", v->p[i]))
		i++;
	for (; i < v->n && v->p[i] >= '0' && v->p[i] <= '9' && n < FOREIGN_MOST; i++)
		n = 10 * n + v->p[i] - '0';
	if (n > 0)
		plan_text_line(&m->w, SPAN_NONE, "window = %s", plan_text_int(&m->w, n));
	else
		megatron_refuse(m, v, "`--window-size` is `%.*s`; two numbers with a comma are expected, the "
				"first above 0", (int)(v->n > 40 ? 40 : v->n), v->p);
}

static void write_latent(struct megatron *m)
{
	megatron_line(m, "kind", "mla");
	megatron_need(m, "heads", "--num-attention-heads");
	megatron_line(m, "q_lora", megatron_int(m, "--q-lora-rank", 1, NULL));
	megatron_line(m, "kv_lora", megatron_int(m, "--kv-lora-rank", 1, "32"));
	megatron_line(m, "qk_nope", megatron_int(m, "--qk-head-dim", 1, "128"));
	megatron_line(m, "qk_rope", megatron_int(m, "--qk-pos-emb-head-dim", 1, "64"));
	megatron_line(m, "v_head", megatron_int(m, "--v-head-dim", 1, "128"));
	(void)megatron_arg(m, "--kv-channels");
	(void)megatron_has(m, "--qk-layernorm");
}

static void write_grouped(struct megatron *m)
{
	const char *head = megatron_int(m, "--kv-channels", 1, usual_head(m));
	bool grouped = megatron_has(m, "--group-query-attention");

	megatron_need(m, "heads", "--num-attention-heads");
	if (grouped)
		megatron_line(m, "kv_heads", megatron_int(m, "--num-query-groups", 1, "1"));
	else
		(void)megatron_arg(m, "--num-query-groups");
	if (head)
		megatron_line(m, "head", head);
	else
		plan_text_line(&m->w, SPAN_NONE, "head = %s / %s", megatron_int(m, "--hidden-size", 1, "1"),
			       megatron_int(m, "--num-attention-heads", 1, "1"));
	if (megatron_has(m, "--qk-layernorm"))
		megatron_line(m, "qk_norm", "true");
	if (megatron_has(m, "--attention-output-gate"))
		megatron_line(m, "gate", "true");
}

/* A small indexer picks the keys of each query. */
static void write_index(struct megatron *m)
{
	plan_text_open(&m->w, SPAN_NONE, "index {");
	megatron_need(m, "heads", "--dsa-indexer-n-heads");
	megatron_need(m, "head", "--dsa-indexer-head-dim");
	megatron_need(m, "top_k", "--dsa-indexer-topk");
	plan_text_close(&m->w, "}");
}

static void write_kind(struct megatron *m, bool latent)
{
	if (latent)
		write_latent(m);
	else
		write_grouped(m);
}

/* Gated delta nets, with what Megatron takes where a flag is absent. */
static void write_linear(struct megatron *m)
{
	plan_text_open(&m->w, SPAN_NONE, "local {");
	megatron_line(m, "kind", "linear");
	megatron_line(m, "heads", megatron_int(m, "--linear-num-value-heads", 1, "32"));
	megatron_line(m, "kv_heads", megatron_int(m, "--linear-num-key-heads", 1, "16"));
	megatron_line(m, "key_head", megatron_int(m, "--linear-key-head-dim", 1, "128"));
	megatron_line(m, "v_head", megatron_int(m, "--linear-value-head-dim", 1, "128"));
	megatron_line(m, "conv", megatron_int(m, "--linear-conv-kernel-dim", 1, "4"));
	plan_text_close(&m->w, "}");
	megatron_line(m, "full_every", megatron_int(m, "--linear-attention-freq", 1, NULL));
}

/* With --window-attn-skip-freq each n-th layer sees everything, the others the window. */
static void write_windowed(struct megatron *m, bool latent, const char *every)
{
	plan_text_open(&m->w, SPAN_NONE, "local {");
	write_kind(m, latent);
	write_window(m);
	plan_text_close(&m->w, "}");
	megatron_line(m, "full_every", every);
}

void megatron_write_attention(struct megatron *m)
{
	static const struct megatron_word variants[] = { { "dsa", "dsa" }, { "gated_delta_net", "linear" } };
	bool latent = megatron_has(m, "--multi-latent-attention");
	const char *every = megatron_int(m, "--window-attn-skip-freq", 1, NULL);
	const char *variant = megatron_choice(m, "--experimental-attention-variant", variants,
					      PLAN_COUNT(variants), "");

	plan_text_open(&m->w, SPAN_NONE, "attention {");
	write_kind(m, latent);
	if (!every)
		write_window(m);
	if (strcmp(variant, "dsa") == 0)
		write_index(m);
	plan_text_close(&m->w, "}");
	if (every)
		write_windowed(m, latent, every);
	else if (strcmp(variant, "linear") == 0)
		write_linear(m);
}
