/* plan.y - the grammar of .plan files, edition 1.
 *
 * It sees statements that end in TERM; where lines end, which bracket was forgotten and how to go on
 * after a mistake is the line filter's business. Actions only call constructors of
 * compiler/syntax/build.h. Keep it at 0 conflicts; see grammar/README.md before adding a rule.
 */
%require "3.8"
%define api.pure full
%define api.prefix {plan_yy}
%define api.token.prefix {T_}
%define api.value.type {union token_value}
%define api.location.type {struct span}
%define api.header.include {"grammar/plan.tab.h"}
%define parse.error custom
%define parse.lac full
%define lr.type ielr
%locations
%expect 0
%param {struct parser *ps}
%initial-action { @$ = (struct span){ parser_file(ps), 0, 0 }; }

%code requires {
#include "grammar/token.h"
struct parser;
#define YYLLOC_DEFAULT(current, rhs, n) \
	((current) = (n) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n)) \
			 : (struct span){ YYRHSLOC(rhs, 0).file, YYRHSLOC(rhs, 0).hi, \
					  YYRHSLOC(rhs, 0).hi })
}

%code {
#include "grammar/linefilter.h"

/* The stacks have a fixed size, so the parser never asks for memory: running out of them is
 * reported as nesting that is too deep. LAC's own stack grows by one for every rule that derives
 * nothing, a handful at most. */
#define YYINITDEPTH PARSER_STACK_MAX
#define YYMAXDEPTH PARSER_STACK_MAX
#define YYSTACK_USE_ALLOCA 0
#define YYMALLOC(size) parser_no_memory(size)
#define YYFREE(p) ((void)(p))

#define MAKE(kind, at, ...) ast_make_##kind(&ps->build, (at), (struct ast_##kind){ __VA_ARGS__ })
#define OPERATION(symbol, at, l, r) MAKE(binary, at, .op = OP_##symbol, .left = l, .right = r)
#define NOTHING ast_seq_make(&ps->build)
#define FIRST(node) ast_seq_add(&ps->build, NOTHING, (node))
#define AND_THEN(list, node) ast_seq_add(&ps->build, (list), (node))
#define STATEMENT(list, node) parser_add_statement(ps, (list), (node))
#define BROKEN(list, at) ast_seq_add(&ps->build, (list), MAKE(bad, at, .unused = { { 0 }, at }))
#define FIXED(list, at, text) ast_seq_add_text(&ps->build, (list), (at), (text))
#define ALL(list) ast_list_of(list)
#define REF(name, at) MAKE(name_ref, at, name)
#define TO(first, last) span_join(first, last)
#define NO_NAME(at) ((struct ast_name){ { 0 }, at })

static void plan_yyerror(const struct span *at, struct parser *ps, const char *what)
{
	(void)what;
	parser_stack_exhausted(ps, *at);
}
}

%token END 0 "end of file"
%token TERM "end of line"
%token A_FILE "whole file" AN_EXPRESSION "single expression"
%token <name> IDENT "name"
%token <node> NUMBER "number" QUANTITY "quantity"
%token <text> STRING "string" TEMPLATE_HEAD "string with a hole" TEMPLATE_NEXT "rest of a string"
%token <text> TEMPLATE_END "end of a string" FORMAT "format"

%token AS "as" ASSERT "assert" BECAUSE "because" BY "by" CONSTRAINT "constraint"
%token EDITION "edition" ELSE "else" EMIT "emit" ENUM "enum" EXPECT "expect" EXTENDS "extends"
%token FAILURE "failure" FALSE "false" FINAL "final" FN "fn" FOR "for" FROM "from" IF "if"
%token IMPORT "import" LET "let" MATCH "match" MAXIMISE "maximise" MINIMISE "minimise"
%token <name> NATIVE "native" WHEN "when"
%token NONE "none" OBJECTIVE "objective" OF "of" PARAM "param" SCHEMA "schema" SLACK "slack"
%token SWEEP "sweep" TEST "test" THEN "then" TO "to" TRUE "true" VARY "vary" WITH "with"

