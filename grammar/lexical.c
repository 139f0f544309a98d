/* lexical.c - numbers, words and strings of the scanner: what a match means and what is wrong with
 * it. Whatever is wrong is reported once and replaced by a token of the kind that was meant. */
#include "grammar/parser.h"

static struct ast *bad_node(struct parser *ps, struct span at)
{
	return ast_make_bad(&ps->build, at, (struct ast_bad){ .unused = { { 0 }, at } });
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint32_t digits_length(struct str s, uint32_t from)
{
	uint32_t i = from;

	while (i < s.n && ((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '_'))
		i++;
	return i - from;
}

static bool is_digit_at(struct str s, uint32_t i)
{
	return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

/* Bytes of the number at the start of s: digits, a fraction, an exponent. */
static uint32_t number_length(struct str s)
{
	uint32_t n = digits_length(s, 0);

	if (n < s.n && s.p[n] == '.' && is_digit_at(s, n + 1))
		n += 1 + digits_length(s, n + 1);
	if (n < s.n && (s.p[n] == 'e' || s.p[n] == 'E')) {
		uint32_t sign = n + 1 < s.n && (s.p[n + 1] == '+' || s.p[n + 1] == '-') ? 1 : 0;
		if (is_digit_at(s, n + 1 + sign)) {
			n += 1 + sign;
			while (is_digit_at(s, n))
				n++;
		}
	}
	return n;
}

static bool underscores_fit(struct str s)
{
	for (uint32_t i = 0; i < s.n; i++)
		if (s.p[i] == '_' && (i == 0 || s.p[i - 1] < '0' || s.p[i - 1] > '9' ||
				      !is_digit_at(s, i + 1)))
			return false;
	return true;
}

static int malformed(struct parser *ps, struct token *t, const char *what, const char *help)
{
	struct str text = parser_slice(ps, t->at);
	struct diag *d = parser_report(ps, E0005, t->at);

	diag_message(d, "`%.*s` %s", (int)text.n, text.p, what);
	diag_help(d, "%s", help);
	diag_submit(d);
	t->value.node = bad_node(ps, t->at);
	return T_NUMBER;
}

int lexical_number(struct parser *ps, struct token *t)
{
	struct str text = parser_slice(ps, t->at);

	if (!underscores_fit(text))
		return malformed(ps, t, "is not a number", "an underscore stands between two digits");
	t->value.node = ast_make_number(&ps->build, t->at, (struct ast_number){ text });
	return T_NUMBER;
}

/* `1.`, `.5`, `1.2.3`, `2e`: not numbers, but meant as such. */
static int odd_number(struct parser *ps, struct token *t, struct str text, uint32_t n)
{
	if (text.p[0] == '.')
		return malformed(ps, t, "is not a number", "write a digit in front of the point");
	if (n < text.n && text.p[n] == '.')
		return malformed(ps, t, "is not a number", text.n == n + 1
				 ? "write a digit behind the point, or leave the point out"
				 : "a number has one point; a version is a string");
	return malformed(ps, t, "is not a number", "write the digits of the exponent");
}

static int quantity(struct parser *ps, struct token *t, struct str number, struct str unit)
{
	if (!underscores_fit(number)) {
		malformed(ps, t, "is not a number", "an underscore stands between two digits");
		return T_QUANTITY;
	}
	t->value.node = ast_make_quantity(&ps->build, t->at, (struct ast_quantity){ number, unit });
	return T_QUANTITY;
}

/* A word that is no unit. In `tp = 8 pp = 4` it is the next setting. */
static int unknown_unit(struct parser *ps, struct token *t, struct str number, struct str word)
{
	uint32_t lo = t->at.lo + (uint32_t)(word.p - number.p);
	struct span at = parser_span(ps, lo, lo + word.n);
	uint32_t after = at.hi;
	struct diag *d = parser_report(ps, E0301, at);

	diag_message(d, "`%.*s` is not a unit", (int)word.n, word.p);
	while (after < ps->text.n && (ps->text.p[after] == ' ' || ps->text.p[after] == '\t'))
		after++;
	if (after + 1 < ps->text.n && ps->text.p[after] == '=' && ps->text.p[after + 1] != '=')
		diag_help(d, "two settings on one line have a comma between them");
	else if (number.n == 1 && number.p[0] == '0' && word.p == number.p + 1)
		diag_help(d, "numbers are written in decimal");
	else
		unit_explain(ps, d, word, at);
	diag_submit(d);
	t->value.node = bad_node(ps, t->at);
	return T_QUANTITY;
}

int lexical_quantity(struct parser *ps, struct token *t, uint32_t *keep)
{
	struct str text = parser_slice(ps, t->at);
	uint32_t n = text.p[0] == '.' ? 0 : number_length(text);
	uint32_t at = n, first;
	struct str number = str_slice(text, 0, n), word;

	if (n + 2 == text.n && text.p[n] == '.' && text.p[n + 1] == '.') {
		*keep = n;
		t->at.hi = t->at.lo + n;
		return lexical_number(ps, t);
	}
	if (n == 0 || text.p[n] == '.' || ((text.p[n] | 0x20) == 'e' &&
	    (n + 1 == text.n || text.p[n + 1] == '+' || text.p[n + 1] == '-')))
		return odd_number(ps, t, text, n);
	while (text.p[at] == ' ' || text.p[at] == '\t')
		at++;
	for (first = at; first < text.n && text.p[first] != '/'; )
		first++;
	word = str_slice(text, at, first);
	if (word_find(word) != 0 && word_role(word_find(word)) != WORD_SOFT) {
		*keep = n;
		t->at.hi = t->at.lo + n;
		return lexical_number(ps, t);
	}
	if (unit_known(ps, str_slice(text, at, text.n)))
		return quantity(ps, t, number, str_slice(text, at, text.n));
	if (!unit_known(ps, word) && first < text.n && unit_is_near(ps, word) &&
	    unit_is_near(ps, str_slice(text, first + 1, text.n)))
		return unknown_unit(ps, t, number, str_slice(text, at, text.n));
	*keep = first;
	t->at.hi = t->at.lo + first;
	return unit_known(ps, word) ? quantity(ps, t, number, word) : unknown_unit(ps, t, number, word);
}

/* ---- words ----------------------------------------------------------------------------------- */

int lexical_word(struct parser *ps, struct token *t)
{
	struct str text = parser_slice(ps, t->at);
	int keyword = word_find(text);

	if (keyword == 0 || keyword == T_NATIVE || keyword == T_WHEN)
		t->value.name = (struct ast_name){ sym_of(ps->names, text), t->at };
	return keyword != 0 ? keyword : T_IDENT;
}

int lexical_quoted_word(struct parser *ps, struct token *t)
{
	struct str text = parser_slice(ps, t->at);
	bool closed = text.n > 1 && text.p[text.n - 1] == '`';
	struct str name = str_slice(text, 1, closed ? text.n - 1 : text.n);

	if (!closed || name.n == 0) {
		struct diag *d = parser_report(ps, closed ? E0002 : E0004, t->at);
		if (closed)
			diag_message(d, "a name in backticks must not be empty");
		else
			diag_message(d, "this name has no closing backtick");
		diag_submit(d);
	}
	hidden_check(ps, t->at, false);
	if (name.n == 0)
		name = STR("``");
	t->value.name = (struct ast_name){ sym_of(ps->names, name), t->at };
	return T_IDENT;
}

/* ---- strings --------------------------------------------------------------------------------- */

static struct str decode(struct parser *ps, struct str raw)
{
	struct out o;

	if (raw.n == 0 || memchr(raw.p, '\\', raw.n) == NULL)
		return raw;
	out_init(&o, ps->arena);
	for (uint32_t i = 0; i < raw.n; i++) {
		char c = raw.p[i];
		if (c == '\\' && i + 1 < raw.n) {
			c = raw.p[++i];
			if (c == 'n')
				c = '\n';
			else if (c == 't')
				c = '\t';
		}
		out_char(&o, c);
	}
	return out_view(&o);
}

/* Fills in the text of a part of a string. A string that the line end cut off is reported. */
void lexical_string(struct parser *ps, struct token *t, bool closed)
{
	uint32_t hi = closed ? t->at.hi - 1 : t->at.hi;
	struct diag *d;

	while (!closed && hi > t->at.lo + 1 && ps->text.p[hi - 1] == '\r')
		hi--;
	t->value.text = decode(ps, parser_slice(ps, parser_span(ps, t->at.lo + 1, hi)));
	if (closed)
		return;
	t->at.hi = hi;
	if (lexical_in_hole(ps)) {
		lexical_hole_unclosed(ps, t, true);
		return;
	}
	d = parser_report(ps, E0004, parser_span(ps, ps->string, hi));
	diag_message(d, "this string has no closing quote");
	diag_submit(d);
}

int lexical_format(struct parser *ps, struct token *t)
{
	struct str text = parser_slice(ps, t->at);

	while (text.n > 0 && (text.p[0] == ' ' || text.p[0] == '\t'))
		text = str_slice(text, 1, text.n);
	while (text.n > 0 && strchr(" \t\r", text.p[text.n - 1]) != NULL)
		text = str_slice(text, 0, text.n - 1);
	t->value.text = text;
	if (text.n == 0) {
		struct diag *d = parser_report(ps, E0101, t->at);
		diag_message(d, "a format is missing behind the colon");
		diag_help(d, "write a unit and decimals, as in `{x:GiB.1}`");
		diag_submit(d);
	}
	return T_FORMAT;
}

void lexical_bad_escape(struct parser *ps, struct span at)
{
	struct str text = parser_slice(ps, at);
	struct diag *d = parser_report(ps, E0003, at);

	diag_message(d, "`%.*s` is not an escape", (int)text.n, text.p);
	if (ps->last == T_IMPORT || ps->last == T_TO)
		diag_help(d, "a path is written with `/`, on every system");
	else
		diag_help(d, "escapes are \\\" \\\\ \\{ \\} \\n \\t; write \\\\ for a backslash");
	diag_submit(d);
}

/* ---- holes ----------------------------------------------------------------------------------- */

static uint32_t hole_depth(const struct parser *ps)
{
	uint32_t d = ps->depth;

	while (d > 0 && ps->nest[d - 1].kind != 'h' && ps->nest[d - 1].kind != '{')
		d--;
	return d > 0 && ps->nest[d - 1].kind == 'h' ? d : 0;
}

bool lexical_in_hole(const struct parser *ps)
{
	return hole_depth(ps) > 0;
}

/* A quote right behind a value inside a hole cannot begin a string: it was meant to end the one
 * around the hole. */
bool lexical_quote_ends_hole(const struct parser *ps)
{
	return ps->depth > 0 && ps->nest[ps->depth - 1].kind == 'h' &&
	       (ps->last == T_IDENT || ps->last == T_NUMBER || ps->last == T_QUANTITY ||
		ps->last == T_FORMAT || ps->last == T_RPAREN || ps->last == T_RBRACKET);
}

int lexical_hole_unclosed(struct parser *ps, struct token *t, bool quoted)
{
	uint32_t depth = hole_depth(ps);
	struct nest_entry hole = ps->nest[depth - 1];
	struct diag *d;

	if (quoted) {
		d = parser_report(ps, E0004, parser_span(ps, hole.at, hole.at + 1));
		diag_message(d, "this `{` of the string is never closed");
		diag_help(d, "write \\{ for a brace in the text");
	} else {
		d = parser_report(ps, E0004, parser_span(ps, hole.string, t->at.lo));
		diag_message(d, "this string has no closing quote");
	}
	diag_submit(d);
	while (depth > 1 && ps->nest[depth - 2].kind != '{')
		depth--;
	ps->depth = depth - 1;
	t->value.text = (struct str){ ps->text.p, 0 };
	return T_TEMPLATE_END;
}

/* The `}` that ends a hole; a bracket still open in it is the mistake. */
void lexical_hole_end(struct parser *ps, const struct token *t)
{
	uint32_t depth = hole_depth(ps);

	if (depth < ps->depth) {
		const struct nest_entry *open = &ps->nest[ps->depth - 1];
		struct diag *d = parser_report(ps, E0102, parser_span(ps, open->at, open->at + 1));
		diag_message(d, "this `%c` is never closed", open->kind);
		diag_submit(d);
	}
	ps->string = ps->nest[depth - 1].string;
	ps->part = t->at.lo;
	ps->depth = depth - 1;
}
