/*
 * algebra_property.c - laws of the algebra on random folds of random decoders.
 *
 * Local sizes times cuts give global sizes; a gradient, coerced, has its tensor's type; FLOPs over
 * all ranks are the layer's FLOPs however it is folded; the derived collectives are those of the
 * tables of tensor-, context- and expert-parallel traffic everybody knows. The seed is printed; give
 * it as the first argument to repeat a run, the rounds as the second.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/unit/algebra_laws.h"
#include "tests/unit/dice.h"

enum { ROUNDS = 4000 };

struct run {
	struct dice dice;
	int round;
	struct arena arena;
};

static void require(const struct run *r, bool holds, const char *law)
{
	if (holds)
		return;
	printf("algebra_property: seed %" PRIu64 ", round %d: %s\n", r->dice.seed, r->round, law);
	exit(1);
}

static void require_law(const struct run *r, const char *broken)
{
	require(r, broken == NULL, broken);
}

/* Folds the GPUs of the dense mesh anew. */
static void fold_experts(struct run *r, struct mesh *mesh)
{
	int64_t left = mesh->size[AXIS_TP] * mesh->size[AXIS_CP] * mesh->size[AXIS_RING] *
		       mesh->size[AXIS_DP];

	mesh->size[AXIS_ETP] = dice_power(&r->dice, 2);
	while (left % mesh->size[AXIS_ETP] != 0)
		mesh->size[AXIS_ETP] /= 2;
	left /= mesh->size[AXIS_ETP];
	mesh->size[AXIS_EP] = dice_pick(&r->dice, 1, left);
	while (left % mesh->size[AXIS_EP] != 0)
		mesh->size[AXIS_EP]--;
	mesh->size[AXIS_EDP] = left / mesh->size[AXIS_EP];
}

static struct mesh draw_mesh(struct run *r)
{
	struct mesh mesh;

	for (int a = 0; a < AXIS_COUNT; a++)
		mesh.size[a] = 1;
	mesh.size[AXIS_TP] = dice_power(&r->dice, 3);
	mesh.size[AXIS_CP] = dice_power(&r->dice, 2);
	mesh.size[AXIS_RING] = dice_coin(&r->dice) ? 1 : dice_power(&r->dice, 2);
	mesh.size[AXIS_DP] = dice_pick(&r->dice, 1, 6);
	fold_experts(r, &mesh);
	return mesh;
}

static struct decoder_attention draw_attention(struct run *r, int64_t unit)
{
	struct decoder_attention a = { .kv_heads = unit * dice_pick(&r->dice, 1, 2),
				       .head = 8 * dice_pick(&r->dice, 1, 16),
				       .qk_norm = dice_coin(&r->dice) };

	a.heads = a.kv_heads * dice_pick(&r->dice, 1, 4);
	a.v_head = dice_coin(&r->dice) ? a.head : 2 * a.head;
	a.latent = dice_coin(&r->dice);
	if (!a.latent)
		return a;
	a.kv_heads = a.heads;
	a.q_rank = dice_coin(&r->dice) ? 0 : 8 * dice_pick(&r->dice, 1, 64);
	a.kv_rank = 8 * dice_pick(&r->dice, 1, 32);
	a.nope = 8 * dice_pick(&r->dice, 1, 8);
	a.rope = 8 * dice_pick(&r->dice, 1, 8);
	return a;
}

/* Tokens of a sample on one context-parallel rank. */
static int64_t slice(const struct mesh *mesh, const struct decoder *d)
{
	return d->sequence / (mesh->size[AXIS_CP] * mesh->size[AXIS_RING]);
}

/* Routed tokens of a GPU whose every token goes to top_k experts. */
static struct decoder_mixture draw_mixture(struct run *r, const struct mesh *mesh,
					   const struct decoder *d)
{
	int64_t tokens = d->batch / mesh->size[AXIS_DP] * slice(mesh, d);

	if (d->sequence_parallel)
		tokens /= mesh->size[AXIS_TP];
	return (struct decoder_mixture){
		.experts = mesh->size[AXIS_EP] * dice_pick(&r->dice, 1, 16),
		.ffn = mesh->size[AXIS_ETP] * dice_pick(&r->dice, 1, 64),
		.shared_ffn =
			dice_coin(&r->dice) ? 0 : mesh->size[AXIS_TP] * dice_pick(&r->dice, 1, 64),
		.sent = tokens * dice_pick(&r->dice, 1, 8),
		.gate_bits = 32,
		.probabilities = dice_coin(&r->dice),
	};
}

