/* recompute.c - which operators of a layer run again in backward, from granularity and modules. */

#include "runtime/engine/cost.h"

/* Operators of a layer that only ever run again together. */
enum unit {
	UNIT_NOTHING,
	UNIT_NORM_IN,
	UNIT_DOWN, /* projections to the latent ranks */
	UNIT_UP,   /* projections to heads, latent norms, positions */
	UNIT_CORE,
	UNIT_OUT,
	UNIT_NORM_MLP,
	UNIT_SHARED,
	UNIT_ROUTER,
	UNIT_DENSE,
	UNIT_ROUTED,
	UNIT_PERMUTE,
	UNIT_NORM_BEHIND, /* runs again with whole layers only */
	UNIT_COUNT
};

static const uint8_t unit_of[SITE_COUNT] = {
	[SITE_NORM_IN] = UNIT_NORM_IN,   [SITE_QKV] = UNIT_UP,
	[SITE_Q_NORM] = UNIT_UP,         [SITE_K_NORM] = UNIT_UP,
	[SITE_Q_DOWN] = UNIT_DOWN,       [SITE_Q_LATENT_NORM] = UNIT_UP,
	[SITE_Q_UP] = UNIT_UP,           [SITE_KV_DOWN] = UNIT_DOWN,
	[SITE_KV_SPLIT] = UNIT_CORE,     [SITE_KV_LATENT_NORM] = UNIT_UP,
	[SITE_KV_UP] = UNIT_UP,          [SITE_HEAD_SPLIT] = UNIT_CORE,
	[SITE_ROPE] = UNIT_UP,           [SITE_KEY_CONCAT] = UNIT_CORE,
	[SITE_PACK] = UNIT_CORE,         [SITE_CORE] = UNIT_CORE,
	[SITE_OUT] = UNIT_OUT,           [SITE_NORM_MLP] = UNIT_NORM_MLP,
	[SITE_FC1] = UNIT_DENSE,         [SITE_ACT] = UNIT_DENSE,
	[SITE_FC2] = UNIT_DENSE,         [SITE_SHARED_FC1] = UNIT_SHARED,
	[SITE_SHARED_ACT] = UNIT_SHARED, [SITE_SHARED_FC2] = UNIT_SHARED,
	[SITE_ROUTER] = UNIT_ROUTER,     [SITE_DISPATCH] = UNIT_PERMUTE,
	[SITE_EXPERT_FC1] = UNIT_ROUTED, [SITE_EXPERT_ACT] = UNIT_ROUTED,
	[SITE_EXPERT_FC2] = UNIT_ROUTED, [SITE_COMBINE] = UNIT_PERMUTE,
	[SITE_GATE_SPLIT] = UNIT_UP,     [SITE_GATE] = UNIT_OUT,
	[SITE_NORM_BEHIND_ATTENTION] = UNIT_NORM_BEHIND,
	[SITE_NORM_BEHIND_MLP] = UNIT_NORM_BEHIND,
};

/* What the modules choose. */
struct choice {
	bool on[UNIT_COUNT];
	/* operators whose output is dropped and made again where it is needed */
	bool drop_norms, drop_up, drop_dense_act, drop_expert_act;
	/* segments that end by themselves: behind latent projections, behind the experts */
	bool ends_down, ends_experts;
	bool block; /* whole layers, sums included */
};

static bool has(const struct engine_recompute *r, enum recompute_module module)
{
	return (r->modules & (UINT32_C(1) << module)) != 0;
}

static void choose_attention(const struct engine_recompute *r, struct choice *c)
{
	const bool all = has(r, MODULE_ATTN), input = has(r, MODULE_ATTN_INPUT);

	c->drop_norms = has(r, MODULE_LAYERNORM);
	c->drop_up = has(r, MODULE_MLA_UP_PROJ);
	c->ends_down = input || c->drop_norms;
	c->on[UNIT_NORM_IN] = c->drop_norms || input;
	c->on[UNIT_DOWN] = c->drop_norms || input || all;
	c->on[UNIT_UP] = c->drop_up || all || has(r, MODULE_ATTN_BODY);
	c->on[UNIT_CORE] = c->on[UNIT_UP] || has(r, MODULE_CORE_ATTN);
	c->on[UNIT_OUT] = all;
}

static void choose_feed_forward(const struct engine_recompute *r, struct choice *c)
{
	const bool all = has(r, MODULE_MLP_BLOCK), experts = has(r, MODULE_MOE);
	const bool input = all || has(r, MODULE_FFN_INPUT);
	const bool linear = all || has(r, MODULE_FFN_LINEAR);
	const bool routed = experts || has(r, MODULE_ROUTED_EXPERTS);

	c->on[UNIT_NORM_MLP] = c->drop_norms || input;
	c->on[UNIT_SHARED] = input || experts || has(r, MODULE_SHARED_EXPERTS);
	c->on[UNIT_ROUTER] = input || experts;
	c->on[UNIT_DENSE] = linear || has(r, MODULE_MLP);
	c->on[UNIT_ROUTED] = linear || routed;
	c->on[UNIT_PERMUTE] = all || routed;
	c->ends_experts = experts;
	c->drop_dense_act = has(r, MODULE_MLP_ACT) && !c->on[UNIT_DENSE];
	c->drop_expert_act = has(r, MODULE_MOE_ACT) && !c->on[UNIT_ROUTED];
}

