/* parse_property.c - the parser on random texts: pieces of plans thrown together, and a good plan with
 * bytes changed.
 *
 * Whatever the text: it is rejected exactly when something was reported; every node lies inside its
 * parent; the tree is no deeper than the limit. A text that is accepted gives the same tree after
 * comments and blank lines were added. The seed is printed; give it as the first argument to repeat a
 * run, the number of rounds as the second.
 */
#include <inttypes.h>

#include "compiler/syntax/parse.h"

enum { ROUNDS = 4000, PIECES_MAX = 40, EDITS_MAX = 4 };

struct run {
	uint64_t seed, state;
	struct arena arena;
};

static const char *const PIECES[] = {
	"let a = ", "x", " + ", "(", ")", "[", "]", "{", "}", "\n", ", ", "\"", "{b:GiB.1}", " = ", ": ",
	"80 GiB", "1_000", "2e12", "12%", "assert ", " because ", " when ", "model m {", "schema s {",
	"f(", "..", "->", "match x { ", " if ", " then ", " else ", " for y in ", "sweep s of j {",
	"vary ", "objective { ", "maximise ", " slack ", "test \"t\" {", "expect ", "failure ", "# c\n",
	"## d\n", "`q`", "final ", "native ", "int", "?", "not ", "-", "^", " within ", " of ", "import ",
	" as ", "edition 1\n", "fn f(a: int) -> int = ", " with { ", "\\", "$", "&&", "\xC3\xA9", "\t",
	"\r\n", "'", ".", "1.", "==", "<", "emit e from x to ", "param p: int = ", " extends ",
};

static const char PLAN[] =
	"edition 1\n\n## A point.\nschema point extends base {\n  batch: int = 1\n  ## Rate.\n  rate: 1/s\n"
	"  final twice: int = batch * 2\n  native seen: list[int]?\n  link { latency = 4 us, a.b = none }\n"
	"  assert positive when batch != none: batch > 0\n    because \"is {batch:%.0} and {rate}\"\n}\n\n"
	"param n: int = 8\nenum mode { off, on }\nfn f(x: int, y: int = 2) -> int = x ^ y ?? -x\n"
	"strategy small extends big { tp = 8 }\nlet a = if n > 1 then [q for q in r if q in mode] else\n"
	"  match n { 1 -> (2, 3), m -> s with { t = true } }\nemit json from a[0].b to \"o\" { p = 1..8 by 2 }\n"
	"sweep s of small {\n  vary (a, b) in [(1, 2)] when c\n  constraint d: e within 1% of 2\n"
	"  objective pareto { maximise g slack 1%, minimise h }\n}\n"
	"test \"t\" { expect x == 1, expect failure \"E2101\" { let y = 1 } }\n";

/* xorshift64*: short, and the same everywhere. */
static uint64_t draw(struct run *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * UINT64_C(2685821657736338717);
}

static struct str thrown_together(struct run *r)
{
	struct out o;

	out_init(&o, &r->arena);
	out_text(&o, "");
	for (uint64_t n = draw(r) % PIECES_MAX + 1; n > 0; n--)
		out_text(&o, PIECES[draw(r) % PLAN_COUNT(PIECES)]);
	return out_view(&o);
}

static struct str changed(struct run *r)
{
	struct out o;
	uint32_t from = 0, n = (uint32_t)sizeof PLAN - 1;

	out_init(&o, &r->arena);
	for (uint64_t edits = draw(r) % EDITS_MAX; edits > 0; edits--) {
		uint32_t at = from + (uint32_t)(draw(r) % (n - from));
		out_bytes(&o, PLAN + from, at - from);
		if (draw(r) % 2 == 0)
			out_text(&o, PIECES[draw(r) % PLAN_COUNT(PIECES)]);
		from = at + (uint32_t)(draw(r) % 3);
		if (from >= n)
			return out_view(&o);
	}
	out_bytes(&o, PLAN + from, n - from);
	return out_view(&o);
}

static void fail(const struct run *r, const char *what, struct str text)
{
	printf("parse_property: seed %" PRIu64 ": %s for\n%.*s\n", r->seed, what, (int)text.n, text.p);
	exit(1);
}

struct walk {
	const struct run *run;
	struct str text;
	const struct ast *parent;
	struct out *shape;           /* kinds of the nodes, in order */
};

static void check_node(struct ast *node, void *context)
{
	struct walk *w = context;
	const struct ast *parent = w->parent;

	if (node->span.lo > node->span.hi || node->span.hi > w->text.n)
		fail(w->run, "a span lies outside of the text", w->text);
	if (parent != NULL && (node->span.lo < parent->span.lo || node->span.hi > parent->span.hi))
		fail(w->run, "a node lies outside of its parent", w->text);
	if (node->depth > AST_DEPTH_MAX + 1)
		fail(w->run, "a tree is too deep", w->text);
	out_printf(w->shape, "%s(", ast_kind_name(node->kind));
	w->parent = node;
	ast_each_child(node, check_node, w);
	w->parent = parent;
	out_char(w->shape, ')');
}

/* Parses and checks; the shape of the tree, and whether it was accepted. */
static struct str check_text(struct run *r, struct str text, bool *accepted)
{
	struct sources sources;
	struct diag_sink sink;
	struct parse_input in;
	struct parse_result result;
	struct out shape, messages;
	struct walk w = { r, text, NULL, &shape };

	sources_init(&sources, &r->arena);
	diag_sink_init(&sink, &r->arena, &sources);
	in = (struct parse_input){ &r->arena, interner_make(&r->arena), &sources, &sink, 0 };
	in.file = sources_add(&sources, STR("p.plan"), text, false);
	result = parse_file(&in);
	if (result.ok != (sink.errors == 0))
		fail(r, "a rejection and its messages do not agree", text);
	out_init(&shape, &r->arena);
	out_init(&messages, &r->arena);
	check_node(result.tree, &w);
	diag_render(&sink, (struct diag_style){ .format = DIAG_HUMAN }, &messages);
	*accepted = result.ok;
	return out_view(&shape);
}

/* The text with a comment at every line end and blank lines between. Documentation keeps its place. */
static struct str commented(struct run *r, struct str text)
{
	struct out o;

	out_init(&o, &r->arena);
	out_text(&o, "");
	for (uint32_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\n')
			out_text(&o, draw(r) % 2 == 0 ? "  # more\n\n" : "\t#");
		out_char(&o, text.p[i]);
	}
	return out_view(&o);
}

int main(int argc, char **argv)
{
	struct run r = { .seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20240229 };
	uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS, accepted_count = 0;

	printf("parse_property: seed %" PRIu64 "\n", r.seed);
	r.state = r.seed * 2 + 1;
	arena_init(&r.arena, NULL);
	for (uint64_t i = 0; i < rounds; i++) {
		struct arena_mark mark = arena_mark(&r.arena);
		struct str text = draw(&r) % 2 == 0 ? thrown_together(&r) : changed(&r);
		bool accepted, again;
		struct str shape = check_text(&r, text, &accepted);

		if (accepted && memchr(text.p, '\r', text.n) == NULL) {
			accepted_count++;
			if (!str_equal(check_text(&r, commented(&r, text), &again), shape))
				fail(&r, "comments change the tree", text);
		}
		arena_reset(&r.arena, mark);
	}
	arena_release(&r.arena);
	printf("parse_property: %" PRIu64 " rounds, %" PRIu64 " texts accepted\n", rounds, accepted_count);
	return 0;
}
