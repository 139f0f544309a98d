/* bind_model.c - the record of a model to the engine's shape of it. */
#include "runtime/bind/bind_int.h"

static const char *const attention_kinds[] = { "mha", "mla", "linear", "mamba" };
static const char *const window_kinds[] = { "sliding", "chunked" };
static const char *const activations[] = { "swiglu", "geglu", "gelu", "relu", "squared_relu" };
static const char *const norms[] = { "rmsnorm", "layernorm" };
static const char *const norm_places[] = { "pre", "post", "both" };
static const char *const positions[] = { "rope",  "yarn",     "mrope", "learned",
					 "alibi", "relative", "off" };
static const char *const sites[] = { "qkv", "attention", "mlp", "head" };

static void bind_attention(struct reader *b, struct record *r, struct engine_attention *a)
{
	a->kind = (enum attention_kind)read_enum(b, r, "kind", attention_kinds,
						 PLAN_COUNT(attention_kinds));
	a->heads = read_int(b, r, "heads");
	a->kv_heads = read_int(b, r, "kv_heads");
	a->head = read_int(b, r, "head");
	a->v_head = read_int(b, r, "v_head");
	a->q_lora = read_int_or(b, r, "q_lora", 0);
	a->kv_lora = read_int(b, r, "kv_lora");
	a->qk_nope = read_int(b, r, "qk_nope");
	a->qk_rope = read_int(b, r, "qk_rope");
	a->window = read_int_or(b, r, "window", 0);
	a->chunked = read_enum(b, r, "window_kind", window_kinds, PLAN_COUNT(window_kinds)) == 1;
	a->causal = read_bool(b, r, "causal");
	a->qk_norm = read_bool(b, r, "qk_norm");
	a->gate = read_bool(b, r, "gate");
	a->sparsity = read_real(b, r, "sparsity");
	if (read_record(b, r, "index") != NULL)
		reader_unsupported(b, r, "index", "a learned choice of keys");
	if (read_int(b, r, "kv_share") != 1)
		reader_unsupported(b, r, "kv_share", "layers that share keys and values");
}

static void bind_moe(struct reader *b, struct record *r, struct engine_moe *m)
{
	if (r == NULL)
		return;
	m->experts = read_int(b, r, "experts");
	m->top_k = read_int(b, r, "top_k");
	m->ffn = read_int(b, r, "ffn");
	m->shared_ffn = read_int(b, r, "shared_ffn");
	m->first_dense = read_int(b, r, "first_dense");
	m->every = read_int(b, r, "every");
	struct value capacity = read_value(b, r, "capacity");

	if (read_value(b, r, "latent").kind == VALUE_NUMBER)
		reader_unsupported(b, r, "latent", "experts behind a low-rank projection");
	m->shared_gate = read_bool(b, r, "shared_gate");
	m->capacity = capacity.kind == VALUE_NUMBER ? value_to_double(capacity) : 0;
	m->imbalance = read_real(b, r, "imbalance");
	m->pad = read_bool(b, r, "pad");
	m->groups = read_int(b, r, "groups");
	m->group_top_k = read_int(b, r, "group_top_k");
}

static unsigned bias_bits(struct reader *b, struct record *model)
{
	struct value v = read_value(b, model, "bias");
	const struct type *t = field_type(b, model, "bias");
	unsigned bits = 0;

	for (uint32_t i = 0; b->ok && v.kind == VALUE_LIST && i < v.list->n; i++) {
		uint32_t site = enum_index(b, v.list->at[i], t->of, sites, PLAN_COUNT(sites));

		if (site != UINT32_MAX)
			bits |= 1u << site;
	}
	return bits;
}

void bind_model(struct reader *b, struct record *model, struct engine_model *m)
{
	struct record *attention = read_record(b, model, "attention");
	struct record *mtp = read_record(b, model, "mtp"), *local = read_record(b, model, "local");

	if (!b->ok || attention == NULL || mtp == NULL)
		return;
	m->layers = read_int(b, model, "layers");
	m->hidden = read_int(b, model, "hidden");
	m->ffn = read_int(b, model, "ffn");
	m->vocab = read_int(b, model, "vocab");
	m->vocab_multiple = read_int(b, model, "vocab_multiple");
	m->pad_vocab = read_bool(b, model, "pad_vocab");
	m->tied = read_bool(b, model, "tied");
	m->dropout = read_real(b, model, "dropout");
	m->parallel_block = read_bool(b, model, "parallel_block");
	m->activation = (enum activation)read_enum(b, model, "activation", activations,
						   PLAN_COUNT(activations));
	m->norm = (enum norm_kind)read_enum(b, model, "norm", norms, PLAN_COUNT(norms));
	/* The first three kinds rotate queries and keys; the others cost nothing per layer. */
	uint32_t position = read_enum(b, model, "position", positions, PLAN_COUNT(positions));

	m->positions_free = position > 2;
	m->positions = position == 3 ? read_int_or(b, model, "positions", 0) : 0;
	m->norm_place = (enum norm_place)read_enum(b, model, "norm_place", norm_places,
						   PLAN_COUNT(norm_places));
	m->bias = bias_bits(b, model);
	bind_attention(b, attention, &m->attention);
	bind_moe(b, read_record(b, model, "moe"), &m->moe);
	m->mtp_depth = read_int(b, mtp, "depth");
	m->mtp_shared = read_bool(b, mtp, "shared");
	m->mixed = read_value(b, model, "pattern").kind != VALUE_NONE;
	if (local != NULL) {
		bind_attention(b, local, &m->local);
		m->full_every = read_int(b, model, "full_every");
	}
	if (read_int(b, model, "streams") != 1)
		reader_unsupported(b, model, "streams", "hyper-connections");
}

void bind_model_of(struct reader *b, struct record *job, struct job *j)
{
	struct record *model = read_record(b, job, "model");

	j->input.model = (struct engine_model){ 0 };
	if (b->ok)
		bind_model(b, model, &j->input.model);
}

void bind_profile_of(struct reader *b, struct record *job, struct job *j)
{
	struct record *profile = read_record(b, job, "profile");

	if (b->ok)
		bind_profile(b, profile, &j->profile);
}
