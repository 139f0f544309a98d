/* environment.c - variables that the training program finds, as options of the target or in its `environment`.
 *
 * Megatron's rules read some of them: CUDA_DEVICE_MAX_CONNECTIONS, NVTE_CPU_OFFLOAD_V1,
 * PYTORCH_CUDA_ALLOC_CONF, NCCL_GRAPH_REGISTER (NVIDIA/Megatron-LM, validate_args in
 * megatron/training/arguments.py). */
#include "runtime/import/megatron/megatron_int.h"

struct environment {
	struct map places;           /* hash of a name: index in `at` */
	VEC(struct shell_export) at;
};

static void set(struct megatron *m, struct environment *env, const struct shell_export *e)
{
	uint64_t key = hash_bytes(e->name.p, e->name.n);
	uint32_t i = map_find(&env->places, key);

	if (i != MAP_NONE) {
		env->at.at[i] = *e;
		return;
	}
	map_set(&env->places, key, env->at.n);
	*VEC_ADD(m->f.arena, &env->at) = *e;
}

/* What the command that trains finds: the last word on each name. */
static void collect(struct megatron *m, struct environment *env)
{
	map_init(&env->places, m->f.arena);
	for (uint32_t i = 0; i < m->script.exports.n; i++) {
		const struct shell_export *e = &m->script.exports.at[i];

		if (e->lo <= m->command && m->command < e->hi)
			set(m, env, e);
	}
	for (uint32_t i = 0; i < m->settings.n; i++) {
		const struct shell_text *t = &m->settings.at[i];
		uint32_t n = (uint32_t)((const char *)memchr(t->p, '=', t->n) - t->p);
		struct shell_export e = { .name = { t->p, n }, .set = true };

		e.value = (struct shell_text){ t->p + n + 1, t->at + n + 1, t->n - n - 1 };
		set(m, env, &e);
	}
}

/* NULL where the program does not find it. */
static const struct shell_export *find(const struct environment *env, const char *name)
{
	uint32_t i = map_find(&env->places, hash_bytes(name, strlen(name)));

	return i != MAP_NONE && env->at.at[i].set ? &env->at.at[i] : NULL;
}

/* What the libraries under Megatron read. Others are the script's own. */
static bool is_of_library(struct str name)
{
	static const char *const heads[] = { "ASCEND_",	 "CUBLAS_",  "CUDA_", "CUDNN_",	 "GLOO_",    "HCCL_",
					     "HF_",	 "NCCL_",    "NVTE_", "NVSHMEM_", "OMP_",    "PYTORCH_",
					     "TOKENIZERS_", "TORCH_", "TORCHINDUCTOR_", "TRITON_", "UCX_" };

	for (size_t i = 0; i < PLAN_COUNT(heads); i++)
		if (str_starts(name, heads[i]))
			return true;
	return false;
}

static bool is_number(const struct shell_text *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->p[i] < '0' || t->p[i] > '9')
			return false;
	return t->n > 0 && t->n < 6;
}

/* Queues of launches have an option. A script that exports none runs without, whatever the target would
 * choose, unless something that was not read may export them. */
static void write_connections(struct megatron *m, const struct environment *env)
{
	const struct shell_export *e = find(env, "CUDA_DEVICE_MAX_CONNECTIONS");

	if (!e && !m->bare && !m->script.open && m->strays.n == 0)
		megatron_line(m, "connections", "none");
	if (e && is_number(&e->value))
		plan_text_line(&m->w, SPAN_NONE, "connections = %.*s", (int)e->value.n, e->value.p);
}

static bool sends_activations(struct megatron *m)
{
	return megatron_arg(m, "--fine-grained-activation-offloading") != NULL;
}

/* What the target exports by itself as the script does. */
static bool is_derived(struct megatron *m, const struct shell_export *e)
{
	if (str_is(e->name, "CUDA_DEVICE_MAX_CONNECTIONS"))
		return is_number(&e->value);
	return str_is(e->name, "NVTE_CPU_OFFLOAD_V1") && sends_activations(m) &&
	       str_is(shell_view(&e->value), "1");
}

/* The target exports this one where activations leave; Megatron takes its absence for 0. */
static bool lacks_offload_path(struct megatron *m, const struct environment *env)
{
	return sends_activations(m) && !m->bare && !m->script.open && m->strays.n == 0 &&
	       !find(env, "NVTE_CPU_OFFLOAD_V1");
}

void megatron_write_environment(struct megatron *m)
{
	struct environment env = { 0 };
	struct plan_words own, lost;
	struct out list;

	collect(m, &env);
	write_connections(m, &env);
	out_init(&list, m->f.arena);
	if (lacks_offload_path(m, &env))
		out_text(&list, "\"NVTE_CPU_OFFLOAD_V1=0\"");
	plan_words_init(&own, &m->w, "Exported, and not handed on:");
	plan_words_init(&lost, &m->w, "Exported, but their values are not in the script:");
	for (uint32_t i = 0; i < env.at.n; i++) {
		const struct shell_export *e = &env.at.at[i];
		struct out value;

		if (!e->set || is_derived(m, e))
			continue;
		out_init(&value, m->f.arena);
		if (!is_of_library(e->name))
			plan_words_add(&own, e->name);
		else if (!megatron_inside(m, &value, &e->value))
			plan_words_add(&lost, e->name);
		else
			out_printf(&list, "%s\"%.*s=%.*s\"", list.n ? ", " : "", (int)e->name.n, e->name.p,
				   (int)value.n, value.n ? value.p : "");
	}
	if (list.n > 0)
		plan_text_line(&m->w, SPAN_NONE, "environment = [%.*s]", (int)list.n, list.p);
	plan_words_end(&own);
	plan_words_end(&lost);
}
