/* parser.h - the state that scanner, line filter and parser share while one text is read. Private to
 * grammar/. One struct on the stack of grammar_parse, no globals. */
#ifndef PLAN_GRAMMAR_PARSER_H
#define PLAN_GRAMMAR_PARSER_H

#include "grammar/grammar.h"
#include "grammar/plan.tab.h"

/* An open bracket, or a `{` that opened a hole in a string. */
/* Symbols that the parser may have read of things that are not complete yet. */
enum { PARSER_STACK_MAX = 4096 };

struct nest_entry {
	char kind;                   /* '(' '[' '{', or 'h' for a hole */
	bool declarations;           /* its braces hold declarations: `expect failure "..." {` */
	uint32_t at;                 /* offset of the bracket */
	uint32_t level;              /* of statements inside: nest depth of the innermost brace */
	uint32_t indent;             /* column where the line of the bracket begins */
	uint32_t string;             /* hole: where its string began */
};

struct doc_entry {
	uint32_t lo;                 /* where the documented statement begins */
	struct str text;
};

struct parser {
	struct arena *arena;
	struct interner *names;
	struct diag_sink *sink;
	uint32_t file;
	struct str text;
	struct ast_builder build;
	struct ast *tree;
	bool failed;                 /* something was reported */
	bool broken;                 /* a statement was lost, or its extent is a guess */

	/* scanner */
	void *scanner;               /* flex's yyscan_t */
	uint32_t pos;                /* end of the last match */
	uint32_t line_start;
	uint32_t indent;             /* column of the first token of the current line */
	bool fresh;                  /* no token yet on the current line */
	bool stopped;                /* too deep or too many mistakes: the rest is not read */
	struct diag_sink dropped;    /* takes the mistakes beyond the limit */
	int last;                    /* kind of the last raw token */
	int before_last;
	uint32_t string;             /* start of the string being read */
	uint32_t part;               /* start of its current part: the quote or the `}` */
	uint32_t stray_end;          /* end of the last reported stray character */
	uint32_t suspect;            /* a brace whose indentation says that it was not closed */
	bool has_suspect;
	struct nest_entry *nest;     /* open brackets, depth of nest_max */
	uint32_t depth, nest_max;
	VEC(struct trivia) trivia;
	VEC(struct str) doc;         /* lines of the doc comment being collected */
	uint32_t doc_next;           /* start of the line after it */
	bool doc_used, statement_seen;
	struct str file_doc;

	/* line filter */
	VEC(struct token) queue;     /* tokens to be had before the scanner is asked again */
	uint32_t queue_head;
	struct token held;           /* one token put back */
	bool has_held;
	int prev;                    /* last kind handed to the parser */
	struct token current;        /* last token handed over */
	struct token cause;          /* of a TERM: the raw token that ended the statement */
	struct token opening;        /* first token of the current statement */
	struct token second_last;    /* handed over before `current` */
	uint32_t statement_from;     /* end of the previous statement */
	uint32_t statements;
	uint32_t joined_at;          /* start of a line that was joined to an unfinished one */
	bool has_joined;
	bool panic;                  /* skip the rest of the statement */
	uint32_t panic_level;
	bool panic_line;             /* commas do not end what is skipped */
	VEC(uint32_t) reported;      /* offsets of mistakes the parser need not repeat */
	VEC(struct doc_entry) docs;
};

/* ---- lexical.c: pieces of the scanner -------------------------------------------------------- */

int lexical_number(struct parser *ps, struct token *t);

/* A number with letters, `%` or a stray point behind it. *keep: how much of the match is used. */
int lexical_quantity(struct parser *ps, struct token *t, uint32_t *keep);
int lexical_word(struct parser *ps, struct token *t);
int lexical_quoted_word(struct parser *ps, struct token *t);

/* Characters that are not part of the language: reported, then replaced. 0: nothing to put there. */
int lexical_stray(struct parser *ps, struct token *t);
int lexical_wide(struct parser *ps, struct token *t, uint32_t *keep);
int lexical_curly_string(struct parser *ps, struct token *t);

void lexical_string(struct parser *ps, struct token *t, bool closed);
int lexical_format(struct parser *ps, struct token *t);
void lexical_bad_escape(struct parser *ps, struct span at);

/* A line ends while a hole is open, or a quote was meant to end the string around it (`quoted`):
 * reported; the rest of the string is dropped. */
int lexical_hole_unclosed(struct parser *ps, struct token *t, bool quoted);
void lexical_hole_end(struct parser *ps, const struct token *t);
bool lexical_in_hole(const struct parser *ps);
bool lexical_quote_ends_hole(const struct parser *ps);

/* ---- hidden.c -------------------------------------------------------------------------------- */

/* Reports the first character of a comment, or of a piece of a text, that hides or moves text. */
void hidden_check(struct parser *ps, struct span at, bool comment);

/* ---- layout.c: brackets, lines, comments ----------------------------------------------------- */

/* Opens a bracket or hole: its token, or 0 after reporting that nesting is too deep. */
int lexical_open(struct parser *ps, const struct token *t, char kind);
char lexical_inside(const struct parser *ps);      /* innermost bracket; '{' at file level */
uint32_t lexical_level(const struct parser *ps);
void lexical_comment(struct parser *ps, struct span at);
void lexical_line_break(struct parser *ps, struct span at);
void lexical_place(struct parser *ps, struct token *t);  /* column, first of its line, doc */

/* The scanner: plan.l. The next raw token, T_END at the end. */
int plan_scan(struct token *t, void *scanner);
void plan_scan_begin(struct parser *ps);
void plan_scan_end(struct parser *ps);

/* ---- words.c: tables of words ---------------------------------------------------------------- */

enum word_role { WORD_NONE, WORD_CLAUSE, WORD_BEGIN, WORD_TOP, WORD_SOFT };

int word_find(struct str s);                       /* token of a keyword, 0 when it is a name */
enum word_role word_role(int token);
bool word_begins_statement(int token);

/* The keyword that s may be a misspelling of; only words that begin a statement if `begins`. */
const char *word_nearest(struct str s, bool begins);
bool unit_known(struct parser *ps, struct str s);
bool unit_is_near(struct parser *ps, struct str s);   /* a unit, or one with a hint */
void unit_explain(struct parser *ps, struct diag *d, struct str s, struct span at);   /* of a wrong unit: help, a fix */

/* ---- parser.c: services for the actions ------------------------------------------------------ */

uint32_t parser_file(const struct parser *ps);
struct span parser_whole(const struct parser *ps);
struct span parser_span(const struct parser *ps, uint32_t lo, uint32_t hi);
struct str parser_slice(const struct parser *ps, struct span at);
void parser_set_tree(struct parser *ps, struct ast *tree);
struct ast_seq *parser_add_statement(struct parser *ps, struct ast_seq *list, struct ast *node);
struct ast_list parser_prepend(struct parser *ps, struct ast *first, const struct ast_seq *rest);
struct str parser_number_text(const struct ast *number);
void *parser_no_memory(size_t size);
void parser_stack_exhausted(struct parser *ps, struct span at);

/* A diagnostic at a place; the parser will not complain about the same statement again. */
struct diag *parser_report(struct parser *ps, enum diag_code code, struct span at);

/* ---- syntaxerror.c --------------------------------------------------------------------------- */

void parser_syntax_error(struct parser *ps, const char *found, const char *const *expected, int n);

#endif
