/* recompute.c - SimuMax's ten recompute switches as one record of schema `recompute`.
 *
 *	granularity null                        off
 *	full_block, n                           full, method block, n layers of each chunk
 *	attn_only, mlp_only, sdp_only, n        selective, modules [attn], [mlp_block], [core_attn]
 *	selective_recompute, n                  selective, the modules whose switch is set
 *	megatron_recompute, n                   selective, the listed modules
 */
#include "runtime/import/simumax/simumax_int.h"

#include <inttypes.h>

static const struct {
	const char *key, *module;
} switches[] = {
	{ "attn_recompute", "attn_body" },
	{ "mla_rms_recompute", "attn_input" },
	{ "mlp_recompute", "ffn_linear" },
	{ "mlp_rms_recompute", "ffn_input" },
};

/* The names for the brackets of `modules = [ ... ]`. */
static const char *module_names(struct simumax *s)
{
	const struct json *f = s->strategy, *list = foreign_get(f, "megatron_recompute_modules");
	struct out o;

	out_init(&o, s->in->arena);
	if (foreign_text_is(f, "recompute_granularity", "attn_only"))
		out_text(&o, "attn");
	else if (foreign_text_is(f, "recompute_granularity", "mlp_only"))
		out_text(&o, "mlp_block");
	else if (foreign_text_is(f, "recompute_granularity", "sdp_only"))
		out_text(&o, "core_attn");
	else if (foreign_bool(f, "megatron_recompute", false))
		for (uint32_t i = 0; list && i < list->count; i++)
			out_printf(&o, "%s%.*s", i > 0 ? ", " : "", (int)list->items[i].text.n,
				   list->items[i].text.p);
	else
		for (size_t i = 0; i < PLAN_COUNT(switches); i++)
			if (foreign_bool(f, switches[i].key, false))
				out_printf(&o, "%s%s", o.n > 0 ? ", " : "", switches[i].module);
	out_char(&o, '\0');
	return o.p;
}

/* SimuMax counts layers in each stage and takes what is there. Where the stages differ, a count
 * above the mean fits some of them: then the layers are written out rank by rank. The counts of
 * the stages: overrides of the ends, else an even spread in which embedding and loss stand for a
 * layer each. false when one number says it, or nobody knows the layers. */
static bool write_ranks(struct simumax *s, int64_t count)
{
	const struct json *f = s->strategy;
	const struct json *first = foreign_get(f, "num_layers_in_first_pipeline_stage");
	const struct json *last = foreign_get(f, "num_layers_in_last_pipeline_stage");
	int64_t embedding = foreign_bool(f, "account_for_embedding_in_pipeline_split", false);
	int64_t loss = foreign_bool(f, "account_for_loss_in_pipeline_split", false);
	int64_t pp = foreign_int(f, "pp_size", 1), layers = foreign_int(s->model, "layer_num", 1);
	int64_t ends[2] = { foreign_int(f, "num_layers_in_first_pipeline_stage", 0),
			    foreign_int(f, "num_layers_in_last_pipeline_stage", 0) };
	int64_t ranks = pp - (first ? 1 : 0) - (last ? 1 : 0), middle, most;
	struct out o;

	if (s->alone || pp == 1 || foreign_int(f, "interleaving_size", 1) > 1 || count <= layers / pp)
		return false;
	middle = first || last ? (ranks > 0 ? (layers - ends[0] - ends[1]) / ranks : 0)
			       : (layers + embedding + loss) / pp;
	if (!first)
		ends[0] = middle - embedding;
	if (!last)
		ends[1] = middle - loss;
	most = pp > 2 ? middle : 0;
	for (size_t i = 0; i < 2; i++)
		most = ends[i] > most ? ends[i] : most;
	if (count > most)
		return false;
	out_init(&o, s->in->arena);
	for (int64_t i = 0; i < pp; i++) {
		int64_t here = i == 0 ? ends[0] : i == pp - 1 ? ends[1] : middle;

		out_printf(&o, "%s%" PRIi64, i > 0 ? ", " : "", here < count ? here : count);
	}
	out_char(&o, '\0');
	plan_text_line(&s->w, foreign_span(f, "recompute_layer_num"), "ranks = [%s]", o.p);
	return true;
}

/* With interleaving SimuMax counts layers in each virtual stage: a count that is none too many for the
 * rank, but no less than its virtual stages have, takes every layer. */
static bool takes_all(struct simumax *s, int64_t count)
{
	const struct json *f = s->strategy;
	int64_t pp = foreign_int(f, "pp_size", 1), vpp = foreign_int(f, "interleaving_size", 1);
	int64_t layers = foreign_int(s->model, "layer_num", 1) +
			 foreign_bool(f, "account_for_embedding_in_pipeline_split", false) +
			 foreign_bool(f, "account_for_loss_in_pipeline_split", false);

	return !s->alone && vpp > 1 && count <= layers / pp && count >= layers / pp / vpp;
}

void simumax_write_recompute(struct simumax *s)
{
	const struct json *f = s->strategy;
	bool full = foreign_text_is(f, "recompute_granularity", "full_block");
	struct span span = foreign_span(f, "recompute_granularity");
	int64_t count = foreign_int(f, "recompute_layer_num", 0);
	bool all = full && takes_all(s, count);

	if (!foreign_get(f, "recompute_granularity")) {
		plan_text_line(&s->w, span, "recompute = off");
		return;
	}
	plan_text_open(&s->w, span, "recompute {");
	plan_text_line(&s->w, span, "granularity = %s", full ? "full" : "selective");
	if (full)
		plan_text_line(&s->w, span, "method = %s", all ? "uniform" : "block");
	else
		plan_text_line(&s->w, span, "modules = [%s]", module_names(s));
	if (!all && (!full || !write_ranks(s, count)))
		plan_text_line(&s->w, foreign_span(f, "recompute_layer_num"), "%s = %" PRIi64,
			       full ? "layers" : "module_layers", count);
	if (!full && foreign_get(f, "recompute_variance"))
		plan_text_line(&s->w, foreign_span(f, "recompute_variance"), "early_stop = %s",
			       foreign_bool(f, "recompute_variance", false) ? "true" : "false");
	if (foreign_get(f, "enable_recompute"))
		plan_text_line(&s->w, foreign_span(f, "enable_recompute"), "enabled = %s",
			       foreign_bool(f, "enable_recompute", true) ? "true" : "false");
	plan_text_close(&s->w, "}");
}
