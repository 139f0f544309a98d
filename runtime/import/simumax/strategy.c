/* strategy.c - the table of SimuMax's strategy file (its class StrategyConfig) and the
 * rules that a strategy must keep by itself. Numbers V1 to V14: our list of SimuMax's own
 * checks. */
#include "runtime/import/simumax/simumax_int.h"

static const char *const dtypes[] = { "fp32", "fp16", "bf16", NULL };
static const char *const cp_comms[] = { "a2a", "all_gather", NULL };
static const char *const cp_modes[] = { "async_cp", "sync_cp", NULL };
static const char *const orders[] = { "tp-cp-ep-dp-pp", NULL };
static const char *const dispatchers[] = { "all2all", "all2all-seq", NULL };
static const char *const granularities[] = { "full_block", "attn_only",           "mlp_only",
					     "sdp_only",   "selective_recompute", NULL };
static const char *const networks[] = { "auto",
					"high_intra_node",
					"low_intra_node",
					"inter_node",
					"intra_node_pcie_2x",
					"intra_node_pcie_4x",
					"intra_node_pcie_8x",
					NULL };
static const char *const modules[] = { "layernorm", "mla_up_proj", "moe_act", "mlp", "moe", NULL };

static const struct foreign_field fields[] = {
	{ "seq_len", FOREIGN_INT, FOREIGN_REQUIRED, 1, 0, NULL },
	{ "micro_batch_size", FOREIGN_INT, FOREIGN_REQUIRED, 1, 0, NULL },
	{ "micro_batch_num", FOREIGN_INT, FOREIGN_REQUIRED, 1, 0, NULL },
	{ "dtype", FOREIGN_TEXT, 0, 0, 0, dtypes },
	{ "fp8", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "world_size", FOREIGN_INT, 0, 1, 100000000, NULL },
	{ "tp_size", FOREIGN_INT, 0, 1, 100000000, NULL },
	{ "cp_size", FOREIGN_INT, 0, 1, 100000000, NULL },
	{ "pp_size", FOREIGN_INT, 0, 1, 1000000, NULL },
	{ "ep_size", FOREIGN_INT, 0, 1, 100000000, NULL },
	{ "etp_size", FOREIGN_INT, 0, 1, 100000000, NULL },
	{ "cp_comm_type", FOREIGN_TEXT, 0, 0, 0, cp_comms },
	{ "cp_a2a_mode", FOREIGN_TEXT, 0, 0, 0, cp_modes },
	{ "order_of_paralielism", FOREIGN_TEXT, 0, 0, 0, orders },
	{ "moe_dispatcher_policy", FOREIGN_TEXT, 0, 0, 0, dispatchers },
	{ "num_layers_in_first_pipeline_stage", FOREIGN_INT, FOREIGN_NULLABLE, 0, 0, NULL },
	{ "num_layers_in_last_pipeline_stage", FOREIGN_INT, FOREIGN_NULLABLE, 0, 0, NULL },
	{ "account_for_embedding_in_pipeline_split", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "account_for_loss_in_pipeline_split", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "grad_reduce_in_bf16", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "use_fp32_accum_grad", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "cache_groupgemm_col_fp8_inputs", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "offload_groupgemm_col_inputs", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "attn_recompute", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "mla_rms_recompute", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "mlp_recompute", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "mlp_rms_recompute", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "enable_sequence_parallel", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "interleaving_size", FOREIGN_INT, 0, 1, 1000000, NULL },
	{ "microbatch_group_size_per_vp_stage", FOREIGN_INT, FOREIGN_NULLABLE, 1, 0, NULL },
	{ "pp_comm_async", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "enable_straggler_model", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "zero_state", FOREIGN_INT, 0, 0, 3, NULL },
	{ "attention_sparse_ratio", FOREIGN_NUMBER, 0, 0, 1, NULL },
	{ "enable_dropout", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "use_accm_weight", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "enable_recompute", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "recompute_granularity", FOREIGN_TEXT, FOREIGN_NULLABLE, 0, 0, granularities },
	{ "recompute_layer_num", FOREIGN_INT, 0, 0, 0, NULL },
	{ "recompute_variance", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "megatron_recompute", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "megatron_recompute_modules", FOREIGN_LIST, FOREIGN_NULLABLE, 0, 0, NULL },
	{ "use_flash_sdp", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "use_math_sdp", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "use_fused_norm", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "use_fused_swiglu", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "use_fused_grad_accumulation", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "cross_entropy_loss_fusion", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "overlap_grad_reduce", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "te_version", FOREIGN_TEXT, FOREIGN_NULLABLE, 0, 0, NULL },
	{ "te_dummy_wgrad_min_version", FOREIGN_TEXT, 0, 0, 0, NULL },
	{ "te_cp_a2a_save_pre_posta2a_min_version", FOREIGN_TEXT, 0, 0, 0, NULL },
	{ "te_grouped_linear_dummy_wgrad_min_version", FOREIGN_TEXT, 0, 0, 0, NULL },
	{ "tp_net", FOREIGN_TEXT, FOREIGN_IGNORED | FOREIGN_NULLABLE, 0, 0, networks },
	{ "cp_net", FOREIGN_TEXT, FOREIGN_IGNORED | FOREIGN_NULLABLE, 0, 0, networks },
	{ "pp_net", FOREIGN_TEXT, FOREIGN_IGNORED | FOREIGN_NULLABLE, 0, 0, networks },
	{ "dp_net", FOREIGN_TEXT, FOREIGN_IGNORED | FOREIGN_NULLABLE, 0, 0, networks },
	{ "ep_net", FOREIGN_TEXT, FOREIGN_IGNORED | FOREIGN_NULLABLE, 0, 0, networks },
	{ "etp_net", FOREIGN_TEXT, FOREIGN_IGNORED | FOREIGN_NULLABLE, 0, 0, networks },
	{ "edp_net", FOREIGN_TEXT, FOREIGN_IGNORED | FOREIGN_NULLABLE, 0, 0, networks },
	{ "dispatch_probs", FOREIGN_BOOL, 0, 0, 0, NULL },
	{ "mem_factor", FOREIGN_NUMBER, FOREIGN_ABOVE, 0, 1, NULL },
};

