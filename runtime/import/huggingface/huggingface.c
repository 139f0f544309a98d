/* huggingface.c - a config.json of Hugging Face's transformers as a record of schema `model`. */
#include "runtime/import/huggingface/huggingface_int.h"

#include <inttypes.h>

#include "runtime/import/importer.h"

void hf_write_optional(struct hf *h, const char *field, const char *names, int64_t least)
{
	const struct json *v = taken_int(h->t, names, least);

	int64_t n;

	if (v && num_fits_int64(v->number, &n))
		plan_text_line(&h->w, v->span, "%s = %s", field, plan_text_int(&h->w, n));
}

void hf_write_int(struct hf *h, const char *field, const char *names, int64_t least)
{
	if (!taken_find(h->t, names))
		taken_miss(h->t, names);
	hf_write_optional(h, field, names, least);
}

/* An int that the rest of the reader counts with. */
static int64_t needed(struct hf *h, const char *names, int64_t otherwise)
{
	if (otherwise == 0 && !taken_find(h->t, names))
		taken_miss(h->t, names);
	return taken_count(h->t, names, 1, otherwise > 0 ? otherwise : 1);
}

/* ---- parts of the record --------------------------------------------------------------------- */

static const char hidden_names[] = "hidden_size n_embd d_model";
static const char layer_names[] = "num_hidden_layers n_layer n_layers num_layers";
static const char head_names[] = "num_attention_heads n_head n_heads";
static const char kv_names[] = "num_key_value_heads num_kv_heads kv_n_heads";

/* dbrx and mpt keep the key/value heads one object further in. */
static const struct json *inner_int(struct hf *h, const char *object, const char *name)
{
	const struct json *inner = taken_object(h->t, object);
	const struct json *v = inner ? foreign_get(inner, name) : NULL;
	const struct foreign_field field = { .name = name, .kind = FOREIGN_INT, .least = 1 };

	if (v && !foreign_check_value(&h->f, v, &field)) {
		h->t->fine = false;
		return NULL;
	}
	return v;
}

/* falcon says one key/value head by multi_query, and means num_kv_heads with its newer decoder only. */
static int64_t key_value_heads(struct hf *h)
{
	const struct json *inner = inner_int(h, "attn_config", "kv_n_heads");
	int64_t n, usual = h->family->kv_heads > 0 ? h->family->kv_heads : h->heads;
	bool falcon = strcmp(h->family->type, "falcon") == 0;

	if (inner && num_fits_int64(inner->number, &n))
		return n;
	n = taken_count(h->t, kv_names, 1, usual);
	if (falcon && !taken_bool(h->t, "new_decoder_architecture", false))
		n = taken_bool(h->t, "multi_query", true) ? 1 : h->heads;
	return n;
}

/* The width of a dense network. llama4 calls that of its dense layers intermediate_size_mlp. */
static void write_ffn(struct hf *h)
{
	bool twice = h->family->traits & HF_SHARED_ONE;
	const char *names = twice ? "intermediate_size_mlp" :
				    "intermediate_size ffn_dim n_inner ffn_hidden_size";
	const struct json *ratio = taken_number(h->t, "expansion_ratio", 1);

	if (taken_find(h->t, names)) {
		hf_write_int(h, "ffn", names, 1);
		return;
	}
	if (ratio) {
		plan_text_line(&h->w, ratio->span, "ffn = %s * %" PRIi64,
			       plan_text_number(&h->w, ratio->number), h->hidden);
		return;
	}
	if (hf_is(h, HF_FOURFOLD))
		plan_text_line(&h->w, h->t->object->span, "ffn = %s",
			       plan_text_int(&h->w, 4 * h->hidden));
	else if (!hf_has_experts(h))
		taken_miss(h->t, names);
}

/* silu and swish gate into swiglu, every spelling of gelu into geglu. */
static void write_activation(struct hf *h)
{
	const struct json *v = taken_text(h->t, "hidden_activation hidden_act activation_function activation");
	bool gated = hf_is(h, HF_GATED);
	const char *usual = str_starts(str_of(h->family->type), "gemma") ? "geglu" : "swiglu";
	const char *name = gated ? usual : "gelu";

	if (v && gated && (str_is(v->text, "silu") || str_is(v->text, "swish")))
		name = "swiglu";
	else if (v && str_starts(v->text, "gelu"))
		name = gated ? "geglu" : "gelu";
	else if (v && !gated && str_is(v->text, "relu"))
		name = "relu";
	else if (v && !gated && str_is(v->text, "relu2"))
		name = "squared_relu";
	else if (v) {
		foreign_refuse(&h->f, v->span, "no activation of a plan is \"%.*s\" %s",
			       (int)(v->text.n > 40 ? 40 : v->text.n), v->text.p,
			       gated ? "with a gate" : "without a gate");
		h->t->fine = false;
	}
	if (strcmp(name, "swiglu") != 0)
		plan_text_line(&h->w, v ? v->span : h->t->object->span, "activation = %s", name);
}

