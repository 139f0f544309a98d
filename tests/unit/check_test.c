/* check_test.c - compiling whole plans: every program that comes out is sound, whatever went in. */
#include "compiler/check/compile.h"
#include "compiler/ir/build.h"
#include "tests/unit/unit.h"

struct fixture {
	struct arena arena;
	struct interner *names;
	struct sources sources;
	struct diag_sink sink;
	struct ir_program *p;
};

static void compile_as(struct fixture *f, const char *text, const struct parameter *given, uint32_t n,
		       bool whole)
{
	struct compile_input in = { 0 };

	arena_init(&f->arena, NULL);
	f->names = interner_make(&f->arena);
	sources_init(&f->sources, &f->arena);
	diag_sink_init(&f->sink, &f->arena, &f->sources);
	in.arena = &f->arena;
	in.names = f->names;
	in.sources = &f->sources;
	in.sink = &f->sink;
	in.path = STR("a.plan");
	in.text = str_of(text);
	in.library = stdlib_files;
	in.parameters = given;
	in.parameter_count = n;
	in.whole_library = whole;
	f->p = plan_compile(&in);
}

static void compile_with(struct fixture *f, const char *text, const struct parameter *given, uint32_t n)
{
	compile_as(f, text, given, n, false);
}

static const char *codes(struct fixture *f)
{
	struct out o;
	const char *what;
	uint32_t where;

	ck_assert_ptr_nonnull(f->p);
	ck_assert_msg(ir_verify(f->p, &what, &where), "%s at %u", what, where);
	out_init(&o, &f->arena);
	for (uint32_t i = 0; i < f->sink.diags.n; i++)
		out_printf(&o, "%s%s", i > 0 ? " " : "", diag_info(f->sink.diags.at[i]->code)->name);
	return str_copy(&f->arena, out_view(&o)).p;
}

static int64_t constant_of_global(struct fixture *f, const char *name)
{
	uint32_t g = ir_find_global(f->p, str_of(name));
	const struct ir_constant *k = ir_constant_of(f->p, f->p->globals.at[g].value);
	int64_t n = -1;

	ck_assert_ptr_nonnull(k);
	num_fits_int64(k->number, &n);
	return n;
}

static const char *type_of_global(struct fixture *f, const char *name)
{
	uint32_t g = ir_find_global(f->p, str_of(name));
	struct out o;

	ck_assert_uint_ne(g, IR_NONE);
	out_init(&o, &f->arena);
	type_print(&o, f->p, f->p->globals.at[g].type);
	return str_copy(&f->arena, out_view(&o)).p;
}

START_TEST(types_of_expressions)
{
	static const struct {
		const char *text, *type;
	} cases[] = {
		{ "1", "int" },
		{ "1.5", "rational" },
		{ "12%", "ratio" },
		{ "2e12", "int" },
		{ "7 / 7", "rational" },
		{ "7 div 2", "int" },
		{ "7.5 mod 2", "rational" },
		{ "sqrt(4)", "real" },
		{ "sqrt(4) + 1", "real" },
		{ "round(sqrt(4))", "int" },
		{ "1 - 3%", "ratio" },
		{ "3% * 2", "rational" },
		{ "80 GiB / 3.35 TB/s", "time" },
		{ "80 GiB / 1 GiB", "rational" },
		{ "80 GiB div 3 GiB", "int" },
		{ "80 GiB mod 3 GiB", "bytes" },
		{ "2 GiB ^ 2", "bytes^2" },
		{ "4 ^ 2", "int" },
		{ "4 ^ -2", "rational" },
		{ "4 ^ 0.5", "real" },
		{ "2 USD/h * 3 h", "usd" },
		{ "300 W * 2 h", "energy" },
		{ "1 / 2 s", "1/s" },
		{ "[1, 2.5]", "list[rational]" },
		{ "[1, none]", "list[int?]" },
		{ "(1, \"a\")", "(int, string)" },
		{ "(1, \"a\")[1]", "string" },
		{ "1..8 by 2", "list[int]" },
		{ "[x / 2 for x in 1..4]", "list[rational]" },
		{ "if true then 1 else none", "int?" },
		{ "(if true then 1 else none) ?? 2", "int" },
		{ "precision.fp8", "precision" },
		{ "recompute.full with { layers = 2 }", "recompute" },
		{ "values(dtype)", "list[dtype]" },
		{ "values(recompute)", "list[recompute]" },
		{ "zero.optimizer", "zero" },
		{ "even()", "layout" },
		{ "even().stages", "int?" },
		{ "even().kind == even", "bool" },
		{ "min(1, 2.5)", "rational" },
		{ "max([1 GiB, 2 GiB])", "bytes" },
		{ "sum([])", "int" },
		{ "\"{1 GiB:MiB.1}\"", "string" },
		{ "match dtype.fp8 { fp8 -> 1 GiB, fp16 -> 2 GiB }", "bytes" },
		{ "flag(\"--x\", 3, when = true)", "arg" },
		{ "key(\"x\", [1, 2])", "arg" },
	};

	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		struct fixture f;
		char text[200];

		snprintf(text, sizeof text, "edition 1\nlet it = %s\n", cases[i].text);
		compile_with(&f, text, NULL, 0);
		ck_assert_msg(strcmp(codes(&f), "") == 0, "%s: %s", cases[i].text, codes(&f));
		ck_assert_str_eq(type_of_global(&f, "it"), cases[i].type);
		arena_release(&f.arena);
	}
}
END_TEST