/* Reports a rule at a key when it is broken; what a rule says is its own sentence. */
static bool rule(struct foreign *f, const struct json *s, bool holds, const char *key,
		 const char *sentence)
{
	if (!holds)
		foreign_refuse(f, foreign_span(s, key), "%s", sentence);
	return holds;
}

static bool module_known(const struct json *v)
{
	for (const char *const *m = modules; *m; m++)
		if (v->kind == JSON_STRING && str_is(v->text, *m))
			return true;
	return false;
}

/* V10, V11: the module list belongs to its switch, and the switch to a selective setting. */
static bool check_modules(struct foreign *f, const struct json *s)
{
	static const char *const legacy[] = { "attn_recompute", "mla_rms_recompute",
					      "mlp_recompute", "mlp_rms_recompute",
					      "recompute_variance" };
	const struct json *list = foreign_get(s, "megatron_recompute_modules");
	bool fine = true;

	for (uint32_t i = 0; list && i < list->count; i++)
		if (!module_known(&list->items[i])) {
			foreign_refuse(f, list->items[i].span,
				       "not a module that SimuMax can recompute: "
				       "layernorm, mla_up_proj, moe_act, mlp or moe");
			fine = false;
		}
	if (!foreign_bool(s, "megatron_recompute", false))
		return rule(f, s, !list || list->count == 0, "megatron_recompute_modules",
			    "`megatron_recompute_modules` needs `megatron_recompute` = true") &&
		       fine;
	fine = rule(f, s, list && list->count > 0, "megatron_recompute",
		    "`megatron_recompute` needs modules in `megatron_recompute_modules`") &&
	       fine;
	fine = rule(f, s, foreign_bool(s, "enable_recompute", true), "enable_recompute",
		    "`megatron_recompute` needs `enable_recompute` = true") &&
	       fine;
	fine = rule(f, s, foreign_text_is(s, "recompute_granularity", "selective_recompute"),
		    "recompute_granularity",
		    "`megatron_recompute` needs `recompute_granularity` \"selective_recompute\"") &&
	       fine;
	fine = rule(f, s, foreign_int(s, "recompute_layer_num", 0) > 0, "recompute_layer_num",
		    "`megatron_recompute` needs a `recompute_layer_num` above 0") &&
	       fine;
	for (size_t i = 0; i < PLAN_COUNT(legacy); i++)
		if (foreign_bool(s, legacy[i], false)) {
			foreign_refuse(f, foreign_span(s, legacy[i]),
				       "`%s` cannot be combined with `megatron_recompute`",
				       legacy[i]);
			fine = false;
		}
	return fine;
}

