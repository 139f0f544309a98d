/* strategy.c - the flags of parallelism as a record of schema `strategy`. */
#include "runtime/import/megatron/megatron_int.h"

#include <inttypes.h>

static void write_degrees(struct megatron *m)
{
	static const struct {
		const char *field, *flag;
	} rows[] = {
		{ "tp", "--tensor-model-parallel-size" },
		{ "pp", "--pipeline-model-parallel-size" },
		{ "cp", "--context-parallel-size" },
		{ "ep", "--expert-model-parallel-size" },
	};
	const char *tp = megatron_int(m, rows[0].flag, 1, "1");
	bool mixture = megatron_arg(m, "--num-experts") != NULL;
	const char *etp = megatron_int(m, "--expert-tensor-parallel-size", 1, mixture ? tp : NULL);

	for (size_t i = 0; i < PLAN_COUNT(rows); i++)
		megatron_line(m, rows[i].field, megatron_int(m, rows[i].flag, 1, NULL));
	/* Without experts the flag only belongs to an order of ranks that is written below. */
	if (mixture && strcmp(etp, "1") != 0)
		megatron_line(m, "etp", etp);
	if (!megatron_has(m, "--sequence-parallel") && strcmp(tp, "1") != 0)
		megatron_line(m, "sequence_parallel", "false");
	if (megatron_has(m, "--use-tp-pp-dp-mapping"))
		megatron_line(m, "order", "pp_inside");
}

static void write_context(struct megatron *m)
{
	static const struct megatron_word kinds[] = { { "p2p", "p2p" },
						      { "a2a", "a2a" },
						      { "allgather", "all_gather" },
						      { "a2a+p2p", "a2a_p2p" } };
	const struct megatron_arg *sizes = megatron_arg(m, "--hierarchical-context-parallel-sizes");

	megatron_line(m, "cp_comm", megatron_choice(m, "--cp-comm-type", kinds, PLAN_COUNT(kinds), NULL));
	if (!sizes)
		return;
	if (sizes->values.n == 2 && shell_known(&sizes->values.at[0]))
		plan_text_line(&m->w, SPAN_NONE, "cp_inner = %.*s", (int)sizes->values.at[0].n,
			       sizes->values.at[0].p);
	else
		megatron_refuse(m, &sizes->flag, "`--hierarchical-context-parallel-sizes` takes two known numbers");
}

/* What is cut: the distributed optimizer, or what FSDP is told to shard. */
static void write_zero(struct megatron *m)
{
	static const struct megatron_word cuts[] = { { "no_shard", "off" },
						     { "optim", "optimizer" },
						     { "optim_grads", "gradients" },
						     { "optim_grads_params", "parameters" } };
	bool distributed = megatron_has(m, "--use-distributed-optimizer");
	bool fsdp = megatron_has(m, "--use-megatron-fsdp");
	const struct megatron_arg *torch = megatron_arg(m, "--use-torch-fsdp2");

	fsdp = megatron_has(m, "--use-custom-fsdp") || fsdp;
	if (torch && (fsdp || distributed))
		megatron_refuse(m, &torch->flag, "`--use-torch-fsdp2` excludes %s",
				fsdp ? "Megatron's own FSDP" : "`--use-distributed-optimizer`");
	megatron_line(m, "zero",
		      fsdp ? megatron_choice(m, "--data-parallel-sharding-strategy", cuts, PLAN_COUNT(cuts),
					     "parameters")
			   : torch ? "parameters" : distributed ? "optimizer" : "off");
	if (torch && megatron_has(m, "--torch-fsdp2-no-reshard-after-forward"))
		megatron_line(m, "reshard", "false");
	megatron_line(m, "bucket", megatron_int(m, "--ddp-bucket-size", 1, NULL));
}

/* Virtual stages of a rank from the number of layers that each has. */
static const char *stages_of_layers(struct megatron *m)
{
	const struct megatron_arg *a = megatron_arg(m, "--num-layers-per-virtual-pipeline-stage");
	int64_t per = megatron_count(m, "--num-layers-per-virtual-pipeline-stage");
	int64_t pp = megatron_count(m, "--pipeline-model-parallel-size"), layers = m->layers;

	if (!a)
		return NULL;
	layers += megatron_has(m, "--account-for-embedding-in-pipeline-split");
	layers += megatron_has(m, "--account-for-loss-in-pipeline-split");
	if (per > 0 && pp > 0 && layers > 0 && layers % pp == 0 && layers / pp % per == 0)
		return plan_text_int(&m->w, layers / pp / per);
	megatron_refuse(m, &a->flag, "layers, pipeline ranks and layers of a virtual stage must be known and divide");
	return NULL;
}

