/* profile.c - presets of the cost model's assumptions. */

#include "runtime/engine/profile.h"

void profile_set_quirks(struct profile *p, bool quirks)
{
	p->fixed_rates_pcie_only = quirks;
	p->mesh_peers = quirks ? 7 : 0;
	p->cross_node_volume = quirks;
	p->bucket_element = quirks ? 4 : 0;
	p->bucket_elements = 40e6;
	p->bucket_per_rank = 1e6;
	p->shard_on_wire = quirks;
	p->gradient_bucket_gather = quirks;

	p->attention_full_work = quirks;
	p->attention_query_bytes = quirks;
	p->narrow_statistics = quirks;
	p->column_wgrad_weight = quirks;
	p->wgrad_element = quirks ? 4 : 0;
	p->embedding_whole_table = quirks;
	p->embedding_sliced = quirks;
	p->activation_backward_short = quirks;
	p->loss_element = quirks ? 2 : 0;
	p->glue_traffic = !quirks;
	p->keys_not_repeated = quirks;
	p->cp_not_repeated = quirks;
	p->flash_backward_half = quirks;
	p->router_full_tokens = quirks;
	p->grouped_wgrad_one = quirks;
	p->serial_as_grouped = quirks;
	p->all_probabilities = quirks;
	p->combine_unreduced = quirks;
	p->gathered_tokens_lost = false;
	p->wide_gather = quirks;
	p->gradient_cast_free = quirks;
	p->narrow_head = quirks;
	p->norm_gradient_reduce = !quirks;
	p->tied_reduce = !quirks;
	p->adam_state_passes = quirks ? 3 : 2;
	p->copy_half_state = quirks;

	p->gelu_cache = quirks ? 3 : 1;
	p->lone_recompute_lost = quirks;
	p->scores_copies_cuda = 4;
	p->scores_copies_math = 2;
	p->scores_copies = 3;
	p->scores_before_exchange = quirks;
	p->routing_element = 8;
	p->capacity_of_rounded = quirks;
	p->pad_after_gather = quirks;
	p->mixture_inputs_kept = quirks;
	p->narrow_cache_gathered = quirks;
	p->grouped_wgrad_copy = quirks;
	p->grouped_copy_forward = quirks;
	p->offload_kept_only = quirks;
	p->serial_as_dense = quirks;
	p->backward_peak_lost = quirks;
	p->flops_from_hidden = quirks;
}

static const struct profile standard = {
	.reserved = 0.97,
	.base_memory = INT64_C(3) << 29, /* 1.5 GiB */
	.network = NETWORK_PLACEMENT,
	.sharing = SHARING_FLOWS,
	.step_latency = LATENCY_TREE,
	.table_miss = MISS_INTERPOLATE,
	.attention_flops = ATTENTION_CAUSAL,
	.hide = 0.9,
	.hide_layer = 0.4,
	.hide_penalty = 0.05,
	.moe_gather_factor = 2,
	.straggler = 0.02,
	.stages = STAGES_EACH,
	.in_flight_by_batch = true,
	.dummy_wgrad = { { 2, 3, 0 } },
	.saved_cp = { { 2, 8, 0 } },
	.dummy_grouped = { { 2, 10, 0 } },
	.launch = 4e-6,
	.zero3_traffic = true,
	.fragmentation = 0.02,
};

static const struct profile simumax = {
	.reserved = 0.94,
	.network = NETWORK_SPAN,
	.sharing = SHARING_DIVISORS,
	.step_latency = LATENCY_EIGHT,
	.table_miss = MISS_DEFAULT,
	.attention_flops = ATTENTION_FULL,
	.sync_pipeline = true,
	.whole_buckets = true,
	.moe_gather_factor = 2,
	.straggler = 0.09,
	.stages = STAGES_REPRESENTATIVE,
	.dense_first_stage = true,
	.charge_disabled_recompute = true,
	.stored_element = 2,
	.dummy_wgrad = { { 2, 3, 0 } },
	.saved_cp = { { 2, 8, 0 } },
	.dummy_grouped = { { 2, 10, 0 } },
	.offload_free = true,
};

void profile_init(struct profile *profile, enum profile_preset preset)
{
	*profile = preset == PROFILE_SIMUMAX ? simumax : standard;
	profile_set_quirks(profile, preset == PROFILE_SIMUMAX);
	if (preset != PROFILE_IDEAL)
		return;
	profile->reserved = 1;
	profile->base_memory = 0;
	profile->sharing = SHARING_OFF;
	profile->hide = 1;
	profile->hide_layer = 1;
	profile->hide_penalty = 0;
	profile->straggler = 0;
	profile->launch = 0;
	profile->fragmentation = 0;
}

bool version_at_least(const struct version *version, const struct version *least)
{
	if (version->part[0] == 0 && version->part[1] == 0 && version->part[2] == 0)
		return false;
	for (int i = 0; i < 3; i++)
		if (version->part[i] != least->part[i])
			return version->part[i] > least->part[i];
	return true;
}
