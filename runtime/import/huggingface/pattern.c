/* pattern.c - layers one by one, where their order is no short form: which see everything, which are
 * mixtures. */
#include "runtime/import/huggingface/huggingface_int.h"

/* Rows of the written table: near or far, dense or a mixture. */
static const struct {
	char letter;
	bool far, mixture;
} kinds[] = { { 'F', true, true }, { 'f', true, false }, { 'N', false, true }, { 'n', false, false } };

enum { LAYERS_MAX = 10000 };

bool hf_is_irregular(struct hf *h, const struct reach *r)
{
	const struct json *only = taken_list(h->t, "mlp_only_layers");

	if (r->types && r->types->count != h->layers) {
		foreign_refuse(&h->f, r->types->span, "`layer_types` names %u layers, there are %lld", r->types->count,
			       (long long)h->layers);
		h->t->fine = false;
	}
	return (r->types || (only && only->count > 0)) && h->layers <= LAYERS_MAX && h->t->fine;
}

static bool is_far(const struct reach *r, uint32_t layer)
{
	if (r->types)
		return str_is(r->types->items[layer].text, "full_attention");
	return r->full_every > 0 && (layer + 1) % (uint32_t)r->full_every == 0;
}

static size_t kind_of(struct hf *h, const struct reach *r, uint32_t layer)
{
	return (is_far(r, layer) ? 0u : 2u) + (hf_is_mixture(h, layer) ? 0u : 1u);
}

/* "F*3 n F": equal neighbours together. */
static void write_order(struct hf *h, const struct reach *r, bool used[PLAN_COUNT(kinds)])
{
	struct out o;

	out_init(&o, h->f.arena);
	for (uint32_t i = 0, n; i < (uint32_t)h->layers; i += n) {
		size_t kind = kind_of(h, r, i);

		used[kind] = true;
		for (n = 1; i + n < (uint32_t)h->layers && kind_of(h, r, i + n) == kind; n++)
			;
		out_printf(&o, "%s%c", i > 0 ? " " : "", kinds[kind].letter);
		if (n > 1)
			out_printf(&o, "*%u", n);
	}
	plan_text_line(&h->w, r->from, "\"%.*s\",", (int)o.n, o.p);
}

void hf_write_pattern(struct hf *h, const struct reach *r)
{
	bool used[PLAN_COUNT(kinds)] = { false };

	plan_text_open(&h->w, r->from, "pattern = blocks(");
	write_order(h, r, used);
	for (size_t k = 0; k < PLAN_COUNT(kinds); k++) {
		if (!used[k])
			continue;
		plan_text_open(&h->w, r->from, "%c = {", kinds[k].letter);
		plan_text_line(&h->w, r->from, "mlp = %s", kinds[k].mixture ? "moe" : "dense");
		/* A pattern says how many norms a layer has; two where it says nothing. */
		if (hf_is(h, HF_BOTH_NORMS | HF_PARALLEL))
			plan_text_line(&h->w, r->from, "norms = %d", hf_is(h, HF_BOTH_NORMS) ? 4 : 1);
		if (!kinds[k].far) {
			plan_text_open(&h->w, r->from, "attention = {");
			hf_write_near(h, r);
			plan_text_close(&h->w, "}");
		}
		plan_text_close(&h->w, "},");
	}
	plan_text_close(&h->w, ")");
}
