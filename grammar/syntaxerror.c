/* syntaxerror.c - words for a syntax error: what was found, what would have fitted, and the mistake
 * that is probably behind it. */
#include "grammar/advice.h"
#include "grammar/linefilter.h"

bool expected_has(struct expected want, const char *name)
{
	for (int i = 0; i < want.n; i++)
		if (strcmp(want.names[i], name) == 0)
			return true;
	return false;
}

static bool one_of(const char *name, const char *const *set, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(set[i], name) == 0)
			return true;
	return false;
}

static bool begins_expression(const char *name)
{
	static const char *const SET[] = { "name", "number", "quantity", "string",
		"string with a hole", "if", "match", "true", "false", "none", "not", "(", "[", "{",
		"-" };
	return one_of(name, SET, PLAN_COUNT(SET));
}

static bool is_operator(const char *name)
{
	static const char *const SET[] = { "+", "-", "*", "/", "^", "<", ">", ".", "[", "(", "==",
		"!=", "<=", ">=", "=>", "..", "??", "and", "or", "div", "mod", "in", "within",
		"with", "by" };
	return one_of(name, SET, PLAN_COUNT(SET));
}

static bool continues_type(const char *name)
{
	static const char *const SET[] = { "?", "/", ".", "[" };
	return one_of(name, SET, PLAN_COUNT(SET));
}

/* Kinds of tokens, named in words; the others are named by their spelling. */
const char *expected_phrase(const char *name)
{
	static const char *const PHRASES[][2] = {
		{ "end of line", "end of line" }, { "end of file", "end of file" },
		{ "name", "a name" }, { "number", "a number" }, { "quantity", "a quantity" },
		{ "string", "a string" }, { "string with a hole", "a string" },
		{ "rest of a string", "`}`" }, { "end of a string", "`}`" },
		{ "format", "`:`" },
	};

	for (size_t i = 0; i < PLAN_COUNT(PHRASES); i++)
		if (strcmp(PHRASES[i][0], name) == 0)
			return PHRASES[i][1];
	return NULL;
}

/* ---- expected -------------------------------------------------------------------------------- */

enum { PHRASES_MAX = 5, TEXT_SHOWN_MAX = 40 };

struct phrases {
	struct str at[PHRASES_MAX + 1];
	int n;                       /* PHRASES_MAX + 1: too many to be of use */
};

static void add_phrase(struct parser *ps, struct phrases *p, const char *text, bool quoted)
{
	struct out o;
	struct str s;

	out_init(&o, ps->arena);
	out_printf(&o, quoted ? "`%s`" : "%s", text);
	s = out_view(&o);
	for (int i = 0; i < p->n; i++)
		if (str_equal(p->at[i], s))
			return;
	if (p->n <= PHRASES_MAX)
		p->at[p->n++] = s;
}

/* Nobody reads a list of fifteen tokens: groups of them have a name. */
static struct phrases summarise(struct parser *ps, struct expected want)
{
	struct phrases p = { .n = 0 };
	bool expression = expected_has(want, "number") && expected_has(want, "string") && expected_has(want, "(");
	bool operators = expected_has(want, "+") && expected_has(want, "*");
	bool type = expected_has(want, "?") && expected_has(want, "/") && !operators;

	if (expected_has(want, "sweep") && expected_has(want, "import"))
		add_phrase(ps, &p, "a declaration", false);
	else if (expected_has(want, "vary") && expected_has(want, "objective"))
		add_phrase(ps, &p, "a clause of a sweep", false);
	else if (expected_has(want, "final") && expected_has(want, "assert"))
		add_phrase(ps, &p, "a field", false);
	else if (expected_has(want, "expect") && expected_has(want, "let"))
		add_phrase(ps, &p, "`let`, `expect` or a record", false);
	if (p.n > 0)
		return p;
	if (expression)
		add_phrase(ps, &p, "an expression", false);
	if (operators)
		add_phrase(ps, &p, "an operator", false);
	for (int i = 0; i < want.n; i++) {
		const char *name = want.names[i], *phrase = expected_phrase(name);
		if ((expression && begins_expression(name)) || (operators && is_operator(name)) ||
		    strcmp(name, "native") == 0)
			continue;
		if (type && continues_type(name))
			continue;
		if (strcmp(name, "end of line") == 0 && lexical_inside(ps) == 'h')
			continue;
		add_phrase(ps, &p, phrase != NULL ? phrase : name, phrase == NULL);
	}
	return p;
}

/* ---- found ----------------------------------------------------------------------------------- */

/* A text of the user inside a message: one line, not too long, whole characters. */
static struct str shortened(struct str s)
{
	uint32_t n = s.n > TEXT_SHOWN_MAX ? TEXT_SHOWN_MAX : s.n;

	while (n < s.n && n > 0 && ((unsigned char)s.p[n] & 0xC0) == 0x80)
		n--;
	for (uint32_t i = 0; i < n; i++)
		if (s.p[i] == '\n' || s.p[i] == '\r')
			n = i;
	return str_slice(s, 0, n);
}

static struct str found_text(struct parser *ps, const struct token *t)
{
	struct out o;
	struct str text = shortened(parser_slice(ps, t->at));
	const char *kind = "";