START_TEST(none_is_ruled_out)
{
	static const char *const fine[] = {
		"let a = if n != none then n + 1 else 0",
		"let a = if n == none then 0 else n + 1",
		"let a = n != none and n > 1",
		"let a = n == none or n > 1",
		"let a = n != none => n > 1",
		"let a = if not (n == none) then n + 1 else 0",
		"let a = if n == none or m == none then 0 else n + m",
		"let a = if n != none and m != none then n + m else 0",
		"let a = [z + 1 for z in [n, m] if z != none]",
		"assert n != none => n > 1",
		"assert good when n != none: n > 1 because \"{n + 1}\"",
		"assert good: n == none or n > 1 because \"{n + 1}\"",
		"let r = { b = none }\nfn f(x: s) -> int = if x.b == none then 0 else x.b\nlet t: s = {}",
		"let t: s = {}\nlet a = if t.deep.b != none then t.deep.b + 1 else 0",
		("model d { layers = 1, hidden = 8, vocab = 8, attention { heads = 1 }, "
		 "moe { experts = 4, top_k = 2, ffn = 8 }\nassert some: moe.top_k <= moe.experts }"),
		"fn f(x: int?) -> s = if x == none then {} else { b = x + 1 }",
	};
	static const char *const wrong[] = {
		"let a = if n != none then 0 else n + 1",
		"let a = n != none or n > 1",
		"let a = if n != none or m != none then n + 1 else 0",
		"let a = if n == none and m == none then 0 else n + m",
		"let t: s = {}\nlet u: s = {}\nlet a = if t.b != none then u.b + 1 else 0",
	};
	struct fixture f;
	char text[400];

	for (size_t i = 0; i < PLAN_COUNT(fine) + PLAN_COUNT(wrong); i++) {
		bool good = i < PLAN_COUNT(fine);
		const char *line = good ? fine[i] : wrong[i - PLAN_COUNT(fine)];

		if (strstr(line, "{ b = none }"))
			line = strchr(line, '\n') + 1;
		snprintf(text, sizeof text,
			 "edition 1\nparam n: int? = none\nparam m: int? = none\n"
			 "schema inner { b: int? = none }\n"
			 "schema s { b: int? = none, deep: inner = {} }\n%s\n",
			 line);
		compile_with(&f, text, NULL, 0);
		ck_assert_msg((strcmp(codes(&f), "") == 0) == good, "%s: %s", line, codes(&f));
		ck_assert(good || strstr(codes(&f), "E1107"));
		arena_release(&f.arena);
	}
}
END_TEST

START_TEST(parameters_from_outside)
{
	struct parameter given[] = { { STR("n"), STR("2 * 8") }, { STR("z"), STR("full") } };
	struct parameter wrong[] = { { STR("m"), STR("1") }, { STR("n"), STR("\"x\"") } };
	const char *text = "edition 1\nparam n: int = 4\nparam z: granularity = off\nlet m = n\n";
	struct fixture f;

	compile_with(&f, text, given, 2);
	ck_assert_str_eq(codes(&f), "");
	ck_assert_int_eq(constant_of_global(&f, "n"), 16);
	arena_release(&f.arena);
	compile_with(&f, text, wrong, 2);
	ck_assert_str_eq(codes(&f), "E1209 E1101");
	arena_release(&f.arena);
}
END_TEST

