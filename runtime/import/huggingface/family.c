/* family.c - the model_types that are known, and what each fixes by its code. */
#include "runtime/import/huggingface/huggingface_int.h"

#define OLD (HF_LAYERNORM | HF_BIAS_QKV | HF_BIAS_OUT | HF_BIAS_MLP)

static const struct hf_family families[] = {
	{ "bailing_moe", HF_GATED, 1, 0, 0, 0, 0 },
	{ "bailing_moe_v2", HF_GATED | HF_QK_NORM | HF_SIGMOID, 1, 0, 0, 0, 0 },
	{ "bloom", OLD | HF_TIED | HF_ALIBI | HF_FOURFOLD, 1, 0, 0, 0, 0 },
	{ "codegen", HF_LAYERNORM | HF_BIAS_MLP | HF_BIAS_HEAD | HF_PARALLEL | HF_FOURFOLD, 1, 0, 0, 0, 0 },
	{ "dbrx", HF_GATED | HF_LAYERNORM | HF_EXPERTS, 1, 0, 0, 0, 0 },
	{ "deepseek", HF_GATED, 1, 0, 0, 0, 0 },
	{ "deepseek_v2", HF_GATED | HF_LATENT, 1, 0, 0, 0, 0 },
	{ "deepseek_v3", HF_GATED | HF_LATENT | HF_SIGMOID, 1, 0, 0, 0, 0 },
	{ "ernie4_5", HF_GATED | HF_TIED, 1, 0, 0, 0, 0 },
	{ "ernie4_5_moe", HF_GATED | HF_TIED, 1, 0, 0, 0, 0 },
	{ "falcon", HF_LAYERNORM | HF_TIED | HF_PARALLEL | HF_FOURFOLD, 1, 0, 0, 0, 0 },
	{ "gemma", HF_GATED | HF_TIED, 1, 0, 0, 0, 0 },
	{ "gemma2", HF_GATED | HF_TIED | HF_BOTH_NORMS, 2, 0, 0, 0, 0 },
	{ "gemma3", HF_GATED | HF_TIED | HF_BOTH_NORMS | HF_QK_NORM, 6, 8, 4, 256, 262208 },
	{ "gemma3_text", HF_GATED | HF_TIED | HF_BOTH_NORMS | HF_QK_NORM, 6, 8, 4, 256, 262208 },
	{ "glm4_moe", HF_GATED | HF_QKV_KEY_ONLY | HF_SIGMOID, 1, 0, 0, 0, 0 },
	{ "gpt2", OLD | HF_TIED | HF_LEARNED | HF_FOURFOLD, 1, 0, 0, 0, 0 },
	{ "gpt_neox", OLD | HF_PARALLEL, 1, 0, 0, 0, 0 },
	{ "gpt_oss", HF_GATED | HF_BIAS_QKV | HF_BIAS_OUT | HF_BIAS_MLP, 2, 0, 0, 0, 0 },
	{ "kimi_k2", HF_GATED | HF_LATENT | HF_SIGMOID, 1, 0, 0, 0, 0 },
	{ "llama", HF_GATED, 1, 0, 0, 0, 0 },
	{ "llama4", HF_GATED | HF_SHARED_ONE | HF_SIGMOID, 4, 40, 8, 128, 202048 },
	{ "llama4_text", HF_GATED | HF_SHARED_ONE | HF_SIGMOID, 4, 40, 8, 128, 202048 },
	{ "minimax_m2", HF_GATED | HF_SIGMOID, 1, 0, 0, 0, 0 },
	{ "mistral", HF_GATED, 1, 0, 0, 0, 0 },
	{ "mistral3", HF_GATED, 1, 0, 0, 0, 0 },
	{ "mixtral", HF_GATED, 1, 0, 0, 0, 0 },
	{ "mpt", HF_TIED | HF_ALIBI | HF_FOURFOLD, 1, 0, 0, 0, 0 },
	{ "nemotron", HF_LAYERNORM, 1, 0, 0, 0, 0 },
	{ "olmo2", HF_GATED | HF_QK_NORM | HF_POST_NORMS, 1, 0, 0, 0, 0 },
	{ "olmoe", HF_GATED | HF_QK_NORM, 1, 0, 0, 0, 0 },
	{ "opt", OLD | HF_TIED | HF_LEARNED, 1, 0, 0, 0, 0 },
	{ "phi", OLD | HF_BIAS_HEAD | HF_PARALLEL, 1, 0, 0, 0, 0 },
	{ "phi3", HF_GATED, 1, 0, 0, 0, 0 },
	{ "phimoe", HF_GATED | HF_LAYERNORM, 1, 0, 0, 0, 0 },
	{ "qwen2", HF_GATED | HF_BIAS_QKV | HF_SWITCHED_WINDOW, 1, 0, 0, 0, 0 },
	{ "qwen2_moe", HF_GATED | HF_BIAS_QKV | HF_SWITCHED_WINDOW | HF_SHARED_GATE, 1, 0, 0, 0, 0 },
	{ "qwen3", HF_GATED | HF_QK_NORM | HF_SWITCHED_WINDOW, 1, 0, 0, 0, 0 },
	{ "qwen3_5_moe", HF_GATED | HF_QK_NORM | HF_GATE | HF_SHARED_GATE, 4, 0, 0, 0, 0 },
	{ "qwen3_5_moe_text", HF_GATED | HF_QK_NORM | HF_GATE | HF_SHARED_GATE, 4, 0, 0, 0, 0 },
	{ "qwen3_moe", HF_GATED | HF_QK_NORM | HF_SWITCHED_WINDOW, 1, 0, 0, 0, 0 },
	{ "qwen3_next", HF_GATED | HF_QK_NORM | HF_GATE | HF_SHARED_GATE, 4, 0, 0, 0, 0 },
	{ "smollm3", HF_GATED | HF_TIED | HF_SWITCHED_WINDOW, 1, 0, 0, 0, 0 },
};

const struct hf_family *hf_family_find(struct str type)
{
	for (size_t i = 0; i < PLAN_COUNT(families); i++)
		if (str_is(type, families[i].type))
			return &families[i];
	return NULL;
}

void hf_family_suggest(struct diag *d, struct arena *a, struct str type)
{
	struct suggestions s;
	struct out all;

	suggestions_init(&s, a, type);
	out_init(&all, a);
	for (size_t i = 0; i < PLAN_COUNT(families); i++) {
		suggestions_add(&s, str_of(families[i].type), false);
		out_printf(&all, "%s%s", i ? ", " : "", families[i].type);
	}
	diag_suggest(d, &s);
	diag_note(d, "known are %.*s", (int)all.n, all.p);
}
