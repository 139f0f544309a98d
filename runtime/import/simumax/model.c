/* model.c - SimuMax's model file (its class ModelConfig) as a record of schema `model`. */
#include "runtime/import/simumax/simumax_int.h"

#include <inttypes.h>

static const char *const types[] = { "dense", "moe", NULL };
static const char *const attentions[] = { "mha", "gqa", "mqa", "mla", NULL };
static const char *const group_modes[] = { "parallel", "serial", NULL };

static const struct foreign_field fields[] = {
	{ "model_type", FOREIGN_TEXT, FOREIGN_NULLABLE, 0, 0, types },
	{ "model_name", FOREIGN_TEXT, FOREIGN_NULLABLE, 0, 0, NULL },
	{ "hidden_size", FOREIGN_INT, FOREIGN_REQUIRED, 1, 0, NULL },
	{ "head_num", FOREIGN_INT, FOREIGN_REQUIRED, 1, 0, NULL },
	{ "kv_head_num", FOREIGN_INT, FOREIGN_REQUIRED, 1, 0, NULL },
	{ "head_size", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "intermediate_size", FOREIGN_INT, FOREIGN_REQUIRED, 1, 0, NULL },
	{ "layer_num", FOREIGN_INT, FOREIGN_REQUIRED, 1, 1000000, NULL },
	{ "vocab_size", FOREIGN_INT, FOREIGN_REQUIRED, 1, 0, NULL },
	{ "orig_vocab_size", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "make_vocab_size_divisible_by", FOREIGN_INT, 0, 1, 0, NULL },
	{ "padded_vocab_size", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "use_swiglu", FOREIGN_BOOL, FOREIGN_NULLABLE, 0, 0, NULL },
	{ "expert_num", FOREIGN_INT, 0, 1, 0, NULL },
	{ "topk", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "attention_type", FOREIGN_TEXT, 0, 0, 0, attentions },
	{ "moe_ffn_hidden_size", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "moe_shared_expert_intermediate_size", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "v_head_dim", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "qk_head_dim", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "qk_pos_emb_head_dim", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "q_lora_rank", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "kv_lora_rank", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "dense_layers", FOREIGN_INT, 0, 0, 0, NULL },
	{ "moe_pad_expert_input_to_capacity", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "capacity", FOREIGN_NUMBER, FOREIGN_ABOVE, 0, 0, NULL },
	{ "group_linear_mode", FOREIGN_TEXT, 0, 0, 0, group_modes },
};

/* Fields that only some models have, and are needed there. */
static bool need(struct foreign *f, const struct json *model, const char *key, const char *whose)
{
	if (foreign_get(model, key))
		return true;
	foreign_refuse(f, foreign_span(model, key), "%s needs `%s`", whose, key);
	return false;
}

static bool check_attention(struct foreign *f, const struct json *model)
{
	static const char *const latent[] = { "v_head_dim", "qk_head_dim", "qk_pos_emb_head_dim",
					      "kv_lora_rank" };
	bool fine = true;

	if (!foreign_text_is(model, "attention_type", "mla")) {
		for (size_t i = 0; i < PLAN_COUNT(latent); i++)
			if (foreign_get(model, latent[i]))
				foreign_ignore(f, latent[i], foreign_span(model, latent[i]));
		if (foreign_get(model, "q_lora_rank"))
			foreign_ignore(f, "q_lora_rank", foreign_span(model, "q_lora_rank"));
		return need(f, model, "head_size", "a model without latent attention");
	}
	for (size_t i = 0; i < PLAN_COUNT(latent); i++)
		fine = need(f, model, latent[i], "latent attention (mla)") && fine;
	if (foreign_int(model, "head_num", 0) != foreign_int(model, "kv_head_num", 0)) {
		foreign_refuse(
			f, foreign_span(model, "kv_head_num"),
			"`kv_head_num` is %" PRIi64 ", but latent attention has one key per query "
			"head: %" PRIi64,
			foreign_int(model, "kv_head_num", 0), foreign_int(model, "head_num", 0));
		fine = false;
	}
	return fine;
}

static bool check_experts(struct foreign *f, const struct json *model)
{
	static const char *const unread[] = { "topk",
					      "dense_layers",
					      "capacity",
					      "moe_shared_expert_intermediate_size",
					      "moe_pad_expert_input_to_capacity",
					      "moe_ffn_hidden_size" };
	int64_t experts = foreign_int(model, "expert_num", 1);
	bool fine = true;

	if (foreign_get(model, "model_type") &&
	    foreign_text_is(model, "model_type", "moe") != (experts > 1)) {
		foreign_refuse(f, foreign_span(model, "model_type"),
			       "`model_type` and `expert_num` = %" PRIi64 " contradict each other",
			       experts);
		fine = false;
	}
	if (experts > 1)
		return need(f, model, "topk", "a model with experts") && fine;
	for (size_t i = 0; i < PLAN_COUNT(unread); i++)
		if (foreign_get(model, unread[i]))
			foreign_ignore(f, unread[i], foreign_span(model, unread[i]));
	return fine;
}

