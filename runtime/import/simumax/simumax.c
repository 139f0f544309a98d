/* simumax.c - reads the three files, checks them one by one and together, writes the plan. */
#include "runtime/import/simumax/simumax.h"

#include <inttypes.h>

#include "runtime/import/simumax/simumax_int.h"

/* ---- rules between the files ----------------------------------------------------------------- */

/* The networks that groups of this many GPUs select must be there. */
static bool check_networks(struct simumax *s)
{
	static const char *const levels[] = { "intra_node_pcie_2x", "intra_node_pcie_4x",
					      "intra_node_pcie_8x" };
	struct foreign *f = &s->files[SIMUMAX_SYSTEM];
	const struct json *networks = foreign_get(s->system, "networks");
	int64_t world = foreign_int(s->strategy, "world_size", 8);
	int64_t node = foreign_int(s->system, "num_per_node", 8);
	bool by_size = foreign_bool(networks, "intra_with_pcie", false), fine = true;

	for (size_t i = 0; by_size && i < PLAN_COUNT(levels); i++)
		if (!foreign_get(networks, levels[i])) {
			foreign_refuse(f, foreign_span(networks, "intra_with_pcie"),
				       "`intra_with_pcie` is true, but there is no network `%s`",
				       levels[i]);
			fine = false;
		}
	if (!by_size && !foreign_get(networks, "high_intra_node")) {
		foreign_refuse(f, foreign_span(networks, ""),
			       "there is no network `high_intra_node`");
		fine = false;
	}
	if (world > (by_size ? 8 : node) && !foreign_get(networks, "inter_node")) {
		foreign_refuse(f, foreign_span(networks, ""),
			       "there is no network `inter_node`, and %" PRIi64 " GPUs need one",
			       world);
		fine = false;
	}
	return fine;
}

/* A middle stage without a layer has nothing to run; the ends took everything. */
static bool check_middle(struct simumax *s)
{
	struct foreign *f = &s->files[SIMUMAX_STRATEGY];
	const struct json *first = foreign_get(s->strategy, "num_layers_in_first_pipeline_stage");
	const struct json *last = foreign_get(s->strategy, "num_layers_in_last_pipeline_stage");
	int64_t layers = foreign_int(s->model, "layer_num", 1),
		pp = foreign_int(s->strategy, "pp_size", 1);
	int64_t ranks = pp - (first ? 1 : 0) - (last ? 1 : 0);

	if (first)
		layers -= foreign_int(s->strategy, "num_layers_in_first_pipeline_stage", 0);
	if (last)
		layers -= foreign_int(s->strategy, "num_layers_in_last_pipeline_stage", 0);
	if ((!first && !last) || ranks <= 0 || layers != 0)
		return true;
	foreign_refuse(f, first ? first->span : last->span,
		       "this leaves no layer for the other %" PRIi64 " pipeline stages", ranks);
	return false;
}

/* Rules of SimuMax on numbers of two files that the prelude does not have. */
static bool check_products(struct simumax *s)
{
	struct foreign *f = &s->files[SIMUMAX_STRATEGY];
	const struct json *list = foreign_get(s->strategy, "megatron_recompute_modules");
	int64_t tp = foreign_int(s->strategy, "tp_size", 1),
		kv = foreign_int(s->model, "kv_head_num", 1);
	bool fp8 = foreign_bool(s->strategy, "fp8", false), fine = true;

	if (kv % tp != 0) {
		foreign_refuse(f, foreign_span(s->strategy, "tp_size"),
			       "%" PRIi64 " key/value heads do not split over `tp_size` = %" PRIi64,
			       kv, tp);
		fine = false;
	}
	for (uint32_t i = 0; fp8 && list && i < list->count; i++)
		if (str_is(list->items[i].text, "layernorm") ||
		    str_is(list->items[i].text, "moe_act")) {
			foreign_refuse(f, list->items[i].span,
				       "this module cannot be recomputed with `fp8`");
			fine = false;
		}
	if (foreign_text_is(s->model, "group_linear_mode", "serial") &&
	    (tp > 1 || foreign_int(s->strategy, "etp_size", 1) > 1)) {
		foreign_refuse(&s->files[SIMUMAX_MODEL],
			       foreign_span(s->model, "group_linear_mode"),
			       "\"serial\" works with `tp_size` and `etp_size` 1 only");
		fine = false;
	}
	return fine;
}

/* What SimuMax gives no figures for, while planc could: refused when its figures are asked for. */
static bool check_answered(struct simumax *s)
{
	struct foreign *f = &s->files[SIMUMAX_STRATEGY];
	int64_t tp = foreign_int(s->strategy, "tp_size", 1);
	bool fine = true;

	if (s->in->profile.n > 0 && !str_is(s->in->profile, "simumax"))
		return true;
	if (tp > 1 && foreign_text_is(s->model, "attention_type", "mla")) {
		foreign_refuse(f, foreign_span(s->strategy, "tp_size"),
			       "`tp_size` is %" PRIi64 ", but SimuMax splits no latent attention: 1", tp);
		fine = false;
	}
	if (foreign_int(s->strategy, "interleaving_size", 1) > 1 &&
	    foreign_bool(s->strategy, "pp_comm_async", true)) {
		foreign_refuse(f, foreign_span(s->strategy, "pp_comm_async"),
			       "SimuMax times interleaved stages with `pp_comm_async` = false only; it is "
			       "true");
		fine = false;
	}
	return fine;
}

/* An exchange over context ranks hands out whole heads, or the only head there is to all of them. SimuMax
 * divides, and where it gets none goes on with none. */
