/* fmt_int.h - what the parts of the formatter share: tokens with the comments before them, and
 * the printer. Private to compiler/syntax/fmt.
 *
 * The printer walks the tree and takes the tokens of the text one by one; the tree says what
 * belongs together, the tokens are what is written. A piece is first tried flat, on what is left
 * of the line; when that fails, everything it did is taken back and it is laid out over several
 * lines.
 */
#ifndef PLAN_FMT_FMT_INT_H
#define PLAN_FMT_FMT_INT_H

#include "compiler/syntax/fmt/fmt.h"

/* ---- lex.c: the text in pieces --------------------------------------------------------------- */

/* Commas and semicolons are no tokens here: the tree knows where they belong. */
struct fmt_token {
	uint32_t lo, hi;
	uint32_t comment_lo, comment_hi;   /* the comments before it */
	const struct ast *quantity;  /* its node when it is one: blank and unit are written anew */
	bool newline;                /* a line begins between it and the token before */
	bool blank;                  /* an empty line directly before it */
};

struct fmt_comment {
	uint32_t lo, hi;             /* without blanks at the end */
	bool trailing;               /* stands behind a token of the same line */
	bool blank;                  /* an empty line directly before it */
};

struct fmt_tokens {
	VEC(struct fmt_token) all;   /* the last one is empty and ends the file */
	VEC(struct fmt_comment) comments;
};

/* False when the text has something in it that a parsed text cannot have. */
bool fmt_lex(struct arena *a, struct str text, const struct ast *tree, struct fmt_tokens *t);

/* ---- align.c: columns ------------------------------------------------------------------------ */

/* A place where blanks may be put in to bring neighbouring lines to one column. Lines that follow
 * each other and have stops with equal keys are brought there. Key 0: nothing is aligned. */
struct fmt_stop {
	uint32_t at;                 /* offset in the output */
	uint64_t key;
};

enum fmt_key {
	FMT_KEY_NONE,
	FMT_KEY_COMMENT,
	FMT_KEY_ASSIGN,
	FMT_KEY_LET,
	FMT_KEY_IMPORT,
	FMT_KEY_AS,
	FMT_KEY_FROM,
	FMT_KEY_TO,
	FMT_KEY_IN,
	FMT_KEY_ARROW,
	FMT_KEY_CELL
};

void fmt_align(struct arena *a, struct str text, const struct fmt_stop *stops, uint32_t n,
	       struct out *o);

/* ---- print.c: writing, taking back, breaking ------------------------------------------------- */

struct printer {
	struct arena *arena;
	struct str text;
	struct fmt_tokens tokens;
	struct out out;
	VEC(struct fmt_stop) stops;
	uint32_t next;               /* token to be written */
	uint32_t flushed;            /* comments of the tokens before this one are written */
	uint32_t column;             /* of the end of the output */
	uint32_t lines;              /* line breaks written */
	uint32_t line_indent;        /* of the line being written */
	uint32_t home;               /* indent of the statement or element being written */
	uint32_t block; /* first token of the block around: part of the keys of stops */
	bool table;                  /* the next braces are a row of a table */
	uint32_t limit;              /* columns that a flat piece may end in */
	bool fresh;                  /* nothing on the line yet */
	bool commented;              /* the line ends in a comment */
	bool space;                  /* one blank is due before the next text */
	bool flat;                   /* a piece is being tried on one line */
	bool failed;                 /* it does not fit there */
	bool lost;                   /* tokens and tree do not belong together */
};

void fmt_take(struct printer *p); /* the next token, comments before it included */
void fmt_space(struct printer *p);
void fmt_text(struct printer *p, const char *z);      /* punctuation that is not a token */
void fmt_fail(struct printer *p);                     /* the flat piece cannot be on one line */

/* A line break, with an empty line before it if asked for. Does nothing at the start of a line but
 * change its indent. */
void fmt_newline(struct printer *p, uint32_t indent, bool blank);

/* Comments before the next token, then a line break for it; its empty line is kept unless it is the
 * first thing in a block. */
void fmt_lead(struct printer *p, uint32_t indent, bool first);

/* The same for what closes a block: comments at the inner indent, no empty line at the end. */
void fmt_lead_closer(struct printer *p, uint32_t inner, uint32_t outer);

/* A break inside a statement: the comments of the next `tokens` tokens come before it. */
void fmt_break(struct printer *p, uint32_t indent, uint32_t tokens);

/* Whether the author broke the line before the i-th token from here. In a flat piece this makes it
 * fail. */
bool fmt_broken(struct printer *p, uint32_t i);
bool fmt_has_comments(const struct printer *p, uint32_t token);

/* The token that begins at an offset. */
uint32_t fmt_token_at(struct printer *p, uint32_t lo);

/* Tries a piece on the rest of the line, `tail` columns kept free behind it. False: nothing was
 * written. Inside a flat piece it is simply printed. */
typedef void fmt_piece(struct printer *p, const struct ast *node);
bool fmt_flat(struct printer *p, fmt_piece *piece, const struct ast *node, uint32_t tail);

/* Whether a piece could not be on one line however long: it holds a break or a comment. Writes
 * nothing. Not to be asked inside a flat piece. */
bool fmt_forced(struct printer *p, fmt_piece *piece, const struct ast *node);

/* Takes everything back that was written since the copy was made. */
void fmt_restore(struct printer *p, const struct printer *before);

/* A stop here, to be switched off again by fmt_stop_end when the statement took several lines. A
 * flat piece has none but the cells of its row. */
uint32_t fmt_stop(struct printer *p, enum fmt_key key);
void fmt_cell(struct printer *p, uint32_t i, struct sym name); /* before the i-th field of a row */
void fmt_stop_end(struct printer *p, uint32_t stop, uint32_t lines_before);

/* ---- expr.c ---------------------------------------------------------------------------------- */

/* An expression whose further lines are indented by `next`; `tail` columns follow on its last
 * line. */
void fmt_expr(struct printer *p, const struct ast *e, uint32_t next, uint32_t tail);
void fmt_type(struct printer *p, const struct ast *type);
void fmt_path(struct printer *p, const struct ast *path);

/* ---- list.c: ( ) and [ ] --------------------------------------------------------------------- */

/* The brackets of a call, list, tuple or function's parameters, opening one next. */
void fmt_list(struct printer *p, const struct ast *owner, uint32_t tail);
void fmt_comprehension(struct printer *p, const struct ast *e, uint32_t tail);

/* ---- block.c: { } ---------------------------------------------------------------------------- */

/* The braces of a node, opening one next. */
void fmt_block(struct printer *p, const struct ast *owner, uint32_t tail);
void fmt_items(struct printer *p, const struct ast_list *items);   /* of the file */

/* ---- statement.c ----------------------------------------------------------------------------- */

void fmt_statement(struct printer *p, const struct ast *s, uint32_t indent);

#endif
