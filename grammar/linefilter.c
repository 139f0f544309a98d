/* linefilter.c - see linefilter.h. Raw tokens come from the scanner through a queue, into which
 * closers are put for brackets that were forgotten; statements come out. */
#include "grammar/linefilter.h"

#include "grammar/brackets.h"

/* ---- what may stand at the ends of a line ---------------------------------------------------- */

static bool may_end_statement(int kind)
{
	switch (kind) {
	case T_IDENT: case T_NATIVE: case T_NUMBER: case T_QUANTITY: case T_STRING:
	case T_TEMPLATE_END: case T_TRUE: case T_FALSE: case T_NONE:
	case T_RPAREN: case T_RBRACKET: case T_RBRACE: case T_QUESTION:
		return true;
	default:
		return false;
	}
}

/* No statement begins with one of these, so the line goes on with the one before. */
static bool continues_statement(int kind)
{
	switch (kind) {
	case T_PLUS: case T_MINUS: case T_STAR: case T_SLASH: case T_POWER: case T_DIV: case T_MOD:
	case T_EQ: case T_NE: case T_LT: case T_GT: case T_LE: case T_GE: case T_IMPLIES:
	case T_AND: case T_OR: case T_IN: case T_WITHIN: case T_OF: case T_COALESCE:
	case T_RANGE: case T_BY: case T_DOT: case T_ASSIGN: case T_ARROW: case T_COLON:
	case T_QUESTION: case T_RPAREN: case T_RBRACKET: case T_LBRACE:
	case T_THEN: case T_ELSE: case T_FOR: case T_WHEN: case T_BECAUSE: case T_SLACK:
	case T_TO: case T_FROM: case T_AS: case T_EXTENDS: case T_WITH:
		return true;
	default:
		return false;
	}
}

static bool line_goes_on(int before, int after)
{
	if (before == T_ASSIGN || word_begins_statement(after) || after == T_END)
		return false;
	if (continues_statement(after))
		return true;
	return !may_end_statement(before) && after != T_RBRACE;
}

/* ---- raw tokens ------------------------------------------------------------------------------ */

static struct token raw_token(struct parser *ps)
{
	struct token t;

	if (ps->has_held) {
		ps->has_held = false;
		return ps->held;
	}
	if (ps->queue_head < ps->queue.n)
		return ps->queue.at[ps->queue_head++];
	t = brackets_scan(ps);
	if (ps->queue_head == ps->queue.n)
		return t;
	brackets_queue(ps, t);
	return ps->queue.at[ps->queue_head++];
}

