/* brackets.c - keeps count of open brackets while the scanner is asked for tokens, notices the ones
 * that were never closed, and queues what would have closed them. */
#include "grammar/brackets.h"

struct token brackets_closer(struct parser *ps, int kind, uint32_t at, uint32_t level)
{
	return (struct token){ .kind = kind, .at = parser_span(ps, at, at), .level = level };
}

void brackets_queue(struct parser *ps, struct token t)
{
	if (ps->queue_head == ps->queue.n)
		ps->queue_head = ps->queue.n = 0;
	*VEC_ADD(ps->arena, &ps->queue) = t;
}

/* Pops brackets down to `depth` and queues what would have closed them. */
static void close_to(struct parser *ps, uint32_t depth, uint32_t at)
{
	while (ps->depth > depth) {
		char kind = ps->nest[--ps->depth].kind;
		if (kind == 'h')
			continue;
		brackets_queue(ps, brackets_closer(ps, kind == '(' ? T_RPAREN : kind == '[' ? T_RBRACKET : T_RBRACE,
				   at, lexical_level(ps)));
	}
}

void brackets_report_open(struct parser *ps, uint32_t at)
{
	struct diag *d = parser_report(ps, E0102, parser_span(ps, at, at + 1));

	diag_message(d, "this `%c` is never closed", ps->text.p[at]);
	diag_submit(d);
}

/* The bracket to blame when all down to nest depth `depth` are left open: the innermost ( or [, or
 * the brace whose indentation did not match, or the innermost brace. */
uint32_t brackets_culprit(const struct parser *ps, uint32_t depth)
{
	const struct nest_entry *top = &ps->nest[ps->depth - 1];

	if (top->kind == '{' && ps->has_suspect && ps->suspect > ps->nest[depth].at)
		return ps->suspect;
	return top->kind == 'h' ? top->string : top->at;
}

static void close_unfinished(struct parser *ps, uint32_t depth, uint32_t at)
{
	if (!ps->panic)
		brackets_report_open(ps, brackets_culprit(ps, depth));
	ps->has_suspect = false;
	close_to(ps, depth, at);
}

/* Nest depth of the innermost brace: everything above it is ( and [. */
uint32_t brackets_brace_depth(const struct parser *ps)
{
	uint32_t d = ps->depth;

	while (d > 0 && ps->nest[d - 1].kind != '{')
		d--;
	return d;
}

/* A word that only begins statements proves that an open ( or [ was forgotten; one that only begins
 * declarations proves the same of braces. */
static void notice_statement(struct parser *ps, const struct token *t)
{
	uint32_t depth = brackets_brace_depth(ps);

	if (!t->first || !word_begins_statement(t->kind))
		return;
	while (word_role(t->kind) == WORD_TOP && depth > 0 && !ps->nest[depth - 1].declarations) {
		depth--;
		while (depth > 0 && ps->nest[depth - 1].kind != '{')
			depth--;
	}
	if (depth == ps->depth)
		return;
	close_unfinished(ps, depth, t->at.lo);
	brackets_queue(ps, brackets_closer(ps, RAW_NEWLINE, t->at.lo, lexical_level(ps)));
}

/* The brace that `}` closes. One that is indented less than the line of its `{` hints at a missing
 * brace further in; remembered in case one turns out to be missing. */
static void close_brace(struct parser *ps, struct token *t)
{
	uint32_t depth = brackets_brace_depth(ps);

	if (depth < ps->depth)
		close_unfinished(ps, depth, t->at.lo);
	if (depth == 0) {
		/* What it was meant to close is unknown, but there was a report if anything was open. */
		t->kind = ps->queue_head < ps->queue.n ? RAW_NEWLINE : t->kind;
		t->stray = true;
		return;
	}
	if (t->first && t->column < ps->nest[depth - 1].indent && !ps->has_suspect) {
		ps->suspect = ps->nest[depth - 1].at;
		ps->has_suspect = true;
	}
	ps->depth = depth - 1;
	if (ps->depth == 0)
		ps->has_suspect = false;
}

/* `)` or `]`. One of the wrong kind is reported and read as the right one; one that closes nothing is
 * left to the parser. */
static void close_bracket(struct parser *ps, struct token *t)
{
	char opener = t->kind == T_RPAREN ? '(' : '[';
	const struct nest_entry *top;

	if (ps->depth == 0 || lexical_inside(ps) == '{' || lexical_inside(ps) == 'h') {
		t->stray = true;
		return;
	}
	top = &ps->nest[--ps->depth];
	if (top->kind == opener)
		return;
	/* `f([1, 2)`: it closes the one around, the inner one was forgotten. */
	if (ps->depth > 0 && ps->nest[ps->depth - 1].kind == opener) {
		if (!ps->panic)
			brackets_report_open(ps, top->at);
		ps->depth--;
		brackets_queue(ps, brackets_closer(ps, opener == '(' ? T_RBRACKET : T_RPAREN, t->at.lo,
						   lexical_level(ps)));
		return;
	}
	if (!ps->panic) {
		struct diag *d = parser_report(ps, E0102, parser_span(ps, top->at, top->at + 1));
		diag_message(d, "this `%c` is closed by `%c`", top->kind, ps->text.p[t->at.lo]);
		diag_label(d, t->at, "here");
		diag_submit(d);
	}
	t->kind = t->kind == T_RPAREN ? T_RBRACKET : T_RPAREN;
}

/* The next token of the scanner, placed, with the nesting brought up to date. */
struct token brackets_scan(struct parser *ps)
{
	struct token t = { .at = parser_span(ps, ps->pos, ps->pos) };

	if (!ps->stopped)
		t.kind = plan_scan(&t, ps->scanner);
	if (t.kind != RAW_NEWLINE && t.kind != RAW_SEPARATOR)
		lexical_place(ps, &t);
	if (t.kind == T_END && ps->depth > 0)
		close_unfinished(ps, 0, t.at.lo);
	else if (t.kind == T_RBRACE)
		close_brace(ps, &t);
	else if (t.kind == T_RPAREN || t.kind == T_RBRACKET)
		close_bracket(ps, &t);
	else
		notice_statement(ps, &t);
	t.level = lexical_level(ps);
	if (t.kind == T_LBRACE && ps->depth > 0)
		t.level = ps->depth > 1 ? ps->nest[ps->depth - 2].level : 0;
	if (t.kind != RAW_NEWLINE) {
		ps->before_last = ps->last;
		ps->last = t.kind;
	}
	return t;
}
