/* job.c - optimizer, batch and launch as a job. */
#include "runtime/import/megatron/megatron_int.h"

static void write_optimizer(struct megatron *m)
{
	static const struct megatron_word kinds[] = { { "adam", "adamw" }, { "sgd", "sgd" }, { "muon", "muon" },
						      { "lion", "lion" }, { "soap", "soap" } };
	static const struct megatron_word formats[] = { { "fp32", "fp32" }, { "bf16", "bf16" },
							{ "fp16", "fp16" }, { "fp8", "fp8" } };
	static const struct {
		const char *flag, *field;
	} rows[] = { { "--main-params-dtype", "master" }, { "--exp-avg-dtype", "moments" },
		     { "--exp-avg-sq-dtype", "variance" } };
	bool narrow = megatron_has(m, "--grad-reduce-in-bf16");
	const char *gradient = megatron_choice(m, "--main-grads-dtype", formats, PLAN_COUNT(formats),
					       narrow ? "bf16" : NULL);
	const char *variance = NULL, *moments = NULL;

	(void)megatron_has(m, "--use-precision-aware-optimizer");
	(void)megatron_has(m, "--accumulate-allreduce-grads-in-fp32");
	plan_text_open(&m->w, SPAN_NONE, "optimizer {");
	megatron_line(m, "kind", megatron_choice(m, "--optimizer", kinds, PLAN_COUNT(kinds), "adamw"));
	for (size_t i = 0; i < PLAN_COUNT(rows); i++) {
		const char *v = megatron_choice(m, rows[i].flag, formats, PLAN_COUNT(formats), NULL);

		megatron_line(m, rows[i].field, v);
		moments = i == 1 ? v : moments;
		variance = i == 2 ? v : variance;
	}
	/* A plan keeps the second moment as it keeps the first unless it says otherwise. */
	if (moments && !variance)
		megatron_line(m, "variance", "fp32");
	megatron_line(m, "gradient", gradient);
	if (megatron_has(m, "--calculate-per-token-loss"))
		megatron_line(m, "per_token_loss", "true");
	plan_text_close(&m->w, "}");
}

static void write_batch(struct megatron *m)
{
	plan_text_open(&m->w, SPAN_NONE, "batch {");
	megatron_need(m, "sequence", "--seq-length");
	megatron_need(m, "micro", "--micro-batch-size");
	if (megatron_arg(m, "--global-batch-size")) {
		megatron_need(m, "global", "--global-batch-size");
	} else {
		*VEC_ADD(m->f.arena, &m->open) = (struct megatron_open){ .name = "global_batch_size",
									 .type = "int" };
		megatron_line(m, "global", "global_batch_size");
	}
	plan_text_close(&m->w, "}");
}

/* ---- how many GPUs --------------------------------------------------------------------------- */

static const struct megatron_arg *launcher_arg(struct megatron *m, const char *flag)
{
	for (uint32_t i = 0; i < m->launcher.n; i++)
		if (str_is(shell_view(&m->launcher.at[i].flag), flag) && m->launcher.at[i].values.n > 0)
			return &m->launcher.at[i];
	/* Among bare arguments the launcher's stand with the others. */
	const struct megatron_arg *a = megatron_arg(m, flag);

	return a && a->values.n > 0 ? a : NULL;
}

/* "8", "gpu:8", "gpu:h100:8"; 0 when it is none. */
static int64_t trailing_count(const struct shell_text *t)
{
	uint32_t i = t->n;
	int64_t n = 0;

	while (i > 0 && t->p[i - 1] >= '0' && t->p[i - 1] <= '9')
		i--;
	if (t->n - i > 6 || (i > 0 && t->p[i - 1] != ':') || !shell_known(t))
		return 0;
	for (; i < t->n; i++)
		n = n * 10 + t->p[i] - '0';
	return n;
}

/* The first of some flags that the launcher has; a `param` where none is known. */
static const char *launched(struct megatron *m, const char *name, const char *const *flags)
{
	const struct megatron_arg *found = NULL;
	struct megatron_open open = { .name = name, .type = "int" };

	for (; *flags; flags++) {
		const struct megatron_arg *a = launcher_arg(m, *flags);
		int64_t n = a ? trailing_count(&a->values.at[0]) : 0;

		if (n > 0)
			return plan_text_int(&m->w, n);
		if (a && !found)
			found = a;
	}
	if (found && !shell_known(&found->values.at[0])) {
		const struct shell_text *v = &found->values.at[0];
		const char *p = memchr(v->p, SHELL_UNKNOWN, v->n);

		open.spelling = shell_unknown(m->sources, &m->script, v);
		open.line = source_position(source_get(m->sources, m->script.file), v->at[p - v->p]).line;
	}
	*VEC_ADD(m->f.arena, &m->open) = open;
	return name;
}

/* Instances of the distributed optimizer are copies of the states: so many ranks share one. */
static void write_spread(struct megatron *m, const char *nodes, const char *gpus)
{
	const char *instances = megatron_int(m, "--num-distributed-optimizer-instances", 1, NULL);

	if (instances)
		plan_text_line(&m->w, SPAN_NONE,
			       "strategy = spread with { shard_group = %s * %s / (spread.tp * spread.pp * %s) }", nodes,
			       gpus, instances);
	else
		megatron_line(m, "strategy", "spread");
}

void megatron_write_job(struct megatron *m)
{
	static const char *const node_flags[] = { "--nnodes", "--nodes", "-N", NULL };
	static const char *const gpu_flags[] = { "--nproc_per_node", "--nproc-per-node", "--gpus-per-node",
						 "--gres", "--ntasks-per-node", NULL };

	const char *nodes = launched(m, "node_count", node_flags);
	const char *gpus = launched(m, "node_gpus", gpu_flags);

	plan_text_open(&m->w, SPAN_NONE, "job pretrain {");
	megatron_line(m, "model", "trained");
	plan_text_line(&m->w, SPAN_NONE, "cluster = machines with { nodes = %s, gpus_per_node = %s }", nodes,
		       gpus);
	write_spread(m, nodes, gpus);
	write_optimizer(m);
	write_batch(m);
	megatron_write_release(m);
	plan_text_close(&m->w, "}");
}