%token LPAREN "(" RPAREN ")" LBRACKET "[" RBRACKET "]" LBRACE "{" RBRACE "}"
%token COMMA "," COLON ":" DOT "." ASSIGN "=" QUESTION "?" ARROW "->" IMPLIES "=>" COALESCE "??"
%token OR "or" AND "and" NOT "not" EQ "==" NE "!=" LT "<" GT ">" LE "<=" GE ">=" IN "in"
%token WITHIN "within" RANGE ".." PLUS "+" MINUS "-" STAR "*" SLASH "/" DIV "div" MOD "mod" POWER "^"

/* Loosest first. Only binary operators and the two prefix ones have a precedence. */
%right IMPLIES
%left OR
%left AND
%precedence NOT
%nonassoc EQ NE LT GT LE GE IN WITHIN
%right COALESCE
%nonassoc RANGE
%precedence BY
%left PLUS MINUS
%left STAR SLASH DIV MOD
%precedence NEGATION
%right POWER

%type <name> name mode
%type <list> items names params param_list fields clauses targets goals steps arms
%type <list> types dotted expressions arguments elements call_list parts
%type <node> item let instance assertion param field clause goal step arm
%type <node> extends type_opt type type_base path when because slack
%type <node> expr op post template part comprehension filter argument

%%
start
	: A_FILE items
		{ parser_set_tree(ps, MAKE(file, parser_whole(ps), .items = ALL($2))); }
	| AN_EXPRESSION expr TERM
		{ parser_set_tree(ps, $2); }
	| AN_EXPRESSION error TERM
		{ parser_set_tree(ps, MAKE(bad, @2, .unused = NO_NAME(@2))); yyerrok; }
	;

/* ---- declarations of a file ------------------------------------------------------------------ */

items
	: %empty            { $$ = NOTHING; }
	| items item        { $$ = STATEMENT($1, $2); }
	| items error TERM  { $$ = BROKEN($1, @2); yyerrok; }
	;

item
	: EDITION NUMBER TERM
		{ $$ = MAKE(edition, TO(@1, @2), .number = parser_number_text($2)); }
	| IMPORT STRING AS name type_opt TERM
		{ $$ = MAKE(import_as, TO(@1, @5), $2, $4, $5); }
	| IMPORT STRING LBRACE names RBRACE TERM
		{ $$ = MAKE(import_names, TO(@1, @5), $2, ALL($4)); }
	| PARAM name COLON type ASSIGN expr TERM
		{ $$ = MAKE(param, TO(@1, @6), $2, $4, $6); }
	| let
	| FN name LPAREN params RPAREN ARROW type ASSIGN expr TERM
		{ $$ = MAKE(fn, TO(@1, @9), $2, ALL($4), $7, $9); }
	| ENUM name LBRACE names RBRACE TERM
		{ $$ = MAKE(enumeration, TO(@1, @5), $2, ALL($4)); }
	| SCHEMA name extends LBRACE fields RBRACE TERM
		{ $$ = MAKE(schema, TO(@1, @6), $2, $3, ALL($5)); }
	| instance
	| SWEEP name OF path LBRACE clauses RBRACE TERM
		{ $$ = MAKE(sweep, TO(@1, @7), $2, $4, ALL($6)); }
	| assertion
	| EMIT name FROM expr TO expr TERM
		{ $$ = MAKE(emit, TO(@1, @6), .target = $2, .from = $4, .to = $6); }
	| EMIT name FROM expr TO expr LBRACE fields RBRACE TERM
		{ $$ = MAKE(emit, TO(@1, @9), $2, $4, $6, ALL($8), true); }
	| TEST STRING LBRACE steps RBRACE TERM
		{ $$ = MAKE(test, TO(@1, @5), $2, ALL($4)); }
	;

let
	: LET name type_opt ASSIGN expr TERM
		{ $$ = MAKE(let, TO(@1, @5), $2, $3, $5); }
	;

instance
	: name name extends LBRACE fields RBRACE TERM
		{ $$ = MAKE(instance, TO(@1, @6), $1, $2, $3, ALL($5)); }
	;

extends
	: %empty        { $$ = NULL; }
	| EXTENDS path  { $$ = $2; }
	;

assertion
	: ASSERT expr because TERM
		{ $$ = MAKE(assertion, TO(@1, @3), .name = NO_NAME(@1), .cond = $2, .because = $3); }
	| ASSERT name when COLON expr because TERM
		{ $$ = MAKE(assertion, TO(@1, @6), $2, $3, $5, $6); }
	;