	if (t->kind == RAW_NEWLINE || t->at.lo == t->at.hi)
		return t->kind == T_END ? STR("end of file") : STR("end of line");
	if (t->kind == T_TEMPLATE_NEXT || t->kind == T_TEMPLATE_END)
		return STR("`}`");
	if (t->kind == T_IDENT || t->kind == T_NATIVE)
		kind = "name ";
	else if (word_role(t->kind) != WORD_NONE)
		kind = "keyword ";
	out_init(&o, ps->arena);
	out_printf(&o, text.n > 0 && text.p[0] == '`' ? "%s%.*s" : "%s`%.*s`", kind,
		   (int)text.n, text.p);
	return out_view(&o);
}

/* The token to point at: of a TERM the one that caused it, unless that is a line break. */
static struct token culprit_token(const struct parser *ps)
{
	struct token t = ps->current;

	if (t.kind != T_TERM)
		return t;
	if (ps->cause.kind == RAW_SEPARATOR || ps->cause.kind == T_RBRACE)
		return ps->cause;
	t.kind = ps->cause.kind == T_END ? T_END : RAW_NEWLINE;
	return t;
}

/* ---- brackets -------------------------------------------------------------------------------- */

/* A line that begins no deeper than the line of an open ( or [ was not meant to stand inside it. */
static bool bracket_was_forgotten(struct parser *ps)
{
	uint32_t depth = ps->depth;
	const struct token *at[2] = { &ps->current, &ps->second_last };

	while (depth > 0 && (ps->nest[depth - 1].kind == '(' || ps->nest[depth - 1].kind == '['))
		depth--;
	if (depth == ps->depth)
		return false;
	for (int i = 0; i < 2; i++)
		if (at[i]->first && advice_is_word(at[i]->kind) && at[i]->at.lo > ps->nest[depth].at &&
		    at[i]->column <= ps->nest[depth].indent) {
			linefilter_close_brackets(ps, depth, i + 1);
			return true;
		}
	return false;
}

/* `kind name` at the indentation of a line with an open brace: a declaration, not a field. */
static bool brace_was_forgotten(struct parser *ps)
{
	uint32_t depth = ps->depth;
	const struct token *first = &ps->opening;

	if (ps->current.kind != T_IDENT || first->kind != T_IDENT || !first->first ||
	    ps->second_last.at.lo != first->at.lo)
		return false;
	while (depth > 0 && ps->nest[depth - 1].kind == '{' && !ps->nest[depth - 1].declarations &&
	       ps->nest[depth - 1].indent >= first->column)
		depth--;
	if (depth == ps->depth)
		return false;
	linefilter_close_brackets(ps, depth, 2);
	return true;
}

/* Something in this statement was reported already, and probably is the reason. Only the last few
 * reports are looked at: more of them are in one statement only when somebody tries. */
static bool already_reported(const struct parser *ps)
{
	enum { REPORTS_MAX = 16 };
	uint32_t oldest = ps->reported.n > REPORTS_MAX ? ps->reported.n - REPORTS_MAX : 0;
	uint32_t to = ps->current.kind == T_TERM ? ps->cause.at.hi : ps->current.at.hi;

	for (uint32_t i = ps->reported.n; i > oldest; i--)
		if (ps->reported.at[i - 1] >= ps->statement_from && ps->reported.at[i - 1] <= to)
			return true;
	return ps->stopped || ps->build.too_deep;
}

void parser_syntax_error(struct parser *ps, const char *found, const char *const *expected, int n)
{
	struct expected want = { expected, n };
	struct token t = culprit_token(ps);
	struct phrases p;
	struct str what;
	struct diag *d;
	struct out o;

	(void)found;
	ps->failed = ps->broken = true;
	if (already_reported(ps)) {
		linefilter_skip_statement(ps);
		return;
	}
	if (bracket_was_forgotten(ps) || brace_was_forgotten(ps))
		return;
	if (want.n == 1 && form_sets_with_colon(ps, want, &t))
		t = ps->second_last;
	what = found_text(ps, &t);
	p = summarise(ps, want);
	out_init(&o, ps->arena);
	out_printf(&o, "unexpected %.*s", (int)what.n, what.p);
	for (int i = 0; i < p.n && p.n <= PHRASES_MAX; i++) {
		out_text(&o, i == 0 ? "; expected " : i == p.n - 1 ? " or " : ", ");
		out_str(&o, p.at[i]);
	}
	if (t.at.lo == ps->second_last.at.lo && want.n == 1) {
		out_init(&o, ps->arena);
		out_printf(&o, "%.*s is not a type", (int)what.n, what.p);
	}
	what = out_view(&o);
	d = parser_report(ps, E0101, t.at);
	diag_message(d, "%.*s", (int)what.n, what.p);
	advice_add(ps, d, want, &t);
	diag_submit(d);
	if (ps->second_last.kind == T_RBRACE && n == 1 && expected_has(want, "end of line"))
		linefilter_end_block(ps);
	else
		linefilter_skip_statement(ps);
	ps->panic_line = ps->panic && t.kind == T_LT && expected_has(want, "?");
}
