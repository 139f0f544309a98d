/* recompute.c - which operators of a layer run again in backward, from granularity and modules. */

#include "runtime/engine/cost.h"

/* Legacy groups of operators that modules switch on together. */
struct groups {
	bool norm_in, qkv, core, out, norm_mlp, linear, act;
	bool discard_norm; /* output-discard recompute of the norms (module layernorm) */
	bool discard_act;  /* ... of the activation (module mlp_act) */
};

static bool has(const struct engine_recompute *r, enum recompute_module module)
{
	return (r->modules & (UINT32_C(1) << module)) != 0;
}

static struct groups groups_of(const struct engine_recompute *r)
{
	struct groups g = { 0 };

	if (r->granularity == RECOMPUTE_FULL)
		return (struct groups){ true, true, true, true, true, true, true, false, false };
	g.discard_norm = has(r, MODULE_LAYERNORM);
	g.discard_act = has(r, MODULE_MLP_ACT);
	g.norm_in = g.discard_norm || has(r, MODULE_ATTN_INPUT);
	g.qkv = has(r, MODULE_ATTN) || has(r, MODULE_ATTN_BODY);
	g.core = g.qkv || has(r, MODULE_CORE_ATTN);
	g.out = has(r, MODULE_ATTN);
	g.norm_mlp = g.discard_norm || has(r, MODULE_FFN_INPUT) || has(r, MODULE_MLP_BLOCK);
	g.linear = has(r, MODULE_FFN_LINEAR) || has(r, MODULE_MLP_BLOCK) || has(r, MODULE_MLP);
	g.act = g.linear || g.discard_act;
	return g;
}

/*
 * A linear behind a discarding norm re-creates the norm's output and does not cache it again: it
 * belongs to the segment (`run`), shares its input and is itself not executed again (`tail`).
 */
static void set_linear(struct recompute_flags *flags, int i, bool run, bool discard)
{
	flags->run[i] = run || discard;
	flags->shared[i] = discard;
	flags->tail[i] = discard;
}

static void set_operator(const struct cost *cost, const struct groups *g, int i, int *seen,
			 struct recompute_flags *flags)
{
	const struct engine_recompute *r = &cost->in->recompute;
	const struct engine_operator *op = &cost->op[cost->first[GRAPH_LAYER] + i];
	const bool in_ffn = seen[OPERATOR_ROW] > 0;

	switch (op->kind) {
	case OPERATOR_NORM:
		/*
		 * Norms of queries and keys go with the projections; the second block norm with the
		 * FFN.
		 */
		flags->run[i] = i == 0 ? g->norm_in : in_ffn ? g->norm_mlp : g->qkv;
		break;
	case OPERATOR_COLUMN:
		set_linear(flags, i, in_ffn ? g->linear : g->qkv, g->discard_norm);
		flags->ends[i] = in_ffn && g->discard_norm && g->linear;
		break;
	case OPERATOR_ROPE:
		flags->run[i] = g->qkv;
		break;
	case OPERATOR_ATTENTION:
		flags->run[i] = g->core;
		flags->tail[i] = g->core && r->early_stop;
		break;
	case OPERATOR_ROW:
		if (in_ffn) {
			set_linear(flags, i, g->linear, g->discard_act && !g->linear);
			flags->tail[i] |= g->linear && r->early_stop;
		} else {
			flags->run[i] = g->out;
		}
		break;
	case OPERATOR_ACTIVATION:
		flags->run[i] = g->act;
		break;
	case OPERATOR_ADD:
		flags->run[i] = r->granularity == RECOMPUTE_FULL;
		break;
	case OPERATOR_EMBEDDING:
	case OPERATOR_LOSS:
		break;
	}
	seen[op->kind]++;
}

void recompute_flags(const struct cost *cost, struct recompute_flags *flags)
{
	const struct engine_recompute *r = &cost->in->recompute;
	int operators = cost->first[GRAPH_HEAD] - cost->first[GRAPH_LAYER];
	int seen[OPERATOR_LOSS + 1] = { 0 };

	*flags = (struct recompute_flags){ 0 };
	if (r->granularity == RECOMPUTE_OFF)
		return;

	struct groups g = groups_of(r);

	for (int i = 0; i < operators; i++) {
		set_operator(cost, &g, i, seen, flags);
		flags->any |= flags->run[i];
	}
}

bool recompute_layer(const struct cost *cost, const struct engine_layout_stage *stage, int64_t i)
{
	const struct engine_recompute *r = &cost->in->recompute;

	if (r->granularity == RECOMPUTE_OFF)
		return false;
	if (r->granularity == RECOMPUTE_FULL && r->method == RECOMPUTE_UNIFORM)
		return true;
	if (r->granularity == RECOMPUTE_FULL && r->method == RECOMPUTE_EVERY)
		return r->layers > 0 && i % r->layers == 0;
	return i < stage->recompute;
}