static bool check_exchange(struct simumax *s)
{
	int64_t cp = foreign_int(s->strategy, "cp_size", 1), tp = foreign_int(s->strategy, "tp_size", 1);
	int64_t kv = foreign_int(s->model, "kv_head_num", 1);

	if (cp == 1 || tp < 1 || kv % tp != 0 || kv / tp == 1 || kv / tp % cp == 0)
		return true;
	foreign_refuse(&s->files[SIMUMAX_STRATEGY], foreign_span(s->strategy, "cp_size"),
		       "%" PRIi64 " key/value heads over `tp_size` = %" PRIi64 " are %" PRIi64
		       " on each rank, which `cp_size` = %" PRIi64 " does not divide",
		       kv, tp, kv / tp, cp);
	return false;
}

bool simumax_check_together(struct simumax *s)
{
	bool fine = check_networks(s);

	fine = check_middle(s) && fine;
	fine = check_answered(s) && fine;
	fine = check_exchange(s) && fine;
	return check_products(s) && fine;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Words that the written text uses in a sense of its own: a record must not take them. */
static const char *const taken[] = {
	"gpu",        "cluster",   "model",       "strategy",   "job",        "imported",
	"simumax",    "generic",   "standard",    "ideal",      "cuda",       "musa",
	"rocm",       "npu",       "tpu",         "mla",        "swiglu",     "gelu",
	"nvlink",     "mtlink",    "pcie",        "infiniband", "mesh",       "off",
	"full",       "selective", "block",       "bf16",       "fp16",       "fp32",
	"fp8",        "e4m3",      "blockwise",   "flash",      "math",       "unfused",
	"te",         "a2a",       "all_gather",  "all_to_all", "even",       "ends",
	"attn",       "mlp_block", "core_attn",   "attn_body",  "attn_input", "ffn_linear",
	"ffn_input",  "layernorm", "mla_up_proj", "moe_act",    "mlp",        "moe",
	"expert_fc1", "file",      "optimizer",   "profile",    "batch",
};

const char *simumax_free_name(struct simumax *s, struct str wanted, const char *suffix, bool always)
{
	struct out o;
	bool add = always;

	for (size_t i = 0; i < PLAN_COUNT(taken); i++)
		add = add || str_is(wanted, taken[i]);
	out_init(&o, s->in->arena);
	out_str(&o, wanted);
	if (add)
		out_text(&o, suffix);
	return plan_text_name(&s->w, out_view(&o));
}

/* "configs/llama3-8b.json" is called llama3-8b. */
static struct str base_name(struct str path)
{
	uint32_t lo = path.n, hi = path.n;

	while (lo > 0 && path.p[lo - 1] != '/')
		lo--;
	if (str_ends(path, ".json"))
		hi -= 5;
	return hi > lo ? str_slice(path, lo, hi) : STR("model");
}

static void choose_names(struct simumax *s)
{
	const struct json *model = foreign_get(s->model, "model_name");
	struct str system = foreign_get(s->system, "sys_name")->text;
	struct str name = model && model->text.n > 0 ? model->text : base_name(s->in->model);

	if (system.n == 0)
		system = base_name(s->in->system);
	s->cluster_name = simumax_free_name(s, system, "_cluster", false);
	s->gpu_name = simumax_free_name(s, system, "_gpu", true);
	s->model_name = simumax_free_name(s, name, "_model", str_equal(name, system));
	if (strcmp(s->model_name, s->gpu_name) == 0)
		s->model_name = simumax_free_name(s, name, "_model", true);
}

/* ---- entry ----------------------------------------------------------------------------------- */

static bool load_all(struct simumax *s)
{
	const struct simumax_input *in = s->in;

	for (size_t i = 0; i < PLAN_COUNT(s->files); i++)
		s->files[i] = (struct foreign){ .arena = in->arena,
						.sink = in->sink,
						.program = "SimuMax" };
	s->model = foreign_load(in->arena, in->sources, in->sink, in->model, "model");
	s->strategy = foreign_load(in->arena, in->sources, in->sink, in->strategy, "strategy");
	s->system = foreign_load(in->arena, in->sources, in->sink, in->system, "system");
	return s->model && s->strategy && s->system;
}

static bool check_all(struct simumax *s)
{
	bool fine = simumax_check_model(&s->files[SIMUMAX_MODEL], s->model);

	fine = simumax_check_strategy(&s->files[SIMUMAX_STRATEGY], s->strategy) && fine;
	fine = simumax_check_system(&s->files[SIMUMAX_SYSTEM], s->system) && fine;
	fine = fine && simumax_check_together(s);
	for (size_t i = 0; i < PLAN_COUNT(s->files); i++)
		foreign_finish(&s->files[i]);
	return fine;
}

bool import_simumax(const struct simumax_input *in, struct import_text *result)
{
	struct simumax s = { .in = in, .w = { .arena = in->arena, .text = result } };
	uint32_t whole;

	*result = (struct import_text){ 0 };
	out_init(&result->text, in->arena);
	if (!load_all(&s) || !check_all(&s))
		return false;
	choose_names(&s);
	whole = result->origins.n;
	*VEC_ADD(in->arena, &result->origins) =
		(struct origin){ 0, 0, foreign_span(s.strategy, "") };
	out_text(&result->text, "edition 1\n\n");
	simumax_write_gpu(&s);
	plan_text_blank(&s.w);
	simumax_write_cluster(&s);
	plan_text_blank(&s.w);
	simumax_write_model(&s);
	plan_text_blank(&s.w);
	simumax_write_job(&s);
	result->origins.at[whole].hi = (uint32_t)result->text.n;
	return true;
}
