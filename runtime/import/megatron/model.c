/* model.c - the flags of a model as a record of schema `model`. */
#include "runtime/import/megatron/megatron_int.h"

#include <inttypes.h>

/* Megatron's own width where --ffn-hidden-size is absent. */
static const char *usual_ffn(struct megatron *m, bool swiglu)
{
	if (m->hidden == 0)
		return NULL;
	return plan_text_int(&m->w, swiglu ? 4 * m->hidden * 2 / 3 / 64 * 64 : 4 * m->hidden);
}

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

/* With --window-attn-skip-freq each n-th layer sees everything, the others the window. */
static void write_attention(struct megatron *m)
{
	bool latent = megatron_has(m, "--multi-latent-attention");
	const char *every = megatron_int(m, "--window-attn-skip-freq", 1, NULL);

	plan_text_open(&m->w, SPAN_NONE, "attention {");
	if (latent)
		write_latent(m);
	else
		write_grouped(m);
	if (!every)
		write_window(m);
	plan_text_close(&m->w, "}");
	if (!every)
		return;
	plan_text_open(&m->w, SPAN_NONE, "local {");
	if (latent)
		write_latent(m);
	else
		write_grouped(m);
	write_window(m);
	plan_text_close(&m->w, "}");
	megatron_line(m, "full_every", every);
}

static const char *activation(struct megatron *m)
{
	bool swiglu = megatron_has(m, "--swiglu"), geglu = megatron_has(m, "--quick-geglu");

	if (megatron_has(m, "--squared-relu"))
		return "squared_relu";
	return swiglu ? "swiglu" : geglu ? "geglu" : "gelu";
}

static void write_position(struct megatron *m)
{
	static const struct megatron_word kinds[] = {
		{ "learned_absolute", "learned" }, { "rope", "rope" },	     { "mrope", "mrope" },
		{ "yarn", "yarn" },		   { "relative", "relative" }, { "none", "off" },
	};
	static const struct megatron_word types[] = { { "rope", "rope" }, { "yarn", "yarn" } };
	const char *latent = megatron_arg(m, "--multi-latent-attention") ? "yarn" : NULL;
	const char *type = megatron_choice(m, "--rope-type", types, PLAN_COUNT(types), latent);
	const char *kind = megatron_choice(m, "--position-embedding-type", kinds, PLAN_COUNT(kinds), "learned");

	if (megatron_has(m, "--use-rotary-position-embeddings"))
		kind = "rope";
	if (megatron_has(m, "--no-position-embedding") && strcmp(kind, "learned") == 0)
		kind = "off";
	if (type && strcmp(kind, "rope") == 0)
		kind = type;
	megatron_line(m, "position", kind);
	megatron_line(m, "positions", megatron_int(m, "--max-position-embeddings", 1, NULL));
}

static void write_bias(struct megatron *m)
{
	bool none = megatron_has(m, "--disable-bias-linear"), qkv = megatron_has(m, "--add-qkv-bias");

	if (!none)
		megatron_line(m, "bias", "[qkv, attention, mlp]");
	else if (qkv)
		megatron_line(m, "bias", "[qkv]");
}

/* Dropout of attention and of hidden states is one number in a plan; Megatron's default is 0.1 for both. */
static void write_dropout(struct megatron *m)
{
	const char *hidden = megatron_number(m, "--hidden-dropout", "0.1");
	const char *attention = megatron_number(m, "--attention-dropout", "0.1");

	if (strcmp(hidden, attention) != 0)
		plan_text_comment(&m->w, "--attention-dropout is %s: a plan has one number for both.", attention);
	megatron_line(m, "dropout", hidden);
}

static void write_vocabulary(struct megatron *m)
{
	const char *vocab = megatron_int(m, "--vocab-size", 1, NULL);

	(void)megatron_arg(m, "--padded-vocab-size");
	if (!vocab) {
		/* It comes with the tokenizer, which is not read. */
		*VEC_ADD(m->f.arena, &m->open) = (struct megatron_open){ .name = "vocab_size", .whole = true };
		vocab = "vocab_size";
	}
	megatron_line(m, "vocab", vocab);
	megatron_line(m, "vocab_multiple", megatron_int(m, "--make-vocab-size-divisible-by", 1, NULL));
}

static void write_further(struct megatron *m)
{
	const char *depth = megatron_int(m, "--mtp-num-layers", 0, NULL);
	const char *weight = megatron_number(m, "--mtp-loss-scaling-factor", NULL);

	if (!depth)
		return;
	plan_text_open(&m->w, SPAN_NONE, "mtp {");
	megatron_line(m, "depth", depth);
	megatron_line(m, "loss_weight", weight);
	if (megatron_has(m, "--mtp-use-repeated-layer"))
		megatron_line(m, "shared", "true");
	plan_text_close(&m->w, "}");
}

void megatron_write_model(struct megatron *m)
{
	static const struct megatron_word norms[] = { { "LayerNorm", "layernorm" }, { "RMSNorm", "rmsnorm" } };
	const char *active = activation(m), *ffn;

	m->hidden = megatron_count(m, "--hidden-size");
	m->heads = megatron_count(m, "--num-attention-heads");
	m->layers = megatron_count(m, "--num-layers");
	plan_text_open(&m->w, SPAN_NONE, "model trained {");
	megatron_need(m, "layers", "--num-layers");
	megatron_need(m, "hidden", "--hidden-size");
	ffn = megatron_int(m, "--ffn-hidden-size", 1, usual_ffn(m, strcmp(active, "swiglu") == 0));
	m->ffn = ffn;
	if (ffn)
		megatron_line(m, "ffn", ffn);
	else
		megatron_need(m, "ffn", "--ffn-hidden-size");
	write_vocabulary(m);
	write_attention(m);
	if (megatron_arg(m, "--num-experts"))
		megatron_write_experts(m);
	write_further(m);
	megatron_line(m, "activation", active);
	megatron_line(m, "norm", megatron_choice(m, "--normalization", norms, PLAN_COUNT(norms), "layernorm"));
	megatron_line(m, "tied", megatron_has(m, "--untie-embeddings-and-output-weights") ? "false" : "true");
	write_position(m);
	write_bias(m);
	write_dropout(m);
	if (megatron_has(m, "--enable-mhc-connections"))
		megatron_line(m, "streams", megatron_int(m, "--mhc-num-residual-streams", 1, "4"));
	plan_text_close(&m->w, "}");
}