static struct decoder draw_decoder(struct run *r, const struct mesh *mesh)
{
	int64_t unit = mesh->size[AXIS_TP] * mesh->size[AXIS_CP];
	struct decoder d = {
		.batch = mesh->size[AXIS_DP] * dice_pick(&r->dice, 1, 4),
		.sequence = unit * mesh->size[AXIS_RING] * dice_pick(&r->dice, 1, 64),
		.hidden = 64 * dice_pick(&r->dice, 1, 32),
		.ffn = unit * dice_pick(&r->dice, 1, 64),
		.vocab = unit * dice_pick(&r->dice, 1, 500),
		.has = { [GRAPH_DENSE] = true, [GRAPH_MIXTURE] = true },
		.gated = dice_coin(&r->dice),
		.sequence_parallel = mesh->size[AXIS_TP] > 1,
		.context = dice_coin(&r->dice) ? CONTEXT_EXCHANGE_HEADS : CONTEXT_GATHER_KEYS,
		.recall_output = dice_coin(&r->dice),
		.parallel_block = dice_coin(&r->dice),
		.norm_before = true,
		.norm_behind = dice_coin(&r->dice),
		.norm_vectors = dice_pick(&r->dice, 1, 2),
		.bits = dice_coin(&r->dice) ? 16 : 32,
		.loss_statistics = { 1, 2, 0 },
	};

	if (mesh->size[AXIS_RING] > 1)
		d.context = CONTEXT_TWO_LEVELS;
	d.attention[0] = draw_attention(r, unit);
	d.weight_bits = d.linear_bits = d.bits;
	d.mixture = draw_mixture(r, mesh, &d);
	return d;
}

struct expected {
	int count;
	struct coercion list[OPERATOR_COERCIONS_MAX];
};

static void expect(struct expected *e, enum phase phase, enum axis axis, enum coercion_kind kind,
		   int64_t payload)
{
	e->list[e->count++] =
		(struct coercion){ .phase = phase, .axis = axis, .kind = kind, .payload = payload };
}

/* Bytes of queries and keys of one GPU an element wide, before any exchange, and the widths. */
struct heads {
	int64_t q, kv, key, value;
};

static struct heads heads_of(const struct mesh *mesh, const struct decoder *d)
{
	const struct decoder_attention *a = &d->attention[0];
	const int64_t rows = d->batch / mesh->size[AXIS_DP] * slice(mesh, d) * d->bits / 8;

	return (struct heads){ .q = rows * (a->heads / mesh->size[AXIS_TP]),
			       .kv = rows * (a->kv_heads / mesh->size[AXIS_TP]),
			       .key = a->latent ? a->nope + a->rope : a->head,
			       .value = a->v_head };
}

/* Queries, keys, values and the result trade the sequence for heads, and their gradients back. */
static void expect_exchange(struct expected *e, const struct decoder *d, const struct heads *h)
{
	const int64_t sent[4] = { h->q * h->key, h->kv * h->key, h->kv * h->value,
				  h->q * h->value };

	for (int i = 0; i < 4; i++) {
		expect(e, PHASE_FORWARD, AXIS_CP, COERCE_ALL_TO_ALL, sent[i]);
		expect(e, PHASE_INPUT_GRADIENT, AXIS_CP, COERCE_ALL_TO_ALL, sent[i]);
	}
	if (d->recall_output)
		expect(e, PHASE_INPUT_GRADIENT, AXIS_CP, COERCE_ALL_TO_ALL, sent[3]);
}

/* Keys and values of `ranks` ranks come forward and again in backward, gradients go back. */
static void expect_gather(struct expected *e, enum axis axis, int64_t ranks, const struct heads *h)
{
	const int64_t width[2] = { h->key, h->value };

	for (int i = 0; i < 2; i++) {
		const int64_t whole = h->kv * ranks * width[i];

		expect(e, PHASE_FORWARD, axis, COERCE_ALL_GATHER, whole);
		expect(e, PHASE_INPUT_GRADIENT, axis, COERCE_REDUCE_SCATTER, whole);
		expect(e, PHASE_INPUT_GRADIENT, axis, COERCE_ALL_GATHER, whole);
	}
}

static void expect_context(struct expected *e, const struct mesh *mesh, const struct decoder *d)
{
	const struct heads h = heads_of(mesh, d);
	const int64_t inner = mesh->size[AXIS_CP], outer = mesh->size[AXIS_RING];

	if (inner > 1 && d->context != CONTEXT_GATHER_KEYS)
		expect_exchange(e, d, &h);
	if (inner > 1 && d->context == CONTEXT_GATHER_KEYS)
		expect_gather(e, AXIS_CP, inner, &h);
	if (outer > 1)
		expect_gather(e, AXIS_RING, outer, &h);
}

