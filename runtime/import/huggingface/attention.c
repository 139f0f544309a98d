/* attention.c - the mixers of a config.json: grouped, latent and linear attention, windows. */
#include "runtime/import/huggingface/huggingface_int.h"

#include <inttypes.h>

static void write_grouped(struct hf *h)
{
	const char *heads = "head_dim kv_channels attention_head_dim";
	int64_t head = h->family->head;
	struct span whole = h->t->object->span;

	plan_text_line(&h->w, whole, "heads = %" PRIi64, h->heads);
	if (h->kv_heads != h->heads)
		plan_text_line(&h->w, whole, "kv_heads = %" PRIi64, h->kv_heads);
	head = taken_count(h->t, heads, 1, head > 0 ? head : h->hidden / h->heads);
	if (head == 0 || (!foreign_get(h->t->object, "head_dim") && h->family->head == 0 &&
			  h->hidden % h->heads != 0 && h->t->fine)) {
		foreign_refuse(&h->f, foreign_span(h->t->object, "num_attention_heads"),
			       "%" PRIi64 " heads do not divide a `hidden_size` of %" PRIi64
			       ", and there is no `head_dim`", h->heads, h->hidden);
		h->t->fine = false;
	}
	plan_text_line(&h->w, whole, "head = %" PRIi64, head);
	if (taken_bool(h->t, "use_qk_norm qk_layernorm", hf_is(h, HF_QK_NORM)) &&
	    !hf_is(h, HF_SHARED_ONE))
		plan_text_line(&h->w, whole, "qk_norm = true");
	if (hf_is(h, HF_GATE))
		plan_text_line(&h->w, whole, "gate = true");
}

static void write_latent(struct hf *h)
{
	(void)taken_find(h->t, "head_dim qk_head_dim");
	(void)taken_find(h->t, "num_key_value_heads");
	plan_text_line(&h->w, h->t->object->span, "kind = mla");
	plan_text_line(&h->w, h->t->object->span, "heads = %" PRIi64, h->heads);
	hf_write_optional(h, "q_lora", "q_lora_rank", 1);
	hf_write_int(h, "kv_lora", "kv_lora_rank", 1);
	hf_write_int(h, "qk_nope", "qk_nope_head_dim", 1);
	hf_write_int(h, "qk_rope", "qk_rope_head_dim", 1);
	hf_write_int(h, "v_head", "v_head_dim", 1);
}

/* Gated delta nets of qwen3_next. */
static void write_linear(struct hf *h)
{
	plan_text_line(&h->w, h->t->object->span, "kind = linear");
	hf_write_int(h, "heads", "linear_num_value_heads", 1);
	hf_write_int(h, "kv_heads", "linear_num_key_heads", 1);
	hf_write_int(h, "key_head", "linear_key_head_dim", 1);
	hf_write_int(h, "v_head", "linear_value_head_dim", 1);
	hf_write_optional(h, "conv", "linear_conv_kernel_dim", 1);
}

/* layer_types names every layer. True when its order is one that full_every says. */
static bool read_types(struct hf *h, const struct json *list, struct reach *r)
{
	uint32_t first = list->count;

	for (uint32_t i = 0; i < list->count; i++) {
		const struct json *v = &list->items[i];

		if (v->kind != JSON_STRING) {
			foreign_refuse(&h->f, v->span, "a layer of `layer_types` is %s; it must be a string",
				       json_kind_name(v->kind));
			return h->t->fine = false;
		}
		if (str_is(v->text, "full_attention") && first == list->count)
			first = i;
		r->linear = r->linear || str_is(v->text, "linear_attention");
		r->chunked = r->chunked || str_is(v->text, "chunked_attention");
	}
	r->full_every = first == list->count ? 0 : (int64_t)first + 1;
	for (uint32_t i = 0; i < list->count; i++)
		if (str_is(list->items[i].text, "full_attention") !=
		    (r->full_every > 0 && (i + 1) % (uint32_t)r->full_every == 0))
			r->types = list;
	return true;
}

/* The rule of a family for full layers, which a key may change. */
static int64_t period(struct hf *h)
{
	return taken_count(h->t, "sliding_window_pattern _sliding_window_pattern full_attention_interval "
			   "no_rope_layer_interval", 1, h->family->full_every);
}

struct reach hf_read_reach(struct hf *h)
{
	const struct json *types = taken_list(h->t, "layer_types");
	const struct json *window = taken_int(h->t, "sliding_window attention_chunk_size", 1);
	struct reach r = { .full_every = period(h), .from = h->t->object->span };
	bool on = taken_bool(h->t, "use_sliding_window", !hf_is(h, HF_SWITCHED_WINDOW));

	r.chunked = hf_is(h, HF_SHARED_ONE);
	r.linear = hf_is(h, HF_GATE);
	if (types && types->count > 0 && read_types(h, types, &r))
		r.from = types->span;
	if (window)
		r.from = window->span;
	if (!on && !r.linear) {
		(void)taken_find(h->t, "max_window_layers");
		return (struct reach){ .full_every = 1, .from = r.from };
	}
	if (window && !num_fits_int64(window->number, &r.window))
		r.window = 0;
	if (hf_is(h, HF_SHARED_ONE) && !window)
		r.window = 8192;
	/* A window that no layer alternates with is that of all of them. */
	if (h->family->full_every == 1 && !types && r.window > 0)
		r.full_every = 0;
	return r;
}

static void write_window(struct hf *h, const struct reach *r)
{
	plan_text_line(&h->w, r->from, "window = %s", plan_text_int(&h->w, r->window));
	if (r->chunked)
		plan_text_line(&h->w, r->from, "window_kind = chunked");
}

void hf_write_near(struct hf *h, const struct reach *r)
{
	if (r->linear) {
		write_linear(h);
		return;
	}
	write_grouped(h);
	if (r->window > 0)
		write_window(h, r);
}

void hf_write_attention(struct hf *h, const struct reach *r)
{
	bool near = !h->irregular && r->full_every > 1 && (r->window > 0 || r->linear);

	plan_text_open(&h->w, h->t->object->span, "attention {");
	if (hf_is(h, HF_LATENT))
		write_latent(h);
	else
		write_grouped(h);
	if (!h->irregular && r->full_every == 0 && r->window > 0)
		write_window(h, r);
	plan_text_close(&h->w, "}");
	if (!near)
		return;
	plan_text_open(&h->w, r->from, "local {");
	hf_write_near(h, r);
	plan_text_close(&h->w, "}");
	plan_text_line(&h->w, r->from, "full_every = %" PRIi64, r->full_every);
}
