/* experts.c - mixtures of experts in a config.json, and the layers that predict further tokens. */
#include "runtime/import/huggingface/huggingface_int.h"

#include <inttypes.h>

static const char expert_names[] = "n_routed_experts num_local_experts num_experts moe_num_experts";

bool hf_has_experts(struct hf *h)
{
	return hf_is(h, HF_EXPERTS) || taken_find(h->t, expert_names) != NULL;
}

/* dbrx keeps everything about its experts in ffn_config. */
static void write_inner(struct hf *h, const struct json *inner)
{
	static const struct {
		const char *field, *key;
	} rows[] = { { "experts", "moe_num_experts" }, { "top_k", "moe_top_k" },
		     { "ffn", "ffn_hidden_size" } };

	for (size_t i = 0; i < PLAN_COUNT(rows); i++) {
		const struct json *v = foreign_get(inner, rows[i].key);
		const struct foreign_field field = { .name = rows[i].key, .kind = FOREIGN_INT, .least = 1 };

		if (v && foreign_check_value(&h->f, v, &field)) {
			plan_text_line(&h->w, v->span, "%s = %s", rows[i].field,
				       plan_text_number(&h->w, v->number));
			continue;
		}
		if (!v)
			foreign_refuse(&h->f, inner->span, "`ffn_config` has no `%s`", rows[i].key);
		h->t->fine = false;
	}
}

static void write_routed(struct hf *h)
{
	bool twice = hf_is(h, HF_SHARED_ONE);

	hf_write_int(h, "experts", expert_names, 1);
	hf_write_int(h, "top_k", "num_experts_per_tok num_experts_per_token moe_k moe_top_k moe_topk", 1);
	hf_write_int(h, "ffn", twice ? "intermediate_size" : "moe_intermediate_size intermediate_size", 1);
}

/* One shared expert with a width of its own, or several as wide as the routed ones. */
static void write_shared(struct hf *h)
{
	const char *width = "shared_expert_intermediate_size moe_shared_expert_intermediate_size";
	const char *count = "n_shared_experts num_shared_experts moe_num_shared_experts";
	const struct json *v;

	if (hf_is(h, HF_SHARED_ONE) || ((v = taken_int(h->t, width, 0)) && num_sign(v->number) > 0 &&
					!foreign_get(h->t->object, "num_shared_experts"))) {
		plan_text_line(&h->w, h->t->object->span, "shared = 1");
		if (!hf_is(h, HF_SHARED_ONE))
			hf_write_int(h, "shared_ffn", width, 1);
	} else {
		hf_write_optional(h, "shared", count, 0);
	}
	if (hf_is(h, HF_SHARED_GATE))
		plan_text_line(&h->w, h->t->object->span, "shared_gate = true");
}

static void write_router(struct hf *h)
{
	const struct json *score = taken_text(h->t, "scoring_func score_function moe_router_score_function");
	const struct json *method = taken_text(h->t, "topk_method");
	bool sigmoid = score ? str_is(score->text, "sigmoid") : hf_is(h, HF_SIGMOID);
	struct span whole = h->t->object->span;

	if (score && !sigmoid && !str_is(score->text, "softmax")) {
		foreign_refuse(&h->f, score->span, "no score of a plan is \"%.*s\": softmax and sigmoid are",
			       (int)(score->text.n > 40 ? 40 : score->text.n), score->text.p);
		h->t->fine = false;
	}
	if (sigmoid)
		plan_text_line(&h->w, score ? score->span : whole, "score = sigmoid");
	if (taken_count(h->t, "n_group", 0, 1) > 1) {
		hf_write_int(h, "groups", "n_group", 1);
		hf_write_optional(h, "group_top_k", "topk_group", 1);
	} else {
		(void)taken_find(h->t, "topk_group");
	}
	if (method && str_is(method->text, "noaux_tc"))
		plan_text_line(&h->w, method->span, "expert_bias = true");
}

static const char first_names[] = "first_k_dense_replace moe_layer_start_index";

static int64_t step(struct hf *h)
{
	return taken_count(h->t, "decoder_sparse_step interleave_moe_layer_step moe_layer_freq "
			   "moe_layer_interval", 1, 1);
}

bool hf_is_mixture(struct hf *h, int64_t layer)
{
	const struct json *only = taken_list(h->t, "mlp_only_layers");
	int64_t first = taken_count(h->t, first_names, 0, 0), n;

	for (uint32_t i = 0; only && i < only->count; i++)
		if (only->items[i].kind == JSON_NUMBER && num_fits_int64(only->items[i].number, &n) && n == layer)
			return false;
	return hf_has_experts(h) && layer >= first && (layer - first + 1) % step(h) == 0;
}

/* Which layers are mixtures; mlp_only_layers is an exception list. */
static void write_places(struct hf *h)
{
	int64_t every = step(h);

	(void)taken_find(h->t, first_names);
	if (h->irregular)
		return;
	if (taken_count(h->t, first_names, 0, 0) > 0)
		hf_write_int(h, "first_dense", first_names, 0);
	if (every > 1)
		plan_text_line(&h->w, h->t->object->span, "every = %" PRIi64, every);
}

void hf_write_experts(struct hf *h)
{
	const struct json *inner = taken_object(h->t, "ffn_config");
	int64_t further = taken_count(h->t, "num_nextn_predict_layers mtp_num_hidden_layers", 0, 0);

	plan_text_open(&h->w, h->t->object->span, "moe {");
	if (inner)
		write_inner(h, inner);
	else
		write_routed(h);
	write_shared(h);
	write_places(h);
	write_router(h);
	plan_text_close(&h->w, "}");
	if (further > 0)
		plan_text_line(&h->w, foreign_span(h->t->object, "num_nextn_predict_layers"),
			       "mtp { depth = %" PRIi64 " }", further);
}
