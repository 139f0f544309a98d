/* fmt_property.c - the formatter on the standard library and on random changes of it.
 *
 * A round takes some declarations of the library or of the list below, changes them at random
 * (blanks, line breaks, comments, commas, tokens gone or doubled), and whenever the result still
 * parses, formats it: the text must say the same, comments included, formatting it again must
 * change nothing, and no line may end in a blank. The seed is printed; give it as the first
 * argument to repeat a run, the number of rounds as the second.
 */
#include <inttypes.h>

#include "compiler/base/embed.h"
#include "compiler/syntax/fmt/fmt.h"
#include "compiler/syntax/parse.h"

enum { ROUNDS = 4000, PIECES_MAX = 3, CHANGES_MAX = 8 };

/* What the library has little of. */
static const char *const extra[] = {
	"sweep s of j {\n  vary strategy.tp in [1, 2, 4, 8]\n"
	"  vary (a.b, c) in [(1, 2), (3, 4)] when x > 1\n  vary batch.micro in 1..8 by 2\n"
	"  constraint fits when a => b: memory.peak <= 80 GiB - h\n"
	"    because \"{memory.peak:GiB.1}\"\n"
	"  objective pareto { maximise mfu slack 1%, minimise memory.peak }\n"
	"  limit = 200_000\n}\n",
	"test \"t\" {\n  let a = b with { c = d with { e = 1 }, f { g = 2 } }\n"
	"  expect a.b within 2% of 37e9 because \"no\"\n"
	"  expect failure \"E2101\" {\n    strategy x extends y { tp = 3 }\n"
	"    assert 1 == 2\n  }\n}\n",
	"let m = match x { -1 -> \"a\", 0 -> if p then q else r, [z for z in w] -> {}, "
	"{ a = 1 } -> - -b }\n",
	"let c = not a and not (b or c) => d ?? e ?? 2 ^ -f ^ g in [h, i] and j..k == l\n",
	"fn f(a: list[map[int, string]]?, b: bytes/s = 3 GiB/s, c: 1/s = 1 / 2 s) -> usd/h\n"
	"  = a[b](c, d = e)\n",
	"emit megatron from best(s) to \"out/a.sh\" { seed = 1, lr = 0.1 }\n"
	"emit json from s to \"b\"\n",
	"import \"a.csv\" as `to`: table[row]\nimport \"std:models\" { a, b, c }\n"
	"import \"x\" { d }\n",
	"enum e { a, b, c }\nparam p: int? = none\nassert a or b\n  because \"x\"\n",
	"model m {\n  # first\n  layers = 1, hidden = 2  # sizes\n\n  attention { heads = 1 }\n"
	"  ## doc\n  x = [\n    { a = 1, b = 22 },\n    { a = 333, b = 4 },  # last\n  ]\n"
	"  final = 3\n}\n",
	"let t = if a then b else if c then d else if e then { f = 1 } else g(h for i in j if k)\n",
	"let long = aaaaaaaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb * "
	"cccccccccccccccccccccc - dddddddddddddddddddddddd div eeeeeeeeeeeeeeeeeeeee mod "
	"ffffffffffffffffffffffffffffffff\n",
};

static const char *const inserts[] = {
	" ", "\n", "\n\n", "\n\n\n", "  # note\n", "\n# alone\n", "\n## doc\n", "\n\n## doc\n\n",
	",", ",\n", ";", "\t", "\r\n", "(", ")", "[", "]", "{", "}", "-", "+", " and ", " not ",
	"1", "a", " a = 1 ", "# x\n# y\n", " . ", ", ", " if c then d else e ",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"\"text of a string that is long enough to fill a good part of a line\"",
};

struct piece {
	struct str text;
};

struct run {
	uint64_t seed, state;
	struct arena arena;          /* of the whole run */
	VEC(struct piece) pieces;
	uint32_t checked;
};

static uint64_t draw(struct run *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * UINT64_C(2685821657736338717);
}

static uint32_t below(struct run *r, uint32_t n)
{
	return (uint32_t)(draw(r) % n);
}

/* ---- one text -------------------------------------------------------------------------------- */

struct lab {
	struct arena *arena;
	struct sources sources;
	struct diag_sink sink;
	struct interner *names;
};

static void lab_init(struct lab *lab, struct arena *a)
{
	lab->arena = a;
	sources_init(&lab->sources, a);
	diag_sink_init(&lab->sink, a, &lab->sources);
	lab->names = interner_make(a);
}

static struct parse_result parse(struct lab *lab, struct str text)
{
	uint32_t file = sources_add(&lab->sources, STR("x.plan"), text, false);
	struct parse_input in = { lab->arena, lab->names, &lab->sources, &lab->sink, file };

	return parse_file(&in);
}

static const char *blemish(struct str text)
{
	uint32_t breaks = 0;

	for (uint32_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\n' && i > 0 && strchr(" \t\r", text.p[i - 1]) != NULL)
			return "a line ends in a blank";
		breaks = text.p[i] == '\n' ? breaks + 1 : 0;
		if (breaks > 2)
			return "there are two empty lines";
	}
	return text.n == 0 || text.p[text.n - 1] == '\n' ? NULL : "the last line does not end";
}

/* What is wrong with the formatted text, NULL when nothing is. */
static const char *wrong(struct lab *lab, struct str text, const struct ast *tree,
			 struct out *first)
{
	struct out second;
	struct parse_result again;