static void put_back(struct parser *ps, struct token t)
{
	ps->held = t;
	ps->has_held = true;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* The synthetic first token. */
static bool is_entry(int kind)
{
	return kind == T_A_FILE || kind == T_AN_EXPRESSION;
}

static bool in_statement(const struct parser *ps)
{
	return ps->prev != T_TERM && ps->prev != T_LBRACE && !is_entry(ps->prev);
}

/* The end of a statement, caused by t: placed right behind the last token, where a message about
 * something missing belongs. */
static struct token term(struct parser *ps, struct token t)
{
	struct token end = { .kind = T_TERM, .level = t.level };

	end.at = parser_span(ps, ps->current.at.hi, ps->current.at.hi);
	ps->cause = t;
	ps->has_joined = false;
	return end;
}

static void begin_statement(struct parser *ps, const struct token *t)
{
	ps->opening = *t;
	if (t->kind == T_EDITION && ps->statements > 0) {
		struct diag *d = parser_report(ps, E0101, t->at);
		ps->broken = true;
		diag_message(d, "`edition` must be the first line of the file");
		diag_submit(d);
	}
	ps->statements++;
	if (t->doc.n > 0)
		*VEC_ADD(ps->arena, &ps->docs) = (struct doc_entry){ t->at.lo, t->doc };
}

/* Notes what the parser now sees; gives it the token. */
static int deliver(struct parser *ps, struct token t, union token_value *value, struct span *at)
{
	if (t.kind != T_TERM && t.kind != T_RBRACE && !is_entry(t.kind) && !in_statement(ps))
		begin_statement(ps, &t);
	if (ps->prev == T_TERM)
		ps->statement_from = ps->cause.at.hi;
	else if (ps->prev == T_LBRACE)
		ps->statement_from = ps->current.at.hi;
	ps->second_last = ps->current;
	ps->current = t;
	ps->prev = t.kind;
	*value = t.value;
	*at = t.at;
	return t.kind;
}

/* Inside a ( or [ that a broken statement left open, but on a line that is not indented deeper than
 * the statement: the next statement. */
static bool left_behind(const struct parser *ps, const struct token *t)
{
	uint32_t depth = brackets_brace_depth(ps);

	return t->first && t->kind == T_IDENT && depth < ps->depth &&
	       t->column <= ps->nest[depth].indent && t->level <= ps->panic_level;
}

/* After a mistake: the rest of the statement with its blocks is not looked at. */
static struct token skip(struct parser *ps)
{
	for (;;) {
		struct token t = raw_token(ps);
		bool line = t.kind == RAW_NEWLINE || (t.kind == RAW_SEPARATOR && !ps->panic_line);

		if (line && t.level <= ps->panic_level) {
			ps->panic = ps->panic_line = false;
			return term(ps, t);
		}
		if (left_behind(ps, &t))
			ps->depth = brackets_brace_depth(ps);
		else if (t.kind != T_END && !(t.kind == T_RBRACE && t.level < ps->panic_level) &&
			 !(t.first && word_begins_statement(t.kind) && t.level <= ps->panic_level))
			continue;
		ps->panic = ps->panic_line = false;
		put_back(ps, t);
		return term(ps, t);
	}
}

/* `x =`, and the value on the next line: said here, once, and read as if it were one line. */
static bool value_on_next_line(struct parser *ps, const struct token *next)
{
	struct diag *d;

	if (ps->prev != T_ASSIGN || next->column <= ps->opening.column || next->kind == T_RBRACE ||
	    next->kind == T_END || word_begins_statement(next->kind))
		return false;
	d = parser_report(ps, E0101, parser_span(ps, ps->current.at.hi, ps->current.at.hi));
	ps->broken = true;
	diag_message(d, "unexpected end of line; expected an expression");
	diag_help(d, "a value begins on the line of its `=`");
	diag_submit(d);
	return true;
}

/* A line break inside a statement: does the next line go on with it? */
static bool joins_next_line(struct parser *ps)
{
	struct token next = raw_token(ps);

	while (next.kind == RAW_NEWLINE)
		next = raw_token(ps);
	put_back(ps, next);
	if (value_on_next_line(ps, &next))
		return true;
	if (!line_goes_on(ps->prev, next.kind))
		return false;
	ps->has_joined = !continues_statement(next.kind);
	ps->joined_at = next.at.lo;
	return true;
}

static struct token statement_token(struct parser *ps)
{
	for (;;) {
		struct token t = raw_token(ps);

		if (t.kind == RAW_SKIP) {
			ps->panic = true;
			ps->panic_level = t.level;
			return skip(ps);
		}
		if (t.kind == RAW_NEWLINE || t.kind == RAW_SEPARATOR) {
			if (!in_statement(ps))
				continue;
			if (t.kind == RAW_NEWLINE && joins_next_line(ps))
				continue;
			return term(ps, t);
		}
		if ((t.kind == T_RBRACE || t.kind == T_END) && in_statement(ps)) {
			put_back(ps, t);
			return term(ps, t);
		}
		return t;
	}
}

int plan_yylex(union token_value *value, struct span *at, struct parser *ps)
{
	return deliver(ps, ps->panic ? skip(ps) : statement_token(ps), value, at);
}

/* ---- after a mistake ------------------------------------------------------------------------- */

void linefilter_skip_statement(struct parser *ps)
{
	if (ps->current.kind == T_TERM)
		return;
	ps->panic = true;
	ps->panic_level = ps->current.level;
}

/* Puts tokens in front of what is queued and starts a skip that the first of them ends at once. */
static void read_first(struct parser *ps, const struct token *tokens, uint32_t n)
{
	uint32_t from = ps->queue_head, rest = ps->queue.n;

	for (uint32_t i = 0; i < n; i++)
		*VEC_ADD(ps->arena, &ps->queue) = tokens[i];
	for (uint32_t i = from; i < rest; i++) {
		struct token t = ps->queue.at[i];
		*VEC_ADD(ps->arena, &ps->queue) = t;
	}
	ps->queue_head = rest;
	ps->panic = true;
	ps->panic_level = UINT32_MAX;
}

void linefilter_close_brackets(struct parser *ps, uint32_t depth, int again)
{
	struct token *tokens = ARENA_ARRAY(ps->arena, struct token, ps->depth + 4);
	struct token last[2] = { ps->second_last, ps->current };
	uint32_t at = ps->current.at.hi, n = 0;   /* the broken statement reaches this far */

	brackets_report_open(ps, brackets_culprit(ps, depth));
	ps->has_suspect = false;
	tokens[n++] = brackets_closer(ps, RAW_NEWLINE, at, 0);
	while (ps->depth > depth)
		if (ps->nest[--ps->depth].kind == '{')
			tokens[n++] = brackets_closer(ps, T_RBRACE, at, lexical_level(ps));
	tokens[n++] = brackets_closer(ps, RAW_NEWLINE, at, lexical_level(ps));
	for (int i = 2 - again; i < 2; i++) {
		last[i].level = lexical_level(ps);
		tokens[n++] = last[i];
	}
	read_first(ps, tokens, n);
}

void linefilter_end_block(struct parser *ps)
{
	struct token t = ps->current, tokens[4];
	uint32_t at = t.at.hi;

	tokens[0] = brackets_closer(ps, RAW_NEWLINE, at, 0);
	tokens[1] = brackets_closer(ps, T_RBRACE, at, t.level);
	/* Begins the next statement in front of what was reported: a second complaint stays silent. */
	tokens[2] = brackets_closer(ps, RAW_NEWLINE, t.at.lo, t.level);
	tokens[3] = t;
	if (t.kind != T_IDENT && !word_begins_statement(t.kind))
		tokens[2].kind = RAW_SKIP;
	read_first(ps, tokens, tokens[2].kind == RAW_SKIP ? 3 : 4);
}
