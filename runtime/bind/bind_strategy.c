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
static const char *const tasks[] = { "pretrain", "sft", "dpo", "reward", "forward" };
static const char *const graph_kinds[] = { "off", "local", "te", "full" };
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
	k->fused_softmax = read_bool(b, r, "fused_softmax");
	k->fused_permute = read_bool(b, r, "fused_permute");
	k->fused_accumulation = read_bool(b, r, "fused_accumulation");
	k->in_place_weight = read_bool(b, r, "in_place_weight");
	k->grouped = read_bool(b, r, "grouped");
	k->graphs = READ_ENUM(b, r, "graphs", graph_kinds) > 0;
	if (read_bool(b, r, "compile"))
		k->fused_norm = k->fused_activation = k->fused_rope = k->fused_softmax =
			k->fused_permute = true;
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
	o->pipeline_ends = read_bool(b, r, "pipeline_ends");
	o->dispatch = read_bool(b, r, "dispatch");
	o->dispatch_wgrad = read_bool(b, r, "dispatch_wgrad");
	o->shared_expert = read_bool(b, r, "shared_expert");
	o->delay_wgrad = read_bool(b, r, "delay_wgrad");
	o->optimizer_gather = read_bool(b, r, "optimizer_gather");
	if (read_bool(b, r, "head_wgrad"))
		reader_unsupported(b, r, "head_wgrad",
				   "weight gradients of the output projection in the bubble");
	if (read_bool(b, r, "recompute"))
		reader_unsupported(b, r, "recompute", "recomputation in bubbles");
	if (read_bool(b, r, "dispatch_layer"))
		reader_unsupported(b, r, "dispatch_layer", "expert traffic under work of its own layer");
}

/* Narrow products in some places only, and what is kept for them. */
static void refuse_mixed_formats(struct reader *b, struct record *r)
{
	if (!read_bool(b, r, "weight_gradient"))
		reader_unsupported(b, r, "weight_gradient", "weight gradients in a wider format");
	if (read_bool(b, r, "head"))
		reader_unsupported(b, r, "head", "an output projection in a narrow format");
	if (read_int(b, r, "first_high") != 0)
		reader_unsupported(b, r, "first_high", "layers that stay in a wider format");
	if (read_int(b, r, "last_high") != 0)
		reader_unsupported(b, r, "last_high", "layers that stay in a wider format");
	if (read_bool(b, r, "transposed"))
		reader_unsupported(b, r, "transposed", "transposed copies of quantised weights");
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
	o->dispatch = read_dtype(b, r, "dispatch");
	if (o->linear != o->compute)
		refuse_mixed_formats(b, r);
	if (read_dtype(b, r, "residual") != o->compute)
		reader_unsupported(b, r, "residual", "a residual stream of another format");
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

/* Of what goes to the host all goes, from every layer. */
static void refuse_parts(struct reader *b, struct record *a)
{
	const double usual = 2 << 20; /* bytes: no saved input is smaller */

	if (read_real(b, a, "fraction") < 1)
		reader_unsupported(b, a, "fraction", "a part of an activation kept on the host");
	if (read_real(b, a, "min_size") > usual)
		reader_unsupported(b, a, "min_size", "activations that are too small for the host");
	if (read_int_or(b, a, "layers", 0) != 0)
		reader_unsupported(b, a, "layers", "activations of some layers on the host");
	if (read_int_or(b, a, "in_flight", 0) != 0)
		reader_unsupported(b, a, "in_flight", "a bound on copies to the host under way");
	if (read_int(b, a, "rank_step") != 0)
		reader_unsupported(b, a, "rank_step", "ranks that send less to the host");
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
	if (p->offload_expert_input)
		refuse_parts(b, a);
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

void bind_order(struct reader *b, struct record *job, struct job *j)
{
	static const char *const orders[] = { "dp_inside", "pp_inside" };
	struct record *s = read_record(b, job, "strategy");

	if (b->ok)
		j->input.parallel.pp_inside = READ_ENUM(b, s, "order", orders) == 1;
}

/* Ways to send tokens to experts: once for every expert, or once for every unit of the network. */
void bind_dispatcher(struct reader *b, struct record *job, struct job *j)
{
	static const char *const ways[] = { "all_gather", "all_to_all", "deepep", "hybridep", "ncclep" };
	struct record *s = read_record(b, job, "strategy");
	uint32_t way;

	if (!b->ok)
		return;
	way = READ_ENUM(b, s, "dispatcher", ways);
	j->input.parallel.sent_once = way > 1;
	if (b->ok && way == 0 && j->input.parallel.ep * j->input.parallel.etp > 1)
		reader_unsupported(b, s, "dispatcher", "tokens gathered by every expert rank");
}

void check_job(struct reader *b, struct record *job, struct job *j)
{
	struct record *batch = read_record(b, job, "batch");

	(void)j;
	if (b->ok && read_value(b, batch, "token_budget").kind == VALUE_NUMBER)
		reader_unsupported(b, batch, "token_budget", "a token budget");
	if (b->ok && READ_ENUM(b, job, "task", tasks) > 1)
		reader_unsupported(b, job, "task", "a task other than pretrain and sft");
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
