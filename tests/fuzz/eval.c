/* eval.c - evaluation of plans that a generator writes from the bytes: well typed for the most part, with
 * extreme numbers, lists, tables of choices, records that override each other, and sweeps. Every value
 * can be printed, and what the language can write down reads back. */
#include "compiler/syntax/parse.h"
#include "runtime/bind/job.h"
#include "runtime/search/search.h"
#include "tests/fuzz/fuzz.h"

enum { DEPTH_MAX = 6, TEXT_MAX = 20000, STEPS_MAX = 50000, CANDIDATES_MAX = 2000 };

/* The bytes as a source of choices; zeros when they are used up, which leads to the simplest choice. */
struct writer {
	const uint8_t *p, *end;
	struct out *o;
	int lets;                    /* n0 ... are declared */
	int names;                   /* inside of a comprehension x0 ... are */
};

static unsigned choose(struct writer *w, unsigned n)
{
	return w->p < w->end ? *w->p++ % n : 0;
}

static void write_int(struct writer *w, int depth);
static void write_bool(struct writer *w, int depth);
static void write_list(struct writer *w, int depth);
static void write_bytes(struct writer *w, int depth);

/* What the letters of a pattern stand for: I an int, B a bool, L a list of ints, Q a quantity, X the name
 * of the innermost comprehension, which + opens and - closes, M a list outside of it; _ is a minus and & a plus. */
static void write_pattern(struct writer *w, const char *pattern, int depth)
{
	for (; *pattern; pattern++) {
		switch (*pattern) {
		case 'I': write_int(w, depth + 1); break;
		case 'B': write_bool(w, depth + 1); break;
		case 'L': write_list(w, depth + 1); break;
		case 'Q': write_bytes(w, depth + 1); break;
		case 'M':
			w->names--;
			write_list(w, depth + 1);
			w->names++;
			break;
		case 'X': out_printf(w->o, "x%d", w->names - 1); break;
		case '+': w->names++; break;
		case '-': w->names--; break;
		case '_': out_char(w->o, '-'); break;
		case '&': out_char(w->o, '+'); break;
		default: out_char(w->o, *pattern); break;
		}
	}
}

static void write_leaf(struct writer *w)
{
	static const char *const leaves[] = {
		"0", "1", "2", "7", "(0 - 1)", "9223372036854775807", "(0 - 9223372036854775807 - 1)",
		"1000000", "1000000007", "(10 ^ 30)", "1_000", "12", "64",
	};

	if (w->names > 0 && choose(w, 3) == 0)
		out_printf(w->o, "x%u", choose(w, (unsigned)w->names));
	else if (w->lets > 0 && choose(w, 3) == 0)
		out_printf(w->o, "n%u", choose(w, (unsigned)w->lets));
	else
		out_text(w->o, leaves[choose(w, PLAN_COUNT(leaves))]);
}

static void write_int(struct writer *w, int depth)
{
	static const char *const patterns[] = {
		"(I & I)", "(I * I)", "(I _ I)", "(I div I)", "(I mod I)", "(I ^ I)", "(if B then I else I)",
		"min(I, I)", "max(L)", "sum(L)", "len(L)", "ceil(I / I)", "floor(I / I)", "round(I / I)",
		"abs(I)", "floor(sqrt(abs(I)))", "L[I]", "[1, 2, 3][I mod 3]", "(match B { true _> I, false _> I })",
		"floor(Q / Q)", "sum([+X * X for X in M-])", "floor(log2(max(1, I)))",
	};

	if (depth >= DEPTH_MAX || w->o->n > TEXT_MAX || choose(w, 4) == 0) {
		write_leaf(w);
		return;
	}
	write_pattern(w, patterns[choose(w, PLAN_COUNT(patterns))], depth);
}

static void write_bool(struct writer *w, int depth)
{
	static const char *const patterns[] = {
		"(I == I)", "(I < I)", "(I <= I and I != I)", "(B or B)", "(not B)", "(B => B)", "(I in L)",
		"all([+X > I for X in M-])", "any([+X < I for X in M-])", "(Q >= Q)", "(I within 10% of I)",
	};

	if (depth >= DEPTH_MAX || w->o->n > TEXT_MAX)
		out_text(w->o, choose(w, 2) ? "true" : "false");
	else
		write_pattern(w, patterns[choose(w, PLAN_COUNT(patterns))], depth);
}

static void write_list(struct writer *w, int depth)
{
	static const char *const patterns[] = {
		"[I, I]", "[I]", "(0..I)", "divisors(I)", "powers(2, 1, I)", "unique(L)", "[+X _ I for X in M-]",
		"[+I for X in M if X > I-]", "(if B then L else L)", "(I..I by I)",
	};

	if (depth >= DEPTH_MAX || w->o->n > TEXT_MAX)
		out_text(w->o, choose(w, 2) ? "[1, 2, 3]" : "(1..4)");
	else
		write_pattern(w, patterns[choose(w, PLAN_COUNT(patterns))], depth);
}