names
	: %empty            { $$ = NOTHING; }
	| names name TERM   { $$ = STATEMENT($1, REF($2, @2)); }
	| names error TERM  { $$ = BROKEN($1, @2); yyerrok; }
	;

params
	: %empty            { $$ = NOTHING; }
	| param_list
	| param_list COMMA
	;

param_list
	: param                   { $$ = FIRST($1); }
	| param_list COMMA param  { $$ = AND_THEN($1, $3); }
	;

param
	: name COLON type              { $$ = MAKE(fn_param, @$, $1, $3, NULL); }
	| name COLON type ASSIGN expr  { $$ = MAKE(fn_param, @$, $1, $3, $5); }
	;

/* ---- records and schemas --------------------------------------------------------------------- */

fields
	: %empty            { $$ = NOTHING; }
	| fields field      { $$ = STATEMENT($1, $2); }
	| fields error TERM { $$ = BROKEN($1, @2); yyerrok; }
	;

/* FINAL and NATIVE stand in rules of their own: an optional word in front of a name conflicts with
 * a statement that begins with the name. */
field
	: name COLON type TERM
		{ $$ = MAKE(field, TO(@1, @3), .name = $1, .type = $3); }
	| name COLON type ASSIGN expr TERM
		{ $$ = MAKE(field, TO(@1, @5), .name = $1, .type = $3, .value = $5); }
	| FINAL name COLON type ASSIGN expr TERM
		{ $$ = MAKE(field, TO(@1, @6), $2, $4, $6, .final = true); }
	| NATIVE name COLON type TERM
		{ $$ = MAKE(field, TO(@1, @4), .name = $2, .type = $4, .native = true); }
	| path ASSIGN expr TERM
		{ $$ = MAKE(set, TO(@1, @3), $1, $3); }
	| path LBRACE fields RBRACE TERM
		{ $$ = MAKE(amend, TO(@1, @4), $1, ALL($3)); }
	| let
	| assertion
	;

/* ---- sweeps and tests ------------------------------------------------------------------------ */

clauses
	: %empty               { $$ = NOTHING; }
	| clauses clause       { $$ = STATEMENT($1, $2); }
	| clauses error TERM   { $$ = BROKEN($1, @2); yyerrok; }
	;

clause
	: VARY path IN expr when TERM
		{ $$ = MAKE(vary, TO(@1, @5), ALL(FIRST($2)), false, $4, $5); }
	| VARY LPAREN targets RPAREN IN expr when TERM
		{ $$ = MAKE(vary, TO(@1, @7), ALL($3), true, $6, $7); }
	| CONSTRAINT name when COLON expr because TERM
		{ $$ = MAKE(constraint, TO(@1, @6), $2, $3, $5, $6); }
	| OBJECTIVE mode LBRACE goals RBRACE TERM
		{ $$ = MAKE(objective, TO(@1, @5), $2, ALL($4)); }
	| path ASSIGN expr TERM
		{ $$ = MAKE(set, TO(@1, @3), $1, $3); }
	| let
	;

targets
	: path                { $$ = FIRST($1); }
	| targets COMMA path  { $$ = AND_THEN($1, $3); }
	;

when
	: %empty     { $$ = NULL; }
	| WHEN expr  { $$ = $2; }
	;

because
	: %empty            { $$ = NULL; }
	| BECAUSE template  { $$ = $2; }
	;

mode
	: %empty  { $$ = NO_NAME(@$); }
	| name
	;

goals
	: %empty            { $$ = NOTHING; }
	| goals goal        { $$ = STATEMENT($1, $2); }
	| goals error TERM  { $$ = BROKEN($1, @2); yyerrok; }
	;

goal
	: MAXIMISE expr slack TERM  { $$ = MAKE(goal, TO(@1, @3), true, $2, $3); }
	| MINIMISE expr slack TERM  { $$ = MAKE(goal, TO(@1, @3), false, $2, $3); }
	;

slack
	: %empty      { $$ = NULL; }
	| SLACK expr  { $$ = $2; }
	;

