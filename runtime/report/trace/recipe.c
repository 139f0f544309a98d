/* recipe.c - what a pass through a stage consists of: parts of its time, or its layers and operators. */
#include "runtime/report/trace/trace_int.h"

static const enum step_part comm[TRAFFIC_COUNT] = { STEP_TENSOR_COMM, STEP_CONTEXT_COMM,
						    STEP_EXPERT_COMM };
static const char *const traffic_names[TRAFFIC_COUNT] = { "tensor traffic", "context traffic",
							  "expert traffic" };

struct cook {
	const struct trace *t;
	const struct engine_stage *stage;
	enum pass_kind kind;
	struct recipe *recipe;
	uint32_t capacity;
	double raw[STEP_PART_COUNT]; /* s of work put so far */
};

static void put(struct cook *c, struct item item)
{
	struct recipe *r = c->recipe;

	if (r->n == c->capacity) {
		struct item *more;

		c->capacity = c->capacity ? c->capacity * 2 : 16;
		more = ARENA_ARRAY(c->t->arena, struct item, c->capacity);
		if (r->n > 0)
			memcpy(more, r->at, r->n * sizeof *more);
		r->at = more;
	}
	r->at[r->n++] = item;
}

static void open(struct cook *c, struct str name)
{
	put(c, (struct item){ .kind = ITEM_OPEN, .name = name });
}

static void close(struct cook *c)
{
	put(c, (struct item){ .kind = ITEM_CLOSE });
}

static void work(struct cook *c, enum step_part part, struct str name, double seconds)
{
	if (seconds <= 0)
		return;
	c->raw[part] += seconds;
	put(c, (struct item){ ITEM_WORK, part, name, seconds });
}

static struct str joined(const struct cook *c, const char *name, const char *what)
{
	struct out o;

	out_init(&o, c->t->arena);
	out_printf(&o, "%s%s", name, what);
	return str_copy(c->t->arena, out_view(&o));
}

/* ---- what the parts of a pass come to ---------------------------------------------------------- */

/* Traffic of the pass that hides, out of `sent`; hidden traffic slows computation down. */
static void put_traffic(struct cook *c, const double *sent, const double *hidden)
{
	struct recipe *r = c->recipe;
	double sum = 0;

	for (int i = 0; i < TRAFFIC_COUNT; i++) {
		r->hidden[i] = hidden[i];
		r->part[comm[i]] = sent[i] - hidden[i];
		sum += hidden[i];
	}
	r->part[STEP_OTHER] = c->t->job->profile.hide_penalty * sum;
}

static void forward_parts(struct cook *c)
{
	put_traffic(c, c->stage->traffic[WORK_FORWARD], c->stage->hidden[0]);
	c->recipe->part[STEP_COMPUTE] = c->stage->forward_compute;
	c->recipe->part[STEP_OFFLOAD] = c->stage->offload / 2;
}

/* Traffic of a backward, or of its weight gradients, which hides as much of itself as the rest does. */
static void backward_traffic(const struct cook *c, bool weight, double *sent, double *hidden)
{
	for (int i = 0; i < TRAFFIC_COUNT; i++) {
		const double all = c->stage->traffic[WORK_BACKWARD][i] + c->stage->traffic[WORK_RECOMPUTE][i];

		sent[i] = weight ? c->stage->weight_traffic[i] : all;
		hidden[i] = all > 0 ? c->stage->hidden[1][i] * (sent[i] / all) : 0;
	}
}

static void backward_parts(struct cook *c)
{
	double sent[TRAFFIC_COUNT], hidden[TRAFFIC_COUNT];

	backward_traffic(c, false, sent, hidden);
	put_traffic(c, sent, hidden);
	c->recipe->part[STEP_COMPUTE] = c->stage->backward_compute;
	c->recipe->part[STEP_RECOMPUTE] = c->stage->recompute_compute;
	c->recipe->part[STEP_OFFLOAD] = c->stage->offload / 2;
}

static void weight_parts(struct cook *c)
{
	double sent[TRAFFIC_COUNT], hidden[TRAFFIC_COUNT];

	backward_traffic(c, true, sent, hidden);
	put_traffic(c, sent, hidden);
	c->recipe->part[STEP_COMPUTE] = c->stage->weight_compute;
}

/* What a backward takes besides its weight gradients. */
static void input_parts(struct cook *c)
{
	double sent[TRAFFIC_COUNT], hidden[TRAFFIC_COUNT], waits[TRAFFIC_COUNT], behind[TRAFFIC_COUNT];

	backward_parts(c);
	backward_traffic(c, false, sent, hidden);
	backward_traffic(c, true, waits, behind);
	for (int i = 0; i < TRAFFIC_COUNT; i++) {
		sent[i] -= waits[i];
		hidden[i] -= behind[i];
	}
	put_traffic(c, sent, hidden);
	c->recipe->part[STEP_COMPUTE] -= c->stage->weight_compute;
}