START_TEST(order_does_not_matter)
{
	struct fixture f;

	compile_with(&f,
		     "edition 1\nlet a = f(b) + c.tp\nlet b = d\nstrategy c extends e {}\nlet d = 4\n"
		     "fn f(x: int) -> int = x + g\nlet g = 2\nstrategy e { tp = 2 }\n",
		     NULL, 0);
	ck_assert_str_eq(codes(&f), "");
	ck_assert_str_eq(type_of_global(&f, "a"), "int");
	arena_release(&f.arena);
}
END_TEST

START_TEST(one_mistake_one_message)
{
	static const char *const texts[] = {
		"let a = missing\nlet b = a + 1\nlet c = [a, b]\nassert a > b because \"{c}\"",
		"let a: missing = 4\nlet b: int = a\nstrategy s { tp = a }",
		"strategy s { tpp = 4 }\nlet a = s.tp",
		"fn f(x: missing) -> int = x + 1\nlet a = f(4)",
		"missing m { layers = 4 }\nlet a = m.layers",
		"import \"nowhere.plan\" { a, b }\nlet c = a + b\nmodel m extends a {}",
		"import \"nowhere.plan\" as m\nlet c = m.a.b\nlet d: m.type = 4\nlet e = m.f(2)",
		"schema s extends missing { x: int = y }\ns a { x = 4 }",
		"let a = if missing then 1 else \"x\"\nlet b: bool = a",
		"let a = 4 KB\nlet b: int = a",
	};

	for (size_t i = 0; i < PLAN_COUNT(texts); i++) {
		struct fixture f;
		char text[300];

		snprintf(text, sizeof text, "edition 1\n%s\n", texts[i]);
		compile_with(&f, text, NULL, 0);
		codes(&f);
		ck_assert_msg(f.sink.errors <= (i == 7 || i == 8 ? 2U : 1U), "%s: %s", texts[i], codes(&f));
		ck_assert_uint_ge(f.sink.errors, 1);
		arena_release(&f.arena);
	}
}
END_TEST

/* Everything the library declares, used or not. */
START_TEST(the_library_compiles)
{
	for (const struct embedded_file *file = stdlib_files; file->name; file++) {
		struct str name = str_of(file->name);
		struct fixture f;
		char text[200];

		if (!str_ends(name, ".plan"))
			continue;
		snprintf(text, sizeof text, "edition 1\nimport \"std:%s\" as it\n", file->name);
		compile_as(&f, text, NULL, 0, true);
		ck_assert_msg(strcmp(codes(&f), "") == 0, "%s: %s", file->name, codes(&f));
		arena_release(&f.arena);
	}
}
END_TEST

/* A chain of definitions, each waiting for the next, must not exhaust the stack. */
START_TEST(long_chains)
{
	struct fixture f;
	struct arena scratch;
	struct out o;

	arena_init(&scratch, NULL);
	out_init(&o, &scratch);
	out_text(&o, "edition 1\n");
	for (int i = 0; i < 20000; i++)
		out_printf(&o, "let a%d = a%d + 1\n", i, i + 1);
	out_text(&o, "let a20000 = 1\n");
	compile_with(&f, str_copy(&scratch, out_view(&o)).p, NULL, 0);
	ck_assert_str_eq(codes(&f), "E0103");
	arena_release(&f.arena);
	arena_release(&scratch);
}
END_TEST

/* Lets that use each other twice share their nodes: the program stays small. */
START_TEST(sharing)
{
	struct fixture f;
	struct arena scratch;
	struct out o;
	uint32_t nodes;

	compile_with(&f, "edition 1\n", NULL, 0);
	nodes = f.p->nodes.n;
	arena_release(&f.arena);
	arena_init(&scratch, NULL);
	out_init(&o, &scratch);
	out_text(&o, "edition 1\nschema s {\n  n: int\n  let a0 = n\n");
	for (int i = 0; i < 60; i++)
		out_printf(&o, "  let a%d = a%d + a%d\n", i + 1, i, i);
	out_text(&o, "  final m: int = a60\n}\n");
	compile_with(&f, str_copy(&scratch, out_view(&o)).p, NULL, 0);
	ck_assert_str_eq(codes(&f), "");
	ck_assert_uint_lt(f.p->nodes.n, nodes + 400);
	arena_release(&f.arena);
	arena_release(&scratch);
}
END_TEST

UNIT_MAIN("check", types_of_expressions, none_is_ruled_out, parameters_from_outside,
	  order_does_not_matter, one_mistake_one_message, long_chains, sharing, the_library_compiles)
