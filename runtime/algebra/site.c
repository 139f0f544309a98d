/* site.c - what the places of a decoder are called. */

#include "runtime/algebra/algebra.h"

static const struct {
	const char *name, *cast;
} sites[SITE_COUNT] = {
	[SITE_EMBEDDING] = { "embed", NULL },
	[SITE_NORM_IN] = { "ln_in", NULL },
	[SITE_QKV] = { "qkv", "qkv_cast" },
	[SITE_Q_NORM] = { "q_norm", NULL },
	[SITE_K_NORM] = { "k_norm", NULL },
	[SITE_GATE_SPLIT] = { "gate_split", NULL },
	[SITE_Q_DOWN] = { "q_down", "q_down_cast" },
	[SITE_Q_LATENT_NORM] = { "q_ln", NULL },
	[SITE_Q_UP] = { "q_up", "q_up_cast" },
	[SITE_KV_DOWN] = { "kv_down", "kv_down_cast" },
	[SITE_KV_SPLIT] = { "kv_split", NULL },
	[SITE_KV_LATENT_NORM] = { "kv_ln", NULL },
	[SITE_KV_UP] = { "kv_up", "kv_up_cast" },
	[SITE_HEAD_SPLIT] = { "head_split", NULL },
	[SITE_ROPE] = { "rope", NULL },
	[SITE_KEY_CONCAT] = { "key_concat", NULL },
	[SITE_PACK] = { "pack", NULL },
	[SITE_CORE] = { "core", NULL },
	[SITE_GATE] = { "gate", NULL },
	[SITE_OUT] = { "out", "out_cast" },
	[SITE_NORM_BEHIND_ATTENTION] = { "ln_attention", NULL },
	[SITE_ADD_ATTENTION] = { "add_attention", NULL },
	[SITE_NORM_MLP] = { "ln_mlp", NULL },
	[SITE_FC1] = { "fc1", "fc1_cast" },
	[SITE_ACT] = { "act", NULL },
	[SITE_FC2] = { "fc2", "fc2_cast" },
	[SITE_SHARED_FC1] = { "shared_fc1", "shared_fc1_cast" },
	[SITE_SHARED_ACT] = { "shared_act", NULL },
	[SITE_SHARED_FC2] = { "shared_fc2", "shared_fc2_cast" },
	[SITE_ROUTER] = { "router", NULL },
	[SITE_DISPATCH] = { "dispatch", NULL },
	[SITE_EXPERT_FC1] = { "expert_fc1", "expert_fc1_cast" },
	[SITE_EXPERT_ACT] = { "expert_act", NULL },
	[SITE_EXPERT_FC2] = { "expert_fc2", "expert_fc2_cast" },
	[SITE_COMBINE] = { "combine", NULL },
	[SITE_ADD_SHARED] = { "add_shared", NULL },
	[SITE_NORM_BEHIND_MLP] = { "ln_out", NULL },
	[SITE_ADD_MLP] = { "add_mlp", NULL },
	[SITE_MTP_EMBEDDING] = { "mtp_embed", NULL },
	[SITE_MTP_NORM_TOKEN] = { "mtp_enorm", NULL },
	[SITE_MTP_NORM_HIDDEN] = { "mtp_hnorm", NULL },
	[SITE_MTP_CONCAT] = { "mtp_concat", NULL },
	[SITE_MTP_PROJECT] = { "mtp_proj", "mtp_proj_cast" },
	[SITE_MTP_SPREAD] = { "mtp_spread", NULL },
	[SITE_NORM_FINAL] = { "ln_f", NULL },
	[SITE_HEAD] = { "lm_head", NULL },
	[SITE_LOSS] = { "ce", NULL },
};

const char *operator_site_name(enum operator_site site)
{
	return sites[site].name;
}

const char *operator_cast_name(enum operator_site site)
{
	return sites[site].cast != NULL ? sites[site].cast : sites[site].name;
}

const char *graph_part_name(enum graph_part part)
{
	static const char *const names[GRAPH_PART_COUNT] = {
		[GRAPH_EMBEDDING] = "embedding",
		[GRAPH_DENSE] = "layer",
		[GRAPH_MIXTURE] = "expert_layer",
		[GRAPH_LOCAL_DENSE] = "local_layer",
		[GRAPH_LOCAL_MIXTURE] = "local_expert_layer",
		[GRAPH_MTP] = "mtp_entry",
		[GRAPH_NORM] = "final_norm",
		[GRAPH_HEAD] = "head",
	};

	return names[part];
}
