/* advice.c - the mistake that is probably behind a syntax error, and how to put it right. */
#include "grammar/advice.h"

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

	if (kind == T_SLASH && before == T_SLASH && ps->second_last.at.lo != ps->opening.at.lo)
		return "whole division is `div`; a comment begins with `#`";
	if (str_starts(rest, "//") || str_starts(rest, "/*"))
		return "a comment begins with `#`";
	if (kind == T_ASSIGN && before == T_EQ && touching)
		return "equality is written `==`";
	if ((kind == T_LT || kind == T_GT) && before == kind && touching)
		return "there are no operations on bits; a power of two is `2 ^ n`";
	if (kind == T_GT && before == T_LT && touching)
		return "unequal is written `!=`";
	if (kind == T_ASSIGN && str_starts(rest, "=!"))
		return "unequal is written `!=`";
	if (kind == T_LT && expected_has(want, "?"))
		return "the arguments of a type stand in [ ]";
	if (is_comparison(kind) && expected_has(want, "+"))
		return "comparisons do not chain; join two of them with `and`";
	if (kind == T_EQ && expected_has(want, "="))
		return "a value is set with one `=`";
	if (kind == T_ASSIGN && expected_has(want, "==") && !expected_has(want, "]"))
		return "`=` sets a value; `==` compares";
	if (kind == T_STAR && before == T_STAR && touching)
		return "a power is written `^`";
	if (kind == T_QUESTION && expected_has(want, "+"))
		return "a choice is written `if c then a else b`";
	if ((kind == T_NUMBER || kind == T_IDENT || kind == T_LPAREN) && before == T_QUANTITY && last.n > 0 && last.p[last.n - 1] == '%')
		return "the remainder is `mod`; `%` makes a percentage of a number";
	return NULL;
}

/* The parts of a list or a function. */
static const char *advice_for_parts(const struct parser *ps, struct expected want, const struct token *t)
{
	int kind = t->kind;

	if (kind == T_IF && expected_has(want, "for"))
		return "chosen elements are `[x for x in xs if c]`; a choice is `if c then a else b`";
	if (kind == T_WHEN && expected_has(want, "if") && expected_has(want, "]"))
		return "which elements are taken is said with `if`";
	if (ps->opening.kind != T_FN)
		return NULL;
	if (expected_has(want, "->") || (kind == T_LBRACE && expected_has(want, "=")))
		return "a function is written `fn name(a: int) -> int = value`";
	if (expected_has(want, ":") && (kind == T_COMMA || kind == T_RPAREN))
		return "a parameter has a type: `name: int`";
	return NULL;
}

/* Statements that lack something. */
static const char *advice_for_statement(const struct parser *ps, struct expected want,
					const struct token *t)
{
	int kind = t->kind, before = ps->second_last.kind;
	bool second = before == T_IDENT && ps->second_last.at.lo == ps->opening.at.lo;

	if (kind == T_FOR && t->first && !expected_has(want, "vary"))
		return "there are no loops: a list is made as `[f(x) for x in xs]`";
	if (kind == RAW_NEWLINE && before == T_ASSIGN)
		return "a value begins on the line of its `=`";
	if (t->stray)
		return "there is no open bracket here";
	if (expected_has(want, "else"))
		return "an `if` always has an `else`";
	if (expected_has(want, "->") && expected_has(want, "+"))
		return "an arm of a `match` is `pattern -> value`";
	if (kind == T_ARROW && expected_has(want, "+"))
		return "a line that begins with an operator continues the one before; "
		       "put the pattern in ( )";
	if (expected_has(want, "of") && (ps->opening.kind == T_MAXIMISE || ps->opening.kind == T_MINIMISE))
		return "the tolerance of a goal is its `slack`";
	if (kind == T_ASSERT && expected_has(want, "constraint"))
		return "a condition on candidates is a `constraint`";
	if (kind == T_IDENT && second && expected_has(want, ":"))
		return "a field is declared as `name: type` and set as `name = value`";
	if (second && kind == T_ASSIGN && expected_has(want, "name"))
		return "at file level a value is declared with `let`";
	if (kind == RAW_NEWLINE && ps->opening.kind == T_IDENT && ps->opening.level == 0 &&
	    (expected_has(want, "name") || expected_has(want, "extends")))
		return "a record is declared as `kind name { ... }`";
	return NULL;
}

/* A fixed piece of advice; NULL when there is none. */
static const char *advice_for(const struct parser *ps, struct expected want, const struct token *t)
{
	int kind = t->kind;
	const char *advice = advice_for_operator(ps, want, t);

	if (advice == NULL)
		advice = advice_for_parts(ps, want, t);
	if (advice == NULL)
		advice = advice_for_statement(ps, want, t);
	if (advice == NULL)
		advice = form_advice(ps, want, t);
	if (advice != NULL)
		return advice;
	if ((kind == T_IF || kind == T_MATCH) && expected_has(want, "("))
		return "as an operand it takes parentheses";
	if (kind == T_TEMPLATE_HEAD && expected_has(want, "string"))
		return "this string is read as it stands; write \\{ for a brace";
	if (kind == T_TEMPLATE_END || kind == T_TEMPLATE_NEXT)
		return "write \\{ and \\} for braces in the text";
	return form_of_statement(ps, want);
}

/* `extnds` for `extends`: the nearest word among those that would have fitted. */
static const char *misspelt(struct expected want, struct str word)
{
	const char *best = NULL;
	int best_distance = word.n > 4 ? 3 : 2;

	if (word.n < 3)
		return NULL;
	for (int i = 0; i < want.n; i++) {
		int distance;
		if (expected_phrase(want.names[i]) != NULL || want.names[i][0] < 'a' ||
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

bool advice_is_word(int kind)
{
	return kind == T_IDENT || word_role(kind) != WORD_NONE;
}

/* `from: int`, `let test = 4`: the word stands where a name would. */
static bool used_as_name(const struct parser *ps, struct expected want, const struct token *t)
{
	uint32_t after = t->at.hi;

	if (word_role(t->kind) == WORD_NONE || !expected_has(want, "name"))
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

/* A word of another language, behind an expression or at the start of a declaration. */
static bool foreign_word(const struct parser *ps, struct diag *d, struct expected want,
			 const struct token *t)
{
	const struct token *before = &ps->second_last;

	if (before->kind == T_IDENT && t->kind == T_IDENT && expected_has(want, "+") &&
	    diag_foreign(d, FOREIGN_VALUE, parser_slice(ps, before->at), before->at))
		return true;
	if (t->kind == T_IDENT && expected_has(want, "+"))
		return diag_foreign(d, FOREIGN_OPERATOR, parser_slice(ps, t->at), t->at);
	return ps->opening.kind == T_IDENT && ps->opening.level == 0 &&
	       diag_foreign(d, FOREIGN_STATEMENT, parser_slice(ps, ps->opening.at), ps->opening.at);
}

void advice_add(struct parser *ps, struct diag *d, struct expected want, const struct token *t)
{
	const char *advice = on_joined_line(ps, t)
		? "the line before is not finished, so this one continues it"
		: advice_for(ps, want, t);
	struct str text = parser_slice(ps, t->at), first = parser_slice(ps, ps->opening.at);
	const char *word = advice_is_word(t->kind) ? misspelt(want, text) : NULL;

	if (word != NULL) {
		diag_help(d, "did you mean `%s`?", word);
		diag_fix(d, t->at, str_of(word), "correct the spelling");
		return;
	}
	if (foreign_word(ps, d, want, t))
		return;
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
