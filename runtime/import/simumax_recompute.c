/* simumax_recompute.c - SimuMax's ten recompute switches as one record of schema `recompute`.
 *
 *	granularity null                        off
 *	full_block, n                           full, method block, n layers of each chunk
 *	attn_only, mlp_only, sdp_only, n        selective, modules [attn], [mlp_block], [core_attn]
 *	selective_recompute, n                  selective, the modules whose switch is set
 *	megatron_recompute, n                   selective, the listed modules
 */
#include "runtime/import/simumax_int.h"

#include <inttypes.h>

static const struct { const char *key, *module; } switches[] = {
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

void simumax_write_recompute(struct simumax *s)
{
	const struct json *f = s->strategy;
	bool full = foreign_text_is(f, "recompute_granularity", "full_block");
	struct span span = foreign_span(f, "recompute_granularity");

	if (!foreign_get(f, "recompute_granularity")) {
		plan_text_line(&s->w, span, "recompute = off");
		return;
	}
	plan_text_open(&s->w, span, "recompute {");
	plan_text_line(&s->w, span, "granularity = %s", full ? "full" : "selective");
	if (full)
		plan_text_line(&s->w, span, "method = block");
	else
		plan_text_line(&s->w, span, "modules = [%s]", module_names(s));
	plan_text_line(&s->w, foreign_span(f, "recompute_layer_num"), "%s = %" PRIi64,
		       full ? "layers" : "module_layers", foreign_int(f, "recompute_layer_num", 0));
	if (!full && foreign_get(f, "recompute_variance"))
		plan_text_line(&s->w, foreign_span(f, "recompute_variance"), "early_stop = %s",
			       foreign_bool(f, "recompute_variance", false) ? "true" : "false");
	if (foreign_get(f, "enable_recompute"))
		plan_text_line(&s->w, foreign_span(f, "enable_recompute"), "enabled = %s",
			       foreign_bool(f, "enable_recompute", true) ? "true" : "false");
	plan_text_close(&s->w, "}");
}