/* A selective setting that selects nothing is a slip, whatever SimuMax makes of it. */
static bool check_selection(struct foreign *f, const struct json *s)
{
	if (!foreign_text_is(s, "recompute_granularity", "selective_recompute") ||
	    !foreign_bool(s, "enable_recompute", true) ||
	    foreign_int(s, "recompute_layer_num", 0) == 0 ||
	    foreign_bool(s, "megatron_recompute", false))
		return true;
	return rule(f, s,
		    foreign_bool(s, "attn_recompute", false) ||
			    foreign_bool(s, "mla_rms_recompute", false) ||
			    foreign_bool(s, "mlp_recompute", false) ||
			    foreign_bool(s, "mlp_rms_recompute", false),
		    "recompute_granularity",
		    "\"selective_recompute\" with none of the `*_recompute` switches recomputes "
		    "nothing");
}

/* Overrides of the first and last stage, and weights of embedding and loss, speak of pipeline
 * ranks. */
static bool check_stages(struct foreign *f, const struct json *s)
{
	static const char *const overrides[] = { "num_layers_in_first_pipeline_stage",
						 "num_layers_in_last_pipeline_stage" };
	static const char *const weights[] = { "account_for_embedding_in_pipeline_split",
					       "account_for_loss_in_pipeline_split" };
	bool overridden = foreign_get(s, overrides[0]) || foreign_get(s, overrides[1]);
	bool one = foreign_int(s, "pp_size", 1) == 1, fine = true;

	for (size_t i = 0; i < PLAN_COUNT(overrides); i++) {
		if (one && foreign_get(s, overrides[i])) {
			foreign_refuse(f, foreign_span(s, overrides[i]),
				       "`%s` needs a pipeline, but `pp_size` is 1", overrides[i]);
			fine = false;
		}
		if (foreign_bool(s, weights[i], false) && (one || overridden)) {
			foreign_refuse(
				f, foreign_span(s, weights[i]),
				one ? "`%s` needs a pipeline, but `pp_size` is 1"
				    : "`%s` cannot be combined with a layer count of the first or "
				      "last stage",
				weights[i]);
			fine = false;
		}
	}
	return fine;
}

bool simumax_check_strategy(struct foreign *f, const struct json *s)
{
	bool fine = foreign_check(f, s, "the strategy", fields, PLAN_COUNT(fields), false);

	if (!fine)
		return false;
	fine = rule(f, s,
		    !foreign_bool(s, "cache_groupgemm_col_fp8_inputs", false) ||
			    foreign_bool(s, "fp8", false),
		    "cache_groupgemm_col_fp8_inputs",
		    "`cache_groupgemm_col_fp8_inputs` needs `fp8` = true");
	fine = rule(f, s,
		    !foreign_bool(s, "offload_groupgemm_col_inputs", false) ||
			    !foreign_text_is(s, "recompute_granularity", "full_block"),
		    "offload_groupgemm_col_inputs",
		    "`offload_groupgemm_col_inputs` does not go with \"full_block\" "
		    "recomputation") &&
	       fine;
	fine = rule(f, s,
		    foreign_int(s, "cp_size", 1) == 1 ||
			    !foreign_text_is(s, "cp_comm_type", "all_gather"),
		    "cp_comm_type",
		    "context parallelism by \"all_gather\" is unfinished in SimuMax; take "
		    "\"a2a\"") &&
	       fine;
	fine = check_stages(f, s) && fine;
	fine = check_modules(f, s) && fine;
	return check_selection(f, s) && fine;
}
