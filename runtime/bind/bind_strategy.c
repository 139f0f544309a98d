/* bind_strategy.c - the parts of a strategy that are more than a field to copy: recomputation, kernels,
 * overlap, the optimizer, what lies on the host. The plain fields are rows of parts.c. */
#include "runtime/bind/bind_int.h"

const char *const dtype_names[DTYPE_COUNT] = { "fp32", "tf32", "bf16", "fp16", "fp8",
					       "mxfp8", "int8", "fp4", "nvfp4", "nf4" };

static const char *const granularities[] = { "off", "selective", "full" };
static const char *const methods[] = { "uniform", "block", "every" };
static const char *const modules[] = { "core_attn", "layernorm", "mla_up_proj", "mlp", "moe",
				       "moe_act", "shared_experts", "routed_experts", "mlp_act", "attn",
				       "attn_body", "attn_input", "ffn_linear", "ffn_input",
				       "mlp_block" };
static const char *const attention_kernels[] = { "flash", "fused", "unfused", "math" };
static const char *const loss_kernels[] = { "unfused", "native", "te", "linear", "chunked" };
static const char *const optimizers[] = { "adamw", "sgd", "muon", "lion", "soap" };

#define READ_ENUM(b, r, field, names) read_enum((b), (r), (field), (names), PLAN_COUNT(names))

static enum engine_dtype read_dtype(struct reader *b, struct record *r, const char *field)
{
	return (enum engine_dtype)read_enum(b, r, field, dtype_names, DTYPE_COUNT);
}

/* A record of the job's strategy; NULL after a fault. */
static struct record *of_strategy(struct reader *b, struct record *job, const char *name)
{
	struct record *s = read_record(b, job, "strategy");

	return b->ok ? read_record(b, s, name) : NULL;
}

void bind_recompute(struct reader *b, struct record *job, struct job *j)
{
	struct record *r = of_strategy(b, job, "recompute");
	struct engine_recompute *o = &j->input.recompute;

	if (!b->ok)
		return;
	struct value list = read_value(b, r, "modules");
	const struct type *t = field_type(b, r, "modules");

	o->granularity = (enum recompute_granularity)READ_ENUM(b, r, "granularity", granularities);
	o->method = (enum recompute_method)READ_ENUM(b, r, "method", methods);
	o->layers = read_int_or(b, r, "layers", 1);
	o->early_stop = read_bool(b, r, "early_stop");
	o->distribute = read_bool(b, r, "distribute");
	o->enabled = read_bool(b, r, "enabled");
	o->modules = 0;
	for (uint32_t i = 0; b->ok && list.kind == VALUE_LIST && i < list.list->n; i++) {
		uint32_t m = enum_index(b, list.list->at[i], t->of, modules, PLAN_COUNT(modules));

		o->modules |= 1u << (m == UINT32_MAX ? (uint32_t)MODULE_OTHER : m);
	}
}

void bind_kernels(struct reader *b, struct record *job, struct job *j)
{
	struct record *r = of_strategy(b, job, "kernels");
	struct engine_kernels *k = &j->input.kernels;

	if (!b->ok)
		return;
	k->attention = (enum attention_kernel)READ_ENUM(b, r, "attention", attention_kernels);
	k->cross_entropy = (enum cross_entropy_kernel)READ_ENUM(b, r, "cross_entropy", loss_kernels);
	k->vocab_chunk = read_int(b, r, "vocab_chunk");
	k->fused_norm = read_bool(b, r, "fused_norm");
	k->fused_activation = read_bool(b, r, "fused_activation");
	k->fused_rope = read_bool(b, r, "fused_rope");
	k->fused_accumulation = read_bool(b, r, "fused_accumulation");
	k->in_place_weight = read_bool(b, r, "in_place_weight");
	k->grouped = read_bool(b, r, "grouped");
	if (read_int(b, r, "mlp_chunks") != 1)
		reader_unsupported(b, r, "mlp_chunks", "a feed-forward network in pieces");
}

void bind_overlap(struct reader *b, struct record *job, struct job *j)
{
	struct record *r = of_strategy(b, job, "overlap");
	struct engine_overlap *o = &j->input.overlap;

	if (!b->ok)
		return;
	o->gradient_reduce = read_bool(b, r, "gradient_reduce");
	o->parameter_gather = read_bool(b, r, "parameter_gather");
	o->tensor = read_bool(b, r, "tensor");
	o->context = read_bool(b, r, "context");
	o->pipeline = read_bool(b, r, "pipeline");
	o->pipeline_ends = read_bool(b, r, "pipeline_ends");
	o->dispatch = read_bool(b, r, "dispatch");
	o->dispatch_wgrad = read_bool(b, r, "dispatch_wgrad");
	o->shared_expert = read_bool(b, r, "shared_expert");
	if (read_bool(b, r, "dispatch_layer"))
		reader_unsupported(b, r, "dispatch_layer", "expert traffic under work of its own layer");
}

