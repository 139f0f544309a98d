/* stage.c - one pipeline stage: its times per micro-batch, its weights, and its activations. */

#include "runtime/engine/cost.h"

static void add_traffic(struct engine_stage *stage, enum work work, const double *network,
			double times)
{
	for (int t = 0; t < TRAFFIC_COUNT; t++)
		stage->traffic[work][t] += times * network[t];
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
	stage->expert_compute += times * sums->expert_compute[0];
	stage->kernels += (int64_t)times * (sums->kernels[0] + sums->kernels[1]);
	add_traffic(stage, WORK_FORWARD, sums->forward_network, times);
	add_traffic(stage, WORK_BACKWARD, sums->backward_network, times);
}

static void add_recompute(struct engine_stage *stage, const struct sums *sums, double times)
{
	stage->recompute_compute += times * sums->replay;
	stage->recompute_network += times * total_network(sums->replay_network);
	stage->recompute_flops += times * sums->replay_flops;
	stage->expert_compute += times * sums->expert_compute[1];
	add_traffic(stage, WORK_RECOMPUTE, sums->replay_network, times);
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Communication hidden in forward and in backward. */
struct hidden {
	double tensor[2], context[2], expert[2];
};

/*
 * Tensor collectives hide under the layer's compute, a ring of keys and values under attention, and
 * expert traffic under another micro-batch, the shared expert, or weight gradients: a share of what
 * is sent, as far as there is compute to hide under, which slows down a little meanwhile. What the
 * next operator waits for comes in pieces and hides less (profile.hide_layer). An exchange of heads
 * has nothing to run beside it. `layers` of a kind, of which `again` recompute.
 */
static void hide_network(const struct cost *cost, const struct sums *layer, double layers,
			 double again, struct hidden *h)
{
	const struct engine_overlap *o = &cost->in->overlap;
	const double ring = cost->profile->hide, hide = cost->profile->hide_layer;
	const double *f = layer->forward_network, *b = layer->backward_network;
	const double *r = layer->replay_network;
	double forward = layer->forward * layers, backward = layer->backward * layers;

	if (o->tensor) {
		h->tensor[0] += hide * smaller(f[TRAFFIC_TENSOR] * layers, forward);
		h->tensor[1] +=
			hide *
			smaller(b[TRAFFIC_TENSOR] * layers + r[TRAFFIC_TENSOR] * again, backward);
	}
	if (o->context) {
		h->context[0] += ring * layers * smaller(layer->ring[0], layer->attention[0]);
		h->context[1] +=
			ring * smaller(layer->ring[1] * layers + layer->ring_replay * again,
				       layer->attention[1] * layers);
	}
	if (o->dispatch) {
		h->expert[0] += hide * smaller(f[TRAFFIC_EXPERT] * layers, backward);
		if (o->delay_wgrad)
			forward += layer->expert_wgrad * layers;
		h->expert[1] += hide * smaller(b[TRAFFIC_EXPERT] * layers, forward);
		return;
	}
	if (o->shared_expert)
		h->expert[0] += hide * layers * smaller(f[TRAFFIC_EXPERT], layer->shared);
	if (o->dispatch_wgrad)
		h->expert[1] +=
			hide * layers * smaller(layer->dispatch_backward, layer->expert_wgrad);
}

/* Bytes that go to the host in forward and come back in backward, under the compute of both. */
static double offload_time(const struct cost *cost, const struct engine_stage *stage, double bytes)
{
	double rate = cost->hardware->host_bandwidth, way;

	if (cost->profile->offload_free || bytes == 0 || rate <= 0)
		return 0;
	way = bytes / rate;
	return 2 * way - cost->profile->hide * (smaller(way, stage->forward_compute) +
						smaller(way, stage->backward_compute));
}

/* What the pipeline sees of a stage: everything but what is hidden. */
static void expose(const struct cost *cost, struct engine_stage *stage, const struct hidden *h)
{
	const double kept = 1 - cost->profile->hide_penalty;

	for (int i = 0; i < 2; i++) {
		stage->hidden[i][TRAFFIC_TENSOR] = h->tensor[i];
		stage->hidden[i][TRAFFIC_CONTEXT] = h->context[i];
		stage->hidden[i][TRAFFIC_EXPERT] = h->expert[i];
	}
	stage->hidden_tensor = h->tensor[0] + h->tensor[1];
	stage->hidden_context = h->context[0] + h->context[1];
	stage->hidden_expert = h->expert[0] + h->expert[1];
	stage->penalty = cost->profile->hide_penalty *
			 (stage->hidden_tensor + stage->hidden_context + stage->hidden_expert);
	stage->recompute = stage->recompute_compute + stage->recompute_network;
	stage->forward = stage->forward_compute + stage->forward_network + stage->offload / 2 -
			 kept * (h->tensor[0] + h->context[0] + h->expert[0]);
	stage->backward = stage->backward_compute + stage->backward_network + stage->recompute +
			  stage->offload / 2 - kept * (h->tensor[1] + h->context[1] + h->expert[1]);
}

/* Traffic of backward, and the part of it that belongs to weight gradients that can wait. */
struct waiting {
	double sent[TRAFFIC_COUNT], waits[TRAFFIC_COUNT];
};

static void add_waiting(const struct sums *sums, double times, double again, struct waiting *w)
{
	for (int t = 0; t < TRAFFIC_COUNT; t++) {
		w->sent[t] += times * sums->backward_network[t] + again * sums->replay_network[t];
		w->waits[t] += times * sums->deferred_network[t];
	}
}

/* Adds what of their traffic does not hide: it hides as much of itself as the rest does. */
static void expose_waiting(const struct cost *cost, struct engine_stage *stage,
			   const struct waiting *w)
{
	const double kept = 1 - cost->profile->hide_penalty;

	memcpy(stage->weight_traffic, w->waits, sizeof stage->weight_traffic);
	stage->weight_gradient = stage->weight_compute;
	for (int t = 0; t < TRAFFIC_COUNT; t++)
		if (w->sent[t] > 0)
			stage->weight_gradient +=
				w->waits[t] * (1 - kept * stage->hidden[1][t] / w->sent[t]);
	stage->weight_gradient = smaller(stage->weight_gradient, stage->backward);
}

static void add_held(struct engine_stage *stage, const struct held *held, int64_t times)
{
	stage->parameters += times * held->parameters;
	stage->expert_parameters += times * held->expert_parameters;
	stage->tensor_reduced += times * held->tensor_reduced;
}

/* How many layers of each kind recompute; an entry of a further layer does with its layer. */
static void count_again(const struct cost *cost, const struct stage_layers *s,
			const struct recompute_flags *flags, int64_t again[GRAPH_PART_COUNT])
{
	const struct engine_recompute *r = &cost->in->recompute;
	bool charged = flags->any && (r->enabled || cost->profile->charge_disabled_recompute);

	for (int64_t i = 0; charged && i < s->in->layers + s->in->mtp; i++) {
		if (!recompute_layer(cost, s->in, i))
			continue;
		again[s->part[i]]++;
		again[GRAPH_MTP] += i >= s->in->layers;
	}
}

void stage_evaluate(struct cost *cost, const struct recompute_flags *flags,
		    const struct stage_layers *layers, struct engine_stage *stage,
		    struct walk *walk)
{
	const struct census *census = &layers->count;
	int64_t repeats[GRAPH_PART_COUNT] = { 0 };
	struct waiting waiting = { { 0 }, { 0 } };
	struct hidden hidden = { { 0 }, { 0 }, { 0 } };
	double offloaded = 0;

	stage->layers = layers->in->layers;
	stage->embedding = layers->in->embedding;
	stage->loss = layers->in->loss;
	stage->mtp = layers->in->mtp;
	count_again(cost, layers, flags, repeats);
	for (int part = 0; part < GRAPH_PART_COUNT; part++) {
		const struct sums *sums = &cost->sums[part];
		double times = (double)census->runs[part], again = (double)repeats[part];

		add_held(stage, &cost->held[part], census->holds[part]);
		if (times == 0)
			continue;
		add_times(stage, sums, times);
		add_recompute(stage, sums, again);
		add_waiting(sums, times, again, &waiting);
		stage->weight_compute += times * sums->deferred;
		offloaded += times * sums->offloaded;
		if (!graph_is_layer(part))
			continue;
		stage->recomputed_layers += repeats[part];
		hide_network(cost, sums, times, again, &hidden);
	}
	stage->expert_layers = census->runs[GRAPH_MIXTURE] + census->runs[GRAPH_LOCAL_MIXTURE];
	stage->offloaded = (int64_t)offloaded;
	stage->offload = offload_time(cost, stage, offloaded);
	expose(cost, stage, &hidden);
	expose_waiting(cost, stage, &waiting);
	walk_stage(cost, layers, flags, walk);
	stage->activations = walk->cache;
	stage->deferred = walk->deferred;
	stage->activation_peak = walk->peak;
	stage->forward_peak = walk->forward;
	stage->backward_peak = walk->backward_peak;
	stage->logits = walk->logits;
}