static void write_norm(struct hf *h)
{
	struct span whole = h->t->object->span;

	if (hf_is(h, HF_LAYERNORM))
		plan_text_line(&h->w, whole, "norm = layernorm");
	if (hf_is(h, HF_BOTH_NORMS))
		plan_text_line(&h->w, whole, "norm_place = both");
	if (hf_is(h, HF_POST_NORMS))
		plan_text_line(&h->w, whole, "norm_place = post");
	(void)taken_find(h->t, "rms_norm_eps layer_norm_eps layer_norm_epsilon norm_eps norm_epsilon");
}

static void add_site(struct out *o, bool there, const char *site)
{
	if (there)
		out_printf(o, "%s%s", o->n ? ", " : "", site);
}

static void write_bias(struct hf *h)
{
	bool all = taken_bool(h->t, "use_bias bias", false);
	bool both = taken_bool(h->t, "attention_bias", false) || all;
	bool qkv = taken_bool(h->t, "qkv_bias add_qkv_bias", hf_is(h, HF_BIAS_QKV));
	struct out sites;

	out_init(&sites, h->f.arena);
	add_site(&sites, qkv || both, "qkv");
	add_site(&sites, hf_is(h, HF_BIAS_OUT) || (both && !hf_is(h, HF_QKV_KEY_ONLY)), "attention");
	add_site(&sites, taken_bool(h->t, "mlp_bias", hf_is(h, HF_BIAS_MLP)) || all, "mlp");
	add_site(&sites, taken_bool(h->t, "lm_head_bias", hf_is(h, HF_BIAS_HEAD)), "head");
	if (sites.n > 0)
		plan_text_line(&h->w, h->t->object->span, "bias = [%.*s]", (int)sites.n, sites.p);
}

static void write_position(struct hf *h)
{
	bool alibi = taken_bool(h->t, "alibi", hf_is(h, HF_ALIBI));
	const struct json *scaling = taken_object(h->t, "rope_scaling rope_parameters");
	const struct json *kind = scaling ? foreign_get(scaling, "type") : NULL;

	if (scaling && !kind)
		kind = foreign_get(scaling, "rope_type");
	(void)taken_find(h->t, "rope_theta rotary_emb_base");
	if (hf_is(h, HF_LEARNED))
		plan_text_line(&h->w, h->t->object->span, "position = learned");
	else if (alibi)
		plan_text_line(&h->w, h->t->object->span, "position = alibi");
	else if (kind && kind->kind == JSON_STRING && str_is(kind->text, "yarn"))
		plan_text_line(&h->w, kind->span, "position = yarn");
	hf_write_optional(h, "positions", "max_position_embeddings n_positions max_seq_len n_ctx seq_length", 1);
	(void)taken_find(h->t, "n_ctx");
}

/* Tying stands in the file itself also where the language model is a part of it. */
static void write_tied(struct hf *h)
{
	const char *name = "tie_word_embeddings";
	bool inner = taken_bool(h->t, name, hf_is(h, HF_TIED));
	bool tied = h->t == &h->outer || foreign_get(h->t->object, name)
			    ? inner
			    : taken_bool(&h->outer, name, inner);

	if (tied)
		plan_text_line(&h->w, foreign_span(h->t->object, name), "tied = true");
}

static void write_parallel(struct hf *h)
{
	bool parallel = hf_is(h, HF_PARALLEL);

	parallel = taken_bool(h->t, "use_parallel_residual", parallel);
	if (strcmp(h->family->type, "falcon") == 0)
		parallel = taken_bool(h->t, "parallel_attn", true);
	if (parallel)
		plan_text_line(&h->w, h->t->object->span, "parallel_block = true");
}

static void leave_dropout(struct hf *h, const struct json *v, const char *of)
{
	if (!v || num_sign(v->number) <= 0)
		return;
	if (h->as_value)
		foreign_leave_out(&h->f, STR("dropout"), v->span, HF_RECORD);
	else
		plan_text_comment(&h->w, "dropout of %s alone, %s, is left out", of,
				  plan_text_number(&h->w, v->number));
}

/* Dropout of hidden states and attention is one number in a plan. */
static void write_dropout(struct hf *h)
{
	static const char *const keys[] = { "attention_dropout attn_pdrop",
					    "hidden_dropout resid_pdrop dropout hidden_dropout_prob" };
	const struct json *first = taken_number(h->t, keys[0], 0), *second = taken_number(h->t, keys[1], 0);

	if (!first && !second)
		return;
	if (first && second && num_compare(first->number, second->number) == 0) {
		if (num_sign(first->number) > 0)
			plan_text_line(&h->w, first->span, "dropout = %s",
				       plan_text_number(&h->w, first->number));
		return;
	}
	leave_dropout(h, first, "attention");
	leave_dropout(h, second, "hidden states");
}

/* ---- the record ------------------------------------------------------------------------------ */