steps
	: %empty            { $$ = NOTHING; }
	| steps step        { $$ = STATEMENT($1, $2); }
	| steps error TERM  { $$ = BROKEN($1, @2); yyerrok; }
	;

step
	: let
	| instance
	| EXPECT expr because TERM
		{ $$ = MAKE(expect, TO(@1, @3), $2, $3); }
	| EXPECT FAILURE STRING LBRACE items RBRACE TERM
		{ $$ = MAKE(expect_failure, TO(@1, @6), $3, ALL($5)); }
	;

/* ---- names and types ------------------------------------------------------------------------- */

name
	: IDENT
	| NATIVE
	;

path
	: dotted  { $$ = MAKE(path, @1, ALL($1)); }
	;

dotted
	: name             { $$ = FIRST(REF($1, @1)); }
	| dotted DOT name  { $$ = AND_THEN($1, REF($3, @3)); }
	;

type_opt
	: %empty      { $$ = NULL; }
	| COLON type  { $$ = $2; }
	;

type
	: type_base
	| type_base QUESTION  { $$ = MAKE(type_option, @$, $1); }
	;

type_base
	: path                          { $$ = MAKE(type_name, @$, $1); }
	| path SLASH path               { $$ = MAKE(type_quotient, @$, $1, $3); }
	| NUMBER SLASH path             { $$ = MAKE(type_quotient, @$, $1, $3); }
	| path LBRACKET types RBRACKET  { $$ = MAKE(type_apply, @$, $1, ALL($3)); }
	;

types
	: type              { $$ = FIRST($1); }
	| types COMMA type  { $$ = AND_THEN($1, $3); }
	;

/* ---- expressions ----------------------------------------------------------------------------- */

/* Forms that are open to the right stand above the operators, so they need no precedence: inside an
 * operand they take parentheses. */
expr
	: op
	| IF expr THEN expr ELSE expr   { $$ = MAKE(conditional, @$, $2, $4, $6); }
	| MATCH expr LBRACE arms RBRACE { $$ = MAKE(match, @$, $2, ALL($4)); }
	;

arms
	: %empty           { $$ = NOTHING; }
	| arms arm         { $$ = STATEMENT($1, $2); }
	| arms error TERM  { $$ = BROKEN($1, @2); yyerrok; }
	;

arm
	: expr ARROW expr TERM  { $$ = MAKE(arm, TO(@1, @3), $1, $3); }
	;

op
	: post
	| NOT op                     { $$ = MAKE(unary, @$, OP_NOT, $2); }
	| MINUS op  %prec NEGATION   { $$ = MAKE(unary, @$, OP_NEG, $2); }
	| op IMPLIES op              { $$ = OPERATION(IMPLIES, @$, $1, $3); }
	| op OR op                   { $$ = OPERATION(OR, @$, $1, $3); }
	| op AND op                  { $$ = OPERATION(AND, @$, $1, $3); }
	| op EQ op                   { $$ = OPERATION(EQ, @$, $1, $3); }
	| op NE op                   { $$ = OPERATION(NE, @$, $1, $3); }
	| op LT op                   { $$ = OPERATION(LT, @$, $1, $3); }
	| op GT op                   { $$ = OPERATION(GT, @$, $1, $3); }
	| op LE op                   { $$ = OPERATION(LE, @$, $1, $3); }
	| op GE op                   { $$ = OPERATION(GE, @$, $1, $3); }
	| op IN op                   { $$ = OPERATION(IN, @$, $1, $3); }
	| op WITHIN op OF op  %prec WITHIN
		{ $$ = MAKE(within, @$, $1, $3, $5); }
	| op COALESCE op             { $$ = OPERATION(COALESCE, @$, $1, $3); }
	| op RANGE op                { $$ = MAKE(range, @$, $1, $3, NULL); }
	| op RANGE op BY op          { $$ = MAKE(range, @$, $1, $3, $5); }
	| op PLUS op                 { $$ = OPERATION(ADD, @$, $1, $3); }
	| op MINUS op                { $$ = OPERATION(SUB, @$, $1, $3); }
	| op STAR op                 { $$ = OPERATION(MUL, @$, $1, $3); }
	| op SLASH op                { $$ = OPERATION(DIV, @$, $1, $3); }
	| op DIV op                  { $$ = OPERATION(INT_DIV, @$, $1, $3); }
	| op MOD op                  { $$ = OPERATION(MOD, @$, $1, $3); }
	| op POWER op                { $$ = OPERATION(POW, @$, $1, $3); }
	;

