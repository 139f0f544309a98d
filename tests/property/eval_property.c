/*
 * eval_property.c - laws of values and of the evaluator, through the whole front end.
 *
 * What value_print_source writes reads back to the same value; integer arithmetic is that of C with
 * floored division; a field has the value that its newest definition says, evaluated in the whole
 * record, however long the chain of instances is. The seed is printed when a law is broken; give it
 * as the first argument to repeat a run.
 */
#include <inttypes.h>

#include "compiler/check/compile.h"
#include "runtime/eval/eval.h"
#include "runtime/value/layout.h"

enum { VALUES = 300, EXPRESSIONS = 200, FIELDS = 6, CHAIN = 8, ROUNDS = 3 };

struct run {
	uint64_t seed, state;
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct ir_program *p;
	struct eval ev;
};

static uint64_t draw(struct run *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * UINT64_C(2685821657736338717);
}

static int64_t pick(struct run *r, int64_t from, int64_t to)
{
	return from + (int64_t)(draw(r) % (uint64_t)(to - from + 1));
}

static void fail(const struct run *r, const char *law, int number)
{
	printf("eval_property: seed %" PRIu64 ", number %d: %s\n", r->seed, number, law);
	exit(1);
}

/* Compiles a plan; a message is a broken law here. */
static void compile(struct run *r, struct str text)
{
	struct compile_input in = { .arena = &r->arena,
				    .names = interner_make(&r->arena),
				    .sources = &r->sources,
				    .sink = &r->sink,
				    .path = STR("t.plan"),
				    .text = text,
				    .library = stdlib_files };
	sources_init(&r->sources, &r->arena);
	diag_sink_init(&r->sink, &r->arena, &r->sources);
	r->p = plan_compile(&in);
	if (r->p && r->sink.errors == 0) {
		eval_init(&r->ev, &r->arena, r->p, &r->sink);
		return;
	}
	struct out o;
	out_init(&o, &r->arena);
	diag_render(&r->sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
	printf("%.*s", (int)o.n, o.p);
	fail(r, "the plan does not compile", 0);
}

static struct value global(struct run *r, const char *prefix, int number)
{
	char name[32];
	snprintf(name, sizeof name, "%s%d", prefix, number);
	uint32_t g = ir_find_global(r->p, str_of(name));
	return g == IR_NONE ? value_poison() : eval_global(&r->ev, g);
}

/* ---- source text ----------------------------------------------------------------------------- */

static const struct {
	const char *name;
	struct dimension dim;
	bool percent, whole;
} types[] = {
	{ "int", { 0, 0, 0, 0, 0 }, false, true },
	{ "rational", { 0, 0, 0, 0, 0 }, false, false },
	{ "ratio", { 0, 0, 0, 0, 0 }, true, false },
	{ "bytes", { 1, 0, 0, 0, 0 }, false, false },
	{ "bytes/s", { 1, -1, 0, 0, 0 }, false, false },
	{ "time", { 0, 1, 0, 0, 0 }, false, false },
	{ "flop", { 0, 0, 1, 0, 0 }, false, false },
	{ "flop/s", { 0, -1, 1, 0, 0 }, false, false },
	{ "usd", { 0, 0, 0, 1, 0 }, false, false },
	{ "usd/s", { 0, -1, 0, 1, 0 }, false, false },
	{ "energy", { 0, 0, 0, 0, 1 }, false, false },
	{ "power", { 0, -1, 0, 0, 1 }, false, false },
	{ "1/s", { 0, -1, 0, 0, 0 }, false, false },
	{ "bytes/flop", { 1, 0, -1, 0, 0 }, false, false },
};

static struct num draw_number(struct run *r, bool whole)
{
	static const int64_t scales[] = {
		1, 1000, 1000000, 1024, 1 << 20, 1 << 30, 3600, 1000000007
	};
	int64_t n = pick(r, -2000, 2000) * scales[pick(r, 0, 7)];
	int64_t d = whole || pick(r, 0, 2) == 0 ? 1 : scales[pick(r, 0, 7)] * pick(r, 1, 9);
	return num_ratio(&r->arena, n, d);
}

static void check_source_text(struct run *r)
{
	struct num numbers[VALUES];
	struct out text;
	out_init(&text, &r->arena);
	out_text(&text, "edition 1\n");
	for (int i = 0; i < VALUES; i++) {
		size_t t = (size_t)i % PLAN_COUNT(types);
		struct type type = { .kind = TYPE_NUMBER,
				     .dim = types[t].dim,
				     .exactness = types[t].whole ? EXACT_INT : EXACT_RATIONAL,
				     .percent = types[t].percent };
		numbers[i] = draw_number(r, types[t].whole);
		out_printf(&text, "let v%d: %s = ", i, types[t].name);
		value_print_source(&text, NULL, value_number(numbers[i]), &type);
		out_char(&text, '\n');
	}
	compile(r, str_copy(&r->arena, out_view(&text)));
	for (int i = 0; i < VALUES; i++) {
		struct value v = global(r, "v", i);
		if (v.kind != VALUE_NUMBER || num_compare(v.number, numbers[i]) != 0)
			fail(r, "a number does not read back", i);
	}
}

static void check_layout_text(struct run *r)
{
	const struct layout *layouts[VALUES];
	struct out text;
	out_init(&text, &r->arena);
	out_text(&text, "edition 1\n");
	for (int i = 0; i < VALUES; i++) {
		struct out letters;
		struct letters_fault fault;
		out_init(&letters, &r->arena);
		for (int64_t n = pick(r, 1, 12); n > 0; n--)
			out_char(&letters, "EttttttmL||||"[pick(r, 0, 12)]);
		layouts[i] =
			layout_parse(&r->arena, str_copy(&r->arena, out_view(&letters)), &fault);
		if (!layouts[i])
			fail(r, "a layout of plain letters is refused", i);
		out_printf(&text, "let v%d = ", i);
		layout_print_source(&text, layouts[i]);
		out_char(&text, '\n');
	}
	compile(r, str_copy(&r->arena, out_view(&text)));
	for (int i = 0; i < VALUES; i++) {
		struct value v = global(r, "v", i);
		if (v.kind != VALUE_LAYOUT || !layout_equal(v.layout, layouts[i]) ||
		    v.layout->well_formed != layouts[i]->well_formed ||
		    v.layout->mtp_well_placed != layouts[i]->mtp_well_placed)
			fail(r, "a layout does not read back", i);
	}
}

/* ---- integers -------------------------------------------------------------------------------- */

static int64_t floored(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Writes a random expression, fully in parentheses, and computes it. */
static int64_t expression(struct run *r, struct out *o, int depth)
{
	static const char *const ops[] = { "+", "-", "*", "div", "mod" };
	if (depth == 0) {
		int64_t n = pick(r, 0, 30);
		out_printf(o, "%" PRId64, n);
		return n;
	}
	int64_t op = pick(r, 0, 4);
	out_char(o, '(');
	int64_t a = expression(r, o, depth - 1);
	out_printf(o, " %s ", ops[op]);
	struct out divisor;
	out_init(&divisor, &r->arena);
	int64_t b = expression(r, &divisor, depth - 1);
	if (op >= 3 && b == 0) {
		b = 7;
		out_char(o, '7');
	} else {
		out_str(o, out_view(&divisor));
	}
	out_char(o, ')');
	return op == 0   ? a + b
	       : op == 1 ? a - b
	       : op == 2 ? a * b
	       : op == 3 ? floored(a, b)
			 : a - floored(a, b) * b;
}

static void check_integers(struct run *r)
{
	int64_t expected[EXPRESSIONS];
	struct out text;
	out_init(&text, &r->arena);
	out_text(&text, "edition 1\nlet zero = len([])\n");
	for (int i = 0; i < EXPRESSIONS; i++) {
		/* `zero` keeps half of them from being computed while the plan is compiled. */
		out_printf(&text, "let v%d = %s", i, i % 2 ? "zero + " : "");
		expected[i] = expression(r, &text, (int)pick(r, 1, 4));
		out_char(&text, '\n');
	}
	compile(r, str_copy(&r->arena, out_view(&text)));
	for (int i = 0; i < EXPRESSIONS; i++) {
		int64_t n;
		struct value v = global(r, "v", i);
		if (v.kind != VALUE_NUMBER || !num_fits_int64(v.number, &n) || n != expected[i])
			fail(r, "an expression has another value than in C", i);
	}
}

/* ---- late binding ---------------------------------------------------------------------------- */

/* What one layer says about a field: nothing, or f[a] * times + plus, where a is an earlier field (-1:
 * only plus). */
struct definition {
	bool given;
	int64_t a, times, plus;
};

static struct definition define(struct run *r, struct out *o, int field)
{
	struct definition d = { true, field > 0 ? pick(r, -1, field - 1) : -1, pick(r, 1, 5),
				pick(r, 0, 99) };
	if (d.a >= 0)
		out_printf(o, "f%" PRId64 " * %" PRId64 " + ", d.a, d.times);
	out_printf(o, "%" PRId64 "\n", d.plus);
	return d;
}

static int64_t field_value(struct definition layers[CHAIN + 1][FIELDS], int instance, int field)
{
	int l = instance + 1;
	while (!layers[l][field].given)
		l--;
	struct definition d = layers[l][field];
	return d.plus + (d.a >= 0 ? d.times * field_value(layers, instance, (int)d.a) : 0);
}

static void check_late_binding(struct run *r)
{
	struct definition layers[CHAIN + 1][FIELDS] = { 0 };
	struct out text;
	out_init(&text, &r->arena);
	out_text(&text, "edition 1\nschema chain {\n");
	for (int f = 0; f < FIELDS; f++) {
		out_printf(&text, "  f%d: int = ", f);
		layers[0][f] = define(r, &text, f);
	}
	out_text(&text, "}\n");
	for (int i = 0; i < CHAIN; i++) {
		out_printf(&text, "chain v%d", i);
		if (i > 0)
			out_printf(&text, " extends v%d", i - 1);
		out_text(&text, " {\n");
		for (int f = 0; f < FIELDS; f++) {
			if (pick(r, 0, 2) > 0)
				continue;
			out_printf(&text, "  f%d = ", f);
			layers[i + 1][f] = define(r, &text, f);
		}
		out_text(&text, "}\n");
	}
	compile(r, str_copy(&r->arena, out_view(&text)));
	for (int i = 0; i < CHAIN * FIELDS; i++) {
		int64_t n;
		struct value v = global(r, "v", i / FIELDS);
		struct value f = record_get(&r->ev, v.record, (uint32_t)(i % FIELDS));
		if (!num_fits_int64(f.number, &n) ||
		    n != field_value(layers, i / FIELDS, i % FIELDS))
			fail(r, "a field is not what its newest definition says", i);
	}
}

int main(int argc, char **argv)
{
	struct run r = { .seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20240607 };
	static void (*const laws[])(struct run *) = { check_source_text, check_layout_text,
						      check_integers, check_late_binding };
	r.state = r.seed ? r.seed : 1;
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < PLAN_COUNT(laws); i++) {
			arena_init(&r.arena, NULL);
			laws[i](&r);
			arena_release(&r.arena);
		}
	}
	printf("eval_property: seed %" PRIu64 ", %d rounds of %zu laws hold\n", r.seed, ROUNDS,
	       PLAN_COUNT(laws));
	return 0;
}
