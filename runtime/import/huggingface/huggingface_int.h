/* huggingface_int.h - what the parts of the reader of config.json share. Names, defaults and meaning
 * of the fields: huggingface/transformers, configuration_*.py and modeling_*.py of each model_type;
 * of models that bring code of their own, the configuration file beside their weights. */
#ifndef PLAN_HUGGINGFACE_HUGGINGFACE_INT_H
#define PLAN_HUGGINGFACE_HUGGINGFACE_INT_H

#include "runtime/import/taken.h"

/* What a config becomes, in messages. */
#define HF_RECORD "a `model`"

/* What a model_type fixes by its code, whatever its config says. */
enum trait {
	HF_GATED = 1u << 0,          /* the feed-forward network has two input projections */
	HF_LAYERNORM = 1u << 1,      /* LayerNorm in place of RMSNorm */
	HF_TIED = 1u << 2,           /* tie_word_embeddings where it is absent */
	HF_BIAS_QKV = 1u << 3,
	HF_BIAS_OUT = 1u << 4,       /* of the projection behind attention */
	HF_BIAS_MLP = 1u << 5,
	HF_BIAS_HEAD = 1u << 6,      /* of the output projection */
	HF_QK_NORM = 1u << 7,        /* learned norms of queries and keys */
	HF_BOTH_NORMS = 1u << 8,     /* norms in front of and behind each half of a layer */
	HF_POST_NORMS = 1u << 9,
	HF_PARALLEL = 1u << 10,      /* attention and network side by side */
	HF_LATENT = 1u << 11,        /* attention is mla */
	HF_QKV_KEY_ONLY = 1u << 12,  /* attention_bias leaves the output projection out */
	HF_LEARNED = 1u << 13,       /* positions are learned */
	HF_ALIBI = 1u << 14,
	HF_GATE = 1u << 15,          /* an output gate on attention */
	HF_SHARED_GATE = 1u << 16,   /* a gate in front of the shared expert */
	HF_SWITCHED_WINDOW = 1u << 17, /* sliding_window counts with use_sliding_window only */
	HF_SHARED_ONE = 1u << 18,    /* always one shared expert */
	HF_SIGMOID = 1u << 19,       /* the router's score */
	HF_EXPERTS = 1u << 20,       /* a mixture, also where every number has its default */
	HF_FOURFOLD = 1u << 21       /* ffn is 4 * hidden where it is absent */
};

struct hf_family {
	const char *type;            /* model_type */
	unsigned traits;
	/* Each n-th layer sees everything, the others a window; 1 = all do. 0 in no row. */
	int64_t full_every;
	/* What the class of the config has for a key that is absent; 0 = the key must be there. */
	int64_t heads, kv_heads, head, vocab;
};

const struct hf_family *hf_family_find(struct str type);   /* NULL when there is none */
void hf_family_suggest(struct diag *d, struct arena *a, struct str type);

/* What the layers see that do not see everything. */
struct reach {
	int64_t full_every;          /* each n-th layer sees everything; 0: none does, all have the window */
	int64_t window;              /* 0: every layer sees everything */
	bool chunked, linear;
	const struct json *types;    /* layer by layer, where their order is no `full_every`; else NULL */
	struct span from;
};

struct hf {
	struct foreign f;
	struct taken outer;          /* the whole file */
	struct taken inner;          /* a language model in it */
	struct taken *t;             /* the one of both that is read */
	const struct hf_family *family;
	struct plan_text w;
	bool as_value;               /* for an import of the language: nobody sees the text */
	int64_t layers, hidden, heads, kv_heads;
	bool irregular;              /* the layers are written one by one, as a pattern */
};

static inline bool hf_is(const struct hf *h, unsigned trait)
{
	return (h->family->traits & trait) != 0;
}

/* `field = N` from an int that has to be there; `least` as in taken_int. */
void hf_write_int(struct hf *h, const char *field, const char *names, int64_t least);
/* The same, with nothing written where it is absent. */
void hf_write_optional(struct hf *h, const char *field, const char *names, int64_t least);

bool hf_is_mixture(struct hf *h, int64_t layer);           /* counted from 0 */
struct reach hf_read_reach(struct hf *h);
void hf_write_attention(struct hf *h, const struct reach *r);
void hf_write_near(struct hf *h, const struct reach *r);   /* the fields of a layer that sees less */
/* Layers whose order no short form says; has to be asked before anything is written. */
bool hf_is_irregular(struct hf *h, const struct reach *r);
void hf_write_pattern(struct hf *h, const struct reach *r);   /* attention, local, full_every */
void hf_write_experts(struct hf *h);     /* moe, mtp */
bool hf_has_experts(struct hf *h);

#endif
