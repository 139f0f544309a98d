/* forms.c - how a statement is written, for one that begins right and goes on in the way of another
 * language: JSON, YAML, TOML, Python. */
#include "grammar/advice.h"

static const struct {
	int opening;
	const char *form;
} FORMS[] = {
	{ T_EDITION, "the first line is `edition 1`" },
	{ T_IMPORT, "an import is written `import \"std:models\" { llama3_8b }`, or `import \"a.plan\" as a`" },
	{ T_PARAM, "an input is written `param n: int = 8`" },
	{ T_ENUM, "an enum is written `enum colour { red, green }`" },
	{ T_SCHEMA, "a kind of record is written `schema name { field: type }`" },
	{ T_EMIT, "an artefact is written as `emit TARGET from JOB to \"path\"`" },
	{ T_SWEEP, "a sweep is written `sweep NAME of RECORD { ... }`" },
	{ T_VARY, "an axis is written `vary FIELD in [a, b]`" },
	{ T_CONSTRAINT, "a constraint is written `constraint NAME: condition`" },
	{ T_TEST, "a test is written `test \"title\" { ... }`" },
	{ T_EXPECT, "write `expect condition`, or `expect failure \"CODE\" { ... }`" },
};

static bool in_expression(struct expected want)
{
	return expected_has(want, "number") || expected_has(want, "end of line");
}

const char *form_of_statement(const struct parser *ps, struct expected want)
{
	if (ps->opening.kind == T_EDITION)
		return FORMS[0].form;
	for (size_t i = 0; i < PLAN_COUNT(FORMS) && !in_expression(want); i++)
		if (ps->opening.kind == FORMS[i].opening)
			return FORMS[i].form;
	return NULL;
}

/* `tp: 8` in a record: what follows the colon is no type. */
bool form_sets_with_colon(const struct parser *ps, struct expected want, const struct token *t)
{
	bool record = ps->opening.kind == T_IDENT && ps->opening.level > 0;

	if (!record)
		return false;
	if (want.n == 1 && expected_has(want, "/"))
		return ps->second_last.kind == T_NUMBER;
	return ps->second_last.kind == T_COLON && t->kind != RAW_NEWLINE && expected_has(want, "name");
}

static const char *form_at_start(const struct parser *ps, struct expected want, const struct token *t)
{
	bool imports = ps->opening.kind == T_EDITION || ps->opening.kind == T_IMPORT;
	bool file = expected_has(want, "sweep") && expected_has(want, "import");
	bool fields = expected_has(want, "final") && expected_has(want, "assert");
	bool clauses = expected_has(want, "vary") && expected_has(want, "objective");

	if (t->kind == T_STRING && fields)
		return "the name of a field has no quotes: `tp = 8`";
	if (t->kind == T_STRING && file)
		return "the sentence of a condition follows `because`";
	if ((t->kind == T_VARY || t->kind == T_CONSTRAINT || t->kind == T_OBJECTIVE) && (file || fields))
		return "axes, constraints and objectives stand in `sweep NAME of RECORD { ... }`";
	if (t->kind == T_EXPECT && (file || fields))
		return "what is expected stands in `test \"title\" { ... }`";
	if (t->kind == T_FINAL && file)
		return "a derived field stands in a schema; a value of the file is declared with `let`";
	if (t->kind == T_LBRACE && file)
		return "a plan is no JSON: a record is written `strategy base { tp = 8 }`";
	if (t->kind == T_LBRACKET && file)
		return "a record is written `strategy base { tp = 8 }`";
	if (t->kind == T_FROM && (file || (imports && t->first)))
		return FORMS[1].form;
	if ((t->kind == T_MAXIMISE || t->kind == T_MINIMISE) && clauses)
		return "goals stand in `objective { ... }`";
	if (t->kind == T_FOR && clauses)
		return "an axis is written `vary FIELD in [a, b]`";
	if (t->kind == T_NUMBER && clauses)
		return "the values of an axis stand in [ ]";
	if (t->kind == T_ASSERT && expected_has(want, "expect"))
		return "a test demands with `expect`";
	return NULL;
}