static void parts_of_pass(struct cook *c)
{
	switch (c->kind) {
	case PASS_FORWARD:
		forward_parts(c);
		break;
	case PASS_BACKWARD:
		backward_parts(c);
		break;
	case PASS_INPUT:
		input_parts(c);
		break;
	case PASS_WEIGHT:
		weight_parts(c);
		break;
	case PASS_SEND_FORWARD:
	case PASS_SEND_BACKWARD:
		break;
	}
}

/* ---- level `parts` ------------------------------------------------------------------------------ */

static void traffic_of(struct cook *c, const double *sent)
{
	for (int i = 0; i < TRAFFIC_COUNT; i++)
		work(c, comm[i], str_of(traffic_names[i]), sent[i]);
}

static void parts_forward(struct cook *c)
{
	work(c, STEP_COMPUTE, STR("computation"), c->stage->forward_compute);
	traffic_of(c, c->stage->traffic[WORK_FORWARD]);
}

static void parts_backward(struct cook *c)
{
	double rest[TRAFFIC_COUNT];

	for (int i = 0; i < TRAFFIC_COUNT; i++)
		rest[i] = c->stage->traffic[WORK_BACKWARD][i] -
			  (c->kind == PASS_INPUT ? c->stage->weight_traffic[i] : 0);
	if (c->stage->recompute > 0) {
		open(c, STR("recompute"));
		work(c, STEP_RECOMPUTE, STR("recomputation"), c->stage->recompute_compute);
		traffic_of(c, c->stage->traffic[WORK_RECOMPUTE]);
		close(c);
	}
	work(c, STEP_COMPUTE, STR("computation"), c->recipe->part[STEP_COMPUTE]);
	traffic_of(c, rest);
}

static void parts_weight(struct cook *c)
{
	work(c, STEP_COMPUTE, STR("computation"), c->stage->weight_compute);
	traffic_of(c, c->stage->weight_traffic);
}

/* ---- level `operators` -------------------------------------------------------------------------- */

static void sent_by(struct cook *c, const struct engine_operator *op, enum phase phase)
{
	for (int i = 0; i < TRAFFIC_COUNT; i++)
		if (op->network[phase][i] > 0)
			work(c, comm[i], joined(c, op->name, " traffic"), op->network[phase][i]);
}

static void run_forward(struct cook *c, enum graph_part part, bool again)
{
	const struct engine_result *r = &c->t->result;

	for (int i = 0; i < r->operator_count; i++) {
		const struct engine_operator *op = &r->operators[i];

		if (op->part != part || (again && !r->again[i]))
			continue;
		work(c, again ? STEP_RECOMPUTE : STEP_COMPUTE, str_of(op->name),
		     op->compute[PHASE_FORWARD]);
		sent_by(c, op, PHASE_FORWARD);
	}
}

/* Whether a phase of an operator's backward belongs to the pass: weight gradients that can wait have their own. */
static bool belongs(const struct cook *c, const struct engine_operator *op, enum phase phase)
{
	const bool waits = phase == PHASE_WEIGHT_GRADIENT && op->deferred > 0;

	return c->kind == PASS_BACKWARD || (c->kind == PASS_WEIGHT) == waits;
}

static void run_backward(struct cook *c, enum graph_part part)
{
	static const char *const names[] = { [PHASE_INPUT_GRADIENT] = " input gradient",
					     [PHASE_WEIGHT_GRADIENT] = " weight gradient" };
	const struct engine_result *r = &c->t->result;

	for (int i = r->operator_count - 1; i >= 0; i--) {
		const struct engine_operator *op = &r->operators[i];

		for (enum phase p = PHASE_INPUT_GRADIENT; p <= PHASE_WEIGHT_GRADIENT; p++) {
			if (op->part != part || !belongs(c, op, p))
				continue;
			work(c, STEP_COMPUTE, joined(c, op->name, names[p]), op->compute[p]);
			sent_by(c, op, p);
		}
	}
}

static struct str layer_name(const struct cook *c, int64_t layer)
{
	struct out o;

	if (layer >= c->stage->layers) {
		out_init(&o, c->t->arena);
		out_printf(&o, "further token %lld", (long long)(layer - c->stage->layers + 1));
		return str_copy(c->t->arena, out_view(&o));
	}
	for (int64_t i = 0; i < c->stage->stage; i++)
		layer += c->t->result.stages[i].layers;
	out_init(&o, c->t->arena);
	out_printf(&o, "layer %lld", (long long)layer);
	return str_copy(c->t->arena, out_view(&o));
}

/* Heads of a micro-batch: one for each predicted token. */
static int64_t count_heads(const struct cook *c)
{
	int64_t heads = 1;

	for (int64_t i = 0; i < c->t->result.stage_count; i++)
		heads += c->t->result.stages[i].mtp;
	return heads;
}

static void layer_forward(struct cook *c, enum graph_part part, int64_t layer, bool again)
{
	const bool further = layer >= c->stage->layers;

	if (further)
		run_forward(c, GRAPH_MTP, again);
	run_forward(c, part, again);
	if (further && !again)
		run_forward(c, GRAPH_NORM, false);
}

