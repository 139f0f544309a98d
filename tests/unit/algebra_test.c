/* algebra_test.c - placements, coercions and the collectives a decoder layer derives. */
#include "tests/unit/unit.h"

#include "compiler/base/out.h"
#include "runtime/algebra/algebra.h"

static struct mesh mesh_of(int64_t tp, int64_t cp, int64_t dp)
{
	struct mesh mesh;

	for (int a = 0; a < AXIS_COUNT; a++)
		mesh.size[a] = 1;
	mesh.size[AXIS_TP] = tp;
	mesh.size[AXIS_CP] = cp;
	mesh.size[AXIS_DP] = dp;
	return mesh;
}

static struct tensor_type activation(void)
{
	static const struct tensor_dim dims[3] = { { DIM_BATCH, 8 },
						   { DIM_SEQUENCE, 4096 },
						   { DIM_HIDDEN, 1024 } };
	struct tensor_type type = tensor_make(16, 3, dims);

	tensor_split(&type, AXIS_DP, DIM_BATCH);
	return type;
}

static struct decoder llama(bool sequence_parallel)
{
	return (struct decoder){
		.norm_before = true,
		.batch = 4,
		.sequence = 4096,
		.hidden = 4096,
		.ffn = 14336,
		.vocab = 128512,
		.attention = { { .heads = 32, .kv_heads = 8, .head = 128, .v_head = 128 } },
		.has = { [GRAPH_DENSE] = true },
		.gated = true,
		.sequence_parallel = sequence_parallel,
		.norm_vectors = 1,
		.bits = 16,
		.weight_bits = 16,
		.linear_bits = 16,
		.loss_statistics = { 1, 1, 1 },
	};
}

START_TEST(local_sizes_are_cut)
{
	struct mesh mesh = mesh_of(4, 2, 8);
	struct tensor_type type = activation();

	tensor_split(&type, AXIS_CP, DIM_SEQUENCE);
	tensor_split(&type, AXIS_TP, DIM_SEQUENCE);
	ck_assert_int_eq(tensor_cuts(&mesh, &type, DIM_SEQUENCE), 8);
	ck_assert_int_eq(tensor_local(&mesh, &type, DIM_SEQUENCE), 512);
	ck_assert_int_eq(tensor_local_elements(&mesh, &type), 512 * 1024);
	ck_assert_int_eq(tensor_local_bytes(&mesh, &type), 2 * 512 * 1024);
	ck_assert_int_eq(tensor_size(&type, DIM_VOCAB), 1);
}
END_TEST

START_TEST(huge_sizes_saturate)
{
	static const struct tensor_dim dims[2] = { { DIM_BATCH, INT64_C(1) << 40 },
						   { DIM_SEQUENCE, INT64_C(1) << 40 } };
	struct mesh mesh = mesh_of(1, 1, 1);
	struct tensor_type type = tensor_make(16, 2, dims);

	ck_assert_int_eq(tensor_local_elements(&mesh, &type), INT64_MAX);
	ck_assert_int_eq(tensor_local_bytes(&mesh, &type), INT64_MAX);
}
END_TEST

static struct coercion only(struct placement from, struct placement to)
{
	struct mesh mesh = mesh_of(4, 1, 1);
	struct tensor_type a = activation(), b = activation();
	struct coercion list[4];

	a.on[AXIS_TP] = from;
	b.on[AXIS_TP] = to;
	ck_assert_int_eq(coerce_types(&mesh, &a, &b, PHASE_FORWARD, list, 4), 1);
	ck_assert_int_eq(list[0].axis, AXIS_TP);
	return list[0];
}

START_TEST(differences_are_collectives)
{
	const struct placement r = { PLACE_REPLICATED, DIM_BATCH },
			       p = { PLACE_PARTIAL, DIM_BATCH };
	const struct placement s = { PLACE_SPLIT, DIM_SEQUENCE }, h = { PLACE_SPLIT, DIM_HIDDEN };
	const int64_t whole = 2 * 8 * 4096 * 1024;

	ck_assert_int_eq(only(s, r).kind, COERCE_ALL_GATHER);
	ck_assert_int_eq(only(s, r).payload, whole);
	ck_assert_int_eq(only(p, r).kind, COERCE_ALL_REDUCE);
	ck_assert_int_eq(only(p, r).payload, whole);
	ck_assert_int_eq(only(p, s).kind, COERCE_REDUCE_SCATTER);
	ck_assert_int_eq(only(p, s).payload, whole);
	ck_assert_int_eq(only(s, h).kind, COERCE_ALL_TO_ALL);
	ck_assert_int_eq(only(s, h).payload, whole / 4);
	ck_assert_int_eq(only(r, s).kind, COERCE_SLICE);
}
END_TEST

