/* stage.c - one pipeline stage: its times per micro-batch, what it stores, and its activations. */

#include "runtime/engine/cost.h"

/* Sums over one part of the graph (embedding, a layer, head). */
struct sums {
	double forward, backward, replay; /* compute, s */
	double forward_network[TRAFFIC_COUNT], backward_network[TRAFFIC_COUNT];
	double replay_network[TRAFFIC_COUNT];
	double forward_flops, backward_flops, replay_flops;
	double attention[2]; /* compute of attention, forward and backward */
	int64_t kernels[2];
};

static void add_network(double *to, const double *from)
{
	for (int t = 0; t < TRAFFIC_COUNT; t++)
		to[t] += from[t];
}

/* Linears repeat their collectives with their forward; SimuMax forgets those of attention (O23). */
static bool repeats_network(const struct cost *cost, const struct engine_operator *op)
{
	if (op->kind == OPERATOR_ATTENTION)
		return !cost->profile->cp_not_repeated;
	return op->kind == OPERATOR_COLUMN || op->kind == OPERATOR_ROW;
}

static double at_least(double seconds, double floor)
{
	return seconds > floor ? seconds : floor;
}

static void sum_part(const struct cost *cost, enum graph_part part,
		     const struct recompute_flags *flags, struct sums *sums)
{
	*sums = (struct sums){ 0 };
	for (int i = cost->first[part]; i < cost->first[part + 1]; i++) {
		const struct engine_operator *op = &cost->op[i];
		int local = i - cost->first[part];

		sums->forward += op->compute[PHASE_FORWARD];
		sums->backward +=
			op->compute[PHASE_INPUT_GRADIENT] + op->compute[PHASE_WEIGHT_GRADIENT];
		add_network(sums->forward_network, op->network[PHASE_FORWARD]);
		add_network(sums->backward_network, op->network[PHASE_INPUT_GRADIENT]);
		add_network(sums->backward_network, op->network[PHASE_WEIGHT_GRADIENT]);
		sums->forward_flops += op->flops[PHASE_FORWARD];
		sums->backward_flops +=
			op->flops[PHASE_INPUT_GRADIENT] + op->flops[PHASE_WEIGHT_GRADIENT];
		if (op->kind == OPERATOR_ATTENTION) {
			sums->attention[0] += op->compute[PHASE_FORWARD];
			sums->attention[1] += op->compute[PHASE_INPUT_GRADIENT];
		}
		sums->kernels[0] += op->kernels[0];
		sums->kernels[1] += op->kernels[1];
		if (flags == NULL || !flags->run[local] || flags->tail[local])
			continue;
		sums->replay += op->compute[PHASE_FORWARD];
		sums->replay_flops += op->flops[PHASE_FORWARD];
		if (repeats_network(cost, op))
			add_network(sums->replay_network, op->network[PHASE_FORWARD]);
	}
	/* The host cannot launch faster than this, however small the kernels are. */
	sums->forward = at_least(sums->forward, (double)sums->kernels[0] * cost->profile->launch);
	sums->backward = at_least(sums->backward, (double)sums->kernels[1] * cost->profile->launch);
}

static void add_traffic(struct engine_stage *stage, const double *network, double times)
{
	stage->tensor_network += times * network[TRAFFIC_TENSOR];
	stage->context_network += times * network[TRAFFIC_CONTEXT];
	stage->expert_network += times * network[TRAFFIC_EXPERT];
}

static double total_network(const double *network)
{
	return network[TRAFFIC_TENSOR] + network[TRAFFIC_CONTEXT] + network[TRAFFIC_EXPERT];
}

static void add_times(struct engine_stage *stage, const struct sums *sums, double times)
{
	stage->forward_compute += times * sums->forward;
	stage->backward_compute += times * sums->backward;
	stage->forward_network += times * total_network(sums->forward_network);
	stage->backward_network += times * total_network(sums->backward_network);
	stage->forward_flops += times * sums->forward_flops;
	stage->backward_flops += times * sums->backward_flops;
	stage->kernels += (int64_t)times * (sums->kernels[0] + sums->kernels[1]);
	add_traffic(stage, sums->forward_network, times);
	add_traffic(stage, sums->backward_network, times);
}

