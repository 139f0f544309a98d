/* syntaxerror.c - words for a syntax error: what was found, what would have fitted, and the mistake
 * that is probably behind it. */
#include "grammar/linefilter.h"

struct expected {
	const char *const *names;    /* spellings of the tokens that would have fitted */
	int n;
};

static bool expects(struct expected want, const char *name)
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
static const char *kind_phrase(const char *name)
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
	bool expression = expects(want, "number") && expects(want, "string") && expects(want, "(");
	bool operators = expects(want, "+") && expects(want, "*");
	bool type = expects(want, "?") && expects(want, "/") && !operators;

	if (expects(want, "sweep") && expects(want, "import"))
		add_phrase(ps, &p, "a declaration", false);
	else if (expects(want, "vary") && expects(want, "objective"))
		add_phrase(ps, &p, "a clause of a sweep", false);
	else if (expects(want, "final") && expects(want, "assert"))
		add_phrase(ps, &p, "a field", false);
	else if (expects(want, "expect") && expects(want, "let"))
		add_phrase(ps, &p, "`let`, `expect` or a record", false);
	if (p.n > 0)
		return p;
	if (expression)
		add_phrase(ps, &p, "an expression", false);
	if (operators)
		add_phrase(ps, &p, "an operator", false);
	for (int i = 0; i < want.n; i++) {
		const char *name = want.names[i], *phrase = kind_phrase(name);
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

/* ---- help ------------------------------------------------------------------------------------ */

static bool is_comparison(int kind)
{
	return kind == T_EQ || kind == T_NE || kind == T_LT || kind == T_GT || kind == T_LE ||
	       kind == T_GE;
}

/* Words from other languages and slips between neighbouring operators. */
static const char *advice_for_operator(const struct parser *ps, struct expected want,
				       const struct token *t)
{
	int kind = t->kind, before = ps->second_last.kind;
	bool touching = ps->second_last.at.hi == t->at.lo;
	struct str rest = str_slice(ps->text, t->at.lo, ps->text.n);
	struct str last = parser_slice(ps, ps->second_last.at);

	if (str_starts(rest, "//") || str_starts(rest, "/*") || (kind == T_SLASH && before == T_SLASH))
		return "a comment begins with `#`";
	if (kind == T_GT && before == T_LT && touching)
		return "unequal is written `!=`";
	if (kind == T_ASSIGN && str_starts(rest, "=!"))
		return "unequal is written `!=`";
	if (kind == T_LT && expects(want, "?"))
		return "the arguments of a type stand in [ ]";
	if (is_comparison(kind) && expects(want, "+"))
		return "comparisons do not chain; join two of them with `and`";
	if (kind == T_EQ && expects(want, "="))
		return "a value is set with one `=`";
	if (kind == T_ASSIGN && expects(want, "=="))
		return "`=` sets a value; `==` compares";
	if (kind == T_STAR && before == T_STAR && touching)
		return "a power is written `^`";
	if (kind == T_QUESTION && expects(want, "+"))
		return "a choice is written `if c then a else b`";
	if ((kind == T_NUMBER || kind == T_IDENT || kind == T_LPAREN) && before == T_QUANTITY && last.n > 0 && last.p[last.n - 1] == '%')
		return "the remainder is `mod`; `%` makes a percentage of a number";
	return NULL;
}

/* Statements that lack something. */
static const char *advice_for_statement(const struct parser *ps, struct expected want,
					const struct token *t)
{
	int kind = t->kind, before = ps->second_last.kind;
	bool second = before == T_IDENT && ps->second_last.at.lo == ps->opening.at.lo;

	if (kind == RAW_NEWLINE && before == T_ASSIGN)
		return "a value begins on the line of its `=`";
	if (t->stray)
		return "there is no open bracket here";
	if (expects(want, "else"))
		return "an `if` always has an `else`";
	if (expects(want, "->") && expects(want, "+"))
		return "an arm of a `match` is `pattern -> value`";
	if (kind == T_ARROW && expects(want, "+"))
		return "a line that begins with an operator continues the one before; "
		       "put the pattern in ( )";
	if (expects(want, "of") && (ps->opening.kind == T_MAXIMISE || ps->opening.kind == T_MINIMISE))
		return "the tolerance of a goal is its `slack`";
	if (kind == T_ASSERT && expects(want, "constraint"))
		return "a condition on candidates is a `constraint`";
	if (kind == T_IDENT && second && expects(want, ":"))
		return "a field is declared as `name: type` and set as `name = value`";
	if (second && kind == T_ASSIGN && expects(want, "name"))
		return "at file level a value is declared with `let`";
	if (kind == RAW_NEWLINE && ps->opening.kind == T_IDENT && ps->opening.level == 0 &&
	    (expects(want, "name") || expects(want, "extends")))
		return "a record is declared as `kind name { ... }`";
	return NULL;
}

/* A fixed piece of advice; NULL when there is none. */
static const char *advice_for(const struct parser *ps, struct expected want, const struct token *t)
{
	int kind = t->kind;
	const char *advice = advice_for_operator(ps, want, t);

	if (advice == NULL)
		advice = advice_for_statement(ps, want, t);
	if (advice != NULL)
		return advice;
	if ((kind == T_IF || kind == T_MATCH) && expects(want, "("))
		return "as an operand it takes parentheses";
	if (kind == T_TEMPLATE_HEAD && expects(want, "string"))
		return "this string is read as it stands; write \\{ for a brace";
	if (kind == T_TEMPLATE_END || kind == T_TEMPLATE_NEXT)
		return "write \\{ and \\} for braces in the text";
	return NULL;
}

/* `extnds` for `extends`: the nearest word among those that would have fitted. */
static const char *misspelt(struct expected want, struct str word)
{
	const char *best = NULL;
	int best_distance = word.n > 4 ? 3 : 2;

	for (int i = 0; i < want.n; i++) {
		int distance;
		if (kind_phrase(want.names[i]) != NULL || want.names[i][0] < 'a' ||
		    want.names[i][0] > 'z')
			continue;
		distance = str_distance(word, str_of(want.names[i]), 2);
		if (distance < best_distance) {
			best_distance = distance;
			best = want.names[i];
		}
	}
	return best;
}

static bool word_like(int kind)
{
	return kind == T_IDENT || word_role(kind) != WORD_NONE;
}

/* `from: int`, `let test = 4`: the word stands where a name would. */
static bool used_as_name(const struct parser *ps, struct expected want, const struct token *t)
{
	uint32_t after = t->at.hi;

	if (word_role(t->kind) == WORD_NONE || !expects(want, "name"))
		return false;
	while (after < ps->text.n && ps->text.p[after] == ' ')
		after++;
	return after < ps->text.n && strchr(":=.,)]", ps->text.p[after]) != NULL;
}

/* On the line that was joined to an unfinished one? */
static bool on_joined_line(const struct parser *ps, const struct token *t)
{
	return ps->has_joined && t->at.lo >= ps->joined_at &&
	       memchr(ps->text.p + ps->joined_at, '\n', t->at.lo - ps->joined_at) == NULL;
}

static void add_help(struct parser *ps, struct diag *d, struct expected want, const struct token *t)
{
	const char *advice = on_joined_line(ps, t)
		? "the line before is not finished, so this one continues it"
		: advice_for(ps, want, t);
	struct str text = parser_slice(ps, t->at), first = parser_slice(ps, ps->opening.at);
	const char *word = word_like(t->kind) ? misspelt(want, text) : NULL;

	if (word != NULL) {
		diag_help(d, "did you mean `%s`?", word);
		diag_fix(d, t->at, str_of(word), "correct the spelling");
		return;
	}
	word = ps->opening.kind == T_IDENT && first.n > 4 && t->kind != RAW_NEWLINE
		? word_nearest(first, true) : NULL;
	if (word != NULL)
		diag_help(d, "did this line mean to begin with `%s`?", word);
	else if (advice != NULL)
		diag_help(d, "%s", advice);
	else if (used_as_name(ps, want, t))
		diag_help(d, "`%.*s` is a word of the language; as a name it stands in backticks",
			  (int)text.n, text.p);
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
		if (at[i]->first && word_like(at[i]->kind) && at[i]->at.lo > ps->nest[depth].at &&
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
	what = found_text(ps, &t);
	p = summarise(ps, want);
	out_init(&o, ps->arena);
	out_printf(&o, "unexpected %.*s", (int)what.n, what.p);
	for (int i = 0; i < p.n && p.n <= PHRASES_MAX; i++) {
		out_text(&o, i == 0 ? "; expected " : i == p.n - 1 ? " or " : ", ");
		out_str(&o, p.at[i]);
	}
	what = out_view(&o);
	d = parser_report(ps, E0101, t.at);
	diag_message(d, "%.*s", (int)what.n, what.p);
	add_help(ps, d, want, &t);
	diag_submit(d);
	if (ps->second_last.kind == T_RBRACE && n == 1 && expects(want, "end of line"))
		linefilter_end_block(ps);
	else
		linefilter_skip_statement(ps);
	ps->panic_line = ps->panic && t.kind == T_LT && expects(want, "?");
}