/* "meta-llama/Llama-3.1-8B" is called llama_3_1_8b; without a name the model is called by its type. */
static const char *record_name(struct hf *h)
{
	const struct json *v = foreign_get(h->outer.object, "_name_or_path");
	struct str name = v && v->kind == JSON_STRING ? v->text : (struct str){ "", 0 };
	uint32_t lo = name.n;
	struct out o;

	while (lo > 0 && name.p[lo - 1] != '/')
		lo--;
	name = str_slice(name, lo, name.n);
	out_init(&o, h->f.arena);
	out_text(&o, name.n == 0 || name.n > 60 ? h->family->type : "");
	for (uint32_t i = 0; o.n < name.n && i < name.n; i++) {
		char c = name.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		out_char(&o, (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_');
	}
	if (o.p[0] >= '0' && o.p[0] <= '9')
		return arena_copy(h->f.arena, "imported", sizeof "imported");
	/* A lone word could be one of the language's. */
	out_text(&o, memchr(o.p, '_', o.n) ? "" : "_model");
	out_char(&o, '\0');
	return o.p;
}

static void write_model(struct hf *h)
{
	struct reach reach;
	static const char *const aside[] = { "model_type", "_name_or_path", "text_config" };

	h->layers = needed(h, layer_names, 0);
	h->hidden = needed(h, hidden_names, 0);
	h->heads = needed(h, head_names, h->family->heads);
	h->kv_heads = key_value_heads(h);
	for (size_t i = 0; i < PLAN_COUNT(aside); i++) {
		(void)taken_find(h->t, aside[i]);
		(void)taken_find(&h->outer, aside[i]);
	}
	reach = hf_read_reach(h);
	h->irregular = hf_is_irregular(h, &reach);
	plan_text_open(&h->w, h->t->object->span, "model %s {", record_name(h));
	hf_write_int(h, "layers", layer_names, 1);
	hf_write_int(h, "hidden", hidden_names, 1);
	write_ffn(h);
	if (!taken_find(h->t, "vocab_size") && h->family->vocab > 0)
		plan_text_line(&h->w, h->t->object->span, "vocab = %s",
			       plan_text_int(&h->w, h->family->vocab));
	else
		hf_write_int(h, "vocab", "vocab_size", 1);
	hf_write_attention(h, &reach);
	if (hf_has_experts(h))
		hf_write_experts(h);
	if (h->irregular)
		hf_write_pattern(h, &reach);
	write_activation(h);
	write_norm(h);
	write_tied(h);
	write_position(h);
	write_bias(h);
	write_dropout(h);
	write_parallel(h);
	plan_text_close(&h->w, "}");
	plan_text_blank(&h->w);
}

/* The model_type of the file, or of the language model in it. */
static bool choose_family(struct hf *h)
{
	const struct json *type;
	struct diag *d;

	type = taken_text(h->t, "model_type");
	if (!type && h->t != &h->outer)
		type = taken_text(&h->outer, "model_type");
	if (!type) {
		taken_miss(h->t, "model_type");
		return false;
	}
	h->family = hf_family_find(type->text);
	if (h->family)
		return true;
	d = diag_new(h->f.sink, E0209, type->span);
	diag_message(d, "planc does not know the model_type \"%.*s\"",
		     (int)(type->text.n > 60 ? 60 : type->text.n), type->text.p);
	hf_family_suggest(d, h->f.arena, type->text);
	diag_submit(d);
	return false;
}

/* What nobody asked for: a comment of the plan, or a warning where nobody sees its text. */
static void name_the_rest(struct hf *h)
{
	if (h->as_value) {
		taken_leave_out(h->t, HF_RECORD);
		if (h->t != &h->outer)
			taken_leave_out(&h->outer, HF_RECORD);
		foreign_finish(&h->f);
		return;
	}
	if (h->t != &h->outer)
		taken_rest(h->t, &h->w, "No counterpart of the language model here:");
	taken_rest(&h->outer, &h->w, "No counterpart here:");
}

/* The language model of a config. false after reporting. */
static bool read_config(struct hf *h, const struct json *root, struct import_text *result)
{
	const struct json *inner;

	if (!root)
		return false;
	taken_init(&h->outer, &h->f, root, "the config");
	h->t = &h->outer;
	inner = taken_object(&h->outer, "text_config language_config llm_config");
	if (inner) {
		taken_init(&h->inner, &h->f, inner, "its language model");
		h->t = &h->inner;
	}
	if (!h->outer.fine || !choose_family(h))
		return false;
	out_text(&result->text, "edition 1\n\n");
	write_model(h);
	name_the_rest(h);
	return h->t->fine && h->outer.fine;
}

static struct hf reader(struct arena *a, struct diag_sink *sink, struct import_text *result)
{
	memset(result, 0, sizeof *result);
	out_init(&result->text, a);
	return (struct hf){ .f = { .arena = a, .sink = sink, .program = "transformers" },
			    .w = { .arena = a, .text = result } };
}

bool import_huggingface(const struct import_input *in, struct import_text *result)
{
	struct hf h = reader(in->arena, in->sink, result);

	return read_config(&h, foreign_load(in->arena, in->sources, in->sink, str_of(in->paths[0]), "config"),
			   result);
}

bool huggingface_model(const struct foreign_file *in, struct import_text *result)
{
	struct hf h = reader(in->arena, in->sink, result);

	h.as_value = true;
	return read_config(&h, foreign_parse(in->arena, in->sources, in->sink, in->file, "config"), result);
}