/* The traffic of tensor and context parallelism as written down by hand, operator by operator. */
static void expect_dense(struct expected *e, const struct mesh *mesh, const struct decoder *d,
			 const struct operator* op)
{
	const int64_t t = mesh->size[AXIS_TP];
	const int64_t tokens = d->batch / mesh->size[AXIS_DP] * slice(mesh, d);
	const int64_t stream = tokens * d->hidden * d->bits / 8;
	const bool sp = d->sequence_parallel;

	if (op->kind == OPERATOR_ATTENTION) {
		expect_context(e, mesh, d);
	} else if (t == 1) {
		return;
	} else if (op->kind == OPERATOR_EMBEDDING) {
		expect(e, PHASE_FORWARD, AXIS_TP, sp ? COERCE_REDUCE_SCATTER : COERCE_ALL_REDUCE,
		       stream);
		if (sp)
			expect(e, PHASE_WEIGHT_GRADIENT, AXIS_TP, COERCE_ALL_GATHER, stream);
	} else if (op->kind == OPERATOR_COLUMN) {
		if (sp)
			expect(e, PHASE_FORWARD, AXIS_TP, COERCE_ALL_GATHER, stream);
		expect(e, PHASE_INPUT_GRADIENT, AXIS_TP,
		       sp ? COERCE_REDUCE_SCATTER : COERCE_ALL_REDUCE, stream);
		if (sp)
			expect(e, PHASE_WEIGHT_GRADIENT, AXIS_TP, COERCE_ALL_GATHER, stream);
	} else if (op->kind == OPERATOR_ROW) {
		expect(e, PHASE_FORWARD, AXIS_TP, sp ? COERCE_REDUCE_SCATTER : COERCE_ALL_REDUCE,
		       stream);
		if (sp)
			expect(e, PHASE_INPUT_GRADIENT, AXIS_TP, COERCE_ALL_GATHER, stream);
	} else if (op->kind == OPERATOR_LOSS) {
		expect(e, PHASE_FORWARD, AXIS_TP, COERCE_ALL_REDUCE, 4 * tokens);
		expect(e, PHASE_FORWARD, AXIS_TP, COERCE_ALL_REDUCE, 8 * tokens);
	}
}

/* Low ranks are gathered where heads are made of them, the common part of the keys where it is used. */
static void expect_latent(struct expected *e, const struct mesh *mesh, const struct decoder *d,
			  const struct operator* op)
{
	const struct decoder_attention *a = &d->attention[0];
	const int64_t b = d->batch / mesh->size[AXIS_DP], x = slice(mesh, d);
	const int64_t width = op->site == SITE_KV_UP  ? a->kv_rank
			      : op->site == SITE_ROPE ? a->rope
			      : a->q_rank > 0         ? a->q_rank
						      : d->hidden;
	const int64_t whole = b * x * width * d->bits / 8;

	if (mesh->size[AXIS_TP] == 1)
		return;
	if (d->sequence_parallel)
		expect(e, PHASE_FORWARD, AXIS_TP, COERCE_ALL_GATHER, whole);
	expect(e, PHASE_INPUT_GRADIENT, AXIS_TP,
	       d->sequence_parallel ? COERCE_REDUCE_SCATTER : COERCE_ALL_REDUCE, whole);
	if (d->sequence_parallel && op->site != SITE_ROPE)
		expect(e, PHASE_WEIGHT_GRADIENT, AXIS_TP, COERCE_ALL_GATHER, whole);
}

/* One tensor of routed tokens there (dispatch) or back (combine), `bytes` wide. */
static void expect_trip(struct expected *e, const struct mesh *mesh, enum phase phase, bool there,
			int64_t sent, int64_t bytes)
{
	const int64_t etp = mesh->size[AXIS_ETP];

	if (!there && etp > 1)
		expect(e, phase, AXIS_ETP, COERCE_REDUCE_SCATTER, sent * etp * bytes);
	if (mesh->size[AXIS_EP] > 1)
		expect(e, phase, AXIS_EP, COERCE_ALL_TO_ALL, sent * bytes);
	if (there && etp > 1)
		expect(e, phase, AXIS_ETP, COERCE_ALL_GATHER, sent * etp * bytes);
}