/* Stages that "Et*3|(tt|)*29,tL" lists: its bars and one, brackets and bars repeated. 0 when it is none. */
static int64_t count_bars(struct str t, uint32_t *i, uint32_t depth)
{
	int64_t bars = 0, part, times;

	for (; *i < t.n && t.p[*i] != ')'; (*i)++) {
		part = t.p[*i] == '|';
		if (t.p[*i] == '(') {
			(*i)++;
			part = depth < 16 ? count_bars(t, i, depth + 1) : -1;
		}
		if (part < 0 || *i >= t.n)
			return -1;
		times = 1;
		if (*i + 1 < t.n && t.p[*i + 1] == '*') {
			times = 0;
			for (*i += 2; *i < t.n && t.p[*i] >= '0' && t.p[*i] <= '9' && times < 100000; (*i)++)
				times = times * 10 + t.p[*i] - '0';
			(*i)--;
		}
		bars += part * times;
		if (bars > 100000)
			return -1;
	}
	return bars;
}

static bool is_layout(struct str t)
{
	for (uint32_t i = 0; i < t.n; i++)
		if (!strchr("EtmL|()*, 0123456789", t.p[i]))
			return false;
	return t.n > 0;
}

static void write_stages(struct megatron *m, const struct shell_text *v)
{
	uint32_t i = 0;
	int64_t pp = megatron_count(m, "--pipeline-model-parallel-size"), stages;

	stages = is_layout(shell_view(v)) ? count_bars(shell_view(v), &i, 0) + 1 : 0;
	if (pp == 0)
		pp = 1;
	if (stages < 1 || i < v->n || stages % pp != 0) {
		megatron_refuse(m, v, "this layout has %" PRIi64 " stages for %" PRIi64 " pipeline ranks", stages, pp);
		return;
	}
	if (stages / pp > 1)
		plan_text_line(&m->w, SPAN_NONE, "vpp = %" PRIi64, stages / pp);
	plan_text_line(&m->w, SPAN_NONE, "layout = stages(\"%.*s\")", (int)v->n, v->p);
}

static void write_layout(struct megatron *m)
{
	const struct shell_text *layout = megatron_text(m, "--pipeline-model-parallel-layout");
	const char *first = megatron_int(m, "--decoder-first-pipeline-num-layers", 0, NULL);
	const char *last = megatron_int(m, "--decoder-last-pipeline-num-layers", 0, NULL);
	bool embedding = megatron_has(m, "--account-for-embedding-in-pipeline-split");
	bool loss = megatron_has(m, "--account-for-loss-in-pipeline-split");
	const char *vpp = megatron_int(m, "--num-virtual-stages-per-pipeline-rank", 1, stages_of_layers(m));

	if (layout && (vpp || first || last || embedding || loss))
		megatron_refuse(m, layout, "a layout excludes every other flag that splits the layers");
	if (layout) {
		write_stages(m, layout);
		return;
	}
	megatron_line(m, "vpp", vpp);
	m->virtual_one = vpp && strcmp(vpp, "1") == 0;
	if (first || last)
		plan_text_line(&m->w, SPAN_NONE, "layout = ends(%s%s%s%s%s)", first ? "first = " : "",
			       first ? first : "", first && last ? ", " : "", last ? "last = " : "",
			       last ? last : "");
	else if (embedding || loss)
		plan_text_line(&m->w, SPAN_NONE, "layout = even(%s%s%s)", embedding ? "embedding = 1" : "",
			       embedding && loss ? ", " : "", loss ? "loss = 1" : "");
}

/* Multiprocessors of a flexible dispatcher: by its own flag, or by the older ones of the backends. Where those
 * disagree core 0.19 and later refuse them, whatever dispatches (transformer_config.py), and earlier ones
 * take the backend's. */
static void write_multiprocessors(struct megatron *m, bool flexible)
{
	static const char *const flags[] = { "--moe-flex-dispatcher-num-sms", "--moe-deepep-num-sms",
					     "--moe-hybridep-num-sms" };
	const char *n[PLAN_COUNT(flags)], *chosen;

	for (size_t i = 0; i < PLAN_COUNT(flags); i++)
		n[i] = megatron_int(m, flags[i], 1, NULL);
	chosen = n[0] ? n[0] : n[1] ? n[1] : n[2];
	if (!n[0] && n[1] && n[2] && strcmp(n[1], n[2]) != 0)
		megatron_refuse(m, &megatron_arg(m, flags[2])->flag, "`%s` is %s and `%s` %s: give `%s`", flags[1],
				n[1], flags[2], n[2], flags[0]);
	else if (flexible)
		megatron_line(m, "dispatcher_sms", chosen);
	else if (chosen)
		plan_text_comment(&m->w, "%s multiprocessors are left out: only a flexible dispatcher uses them.", chosen);
}

