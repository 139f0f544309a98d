/* stray.c - characters that are not part of the language. Most come from other languages or from a
 * word processor, and then what was meant is known; the message says it and reading goes on as if it
 * had been written. */
#include "compiler/base/utf8.h"
#include "grammar/parser.h"

struct habit {
	const char *written;
	const char *meant;           /* NULL: there is no counterpart */
	int token;                   /* put in its place; 0 for nothing */
	const char *help;
};

static const struct habit HABITS[] = {
	{ "&", "and", T_AND, NULL },
	{ "&&", "and", T_AND, NULL },
	{ "|", "or", T_OR, NULL },
	{ "||", "or", T_OR, NULL },
	{ "!", "not", T_NOT, NULL },
	{ ";", ",", T_COMMA, NULL },
	{ "%", NULL, T_MOD, "the remainder is `mod`; a percentage stands right behind its number" },
	{ "$", NULL, 0, "a value in a string is written \"{name}\"; elsewhere the name alone" },
	{ "@", NULL, 0, NULL },
	{ "~", NULL, 0, "write `not` for the opposite, `within 1% of` for about" },
	{ "\\", NULL, 0, "a line goes on when it ends or the next one begins with an operator" },
	{ "\xC2\xA0", NULL, 0, "it is a no-break space; put an ordinary one" },
	{ "\xEF\xBB\xBF", NULL, 0, "it is a byte order mark in the middle of the file; delete it" },
	{ "\xE2\x80\x8B", NULL, 0, "it is an invisible space; delete it" },
	{ "\xE2\x89\xA4", "<=", T_LE, NULL },              /* less or equal */
	{ "\xE2\x89\xA5", ">=", T_GE, NULL },
	{ "\xE2\x89\xA0", "!=", T_NE, NULL },
	{ "\xC3\x97", "*", T_STAR, NULL },                 /* multiplication sign */
	{ "\xC2\xB7", "*", T_STAR, NULL },                 /* middle dot */
	{ "\xC3\xB7", "/", T_SLASH, NULL },
	{ "\xE2\x88\x92", "-", T_MINUS, NULL },            /* minus sign */
	{ "\xE2\x80\x93", "-", T_MINUS, NULL },            /* en dash */
	{ "\xE2\x80\x94", "-", T_MINUS, NULL },
	{ "\xE2\x86\x92", "->", T_ARROW, NULL },
	{ "\xE2\x87\x92", "=>", T_IMPLIES, NULL },
	{ "\xE2\x80\xA6", "..", T_RANGE, NULL },           /* ellipsis */
	{ "\xEF\xBC\x8C", ",", T_COMMA, NULL },            /* full-width comma */
	{ "\xEF\xBC\x9A", ":", T_COLON, NULL },            /* full-width colon */
	{ "\xC2\xB5", NULL, 0, "write us for microseconds" },
	{ "\xCE\xBC", NULL, 0, "write us for microseconds" },
	{ "\xE2\x80\x9C", NULL, 0, "strings take the straight quote \"" },
	{ "\xE2\x80\x9D", NULL, 0, "strings take the straight quote \"" },
	{ "\xE2\x80\x98", NULL, 0, "strings take the straight quote \"" },
	{ "\xE2\x80\x99", NULL, 0, "strings take the straight quote \"" },
};

static const struct habit *habit_find(struct str s)
{
	for (size_t i = 0; i < PLAN_COUNT(HABITS); i++)
		if (str_is(s, HABITS[i].written))
			return &HABITS[i];
	return NULL;
}

/* Nothing would be seen of it: control characters, spaces of all widths, marks without a width. */
static bool is_invisible(uint32_t code)
{
	return code <= 0x20 || (code >= 0x7F && code <= 0xA0) || code == 0xAD ||
	       (code >= 0x2000 && code <= 0x200F) || (code >= 0x2028 && code <= 0x202F) ||
	       (code >= 0x205F && code <= 0x206F) || code == 0x3000 || code == 0xFEFF;
}