static void write_bytes(struct writer *w, int depth)
{
	static const char *const units[] = { "B", "KiB", "GiB", "GB", "PiB", "bit" };

	if (depth >= DEPTH_MAX || w->o->n > TEXT_MAX || choose(w, 3) == 0) {
		out_printf(w->o, "%u %s", choose(w, 200), units[choose(w, PLAN_COUNT(units))]);
		return;
	}
	write_pattern(w, choose(w, 2) ? "(Q _ Q)" : "(Q * I)", depth);
}

static void write_sweep(struct writer *w)
{
	out_text(w->o, "sweep all of small {\n  vary a in ");
	write_list(w, DEPTH_MAX - 2);
	out_text(w->o, "\n  vary (b, c) in [(1, true), (2, false)] when a > 1\n  constraint one: ");
	write_bool(w, DEPTH_MAX - 2);
	out_text(w->o, "\n  constraint two when c: a + b < ");
	write_int(w, DEPTH_MAX - 2);
	out_text(w->o, "\n  objective { maximise a * b, minimise d }\n}\n");
	if (choose(w, 2))
		out_text(w->o, "let winner = best(all)\n");
}

static void write_records(struct writer *w)
{
	out_text(w->o, "schema thing {\n  a: int\n  b: int = a + 1\n  c: bool = b > 2\n  final d: int = ");
	write_pattern(w, "(if B then a * b else a _ I)\n", DEPTH_MAX - 3);
	out_text(w->o, "  assert sound: d != 13 because \"{a} and {d}\"\n}\nthing small {\n  a = ");
	write_int(w, DEPTH_MAX - 3);
	out_text(w->o, "\n}\nthing large extends small {\n  b = ");
	write_int(w, DEPTH_MAX - 3);
	out_text(w->o, "\n}\nlet picked = small with { a = large.d, c = ");
	write_bool(w, DEPTH_MAX - 3);
	out_text(w->o, " }\n");
}

static void write_plan(struct writer *w)
{
	out_text(w->o, "edition 1\n");
	for (unsigned n = choose(w, 6) + 1; n > 0; n--) {
		out_printf(w->o, "let n%d = ", w->lets);
		write_int(w, 0);
		out_char(w->o, '\n');
		w->lets++;
	}
	out_text(w->o, "let list = ");
	write_list(w, 1);
	out_text(w->o, "\nlet room = ");
	write_bytes(w, 1);
	out_text(w->o, "\nassert held: ");
	write_bool(w, 2);
	out_text(w->o, " because \"{n0} of {room:GiB.2}, {list}\"\n");
	write_records(w);
	if (choose(w, 2))
		write_sweep(w);
}

/* ---- what must hold -------------------------------------------------------------------------- */

static void read_back(struct fuzz *f, const struct ir_program *p, struct value v, const struct type *t)
{
	struct parse_input in = { &f->arena, f->names, &f->sources, &f->sink, 0 };
	struct out o;

	out_init(&o, &f->arena);
	value_print_source(&o, p, v, t);
	in.file = sources_add(&f->sources, STR("value"), out_view(&o), false);
	fuzz_require(f, parse_expression(&in).ok, "a value reads back");
}

static void evaluate(struct fuzz *f, const struct ir_program *p)
{
	struct eval ev;
	struct out o;

	eval_init(&ev, &f->arena, p, &f->sink);
	job_install(&ev);
	ev.steps_max = STEPS_MAX;
	ev.candidates_max = CANDIDATES_MAX;
	search_install(&ev, NULL);
	program_check(&ev);
	for (uint32_t i = 0; i < p->globals.n; i++) {
		const struct ir_global *g = &p->globals.at[i];
		struct value v = eval_global(&ev, i);

		fuzz_require(f, v.kind != VALUE_POISON || f->sink.errors > 0, "poison has an error");
		out_init(&o, &f->arena);
		value_print(&o, p, v, g->type);
		if (v.kind == VALUE_NUMBER || v.kind == VALUE_BOOL || v.kind == VALUE_LIST)
			read_back(f, p, v, g->type);
	}
	for (uint32_t i = 0; i < p->sweeps.n && f->sink.errors == 0; i++)
		search_run(&ev, i, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz f;
	struct compile_input in;
	struct ir_program *p;
	struct writer w = { .p = data, .end = data + size };
	struct out text;

	fuzz_begin(&f, data, size);
	if (setjmp(f.escape) == 0) {
		out_init(&text, &f.arena);
		w.o = &text;
		write_plan(&w);
		in = fuzz_compile_input(&f, out_view(&text));
		if (getenv("PLAN_FUZZ_SHOW"))
			fprintf(stderr, "%.*s", (int)text.n, text.p);
		p = plan_compile(&in);
		if (p && f.sink.errors == 0)
			evaluate(&f, p);
		fuzz_render(&f);
	}
	fuzz_end(&f);
	return 0;
}