	out_init(first, lab->arena);
	out_init(&second, lab->arena);
	if (!fmt_plan(lab->arena, text, tree, first))
		return "tokens and tree do not belong together";
	again = parse(lab, out_view(first));
	if (!again.ok)
		return "the result does not parse";
	if (!fmt_same(lab->arena, text, tree, out_view(first), again.tree))
		return "the result says something else";
	if (!fmt_plan(lab->arena, out_view(first), again.tree, &second))
		return "the result cannot be formatted";
	if (!str_equal(out_view(first), out_view(&second)))
		return "formatting it again changes it";
	return blemish(out_view(first));
}

/* True when the text is not a plan, or a plan that formats well. */
static bool check(struct run *r, struct str text)
{
	struct arena a;
	struct lab lab;
	struct out result;
	struct parse_result parsed;
	const char *what = NULL;

	arena_init(&a, NULL);
	lab_init(&lab, &a);
	parsed = parse(&lab, text);
	if (parsed.ok) {
		r->checked++;
		what = wrong(&lab, text, parsed.tree, &result);
	}
	if (what) {
		printf("fmt_property: seed %" PRIu64 ": %s\n---- text\n%.*s\n---- formatted\n%.*s\n"
		       "----\n", r->seed, what, (int)text.n, text.p, (int)result.n,
		       result.n ? result.p : "");
	}
	arena_release(&a);
	return what == NULL;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Every declaration with the lines before it is a piece. */
static void cut(struct run *r, struct str text)
{
	struct lab lab;
	struct parse_result parsed;
	uint32_t from = 0;

	lab_init(&lab, &r->arena);
	parsed = parse(&lab, text);
	for (uint32_t i = 0; i < parsed.tree->file.items.n; i++) {
		uint32_t hi = parsed.tree->file.items.at[i]->span.hi;

		*VEC_ADD(&r->arena, &r->pieces) = (struct piece){ str_slice(text, from, hi) };
		from = hi;
	}
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* End of the word, blanks or single character at an offset. */
static uint32_t token_end(struct str s, uint32_t at)
{
	uint32_t end = at + 1;

	while (end < s.n && is_word(s.p[at]) && is_word(s.p[end]))
		end++;
	while (end < s.n && s.p[at] == ' ' && s.p[end] == ' ')
		end++;
	return end;
}

static struct str changed(struct run *r, struct arena *a, struct str s)
{
	uint32_t at = below(r, s.n + 1), end;
	struct out o;

	while (at > 0 && at < s.n && is_word(s.p[at - 1]) && is_word(s.p[at]))
		at--;
	end = at < s.n ? token_end(s, at) : at;
	out_init(&o, a);
	out_str(&o, str_slice(s, 0, at));
	switch (below(r, 6)) {
	case 0:                                      /* gone */
		at = end;
		break;
	case 1:                                      /* doubled */
		out_str(&o, str_slice(s, at, end));
		break;
	case 2:                                      /* a line break for blanks, or the reverse */
		if (at < s.n && (s.p[at] == ' ' || s.p[at] == '\n')) {
			out_char(&o, s.p[at] == ' ' ? '\n' : ' ');
			at = end;
		}
		break;
	default:
		out_text(&o, inserts[below(r, PLAN_COUNT(inserts))]);
		break;
	}
	out_str(&o, str_slice(s, at, s.n));
	return out_view(&o);
}

/* A statement in front: before the first one, an empty line makes a comment the file's own, and
 * a line with nothing but a comma, which becomes an empty one, does not. */
static struct str begun(struct arena *a, struct str text)
{
	struct out o;

	out_init(&o, a);
	out_text(&o, "let begun = 0\n");
	out_str(&o, text);
	return out_view(&o);
}

static bool round_of(struct run *r)
{
	uint32_t pieces = 1 + below(r, PIECES_MAX), changes = 1 + below(r, CHANGES_MAX);
	bool good = true;
	struct arena a;
	struct out o;
	struct str text;

	arena_init(&a, NULL);
	out_init(&o, &a);
	for (uint32_t i = 0; i < pieces; i++) {
		if (below(r, 3) == 0)
			out_text(&o, extra[below(r, PLAN_COUNT(extra))]);
		else
			out_str(&o, r->pieces.at[below(r, r->pieces.n)].text);
		out_char(&o, '\n');
	}
	text = out_view(&o);
	for (uint32_t i = 0; good && i < changes; i++) {
		struct str next = changed(r, &a, text);
		struct arena probe;
		struct lab lab;

		arena_init(&probe, NULL);
		lab_init(&lab, &probe);
		if (parse(&lab, next).ok)            /* else the change is dropped */
			text = next;
		arena_release(&probe);
	}
	good = check(r, begun(&a, text));
	arena_release(&a);
	return good;
}

int main(int argc, char **argv)
{
	struct run r = { .seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20251129 };
	uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;
	bool good = true;

	r.state = r.seed * 2 + 1;
	arena_init(&r.arena, NULL);
	for (size_t i = 0; i < PLAN_COUNT(extra); i++)
		good = check(&r, str_of(extra[i])) && good;
	for (const struct embedded_file *f = stdlib_files; f->name; f++) {
		struct str text = { (const char *)f->bytes, f->size };

		if (!str_ends(str_of(f->name), ".plan"))
			continue;
		good = check(&r, text) && good;
		cut(&r, text);
	}
	for (uint64_t i = 0; good && i < rounds; i++)
		good = round_of(&r);
	printf("fmt_property: seed %" PRIu64 ", %u texts formatted\n", r.seed, r.checked);
	arena_release(&r.arena);
	return good ? 0 : 1;
}
