/* lex.c - cuts a text that parsed into tokens for the formatter, each with the comments and the
 * line breaks before it. Strings with holes and quantities are found with the help of the tree,
 * so nothing of the scanner is repeated here that takes a decision. */
#include "compiler/syntax/fmt/fmt_int.h"

/* Nodes whose text is one token although it does not look like one, by position. */
struct atoms {
	struct arena *arena;
	VEC(const struct ast *) all;
};

struct lexer {
	struct arena *arena;
	struct str text;
	struct atoms atoms;
	uint32_t next_atom;
	uint32_t at;
	uint32_t breaks;             /* line breaks since the last token, comment or separator */
	bool newline, blank;         /* since the last token; since the last token or comment */
	bool behind;                 /* a token stands before on this line */
	bool lone;                   /* so far the line has only separators */
	VEC(char) open;              /* brackets */
	struct fmt_tokens *out;
};

static void collect(struct ast *node, void *context)
{
	struct atoms *atoms = context;

	if (node->kind == AST_TEMPLATE || node->kind == AST_QUANTITY)
		*VEC_ADD(atoms->arena, &atoms->all) = node;
	ast_each_child(node, collect, context);
}

static char peek(const struct lexer *l, uint32_t ahead)
{
	return l->at + ahead < l->text.n ? l->text.p[l->at + ahead] : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

/* Bytes of the number here: digits, a fraction, an exponent. */
static uint32_t number_length(const struct lexer *l)
{
	uint32_t n = 0;

	while (is_digit(peek(l, n)) || peek(l, n) == '_')
		n++;
	if (peek(l, n) == '.' && is_digit(peek(l, n + 1)))
		for (n++; is_digit(peek(l, n)) || peek(l, n) == '_'; )
			n++;
	if (peek(l, n) == 'e' || peek(l, n) == 'E') {
		uint32_t sign = peek(l, n + 1) == '+' || peek(l, n + 1) == '-';
		if (is_digit(peek(l, n + 1 + sign)))
			for (n += 1 + sign; is_digit(peek(l, n)); )
				n++;
	}
	return n;
}

static uint32_t string_length(const struct lexer *l)
{
	uint32_t n = 1;

	while (l->at + n < l->text.n && peek(l, n) != '"')
		n += peek(l, n) == '\\' ? 2 : 1;
	return n + 1;
}

static uint32_t punctuation_length(const struct lexer *l)
{
	static const char *const pairs[] = { "==", "!=", "<=", ">=", "=>", "->", "..", "??" };
	char c = peek(l, 0);

	for (size_t i = 0; i < PLAN_COUNT(pairs); i++)
		if (c == pairs[i][0] && peek(l, 1) == pairs[i][1])
			return 2;
	return c != '\0' && strchr("+-*/^=<>.?:()[]{}", c) != NULL ? 1 : 0;
}

/* Length of the token here, 0 when there can be none. */
static uint32_t token_length(const struct lexer *l)
{
	char c = peek(l, 0);
	uint32_t n = 0;

	if (is_digit(c))
		return number_length(l);
	if (is_word(c)) {
		while (is_word(peek(l, n)))
			n++;
		return n;
	}
	if (c == '"')
		return string_length(l);
	if (c == '`') {
		for (n = 1; l->at + n < l->text.n && peek(l, n) != '`' && peek(l, n) != '\n'; )
			n++;
		return n + 1;
	}
	return punctuation_length(l);
}

static uint32_t comments_used(const struct fmt_tokens *t)
{
	return t->all.n > 0 ? t->all.at[t->all.n - 1].comment_hi : 0;
}

static bool add_token(struct lexer *l)
{
	const struct ast *atom = NULL;
	struct fmt_token t = { .lo = l->at, .comment_lo = comments_used(l->out) };
	uint32_t n;

	while (l->next_atom < l->atoms.all.n && l->atoms.all.at[l->next_atom]->span.lo < l->at)
		l->next_atom++;
	if (l->next_atom < l->atoms.all.n && l->atoms.all.at[l->next_atom]->span.lo == l->at)
		atom = l->atoms.all.at[l->next_atom];
	n = atom ? atom->span.hi - atom->span.lo : token_length(l);
	if (n == 0 || n > l->text.n - l->at)
		return false;
	t.hi = l->at + n;
	t.quantity = atom && atom->kind == AST_QUANTITY ? atom : NULL;
	t.newline = l->newline;
	t.blank = l->blank;
	t.comment_hi = l->out->comments.n;
	*VEC_ADD(l->arena, &l->out->all) = t;
	if (n == 1 && strchr("([{", peek(l, 0)) != NULL)
		*VEC_ADD(l->arena, &l->open) = peek(l, 0);
	if (n == 1 && strchr(")]}", peek(l, 0)) != NULL && l->open.n > 0)
		l->open.n--;
	l->at += n;
	l->breaks = 0;
	l->newline = l->blank = l->lone = false;
	l->behind = true;
	return true;
}

static void add_comment(struct lexer *l)
{
	struct fmt_comment c = { .lo = l->at, .trailing = l->behind, .blank = l->blank };

	while (l->at < l->text.n && l->text.p[l->at] != '\n')
		l->at++;
	c.hi = l->at;
	while (c.hi > c.lo && strchr(" \t\r", l->text.p[c.hi - 1]) != NULL)
		c.hi--;
	*VEC_ADD(l->arena, &l->out->comments) = c;
	l->breaks = 0;
	l->blank = l->lone = false;
}

/* Separators of statements leave the line as fresh as it was: a `##` behind one is still the first
 * thing of its line. A line of nothing else keeps comments apart from what follows, as an empty one
 * does. */
static void skip_separator(struct lexer *l)
{
	if (l->open.n > 0 && l->open.at[l->open.n - 1] != '{')
		l->behind = true;
	else if (!l->behind)
		l->lone = true;
	l->at++;
	l->breaks = 0;
}

static void skip_line_break(struct lexer *l)
{
	l->at++;
	l->newline = true;
	l->behind = false;
	if (++l->breaks > 1 || l->lone)
		l->blank = true;
	l->lone = false;
}

bool fmt_lex(struct arena *a, struct str text, const struct ast *tree, struct fmt_tokens *t)
{
	struct lexer l = { .arena = a, .text = text, .out = t, .atoms = { .arena = a } };

	memset(t, 0, sizeof *t);
	ast_each_child(tree, collect, &l.atoms);
	if (str_starts(text, "\xEF\xBB\xBF"))
		l.at = 3;
	while (l.at < text.n) {
		char c = text.p[l.at];

		if (c == ' ' || c == '\t' || c == '\r')
			l.at++;
		else if (c == '\n')
			skip_line_break(&l);
		else if (c == '#')
			add_comment(&l);
		else if (c == ',' || c == ';')
			skip_separator(&l);
		else if (!add_token(&l))
			return false;
	}
	struct fmt_token end = {
		.lo = text.n, .hi = text.n, .newline = l.newline, .blank = l.blank,
		.comment_lo = comments_used(t), .comment_hi = t->comments.n,
	};
	*VEC_ADD(a, &t->all) = end;
	return true;
}