void bind_precision(struct reader *b, struct record *job, struct job *j)
{
	struct record *r = of_strategy(b, job, "precision");
	struct engine_precision *o = &j->input.precision;

	if (!b->ok)
		return;
	o->compute = read_dtype(b, r, "compute");
	o->linear = read_dtype(b, r, "linear");
	o->weights = read_dtype(b, r, "weights");
	o->keep_grouped_input = read_bool(b, r, "keep_grouped_input");
}

void bind_optimizer(struct reader *b, struct record *job, struct job *j)
{
	struct record *r = read_record(b, job, "optimizer");
	struct engine_optimizer *o = &j->input.optimizer;

	if (!b->ok)
		return;
	o->kind = (enum optimizer_kind)READ_ENUM(b, r, "kind", optimizers);
	o->master = read_dtype(b, r, "master");
	o->moments = read_dtype(b, r, "moments");
	o->variance = read_dtype(b, r, "variance");
	o->gradient = read_dtype(b, r, "gradient");
	o->reduce = read_dtype(b, r, "reduce");
	o->single_copy = read_bool(b, r, "single_copy");
	o->clip = read_bool(b, r, "clip");
}

/* Saved activations that may wait on the host: of all parts only the experts' first inputs. */
static void bind_activations(struct reader *b, struct record *a, struct engine_parallel *p)
{
	struct value parts = read_value(b, a, "modules"), tensors = read_value(b, a, "tensors");
	const struct type *t = field_type(b, a, "modules");
	static const char *const known[] = { "expert_fc1" };

	for (uint32_t i = 0; b->ok && parts.kind == VALUE_LIST && i < parts.list->n; i++) {
		if (enum_index(b, parts.list->at[i], t->of, known, PLAN_COUNT(known)) == 0)
			p->offload_expert_input = true;
		else
			reader_unsupported(b, a, "modules",
					   "activations other than expert_fc1 on the host");
	}
	if (tensors.kind == VALUE_LIST && tensors.list->n > 0)
		reader_unsupported(b, a, "tensors", "single tensors kept on the host");
	if (p->offload_expert_input && read_real(b, a, "fraction") < 1)
		reader_unsupported(b, a, "fraction", "a part of an activation kept on the host");
}

/* States on the host are real memory the engine would otherwise keep on the device. */
void bind_offload(struct reader *b, struct record *job, struct job *j)
{
	static const char *const states[] = { "optimizer", "gradients", "parameters" };
	struct record *r = of_strategy(b, job, "offload");

	j->input.parallel.offload_expert_input = false;
	if (!b->ok)
		return;
	for (size_t i = 0; b->ok && i < PLAN_COUNT(states); i++) {
		struct record *part = read_record(b, r, states[i]);

		if (part != NULL && read_real(b, part, "fraction") > 0)
			reader_unsupported(b, part, "fraction", "states kept on the host");
	}
	struct record *a = read_record(b, r, "activations");

	if (a != NULL)
		bind_activations(b, a, &j->input.parallel);
}

/* Ways to send tokens to experts that are priced as an all-to-all; a gather is none. */
void check_dispatcher(struct reader *b, struct record *job, struct job *j)
{
	static const char *const gathers[] = { "all_gather" };
	struct record *s = read_record(b, job, "strategy");

	if (!b->ok)
		return;
	struct value v = read_value(b, s, "dispatcher");

	if (b->ok && j->input.parallel.ep * j->input.parallel.etp > 1 &&
	    enum_index(b, v, field_type(b, s, "dispatcher"), gathers, PLAN_COUNT(gathers)) == 0)
		reader_unsupported(b, s, "dispatcher", "tokens gathered by every expert rank");
}

void check_job(struct reader *b, struct record *job, struct job *j)
{
	struct record *batch = read_record(b, job, "batch");

	(void)j;
	if (b->ok && read_value(b, batch, "token_budget").kind == VALUE_NUMBER)
		reader_unsupported(b, batch, "token_budget", "a token budget");
	if (read_record(b, job, "adapter") != NULL)
		reader_unsupported(b, job, "adapter", "low-rank adapters");
}

void bind_framework(struct reader *b, struct record *job, struct job *j)
{
	struct record *framework = read_record(b, job, "framework");

	if (!b->ok)
		return;
	struct value te = read_value(b, framework, "te");

	j->input.te = version_read(te.kind == VALUE_STRING ? te.text : STR(""));
}
