/* parser.c - runs scanner, line filter and parser over one text, and what the grammar's actions
 * need beyond constructors. */
#include "grammar/linefilter.h"

int plan_yyparse(struct parser *ps);

uint32_t parser_file(const struct parser *ps)
{
	return ps->file;
}

struct span parser_span(const struct parser *ps, uint32_t lo, uint32_t hi)
{
	return (struct span){ ps->file, lo, hi };
}

struct span parser_whole(const struct parser *ps)
{
	return parser_span(ps, 0, ps->text.n);
}

struct str parser_slice(const struct parser *ps, struct span at)
{
	return str_slice(ps->text, at.lo, at.hi);
}

void parser_set_tree(struct parser *ps, struct ast *tree)
{
	ps->tree = tree;
}

/* A text with more mistakes than this is something else; it is not read to its end. */
enum { REPORTS_MAX = 1000 };

struct diag *parser_report(struct parser *ps, enum diag_code code, struct span at)
{
	ps->failed = true;
	ps->broken = ps->broken || code == E0004 || code == E0102;
	if (ps->reported.n == REPORTS_MAX) {
		ps->stopped = true;
		return diag_new(&ps->dropped, code, at);
	}
	*VEC_ADD(ps->arena, &ps->reported) = at.lo;
	return diag_new(ps->sink, code, at);
}

/* The doc comment of the statement that begins at an offset. Docs were noted in order. */
static struct str doc_of(const struct parser *ps, uint32_t lo)
{
	uint32_t a = 0, b = ps->docs.n;

	while (a < b) {
		uint32_t mid = a + (b - a) / 2;
		if (ps->docs.at[mid].lo == lo)
			return ps->docs.at[mid].text;
		if (ps->docs.at[mid].lo < lo)
			a = mid + 1;
		else
			b = mid;
	}
	return (struct str){ "", 0 };
}

struct ast_seq *parser_add_statement(struct parser *ps, struct ast_seq *list, struct ast *node)
{
	node->doc = doc_of(ps, node->span.lo);
	return ast_seq_add(&ps->build, list, node);
}

struct ast_list parser_prepend(struct parser *ps, struct ast *first, const struct ast_seq *rest)
{
	struct ast_seq *all = ast_seq_make(&ps->build);

	ast_seq_add(&ps->build, all, first);
	for (uint32_t i = 0; i < rest->n; i++)
		ast_seq_add(&ps->build, all, rest->at[i]);
	return ast_list_of(all);
}

/* Text of a number token, which is a BAD node when it was malformed. */
struct str parser_number_text(const struct ast *number)
{
	return number->kind == AST_NUMBER ? number->number.text : (struct str){ "", 0 };
}

void *parser_no_memory(size_t size)
{
	(void)size;
	return NULL;
}

/* The fixed stacks are full, which takes thousands of prefix operators or the like. */
void parser_stack_exhausted(struct parser *ps, struct span at)
{
	struct diag *d = parser_report(ps, E0103, at);

	ps->broken = true;
	diag_message(d, "this is nested too deep to be read: more than %d of its parts are incomplete at once",
		     PARSER_STACK_MAX);
	diag_help(d, "give parts of it names of their own with `let`");
	diag_submit(d);
}

/* A first token that is not in the text chooses what is parsed. */
static void push_entry(struct parser *ps, enum grammar_entry entry)
{
	ps->held = (struct token){
		.kind = entry == GRAMMAR_FILE ? T_A_FILE : T_AN_EXPRESSION,
		.at = parser_span(ps, 0, 0),
	};
	ps->has_held = true;
	ps->prev = T_TERM;
}

struct parse_result grammar_parse(const struct parse_input *in, enum grammar_entry entry)
{
	struct parser *ps = ARENA_NEW(in->arena, struct parser);
	struct parse_result result = { 0 };

	ps->arena = in->arena;
	ps->names = in->names;
	ps->sink = in->sink;
	ps->file = in->file;
	ps->text = source_get(in->sources, in->file)->text;
	ps->nest_max = source_get(in->sources, in->file)->library ? SOURCE_DEPTH : in->sources->depth_max;
	ps->nest = ARENA_ARRAY(in->arena, struct nest_entry, ps->nest_max);
	ps->build = (struct ast_builder){ .arena = in->arena, .sink = in->sink };
	ps->fresh = true;
	diag_sink_init(&ps->dropped, in->arena, in->sources);
	ps->dropped.muted = true;
	plan_scan_begin(ps);
	push_entry(ps, entry);
	plan_yyparse(ps);
	plan_scan_end(ps);
	if (ps->tree == NULL && entry == GRAMMAR_FILE)
		ps->tree = ast_make_file(&ps->build, parser_whole(ps), (struct ast_file){ 0 });
	else if (ps->tree == NULL)
		ps->tree = ast_make_bad(&ps->build, parser_whole(ps), (struct ast_bad){ 0 });
	if (entry == GRAMMAR_FILE)
		ps->tree->doc = ps->file_doc;
	result.tree = ps->tree;
	result.trivia.items.at = ps->trivia.at;
	result.trivia.items.n = ps->trivia.n;
	result.trivia.items.cap = ps->trivia.cap;
	result.ok = !ps->failed && !ps->build.too_deep;
	result.intact = !ps->broken && !ps->stopped && result.tree->kind != AST_BAD;
	return result;
}