static struct choice choose(const struct engine_recompute *r)
{
	struct choice c = { .block = r->granularity == RECOMPUTE_FULL };

	if (c.block) {
		for (int unit = UNIT_NORM_IN; unit < UNIT_COUNT; unit++)
			c.on[unit] = true;
		return c;
	}
	choose_attention(r, &c);
	choose_feed_forward(r, &c);
	return c;
}

/* One operator's flags. */
struct flag {
	bool run, shared, tail, ends;
};

/*
 * A linear behind an operator that drops its output re-creates that output and does not cache it
 * again: it belongs to the segment, shares its input and is itself not executed again.
 */
static void drop_into(struct flag *flag, bool drop)
{
	flag->run |= drop;
	flag->shared |= drop;
	flag->tail |= drop;
}

/*
 * Attention behind latent projections that drop their outputs: under an exchange of heads these
 * outputs are exchanged first, and the kernel stays out of the segment.
 */
static void flag_core(const struct cost *cost, const struct choice *c, struct flag *flag)
{
	const struct engine_parallel *p = &cost->in->parallel;

	if (cost->in->model.attention.kind != ATTENTION_MLA || !c->drop_up)
		return;
	if (cost_cp_inner(p) > 1 && p->cp_comm != CP_P2P && p->cp_comm != CP_ALL_GATHER)
		*flag = (struct flag){ .run = false };
	else
		drop_into(flag, true);
}

/* The last operator of a segment, which an early stop leaves out. */
static bool may_end_early(enum operator_site site)
{
	return site == SITE_Q_DOWN || site == SITE_KV_DOWN || site == SITE_CORE ||
	       site == SITE_FC2 || site == SITE_SHARED_FC2 || site == SITE_EXPERT_FC2;
}

static struct flag flag_linear(const struct cost *cost, const struct choice *c,
			       enum operator_site site)
{
	const bool run = c->on[unit_of[site]];
	struct flag flag = { .run = run };

	if (may_end_early(site))
		flag.tail = run && cost->in->recompute.early_stop;
	if (site == SITE_QKV || site == SITE_Q_DOWN || site == SITE_KV_DOWN || site == SITE_FC1 ||
	    site == SITE_ROUTER)
		drop_into(&flag, c->drop_norms);
	if (site == SITE_Q_DOWN || site == SITE_KV_DOWN)
		flag.ends = c->ends_down;
	if (site == SITE_FC1)
		flag.ends = c->drop_norms && run;
	if (site == SITE_ROUTER)
		flag.ends = c->drop_norms;
	if (site == SITE_COMBINE)
		flag.ends = c->ends_experts;
	if (site == SITE_ACT)
		flag.run |= c->drop_dense_act;
	if (site == SITE_FC2)
		drop_into(&flag, c->drop_dense_act);
	if (site == SITE_EXPERT_ACT)
		flag.run |= c->drop_expert_act;
	if (site == SITE_EXPERT_FC2)
		drop_into(&flag, c->drop_expert_act);
	if (site == SITE_CORE)
		flag_core(cost, c, &flag);
	return flag;
}

static struct flag flag_operator(const struct cost *cost, const struct choice *c,
				 const struct engine_operator *op)
{
	struct flag flag = flag_linear(cost, c, op->site);

	if (op->site > SITE_MTP_EMBEDDING && op->site <= SITE_MTP_SPREAD)
		return (struct flag){ .run = c->block };

	if (op->kind == OPERATOR_ADD)
		return (struct flag){ .run = c->block && op->site != SITE_ADD_SHARED };
	if (op->kind != OPERATOR_CAST)
		return flag;
	/* A cast runs with its linear, unless the linear caches what it makes. */
	if (op->site == SITE_EXPERT_FC1 && cost->in->precision.keep_grouped_input)
		flag.run = false;
	return (struct flag){ .run = flag.run };
}

void recompute_flags(const struct cost *cost, struct recompute_flags *flags)
{
	*flags = (struct recompute_flags){ .any = false };
	if (cost->in->recompute.granularity == RECOMPUTE_OFF)
		return;

	struct choice choice = choose(&cost->in->recompute);

	for (int i = cost->first[GRAPH_DENSE]; i < cost->first[GRAPH_NORM]; i++) {
		struct flag flag = flag_operator(cost, &choice, &cost->op[i]);

		flags->run[i] = flag.run;
		flags->shared[i] = flag.shared;
		flags->again[i] = flag.run && !flag.tail;
		flags->ends[i] = flag.ends;
		flags->any |= flag.run;
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