START_TEST(axes_of_one_need_nothing)
{
	struct mesh mesh = mesh_of(1, 1, 1);
	struct tensor_type a = activation(), b = activation();
	struct coercion list[4];

	a.on[AXIS_TP].kind = PLACE_PARTIAL;
	ck_assert_int_eq(coerce_types(&mesh, &a, &b, PHASE_FORWARD, list, 4), 0);
	ck_assert_int_eq(coerce_types(&mesh, &b, &b, PHASE_FORWARD, list, 4), 0);
}
END_TEST

START_TEST(gradients_end_as_their_tensors)
{
	struct tensor_type type = activation();

	tensor_split(&type, AXIS_TP, DIM_SEQUENCE);
	type.on[AXIS_CP].kind = PLACE_PARTIAL;

	struct tensor_type gradient = tensor_gradient(&type);

	ck_assert_int_eq(gradient.on[AXIS_TP].kind, PLACE_SPLIT);
	ck_assert_int_eq(gradient.on[AXIS_CP].kind, PLACE_REPLICATED);
}
END_TEST

START_TEST(bad_splits_are_explained)
{
	static const struct tensor_dim heads = { DIM_HEADS, 28 };
	struct mesh mesh = mesh_of(8, 3, 1);
	struct tensor_type type = tensor_make(16, 1, &heads);
	struct algebra_error error;
	char text[256];

	tensor_split(&type, AXIS_TP, DIM_HEADS);
	ck_assert(!tensor_check(&mesh, &type, &error));
	algebra_error_text(&error, text, sizeof(text));
	ck_assert_str_eq(text, "28 heads cannot be split over tp = 8 (28 mod 8 = 4); "
			       "1, 2, 4, 7, 14, 28 divide");
	tensor_split(&type, AXIS_CP, DIM_HEADS);
	ck_assert(!tensor_check(&mesh, &type, &error));
	algebra_error_text(&error, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "over tp·cp = 24 (28 mod 24 = 4)"));
	algebra_error_text(&error, text, 10);
	ck_assert_uint_lt(strlen(text), 10);
	mesh.size[AXIS_TP] = 7;
	mesh.size[AXIS_CP] = 2;
	ck_assert(tensor_check(&mesh, &type, &error));
}
END_TEST

START_TEST(divisors_ascend)
{
	int64_t d[DIVISORS_MAX];

	ck_assert_int_eq(algebra_divisors(28, d), 6);
	ck_assert_int_eq(d[0], 1);
	ck_assert_int_eq(d[5], 28);
	ck_assert_int_eq(algebra_divisors(1, d), 1);
	ck_assert_int_eq(algebra_divisors(49, d), 3);
	ck_assert_int_eq(d[1], 7);
}
END_TEST

static const struct operator* get(const struct graph *g, const char *name)
{
	for (int i = 0; i < g->count; i++)
		if (strcmp(g->op[i].name, name) == 0)
			return &g->op[i];
	ck_abort_msg("no operator %s", name);
	return &g->op[0];
}

/* "all-gather forward, reduce-scatter dx" of an operator as one text. */
static const char *collectives(const struct graph *g, const char *name, char *text, size_t cap)
{
	static const char *const phases[] = { "forward", "dx", "dw" };
	const struct operator* op = get(g, name);
	size_t n = 0;

	text[0] = '\0';
	for (int i = 0; i < op->coercions; i++)
		n += (size_t)snprintf(text + n, cap - n, "%s%s %s %s", i > 0 ? ", " : "",
				      phases[op->coercion[i].phase],
				      coercion_name(op->coercion[i].kind),
				      axis_name(op->coercion[i].axis));
	return text;
}

