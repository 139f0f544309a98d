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
	/* Megatron has no default for the limit (validate_args); it may stand in words that are not known. */
	if (m->strays.n == 0)
		megatron_need(m, "positions", "--max-position-embeddings");
	else
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
		*VEC_ADD(m->f.arena, &m->open) = (struct megatron_open){ .name = "vocab_size", .type = "int" };
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
	megatron_write_attention(m);
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