static void expect_routing(struct expected *e, const struct mesh *mesh, const struct decoder *d,
			   const struct operator* op)
{
	const int64_t sent = d->mixture.sent, bytes = d->hidden * d->bits / 8;
	const bool there = op->kind == OPERATOR_DISPATCH;

	expect_trip(e, mesh, PHASE_FORWARD, there, sent, bytes);
	expect_trip(e, mesh, PHASE_INPUT_GRADIENT, !there, sent, bytes);
	if (!there || !d->mixture.probabilities)
		return;
	expect_trip(e, mesh, PHASE_FORWARD, there, sent, 4);
	expect_trip(e, mesh, PHASE_INPUT_GRADIENT, !there, sent, 4);
}

/* The traffic as written down by hand, operator by operator. */
static void expect_traffic(struct expected *e, const struct mesh *mesh, const struct decoder *d,
			   const struct operator* op)
{
	const bool latent = d->attention[0].latent;

	e->count = 0;
	if (op->kind == OPERATOR_DISPATCH || op->kind == OPERATOR_COMBINE)
		expect_routing(e, mesh, d, op);
	else if (op->site == SITE_Q_UP || op->site == SITE_KV_UP ||
		 (op->site == SITE_ROPE && latent))
		expect_latent(e, mesh, d, op);
	else
		expect_dense(e, mesh, d, op);
}

static bool same(const struct coercion *a, const struct coercion *b)
{
	return a->phase == b->phase && a->axis == b->axis && a->kind == b->kind &&
	       a->payload == b->payload;
}

/* The same collectives, in whatever order. */
static void check_traffic(const struct run *r, const struct graph *g, const struct decoder *d)
{
	for (int i = 0; i < g->count; i++) {
		const struct operator* op = & g->op[i];
		struct expected e;

		expect_traffic(&e, &g->mesh, d, op);
		require(r, e.count == op->coercions, "as many collectives as the table has");
		for (int k = 0; k < op->coercions; k++) {
			int at = 0;

			while (at < e.count && !same(&e.list[at], &op->coercion[k]))
				at++;
			require(r, at < e.count, "the collectives of the table");
			e.list[at] = e.list[--e.count];
		}
	}
}

/* The graph of everything on one GPU: all tokens are routed there. */
static struct decoder alone_decoder(const struct mesh *mesh, const struct decoder *d)
{
	struct decoder alone = *d;

	alone.mixture.sent *= mesh->size[AXIS_ETP] * mesh->size[AXIS_EP] * mesh->size[AXIS_EDP];
	return alone;
}

static void check_round(struct run *r)
{
	struct mesh mesh = draw_mesh(r), alone;
	struct decoder d = draw_decoder(r, &mesh), d_alone = alone_decoder(&mesh, &d);
	struct graph *folded = graph_make(&d, &r->arena), *whole = graph_make(&d, &r->arena);
	struct algebra_error error;

	for (int a = 0; a < AXIS_COUNT; a++)
		alone.size[a] = 1;
	require(r, graph_decoder(&mesh, &d, folded, &error), "a divisible decoder has types");
	require(r, graph_decoder(&alone, &d_alone, whole, &error),
		"a decoder on one GPU has types");
	for (int i = 0; i < folded->count; i++)
		require_law(r, laws_operator(&mesh, &folded->op[i]));
	require_law(r, laws_flops(folded, whole));
	check_traffic(r, folded, &d);
	/* One head too few for the fold is always an error that names the heads. */
	if (mesh.size[AXIS_TP] > 1) {
		d.attention[0].heads--;
		require(r, !graph_decoder(&mesh, &d, folded, &error),
			"heads that do not divide are refused");
		require(r, error.dim == DIM_HEADS && error.size == d.attention[0].heads,
			"and named");
	}
	/* The same of experts, once the heads fit again. */
	if (mesh.size[AXIS_EP] > 1) {
		d.attention[0].heads += mesh.size[AXIS_TP] > 1;
		d.mixture.experts = mesh.size[AXIS_EP] * 3 - 1;
		require(r, !graph_decoder(&mesh, &d, folded, &error),
			"experts that do not divide are refused");
		require(r, error.dim == DIM_EXPERTS && error.size == d.mixture.experts,
			"and named");
	}
}

int main(int argc, char **argv)
{
	struct run r = { .dice = dice_make(argc > 1 ? strtoull(argv[1], NULL, 10) : 20240607) };
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : ROUNDS;

	arena_init(&r.arena, NULL);
	for (r.round = 0; r.round < rounds; r.round++) {
		struct arena_mark mark = arena_mark(&r.arena);

		check_round(&r);
		arena_reset(&r.arena, mark);
	}
	printf("algebra_property: seed %" PRIu64 ", %d rounds\n", r.dice.seed, rounds);
	arena_release(&r.arena);
	return 0;
}