START_TEST(sequence_parallel_layer)
{
	struct mesh mesh = mesh_of(4, 1, 4);
	struct decoder model = llama(true);
	struct algebra_error error;
	struct arena arena;
	struct graph *g;
	char t[256];

	arena_init(&arena, NULL);
	g = graph_make(&model, &arena);
	ck_assert(graph_decoder(&mesh, &model, g, &error));
	ck_assert_str_eq(collectives(g, "embed", t, sizeof(t)),
			 "forward reduce-scatter tp, dw all-gather tp");
	ck_assert_str_eq(collectives(g, "ln_in", t, sizeof(t)), "");
	ck_assert_str_eq(collectives(g, "qkv", t, sizeof(t)),
			 "forward all-gather tp, dx reduce-scatter tp, dw all-gather tp");
	ck_assert_str_eq(collectives(g, "core", t, sizeof(t)), "");
	ck_assert_str_eq(collectives(g, "out", t, sizeof(t)),
			 "forward reduce-scatter tp, dx all-gather tp");
	ck_assert_str_eq(collectives(g, "fc1", t, sizeof(t)),
			 "forward all-gather tp, dx reduce-scatter tp, dw all-gather tp");
	ck_assert_str_eq(collectives(g, "fc2", t, sizeof(t)),
			 "forward reduce-scatter tp, dx all-gather tp");
	ck_assert_str_eq(collectives(g, "ce", t, sizeof(t)),
			 "forward all-reduce tp, forward all-reduce tp, forward all-reduce tp");
	ck_assert_int_eq(get(g, "ce")->coercion[0].payload, 4 * 4096);
	ck_assert_int_eq(get(g, "qkv")->coercion[0].payload, 2 * 4096 * 4096);
	/* Norms see a slice of the tokens: their gradients are partial over tp as well. */
	ck_assert_int_eq(get(g, "ln_in")->weight_gradient.on[AXIS_TP].kind, PLACE_PARTIAL);
	ck_assert_int_eq(get(g, "qkv")->weight_gradient.on[AXIS_TP].kind, PLACE_SPLIT);
	ck_assert_int_eq(get(g, "qkv")->weight_gradient.on[AXIS_DP].kind, PLACE_PARTIAL);
	arena_release(&arena);
}
END_TEST

START_TEST(plain_tensor_parallel_layer)
{
	struct mesh mesh = mesh_of(4, 1, 4);
	struct decoder model = llama(false);
	struct algebra_error error;
	struct arena arena;
	struct graph *g;
	char t[256];

	arena_init(&arena, NULL);
	g = graph_make(&model, &arena);
	ck_assert(graph_decoder(&mesh, &model, g, &error));
	ck_assert_str_eq(collectives(g, "embed", t, sizeof(t)), "forward all-reduce tp");
	ck_assert_str_eq(collectives(g, "qkv", t, sizeof(t)), "dx all-reduce tp");
	ck_assert_str_eq(collectives(g, "out", t, sizeof(t)), "forward all-reduce tp");
	ck_assert_str_eq(collectives(g, "lm_head", t, sizeof(t)), "dx all-reduce tp");
	ck_assert_int_eq(get(g, "ln_in")->weight_gradient.on[AXIS_TP].kind, PLACE_REPLICATED);
	arena_release(&arena);
}
END_TEST