/* Says what is wrong; a run of such characters is one mistake. */
static void report(struct parser *ps, struct span at, const struct habit *habit)
{
	struct str text = parser_slice(ps, at);
	uint32_t code = 0;
	bool repeated = ps->stray_end != 0 && ps->stray_end == at.lo;
	struct diag *d;

	ps->stray_end = at.hi;
	/* In the rest of a broken statement it is part of the same mistake. */
	if (repeated || ps->panic)
		return;
	d = parser_report(ps, E0002, at);
	utf8_decode(text, &code);
	if (is_invisible(code))
		diag_message(d, "the character U+%04X is not part of the language", (unsigned)code);
	else
		diag_message(d, "`%.*s` is not part of the language", (int)text.n, text.p);
	if (habit != NULL && habit->meant != NULL) {
		diag_help(d, "write `%s`", habit->meant);
		diag_fix(d, at, str_of(habit->meant), "write it as the language does");
	} else if (habit != NULL && habit->help != NULL) {
		diag_help(d, "%s", habit->help);
	}
	diag_submit(d);
}

static int single_quoted(struct parser *ps, struct token *t)
{
	struct str text = parser_slice(ps, t->at);
	bool closed = text.n > 1 && text.p[text.n - 1] == '\'';
	struct diag *d = parser_report(ps, E0002, parser_span(ps, t->at.lo, t->at.lo + 1));

	diag_message(d, "`'` is not part of the language");
	diag_help(d, "strings take the double quote \"");
	diag_submit(d);
	t->value.text = str_slice(text, 1, closed ? text.n - 1 : text.n);
	return T_STRING;
}

/* A string in curly quotes, as word processors write it. */
int lexical_curly_string(struct parser *ps, struct token *t)
{
	enum { QUOTE_BYTES = 3 };
	struct str text = parser_slice(ps, t->at);

	report(ps, parser_span(ps, t->at.lo, t->at.lo + QUOTE_BYTES),
	       habit_find(str_slice(text, 0, QUOTE_BYTES)));
	t->value.text = str_slice(text, QUOTE_BYTES, str_ends(text, "\xE2\x80\x9D")
				  ? text.n - QUOTE_BYTES : text.n);
	return T_STRING;
}

static const struct habit MONEY = { "$", NULL, 0, "an amount of money is written `5 USD`" };

static bool beside_digit(const struct parser *ps, struct span at)
{
	char before = at.lo > 0 ? ps->text.p[at.lo - 1] : ' ';
	char after = at.hi < ps->text.n ? ps->text.p[at.hi] : ' ';

	return (before >= '0' && before <= '9') || (after >= '0' && after <= '9');
}

int lexical_stray(struct parser *ps, struct token *t)
{
	struct str text = parser_slice(ps, t->at);
	const struct habit *habit = habit_find(text);

	if (text.p[0] == '\'')
		return single_quoted(ps, t);
	if (text.p[0] == '$' && beside_digit(ps, t->at))
		habit = &MONEY;
	if (text.p[0] == '!' && ps->pos < ps->text.n && ps->text.p[ps->pos] == '!')
		habit = NULL;
	report(ps, t->at, habit);
	return habit == NULL ? 0 : habit->token;
}

static bool is_ascii(struct str s)
{
	for (uint32_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] >= 0x80)
			return false;
	return true;
}

/* A run with characters beyond ASCII: an operator from the character table, or a name. */
int lexical_wide(struct parser *ps, struct token *t, uint32_t *keep)
{
	struct str text = parser_slice(ps, t->at);
	uint32_t i = 0, code = 0, n;
	const struct habit *habit = NULL;
	struct diag *d;

	while (i < text.n) {
		n = utf8_decode(str_slice(text, i, text.n), &code);
		n = n == 0 ? 1 : n;
		habit = habit_find(str_slice(text, i, i + n));
		if (habit != NULL)
			break;
		i += n;
	}
	if (i == 0 && habit != NULL) {
		*keep = (uint32_t)strlen(habit->written);
		t->at.hi = t->at.lo + *keep;
		if (t->at.lo == 0 && code == 0xFEFF)
			return 0;
		report(ps, t->at, habit);
		return habit->token;
	}
	*keep = i;
	t->at.hi = t->at.lo + i;
	text = str_slice(text, 0, i);
	if (is_ascii(text))
		return lexical_word(ps, t);
	d = parser_report(ps, E0002, t->at);
	diag_message(d, "`%.*s` is not a plain name", (int)text.n, text.p);
	diag_help(d, "names are ASCII letters, digits and `_`; put any other name in backticks");
	diag_submit(d);
	t->value.name = (struct ast_name){ sym_of(ps->names, text), t->at };
	return T_IDENT;
}