static void write_dispatcher(struct megatron *m)
{
	static const struct megatron_word kinds[] = { { "allgather", "all_gather" },
						      { "alltoall", "all_to_all" },
						      { "flex", "flex" } };
	static const struct megatron_word backends[] = { { "deepep", "deepep" },
							 { "hybridep", "hybridep" },
							 { "ncclep", "ncclep" } };
	const char *kind = megatron_choice(m, "--moe-token-dispatcher-type", kinds, PLAN_COUNT(kinds), "all_gather");
	const char *backend = megatron_choice(m, "--moe-flex-dispatcher-backend", backends, PLAN_COUNT(backends),
					      "deepep");

	(void)megatron_has(m, "--moe-enable-deepep");
	megatron_line(m, "dispatcher", strcmp(kind, "flex") == 0 ? backend : kind);
	write_multiprocessors(m, strcmp(kind, "flex") == 0);
}

/* 8 and 4 bit; mxfp8 and nvfp4 are formats of their own in a plan. */
static void write_narrow(struct megatron *m, bool four)
{
	static const struct megatron_word recipes[] = { { "delayed", "delayed" },
							{ "tensorwise", "tensorwise" },
							{ "blockwise", "blockwise" },
							{ "mxfp8", "mxfp8" } };
	static const struct megatron_word fours[] = { { "nvfp4", "nvfp4" } };
	static const struct megatron_word formats[] = { { "e4m3", "e4m3" }, { "hybrid", "hybrid" } };
	const char *recipe = four ? megatron_choice(m, "--fp4-recipe", fours, PLAN_COUNT(fours), "nvfp4")
				  : megatron_choice(m, "--fp8-recipe", recipes, PLAN_COUNT(recipes), "delayed");
	const char *linear = four ? "nvfp4" : strcmp(recipe, "mxfp8") == 0 ? "mxfp8" : "fp8";

	megatron_line(m, "linear", linear);
	megatron_line(m, "scaling", recipe);
	if (four)
		(void)megatron_arg(m, "--fp4-format");
	else
		megatron_line(m, "format", megatron_choice(m, "--fp8-format", formats, PLAN_COUNT(formats), NULL));
	if (megatron_has(m, four ? "--fp4-param-gather" : "--fp8-param-gather"))
		megatron_line(m, "weights", linear);
	if (megatron_has(m, "--no-fp8-wgrad"))
		megatron_line(m, "weight_gradient", "false");
	if (megatron_has(m, "--fp8-output-proj"))
		megatron_line(m, "head", "true");
	if (megatron_has(m, "--keep-fp8-transpose-cache") ||
	    megatron_has(m, "--keep-fp8-transpose-cache-when-using-custom-fsdp"))
		megatron_line(m, "transposed", "true");
	if (megatron_has(m, "--first-last-layers-bf16")) {
		megatron_line(m, "first_high", megatron_int(m, "--num-layers-at-start-in-bf16", 0, "1"));
		megatron_line(m, "last_high", megatron_int(m, "--num-layers-at-end-in-bf16", 0, "1"));
	}
}

static void write_precision(struct megatron *m)
{
	bool bf16 = megatron_has(m, "--bf16"), fp16 = megatron_has(m, "--fp16");
	bool eight = megatron_arg(m, "--fp8-format") != NULL, four = megatron_arg(m, "--fp4-format") != NULL;
	bool mixture = megatron_arg(m, "--num-experts") != NULL;
	const struct shell_text *router = megatron_text(m, "--moe-router-dtype");
	const char *compute = bf16 ? "bf16" : fp16 ? "fp16" : "fp32";
	bool residual = megatron_has(m, "--fp32-residual-connection");
	bool narrow = mixture && !(router && str_starts(shell_view(router), "fp")) && strcmp(compute, "fp32") != 0;

	static const struct megatron_word travels[] = { { "bf16", NULL }, { "mxfp8", "mxfp8" } };
	const char *dispatch = mixture ? megatron_choice(m, "--moe-dispatch-fwd-dtype", travels,
							 PLAN_COUNT(travels), NULL) : NULL;

	if (!eight && !four && !residual && !narrow && !dispatch) {
		megatron_line(m, "precision", compute);
		return;
	}
	plan_text_open(&m->w, SPAN_NONE, "precision {");
	megatron_line(m, "compute", compute);
	if (eight || four)
		write_narrow(m, four);
	if (residual)
		megatron_line(m, "residual", "fp32");
	if (narrow)
		megatron_line(m, "router", compute);
	megatron_line(m, "dispatch", dispatch);
	plan_text_close(&m->w, "}");
}

void megatron_write_strategy(struct megatron *m)
{
	plan_text_open(&m->w, SPAN_NONE, "strategy spread {");
	write_degrees(m);
	write_context(m);
	write_zero(m);
	write_layout(m);
	megatron_line(m, "vpp_group",
		      megatron_int(m, "--microbatch-group-size-per-virtual-pipeline-stage", 1, NULL));
	if (megatron_arg(m, "--num-experts"))
		write_dispatcher(m);
	write_precision(m);
	megatron_write_overlap(m);
	plan_text_close(&m->w, "}");
}