START_TEST(context_parallel_exchanges_heads)
{
	struct mesh mesh = mesh_of(2, 4, 1);
	struct decoder model = llama(true);
	struct algebra_error error;
	struct arena arena;
	struct graph *g;
	char t[512];

	arena_init(&arena, NULL);
	g = graph_make(&model, &arena);
	ck_assert(graph_decoder(&mesh, &model, g, &error));
	ck_assert_str_eq(collectives(g, "core", t, sizeof(t)),
			 "forward all-to-all cp, forward all-to-all cp, forward all-to-all cp, "
			 "forward all-to-all cp, dx all-to-all cp, dx all-to-all cp, "
			 "dx all-to-all cp, dx all-to-all cp");
	ck_assert_int_eq(tensor_local(&mesh, &get(g, "core")->asked[0], DIM_HEADS), 4);
	ck_assert_int_eq(tensor_local(&mesh, &get(g, "core")->asked[0], DIM_SEQUENCE), 4096);
	model.context = CONTEXT_GATHER_KEYS;
	ck_assert(graph_decoder(&mesh, &model, g, &error));
	ck_assert_str_eq(collectives(g, "core", t, sizeof(t)),
			 "forward all-gather cp, forward all-gather cp, dx reduce-scatter cp, "
			 "dx all-gather cp, dx reduce-scatter cp, dx all-gather cp");
	ck_assert_int_eq(tensor_local(&mesh, &get(g, "core")->asked[0], DIM_SEQUENCE), 1024);
	ck_assert_int_eq(tensor_local(&mesh, &get(g, "core")->asked[1], DIM_SEQUENCE), 4096);
	model.context = CONTEXT_EXCHANGE_HEADS;
	mesh.size[AXIS_CP] = 3;
	model.sequence = 6 * 512;
	model.attention[0].heads = 48;
	ck_assert(!graph_decoder(&mesh, &model, g, &error));
	ck_assert_int_eq(error.dim, DIM_KV_HEADS);
	ck_assert_str_eq(error.operator_name, "core");
	/* Fewer key heads than ranks are repeated until every rank has one. */
	mesh.size[AXIS_CP] = 8;
	model.sequence = 4096;
	ck_assert(graph_decoder(&mesh, &model, g, &error));
	ck_assert_int_eq(get(g, "core")->repeats, 2);
	ck_assert_int_eq(tensor_local(&mesh, &get(g, "core")->asked[1], DIM_KV_HEADS), 1);
	arena_release(&arena);
}
END_TEST

START_TEST(sharded_states_decide_traffic)
{
	struct mesh mesh = mesh_of(2, 1, 4);
	struct decoder model = llama(true);
	struct algebra_error error;
	struct arena arena;
	struct graph *g;

	arena_init(&arena, NULL);
	g = graph_make(&model, &arena);
	ck_assert(graph_decoder(&mesh, &model, g, &error));

	const struct operator* norm = get(g, "ln_in"), *qkv = get(g, "qkv");

	ck_assert(parameter_coercions(&mesh, qkv, SHARD_NOTHING).all_reduce);
	ck_assert(parameter_coercions(&mesh, qkv, SHARD_OPTIMIZER).reduce_scatter);
	ck_assert(parameter_coercions(&mesh, qkv, SHARD_OPTIMIZER).all_gather);
	ck_assert(parameter_coercions(&mesh, qkv, SHARD_GRADIENTS).reduce_each_micro_batch);
	ck_assert(parameter_coercions(&mesh, qkv, SHARD_PARAMETERS).gather_each_use);
	ck_assert(!parameter_coercions(&mesh, qkv, SHARD_OPTIMIZER).tensor_reduce);
	ck_assert(parameter_coercions(&mesh, norm, SHARD_OPTIMIZER).tensor_reduce);
	ck_assert(!parameter_coercions(&mesh, get(g, "core"), SHARD_OPTIMIZER).reduce_scatter);
	arena_release(&arena);
}
END_TEST

START_TEST(graph_has_its_line)
{
	struct mesh mesh = mesh_of(2, 1, 4);
	struct decoder model = llama(true);
	struct algebra_error error;
	struct graph *g;
	struct arena arena;
	struct out out;

	arena_init(&arena, NULL);
	g = graph_make(&model, &arena);
	out_init(&out, &arena);
	ck_assert(graph_decoder(&mesh, &model, g, &error));
	graph_print(g, &out);
	ck_assert_ptr_nonnull(strstr(
		out_view(&out).p,
		"fc2             [batch 4/4, sequence 4096, ffn 14336/2] -> "
		"[batch 4/4, sequence 4096/2, hidden 4096] weight [ffn 14336/2, hidden 4096]: "
		"reduce-scatter(tp) 33554432 B in forward; all-gather(tp) 33554432 B in dx;"));
	arena_release(&arena);
}
END_TEST

UNIT_MAIN("algebra", local_sizes_are_cut, huge_sizes_saturate, differences_are_collectives,
	  axes_of_one_need_nothing, gradients_end_as_their_tensors, bad_splits_are_explained,
	  divisors_ascend, sequence_parallel_layer, plain_tensor_parallel_layer,
	  context_parallel_exchanges_heads, sharded_states_decide_traffic, graph_has_its_line)