static void layer_backward(struct cook *c, enum graph_part part, int64_t layer)
{
	const bool further = layer >= c->stage->layers;

	if (further)
		run_backward(c, GRAPH_NORM);
	run_backward(c, part);
	if (further)
		run_backward(c, GRAPH_MTP);
}

static void operators_forward(struct cook *c)
{
	const uint8_t *part = c->t->log.layer_part[c->stage->stage];

	if (c->stage->embedding) {
		open(c, STR("embedding"));
		run_forward(c, GRAPH_EMBEDDING, false);
		close(c);
	}
	for (int64_t l = 0; l < c->stage->layers + c->stage->mtp; l++) {
		open(c, layer_name(c, l));
		layer_forward(c, (enum graph_part)part[l], l, false);
		close(c);
	}
	if (c->stage->loss) {
		open(c, STR("output and loss"));
		run_forward(c, GRAPH_NORM, false);
		for (int64_t heads = count_heads(c); heads > 0; heads--)
			run_forward(c, GRAPH_HEAD, false);
		close(c);
	}
}

static void operators_backward(struct cook *c)
{
	const uint8_t *part = c->t->log.layer_part[c->stage->stage];
	const bool *again = c->t->log.layer_again[c->stage->stage];

	if (c->stage->loss) {
		open(c, STR("output and loss"));
		for (int64_t heads = count_heads(c); heads > 0; heads--)
			run_backward(c, GRAPH_HEAD);
		run_backward(c, GRAPH_NORM);
		close(c);
	}
	for (int64_t l = c->stage->layers + c->stage->mtp - 1; l >= 0; l--) {
		open(c, layer_name(c, l));
		if (again[l] && c->kind != PASS_WEIGHT) {
			open(c, STR("recompute"));
			layer_forward(c, (enum graph_part)part[l], l, true);
			close(c);
		}
		layer_backward(c, (enum graph_part)part[l], l);
		close(c);
	}
	if (c->stage->embedding) {
		open(c, STR("embedding"));
		run_backward(c, GRAPH_EMBEDDING);
		close(c);
	}
}

/* ---- fitting ------------------------------------------------------------------------------------- */

static struct str rest_name(enum step_part part)
{
	switch (part) {
	case STEP_OFFLOAD: return STR("off-loading");
	case STEP_OTHER: return STR("slowed down by hidden traffic");
	case STEP_COMPUTE:
	case STEP_RECOMPUTE: return STR("waiting for kernel launches");
	case STEP_BUBBLE:
	case STEP_STRAGGLER:
	case STEP_TENSOR_COMM:
	case STEP_CONTEXT_COMM:
	case STEP_EXPERT_COMM:
	case STEP_PIPELINE_COMM:
	case STEP_GRADIENT_REDUCE:
	case STEP_PARAMETER_GATHER:
	case STEP_OPTIMIZER:
	case STEP_PART_COUNT: break;
	}
	return STR("traffic");
}

/* Makes the work of each part come to what the stage takes for it: traffic shrinks to what does not hide, and
 * what no operator accounts for stands at the end. */
static void fit(struct cook *c)
{
	struct recipe *r = c->recipe;
	double scale[STEP_PART_COUNT];

	for (int p = 0; p < STEP_PART_COUNT; p++) {
		double rest = r->part[p] - c->raw[p];

		r->part[p] = r->part[p] > 0 ? r->part[p] : 0;
		scale[p] = c->raw[p] > r->part[p] ? r->part[p] / c->raw[p] : 1;
		if (rest > 1e-12 * r->part[p] && rest > 0)
			work(c, (enum step_part)p, rest_name((enum step_part)p), rest);
	}
	for (uint32_t i = 0; i < r->n; i++)
		if (r->at[i].kind == ITEM_WORK)
			r->at[i].seconds *= scale[r->at[i].part];
}

static void cook(const struct trace *t, int64_t stage, enum pass_kind kind, struct recipe *recipe)
{
	struct cook c = { .t = t, .stage = &t->result.stages[stage], .kind = kind, .recipe = recipe };

	parts_of_pass(&c);
	if (t->detail == TRACE_OPERATORS && kind == PASS_FORWARD)
		operators_forward(&c);
	else if (t->detail == TRACE_OPERATORS)
		operators_backward(&c);
	else if (kind == PASS_FORWARD)
		parts_forward(&c);
	else if (kind == PASS_WEIGHT)
		parts_weight(&c);
	else
		parts_backward(&c);
	fit(&c);
}

void recipes_make(struct trace *t)
{
	for (int kind = 0; kind < PASS_KINDS; kind++) {
		t->recipe[kind] = ARENA_ARRAY(t->arena, struct recipe, t->result.stage_count);
		if (kind >= PASS_INPUT && !t->split)
			continue;
		for (int64_t i = 0; i < t->result.stage_count; i++)
			cook(t, i, (enum pass_kind)kind, &t->recipe[kind][i]);
	}
}