static void add_recompute(const struct cost *cost, struct engine_stage *stage,
			  const struct sums *sums)
{
	double times = (double)stage->recomputed_layers;

	if (!cost->in->recompute.enabled && !cost->profile->charge_disabled_recompute) {
		stage->recomputed_layers = 0;
		return;
	}
	stage->recompute_compute = times * sums->replay;
	stage->recompute_network = times * total_network(sums->replay_network);
	stage->recompute_flops = times * sums->replay_flops;
	stage->recompute = stage->recompute_compute + stage->recompute_network;
	add_traffic(stage, sums->replay_network, times);
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/*
 * Tensor collectives hide under the layer's compute, a ring of keys and values under attention: a
 * share of what is sent, as far as there is compute to hide under, which slows down a little
 * meanwhile. An exchange of heads has nothing to run beside it. `layer` is one layer, of which
 * there are stage->layers.
 */
static void overlap_network(const struct cost *cost, struct engine_stage *stage,
			    const struct sums *layer)
{
	const struct engine_overlap *o = &cost->in->overlap;
	const double hide = cost->profile->hide, layers = (double)stage->layers;
	const double again = (double)stage->recomputed_layers;
	double tensor[2] = { 0, 0 }, context[2] = { 0, 0 };

	if (o->tensor) {
		double sent = layer->backward_network[TRAFFIC_TENSOR] * layers +
			      layer->replay_network[TRAFFIC_TENSOR] * again;

		tensor[0] = hide * layers *
			    smaller(layer->forward_network[TRAFFIC_TENSOR], layer->forward);
		tensor[1] = hide * smaller(sent, layer->backward * layers);
	}
	if (o->context && cost->in->parallel.cp_comm == CP_P2P) {
		double sent = layer->backward_network[TRAFFIC_CONTEXT] * layers +
			      layer->replay_network[TRAFFIC_CONTEXT] * again;

		context[0] = hide * layers *
			     smaller(layer->forward_network[TRAFFIC_CONTEXT], layer->attention[0]);
		context[1] = hide * smaller(sent, layer->attention[1] * layers);
	}
	stage->hidden_tensor = tensor[0] + tensor[1];
	stage->hidden_context = context[0] + context[1];
	stage->penalty =
		cost->profile->hide_penalty * (stage->hidden_tensor + stage->hidden_context);

	const double kept = 1 - cost->profile->hide_penalty;

	stage->forward =
		stage->forward_compute + stage->forward_network - kept * (tensor[0] + context[0]);
	stage->backward = stage->backward_compute + stage->backward_network + stage->recompute -
			  kept * (tensor[1] + context[1]);
}

/* Parameters and weights of a part, held `times` times. */
static void add_weights(const struct cost *cost, enum graph_part part, int64_t times,
			bool skip_output, struct engine_stage *stage)
{
	for (int i = cost->first[part]; i < cost->first[part + 1]; i++) {
		const struct engine_operator *op = &cost->op[i];

		if (skip_output && op->kind == OPERATOR_COLUMN)
			continue;
		stage->parameters += times * op->parameters;
		stage->weights += times * op->weight_bytes;
		stage->tensor_reduced += times * op->tensor_reduced;
	}
}

/* Transformer Engine keeps one unused gradient per distinct weight shape of the stage. */
static int64_t dummy_gradients(const struct cost *cost, const struct engine_stage *stage)
{
	int64_t seen[GRAPH_OPERATORS_MAX][2];
	int64_t bytes = 0;
	int n = 0;

	if (!cost->in->kernels.fused_accumulation ||
	    !version_at_least(&cost->in->te, &cost->profile->dummy_wgrad))
		return 0;
	for (int i = 0; i < cost->first[GRAPH_PART_COUNT]; i++) {
		const int64_t *shape = cost->op[i].dummy;
		bool here = i >= cost->first[GRAPH_HEAD] ? stage->loss : stage->layers > 0;
		bool known = false;

		for (int k = 0; k < n; k++)
			known |= seen[k][0] == shape[0] && seen[k][1] == shape[1];
		if (!here || known || shape[0] == 0)
			continue;
		seen[n][0] = shape[0];
		seen[n++][1] = shape[1];
		bytes += shape[0] * shape[1] * cost->element;
	}
	return bytes;
}

static int64_t divide_up(int64_t size, int64_t parts)
{
	return size / parts + (size % parts != 0);
}

/* Bytes of optimizer state per parameter. */
static int64_t state_bytes(const struct cost *cost)
{
	const struct engine_optimizer *o = &cost->in->optimizer;
	int64_t bytes = dtype_bits(o->master) / 8;

	if (o->single_copy)
		bytes -= cost->weight_element < bytes ? cost->weight_element : bytes;
	if (o->kind != OPTIMIZER_SGD)
		bytes += dtype_bits(o->moments) / 8;
	if (o->kind == OPTIMIZER_ADAMW || o->kind == OPTIMIZER_SOAP)
		bytes += dtype_bits(o->variance) / 8;
	return bytes;
}

static void store_states(const struct cost *cost, struct engine_stage *stage)
{
	const struct engine_parallel *p = &cost->in->parallel;
	int64_t shard = p->shard > 0 ? p->shard : p->dp * p->cp;

	stage->gradients = stage->parameters * cost->gradient_element;
	stage->optimizer = stage->parameters * state_bytes(cost);
	if (p->zero >= ZERO_OPTIMIZER)
		stage->optimizer = divide_up(stage->optimizer, shard);
	if (p->zero >= ZERO_GRADIENTS)
		stage->gradients = divide_up(stage->gradients, shard);
	if (p->zero >= ZERO_PARAMETERS)
		stage->weights = divide_up(stage->weights, shard);
}

void stage_evaluate(struct cost *cost, const struct recompute_flags *flags,
		    const struct engine_layout_stage *layout, struct engine_stage *stage)
{
	struct sums layer, sums;
	struct walk walk;

	stage->layers = layout->layers;
	stage->embedding = layout->embedding;
	stage->loss = layout->loss;
	for (int64_t i = 0; flags->any && i < layout->layers; i++)
		stage->recomputed_layers += recompute_layer(cost, layout, i);
	sum_part(cost, GRAPH_LAYER, flags, &layer);
	add_times(stage, &layer, (double)layout->layers);
	add_recompute(cost, stage, &layer);
	add_weights(cost, GRAPH_LAYER, layout->layers, false, stage);
	if (layout->embedding) {
		sum_part(cost, GRAPH_EMBEDDING, NULL, &sums);
		add_times(stage, &sums, 1);
		add_weights(cost, GRAPH_EMBEDDING, 1, false, stage);
	}
	if (layout->loss) {
		/* A tied output matrix on the embedding's own stage is the same memory. */
		bool shared = cost->in->model.tied && layout->embedding;

		sum_part(cost, GRAPH_HEAD, NULL, &sums);
		add_times(stage, &sums, 1);
		add_weights(cost, GRAPH_HEAD, 1, shared, stage);
	}
	overlap_network(cost, stage, &layer);
	store_states(cost, stage);
	stage->other_static = dummy_gradients(cost, stage);
	walk_stage(cost, layout, flags, &walk);
	stage->activations = walk.cache;
	stage->activation_peak = walk.peak;
	stage->logits = walk.logits;
}