static const char *form_of_record(const struct parser *ps, struct expected want, const struct token *t)
{
	bool second = ps->second_last.at.lo == ps->opening.at.lo && ps->second_last.kind == T_IDENT;

	if (form_sets_with_colon(ps, want, t))
		return "a value is set with `=`; `:` stands in front of a type";
	if (ps->opening.kind != T_IDENT || ps->opening.level > 0)
		return NULL;
	if (expected_has(want, "extends"))
		return "a record is written `strategy base { tp = 8 }`, or `strategy base extends other { tp = 8 }`";
	if (second && t->kind == T_STRING && expected_has(want, "name"))
		return "a name has no quotes; one that is no plain word stands in backticks";
	if (second && t->kind == T_COLON)
		return "a record is written `strategy base { tp = 8 }`; a value of its own with `let`";
	return NULL;
}

/* `optional int`, `list int`: a type made of two words. */
static const char *form_of_type(struct str first)
{
	static const char *const MISSING[] = { "optional", "option", "maybe", "nullable" };

	for (size_t i = 0; i < PLAN_COUNT(MISSING); i++)
		if (str_is(first, MISSING[i]))
			return "a type that allows `none` ends in `?`: `int?`";
	return "a type is one word, with its parts in brackets: `list[int]`, `map[string, int]`";
}

static const char *form_of_value(const struct parser *ps, struct expected want, const struct token *t)
{
	if (t->kind == T_LBRACE && expected_has(want, "then"))
		return "a choice is written `if c then a else b`";
	if (t->kind == T_LBRACE && expected_has(want, "+"))
		return "a copy with changes is `record with { ... }`; a new record is declared as `kind name { ... }`";
	if (ps->second_last.kind == T_BECAUSE)
		return "the sentence behind `because` stands in quotes";
	if (ps->second_last.kind == T_WITH)
		return "what changes stands in braces: `with { nodes = 4 }`";
	if (ps->second_last.kind == T_TO && (t->kind == T_SLASH || t->kind == T_DOT))
		return "the path of an artefact stands in quotes: `to \"out/run.sh\"`";
	if (t->kind == T_IDENT && ps->second_last.kind == T_IDENT && expected_has(want, "?"))
		return form_of_type(parser_slice(ps, ps->second_last.at));
	if (t->kind == T_ASSIGN && expected_has(want, "]"))
		return "a record is written `{ name = value }`, a row is found by `lookup(table, column = value)`";
	if (expected_has(want, "name") && expected_has(want, "number") && !expected_has(want, "string") &&
	    ((t->kind == T_LBRACKET && ps->second_last.kind == T_COLON) ||
	     (t->kind == T_RBRACKET && ps->second_last.kind == T_LBRACKET)))
		return "the type of a list is written `list[int]`";
	if (t->kind == T_COLON && expected_has(want, "]"))
		return "a part of a list is `[xs[i] for i in 0..2]`";
	if (t->kind == T_STRING && ps->second_last.kind == T_STRING &&
	    ps->second_last.at.hi == t->at.lo)
		return "a text stands on one line between two quotes";
	if ((t->kind == T_STRING || t->kind == T_TEMPLATE_HEAD) && ps->second_last.at.hi == t->at.lo)
		return "no letter stands in front of a text; `{x}` in it is a value";
	if (t->kind == T_IF && expected_has(want, "end of line"))
		return "a choice is written `if c then a else b`";
	return NULL;
}

const char *form_advice(const struct parser *ps, struct expected want, const struct token *t)
{
	const char *advice = form_at_start(ps, want, t);

	if (advice == NULL)
		advice = form_of_record(ps, want, t);
	return advice != NULL ? advice : form_of_value(ps, want, t);
}