post
	: name      { $$ = MAKE(ident, @$, $1); }
	| NUMBER
	| QUANTITY
	| template
	| TRUE      { $$ = MAKE(truth, @$, true); }
	| FALSE     { $$ = MAKE(truth, @$, false); }
	| NONE      { $$ = MAKE(none, @$, false); }
	| LPAREN expr RPAREN
		{ $$ = MAKE(group, @$, $2); }
	| LPAREN expr COMMA expressions RPAREN
		{ $$ = MAKE(tuple, @$, parser_prepend(ps, $2, $4)); }
	| LPAREN expr COMMA expressions COMMA RPAREN
		{ $$ = MAKE(tuple, @$, parser_prepend(ps, $2, $4)); }
	| LBRACKET elements RBRACKET
		{ $$ = MAKE(list_of, @$, ALL($2)); }
	| LBRACKET comprehension RBRACKET
		{ $$ = $2; }
	| LBRACE fields RBRACE
		{ $$ = MAKE(record, @$, ALL($2)); }
	| post DOT name
		{ $$ = MAKE(member, @$, $1, $3); }
	| post LBRACKET expr RBRACKET
		{ $$ = MAKE(index, @$, $1, $3); }
	| post LPAREN call_list RPAREN
		{ $$ = MAKE(call, @$, $1, ALL($3)); }
	| post WITH LBRACE fields RBRACE
		{ $$ = MAKE(with, @$, $1, ALL($4)); }
	;

template
	: STRING              { $$ = MAKE(string, @$, $1); }
	| parts TEMPLATE_END  { $$ = MAKE(template, @$, ALL(FIXED($1, @2, $2))); }
	;

parts
	: TEMPLATE_HEAD part        { $$ = AND_THEN(FIXED(NOTHING, @1, $1), $2); }
	| parts TEMPLATE_NEXT part  { $$ = AND_THEN(FIXED($1, @2, $2), $3); }
	;

part
	: expr         { $$ = MAKE(hole, @$, .value = $1); }
	| expr FORMAT  { $$ = MAKE(hole, @$, $1, $2); }
	;

elements
	: %empty             { $$ = NOTHING; }
	| expressions
	| expressions COMMA
	;

expressions
	: expr                    { $$ = FIRST($1); }
	| expressions COMMA expr  { $$ = AND_THEN($1, $3); }
	;

call_list
	: %empty           { $$ = NOTHING; }
	| arguments
	| arguments COMMA
	| comprehension    { $$ = FIRST($1); }
	;

arguments
	: argument                  { $$ = FIRST($1); }
	| arguments COMMA argument  { $$ = AND_THEN($1, $3); }
	;

argument
	: expr              { $$ = MAKE(argument, @$, NO_NAME(@1), $1); }
	| name ASSIGN expr  { $$ = MAKE(argument, @$, $1, $3); }
	| WHEN ASSIGN expr  { $$ = MAKE(argument, @$, $1, $3); }
	;

comprehension
	: expr FOR name IN expr filter  { $$ = MAKE(comprehension, @$, $1, $3, $5, $6); }
	;

filter
	: %empty   { $$ = NULL; }
	| IF expr  { $$ = $2; }
	;
%%

/* Hands what was found and what would fit (exact, thanks to LAC) to syntaxerror.c. This hook keeps
 * its name under api.prefix, it is static. */
static int yyreport_syntax_error(const yypcontext_t *context, struct parser *ps)
{
	enum { EXPECTED_MAX = YYNTOKENS };
	yysymbol_kind_t kinds[EXPECTED_MAX];
	const char *names[EXPECTED_MAX];
	int n = yypcontext_expected_tokens(context, kinds, EXPECTED_MAX);

	for (int i = 0; i < n; i++)
		names[i] = yysymbol_name(kinds[i]);
	parser_syntax_error(ps, yysymbol_name(yypcontext_token(context)), names, n < 0 ? 0 : n);
	return 0;
}