bool simumax_check_model(struct foreign *f, const struct json *model)
{
	bool fine = foreign_check(f, model, "the model", fields, PLAN_COUNT(fields), false);

	if (!fine)
		return false;
	fine = check_attention(f, model);
	return check_experts(f, model) && fine;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* `field = N` from a key that is there. */
static void write_int(struct simumax *s, const char *field, const char *key)
{
	const struct json *v = foreign_get(s->model, key);

	if (v)
		plan_text_line(&s->w, v->span, "%s = %s", field,
			       plan_text_number(&s->w, v->number));
}

static void write_attention(struct simumax *s)
{
	const struct json *m = s->model;

	plan_text_open(&s->w, foreign_span(m, "attention_type"), "attention {");
	write_int(s, "heads", "head_num");
	if (foreign_text_is(m, "attention_type", "mla")) {
		plan_text_line(&s->w, foreign_span(m, "attention_type"), "kind = mla");
		write_int(s, "q_lora", "q_lora_rank");
		write_int(s, "kv_lora", "kv_lora_rank");
		write_int(s, "qk_nope", "qk_head_dim");
		write_int(s, "qk_rope", "qk_pos_emb_head_dim");
		write_int(s, "v_head", "v_head_dim");
	} else {
		write_int(s, "kv_heads", "kv_head_num");
		write_int(s, "head", "head_size");
	}
	if (foreign_get(s->strategy, "attention_sparse_ratio"))
		plan_text_line(
			&s->w, foreign_span(s->strategy, "attention_sparse_ratio"), "sparsity = %s",
			plan_text_number(&s->w,
					 foreign_number(s->strategy, "attention_sparse_ratio", 0)));
	plan_text_close(&s->w, "}");
}

/* SimuMax pads every expert to its share of the tokens unless told otherwise. */
static void write_experts(struct simumax *s)
{
	const struct json *m = s->model;

	plan_text_open(&s->w, foreign_span(m, "expert_num"), "moe {");
	write_int(s, "experts", "expert_num");
	write_int(s, "top_k", "topk");
	write_int(s, "ffn",
		  foreign_get(m, "moe_ffn_hidden_size") ? "moe_ffn_hidden_size"
							: "intermediate_size");
	if (foreign_get(m, "moe_shared_expert_intermediate_size")) {
		plan_text_line(&s->w, foreign_span(m, "moe_shared_expert_intermediate_size"),
			       "shared = 1");
		write_int(s, "shared_ffn", "moe_shared_expert_intermediate_size");
	}
	write_int(s, "first_dense", "dense_layers");
	plan_text_line(&s->w, foreign_span(m, "capacity"), "capacity = %s",
		       plan_text_number(&s->w, foreign_number(m, "capacity", 1)));
	plan_text_line(&s->w, foreign_span(m, "moe_pad_expert_input_to_capacity"), "pad = %s",
		       foreign_bool(m, "moe_pad_expert_input_to_capacity", true) ? "true"
										 : "false");
	plan_text_close(&s->w, "}");
}

void simumax_write_model(struct simumax *s)
{
	const struct json *m = s->model;
	bool padded = foreign_bool(m, "padded_vocab_size", true);

	plan_text_open(&s->w, foreign_span(m, "model_name"), "model %s {", s->model_name);
	write_int(s, "layers", "layer_num");
	write_int(s, "hidden", "hidden_size");
	write_int(s, "ffn", "intermediate_size");
	write_int(s, "vocab",
		  padded && foreign_get(m, "orig_vocab_size") ? "orig_vocab_size" : "vocab_size");
	write_int(s, "vocab_multiple", "make_vocab_size_divisible_by");
	if (foreign_get(m, "padded_vocab_size"))
		plan_text_line(&s->w, foreign_span(m, "padded_vocab_size"), "pad_vocab = %s",
			       padded ? "true" : "false");
	plan_text_line(&s->w, foreign_span(m, "use_swiglu"), "activation = %s",
		       foreign_bool(m, "use_swiglu", false) ? "swiglu" : "gelu");
	if (foreign_bool(s->strategy, "enable_dropout", false))
		plan_text_line(&s->w, foreign_span(s->strategy, "enable_dropout"),
			       "dropout = 10%%");
	write_attention(s);
	if (foreign_int(m, "expert_num", 1) > 1)
		write_experts(s);
	plan_text_close(&s->w, "}");
}
